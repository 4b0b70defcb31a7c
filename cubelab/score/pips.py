"""Pip scoring: the winner is paid the pips that the loser still needs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import IllegalRules


@dataclass(frozen=True, slots=True)
class PipCounts:
    """What pip scoring needs to know beyond the six chances.

    Parameters
    ----------
    mover, opponent : float
        Pips that each side needs now: what it pays, times the cube, if it passes a double.
    results : tuple of 6 floats
        Mean pips that the loser still needs when the game ends so, in the order of `GameResult`: the opponent's for the
        three kinds of win, the mover's for the three kinds of loss. A gammon pays twice, a backgammon three times them.

    Raises
    ------
    IllegalRules
        A number that is no pip count.
    """

    mover: float
    opponent: float
    results: tuple[float, float, float, float, float, float]

    def __post_init__(self) -> None:
        object.__setattr__(self, "results", tuple(float(pips) for pips in self.results))
        if len(self.results) != 6:
            raise IllegalRules(f"pip scoring needs the mean pips of six results, not of {len(self.results)}")
        for pips in (self.mover, self.opponent, *self.results):
            if not math.isfinite(pips) or not 0 <= pips <= 375:
                raise IllegalRules(f"{pips} is no pip count: 15 checkers need from 0 to 375")

    @property
    def payoffs(self) -> tuple[float, ...]:
        """Points at a cube of 1, for the mover: of the six results, of the opponent's pass, of the mover's pass."""
        won = [factor * pips for factor, pips in zip((1, 2, 3), self.results[:3], strict=True)]
        lost = [-factor * pips for factor, pips in zip((1, 2, 3), self.results[3:], strict=True)]
        return (*won, *lost, float(self.opponent), -float(self.mover))

    def flip(self) -> PipCounts:
        """The same counts seen by the other side."""
        return PipCounts(self.opponent, self.mover, (*self.results[3:], *self.results[:3]))
