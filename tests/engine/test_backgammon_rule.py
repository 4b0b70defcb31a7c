"""The rule that only a checker on the bar makes a backgammon, in every evaluator, on positions solved by hand."""

import pytest

from cubelab.engine.bgsage import case_of
from cubelab.engine.gnubg import cube_numbers
from cubelab.engine.ledger import market_ledger
from cubelab.engine.rollout_run import rollout
from cubelab.engine.rollout_settings import RolloutSettings
from cubelab.engine.search import cube_decision, evaluate, ranked_plays
from cubelab.errors import IllegalRules
from cubelab.game import BackgammonRule, Cube, MatchState, Owner, Position, Rules, Situation

BAR_ONLY = Rules(backgammon_rule=BackgammonRule.BAR_ONLY, cube_in_use=False)
USUAL = Rules(cube_in_use=False)


def race(rules):
    """The mover's four checkers on 1, the opponent's 15 at home but for one on the mover's 5 point."""
    board = [0] * 26
    board[1] = 4
    board[5] = -1
    board[24] -= 14
    return Situation(Position(tuple(board)), Cube(1, Owner.CENTRE), MatchState(rules=rules))


def last_checker(rules, back):
    """The mover bears off the last checker with any roll."""
    board = [0] * 26
    board[1] = 1
    board[back] -= 1
    board[24] -= 14
    return Situation(Position(tuple(board)), Cube(1, Owner.CENTRE), MatchState(rules=rules))


@pytest.mark.parametrize(("back", "usual", "bar_only"), [(0, 3, 3), (4, 3, 2), (9, 2, 2)])
def test_a_game_that_ends_with_the_next_roll(back, usual, bar_only):
    """Loser's last man on the bar, in the winner's home, outside it."""
    for rules, points in ((USUAL, usual), (BAR_ONLY, bar_only)):
        there = last_checker(rules, back)
        assert evaluate(there, ply=1).cubeless == pytest.approx(points, abs=1e-6)
        assert ranked_plays(there, "31", ply=0)[0].equity == pytest.approx(points, abs=1e-6)
        rolled = rollout(there, RolloutSettings(trials=36, seed=1))
        assert rolled.decision.values.no_double == pytest.approx(points, abs=1e-6)


def test_a_race_has_no_backgammons_where_only_the_bar_counts():
    """Six of 36 rolls bear off four checkers; after the others only 5-5 and 6-6 bring the last man home and one off."""
    usual, bar_only = (evaluate(race(rules), ply=2).probabilities for rules in (USUAL, BAR_ONLY))
    assert usual.win_backgammon == pytest.approx(6 / 36, abs=1e-6)
    assert usual.win == pytest.approx(30 / 36 * 2 / 36, abs=1e-3)  # two half-moves on, the network takes over
    assert bar_only.win == pytest.approx(usual.win, abs=1e-6)
    assert bar_only.win_gammon == pytest.approx(usual.win_gammon + 6 / 36, abs=1e-6)
    assert evaluate(race(BAR_ONLY), ply=0).probabilities.win_backgammon == 0


def test_the_rule_counts_at_a_score():
    """Three away a backgammon wins the match, a gammon does not."""
    board = [0] * 26
    board[1], board[2], board[24] = 1, 1, -14
    board[3] = -1
    cube = Cube(1, Owner.CENTRE)
    decisions = {}
    for rule in BackgammonRule:
        match = MatchState(9, 6, 3, rules=Rules(backgammon_rule=rule))
        decisions[rule] = cube_decision(Situation(Position(tuple(board)), cube, match), ply=2)
    usual, bar_only = decisions.values()
    # Every roll bears both off: the match is won, or two points of it.
    assert usual.mwc.no_double == pytest.approx(1.0, abs=1e-6)
    assert bar_only.mwc.no_double == pytest.approx(bar_only.stakes.to_mwc(bar_only.stakes.payoffs[0, 1]), abs=1e-6)
    assert bar_only.mwc.no_double < 1


def test_the_ledger_follows_the_rule():
    there = last_checker(Rules(backgammon_rule=BackgammonRule.BAR_ONLY), 4)
    ledger = market_ledger(there)
    assert ledger.no_double == pytest.approx(2.0, abs=1e-6)
    assert ledger.double_take == pytest.approx(4.0, abs=1e-6)


@pytest.mark.parametrize("numbers", [cube_numbers, case_of], ids=["gnubg", "bgsage"])
def test_other_engines_refuse_the_rule_by_name(numbers):
    with pytest.raises(IllegalRules, match="bar only"):
        numbers(last_checker(BAR_ONLY, 4))
