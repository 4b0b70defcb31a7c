"""Options that would be passed over beside others are refused, and what serves none of the positions is said."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from cubelab.cli import program

START = "4HPwATDgc/ABMA"
AT_A_SCORE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:1:2:0:5:10"
MATCH = str(Path(__file__).parents[2] / "data" / "matches" / "7-point.mat")


@pytest.mark.parametrize(
    ("args", "option"),
    [
        (("points", "--money", "--met", "woolsey"), "--met"),
        (("points", "--money", "--crawford"), "--crawford"),
        (("points", "--money", "--score", "3-5/7"), "--score"),
        (("points", "--score", "3-5/7", "--jacoby"), "--jacoby"),
        (("points", "--score", "4-away/2-away", "--no-beavers"), "--beavers"),
        (("cube", START, "--rollout", "36", "--ply", "1"), "--ply"),
        (("cube", START, "--rollout", "36", "--model", "dead"), "--model"),
        (("cube", START, "--rollout", "36", "--engine", "gnubg"), "--engine"),
        (("moves", START, "--dice", "31", "--legal", "--ply", "1"), "--ply"),
        (("moves", START, "--dice", "31", "--legal", "--rollout", "36"), "--rollout"),
        (("moves", START, "--dice", "31", "--legal", "--jacoby"), "--jacoby"),
        (("moves", START, "--dice", "31", "--json", "--top", "3"), "--top"),
        (("ledger", START, "--json", "--sequences", "3"), "--sequences"),
        (("rollout", START, "--luck-ply", "1", "--no-variance-reduction"), "--luck-ply"),
        (("rollout", START, "--cube-ply", "1", "--cubeless"), "--cube-ply"),
        (("rollout", START, "--deep-moves", "2"), "--deep-moves"),
        (("rollout", START, "--min-trials", "36"), "--min-trials"),
        (("rollout", "--resume", MATCH, "--extend", "36", "--trials", "72"), "--trials"),
        (("analyse", MATCH, "--json", "--format", "csv"), "--format"),
        (("analyse", MATCH, "--format", "csv", "--all"), "--all"),
        (("analyse", MATCH, "--json", "--all"), "--all"),
        (("convert", START, "start.svg", "--json"), "--json"),
        (("met", "show", "woolsey", "--away", "3", "--json"), "--away"),
        (("bench", "--json", "speed"), "--json"),
        (("bench", "duel", "--met", "woolsey"), "--met"),
        (("bench", "truth", MATCH, "--deep-moves", "2"), "--deep-moves"),
        (("play", "--money", "--met", "woolsey"), "--met"),
        (("play", "--money", "--length", "3"), "--length"),
        (("play", "--jacoby"), "--jacoby"),
        (("quiz", "--show-sheet", "--count", "3"), "--count"),
    ],
)
def test_what_would_be_without_effect_is_refused(args, option):
    result = CliRunner().invoke(program, args)
    assert result.exit_code == 2
    assert option in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("positions", "option", "said"),
    [
        ([START], ("--met", "woolsey"), True),
        ([AT_A_SCORE], ("--met", "woolsey"), False),
        ([START, AT_A_SCORE], ("--met", "woolsey"), False),
        ([AT_A_SCORE], ("--jacoby",), True),
        ([START], ("--jacoby",), False),
        ([AT_A_SCORE, START], ("--beavers",), False),
    ],
)
def test_what_served_none_of_the_positions_is_said(positions, option, said):
    result = CliRunner().invoke(program, ["eval", *positions, "--ply", "0", *option])
    assert result.exit_code == 0
    assert (f"{option[0]} changes nothing here" in result.stderr) == said
