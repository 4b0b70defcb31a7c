import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies_cube import chances, match_stakes, money_stakes, pip_stakes

from cubelab.cube import DeadCube, Janowski, LiveCube, decide, decision_from_values
from cubelab.cube.explain import explain
from cubelab.game import Cube, MatchState, Probabilities, Rules
from cubelab.score import MatchEquityTable, PipCounts, Stakes

PROBS = Probabilities.from_cumulative(0.7, 0.2, 0.01, 0.1, 0)


@given(
    st.one_of(match_stakes(), money_stakes(), pip_stakes()),
    chances(),
    st.sampled_from([DeadCube(), LiveCube(), Janowski(0.68)]),
)
@settings(max_examples=150)
def test_every_node_follows_from_its_inputs_and_the_root_from_the_kernel(stakes, probs, model):
    decision = decide(probs, stakes, model)
    tree = explain(decision)
    nodes = list(tree.root.walk())
    for node in nodes:
        assert node.recomputed() == node.value
    named = {}
    for node in nodes:
        named.setdefault(node.symbol, node)
    assert named["ND"].value == pytest.approx(decision.equities.no_double, abs=1e-8)
    if decision.verdict is None:
        return
    assert named["DT"].value == pytest.approx(decision.equities.double_take, abs=1e-8)
    assert named["DP"].value == pytest.approx(1.0 if stakes.pips is None else stakes.pips.opponent)
    if not decision.optional:
        assert tree.root.value == decision.verdict.value
    if decision.values.double_beaver is not None:
        assert named["DB"].value == pytest.approx(decision.equities.double_beaver, abs=1e-8)


def test_leaves_are_chances_and_table_cells():
    tree = decide(PROBS, Stakes.of(MatchState(7, 5, 3), Cube())).explain()
    leaves = [node for node in tree.root.walk() if not node.inputs]
    words = " | ".join(leaf.words for leaf in leaves)
    assert "a win with the cube at 1: the score becomes 6-3 to 7 (Crawford)" in words
    assert "a gammon won with the cube at 1: the match is over" in words
    assert {leaf.value for leaf in leaves} >= set(PROBS.array)
    by_words = {leaf.words: leaf.value for leaf in leaves}
    assert by_words["a win with the cube at 1: the score becomes 6-3 to 7 (Crawford)"] == pytest.approx(0.81436)


def test_forms():
    tree = decide(PROBS, Stakes.of(MatchState(), Cube())).explain()
    text = tree.text()
    assert text.startswith("Double, take\nverdict = D_T")
    assert text == str(tree)
    assert "x·live + (1 − x)·dead" in text
    assert "<details open>" in tree.html()
    assert tree._repr_html_() == tree.html()
    document = json.loads(json.dumps(tree.to_dict(), allow_nan=False))
    assert document["tree"]["value"] == "D_T"
    assert document["tree"]["inputs"][0]["symbol"] == "ND"


def test_money_trees_are_short_enough_to_read():
    assert len(decide(PROBS, Stakes.of(MatchState(), Cube())).explain().text().splitlines()) < 90


def test_an_exercise_blanks_the_leaves_only():
    tree = decide(PROBS, Stakes.of(MatchState(7, 5, 3), Cube())).explain()

    def leaves(node):
        return [node] if not node["inputs"] else [leaf for child in node["inputs"] for leaf in leaves(child)]

    document = tree.to_dict(exercise=True)["tree"]
    assert document["value"] == "ND_T"
    assert all(leaf["value"] is None for leaf in leaves(document))
    assert "p1 = ____" in tree.text(exercise=True)
    assert "____" in tree.html(exercise=True)
    assert "____" not in tree.text()


def test_values_of_a_search_are_leaves():
    stakes = Stakes.of(MatchState(7, 3, 0), Cube())
    decision = decision_from_values(
        stakes.from_emg(0.6), stakes.from_emg(0.7), stakes, PROBS, model="2-ply search", exact=False
    )
    tree = decision.explain()
    found = [node for node in tree.root.walk() if "2-ply search" in node.words]
    assert len(found) == 2
    assert not any(node.inputs for node in found)
    assert tree.root.value == "D_T"
    for node in tree.root.walk():
        assert node.recomputed() == node.value


def test_rules_with_further_answers():
    rules = Rules(jacoby=True, beavers=1)
    tree = decide(PROBS, Stakes.of(MatchState(rules=rules), Cube())).explain()
    assert "DB" in {node.symbol for node in tree.root.walk()}
    assert "Jacoby" in tree.text()
    redouble = decide(PROBS, Stakes.of(MatchState(rules=Rules(immediate_redouble=True)), Cube())).explain()
    assert "DR" in {node.symbol for node in redouble.root.walk()}


def test_pip_scoring_goes_down_to_the_pips():
    """A pass costs 20 pips; half the wins are gammons of 60 pips, paid twice: 1/2 · 12 + 1/2 · 120 = 66."""
    stakes = Stakes.of(
        MatchState(rules=Rules.preset("pip-scoring")), Cube(), pips=PipCounts(30, 20, (12, 60, 80, 9, 70, 80))
    )
    tree = decide(Probabilities(0.3, 0.3, 0, 0.4, 0, 0), stakes).explain()
    named = {node.symbol: node for node in tree.root.walk()}
    assert named["W₀"].value == pytest.approx(66)
    assert named["L₀"].value == pytest.approx(-9)
    assert named["DP"].value == 20
    assert {leaf.value for leaf in tree.root.walk() if leaf.symbol == "n"} >= {12, 60, 80, 9, 20}


def test_a_locked_cube_explains_its_equity():
    tree = decide(PROBS, Stakes.of(MatchState(7, 6, 3, crawford=True), Cube())).explain()
    assert tree.root.symbol == "ND"
    assert "Crawford" in tree.title
    assert not math.isnan(tree.root.value)


def test_a_game_that_the_table_calls_decided_is_explained_by_its_match_winning_chance():
    table = MatchEquityTable("decided", [[0.5, 1.0, 1.0], [0.0, 0.5, 0.5], [0.0, 0.5, 0.5]], [0.5, 0.0, 0.0])
    # A single win and a single loss both win the match: no unit of equity. The 10 % gammons lost leave 1-1, even.
    decision = decide(PROBS, Stakes.of(MatchState(3, 2, 0), Cube(), table))
    assert decision.verdict is None
    root = decision.explain().root
    assert (root.symbol, root.unit) == ("ND", "mwc")
    assert root.value == pytest.approx(0.95)
    assert root.recomputed() == root.value
