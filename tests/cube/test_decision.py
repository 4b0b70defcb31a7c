import dataclasses
import json

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies_cube import chances, match_stakes, money_stakes

from cubelab.cube import (
    DeadCube,
    Janowski,
    LiveCube,
    Verdict,
    cube_model,
    decide,
    decision_from_values,
    market_window,
    nearest_flips,
)
from cubelab.cube.verdict import judge
from cubelab.errors import CubelabError, IllegalProbabilities, SettingsError
from cubelab.game import Cube, MatchState, Owner, Probabilities, Rules, Situation
from cubelab.score import MatchEquityTable, Stakes

MONEY = Stakes.of(MatchState(), Cube())
JACOBY = Stakes.of(MatchState(rules=Rules(jacoby=True)), Cube())
BEAVERS = Stakes.of(MatchState(rules=Rules(beavers=1)), Cube())
models = st.sampled_from([DeadCube(), LiveCube(), Janowski(0.68), Janowski(0.5)])
any_stakes = st.one_of(match_stakes(), money_stakes())


def gammonless(win):
    return Probabilities(win, 0, 0, 1 - win, 0, 0)


@pytest.mark.parametrize(
    ("nd", "dt", "dp", "verdict"),
    [
        (0.10, 0.00, 1.0, "ND_T"),  # case 17
        (0.90, 1.20, 1.0, "D_P"),
        (1.10, 1.40, 1.0, "TG_P"),
        (0.951, 0.808, 1.0, "ND_T"),  # case 19: below the double point, not too good
        (0.50, 0.70, 1.0, "D_T"),
        (1.10, 0.90, 1.0, "TG_T"),
        (1.0, 1.3, 1.0, "ND_P"),
        (0.7, 0.7, 1.0, "ND_T"),  # a tie is no double
        (0.7, 1.0, 1.0, "D_T"),  # a tie is a take
        (1.0, 1.0, 1.0, "ND_T"),
    ],
)
def test_the_verdict_needs_all_three_numbers(nd, dt, dp, verdict):
    """The doubler gets the smaller of double/take and double/pass."""
    assert judge(nd, dt, dp) is Verdict(verdict)
    decision = decision_from_values(nd, dt, MONEY)
    assert decision.verdict is Verdict(verdict)
    assert decision.equities.double_pass == dp


def test_verdict_properties_and_words():
    assert [v.value for v in Verdict if v.double] == ["D_T", "D_B", "D_R", "D_P"]
    assert Verdict.TOO_GOOD_PASS.too_good
    assert Verdict.NO_DOUBLE_BEAVER.response == "beaver"
    assert Verdict.DOUBLE_TAKE.label() == "Double, take"
    assert Verdict.DOUBLE_PASS.label(redouble=True) == "Redouble, pass"
    assert Verdict.TOO_GOOD_PASS.label() == "Too good to double, pass"
    assert Verdict.NO_DOUBLE_TAKE.label(redouble=True) == "No redouble, take"
    assert Verdict.NO_DOUBLE_TAKE.label(optional=True) == "Optional double, take"


@pytest.mark.parametrize(
    ("win", "model", "verdict"),
    [
        (0.45, DeadCube(), "ND_T"),
        (0.74, DeadCube(), "D_T"),
        (0.76, DeadCube(), "D_P"),
        (0.79, LiveCube(), "ND_T"),
        (0.68, Janowski(2 / 3), "ND_T"),  # initial double point 68.75 %, cash point 78.57 %
        (0.70, Janowski(2 / 3), "D_T"),
        (0.78, Janowski(2 / 3), "D_T"),
        (0.79, Janowski(2 / 3), "D_P"),
    ],
)
def test_gammonless_money(win, model, verdict):
    assert decide(gammonless(win), MONEY, model).verdict is Verdict(verdict)


