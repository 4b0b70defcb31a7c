import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_cube import chances, match_stakes, money_stakes

from cubelab.cube import decide, decide_many
from cubelab.errors import IllegalRules, TableError
from cubelab.game import Cube, MatchState, Owner, Rules
from cubelab.score import MatchEquityTable, PipCounts, Stakes


def test_money_payoffs_are_points_per_current_cube():
    stakes = Stakes.of(MatchState(rules=Rules(cube_cap=8)), Cube(2, Owner.MOVER))
    np.testing.assert_array_equal(stakes.payoffs, np.outer([1, 2, 4], [1, 2, 3, -1, -2, -3]))
    assert stakes.may_turn.tolist() == [[True, True], [True, True], [False, False]]
    assert (stakes.unit, stakes.money, stakes.met_name) == ("points", True, None)


def test_jacoby_takes_gammons_off_a_centred_cube_only():
    """Case 16."""
    jacoby = MatchState(rules=Rules(jacoby=True))
    centred = Stakes.of(jacoby, Cube()).payoffs
    assert centred[0].tolist() == [1, 1, 1, -1, -1, -1]
    assert centred[1].tolist() == [2, 4, 6, -2, -4, -6]
    assert Stakes.of(jacoby, Cube(2, Owner.OPPONENT)).payoffs[0].tolist() == [1, 2, 3, -1, -2, -3]
    # An automatic double leaves the cube in the middle: it has not been turned by a player.
    assert Stakes.of(jacoby, Cube(2)).payoffs[0].tolist() == [1, 1, 1, -1, -1, -1]


@given(st.sampled_from([None, 2, 8, 32]), st.sampled_from([2, 4, 16]), st.sampled_from(list(Owner)), chances())
def test_money_stakes_do_not_feel_the_cubes_scale(cap, factor, owner, probs):
    """A cube and its cap, both times the same number: the same equities per cube, the same verdict."""
    one = Stakes.of(MatchState(rules=Rules(cube_cap=cap)), Cube(2, owner))
    other = Stakes.of(MatchState(rules=Rules(cube_cap=cap and cap * factor)), Cube(2 * factor, owner))
    np.testing.assert_array_equal(one.payoffs, other.payoffs)
    np.testing.assert_array_equal(one.may_turn, other.may_turn)
    assert decide(probs, one).values == decide(probs, other).values


def test_match_payoffs_follow_the_next_score():
    table = MatchEquityTable.load()
    stakes = Stakes.of(MatchState(7, 5, 3), Cube())
    expected = [
        table.mwc(away=(1, 4)),
        1.0,
        1.0,
        table.mwc(away=(2, 3)),
        table.mwc(away=(2, 2)),
        table.mwc(away=(2, 1)),  # the Crawford game follows
    ]
    np.testing.assert_allclose(stakes.to_mwc(stakes.payoffs[0]), expected)


def test_post_crawford_survives_the_look_up_of_the_next_score():
    """Case 11: the trailer 3 away who wins 1 point is 2 away post-Crawford, .48803 and not .32264."""
    stakes = Stakes.of(MatchState(7, 4, 6), Cube())
    assert stakes.to_mwc(stakes.payoffs[0, 0]) == pytest.approx(0.48803)
    crawford = Stakes.of(MatchState(7, 4, 6, crawford=True), Cube())
    assert crawford.to_mwc(crawford.payoffs[0, 0]) == pytest.approx(0.48803)
    assert crawford.to_mwc(crawford.payoffs[0, 3]) == 0.0


@pytest.mark.parametrize(
    ("match", "cube", "reason"),
    [
        (MatchState(7, 6, 3, crawford=True), Cube(), "the Crawford game"),
        (MatchState(7, 3, 3), Cube(2, Owner.OPPONENT), "the opponent owns the cube"),
        (MatchState(rules=Rules(cube_cap=4)), Cube(4, Owner.MOVER), "at its cap of 4"),
        (MatchState(rules=Rules(cube_in_use=False)), Cube(), "without a cube"),
        (MatchState(7, 5, 3), Cube(2, Owner.MOVER), "dead: at 2 it already wins the match for the mover"),
        (MatchState(7, 6, 3), Cube(), "dead: at 1 it already wins the match for the mover, who needs 1"),
        (MatchState(1, 0, 0), Cube(), "dead: at 1"),
    ],
)
def test_reasons_why_the_cube_may_not_be_turned(match, cube, reason):
    """Case 33."""
    stakes = Stakes.of(match, cube)
    assert reason in stakes.reason_not_allowed
    assert not stakes.may_double
    with pytest.raises(IllegalRules):
        stakes.after_take()


def test_case_33_of_the_corpus():
    from cubelab.game import Situation

    situation = Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:2:1:-1:00:3:1:0:7:3")
    assert not Stakes.of(situation.match, situation.cube).may_double


