import numpy as np
import pytest
import twin_cube
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies_cube import chances, match_stakes

from cubelab.cube import models
from cubelab.game import Cube, MatchState, Owner, Rules, Scoring
from cubelab.kernels.cube import (
    CENTRE,
    JUMP,
    MOVER,
    OPPONENT,
    cube_values,
    cube_values_along,
    cube_values_many,
    live_kinks,
    wait,
)
from cubelab.score import PipCounts, Stakes

FLIP = [3, 4, 5, 0, 1, 2]


def kernel(stakes, probs, x):
    out = np.empty((stakes.levels, 3))
    cube_values(*stakes.kernel_arrays, (x,) * 3, np.asarray(probs, dtype=float), out)
    return out


@given(match_stakes(), chances(), st.sampled_from([0.0, 0.37, 0.68, 1.0]))
@settings(max_examples=300)
def test_equals_the_plain_python_twin_in_matches(stakes, probs, x):
    expected = twin_cube.values(stakes.payoffs.tolist(), stakes.may_turn.tolist(), x, probs.tolist())
    np.testing.assert_allclose(kernel(stakes, probs, x), expected, atol=1e-9)


@given(st.sampled_from([1, 2, 4, 8, 32]), st.booleans(), chances(), st.floats(0, 1))
@settings(max_examples=100)
def test_equals_the_plain_python_twin_with_a_cap(cap, jacoby, probs, x):
    stakes = Stakes.of(MatchState(rules=Rules(cube_cap=cap, jacoby=jacoby)), Cube())
    expected = twin_cube.values(stakes.payoffs.tolist(), stakes.may_turn.tolist(), x, probs.tolist())
    np.testing.assert_allclose(kernel(stakes, probs, x), expected, atol=1e-9)


@given(match_stakes(), chances(), st.tuples(*[st.floats(0, 1)] * 3))
@settings(max_examples=100)
def test_each_place_of_the_cube_has_its_own_efficiency(stakes, probs, efficiency):
    out = np.empty((stakes.levels, 3))
    cube_values(*stakes.kernel_arrays, efficiency, probs, out)
    for place in (CENTRE, MOVER, OPPONENT):
        np.testing.assert_array_equal(out[:, place], kernel(stakes, probs, efficiency[place])[:, place])


@given(st.integers(1, 6), st.integers(0, 3), chances(), st.tuples(*[st.floats(0, 1)] * 3))
@settings(max_examples=100)
def test_waiting_costs_what_the_efficiency_of_its_place_says(away, level, probs, efficiency):
    cube = Cube() if level == 0 else Cube(2**level, Owner.MOVER)
    stakes = Stakes.of(MatchState(25, 25 - 2**level - away, 24 if level == 0 else 25 - 2**level), cube)
    waited = np.empty((1, 3))
    cube_values(*stakes.kernel_arrays, efficiency, probs, waited)
    wait(*stakes.kernel_arrays, efficiency, probs, waited)
    for place in (CENTRE, MOVER, OPPONENT):
        alone = kernel(stakes, probs, efficiency[place])[:1]
        wait(*stakes.kernel_arrays, (efficiency[place],) * 3, probs, alone)
        assert waited[0, place] == alone[0, place]


@example(2, 18, 8, np.array([0.5, 0, 0, 0, 0.5, 0]), 1.0)  # rounding put a cash point beside 1
@given(st.integers(1, 60), st.integers(1, 60), st.sampled_from([1, 2, 8, None]), chances(), st.floats(0, 1))
@settings(max_examples=60)
def test_equals_the_plain_python_twin_under_pip_scoring(mine, theirs, cap, probs, x):
    pips = PipCounts(mine, theirs, (theirs / 2, theirs, theirs, mine / 2, mine, mine))
    match = MatchState(rules=Rules(scoring=Scoring.PIPS, cube_cap=cap))
    stakes = Stakes.of(match, Cube(), pips=pips)
    expected = twin_cube.values(stakes.payoffs.tolist(), stakes.may_turn.tolist(), x, probs.tolist())
    np.testing.assert_allclose(kernel(stakes, probs, x), expected, atol=1e-6)
    other = kernel(stakes.flip(), probs[FLIP], x)
    np.testing.assert_allclose(other[:, [CENTRE, OPPONENT, MOVER]], -kernel(stakes, probs, x), atol=1e-9)