def test_redoubles_need_more_than_first_doubles():
    """Published redouble point of x = 2/3: 71.43 %."""
    owned = Stakes.of(MatchState(), Cube(2, Owner.MOVER))
    for win, right in ((0.71, False), (0.72, True)):
        decision = decide(gammonless(win), owned, Janowski(2 / 3))
        assert decision.verdict.double is right
        assert decision.redouble
    assert decision.label == "Redouble, take"


def test_jacoby_gammons_count_only_after_the_double():
    """Case 16: nobody is too good under Jacoby, and the position of a cash is worth exactly +1."""
    strong = Probabilities.from_cumulative(0.85, 0.6, 0.02, 0.03, 0.0)
    assert decide(strong, MONEY).verdict is Verdict.TOO_GOOD_PASS
    decision = decide(strong, JACOBY)
    assert decision.verdict is Verdict.DOUBLE_PASS
    assert decision.value == 1.0
    assert decision.equities.no_double <= 1.0
    # The branch after doubling has the gammons.
    assert decision.values.double_take == pytest.approx(decide(strong, MONEY).values.double_take)
    turned = Stakes.of(MatchState(rules=Rules(jacoby=True)), Cube(2, Owner.MOVER))
    assert decide(strong, turned).verdict is Verdict.TOO_GOOD_PASS


def test_jacoby_is_never_too_good_even_from_noisy_values():
    assert decision_from_values(1.0001, 1.5, JACOBY).verdict is Verdict.NO_DOUBLE_PASS
    assert decision_from_values(1.0001, 1.5, MONEY).verdict is Verdict.TOO_GOOD_PASS


def test_the_corpus_position_of_case_16():
    """Money with and without Jacoby, chances of about the position: no too good in the first."""
    situation = Situation.from_xgid("XGID=a--B-BCbBAA-cB---bbeAA----:0:0:1:00:0:0:1:0:10")
    assert situation.match.rules.jacoby
    chances = Probabilities.from_cumulative(0.62, 0.22, 0.01, 0.12, 0.01)
    with_jacoby = decide(chances, Stakes.of(situation.match, situation.cube))
    without = decide(chances, MONEY)
    assert with_jacoby.equities.no_double < without.equities.no_double
    assert with_jacoby.equities.double_take == pytest.approx(without.equities.double_take)
    assert with_jacoby.equities.cubeless == pytest.approx(2 * 0.62 - 1)


def test_gammons_are_worthless_at_double_match_point():
    """Case 13."""
    stakes = Stakes.of(MatchState(5, 4, 4), Cube())
    for row in ((0.6, 0.5, 0.3, 0.0, 0.0), (0.6, 0.0, 0.0, 0.4, 0.2)):
        decision = decide(Probabilities.from_cumulative(*row), stakes)
        assert decision.mwc.no_double == pytest.approx(0.6)
        assert decision.equities.no_double == pytest.approx(0.2)
        assert decision.verdict is None


@pytest.mark.parametrize("model", [DeadCube(), Janowski(), LiveCube()])
def test_automatic_redouble_at_two_away_four_away(model):
    """Case 15: 2-away doubles 4-away, who redoubles for free: take point 18.564 %, not the 37.1 % of a dead 2-cube."""
    stakes = Stakes.of(MatchState(7, 5, 3), Cube())
    assert decide(gammonless(1 - 0.1857), stakes, model).verdict.response == "take"
    assert decide(gammonless(1 - 0.1856), stakes, model).verdict.response == "pass"
    # A redouble that costs nothing is never wrong, and the 2-away side passes it below 50 %.
    redouble = Stakes.of(MatchState(7, 3, 5), Cube(2, Owner.MOVER))
    for win in (0.2, 0.4):
        decision = decide(gammonless(win), redouble, model)
        assert decision.verdict.response == "take"
        assert decision.error(doubled=True).emg == 0
    assert decide(gammonless(0.51), redouble, model).verdict.response == "pass"


def test_never_mixes_units():
    """Case 18: equities have double/pass 1, match winning chances have the table's value."""
    decision = decide(Probabilities.from_cumulative(0.7, 0.2, 0, 0.1, 0), Stakes.of(MatchState(7, 3, 0), Cube()))
    assert decision.equities.double_pass == 1.0
    assert decision.mwc.double_pass == MatchEquityTable.load().mwc(away=(3, 7))
    assert 0 < decision.mwc.no_double < 1
    assert decision.unit == "emg"


