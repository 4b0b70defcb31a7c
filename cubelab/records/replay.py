"""A record followed move by move under the rules: every decision with its situation and what was done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ..errors import CubelabError, IllegalPlay, NotationError
from ..game import Cube, Dice, MatchState, Offer, Owner, Position, Rules, Situation
from ..game.play import Play, legal_plays, read_hops
from .decision import Action, Decision, GameReplay, Kind
from .flags import Flag
from .physical import apply_text
from .record import (
    Beaver,
    Comment,
    Double,
    Ending,
    Event,
    Game,
    Pass,
    Record,
    Resignation,
    Result,
    Roll,
    Seat,
    SetPosition,
    Take,
)


def replay(record: Record) -> Iterator[Decision]:
    """Every decision of a record in order.

    Oddities never stop it: they are flagged, and a game that can no longer be followed ends early.

    Parameters
    ----------
    record : Record

    Yields
    ------
    Decision
    """
    for game in replay_games(record):
        yield from game.decisions


def replay_games(record: Record) -> Iterator[GameReplay]:
    """Every game of a record, replayed."""
    rules = record.rules
    for game in record.games:
        yield _Replay(record, game, rules).run()


def replay_game(record: Record, game: Game) -> GameReplay:
    """One game of a record, replayed."""
    return _Replay(record, game, record.rules).run()


#: No play is written with more characters than this.
_LONGEST_PLAY: Final = 120


class _Stop(Exception):
    """The game cannot be followed beyond this point."""


class _Replay:
    """The table while one game is followed; the board is the bottom player's view."""

    def __init__(self, record: Record, game: Game, rules: Rules):
        self.record, self.game, self.rules = record, game, rules
        self.position = Position.start()
        self.value, self.owner = 1, None
        self.offer: Offer | None = None
        self.doubler: Seat | None = None
        self.opening = True
        self.over = False
        self.last: Seat | None = None
        self.ply = 0
        self.flags: set[Flag] = set(game.flags)
        self.decisions: list[Decision] = []
        self.matches: dict[Seat, MatchState] = {}
        #: The last position that was turned round for the top player, and what it is for them.
        self.turned = self.position, self.position

    value: int
    owner: Seat | None

    def run(self) -> GameReplay:
        complete = True
        events = self.game.events
        final = max((index for index, event in enumerate(events) if not isinstance(event, Comment)), default=-1)
        try:
            for index, event in enumerate(events):
                self.flags |= event.flags
                self._step(event, last=index == final)
        except _Stop:
            complete = False
            self.flags.add(Flag.STOPPED)
        except CubelabError:  # a score, cube or board that no situation can hold
            complete = False
            self.flags.add(Flag.STOPPED)
        result = self._checked_result() if complete else self.game.result
        return GameReplay(
            self.game,
            tuple(self.decisions),
            self.position,
            Cube(self.value, self._owner(Seat.BOTTOM)),
            result,
            complete,
            frozenset(self.flags),
        )

    def _step(self, event: Event, *, last: bool) -> None:
        if isinstance(event, SetPosition):
            self._set(event)
        if isinstance(event, (Comment, SetPosition)) or event.seat is None:
            return
        found: set[Flag] = set(event.flags)
        if self.over:
            found.add(Flag.EXTRA_ACTION)
            self.flags |= found
            raise _Stop
        self.ply += 1
        match event:
            case Double():
                self._double(event, event.seat, found)
            case Take() | Pass() | Beaver():
                self._answer(event, event.seat, found)
            case Resignation():
                self._resign(event, event.seat, found)
            case Roll():
                self._roll(event, event.seat, found, last=last)
        self.flags |= found
        self.last = event.seat

    def _set(self, event: SetPosition) -> None:
        if event.board is not None:
            self.position = Position(event.board)
            self.opening = self.position == self.position.flip()
        if event.cube is not None:
            self.value, self.owner = Cube(event.cube).value, event.owner
        self.offer = self.doubler = self.last = None

    # The cube

    def _double(self, event: Double, seat: Seat, found: set[Flag]) -> None:
        if self.offer is not None:
            self._accept(found)
        self._note_turn(seat, found, changed=self.doubler is not seat)
        if event.cube is not None and event.cube != 2 * self.value:
            found.add(Flag.CUBE_MISMATCH)
            self.value = Cube(event.cube // 2).value
        if self.opening or not self._may_turn(seat):
            found.add(Flag.CUBE_NOT_ALLOWED)
        self._decide(Kind.DOUBLE, event, self._situation(seat), Action.DOUBLE, seat, found)
        self.offer, self.doubler = Offer.DOUBLE, seat

    def _answer(self, event: Event, seat: Seat, found: set[Flag]) -> None:
        waiting = self.offer is not None and self.doubler is not None
        answerer = None if not waiting else self.doubler if self.offer is Offer.BEAVER else self.doubler.other  # type: ignore[union-attr]
        if seat is not answerer or self.doubler is None:
            found.add(Flag.ANSWER_WITHOUT_DOUBLE)
            self.flags |= found
            raise _Stop
        kind = Kind.BEAVER if self.offer is Offer.BEAVER else Kind.TAKE
        situation = self._situation(self.doubler, offer=self.offer)
        match event:
            case Take():
                self._decide(kind, event, situation, Action.TAKE, seat, found)
                self._accept(found, implied=False)
            case Pass():
                self._decide(kind, event, situation, Action.PASS, seat, found)
                self.over = True
            case Beaver():
                raccoon = self.offer is Offer.BEAVER
                self._decide(kind, event, situation, Action.RACCOON if raccoon else Action.BEAVER, seat, found)
                self.offer = Offer.RACCOON if raccoon else Offer.BEAVER

    def _accept(self, found: set[Flag], *, implied: bool = True) -> None:
        """Turn the cube for the pending offer: a double once, a beaver twice, a raccoon three times."""
        if implied and self.offer is Offer.DOUBLE:
            found.add(Flag.TAKE_IMPLIED)
        times = {Offer.DOUBLE: 1, Offer.BEAVER: 2, Offer.RACCOON: 3}[self.offer or Offer.DOUBLE]
        self.value *= 2**times
        self.owner = self.doubler.other if self.doubler is not None else None
        self.offer = None

    def _may_turn(self, seat: Seat) -> bool:
        """Whether the rules let a side turn the cube before rolling."""
        cap = self.rules.cube_cap
        if self.game.crawford or not self.rules.cube_in_use or self.owner not in (None, seat):
            return False
        return cap is None or self.value < cap

    def _is_dead(self, seat: Seat) -> bool:
        """Whether the cube already wins the match for a side, so that turning it cannot help."""
        return 0 < self.record.length <= self.game.score[seat.index] + self.value

    # The checkers

    def _roll(self, event: Roll, seat: Seat, found: set[Flag], *, last: bool) -> None:
        if self.offer is not None:
            self._accept(found)
        self._note_turn(seat, found, changed=self.doubler is not seat)
        doubled, self.doubler = self.doubler is seat, None
        if not (self.opening or doubled or self._is_dead(seat)) and self._may_turn(seat):
            self._decide(Kind.DOUBLE, event, self._situation(seat), Action.NO_DOUBLE, seat, set())
        if event.dumped and self.opening:
            # A made-up roll whose dump sets the position, as DailyGammon starts variants.
            found.discard(Flag.ILLEGAL_PLAY)
            found.add(Flag.SET_UP)
            self._put(Position(event.after or ()), Seat.BOTTOM)
            self.opening = self.position == self.position.flip()
            self.flags.discard(Flag.ILLEGAL_PLAY)
            return
        self.opening = False
        if event.dice is None or event.hidden:
            self._hidden(event, seat, found, last=last)
            return
        situation = self._situation(seat, event.dice)
        played, after = (None, None) if event.dumped else self._play(event, situation, found)
        if event.after is not None:
            given = Position(event.after) if seat is Seat.BOTTOM else Position(event.after).flip()
            if after != given:
                played, after = self._given(given, situation, after, found), given
        if last and Flag.UNPLAYED_ROLL in found and self.game.result.winner is seat.other:
            self._given_up(event, situation, seat, found)
            return
        if played is None or played.hops or Flag.UNPLAYED_ROLL in found:  # a dance decides nothing
            self._decide(Kind.PLAY, event, situation, played, seat, found, after=after)
        if after is None:
            self.flags |= found
            raise _Stop
        self._put(after, seat)
        self.over = after.off == 15

    def _given(self, given: Position, situation: Situation, after: Position | None, found: set[Flag]) -> Play | None:
        """The legal play that leads where the file says, when its text leads elsewhere; the file is believed."""
        found.add(Flag.POSITION_GIVEN)
        if after is not None and Flag.ILLEGAL_PLAY not in found:
            found.add(Flag.POSITION_DISAGREES)
        found.discard(Flag.ILLEGAL_PLAY)
        plays = legal_plays(situation.position, situation.dice)
        legal = next((play for play in plays if play.after == given), None)
        if legal is None:
            found.add(Flag.ILLEGAL_PLAY)
        return legal

    def _play(self, event: Roll, situation: Situation, found: set[Flag]) -> tuple[Play | None, Position | None]:
        """The play of a roll and where it leads; no position where it cannot be followed."""
        position = situation.position
        text = "" if event.empty else _without_idle_steps(event.text)
        if len(text) > _LONGEST_PLAY:
            found.add(Flag.UNREADABLE_PLAY)
            return None, None
        try:
            play = Play.parse(text, position, situation.dice)
            return play, play.after
        except IllegalPlay:
            if event.empty:
                found.add(Flag.UNPLAYED_ROLL)
                return Play(position, ()), position
            illegal = Flag.ILLEGAL_PLAY
        except NotationError:
            illegal = Flag.AMBIGUOUS_PLAY if _is_play(text) else Flag.ILLEGAL_PLAY
        try:
            after = apply_text(text, position)
        except NotationError:
            found.add(Flag.UNREADABLE_PLAY)
            return None, None
        except CubelabError:
            found |= {illegal, Flag.IMPOSSIBLE_PLAY}
            return None, None
        found.add(illegal)
        try:
            play = Play.parse(text, position)
            return (play if play.after == after else None), after
        except CubelabError:
            return None, after

    def _hidden(self, event: Roll, seat: Seat, found: set[Flag], *, last: bool) -> None:
        """A roll whose play the file hides: a resignation at the end of a game, else the end of the replay."""
        situation = self._situation(seat, event.dice)
        if last and self.game.result.winner is seat.other:
            self._given_up(event, situation, seat, found)
            return
        self._decide(Kind.PLAY, event, situation, None, seat, found)
        if not last:
            self.flags |= found
            raise _Stop

    def _given_up(self, event: Roll, situation: Situation, seat: Seat, found: set[Flag]) -> None:
        """The last roll of a game was not played, and the other side won."""
        found.add(Flag.RESIGNED_AFTER_ROLLING)
        self._decide(Kind.RESIGN, event, situation, Action.RESIGN, seat, found, level=self.game.result.level)
        self.over = True

    def _resign(self, event: Resignation, seat: Seat, found: set[Flag]) -> None:
        if self.offer is not None:
            # Giving up instead of answering a double.
            self.offer = None
        # Writers put the mark into either column; the result says who gave up.
        if self.game.result.winner is not None:
            seat = self.game.result.winner.other
        on_roll = self.last.other if self.last is not None else seat
        level = event.level or self.game.result.level
        self._decide(Kind.RESIGN, event, self._situation(on_roll), Action.RESIGN, seat, found, level=level)
        self.over = True

    # The table

    def _note_turn(self, seat: Seat, found: set[Flag], *, changed: bool) -> None:
        if changed and self.last is seat:
            found.add(Flag.OUT_OF_TURN)

    def _put(self, after: Position, seat: Seat) -> None:
        self.position = after if seat is Seat.BOTTOM else after.flip()

    def _owner(self, seat: Seat) -> Owner:
        if self.owner is None:
            return Owner.CENTRE
        return Owner.MOVER if self.owner is seat else Owner.OPPONENT

    def _situation(self, seat: Seat, dice: Dice | None = None, offer: Offer | None = None) -> Situation:
        return Situation(
            self._seen(seat), _cube(self.value, self._owner(seat)), self._match(seat), dice, offer, turn=int(seat)
        )

    def _match(self, seat: Seat) -> MatchState:
        """The match as a seat sees it: the same for a whole game."""
        if seat not in self.matches:
            score = self.game.score
            self.matches[seat] = MatchState(
                self.record.length, score[seat.index], score[seat.other.index], self.game.crawford, self.rules
            )
        return self.matches[seat]

    def _seen(self, seat: Seat) -> Position:
        """The position as a seat sees it; a turn asks twice."""
        if seat is Seat.BOTTOM:
            return self.position
        if self.turned[0] is not self.position:
            self.turned = self.position, self.position.flip()
        return self.turned[1]

    def _decide(
        self,
        kind: Kind,
        event: Event,
        situation: Situation,
        played: Action | Play | None,
        seat: Seat,
        flags: set[Flag],
        *,
        after: Position | None = None,
        level: int | None = None,
    ) -> None:
        text = event.text if isinstance(event, Roll) and kind is not Kind.DOUBLE else ""
        self.decisions.append(
            Decision(
                kind,
                situation,
                played,
                seat,
                self.record.name(seat),
                self.game.number,
                self.ply,
                event.line,
                text,
                after,
                level,
                frozenset(flags),
                event,
            )
        )

    def _checked_result(self) -> Result:
        """The record's result with the final position's word on level and ending."""
        result = self.game.result
        winner = result.winner
        if winner is None:
            return result
        position = self.position if winner is Seat.BOTTOM else self.position.flip()
        if position.off < 15:
            if position.opponent_off == 15:
                self.flags.add(Flag.WINNER_CONFLICT)
            elif result.ending is Ending.BORNE_OFF:
                self.flags.add(Flag.ENDED_EARLY)
                return replace(result, ending=Ending.DECLARED)
            return result
        level = _level(position)
        counted = 1 if self.rules.jacoby and self.owner is None else level
        pays = counted * self.value
        needed = self.record.length - self.game.score[winner.index] if self.record.length else None
        if Flag.POINTS_ASSUMED in self.flags:
            points = pays if needed is None else min(pays, needed)
            return replace(result, ending=Ending.BORNE_OFF, level=level, points=points)
        stated = result.stated if result.stated is not None else result.points
        if stated != pays:
            capped = needed is not None and stated == needed and stated < pays
            self.flags.add(Flag.POINTS_CAPPED if capped else Flag.POINTS_DISAGREE)
        return replace(result, ending=Ending.BORNE_OFF, level=level)


@lru_cache(maxsize=64)
def _cube(value: int, owner: Owner) -> Cube:
    return Cube(value, owner)


def _level(position: Position) -> int:
    """1 single, 2 gammon, 3 backgammon for a mover who has borne off all checkers."""
    if position.opponent_off:
        return 1
    behind = any(count < 0 for count in position.board[:7])
    return 3 if behind else 2


def _is_play(text: str) -> bool:
    """Whether a text names steps that a play may have: all of them forward."""
    try:
        return bool(read_hops(text))
    except NotationError:
        return False


def _without_idle_steps(text: str) -> str:
    """A play without the ``0/0`` that some writers put for a die with nothing left to move."""
    return " ".join(word for word in text.split() if word != "0/0")
