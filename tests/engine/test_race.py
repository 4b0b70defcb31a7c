"""Races: exact few checkers against a twin, the closed formula against exact sums, and the whole against simulation."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cubelab.engine import race as race_module
from cubelab.engine.bearoff import home_side, load_tables
from cubelab.engine.neural import evaluate_positions
from cubelab.engine.race import load_race, race_values, simulated_rolls
from cubelab.errors import CubelabError, DataMissing
from cubelab.kernels import race as kernel
from cubelab.kernels import race_lines
from cubelab.kernels.bearoff import FIRST_OF_15, HOME_POSITIONS


def one_die(checkers, die):
    """The twin's plays of one number, without contact: checkers are the points of one side."""
    if not checkers:
        return {()}
    results, highest = set(), max(checkers)
    for point in set(checkers):
        rest = list(checkers)
        rest.remove(point)
        if point > die:
            rest.append(point - die)
        elif highest > 6 or (point < die and point != highest):
            continue
        results.add(tuple(sorted(rest)))
    return results


def results_of(checkers, die1, die2):
    found = set()
    for order in [(die1,) * 4] if die1 == die2 else [(die1, die2), (die2, die1)]:
        reached = {checkers}
        for die in order:
            reached = {result for position in reached for result in one_die(position, die)}
        found |= reached
    return found


@cache
def rolls(checkers):
    """(mean, chances of exactly 0, 1, 2, … rolls) played for the lowest mean."""
    if not checkers:
        return 0.0, np.eye(40)[0]
    mean, chances = 1.0, np.zeros(40)
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            results = results_of(checkers, die1, die2)
            best_mean, best = min((rolls(result) for result in results), key=lambda pair: pair[0])
            weight = (1 if die1 == die2 else 2) / 36
            mean += weight * best_mean
            chances[1:] += weight * best[:-1]
    return mean, chances


def counts_of(checkers):
    return np.bincount(np.array(checkers, int), minlength=25).astype(np.int8)


def board_of(mine, theirs):
    board = np.zeros(26, np.int8)
    for point in mine:
        board[point] += 1
    for point in theirs:
        board[25 - point] -= 1
    return board


def probabilities(mine, theirs):
    """Of the side with the checkers `mine`, about to roll."""
    return evaluate_positions(board_of(mine, theirs)[None])[0]


def moments_of(checkers):
    moments = np.zeros(6)
    hidden = np.zeros(kernel.HIDDEN, np.float32)
    kernel.side_moments(load_race(), counts_of(checkers), hidden, moments)
    return moments


# --- what is exact ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "checkers", [(7,), (13,), (1, 8), (7, 9), (3, 11), (2, 6, 8), (12, 12), (1, 1, 1, 1, 1, 10), (1, 2, 2, 4, 11)]
)
def test_few_checkers_equal_the_twin(checkers):
    race = load_race()
    kind, index = kernel.exact_row(counts_of(checkers))
    assert kind == 1
    mean, chances = rolls(checkers)
    assert race.few_moments[index, 0] == pytest.approx(mean, abs=1e-5)
    np.testing.assert_allclose(race.few_still[index], 1 - np.cumsum(chances)[:24], atol=1e-6)


def test_few_tables_are_distributions():
    race = load_race()
    still = race.few_still.astype(float)
    assert still.shape == (kernel.FEW_POSITIONS + 18 * kernel.BESIDE_POSITIONS, 24)
    assert (np.diff(still, axis=1) <= 0).all()
    assert (still[1:, 0] == 1).all()
    np.testing.assert_allclose(race.few_moments[:, 0], still.sum(1), atol=1e-5)


def test_home_moments():
    moments = load_race().home_moments
    assert moments.shape == (HOME_POSITIONS, 6)
    # one checker on the six point: a second roll with 9 of 36
    p = 1 / 4
    np.testing.assert_allclose(moments_of((6,)), [1 + p, p * (1 - p), p * (1 - p) * (1 - 2 * p), 0, 0, 0], atol=1e-6)
    assert (moments[:FIRST_OF_15, 3:] == 0).all()
    assert (moments[FIRST_OF_15:, 3] >= 1).all()


@pytest.mark.parametrize(("mine", "theirs"), [((7,), (1, 2)), ((7, 9), (2, 6, 8)), ((3, 11), (12,)), ((5,), (1, 8))])
def test_two_exact_sides_are_summed_exactly(mine, theirs):
    me, them = rolls(mine)[1], 1 - np.cumsum(rolls(theirs)[1])
    win = sum(me[k] * them[k - 1] for k in range(1, 40))
    np.testing.assert_allclose(probabilities(mine, theirs), [win, 0, 0, 1 - win, 0, 0], atol=1e-6)


