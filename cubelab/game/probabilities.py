"""Chances of the six results of a game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from numbers import Real

from ..errors import IllegalProbabilities
from ..wording import counted
from .enums import RunnableRepr
from .html import block, number, percent, table

#: How far six chances may miss a sum of 1 (rounded input, single-precision networks) before they are refused.
SUM_TOLERANCE = 1e-3


class GameResult(RunnableRepr, IntEnum):
    """Result of a game for the mover; the value is its place in arrays of six probabilities."""

    WIN = 0
    WIN_GAMMON = 1
    WIN_BACKGAMMON = 2
    LOSE = 3
    LOSE_GAMMON = 4
    LOSE_BACKGAMMON = 5

    @property
    def points(self) -> int:
        """Points for the mover with the cube at 1: from -3 to 3."""
        return (1, 2, 3, -1, -2, -3)[self]

    def flip(self) -> GameResult:
        """The same result seen by the other side."""
        return GameResult((self + 3) % 6)


@dataclass(frozen=True, slots=True)
class Probabilities:
    """Six exclusive chances that sum to 1, for the mover.

    ``win`` is the chance of a single win only; see `cumulative` for the printed convention of the field.

    Raises
    ------
    IllegalProbabilities
        A chance outside 0–1, or a sum that is not 1.

    Examples
    --------
    >>> import cubelab as cl
    >>> p = cl.Probabilities.from_cumulative(0.62, 0.17, 0.01, 0.11, 0.00)
    >>> round(p.win, 2), round(p.equity, 2), round((-p).equity, 2)
    (0.45, 0.31, -0.31)
    >>> cl.Probabilities.from_cumulative(0.3, 0.4)
    Traceback (most recent call last):
        ...
    cubelab.errors.IllegalProbabilities: more gammons won (0.4) than games won (0.3)
    """

    win: float
    win_gammon: float
    win_backgammon: float
    lose: float
    lose_gammon: float
    lose_backgammon: float

    def __post_init__(self) -> None:
        values = self.array
        for name, value in zip(self.__slots__, values, strict=True):
            if not isinstance(value, Real) or not math.isfinite(value) or not -1e-6 <= value <= 1 + 1e-6:
                raise IllegalProbabilities(f"{name} = {value!r:.60} is not a probability between 0 and 1")
        total = sum(values)
        if abs(total - 1) > SUM_TOLERANCE:
            raise IllegalProbabilities(f"the six exclusive probabilities sum to {total:.6g}, not to 1")

    @classmethod
    def from_cumulative(
        cls,
        win: float,
        win_gammon: float = 0.0,
        win_backgammon: float = 0.0,
        lose_gammon: float = 0.0,
        lose_backgammon: float = 0.0,
    ) -> Probabilities:
        """Build from the printed convention: wins include gammons, gammons include backgammons.

        Parameters
        ----------
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon : float
            Chances between 0 and 1.

        Raises
        ------
        IllegalProbabilities
            More gammons than wins, more backgammons than gammons, or a number outside 0–1.
        """
        values = (win, win_gammon, win_backgammon, lose_gammon, lose_backgammon)
        if not all(isinstance(v, Real) for v in values):
            raise IllegalProbabilities(f"{values!r:.100} holds something that is not a number")
        if any(not math.isfinite(v) for v in values):
            raise IllegalProbabilities(f"{values} holds a number that is not finite")
        if any(not 0 <= v <= 1 for v in values):
            hint = "; percentages must be divided by 100" if any(v > 1 for v in values) else ""
            raise IllegalProbabilities(f"{values} holds a number that is not between 0 and 1{hint}")
        slack = 1e-6
        if win_gammon > win + slack:
            raise IllegalProbabilities(f"more gammons won ({win_gammon}) than games won ({win})")
        if lose_gammon > 1 - win + slack:
            raise IllegalProbabilities(f"more gammons lost ({lose_gammon}) than games lost ({1 - win:.6g})")
        if win_backgammon > win_gammon + slack or lose_backgammon > lose_gammon + slack:
            raise IllegalProbabilities("more backgammons than gammons: gammons include backgammons in this convention")
        parts = (
            win - win_gammon,
            win_gammon - win_backgammon,
            win_backgammon,
            1 - win - lose_gammon,
            lose_gammon - lose_backgammon,
            lose_backgammon,
        )
        return cls(*(max(part, 0.0) for part in parts))

    @classmethod
    def from_array(cls, values) -> Probabilities:
        """Build from six exclusive numbers in the order of `GameResult`.

        Raises
        ------
        IllegalProbabilities
            Not six numbers, or not probabilities.
        """
        try:
            numbers = [float(value) for value in values]
        except (TypeError, ValueError):
            raise IllegalProbabilities(f"{values!r} is not six exclusive chances") from None
        if len(numbers) != len(GameResult):
            raise IllegalProbabilities(f"{counted(len(numbers), 'chance')} given; six exclusive ones are needed")
        return cls(*numbers)

    @property
    def array(self) -> tuple[float, ...]:
        """The six exclusive chances in the order of `GameResult`."""
        return (
            self.win,
            self.win_gammon,
            self.win_backgammon,
            self.lose,
            self.lose_gammon,
            self.lose_backgammon,
        )

    @property
    def cumulative(self) -> tuple[float, float, float, float, float]:
        """Win, win gammon, win backgammon, lose gammon, lose backgammon as programs print them."""
        return (
            self.win + self.win_gammon + self.win_backgammon,
            self.win_gammon + self.win_backgammon,
            self.win_backgammon,
            self.lose_gammon + self.lose_backgammon,
            self.lose_backgammon,
        )

    @property
    def equity(self) -> float:
        """Cubeless money equity in points per cube, -3 to 3."""
        return sum(result.points * chance for result, chance in zip(GameResult, self.array, strict=True))

    def __neg__(self) -> Probabilities:
        return Probabilities(*self.array[3:], *self.array[:3])

    def flip(self) -> Probabilities:
        """The same chances seen by the other side."""
        return -self

    def html_table(self) -> str:
        """Both sides' chances, cumulative as programs print them."""
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = self.cumulative
        sides = (("mover", win, win_gammon, win_backgammon), ("opponent", 1 - win, lose_gammon, lose_backgammon))
        return table(["", "wins", "gammon", "backgammon"], [[name, *map(percent, chances)] for name, *chances in sides])

    def _repr_html_(self) -> str:
        return block("", self.html_table(), note=f"cubeless equity {number(self.equity)} points; wins include gammons")
