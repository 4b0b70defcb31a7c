"""Teaching the scout (``kernels/scout``): it learns from the full networks which candidates of a roll are good.

A lesson is the set of candidates of one roll; what counts are the differences of their equities, the better candidates
the more. Lessons cost next to nothing (no games, no look-ahead), so the scout keeps up with the networks as they learn.
"""

# ruff: noqa: NPY002
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from cubelab.kernels.features import COUNT_ROWS, count_row
from cubelab.kernels.moves import MAX_PLAYS, legal_boards
from cubelab.kernels.network import Nets, new_workspace
from cubelab.kernels.scout import ROWS, UNITS, Scout
from cubelab.kernels.static import CONTACT, evaluate_series, position_class

from .fit import equity

MOST = 48
"""Candidates of a lesson; of more a random part is taken."""
_SETS = 16  # lessons to a step
_FAST = {"contract", "reassoc", "nsz"}


class Lessons(NamedTuple):
    """State of the teaching: table, bias and out of the scout in float32, Adam's moments, steps done (int64[1])."""

    table: np.ndarray
    bias: np.ndarray
    out: np.ndarray
    first_table: np.ndarray
    first_bias: np.ndarray
    first_out: np.ndarray
    second_table: np.ndarray
    second_bias: np.ndarray
    second_out: np.ndarray
    steps: np.ndarray


def new_lessons(seed: int) -> Lessons:
    """A scout that knows nothing."""
    rng = np.random.default_rng(seed)
    weights = (
        rng.normal(0, 0.05, (ROWS, UNITS)).astype(np.float32),
        rng.uniform(0.2, 0.6, UNITS).astype(np.float32),
        rng.normal(0, 0.1, UNITS).astype(np.float32),
    )
    zeros = [np.zeros_like(part) for part in weights]
    parts = [*weights, *zeros, *(part.copy() for part in zeros), np.zeros(1, np.int64)]
    return Lessons._make(parts)


def scout_of(lessons: Lessons) -> Scout:
    """The scout as the kernels want it; the sum of 30 checkers' rows is far from leaving the range."""
    scale = np.float32(max(float(np.abs(lessons.table).max()) * 14, 8.0) / 32767)
    return Scout(
        np.rint(lessons.table / scale).astype(np.int16),
        np.rint(lessons.bias / scale).astype(np.int16),
        np.array([scale], np.float32),
        lessons.out.copy(),
    )


@njit(cache=True, fastmath=_FAST)
def _adam(weights, grads, first, second, step):
    for i in range(weights.size):
        g = grads[i] * np.float32(1.0 / _SETS)
        grads[i] = 0.0
        first[i] = np.float32(0.9) * first[i] + np.float32(0.1) * g
        second[i] = np.float32(0.99) * second[i] + np.float32(0.01) * g * g
        weights[i] -= step * first[i] / (np.sqrt(second[i]) + np.float32(1e-5))


@njit(cache=True)
def _draw(boards, mover, afters):
    """Contact candidates of a random roll in a random position, at most MOST, to the front of `afters`; how many."""
    source = boards[np.random.randint(boards.shape[0])]
    for p in range(26):
        mover[p] = -source[25 - p]
    n = legal_boards(mover, np.random.randint(1, 7), np.random.randint(1, 7), afters)
    kept = 0
    for k in range(n):
        if position_class(afters[k]) == CONTACT:
            afters[kept] = afters[k]
            kept += 1
    for k in range(min(kept, MOST) if kept > MOST else 0):
        other = k + np.random.randint(kept - k)
        for p in range(26):
            afters[k, p], afters[other, p] = afters[other, p], afters[k, p]
    return min(kept, MOST)