@pytest.mark.parametrize(
    ("trailer_away", "take_point"),
    [(2, 0.5), (3, 0.0239), (4, 0.3389), (5, 0.0391), (6, 0.3867), (7, 0.0494)],
)
def test_free_drops_of_the_leader_after_the_crawford_game(trailer_away, take_point):
    """Cases 22 and 23: take points of the leader, last cube, no gammons, exact from Kazaross-XG2."""
    stakes = Stakes.of(MatchState(9, 9 - trailer_away, 8), Cube())
    for model in (DeadCube(), LiveCube(), Janowski()):
        assert decide(gammonless(1 - take_point - 2e-4), stakes, model).verdict.response == "take"
        assert decide(gammonless(1 - take_point + 2e-4), stakes, model).verdict.response == "pass"
    # The trailer loses nothing by doubling at once.
    decision = decide(gammonless(0.3), stakes)
    assert decision.error(doubled=True).mwc == pytest.approx(0, abs=1e-12)
    assert decision.turned
    # Waiting costs where the leader may have a pass next turn: nothing when they never have one.
    assert decision.optional == (trailer_away % 2 == 1)


def test_crawford_and_post_crawford_differ():
    """Cases 12 and 29: the same ids but for the Crawford bit, in one process, in either order."""
    chances = Probabilities.from_cumulative(0.55, 0.15, 0, 0.12, 0)
    ids = [f"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:5:6:{crawford}:7:10" for crawford in (1, 0, 1)]
    first, other, again = (
        decide(chances, Stakes.of(s.match, s.cube)) for s in (Situation.from_xgid(text) for text in ids)
    )
    assert first.verdict is None
    assert "Crawford" in first.reason_not_allowed
    assert other.verdict is not None
    assert first.values == again.values != other.values


def test_beavers():
    """Case 26: a beaver is twice the taken double; right when that is below zero; money only."""
    weak = Probabilities.from_cumulative(0.45, 0.05, 0, 0.1, 0)
    decision = decide(weak, BEAVERS)
    assert decision.values.double_take < 0
    assert decision.values.double_beaver == 2 * decision.values.double_take
    assert decision.verdict is Verdict.NO_DOUBLE_BEAVER
    assert decision.response_error("take").emg == pytest.approx(-decision.values.double_take)
    assert decision.response_error("beaver").emg == 0
    assert decide(weak, MONEY).values.double_beaver is None
    assert decide(weak, Stakes.of(MatchState(7), Cube())).response_error("beaver") is None
    strong = decide(gammonless(0.7), BEAVERS)
    assert strong.verdict is Verdict.DOUBLE_TAKE
    assert strong.response_error("beaver").emg == pytest.approx(strong.values.double_take)
    capped = Stakes.of(MatchState(rules=Rules(beavers=1, cube_cap=2)), Cube())
    assert decide(weak, capped).values.double_beaver is None


def test_a_double_into_a_beaver_can_be_right_under_jacoby():
    """The Kauder paradox: negative for the doubler, and still worse without the double."""
    stakes = Stakes.of(MatchState(rules=Rules(jacoby=True, beavers=1)), Cube())
    decision = decision_from_values(-0.06, -0.02, stakes)
    assert decision.verdict is Verdict.DOUBLE_BEAVER
    assert decision.label == "Double, beaver"


def test_immediate_redouble():
    rules = Rules(immediate_redouble=True)
    stakes = Stakes.of(MatchState(rules=rules), Cube())
    weak = decide(gammonless(0.2), stakes, DeadCube())
    # Redoubling at once at 80 %: the doubler passes and loses 2.
    assert weak.values.double_redouble == pytest.approx(-2.0)
    assert weak.verdict is Verdict.NO_DOUBLE_REDOUBLE
    strong = decide(gammonless(0.7), stakes, DeadCube())
    assert strong.values.double_redouble > strong.values.double_take
    assert strong.verdict is Verdict.DOUBLE_TAKE
    assert decide(gammonless(0.7), MONEY).values.double_redouble is None


