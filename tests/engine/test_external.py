"""Other engines: child processes that answer, hang, die or lie; what GNU Backgammon prints; verdicts beside ours."""

from __future__ import annotations

import json
import os
import stat
import sys
import textwrap
import types
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import positions

from cubelab.engine import gnubg as gnubg_module
from cubelab.engine.bgsage import Bgsage, case_of
from cubelab.engine.child import Child, EngineFailed, EngineMissing, clean_environment
from cubelab.engine.external import second_opinion, second_opinions
from cubelab.engine.gnubg import Gnubg, cube_numbers, find_gnubg, letters
from cubelab.engine.gnubg_rollout import parse_rollout
from cubelab.errors import CubelabError, IllegalPosition, SettingsError
from cubelab.game import Position, Situation

DATA = Path(__file__).parent / "data"
START = Situation(Position.start())
POSIX = pytest.mark.skipif(os.name != "posix", reason="the stand-in program is a script with #!")


def installed():
    try:
        find_gnubg()
    except EngineMissing:
        return False
    return True


NEEDS_GNUBG = pytest.mark.skipif(not installed(), reason="GNU Backgammon is not installed here")

ANSWERING = """
import json, os, sys
for line in sys.stdin:
    question = json.loads(line)
    {action}
    sys.stdout.write("\\nsome talk\\n@cubelab " + json.dumps(answer) + "\\n")
    sys.stdout.flush()
"""


def program(action):
    return [sys.executable, "-c", ANSWERING.format(action=action)]


def test_a_child_answers_in_order_and_its_talk_is_kept_apart():
    with Child(program("answer = question['n'] ** 2"), "Adder") as child:
        for n in range(5):
            child.send({"n": n})
        assert [child.receive() for _ in range(5)] == [0, 1, 4, 9, 16]
        assert "some talk" in child.talk
    assert not child.alive
    assert not child.folder.exists()


def test_the_callers_environment_does_not_reach_a_child(monkeypatch):
    """CASES 65: a German desktop or settings in the home folder must not change what an engine prints."""
    for name, value in (("LC_ALL", "de_DE.UTF-8"), ("LANGUAGE", "de"), ("PYTHONPATH", "/x"), ("GNUBGHOME", "/y")):
        monkeypatch.setenv(name, value)
    with Child(program("answer = dict(os.environ)"), "Mirror") as child:
        seen = child.ask({})
        assert seen["HOME"] == str(child.folder) != os.environ.get("HOME")
    assert seen["LC_ALL"] == "C"
    assert not {"LANGUAGE", "PYTHONPATH", "GNUBGHOME"} & set(seen)
    assert set(clean_environment("/h")) <= set(seen) | {"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"}


def test_a_child_that_hangs_is_ended():
    with Child(program("import time; time.sleep(60)"), "Sleeper") as child:
        with pytest.raises(EngineFailed, match=r"Sleeper gave no answer within 0\.3 s"):
            child.ask({}, 0.3)
        assert not child.alive


def test_a_child_that_dies_says_its_last_words():
    with Child(program("print('out of cheese', flush=True); sys.exit(3)"), "Mouse") as child:
        with pytest.raises(EngineFailed, match=r"Mouse ended unexpectedly \(status 3\); it last said: out of cheese"):
            child.ask({})
        with pytest.raises(EngineFailed, match="ended unexpectedly"):
            child.ask({})


def test_errors_and_nonsense_of_a_child_are_sentences():
    with (
        Child(program("answer = {'error': 'no such thing'}"), "Refuser") as child,
        pytest.raises(EngineFailed, match="Refuser reports: no such thing"),
    ):
        child.ask({})
    nonsense = [sys.executable, "-c", "import sys; sys.stdin.readline(); print('@cubelab {', flush=True)"]
    with Child(nonsense, "Liar") as child, pytest.raises(EngineFailed, match="unreadable"):
        child.ask({})


def test_a_program_that_is_not_there():
    with pytest.raises(EngineMissing, match="Ghost cannot be started: /no/such/program"):
        Child(["/no/such/program"], "Ghost")


def test_gnubg_missing_is_one_sentence(monkeypatch):
    monkeypatch.setattr(gnubg_module, "_PLACES", ())
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CUBELAB_GNUBG", raising=False)
    with pytest.raises(EngineMissing, match="GNU Backgammon is not installed"):
        second_opinion(START, "gnubg")
    monkeypatch.setenv("CUBELAB_GNUBG", "/no/gnubg")
    with pytest.raises(EngineMissing, match="CUBELAB_GNUBG names /no/gnubg"):
        second_opinion(START, "gnubg")


