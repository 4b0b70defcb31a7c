"""Bearoff tables on disk, and the values they give for a position."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from cubelab.engine import bearoff
from cubelab.engine.bearoff import FILE_NAME, exact_values, home_side, load_tables
from cubelab.engine.cache import cache_folder, load_arrays, save_arrays
from cubelab.errors import CubelabError, DataMissing


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache folder and a process that has loaded nothing yet."""
    monkeypatch.setenv("CUBELAB_CACHE", str(tmp_path))
    monkeypatch.setattr(bearoff, "_loaded", None)
    return tmp_path


def board_of(mine, theirs):
    board = [0] * 26
    for point in mine:
        board[point] += 1
    for point in theirs:
        board[25 - point] -= 1
    return board


def load_again(monkeypatch, progress=None):
    monkeypatch.setattr(bearoff, "_loaded", None)
    return load_tables(progress)


# --- files ------------------------------------------------------------------------------------------------------


def test_built_once_then_read(cache, monkeypatch):
    seen = []
    built = load_tables(lambda fraction, text: seen.append((fraction, text)))
    fractions = [fraction for fraction, _ in seen]
    assert fractions[0] == 0
    assert fractions[-1] == 1
    assert fractions == sorted(fractions)
    seen.clear()
    read = load_again(monkeypatch, lambda *args: seen.append(args))
    assert seen == []
    for fresh, kept in zip(built, read, strict=True):
        np.testing.assert_array_equal(fresh, kept)
        assert (fresh.dtype, fresh.flags.writeable, fresh.flags.c_contiguous) == (kept.dtype, True, True)
    assert load_tables() is read
    assert [p.name for p in cache.iterdir()] == [FILE_NAME]


def truncate(data):
    return data[: len(data) // 2]


def flip_a_bit(data):
    middle = len(data) // 3
    return data[:middle] + bytes([data[middle] ^ 16]) + data[middle + 1 :]


def damage_the_header(data):
    return data.replace(b'"shape": [', b'"shape": [1', 1)


@pytest.mark.parametrize(
    "damage",
    [
        truncate,
        flip_a_bit,
        damage_the_header,
        lambda data: b"",
        lambda data: b"\x00\xff" * 1000,
        lambda data: data + b"x",
    ],
)
def test_a_damaged_file_is_built_again(cache, monkeypatch, capsys, damage):
    good = load_tables()
    path = cache / FILE_NAME
    intact = path.read_bytes()
    path.write_bytes(damage(intact))
    again = load_again(monkeypatch)
    for one, other in zip(good, again, strict=True):
        np.testing.assert_array_equal(one, other)
    assert "built again" in capsys.readouterr().err
    assert path.read_bytes() == intact


def test_a_file_with_other_tables_is_built_again(cache, monkeypatch, capsys):
    save_arrays(cache / FILE_NAME, {"something": np.arange(3)})
    assert load_tables().still.shape == (54264, 24)
    assert "built again" in capsys.readouterr().err
    assert load_arrays(cache / FILE_NAME).keys() == set(bearoff.BearoffTables._fields)


def test_a_folder_that_cannot_be_made_is_said_once(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CUBELAB_CACHE", str(tmp_path / "file" / "below"))
    monkeypatch.setattr(bearoff, "_loaded", None)
    tables = load_tables()
    assert load_tables() is tables
    assert capsys.readouterr().err.count("cannot be kept") == 1


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user whom permissions bind")
def test_a_folder_without_write_permission_is_said_once(cache, capsys):
    cache.chmod(0o500)
    load_tables()
    assert capsys.readouterr().err.count("cannot be kept") == 1
    cache.chmod(0o700)


def test_two_processes_at_once(cache):
    program = "from cubelab.engine.bearoff import load_tables; print(float(load_tables().mean_rolls[-1]))"
    running = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=120) for process in running]
    assert answers[0][0] == answers[1][0] != ""
    assert all(process.returncode == 0 and not err for process, (_, err) in zip(running, answers, strict=True))
    assert [p.name for p in cache.iterdir()] == [FILE_NAME]
    load_arrays(cache / FILE_NAME)


