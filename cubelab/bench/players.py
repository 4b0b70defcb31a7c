"""Players of a duel: our networks (shipped or of a file) at some look-ahead, and GNU Backgammon."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..errors import DataMissing, SettingsError

#: Place of the cube as the kernels count it, and as GNU Backgammon does.
_GNUBG_OWNER = (-1, 0, 1)
#: Two equities that differ by less are a tie.
TIE = 1e-6


@dataclass(frozen=True, slots=True)
class Turns:
    """Games of one score in which the same player is about to act; one row a game.

    Attributes
    ----------
    table : CubeTable
        Side 0 is the first player.
    boards : int8[n, 26]
        Seen by the side about to roll.
    sides, levels, places, rolls : int64[n]
        As `kernels.duel` takes them.
    score : tuple of (int, int, int, bool)
        Match length (0 money), points of the first and second player, Crawford game.
    """

    table: Any
    boards: np.ndarray
    sides: np.ndarray
    levels: np.ndarray
    places: np.ndarray
    rolls: np.ndarray
    score: tuple[int, int, int, bool]

    @property
    def cubeless(self) -> bool:
        return self.table.payoffs.shape[1] == 1

    def turned(self, no_double: np.ndarray, doubled: np.ndarray) -> np.ndarray:
        """Whether the cube is turned, by both equities or values: bool[n]; at a tie where it costs nothing to turn."""
        payoffs, above = self.table.payoffs, np.minimum(self.levels + 1, self.table.payoffs.shape[1] - 1)
        free = payoffs[self.sides, self.levels, 3] - payoffs[self.sides, above, 5] <= TIE
        return (doubled > no_double) | (free & (doubled >= no_double - TIE))

    def part(self, chosen: np.ndarray) -> Turns:
        """Some of the games."""
        names = ("boards", "sides", "levels", "places", "rolls")
        return replace(self, **{name: getattr(self, name)[chosen] for name in names})


class Player(Protocol):
    """Somebody who plays."""

    @property
    def name(self) -> str:
        """Such as ``shipped 0-ply``."""

    def start_plays(self, turns: Turns) -> Callable[[], np.ndarray]:
        """Begin to choose plays; the function returned waits for the boards after them (still the player's view)."""

    def doubles(self, turns: Turns) -> np.ndarray:
        """Which games it doubles in, before the roll, where the rules let it: bool[n]."""

    def takes(self, turns: Turns) -> np.ndarray:
        """In which games it takes when the side about to roll doubles: bool[n]."""

    def close(self) -> None:
        """Let go of what it holds."""


class NetworkPlayer:
    """Our engine with some networks.

    Parameters
    ----------
    nets : Nets
    ply : int
        Look-ahead of plays and cube decisions, 0 to 2.
    title : str
    """

    def __init__(self, nets, ply: int, title: str):
        if ply not in (0, 1, 2):
            raise SettingsError(f"ply {ply!r} of a player does not exist: choose 0, 1 or 2")
        self.nets, self.ply, self.name = nets, ply, f"{title} {ply}-ply"

    def start_plays(self, turns: Turns) -> Callable[[], np.ndarray]:
        from ..kernels.duel import best_plays

        def chosen() -> np.ndarray:
            afters = np.empty_like(turns.boards)
            state = turns.boards, turns.sides, turns.levels, turns.places, turns.rolls
            best_plays(turns.table, self.nets, self.ply, *state, afters)
            return afters

        return chosen

    def _worth(self, turns: Turns) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Not doubling, double/take, double/pass for the side about to roll."""
        from ..kernels.duel import cube_worth

        worth = np.empty((len(turns.boards), 2))
        cube_worth(
            turns.table, self.nets, self.ply, turns.boards, turns.sides, turns.levels, turns.places, worth
        )  # fmt: skip
        return worth[:, 0], worth[:, 1], turns.table.payoffs[turns.sides, turns.levels, 0]

    def doubles(self, turns: Turns) -> np.ndarray:
        no_double, taken, passed = self._worth(turns)
        return turns.turned(no_double, np.minimum(taken, passed))

    def takes(self, turns: Turns) -> np.ndarray:
        _, taken, passed = self._worth(turns)
        return taken <= passed

    def close(self) -> None:
        pass


class GnubgPlayer:
    """GNU Backgammon.

    Raises
    ------
    EngineMissing
        It is not installed.
    SettingsError
        A ply that it does not have.
    """

    def __init__(self, ply: int):
        from ..engine.gnubg import DEEPEST, Gnubg

        if not 0 <= ply <= DEEPEST:
            raise SettingsError(f"ply {ply} of gnubg does not exist: choose 0 to {DEEPEST}")
        self._gnubg, self.ply = Gnubg(), ply
        self.name = f"{self._gnubg.version} {ply}-ply"

    def _cubes(self, turns: Turns) -> list[list[int]]:
        """Cube and score of each game as `engine.gnubg` takes them, seen by the side about to roll."""
        length, first, second, crawford = turns.score
        return [
            [2 ** int(level), _GNUBG_OWNER[place], length]
            + ([second, first] if side else [first, second])
            + [int(crawford), 0, 0]
            for side, level, place in zip(turns.sides, turns.levels, turns.places, strict=True)
        ]

    def start_plays(self, turns: Turns) -> Callable[[], np.ndarray]:
        from ..kernels.search import HIGH, LOW

        dice = np.stack([HIGH[turns.rolls], LOW[turns.rolls]], axis=1)
        self._gnubg.ask_plays(turns.boards, dice, None if turns.cubeless else self._cubes(turns), self.ply)

        def chosen() -> np.ndarray:
            afters = turns.boards.copy()
            for board, hops in zip(afters, self._gnubg.get_plays(), strict=True):
                move_checkers(board, hops)
            return afters

        return chosen

    def _equities(self, turns: Turns) -> np.ndarray:
        return self._gnubg.cube_equities(turns.boards, self._cubes(turns), self.ply)

    def doubles(self, turns: Turns) -> np.ndarray:
        no_double, taken = self._equities(turns).T
        return turns.turned(no_double, np.minimum(taken, 1.0))

    def takes(self, turns: Turns) -> np.ndarray:
        return self._equities(turns)[:, 1] <= 1.0

    def use_table(self, table) -> None:
        """Play matches by this match equity table."""
        self._gnubg.use_table(table)

    def close(self) -> None:
        self._gnubg.close()


def move_checkers(board: np.ndarray, hops: list[int]) -> None:
    """Move checkers in place: from/to numbers of the mover, 25 bar, 0 off; blots met are hit."""
    for source, target in zip(hops[::2], hops[1::2], strict=True):
        board[source] -= 1
        if target > 0:
            if board[target] < 0:
                board[target] = 0
                board[0] -= 1
            board[target] += 1


def load_weights(path: str | Path):
    """Networks of a weights file: shipped ones, or a snapshot of a training.

    Raises
    ------
    DataMissing
        No such file, or one of other networks.
    """
    from ..engine.neural import nets_of, unpack

    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise DataMissing(f"{str(path)!r} is no weights file: {getattr(error, 'strerror', None) or error}") from None
    try:
        arrays = unpack(data)
    except DataMissing as error:
        reason = str(error).removesuffix("; reinstall cubelab.")
        raise DataMissing(f"{path} is no weights file of this version: {reason}") from None
    return nets_of(arrays)


def open_player(text: str) -> Player:
    """A player by its name: ``shipped``, ``gnubg`` or a weights file, with ``@PLY`` for its look-ahead (0 without).

    Raises
    ------
    SettingsError
        A ply that does not exist.
    DataMissing
        A file that is no weights file.
    EngineMissing
        GNU Backgammon is not installed.
    """
    name, _, depth = text.rpartition("@") if "@" in text else (text, "", "0")
    if not depth.isdecimal():
        raise SettingsError(f"player {text!r}: after @ comes the ply, such as {name}@0")
    ply = int(depth)
    if name == "gnubg":
        return GnubgPlayer(ply)
    if name == "shipped":
        from ..engine.neural import load_nets

        return NetworkPlayer(load_nets(), ply, name)
    if not Path(name).is_file():
        raise DataMissing(f"player {text!r}: there is no file {name!r}; players are shipped, gnubg and weights files")
    return NetworkPlayer(load_weights(name), ply, Path(name).stem)
