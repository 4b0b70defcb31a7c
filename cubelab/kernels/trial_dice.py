"""Dice of rollout trials.

Roll t of trial n depends on the seed, n and t only, so trials can run anywhere in any order.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .vectors import stack_longs

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.array([0xBF58476D1CE4E5B9, 0x94D049BB133111EB], dtype=np.uint64)
#: Place in `HIGH` and `LOW` of each of the 36 ordered rolls.
_ROLL_OF_36 = np.array([max(a, b) * (max(a, b) - 1) // 2 + min(a, b) - 1 for a in range(1, 7) for b in range(1, 7)])


@njit(cache=True, _nrt=False)
def _mixed(x):
    x = (x ^ (x >> np.uint64(30))) * _MIX[0]
    x = (x ^ (x >> np.uint64(27))) * _MIX[1]
    return x ^ (x >> np.uint64(31))


@njit(cache=True, _nrt=False)
def _random(seed, stream, counter):
    """64 random bits, a function of three numbers (splitmix64 applied twice)."""
    return _mixed(_mixed(seed + _STEP * np.uint64(stream + 1)) + _STEP * np.uint64(counter + 1))


@njit(cache=True, _nrt=False)
def _below(bits, limit):
    return np.int64(((bits >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@njit(cache=True, _nrt=False)
def _shuffled_36(seed, block, number, place):
    """Element `place` of a random order of 0 … 35, one for each block of trials."""
    order = stack_longs(36)
    for k in range(36):
        order[k] = k
    for last in range(35, 0, -1):
        other = _below(_random(seed ^ _MIX[number], block, last), last + 1)
        order[last], order[other] = order[other], order[last]
    return order[place]


@njit(cache=True, _nrt=False)
def roll_number(seed, trial, clock):
    """Number of the roll (place in `HIGH`, `LOW`) of half-move `clock` of a trial.

    Stratified: in every 36 successive trials the first roll takes each of the 36 values once, and so does the second;
    in every 1296 the two together take each pair once (a Latin square with shuffled rows and values).
    """
    if clock > 1:
        return _ROLL_OF_36[_below(_random(seed, trial, clock), 36)]
    block, inside = trial // 1296, trial % 1296
    if clock == 0:
        return _ROLL_OF_36[_shuffled_36(seed, block, 0, inside % 36)]
    return _ROLL_OF_36[_shuffled_36(seed, block, 1, (inside // 36 + inside % 36) % 36)]
