import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twin_endings import Game

from cubelab.cube import Verdict
from cubelab.engine import endings
from cubelab.engine.bearoff import load_tables
from cubelab.engine.endings import ending_decision, ending_values, in_range
from cubelab.engine.search import evaluate
from cubelab.errors import IllegalRules
from cubelab.game import Cube, MatchState, Owner, Position, Rules, Scoring, Situation
from cubelab.kernels import endings as endings_kernel
from cubelab.kernels.bearoff import two_sided_row
from cubelab.score import PipCounts, Stakes

RULES = {
    "no cap": Rules(cube_cap=None),
    "cap 1": Rules(cube_cap=1),
    "cap 2": Rules(cube_cap=2),
    "cap 4": Rules(cube_cap=4),
    "no cube": Rules(cube_in_use=False),
    "Jacoby": Rules(jacoby=True, cube_cap=4),
    "beavers": Rules(beavers=1, cube_cap=8),
    "raccoons": Rules(beavers=2, cube_cap=8),
    "aardvarks": Rules(beavers=3, cube_cap=16),
    "immediate redouble": Rules(immediate_redouble=True, cube_cap=8),
    "pips": Rules(scoring=Scoring.PIPS, cube_cap=8),
    "pips, beavers": Rules(scoring=Scoring.PIPS, beavers=1, cube_cap=8),
    "pips, immediate redouble": Rules(scoring=Scoring.PIPS, immediate_redouble=True, cube_cap=8),
}
MATCHES = [
    MatchState(7, 3, 4),
    MatchState(7, 5, 3),
    MatchState(5, 4, 4),
    MatchState(7, 6, 2, crawford=True),
    MatchState(7, 2, 6),
    MatchState(7, 6, 3),
    MatchState(3, 0, 1),
    MatchState(4, 1, 0, rules=Rules(crawford=False)),
]


def position(mine, theirs):
    board = [0] * 26
    for point in mine:
        board[point] += 1
    for point in theirs:
        board[25 - point] -= 1
    return Position(tuple(board))


def expected(match, mine, theirs, cube):
    """No double and double/take of the twin, as value of the stakes."""
    game = Game(match)
    men = (tuple(sorted(mine)), tuple(sorted(theirs)))
    owner = {Owner.CENTRE: None, Owner.MOVER: 0, Owner.OPPONENT: 1}[cube.owner]
    plain, doubled = game.rolled(men, 0, cube.value, owner), game.rolled(men, 0, 2 * cube.value, 1)
    if match.money:
        return plain / cube.value, doubled / cube.value
    return 2 * plain - 1, 2 * doubled - 1


men = st.lists(st.integers(1, 6), min_size=1, max_size=2)


