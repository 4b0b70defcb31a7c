"""Exact bearoffs for any stakes: a match score, a capped cube, beavers; at most 6 checkers a side.

Both sides play every roll and every cube perfectly for each *state* of the cube (how often it has been turned, who
owns it). No gammons are left, so only single wins and losses count. Values are side 0's, the side to roll at the root.
"""

from __future__ import annotations

import numpy as np
from numba import njit

#: States of the cube are worked on in blocks of this size, which compilers turn into vector instructions.
LANES = 4


@njit(cache=True)
def best_successors(starts, entries, pips):
    """Results of every roll without those that another result of the same roll is never worse than.

    One home position is never worse than another when it needs no more pips and, for every roll and every play of the
    other, has a play whose result is never worse than that play's. Its owner can then follow the other's plays and cube
    actions to at least as good an end, whatever the opponent does, the cube is worth and a loss costs.

    Parameters
    ----------
    starts, entries : int32[:]
        From `kernels.bearoff.successor_lists`.
    pips : int64[n]
        Of every home position.

    Returns
    -------
    starts, entries : int32[:]
    """
    positions = len(pips)
    ahead = np.zeros((positions, positions), np.bool_)
    ahead[0, :] = True
    for here in range(1, positions):
        for other in range(1, positions):
            holds = pips[here] <= pips[other]
            for die1 in range(6):
                if not holds:
                    break
                for die2 in range(die1 + 1):
                    mine, theirs = 36 * here + 6 * die1 + die2, 36 * other + 6 * die1 + die2
                    for reply in range(starts[theirs], starts[theirs + 1]):
                        found = False
                        for play in range(starts[mine], starts[mine + 1]):
                            if ahead[entries[play], entries[reply]]:
                                found = True
                                break
                        if not found:
                            holds = False
                            break
                    if not holds:
                        break
            ahead[here, other] = holds
    kept = np.empty_like(entries)
    firsts = np.empty_like(starts)
    count = 0
    for roll in range(len(starts) - 1):
        firsts[roll] = count
        for play in range(starts[roll], starts[roll + 1]):
            wanted = True
            for rival in range(starts[roll], starts[roll + 1]):
                if ahead[entries[rival], entries[play]] and (rival < play or not ahead[entries[play], entries[rival]]):
                    wanted = False
                    break
            if wanted:
                kept[count] = entries[play]
                count += 1
    firsts[-1] = count
    return firsts, kept[:count].copy()


@njit(cache=True)
def turned(values, state, side, ladder, immediate, win, lose, stake0, stake1):
    """Value once `side` has doubled in `state`, the other side answering as is best for it.

    Parameters
    ----------
    values : float64[states]
        Of the position with each state of the cube, nobody turning it now.
    state, side : int
    ladder : int64[2, states, steps]
        ``ladder[side, state]``: the state after a take, then after each further immediate turn (beaver, raccoon, …; or
        redoubles that pass the cube on), ended by -1.
    immediate : bool
        Immediate redoubles, which may be passed; beavers may not.
    win, lose : float64[states]
        Worth of side 0 winning and losing with the cube in that state.
    stake0, stake1 : float
        What side 0, side 1 pays for it if it gives up now: 1, or its pips.
    """
    last = 0
    while last + 1 < ladder.shape[2] and ladder[side, state, last + 1] >= 0:
        last += 1
    value = values[ladder[side, state, last]]
    for step in range(last - 1, -1, -1):
        here = ladder[side, state, step]
        # The side that was doubled turns the cube at even steps, the doubler at odd ones.
        if (side + step) % 2 == 1:  # side 0 may turn it
            if immediate:
                value = min(value, win[here] * stake1)
            value = max(value, values[here])
        else:
            if immediate:
                value = max(value, lose[here] * stake0)
            value = min(value, values[here])
    return min(value, win[state] * stake1) if side == 0 else max(value, lose[state] * stake0)


@njit(cache=True)
def _act(rolled, side, allowed, ladder, immediate, win, lose, stake0, stake1, acted):
    """Fill `acted` with the values once `side` has turned the cube or not, as is best for it."""
    for state in range(rolled.shape[0]):
        value = rolled[state]
        if allowed[side, state]:
            doubled = turned(rolled, state, side, ladder, immediate, win, lose, stake0, stake1)
            value = max(value, doubled) if side == 0 else min(value, doubled)
        acted[state] = value


