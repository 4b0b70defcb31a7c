"""Record → text match, in the layout that GNU Backgammon and eXtreme Gammon write."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike

from ..game import Position
from ..writing import write_whole
from .record import (
    Beaver,
    Comment,
    Double,
    Event,
    Game,
    Pass,
    Record,
    Resignation,
    Roll,
    Seat,
    SetPosition,
    Take,
)

_RIGHT = 33
_LEVELS = {1: " normal", 2: " gammon", 3: " backgammon"}


def write_mat(record: Record, path: str | PathLike[str]) -> None:
    """Write a record as a text match; see `mat_text`.

    Parameters
    ----------
    record : Record
    path : path-like
        The file to write; an existing one is replaced.
    """
    write_whole(path, mat_text(record))


def mat_text(record: Record) -> str:
    """A record as a text match.

    A text match holds players, length, rules, tags, rolls, plays as written, cube actions, results, set positions and
    remarks. It has no place for stored analysis, for comments on single events (they are written as remarks) and for
    the number of the line things came from.

    Parameters
    ----------
    record : Record

    Returns
    -------
    str
        Lines that end in LF.
    """
    lines = [f'; [{key} "{value}"]' for key, value in _tags(record)]
    lines += [comment if comment.startswith(";") else f"; {comment}" for comment in record.comments]
    lines += ["", f"{record.length} point match"] if lines else [f"{record.length} point match"]
    for game in record.games:
        lines += ["", *_game(record, game)]
    return "\n".join(lines) + "\n"


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    """The record's tags, and those for rules it states in another way."""
    yield from record.tags
    known = {key.casefold() for key, _ in record.tags}
    rules = {"Crawford": record.crawford, "Jacoby": record.jacoby, "Beaver": record.beavers}
    for key, value in rules.items():
        if value is not None and not {key.casefold(), f"{key.casefold()}s"} & known:
            yield key, "On" if value else "Off"
    if record.cube_cap is not None and "cubelimit" not in known:
        yield "CubeLimit", str(record.cube_cap)


def _game(record: Record, game: Game) -> Iterator[str]:
    left, right = (
        f"{' '.join(name.split())} : {points}" for name, points in zip(record.players, game.score, strict=True)
    )
    yield f" Game {game.number}"
    # Two blanks at least: a reader cuts the line at its widest gap.
    yield f" {left:<{_RIGHT - 2}}  {right}" if len(left) > _RIGHT - 3 else f" {left:<{_RIGHT - 1}}{right}"
    row, cells = 0, ["", ""]
    for event in game.events:
        aside = _aside(record, game, event)
        if aside:
            if any(cells):
                row += 1
                yield _row(row, cells)
                cells = ["", ""]
            yield from aside
        if event.seat is None:
            continue
        text = _cell(record, game, event)
        if cells[1] or (event.seat is Seat.BOTTOM and cells[0]):
            row += 1
            yield _row(row, cells)
            cells = ["", ""]
        cells[event.seat.index] = text
    wins = _wins(record, game)
    if wins and cells[0].strip() == "Drops" and not cells[1]:
        # GNU Backgammon takes a result on its own line after a pass of the left player for one action more.
        cells[1], wins = f" {wins}", ""
    if any(cells):
        yield _row(row + 1, cells)
    if wins:
        yield " " * (_RIGHT + 1 if game.result.winner is Seat.TOP else 6) + wins


def _wins(record: Record, game: Game) -> str:
    """The result in the words of a text match; empty for an unfinished game."""
    result = game.result
    if result.winner is None:
        return ""
    points = result.stated or result.points
    decided = record.length and game.score_after[result.winner.index] >= record.length
    return f"Wins {points} point{'s' * (points != 1)}{' and the match' * bool(decided)}"


def _row(number: int, cells: list[str]) -> str:
    left, right = cells
    return f"{number:3d}) {left}".ljust(_RIGHT - 1 if right else 0) + (f" {right}" if right else "")


def _aside(record: Record, game: Game, event: Event) -> list[str]:
    """Lines that stand between rows: remarks and set positions."""
    lines = []
    if isinstance(event, SetPosition) and event.board is None:
        lines.append(f"; cube set to {event.cube}")
    elif isinstance(event, SetPosition) and event.board is not None:
        lines.append(f"; Set Pos={_letters(event.board)}/{_cube_field(event)}")
    elif isinstance(event, Comment):
        lines.append(event.text if event.text.startswith(";") else f"; {event.text}")
    lines += [f"; {line}" for line in event.comment.splitlines() if line.strip()]
    return lines


def _cell(record: Record, game: Game, event: Event) -> str:
    match event:
        case Roll(dice=dice, text=text, after=after):
            digits = "00" if dice is None else f"{dice[0]}{dice[1]}"
            if after is not None and (not text or (event.dumped and "(" not in text)):
                text = f"Illegal play ({_dump(record, game, after)})"
            return f"{digits}: {text}".rstrip()
        case Double(cube=cube):
            return f" Doubles => {cube}" if cube else " Doubles"
        case Beaver(cube=cube):
            return f" Beavers => {cube}" if cube else " Beavers"
        case Take():
            return " Takes"
        case Pass():
            return " Drops"
        case Resignation(level=level):
            return f" Resigns{_LEVELS.get(level or 0, '')}"
    return ""


def _letters(board: tuple[int, ...]) -> str:
    return "".join("-" if not n else chr(ord("A") + n - 1) if n > 0 else chr(ord("a") - n - 1) for n in board)


def _cube_field(event: SetPosition) -> int:
    """Log2 of the cube, positive when the right column owns it."""
    log2 = (event.cube or 1).bit_length() - 1
    return -log2 if event.owner is Seat.BOTTOM else log2


def _dump(record: Record, game: Game, after: tuple[int, ...]) -> str:
    """The position after a play that no text describes, in the fields of an ``Illegal play`` cell."""
    board = Position(after).board
    fields = [
        record.length,
        int(bool(record.jacoby) and not record.length),
        1,
        0,
        0,
        *record.players,
        int(game.crawford),
        *game.score,
        1,
        0,
        *board,
        0,
        0,
    ]
    return ";".join(map(str, fields)) + ";"
