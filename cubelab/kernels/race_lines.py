"""One side rolling home by itself: best plays for its own number of rolls, look-ahead, simulated distributions."""

from __future__ import annotations

import numpy as np
from numba import njit

from .bearoff import CHECKERS, STILL_COLUMNS
from .race import (
    HIDDEN,
    MOMENTS,
    PIPS_PER_ROLL,
    exact_row,
    rectified_dot,
    side_moments,
    similar_home,
    still_after,
)


@njit(cache=True)
def random_integer(rng, low, high):
    """Uniform in low <= n < high (the generator's own ``integers`` costs a second more to compile)."""
    return low + int(rng.random() * (high - low))


@njit(cache=True)
def _step(race, counts, hidden, point, die, sign):
    """Move a checker (sign 1) or take it back (-1), keeping the hidden layer; the change of checkers outside."""
    target = point - die
    before, after = counts[point], counts[point] - sign
    for j in range(HIDDEN):
        hidden[j] += race.rows[point, after, j] - race.rows[point, before, j]
    counts[point] = after
    change = -sign if point > 6 else 0
    if target > 0:
        before, after = counts[target], counts[target] + sign
        for j in range(HIDDEN):
            hidden[j] += race.rows[target, after, j] - race.rows[target, before, j]
        counts[target] = after
        if target > 6:
            change += sign
    return change


@njit(cache=True)
def _may_move(counts, outside, point, die):
    if counts[point] == 0:
        return False
    if point > die:
        return True
    if outside > 0:
        return False
    if point == die:
        return True
    for higher in range(point + 1, 7):
        if counts[higher] > 0:
            return False
    return True


@njit(cache=True)
def _consider(race, counts, hidden, means, best):
    """Compare the position reached with the best so far: for bearing off all (row 0) and the first of 15 (row 1)."""
    kind, index = exact_row(counts)
    mean_first = 0.0
    if kind == 0:
        mean_all = np.float64(race.home_moments[index, 0])
        mean_first = np.float64(race.home_moments[index, 3])
    elif kind == 1:
        mean_all = np.float64(race.few_moments[index, 0])
    else:
        similar, nearer = similar_home(counts)
        mean_all = race.home_moments[similar, 0] + nearer / PIPS_PER_ROLL
        mean_all += rectified_dot(race.output[0], hidden) + race.output_bias[0]
        pips_home, total = 0, 0
        for point in range(1, 25):
            total += counts[point]
            if point > 6:
                pips_home += (point - 6) * counts[point]
        if total == CHECKERS:
            mean_first = pips_home / PIPS_PER_ROLL + rectified_dot(race.output[3], hidden) + race.output_bias[3]
    if mean_all < means[0]:
        means[0] = mean_all
        best[0] = counts
    if mean_first < means[1]:
        means[1] = mean_first
        best[1] = counts


@njit(cache=True)
def best_results(race, counts, die1, die2, hidden, best):
    """Best results of a roll: int8[2, 25] ``best`` gets the one with the lowest mean rolls, all and first of 15.

    ``counts`` (int8[25]) comes back unchanged; ``hidden`` (float32[128]) is scratch.
    """
    means = np.full(2, 1e9)
    outside = counts[7:].sum()
    hidden[:] = race.bias
    for point in range(1, 25):
        hidden += race.rows[point, counts[point]]
    if die1 != die2:
        for order in range(2):
            first, second = (die1, die2) if order == 0 else (die2, die1)
            for p in range(24, 0, -1):
                if not _may_move(counts, outside, p, first):
                    continue
                outside += _step(race, counts, hidden, p, first, 1)
                moved = False
                for q in range(24, 0, -1):
                    if _may_move(counts, outside, q, second):
                        moved = True
                        outside += _step(race, counts, hidden, q, second, 1)
                        _consider(race, counts, hidden, means, best)
                        outside += _step(race, counts, hidden, q, second, -1)
                if not moved:  # the last checker went off
                    _consider(race, counts, hidden, means, best)
                outside += _step(race, counts, hidden, p, first, -1)
        return
    # four times the same number, from points in falling order: every result once
    sources = np.zeros(4, np.int64)
    depth, point = 0, 24
    while True:
        found = False
        while point > 0 and not found:
            found = _may_move(counts, outside, point, die1)
            if not found:
                point -= 1
        if found:
            outside += _step(race, counts, hidden, point, die1, 1)
            sources[depth] = point
            depth += 1
            if depth < 4 and counts.sum() > 0:
                continue
            _consider(race, counts, hidden, means, best)
        if depth == 0:
            return
        depth -= 1
        point = sources[depth]
        outside += _step(race, counts, hidden, point, die1, -1)
        point -= 1


