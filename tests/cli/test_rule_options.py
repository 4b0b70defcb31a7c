"""``--rule``: every field of `Rules` from the command line."""

import json

import pytest
from click.testing import CliRunner

from cubelab.cli import program

MONEY = "XGID=-b-B--E-B---dD---d-e----B-:0:0:1:00:0:0:0:0:10"
MATCH = MONEY.replace(":0:0:0:0:10", ":3:5:0:7:10")
#: The mover bears off the last checker; the opponent's man stands in the mover's home.
LAST = "XGID=-A--a-------------------n-:0:0:1:00:0:0:0:0:10"


def call(*args):
    return CliRunner().invoke(program, args)


def cube(*args, command="cube"):
    result = call(command, *args, "--ply", "0", "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_the_switches_are_rules():
    assert cube(MONEY, "--rule", "jacoby=on")["equity"] == cube(MONEY, "--jacoby")["equity"]
    assert cube(MONEY, "--rule", "beavers=1")["verdict"] == cube(MONEY, "--beavers")["verdict"]
    assert cube(MATCH, "--jacoby")["equity"] == cube(MATCH)["equity"]  # a switch of money play, no matter in a match


def test_rules_without_a_switch():
    assert cube(MONEY, "--rule", "cube-in-use=off")["cube_allowed"] is False
    capped = cube(MONEY, "--rule", "cube_cap=1")
    assert "cap of 1" in capped["reason_not_allowed"]
    plain, free = cube(MATCH), cube(MATCH, "--rule", "Crawford=off")
    assert plain["mwc"]["double_take"] == free["mwc"]["double_take"]
    assert plain["mwc"]["no_double"] != free["mwc"]["no_double"]


def test_what_counts_as_a_backgammon():
    """Every roll wins: three points, or two where only a man on the bar makes three."""
    for rule, points in ((), 3), (("--rule", "backgammon-rule=bar-only"), 2):
        found = call("eval", LAST, "--ply", "1", "--json", *rule)
        assert json.loads(found.stdout)["equity"]["cubeless"] == pytest.approx(points, abs=1e-6)


def test_points_of_other_rules():
    wide = json.loads(call("points", "--money", "--rule", "cube-cap=2", "--json").stdout)
    # At a cap of 2 whoever takes has a dead cube: 25 % whatever the model.
    assert [wide["mover"]["take"][model] for model in ("dead", "live", "model")] == pytest.approx([0.25] * 3)


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("cube-cap=48", "power of two"),
        ("jacoby=perhaps", "on or off"),
        ("beavers=many", "many"),
        ("backgammon-rule=home", "'bar only'"),
        ("chouette=on", "one of cube-in-use"),
        ("jacoby", "not NAME=VALUE"),
    ],
)
def test_what_is_no_rule(rule, reason):
    result = call("cube", MONEY, "--rule", rule)
    assert result.exit_code == 2
    assert reason in result.stderr.replace("\n", " ")


def test_what_does_not_go_together():
    assert call("cube", MONEY, "--jacoby", "--rule", "jacoby=off").exit_code == 2
    refused = call("cube", MATCH, "--rule", "jacoby=on", "--ply", "0")
    assert refused.exit_code == 1
    assert "not for matches" in refused.stderr
    assert call("cube", MONEY, "--rule", "cube-in-use=off", "--rule", "jacoby=on", "--ply", "0").exit_code == 1
