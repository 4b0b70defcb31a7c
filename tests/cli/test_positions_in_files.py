"""Positions that come from files of other programs, and go to pictures and texts."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cubelab.cli import program

ROOT = Path(__file__).parents[2]
MATCH = ROOT / "data" / "matches" / "7-point.mat"
DATA = ROOT / "tests" / "records" / "data"
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
#: The example of the FIBS server's description: first roll of a match to 3.
FIBS = (
    "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0"
    ":2:0:0:0"
)


def call(*args, status=0, stdin=None):
    result = CliRunner().invoke(program, [str(arg) for arg in args], input=stdin, catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result


@pytest.fixture
def jellyfish(tmp_path):
    with (DATA / "jellyfish_positions.tsv").open(encoding="utf-8") as stream:
        row = next(row for row in csv.DictReader(stream, delimiter="\t") if ":1:00:" in row["xgid"])
    path = tmp_path / "saved.pos"
    path.write_bytes(bytes.fromhex(row["hex"]))
    return path, row["xgid"].split(":")[0]


@pytest.mark.parametrize("path", sorted((DATA / "positions").glob("*")), ids=lambda path: path.name)
def test_position_texts_are_read_like_lists(path):
    from cubelab.records import read_positions

    expected = [position.situation.xgid for position in read_positions(path).positions]
    assert expected
    assert call("convert", path, "xgid").stdout.split() == expected
    assert call("convert", "-", "xgid", stdin=path.read_bytes()).stdout.split() == expected


def test_cube_from_a_position_text():
    path = DATA / "positions" / "bgb_02_NDT_DE.txt"
    found = json.loads(call("cube", "--from", path, "--ply", "0", "--json").stdout)
    assert (found["verdict"]["double"], found["verdict"]["response"]) == (False, "take")


def test_cube_from_a_jellyfish_position_and_a_fibs_board(tmp_path, jellyfish):
    path, board = jellyfish
    assert call("convert", path, "xgid").stdout.startswith(board)
    boards = tmp_path / "boards.txt"
    boards.write_text(f"> look\n{FIBS}\n", encoding="utf-8")
    assert call("convert", boards, "xgid").stdout.split() == ["XGID=-b----E-C---eE---c-e----B-:0:0:1:62:0:0:0:3:6"]


def test_pictures_and_texts_of_a_position(tmp_path):
    call("convert", START, tmp_path / "start.svg")
    assert (tmp_path / "start.svg").read_text(encoding="utf-8").startswith("<svg")
    call("convert", START, tmp_path / "start.png")
    assert (tmp_path / "start.png").read_bytes().startswith(b"\x89PNG")
    call("convert", START, tmp_path / "start.txt")
    drawn = (tmp_path / "start.txt").read_text(encoding="utf-8")
    assert drawn.count("\n") == 13
    assert "167 pips" in drawn
    call("convert", START, tmp_path / "start.xgid")
    assert (tmp_path / "start.xgid").read_text(encoding="utf-8") == f"{START}\n"


def test_sgf_with_our_analysis(tmp_path):
    from cubelab.records import Kind, read_match, replay

    target = tmp_path / "match.sgf"
    said = call("convert", MATCH, target, "--analyse", "0").stderr
    assert "own analysis" not in said
    rows = csv.DictReader(call("analyse", MATCH, "--ply", "0", "--format", "csv").stdout.splitlines())
    numbers = {
        (int(row["game"]), int(row["ply"])): float(row["no_double_mwc"])
        for row in rows
        if row["kind"] == "double" and row["no_double_mwc"]
    }
    stored = [d for d in replay(read_match(target)) if d.kind is Kind.DOUBLE and d.event.analysis is not None]
    assert len(stored) == len(numbers) > 50
    for decision in stored:
        cube = decision.event.analysis.cube
        assert (cube.level, cube.no_double) == ("0-ply", pytest.approx(numbers[decision.game, decision.ply], abs=1e-5))
    analysed = DATA / "gnubg_analysed_game3.sgf"
    assert "own analysis where ours stands" in call("convert", analysed, target, "--analyse", "0").stderr
    call("convert", MATCH, tmp_path / "match.mat", "--analyse", "0", status=2)


def test_what_an_id_has_no_place_for_is_named(tmp_path):
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:0:8"
    said = call("convert", xgid, "gnuid").stderr
    assert "gnuid: not kept: the highest cube" in said
    assert "gnuid: not kept: whether beavers are allowed" in said
    assert "not kept" not in call("convert", START, "gnuid").stderr
    assert "not kept" not in call("convert", xgid, "xgid").stderr
    # 1024, what a bare id stands for, and 64 are nothing that a picture would have to show.
    for usual in (START, xgid.replace(":0:0:2:0:8", ":0:0:0:0:10"), xgid.replace(":0:0:2:0:8", ":0:0:0:0:6")):
        assert "not kept" not in call("convert", usual, tmp_path / "usual.svg").stderr
    for form in ("ogid", "board", tmp_path / "x.png", tmp_path / "x.txt"):
        assert f"{form}: not kept: the highest cube" in call("convert", xgid, form).stderr
    said = call("convert", xgid.replace(":2:0:8", ":3:0:6"), "ogid").stderr
    assert "ogid: not kept: whether beavers are allowed" in said
    assert "ogid: not kept: the Jacoby rule" in said
    assert "highest cube" not in said  # 64, the usual one
    path = DATA / "positions" / "bgb_02_NDT_DE.txt"
    assert "not kept: analysed positions: 1" in call("convert", path, tmp_path / "x.svg").stderr


def test_what_a_list_of_decisions_leaves_out_is_named(tmp_path):
    said = call("convert", DATA / "resign.ogxm", tmp_path / "x.xgid").stderr
    assert "not kept: 1 resignation\n" in said


@pytest.mark.parametrize("ending", ["mat", "txt", "json", "xgid"])
@pytest.mark.parametrize("name", ["resign.ogxm", "gnubg_analysed_game3.sgf", "5nqfGw9bWG3deTaU.mat"])
def test_a_match_through_a_pipe(tmp_path, name, ending):
    piped, from_file = tmp_path / f"piped.{ending}", tmp_path / f"from_file.{ending}"
    result = CliRunner().invoke(program, ["convert", "-", str(piped)], input=(DATA / name).read_bytes())
    assert result.exit_code == 0, result.stderr
    assert result.stderr.startswith("cubelab: standard input: ")
    call("convert", DATA / name, from_file)
    if ending == "json":
        return  # names its source
    assert piped.read_text() == from_file.read_text()


@pytest.mark.parametrize(
    "args",
    [
        ("analyse", "-"),
        ("quiz", "-"),
        ("rollout", "--resume", "-"),
        ("bench", "strength", "-"),
        ("bench", "truth", "-"),
        ("met", "show", "-"),
        ("cube", START, "--met", "-"),
        ("rollout", START, "--save", "-"),
        ("rollout", START, "--csv", "-"),
        ("analyse", MATCH, "--report", "-"),
        ("analyse", MATCH, "--csv", "-"),
    ],
)
def test_where_a_pipe_does_not_do_a_file_is_asked_for(args):
    said = call(*args, status=2).stderr
    assert "name a file" in said or "cubelab convert - match.mat" in said


def test_a_text_of_a_match_is_a_match(tmp_path):
    call("convert", MATCH, tmp_path / "match.txt")
    assert "7 point match" in (tmp_path / "match.txt").read_text(encoding="utf-8")


def test_a_list_with_a_bad_line(tmp_path):
    source, target = tmp_path / "list.txt", tmp_path / "list.xgid"
    source.write_text(f"BADID\n{START}\n", encoding="utf-8")
    call("convert", source, target, status=1)
    assert target.read_text(encoding="utf-8") == f"{START}\n"


@pytest.mark.parametrize("source", ["BADID", "nothere.mat", MATCH], ids=["no id", "no file", "a match"])
def test_no_picture_without_a_position(tmp_path, source):
    said = call("convert", source, tmp_path / "x.svg", status=1).stderr
    assert "neither a position" in said
    assert not (tmp_path / "x.svg").exists()


def test_no_picture_of_many_positions(tmp_path):
    source = tmp_path / "list.txt"
    source.write_text(f"{START}\n{START}\n", encoding="utf-8")
    assert "a picture shows one" in call("convert", source, tmp_path / "x.png", status=1).stderr


@pytest.mark.parametrize(
    "bad", ["BADID", "XGID=foo", "XGID=-b----E-C---eE---c-e----B-:0:0:1:99:0:0:0:0:10", "4HPwATDgc/ABMA:zzzz"]
)
def test_an_error_names_the_position_once(bad):
    said = call("convert", bad, "xgid", status=1).stderr
    assert said.count(bad.removeprefix("XGID=")) == 1


def test_names_cannot_steer_a_terminal_or_a_page(tmp_path):
    text = "3 point match\n\n Game 1\n <script>x()</script>\x1b[31m\u202ea : 0       J&<b> : 0\n  1) 31: 8/5 6/5\n"
    source, page = tmp_path / "evil.mat", tmp_path / "evil.html"
    source.write_text(text + "  2)  Doubles => 2                 Drops\n      Wins 1 point\n", encoding="utf-8")
    shown = call("analyse", source, "--ply", "0", "--report", page).output
    assert "script" in shown
    assert not any(character in shown for character in "\x1b\u202e")
    written = page.read_text(encoding="utf-8")
    assert "&lt;script&gt;x()&lt;/script&gt;" in written
    assert not any(bad in written for bad in ("<script>x()", "J&<b>", "\x1b", "\u202e"))


@pytest.mark.parametrize("command", [("cube", "--from"), ("bearoff", "--from"), ("convert",)])
def test_a_match_is_no_list_of_positions(command):
    """One sentence, not one for each of its lines."""
    result = call(*command, MATCH, *(["xgid"] if command == ("convert",) else []), status=1)
    assert result.stdout == ""
    said = [line for line in result.stderr.splitlines() if line.startswith("cubelab:")]
    assert len(said) == 1
    assert "is a saved match, not a list of positions" in said[0]
