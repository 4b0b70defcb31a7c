"""Rows of a text match cut into cells by the words that start them.

Columns differ between writers and overflow, so a cell starts where a roll (``64:``) or a word of the cube or the result
stands; its column, compared with where the writer starts its two columns, and the turn order say whose it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from .record import Seat

_CELL: Final = re.compile(
    r"""(?<!\S)(?:
      (?P<roll>(?P<dice>[0-6]-?[0-6]):)
    | (?P<double>(?:Re)?doubles?\b(?:\s*(?:=+>|to)\s*(?P<double_to>\d{1,9})\b)?)
    | (?P<beaver>(?:Beavers?|Raccoons?|Racoons?)\b(?:\s*(?:=+>|to)\s*(?P<beaver_to>\d{1,9})\b)?)
    | (?P<take>(?:Takes?|Accepts?)\b)
    | (?P<pass>(?:Drops?|Pass|Passes|Rejects?|Refuses?)\b)
    | (?P<wins>Wins\b(?:\s+(?P<points>\d{1,18})\b)?(?:\s+points?\b)?(?:\s+and\s+the\s+match\b)?)
    | (?P<loses>Loss?es\b(?:\s+\d{1,18}\b)?(?:\s+points?\b)?(?:\s+and\s+the\s+match\b)?)
    | (?P<resigns>Resign(?:s|ed)?\b(?:\s+(?P<level>normal|single|gammon|backgammon|game|match)\b)?)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBER: Final = re.compile(r"\s*(\d{1,5})\)")
_DUMP: Final = re.compile(r"Illegal play\s*\([^()]*(?:\([^()]*\)[^()]*)*\)", re.IGNORECASE)
#: Writers start the left column right behind the row number.
LEFT_COLUMN: Final = 6


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what it is, where it starts, what follows its first word."""

    kind: str
    column: int
    match: re.Match[str]
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """Cells of a line, and text before the first of them that is not a row number."""

    numbered: bool
    start: int
    cells: tuple[Cell, ...]
    unread: str


def read_row(line: str) -> Row | None:
    """Cells of a line; None for a line that is no row at all."""
    number = _NUMBER.match(line)
    start = number.end() if number else 0
    # A dump holds names, which may hold any word; it is hidden from the search, not from the cell.
    masked = _DUMP.sub(lambda dump: "x" * len(dump[0]), line) if "llegal" in line else line
    found = list(_CELL.finditer(masked, start))
    if not found and not number:
        return None
    if found and not number and masked[: found[0].start()].strip():
        return None
    ends = [*(match.start() for match in found[1:]), len(line)][: len(found)]
    cells = tuple(
        Cell(str(match.lastgroup), match.start(), match, line[match.end() : end].strip())
        for match, end in zip(found, ends, strict=True)
    )
    unread = line[start : found[0].start() if found else len(line)].strip()
    return Row(number is not None, start, cells, unread)


def right_column(rows: Iterable[Row], name_columns: Iterable[int]) -> int:
    """Where the right column starts: the commonest start of a second cell, else of the second name.

    Parameters
    ----------
    rows : iterable of Row
        All rows of a file.
    name_columns : iterable of int
        Where the second name starts in the score lines.
    """
    starts = Counter(row.cells[1].column for row in rows if row.numbered and len(row.cells) == 2)
    # Overflowing left cells push the right one anywhere: the commonest start wins, the leftmost of equals.
    if not starts:
        starts = Counter(name_columns)
    return min(starts, key=lambda column: (-starts[column], column), default=40)


def seats(row: Row, right: int, expected: Seat | None) -> Iterator[Seat]:
    """Whose each cell of a row is.

    Parameters
    ----------
    row : Row
    right : int
        Where the right column starts.
    expected : Seat or None
        Who should act next; decides only where the column does not.
    """
    left = min(LEFT_COLUMN, right - 1)
    for index, cell in enumerate(row.cells):
        place = (cell.column - left) / (right - left)
        if index == 0 and row.numbered and cell.column - row.start <= 3:
            yield Seat.BOTTOM
        elif index == 1 and len(row.cells) == 2 and row.cells[0].column - row.start <= 3 and cell.kind != "wins":
            yield Seat.TOP
        elif 0.4 <= place <= 0.6 and expected is not None:
            yield expected
        else:
            yield Seat.BOTTOM if place < 0.5 else Seat.TOP