@given(men, men, st.sampled_from(sorted(RULES)), st.sampled_from(list(Owner)))
@settings(max_examples=60)
def test_money_rules_equal_the_twin(mine, theirs, name, owner):
    match = MatchState(rules=RULES[name])
    cube = Cube(1 if owner is Owner.CENTRE or RULES[name].cube_cap == 1 else 2, owner)
    pips = None
    if match.rules.scoring is Scoring.PIPS:
        pips = PipCounts(sum(mine), sum(theirs), (1, 1, 1, 1, 1, 1))
    stakes = Stakes.of(match, cube, pips=pips)
    found = ending_values(position(mine, theirs), stakes)
    plain, doubled = expected(match, mine, theirs, cube)
    assert found.no_double == pytest.approx(plain, abs=1e-9)
    assert found.exact
    if stakes.may_double:
        assert found.double_take == pytest.approx(doubled, abs=1e-9)
    else:
        assert math.isnan(found.double_take)
    game, there = Game(match), (tuple(sorted(mine)), tuple(sorted(theirs)))
    rules, turned = match.rules, 4 * cube.value
    again = found.double_redouble if rules.immediate_redouble else found.double_beaver
    if stakes.may_double and turned <= (rules.cube_cap or 64) and (rules.beavers or rules.immediate_redouble):
        if rules.immediate_redouble:
            passed = game.worth(1, turned // 2, there)
            expected_again = max(passed, game.taken(there, 0, turned, 0, 0))
        else:
            expected_again = game.taken(there, 0, turned, 1, rules.beavers - 1, 0)
        assert again == pytest.approx(expected_again / cube.value, abs=1e-9)
    else:
        assert again is None


@given(men, men, st.sampled_from(MATCHES), st.sampled_from([1, 2, 4]), st.sampled_from(list(Owner)))
@settings(max_examples=40)
def test_match_scores_equal_the_twin(mine, theirs, match, value, owner):
    if match.crawford or owner is Owner.CENTRE:
        value, owner = 1, Owner.CENTRE
    cube = Cube(value, owner)
    stakes = Stakes.of(match, cube)
    found = ending_values(position(mine, theirs), stakes)
    plain, doubled = expected(match, mine, theirs, cube)
    assert found.no_double == pytest.approx(plain, abs=1e-9)
    if stakes.may_double:
        assert found.double_take == pytest.approx(doubled, abs=1e-9)


@pytest.mark.parametrize("there", [Position.from_id("kQcAgEoDAAAAAA"), position([6, 4, 2], [5, 5, 1])])
def test_money_equals_the_two_sided_table(there):
    tables = load_tables()
    row = tables.two_sided[two_sided_row(tables, there.array)]
    for owner, column in ((Owner.MOVER, 1), (Owner.CENTRE, 2), (Owner.OPPONENT, 3)):
        found = ending_values(there, Stakes.of(MatchState(rules=Rules(cube_cap=None)), Cube(2, owner)))
        assert found.no_double == pytest.approx(row[column], abs=1e-6)
        assert found.probabilities.equity == pytest.approx(row[0], abs=1e-6)


@pytest.mark.parametrize(
    ("mine", "theirs", "match"),
    [
        ([6, 5, 4, 2], [6, 6, 3, 1], MatchState(7, 3, 4)),
        ([5, 4, 4, 3, 1], [6, 5, 2, 2], MatchState(25, 20, 17)),
        ([6, 6, 5, 1], [5, 5, 3, 2], MatchState(rules=Rules(scoring=Scoring.PIPS, cube_cap=8))),
    ],
)
def test_plays_that_are_left_out_are_never_better(monkeypatch, mine, theirs, match):
    def solved():
        for cached in (endings._successors, endings._reached, endings._solved):
            cached.cache_clear()
        pips = PipCounts(sum(mine), sum(theirs), (1,) * 6) if match.rules.scoring is Scoring.PIPS else None
        found = ending_values(position(mine, theirs), Stakes.of(match, Cube(), pips=pips))
        return found.no_double, found.double_take, len(endings._successors()[1])

    fewer = solved()
    monkeypatch.setattr(endings_kernel, "best_successors", lambda starts, entries, pips: (starts, entries))
    everything = solved()
    monkeypatch.undo()
    assert fewer[:2] == everything[:2]
    assert fewer[2] < 0.6 * everything[2]
    solved()


def test_case_25():
    """Exact at the leaves: double/take .8777, as the corpus has it (money cubeless .755438)."""
    situation = Situation.from_gnuid("kQcAgEoDAAAAAA:UQngABAAIAAA")
    decision = ending_decision(situation)
    assert decision.mwc.double_take == pytest.approx(0.8777, abs=5e-5)
    assert decision.exact
    assert decision.verdict is Verdict.DOUBLE_TAKE
    assert decision.probabilities.equity == pytest.approx(0.755438, abs=1e-6)


def test_last_roll_positions_are_known_by_counting():
    """Two checkers on the 6 and 4 points bear off in 8 of 36 rolls; the opponent is off next."""
    situation = Situation(position([6, 4], [1]))
    decision = ending_decision(situation)
    win = 8 / 36
    assert decision.values.no_double == pytest.approx(2 * win - 1)
    assert decision.values.double_take == pytest.approx(2 * (2 * win - 1))
    assert decision.verdict is Verdict.NO_DOUBLE_TAKE
    # All eleven sixes, and the doubles from 2-2 up, bear off a checker on the 6 point and one on the 1.
    assert ending_decision(Situation(position([6, 1], [1]))).probabilities.win == pytest.approx(15 / 36)


def test_each_rule_changes_the_verdict_of_a_small_position_as_solved_by_hand():
    """19 of 36 rolls bear off 5 and 2, the opponent is off next: a double and a take."""
    there = position([5, 2], [1])
    win = ending_decision(Situation(there)).probabilities.win
    assert win == pytest.approx(19 / 36)

    def verdict(**rules):
        return ending_decision(Situation(there, match=MatchState(rules=Rules(**rules)))).verdict

    assert verdict() is Verdict.DOUBLE_TAKE
    assert verdict(cube_cap=1) is None
    assert verdict(cube_in_use=False) is None
    assert verdict(jacoby=True) is Verdict.DOUBLE_TAKE
    assert verdict(beavers=1) is Verdict.DOUBLE_TAKE
    weaker = Situation(position([6, 1], [1]), match=MatchState(rules=Rules(beavers=1)))
    assert ending_decision(weaker).verdict is Verdict.NO_DOUBLE_BEAVER
    # Under pip scoring a pass costs the opponent's one pip, a loss the mover's pips left: 17 of 36 times 2 to 7.
    pips = ending_decision(Situation(there, match=MatchState(rules=Rules.preset("pip-scoring"))))
    assert pips.equities.double_pass == 1
    assert pips.equities.no_double < 0
    assert pips.verdict is Verdict.NO_DOUBLE_TAKE
    # A double match point the cube is dead, one away it is the Crawford game.
    assert ending_decision(Situation(there, match=MatchState(5, 4, 4))).verdict is None
    assert ending_decision(Situation(there, match=MatchState(5, 3, 4, crawford=True))).verdict is None
    assert ending_decision(Situation(there, match=MatchState(5, 3, 4))).verdict is not None


def test_the_engine_knows_pip_scoring_in_short_bearoffs():
    """A pass costs the opponent their last pip; unless 5 and 2 both go off now, the opponent is off next."""
    situation = Situation(position([5, 2], [1]), match=MatchState(rules=Rules.preset("pip-scoring")))
    evaluation = evaluate(situation)
    assert evaluation.decision.verdict is ending_decision(situation).verdict
    assert evaluation.decision.values == ending_decision(situation).values
    game = Game(situation.match)
    assert evaluation.cubeless == pytest.approx(game.rolled(((2, 5), (1,)), 0, 256, None) / 256)
    assert evaluation.decision.explain().root.value == evaluation.decision.verdict.value
    with pytest.raises(IllegalRules, match="at most 6 checkers"):
        evaluate(Situation(Position.start(), match=situation.match))


def test_out_of_range():
    assert ending_values(Position.start(), Stakes.of(MatchState(), Cube())) is None
    assert not in_range(position([6] * 7, [1]))
    assert in_range(position([6] * 6, [1] * 6))
    assert ending_decision(Situation(position([6] * 7, [1]))) is None


def test_a_search_gives_exact_endings_at_a_score():
    from cubelab.engine.search import cube_decision

    situation = Situation.from_gnuid("kQcAgEoDAAAAAA:UQngABAAIAAA")
    for ply in (0, 2):
        decision = cube_decision(situation, ply=ply)
        assert decision.exact
        assert decision.values.double_take == ending_decision(situation).values.double_take