@njit(cache=True)
def look_ahead(race, counts, hidden, moments, results, label):
    """Moments of a position by one look ahead over the 21 rolls.

    Parameters
    ----------
    race : RaceTables
    counts : int8[25]
    hidden : float32[128]; moments : float64[21, 6]
        Scratch.
    results : int8[21, 2, 25]
        Filled: what is played with each roll, to bear off all and to bear off the first.
    label : float64[6]
        Filled.
    """
    label[:] = 0.0
    one = np.zeros(MOMENTS)
    roll = 0
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            best_results(race, counts, die1, die2, hidden, results[roll])
            for target in range(2):
                side_moments(race, results[roll, target], hidden, one)
                moments[roll, 3 * target : 3 * target + 3] = one[3 * target : 3 * target + 3]
            roll += 1
    for target in range(2):
        k = 3 * target
        mean, roll = 0.0, 0
        for die1 in range(6):
            for die2 in range(die1 + 1):
                mean += (1.0 if die1 == die2 else 2.0) / 36.0 * (1.0 + moments[roll, k])
                roll += 1
        roll = 0
        label[k] = mean
        for die1 in range(6):
            for die2 in range(die1 + 1):
                weight = (1.0 if die1 == die2 else 2.0) / 36.0
                d = 1.0 + moments[roll, k] - mean
                label[k + 1] += weight * (moments[roll, k + 1] + d * d)
                label[k + 2] += weight * (moments[roll, k + 2] + 3.0 * d * moments[roll, k + 1] + d * d * d)
                roll += 1


@njit(cache=True)
def simulate_still(race, bearoff, start, trials, rng, mean, square):
    """Chance to need more than k rolls, simulated with the luck of each roll taken out; unbiased whatever the network.

    Each trial rolls home by the best plays; the estimate is the look-ahead of the start plus, for each position
    reached, what its own look-ahead changes, until the tables are exact.

    Parameters
    ----------
    race : RaceTables
    bearoff : BearoffTables
    start : int8[25]
        A side that is not exactly known.
    trials : int
    rng : numpy.random.Generator
    mean, square : float64[24]
        Filled: the sum over trials of the estimates and of their squares.
    """
    counts = np.zeros(25, np.int8)
    hidden = np.zeros(HIDDEN, np.float32)
    moments = np.zeros((21, MOMENTS))
    results = np.zeros((21, 2, 25), np.int8)
    label = np.zeros(MOMENTS)
    ahead = np.zeros(STILL_COLUMNS)
    estimate = np.zeros(STILL_COLUMNS)
    for _ in range(trials):
        counts[:] = start
        estimate[:] = 0.0
        rolled = 0
        while True:
            if rolled > 0:
                kind, index = side_moments(race, counts, hidden, label)
                if kind >= 0:
                    break
                for k in range(STILL_COLUMNS - rolled):
                    estimate[rolled + k] -= still_after(race, bearoff, kind, index, label, k)
            look_ahead(race, counts, hidden, moments, results, label)
            ahead[:] = 0.0
            ahead[0] = 1.0
            roll = 0
            for die1 in range(6):
                for die2 in range(die1 + 1):
                    kind, index = side_moments(race, results[roll, 0], hidden, label)
                    weight = (1.0 if die1 == die2 else 2.0) / 36.0
                    for k in range(1, STILL_COLUMNS):
                        ahead[k] += weight * still_after(race, bearoff, kind, index, label, k - 1)
                    roll += 1
            estimate[rolled:] += ahead[: STILL_COLUMNS - rolled]
            die1, die2 = random_integer(rng, 1, 7), random_integer(rng, 1, 7)
            high, low = max(die1, die2), min(die1, die2)
            counts[:] = results[high * (high - 1) // 2 + low - 1, 0]
            rolled += 1
        mean += estimate
        square += estimate * estimate
