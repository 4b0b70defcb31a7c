"""Positions as Snowie's text: one line of 40 fields with semicolons between them.

Match length, Jacoby, two flags, whose turn, the player on roll, the other one, Crawford, their scores, cube, its owner
(1 the player on roll, -1 the other, 0 nobody), 26 numbers of the board as the player on roll sees it, two dice. Also
in eXtreme Gammon's ``Illegal play`` cells; checked on lines that GNU Backgammon writes.
"""

from __future__ import annotations

import re
from typing import Final

from ..errors import NotationError
from ..game import Cube, MatchState, Owner, Position, Rules, Situation
from .saved_position import SavedPosition

_FIELDS: Final = 40
_NUMBER: Final = re.compile(r"-?\d{1,6}")
_LENGTH, _JACOBY, _TURN, _NAMES, _CRAWFORD, _SCORES, _CUBE, _OWNER, _BOARD, _DICE = 0, 1, 4, 5, 7, 8, 10, 11, 12, 38
_OWNERS: Final = {1: Owner.MOVER, 0: Owner.CENTRE, -1: Owner.OPPONENT}


def is_snowie_text(line: str) -> bool:
    """Whether a line has as many fields as a position in this form."""
    return line.rstrip().removesuffix(";").count(";") == _FIELDS - 1


def snowie_position(text: str, line: int) -> SavedPosition:
    """Position of a line.

    Parameters
    ----------
    text : str
    line : int
        Its number.

    Raises
    ------
    CubelabError
        A field is no number, or the position, score or cube cannot be.
    """
    fields = [field.strip() for field in text.strip().removesuffix(";").split(";")]
    numbered = [field for place, field in enumerate(fields) if place not in (_NAMES, _NAMES + 1)]
    wrong = next((field for field in numbered if not _NUMBER.fullmatch(field)), None)
    if wrong is not None:
        raise NotationError(f"{wrong[:20]!r} in a position of {_FIELDS} fields is no number")
    values = [0 if place in (_NAMES, _NAMES + 1) else int(field) for place, field in enumerate(fields)]
    length = values[_LENGTH]
    rules = Rules(jacoby=not length and bool(values[_JACOBY]), cube_cap=max(64, values[_CUBE]))
    owner = _OWNERS.get(values[_OWNER])
    if owner is None:
        raise NotationError(f"{values[_OWNER]} for the owner of the cube is none of 1, 0 and -1")
    mine, theirs = values[_SCORES : _SCORES + 2]
    match = MatchState(length, mine, theirs, bool(values[_CRAWFORD]) and bool(length), rules)
    dice = values[_DICE : _DICE + 2]
    turn = 1 if values[_TURN] else -1
    situation = Situation(
        Position(tuple(values[_BOARD : _BOARD + 26])),
        Cube(values[_CUBE], owner),
        match,
        (dice[0], dice[1]) if any(dice) else None,
        turn=turn,
    )
    names = fields[_NAMES], fields[_NAMES + 1]
    return SavedPosition(situation, line, "", names if turn == 1 else names[::-1])
