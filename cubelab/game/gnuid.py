"""GNU Backgammon's ``POSITIONID:MATCHID``.

The match id is 66 bits, little-endian: cube log2 4, owner 2, player on roll 1, Crawford 1, game state 3, whose
decision 1, doubled 1, resigned 2, dice 3 + 3, length 15, score 15 + 15, and in newer versions one more: Jacoby
switched off. Player 1 is the bottom player. The id has no cube cap and no beavers.
"""

from __future__ import annotations

import base64

from ..errors import CubelabError, NotationError
from .cube import Cube, Owner
from .match import MatchState
from .position import Position, _decode_base64
from .rules import Rules
from .situation import Offer, Situation

_WIDTHS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)
_CENTRED = 3
_PLAYING = 1
#: The id carries no cap; this is the one eXtreme Gammon uses when nothing is said.
_CAP = 1024


def decode(text: str) -> Situation:
    """Situation of an id; see `Situation.from_gnuid`."""
    if not isinstance(text, str):
        raise NotationError(f"an id of GNU Backgammon is a text, not {text!r:.60} ({type(text).__name__})")
    position_id, _, match_id = text.strip().partition(":")
    position = Position.from_id(position_id)
    if not match_id:
        return Situation(position, match=MatchState(rules=Rules(cube_cap=_CAP)))
    try:
        return _decode_match(position, match_id)
    except CubelabError as error:
        raise type(error)(f"match id {match_id!r}: {error}") from None


def _decode_match(position: Position, match_id: str) -> Situation:
    bits = int.from_bytes(_decode_base64(match_id, 9, "match id"), "little")
    values = []
    for width in _WIDTHS:
        values.append(bits & ((1 << width) - 1))
        bits >>= width
    (
        log2,
        owner,
        mover,
        crawford,
        _state,
        _decides,
        doubled,
        resigned,
        *dice,
        length,
        score0,
        score1,
        no_jacoby,
    ) = values
    if owner not in (0, 1, _CENTRED):
        raise NotationError(f"cube owner {owner} is none of 0, 1 (the players) and 3 (centred)")
    if any(die > 6 for die in dice) or (dice[0] == 0) != (dice[1] == 0):
        raise NotationError(f"dice {dice[0]}-{dice[1]} are not two numbers from 1 to 6, nor both 0")
    mine, theirs = (score1, score0) if mover else (score0, score1)
    cube_owner = Owner.CENTRE if owner == _CENTRED else Owner.MOVER if owner == mover else Owner.OPPONENT
    rules = Rules(cube_cap=max(_CAP, 2**log2), jacoby=not length and not no_jacoby)
    match = MatchState(length, mine, theirs, bool(crawford), rules)
    rolled = (dice[0], dice[1]) if dice[0] and not doubled else None
    offer = Offer.DOUBLE if doubled else None
    return Situation(position, Cube(2**log2, cube_owner), match, rolled, offer, 1 if mover else -1, resigned)


def encode(situation: Situation) -> str:
    """Id of a situation; see `Situation.gnuid`."""
    if situation.offer not in (None, Offer.DOUBLE):
        raise NotationError("a GNU Backgammon match id cannot hold a pending beaver or raccoon; use the XGID")
    match, cube = situation.match, situation.cube
    mover = 1 if situation.turn == 1 else 0
    owner = {Owner.CENTRE: _CENTRED, Owner.MOVER: mover, Owner.OPPONENT: 1 - mover}[cube.owner]
    doubled = situation.offer is Offer.DOUBLE
    decides = 1 - mover if doubled or situation.resigned else mover
    scores = (match.opponent_score, match.mover_score) if mover else (match.mover_score, match.opponent_score)
    dice = situation.dice or (0, 0)
    values = (
        cube.log2,
        owner,
        mover,
        int(match.crawford),
        _PLAYING,
        decides,
        int(doubled),
        situation.resigned,
        *dice,
        match.length,
        *scores,
        int(not match.rules.jacoby),
    )
    bits, place = 0, 0
    for value, width in zip(values, _WIDTHS, strict=True):
        if value >> width:
            raise NotationError(f"{value} does not fit into the {width} bits a GNU Backgammon match id has for it")
        bits |= value << place
        place += width
    return f"{situation.position.id}:{base64.b64encode(bits.to_bytes(9, 'little')).decode()}"
