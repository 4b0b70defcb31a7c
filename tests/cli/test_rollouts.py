"""``cubelab rollout`` and the rollouts behind other commands."""

from __future__ import annotations

import csv
import errno
import json
import os

import pytest
from click.testing import CliRunner

from cubelab.cli import program

BLITZ = "2DZkgSFszoMHAA"
AT_SCORE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10"
CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:5:1:7:10"
SHORT = ("--trials", "36", "--truncate", "3")


def call(*args: str, status: int = 0) -> str:
    result = CliRunner().invoke(program, args, catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result.stdout if status in (0, 1) else result.output


def document(*args: str, status: int = 0) -> dict:
    return json.loads(call(*args, "--json", status=status))


def without_speed(found: dict) -> dict:
    return found | {"games_per_second": None}


def test_json_has_what_is_promised():
    found = document("rollout", BLITZ, *SHORT, "--seed", "7")
    cube = document("cube", BLITZ, "--ply", "0")
    assert set(cube) <= set(found)
    assert set(found) >= {"trials", "seed", "games_per_second", "se", "verdict_probability", "regret", "settings"}
    assert set(found["se"]) == {"cubeless", "no_double", "double_take", "difference", "chances"}
    assert set(found["rollout"]) == {"trials", "se", "verdict_probability"}
    assert found["trials"] == found["rollout"]["trials"] == 36
    assert found["seed"] == found["provenance"]["seed"] == 7
    assert found["settings"]["truncate"] == 3
    assert found["equity"]["double_pass"] == 1
    assert 0 < found["verdict_probability"] <= 1
    assert found["verdict"]["label"]
    assert found["interrupted"] is False


def test_a_rollout_that_ends_early_says_why(tmp_path):
    kept = tmp_path / "kept.npz"
    sure = ("--trials", "72", "--min-trials", "36", "--truncate", "3", "--stop-probability", "0.51")
    assert "Stopped before 72 trials by --stop-probability 0.51." in call("rollout", BLITZ, *sure, "--save", str(kept))
    # Its rule goes on to hold: few of the further trials are played.
    assert "by --stop-probability 0.51." in call("rollout", "--resume", str(kept), "--extend", "1296")
    assert "Stopped" not in call("rollout", BLITZ, *SHORT)


def test_threads_change_nothing_but_the_speed():
    one, three = (document("rollout", AT_SCORE, *SHORT, "--threads", n) for n in ("1", "3"))
    assert without_speed(one) == without_speed(three)
    assert set(one["mwc"]) == {"no_double", "double_take", "double_pass"}


def test_many_positions_keep_their_order_and_failures_their_place():
    lines = call("rollout", BLITZ, "rubbish", AT_SCORE, *SHORT, "--json", status=1).splitlines()
    found = [json.loads(line) for line in lines]
    assert [entry.get("trials") for entry in found] == [36, None, 36]
    assert set(found[1]) == {"input", "error"}


def test_a_cubeless_rollout_has_chances_and_no_verdict():
    found = document("rollout", BLITZ, *SHORT, "--cubeless")
    assert found["verdict"] is None
    assert found["equity"]["no_double"] is None
    assert found["equity"]["cubeless"] is not None
    assert "without the cube" in found["reason_not_allowed"]
    assert "No verdict" in call("rollout", BLITZ, *SHORT, "--cubeless")


def test_the_crawford_game_has_no_double_to_roll_out():
    found = document("rollout", CRAWFORD, *SHORT)
    assert found["cube_allowed"] is False
    assert "Crawford" in found["reason_not_allowed"]
    assert found["equity"]["double_take"] is None
    assert found["se"]["double_take"] is None
    assert found["verdict_probability"] is None


def test_the_table_says_everything():
    text = call("rollout", AT_SCORE, *SHORT)
    for part in ("no double", "std. error", "MWC", "difference", "final cube", "half-moves", "The verdict is right",
                 "expected cost", "36 trials", "truncated after 3", "seed 1", "weights", "kazaross"):  # fmt: skip
        assert part in text, part
    assert max(map(len, text.splitlines())) <= 80


def test_saved_and_resumed_is_the_same_as_at_once(tmp_path):
    path, trials = str(tmp_path / "r.npz"), str(tmp_path / "trials.csv")
    call("rollout", BLITZ, *SHORT, "--save", path)
    extended = document("rollout", "--resume", path, "--extend", "36", "--csv", trials)
    at_once = document("rollout", BLITZ, "--trials", "72", "--truncate", "3")
    assert without_speed(extended) == without_speed(at_once)
    again = document("rollout", "--resume", path, "--trials", "108")
    assert again["trials"] == 108
    with open(trials, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 72
    mean = sum(float(row["equity"]) for row in rows if row["branch"] == "no double") / 72
    assert mean == pytest.approx(at_once["equity"]["no_double"], abs=1e-9)


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("--trials", "0"), "trials"),
        (("--trials", "-3"), "trials"),
        (("--truncate", "0"), "truncate"),
        (("--seed", "-1"), "seed"),
        (("--seed", str(2**63)), "seed"),
        (("--ply", "3"), "--ply"),
        (("--stop-se", "0"), "stop_se"),
        (("--stop-probability", "2"), "stop_probability"),
        (("--time", "-1"), "stop_time"),
        (("--preset", "huge"), "preset"),
        (("--extend", "5"), "--resume"),
        (("--save", "/no/such/folder/r.npz"), "folder"),
    ],
)
def test_impossible_settings_are_wrong_usage(args, word):
    text = call("rollout", BLITZ, *args, status=2)
    assert word in text
    assert "Traceback" not in text