@njit(cache=True)
def _side_0_rolls(starts, entries, places, index, afters, low, high, best, rolled):
    """Fill `rolled[low:high]` with the values of side 0 rolling at `index`, against positions of side 1 at once."""
    rolled[low:high] = 0.0
    for die1 in range(6):
        for die2 in range(die1 + 1):
            roll = 36 * index + 6 * die1 + die2
            best[low:high] = afters[places[entries[starts[roll]]], low:high]
            for entry in range(starts[roll] + 1, starts[roll + 1]):
                after = afters[places[entries[entry]]]
                for at in range(low, high):
                    best[at] = after[at] if after[at] > best[at] else best[at]
            weight = (1.0 if die1 == die2 else 2.0) / 36.0
            for at in range(low, high):
                rolled[at] += weight * best[at]


@njit(cache=True)
def _side_1_rolls(starts, entries, places, index, row, best, rolled):
    """Fill `rolled` with the values of side 1 rolling at `index`, playing what is worst for side 0."""
    rolled[:] = 0.0
    for die1 in range(6):
        for die2 in range(die1 + 1):
            roll = 36 * index + 6 * die1 + die2
            weight = (1.0 if die1 == die2 else 2.0) / 36.0
            for block in range(0, rolled.shape[0], LANES):
                place = places[entries[starts[roll]]]
                for lane in range(LANES):
                    best[lane] = row[place, block + lane]
                for entry in range(starts[roll] + 1, starts[roll + 1]):
                    place = places[entries[entry]]
                    for lane in range(LANES):
                        value = row[place, block + lane]
                        best[lane] = value if value < best[lane] else best[lane]
                for lane in range(LANES):
                    rolled[block + lane] += weight * best[lane]


@njit(cache=True)
def solve_ending(
    starts, entries, places, reached, counts, stakes, win, lose, allowed, ladder, immediate, afters, values
):
    """Solve every pair of home positions below the root.

    Parameters
    ----------
    starts, entries : int32[:]
        From `best_successors`.
    places : int32[2, 924]
        Place of a home position among those that each side may still reach.
    reached : int32[2, 3, n]
        Those positions ascending, the first 0 (all off), the last the root's; the fewest and the most plays to them.
    counts : int64[2]
        How many each side has.
    stakes : float64[2, n]
        What each side pays times the cube for losing in each of its positions: 1, or the pips still needed.
    win, lose : float64[states]
        The number of states is a multiple of `LANES`: filled up with states that nobody enters or leaves.
    allowed : bool[2, states]
        Whether side 0, side 1 may turn the cube in that state.
    ladder, immediate
        As in `turned`.
    afters : float64[counts[0], counts[1], states]
        Scratch: side 1 about to roll, its best cube action taken.
    values : float64[states]
        Filled: the root, side 0 about to roll, nobody turning the cube now.
    """
    states = win.shape[0]
    flat = afters.reshape((counts[0], counts[1] * states))
    row = np.empty((counts[1], states))
    rolled = np.empty((counts[1], states))
    best = np.empty(counts[1] * states)
    for theirs in range(counts[1]):
        afters[0, theirs] = win * stakes[1, theirs]
    for mine in range(1, counts[0]):
        fewest, most = reached[0, 1, mine], reached[0, 2, mine]
        first, last = 1, counts[1] - 1
        while first < last and (reached[1, 2, first] < fewest or reached[1, 1, first] > most):
            first += 1
        while first < last and (reached[1, 2, last] < fewest or reached[1, 1, last] > most):
            last -= 1
        low, high = first * states, (last + 1) * states
        _side_0_rolls(starts, entries, places[0], reached[0, 0, mine], flat, low, high, best, rolled.reshape(-1))
        if mine == counts[0] - 1:
            values[:] = rolled[counts[1] - 1]
            return
        row[0] = lose * stakes[0, mine]
        for theirs in range(first, last + 1):
            _act(
                rolled[theirs],
                0,
                allowed,
                ladder,
                immediate,
                win,
                lose,
                stakes[0, mine],
                stakes[1, theirs],
                row[theirs],
            )
        for theirs in range(1, counts[1]):
            # Side 0 has made one play more; pairs that no game can bring are left out, and never read.
            if reached[1, 2, theirs] + 1 < fewest or reached[1, 1, theirs] + 1 > most:
                continue
            _side_1_rolls(starts, entries, places[1], reached[1, 0, theirs], row, best, rolled[theirs])
            _act(
                rolled[theirs],
                1,
                allowed,
                ladder,
                immediate,
                win,
                lose,
                stakes[0, mine],
                stakes[1, theirs],
                afters[mine, theirs],
            )