def test_arrays_come_back(tmp_path):
    arrays = {"a": np.arange(7, dtype=np.uint8), "b": np.linspace(0, 1, 12).reshape(3, 4), "empty": np.zeros((0, 5))}
    path = tmp_path / "new" / "folder" / "x"
    save_arrays(path, arrays)
    for name, array in load_arrays(path).items():
        np.testing.assert_array_equal(array, arrays[name])
        assert array.dtype == arrays[name].dtype
        assert array.shape == arrays[name].shape
    with pytest.raises(FileNotFoundError):
        load_arrays(tmp_path / "nothing")
    path.write_bytes(b"text\n")
    with pytest.raises(DataMissing, match="does not begin"):
        load_arrays(path)


def test_the_folder_is_the_platforms_unless_chosen(monkeypatch):
    monkeypatch.delenv("CUBELAB_CACHE", raising=False)
    assert cache_folder().name == "cubelab"


# --- values -----------------------------------------------------------------------------------------------------

# (mover, opponent, cubeless, owned, centred, opponent's), solved by GNU Backgammon 1.07 (six of its two-sided values)
SOLVED = [
    ((4, 4, 5, 5, 6), (2, 2, 2, 4, 5, 6), 0.3693446, 0.5847715, 0.5296254, 0.2965591),
    ((1, 2, 3, 4, 5), (1, 3, 4, 5, 5, 5), 0.8431067, 0.9147936, 0.9099413, 0.8376745),
    ((2, 2, 4, 6, 6), (1, 1, 1, 2, 4, 5), 0.201709, 0.3800259, 0.2951553, 0.1166552),
    ((2, 2, 2, 3, 4), (3, 3, 3, 3), 0.3988251, 0.5681697, 0.5666743, 0.3959869),
]


@pytest.mark.parametrize(("mine", "theirs", "cubeless", "owned", "centred", "opponent"), SOLVED)
def test_two_sided_values_of_another_program(mine, theirs, cubeless, owned, centred, opponent):
    values = exact_values(board_of(mine, theirs))
    assert values.exact
    got = (values.cubeless, values.owned, values.centred, values.opponent)
    np.testing.assert_allclose(got, (cubeless, owned, centred, opponent), atol=1e-4)
    assert values.double_take == 2 * values.opponent
    assert values.win == pytest.approx((1 + values.cubeless) / 2)


def test_anything_with_a_board_will_do():
    board = board_of((2, 5), (1,))
    for position in (SimpleNamespace(board=tuple(board)), np.array(board, np.int8), tuple(board)):
        assert exact_values(position).win == pytest.approx(19 / 36)


def test_sides():
    values = exact_values(board_of((1,) * 7, (6,)))
    assert not values.exact
    assert values.centred is values.double_take is None
    side = values.mover_side
    assert (side.checkers, side.pips) == (7, 7)
    assert side.epc == pytest.approx(28.999, abs=1e-3)  # Trice, Effective Pip Count, 2000
    assert side.wastage == pytest.approx(21.999, abs=1e-3)
    assert side.roll_chances[1] == pytest.approx(1 / 36)
    assert sum(side.roll_chances) == pytest.approx(1)
    assert values.opponent_side.roll_chances == pytest.approx((27 / 36, 9 / 36))
    assert home_side([7, 0, 0, 0, 0, 0]) == side


def test_gammons_count_in_the_cubeless_equity():
    values = exact_values(board_of((6,) * 15, (1,)))
    assert values.lose_gammon == pytest.approx(19 / 36)
    assert values.cubeless == pytest.approx(-17 / 36 - 2 * 19 / 36)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (board_of((13, 2), (1,)), "the mover has a checker on point 13"),
        (board_of((2,), (25, 1)), "the opponent has a checker on the bar"),
        (board_of((2,), (7, 1)), "the opponent has a checker on point 7"),
        (board_of((), (1,)), "the mover has no checkers left"),
        (board_of((1,), ()), "the opponent has no checkers left"),
        (board_of((1,) * 16, (1,)), "the mover has 16 checkers"),
        ([0] * 25, "26 whole numbers"),
        ([0.5] * 26, "26 whole numbers"),
        ("4HPwATDgc/ABMA", "26 whole numbers"),
    ],
)
def test_positions_outside_the_tables_say_why(board, message):
    with pytest.raises(CubelabError, match=message):
        exact_values(board)


@pytest.mark.parametrize("counts", [[0] * 6, [16, 0, 0, 0, 0, 0], [1, 2], [-1, 3, 0, 0, 0, 0], [0.5] * 6])
def test_home_side_refuses_what_is_no_home_position(counts):
    with pytest.raises(CubelabError, match="not a home position"):
        home_side(counts)
