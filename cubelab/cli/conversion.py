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
MATCH_ENDINGS = (".mat", ".txt")


@click.command(cls=PositionCommand, short_help="Positions and saved matches from one form to another.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--json", "as_json", is_flag=True, help="Positions: one JSON document a line.")
def convert(source: str, target: str, as_json: bool) -> int:
    """Convert positions or a saved match.

    Positions: IN is a POSITION, a file with one a line, or - for standard input; OUT is xgid, gnuid, ogid or board.
    Matches: IN is a saved match, OUT a file that ends with .mat or .txt.

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
    from ..records import read_match
    from ..records.write_mat import write_mat

    output_path(path, "OUT")
    record = read_match(source)
    write_mat(record, path)
    say(f"{source}: {len(record.games)} games written to {target}")
    return 0


def _positions(source: str, form: str, as_json: bool) -> int:
    is_file = source != "-" and Path(source).is_file()
    texts = position_lines(() if is_file else (source,), source if is_file else None)
    write = _writer(form)

    def compute(text: str) -> tuple[str, str]:
        return text, write(read_situation(text))

    def document(answer: tuple[str, str]) -> dict[str, Any]:
        return {"input": answer[0], form: answer[1]}

    return answer_all(
        texts, compute, document if as_json else None, lambda answer: print(answer[1]), source, blank=form == "board"
    )


def _writer(form: str) -> Callable[[Any], str]:
    from ..notation import board_text, ogid

    return {
        "xgid": lambda situation: situation.xgid,
        "gnuid": lambda situation: situation.gnuid,
        "ogid": ogid.encode,
        "board": board_text,
    }[form]