def test_bgsage_missing_is_one_sentence(monkeypatch):
    monkeypatch.setattr("cubelab.engine.bgsage.find_spec", lambda name: None)
    monkeypatch.delenv("CUBELAB_BGSAGE_PYTHON", raising=False)
    with pytest.raises(EngineMissing, match="Open Sage is not installed: pip install bgsage"):
        second_opinion(START, "bgsage")
    monkeypatch.setenv("CUBELAB_BGSAGE_PYTHON", sys.executable)
    if "bgsage" not in sys.modules:
        with pytest.raises(EngineMissing, match="Open Sage"):
            Bgsage()


def test_an_unknown_engine():
    with pytest.raises(SettingsError, match="unknown engine 'jellyfish': choose gnubg or bgsage"):
        second_opinion(START, "jellyfish")


@pytest.fixture
def inside(monkeypatch):
    """The script that runs in GNU Backgammon, with a stand-in for its module."""
    monkeypatch.setitem(sys.modules, "gnubg", types.ModuleType("gnubg"))
    monkeypatch.delitem(sys.modules, "cubelab.engine.gnubg_inside", raising=False)
    import cubelab.engine.gnubg_inside as module

    yield module
    sys.modules.pop("cubelab.engine.gnubg_inside", None)


def test_boards_as_gnubg_counts_them(inside):
    """What GNU Backgammon 1.07 itself says ``gnubg.positionfromid("sGfwATDgc/ABMA")`` is."""
    position = Position.from_id("sGfwATDgc/ABMA")
    opponent = (0, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0)
    mover = (0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0)
    assert inside.board_of(letters(position.array)) == (opponent, mover)


@settings(max_examples=50)
@given(positions())
def test_letters_hold_every_board(position):
    text = letters(position.array)
    assert len(text) == 26
    assert [ord(letter) - ord("P") for letter in text] == list(position.array)
    assert json.loads(json.dumps(text)) == text


def test_cube_and_score_are_the_movers():
    situation = Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:3:2:0:7:10")
    assert cube_numbers(situation) == [2, 1, 7, 3, 2, 0, 0, 0]
    assert cube_numbers(situation.flip()) == [2, 0, 7, 2, 3, 0, 0, 0]
    money = Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10")
    assert cube_numbers(money) == [1, -1, 0, 0, 0, 0, 1, 1]
    crawford = Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:2:1:7:10")
    assert cube_numbers(crawford) == [1, -1, 7, 6, 2, 1, 0, 0]


