"""Score and stage of a match or money session; the only place that knows the Crawford rule."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..errors import IllegalRules
from .numbers import switch, whole_number
from .rules import Rules, Scoring


@dataclass(frozen=True, slots=True)
class MatchState:
    """Where a match or money session stands, seen by the mover.

    Parameters
    ----------
    length : int
        Points to win the match; 0 for money (unlimited) play.
    mover_score, opponent_score : int
        Points already won.
    crawford : bool
        This is the Crawford game.
    rules : Rules

    Raises
    ------
    IllegalRules
        Numbers that are not whole, scores outside the match, a Crawford game where nobody is one point away, money
        rules in a match.

    Examples
    --------
    >>> import cubelab as cl
    >>> state = cl.MatchState(7, 5, 3)
    >>> state.after(1).score_text, state.after(0, 1).score_text
    ('6-3 to 7 (Crawford)', '5-4 to 7')
    >>> state.after(1).after(0, 1).score_text
    '6-4 to 7 (post-Crawford)'
    """

    length: int = 0
    mover_score: int = 0
    opponent_score: int = 0
    crawford: bool = False
    rules: Rules = field(default_factory=Rules)

    def __post_init__(self) -> None:
        for name, words in (("length", "match length"), ("mover_score", "score"), ("opponent_score", "score")):
            object.__setattr__(self, name, whole_number(getattr(self, name), words))
        if not isinstance(self.rules, Rules):
            raise IllegalRules(f"rules {self.rules!r:.60} are no Rules, such as Rules(jacoby=True)")
        object.__setattr__(self, "crawford", switch(self.crawford, "crawford"))
        scores = self.mover_score, self.opponent_score
        if self.length < 0 or min(scores) < 0:
            raise IllegalRules(f"score {scores[0]}-{scores[1]} in a match to {self.length}: no number may be negative")
        if self.money:
            if self.crawford:
                raise IllegalRules("a Crawford game exists only in a match, not in money play")
            return
        if max(scores) >= self.length:
            raise IllegalRules(f"score {scores[0]}-{scores[1]} is not below the match length {self.length}")
        if self.crawford and min(self.away) != 1:
            raise IllegalRules(
                f"Crawford game at {scores[0]}-{scores[1]} to {self.length}: neither side is one point away"
            )
        if self.crawford and not self.rules.crawford:
            raise IllegalRules("a Crawford game under rules that switch the Crawford rule off")
        if self.rules.scoring is Scoring.PIPS:
            raise IllegalRules("pips scoring is for money play: a match counts points")
        if self.rules.jacoby:
            raise IllegalRules("the Jacoby rule is for money play, not for matches")
        if self.rules.beavers:
            raise IllegalRules("beavers are for money play, not for matches")
        if self.rules.automatic_doubles:
            raise IllegalRules("automatic doubles are for money play, not for matches")

    @property
    def money(self) -> bool:
        """Whether this is money (unlimited) play."""
        return self.length == 0

    @property
    def away(self) -> tuple[int, int]:
        """Points the mover and the opponent still need (matches only)."""
        if self.money:
            raise IllegalRules("money play has no away score")
        return self.length - self.mover_score, self.length - self.opponent_score

    @property
    def post_crawford(self) -> bool:
        """Whether somebody is one away and the Crawford game is over (or the rule is off)."""
        return not self.money and not self.crawford and min(self.away) == 1

    def after(self, mover_points: int, opponent_points: int = 0) -> MatchState | None:
        """State of the next game when this one ended with these points, seen by the same side.

        Returns
        -------
        MatchState or None
            None when the match is decided.
        """
        mover_points = whole_number(mover_points, "the mover's points")
        opponent_points = whole_number(opponent_points, "the opponent's points")
        if min(mover_points, opponent_points) < 0:
            raise IllegalRules(f"a game cannot end with {mover_points} and {opponent_points} points: none is negative")
        scores = self.mover_score + mover_points, self.opponent_score + opponent_points
        if self.money:
            return replace(self, mover_score=scores[0], opponent_score=scores[1])
        if max(scores) >= self.length:
            return None
        # The Crawford game is the first one with a side one away: not if someone already was before it.
        first_time = min(self.away) > 1 and self.length - max(scores) == 1
        return replace(
            self, mover_score=scores[0], opponent_score=scores[1], crawford=self.rules.crawford and first_time
        )

    @property
    def score_text(self) -> str:
        """Score in words, such as ``3-5 to 7 (Crawford)`` or ``money``."""
        if self.money:
            extras = [name for name, on in (("Jacoby", self.rules.jacoby), ("beavers", self.rules.beavers)) if on]
            return " ".join(["money", *([f"({', '.join(extras)})"] if extras else [])])
        stage = " (Crawford)" if self.crawford else " (post-Crawford)" if self.post_crawford and self.length > 1 else ""
        return f"{self.mover_score}-{self.opponent_score} to {self.length}{stage}"

    def flip(self) -> MatchState:
        """The same state seen by the other side."""
        return replace(self, mover_score=self.opponent_score, opponent_score=self.mover_score)
