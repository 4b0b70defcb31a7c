"""Exact bearoff: the tables (built on first use, kept in the cache folder) and what they say about a position.

The tables are solved by ``cubelab.kernels.bearoff`` in about a second and depend on nothing but the rules.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from cubelab.engine.cache import cache_folder, load_arrays, save_arrays
from cubelab.errors import DataMissing
from cubelab.kernels import bearoff as kernel
from cubelab.kernels.bearoff import BearoffTables

FILE_NAME = "bearoff-v1.tables"  # raise the version whenever the contents change
PIPS_PER_ROLL = 49 / 6  # mean pips of a roll, doubles counted four times

Progress = Callable[[float, str], None]

_lock = threading.Lock()
_loaded: BearoffTables | None = None


def load_tables(progress: Progress | None = None) -> BearoffTables:
    """The bearoff tables: from memory, the cache folder, or built now (and then kept there).

    A damaged file is rebuilt, a folder that cannot be written does no harm (the tables are then built in each process);
    both are said in one sentence. Safe in several threads and processes at once.

    Parameters
    ----------
    progress : callable, optional
        Called with the fraction done and a text while tables are built, and with sentences about the cache; without it
        the sentences go to stderr.

    Returns
    -------
    BearoffTables
        Shared by all callers of this process: read only by convention.
    """
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = _load_or_build(progress)
        return _loaded


def _load_or_build(progress: Progress | None) -> BearoffTables:
    path = cache_folder() / FILE_NAME
    try:
        return BearoffTables(**load_arrays(path))
    except FileNotFoundError:
        pass
    except (DataMissing, OSError, TypeError) as error:
        _say(progress, 0.0, f"The bearoff tables are built again: {error}.")
    tables = build_tables(progress)
    try:
        save_arrays(path, tables._asdict())
    except OSError as error:
        _say(progress, 1.0, f"The bearoff tables cannot be kept for the next time: {error}.")
    return tables


def _say(progress: Progress | None, fraction: float, sentence: str) -> None:
    if progress is None:
        print(sentence, file=sys.stderr)
    else:
        progress(fraction, sentence)


def build_tables(progress: Progress | None = None) -> BearoffTables:
    """Solve all bearoffs from nothing.

    Parameters
    ----------
    progress : callable, optional
        Called with the fraction done and a text.
    """

    def report(fraction: float) -> None:
        if progress is not None:
            progress(fraction, "Building the bearoff tables")

    report(0.0)
    counts = np.zeros((kernel.HOME_POSITIONS, kernel.POINTS), np.int8)
    kernel.home_positions(counts)
    steps = np.zeros((kernel.HOME_POSITIONS, 6, kernel.POINTS), np.int32)
    kernel.single_steps(counts, steps)

    chances = np.zeros((kernel.HOME_POSITIONS, kernel.MAX_ROLLS))
    chances[0, 0] = 1.0
    first_chances = np.zeros((kernel.HOME_POSITIONS, kernel.MAX_FIRST_ROLLS))
    first_chances[: kernel.FIRST_OF_15, 0] = 1.0
    mean_rolls = np.zeros(kernel.HOME_POSITIONS)
    first_mean = np.zeros(kernel.HOME_POSITIONS)
    blocks = np.linspace(1, kernel.HOME_POSITIONS, 11).astype(int)
    for n, (begin, end) in enumerate(pairwise(blocks)):
        kernel.one_sided(steps, begin, end, chances, mean_rolls, first_chances, first_mean)
        report(0.1 + 0.06 * n)

    starts = np.zeros(kernel.TWO_SIDED_POSITIONS * 36 + 1, np.int32)
    entries = kernel.successor_lists(steps, starts)
    values = np.zeros((kernel.TWO_SIDED_POSITIONS**2, 4), np.float32)
    afters = np.zeros((kernel.TWO_SIDED_POSITIONS, kernel.TWO_SIDED_POSITIONS, 4))
    afters[:, 0] = 1.0
    blocks = np.linspace(1, kernel.TWO_SIDED_POSITIONS, 6).astype(int)
    for n, (begin, end) in enumerate(pairwise(blocks)):
        kernel.two_sided(starts, entries, begin, end, values, afters)
        report(0.7 + 0.06 * n)

    still = np.ascontiguousarray(_still_after(chances)[:, : kernel.STILL_COLUMNS])
    none_off = np.ascontiguousarray(_still_after(first_chances[kernel.FIRST_OF_15 :])[:, : kernel.NONE_OFF_COLUMNS])
    report(1.0)
    return BearoffTables(
        still=still,
        fastest=np.argmax(chances > 0, axis=1).astype(np.uint8),
        slowest=np.count_nonzero(still, axis=1).astype(np.uint8),
        none_off=none_off,
        mean_rolls=mean_rolls.astype(np.float32),
        two_sided=values,
    )


def _still_after(chances: np.ndarray) -> np.ndarray:
    """Chance of needing more than k rolls (float32, less than 1e-9 is none), from the chances of exactly k rolls."""
    exceeds = np.zeros(chances.shape)
    exceeds[:, :-1] = np.cumsum(chances[:, :0:-1], axis=1)[:, ::-1]
    exceeds[exceeds < 1e-9] = 0.0
    return exceeds.astype(np.float32)
