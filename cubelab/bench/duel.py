"""Duels: two players on the same dice twice, with seats changed, and the luck of the dice taken out.

In a pair the players meet on the same rolls with changed seats, and every roll's luck (value after it less the average
over all rolls, by the networks of our own) is subtracted; together that is worth some 30 times the games. The
dice of a pair depend on the seed and the number of the pair only.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np

from ..errors import SettingsError
from ..game import Cube, MatchState, Position, Rules
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .players import NetworkPlayer, Player, Turns, open_player

#: Pairs that are played side by side.
BATCH = 240
#: Settings that are whole numbers: least and most.
_LIMITS = {"pairs": (1, 10**7), "length": (0, 1000), "seed": (0, 2**63 - 1), "threads": (1, 1024)}
_ROLLS = 1024
_THEIRS = 2


@dataclass(frozen=True, slots=True)
class DuelSettings:
    """How a duel is played.

    Parameters
    ----------
    pairs : int
        Pairs of games (matches) with changed seats.
    length : int
        Match length; 0 for money games without Jacoby, each on its own.
    cubeful : bool
        With the cube.
    seed : int
    luck : bool
        Take the luck of the dice out.
    met : MatchEquityTable, optional
        For matches; default Kazaross-XG2.
    threads : int
        Batches played at a time; every player is opened once for each.
    stop_se : float, optional
        Stop once the standard error is at most this; looked at after each batch of `BATCH` pairs.

    Raises
    ------
    SettingsError
        Settings that cannot be carried out.
    """

    pairs: int = 240
    length: int = 0
    cubeful: bool = False
    seed: int = 1
    luck: bool = True
    met: MatchEquityTable | None = None
    threads: int = 1
    stop_se: float | None = None

    def __post_init__(self) -> None:
        for name, (least, most) in _LIMITS.items():
            value = getattr(self, name)
            if not isinstance(value, int) or not least <= value <= most:
                raise SettingsError(
                    f"duel setting {name} = {value!r:.60}: must be a whole number from {least} to {most}"
                )
        if self.stop_se is not None and not (isinstance(self.stop_se, Real) and 0 < self.stop_se < math.inf):
            raise SettingsError(f"duel setting stop_se = {self.stop_se!r:.60}: must be above 0 and finite")


@dataclass(frozen=True, slots=True, eq=False)
class Duel:
    """Result of a duel, seen by the first player.

    Attributes
    ----------
    first, second : str
    settings : DuelSettings
    adjusted, raw : float64[pairs, 2]
        Points per game (money), or match points 1 and 0: with the luck taken out, and as played.
    plies : int
        Half-moves played in all.
    games : int
    seconds : float
        Wall time.
    """

    first: str
    second: str
    settings: DuelSettings
    adjusted: np.ndarray
    raw: np.ndarray
    plies: int
    games: int
    seconds: float

    @property
    def mean(self) -> float:
        """Points per game, or match winning chance, of the first player; luck taken out."""
        return float(self.adjusted.mean())

    @property
    def se(self) -> float:
        """Standard error of `mean`; NaN for a single pair."""
        return _se(self.adjusted)

    @property
    def raw_mean(self) -> float:
        return float(self.raw.mean())

    @property
    def raw_se(self) -> float:
        return _se(self.raw)

    @property
    def unit(self) -> str:
        return "points per game" if self.settings.length == 0 else "match winning chance"

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON."""
        settings = self.settings
        return {
            "first": self.first,
            "second": self.second,
            "unit": self.unit,
            "mean": self.mean,
            "se": self.se,
            "raw_mean": self.raw_mean,
            "raw_se": self.raw_se,
            "pairs": len(self.raw),
            "games": self.games,
            "half_moves": self.plies,
            "settings": {
                "length": settings.length,
                "cubeful": settings.cubeful,
                "seed": settings.seed,
                "luck_adjusted": settings.luck,
                "met": None if settings.length == 0 else MatchEquityTable.load(settings.met).name,
            },
            "seconds": self.seconds,
        }


def _se(values: np.ndarray) -> float:
    """Standard error over pairs, whose two games are not independent."""
    if len(values) < 2:
        return float("nan")
    return float(values.mean(axis=1).std(ddof=1) / np.sqrt(len(values)))


