"""What the sliders for take points hold: games won, gammons, cube efficiency, and the terms of play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ..cube.models import EFFICIENCY, Janowski
from ..errors import CubelabError
from ..game import Probabilities
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .terms import Terms

#: Sliders by name, with their labels; all from 0 to 1.
SLIDERS: Final = {
    "win": "games you win",
    "gammons": "gammons among your wins",
    "backgammons": "backgammons among your wins",
    "lost_gammons": "gammons among your losses",
    "lost_backgammons": "backgammons among your losses",
    "efficiency": "cube efficiency x",
}
#: Backgammons are gammons too: pushing one of a pair beyond the other takes it along.
_PAIRS: Final = {"gammons": "backgammons", "lost_gammons": "lost_backgammons"}


@dataclass(frozen=True, slots=True)
class Chances:
    """State of the sliders.

    Attributes
    ----------
    win : float
        Chance of the side on roll to win.
    gammons, backgammons : float
        Shares of its wins, gammons including backgammons.
    lost_gammons, lost_backgammons : float
        The same of the other side's wins.
    efficiency : float
        x of Janowski's model.
    terms : Terms
        The side on roll sits at the bottom.
    """

    win: float = 0.6
    gammons: float = 0.2
    backgammons: float = 0.0
    lost_gammons: float = 0.2
    lost_backgammons: float = 0.0
    efficiency: float = EFFICIENCY
    terms: Terms = field(default_factory=Terms)

    def after(self, event: Mapping[str, Any]) -> Chances:
        """The state after ``slide`` (name, value) or ``set`` (field, value; see `Terms`).

        Raises
        ------
        CubelabError
            There is no such control, or the value does not fit; nothing is changed.
        """
        match event:
            case {"type": "slide", "name": str(name), "value": int() | float() as value} if name in SLIDERS:
                if not 0.0 <= value <= 1.0:
                    raise CubelabError(f"{SLIDERS[name]}: {value} is not between 0 and 1")
                return self._slid(name, float(value))
            case {"type": "set", "field": str(name), "value": value}:
                return replace(self, terms=self.terms.with_field(name, value))
        raise CubelabError(f"this is nothing that sliders can do: {dict(event)!r}")

    def _slid(self, name: str, value: float) -> Chances:
        changes: dict[str, Any] = {name: value}
        for outer, inner in _PAIRS.items():
            if name == outer:
                changes[inner] = min(getattr(self, inner), value)
            elif name == inner:
                changes[outer] = max(getattr(self, outer), value)
        return replace(self, **changes)

    @property
    def probabilities(self) -> Probabilities:
        """The six chances that the sliders stand for."""
        lose = 1.0 - self.win
        return Probabilities.from_cumulative(
            self.win,
            self.win * self.gammons,
            self.win * self.backgammons,
            lose * self.lost_gammons,
            lose * self.lost_backgammons,
        )

    def stakes(self, met: MatchEquityTable) -> Stakes:
        """Stakes of the side on roll.

        Raises
        ------
        CubelabError
            Score, cube and rules make no sense together.
        """
        return Stakes.of(self.terms.match(1), self.terms.cube_seen(1), met=met)

    @property
    def model(self) -> Janowski:
        """The cube model."""
        return Janowski(self.efficiency)
