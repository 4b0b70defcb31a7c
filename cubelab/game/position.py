"""Checkers on the board, seen from the player on roll."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from enum import Enum
from operator import index, neg
from typing import TYPE_CHECKING

from ..errors import IllegalPosition, NotationError
from .drawn import Drawn
from .enums import RunnableRepr

if TYPE_CHECKING:
    import numpy as np

    from .play import Play

CHECKERS = 15
OPPONENT_BAR, MOVER_BAR = 0, 25


class Phase(RunnableRepr, Enum):
    """Class of a position, by what can still happen."""

    CONTACT = "contact"
    RACE = "race"
    BEAROFF = "bearoff"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Position(Drawn):
    """Where the checkers stand, from the mover's side.

    Parameters
    ----------
    board : tuple of int, length 26
        1–24 the mover's points (mover's checkers positive, opponent's negative), 25 the mover's bar (≥ 0),
        0 the opponent's bar (≤ 0).

    Raises
    ------
    IllegalPosition
        Wrong length, more than 15 checkers on a side, a bar with the wrong side's checkers, both sides finished.

    Examples
    --------
    >>> import cubelab as cl
    >>> start = cl.Position.start()
    >>> start.id, start.pips, start.phase
    ('4HPwATDgc/ABMA', 167, Phase.CONTACT)
    >>> len(start.plays(3, 1))
    16
    >>> start.flip() == start
    True
    """

    board: tuple[int, ...]

    def __post_init__(self) -> None:
        board = self.board
        # Positions are made by the million, nearly all of them from plain numbers in a tuple.
        if type(board) is not tuple or {*map(type, board)} != {int}:
            try:
                board = tuple(index(count) for count in board)
            except TypeError:
                raise IllegalPosition("a board is 26 whole numbers") from None
            object.__setattr__(self, "board", board)
        if not _is_sound(board):
            raise IllegalPosition("; ".join(_problems(board)))

    @classmethod
    def start(cls) -> Position:
        """The starting position."""
        return cls.from_id("4HPwATDgc/ABMA")

    @classmethod
    def from_id(cls, text: str) -> Position:
        """Read a GNU Backgammon position id: 14 base64 characters, 80 bits.

        Opponent first, then the player on roll; points 1…24 and the bar, as many 1-bits as checkers and a 0-bit each,
        little-endian.

        Raises
        ------
        NotationError
            Not such a text.
        IllegalPosition
            It describes checkers that cannot stand so.
        """
        if not isinstance(text, str):
            raise NotationError(f"a position id is a text, not {text!r:.60} ({type(text).__name__})")
        key = _decode_base64(text.strip(), 10, "position id")
        bits = int.from_bytes(key, "little")
        sides: list[list[int]] = []
        for side in ("opponent", "player on roll"):
            counts = []
            for _ in range(25):
                count = 0
                while bits & 1:
                    count += 1
                    bits >>= 1
                bits >>= 1
                counts.append(count)
            if sum(counts) > CHECKERS:
                raise IllegalPosition(f"position id {text!r}: {sum(counts)} checkers for the {side}, at most 15 exist")
            sides.append(counts)
        if bits:
            raise NotationError(f"position id {text!r} has bits left over after both sides")
        opponent, mover = sides
        board = [0] * 26
        for point in range(1, 25):
            theirs = opponent[24 - point]
            if mover[point - 1] and theirs:
                raise IllegalPosition(f"position id {text!r}: both sides stand on point {point}")
            board[point] = mover[point - 1] - theirs
        board[MOVER_BAR], board[OPPONENT_BAR] = mover[24], -opponent[24]
        return cls(tuple(board))

    @property
    def id(self) -> str:
        """GNU Backgammon position id."""
        bits, place = 0, 0
        opponent = self.flip().board
        for side in (opponent, self.board):
            for point in range(1, 26):
                count = max(side[point], 0)
                bits |= ((1 << count) - 1) << place
                place += count + 1
        return base64.b64encode(bits.to_bytes(10, "little")).decode().rstrip("=")

    @property
    def array(self) -> np.ndarray:
        """The board as a new int8[26] array."""
        import numpy as np

        return np.array(self.board, dtype=np.int8)

    def flip(self) -> Position:
        """The same checkers seen by the other side."""
        return Position(tuple(map(neg, self.board[::-1])))

    @property
    def pips(self) -> int:
        """Pips the mover still needs."""
        return sum(point * count for point, count in enumerate(self.board) if count > 0)

    @property
    def opponent_pips(self) -> int:
        """Pips the opponent still needs."""
        return sum((25 - point) * -count for point, count in enumerate(self.board) if count < 0)

    @property
    def off(self) -> int:
        """Checkers the mover has borne off."""
        return CHECKERS - sum(count for count in self.board if count > 0)

    @property
    def opponent_off(self) -> int:
        """Checkers the opponent has borne off."""
        return CHECKERS + sum(count for count in self.board if count < 0)

    @property
    def phase(self) -> Phase:
        """Over, bearoff (no contact, both home), race (no contact) or contact."""
        mine = [point for point, count in enumerate(self.board) if count > 0]
        theirs = [point for point, count in enumerate(self.board) if count < 0]
        if not mine or not theirs:
            return Phase.OVER
        if max(mine) > min(theirs):
            return Phase.CONTACT
        return Phase.BEAROFF if max(mine) <= 6 and min(theirs) >= 19 else Phase.RACE

    @property
    def deadlocked(self) -> bool:
        """Whether nobody could ever move again: both sides on the bar against a closed board. No game leads there."""
        both_on_bar = self.board[MOVER_BAR] > 0 and self.board[OPPONENT_BAR] < 0
        return both_on_bar and min(self.board[1:7]) > 1 and max(self.board[19:25]) < -1

    def plays(self, die1: int, die2: int) -> tuple[Play, ...]:
        """All legal plays of a roll, one per distinct result; empty when there is none.

        Raises
        ------
        NotationError
            Dice outside 1–6.
        """
        from .play import legal_plays

        return legal_plays(self, (die1, die2))

    def __repr__(self) -> str:
        return f"Position.from_id({self.id!r})"


def _is_sound(board: tuple[int, ...]) -> bool:
    """Whether `_problems` would find nothing; much faster."""
    checkers, difference = sum(map(abs, board)), sum(board)
    return (
        len(board) == 26
        and board[MOVER_BAR] >= 0 >= board[OPPONENT_BAR]
        and 0 < checkers <= 2 * CHECKERS - abs(difference)
    )


def _problems(board: tuple[int, ...]) -> list[str]:
    if len(board) != 26:
        return [f"a board has 26 numbers, not {len(board)}"]
    problems = []
    mine, theirs = sum(c for c in board if c > 0), -sum(c for c in board if c < 0)
    for side, count in (("the player on roll", mine), ("the opponent", theirs)):
        if count > CHECKERS:
            problems.append(f"{count} checkers for {side}, at most 15 exist")
    if board[MOVER_BAR] < 0 or board[OPPONENT_BAR] > 0:
        problems.append("a bar holds checkers of the wrong side")
    if mine == 0 and theirs == 0:
        problems.append("both sides have borne off all checkers")
    return problems


def _decode_base64(text: str, size: int, what: str) -> bytes:
    """Bytes of an unpadded base64 id of known size."""
    characters = (size * 8 + 5) // 6
    text = text.rstrip("=")
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if len(text) != characters or len(data) != size:
        raise NotationError(
            f"{what} {text!r} is not {characters} base64 characters, such as those GNU Backgammon prints"
        )
    return data