# --- the closed formula -----------------------------------------------------------------------------------------


def test_formula_against_exact_sums_over_home_positions():
    tables, moments = load_tables(), load_race().home_moments.astype(float)
    rng = np.random.default_rng(3)
    long = FIRST_OF_15 + np.flatnonzero(tables.mean_rolls[FIRST_OF_15:] > 8)
    mine, theirs = rng.choice(long, (2, 3000))
    still = tables.still.astype(float)
    exact = ((still[mine, :-1] - still[mine, 1:]) * still[theirs, :-1]).sum(1)
    formula = [
        kernel.chance_at_least(b[0] - a[0], a[1] + b[1], b[2] - a[2], 0.0)
        for a, b in zip(moments[mine], moments[theirs], strict=True)
    ]
    errors = np.array(formula) - exact
    assert np.sqrt((errors**2).mean()) < 0.0015
    assert np.abs(errors).max() < 0.008


@pytest.mark.parametrize(
    "checkers", [(7,) * 3 + (6,) * 5 + (5,) * 4 + (4,) * 3, (13, 11, 9, 8, 8) + (6,) * 5 + (4,) * 5]
)
def test_network_agrees_with_simulation(checkers):
    still, error = simulated_rolls(counts_of(checkers)[1:25].tolist(), trials=12, seed=5)
    assert error.max() < 0.01
    moments = moments_of(checkers)
    assert moments[0] == pytest.approx(still.sum(), abs=0.08)
    deviation = np.sqrt((2 * np.arange(24) + 1) @ still - still.sum() ** 2)
    assert np.sqrt(moments[1]) == pytest.approx(deviation, rel=0.05)


def test_simulation_repeats_and_knows_what_is_exact():
    side = counts_of((9, 8, 7, 6, 5))[1:25].tolist()
    np.testing.assert_array_equal(simulated_rolls(side, 3, seed=2)[0], simulated_rolls(side, 3, seed=2)[0])
    still, error = simulated_rolls(counts_of((6,))[1:25].tolist())
    assert still[1] == pytest.approx(0.25)
    assert not error.any()
    still, error = simulated_rolls(counts_of((7,))[1:25].tolist())
    assert still[1] == pytest.approx(1 - rolls((7,))[1][1])
    assert not error.any()


@settings(max_examples=40)
@given(st.lists(st.integers(1, 14), min_size=5, max_size=15), st.integers(1, 6), st.integers(1, 6))
def test_the_simulated_play_is_the_best_of_the_legal_ones(checkers, die1, die2):
    counts = counts_of(checkers)
    before = counts.copy()
    best = np.zeros((2, 25), np.int8)
    race_lines.best_results(load_race(), counts, die1, die2, np.zeros(kernel.HIDDEN, np.float32), best)
    np.testing.assert_array_equal(counts, before)
    means = {result: moments_of(result)[[0, 3]] for result in results_of(tuple(sorted(checkers)), die1, die2)}
    for target in range(2):
        chosen = tuple(np.repeat(np.arange(25), best[target]).tolist())
        assert means[chosen][target] == pytest.approx(min(mean[target] for mean in means.values()), abs=1e-4)


# --- chances ----------------------------------------------------------------------------------------------------

sides_apart = st.integers(7, 17).flatmap(
    lambda border: st.tuples(
        st.lists(st.integers(1, border), min_size=1, max_size=15),
        st.lists(st.integers(1, 24 - border), min_size=1, max_size=15),
    )
)


@settings(max_examples=100)
@given(sides_apart)
def test_probabilities_of_any_race(sides):
    out = probabilities(*sides)
    assert out.sum() == pytest.approx(1)
    assert (out >= 0).all()
    if len(sides[1]) < 15:
        assert out[1] == out[2] == 0
    if len(sides[0]) < 15:
        assert out[4] == out[5] == 0


@settings(max_examples=40)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=15))
def test_the_roll_is_an_advantage_between_equals(side):
    assert probabilities(side, side)[:3].sum() > 0.5


