"""A position with everything a decision depends on: cube, score, rules, dice, an offered double."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from types import EllipsisType

from ..arguments import checked
from ..errors import CubelabError, IllegalPosition, IllegalRules
from .cube import Cube, Owner, checked_owner
from .dice import Dice, checked_dice
from .drawn import Drawn
from .enums import RunnableRepr
from .match import MatchState
from .numbers import whole_number
from .position import Position
from .rules import Rules


class Offer(RunnableRepr, Enum):
    """A cube action that the other side still has to answer; the value is XGID's letter for it."""

    DOUBLE = "D"
    BEAVER = "B"
    RACCOON = "R"


@dataclass(frozen=True, slots=True)
class Situation(Drawn):
    """One decision to take, seen by the mover (the player on roll, also while a double of theirs is pending).

    Parameters
    ----------
    position : Position
    cube : Cube
    match : MatchState
    dice : tuple of int, optional
        The roll to play; None before the roll.
    offer : Offer, optional
        The mover has doubled (or beavered …) and the other side decides.
    turn : {1, -1}
        Which seat of the file or id the mover has: 1 the bottom player (X), -1 the top one (O).
        It changes no value; ids, records and boards need it.
    resigned : int
        Resignation on the table: 0 none, 1 single, 2 gammon, 3 backgammon.

    Raises
    ------
    IllegalPosition
        Something else than a `Position`.
    IllegalRules
        Cube beyond its cap, dice together with a pending double.

    Examples
    --------
    >>> import cubelab as cl
    >>> s = cl.Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10")
    >>> s.match.score_text, s.position.pips
    ('3-5 to 7', 167)
    >>> s.with_(score=(6, 5), crawford=True).match.score_text
    '6-5 to 7 (Crawford)'
    >>> cl.Situation.from_xgid(s.xgid) == s
    True
    """

    position: Position
    cube: Cube = field(default_factory=Cube)
    match: MatchState = field(default_factory=MatchState)
    dice: Dice | None = None
    offer: Offer | None = None
    turn: int = 1
    resigned: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.position, Position):
            raise IllegalPosition(f"{self.position!r} is no Position; Position.from_id reads a position id")
        if self.dice is not None:
            object.__setattr__(self, "dice", checked_dice(self.dice))
            if self.offer is not None:
                raise IllegalRules("dice cannot have been rolled while a double is pending")
        cap = self.match.rules.cube_cap
        if cap is not None and self.cube.value > cap:
            raise IllegalRules(f"cube at {self.cube.value} is above its cap of {cap}")
        if self.turn not in (1, -1):
            raise IllegalRules(f"turn {self.turn!r} is neither 1 (bottom player) nor -1 (top player)")
        if self.resigned not in (0, 1, 2, 3):
            raise IllegalRules(f"resignation {self.resigned!r} is not 0 (none), 1, 2 or 3")

    @classmethod
    def from_xgid(cls, text: str) -> Situation:
        """Read an XGID, with or without ``XGID=``.

        Raises
        ------
        CubelabError
            The field that is wrong, and what would be right.
        """
        from .xgid import decode

        return decode(text)

    @property
    def xgid(self) -> str:
        """The situation as an XGID, with the prefix ``XGID=``."""
        from .xgid import encode

        return encode(self)

    @classmethod
    def from_gnuid(cls, text: str) -> Situation:
        """Read ``POSITIONID:MATCHID`` of GNU Backgammon, or a bare position id (money, centred cube).

        Raises
        ------
        CubelabError
            What is wrong with it.
        """
        from .gnuid import decode

        return decode(text)

    @property
    def gnuid(self) -> str:
        """``POSITIONID:MATCHID`` of GNU Backgammon.

        Raises
        ------
        NotationError
            A beaver is pending, which that id cannot hold.
        """
        from .gnuid import encode

        return encode(self)

    @checked("rules")
    def with_(
        self,
        *,
        score: tuple[int, int] | None = None,
        length: int | None = None,
        crawford: bool | None = None,
        cube: int | None = None,
        owner: Owner | str | None = None,
        rules: Rules | None = None,
        jacoby: bool | None = None,
        beavers: int | None = None,
        dice: object = ...,
        position: Position | None = None,
        offer: Offer | EllipsisType | None = ...,
    ) -> Situation:
        """A changed copy.

        Parameters
        ----------
        score : (int, int), optional
            Points of the mover and the opponent.
        length : int, optional
            Match length, 0 for money. Going from money to a match drops money rules; going from one to the other
            sets the score to 0-0.
        crawford : bool, optional
            A changed score or length is taken not to be the Crawford game unless this says so.
        cube, owner : optional
            Cube value and owner (``"me"``, ``"them"``, ``"centre"`` or `Owner`).
        rules, jacoby, beavers : optional
        dice : optional
            A roll, or None for before the roll.
        position : Position, optional
        offer : Offer or None, optional

        Raises
        ------
        CubelabError
            The combination is impossible.
        """
        match = self.match
        new_length = match.length if length is None else whole_number(length, "length")
        new_rules = match.rules if rules is None else rules
        changes: dict = {}
        if jacoby is not None:
            changes["jacoby"] = jacoby
        if beavers is not None:
            changes["beavers"] = beavers
        if new_length and match.money and rules is None:
            changes = {"jacoby": False, "beavers": 0, "automatic_doubles": 0} | changes
        new_rules = replace(new_rules, **changes)
        try:
            mine, theirs = (match.mover_score, match.opponent_score) if score is None else score
        except (TypeError, ValueError):
            raise IllegalRules(f"score {score!r} is not two numbers, the mover's and the opponent's") from None
        if bool(new_length) != bool(match.length) and score is None:
            mine = theirs = 0
        kept = match.crawford and score is None and length is None
        new_match = MatchState(new_length, mine, theirs, kept if crawford is None else crawford, new_rules)
        new_cube = Cube(
            self.cube.value if cube is None else cube,
            self.cube.owner if owner is None else checked_owner(owner),
        )
        return replace(
            self,
            position=self.position if position is None else position,
            cube=new_cube,
            match=new_match,
            dice=self.dice if dice is ... else (None if dice is None else checked_dice(dice)),
            offer=self.offer if isinstance(offer, EllipsisType) else offer,
        )

    def flip(self) -> Situation:
        """The same table seen by the other side, as if that side were on roll."""
        return Situation(
            self.position.flip(), self.cube.flip(), self.match.flip(), turn=-self.turn, resigned=self.resigned
        )

    def __repr__(self) -> str:
        text = f"Situation.from_xgid({self.xgid!r})"
        try:
            if Situation.from_xgid(self.xgid) == self:
                return text
        except CubelabError:
            pass
        # Rules and resignations that an XGID has no place for.
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"Situation({values})"
