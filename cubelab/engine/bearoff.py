"""Exact bearoff: the tables (built on first use, kept in the cache folder) and what they say about a position.

The tables are solved by ``cubelab.kernels.bearoff`` in about a second and depend on nothing but the rules.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from cubelab.engine.cache import cache_folder, load_arrays, save_arrays
from cubelab.errors import CubelabError, DataMissing
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
    kernel.all_positions(kernel.HOME_RANK, counts)
    steps = np.zeros((kernel.HOME_POSITIONS, 6, kernel.POINTS), np.int32)
    kernel.single_steps(kernel.HOME_RANK, counts, steps)

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

    still = still_after(chances, kernel.STILL_COLUMNS)
    none_off = still_after(first_chances[kernel.FIRST_OF_15 :], kernel.NONE_OFF_COLUMNS)
    report(1.0)
    return BearoffTables(
        still=still,
        fastest=np.argmax(chances > 0, axis=1).astype(np.uint8),
        slowest=np.count_nonzero(still, axis=1).astype(np.uint8),
        none_off=none_off,
        mean_rolls=mean_rolls.astype(np.float32),
        two_sided=values,
    )


def still_after(chances: np.ndarray, columns: int) -> np.ndarray:
    """Chance of needing more than k rolls (less than 1e-9 is none), from the chances of exactly k rolls.

    Parameters
    ----------
    chances : float64[n, rolls]
    columns : int
        How many to keep.

    Returns
    -------
    float32[n, columns]
    """
    exceeds = np.zeros(chances.shape)
    exceeds[:, :-1] = np.cumsum(chances[:, :0:-1], axis=1)[:, ::-1]
    exceeds[exceeds < 1e-9] = 0.0
    return np.ascontiguousarray(exceeds[:, :columns], np.float32)


@dataclass(frozen=True, slots=True)
class BearoffSide:
    """One side of a bearoff on its own.

    Attributes
    ----------
    checkers, pips : int
        Left to bear off.
    mean_rolls : float
        Rolls to bear off all, on average, played for the fewest.
    epc : float
        Effective pip count, in pips: ``mean_rolls`` at 49/6 pips a roll (Walter Trice, *Backgammon Boot Camp*, 2004).
    wastage : float
        ``epc - pips``.
    roll_chances : tuple of float
        Chance to be off with exactly the first, second, … roll; sums to 1.
    """

    checkers: int
    pips: int
    mean_rolls: float
    epc: float
    wastage: float
    roll_chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BearoffValues:
    """A bearoff for the mover, about to roll. Equities are per current cube, money without Jacoby.

    Attributes
    ----------
    exact : bool
        Whether both sides have at most 6 checkers: then everything is exact under perfect play. Otherwise chances come
        from the two sides' own roll distributions, and the cubeful equities are None.
    win, win_gammon, lose_gammon : float
        Cumulative chances (win includes gammons). There are no backgammons.
    cubeless : float
        Equity without a cube.
    owned, centred, opponent : float or None
        Equity before doubling (no double) with the cube on the mover's side, centred, on the opponent's side; best play
        and best cube action afterwards.
    double_take : float or None
        Equity after double and take (centred cube or the mover's). A pass is worth 1.
    mover_side, opponent_side : BearoffSide
    """

    exact: bool
    win: float
    win_gammon: float
    lose_gammon: float
    cubeless: float
    owned: float | None
    centred: float | None
    opponent: float | None
    double_take: float | None
    mover_side: BearoffSide
    opponent_side: BearoffSide


def exact_values(position: Any, tables: BearoffTables | None = None) -> BearoffValues:
    """What the bearoff tables know about a position.

    Parameters
    ----------
    position : Position or sequence of 26 int
        The mover about to roll; a board as in the interface document, or anything with such a ``board``.
    tables : BearoffTables, optional
        Default: ``load_tables()``.

    Raises
    ------
    CubelabError
        A side has a checker outside its home, or none left; says which and where.
    """
    board = bearoff_board(position)
    tables = load_tables() if tables is None else tables
    out = np.zeros(6)
    kernel.bearoff_probabilities(tables, board, out)
    row = int(kernel.two_sided_row(tables, board))
    owned = centred = opponent = None
    if row >= 0:
        owned, centred, opponent = (float(value) for value in tables.two_sided[row, 1:])
    mover_index, opponent_index = kernel.home_indices(board)
    return BearoffValues(
        exact=row >= 0,
        win=float(out[0] + out[1]),
        win_gammon=float(out[1]),
        lose_gammon=float(out[4]),
        cubeless=float(out[0] + 2 * out[1] - out[3] - 2 * out[4]),
        owned=owned,
        centred=centred,
        opponent=opponent,
        double_take=None if opponent is None else 2 * opponent,
        mover_side=_side(tables, mover_index, board[1:7]),
        opponent_side=_side(tables, opponent_index, -board[24:18:-1]),
    )


def home_side(counts: Any, tables: BearoffTables | None = None) -> BearoffSide:
    """One side alone: mean rolls, effective pip count and roll distribution.

    Parameters
    ----------
    counts : sequence of 6 int
        Checkers on points 1 to 6, at least 1 and at most 15 together.
    tables : BearoffTables, optional

    Raises
    ------
    CubelabError
        These are not 1 to 15 checkers on six points.
    """
    row = np.asarray(counts)
    if row.shape != (6,) or row.dtype.kind not in "iu" or (row < 0).any() or not 1 <= row.sum() <= kernel.CHECKERS:
        raise CubelabError(
            f"{counts!r} is not a home position: six counts (points 1 to 6) of 1 to 15 checkers together"
        )
    return _side(load_tables() if tables is None else tables, kernel.home_index(row.astype(np.int64)), row)


def _side(tables: BearoffTables, index: int, counts: np.ndarray) -> BearoffSide:
    pips = int(counts.astype(int) @ np.arange(1, 7))
    mean_rolls = float(tables.mean_rolls[index])
    still = tables.still[index, : int(tables.slowest[index]) + 1].astype(float)
    epc = mean_rolls * PIPS_PER_ROLL
    chances = tuple(float(chance) for chance in still[:-1] - still[1:])
    return BearoffSide(int(counts.sum()), pips, mean_rolls, epc, epc - pips, chances)


def bearoff_board(position: Any) -> np.ndarray:
    """The board of a position that the tables know, checked.

    Parameters
    ----------
    position : Position or sequence of 26 int

    Returns
    -------
    int8[26]

    Raises
    ------
    CubelabError
        It is not 26 counts of at most 15 checkers a side, a side has a checker outside its home or none left.
    """
    board = np.asarray(getattr(position, "board", position))
    if board.shape != (26,) or board.dtype.kind not in "iu":
        raise CubelabError(f"a board is 26 whole numbers (bar, points 1 to 24, bar), not {position!r}")
    for name, counts in (("the mover", np.maximum(board, 0)), ("the opponent", np.maximum(-board[::-1], 0))):
        left = int(counts.sum())
        if left == 0:
            raise CubelabError(f"{name} has no checkers left: the game is over")
        if left > kernel.CHECKERS:
            raise CubelabError(f"{name} has {left} checkers; a side has at most {kernel.CHECKERS}")
        farthest = int(np.flatnonzero(counts)[-1])
        if farthest > 6:
            place = "the bar" if farthest == 25 else f"point {farthest}"
            raise CubelabError(
                f"{name} has a checker on {place}; "
                "the bearoff tables need all checkers of both sides at home (points 1 to 6)"
            )
    return board.astype(np.int8)
