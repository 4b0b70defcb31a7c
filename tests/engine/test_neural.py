"""The shipped networks: what the fast path accepts, and that its numbers make sense."""

import hashlib
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import positions

from cubelab.engine import neural
from cubelab.errors import DataMissing, IllegalPosition

START = np.array([0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0], np.int8)
SIZES = np.array([1, 2, 3, -1, -2, -3])


def board(**counts):
    """m6=2: two of the mover on his 6 point; o6=2: two of the opponent on theirs."""
    result = np.zeros(26, np.int8)
    for name, count in counts.items():
        point = int(name[1:])
        result[point if name[0] == "m" else 25 - point] = count if name[0] == "m" else -count
    return result


def test_start_favours_the_roller():
    """Rollouts of the starting position agree on 52 to 53 % wins for the side on roll, 14 to 15 % of them gammons."""
    probs = neural.evaluate_positions(START[None])
    assert probs.dtype == np.float32
    assert probs.shape == (1, 6)
    assert probs[0, :3].sum() == pytest.approx(0.525, abs=0.02)
    assert probs[0, 1:3].sum() == pytest.approx(0.148, abs=0.02)
    assert probs[0] @ SIZES == pytest.approx(0.07, abs=0.05)


@settings(max_examples=60)
@given(positions())
def test_rows_are_probabilities(position):
    probs = neural.evaluate_positions(np.array([position.board], np.int8))[0]
    assert probs.sum() == pytest.approx(1, abs=1e-5)
    assert (probs >= 0).all()


def test_finished_and_exact_positions():
    won, lost = board(o6=15), board(m6=14, m25=1)
    last_roll = board(m1=2, o1=1)  # two checkers on the ace point come off with any roll
    probs = neural.evaluate_positions(np.array([won, lost, last_roll]))
    assert probs[0].tolist() == [0, 1, 0, 0, 0, 0]
    assert probs[1].tolist() == [0, 0, 0, 0, 0, 1]
    assert probs[2, 0] == pytest.approx(1)


def test_same_numbers_in_any_order_and_company():
    boards = np.array([START, board(m13=2, o12=1, o3=2), board(m20=3, m2=2, o5=4, o18=1), board(m7=1, o4=9), START])
    together = neural.evaluate_positions(boards)
    np.testing.assert_array_equal(together, np.concatenate([neural.evaluate_positions(b[None]) for b in boards]))
    np.testing.assert_array_equal(together[::-1], neural.evaluate_positions(boards[::-1]))


def test_other_whole_number_types_are_welcome():
    np.testing.assert_array_equal(
        neural.evaluate_positions(START[None].astype(int)), neural.evaluate_positions([START])
    )
    assert neural.evaluate_positions(np.zeros((0, 26), np.int8)).shape == (0, 6)


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        (START, "shape"),
        (np.zeros((2, 25), np.int8), "shape"),
        (START[None] * 1.0, "whole numbers"),
        (START[None].astype(int) + 300, "more than 15"),
        (np.zeros((1, 26), np.int8), "no position"),
        (np.array([START, board(m6=16, o6=1)]), "Board 1"),
        (np.array([-board(m25=1, o6=1)]), "bar"),
    ],
)
def test_bad_boards_are_refused(boards, message):
    with pytest.raises(IllegalPosition, match=message):
        neural.evaluate_positions(boards)


def test_weights_are_small_and_checked():
    data, checksum = neural._read_verified()
    folder = files("cubelab.engine") / "weights"
    assert sum(len(part.read_bytes()) for part in folder.iterdir() if part.name.endswith(".npz")) < 10_000_000
    assert hashlib.sha256(data).hexdigest() == checksum == neural.weights_checksum()


def test_every_number_of_the_tables_survives_the_file():
    arrays = neural.unpack(neural._read_verified()[0])
    arrays["tables"] = np.random.default_rng(3).integers(-(2**15), 2**15, arrays["tables"].shape).astype(np.int16)
    back = neural.unpack(neural.pack(arrays))
    for name, (_, kind) in neural.ARRAYS.items():
        np.testing.assert_array_equal(back[name], arrays[name])
        assert back[name].dtype == kind


def test_weights_of_another_size_are_refused():
    arrays = neural.unpack(neural._read_verified()[0])
    with pytest.raises(DataMissing, match="for tables"):
        neural.unpack(neural.pack(arrays | {"tables": arrays["tables"][1:]}))
    arrays["w2"] = arrays["w2"][:1]
    with pytest.raises(DataMissing, match="w2"):
        neural.unpack(neural.pack(arrays))
    with pytest.raises(DataMissing, match="cannot be read"):
        neural.unpack(b"nothing")
