"""``cubelab bench …`` and ``cubelab cube --engine``: documents, tables, sentences, exit statuses."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cubelab.bench.strength import our_chances
from cubelab.cli import program
from cubelab.engine import gnubg as gnubg_module
from cubelab.game import Position


@pytest.fixture
def run(capsys):
    """Run a command line in this process: exit status, what it printed, what it said on stderr."""

    def call(*arguments):
        with pytest.raises(SystemExit) as left:
            program.main([str(a) for a in arguments], prog_name="cubelab")
        printed = capsys.readouterr()
        return left.value.code, printed.out, printed.err

    return call


@pytest.fixture
def no_gnubg(monkeypatch):
    monkeypatch.setattr(gnubg_module, "_PLACES", ())
    monkeypatch.setattr(gnubg_module, "_NAMES", ("no-such-gnubg",))
    monkeypatch.delenv("CUBELAB_GNUBG", raising=False)


@pytest.fixture
def truth(tmp_path):
    """A truth file that says what the shipped networks say."""
    boards = np.array([Position.from_id(text).flip().array for text in ("4HPwATDgc/ABMA", "2DZkgSFszoMHAA")])
    rows = zip(boards, our_chances(boards), strict=True)
    path = tmp_path / "truth.jsonl"
    path.write_text("".join(json.dumps({"board": b.tolist(), "probs": p.tolist(), "se": 0.0}) + "\n" for b, p in rows))
    return path


def test_strength_document_and_table(run, truth):
    status, out, _ = run("bench", "strength", truth, "--json")
    assert status == 0
    errors = json.loads(out)["errors"]["cubelab 0-ply"]
    assert errors["all"]["positions"] == 2
    assert errors["all"]["rmse"] == pytest.approx(0.0, abs=1e-6)
    status, out, _ = run("bench", "strength", truth)
    assert status == 0
    assert "all" in out
    assert "rmse" in out


def test_a_duel_document_and_table(run):
    status, out, _ = run("bench", "duel", "shipped@0", "shipped@0", "--pairs", 2, "--json")
    assert status == 0
    document = json.loads(out)
    assert document["mean"] == pytest.approx(0.0, abs=1e-12)
    assert document["settings"]["length"] == 0
    status, out, _ = run("bench", "duel", "shipped", "shipped", "--pairs", 1, "--length", 1)
    assert status == 0
    assert "match winning chance" in " ".join(out.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ("bench", "duel"),
        ("bench", "speed", "--against", "gnubg", "--rounds", 1),
        ("cube", "4HPwATDgc/ABMA", "--engine", "gnubg"),
    ],
)
def test_without_gnubg_there_is_a_sentence(run, no_gnubg, arguments):
    status, out, err = run(*arguments)
    assert status == 1
    assert out == ""
    assert "GNU Backgammon is not installed" in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("bench", "nothing"), "No such command"),
        (("bench", "strength", "nowhere.jsonl"), "does not exist"),
        (("bench", "duel", "--pairs", "0"), "Invalid value for '--pairs'"),
        (("cube", "4HPwATDgc/ABMA", "--engine", "jellyfish"), "Invalid value for '--engine'"),
        (("cube", "4HPwATDgc/ABMA", "--engine", "gnubg", "--rollout", "36"), "leave out --rollout"),
    ],
)
def test_wrong_usage(run, arguments, sentence):
    status, _, err = run(*arguments)
    assert status == 2
    assert sentence in err


def test_players_that_cannot_be_are_sentences(run):
    status, _, err = run("bench", "duel", "nowhere.npz@0", "shipped@0")
    assert status == 1
    assert "there is no file 'nowhere.npz'" in err


def test_another_engines_verdict_stands_beside_ours(run, monkeypatch):
    """The other engine's answers are set here; whether it is installed does not matter."""

    class Answering:
        def ask(self, question, timeout=None):
            return [[[0.7, 0.2, 0.01, 0.1, 0.0], 0.8, 0.9]] * len(question.get("cases", []))

        talk, timeout = ("GNU Backgammon 9.99 20990101",), 1.0

        def close(self):
            pass

    monkeypatch.setattr(gnubg_module, "find_gnubg", lambda: "gnubg")
    monkeypatch.setattr(gnubg_module, "Child", lambda *_: Answering())
    status, out, _ = run("cube", "4HPwATDgc/ABMA", "no position", "--engine", "gnubg", "--ply", 0, "--json")
    assert status == 1  # the second input failed
    first, second = (json.loads(line) for line in out.splitlines())
    opinion = first["second_opinion"]
    assert opinion["engine"] == "gnubg 9.99"
    assert opinion["verdict"]["label"] == "Double, take"
    assert opinion["equity"]["double_take"] == pytest.approx(0.9)
    assert opinion["same_verdict"] is False
    assert "error" in second
    status, out, _ = run("cube", "4HPwATDgc/ABMA", "--engine", "gnubg", "--ply", 0)
    assert status == 0
    assert "gnubg 9.99, 0-ply: Double, take (cubelab says otherwise)" in out


@pytest.mark.parametrize("command", ["", "speed", "strength", "duel", "rollout"])
def test_help_has_an_example(run, command):
    status, out, _ = run("bench", *command.split(), "--help")
    assert status == 0
    assert "Example" in out
    assert f"cubelab bench {command}".rstrip() in out
