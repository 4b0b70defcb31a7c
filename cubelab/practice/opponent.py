"""The engine as a player, and what it thinks of a human's actions."""

from __future__ import annotations

from dataclasses import dataclass

from ..cube.decision import CubeDecision
from ..engine.search import RankedPlays, evaluate, ranked_plays
from ..game import GameResult, Situation
from ..game.play import Play
from ..score import MatchEquityTable, Stakes


@dataclass(frozen=True, slots=True)
class Opponent:
    """The engine's decisions at a depth.

    Parameters
    ----------
    ply : int
        0 to 3.
    met : MatchEquityTable, optional
    """

    ply: int = 2
    met: MatchEquityTable | None = None

    def cube(self, situation: Situation) -> CubeDecision:
        """The cube decision of the player on roll; dice and offers are not looked at."""
        plain = Situation(situation.position, situation.cube, situation.match, turn=situation.turn)
        return evaluate(plain, ply=self.ply, met=self.met).decision

    def plays(self, situation: Situation, include: Play | None = None) -> RankedPlays:
        """Plays of the roll that waits, best first; `include` is looked at fully wherever it stands."""
        return ranked_plays(situation, ply=self.ply, met=self.met, include=None if include is None else include.after)

    def accepts(self, situation: Situation, level: int) -> bool:
        """Whether the side that is not on roll gives up no more than it has: resigning at `level` is accepted.

        Parameters
        ----------
        situation : Situation
            The side that resigns is on roll.
        level : int
            1, 2 or 3.
        """
        stakes = Stakes.of(situation.match, situation.cube, self.met)
        offered = float(stakes.payoffs[0, GameResult.LOSE + level - 1])
        return offered <= self.cube(situation).value + 1e-6
