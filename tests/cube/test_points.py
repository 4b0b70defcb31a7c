import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies_cube import chances, match_stakes, money_stakes

from cubelab.cube import Janowski, decide
from cubelab.cube.points import NAMES, backgammon_price, cube_points, gammon_price, gammon_prices
from cubelab.errors import IllegalProbabilities
from cubelab.game import Cube, MatchState, Owner, Probabilities, Rules
from cubelab.score import MatchEquityTable, Stakes

MONEY = Stakes.of(MatchState(), Cube())


def values(point):
    return point.dead, point.live, point.model


def test_published_points_of_gammonless_money_play():
    """Janowski 1993 with x = 2/3: take 21.43, first double 68.75, redouble 71.43, cash 78.57 %."""
    points = cube_points(None, MONEY, Janowski(2 / 3))
    for side in (points.mover, points.opponent):
        assert values(side.take) == pytest.approx((0.25, 0.2, 3 / 14), abs=1e-9)
        assert values(side.double) == pytest.approx((0.5, 0.8, 0.6875), abs=1e-9)
        assert values(side.redouble) == pytest.approx((0.5, 0.8, 5 / 7), abs=1e-9)
        assert values(side.cash) == pytest.approx((0.75, 0.8, 11 / 14), abs=1e-9)
        assert not side.too_good.exists
        assert not side.beaver.exists
        assert side.window == pytest.approx((0.6875, 11 / 14), abs=1e-9)


@pytest.mark.parametrize(("mine", "theirs"), [(0.25, 0.2), (0.1, 0.4), (0.0, 0.6)])
def test_money_points_with_gammons_are_janowskis_formulas(mine, theirs):
    w, loss, x = 1 + mine, 1 + theirs, 0.68
    side = cube_points((mine, theirs), MONEY, Janowski(x)).mover
    assert side.take.dead == pytest.approx((loss - 0.5) / (w + loss), abs=1e-9)
    assert side.take.live == pytest.approx((loss - 0.5) / (w + loss + 0.5), abs=1e-9)
    assert side.take.model == pytest.approx((loss - 0.5) / (w + loss + 0.5 * x), abs=1e-9)
    assert side.cash.dead == pytest.approx((loss + 0.5) / (w + loss), abs=1e-9)
    assert side.cash.live == pytest.approx((loss + 1) / (w + loss + 0.5), abs=1e-9)
    assert side.cash.model == pytest.approx((loss + 0.5 + 0.5 * x) / (w + loss + 0.5 * x), abs=1e-9)
    if mine:
        assert side.too_good.dead == pytest.approx((loss + 1) / (w + loss), abs=1e-9)
        assert side.too_good.live == pytest.approx(side.cash.live, abs=1e-6)


def test_three_away_four_away_as_janowski_gave_it():
    """R. Janowski, bgonline 9 July 2013: leader 3a-4a takes at 24.0 % dead, 19.5 % live; at about 50 % gammons of the
    leader both are about 19.5 %, above that owning the cube adds nothing."""
    stakes = Stakes.of(MatchState(7, 4, 3), Cube())
    none = cube_points(None, stakes).mover.take
    assert none.dead == pytest.approx(0.240, abs=1e-3)
    assert none.live == pytest.approx(0.195, abs=1e-3)
    half = cube_points((0.5, 0), stakes).mover.take
    assert half.dead == pytest.approx(half.live, abs=1e-3)
    many = cube_points((0.7, 0), stakes).mover.take
    assert many.live == many.dead < half.dead


def test_automatic_redouble():
    """Case 15 and style.md: 4-away 2-away live take point 18.56 %."""
    points = cube_points(None, Stakes.of(MatchState(7, 3, 5), Cube()))
    assert values(points.mover.take) == pytest.approx((0.18564,) * 3, abs=1e-9)
    owned = cube_points(None, Stakes.of(MatchState(7, 3, 5), Cube(2, Owner.MOVER)))
    assert values(owned.mover.redouble) == (0.0, 0.0, 0.0)
    assert values(owned.opponent.take) == pytest.approx((0.5,) * 3, abs=1e-9)


@pytest.mark.parametrize(
    ("away", "take_point"), [(2, 0.5), (3, 0.02394), (4, 0.33889), (5, 0.03911), (6, 0.38675), (7, 0.04944)]
)
def test_leaders_take_points_after_the_crawford_game(away, take_point):
    """Case 22."""
    points = cube_points(None, Stakes.of(MatchState(9, 8, 9 - away), Cube()))
    assert values(points.mover.take) == pytest.approx((take_point,) * 3, abs=1e-5)
    assert values(points.opponent.double) == (0.0, 0.0, 0.0)
    assert points.mover.double.reason.startswith("the mover may not double: the cube is dead")


