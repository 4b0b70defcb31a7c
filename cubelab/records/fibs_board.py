"""``board:`` lines of the First Internet Backgammon Server.

53 fields with colons between them, described in the server's *Client Protocol* (fibs.com): names, length and scores,
26 numbers of the board, whose turn, dice of both, cube, who may double, whether a double waits, colour and direction
of the player who sees the board, and more. Counts carry the sign of the colour; the direction tells which end is home.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..errors import CubelabError, NotationError
from ..game import Cube, MatchState, Offer, Owner, Position, Rules, Situation
from .saved_position import SavedPosition, UnreadLine

_FIELDS: Final = 53
_LINE: Final = re.compile(r"(?:^|\s)(board:[^\s:][^:]{0,60}:[^:]{1,60}(?::-?\d{1,6}){50})(?![\d:])")
_START: Final = re.compile(r"^\s*board:")
#: The length of an unlimited match.
_UNLIMITED: Final = 9999
_BOARD: Final = 6
_TURN, _DICE, _CUBE, _MAY_DOUBLE, _DOUBLED, _COLOUR, _DIRECTION = 32, 33, 37, 38, 40, 41, 42
_AFTER_CRAWFORD: Final = 51


def is_fibs(lines: Sequence[str]) -> bool:
    """Whether a text has lines that start with ``board:``."""
    return any(_START.match(line) for line in lines)


def parse_fibs_boards(lines: Sequence[str]) -> tuple[list[SavedPosition], list[UnreadLine], str]:
    """Positions of all board lines of a text; what stands between them is comment.

    Parameters
    ----------
    lines : sequence of str

    Returns
    -------
    positions : list of SavedPosition
        The bottom player is the one who sees the board.
    unread : list of UnreadLine
    format : str
    """
    positions: list[SavedPosition] = []
    unread: list[UnreadLine] = []
    for number, line in enumerate(lines, 1):
        if not _START.match(line):
            continue
        try:
            positions.append(_position(line.strip(), number))
        except CubelabError as error:
            unread.append(UnreadLine(number, line.strip()[:200], str(error)))
    return positions, unread, "FIBS boards"


def fibs_situation(text: str) -> Situation:
    """Situation of one ``board:`` line.

    Raises
    ------
    CubelabError
        Not such a line, or a position, score or cube that cannot be.
    """
    return _position(text, 0).situation


def _position(text: str, line: int) -> SavedPosition:
    match = _LINE.search(text)
    if match is None:
        raise NotationError(f"a FIBS board has {_FIELDS} fields, this line has {text.count(':') + 1}, or not numbers")
    fields = match[1].split(":")
    values = [0, 0, 0, *(int(field) for field in fields[3:])]
    colour, direction = values[_COLOUR], values[_DIRECTION]
    if colour not in (1, -1) or direction not in (1, -1):
        raise NotationError(f"colour {colour} and direction {direction} of a FIBS board are 1 or -1")
    counts = [colour * count for count in values[_BOARD : _BOARD + 26]]
    board = counts if direction == -1 else counts[::-1]
    seen = Position(tuple(board))
    length = 0 if values[3] >= _UNLIMITED else values[3]
    mine, theirs = values[4], values[5]
    one_away = length > 0 and (length - mine == 1) != (length - theirs == 1)
    crawford = one_away and not values[_AFTER_CRAWFORD]
    value = values[_CUBE]
    owner = Owner.CENTRE if value == 1 else Owner.MOVER if values[_MAY_DOUBLE] else Owner.OPPONENT
    match_state = MatchState(length, mine, theirs, crawford, Rules())
    # A double that waits is the opponent's; the side on roll is then the doubler.
    doubled = bool(values[_DOUBLED])
    mover = not doubled and values[_TURN] == colour
    if values[_TURN] == 0:
        raise NotationError("the game on this FIBS board is over")
    dice = values[_DICE : _DICE + 2] if mover else values[_DICE + 2 : _DICE + 4]
    rolled = (dice[0], dice[1]) if all(dice) and not doubled else None
    offer = Offer.DOUBLE if doubled else None
    if mover:
        situation = Situation(seen, Cube(value, owner), match_state, rolled, offer, 1)
    else:
        situation = Situation(seen.flip(), Cube(value, owner).flip(), match_state.flip(), rolled, offer, -1)
    return SavedPosition(situation, line, "", (fields[1], fields[2]))
