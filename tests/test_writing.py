"""Files appear whole or not at all, and take the place of nothing but files."""

from __future__ import annotations

import ast
import contextlib
import os
import pathlib
import stat

import pytest
from click.testing import CliRunner

import cubelab as cl
from cubelab.errors import DataMissing
from cubelab.score.met_files import write_table
from cubelab.writing import appearing_whole, write_whole

resource = pytest.importorskip("resource")

PACKAGE = pathlib.Path(cl.__file__).parent

MATCH = """ 3 point match

 Game 1
 Ana : 0                          Ben : 0
  1) 31: 8/5 6/5                   52: 13/8 13/11
  2)  Doubles => 2                  Drops
      Wins 1 point
"""


@contextlib.contextmanager
def full_disk(size: int):
    """No file can grow above so many bytes, as on a disk that is full (Python ignores the signal)."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(scope="module")
def writers(tmp_path_factory):
    """Everything of the library that writes a file, by the file's ending."""
    text = tmp_path_factory.mktemp("match") / "m.mat"
    text.write_text(MATCH)
    match = cl.read_match(text)
    situation = cl.Situation(cl.Position.start())
    rolled = cl.rollout(situation, cl.RolloutSettings(trials=1, truncate=1, threads=1))
    analysis = cl.analyse(match, ply=0)
    match_writers = {e: lambda path: cl.write_match(match, path) for e in (".mat", ".txt", ".sgf", ".json", ".xgid")}
    table_writers = {e: lambda path: write_table(cl.MatchEquityTable.load("g11"), path) for e in (".xml", ".csv")}
    board_writers = {e: lambda path: cl.plot.board(situation).save(path) for e in (".svg", ".png", ".pdf")}
    return match_writers | table_writers | board_writers | {".npz": rolled.save, ".html": analysis.to_html}


ENDINGS = [".mat", ".txt", ".sgf", ".json", ".xgid", ".xml", ".csv", ".svg", ".png", ".pdf", ".npz", ".html"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_full_disk_leaves_the_old_file_and_nothing_else(writers, ending, tmp_path):
    path = tmp_path / f"kept{ending}"
    path.write_text("old")
    with full_disk(20), pytest.raises(DataMissing, match=f"kept{ending} cannot be written: File too large"):
        writers[ending](path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == [path.name]
    writers[ending](path)
    assert path.stat().st_size > 20
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("ending", ENDINGS)
def test_only_files_are_replaced(writers, ending, tmp_path):
    write = writers[ending]
    pipe, folder = tmp_path / f"pipe{ending}", tmp_path / f"folder{ending}"
    os.mkfifo(pipe)
    folder.mkdir()
    with pytest.raises(DataMissing, match="is a device or a pipe"):
        write(pipe)
    assert pipe.is_fifo()
    with pytest.raises(DataMissing, match="is a folder"):
        write(folder)
    with pytest.raises(DataMissing, match="there is no folder"):
        write(tmp_path / "none" / f"x{ending}")
    plain = tmp_path / "plain"
    plain.write_text("")
    with pytest.raises(DataMissing, match="there is no folder"):
        write(plain / f"x{ending}")
    with pytest.raises(DataMissing, match="cannot be written: File name too long"):
        write(tmp_path / f"{'n' * 300}{ending}")
    with pytest.raises(DataMissing, match="no name may"):
        write(f"a\0b{ending}")


def test_a_link_goes_on_pointing_to_its_file(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_the_longest_name_that_may_be(tmp_path):
    path = tmp_path / ("ü" * 127)
    write_whole(path, "text")
    assert path.read_text() == "text"


def test_what_stops_the_writing_leaves_nothing(tmp_path):
    path = tmp_path / "x"

    def write():
        with appearing_whole(path) as part:
            part.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert os.listdir(tmp_path) == []


def test_a_private_file_stays_private(tmp_path):
    path = tmp_path / "private.txt"
    path.write_text("old")
    path.chmod(0o600)
    write_whole(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


#: Writes that need no care, with the reason.
DIRECT = {
    ("cli/program.py", "os.devnull"): "nothing is kept",
    ("kernels/__init__.py", "stamp"): "cut short it only lets kernels be compiled again",
    ("engine/gnubg_rollout.py", "commands"): "in a folder of its own that is thrown away",
    ("training/store.py", "self.path / 'log.jsonl'"): "lines are appended",
}


def _written_to(call):
    """What a call writes a file to, as source; None where it writes none."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in ("write_text", "write_bytes"):
        return ast.unparse(call.func.value)
    if name == "savefig":
        return ast.unparse(call.args[0])
    if name == "open":
        method = isinstance(call.func, ast.Attribute)
        mode = [*call.args[0 if method else 1 :], *(word.value for word in call.keywords if word.arg == "mode")][:1]
        if mode and isinstance(mode[0], ast.Constant) and set(str(mode[0].value)) & set("wax+"):
            return ast.unparse(call.func.value if method else call.args[0])
    return None


def test_nobody_writes_a_file_directly():
    """What is written to is called ``part``, a name that `appearing_whole` or `part_of` gave; ``drawn`` is no file."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            place = _written_to(node) if isinstance(node, ast.Call) else None
            if place is not None and place not in ("part", "self._part", "drawn"):
                found.add((path.relative_to(PACKAGE).as_posix(), place))
    assert found == DIRECT.keys()


def test_the_search_finds_direct_writes():
    source = "p.write_text(t)\nopen(p, 'w')\np.open('ab')\nf.savefig(p)\nopen(p)\np.open()\np.open(mode='x')"
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    assert [_written_to(call) for call in calls] == ["p", "p", "p", "p", None, None, "p"]


@pytest.mark.parametrize("option", ["--csv", "--store", "--report"])
def test_a_disk_that_is_full_is_named_with_the_file(option, tmp_path):
    if option == "--store":
        pytest.importorskip("pyarrow")
    from cubelab.cli import program

    match, path = tmp_path / "m.mat", tmp_path / "out"
    match.write_text(MATCH)
    with full_disk(20):
        result = CliRunner().invoke(program, ["analyse", str(match), "--ply", "0", option, str(path)])
    assert result.exit_code == 1
    assert f"cubelab: {path} cannot be written: " in result.stderr
    assert "File too large" in result.stderr
    assert os.listdir(tmp_path) == ["m.mat"]
