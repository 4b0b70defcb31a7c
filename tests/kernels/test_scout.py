"""The scout: its values against numpy, and what a shortlist keeps."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions
from twin_network import side_view

from cubelab.kernels.features import COUNT_ROWS
from cubelab.kernels.moves import MAX_PLAYS, legal_boards
from cubelab.kernels.scout import FEW, ROWS, UNITS, Scout, look, new_glance, shortlist
from cubelab.kernels.static import CONTACT, position_class

RNG = np.random.default_rng(8)
SCOUT = Scout(
    RNG.normal(0, 300, (ROWS, UNITS)).astype(np.int16),
    RNG.normal(800, 300, UNITS).astype(np.int16),
    np.array([3e-4], np.float32),
    RNG.normal(0, 0.3, UNITS).astype(np.float32),
)


def value(board):
    """The scout's equity of one board by its definition."""
    sums = SCOUT.bias.astype(int)
    for side in range(2):
        own, _ = side_view(board, side)
        sums = sums + SCOUT.table[side * COUNT_ROWS + 15 - sum(own)]
        for place in range(1, 26):
            if own[place]:
                sums = sums + SCOUT.table[side * COUNT_ROWS + place * 16 + own[place]]
    return float(np.clip(sums * float(SCOUT.scale[0]), 0, 1) @ SCOUT.out)


@settings(max_examples=40)
@given(positions(), st.integers(1, 6), st.integers(1, 6))
def test_values_and_shortlist(position, die1, die2):
    afters = np.empty((MAX_PLAYS, 26), np.int8)
    n = legal_boards(np.array(position.board, np.int8), die1, die2, afters)
    if n == 0:
        return
    glance = new_glance(MAX_PLAYS)
    look(SCOUT, glance, afters, n)
    values = np.array([value(board.tolist()) for board in afters[:n]])
    np.testing.assert_allclose(glance.values[:n], values, atol=2e-5)

    before = afters[:n].copy()
    kept = shortlist(SCOUT, glance, afters, n, 0.2)
    contact = np.array([position_class(board) == CONTACT for board in before])
    wanted = ~contact
    if n <= FEW:
        wanted[:] = True
    elif contact.any():
        floor = values[contact].max() - 0.2
        if (abs(values - floor) < 1e-4).any():
            return  # too near to call
        wanted |= values >= floor
    np.testing.assert_array_equal(afters[:kept], before[wanted])
