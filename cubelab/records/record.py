"""A saved match as values: what the file says, nothing evaluated and nothing corrected."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, IntEnum

from ..arguments import checked
from ..game import Dice, Rules
from ..wording import counted
from .flags import NO_FLAGS, Flag
from .stored import Stored


class Seat(IntEnum):
    """Whose turn it is, in the numbers of `Situation.turn`: bottom = first named = left column."""

    BOTTOM = 1
    TOP = -1

    @property
    def other(self) -> Seat:
        """The other seat."""
        return Seat.TOP if self is Seat.BOTTOM else Seat.BOTTOM

    @property
    def index(self) -> int:
        """Place in pairs (players, scores): 0 bottom, 1 top."""
        return 0 if self is Seat.BOTTOM else 1


class Ending(Enum):
    """How a game ended."""

    BORNE_OFF = "borne off"
    PASS = "pass"
    RESIGNATION = "resignation"
    DECLARED = "declared"  # the file names a winner and nothing else explains it: abandoned, time out
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a game.

    Parameters
    ----------
    seat : Seat or None
        Who did it; None where nobody did (a position set up, a remark).
    line : int
        Line of the file, from 1; 0 where the format has no lines.
    flags : frozenset of Flag
    comment : str
        What an annotator wrote there.
    analysis : Stored, optional
        What the file's own program thought of it; kept beside ours.
    """

    seat: Seat | None
    line: int = 0
    flags: frozenset[Flag] = NO_FLAGS
    comment: str = ""
    analysis: Stored | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Event):
    """A roll and what was played with it.

    Parameters
    ----------
    dice : tuple of int or None
        As written; None when the file hides them.
    text : str
        The play as written, mover's numbering; empty or ``Cannot Move`` when nothing was played, ``????`` when hidden.
    after : tuple of int, length 26, optional
        The position after the play where the file gives it (beside the play or in its place), seen from the bottom
        player as in `Position.board`.
    """

    dice: Dice | None
    text: str
    after: tuple[int, ...] | None = None

    @property
    def hidden(self) -> bool:
        """Whether the file hides the play."""
        return self.after is None and bool(self.text) and set(self.text) <= {"?"}

    @property
    def empty(self) -> bool:
        """Whether nothing was played."""
        return not self.text or self.text.casefold() == "cannot move"

    @property
    def dumped(self) -> bool:
        """Whether the file gives the position after the play in place of the play."""
        return self.after is not None and self.text.casefold().startswith("illegal play")


@dataclass(frozen=True, slots=True, kw_only=True)
class Double(Event):
    """An offered double; `cube` is the value it would turn to as stated, None when not stated."""

    cube: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Event):
    """A double (or beaver) accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Event):
    """A double (or beaver) refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beaver(Event):
    """A double accepted and turned again at once by its receiver; by the doubler in answer to a beaver: a raccoon."""

    cube: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resignation(Event):
    """A game given up; `level` 1 single, 2 gammon, 3 backgammon, None when not stated."""

    level: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPosition(Event):
    """The file sets the position or the cube.

    Parameters
    ----------
    board : tuple of int, length 26, or None
        Seen from the bottom player, as in `Position.board`; None leaves the checkers as they are.
    cube : int, optional
        Value of the cube; None leaves it as it is.
    owner : Seat or None
        Who owns it, None = centred; of no meaning while `cube` is None.
    """

    board: tuple[int, ...] | None
    cube: int | None = None
    owner: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment(Event):
    """Text that stands between the moves."""

    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    Parameters
    ----------
    winner : Seat or None
        None for an unfinished game.
    points : int
        Points counted in the score: never more than the winner needed.
    ending : Ending
    level : int or None
        1 single, 2 gammon, 3 backgammon, as far as the points say; None for a pass or an unfinished game.
    stated : int or None
        Points as the file states them, however absurd.
    line : int
        Line of the file, 0 when no line states it.
    """

    winner: Seat | None
    points: int
    ending: Ending
    level: int | None = None
    stated: int | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a record.

    Parameters
    ----------
    number : int
        As the file counts.
    score : (int, int)
        Points of the bottom and top player before the game.
    crawford : bool
        Whether it is the Crawford game.
    events : tuple of Event
        In the order in which they happened.
    result : Result
    flags : frozenset of Flag
    line : int
        Line where the game starts.
    """

    number: int
    score: tuple[int, int]
    crawford: bool
    events: tuple[Event, ...]
    result: Result
    flags: frozenset[Flag] = NO_FLAGS
    line: int = 0

    @property
    def score_after(self) -> tuple[int, int]:
        """Points of the bottom and top player after the game."""
        bottom, top = self.score
        if self.result.winner is None:
            return bottom, top
        won = self.result.points
        return (bottom + won, top) if self.result.winner is Seat.BOTTOM else (bottom, top + won)