@njit(cache=True, fastmath=_FAST)
def _lesson(lessons, grads, afters, probs, n, rows, units, errors, weights):
    """Add the gradient of one set of candidates; returns its weighted mean squared error."""
    g_table, g_bias, g_out = grads
    best = -3.0
    for k in range(n):
        best = max(best, equity(probs[k]))
    total = np.float32(0.0)
    mean = np.float32(0.0)
    for k in range(n):
        count = 0
        mover_off = 15
        opponent_off = 15
        for p in range(26):
            c: Any = np.int64(afters[k, p])
            if c != 0:
                rows[k, count] = count_row(afters[k], p)
                count += 1
                if c > 0:
                    mover_off -= c
                else:
                    opponent_off += c
        rows[k, count] = mover_off
        rows[k, count + 1] = COUNT_ROWS + opponent_off
        rows[k, 31] = count + 2
        for i in range(UNITS):
            units[k, i] = lessons.bias[i]
        for j in range(count + 2):
            for i in range(UNITS):
                units[k, i] += lessons.table[rows[k, j], i]
        value = np.float32(0.0)
        for i in range(UNITS):
            units[k, i] = min(max(units[k, i], np.float32(0.0)), np.float32(1.0))
            value += lessons.out[i] * units[k, i]
        errors[k] = value - equity(probs[k])
        weights[k] = 0.1 + math.exp((equity(probs[k]) - best) / 0.15)
        total += weights[k]
        mean += weights[k] * errors[k]
    mean /= total
    loss = 0.0
    for k in range(n):
        d = weights[k] / total * (errors[k] - mean)
        loss += d * (errors[k] - mean)
        for i in range(UNITS):
            unit = units[k, i]
            g_out[i] += d * unit
            units[k, i] = d * lessons.out[i] if 0.0 < unit < 1.0 else np.float32(0.0)
            g_bias[i] += units[k, i]
        for j in range(rows[k, 31]):
            for i in range(UNITS):
                g_table[rows[k, j], i] += units[k, i]
    return loss


@njit(cache=True, nogil=True)
def _teach(nets, lessons, boards, seed, count, rate, last_rate):
    np.random.seed(seed)
    work = new_workspace()
    mover = np.empty(26, np.int8)
    afters = np.empty((MAX_PLAYS, 26), np.int8)
    probs = np.empty((MOST, 6), np.float32)
    rows = np.empty((MOST, 32), np.int32)
    units = np.empty((MOST, UNITS), np.float32)
    errors = np.empty(MOST, np.float32)
    weights = np.empty(MOST, np.float32)
    grads = (
        np.zeros_like(lessons.table),
        np.zeros_like(lessons.bias),
        np.zeros_like(lessons.out),
    )
    loss = 0.0
    for lesson in range(count):
        n = 0
        while n < 3:
            n = _draw(boards, mover, afters)
        evaluate_series(nets, work, afters, n, probs)
        loss += _lesson(lessons, grads, afters, probs, n, rows, units, errors, weights)
        if lesson % _SETS == _SETS - 1:
            lessons.steps[0] += 1
            t = lessons.steps[0]
            now = rate + (last_rate - rate) * lesson / count
            step = np.float32(now * math.sqrt(1.0 - 0.99**t) / (1.0 - 0.9**t))
            _adam(
                lessons.table.ravel(),
                grads[0].ravel(),
                lessons.first_table.ravel(),
                lessons.second_table.ravel(),
                step,
            )
            _adam(lessons.bias, grads[1], lessons.first_bias, lessons.second_bias, step)
            _adam(lessons.out, grads[2], lessons.first_out, lessons.second_out, step)
    return math.sqrt(loss / max(count, 1))


def teach(nets: Nets, lessons: Lessons, boards: np.ndarray, seed: int, count: int, rate: float, last: float) -> float:
    """Give `count` lessons from random rolls in the positions of `boards` (after a play).

    Steps go from `rate` to `last`; `lessons` is changed.

    Returns the root mean square error of the equity differences (points) on the way.
    """
    return float(_teach(nets, lessons, boards, seed, count // _SETS * _SETS, rate, last))