def test_cubes_that_may_not_be_turned_keep_the_no_double_equity():
    stakes = Stakes.of(MatchState(7, 3, 3), Cube(2, Owner.OPPONENT))
    decision = decide(gammonless(0.6), stakes)
    assert (decision.verdict, decision.equities.double_take, decision.equities.double_pass) == (None, None, None)
    assert decision.error(doubled=True) is None
    assert decision.response_error("take") is None
    assert decision.label == "No cube: the opponent owns the cube"
    document = decision.to_dict()
    assert document["cube_allowed"] is False
    assert document["verdict"] is None
    assert document["equity"]["no_double"] == decision.equities.no_double
    assert document["reason_not_allowed"] == "the opponent owns the cube"


def test_json_shape():
    decision = decide(Probabilities.from_cumulative(0.7, 0.2, 0.01, 0.1, 0), Stakes.of(MatchState(7, 3, 0), Cube()))
    document = json.loads(json.dumps(decision.to_dict()))
    assert set(document) == {"equity", "mwc", "unit", "verdict", "cube_allowed", "reason_not_allowed", "exact"}
    assert set(document["equity"]) == {"cubeless", "no_double", "double_take", "double_pass"}
    assert set(document["mwc"]) == {"no_double", "double_take", "double_pass"}
    assert set(document["verdict"]) == {"double", "response", "redouble", "too_good", "optional", "label"}
    assert decide(gammonless(0.7), MONEY).to_dict()["mwc"] is None


def test_a_start_position_double_is_a_blunder():
    """Case 21: every double is compared with not doubling."""
    opening = Probabilities.from_cumulative(0.525, 0.149, 0.007, 0.125, 0.005)
    decision = decide(opening, MONEY)
    assert decision.verdict is Verdict.NO_DOUBLE_TAKE
    assert decision.error(doubled=True).emg > 0.2
    assert decision.error(doubled=False).emg == 0


def test_take_errors_are_charged_at_the_doubled_stake():
    decision = decision_from_values(0.6, 1.3, MONEY)
    assert decision.response_error("take").emg == pytest.approx(0.3)
    assert decision.response_error(True) == decision.response_error("take")
    assert decision.response_error(False).emg == 0
    assert decision.error(doubled=False).emg == pytest.approx(0.4)
    match = Stakes.of(MatchState(7, 3, 0), Cube())
    wrong = decision_from_values(match.from_emg(0.6), match.from_emg(1.3), match).response_error("take")
    assert wrong.emg == pytest.approx(0.3)
    assert wrong.mwc == pytest.approx(match.emg_to_mwc(1.3) - match.emg_to_mwc(1.0))


def test_break_even_shares_as_programs_print_them():
    """(ND - DT) / (DP - DT) passes for a double that is not right, (ND - DP) / (DT - DP) takes for one too good."""
    assert decision_from_values(0.5, 0.3, MONEY).wrong_pass == pytest.approx(0.2 / 0.7)
    assert decision_from_values(0.5, 0.3, MONEY).wrong_take is None
    assert decision_from_values(1.1, 1.6, MONEY).wrong_take == pytest.approx(0.1 / 0.6)
    assert decision_from_values(1.1, 1.6, MONEY).wrong_pass is None
    assert decision_from_values(0.5, 0.7, MONEY).wrong_pass is None
    assert decision_from_values(1.6, 1.5, MONEY).wrong_take is None  # never


def test_optional_needs_less_than_the_tolerance():
    assert decision_from_values(0.5, 0.5004, MONEY).optional
    assert not decision_from_values(0.5, 0.501, MONEY).optional
    assert decision_from_values(0.5, 0.501, MONEY, tolerance=0.01).optional


