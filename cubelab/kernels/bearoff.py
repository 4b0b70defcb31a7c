"""Exact bearoff: one-sided distributions for 15 checkers, two-sided cubeful values for 6 a side.

A *home position* is six counts (points 1 to 6) of at most 15 checkers. Its index is the rank of its partial
sums from the high point down in the combinatorial number system: ``sum over k of C(S_k + k - 1, k)`` with ``S_k``
the checkers on points ``7 - k`` and above. Every play lowers each partial sum or leaves it, so the index falls
with every play and one ascending pass solves everything; and since the last sum is the number of checkers, the
positions with at most 6 checkers are simply the first 924 indices. Index 0 is "all borne off".

Without contact every number can be played as long as a checker is left, so a roll is both dice in either order.
The same index and the same passes also solve few checkers on all 24 points (``race``): a *rank table* has a row for
each point, from the high one down, and a column for each number of checkers; and home positions with a straggler.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit

from .vectors import board_masks

POINTS = 6
#: Masks of the mover's home and of the opponent's, bit p = place p of a board.
_HOME, _OTHER_HOME = 0x7E, 0x1F80000
CHECKERS = 15
HOME_POSITIONS = 54264  # C(15 + 6, 6)
FIRST_OF_15 = 38760  # C(14 + 6, 6): from here on all 15 checkers are left
TWO_SIDED_CHECKERS = 6
TWO_SIDED_POSITIONS = 924  # C(6 + 6, 6)
MAX_ROLLS = 31  # 15 checkers on the 6 point and nothing but 2-1: 90 pips in 30 rolls, plus column 0
MAX_FIRST_ROLLS = 20
STILL_COLUMNS, NONE_OFF_COLUMNS = 24, 10  # kept in the tables; beyond them nothing is as likely as 1e-9
CUBELESS, OWNED, CENTRED, OPPONENT = 0, 1, 2, 3
MAX_SUCCESSORS = 256


def rank_table(points, checkers):
    """int64[points, checkers + 1]: C(s + k, k + 1), what a partial sum s adds to the index in place k."""
    return np.array([[comb(s + k, k + 1) for s in range(checkers + 1)] for k in range(points)], dtype=np.int64)


HOME_RANK = rank_table(POINTS, CHECKERS)


class BearoffTables(NamedTuple):
    """Arrays the kernels read; indices are those of ``home_index``.

    Attributes
    ----------
    still : float32[54264, 24]
        ``still[i, k]`` = chance that position i needs more than k rolls, played for the fewest rolls on average.
    fastest, slowest : uint8[54264]
        Fewest rolls that can do, and the most that have any chance worth keeping: ``still[i, slowest[i]]`` is 0.
    none_off : float32[15504, 10]
        ``none_off[i - 38760, k]`` = chance that position i, all 15 checkers left, has borne off none after k
        rolls, played for the fewest rolls on average to bear off the first (which saves the gammon).
    mean_rolls : float32[54264]
        Mean number of rolls to bear off all.
    two_sided : float32[924 * 924, 4]
        Row ``mover * 924 + opponent``: equity per current cube of the side about to roll, money without Jacoby,
        before any doubling by it now (no double): cubeless, cube owned, centred, the opponent's.
    """

    still: np.ndarray
    fastest: np.ndarray
    slowest: np.ndarray
    none_off: np.ndarray
    mean_rolls: np.ndarray
    two_sided: np.ndarray


@njit(cache=True)
def home_index(counts):
    """Index of a home position from its six counts (points 1 to 6)."""
    total = 0
    index = 0
    for k in range(POINTS):
        total += counts[POINTS - 1 - k]
        index += HOME_RANK[k, total]
    return index


@njit(cache=True)
def position_index(counts, rank):
    """Index of a position by a rank table; counts from point 1 up."""
    total = 0
    index = 0
    points = rank.shape[0]
    for k in range(points):
        total += counts[points - 1 - k]
        index += rank[k, total]
    return index


@njit(cache=True)
def all_positions(rank, counts):
    """Fill int8[n, points] with the counts of every position of a rank table."""
    points, checkers = rank.shape[0], rank.shape[1] - 1
    row = np.zeros(points, np.int64)
    while True:
        counts[position_index(row, rank)] = row
        point = 0
        while row.sum() == checkers:  # odometer with a bounded sum
            row[point] = 0
            point += 1
            if point == points:
                return
        row[point] += 1


@njit(cache=True)
def single_steps(rank, counts, steps):
    """Fill int32[n, 6, points] (die - 1, point - 1) with the index after one checker's move, -1 where illegal.

    ``counts`` are those of ``all_positions``.
    """
    points = rank.shape[0]
    row = np.zeros(points, np.int64)
    for index in range(counts.shape[0]):
        row[:] = counts[index]
        highest = points
        while highest > 0 and row[highest - 1] == 0:
            highest -= 1
        for die in range(1, 7):
            for point in range(1, points + 1):
                steps[index, die - 1, point - 1] = -1
                if row[point - 1] == 0 or (point <= die and highest > 6) or (point < die and point != highest):
                    continue
                row[point - 1] -= 1
                if point > die:
                    row[point - die - 1] += 1
                steps[index, die - 1, point - 1] = position_index(row, rank)
                if point > die:
                    row[point - die - 1] -= 1
                row[point - 1] += 1


@njit(cache=True)
def straggler_steps(counts, beside, steps):
    """`single_steps` of home positions and of those with one checker more, outside.

    Parameters
    ----------
    counts : int8[n, 6]
        Home positions, by ``home_index``.
    beside : int
        Before the first ``beside`` of them stands a straggler on point 7 to 24.
    steps : int32[n + 18 * beside, 6, 7], filled
        The home positions, then those with the straggler on the 7 point, on the 8 point …; sources are points 1 to 6
        and the straggler.
    """
    homes, row = counts.shape[0], np.zeros(POINTS, np.int64)
    single_steps(HOME_RANK, counts, steps[:homes, :, :POINTS])
    steps[:homes, :, POINTS] = -1
    for straggler in range(7, 25):
        begin = homes + (straggler - 7) * beside
        for home in range(beside):
            row[:] = counts[home]
            for die in range(1, 7):
                for point in range(1, POINTS + 1):
                    steps[begin + home, die - 1, point - 1] = -1
                    if row[point - 1] > 0 and point > die:
                        row[point - 1] -= 1
                        row[point - die - 1] += 1
                        steps[begin + home, die - 1, point - 1] = begin + home_index(row)
                        row[point - die - 1] -= 1
                        row[point - 1] += 1
                if straggler - die > POINTS:
                    steps[begin + home, die - 1, POINTS] = begin - die * beside + home
                else:
                    row[straggler - die - 1] += 1
                    steps[begin + home, die - 1, POINTS] = home_index(row)
                    row[straggler - die - 1] -= 1


@njit(cache=True)
def _play_die(steps, die, sources, count, results, found):
    """Append to results[:found] what ``die`` (0 to 5) makes of each source, each index once; the new count."""
    for at in range(count):
        for point in range(steps.shape[2]):
            result = steps[sources[at], die, point]
            if sources[at] == 0:
                result = 0
            elif result < 0:
                continue
            known = False
            for other in range(found):
                if results[other] == result:
                    known = True
                    break
            if not known:
                results[found] = result
                found += 1
    return found


@njit(cache=True)
def successors(steps, index, die1, die2, results, halfway):
    """Distinct results of a roll.

    Parameters
    ----------
    steps : int32[n, 6, points]
        From ``single_steps``.
    index : int
    die1, die2 : int
        Dice from 0 to 5.
    results, halfway : int32[MAX_SUCCESSORS]
        Results are left in ``results``; ``halfway`` is scratch.

    Returns
    -------
    int
        How many results.
    """
    halfway[0] = index
    if die1 == die2:
        found = _play_die(steps, die1, halfway, 1, results, 0)
        found = _play_die(steps, die1, results, found, halfway, 0)
        found = _play_die(steps, die1, halfway, found, results, 0)
        halfway[:found] = results[:found]
        return _play_die(steps, die1, halfway, found, results, 0)
    found = 0
    for order in range(2):
        first, second = (die1, die2) if order == 0 else (die2, die1)
        halfway[0] = index
        middle = _play_die(steps, first, halfway, 1, halfway, 1)
        found = _play_die(steps, second, halfway[1:], middle - 1, results, found)
    return found


@njit(cache=True)
def one_sided(steps, begin, end, chances, mean_rolls, first_chances, first_mean):
    """Solve the positions begin..end (in ascending order, all before begin solved; begin >= 1).

    Parameters
    ----------
    steps : int32[n, 6, points]
    chances : float64[n, MAX_ROLLS]
        Chance to bear off in exactly k rolls under the play with the fewest rolls on average; row 0 must be given.
    mean_rolls : float64[n]
    first_chances : float64[n, MAX_FIRST_ROLLS]
        Chance to bear off the *first of 15* with exactly roll k, for indices of home positions; the rows below 38760
        must say 0 rolls.
    first_mean : float64[n]
        Both empty where nobody asks for them.
    """
    results = np.zeros(MAX_SUCCESSORS, np.int32)
    halfway = np.zeros(MAX_SUCCESSORS, np.int32)
    for index in range(begin, end):
        for die1 in range(6):
            for die2 in range(die1 + 1):
                weight = (1.0 if die1 == die2 else 2.0) / 36.0
                found = successors(steps, index, die1, die2, results, halfway)
                best = results[0]
                for at in range(1, found):
                    if mean_rolls[results[at]] < mean_rolls[best]:
                        best = results[at]
                for k in range(1, MAX_ROLLS):
                    chances[index, k] += weight * chances[best, k - 1]
                mean_rolls[index] += weight * (1.0 + mean_rolls[best])
                if index < FIRST_OF_15 or index >= first_mean.shape[0]:
                    continue
                best = results[0]
                for at in range(1, found):
                    if first_mean[results[at]] < first_mean[best]:
                        best = results[at]
                for k in range(1, MAX_FIRST_ROLLS):
                    first_chances[index, k] += weight * first_chances[best, k - 1]
                first_mean[index] += weight * (1.0 + first_mean[best])


@njit(cache=True)
def successor_lists(steps, starts):
    """Results of every roll from every position of the two-sided table.

    Parameters
    ----------
    steps : int32[n, 6, 6]
    starts : int32[924 * 36 + 1]
        Filled: the results of dice (d1, d2), 0 to 5 with d2 <= d1, from ``index`` are entries ``starts[r]`` to
        ``starts[r + 1]`` of the returned list, ``r = 36 * index + 6 * d1 + d2``.

    Returns
    -------
    int32[:]
    """
    results = np.zeros(MAX_SUCCESSORS, np.int32)
    halfway = np.zeros(MAX_SUCCESSORS, np.int32)
    entries = np.zeros(TWO_SIDED_POSITIONS * 21 * 24, np.int32)
    end = 0
    for roll in range(TWO_SIDED_POSITIONS * 36):
        starts[roll] = end
        index, die1, die2 = roll // 36, roll // 6 % 6, roll % 6
        if index == 0 or die2 > die1:
            continue
        found = successors(steps, index, die1, die2, results, halfway)
        entries[end : end + found] = results[:found]
        end += found
    starts[TWO_SIDED_POSITIONS * 36] = end
    return entries[:end].copy()


@njit(cache=True)
def _solve_pair(starts, entries, mover, opponent, values, afters):
    cubeless, owned, centred, theirs = 0.0, 0.0, 0.0, 0.0
    for die1 in range(6):
        for die2 in range(die1 + 1):
            roll = 36 * mover + 6 * die1 + die2
            best0, best1, best2, best3 = -9.0, -9.0, -9.0, -9.0
            for at in range(starts[roll], starts[roll + 1]):
                after = afters[opponent, entries[at]]
                best0 = max(best0, after[CUBELESS])
                best1 = max(best1, after[OWNED])
                best2 = max(best2, after[CENTRED])
                best3 = max(best3, after[OPPONENT])
            weight = (1.0 if die1 == die2 else 2.0) / 36.0
            cubeless += weight * best0
            owned += weight * best1
            centred += weight * best2
            theirs += weight * best3
    row = values[mover * TWO_SIDED_POSITIONS + opponent]
    row[CUBELESS], row[OWNED], row[CENTRED], row[OPPONENT] = cubeless, owned, centred, theirs
    # the same for the opponent, who has just played and whose cube states read the other way round
    double = min(2.0 * theirs, 1.0)
    after = afters[mover, opponent]
    after[CUBELESS] = -cubeless
    after[OWNED] = -theirs
    after[CENTRED] = -max(centred, double)
    after[OPPONENT] = -max(owned, double)


@njit(cache=True)
def two_sided(starts, entries, begin, end, values, afters):
    """Solve all pairs whose lower index is in begin..end (all pairs with a lower index below begin solved; begin >= 1).

    Money without Jacoby; no gammons, since both sides have borne off checkers; play and cube are perfect for each state
    of the cube on its own. With E the value before doubling of the side to roll, it is worth ``max(E, min(2 T, 1))``
    where it may turn the cube (T its value with the cube on the other side), E where it may not.

    Parameters
    ----------
    starts, entries : int32[:]
        From ``successor_lists``.
    values : float32[924 * 924, 4]
        See `BearoffTables`.
    afters : float64[924, 924, 4]
        Scratch kept between calls: [side to roll, side that has just played], the value to the latter. Column 0, the
        latter has borne off, must be 1.
    """
    for lower in range(begin, end):
        for other in range(lower, TWO_SIDED_POSITIONS):
            _solve_pair(starts, entries, lower, other, values, afters)
            if other != lower:
                _solve_pair(starts, entries, other, lower, values, afters)


@njit(cache=True, _nrt=False)
def is_bearoff(board):
    """Whether both sides have all checkers left at home (so that no contact is possible).

    Parameters
    ----------
    board : int8[26]
    """
    mover, _, opponent, _ = board_masks(board)
    return mover & ~_HOME == 0 and opponent & ~_OTHER_HOME == 0


@njit(cache=True, _nrt=False)
def home_indices(board):
    """Indices (mover, opponent) of the two home positions of a bearoff board."""
    mover, opponent, mine, theirs = 0, 0, 0, 0
    for k in range(POINTS):
        mine += board[POINTS - k]
        theirs -= board[19 + k]
        mover += HOME_RANK[k, mine]
        opponent += HOME_RANK[k, theirs]
    return mover, opponent


@njit(cache=True, _nrt=False)
def two_sided_row(tables, board):
    """Row of ``tables.two_sided`` for the side about to roll, -1 where a side has more than 6 checkers left.

    Parameters
    ----------
    tables : BearoffTables
    board : int8[26]
        A bearoff board (``is_bearoff``), the mover about to roll, no side finished.
    """
    mover, opponent = home_indices(board)
    if mover >= TWO_SIDED_POSITIONS or opponent >= TWO_SIDED_POSITIONS:
        return -1
    return mover * TWO_SIDED_POSITIONS + opponent


@njit(cache=True, _nrt=False)
def _gammon_chance(tables, winner, loser, lead):
    """Chance that ``winner`` is off before ``loser``, all 15 left, has one off; ``lead`` = 1: the loser rolls first."""
    winner_still, loser_none = tables.still[winner], tables.none_off[loser - FIRST_OF_15]
    chance = 0.0
    for k in range(np.int64(tables.fastest[winner]), NONE_OFF_COLUMNS + 1 - lead):
        ends_now = np.float64(winner_still[k - 1]) - np.float64(winner_still[k])
        chance += ends_now * np.float64(loser_none[k - 1 + lead])
    return chance


@njit(cache=True, _nrt=False)
def bearoff_probabilities(tables, board, out):
    """Six exclusive probabilities of a bearoff for the player about to roll.

    Exact with at most 6 checkers a side. Otherwise both sides play for the fewest rolls on average, whatever the
    other has (which costs some thousandths at most), but for the gammon where it has 15 left. No backgammons.

    Parameters
    ----------
    tables : BearoffTables
    board : int8[26]
        A bearoff board (``is_bearoff``), no side finished.
    out : float32[6] or float64[6]
        Filled.
    """
    mover, opponent = home_indices(board)
    assert 0 < mover < HOME_POSITIONS
    assert 0 < opponent < HOME_POSITIONS
    win, win_gammon, lose_gammon = 0.0, 0.0, 0.0
    if mover < TWO_SIDED_POSITIONS and opponent < TWO_SIDED_POSITIONS:
        row = mover * TWO_SIDED_POSITIONS + opponent
        win += 0.5 + 0.5 * tables.two_sided[row, CUBELESS]
    else:
        mine, theirs = tables.still[mover], tables.still[opponent]
        fastest = np.int64(tables.fastest[mover])
        slowest = np.int64(min(tables.slowest[mover], STILL_COLUMNS - 1))
        before = np.float64(mine[fastest - 1])
        for k in range(fastest, slowest + 1):  # off with roll k, while the opponent needs more than k - 1
            now = np.float64(mine[k])
            win += (before - now) * np.float64(theirs[k - 1])
            before = now
    if opponent >= FIRST_OF_15:
        win_gammon = _gammon_chance(tables, mover, opponent, 0)
    if mover >= FIRST_OF_15:
        lose_gammon = _gammon_chance(tables, opponent, mover, 1)
    out[0] = max(win - win_gammon, 0.0)
    out[1] = win_gammon
    out[2] = 0.0
    out[3] = max(1.0 - win - lose_gammon, 0.0)
    out[4] = lose_gammon
    out[5] = 0.0
