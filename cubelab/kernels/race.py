"""Long races from one-sided moments: each side's number of rolls on its own, then one closed formula for the chance.

Without contact the sides do not touch each other, so a race is two independent random numbers: the rolls each side
needs to bear off all (or, to save the gammon, the first) of its checkers. Their mean, variance and third cumulant are

- exact with all checkers at home, with at most 4 anywhere, and with at most 9 at home and one straggler outside;
- else those of a similar home position (checkers outside put on points 6, 5, 4 where fewest stand) further back by the
  pips left out, plus a small network's correction, which is some hundredths of a roll. On 300 races of self-play,
  against simulated one-sided distributions (``simulated_rolls`` in ``cubelab.engine.race``), the winning chance is then
  off by 0.0027, on others in which both sides need nine rolls or more by 0.0023, seven to nine by 0.007, root mean
  square; most where a home is crunched.

The difference of two such integers is summed by an Edgeworth series to the third cumulant (Kendall & Stuart, *The
Advanced Theory of Statistics*, vol. 1, ch. 6) with Sheppard's correction, which on exactly known home positions is off
by 0.001 (root mean square). Where a side is exact, so is its whole distribution, and the sum is taken over that.

The moments of the first checker only tell whether gammons are possible: so few rolls are no bell curve, and the network
for races (``network``) is better at them (0.02 against 0.05, root mean square, where gammons are in doubt).
"""

from __future__ import annotations

from math import erfc, exp, sqrt
from typing import NamedTuple

import numpy as np
from numba import njit

from .bearoff import CHECKERS, HOME_RANK, POINTS, STILL_COLUMNS, home_index, rank_table

HIDDEN = 128
MOMENTS = 6  # mean, variance, third cumulant of the rolls to bear off all; the same for the first of 15
PIPS_PER_ROLL = 49.0 / 6.0
VARIANCE_PER_ROLL = 0.26  # what each roll more adds to the variance of the number of rolls
FEW = 4
FEW_POSITIONS = 20475  # C(24 + 4, 4)
FEW_RANK = rank_table(24, FEW)
BESIDE = 9  # checkers at home beside a straggler, at most
BESIDE_POSITIONS = 5005  # C(9 + 6, 6)


class RaceTables(NamedTuple):
    """Arrays of the race evaluator.

    Attributes
    ----------
    rows : float32[25, 16, 128]
        What ``count`` checkers on a point (1 to 24) add to the hidden layer; zero for no checkers.
    bias : float32[128]
    output : float32[6, 128]
    output_bias : float32[6]
    home_moments : float32[54264, 6]
        Exact moments where all checkers are home, by ``home_index``.
    few_still : float32[110565, 24]
        Exact chance to need more than k rolls: of at most 4 checkers anywhere, by ``position_index`` with ``FEW_RANK``;
        then of at most 9 at home (by ``home_index``) beside a straggler on point 7, on point 8 …
    few_moments : float32[110565, 3]
    """

    rows: np.ndarray
    bias: np.ndarray
    output: np.ndarray
    output_bias: np.ndarray
    home_moments: np.ndarray
    few_still: np.ndarray
    few_moments: np.ndarray


@njit(cache=True, fastmath={"contract", "reassoc", "nsz"}, _nrt=False)
def rectified_dot(weights, hidden):
    """Sum of weights times the positive part of the hidden layer (in any order, so that it vectorises)."""
    total = np.float32(0.0)
    for j in range(HIDDEN):
        total += weights[j] * max(hidden[j], np.float32(0.0))
    return total


@njit(cache=True, _nrt=False)
def similar_home(counts):
    """The home position like a side's: checkers outside put on points 6, 5, 4, each where fewest stand.

    (Two more may stand on the 6 and one more on the 5 point: the best of some such rules tried, with a standard
    deviation of 0.05 rolls from the truth before the network's correction.)

    Parameters
    ----------
    counts : int8[25]
        A side's checkers by its own points.

    Returns
    -------
    index, nearer : int
        Its ``home_index``, and the pips by which it is nearer.
    """
    nearer, outside = 0, 0
    for point in range(7, 25):
        outside += counts[point]
        nearer += point * counts[point]
    six, five, four = np.int64(counts[6]), np.int64(counts[5]), np.int64(counts[4])
    for _ in range(outside):
        if four < min(six - 2, five - 1):
            four += 1
            nearer -= 4
        elif five - 1 < six - 2:
            five += 1
            nearer -= 5
        else:
            six += 1
            nearer -= 6
    above = six
    index = HOME_RANK[0, above]
    above += five
    index += HOME_RANK[1, above]
    above += four
    index += HOME_RANK[2, above]
    for k in range(3, POINTS):
        above += counts[POINTS - k]
        index += HOME_RANK[k, above]
    return index, nearer