def duel(
    first: str | Callable[[], Player],
    second: str | Callable[[], Player],
    settings: DuelSettings | None = None,
    progress: Callable[[Duel], None] | None = None,
) -> Duel:
    """Let two players play each other.

    Parameters
    ----------
    first, second : str or callable
        As `players.open_player` reads them, or functions that make a player.
    settings : DuelSettings, optional
    progress : callable, optional
        Called with the duel so far after each batch.

    Raises
    ------
    CubelabError
        Players that cannot be had, settings that cannot be carried out.
    """
    settings = settings or DuelSettings()
    begun = time.perf_counter()
    starts = range(0, settings.pairs, BATCH)
    makers = [_maker(player) for player in (first, second)]

    def play(start: int) -> tuple[tuple[str, str], _Batch]:
        players = [make() for make in makers]
        try:
            batch = _Batch(players, settings, range(start, min(start + BATCH, settings.pairs)))
            batch.play(stopped)
            return (players[0].name, players[1].name), batch
        finally:
            for player in players:
                player.close()

    batches: list[_Batch] = []
    result: Duel | None = None
    stopped = threading.Event()
    with ThreadPoolExecutor(settings.threads) as pool:
        futures = [pool.submit(play, start) for start in starts]
        try:
            for future in futures:
                names, batch = future.result()
                batches.append(batch)
                result = Duel(
                    *names,
                    settings,
                    np.concatenate([b.pairs(b.adjusted) for b in batches]),
                    np.concatenate([b.pairs(b.raw) for b in batches]),
                    sum(b.plies for b in batches),
                    sum(b.games for b in batches),
                    time.perf_counter() - begun,
                )
                if progress is not None:
                    progress(result)
                if settings.stop_se is not None and result.se <= settings.stop_se:
                    break
        finally:
            stopped.set()
            for future in futures:
                future.cancel()
    assert result is not None
    return result


def _maker(player: str | Callable[[], Player]) -> Callable[[], Player]:
    return (lambda: open_player(player)) if isinstance(player, str) else player


@lru_cache(maxsize=4096)
def game_table(match: MatchState, cubeful: bool, met: MatchEquityTable | None) -> Any:
    """CubeTable of a game, its side 0 the first player, whose view `match` is."""
    from ..engine.cube_table import cube_table, without_cube

    table = cube_table(Stakes.of(match, Cube(), met=met), None)
    if cubeful:
        return table
    return without_cube(table)


