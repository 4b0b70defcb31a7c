"""A game at the table: whose turn it is, what may be done, and the events that a record keeps of it."""

from __future__ import annotations

from dataclasses import replace

from ..errors import IllegalPlay, IllegalRules
from ..game import Cube, Dice, MatchState, Offer, Owner, Position, Situation
from ..game.play import Play, legal_plays
from ..records.record import Beaver, Double, Ending, Event, Game, Pass, Resignation, Result, Roll, Seat, Take
from ..score import Stakes


class Table:
    """One game between two seats, followed action by action; an action the rules forbid is refused.

    Parameters
    ----------
    match : MatchState
        Score and rules before the game, seen by the bottom player.
    number : int
        Of the game.

    Attributes
    ----------
    situation : Situation
        Seen by the player on roll, whose seat is `Situation.turn`; with the dice while a roll waits to be played, with
        the offer while a double waits for its answer.
    events : list of Event
    result : Result or None
        None while the game goes on.
    """

    def __init__(self, match: MatchState, number: int = 1):
        self.match, self.number = match, number
        self.situation = Situation(Position.start(), Cube(), match, turn=1)
        self.events: list[Event] = []
        self.result: Result | None = None

    @property
    def seat(self) -> Seat:
        """Who has to act: the player on roll, or who answers their double."""
        on_roll = Seat(self.situation.turn)
        return on_roll if self.situation.offer in (None, Offer.BEAVER) else on_roll.other

    @property
    def may_double(self) -> bool:
        """Whether the player on roll may double now: not after rolling, not before the opening roll."""
        situation = self.situation
        waiting = situation.dice is None and situation.offer is None
        return bool(waiting and self.events and Stakes.of(situation.match, situation.cube).may_double)

    @property
    def may_beaver(self) -> bool:
        """Whether the double that waits may be turned again at once."""
        rules, cube = self.match.rules, self.situation.cube
        room = rules.cube_cap is None or 4 * cube.value <= rules.cube_cap
        return self.situation.offer is Offer.DOUBLE and self.match.money and rules.beavers > 0 and room

    def opens(self, seat: Seat) -> None:
        """Who won the opening roll.

        Raises
        ------
        IllegalRules
            The game has begun.
        """
        self._check(not self.events, "the game has begun")
        if seat is not Seat(self.situation.turn):
            self.situation = self.situation.flip()

    def roll(self, dice: Dice) -> tuple[Play, ...]:
        """Dice for the player on roll; the legal plays of them.

        Raises
        ------
        IllegalRules
            A roll or a double waits already, or the game is over.
        """
        self._check(self.situation.dice is None and self.situation.offer is None, "a roll or a double waits already")
        self.situation = replace(self.situation, dice=dice)
        return legal_plays(self.situation.position, dice)

    def play(self, play: Play) -> None:
        """Play the roll that waits.

        Raises
        ------
        IllegalPlay
            Not a legal play of it.
        IllegalRules
            No roll waits.
        """
        situation, seat = self.situation, self.seat
        self._check(situation.dice is not None, "no roll waits to be played")
        assert situation.dice is not None
        allowed = legal_plays(situation.position, situation.dice)
        if play.before != situation.position or not (play in allowed or (not allowed and not play.hops)):
            raise IllegalPlay(f"{play.notation} is no legal play of {situation.dice[0]}{situation.dice[1]} here")
        self.events.append(Roll(seat=seat, dice=situation.dice, text=play.notation))
        if play.after.off == 15:
            self._won(seat, _level(play.after), Ending.BORNE_OFF)
        self.situation = replace(situation, position=play.after, dice=None).flip()

    def double(self) -> None:
        """The player on roll doubles.

        Raises
        ------
        IllegalRules
            They may not.
        """
        if not self.may_double:
            reason = Stakes.of(self.situation.match, self.situation.cube).reason_not_allowed
            raise IllegalRules(f"no double now: {reason or 'it is not the time for one'}")
        self.events.append(Double(seat=self.seat, cube=2 * self.situation.cube.value))
        self.situation = replace(self.situation, offer=Offer.DOUBLE)

    def take(self) -> None:
        """The double (or the beaver, by the doubler) is accepted.

        Raises
        ------
        IllegalRules
            No double waits.
        """
        offer, cube = self.situation.offer, self.situation.cube
        self._check(offer is not None, "no double waits for an answer")
        self.events.append(Take(seat=self.seat))
        value = cube.value * (4 if offer is Offer.BEAVER else 2)
        self.situation = replace(self.situation, offer=None, cube=Cube(value, Owner.OPPONENT))

    def beaver(self) -> None:
        """The double is accepted and turned again at once; the doubler has to accept that.

        Raises
        ------
        IllegalRules
            The rules do not allow it here.
        """
        self._check(self.may_beaver, "no beaver is possible here")
        self.events.append(Beaver(seat=self.seat, cube=4 * self.situation.cube.value))
        self.situation = replace(self.situation, offer=Offer.BEAVER)
        self.take()

    def drop(self) -> None:
        """The double is passed.

        Raises
        ------
        IllegalRules
            No double waits.
        """
        self._check(self.situation.offer is not None, "no double waits for an answer")
        seat = self.seat
        self.events.append(Pass(seat=seat))
        self._won(seat.other, None, Ending.PASS)

    def resign(self, seat: Seat, level: int) -> None:
        """A side gives the game up, the other accepts.

        Parameters
        ----------
        seat : Seat
        level : int
            1 single game, 2 gammon, 3 backgammon.

        Raises
        ------
        IllegalRules
            Another level, or the game is over.
        """
        self._check(level in (1, 2, 3), f"a game is resigned at level 1, 2 or 3, not {level}")
        self.events.append(Resignation(seat=seat, level=level))
        self._won(seat.other, level, Ending.RESIGNATION)

    def to_game(self) -> Game:
        """The game so far, for a record."""
        result = self.result or Result(None, 0, Ending.UNFINISHED)
        score = self.match.mover_score, self.match.opponent_score
        return Game(self.number, score, self.match.crawford, tuple(self.events), result)

    def _check(self, holds: bool, reason: str) -> None:
        if self.result is not None:
            raise IllegalRules("the game is over")
        if not holds:
            raise IllegalRules(reason)

    def _won(self, winner: Seat, level: int | None, ending: Ending) -> None:
        cube, rules = self.situation.cube, self.match.rules
        counted = 1 if level is None or (rules.jacoby and cube.owner is Owner.CENTRE) else level
        points = counted * cube.value
        if not self.match.money:
            points = min(points, self.match.away[winner.index])
        self.result = Result(winner, points, ending, level)


def _level(after: Position) -> int:
    """1 single, 2 gammon, 3 backgammon for a side that has borne off its last checker."""
    if after.opponent_off:
        return 1
    return 3 if any(count < 0 for count in after.board[:7]) else 2
