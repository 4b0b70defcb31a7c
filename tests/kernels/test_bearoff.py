"""Bearoff kernels against a plain-Python twin with fractions, published chances and properties of every position."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twin_endings import plays as after_roll

from cubelab.engine.bearoff import load_tables
from cubelab.kernels import bearoff as kernel

ROLLS = [(a, b, Fraction(1 if a == b else 2, 36)) for a in range(1, 7) for b in range(1, a + 1)]


# --- the twin: a home position is the sorted tuple of its checkers' points -------------------------------------


@cache
def mean_rolls(checkers):
    if not checkers:
        return Fraction(0)
    return 1 + sum(w * min(mean_rolls(r) for r in after_roll(checkers, a, b)) for a, b, w in ROLLS)


@cache
def before_doubling(mine, theirs):
    """(cubeless, owned, centred, opponent's): the roller's equity per cube, no double now."""
    totals = [Fraction(0)] * 4
    for die1, die2, weight in ROLLS:
        best = [Fraction(-9)] * 4
        for result in after_roll(mine, die1, die2):
            if not result:
                best = [Fraction(1)] * 4
                break
            cubeless, owned, centred, opponent = before_doubling(theirs, result)
            double = min(2 * opponent, Fraction(1))
            values = (-cubeless, -opponent, -max(centred, double), -max(owned, double))
            best = [max(b, v) for b, v in zip(best, values, strict=True)]
        totals = [t + weight * b for t, b in zip(totals, best, strict=True)]
    return tuple(totals)


def positions_of(checkers):
    return combinations_with_replacement(range(1, 7), checkers)


def counts_of(checkers):
    return np.bincount(np.array(checkers, int), minlength=7)[1:].astype(np.int64)


def index_of(checkers):
    return kernel.home_index(counts_of(checkers))


def board_of(mine, theirs):
    board = np.zeros(26, np.int8)
    for point in mine:
        board[point] += 1
    for point in theirs:
        board[25 - point] -= 1
    return board


@pytest.fixture(scope="module")
def tables():
    return load_tables()


@pytest.fixture(scope="module")
def counts():
    every = np.zeros((kernel.HOME_POSITIONS, 6), np.int8)
    kernel.all_positions(kernel.HOME_RANK, every)
    return every


@pytest.fixture(scope="module")
def steps(counts):
    table = np.zeros((kernel.HOME_POSITIONS, 6, 6), np.int32)
    kernel.single_steps(kernel.HOME_RANK, counts, table)
    return table


# --- index and plays --------------------------------------------------------------------------------------------


def test_every_home_position_has_its_own_index(counts):
    assert len(np.unique(counts, axis=0)) == 54264
    assert (counts[: kernel.TWO_SIDED_POSITIONS].sum(1) <= 6).all()
    assert (counts[kernel.TWO_SIDED_POSITIONS :].sum(1) > 6).all()
    assert (counts[kernel.FIRST_OF_15 :].sum(1) == 15).all()
    assert (counts[: kernel.FIRST_OF_15].sum(1) < 15).all()


def test_every_step_lowers_the_index(steps):
    assert (steps < np.arange(kernel.HOME_POSITIONS)[:, None, None]).all()


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=15), st.integers(1, 6), st.integers(1, 6))
def test_results_of_a_roll_are_those_of_the_rules(steps, checkers, die1, die2):
    results, halfway = np.zeros((2, kernel.MAX_SUCCESSORS), np.int32)
    found = kernel.successors(steps, index_of(checkers), die1 - 1, die2 - 1, results, halfway)
    expected = {index_of(r) for r in after_roll(tuple(sorted(checkers)), die1, die2)}
    assert sorted(results[:found]) == sorted(expected)


def test_smaller_number_first(steps):
    """Checkers on 5 and 2, roll 6-3: 5/2 2/off is legal (domain notes), leaving one on 2; 5/off 2/off is better."""
    results, halfway = np.zeros((2, kernel.MAX_SUCCESSORS), np.int32)
    found = kernel.successors(steps, index_of([2, 5]), 5, 2, results, halfway)
    assert set(results[:found]) == {0, index_of([2])}


# --- one-sided --------------------------------------------------------------------------------------------------

# Chances in 36 to bear off one or two checkers with one roll; known to every player, e.g. Magriel, Backgammon (1976).
ONE_ROLL = {
    (1,): 36, (2,): 36, (3,): 36, (4,): 34, (5,): 31, (6,): 27,
    (1, 1): 36, (1, 2): 36, (1, 3): 34, (1, 4): 29, (1, 5): 23, (1, 6): 15,
    (2, 2): 26, (2, 3): 25, (2, 4): 23, (2, 5): 19, (2, 6): 13,
    (3, 3): 17, (3, 4): 17, (3, 5): 14, (3, 6): 10,
    (4, 4): 11, (4, 5): 10, (4, 6): 8, (5, 5): 6, (5, 6): 6, (6, 6): 4,
}  # fmt: skip


@pytest.mark.parametrize(("checkers", "ways"), ONE_ROLL.items())
def test_known_chances_of_the_last_roll(tables, checkers, ways):
    assert 36 * (1 - tables.still[index_of(checkers), 1]) == pytest.approx(ways, abs=1e-5)


def test_mean_rolls_equal_the_twin(tables):
    for number in (1, 2, 3, 4):
        for checkers in positions_of(number):
            assert tables.mean_rolls[index_of(checkers)] == pytest.approx(float(mean_rolls(checkers)), abs=1e-6)


@pytest.mark.parametrize(
    ("checkers", "mean", "effective_pips"),
    [(7, 3.5509259259, 28.999), (13, None, 50.000004)],
    ids=["7 on the ace point", "13 on the ace point"],
)
def test_stacks_on_the_ace_point(tables, checkers, mean, effective_pips):
    """Walter Trice, "Effective Pip Count", Flint Area BackgammoNews, November 2000, on bkgm.com."""
    rolls = float(tables.mean_rolls[index_of([1] * checkers)])
    assert rolls * 49 / 6 == pytest.approx(effective_pips, abs=1e-3)
    if mean is not None:
        assert rolls == pytest.approx(mean, abs=1e-6)


def test_distributions_are_distributions(tables):
    still = tables.still.astype(float)
    assert (np.diff(still, axis=1) <= 0).all()
    assert (still[1:, 0] == 1).all()
    assert (still[:, -1] == 0).all()
    np.testing.assert_allclose(still.sum(1), tables.mean_rolls, atol=3e-6)
    rows = np.arange(1, kernel.HOME_POSITIONS)
    assert (still[rows, tables.fastest[1:] - 1] == 1).all()
    assert (still[rows, tables.fastest[1:]] < 1).all()
    assert (still[rows, tables.slowest[1:]] == 0).all()
    assert (still[rows, tables.slowest[1:] - 1] > 0).all()


def test_the_first_checker_is_off_no_later_than_all(tables):
    columns = tables.none_off.shape[1]
    assert (tables.none_off <= tables.still[kernel.FIRST_OF_15 :, :columns] + 1e-6).all()
    assert (np.diff(tables.none_off, axis=1) <= 0).all()
    assert (tables.none_off[:, -1] == 0).all()


def test_a_checker_less_is_never_slower(tables, counts):
    """(A checker further back may well be faster: it can fill a gap.)"""
    for point in range(1, 7):
        has = np.flatnonzero(counts[:, point - 1] > 0)[::20]
        fewer = counts[has].astype(np.int64)
        fewer[:, point - 1] -= 1
        fewer_index = np.array([kernel.home_index(row) for row in fewer])
        assert (tables.mean_rolls[fewer_index] <= tables.mean_rolls[has]).all()


# --- two-sided --------------------------------------------------------------------------------------------------


def test_two_sided_values_equal_the_twin_up_to_two_checkers(tables):
    small = [c for n in (1, 2) for c in positions_of(n)]
    worst = 0.0
    for mine in small:
        for theirs in small:
            row = tables.two_sided[index_of(mine) * kernel.TWO_SIDED_POSITIONS + index_of(theirs)]
            expected = [float(v) for v in before_doubling(mine, theirs)]
            worst = max(worst, np.abs(row - expected).max())
    assert worst < 1e-6


@pytest.mark.parametrize(
    ("mine", "theirs"), [((6, 6, 4), (5, 3, 3)), ((1, 5, 6), (2, 4, 6)), ((1, 2, 3, 4), (3, 3, 4))]
)
def test_two_sided_values_equal_the_twin_with_more_checkers(tables, mine, theirs):
    mine, theirs = tuple(sorted(mine)), tuple(sorted(theirs))
    row = tables.two_sided[kernel.two_sided_row(tables, board_of(mine, theirs))]
    np.testing.assert_allclose(row, [float(v) for v in before_doubling(mine, theirs)], atol=1e-6)


def test_last_roll_cubes(tables):
    """Two checkers left against a certain winner next time: no later decision, so nobody's cube matters."""
    row = tables.two_sided[kernel.two_sided_row(tables, board_of([2, 5], [1]))]
    np.testing.assert_allclose(row, 2 * 19 / 36 - 1, atol=1e-6)


def test_a_cube_is_never_worse_to_have(tables):
    row = tables.two_sided.reshape(kernel.TWO_SIDED_POSITIONS, kernel.TWO_SIDED_POSITIONS, 4)[1:, 1:]
    assert (row[..., kernel.OWNED] >= row[..., kernel.CENTRED] - 1e-6).all()
    assert (row[..., kernel.CENTRED] >= row[..., kernel.OPPONENT] - 1e-6).all()
    assert (row[..., kernel.OWNED] >= row[..., kernel.CUBELESS] - 1e-6).all()
    assert (row[..., kernel.CUBELESS] >= row[..., kernel.OPPONENT] - 1e-6).all()
    assert np.abs(row).max() <= 1


def test_row_only_up_to_six_checkers(tables):
    assert kernel.two_sided_row(tables, board_of([1] * 6, [6] * 6)) >= 0
    assert kernel.two_sided_row(tables, board_of([1] * 7, [6] * 6)) == -1
    assert kernel.two_sided_row(tables, board_of([1], [6] * 7)) == -1


# --- probabilities ----------------------------------------------------------------------------------------------

homes = st.lists(st.integers(1, 6), min_size=1, max_size=15)


@settings(max_examples=150, deadline=None)
@given(homes, homes)
def test_probabilities_are_the_convolution_of_both_sides(tables, mine, theirs):
    out = np.zeros(6)
    kernel.bearoff_probabilities(tables, board_of(mine, theirs), out)
    assert out.sum() == pytest.approx(1, abs=1e-6)
    assert (out >= 0).all()
    me, them = tables.still[index_of(mine)].astype(float), tables.still[index_of(theirs)].astype(float)
    win = sum((me[k - 1] - me[k]) * them[k - 1] for k in range(1, len(me)))
    exact = len(mine) <= 6 and len(theirs) <= 6
    assert out[0] + out[1] == pytest.approx(win, abs=0.01 if exact else 1e-6)
    assert out[2] == out[5] == 0
    if len(theirs) < 15:
        assert out[1] == 0
    if len(mine) < 15:
        assert out[4] == 0


def test_gammons(tables):
    out = np.zeros(6)
    kernel.bearoff_probabilities(tables, board_of([1, 1], [6] * 15), out)
    np.testing.assert_allclose(out, [0, 1, 0, 0, 0, 0], atol=1e-6)
    # 15 on the six point roll one off with any 6, 5-1, 4-2, 2-2 and 3-3: 17 of 36
    kernel.bearoff_probabilities(tables, board_of([6] * 15, [1]), out)
    np.testing.assert_allclose(out, [0, 0, 0, 17 / 36, 19 / 36, 0], atol=1e-6)
    # the roller takes two rolls unless a double comes first, the opponent misses once with 19 of 36
    kernel.bearoff_probabilities(tables, board_of([1, 1, 1], [6] * 15), out)
    np.testing.assert_allclose(out, [5 / 6 * 17 / 36, 1 / 6 + 5 / 6 * 19 / 36, 0, 0, 0, 0], atol=1e-6)


def test_bearoff_boards_are_recognised():
    assert kernel.is_bearoff(board_of([1, 6], [6, 2]))
    for place, checkers in ((7, 1), (18, -1), (25, 1), (0, -1), (3, -1), (20, 1)):
        board = board_of([1, 6], [6, 2])
        board[place] = checkers
        assert not kernel.is_bearoff(board)
