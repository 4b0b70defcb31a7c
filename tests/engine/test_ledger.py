"""The market ledger adds up to the difference the search finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cubelab.engine.cube_table import cube_table
from cubelab.engine.ledger import market_ledger
from cubelab.engine.neural import load_nets
from cubelab.errors import CubelabError
from cubelab.game import MatchState, Position, Rules, Situation
from cubelab.kernels.search import roll_values

POSITIONS = {
    "contact": "XGID=-a----E-C---dE-b-c-d----B-:0:0:1:00:0:0:0:0:10",
    "Jacoby, beavers": "XGID=-a----E-C---dE-b-c-d----B-:0:0:1:00:0:0:3:0:10",
    "ace-point game": "XGID=-bFbBBB----------a-bcbba--:0:0:1:00:0:0:0:0:10",
    "match": "XGID=-a----E-C---dE-b-c-d----B-:0:0:1:00:3:5:0:7:10",
    "redouble": "XGID=-bFbBBB----------a-bcbba--:1:1:1:00:2:4:0:9:10",
    "last rolls": "XGID=-BB------------------bb---:0:0:1:00:3:5:0:7:10",
    "last rolls, money": "XGID=-BB------------------bb---:0:0:1:00:0:0:0:0:10",
    "exact after the first roll": "XGID=------A--A-----------b-aa-:1:1:1:00:0:0:0:0:10",
}


@pytest.mark.parametrize("position", ["contact", "ace-point game", "last rolls"])
@pytest.mark.parametrize("cap", [None, 4, 8])
def test_sums_to_the_difference_under_the_immediate_redouble(position, cap):
    rules = Rules(immediate_redouble=True, cube_cap=cap)
    ledger = market_ledger(replace(Situation.from_xgid(POSITIONS[position]), match=MatchState(rules=rules)))
    table = cube_table(ledger.stakes, None)
    probs, values = np.zeros(6), np.zeros((3, 3))
    roll_values(table, load_nets(), ledger.situation.position.array, 2, 0, probs, values)
    assert ledger.difference == pytest.approx(values[1, 2] - values[0, 0], abs=1e-6)
    assert ledger.weights[ledger.market_lost].sum() == pytest.approx(ledger.market_losers)


@pytest.mark.parametrize("name", POSITIONS)
def test_sums_to_the_difference_of_the_two_ply_evaluation(name):
    situation = Situation.from_xgid(POSITIONS[name])
    ledger = market_ledger(situation)
    stakes = ledger.stakes
    probs, values = np.zeros(6), np.zeros((2, 3))
    roll_values(cube_table(stakes, None), load_nets(), situation.position.array, 2, stakes.axis, probs, values)
    expected = stakes.to_emg(values[1, 2]) - stakes.to_emg(values[0, stakes.axis])
    assert ledger.difference == pytest.approx(expected, abs=1e-6)
    assert ledger.weights.sum() == pytest.approx(1.0)
    assert ledger.gain - ledger.cost == pytest.approx(ledger.difference)
    frame = ledger.to_frame()
    assert len(frame) == 441
    assert frame.weighted_effect.sum() == pytest.approx(expected, abs=1e-6)
    assert ledger.rolls().eval("chance * effect").sum() == pytest.approx(expected, abs=1e-6)


def test_two_checkers_that_bear_off_or_not():
    """Mover on the 6 and 2 points, opponent sure to finish: a roll either wins at once or loses."""
    board = [0] * 26
    board[6], board[2], board[24] = 1, 1, -2
    rolls = market_ledger(Situation(Position(tuple(board)))).rolls().set_index("roll")
    # Both off: any 6 with 2 or more, and doubles of four moves of 2 and up that reach: 2-2 (6/off takes three, 2/off).
    winning = {"62", "63", "64", "65", "66", "55", "44", "33", "22"}
    for roll, row in rolls.iterrows():
        won = 1.0 if roll in winning else -1.0
        assert row.double_take == pytest.approx(2 * won, abs=1e-9)
        # Left alone, a loser is doubled out: the opponent cashes one point.
        assert row.no_double == pytest.approx(won, abs=1e-9)
        assert row.effect == pytest.approx(won, abs=1e-9)


def test_refuses_what_is_no_double():
    crawford = Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:3:1:7:10")
    with pytest.raises(CubelabError, match="Crawford"):
        market_ledger(crawford)
    with pytest.raises(CubelabError, match="over"):
        market_ledger(Situation(Position((0, *[0] * 23, -1, 0))))
