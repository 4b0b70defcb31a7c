"""What is played for, as somebody is still setting it up: any combination can be held, also a senseless one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import IllegalRules
from ..game import Cube, MatchState, Rules, Situation
from ..game.cube import checked_owner

#: Names of the fields that `Terms.with_field` sets, as the controls of the widgets call them.
FIELDS = ("length", "score_bottom", "score_top", "crawford", "cube", "owner", "jacoby", "beavers")


@dataclass(frozen=True, slots=True)
class Terms:
    """Score, cube and rules, seen from the bottom seat.

    Attributes
    ----------
    length : int
        0 for money play.
    score : (int, int)
        Of the bottom and the top player.
    crawford : bool
    cube : int
    owner : {1, 0, -1}
        Bottom player, centred, top player.
    rules : Rules
    """

    length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    cube: int = 1
    owner: int = 0
    rules: Rules = field(default_factory=Rules)

    @classmethod
    def of(cls, situation: Situation) -> Terms:
        """Terms of a situation."""
        match, turn = situation.match, situation.turn
        bottom, top = (match.mover_score, match.opponent_score)[::turn]
        return cls(
            match.length,
            (bottom, top),
            match.crawford,
            situation.cube.value,
            situation.cube.owner * turn,
            match.rules,
        )

    def with_field(self, name: str, value: Any) -> Terms:
        """Changed by one control.

        Raises
        ------
        IllegalRules
            A control that does not exist, or a value that is no whole number.
        """
        if name not in FIELDS:
            raise IllegalRules(f"there is no control {name!r}; known are {', '.join(FIELDS)}")
        words = {"length": "match length", "score_bottom": "score", "score_top": "score"}.get(name, name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # a browser has no other numbers
        if not isinstance(value, int) or abs(value) >= 2**15:
            raise IllegalRules(f"{words}: {'nothing' if value is None else repr(value)} is no whole number, such as 3")
        match name:
            case "length":
                return self._to_length(value)
            case "score_bottom":
                return replace(self, score=(value, self.score[1]))
            case "score_top":
                return replace(self, score=(self.score[0], value))
            case "crawford":
                return replace(self, crawford=bool(value))
            case "jacoby":
                return replace(self, rules=replace(self.rules, jacoby=bool(value)))
            case "beavers":
                return replace(self, rules=replace(self.rules, beavers=int(value)))
            case "cube":
                # Freshly centred at 2 or owned at 1 is unusual, not wrong: automatic doubles, props.
                return replace(self, cube=value)
            case _:
                return replace(self, owner=value)

    def _to_length(self, length: int) -> Terms:
        """Rules that exist only in money play, or only in matches, are dropped on the way to the other."""
        if length:
            rules = replace(self.rules, jacoby=False, beavers=0, automatic_doubles=0)
            return replace(self, length=length, rules=rules)
        return replace(self, length=0, crawford=False)

    def match(self, turn: int) -> MatchState:
        """The match seen by the side on roll, `turn` 1 the bottom player.

        Raises
        ------
        CubelabError
            It makes no sense.
        """
        mine, theirs = self.score[::turn]
        return MatchState(self.length, mine, theirs, self.crawford, self.rules)

    def cube_seen(self, turn: int) -> Cube:
        """The cube seen by the side on roll.

        Raises
        ------
        CubelabError
            It makes no sense.
        """
        return Cube(self.cube, checked_owner(self.owner * turn))

    def controls(self) -> dict[str, int]:
        """Values of the controls, by name."""
        return {
            "length": self.length,
            "score_bottom": self.score[0],
            "score_top": self.score[1],
            "crawford": int(self.crawford),
            "cube": self.cube,
            "owner": int(self.owner),
            "jacoby": int(self.rules.jacoby),
            "beavers": self.rules.beavers,
        }
