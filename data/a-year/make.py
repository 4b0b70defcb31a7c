"""Invented matches of an invented player: ``python data/a-year/make.py`` writes them anew into this folder.

Both sides play by cubelab's static evaluation, with errors: the equity of every play and cube action is seen through
noise. Ann's noise shrinks over the year, that of her opponents does not. Another version of the networks plays other
matches from the same seed.
"""

from datetime import date, timedelta
from pathlib import Path

import numpy as np

import cubelab as cl
from cubelab.game import Phase
from cubelab.records import Double, Ending, Game, Pass, Record, Result, Roll, Seat, Take

FOLDER = Path(__file__).parent
OPPONENTS = {"Bela": 0.05, "Chiyo": 0.07, "Dmitri": 0.10, "Esi": 0.06}
MATCHES, FIRST, LAST = 24, 0.13, 0.03
SEATS = (Seat.BOTTOM, Seat.TOP)


class Table:
    """Two players and their noise; who moves is 0 or 1."""

    def __init__(self, noise, length, rng):
        self.noise, self.length, self.rng = noise, length, rng

    def blur(self, side, size=None):
        return self.rng.normal(0.0, self.noise[side], size)

    def roll(self):
        return tuple(int(die) for die in self.rng.integers(1, 7, 2))

    def play_match(self):
        """Games until somebody has the points."""
        match, games = cl.MatchState(self.length), []
        while match is not None:
            game = self.play_game(match, len(games) + 1)
            games.append(game)
            points = game.result.points
            match = match.after(points) if game.result.winner is SEATS[0] else match.after(0, points)
        return tuple(games)

    def play_game(self, match, number):
        """One game; `match` is seen by side 0."""
        dice = self.roll()
        while dice[0] == dice[1]:
            dice = self.roll()
        side, events = int(dice[0] < dice[1]), []
        s = cl.Situation(cl.Position.start(), cl.Cube(), match if side == 0 else match.flip())
        while True:
            if dice is None:
                doubled = self.cube(s, side, events)
                if doubled is None:
                    return finished(match, number, events, side, s.cube.value, Ending.PASS)
                s, dice = doubled, self.roll()
            ranked = cl.ranked_plays(s, dice=dice, ply=0)
            if not len(ranked):
                events.append(Roll(seat=SEATS[side], dice=dice, text=""))
                after = s.position.flip()
            else:
                seen = [entry.equity for entry in ranked] + self.blur(side, len(ranked))
                play = ranked[int(np.argmax(seen))].play
                events.append(Roll(seat=SEATS[side], dice=dice, text=play.notation))
                after = play.after.flip()
            if after.phase is Phase.OVER:
                level = size_of_loss(after)
                return finished(match, number, events, side, level * s.cube.value, Ending.BORNE_OFF, level)
            s, side, dice = cl.Situation(after, s.cube.flip(), s.match.flip()), 1 - side, None

    def cube(self, s, side, events):
        """The situation with the cube as it stays after this turn's cube action; None after a pass."""
        decision = cl.cube_decision(s, ply=0)
        if not decision.cube_allowed:
            return s
        equities = decision.equities
        if equities.doubled - equities.no_double + self.blur(side) <= 0:
            return s
        events.append(Double(seat=SEATS[side], cube=2 * s.cube.value))
        if equities.double_take - 1 + self.blur(1 - side) > 0:
            events.append(Pass(seat=SEATS[1 - side]))
            return None
        events.append(Take(seat=SEATS[1 - side]))
        return cl.Situation(s.position, cl.Cube(2 * s.cube.value, cl.Owner.OPPONENT), s.match)


def size_of_loss(position):
    """1 single, 2 gammon, 3 backgammon: `position` is the loser's, on roll."""
    if position.off:
        return 1
    return 3 if any(count > 0 for count in position.board[19:]) else 2


def finished(match, number, events, side, points, ending, level=None):
    needed = match.away[side]
    result = Result(SEATS[side], min(points, needed), ending, level)
    return Game(number, (match.mover_score, match.opponent_score), match.crawford, tuple(events), result)


def main():
    rng = np.random.default_rng(2025)
    day = date(2025, 1, 4)
    for number in range(MATCHES):
        name = list(OPPONENTS)[int(rng.integers(len(OPPONENTS)))]
        noise = FIRST + (LAST - FIRST) * number / (MATCHES - 1), OPPONENTS[name]
        length = int(rng.choice([3, 5, 7]))
        games = Table(noise, length, rng).play_match()
        tags = (("Player 1", "Ann"), ("Player 2", name), ("EventDate", day.strftime("%Y.%m.%d")))
        record = Record(("Ann", name), length, games, tags=tags)
        cl.write_match(record, FOLDER / f"{day}-{name.lower()}-{length}.mat")
        day += timedelta(days=int(rng.integers(8, 21)))


if __name__ == "__main__":
    main()
