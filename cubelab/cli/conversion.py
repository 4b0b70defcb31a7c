"""``cubelab convert``: positions from one id to another, saved matches from one format to another."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..wording import counted
from ..writing import write_whole
from .answers import answer_all
from .combining import refuse_idle
from .inputs import PositionCommand, position_lines, read_situation, standard_input, starts_as_match
from .paths import STANDARD, output_path
from .program import say
from .startup import prepare_engine

FORMS = ("xgid", "gnuid", "ogid", "board")
MATCH_ENDINGS = (".mat", ".txt", ".sgf", ".json", ".xgid")
_STANDARD_INPUT = "standard input"
PICTURE_ENDINGS = (".svg", ".png")
#: Rules that an id may have no place for.
_RULES = {"beavers": "whether beavers are allowed", "jacoby": "the Jacoby rule", "cube_cap": "the highest cube"}
#: What an ending asks for when IN is a position and not a match.
_TEXTS = {".txt": "board", ".xgid": "xgid"}


@click.command(cls=PositionCommand, short_help="Positions and saved matches from one form to another.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--json", "as_json", is_flag=True, help="Positions: one JSON document a line.")
@click.option(
    "--analyse",
    "ply",
    type=click.IntRange(0, 3),
    metavar="PLY",
    help="To .sgf: with our cube numbers at this look-ahead, for GNU Backgammon to show, in place of the file's own.",
)
def convert(source: str, target: str, as_json: bool, ply: int | None) -> int:
    """Convert positions or a saved match.

    Positions: IN is a POSITION, a file with one a line, a position text of eXtreme Gammon, GNU Backgammon or BGBlitz, a
    Jellyfish position, or - for standard input; OUT is xgid, gnuid, ogid or board, or a file: .txt (boards drawn in
    letters), .xgid (a list), .svg or .png (a picture of one position).

    Matches: IN is a saved match or - for standard input, OUT a file that ends with .mat or .txt (text match), .sgf
    (opens in GNU Backgammon), .json (loses nothing) or .xgid (its decisions, one a line). What OUT has no place for is
    named.

    \b
    Examples:
      cubelab convert 4HPwATDgc/ABMA xgid
      cubelab convert 4HPwATDgc/ABMA start.svg
      cubelab convert positions.txt gnuid
      cubelab convert exported.txt match.mat
      cubelab convert match.mat match.sgf --analyse 2
    """
    path = Path(target)
    ending = path.suffix.lower()
    if ply is not None and ending != ".sgf":
        raise click.UsageError("--analyse belongs to an OUT that ends with .sgf")
    if target in FORMS:
        return _positions(source, target, as_json)
    refuse_idle("as_json", why=f"is for positions that are printed, not for a file such as {target}")
    if ending not in (*MATCH_ENDINGS, *PICTURE_ENDINGS):
        raise click.BadParameter(
            f"{target!r} is none of {', '.join(FORMS)} and ends with none of "
            f"{', '.join((*MATCH_ENDINGS, *PICTURE_ENDINGS))}",
            param_hint="OUT",
        )
    output_path(path, "OUT")
    if path.exists() and Path(source).exists() and path.samefile(source):
        raise click.BadParameter(f"{target} is IN itself, which would be lost: name another file", param_hint="OUT")
    if ending in PICTURE_ENDINGS:
        return _picture(source, path)
    if ending in _TEXTS and _holds_positions(source):
        return _written_positions(source, path, _TEXTS[ending])
    return _match(source, path, ply)


def _match(source: str, path: Path, ply: int | None) -> int:
    from ..records import parse_match, read_match, write_match

    record = parse_match(standard_input(), _STANDARD_INPUT) if source == STANDARD else read_match(source)
    analyses = None
    if ply is not None:
        from ..study.analysis import analyse
        from ..study.stored import stored_of

        prepare_engine()
        analyses = stored_of(analyse(record, ply))
    losses = write_match(record, path, analyses=analyses, to_mwc=_to_mwc if path.suffix.lower() == ".sgf" else None)
    say(f"{record.file}: {counted(len(record.games), 'game')} written to {path}")
    if analyses and any(event.analysis for game in record.games for event in game.events):
        losses += ("the file's own analysis where ours stands",)
    for loss in losses:
        say(f"{path}: not kept: {loss}")
    return 0


def _holds_positions(source: str) -> bool:
    """Whether IN is a position or a file of them; a file that can be read as a match is a match."""
    from ..errors import CubelabError
    from ..records import match_places, read_match, read_positions

    if source == STANDARD:
        return not starts_as_match()
    if not Path(source).exists():
        return _is_position(source)
    try:
        read_match(match_places(source)[0])
    except CubelabError:
        try:
            return bool(read_positions(source).positions)
        except CubelabError:
            return False
    return False


def _is_position(text: str) -> bool:
    from ..errors import CubelabError

    try:
        read_situation(text)
    except CubelabError:
        return False
    return True


def _picture(source: str, path: Path) -> int:
    from ..errors import NotationError
    from ..plot import board

    if not _holds_positions(source):
        raise NotationError(f"{source} is neither a position nor a file of positions, of which a picture shows one")
    texts = list(position_lines(*_named(source)))
    if len(texts) != 1:
        raise NotationError(
            f"{source} holds {counted(len(texts), 'position')}; a picture shows one: name it by its XGID"
        )
    situation = read_situation(texts[0])
    board(situation).save(path)
    say(f"{situation.xgid} drawn in {path}")
    _tell_losses(source, path, _undrawn(situation))
    return 0


def _written_positions(source: str, path: Path, form: str) -> int:
    """Write what can be read; the rest is named, as everywhere."""
    texts: list[str] = []
    losses: set[str] = set()
    write, between = _writer(form, losses), "\n\n" if form == "board" else "\n"
    status = answer_all(
        position_lines(*_named(source)),
        lambda text: write(read_situation(text)),
        None,
        texts.append,
        source,
        blank=False,
    )
    if texts:
        write_whole(path, between.join(texts) + "\n")
    say(f"{source}: {counted(len(texts), 'position')} written to {path}")
    _tell_losses(source, path, losses)
    return status


def _tell_losses(source: str, target: object, losses: set[str]) -> None:
    """Name what the form has no place for, and what a file says beside its positions."""
    from ..errors import CubelabError
    from ..records import read_positions

    beside: list[str] = []
    if source != STANDARD and Path(source).is_file():
        with contextlib.suppress(CubelabError):  # what cannot be read was named already
            found = read_positions(source).positions
            comments = sum(bool(position.comment) for position in found)
            analysed = sum(position.analysis is not None for position in found)
            beside += [f"comments on positions: {comments}"] * bool(comments)
            beside += [f"analysed positions: {analysed}"] * bool(analysed)
    for loss in (*sorted(losses), *beside):
        say(f"{target}: not kept: {loss}")


def _named(source: str) -> tuple[tuple[str, ...], str | None]:
    """What `position_lines` needs to read IN."""
    is_file = source != STANDARD and Path(source).is_file()
    return (() if is_file else (source,)), (source if is_file else None)


def _to_mwc(situation: Any, equity: float) -> float:
    """Match winning chance of a normalised equity, by the table that all commands use unless told otherwise."""
    from ..score import Stakes

    return float(Stakes.of(situation.match, situation.cube).emg_to_mwc(equity))


def _positions(source: str, form: str, as_json: bool) -> int:
    texts = position_lines(*_named(source))
    losses: set[str] = set()
    write = _writer(form, losses)

    def compute(text: str) -> tuple[str, str]:
        return text, write(read_situation(text))

    def document(answer: tuple[str, str]) -> dict[str, Any]:
        return {"input": answer[0], form: answer[1]}

    status = answer_all(
        texts, compute, document if as_json else None, lambda answer: print(answer[1]), source, blank=form == "board"
    )
    _tell_losses(source, form, losses)
    return status


def _writer(form: str, losses: set[str]) -> Callable[[Any], str]:
    """What writes a situation in a form; notes in `losses` what reading it back would not give."""
    from ..notation import board_text, ogid

    if form == "board":

        def draw(situation: Any) -> str:
            losses.update(_undrawn(situation))
            return board_text(situation)

        return draw
    encode: Callable[[Any], str] = {
        "xgid": lambda situation: situation.xgid,
        "gnuid": lambda situation: situation.gnuid,
        "ogid": ogid.encode,
    }[form]

    def write(situation: Any) -> str:
        text = encode(situation)
        given, again = situation.match.rules, read_situation(text).match.rules
        losses.update(words for field, words in _RULES.items() if getattr(given, field) != getattr(again, field))
        return text

    return write


def _undrawn(situation: Any) -> set[str]:
    """What a board, in letters or as a picture, says nothing about: a highest cube that is not a usual one."""
    from ..game import Rules, Situation

    # Ours, and the one that ids mean when they name none, as nearly every XGID does too.
    usual = Rules().cube_cap, Situation.from_gnuid(situation.gnuid).match.rules.cube_cap
    rules = situation.match.rules
    return {_RULES["cube_cap"]} if rules.cube_in_use and rules.cube_cap not in usual else set()
