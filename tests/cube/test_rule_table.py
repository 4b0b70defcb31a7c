import pytest

from cubelab.cube import decide
from cubelab.cube.rule_table import MATCH_RULES, MONEY_RULES, rule_table
from cubelab.game import Cube, MatchState, Owner, Probabilities, Rules
from cubelab.score import PipCounts, Stakes

PROBS = Probabilities.from_cumulative(0.7, 0.25, 0.01, 0.1, 0)


def test_rows_are_the_decisions_under_each_rule():
    frame = rule_table(PROBS)
    assert list(frame.index) == list(MONEY_RULES)
    for name in ("plain", "Jacoby", "beavers", "cap 2", "immediate redouble"):
        expected = decide(PROBS, Stakes.of(MatchState(rules=MONEY_RULES[name]), Cube()))
        assert frame.loc[name, "no_double"] == pytest.approx(expected.equities.no_double)
        assert frame.loc[name, "verdict"] == expected.verdict.value
    assert frame.loc["Jacoby", "no_double"] < frame.loc["plain", "no_double"]
    assert frame.loc["cap 2", "double_take"] > frame.loc["no cap", "double_take"]
    assert frame.loc["beavers", "double_beaver"] == 2 * frame.loc["beavers", "double_take"]
    assert "without a cube" in frame.loc["cube not in use", "reason"]


def test_automatic_doubles_raise_the_stake_of_a_centred_cube():
    frame = rule_table(PROBS)
    assert frame.loc["one automatic double", "cube"] == 2
    assert frame.loc["one automatic double", "points"] == pytest.approx(2 * frame.loc["plain", "points"], rel=0.01)
    owned = rule_table(PROBS, Cube(2, Owner.MOVER))
    assert (owned["cube"] == 2).all()


def test_rules_that_cannot_be_compiled_say_so_in_their_row():
    frame = rule_table(PROBS)
    assert "pips scoring" in frame.loc["pip scoring", "reason"]
    counted = rule_table(PROBS, pips=PipCounts(40, 60, (8, 70, 90, 10, 75, 95)))
    assert counted.loc["pip scoring", "verdict"] == "D_T"
    high = rule_table(PROBS, Cube(8, Owner.MOVER), rules={"cap 4": Rules(cube_cap=4), "plain": Rules()})
    assert "above its cap of 4" in high.loc["cap 4", "reason"]
    assert high.loc["plain", "verdict"]


def test_a_score_has_rules_of_its_own():
    """4 away against 2 away: what a lost point leads to depends on whether the Crawford game follows."""
    frame = rule_table(PROBS, match=MatchState(7, 3, 5))
    assert list(frame.index) == list(MATCH_RULES)
    expected = decide(PROBS, Stakes.of(MatchState(7, 3, 5), Cube()))
    assert frame.loc["plain", "no_double"] == pytest.approx(expected.equities.no_double)
    assert frame.loc["plain", "mwc"] == pytest.approx(expected.stakes.to_mwc(expected.value))
    assert frame.loc["no Crawford rule", "no_double"] != frame.loc["plain", "no_double"]
    crawford = rule_table(PROBS, match=MatchState(7, 6, 3, crawford=True))
    assert "Crawford game" in crawford.loc["plain", "reason"]
    assert "Crawford" not in str(crawford.loc["no Crawford rule", "reason"])
    money_rules = rule_table(PROBS, match=MatchState(7, 3, 5), rules={"Jacoby": Rules(jacoby=True), "plain": Rules()})
    assert "not for matches" in money_rules.loc["Jacoby", "reason"]
