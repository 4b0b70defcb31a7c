"""What a notebook shows of the objects that are no pictures: short, and with the numbers that matter."""

from __future__ import annotations

from pathlib import Path

import cubelab as cl
from cubelab.study.statistics import summarise

MATCH = Path(__file__).parents[2] / "data" / "matches" / "7-point.mat"
BLITZ = "2DZkgSFszoMHAA"


def test_an_evaluation_shows_its_chances_and_its_verdict():
    evaluation = cl.evaluate(cl.Situation.from_gnuid(BLITZ), ply=0)
    shown = evaluation._repr_html_()
    assert f"{100 * evaluation.probabilities.cumulative[0]:.2f} %" in shown
    assert evaluation.decision.label in shown


def test_ranked_plays_show_as_a_table_with_the_best_first():
    shown = cl.ranked_plays(cl.Situation.from_gnuid("4HPwATDgc/ABMA"), dice=(3, 1), ply=0)._repr_html_()
    assert shown.index("8/5 6/5") < shown.index("24/23 13/10")


def test_a_match_shows_in_a_line():
    shown = repr(cl.read_match(MATCH))
    assert "Iris09" in shown
    assert "7-point match, 7 games" in shown
    assert len(shown) < 300


def test_totals_name_the_players_as_the_match_does():
    # Jade1 won the opening roll of the first game, but Iris09 is named first.
    decisions = cl.analyse(MATCH, ply=0, checker_play=True).decisions
    assert decisions["player"].iloc[0] == "Jade1"
    assert list(summarise(decisions)["player"]) == ["Iris09", "Jade1"]
