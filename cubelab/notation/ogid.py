"""OGID, the position text of OpenGammon and HedgeHog, both ways.

``white:black:cube:dice:acted:state:white score:black score:length:move:checkers``; the last six may be missing.
Checkers are base-26 digits (``0``–``9``, ``a``–``p``), one per checker, on points counted as Black counts them: White
moves up from its bar 0, Black moves down from its bar 25; ``q`` is off. The cube is owner (N, W, B, D dead, ?
unknown), log2, action (N, O offered, T taken, P passed). *acted* is who made the last action: the other one is on
roll, but while a double is offered it is the doubler. Length ends in C for the Crawford game, L after it.
White is the top seat (O of an XGID), Black the bottom one.

Facts from the docstrings of two public MIT codecs (AnkiGammon; GammonView's ``gvformat``) and checked against the ids
before and after each action of a GammonView record. The text has no Jacoby rule, beavers or cube cap.
"""

from __future__ import annotations

import re

from ..errors import CubelabError, NotationError
from ..game.cube import Cube, Owner
from ..game.match import MatchState
from ..game.position import MOVER_BAR, Position
from ..game.rules import Rules
from ..game.situation import Offer, Situation
from ..wording import counted

PREFIX = "OGID="
EXAMPLE = "11ccccchhhjjjjj:66666888dddddoo:N0N:13:B:R:0:0:7:0"
SHAPE = re.compile(r"[0-9a-q]*:[0-9a-q]*:[NWBD?][0-9]+[NOTP](?::.*)?")
_PLACES = "0123456789abcdefghijklmnop"
_OFF = "q"
_FIELDS = (
    "white",
    "black",
    "cube",
    "dice",
    "acted",
    "state",
    "white score",
    "black score",
    "length",
    "move",
    "checkers",
)
_NEEDED = 5
_CUBE = re.compile(r"([NWBD?])([0-9]{1,2})([NOTP])")
_LENGTH = re.compile(r"([0-9]{1,5})(?:([CL])|G[0-9]*)?")
_MAX_LOG2 = 30


def decode(text: str) -> Situation:
    """Read an OGID, with or without ``OGID=``.

    Raises
    ------
    CubelabError
        The field that is wrong, and what would be right.
    """
    body = text.strip()
    if body.upper().startswith(PREFIX):
        body = body[len(PREFIX) :]
    parts = body.split(":")
    if not _NEEDED <= len(parts) <= len(_FIELDS):
        raise NotationError(
            f"OGID {text.strip()!r} has {counted(len(parts), 'field')} between colons, it needs {_NEEDED} to "
            f"{len(_FIELDS)}, such as {EXAMPLE}"
        )
    try:
        return _decode_fields(dict(zip(_FIELDS, parts, strict=False)))
    except CubelabError as error:
        raise type(error)(f"OGID {text.strip()!r}: {error}") from None


def encode(situation: Situation) -> str:
    """OGID of a situation, with the prefix ``OGID=``; Jacoby, beavers and the cube cap are not in it.

    Raises
    ------
    NotationError
        A beaver or a resignation is pending, which the id cannot hold.
    """
    match, cube, offer = situation.match, situation.cube, situation.offer
    if offer not in (None, Offer.DOUBLE):
        raise NotationError("an OGID cannot hold a pending beaver or raccoon; use the XGID")
    if situation.resigned:
        raise NotationError("an OGID cannot hold a pending resignation; use the GNU Backgammon id")
    black_on_roll = situation.turn == 1
    board = (situation.position if black_on_roll else situation.position.flip()).board
    white = "".join(_PLACES[place] * -count for place, count in enumerate(board) if count < 0)
    black = "".join(_PLACES[place] * count for place, count in enumerate(board) if count > 0)
    owner = "N" if match.rules.cube_in_use else "D"
    if cube.owner is not Owner.CENTRE:
        owner = "B" if cube.owner * situation.turn == 1 else "W"
    acted = "B" if black_on_roll == (offer is Offer.DOUBLE) else "W"
    state = "D" if offer else "R" if situation.dice else "C"
    stage = "C" if match.crawford else "L" if match.post_crawford else ""
    scores = (match.opponent_score, match.mover_score)[:: situation.turn]
    dice = "" if situation.dice is None else "".join(map(str, sorted(situation.dice)))
    fields = (
        white,
        black,
        f"{owner}{cube.log2}{'O' if offer else 'N'}",
        dice,
        acted,
        state,
        *scores,
        f"{match.length}{stage}",
        0,
    )
    return PREFIX + ":".join(map(str, fields))


def _decode_fields(fields: dict[str, str]) -> Situation:
    cube_parts = _CUBE.fullmatch(fields["cube"])
    if not cube_parts or int(cube_parts[2]) > _MAX_LOG2:
        raise NotationError(f"cube {fields['cube']!r} is not an owner (N, W, B, D), a log2 and an action, such as N0N")
    owner, log2, action = cube_parts.groups()
    value = 2 ** int(log2)
    state = fields.get("state", "")
    offer = Offer.DOUBLE if action == "O" else None
    dice = fields["dice"]
    if dice and not re.fullmatch("[1-6][1-6]", dice):
        raise NotationError(f"dice {dice!r} are neither empty nor two digits from 1 to 6")
    acted = fields["acted"]
    if acted not in ("W", "B"):
        raise NotationError(f"the player who acted {acted!r} is neither W nor B")
    opening = state == "IW" and not dice  # White still owes the opening roll: nobody has acted yet
    black_on_roll = not opening and (acted == "B") == (offer is not None)
    if fields.get("checkers", "") not in ("", "15"):
        raise NotationError(f"checkers a side: {fields['checkers']} is not supported, only 15")
    length_parts = _LENGTH.fullmatch(fields.get("length", "0"))
    if not length_parts:
        raise NotationError(f"length {fields['length']!r} is not a number with C (Crawford) or L (after it) at most")
    length = 0 if "G" in length_parts[0] else int(length_parts[1])
    scores = [_score(fields, f"{side} score") for side in ("white", "black")]
    mine, theirs = reversed(scores) if black_on_roll else scores
    crawford = length_parts[2] == "C"
    in_use = owner != "D" or crawford
    match = MatchState(length, mine, theirs, crawford, Rules(cube_in_use=in_use, cube_cap=max(64, value)))
    cube = Cube(value, Owner.CENTRE if owner in "ND?" else Owner(1 if (owner == "B") == black_on_roll else -1))
    position = _board(fields["white"], fields["black"])
    return Situation(
        position if black_on_roll else position.flip(),
        cube,
        match,
        (int(dice[0]), int(dice[1])) if dice else None,
        offer,
        1 if black_on_roll else -1,
    )


def _score(fields: dict[str, str], name: str) -> int:
    text = fields.get(name) or "0"
    if not re.fullmatch("[0-9]{1,9}", text):
        raise NotationError(f"{name} {text!r} is not a number")
    return int(text)


def _board(white: str, black: str) -> Position:
    """Board as Black sees it."""
    counts = [0] * 26
    for side, letters, sign, bar in (("white", white, -1, 0), ("black", black, 1, MOVER_BAR)):
        for letter in letters.replace(_OFF, ""):
            place = _PLACES.find(letter)
            if place < 0:
                raise NotationError(f"letter {letter!r} of the {side} checkers is none of 0–9, a–q")
            if place in (0, MOVER_BAR) and place != bar:
                raise NotationError(f"letter {letter!r} puts a {side} checker on the other side's bar")
            if counts[place] * sign < 0:
                raise NotationError(f"both sides stand on point {letter!r}")
            counts[place] += sign
    return Position(tuple(counts))
