"""The look-ahead kernel against a plain-Python twin and against exact endings."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from twin_cube import close_plays

from cubelab.engine.cube_table import cube_table
from cubelab.engine.neural import load_nets
from cubelab.engine.search import Search, cube_decision, ranked_plays
from cubelab.game import ROLLS, WEIGHTS, Cube, MatchState, Owner, Position, Rules, Situation
from cubelab.kernels.cube import cube_values, wait
from cubelab.kernels.search import efficiency_of, roll_values
from cubelab.kernels.static import evaluate_after
from cubelab.score.stakes import Stakes

CENTRED, OWNED, THEIRS = 0, 1, 2


class Twin:
    """The same search in plain Python, written from the description: no shared buffers, no level bookkeeping."""

    def __init__(self, stakes: Stakes):
        self.nets = load_nets()
        self.table = cube_table(stakes, None)

    def static(self, position: Position) -> np.ndarray:
        out = np.empty(6, dtype=np.float32)
        evaluate_after(self.nets, position.flip().array, out)
        return np.array([*out[3:], *out[:3]], dtype=float)

    def act(self, side: int, values: np.ndarray, level: int, place: int) -> float:
        roll = values[level, place]
        if place == THEIRS or not self.table.may_turn[side, level, 0]:
            return roll
        taken = values[level + 1, THEIRS]
        if self.table.beavers and taken < 0:
            taken *= 2
        return max(roll, min(taken, self.table.payoffs[side, level, 0]))

    def node(self, side: int, position: Position, ply: int, height: int) -> tuple[np.ndarray, np.ndarray]:
        levels = self.table.payoffs.shape[1]
        values = np.zeros((levels, 3))
        if ply == 0:
            probs = self.static(position)
            x = efficiency_of(self.table.efficiency, position.array, probs)
            cube_values(self.table.payoffs[side], self.table.may_turn[side], x, probs, values)
            wait(self.table.payoffs[side], self.table.may_turn[side], x, probs, values)
            return probs, values
        total = np.zeros(6)
        for (die1, die2), weight in zip(ROLLS, WEIGHTS, strict=True):
            afters = [play.after for play in position.plays(die1, die2)] or [position]
            statics = []
            for after in afters:
                out = np.empty(6, dtype=np.float32)
                evaluate_after(self.nets, after.array, out)
                statics.append(out.astype(float))

            @cache
            def below(play, ply, afters=afters):
                after = afters[play].flip()
                if afters[play].off == 15:
                    return self.static(after), None
                return self.node(1 - side, after, ply, min(height + 1, levels))

            def worth(play, ply, level, place, below=below):
                probs, reached = below(play, ply)
                if reached is None:
                    return -float(self.table.payoffs[1 - side, level] @ probs)
                return -self.act(1 - side, reached, level, (CENTRED, THEIRS, OWNED)[place])

            close = close_plays(self.table, side, range(min(height + 1, levels)), statics)
            for level in range(height):
                chances = [1e-6 * float(self.table.payoffs[side, level] @ probs) for probs in statics]
                for place in (CENTRED, OWNED, THEIRS):
                    best = max(close, key=lambda play: worth(play, 0, level, place) + chances[play])
                    values[level, place] += weight / 36 * worth(best, ply - 1, level, place)
                    if (level, place) == (0, CENTRED):
                        probs = below(best, ply - 1)[0]
                        total += weight / 36 * np.array([*probs[3:], *probs[:3]])
        return total, values


STAKES = {
    "money": Stakes.of(MatchState(rules=Rules(cube_cap=8)), Cube()),
    "jacoby": Stakes.of(MatchState(rules=Rules(cube_cap=8, jacoby=True, beavers=1)), Cube()),
    "match 2a-4a": Stakes.of(MatchState(7, 5, 3), Cube()),
    "owned": Stakes.of(MatchState(7, 1, 3), Cube(2, Owner.MOVER)),
    "owned, lost with it": Stakes.of(MatchState(7, 1, 5), Cube(2, Owner.MOVER)),
    "post-Crawford": Stakes.of(MatchState(7, 3, 6), Cube()),
    "Crawford": Stakes.of(MatchState(7, 6, 3, crawford=True), Cube()),
}


@pytest.mark.parametrize("name", STAKES)
@pytest.mark.parametrize(
    ("position_id", "ply"),
    [
        ("4HPwATDgc/ABMA", 1),
        ("2DZkgSFszoMHAA", 1),
        # Few checkers, contact left: cheap enough for two plies of the twin.
        ("AAABAAAkAAAAAA", 2),
    ],
)
def test_search_equals_its_plain_python_twin(name, position_id, ply):
    stakes = STAKES[name]
    table = cube_table(stakes, None)._replace(exact=0)
    twin = Twin(stakes)
    twin.table = table
    position = Position.from_id(position_id)
    expected_probs, expected = twin.node(0, position, ply, min(2, len(table.payoffs[0])))
    probs, values = np.zeros(6), np.zeros(expected.shape)
    roll_values(table, load_nets(), position.array, ply, 0, probs, values)
    rows = min(2, len(values))
    np.testing.assert_allclose(probs, expected_probs, atol=2e-5)
    np.testing.assert_allclose(values[:rows], expected[:rows], atol=1e-4)


def test_endings_within_the_horizon_are_exact():
    """One checker each: mover on the 6 and 5 points needs the rolls that theory gives, then the opponent wins."""
    position = Position((0, 0, 0, 0, 0, 1, 1, *[0] * 17, -1, 0))
    winning = sum(
        weight
        for (high, low), weight in zip(ROLLS, WEIGHTS, strict=True)
        if (high, low) == (6, 5) or (high == low and 4 * high >= 11 and high >= 3)
    )
    # 6-5, 3-3 (6/3, 5/2, 3/off, 2/off), 4-4, 5-5 and 6-6 bear both off.
    assert winning == 6
    stakes = Stakes.of(MatchState(), Cube())
    value = Search(1).cube_values([position], [stakes])[0]
    chance = winning / 36
    assert value.probabilities.cumulative[0] == pytest.approx(chance, abs=1e-6)
    # A miss is doubled out by the opponent, which costs the stake; doubling first doubles both.
    assert value.no_double == pytest.approx(2 * chance - 1, abs=1e-6)
    assert value.double_take == pytest.approx(2 * (2 * chance - 1), abs=1e-6)


def test_deeper_search_of_an_exact_position_changes_nothing():
    position = Position.from_id("TgUAAGwBAAAAAA")
    stakes = Stakes.of(MatchState(), Cube())
    results = [Search(ply).cube_values([position], [stakes])[0] for ply in (0, 1, 2)]
    assert results[0].exact
    assert results[0] == results[1] == results[2]
    # Values of GNU Backgammon's two-sided table, which holds them to about 3e-5.
    assert results[0].no_double == pytest.approx(0.5296254, abs=1e-4)
    assert results[0].double_take == pytest.approx(2 * 0.2965591, abs=2e-4)


def test_efficiency_rises_with_the_chance_of_who_owns_the_cube():
    law = np.array([(0.68, 0.0, 1.0), (0.1, 0.8, 0.6), (0.5, 0.2, 0.7)])
    probs = np.array([0.4, 0.0, 0.0, 0.5, 0.1, 0.0])
    board = np.zeros(26, dtype=np.int8)
    board[[5, 24]] = 5, -15  # a race of 25 pips; the centred cube is the better side's
    assert efficiency_of(law, board, probs) == pytest.approx((0.58, 0.42, 0.58))
    assert efficiency_of(law, board, probs[[3, 4, 5, 0, 1, 2]]) == pytest.approx((0.58, 0.58, 0.42))
    board[[5, 3]] = 0, 2
    assert efficiency_of(law, board, np.eye(6)[0]) == pytest.approx((0.6, 0.6, 0.1))  # at most .6
    board[[3, 16]] = 0, 5  # 80 pips
    assert efficiency_of(law, board, probs) == pytest.approx((0.62, 0.58, 0.62))
    board[[16, 15, 11]] = 0, 2, 2  # 52 of them: 27/55 of the way
    assert efficiency_of(law, board, probs)[1] == pytest.approx(0.42 + 27 / 55 * 0.16)
    board[[15, 11, 24]] = 0, 0, 15
    board[1] = -15
    assert efficiency_of(law, board, probs) == (0.68, 0.68, 0.68)


@pytest.mark.parametrize("away", [3, 4, 7, 9])
def test_waiting_is_worth_no_more_than_a_double_that_costs_nothing(away):
    """After the Crawford game every result is worth as much or more to the trailer at a turned cube: they double."""
    for text in ("-BbDCB--B----b---b-cbbBb--", "-b----E-C---eE---c-e----B-"):
        position = Situation.from_xgid(f"XGID={text}:0:0:1:00:0:0:0:0:10").position
        for ply in (0, 1, 2):
            decision = cube_decision(Situation(position, match=MatchState(11, 11 - away, 10)), ply=ply)
            equities = decision.equities
            assert equities.no_double <= equities.double_take + 1e-12
            assert decision.turned or decision.verdict.too_good


def test_plays_that_the_cube_makes_worth_the_same_are_ranked_by_their_chances():
    """The opponent doubles out whatever is played."""
    situation = Situation.from_xgid("XGID=-A-BBBbA-BA-a----bbbcb-aBA:0:0:1:00:0:0:0:0:10")
    plays = ranked_plays(situation, (4, 1), ply=0)
    assert [play.equity for play in plays] == pytest.approx([-1.0] * 3)
    equities = [play.probabilities.equity for play in plays]
    assert equities == sorted(equities, reverse=True)
