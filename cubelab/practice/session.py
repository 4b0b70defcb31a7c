"""A match or a money session: dice, scores, games, and the record that is saved."""

from __future__ import annotations

import random

from ..errors import SettingsError
from ..game import Dice, MatchState, Rules
from ..records.record import Game, Record, Seat
from .table import Table


class Session:
    """Games one after the other until the match is decided.

    Parameters
    ----------
    length : int
        Points to win, 0 for money play.
    rules : Rules, optional
    names : (str, str)
        Bottom and top player.
    seed : int
        Of the dice: the same seed brings the same dice, whatever is played.

    Raises
    ------
    CubelabError
        A length or rules that do not exist.
    """

    def __init__(
        self, length: int, rules: Rules | None = None, names: tuple[str, str] = ("you", "cubelab"), seed: int = 0
    ):
        if not isinstance(length, int) or not 0 <= length <= 1000:
            raise SettingsError(f"a match to {length!r} points: give 0 (money) to 1000")
        self._rules = rules or Rules()
        self.match: MatchState | None = MatchState(length, rules=self._rules)
        self.length, self.names, self.seed = length, names, seed
        self._games: list[Game] = []
        self._dice = random.Random(seed)
        self.score = (0, 0)

    def next_game(self) -> Table:
        """The table of the next game, its opening roll not thrown yet.

        Raises
        ------
        SettingsError
            The match is over.
        """
        if self.match is None:
            raise SettingsError("the match is over")
        # Every game has a generator of its own, so that its dice do not depend on how long the last one was.
        self._dice = random.Random(f"{self.seed}/{len(self._games)}")
        return Table(self.match, len(self._games) + 1)

    def throw(self) -> Dice:
        """Two dice, higher first."""
        first, second = self._dice.randint(1, 6), self._dice.randint(1, 6)
        return max(first, second), min(first, second)

    def opening(self) -> tuple[Seat, Dice]:
        """Who starts, and with which roll; ties are thrown again."""
        while True:
            bottom, top = self._dice.randint(1, 6), self._dice.randint(1, 6)
            if bottom != top:
                return Seat.BOTTOM if bottom > top else Seat.TOP, (max(bottom, top), min(bottom, top))

    def finish(self, table: Table) -> None:
        """Add a game, finished or given up unfinished, and move the score on."""
        game = table.to_game()
        self._games.append(game)
        self.score = game.score_after
        if game.result.winner is None:
            return
        points = [0, 0]
        points[game.result.winner.index] = game.result.points
        assert self.match is not None
        self.match = self.match.after(*points)

    def record(self) -> Record:
        """Everything played so far."""
        rules, money = self._rules, self.length == 0
        return Record(
            players=self.names,
            length=self.length,
            games=tuple(self._games),
            crawford=None if money else rules.crawford,
            jacoby=rules.jacoby if money else None,
            beavers=rules.beavers > 0 if money else None,
            tags=(("Event", "cubelab play"), ("Seed", str(self.seed))),
        )
