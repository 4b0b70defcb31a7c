"""Decisions of a record, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..game import Cube, Position, Situation
from ..game.play import Play
from .flags import NO_FLAGS, Flag
from .record import Event, Game, Result, Seat


class Kind(StrEnum):
    """What was to decide."""

    DOUBLE = "double"
    TAKE = "take"
    BEAVER = "beaver"
    PLAY = "play"
    RESIGN = "resign"


class Action(StrEnum):
    """What was done with the cube."""

    NO_DOUBLE = "no double"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    RESIGN = "resign"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a record.

    Parameters
    ----------
    kind : Kind
        ``double`` also for every turn on which the player could have doubled but rolled. ``beaver`` is the doubler's
        answer to a beaver; the beaver itself is an answer of kind ``take``.
    situation : Situation
        Seen by the player on roll, also while their double waits for an answer; `Situation.turn` is the seat on roll.
    played : Action, Play or None
        None for a play that is hidden, unreadable or cannot be described by hops.
    seat : Seat
        Who decided: for ``take`` not the player on roll.
    player : str
        Raw name of who decided.
    game, ply : int
        Number of the game, and of the roll or cube action in it, from 1; a roll and the decision not to double before
        it share the number.
    line : int
        Line in the file.
    text : str
        The play as written.
    after : Position or None
        Position after a play, still seen by who played, also where `played` is None but the file tells.
    level : int or None
        Resignations: 1 single, 2 gammon, 3 backgammon.
    flags : frozenset of Flag
    event : Event or None
        What the record holds about it (comments, the file's own analysis).
    """

    kind: Kind
    situation: Situation
    played: Action | Play | None
    seat: Seat
    player: str
    game: int
    ply: int
    line: int
    text: str = ""
    after: Position | None = None
    level: int | None = None
    flags: frozenset[Flag] = NO_FLAGS
    event: Event | None = None

    @property
    def played_text(self) -> str:
        """What was done, in words: the usual spelling of a legal play, the file's of any other."""
        if isinstance(self.played, Action):
            return self.played.value
        if self.played is not None and Flag.ILLEGAL_PLAY not in self.flags:
            return self.played.notation
        return self.text


@dataclass(frozen=True, slots=True)
class GameReplay:
    """A game after the replay.

    Parameters
    ----------
    game : Game
    decisions : tuple of Decision
    position : Position
        The last one reached, seen from the bottom player.
    cube : Cube
        Seen from the bottom player.
    result : Result
        The record's, with level and ending corrected by the final position.
    complete : bool
        Whether the moves could be followed to the end.
    flags : frozenset of Flag
        Those of the game, its events and what the replay found.
    """

    game: Game
    decisions: tuple[Decision, ...]
    position: Position
    cube: Cube
    result: Result
    complete: bool
    flags: frozenset[Flag]
