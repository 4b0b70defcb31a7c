"""Boards that text matches carry: eXtreme Gammon's letters and the dump of an ``Illegal play (…)`` cell."""

from __future__ import annotations

import re
from typing import Final

from ..errors import IllegalPosition
from ..game import Position

_ILLEGAL: Final = re.compile(r"Illegal play\b\s*", re.IGNORECASE)
#: Names and 38 numbers fit into far less.
_LONGEST: Final = 1000
_FIELDS: Final = 40
_NAMES: Final = slice(5, 7)
_BOARD: Final = slice(12, 38)


def board_of_letters(letters: str) -> tuple[int, ...]:
    """Counts of a board in XGID letters: capitals positive."""
    return tuple(
        0 if letter == "-" else ord(letter) - ord("A") + 1 if letter.isupper() else -(ord(letter) - ord("a") + 1)
        for letter in letters
    )


def dump_in(text: str) -> str | None:
    """What the brackets of a play ``Illegal play (…)`` hold; empty when there are none, None for any other play."""
    start = _ILLEGAL.match(text)
    if not start:
        return None
    rest = text[start.end() :]
    return rest[1:-1] if rest.startswith("(") and rest.endswith(")") and len(rest) < _LONGEST else ""


def dumped_board(text: str, players: tuple[str, str] | None) -> tuple[int, ...] | None:
    """Position after the play of a dump, seen from the bottom player; None when the dump makes no sense.

    Parameters
    ----------
    text : str
        What stands between the brackets: 40 fields with ``;`` between them: length, Jacoby, two flags, turn, two names,
        Crawford, two scores, cube, its owner, 26 numbers of the board, two dice of the next roll. The board is that
        after the play, seen from the first player named, whose checkers are positive.
    players : (str, str) or None
        Names of the bottom and the top player.
    """
    fields = text.rstrip().removesuffix(";").split(";")
    if len(fields) != _FIELDS or players is None:
        return None
    names = tuple(name.strip() for name in fields[_NAMES])
    try:
        board = tuple(int(field) for field in fields[_BOARD])
        Position(board)
    except (ValueError, IllegalPosition):
        return None
    if names == players[::-1]:
        board = tuple(-count for count in reversed(board))
    elif names != players:
        return None
    return board
