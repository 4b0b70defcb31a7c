"""``cubelab convert``: positions from one id to another, saved matches from one format to another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from .answers import answer_all
from .inputs import PositionCommand, position_lines, read_situation
from .paths import output_path
from .program import say

FORMS = ("xgid", "gnuid", "ogid", "board")
MATCH_ENDINGS = (".mat", ".txt", ".sgf", ".json", ".xgid")


@click.command(cls=PositionCommand, short_help="Positions and saved matches from one form to another.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--json", "as_json", is_flag=True, help="Positions: one JSON document a line.")
def convert(source: str, target: str, as_json: bool) -> int:
    """Convert positions or a saved match.

    Positions: IN is a POSITION, a file with one a line, a position text of eXtreme Gammon or BGBlitz, or - for
    standard input; OUT is xgid, gnuid, ogid or board.

    Matches: IN is a saved match, OUT a file that ends with .mat or .txt (text match), .sgf (opens in GNU Backgammon),
    .json (loses nothing) or .xgid (its decisions, one a line). What OUT has no place for is named.

    \b
    Examples:
      cubelab convert 4HPwATDgc/ABMA xgid
      cubelab convert positions.txt gnuid
      cubelab convert exported.txt match.mat
    """
    if target in FORMS:
        return _positions(source, target, as_json)
    path = Path(target)
    if path.suffix.lower() not in MATCH_ENDINGS:
        raise click.BadParameter(
            f"{target!r} is none of {', '.join(FORMS)} and ends with none of {', '.join(MATCH_ENDINGS)}",
            param_hint="OUT",
        )
    from ..records import read_match, write_match

    output_path(path, "OUT")
    record = read_match(source)
    losses = write_match(record, path, to_mwc=_to_mwc if path.suffix.lower() == ".sgf" else None)
    say(f"{source}: {len(record.games)} games written to {target}")
    for loss in losses:
        say(f"{target}: not kept: {loss}")
    return 0


def _to_mwc(situation: Any, equity: float) -> float:
    """Match winning chance of a normalised equity, by the table that all commands use unless told otherwise."""
    from ..score import Stakes

    return float(Stakes.of(situation.match, situation.cube).emg_to_mwc(equity))


def _positions(source: str, form: str, as_json: bool) -> int:
    is_file = source != "-" and Path(source).is_file()
    drawn = _drawn_positions(source) if is_file else ()
    texts = drawn or position_lines(() if is_file else (source,), source if is_file else None)
    write = _writer(form)

    def compute(text: str) -> tuple[str, str]:
        return text, write(read_situation(text))

    def document(answer: tuple[str, str]) -> dict[str, Any]:
        return {"input": answer[0], form: answer[1]}

    return answer_all(
        texts, compute, document if as_json else None, lambda answer: print(answer[1]), source, blank=form == "board"
    )


def _drawn_positions(source: str) -> tuple[str, ...]:
    """XGIDs of a file of position texts or FIBS boards; empty when it is a list of ids, which is read line by line."""
    from ..errors import CubelabError
    from ..records import read_positions

    try:
        found = read_positions(source)
    except CubelabError:
        return ()
    if found.format == "id list":
        return ()
    for line in found.unread:
        say(f"{source}, line {line.line}: {line.error}")
    return tuple(position.situation.xgid for position in found.positions)


def _writer(form: str) -> Callable[[Any], str]:
    from ..notation import board_text, ogid

    return {
        "xgid": lambda situation: situation.xgid,
        "gnuid": lambda situation: situation.gnuid,
        "ogid": ogid.encode,
        "board": board_text,
    }[form]
