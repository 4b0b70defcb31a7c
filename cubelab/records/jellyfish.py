"""Positions of Jellyfish (``.pos``), as GNU Backgammon writes them.

Little-endian 16-bit numbers: version 126, five of no meaning here, the cube, its owner, who is on roll and whether they
have rolled, three of no meaning, match (1) or money (3), opponent, level, match length, two scores; two names behind
their lengths; seven bytes, the third of which tells the Crawford game (2); two dice; and 26 pairs, the checkers when
the turn began and now, each with 20 added. Points are player 0's own, player 0's checkers are negative. Read off files
that GNU Backgammon 1.07 writes for positions given to it; no file of Jellyfish itself was at hand.
"""

from __future__ import annotations

import struct
from typing import Final

from ..errors import NotationError
from ..game import Cube, MatchState, Owner, Position, Rules, Situation
from .saved_position import SavedPosition

_HEAD: Final = struct.Struct("<18h")
_BOARD: Final = struct.Struct("<54h")
_VERSION, _CUBE, _OWNER, _ROLL, _KIND, _LENGTH, _SCORES = 0, 6, 7, 8, 12, 15, 16
_FIRST: Final = 126
_BETWEEN: Final = 7
_CRAWFORD: Final = 2
_ZERO: Final = 20
_MONEY: Final = 3
_LONGEST: Final = 1024


def is_jellyfish(data: bytes) -> bool:
    """Whether a file starts and is as long as a Jellyfish position."""
    return data[:2] == _FIRST.to_bytes(2, "little") and 151 <= len(data) <= _LONGEST and b"\0" in data[:12]


def jellyfish_position(data: bytes) -> SavedPosition:
    """Position of a Jellyfish file; player 1, the second named, is the bottom player.

    Parameters
    ----------
    data : bytes

    Raises
    ------
    CubelabError
        Another size than its names ask for, or a position, score or cube that cannot be.
    """
    head = _HEAD.unpack_from(data)
    place, names = _HEAD.size, []
    for _ in range(2):
        size = data[place] if place < len(data) else 0
        names.append(data[place + 1 : place + 1 + size].decode("cp1252", errors="replace"))
        place += 1 + size
    size = place + _BETWEEN + _BOARD.size
    if size != len(data):
        raise NotationError(f"a Jellyfish position with these names has {size} bytes, this one {len(data)}")
    crawford = data[place + 2] == _CRAWFORD
    numbers = _BOARD.unpack_from(data, place + _BETWEEN)
    # GNU Backgammon takes the first of each pair too.
    comment = "" if numbers[2::2] == numbers[3::2] else "saved in the middle of a play: this is the position before it"
    # Player 0's checkers are negative: the signs are turned, and place 25 is player 0's bar.
    seen = Position(tuple(_ZERO - count for count in numbers[2::2]))
    roller = head[_ROLL]
    if roller not in (1, 2, 3, 4) or head[_OWNER] not in (0, 1, 2):
        raise NotationError(f"player on roll {roller} and owner of the cube {head[_OWNER]} are not 1 to 4 and 0 to 2")
    length = 0 if head[_KIND] == _MONEY else head[_LENGTH]
    owner = {0: Owner.CENTRE, 1: Owner.MOVER, 2: Owner.OPPONENT}[head[_OWNER]]
    cube = Cube(head[_CUBE], owner)
    first, second = head[_SCORES : _SCORES + 2] if length else (0, 0)
    match = MatchState(length, first, second, crawford and length > 0, Rules(cube_cap=max(64, head[_CUBE])))
    dice = (numbers[0], numbers[1]) if roller in (1, 2) and numbers[0] and numbers[1] else None
    if roller in (1, 3):
        situation = Situation(seen, cube, match, dice, turn=-1)
    else:
        situation = Situation(seen.flip(), cube.flip(), match.flip(), dice, turn=1)
    return SavedPosition(situation, 0, comment, (names[1], names[0]))
