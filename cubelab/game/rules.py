"""Rules that vary from table to table; each is one field, and senseless combinations are refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from ..errors import IllegalRules
from .enums import RunnableRepr
from .numbers import switch, whole_number

#: A cube cannot be turned more often.
_MOST: Final = 30


class BackgammonRule(RunnableRepr, Enum):
    """Where a loser's checker must stand to make the loss a backgammon."""

    #: On the bar or in the winner's home.
    BAR_OR_HOME = "bar or home"
    BAR_ONLY = "bar only"


class Scoring(RunnableRepr, Enum):
    """What a win pays before the cube multiplies it."""

    STANDARD = "standard"
    PIPS = "pips"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of play in force.

    Parameters
    ----------
    cube_in_use : bool
        Without it nobody may double; gammons still count.
    cube_cap : int or None
        Highest value the cube can show; None for no limit.
    crawford : bool
        Matches: the first game after a side first stands one point away is played without the cube.
    jacoby : bool
        Money: gammons and backgammons count only once the cube has been turned.
    beavers : int
        Money: how many immediate counter-doubles are allowed; 0 none, 1 beaver, 2 raccoon, ….
    immediate_redouble : bool
        The taker may redouble at the moment of taking, the cube passing on. The cube model of the leaves does not know
        it; look-ahead, rollouts and short bearoffs do.
    automatic_doubles : int
        Money: how often an opening tie doubles the cube.
    backgammon_rule : BackgammonRule
        Bar only changes what the engine counts: see `cubelab.engine.neural.load_nets`.
    scoring : Scoring

    Raises
    ------
    IllegalRules
        The combination makes no sense, or a field holds what it cannot.

    Examples
    --------
    >>> import cubelab as cl
    >>> cl.MatchState(rules=cl.Rules.preset("money-jacoby-beavers")).score_text
    'money (Jacoby, beavers)'
    """

    cube_in_use: bool = True
    cube_cap: int | None = 64
    crawford: bool = True
    jacoby: bool = False
    beavers: int = 0
    immediate_redouble: bool = False
    automatic_doubles: int = 0
    backgammon_rule: BackgammonRule = BackgammonRule.BAR_OR_HOME
    scoring: Scoring = Scoring.STANDARD

    def __post_init__(self) -> None:
        for name in ("cube_in_use", "crawford", "jacoby", "immediate_redouble"):
            object.__setattr__(self, name, switch(getattr(self, name), f"rule {name}"))
        for name in ("cube_cap", "beavers", "automatic_doubles"):
            if getattr(self, name) is not None or name != "cube_cap":
                object.__setattr__(self, name, whole_number(getattr(self, name), name.replace("_", " ")))
        cap = self.cube_cap
        if cap is not None and (cap < 1 or cap & (cap - 1)):
            raise IllegalRules(f"cube cap {cap} is not a power of two (1, 2, 4, …)")
        for name, kind in (("backgammon_rule", BackgammonRule), ("scoring", Scoring)):
            try:
                object.__setattr__(self, name, kind(getattr(self, name)))
            except ValueError:
                known = ", ".join(repr(one.value) for one in kind)
                raise IllegalRules(f"rule {name} = {getattr(self, name)!r} is none of {known}") from None
        if not all(0 <= count <= _MOST for count in (self.beavers, self.automatic_doubles)):
            raise IllegalRules(f"beavers and automatic doubles are counts from 0 to {_MOST}")
        if not self.cube_in_use:
            named = {
                "Jacoby": self.jacoby,
                "beavers": self.beavers,
                "immediate redouble": self.immediate_redouble,
                "automatic doubles": self.automatic_doubles,
            }
            for name, on in named.items():
                if on:
                    raise IllegalRules(f"{name} needs a cube, but the cube is not in use")
        if cap is not None and 2**self.automatic_doubles > cap:
            raise IllegalRules(
                f"{self.automatic_doubles} automatic doubles would bring the cube above its cap of {cap}"
            )
        if self.scoring is Scoring.PIPS and self.jacoby:
            raise IllegalRules("pips scoring and the Jacoby rule together have no agreed meaning")
        if self.beavers and self.immediate_redouble:
            raise IllegalRules("beavers and the immediate redouble exclude each other: choose one")

    @classmethod
    def preset(cls, name: str) -> Rules:
        """Rules by name: see `PRESETS`.

        Raises
        ------
        IllegalRules
            Unknown name.
        """
        try:
            return PRESETS[name]
        except (KeyError, TypeError):
            raise IllegalRules(f"unknown rules {name!r:.60}; known are {', '.join(PRESETS)}") from None


PRESETS: Final[dict[str, Rules]] = {
    "money": Rules(),
    "money-jacoby": Rules(jacoby=True),
    "money-jacoby-beavers": Rules(jacoby=True, beavers=1),
    "match": Rules(),
    "match-no-crawford": Rules(crawford=False),
    "no-cube": Rules(cube_in_use=False),
    "pip-scoring": Rules(scoring=Scoring.PIPS),
}