@dataclass(frozen=True, slots=True)
class Record:
    """A saved match or money session.

    Parameters
    ----------
    players : (str, str)
        Names of the bottom and the top player, raw: see `display_name`.
    length : int
        Points to win; 0 for money play.
    games : tuple of Game
    crawford, jacoby, beavers : bool or None
        Rules as the file states them; None = it says nothing.
    cube_cap : int or None
        Highest cube as stated.
    tags : tuple of (str, str)
        Everything else the file says about itself, in its order (site, event, date, ratings …).
    comments : tuple of str
        Text outside the games.
    file, format : str
        Where it was read from, and which format (``"mat"``).
    flags : frozenset of Flag
        What is odd about the file as a whole.
    """

    players: tuple[str, str]
    length: int
    games: tuple[Game, ...]
    crawford: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    cube_cap: int | None = None
    tags: tuple[tuple[str, str], ...] = ()
    comments: tuple[str, ...] = ()
    file: str = ""
    format: str = ""
    flags: frozenset[Flag] = NO_FLAGS

    @property
    def rules(self) -> Rules:
        """The rules in force: what the file states, the usual rules where it says nothing.

        Jacoby and beavers count in money play only. The cap is raised when the cube was turned beyond it.
        """
        highest = max((_shown(event) for game in self.games for event in game.events), default=1)
        cap = self.cube_cap or Rules().cube_cap
        money = self.length == 0
        return Rules(
            crawford=self.crawford is not False,
            jacoby=money and bool(self.jacoby),
            beavers=1 if money and self.beavers else 0,
            cube_cap=None if cap is None else max(cap, highest),
        )

    @property
    def score(self) -> tuple[int, int]:
        """Points of the bottom and top player at the end of the record."""
        return self.games[-1].score_after if self.games else (0, 0)

    @property
    def winner(self) -> Seat | None:
        """Who won the match; None for money play and unfinished matches."""
        for seat in Seat:
            if self.length and self.score[seat.index] >= self.length:
                return seat
        return None

    @property
    def all_flags(self) -> frozenset[Flag]:
        """Flags of the file, its games and its events together."""
        flags = set(self.flags)
        for game in self.games:
            flags |= game.flags
            for event in game.events:
                flags |= event.flags
        return frozenset(flags)

    def __repr__(self) -> str:
        # A match is thousands of events: the field by field text of a data class would fill pages of a notebook.
        kind = f"{self.length}-point match" if self.length else "money session"
        games = counted(len(self.games), "game")
        return f"<Record: {self.players[0]!r} – {self.players[1]!r}, {kind}, {games}, {self.file!r}>"

    @checked("key")
    def tag(self, key: str) -> str | None:
        """Value of a tag, whatever the case of its key; None when the file does not have it."""
        return next((value for name, value in self.tags if name.casefold() == key.casefold()), None)

    @checked("seat")
    def name(self, seat: Seat) -> str:
        """Raw name of the player in a seat."""
        return self.players[seat.index]

    def with_flags(self, *flags: Flag) -> Record:
        """A copy with these flags added."""
        return replace(self, flags=self.flags | frozenset(flags))


def _shown(event: Event) -> int:
    """Cube value that an event states."""
    return (event.cube or 1) if isinstance(event, (Double, Beaver, SetPosition)) else 1
