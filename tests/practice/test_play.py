"""`cubelab play` with scripted answers."""

import pytest
from click.testing import CliRunner

import cubelab as cl
from cubelab.cli import program
from cubelab.records import Flag, replay

#: Whatever is asked, one of these answers it: rolls, takes, plays the engine's first choice.
ALWAYS = "\nhint\n1\ntake\n"


def play(*args, script=ALWAYS * 400):
    return CliRunner().invoke(program, ["play", "--ply", "0", *map(str, args)], input=script)


@pytest.fixture(scope="module")
def whole_match(tmp_path_factory):
    path = tmp_path_factory.mktemp("play") / "match.mat"
    return play("--length", 3, "--seed", 7, "--save", path, "--name", "Ann"), path


def test_a_match_to_its_end_is_kept_and_read_back(whole_match):
    result, path = whole_match
    assert result.exit_code == 0, result.stderr
    record = cl.read_match(path)
    assert record.players == ("Ann", "cubelab")
    assert record.winner is not None
    assert record.all_flags <= {Flag.POINTS_CAPPED}  # a gammon may win more than was needed
    last = [line for line in result.stdout.splitlines() if "Score:" in line][-1]
    assert last.endswith(f"Score: {record.score[0]}-{record.score[1]}.")
    decisions = list(replay(record))
    assert not any(decision.flags for decision in decisions)


def test_the_engines_first_choice_costs_nothing(whole_match):
    result, path = whole_match
    analysis = cl.analyse(cl.read_match(path), ply=0, checker_play=True)
    mine = analysis.decisions.query("kind == 'play' and player == 'Ann'")
    assert len(mine) > 10
    assert mine.error_emg.max() < 1e-6
    assert "0 of them errors" in result.stdout


def test_seeds_repeat_the_dice():
    first, again, other = (play("--seed", seed, script="hint\nquit\n").stdout for seed in (3, 3, 4))
    assert first == again != other


def test_plays_in_any_notation_and_what_they_cost(tmp_path):
    # Seed 7 opens with 6-3 for the human; a list number and a typo come before the play.
    script = "24/18 13/11\nlist\nbanana\n24/15\nquit\n"
    result = play("--seed", 7, "--save", tmp_path / "m.mat", script=script)
    assert "is no play" in result.stdout or "cannot be read" in result.stdout
    assert "That cost" in result.stdout
    record = cl.read_match(tmp_path / "m.mat")
    assert record.games[0].events[0].text == "24/15"
    assert record.winner is None


def test_resigning_and_doubling():
    result = play("--seed", 7, "--length", 5, script="24/15\nresign\nresign 3\n" + "quit\n")
    assert "plays on" in result.stdout or "accepts" in result.stdout
    assert "cubelab accepts." in result.stdout
    doubled = play("--seed", 7, "--money", "--beavers", script="24/15\ndouble\n" + ALWAYS * 3 + "quit\n")
    assert "That cost" in doubled.stdout
    assert any(word in doubled.stdout for word in ("cubelab takes.", "cubelab beavers", "cubelab passes."))


def test_end_of_input_keeps_what_was_played(tmp_path):
    result = play("--seed", 7, "--save", tmp_path / "m.sgf", script="24/15\n")
    assert result.exit_code == 0
    assert "Stopped before the end." in result.stdout
    assert len(cl.read_match(tmp_path / "m.sgf").games[0].events) >= 2


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["--length", "0"], "0"),
        (["--save", "match.pdf"], "kept as one of"),
        (["--save", "no-such-folder/m.mat"], "no folder"),
        (["--met", "no-such-table"], "no-such-table"),
        (["--ply", "7"], "7"),
    ],
)
def test_wrong_usage(args, reason):
    result = CliRunner().invoke(program, ["play", *args])
    assert result.exit_code == 2
    assert reason in result.stderr


def test_help_has_an_example():
    assert "cubelab play --length 3" in CliRunner().invoke(program, ["play", "--help"]).stdout


@pytest.mark.parametrize(
    "args", [("--money", "--length", 3), ("--games", 2), ("--jacoby",), ("--no-jacoby", "--length", 3), ("--beavers",)]
)
def test_options_that_could_not_be_heeded_are_refused(args):
    result = play(*args, script="quit\n")
    assert result.exit_code == 2
    assert (
        f"--{'length' if '--money' in args else args[0].removeprefix('--no-').removeprefix('--')} is for"
        in result.stderr
    )