def test_situations_in_open_sages_terms():
    situation = Situation.from_xgid("XGID=ab----E-C---dE---c-e----A-:1:1:1:00:3:2:0:7:10")
    case = case_of(situation)
    assert case["away"] == [4, 5]
    assert case["owner"] == "player"
    assert case["board"][0] == 1
    assert case["jacoby"] is False
    assert case_of(Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10"))["beaver"] is True


def test_rollouts_are_read_from_what_gnubg_printed():
    found = parse_rollout((DATA / "gnubg_rollout_truncated.txt").read_text())
    assert found.games == 36
    assert found.cumulative == (0.690059, 0.152765, 0.003396, 0.053635, 0.002367)
    assert (found.cubeless, found.se_cubeless) == (0.480277, 0.005851)
    assert (found.cubeful, found.se_cubeful) == (0.737006, 0.014311)
    cubeless = parse_rollout((DATA / "gnubg_rollout_cubeless.txt").read_text())
    assert cubeless.cubeful is None
    assert (cubeless.cubeless, cubeless.se_cubeless) == (0.460560, 0.215797)
    # Its own numbers agree: equity = 2 win - 1 + gammons for - gammons against.
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = cubeless.cumulative
    equity = 2 * win - 1 + win_gammon + win_backgammon - lose_gammon - lose_backgammon
    assert equity == pytest.approx(cubeless.cubeless, abs=2e-6)


def test_decimal_commas_and_typographic_minus_are_read():
    text = (DATA / "gnubg_rollout_truncated.txt").read_text()
    other = text.replace("0.", "0,").replace("+0,480277", "\u22120,480277")
    found = parse_rollout(other)
    assert found.cumulative[0] == 0.690059
    assert found.cubeless == -0.480277


@pytest.mark.parametrize("text", ["", "Rollout done. Printing final results.\n", "Current Position:\n 0.1 0.2\n"])
def test_no_rollout_result_is_said(text):
    with pytest.raises(EngineFailed, match="printed no rollout result"):
        parse_rollout(text)


FAKE = """#!{python}
import json, sys
print("GNU Backgammon 9.99 20990101", flush=True)
for line in sys.stdin:
    question = json.loads(line)
    if question["do"] == "cubes":
        answer = [{answer}] * len(question["cases"])
    elif question["do"] == "table":
        answer = [[[0.5] * 9] * 9]
    else:
        answer = []
    print("\\n@cubelab " + json.dumps(answer), flush=True)
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A program in GNU Backgammon's place that gives the same answer to everything."""

    def make(answer):
        path = tmp_path / "gnubg"
        path.write_text(textwrap.dedent(FAKE).format(python=sys.executable, answer=answer))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("CUBELAB_GNUBG", str(path))

    return make


@POSIX
def test_verdicts_follow_from_the_other_engines_equities(fake):
    fake([[0.7, 0.2, 0.01, 0.1, 0.0], 0.8, 0.9])
    found = second_opinions([START, START], "gnubg", ply=1)
    assert len(found) == 2
    assert found[0].decision.label == "Double, take"
    assert found[0].decision.equities.double_take == pytest.approx(0.9)
    assert found[0].probabilities.cumulative == pytest.approx((0.7, 0.2, 0.01, 0.1, 0.0))
    assert found[0].cubeless == pytest.approx(2 * 0.7 - 1 + 0.2 + 0.01 - 0.1)
    assert found[0].provenance.version == "gnubg 9.99"
    assert found[0].provenance.ply == 1


@POSIX
def test_a_table_that_was_not_taken_over_is_noticed(fake):
    fake([[0.5, 0.1, 0.0, 0.1, 0.0], 0.0, -0.5])
    match = Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:2:0:7:10")
    with pytest.raises(EngineFailed, match="did not take over the match equity table"):
        second_opinion(match, "gnubg")


@POSIX
def test_finished_games_and_strange_plies_are_refused(fake):
    fake([[0.5, 0.1, 0.0, 0.1, 0.0], 0.0, -0.5])
    with Gnubg() as program_:
        over = Situation(Position((0, *[0] * 5, 3, *[0] * 18, 0)))
        with pytest.raises(IllegalPosition, match="the game is over"):
            program_.evaluations([over])
        with pytest.raises(CubelabError, match="ply 9"):
            program_.evaluations([START], ply=9)


@POSIX
def test_a_program_that_is_no_gnubg(tmp_path, monkeypatch):
    path = tmp_path / "gnubg"
    path.write_text(f"#!{sys.executable}\nprint('hello')\n")
    path.chmod(0o755)
    monkeypatch.setenv("CUBELAB_GNUBG", str(path))
    with pytest.raises(EngineMissing, match="is no GNU Backgammon that can be asked"):
        Gnubg()


@NEEDS_GNUBG
def test_gnubg_itself_plays_what_it_values_most():
    """Its best plays, carried out by us, are legal and the best of ours by its own static equities."""
    from cubelab.bench.players import move_checkers
    from cubelab.bench.strength import equity

    generator = np.random.default_rng(5)
    ids = ("4HPwATDgc/ABMA", "2DZkgSFszoMHAA", "z7YBAGLHfAMQGA", "m3NnAADXOALBDA", "sGfwATDgc/ABMA")
    boards = np.array([Position.from_id(text).array for text in ids * 3])
    dice = generator.integers(1, 7, (len(boards), 2))
    with Gnubg() as gnubg:
        gnubg.ask_plays(boards, dice, None, 0)
        for board, roll, hops in zip(boards, dice, gnubg.get_plays(), strict=True):
            plays = Position(tuple(int(n) for n in board)).plays(*(int(die) for die in roll))
            afters = np.array([play.after.array for play in plays])
            played = board.copy()
            move_checkers(played, hops)
            place = np.flatnonzero((afters == played).all(axis=1))
            assert len(place) == 1
            worth = -equity(gnubg.static(-afters[:, ::-1]))
            assert worth[place[0]] == pytest.approx(worth.max(), abs=1e-6)


@NEEDS_GNUBG
def test_gnubgs_crawford_games_come_back_as_ours():
    """Dead cube at 1-away 1-away: equity is 2 W - 1 for both programs; at Crawford nobody may double."""
    dmp = Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:4:0:5:10")
    crawford = Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:2:1:5:10")
    found = second_opinions([dmp, crawford], "gnubg", ply=0)
    win = found[0].probabilities.cumulative[0]
    assert found[0].decision.equities.no_double == pytest.approx(2 * win - 1, abs=1e-5)
    assert found[1].decision.verdict is None
    assert not found[1].decision.cube_allowed


@POSIX
@pytest.mark.parametrize(
    "answer",
    ["5", "[]", "[[1, 2]]", "[[[1, 0, 0, 0], 0, 0]]", "[[[NaN, 0, 0, 0, 0], 0, 0]]", "[[[0.5, 0, 0, 0, 0], null, 0]]"],
)
def test_answers_of_another_shape_are_named(answer, tmp_path, monkeypatch):
    lying = tmp_path / "gnubg"
    lines = ("import sys", "for line in sys.stdin:", f"    print('@cubelab {answer}', flush=True)")
    lying.write_text("\n".join((f"#!{sys.executable}", *lines, "")))
    lying.chmod(lying.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv(gnubg_module.PATH_VARIABLE, str(lying))
    with pytest.raises(EngineFailed, match="answered something that is no evaluation"):
        second_opinion(START, "gnubg", ply=0)
