"""JSON documents and tables of the commands: the promised keys, and numbers known from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cubelab.cli import program

START = "4HPwATDgc/ABMA"
MATCH = Path(__file__).parents[2] / "data" / "matches" / "7-point.mat"
CHANCES = {"win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"}
OPTIONS = {"no_double", "double_take", "double_pass"}
#: CASES.md 33, 12: the opponent's cube; the Crawford game.
OPPONENTS_CUBE = "XGID=-b----E-C---eE---c-e----B-:2:1:-1:00:3:1:0:7:3"
CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:5:1:7:10"


def call(*args: str, status: int = 0) -> str:
    result = CliRunner().invoke(program, args, catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result.stdout


def document(*args: str, status: int = 0) -> dict:
    return json.loads(call(*args, "--json", status=status))


def test_cube_of_the_starting_position():
    found = document("cube", START, "--ply", "0")
    assert set(found) == {
        "position",
        "gnuid",
        "probabilities",
        "equity",
        "mwc",
        "unit",
        "verdict",
        "cube_allowed",
        "reason_not_allowed",
        "exact",
        "rollout",
        "provenance",
    }
    assert set(found["probabilities"]) == CHANCES
    assert set(found["equity"]) == OPTIONS | {"cubeless"}
    assert set(found["verdict"]) == {"double", "response", "redouble", "too_good", "optional", "label"}
    assert set(found["provenance"]) == {"version", "weights", "met", "ply", "model", "seed"}
    assert found["unit"] == "points"
    assert found["mwc"] is None
    assert found["rollout"] is None
    assert found["verdict"]["label"] == "No double, take"
    chances = list(found["probabilities"].values())
    cubeless = 2 * chances[0] - 1 + chances[1] + chances[2] - chances[3] - chances[4]
    assert found["equity"]["cubeless"] == pytest.approx(cubeless, abs=1e-6)
    assert found["equity"]["double_pass"] == 1


def test_a_match_gives_emg_and_mwc_of_the_same_options():
    found = document("cube", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10", "--ply", "0")
    assert found["unit"] == "emg"
    assert set(found["mwc"]) == OPTIONS
    # EMG is linear in MWC, and cashing one point from 4-away 2-away reaches 3-away 2-away: 40.053 % by Kazaross-XG2.
    assert found["mwc"]["double_pass"] == pytest.approx(0.40053, abs=5e-5)
    emg, mwc = found["equity"], found["mwc"]
    slope = (mwc["double_pass"] - mwc["no_double"]) / (emg["double_pass"] - emg["no_double"])
    assert mwc["double_take"] - mwc["no_double"] == pytest.approx(slope * (emg["double_take"] - emg["no_double"]))
    assert found["provenance"]["met"].startswith("kazaross-xg2")


@pytest.mark.parametrize(("position", "word"), [(OPPONENTS_CUBE, "opponent"), (CRAWFORD, "Crawford")])
def test_a_cube_that_may_not_be_turned_gets_no_verdict(position, word):
    found = document("cube", position, "--ply", "0")
    assert found["cube_allowed"] is False
    assert word in found["reason_not_allowed"]
    assert found["verdict"] is None
    assert found["equity"]["double_take"] is None
    assert found["equity"]["double_pass"] is None
    assert found["equity"]["no_double"] is not None
    assert set(found["probabilities"]) == CHANCES


def test_crawford_and_post_crawford_differ():
    after = document("cube", CRAWFORD.replace(":6:5:1:", ":6:5:0:"), "--ply", "0")
    assert after["cube_allowed"] is False
    assert "dead" in after["reason_not_allowed"]


def test_rules_of_money_play_can_be_switched():
    # CASES.md 16: gammons count only once the cube is turned, so the value of not doubling falls.
    position = "XGID=a--B-BCbBAA-cB---bbeAA----:0:0:1:00:0:0:1:0:10"
    jacoby = document("cube", position, "--ply", "0")
    assert document("cube", position, "--ply", "0", "--jacoby") == jacoby
    without = document("cube", position, "--ply", "0", "--no-jacoby")
    assert without["position"].endswith(":0:0:0:0:10")
    assert jacoby["equity"]["no_double"] < without["equity"]["no_double"]
    assert jacoby["equity"]["double_take"] == without["equity"]["double_take"]


def test_the_model_is_an_argument():
    equities = [document("cube", START, "--ply", "0", "--model", name)["equity"] for name in ("dead", "live")]
    assert equities[0]["no_double"] != equities[1]["no_double"]
    assert equities[0]["cubeless"] == equities[1]["cubeless"]


def test_bearoff_of_the_reference():
    # Exact values by GNU Backgammon's two-sided database, CASES.md 25.
    found = document("bearoff", "kQcAgEoDAAAAAA")
    assert found["exact"] is True
    exact = {"cubeless": 0.755438, "owned": 0.933977, "centred": 0.930362, "opponent": 0.744146}
    assert {name: found["equity"][name] for name in exact} == pytest.approx(exact, abs=1e-4)


def test_a_short_bearoff_at_a_score_is_marked_exact():
    """CASES.md 25: double/take .8777."""
    found = document("cube", "kQcAgEoDAAAAAA:UQngABAAIAAA", "--ply", "0")
    assert found["exact"] is True
    assert found["mwc"]["double_take"] == pytest.approx(0.8777, abs=5e-5)
    assert "exact bearoff; kazaross-xg2" in call("cube", "kQcAgEoDAAAAAA:UQngABAAIAAA")
    assert document("cube", START, "--ply", "0")["exact"] is False


def test_bearoff_with_a_checker_outside_is_refused_in_place():
    found = document("bearoff", START, status=1)
    assert set(found) == {"input", "error"}


def test_legal_plays():
    found = document("moves", START, "--dice", "31", "--legal")
    assert set(found) == {"position", "dice", "plays"}
    assert found["dice"] == [3, 1]
    assert len(found["plays"]) == 16  # CASES.md 9
    assert all(set(play) == {"play", "gnuid"} for play in found["plays"])
    # CASES.md 1: the only play uses both dice.
    only = document("moves", "----b-M-A-------b-cdd---A-:0:0:1:62:0:0:0:0:10", "--legal")["plays"]
    assert [play["play"] for play in only] == ["24/22 8/2"]


def test_no_legal_play_gives_an_empty_list():
    closed = "XGID=aBBBBBBA------------------:0:0:-1:66:0:0:0:0:10"
    assert document("moves", closed, "--legal")["plays"] == []
    assert document("moves", closed, "--ply", "0")["plays"] == []


def test_ranked_plays():
    found = document("moves", START, "--dice", "31", "--ply", "0")
    best = found["plays"][0]
    assert best["play"] == "8/5 6/5"  # every engine's and every book's 31
    assert best["error_emg"] == 0
    assert best["mwc"] is None
    assert set(best["probabilities"]) == CHANCES
    errors = [play["error_emg"] for play in found["plays"]]
    assert errors == sorted(errors)
    assert len(found["plays"]) == 16


def test_plays_need_dice():
    assert "dice" in document("moves", START, status=1)["error"]


def test_money_points_are_janowskis():
    # Without gammons: dead 25 and 75 %, live 20 and 80 %.
    found = document("points", "--money")
    for side in (found["mover"], found["opponent"]):
        assert side["take"]["dead"] == pytest.approx(0.25, abs=1e-6)
        assert side["take"]["live"] == pytest.approx(0.20, abs=1e-6)
        assert side["cash"]["dead"] == pytest.approx(0.75, abs=1e-6)
        assert side["cash"]["live"] == pytest.approx(0.80, abs=1e-6)
        assert side["gammon_price"] == pytest.approx(0.5)
        assert side["beaver"] is None
        assert side["reason"]["beaver"]


def test_points_at_a_score():
    # CASES.md 15: the opponent redoubles at no cost, so 18.564 %, one cell of Kazaross-XG2.
    found = document("points", "--score", "3-5/7", "--cube", "1")
    assert set(found) >= {"score", "cube", "owner", "mover", "opponent", "met"}
    assert found["mover"]["take"]["dead"] == pytest.approx(0.18564, abs=1e-5)


def test_met_list_and_show():
    names = [table["name"] for table in json.loads(call("met", "list", "--json"))]
    assert "kazaross-xg2" in names
    table = document("met", "show", "kazaross-xg2")
    assert table["values"][1][1] == 0.5
    assert table["values"][2][1] == pytest.approx(0.40053, abs=1e-5)  # CASES.md 35
    assert table["post_crawford"]["mover"][1] == pytest.approx(0.48803, abs=1e-5)  # CASES.md 11


@pytest.mark.parametrize("ending", ["xml", "csv"])
def test_met_convert_keeps_the_numbers(tmp_path, ending):
    target = tmp_path / f"table.{ending}"
    call("met", "convert", "woolsey", str(target))
    for found, given in zip(
        document("met", "show", str(target))["values"], document("met", "show", "woolsey")["values"], strict=True
    ):
        assert found == pytest.approx(given, abs=1e-8)


def test_convert():
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:3:5:0:7:10"
    gnuid = call("convert", xgid, "gnuid").strip()
    assert call("convert", gnuid, "xgid").strip() == xgid


@pytest.mark.parametrize(
    "args",
    [
        ("cube", OPPONENTS_CUBE, "--ply", "0"),
        ("cube", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10", "--ply", "0"),
        ("eval", START, "--ply", "0"),
        ("moves", "XGID=-b----E-C---eE---c-e----B-:0:0:1:44:3:5:0:7:10", "--ply", "0"),
        ("moves", START, "--dice", "11", "--legal"),
        ("ledger", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10"),
        ("scores", START, "--size", "4", "--ply", "0"),
        ("rules", START, "--ply", "0"),
        ("robust", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10", "--ply", "0"),
        ("bearoff", "kQcAgEoDAAAAAA"),
        ("points", "--score", "3-5/7", "--gammons", ".3,.2"),
        ("points", "--money", "--beavers", "--jacoby"),
        ("met", "list"),
        ("met", "show", "kazaross-xg2", "--away", "25"),
    ],
    ids=" ".join,
)
def test_tables_fit_eighty_columns(args):
    lines = [line for line in call(*args).splitlines() if not line.startswith("XGID=")]
    assert lines
    assert max(map(len, lines)) <= 80


def test_convert_a_match_keeps_every_game(tmp_path):
    import cubelab as cl
    from cubelab.records import replay

    target = tmp_path / "copy.mat"
    call("convert", str(MATCH), str(target))
    given, copy = cl.read_match(MATCH), cl.read_match(target)
    assert [game.score_after for game in copy.games] == [game.score_after for game in given.games]
    assert [d.situation for d in replay(copy)] == [d.situation for d in replay(given)]


def test_convert_refuses_what_it_cannot_write(tmp_path):
    call("convert", str(MATCH), str(tmp_path / "copy.pdf"), status=2)
    call("convert", str(tmp_path / "missing.mat"), str(tmp_path / "copy.mat"), status=1)


@pytest.mark.parametrize("same", ["ids.txt", "./ids.txt", "link.txt"])
def test_convert_never_writes_over_what_it_reads(tmp_path, monkeypatch, same):
    monkeypatch.chdir(tmp_path)
    ids = tmp_path / "ids.txt"
    ids.write_text("4HPwATDgc/ABMA\n")
    (tmp_path / "link.txt").symlink_to(ids)
    call("convert", "ids.txt", same, status=2)
    assert ids.read_text() == "4HPwATDgc/ABMA\n"


def test_met_build_makes_a_table_that_loads(tmp_path):
    target = tmp_path / "mine.csv"
    assert "compared with kazaross-xg2" in call("met", "build", str(target), "--length", "9")
    table = document("met", "show", str(target))
    assert table["size"] == 9
    assert table["values"][1][1] == pytest.approx(0.5)
    assert table["values"][2][1] == pytest.approx(0.40, abs=0.02)
    call("met", "build", str(target), "--gammons", "1.5", status=2)
    call("met", "build", str(tmp_path / "mine.txt"), status=2)


@pytest.mark.parametrize("ending", ["sgf", "json"])
def test_convert_writes_other_formats_and_tells_what_is_lost(tmp_path, ending):
    from cubelab.records import read_match

    target = tmp_path / f"copy.{ending}"
    call("convert", str(MATCH), str(target))
    record, again = read_match(MATCH), read_match(target)
    assert [game.score for game in again.games] == [game.score for game in record.games]
    assert again.players == record.players


@pytest.mark.parametrize("command", ["cube", "eval"])
def test_a_roll_that_is_left_out_is_named(command):
    rolled = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    text = CliRunner().invoke(program, [command, rolled, "--ply", "0"]).stdout
    assert "cubelab moves ranks the plays of 31" in " ".join(text.split())
    assert "ranks the plays" not in CliRunner().invoke(program, [command, rolled.replace(":31:", ":00:")]).stdout