def test_a_resumed_rollout_keeps_its_seed(tmp_path):
    path = str(tmp_path / "r.npz")
    call("rollout", BLITZ, *SHORT, "--save", path)
    assert "--seed" in call("rollout", "--resume", path, "--seed", "3", status=2)
    assert "position" in call("rollout", BLITZ, "--resume", path, status=2)
    assert "no such file" in CliRunner().invoke(program, ["rollout", "--resume", path + "x"]).output


def test_a_finished_game_is_refused_in_place():
    assert "borne off" in document("rollout", "AAAAAAAAAAAAAA", *SHORT, status=1)["error"]


def test_the_time_limit_is_no_failure():
    found = document("rollout", BLITZ, "--trials", "1000000", "--time", "0.3")
    assert found["interrupted"] is True
    assert 0 < found["trials"] < 1_000_000


def test_an_interrupt_prints_what_there_is(monkeypatch):
    from cubelab.cli import rollout_progress

    def interrupt(self, so_far):
        if so_far.count >= 24:
            raise KeyboardInterrupt

    monkeypatch.setattr(rollout_progress.RolloutProgress, "__call__", interrupt)
    result = CliRunner().invoke(program, ["rollout", BLITZ, AT_SCORE, "--trials", "1000", "--truncate", "3", "--json"])
    assert result.exit_code == 130
    assert [json.loads(line)["trials"] for line in result.stdout.splitlines()] == [24]


@pytest.mark.parametrize("args", [("--rollout", "36", BLITZ), (BLITZ, "--rollout", "36"), (BLITZ, "--rollout=36")])
def test_cube_can_roll_out(args):
    found = document("cube", *args)
    assert found["rollout"]["trials"] == 36
    assert found["provenance"]["seed"] == 1
    plain = document("rollout", BLITZ, "--trials", "36")
    assert found["equity"] == plain["equity"]
    assert found["verdict"] == plain["verdict"]


def test_rollout_without_a_number_does_not_swallow_the_position(monkeypatch):
    from cubelab.engine.rollout_settings import RolloutSettings

    made = []
    original = RolloutSettings.__init__

    def short(self, *args, **given):
        made.append(given.get("trials"))
        original(self, *args, **(given | {"trials": 12, "truncate": 2}))

    monkeypatch.setattr(RolloutSettings, "__init__", short)
    assert document("cube", "--rollout", BLITZ)["rollout"]["trials"] == 12
    assert 1296 in made


