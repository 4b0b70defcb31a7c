"""What a record holds and a format to be written has no place for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..wording import counted
from .names import display_name
from .record import Beaver, Comment, Event, Record, Resignation, Roll, SetPosition

#: Tags that SGF has properties for, and those that say again what the record says.
_SGF_TAGS: Final = frozenset(
    (
        "application",
        "event",
        "round",
        "eventdate",
        "place",
        "site",
        "annotator",
        "whiterank",
        "blackrank",
        "copyright",
        "gamename",
        "source",
        "user",
        "gamecomment",
        "player 1",
        "player 2",
        "crawford",
        "jacoby",
        "beaver",
        "cubelimit",
    )
)


def mat_losses(record: Record) -> tuple[str, ...]:
    """What a text match of a record leaves out, one sentence each; empty when nothing.

    Parameters
    ----------
    record : Record
    """
    return tuple(_mat(record))


def sgf_losses(record: Record, *, has_mwc: bool = False) -> tuple[str, ...]:
    """What an SGF file of a record leaves out, one sentence each.

    Parameters
    ----------
    record : Record
    has_mwc : bool
        Whether the writer is told how to turn normalised equities into match winning chances.
    """
    return tuple(_sgf(record, has_mwc))


def _mat(record: Record) -> Iterator[str]:
    analysed = sum(event.analysis is not None for event in _events(record))
    if analysed:
        yield f"stored analysis of {counted(analysed, 'roll or cube action', 'rolls and cube actions')}"
    comments = sum(bool(event.comment) for event in _events(record))
    if comments:
        yield f"the place of {counted(comments, 'comment')}: written as a remark between the rows"
    cubes = sum(isinstance(event, SetPosition) and event.board is None for event in _events(record))
    if cubes:
        yield f"{counted(cubes, 'cube')} set without a position: written as a remark"


def _sgf(record: Record, has_mwc: bool) -> Iterator[str]:
    from .write_sgf import writable_cube, writable_plays

    tags = [display_name(key) for key, _ in record.tags if key.casefold() not in _SGF_TAGS]
    if tags:
        yield f"tags: {', '.join(dict.fromkeys(tags))}"
    if record.beavers is not None and not record.length:
        yield "whether beavers are allowed"
    if record.cube_cap is not None:
        yield "the highest cube"
    shown = sum(isinstance(event, Roll) and event.dumped for event in _events(record))
    if shown:
        yield f"that an illegal play led to {counted(shown, 'position')} that the file sets"
    hidden = sum(isinstance(event, Roll) and event.dice is None for event in _events(record))
    if hidden:
        yield f"{counted(hidden, 'roll')} that the file hides"
    resigned = sum(isinstance(event, Resignation) and bool(event.comment) for event in _events(record))
    if resigned:
        yield f"comments on {counted(resigned, 'resignation')}"
    plays = cubes = 0
    for event in _events(record):
        if event.analysis is not None:
            stored = event.analysis
            plays += stored.plays is not None and not writable_plays(stored, record.length)
            cubes += stored.cube is not None and not writable_cube(stored, record.length, has_mwc=has_mwc)
    if plays:
        yield f"stored candidates of {counted(plays, 'roll')}, whose level or unit it has no place for"
    if cubes:
        yield f"stored cube numbers of {counted(cubes, 'decision')}, whose level or unit it has no place for"


def xgid_losses(record: Record) -> tuple[str, ...]:
    """What a list of XGIDs leaves out: all but the decisions."""
    return tuple(_xgid(record))


def _xgid(record: Record) -> Iterator[str]:
    asides = sum(isinstance(event, (Comment, SetPosition, Beaver)) for event in _events(record))
    nor = counted(asides, "remark, set position or beaver", "remarks, set positions and beavers")
    yield "the list holds the decisions alone: not the names of the rules, the tags or the analysis" + (
        f", nor {nor}" if asides else ""
    )
    comments = len(record.comments) + sum(
        bool(event.comment) and not isinstance(event, Comment) for event in _events(record)
    )
    if comments:
        yield counted(comments, "comment")
    resigned = sum(isinstance(event, Resignation) for event in _events(record))
    if resigned:
        yield counted(resigned, "resignation")


def _events(record: Record) -> Iterator[Event]:
    for game in record.games:
        yield from game.events