def test_linear_match_play_is_money_play():
    """A table straight in points makes every score money: chances as (b - a) / (a + b) would not, a + 0.01 b does."""
    n = 40
    values = 0.5 + 0.01 * (np.arange(n)[None, :] - np.arange(n)[:, None])
    table = MatchEquityTable("linear", values, values[:, 0])
    probs = Probabilities.from_cumulative(0.68, 0.15, 0.01, 0.08, 0.0)
    # Far from the end only: three cube levels at most.
    rules = Rules(cube_cap=4)
    match = decide(probs, Stakes.of(MatchState(40, 0, 0, rules=rules), Cube(), table))
    money = decide(probs, Stakes.of(MatchState(rules=rules), Cube()))
    for name in ("no_double", "double_take", "double_pass", "cubeless"):
        assert getattr(match.equities, name) == pytest.approx(getattr(money.equities, name), abs=1e-9)


def test_bad_chances_are_refused():
    for bad in ([0.5] * 6, [0.5, 0.5], [0.5, np.nan, 0, 0.5, 0, 0], [1.2, 0, 0, -0.2, 0, 0]):
        with pytest.raises(IllegalProbabilities):
            decide(bad, MONEY)


def test_models_by_name():
    assert cube_model("janowski 0.7") == Janowski(0.7)
    assert cube_model("Dead") == DeadCube()
    assert cube_model("live").x == 1.0
    assert str(cube_model("janowski")) == "janowski 0.68"
    for bad in ("janowsky", "janowski x", "janowski 1.5", "dead 3"):
        with pytest.raises(SettingsError):
            cube_model(bad)


@given(any_stakes, chances())
def test_x_of_0_and_1_are_the_dead_and_live_models(stakes, probs):
    assert decide(probs, stakes, Janowski(0.0)).values == decide(probs, stakes, DeadCube()).values
    assert decide(probs, stakes, Janowski(1.0)).values == decide(probs, stakes, LiveCube()).values


@given(any_stakes, chances(), models)
def test_a_verdict_leaves_no_error_and_answers_are_ordered(stakes, probs, model):
    decision = decide(probs, stakes, model)
    assert (decision.verdict is None) == (not decision.cube_allowed)
    if decision.verdict is None:
        return
    tiny = 1e-6
    assert decision.error(decision.verdict.double).emg <= tiny
    assert decision.response_error(decision.verdict.response).emg <= tiny
    assert decision.error(not decision.verdict.double).emg >= 0
    for answer in ("take", "pass"):
        assert decision.response_error(answer).emg >= 0
    assert decision.equities.double_pass == pytest.approx(1.0)
    if decision.verdict.too_good:
        assert decision.equities.no_double > 1
    for share in (decision.wrong_pass, decision.wrong_take):
        assert share is None or 0 <= share <= 1


@given(any_stakes, chances(), models)
def test_the_other_side_has_the_mirrored_decision(stakes, probs, model):
    """decide(p) against decide(-p): not doubling with the cube in the middle or dead is worth the negative.

    Not so where somebody turns for nothing: who is on roll waits a turn, who is not does not.
    """
    assume(not stakes.turns_for_nothing and not stakes.flip().turns_for_nothing)
    mine = decide(probs, stakes, model)
    theirs = decide(probs[[3, 4, 5, 0, 1, 2]], stakes.flip(), model)
    assert mine.values.no_double == pytest.approx(-theirs.values.no_double, abs=1e-9)
    assert mine.values.cubeless == pytest.approx(-theirs.values.cubeless, abs=1e-9)


@given(any_stakes, chances(), st.sampled_from([0.0, 0.68, 1.0]))
def test_more_wins_are_never_worth_less(stakes, probs, x):
    win, lose = probs[:3].sum(), probs[3:].sum()
    if min(win, lose) < 0.05:
        return
    more = np.concatenate([probs[:3] * (1 + 0.04 / win), probs[3:] * (1 - 0.04 / lose)])
    low, high = (decide(row / row.sum(), stakes, Janowski(x)).values for row in (probs, more))
    assert high.no_double >= low.no_double - 1e-9
    if low.double_take is not None:
        assert high.double_take >= low.double_take - 1e-9