def test_allowed_cubes_have_no_reason():
    for match, cube in (
        (MatchState(), Cube()),
        (MatchState(7, 5, 6), Cube()),
        (MatchState(7, 4, 3), Cube(2, Owner.MOVER)),
        (MatchState(7, 6, 3, rules=Rules(crawford=False)).flip(), Cube()),
    ):
        assert Stakes.of(match, cube).reason_not_allowed is None


def test_the_cube_goes_up_as_long_as_it_is_of_use_to_somebody():
    assert Stakes.of(MatchState(7, 5, 3), Cube()).may_turn.tolist() == [[True, True], [False, True], [False, False]]
    assert Stakes.of(MatchState(7, 5, 3, rules=Rules(cube_cap=2)), Cube()).levels == 2
    assert Stakes.of(MatchState(25), Cube()).levels == 6


def test_levels_of_a_cap_far_away_are_left_out():
    near, far = (Stakes.of(MatchState(rules=Rules(cube_cap=cap)), Cube()) for cap in (32, 64))
    assert not near.may_turn[-1].any()
    assert far.may_turn[-1].all()
    np.testing.assert_array_equal(far.payoffs, Stakes.of(MatchState(rules=Rules(cube_cap=None)), Cube()).payoffs)


def test_rules_that_cannot_be_compiled_are_refused_by_name():
    with pytest.raises(IllegalRules, match="pips scoring"):
        Stakes.of(MatchState(rules=Rules.preset("pip-scoring")), Cube())
    with pytest.raises(IllegalRules, match="above its cap of 2"):
        Stakes.of(MatchState(rules=Rules(cube_cap=2)), Cube(4, Owner.MOVER))
    with pytest.raises(TableError):
        Stakes.of(MatchState(5), Cube(), "no such table")


def test_pip_scoring_pays_the_losers_pips():
    """Checkers on 3 and 5: 8 points; a gammon twice, a backgammon three times them, times the cube."""
    match = MatchState(rules=Rules.preset("pip-scoring"))
    pips = PipCounts(40, 60, (8, 70, 90, 10, 75, 95))
    stakes = Stakes.of(match, Cube(2, Owner.MOVER), pips=pips)
    assert stakes.payoffs[0].tolist() == [8, 140, 270, -10, -150, -285, 60, -40]
    np.testing.assert_array_equal(stakes.payoffs[1], 2 * stakes.payoffs[0])
    assert (stakes.passed, stakes.given) == (60, -40)
    assert stakes.to_emg(7.5) == 7.5
    other = stakes.flip()
    assert other.payoffs[0].tolist() == [10, 150, 285, -8, -140, -270, 40, -60]
    assert other.flip() == stakes
    decision = decide([0.6, 0.1, 0, 0.3, 0, 0], stakes)
    assert decision.equities.double_pass == 60
    assert decision.equities.cubeless == pytest.approx(0.6 * 8 + 0.1 * 140 - 0.3 * 10)
    # Taking costs far less than the 60 pips of a pass.
    assert decision.verdict.response == "take"


def test_pip_scoring_is_refused_where_it_has_no_meaning():
    pips = PipCounts(40, 60, (8, 70, 90, 10, 75, 95))
    with pytest.raises(IllegalRules, match="match counts points"):
        Stakes.of(MatchState(7, rules=Rules.preset("pip-scoring")), Cube(), pips=pips)
    with pytest.raises(IllegalRules, match="these rules do not have"):
        Stakes.of(MatchState(), Cube(), pips=pips)
    for bad in ((40, 60, (8, 70)), (-1, 60, (8,) * 6), (40, float("nan"), (8,) * 6)):
        with pytest.raises(IllegalRules):
            PipCounts(*bad)


def test_units():
    stakes = Stakes.of(MatchState(7), Cube())
    assert stakes.to_emg(stakes.single_win) == pytest.approx(1)
    assert stakes.to_emg(stakes.single_loss) == pytest.approx(-1)
    values = np.linspace(-1, 1, 5)
    np.testing.assert_allclose(stakes.from_emg(stakes.to_emg(values)), values, atol=1e-12)
    np.testing.assert_allclose(stakes.from_mwc(stakes.to_mwc(values)), values)
    np.testing.assert_allclose(stakes.mwc_to_emg(stakes.emg_to_mwc(values)), values, atol=1e-12)
    with pytest.raises(IllegalRules, match="money play has no match winning chance"):
        Stakes.of(MatchState(), Cube()).to_mwc(0.3)


def test_the_point_at_seven_away_all_is_worth_what_the_table_says():
    """Case 36: one point at 7-away 7-away is .0626 in Kazaross-XG2."""
    stakes = Stakes.of(MatchState(7), Cube())
    assert stakes.to_mwc(stakes.single_win) - 0.5 == pytest.approx(0.06261)


@given(st.one_of(match_stakes(), money_stakes()))
def test_flipping_twice_is_nothing(stakes):
    again = stakes.flip().flip()
    assert again == stakes
    np.testing.assert_array_equal(again.payoffs, stakes.payoffs)
    np.testing.assert_array_equal(again.may_turn, stakes.may_turn)