def pair_rolls(seed: int, pair: int, game: int) -> tuple[np.ndarray, bool]:
    """Rolls of a game of a pair (places in `search.HIGH`) and whether the first player begins in its first seating.

    The first roll is no double. In money play (and the first game of a match) each of the 15 comes once in 15 pairs.
    """
    from ..kernels.search import HIGH, LOW

    generator = np.random.Generator(np.random.Philox(key=np.array([seed, pair * 4096 + game], dtype=np.uint64)))
    dice = generator.integers(1, 7, size=(_ROLLS, 2))
    high, low = dice.max(axis=1), dice.min(axis=1)
    rolls = high * (high - 1) // 2 + low - 1
    opening = np.flatnonzero(HIGH != LOW)
    if game == 0:
        block = np.random.Generator(np.random.Philox(key=np.array([seed, 2**63 + pair // 15], dtype=np.uint64)))
        rolls[0] = block.permutation(opening)[pair % 15]
    else:
        rolls[0] = generator.choice(opening)
    return rolls, game == 0 or bool(generator.integers(2))


class _Batch:
    """Some pairs played side by side: game 2k and 2k + 1 are the two seatings of pair k."""

    def __init__(self, players: list[Player], settings: DuelSettings, numbers: range):
        from ..engine.neural import load_nets

        self.players, self.settings, self.numbers = players, settings, numbers
        self.met = MatchEquityTable.load(settings.met) if settings.length else None
        if self.met is not None:
            for player in players:
                if hasattr(player, "use_table"):
                    player.use_table(self.met)
        count = 2 * len(numbers)
        # The luck is judged by the first player's networks, where it has some of ours, else by the other's.
        owned = [player.nets for player in players if isinstance(player, NetworkPlayer)]
        self.any_nets = owned[0] if owned else load_nets()
        self.luck_nets = self.any_nets if settings.luck else None
        self.boards = np.empty((count, 26), np.int8)
        self.sides, self.levels, self.places, self.clock = (np.zeros(count, np.int64) for _ in range(4))
        self.rolls = np.empty((count, _ROLLS), np.int64)
        self.luck, self.results = np.zeros(count), np.zeros(count)
        self.over = np.zeros(count, np.bool_)
        self.game = np.full(count, -1)
        rules = Rules() if settings.length else Rules(jacoby=False)
        self.matches = [MatchState(settings.length, rules=rules) for _ in range(count)]
        self.plies = self.games = 0
        for index in range(count):
            self._new_game(index)

    @staticmethod
    def pairs(values: np.ndarray) -> np.ndarray:
        return values.reshape(-1, 2)

    @property
    def adjusted(self) -> np.ndarray:
        values = self.results - self.luck
        return values if self.settings.length == 0 else 0.5 * (values + 1.0)

    @property
    def raw(self) -> np.ndarray:
        return self.results if self.settings.length == 0 else 0.5 * (self.results + 1.0)

    def _new_game(self, index: int) -> None:
        self.game[index] += 1
        rolls, first_begins = pair_rolls(self.settings.seed, self.numbers[index // 2], int(self.game[index]))
        self.rolls[index] = rolls
        self.boards[index] = Position.start().array
        self.sides[index] = int(first_begins == bool(index % 2))
        self.levels[index] = self.places[index] = self.clock[index] = 0
        self.games += 1

    def play(self, stopped: threading.Event) -> None:
        """Play everything to the end, or until nobody wants to know any more."""
        while not self.over.all() and not stopped.is_set():
            self._half_moves()

    def _groups(self) -> list[tuple[MatchState, np.ndarray]]:
        """The games that go on, by score."""
        members: dict[MatchState, list[int]] = {}
        for index in np.flatnonzero(~self.over):
            members.setdefault(self.matches[index], []).append(int(index))
        return [(match, np.array(indices)) for match, indices in members.items()]

    def _turns(self, match: MatchState, indices: np.ndarray) -> Turns:
        # A match of one point has no cube to turn; its table says so itself.
        table = game_table(match, self.settings.cubeful, self.met)
        return Turns(
            table,
            np.ascontiguousarray(self.boards[indices]),
            self.sides[indices],
            self.levels[indices],
            self.places[indices],
            self.rolls[indices, self.clock[indices] % _ROLLS],
            (match.length, match.mover_score, match.opponent_score, match.crawford),
        )

    def _half_moves(self) -> None:
        """One half-move of every game that goes on."""
        from ..kernels.duel import roll_luck

        for match, indices in self._groups():
            turns = self._turns(match, indices)
            if not turns.cubeless:
                indices = indices[self._cube_actions(indices, turns)]
                turns = self._turns(match, indices)
            seats = [turns.sides == side for side in (0, 1)]
            waiting = [
                (seat, player.start_plays(turns.part(seat)))
                for seat, player in zip(seats, self.players, strict=True)
                if seat.any()
            ]
            # While another program thinks about its plays, we look at the luck and choose our own.
            if self.luck_nets is not None:
                luck = np.empty(len(indices))
                state = turns.boards, turns.sides, turns.levels, turns.places, turns.rolls
                roll_luck(turns.table, self.luck_nets, *state, self.clock[indices] == 0, luck)
                self.luck[indices] += np.where(turns.sides == 0, luck, -luck)
            afters = np.empty_like(turns.boards)
            for seat, finish in sorted(waiting, key=lambda item: item[0][0]):
                afters[seat] = finish()
            self._advance(indices, turns, afters)

    def _cube_actions(self, indices: np.ndarray, turns: Turns) -> np.ndarray:
        """Doubles, takes and passes before the roll; which games go on to it."""
        going = np.ones(len(indices), np.bool_)
        may = (turns.places != _THEIRS) & turns.table.may_turn[turns.sides, turns.levels, 0]
        may &= (turns.levels + 1 < turns.table.payoffs.shape[1]) & (self.clock[indices] > 0)
        for side, player in enumerate(self.players):
            asked = np.flatnonzero(may & (turns.sides == side))
            if not len(asked):
                continue
            doubled = asked[player.doubles(turns.part(asked))]
            if not len(doubled):
                continue
            taken = self.players[1 - side].takes(turns.part(doubled))
            for row, take in zip(doubled, taken, strict=True):
                if take:
                    self.levels[indices[row]] += 1
                    self.places[indices[row]] = _THEIRS
                else:
                    going[row] = False
                    self._end_game(indices[row], side, 2 ** int(turns.levels[row]))
        return going

    def _advance(self, indices: np.ndarray, turns: Turns, afters: np.ndarray) -> None:
        """Put the boards after the plays on the tables of the other side."""
        from ..kernels.static import evaluate_many

        self.plies += len(indices)
        self.clock[indices] += 1
        self.boards[indices] = -afters[:, ::-1]
        self.sides[indices] = 1 - turns.sides
        self.places[indices] = (3 - turns.places) % 3
        ended = np.flatnonzero((afters[:, 1:] <= 0).all(axis=1))
        if not len(ended):
            return
        outcomes = np.empty((len(ended), 6), np.float32)
        evaluate_many(self.any_nets, np.ascontiguousarray(afters[ended]), len(ended), outcomes)
        for row, size in zip(ended, outcomes.argmax(axis=1), strict=True):
            self._end_game(indices[row], int(turns.sides[row]), (1 + int(size)) * 2 ** int(turns.levels[row]))

    def _end_game(self, index: int, winner: int, points: int) -> None:
        """Count a game; in a match begin the next one."""
        if self.settings.length == 0:
            self.results[index] = points if winner == 0 else -points
            self.over[index] = True
            return
        after = self.matches[index].after(*((points, 0) if winner == 0 else (0, points)))
        if after is None:
            self.results[index] = 1.0 if winner == 0 else -1.0
            self.over[index] = True
            return
        self.matches[index] = after
        self._new_game(index)