def test_decisions_are_values():
    decision = decide(gammonless(0.7), MONEY)
    assert decision == decide(gammonless(0.7), MONEY)
    with pytest.raises(dataclasses.FrozenInstanceError):
        decision.tolerance = 1
    assert "Double, take" in str(decision)
    assert decision_from_values(0.5, 0.6, MONEY, exact=True).exact


def test_frame_of_options():
    decision = decide(Probabilities.from_cumulative(0.7, 0.2, 0, 0.1, 0), Stakes.of(MatchState(7, 3, 0), Cube()))
    frame = decision.to_frame()
    assert list(frame.index) == ["no double", "double, take", "double, pass"]
    assert frame["right"].sum() == 1
    assert frame.loc["no double", "error_emg"] == decision.error(False).emg
    assert frame.loc["double, pass", "error_mwc"] == decision.response_error("pass").mwc
    assert list(decide(gammonless(0.3), BEAVERS).to_frame().index)[-1] == "double, beaver"
    locked = decide(gammonless(0.6), Stakes.of(MatchState(5, 4, 4), Cube())).to_frame()
    assert list(locked.index) == ["no double"]
    assert locked["error_emg"].isna().all()


def test_everything_draws_itself_in_a_notebook():
    from cubelab.cube import cube_points, robustness, score_table, take_bill

    chances = Probabilities.from_cumulative(0.7, 0.2, 0, 0.1, 0)
    for thing in (
        decide(chances, MONEY),
        cube_points(chances, MONEY),
        score_table(chances, 3),
        take_bill(chances, MONEY),
        robustness(chances, MatchState()),
        MatchEquityTable.load(),
    ):
        assert "<table" in thing._repr_html_()


@pytest.mark.parametrize("trailer_away", [2, 4, 6])
def test_post_crawford_trailer_who_is_ahead_is_not_too_good(trailer_away):
    """The leader's free drop: even away, an even position is passed, and playing on is worth no more than the pass.

    Playing on from two away wins the match only by a gammon or by two games; a pass brings the score to one away each.
    """
    chances = Probabilities.from_cumulative(0.525, 0.15, 0.005, 0.13, 0.004)
    decision = decide(chances, Stakes.of(MatchState(7, 7 - trailer_away, 6), Cube()))
    assert decision.verdict.response == "pass"
    assert not decision.verdict.too_good
    # A turn from now half the positions are no pass any more; none is worth more than a pass but for gammons.
    assert decision.equities.no_double < 1.0


def test_post_crawford_trailer_with_enough_gammons_plays_on():
    """Two away a gammon with the cube at 1 wins the match: with 60 % gammons playing on beats the pass, worth 50 %."""
    chances = Probabilities.from_cumulative(0.85, 0.6, 0.01, 0.02, 0.0)
    decision = decide(chances, Stakes.of(MatchState(7, 5, 6), Cube()))
    assert decision.verdict is Verdict.TOO_GOOD_PASS
    # 0.6 at once, and half of the single wins: 0.6 + 0.25 / 2; the cube may still be turned should it go wrong.
    assert decision.mwc.no_double == pytest.approx(0.725, abs=0.03)
    assert decision.mwc.no_double > 0.725
    assert decide(chances, Stakes.of(MatchState(7, 5, 6), Cube()), DeadCube()).mwc.no_double == pytest.approx(0.725)


def test_answers_and_stakes_that_do_not_exist_are_sentences():
    decision = decide(gammonless(0.7), MONEY)
    with pytest.raises(SettingsError, match="answer 'x' to a double"):
        decision.response_error("x")
    for odd in (np.array(5.0), None, "money"):
        with pytest.raises(CubelabError, match=r"(?i)stakes"):
            market_window(None, odd)
        with pytest.raises(CubelabError, match=r"(?i)stakes"):
            nearest_flips(gammonless(0.7), odd)