@given(st.integers(1, 6), st.integers(0, 3), chances(), st.sampled_from([0.0, 0.37, 0.68, 1.0]))
@settings(max_examples=25)
def test_waiting_is_the_bend_under_jumps(away, level, probs, x):
    """Against numerical integration, for trailers after the Crawford game and owners of cubes that lose the match."""
    cube = Cube() if level == 0 else Cube(2**level, Owner.MOVER)
    stakes = Stakes.of(MatchState(25, 25 - 2**level - away, 24 if level == 0 else 25 - 2**level), cube)
    plain = kernel(stakes, probs, x)
    waited = plain.copy()
    wait(*stakes.kernel_arrays, (x,) * 3, probs, waited[:1])
    cost = twin_cube.waiting(stakes.payoffs.tolist(), stakes.may_turn.tolist(), x, probs.tolist())
    p, (w, loss) = probs[:3].sum() / probs.sum(), twin_cube.averages(stakes.payoffs[0].tolist(), probs.tolist())
    dead = p * w + (1 - p) * loss
    expected = max(plain[0, stakes.axis] - cost, min(plain[0, stakes.axis], dead))
    assert waited[0, stakes.axis] == pytest.approx(expected, abs=1e-5)
    assert (waited[1:] == plain[1:]).all()
    assert waited[0, OPPONENT] == plain[0, OPPONENT]


def test_derivations_know_the_kernels_jump():
    assert models.JUMP == JUMP


@given(match_stakes(), chances(), st.floats(0, 1))
@settings(max_examples=200)
def test_the_other_side_sees_the_negative(stakes, probs, x):
    mine = kernel(stakes, probs, x)
    theirs = kernel(stakes.flip(), probs[FLIP], x)
    np.testing.assert_allclose(theirs[:, [CENTRE, OPPONENT, MOVER]], -mine, atol=1e-12)


@given(match_stakes(), chances(), st.floats(0, 1))
@settings(max_examples=200)
def test_owning_the_cube_never_hurts_and_values_rise_with_the_win_chance(stakes, probs, x):
    out = np.empty((101, stakes.levels, 3))
    cube_values_along(*stakes.kernel_arrays, x, probs, np.linspace(0, 1, 101), out)
    assert (np.diff(out, axis=0) >= -1e-12).all()
    assert (out[:, :, MOVER] >= out[:, :, OPPONENT] - 1e-12).all()
    low, high = stakes.payoffs.min(axis=1)[None, :, None], stakes.payoffs.max(axis=1)[None, :, None]
    assert ((out >= low - 1e-12) & (out <= high + 1e-12)).all()


def janowski(p, w, loss, x):
    """Equities of Take-Points in Money Games: cube centred, mine, theirs, in units of the cube."""
    take = (loss - 0.5) / (w + loss + 0.5)
    cash = (loss + 1) / (w + loss + 0.5)
    dead = p * (w + loss) - loss

    def line(points):
        return np.interp(p, *zip(*points, strict=True))

    live = (
        line([(0, -loss), (take, -1), (cash, 1), (1, w)]),
        line([(0, -loss), (cash, 1), (1, w)]),
        line([(0, -loss), (take, -1), (1, w)]),
    )
    return [x * value + (1 - x) * dead for value in live]


