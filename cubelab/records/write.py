"""Record → file of the kind that its name asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import Final

from ..arguments import checked
from ..errors import RecordError
from ..writing import write_whole
from .decision import Kind
from .losses import mat_losses, sgf_losses, xgid_losses
from .names import display_name
from .record import Record
from .record_json import json_text
from .replay import replay
from .write_mat import mat_text
from .write_sgf import Analyses, ToMwc, sgf_text

#: What the ending of a name asks for.
ENDINGS: Final = (".mat", ".txt", ".sgf", ".json", ".xgid")


@checked("analyses", "path", "record", "to_mwc")
def write_match(
    record: Record,
    path: str | PathLike[str],
    *,
    analyses: Analyses | None = None,
    to_mwc: ToMwc | None = None,
) -> tuple[str, ...]:
    """Write a record in the format that the ending of the file's name asks for.

    Parameters
    ----------
    record : Record
    path : path-like
        ``.mat`` or ``.txt`` a text match, ``.sgf``, ``.json`` without any loss, ``.xgid`` the list of its decisions.
    analyses : mapping, optional
        For SGF: see `sgf_text`.
    to_mwc : callable, optional
        For SGF: see `sgf_text`.

    Returns
    -------
    tuple of str
        What the format has no place for, one phrase each.

    Raises
    ------
    RecordError
        Another ending.
    DataMissing
        The file cannot be written; one that stood there stays.
    """
    path = Path(path)
    ending = path.suffix.casefold()
    writers: dict[str, Callable[[], str]] = {
        ".mat": lambda: mat_text(record),
        ".txt": lambda: mat_text(record),
        ".sgf": lambda: sgf_text(record, analyses, to_mwc),
        ".json": lambda: json_text(record),
        ".xgid": lambda: xgid_text(record),
    }
    if ending not in writers:
        raise RecordError(f"a match cannot be written as {ending or 'a file without ending'}; use {', '.join(ENDINGS)}")
    write_whole(path, writers[ending]())
    if ending == ".sgf":
        return sgf_losses(record, has_mwc=to_mwc is not None)
    if ending == ".xgid":
        return xgid_losses(record)
    return () if ending == ".json" else mat_losses(record)


def xgid_text(record: Record) -> str:
    """Decisions of a record as XGIDs, one a line, with who did what as comments.

    Parameters
    ----------
    record : Record

    Returns
    -------
    str
        Lines that `read_positions` and ``cubelab cube --from`` read.
    """
    return "\n".join(_xgid_lines(record)) + "\n"


def _xgid_lines(record: Record) -> Iterator[str]:
    names = " - ".join(display_name(name) for name in record.players)
    yield f"# {names}, {f'{record.length} points' if record.length else 'money'}"
    game = None
    for decision in replay(record):
        if decision.kind is Kind.RESIGN:
            continue
        if decision.game != game:
            game = decision.game
            yield f"# game {game}"
        done = f"{display_name(decision.player)}: {decision.played_text or '?'}"
        yield f"{decision.situation.xgid}  # {decision.kind} {decision.ply}, {done}"