@given(st.one_of(match_stakes(), money_stakes()), chances())
@settings(max_examples=60)
def test_points_fit_the_decisions(stakes, probs):
    points = cube_points(Probabilities.from_array(probs), stakes)
    for mine, theirs in ((points.mover, points.opponent), (points.opponent, points.mover)):
        for kind in ("dead", "live", "model"):
            cash, take = getattr(mine.cash, kind), getattr(theirs.take, kind)
            assert (cash is None) == (take is None) or take == 0.0
            if cash is not None:
                assert cash == pytest.approx(1 - take, abs=1e-7)
        for name in NAMES:
            point = getattr(mine, name)
            assert (None in values(point)) == (point.reason is not None)
            assert all(value is None or 0 <= value <= 1 for value in values(point))
    if not stakes.may_double or min(probs[:3].sum(), probs[3:].sum()) < 0.05:
        return
    cash = points.mover.cash.model
    if cash is None or not 0.01 < cash < 0.99:
        return
    win, lose = probs[:3] / probs[:3].sum(), probs[3:] / probs[3:].sum()
    for step, answers in ((-1e-4, ("take", "beaver")), (1e-4, ("pass",))):
        row = [*(win * (cash + step)), *(lose * (1 - cash - step))]
        assert decide(row, stakes).verdict.response in answers


def test_every_score_of_a_long_match_has_a_number_or_a_reason():
    for mover in range(1, 26, 3):
        for opponent in range(1, 26, 4):
            for crawford in {False, min(mover, opponent) == 1}:
                for cube, owner in ((1, Owner.CENTRE), (2, Owner.MOVER), (4, Owner.OPPONENT)):
                    match = MatchState(25, 25 - mover, 25 - opponent, crawford)
                    document = cube_points((0.2, 0.25), Stakes.of(match, Cube(cube, owner))).to_dict()
                    for side in document.values():
                        for name in NAMES:
                            point = side[name]
                            if point is None:
                                assert side["reason"][name]
                                continue
                            numbers = [point[kind] for kind in ("dead", "live", "model")]
                            assert None not in numbers or point["reason"]
                            assert not any(math.isnan(n) for n in numbers if n is not None)
                        assert side["gammon_price"] is not None


def test_owner_decides_who_has_which_points():
    points = cube_points(None, Stakes.of(MatchState(), Cube(2, Owner.MOVER)))
    assert points.mover.redouble.exists
    assert "redouble" in points.mover.double.reason
    assert points.opponent.take.exists
    for point in (points.mover.take, points.opponent.double, points.opponent.cash, points.opponent.redouble):
        assert "the mover owns the cube" in point.reason


def test_beaver_points():
    """Without gammons a beaver needs 40 % when the cube is live, 50 % when it is dead."""
    stakes = Stakes.of(MatchState(rules=Rules(beavers=1)), Cube())
    beaver = cube_points(None, stakes).mover.beaver
    assert (beaver.dead, beaver.live) == pytest.approx((0.5, 0.4))
    assert cube_points(None, MONEY).mover.beaver.reason == "there are no beavers under these rules"


def test_jacoby_has_no_too_good_point():
    points = cube_points((0.4, 0.2), Stakes.of(MatchState(rules=Rules(jacoby=True)), Cube()))
    assert not points.mover.too_good.exists
    assert "gammons do not count" in points.mover.too_good.reason
    assert points.mover.prices.gammon == 0


def test_gammon_prices():
    assert gammon_price(MatchState()) == 0.5
    assert backgammon_price(MatchState()) == 0.5
    assert gammon_price(MatchState(5, 4, 4)) == 0.0  # case 13
    table = MatchEquityTable.load()
    swing = table.mwc(away=(3, 7)) - table.mwc(away=(4, 6))
    price = (table.mwc(away=(2, 7)) - table.mwc(away=(3, 7))) / swing
    assert gammon_price(MatchState(7, 3, 0)) == pytest.approx(price)
    # GNU Backgammon 1.07, show gammonvalues at 3-0 to 7: 0.67226 and 0.54956.
    assert gammon_price(MatchState(7, 3, 0)) == pytest.approx(0.67226, abs=1e-5)
    assert gammon_price(MatchState(7, 0, 3)) == pytest.approx(0.54956, abs=1e-5)
    assert gammon_price(MatchState(7, 5, 3), cube=2) == 0.0
    assert gammon_prices(Stakes.of(MatchState(7, 5, 3), Cube()), level=1).gammon == 0.0


def test_gammon_prices_follow_a_turned_table():
    """Case 28."""
    table = MatchEquityTable.load("jac100")
    match = MatchState(7, 3, 1)
    assert gammon_price(match, table) != gammon_price(match, table.swap())
    stakes = Stakes.of(match, Cube(), table)
    assert gammon_prices(stakes.flip()).gammon == pytest.approx(gammon_price(match.flip(), table.swap()))


def test_frame_and_json():
    points = cube_points(Probabilities.from_cumulative(0.6, 0.2, 0, 0.1, 0), Stakes.of(MatchState(7, 3, 0), Cube()))
    frame = points.to_frame()
    assert list(frame.columns) == ["dead", "live", "model", "reason"]
    assert frame.loc[("mover", "take"), "dead"] == points.mover.take.dead
    document = json.loads(json.dumps(points.to_dict()))
    assert set(document["mover"]) == {*NAMES, "gammon_price", "backgammon_price", "reason"}
    assert set(document["mover"]["take"]) == {"dead", "live", "model"}


def test_bad_shares_are_refused():
    for bad in ((0.2,), (1.2, 0.1), (-0.1, 0.0)):
        with pytest.raises(IllegalProbabilities):
            cube_points(bad, MONEY)