def test_moves_can_be_rolled_out():
    found = document("moves", "4HPwATDgc/ABMA", "--dice", "31", "--rollout", "36")
    assert found["plays"][0]["play"] == "8/5 6/5"
    assert found["plays"][0]["rollout"]["trials"] == 36
    assert len(found["plays"]) == 16
    assert found["plays"][-1]["rollout"] is None
    assert "8/5 6/5" in call("moves", "4HPwATDgc/ABMA", "--dice", "31", "--rollout", "36")
    closed = "XGID=aBBBBBBA------------------:0:0:-1:66:0:0:0:0:10"
    assert document("moves", closed, "--rollout", "36")["plays"] == []


def test_trials_that_are_no_number_are_not_taken_for_a_position():
    assert "'many' is not a valid integer" in call("cube", BLITZ, "--rollout", "many", status=2)


def test_a_cube_model_does_not_apply_to_rollouts():
    assert "--model" in call("cube", BLITZ, "--rollout", "36", "--model", "live", status=2)


def test_a_file_that_cannot_be_written_takes_nothing_from_the_answer(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    saved = tmp_path / "r.npz"
    saved.write_text("old")
    with monkeypatch.context() as patched:
        patched.setattr("numpy.savez_compressed", full)
        result = CliRunner().invoke(program, ("rollout", BLITZ, *SHORT, "--save", str(saved), "--json"))
    assert result.exit_code == 1
    assert json.loads(result.stdout)["trials"] == 36
    assert result.stderr == f"cubelab: {saved} cannot be written: No space left on device\n"
    assert saved.read_text() == "old"

    table = tmp_path / "t.csv"
    with monkeypatch.context() as patched:
        patched.setattr("pandas.DataFrame.to_csv", full)
        result = CliRunner().invoke(program, ("rollout", BLITZ, AT_SCORE, *SHORT, "--csv", str(table), "--json"))
    assert result.exit_code == 1
    assert [json.loads(line)["trials"] for line in result.stdout.splitlines()] == [36, 36]
    assert result.stderr == f"cubelab: {table} cannot be written: No space left on device\n"
    assert [path.name for path in tmp_path.iterdir()] == ["r.npz"]


def test_files_of_a_rollout_do_not_take_each_others_place(tmp_path):
    kept = tmp_path / "r.npz"
    call("rollout", BLITZ, *SHORT, "--save", str(kept))
    before = kept.read_bytes()
    for args in (("--resume", str(kept), "--csv", str(kept)), (BLITZ, "--save", "x", "--csv", "./x")):
        assert "cannot hold both the rollout and its single trials" in call("rollout", *args, status=2)
    assert kept.read_bytes() == before
    assert "a resumed one keeps its settings" in call("rollout", "--resume", str(kept), "--preset", "deep", status=2)
    assert "unknown rollout preset ''" in call("rollout", BLITZ, "--preset", "", status=2)


def test_a_rollout_that_could_not_be_kept_again_is_refused_before_the_work(tmp_path, monkeypatch):
    kept = tmp_path / "r.npz"
    call("rollout", BLITZ, *SHORT, "--save", str(kept))
    monkeypatch.setattr("os.access", lambda _, mode: mode == os.R_OK)
    shown = call("rollout", "--resume", str(kept), "--extend", "36", status=2)
    assert f"Invalid value for --resume: {kept} cannot be written" in shown


def test_a_roll_that_the_position_holds_is_said_to_be_left_out():
    rolled = AT_SCORE.replace(":00:", ":31:")
    for args in (("rollout", rolled, *SHORT), ("cube", rolled, "--rollout", "36")):
        result = CliRunner().invoke(program, args, catch_exceptions=False)
        assert result.exit_code == 0
        assert f"{rolled}: rolled out from before the roll" in result.stderr
    assert CliRunner().invoke(program, ("rollout", AT_SCORE, *SHORT)).stderr == ""


def test_sixteen_checkers_at_the_beginning_are_no_option():
    shown = CliRunner().invoke(program, ("rollout", "-P----------------------b-:0:0:1:00:0:0:0:0:10", *SHORT)).stderr
    assert "letter 'P' at place 1 of the board" in shown