@njit(cache=True, _nrt=False)
def exact_row(counts):
    """Where a side is exactly known: (0, index) all at home, (1, index) few checkers outside, (-1, 0) nowhere.

    Parameters
    ----------
    counts : int8[25]
    """
    outside, total, straggler = 0, 0, 0
    for point in range(1, 25):
        total += counts[point]
        if point > 6 and counts[point] > 0:
            outside += counts[point]
            straggler = point
    if outside == 0:
        return 0, home_index(counts[1:7])
    if total <= FEW:
        index, so_far = 0, 0
        for k in range(24):
            so_far += counts[24 - k]
            index += FEW_RANK[k, so_far]
        return 1, index
    if outside == 1 and total <= BESIDE + 1:
        return 1, FEW_POSITIONS + (straggler - 7) * BESIDE_POSITIONS + home_index(counts[1:7])
    return -1, 0


@njit(cache=True, _nrt=False)
def side_moments(race, counts, hidden, moments):
    """Moments of the rolls one side needs.

    One flat function, each array of ``race`` named once.

    Parameters
    ----------
    race : RaceTables
    counts : int8[25]
        The side's checkers by its own point numbers 1 to 24.
    hidden : float32[128]
        Scratch.
    moments : float64[6]
        Filled: mean, variance, third cumulant of the rolls to bear off all, then of those to bear off the first of 15
        (zeros where one is off already).

    Returns
    -------
    (int, int)
        As ``exact_row``.
    """
    kind, index = exact_row(counts)
    base = race.home_moments
    if kind == 0:
        for k in range(MOMENTS):
            moments[k] = base[index, k]
        return kind, index
    if kind == 1:
        few = race.few_moments
        for k in range(3):
            moments[k] = few[index, k]
            moments[k + 3] = 0.0
        return kind, index
    rows, bias, output, output_bias = race.rows, race.bias, race.output, race.output_bias
    for j in range(HIDDEN):
        hidden[j] = bias[j]
    pips_home, total = np.int64(0), np.int64(0)
    for point in range(1, 25):
        count = np.int64(counts[point])
        if count > 0:
            total += count
            pips_home += max(point - 6, 0) * count
            for j in range(HIDDEN):
                hidden[j] += rows[point, count, j]
    # six sums side by side, each in a fixed order: the same bits wherever this is compiled into
    sum0 = sum1 = sum2 = sum3 = sum4 = sum5 = np.float32(0.0)
    for j in range(HIDDEN):
        unit = max(hidden[j], np.float32(0.0))
        sum0 += output[0, j] * unit
        sum1 += output[1, j] * unit
        sum2 += output[2, j] * unit
        sum3 += output[3, j] * unit
        sum4 += output[4, j] * unit
        sum5 += output[5, j] * unit
    moments[0], moments[1], moments[2] = sum0 + output_bias[0], sum1 + output_bias[1], sum2 + output_bias[2]
    moments[3], moments[4], moments[5] = sum3 + output_bias[3], sum4 + output_bias[4], sum5 + output_bias[5]
    similar, nearer = similar_home(counts)
    further = nearer / PIPS_PER_ROLL
    moments[0] += base[similar, 0] + further
    moments[1] = max(moments[1] + base[similar, 1] + VARIANCE_PER_ROLL * further, 0.05)
    moments[2] += base[similar, 2]
    if total == CHECKERS:
        moments[3] += pips_home / PIPS_PER_ROLL
        moments[4] = max(moments[4], 0.05)
    else:
        moments[3] = moments[4] = moments[5] = 0.0
    return kind, index


@njit(cache=True, _nrt=False)
def chance_at_least(mean, variance, third, least):
    """P(D >= least) for an integer D with these cumulants (Edgeworth to the third, Sheppard's correction)."""
    spread = sqrt(max(variance - 1.0 / 12.0, 0.04))
    z = (mean - least + 0.5) / spread
    density = 0.3989422804014327 * exp(-0.5 * z * z)
    chance = 0.5 * erfc(-z * 0.7071067811865476) + density * third / (6.0 * spread**3) * (z * z - 1.0)
    return min(max(chance, 0.0), 1.0)


@njit(cache=True, _nrt=False)
def still_after(race, bearoff, kind, index, moments, k):
    """Chance that a side needs more than k rolls: from its row of the exact tables, or from its moments (kind < 0)."""
    if kind < 0:
        return 1.0 if k == 0 else chance_at_least(moments[0], moments[1], moments[2], k + 1.0)
    if k >= STILL_COLUMNS:
        return 0.0
    return np.float64(bearoff.still[index, k] if kind == 0 else race.few_still[index, k])


