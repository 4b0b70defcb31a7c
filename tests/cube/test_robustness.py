import numpy as np
import pytest

from cubelab.cube import Janowski, Verdict, cube_points, decide
from cubelab.cube.robustness import nearest_flips, robustness
from cubelab.game import Cube, MatchState, Owner, Probabilities
from cubelab.score import Stakes

MONEY = Stakes.of(MatchState(), Cube())
PROBS = Probabilities.from_cumulative(0.7, 0.2, 0.01, 0.1, 0)


def test_gammonless_money_flips_at_the_points():
    win, mine, theirs = nearest_flips([0.77, 0, 0, 0.23, 0, 0], MONEY, Janowski(2 / 3))
    assert win.change == pytest.approx(11 / 14 - 0.77, abs=1e-6)
    assert win.to is Verdict.DOUBLE_PASS
    win, _, _ = nearest_flips([0.69, 0, 0, 0.31, 0, 0], MONEY, Janowski(2 / 3))
    assert win.change == pytest.approx(0.6875 - 0.69, abs=1e-6)
    assert win.to is Verdict.NO_DOUBLE_TAKE
    assert mine.change > 0
    assert mine.to is Verdict.DOUBLE_PASS
    assert theirs.what == "opponent gammon"


def test_a_step_beyond_the_flip_has_the_other_verdict():
    for stakes in (MONEY, Stakes.of(MatchState(7, 3, 2), Cube()), Stakes.of(MatchState(9, 2, 6), Cube(2, Owner.MOVER))):
        verdict = decide(PROBS, stakes).verdict
        win, mine, theirs = nearest_flips(PROBS, stakes)
        values = np.array(PROBS.array)
        for flip, side in ((mine, slice(0, 3)), (theirs, slice(3, 6))):
            if flip.change is None:
                continue
            total = values[side].sum()
            share = values[side][1:].sum() / total + flip.change * 1.0001
            moved = values.copy()
            inside = values[side][2] / values[side][1:].sum()
            moved[side] = total * np.array([1 - share, share * (1 - inside), share * inside])
            assert decide(moved, stakes).verdict is flip.to is not verdict
        if win.change is not None:
            p = values[:3].sum() + win.change * 1.0001
            moved = np.concatenate([values[:3] / values[:3].sum() * p, values[3:] / values[3:].sum() * (1 - p)])
            assert decide(moved, stakes).verdict is win.to is not verdict


def test_a_locked_cube_has_no_flip():
    for flip in nearest_flips(PROBS, Stakes.of(MatchState(5, 4, 4), Cube())):
        assert (flip.change, flip.to) == (None, None)


def test_over_tables_and_efficiencies():
    result = robustness(PROBS, MatchState(7, 3, 2), efficiencies=(0.6, 0.7, 0.8))
    frame = result.to_frame()
    assert len(frame) == 10 * 3
    assert set(frame["met"]) >= {"kazaross-xg2", "woolsey"}
    assert "jac050" not in set(frame["met"])
    assert result.agreement == frame["agrees"].mean()
    assert result.decision == decide(PROBS, Stakes.of(MatchState(7, 3, 2), Cube()))
    for low, high in result.flipping_efficiencies:
        assert low < high


def test_evaluators_by_name():
    other = Probabilities.from_cumulative(0.66, 0.15, 0.0, 0.1, 0)
    result = robustness({"0-ply": PROBS, "2-ply": other}, MatchState(), efficiencies=(0.68,))
    assert [row[0] for row in result.rows] == ["0-ply", "2-ply"]
    assert [row[1] for row in result.rows] == ["money", "money"]


def test_points_and_flips_agree():
    stakes = Stakes.of(MatchState(9, 3, 4), Cube())
    points = cube_points(PROBS, stakes).mover
    win = nearest_flips(PROBS, stakes)[0]
    borders = [points.double.model, points.cash.model, points.too_good.model]
    assert min(abs(0.7 + win.change - border) for border in borders if border) < 1e-6
