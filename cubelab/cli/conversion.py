"""``cubelab convert``: from one id to another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from .answers import answer_all
from .inputs import PositionCommand, position_lines, read_situation

FORMS = ("xgid", "gnuid", "ogid", "board")


@click.command(cls=PositionCommand, short_help="Positions from one id to another.")
@click.argument("source", metavar="IN")
@click.argument("form", metavar="OUT", type=click.Choice(FORMS))
@click.option("--json", "as_json", is_flag=True, help="One JSON document a position, one a line.")
def convert(source: str, form: str, as_json: bool) -> int:
    """Convert positions: IN is a POSITION, a file with one a line, or - ; OUT is xgid, gnuid, ogid or board.

    \b
    Examples:
      cubelab convert 4HPwATDgc/ABMA xgid
      cubelab convert positions.txt gnuid
    """
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
