"""Trainable inputs behind the table rows, and the folding of one into the other.

Inference reads one table row per slot. Training does not learn each row by itself: a row is a short weighted sum of
*inputs*, so that five checkers on a point share what was learned about four, and 17 shots what was learned about 16.

* counts: exactly 1, at least 2, 3, 4, 5, and a linear rest; borne off: at least 1 … 15 and linear
* windows, front, rear, entry: one input per pattern
* mobility, shots, lead: hat functions on a grid, and linear
"""

from __future__ import annotations

import numpy as np
from numba import njit

from cubelab.kernels import features as f

MAX_INPUTS = 256
"""Room for the inputs of one position."""


def _hat_terms(value: float, low: float, step: float, nodes: int) -> list[tuple[int, float]]:
    """Weights of the two grid nodes around a value (piecewise linear interpolation)."""
    place = min(max((value - low) / step, 0.0), nodes - 1.0)
    left = min(int(place), nodes - 2)
    share = place - left
    return [(node, weight) for node, weight in ((left, 1.0 - share), (left + 1, share)) if weight > 0]


def _build() -> tuple[np.ndarray, np.ndarray, np.ndarray, int, np.ndarray]:
    """CSR lists (row → inputs and weights), number of inputs, and which inputs start at random values."""
    terms: list[list[tuple[int, float]]] = [[] for _ in range(f.ROWS)]
    dense: list[bool] = []

    def new_inputs(count: int, random: bool) -> int:
        dense.extend([random] * count)
        return len(dense) - count

    for side in range(2):
        for place in range(26):
            base = side * f.COUNT_ROWS + place * 16
            if place == 0:
                first = new_inputs(16, True)
                for c in range(1, 16):
                    terms[base + c] = [(first + k, 1.0) for k in range(c)] + [(first + 15, c / 15)]
                continue
            first = new_inputs(6, True)
            for c in range(1, 16):
                at_least = [(first + k, 1.0) for k in range(1, 5) if c > k]
                terms[base + c] = [(first, 1.0)] if c == 1 else at_least
                if c > 5:
                    terms[base + c] = [*at_least, (first + 5, (c - 5) / 2)]

    def one_hot(base: int, size: int) -> None:
        first = new_inputs(size - 1, False)
        for value in range(1, size):
            terms[base + value] = [(first + value - 1, 1.0)]

    def grid(base: int, size: int, low: float, step: float, nodes: int, scale: float) -> None:
        first = new_inputs(nodes + 1, True)
        for value in range(size):
            x = low + value
            if x != 0:
                hats = [(first + node, w) for node, w in _hat_terms(x, low, step, nodes)]
                terms[base + value] = [*hats, (first + nodes, x / scale)]

    for k in range(14):
        one_hot(f.WINDOW_BASE + 64 * k, 64)
    for k in range(4):
        one_hot(f.REAR_BASE + 26 * k, 26)
        one_hot(f.FRONT_BASE + 64 * k, 64)
        grid(f.MOBILITY_BASE + 37 * k, 37, 0, 4, 10, 36)
        grid(f.SHOTS_BASE + 37 * k, 37, 0, 4, 10, 36)
    for k in range(2):
        one_hot(f.ENTRY_BASE + 28 * k, 28)
    grid(f.LEAD_BASE, 2 * f.LEAD_LIMIT + 1, -f.LEAD_LIMIT, 10, 25, 60)

    starts = np.cumsum([0] + [len(t) for t in terms]).astype(np.int32)
    flat = [pair for t in terms for pair in t]
    return (
        starts,
        np.array([p[0] for p in flat], np.int32),
        np.array([p[1] for p in flat], np.float32),
        len(dense),
        np.array(dense),
    )


ROW_START, TERM_INPUT, TERM_WEIGHT, INPUTS, STARTS_RANDOM = _build()


SLOT_STARTS = (
    [16 * k for k in range(52)]
    + [f.WINDOW_BASE + 64 * k for k in range(14)]
    + [f.REAR_BASE + 26 * k for k in range(4)]
    + [f.FRONT_BASE + 64 * k for k in range(4)]
    + [f.MOBILITY_BASE + 37 * k for k in range(4)]
    + [f.ENTRY_BASE + 28 * k for k in range(2)]
    + [f.SHOTS_BASE + 37 * k for k in range(4)]
    + [f.LEAD_BASE]
)
"""First row of every slot."""


def fold(w1: np.ndarray) -> np.ndarray:
    """Table rows float32[ROWS, HIDDEN] from input weights float32[INPUTS, HIDDEN]."""
    table = np.zeros((f.ROWS, w1.shape[1]), np.float32)
    row_of_term = np.repeat(np.arange(f.ROWS), np.diff(ROW_START))
    np.add.at(table, row_of_term, TERM_WEIGHT[:, None] * w1[TERM_INPUT])
    return table


@njit(cache=True, _nrt=False)
def active_inputs(board, race, slots, inputs, weights):
    """Inputs that are not zero for a position after a play: indices and weights; returns how many."""
    count = f.all_rows(board, race, slots, 0)
    n = 0
    for k in range(count):
        row = slots[0, k]
        for term in range(ROW_START[row], ROW_START[row + 1]):
            inputs[n] = TERM_INPUT[term]
            weights[n] = TERM_WEIGHT[term]
            n += 1
    return n