@njit(cache=True, _nrt=False)
def first_off(race, bearoff, kind, index, moments, other_kind, other_index, other_moments, lead):
    """Chance that a side is off before another one; lead 0: it rolls first, 1: the other does. Summed over rolls."""
    chance = 0.0
    before = 1.0
    for k in range(1, STILL_COLUMNS):
        now = still_after(race, bearoff, kind, index, moments, k)
        if before - now > 1e-7:
            other = still_after(race, bearoff, other_kind, other_index, other_moments, k - 1 + lead)
            chance += (before - now) * other
            if other < 1e-7:
                break
        before = now
        if now < 1e-7:
            break
    return chance


@njit(cache=True, _nrt=False)
def _smooth(moments, kind, other_moments, other_kind):
    """Whether the closed formula serves: a side is not exactly known and both have more than 5 rolls to go."""
    return (kind < 0 or other_kind < 0) and min(moments[0], other_moments[0]) > 5.0


class RaceWorkspace(NamedTuple):
    """Scratch memory of ``race_win``: ``race_workspace()``.

    ``roller``: checkers of the side to roll last time, whose moments and place in the exact tables are kept, for the
    candidates of a roll all leave it as it is.
    """

    roller: np.ndarray
    roller_moments: np.ndarray
    roller_row: np.ndarray
    player: np.ndarray
    player_moments: np.ndarray
    hidden: np.ndarray


@njit(cache=True)
def race_workspace():
    """A workspace that has seen no position yet."""
    return RaceWorkspace(
        np.zeros(25, np.int8),
        np.empty(MOMENTS),
        np.zeros(2, np.int64),
        np.zeros(25, np.int8),
        np.empty(MOMENTS),
        np.empty(HIDDEN, np.float32),
    )


@njit(cache=True, _nrt=False)
def _may_be_gammon(loser, winner_mean, winner_variance):
    """Whether a side with all its checkers left may be too late to bear one off: within four standard deviations."""
    return loser[3] + 4.0 * sqrt(loser[4] + winner_variance) > winner_mean


@njit(cache=True, _nrt=False)
def _backgammon(race, bearoff, loser, loser_moments, kind, index, moments, lead):
    """Chance that a winner is off before a loser has left its home; `lead` as in ``first_off``."""
    # leaving the winner's home is bearing off from six points: the loser's 19 to 24 read as 1 to 6
    leaving = home_index(loser[19:25])
    if leaving == 0:
        return 0.0
    return first_off(race, bearoff, kind, index, moments, np.int64(0), leaving, loser_moments, lead)


@njit(cache=True, _nrt=False)
def race_win(race, bearoff, work, after):
    """Winning chance in a race, whether gammons are to be reckoned with, and chances of a backgammon.

    Parameters
    ----------
    race : RaceTables
    bearoff : BearoffTables
    work : RaceWorkspace
    after : int8[26]
        No contact, nobody on the bar, neither side finished; the mover has played, the opponent is about to roll.

    Returns
    -------
    win : float
        The mover's, gammons included.
    gammons : bool
        False: neither side can win a gammon, or it takes luck of four standard deviations.
    win_backgammon, lose_backgammon : float
        0 without `gammons`.
    """
    roller, player = work.roller, work.player
    roller_moments, player_moments = work.roller_moments, work.player_moments
    roller_left, player_left = 0, 0
    known = True
    for point in range(1, 25):
        count = max(-after[25 - point], 0)
        known = known and count == roller[point]
        roller[point] = count
        roller_left += count
        player[point] = max(after[point], 0)
        player_left += player[point]
    first, second = np.int64(0), np.int64(1)  # bare numbers have types of their own: all they are passed to, twice
    if not known:
        work.roller_row[0], work.roller_row[1] = side_moments(race, roller, work.hidden, roller_moments)
    roller_kind, roller_index = work.roller_row[0], work.roller_row[1]
    kind, index = side_moments(race, player, work.hidden, player_moments)
    if _smooth(roller_moments, roller_kind, player_moments, kind):
        # rolls the player needs less rolls the roller needs: the roller goes first and wins when that is not negative
        lose = chance_at_least(
            player_moments[0] - roller_moments[0],
            player_moments[1] + roller_moments[1],
            player_moments[2] - roller_moments[2],
            0.0,
        )
    else:
        lose = first_off(race, bearoff, roller_kind, roller_index, roller_moments, kind, index, player_moments, first)
    lost = player_left == CHECKERS and _may_be_gammon(player_moments, roller_moments[0], roller_moments[1])
    won = roller_left == CHECKERS and _may_be_gammon(roller_moments, player_moments[0], player_moments[1])
    win_backgammon, lose_backgammon = 0.0, 0.0
    if lost:
        lose_backgammon = _backgammon(
            race, bearoff, player, player_moments, roller_kind, roller_index, roller_moments, first
        )
    if won:
        win_backgammon = _backgammon(race, bearoff, roller, roller_moments, kind, index, player_moments, second)
    return 1.0 - lose, lost or won, win_backgammon, lose_backgammon
