import numpy as np
import pytest

from cubelab.cube import Janowski, decide
from cubelab.cube.many import VERDICTS, decide_many
from cubelab.errors import IllegalProbabilities, SettingsError
from cubelab.game import Cube, MatchState, Owner, Rules, Scoring
from cubelab.score import PipCounts, Stakes

COUNTS = PipCounts(40, 60, (8, 70, 90, 10, 75, 95))
STAKES = [
    Stakes.of(match, cube)
    for match, cube in (
        (MatchState(), Cube()),
        (MatchState(rules=Rules(jacoby=True, beavers=1)), Cube()),
        (MatchState(rules=Rules(cube_cap=4)), Cube(2, Owner.MOVER)),
        (MatchState(rules=Rules(cube_in_use=False)), Cube()),
        (MatchState(7, 5, 3), Cube()),
        (MatchState(7, 3, 5), Cube(2, Owner.MOVER)),
        (MatchState(7, 3, 5), Cube(2, Owner.OPPONENT)),
        (MatchState(9, 8, 5, crawford=True), Cube()),
        (MatchState(9, 4, 8), Cube()),
        (MatchState(25), Cube()),
        (MatchState(1), Cube()),
        (MatchState(rules=Rules(immediate_redouble=True)), Cube()),
        (MatchState(rules=Rules(immediate_redouble=True, cube_cap=4)), Cube(2, Owner.MOVER)),
        (MatchState(7, 3, 4, rules=Rules(immediate_redouble=True)), Cube()),
    )
] + [
    Stakes.of(
        MatchState(rules=Rules(scoring=Scoring.PIPS, **more)), Cube(), pips=PipCounts(40, 60, (8, 70, 90, 10, 75, 95))
    )
    for more in ({}, {"beavers": 1}, {"immediate_redouble": True, "cube_cap": 8})
]


def test_rows_equal_single_decisions():
    rng = np.random.default_rng(3)
    probs = rng.dirichlet([3, 1, 0.2, 2, 1, 0.2], 600)
    which = rng.integers(0, len(STAKES), 600)
    answers = decide_many(probs, STAKES, Janowski(0.7), index=which)
    same = decide_many(probs, [STAKES[i] for i in which], Janowski(0.7))
    np.testing.assert_array_equal(answers.verdicts, same.verdicts)
    seen = set()
    for row in range(600):
        expected = decide(probs[row], STAKES[which[row]], Janowski(0.7))
        assert answers.verdict(row) is expected.verdict
        seen.add(expected.verdict)
        assert answers.no_double[row] == pytest.approx(expected.equities.no_double)
        if expected.verdict is not None:
            assert answers.double_take[row] == pytest.approx(expected.equities.double_take)
            assert answers.optional[row] == expected.optional
        else:
            assert np.isnan(answers.double_take[row])
        if expected.mwc is not None:
            assert answers.no_double_mwc[row] == pytest.approx(expected.mwc.no_double)
        else:
            assert np.isnan(answers.no_double_mwc[row])
    assert len(seen) >= 6


def test_one_stakes_for_all_and_a_frame():
    answers = decide_many(np.array([[0.7, 0, 0, 0.3, 0, 0], [0.9, 0, 0, 0.1, 0, 0]]), STAKES[0])
    frame = answers.to_frame()
    assert frame.verdict.tolist() == ["D_T", "D_P"]
    assert len(answers) == 2
    assert len(VERDICTS) == len(set(VERDICTS))


def test_bad_rows_are_named():
    good = np.array([[0.7, 0, 0, 0.3, 0, 0]] * 3)
    bad = good.copy()
    bad[1, 0] = np.nan
    with pytest.raises(IllegalProbabilities, match="row 1"):
        decide_many(bad, STAKES[0])
    with pytest.raises(IllegalProbabilities, match="shape"):
        decide_many(good[:, :5], STAKES[0])
    with pytest.raises(SettingsError, match="17 stakes for 3 rows"):
        decide_many(good, STAKES)
    with pytest.raises(SettingsError, match="does not point"):
        decide_many(good, STAKES, index=np.array([0, 1, 99]))


@pytest.mark.parametrize("stakes", [None, "money", [None, None], MatchState()])
def test_what_is_no_stakes(stakes):
    with pytest.raises(SettingsError, match=r"Stakes\.of"):
        decide_many(np.array([[0.5, 0.1, 0, 0.3, 0.1, 0]] * 2), stakes)


def test_chances_that_are_no_numbers():
    with pytest.raises(IllegalProbabilities, match="not numbers"):
        decide_many(np.array([["a"] * 6]), STAKES[0])
