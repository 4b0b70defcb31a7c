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
PICTURE_ENDINGS = (".svg", ".png")
#: What an ending asks for when IN is a position and not a match.
_TEXTS = {".txt": "board", ".xgid": "xgid"}


@click.command(cls=PositionCommand, short_help="Positions and saved matches from one form to another.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--json", "as_json", is_flag=True, help="Positions: one JSON document a line.")
def convert(source: str, target: str, as_json: bool) -> int:
    """Convert positions or a saved match.

    Positions: IN is a POSITION, a file with one a line, a position text of eXtreme Gammon, GNU Backgammon or BGBlitz, a
    Jellyfish position, or - for standard input; OUT is xgid, gnuid, ogid or board, or a file: .txt (boards drawn in
    letters), .xgid (a list), .svg or .png (a picture of one position).

    Matches: IN is a saved match, OUT a file that ends with .mat or .txt (text match), .sgf (opens in GNU Backgammon),
    .json (loses nothing) or .xgid (its decisions, one a line). What OUT has no place for is named.

    \b
    Examples:
      cubelab convert 4HPwATDgc/ABMA xgid
      cubelab convert 4HPwATDgc/ABMA start.svg
      cubelab convert positions.txt gnuid
      cubelab convert exported.txt match.mat
    """
    if target in FORMS:
        return _positions(source, target, as_json)
    path = Path(target)
    ending = path.suffix.lower()
    if ending not in (*MATCH_ENDINGS, *PICTURE_ENDINGS):
        raise click.BadParameter(
            f"{target!r} is none of {', '.join(FORMS)} and ends with none of "
            f"{', '.join((*MATCH_ENDINGS, *PICTURE_ENDINGS))}",
            param_hint="OUT",
        )
    output_path(path, "OUT")
    if ending in PICTURE_ENDINGS:
        return _picture(source, path)
    if ending in _TEXTS and _holds_positions(source):
        return _written_positions(source, path, _TEXTS[ending])
    return _match(source, path)


def _match(source: str, path: Path) -> int:
    from ..records import read_match, write_match

    record = read_match(source)
    losses = write_match(record, path, to_mwc=_to_mwc if path.suffix.lower() == ".sgf" else None)
    say(f"{source}: {len(record.games)} games written to {path}")
    for loss in losses:
        say(f"{path}: not kept: {loss}")
    return 0


def _holds_positions(source: str) -> bool:
    """Whether IN is a position or a file of them; a file that can be read as a match is a match."""
    from ..errors import CubelabError
    from ..records import match_places, read_match, read_positions

    if source == "-":
        return True
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
        raise NotationError(f"{source} holds {len(texts)} positions; a picture shows one: name it by its XGID")
    situation = read_situation(texts[0])
    board(situation).save(path)
    say(f"{situation.xgid} drawn in {path}")
    return 0


def _written_positions(source: str, path: Path, form: str) -> int:
    """Write what can be read; the rest is named, as everywhere."""
    texts: list[str] = []
    write, between = _writer(form), "\n\n" if form == "board" else "\n"
    status = answer_all(
        position_lines(*_named(source)),
        lambda text: write(read_situation(text)),
        None,
        texts.append,
        source,
        blank=False,
    )
    if texts:
        path.write_text(between.join(texts) + "\n", encoding="utf-8", newline="\n")
    say(f"{source}: {len(texts)} position{'s' * (len(texts) != 1)} written to {path}")
    return status


def _named(source: str) -> tuple[tuple[str, ...], str | None]:
    """What `position_lines` needs to read IN."""
    is_file = source != "-" and Path(source).is_file()
    return (() if is_file else (source,)), (source if is_file else None)


def _to_mwc(situation: Any, equity: float) -> float:
    """Match winning chance of a normalised equity, by the table that all commands use unless told otherwise."""
    from ..score import Stakes

    return float(Stakes.of(situation.match, situation.cube).emg_to_mwc(equity))


def _positions(source: str, form: str, as_json: bool) -> int:
    texts = position_lines(*_named(source))
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
