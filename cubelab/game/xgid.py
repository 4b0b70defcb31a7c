"""XGID, the position text of eXtreme Gammon: lossless both ways.

``board:cube:owner:turn:dice:score bottom:score top:rules:length:cap``; letters and signs are absolute (upper case
and 1 the bottom player), whoever is on roll.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import CubelabError, IllegalPosition, NotationError
from ..wording import counted
from .cube import Cube, Owner
from .match import MatchState
from .position import CHECKERS, Position
from .rules import Rules
from .situation import Offer, Situation

PREFIX = "XGID="
EXAMPLE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
_FIELDS = (
    "board",
    "cube",
    "cube owner",
    "turn",
    "dice",
    "bottom score",
    "top score",
    "rules",
    "length",
    "cube cap",
)
_MAX_LOG2 = 30


def decode(text: str) -> Situation:
    """Situation of an XGID; see `Situation.from_xgid`."""
    if not isinstance(text, str):
        raise NotationError(f"an XGID is a text, not {text!r:.60} ({type(text).__name__})")
    body = text.strip()
    if body.upper().startswith(PREFIX):
        body = body[len(PREFIX) :]
    parts = body.split(":")
    if len(parts) != len(_FIELDS):
        raise NotationError(
            f"XGID {text.strip()!r} has {counted(len(parts), 'field')} between colons, it needs {len(_FIELDS)}, "
            f"such as {EXAMPLE}"
        )
    fields = dict(zip(_FIELDS, parts, strict=True))
    try:
        return _decode_fields(fields)
    except CubelabError as error:
        raise type(error)(f"XGID {text.strip()!r}: {error}") from None


def _decode_fields(fields: dict[str, str]) -> Situation:
    turn = _number(fields, "turn", (1, -1))
    length = _number(fields, "length", range(0, 2**15))
    scores = tuple(_number(fields, name, range(0, 2**31)) for name in ("bottom score", "top score"))
    cap_log2 = _number(fields, "cube cap", range(0, _MAX_LOG2 + 1))
    owner = Owner(_number(fields, "cube owner", (1, 0, -1)) * turn)
    cube = Cube(2 ** _number(fields, "cube", range(0, _MAX_LOG2 + 1)), owner)
    flags = _number(fields, "rules", range(0, 2) if length else range(0, 4))
    dice, offer = _dice(fields["dice"])
    raccoon = offer is Offer.RACCOON
    rules = Rules(
        cube_cap=2**cap_log2 if cap_log2 else None,
        jacoby=not length and bool(flags & 1),
        beavers=0 if length or not flags & 2 else 2 if raccoon else 1,
    )
    mine, theirs = scores if turn == 1 else scores[::-1]
    match = MatchState(length, mine, theirs, bool(length and flags), rules)
    board = _board(fields["board"])
    return Situation(board if turn == 1 else board.flip(), cube, match, dice, offer, turn)


def encode(situation: Situation) -> str:
    """XGID of a situation; see `Situation.xgid`."""
    match, turn = situation.match, situation.turn
    position = situation.position if turn == 1 else situation.position.flip()
    letters = "".join(
        "-" if count == 0 else chr(ord("A") + count - 1) if count > 0 else chr(ord("a") - count - 1)
        for count in position.board
    )
    if situation.offer is not None:
        dice = situation.offer.value
    else:
        dice = "00" if situation.dice is None else "".join(map(str, situation.dice))
    scores = (match.mover_score, match.opponent_score)[::turn]
    flags = match.rules.jacoby + 2 * bool(match.rules.beavers) if match.money else int(match.crawford)
    cap = match.rules.cube_cap
    cap_log2 = 0 if cap is None else cap.bit_length() - 1
    cube = situation.cube
    fields = (letters, cube.log2, cube.owner * turn, turn, dice, *scores, int(flags), match.length, cap_log2)
    return PREFIX + ":".join(map(str, fields))


def _board(letters: str) -> Position:
    if len(letters) != 26:
        raise NotationError(f"the board has {counted(len(letters), 'letter')}, it needs 26 (bar, points 1 to 24, bar)")
    counts = []
    for index, letter in enumerate(letters):
        if letter == "-":
            counts.append(0)
        elif "A" <= letter <= "O":
            counts.append(ord(letter) - ord("A") + 1)
        elif "a" <= letter <= "o":
            counts.append(-(ord(letter) - ord("a") + 1))
        else:
            raise NotationError(f"letter {letter!r} at place {index} of the board is none of -, A–O, a–o")
    for side, sign in (("bottom player (upper case)", 1), ("top player (lower case)", -1)):
        total = sum(max(count * sign, 0) for count in counts)
        if total > CHECKERS:
            raise IllegalPosition(f"{total} checkers for the {side}, at most 15 exist")
    return Position(tuple(counts))


def _dice(text: str) -> tuple[tuple[int, int] | None, Offer | None]:
    if text == "00":
        return None, None
    if text in ("D", "B", "R"):
        return None, Offer(text)
    if len(text) == 2 and all(die in "123456" for die in text):
        return (int(text[0]), int(text[1])), None
    raise NotationError(f"dice {text!r} are none of 00, two digits 1–6, D, B, R")


def _number(fields: dict[str, str], name: str, allowed: Sequence[int]) -> int:
    text = fields[name]
    if not re.fullmatch("-?[0-9]{1,10}", text):
        raise NotationError(f"{name} {text!r} is not a number")
    value = int(text)
    if value not in allowed:
        choice = " or ".join(map(str, allowed)) if len(allowed) < 4 else f"from {allowed[0]} to {allowed[-1]}"
        raise NotationError(f"{name} {value} is not {choice}")
    return value