def test_gammons_and_backgammons():
    np.testing.assert_allclose(probabilities((1, 2), (12,) * 15), [0, 1, 0, 0, 0, 0], atol=0.005)
    np.testing.assert_allclose(probabilities((1, 2), (22,) + (12,) * 14), [0, 0, 1, 0, 0, 0], atol=0.005)
    # the loser's rear checker, on 23, gets one roll; any but 1-1, 2-1 and 3-1 takes it out of the winner's home
    out = probabilities((23,) + (12,) * 14, (1,))
    np.testing.assert_allclose(out, [0, 0, 0, 0, 31 / 36, 5 / 36], atol=1e-3)


def test_one_roll_to_save_the_gammon():
    """One checker on the 11 point, the rest home: 23 of 36 rolls bring it in and bear one off."""
    loser = (11,) + (6,) * 3 + (5,) * 3 + (4,) * 2 + (3,) * 2 + (2,) * 2 + (1,) * 2
    saving = sum(
        any(len(result) < 15 for result in results_of(tuple(sorted(loser)), max(a, b), min(a, b)))
        for a in range(1, 7)
        for b in range(1, 7)
    )
    assert saving == 23
    out = probabilities(loser, (1, 1))
    assert out[4] == pytest.approx(1 - saving / 36, abs=0.03)
    assert out[:3].sum() == 0


def convolved(mine, theirs, trials=20):
    """Chance that the side `mine`, about to roll, is off first: the two sides' simulated distributions together."""
    me, them = (simulated_rolls(counts_of(side)[1:25].tolist(), trials, seed=3)[0] for side in (mine, theirs))
    return ((me[:-1] - me[1:]) * them[:-1]).sum()


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ((12, 11, 9, 9, 8, 8, 7) + (6,) * 4 + (5,) * 2 + (4,) * 2, (11, 10, 10, 8, 8, 7, 7) + (6,) * 4 + (4,) * 4),
        ((10, 8, 8) + (6,) * 4 + (5,) * 3 + (3,) * 3 + (2,) * 2, (9, 9, 7) + (6,) * 5 + (4,) * 4 + (1,) * 3),
    ],
)
def test_long_races_against_convolved_distributions(mine, theirs):
    assert probabilities(mine, theirs)[:3].sum() == pytest.approx(convolved(mine, theirs), abs=0.015)


@settings(max_examples=40)
@given(st.lists(sides_apart, min_size=2, max_size=6))
def test_the_side_remembered_changes_nothing(races):
    """Races one after another, some with the same side to roll, equal the same races alone."""
    boards = [board_of(mine, theirs) for mine, theirs in races]
    boards += [board_of(races[0][0], (1,) * count) for count in (3, 5)]
    together = evaluate_positions(np.array(boards))
    np.testing.assert_array_equal(together, np.concatenate([evaluate_positions(board[None]) for board in boards]))


def test_race_values():
    values = race_values(board_of((6, 5, 4), (3, 3)).tolist())
    side = home_side([0, 0, 0, 1, 1, 1])
    assert (values.mover_side.pips, values.opponent_side.pips) == (15, 6)
    assert values.mover_side.epc == pytest.approx(side.epc, abs=1e-4)
    assert values.mover_side.wastage == pytest.approx(side.wastage, abs=1e-4)
    assert values.win == pytest.approx(sum(probabilities((6, 5, 4), (3, 3))[:3]))


def test_a_long_low_wastage_position_wastes_about_seven_pips():
    """Walter Trice: an efficient position of 15 checkers wastes some 7 pips (*Backgammon Boot Camp*, 2004)."""
    values = race_values(board_of((6,) * 5 + (5,) * 3 + (4,) * 2 + (8,) * 2 + (7,) * 2 + (13,), (1,)))
    assert 6.5 < values.mover_side.wastage < 9


def test_bad_input_is_refused():
    with pytest.raises(CubelabError, match="not passed"):
        race_values(board_of((24, 1), (23, 4)))
    for side in ([0] * 24, [16] + [0] * 23, [1] * 23, [-1] + [1] * 23, [0.5] * 24):
        with pytest.raises(CubelabError, match="is not a side"):
            simulated_rolls(side)


def test_damaged_weights_are_named(tmp_path, monkeypatch):
    folder = tmp_path / "weights"
    folder.mkdir()
    (folder / race_module.WEIGHTS_FILE).write_bytes(b"no weights")
    (folder / race_module.CHECKSUM_FILE).write_text("0" * 64)
    monkeypatch.setattr(race_module, "files", lambda package: tmp_path)
    monkeypatch.setattr(race_module, "_loaded", None)
    with pytest.raises(DataMissing, match=r"race\.npz are missing or damaged"):
        load_race()
