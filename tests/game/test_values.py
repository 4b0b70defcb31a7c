"""Cube, Rules, Dice, Probabilities and Situation as values."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import situations

from cubelab import game
from cubelab.errors import CubelabError, IllegalProbabilities, IllegalRules, NotationError
from cubelab.game import (
    ROLLS,
    WEIGHTS,
    Cube,
    Dice,
    GameResult,
    MatchState,
    Offer,
    Owner,
    Position,
    Probabilities,
    Rules,
    Scoring,
    Situation,
)

START = Situation(Position.start())


@st.composite
def probabilities(draw):
    parts = draw(st.lists(st.floats(0, 1), min_size=6, max_size=6).filter(lambda p: sum(p) > 0.01))
    return Probabilities(*(part / sum(parts) for part in parts))


class TestDice:
    def test_rolls(self):
        assert len(ROLLS) == len(set(ROLLS)) == 21
        assert sum(WEIGHTS) == 36
        assert all(high >= low for high, low in ROLLS)
        assert [weight for (high, low), weight in zip(ROLLS, WEIGHTS, strict=True) if high == low] == [1] * 6
        assert Dice == tuple[int, int]


class TestCube:
    def test_flip(self):
        cube = Cube(4, Owner.MOVER)
        assert (cube.log2, cube.flip()) == (2, Cube(4, Owner.OPPONENT))
        assert cube.flip().flip() == cube
        assert Cube().flip() == Cube()

    @pytest.mark.parametrize("owner", [Owner.MOVER, 1, "me"])
    def test_owner_in_words(self, owner):
        assert Cube(2, owner).owner is Owner.MOVER

    def test_numpy_value(self):
        assert Cube(np.int64(8)) == Cube(8)

    @pytest.mark.parametrize("value", [0, 3, -2, 1.5, "2", None])
    def test_values_that_no_cube_shows(self, value):
        with pytest.raises(IllegalRules, match="power of two"):
            Cube(value)

    @pytest.mark.parametrize("owner", [2, -2, "white", None, 0.5])
    def test_owners_that_do_not_exist(self, owner):
        with pytest.raises(IllegalRules, match="none of me, them, centre"):
            Cube(1, owner)


class TestRules:
    def test_presets(self):
        assert Rules.preset("money") == Rules.preset("match") == Rules()
        assert Rules.preset("money-jacoby-beavers") == Rules(jacoby=True, beavers=1)
        assert Rules.preset("match-no-crawford").crawford is False
        assert Rules.preset("no-cube").cube_in_use is False
        assert Rules.preset("pip-scoring").scoring is Scoring.PIPS
        with pytest.raises(IllegalRules, match="known are money, money-jacoby"):
            Rules.preset("chouette")

    @pytest.mark.parametrize(
        ("fields", "reason"),
        [
            ({"cube_cap": 48}, "power of two"),
            ({"cube_cap": 0}, "power of two"),
            ({"beavers": -1}, "from 0 to 30"),
            ({"automatic_doubles": 10**30}, "from 0 to 30"),
            ({"cube_in_use": False, "jacoby": True}, "Jacoby needs a cube"),
            ({"cube_in_use": False, "beavers": 1}, "beavers needs a cube"),
            ({"beavers": 1, "immediate_redouble": True}, "exclude each other"),
        ],
    )
    def test_senseless_combinations(self, fields, reason):
        with pytest.raises(IllegalRules, match=reason):
            Rules(**fields)


class TestProbabilities:
    def test_cumulative_convention(self):
        p = Probabilities.from_cumulative(0.62, 0.17, 0.01, 0.11, 0.0)
        assert p.array == pytest.approx((0.45, 0.16, 0.01, 0.27, 0.11, 0.0))
        assert p.cumulative == pytest.approx((0.62, 0.17, 0.01, 0.11, 0.0))
        # 2 W - 1 + gammons and backgammons, each once more: .24 + .17 + .01 - .11
        assert p.equity == pytest.approx(0.31)

    @given(probabilities())
    def test_sides(self, p):
        other = -p
        assert (-other).array == p.array
        assert (-p).equity == pytest.approx(-p.equity)
        assert p.flip() == -p
        assert sum(p.array) == pytest.approx(1)
        assert Probabilities.from_cumulative(*p.cumulative).array == pytest.approx(p.array, abs=1e-9)
        assert Probabilities.from_array(np.array(p.array)) == p
        assert eval(repr(p)) == p
        assert abs(p.equity) <= 3 + 1e-9

    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            ((0.5, 0.6), "more gammons won"),
            ((0.5, 0.1, 0.2), "more backgammons than gammons"),
            ((0.5, 0, 0, 0.6), "more gammons lost"),
            ((0.5, 0, 0, 0.1, 0.2), "more backgammons than gammons"),
            ((62, 17, 1, 11, 0), "percentages must be divided by 100"),
            ((-0.1,), "not between 0 and 1"),
            ((math.nan,), "not finite"),
            ((math.inf,), "not finite"),
        ],
    )
    def test_printed_numbers_that_cannot_be(self, values, reason):
        with pytest.raises(IllegalProbabilities, match=reason):
            Probabilities.from_cumulative(*values)

    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            ((0.5, 0.0, 0.0, 0.4, 0.0, 0.0), "sum to 0.9"),
            ((1.5, 0, 0, -0.5, 0, 0), "win = 1.5"),
            ((0.5, math.nan, 0, 0.5, 0, 0), "win_gammon = nan"),
        ],
    )
    def test_six_numbers_that_cannot_be(self, values, reason):
        with pytest.raises(IllegalProbabilities, match=reason):
            Probabilities(*values)

    def test_results(self):
        assert [result.points for result in GameResult] == [1, 2, 3, -1, -2, -3]
        assert all(result.flip().points == -result.points for result in GameResult)


class TestSituation:
    def test_values_are_hashable_and_frozen(self):
        for value in (START, START.position, START.cube, START.match, START.match.rules):
            assert hash(value) == hash(dataclasses.replace(value))
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(value, dataclasses.fields(value)[0].name, None)

    @given(situations())
    def test_flip(self, situation):
        before_roll = dataclasses.replace(situation, dice=None, offer=None)
        assert situation.flip().flip() == before_roll
        assert situation.flip().turn == -situation.turn
        assert situation.flip().position == situation.position.flip()
        # The same table: the texts differ in whose turn it is only.
        mine, theirs = before_roll.xgid.split(":"), situation.flip().xgid.split(":")
        assert mine[:3] + mine[4:] == theirs[:3] + theirs[4:]
        assert int(mine[3]) == -int(theirs[3])

    def test_changed_copies(self):
        s = START.with_(score=(3, 5), length=7)
        assert (s.match.away, s.match.crawford) == ((4, 2), False)
        assert s.with_(score=(6, 5)).match.post_crawford
        assert s.with_(score=(6, 5), crawford=True).match.crawford
        assert not s.with_(score=(6, 5), crawford=True).with_(score=(6, 6)).match.crawford
        assert s.with_(cube=4, owner="me").cube == Cube(4, Owner.MOVER)
        assert s.with_(cube=2, owner=Owner.OPPONENT).with_(owner="centre").cube == Cube(2)
        assert s.with_(dice="31").dice == (3, 1)
        assert s.with_(dice=(3, 1)).with_(dice=None).dice is None
        assert s.with_(offer=Offer.DOUBLE).with_(offer=None) == s
        assert s.with_(position=Position.from_id("MufBYCDYzuCAYA")).position.board[25] == 2
        assert s.with_() == s

    def test_from_match_to_money_and_back(self):
        money = START.with_(jacoby=True, beavers=2)
        assert (money.match.rules.jacoby, money.match.rules.beavers) == (True, 2)
        match = money.with_(length=5)
        assert (match.match.length, match.match.rules.jacoby, match.match.rules.beavers) == (5, False, 0)
        assert match.with_(score=(4, 3), crawford=True).with_(length=0).match == MatchState()
        assert START.with_(score=(17, 12)).with_(length=5).match.away == (5, 5)

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"score": (7, 0), "length": 7}, "not below the match length"),
            ({"score": (3, 5), "length": 7, "crawford": True}, "neither side is one point away"),
            ({"length": 7, "jacoby": True}, "Jacoby rule is for money"),
            ({"cube": 3}, "power of two"),
            ({"cube": 128}, "above its cap of 64"),
            ({"owner": "white"}, "none of me, them, centre"),
            ({"dice": "07"}, "two numbers from 1 to 6"),
            ({"dice": 31, "offer": Offer.DOUBLE}, "while a double is pending"),
        ],
    )
    def test_changes_that_cannot_be(self, change, reason):
        with pytest.raises(CubelabError, match=reason):
            START.with_(**change)

    @pytest.mark.parametrize(("field", "value"), [("turn", 0), ("resigned", 4)])
    def test_seats_and_resignations(self, field, value):
        with pytest.raises(IllegalRules, match=repr(value)):
            dataclasses.replace(START, **{field: value})

    @pytest.mark.parametrize(
        "situation",
        [
            START,
            dataclasses.replace(START, resigned=2),
            START.with_(rules=Rules(cube_in_use=False)),
            START.with_(rules=Rules(cube_cap=1, scoring=Scoring.PIPS)),
            START.with_(length=7, rules=Rules(crawford=False, cube_cap=None)),
        ],
    )
    def test_repr_can_be_run(self, situation):
        assert eval(repr(situation), vars(game)) == situation

    def test_dice_are_checked(self):
        with pytest.raises(NotationError):
            Situation(Position.start(), dice=(0, 1))