@pytest.mark.parametrize("x", [0.0, 0.5, 2 / 3, 1.0])
@pytest.mark.parametrize("gammons", [(0, 0, 0, 0), (0.25, 0.01, 0.2, 0), (0.6, 0.1, 0.1, 0.05), (0, 0, 0.5, 0.02)])
def test_money_without_a_cap_is_janowskis_closed_form(gammons, x):
    stakes = Stakes.of(MatchState(rules=Rules(cube_cap=None)), Cube())
    g, b, gl, bl = gammons
    w, loss = 1 + g + 2 * b, 1 + gl + 2 * bl
    for p in np.linspace(0.02, 0.98, 25):
        probs = [p * (1 - g - b), p * g, p * b, (1 - p) * (1 - gl - bl), (1 - p) * gl, (1 - p) * bl]
        out = kernel(stakes, probs, x)
        for level in range(stakes.levels):
            np.testing.assert_allclose(out[level] / 2**level, janowski(p, w, loss, x), atol=1e-12)


def test_published_live_and_dead_points_of_money_play():
    """Take 25 % dead, 20 % live; cash 75 % and 80 % (Keeler and Spencer 1975; Janowski 1993)."""
    stakes = Stakes.of(MatchState(rules=Rules(cube_cap=None)), Cube())
    kinks = np.empty((stakes.levels, 6))
    live_kinks(*stakes.kernel_arrays, np.array([0.5, 0, 0, 0.5, 0, 0]), kinks)
    np.testing.assert_allclose(kinks[:, 0], 0.8, atol=1e-14)
    np.testing.assert_allclose(kinks[:, 2], 0.2, atol=1e-14)
    assert kernel(stakes, [0.75, 0, 0, 0.25, 0, 0], 0.0)[1, OPPONENT] == pytest.approx(1.0)


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_certain_results_are_worth_their_payoff(p):
    for stakes in (Stakes.of(MatchState(), Cube()), Stakes.of(MatchState(7, 3, 5), Cube())):
        out = kernel(stakes, [p, 0, 0, 1 - p, 0, 0], 0.68)
        np.testing.assert_allclose(out[-1], stakes.payoffs[-1, 0 if p else 3])
        assert np.isfinite(out).all()
        # The loser's own cube is no help; a certain winner is not below a single win.
        assert out[0, MOVER] == pytest.approx(stakes.payoffs[0, 0 if p else 3])


def test_a_dead_cube_is_the_average_of_the_payoffs():
    stakes = Stakes.of(MatchState(5, 4, 4), Cube())
    probs = [0.3, 0.2, 0.1, 0.2, 0.15, 0.05]
    for x in (0.0, 0.68, 1.0):
        np.testing.assert_allclose(kernel(stakes, probs, x), 2 * 0.6 - 1)


def test_fewer_levels_may_be_wanted():
    stakes = Stakes.of(MatchState(11, 3, 2), Cube())
    probs = np.array([0.5, 0.1, 0.0, 0.3, 0.1, 0.0])
    two = np.empty((2, 3))
    cube_values(*stakes.kernel_arrays, (0.68,) * 3, probs, two)
    np.testing.assert_array_equal(two, kernel(stakes, probs, 0.68)[:2])


def test_many_rows_equal_single_ones():
    rng = np.random.default_rng(5)
    tables = [Stakes.of(MatchState(9, a, 3), Cube()) for a in (2, 3, 4)]
    payoffs = np.array([t.payoffs for t in tables])
    may_turn = np.array([t.may_turn for t in tables])
    which = rng.integers(0, 3, 50)
    probs = rng.dirichlet(np.ones(6), 50)
    out = np.empty((50, payoffs.shape[1], 3))
    cube_values_many(payoffs, may_turn, which, 0.68, probs, out)
    for row in range(50):
        np.testing.assert_allclose(out[row], kernel(tables[which[row]], probs[row], 0.68))


def test_chances_next_to_nothing_do_no_harm():
    stakes = Stakes.of(MatchState(7, 3, 5), Cube())
    for probs in ([0, 2.8e-315, 0, 0, 0, 1.0], [1.0, 0, 0, 5e-324, 0, 0]):
        assert np.isfinite(kernel(stakes, probs, 0.68)).all()
