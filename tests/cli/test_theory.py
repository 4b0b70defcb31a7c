"""`cubelab explain`, `ledger`, `scores`, `rules`, `robust`: what they print follows from the functions they show."""

import json

import pytest
from click.testing import CliRunner

import cubelab as cl
from cubelab.cli import program

MATCH = "XGID=-b-B--E-B---dD---d-e----B-:0:0:1:00:3:5:0:7:10"
MONEY = "XGID=-b-B--E-B---dD---d-e----B-:0:0:1:00:0:0:0:0:10"


def answer(*args):
    result = CliRunner().invoke(program, [*args, "--json"])
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("command", ["explain", "ledger", "scores", "rules", "robust"])
def test_help_has_an_example_that_runs(command):
    text = CliRunner().invoke(program, [command, "--help"]).stdout
    example = next(line.strip() for line in text.splitlines() if line.strip().startswith(f"cubelab {command} "))
    words = example.replace('"', "").split()[1:]
    result = CliRunner().invoke(program, [*words, *([] if command == "ledger" else ["--ply", "0"])])
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("XGID=")


def test_an_explanation_is_the_decision_of_the_model():
    document = answer("explain", MATCH, "--ply", "0")
    situation = cl.Situation.from_xgid(MATCH)
    chances = cl.evaluate(situation, ply=0).probabilities
    assert document["tree"]["value"] == cl.decide(chances, cl.Stakes.of(situation.match, situation.cube)).verdict.value
    bill = document["bill"]
    assert bill["raw"] + bill["gammons"] + bill["free_turn"] + bill["recube"] == pytest.approx(bill["take"])
    blank = answer("explain", MATCH, "--ply", "0", "--exercise")
    assert json.dumps(blank).count('"value": null') > 5


def test_a_ledger_adds_up():
    document = answer("ledger", MONEY)
    assert len(document["sequences"]) == 441
    total = sum(row["weighted_effect"] for row in document["sequences"])
    assert total == pytest.approx(document["gain"] - document["cost"], abs=1e-6)
    assert total == pytest.approx(document["difference"], abs=1e-6)


def test_scores_are_decisions_at_those_scores():
    rows = answer("scores", MATCH, "--size", "3", "--ply", "0")["scores"]
    assert [row["stage"] for row in rows].count("Crawford") == 4
    row = next(row for row in rows if row["name"] == "2a 3a")
    there = cl.Situation.from_xgid(MATCH).with_(score=(1, 0), length=3)
    assert row["no_double"] == pytest.approx(cl.cube_decision(there, ply=0).equities.no_double)
    assert next(row for row in rows if row["name"] == "DMP")["verdict"] is None


def test_rules_change_what_they_should():
    rows = {row["rules"]: row for row in answer("rules", MONEY, "--ply", "0")["rules"]}
    assert rows["Jacoby"]["no_double"] < rows["plain"]["no_double"]
    assert rows["beavers"]["double_beaver"] == pytest.approx(2 * rows["beavers"]["double_take"])
    assert rows["immediate redouble"]["double_redouble"] is not None
    assert rows["cube not in use"]["verdict"] is None
    assert "at most 6 checkers" in rows["pip scoring"]["reason"]
    # More of the mover's wins than losses are backgammons here; counting fewer costs something.
    assert rows["backgammons on the bar only"]["no_double"] != rows["plain"]["no_double"]
    match = {row["rules"]: row for row in answer("rules", MATCH, "--ply", "0")["rules"]}
    # A point lost makes the next game the Crawford game, or not: that is one side of the scale equities are on.
    assert match["no Crawford rule"]["no_double"] < match["plain"]["no_double"]
    assert match["plain"]["points"] is None


def test_robustness_names_the_nearest_flip():
    document = answer("robust", MATCH, "--ply", "0")
    assert 0 < document["agreement"] <= 1
    assert [flip["what"] for flip in document["flips"]] == ["win", "gammon", "opponent gammon"]
    assert document["flips"][0]["to"] == "D_P"
    assert "makes it" in CliRunner().invoke(program, ["robust", MATCH, "--ply", "0"]).stdout


def test_a_position_without_an_answer_stops_nothing():
    result = CliRunner().invoke(program, ["ledger", "rubbish", MONEY, "--sequences", "0"])
    assert result.exit_code == 1
    assert "market is lost" in result.stdout.replace("\n", " ")
    crawford = CliRunner().invoke(program, ["ledger", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:3:1:7:10"])
    assert crawford.exit_code == 1
    assert "Crawford" in crawford.stderr


def test_the_verdict_of_the_look_ahead_stands_beside_that_of_the_model():
    """README's position: a double by the model at 2-ply, not by the look-ahead."""
    position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10"
    label = cl.cube_decision(cl.Situation.from_xgid(position), ply=1).label
    for command in ("explain", "robust"):
        assert answer(command, position, "--ply", "1")["look_ahead"] == label
        words = " ".join(CliRunner().invoke(program, [command, position, "--ply", "1"]).stdout.split())
        assert f"look-ahead of cubelab cube, which values the cube after the next rolls, says: {label} (" in words
    exercise = CliRunner().invoke(program, ["explain", position, "--ply", "1", "--exercise"]).stdout
    assert "look-ahead of cubelab cube" not in exercise


def test_points_at_scores_given_as_what_both_sides_need():
    for away, score in (("4-away/2-away", "0-2/4"), ("3a5a", "2-0/5"), ("1-away 3-away", "2-0/3")):
        assert answer("points", "--score", away) == answer("points", "--score", score)
    assert CliRunner().invoke(program, ["points", "--score", "0-away/2-away"]).exit_code == 2
    assert "no gammons" in CliRunner().invoke(program, ["points", "--score", "0-2/4"]).stdout
    assert "20 % of the mover" in CliRunner().invoke(program, ["points", "--money", "--gammons", "0.2,0"]).stdout
