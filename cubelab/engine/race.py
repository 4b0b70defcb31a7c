"""Long races: chances from each side's own number of rolls, its effective pip count, and a simulated truth to check by.

How it works and how exact it is: ``cubelab.kernels.race``. The weights come from ``cubelab.training.race``.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from math import comb
from typing import Any

import numpy as np

from cubelab.engine.archives import arrays_of
from cubelab.engine.bearoff import PIPS_PER_ROLL, load_tables, still_after
from cubelab.engine.cache import cache_folder, load_arrays, save_arrays
from cubelab.engine.race_formulas import pip_count, sides
from cubelab.errors import CubelabError, DataMissing
from cubelab.kernels import bearoff
from cubelab.kernels import race as kernel
from cubelab.kernels.bearoff import CHECKERS, FIRST_OF_15, HOME_POSITIONS, STILL_COLUMNS, BearoffTables
from cubelab.kernels.race import HIDDEN, MOMENTS, RaceTables

WEIGHTS_FILE = "race.npz"
CHECKSUM_FILE = "race.sha256"
TABLES_FILE = "race-v2.tables"  # raise the version whenever the contents change
_SHAPES = {
    "rows": (25, CHECKERS + 1, HIDDEN),
    "bias": (HIDDEN,),
    "output": (MOMENTS, HIDDEN),
    "output_bias": (MOMENTS,),
}

_lock = threading.Lock()
_loaded: RaceTables | None = None


def home_moments(tables: BearoffTables) -> np.ndarray:
    """Mean, variance and third cumulant of the rolls to bear off all, then of those to bear off the first of 15.

    Parameters
    ----------
    tables : BearoffTables

    Returns
    -------
    float32[54264, 6]
        By ``home_index``; the last three are 0 where a checker is off already.
    """
    moments = np.zeros((HOME_POSITIONS, MOMENTS), np.float32)
    moments[:, :3] = _moments(tables.still)
    moments[FIRST_OF_15:, 3:] = _moments(tables.none_off)
    return moments


def _moments(still: np.ndarray) -> np.ndarray:
    """Mean, variance and third cumulant (float32[n, 3]) of the rolls, from the chances to need more than k."""
    still = still.astype(float)
    chances = -np.diff(still, axis=1, append=0.0)  # column k: exactly k + 1 rolls
    mean = still.sum(axis=1)
    distance = np.arange(1, still.shape[1] + 1) - mean[:, None]
    moments = np.stack([mean, (chances * distance**2).sum(axis=1), (chances * distance**3).sum(axis=1)], axis=1)
    return moments.astype(np.float32)


def exact_tables() -> RaceTables:
    """The exact arrays, with weights of zero: where training begins.

    They are kept in the cache folder; otherwise solved now, from the bearoff tables, in one or two seconds.
    """
    path = cache_folder() / TABLES_FILE
    zeros = {name: np.zeros(shape, np.float32) for name, shape in _SHAPES.items()}
    try:
        return RaceTables(**zeros, **load_arrays(path))
    except (DataMissing, OSError, TypeError):
        still = _solve_few()
        exact = {"home_moments": home_moments(load_tables()), "few_still": still, "few_moments": _moments(still)}
        with contextlib.suppress(OSError):  # load_tables has said so already
            save_arrays(path, exact)
        return RaceTables(**zeros, **exact)


def _solve_few() -> np.ndarray:
    """Rows of ``few_still``."""
    counts = np.zeros((kernel.FEW_POSITIONS, 24), np.int8)
    bearoff.all_positions(kernel.FEW_RANK, counts)
    steps = np.zeros((kernel.FEW_POSITIONS, 6, 24), np.int32)
    bearoff.single_steps(kernel.FEW_RANK, counts, steps)
    homes = comb(kernel.BESIDE + 1 + bearoff.POINTS, bearoff.POINTS)
    counts = np.zeros((homes, bearoff.POINTS), np.int8)
    bearoff.all_positions(bearoff.rank_table(bearoff.POINTS, kernel.BESIDE + 1), counts)
    straggling = np.zeros((homes + 18 * kernel.BESIDE_POSITIONS, 6, bearoff.POINTS + 1), np.int32)
    bearoff.straggler_steps(counts, kernel.BESIDE_POSITIONS, straggling)
    return np.concatenate([_solved(steps), _solved(straggling)[homes:]])


def _solved(steps: np.ndarray) -> np.ndarray:
    chances, mean = np.zeros((len(steps), bearoff.MAX_ROLLS)), np.zeros(len(steps))
    chances[0, 0] = 1.0
    bearoff.one_sided(steps, 1, len(steps), chances, mean, np.zeros((0, bearoff.MAX_FIRST_ROLLS)), np.zeros(0))
    return still_after(chances, STILL_COLUMNS)


def load_race() -> RaceTables:
    """The race evaluator's arrays: shipped weights, verified, and the exact tables.

    Raises
    ------
    DataMissing
        The weights are missing or damaged.
    """
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = exact_tables()._replace(**_read_weights())
        return _loaded


def _read_weights() -> dict[str, np.ndarray]:
    folder = files("cubelab.engine") / "weights"
    try:
        data = (folder / WEIGHTS_FILE).read_bytes()
        expected = (folder / CHECKSUM_FILE).read_text().split()[0]
        if hashlib.sha256(data).hexdigest() != expected:
            raise ValueError("checksum")
        read = arrays_of(data)
        arrays = {name: np.ascontiguousarray(read[name], np.float32) for name in _SHAPES}
        if any(arrays[name].shape != shape for name, shape in _SHAPES.items()):
            raise ValueError("shape")
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise DataMissing(
            f"the race weights {WEIGHTS_FILE} are missing or damaged ({error}); reinstall cubelab"
        ) from error
    return arrays


@dataclass(frozen=True, slots=True)
class RaceSide:
    """One side of a race on its own.

    Attributes
    ----------
    pips : int
    mean_rolls, sd_rolls : float
        Mean and standard deviation of the rolls to bear off all.
    epc : float
        Effective pip count: ``mean_rolls`` at 49/6 pips a roll.
    wastage : float
        ``epc - pips``.
    """

    pips: int
    mean_rolls: float
    sd_rolls: float
    epc: float
    wastage: float


@dataclass(frozen=True, slots=True)
class RaceValues:
    """A race for the mover, about to roll.

    Attributes
    ----------
    exclusive : tuple of float
        Win, win gammon, win backgammon, lose, lose gammon, lose backgammon.
    mover_side, opponent_side : RaceSide
    """

    exclusive: tuple[float, float, float, float, float, float]
    mover_side: RaceSide
    opponent_side: RaceSide

    @property
    def win(self) -> float:
        """Chance to win, gammons included."""
        return sum(self.exclusive[:3])


def race_values(position: Any) -> RaceValues:
    """Chances and effective pip counts of a position without contact.

    Parameters
    ----------
    position : Position or sequence of 26 int
        The mover about to roll.

    Raises
    ------
    CubelabError
        There is contact, a checker on the bar, or the game is over.
    """
    from .neural import evaluate_positions  # needs the race evaluator itself

    mover, opponent = sides(position)
    board = np.asarray(getattr(position, "board", position), np.int8)
    win, gammon, backgammon, lose, lose_gammon, lose_backgammon = (float(p) for p in evaluate_positions(board[None])[0])
    race = load_race()
    return RaceValues(
        (win, gammon, backgammon, lose, lose_gammon, lose_backgammon), _side(race, mover), _side(race, opponent)
    )


def _side(race: RaceTables, side: Sequence[int]) -> RaceSide:
    moments = np.zeros(MOMENTS)
    counts = np.array([0, *side], np.int8)
    kernel.side_moments(race, counts, np.zeros(HIDDEN, np.float32), moments)
    pips, mean = pip_count(side), float(moments[0])
    return RaceSide(
        pips, mean, math.sqrt(max(float(moments[1]), 0.0)), mean * PIPS_PER_ROLL, mean * PIPS_PER_ROLL - pips
    )


def simulated_rolls(side: Sequence[int], trials: int = 200, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Chance that a side needs more than k rolls: exact where known, else simulated, slowly but without bias.

    Every trial rolls home by the plays with the lowest mean number of rolls, each roll's luck is taken out by looking
    ahead over all 21, and at home the exact tables take over; 200 trials have a standard error of about 0.0006.

    Parameters
    ----------
    side : sequence of 24 int
        Checkers on the side's own points 1 to 24, at most 15.
    trials, seed : int

    Returns
    -------
    still, standard_error : float64[24]
        Index k: more than k rolls.

    Raises
    ------
    CubelabError
        The side has none or too many checkers.
    """
    counts = np.asarray(side)
    if counts.shape != (24,) or counts.dtype.kind not in "iu" or (counts < 0).any() or not 0 < counts.sum() <= CHECKERS:
        raise CubelabError(f"{side!r} is not a side: 24 counts (own points 1 to 24) of 1 to 15 checkers together")
    race, start = load_race(), np.array([0, *counts], np.int8)
    kind, index = kernel.exact_row(start)
    if kind >= 0:
        still = load_tables().still[index] if kind == 0 else race.few_still[index]
        return still.astype(float), np.zeros(STILL_COLUMNS)
    from cubelab.kernels.race_lines import simulate_still

    total, square = np.zeros((2, STILL_COLUMNS))
    simulate_still(race, load_tables(), start, trials, np.random.default_rng(seed), total, square)
    mean = total / trials
    return mean, np.sqrt(np.maximum(square / trials - mean**2, 0) / trials)
