"""A board as somebody is still setting it up, and what each click or key makes of it.

Checkers and places are seen from the bottom seat (XGID's point of view), so that changing the turn moves nothing. A
set-up can be incomplete or illegal; `Setup.situation` then says why in one sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import CubelabError, IllegalPosition, NotationError
from ..game import Offer, Position, Situation
from ..game.position import CHECKERS
from ..notation.detect import parse_situation
from .terms import FIELDS, Terms

#: Names of the seats in messages and labels: bottom (XGID's X) and top.
SEATS = {1: "the bottom player", -1: "the top player"}
#: The bars of the bottom and the top player, and the trays, in the numbering of places.
BARS = {1: 25, -1: 0}
OFF = 26
_EMPTY = (0,) * 26


@dataclass(frozen=True, slots=True)
class Setup:
    """A board being set up.

    Attributes
    ----------
    board : tuple of int, length 26
        Seen from the bottom seat: 1–24 its points (own checkers positive), 25 its bar, 0 the other bar (≤ 0). Neither
        side ever has more than 15.
    turn : {1, -1}
        Who is on roll: bottom or top.
    dice : (int, int)
        0 for a die that has not been rolled.
    terms : Terms
    offer : Offer or None
    resigned : int
        As in `Situation`.
    """

    board: tuple[int, ...]
    turn: int = 1
    dice: tuple[int, int] = (0, 0)
    terms: Terms = field(default_factory=Terms)
    offer: Offer | None = None
    resigned: int = 0

    @classmethod
    def of(cls, situation: Situation) -> Setup:
        """The set-up of a situation."""
        position = situation.position if situation.turn == 1 else situation.position.flip()
        dice = situation.dice or (0, 0)
        return cls(position.board, situation.turn, dice, Terms.of(situation), situation.offer, situation.resigned)

    def situation(self) -> Situation:
        """What has been set up.

        Raises
        ------
        CubelabError
            Why it is no situation of the game (yet).
        """
        # One whose checkers are all off has an empty side; the general words for it name the seats of an id.
        if self.board == _EMPTY:
            raise IllegalPosition("the board is empty: click points to put checkers there")
        position = Position(self.board)
        for side in (1, -1):
            if self.count(side) == 0:
                raise IllegalPosition(f"{SEATS[side]} has no checkers left: the game is over")
        if position.deadlocked:
            raise IllegalPosition("both sides are on the bar against a closed board: nobody could ever move")
        if (self.dice[0] == 0) != (self.dice[1] == 0):
            raise NotationError("one die is set and the other is not: set both, or neither")
        return Situation(
            position if self.turn == 1 else position.flip(),
            self.terms.cube_seen(self.turn),
            self.terms.match(self.turn),
            self.dice if self.dice[0] else None,
            self.offer,
            self.turn,
            self.resigned,
        )

    def count(self, side: int) -> int:
        """Checkers of a side on the board and bar."""
        return sum(max(count * side, 0) for count in self.board)

    def after(self, event: Mapping[str, Any]) -> Setup:
        """The set-up after something the user did.

        Parameters
        ----------
        event : mapping
            ``type`` and what belongs to it: ``add`` and ``remove`` (place, side), ``move`` (start, end), ``turn``,
            ``die`` (index, value), ``set`` (field, value; see `Terms`), ``cube`` (side), ``text`` (text), ``start``,
            ``clear``, ``swap``.

        Raises
        ------
        CubelabError
            The rules of the board do not allow it; nothing is changed.
        """
        match event:
            case {"type": "add", "place": int(place), "side": 1 | -1 as side}:
                return self._added(place, side)
            case {"type": "remove", "place": int(place)}:
                return self._removed(place)
            case {"type": "move", "start": int(start), "end": int(end)}:
                return self._moved(start, end)
            case {"type": "turn", "side": 1 | -1 as side}:
                return replace(self, turn=side, offer=None, resigned=0)
            case {"type": "die", "index": 0 | 1 as index, "value": int(value)} if 0 <= value <= 6:
                dice = (value, self.dice[1]) if index == 0 else (self.dice[0], value)
                return replace(self, dice=dice, offer=None, resigned=0)
            case {"type": "roll"}:
                # Clicking where dice would lie: an opening roll to begin with, then each die by itself.
                return replace(self, dice=(3, 1), offer=None, resigned=0)
            case {"type": "unroll"}:
                return replace(self, dice=(0, 0))
            case {"type": "cube", "side": 1 | 0 | -1 as side}:
                return replace(self, terms=self._cube_clicked(side))
            case {"type": "set", "field": str(name), "value": value} if name in FIELDS:
                return replace(self, terms=self.terms.with_field(name, value))
            case {"type": "text", "text": str(text)}:
                return Setup.of(parse_situation(text))
            case {"type": "start"}:
                return replace(self, board=Position.start().board, dice=(0, 0), offer=None, resigned=0)
            case {"type": "clear"}:
                return replace(self, board=_EMPTY, dice=(0, 0), offer=None, resigned=0)
            case {"type": "swap"}:
                # The same decision from the other seat.
                terms = replace(self.terms, score=self.terms.score[::-1], owner=-self.terms.owner)
                board = tuple(-count for count in reversed(self.board))
                return replace(self, board=board, turn=-self.turn, terms=terms)
        raise CubelabError(f"this is nothing an editor can do: {dict(event)!r}")

    def _added(self, place: int, side: int) -> Setup:
        place = self._place(place, side)
        if self.count(side) >= CHECKERS:
            raise IllegalPosition(
                f"all 15 checkers of {SEATS[side]} are on the board: a 16th does not exist, take one away first"
            )
        held = self.board[place]
        # A point has one owner: checkers of the other side make room and are borne off.
        return self._with(place, held + side if held * side >= 0 else side)

    def _removed(self, place: int) -> Setup:
        if not 0 <= place < OFF:
            raise IllegalPosition("there is nothing to take away from a tray: drag its checkers onto the board")
        held = self.board[place]
        if held == 0:
            raise IllegalPosition(f"there is no checker to take away from {place_name(place, self.turn)}")
        return self._with(place, held - (1 if held > 0 else -1))

    def _moved(self, start: int, end: int) -> Setup:
        if start in (OFF, -OFF):
            return self if end in (OFF, -OFF) else self._added(end, 1 if start == OFF else -1)
        if not 0 <= start < OFF or self.board[start] == 0:
            raise IllegalPosition("there is no checker to move")
        side = 1 if self.board[start] > 0 else -1
        lifted = self._removed(start)
        return lifted if end in (OFF, -OFF) else lifted._added(end, side)

    def _place(self, place: int, side: int) -> int:
        if place in (OFF, -OFF):
            raise IllegalPosition("checkers in a tray are those that are nowhere on the board: take them away there")
        if not 0 <= place < OFF:
            raise IllegalPosition(f"there is no place {place} on a board")
        # Either half of the bar takes checkers of either side, each on its own half.
        return BARS[side] if place in BARS.values() else place

    def _with(self, place: int, count: int) -> Setup:
        board = list(self.board)
        board[place] = count
        return replace(self, board=tuple(board))

    def _cube_clicked(self, side: int) -> Terms:
        """A click where the cube is doubles it, up to its cap and round again; elsewhere it moves there."""
        terms = self.terms
        if side != terms.owner:
            return replace(terms, owner=side)
        cap = terms.rules.cube_cap or 64
        return replace(terms, cube=1 if terms.cube >= min(cap, 64) else 2 * terms.cube)


def place_name(place: int, turn: int) -> str:
    """Where a place is, in the numbering of the side on roll."""
    if place in BARS.values():
        return "the bar"
    return f"point {place if turn == 1 else 25 - place}"


@dataclass(frozen=True, slots=True)
class History:
    """A set-up with what came before and after it.

    Attributes
    ----------
    present : Setup
    past, future : tuple of Setup
        The latest before, the next after come last.
    refusal : str
        Why the last event changed nothing; empty if it did.
    """

    present: Setup
    past: tuple[Setup, ...] = ()
    future: tuple[Setup, ...] = ()
    refusal: str = ""

    def after(self, event: Mapping[str, Any]) -> History:
        """The history after an event; one that is not possible leaves everything as it was and says why."""
        if event.get("type") == "undo":
            if not self.past:
                return replace(self, refusal="there is nothing to undo")
            return History(self.past[-1], self.past[:-1], (*self.future, self.present))
        if event.get("type") == "redo":
            if not self.future:
                return replace(self, refusal="there is nothing to do again")
            return History(self.future[-1], (*self.past, self.present), self.future[:-1])
        try:
            present = self.present.after(event)
        except CubelabError as error:
            return replace(self, refusal=str(error))
        if present == self.present:
            return replace(self, refusal="")
        return History(present, (*self.past, self.present))