@given(match_stakes())
def test_a_flipped_score_compiles_to_flipped_stakes(stakes):
    """A skewed table, turned round with the players, gives the same too."""
    other = Stakes.of(stakes.match.flip(), stakes.cube.flip())
    np.testing.assert_allclose(other.payoffs, stakes.flip().payoffs, atol=1e-9)
    np.testing.assert_array_equal(other.may_turn, stakes.flip().may_turn)
    skewed = MatchEquityTable.load("jac050")
    mine, theirs = Stakes.of(stakes.match, stakes.cube, skewed), Stakes.of(other.match, other.cube, skewed.swap())
    np.testing.assert_allclose(mine.flip().payoffs, theirs.payoffs, atol=1e-9)


@given(st.one_of(match_stakes(), money_stakes()))
def test_payoffs_are_ordered(stakes):
    assert (np.diff(stakes.payoffs[:, :3]) >= -1e-12).all()
    assert (np.diff(stakes.payoffs[:, 3:]) <= 1e-12).all()
    assert (np.diff(stakes.payoffs[:, 0]) >= -1e-12).all()
    assert (stakes.payoffs[:, 0] > stakes.payoffs[:, 3]).all()
    assert not stakes.payoffs.flags.writeable


@given(st.sampled_from([1, 2, 4]), chances())
def test_money_without_a_cap_does_not_depend_on_the_cube(value, probs):
    rules = Rules(cube_cap=None)
    one, more = (Stakes.of(MatchState(rules=rules), Cube(v, Owner.MOVER)) for v in (1, value))
    np.testing.assert_array_equal(one.payoffs, more.payoffs)
    assert one.cubeless(probs) == more.cubeless(probs)


def test_beyond_the_table_is_said():
    assert "(continued)" in Stakes.of(MatchState(30), Cube()).met_name
    assert Stakes.of(MatchState(30), Cube()).extended
    assert not Stakes.of(MatchState(30, 5, 5), Cube()).extended
    assert Stakes.of(MatchState(17), Cube(), "woolsey").extended


def test_stakes_survive_pickle_and_still_feed_the_kernels():
    import pickle

    stakes = Stakes.of(MatchState(7, 3, 5), Cube())
    copy = pickle.loads(pickle.dumps(stakes))
    assert copy == stakes
    assert decide([0.7, 0, 0, 0.3, 0, 0], copy) == decide([0.7, 0, 0, 0.3, 0, 0], stakes)


def test_reasons_speak_of_whoever_is_the_mover():
    stakes = Stakes.of(MatchState(7, 6, 3), Cube())
    assert "for the mover, who needs 1" in stakes.reason_not_allowed
    assert "for the opponent, who needs 1" in stakes.flip().reason_opponent_not_allowed
    assert stakes.flip().reason_not_allowed is None


def test_stakes_are_cached_values():
    assert Stakes.of(MatchState(7), Cube()) is Stakes.of(MatchState(7), Cube(), "kazaross-xg2")
    assert Stakes.of(MatchState(7), Cube()) != Stakes.of(MatchState(7), Cube(), "snowie")
    assert "kazaross-xg2" in repr(Stakes.of(MatchState(7), Cube()))


@pytest.mark.parametrize(
    ("match", "met"),
    [(MatchState(25, 23, 1), "jac100"), (MatchState(200, 198, 0), "kazaross-xg2"), (MatchState(300, 0, 295), None)],
)
def test_a_match_as_good_as_decided_has_a_reason_and_no_verdict(match, met):
    """jac100 gives 2-away against 24-away the same chance after a win and after a loss: there is nothing to weigh."""
    stakes = Stakes.of(match, Cube(), met)
    for side in (stakes, stakes.flip()):
        assert not side.may_double
        assert "no longer matters" in side.reason_not_allowed
        decision = decide([0.5, 0.2, 0, 0.2, 0.1, 0], side)
        assert decision.verdict is None
        assert decision.equities.double_take is None
    # One point further from the end of the table every cell is a number again.
    near = Stakes.of(MatchState(25, 23, 5), Cube(), met)
    assert near.may_double
    assert np.isfinite(near.to_emg(near.payoffs)).all()


def test_a_table_in_which_a_win_is_worth_less_than_a_loss():
    """A table of one's own may say so of a score; there a verdict would rest on nothing."""
    away = np.arange(1, 6)
    values = 0.5 + (away[None, :] - away[:, None]) * 0.08
    values[0, 1], values[1, 0] = 0.3, 0.7
    stakes = Stakes.of(
        MatchState(5, 3, 3), Cube(), MatchEquityTable("odd", values, np.array([0.5, 0.3, 0.3, 0.2, 0.2]))
    )
    for side in (stakes, stakes.flip()):
        decision = decide([0.5, 0.1, 0, 0.3, 0.1, 0], side)
        assert decision.verdict is None
        assert "worth less than a loss" in decision.reason_not_allowed
        assert decide_many(np.array([[0.5, 0.1, 0, 0.3, 0.1, 0]]), side).verdicts.tolist() == [-1]
