import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_cube import chances, match_stakes, money_stakes

from cubelab.cube import DeadCube, Janowski, LiveCube, decide
from cubelab.cube.recube import take_bill
from cubelab.errors import IllegalRules
from cubelab.game import Cube, MatchState, Probabilities
from cubelab.score import Stakes

MONEY = Stakes.of(MatchState(), Cube())


@given(st.one_of(match_stakes(), money_stakes()), chances(), st.sampled_from([DeadCube(), Janowski(0.68), LiveCube()]))
def test_the_bill_adds_up_to_the_decision(stakes, probs, model):
    if not stakes.may_double:
        with pytest.raises(IllegalRules):
            take_bill(probs, stakes, model)
        return
    bill = take_bill(probs, stakes, model)
    decision = decide(probs, stakes, model)
    assert bill.raw + bill.gammons + bill.free_turn + bill.recube == pytest.approx(bill.take, abs=1e-9)
    assert bill.take == pytest.approx(-decision.equities.double_take, abs=1e-9)
    assert bill.passed == pytest.approx(-1.0)
    assert bill.free_turn >= -1e-9
    assert bill.recube >= -1e-9 or model.x == 0.0


def test_hand_solved_money_take():
    """30 % to win, a third of the losses gammons: 4 points at stake, 1.2 from gammons."""
    bill = take_bill([0.5, 0.2, 0, 0.3, 0, 0], MONEY, DeadCube())
    assert bill.raw == pytest.approx(2 * (0.3 - 0.7))
    assert bill.gammons == pytest.approx(-2 * 0.2)
    assert (bill.free_turn, bill.recube) == pytest.approx((0, 0), abs=1e-12)
    assert bill.margin == pytest.approx(1 - 1.2)
    assert bill.raw_take_point == pytest.approx(0.25)
    for point in (bill.gammon_take_point, bill.take_point):
        assert point == pytest.approx((2 * 9 / 7 - 1) / (2 * 9 / 7 + 2))


def test_owning_the_cube_lowers_the_take_point():
    bill = take_bill([0.8, 0, 0, 0.2, 0, 0], MONEY, LiveCube())
    assert bill.take_point == pytest.approx(0.2)
    assert bill.margin == pytest.approx(0.0, abs=1e-9)
    assert bill.recube == pytest.approx(0.2)


def test_free_turns_are_named():
    """2-away doubles 4-away: the take point falls from 37.13 to 18.56 % because the redouble costs nothing."""
    chances = Probabilities.from_cumulative(0.75, 0, 0, 0, 0)
    bill = take_bill(chances, Stakes.of(MatchState(7, 5, 3), Cube()), DeadCube())
    assert bill.raw_take_point == pytest.approx(0.3713, abs=1e-4)
    assert bill.take_point == pytest.approx(0.18564)
    assert bill.free_turn > 0
    assert "free turns" in str(bill)
    assert "18.56 %" in str(bill)


def test_frame():
    frame = take_bill([0.5, 0.2, 0, 0.3, 0, 0], MONEY).to_frame().set_index("item")["equity"]
    assert frame["take"] - frame["pass"] == pytest.approx(frame["margin"])
