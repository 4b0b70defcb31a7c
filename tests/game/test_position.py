"""Position: ids, pips, phase, refusals."""

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions

from cubelab.errors import CubelabError, IllegalPosition, NotationError
from cubelab.game import Phase, Position

START = Position.start()


def test_the_start():
    assert START.id == "4HPwATDgc/ABMA"
    assert (START.pips, START.opponent_pips, START.off, START.opponent_off) == (167, 167, 0, 0)
    assert [START.board[point] for point in (24, 13, 8, 6, 1, 12, 17, 19)] == [2, 5, 3, 5, -2, -5, -3, -5]
    assert START.flip() == START
    assert START.phase is Phase.CONTACT


def test_array_is_a_fresh_int8_copy():
    array = START.array
    assert array.dtype == np.int8
    assert array.shape == (26,)
    array[:] = 0
    assert START.array[24] == 2
    assert Position(tuple(START.array)) == START


@pytest.mark.parametrize(
    ("text", "mover_bar", "opponent_bar"),
    [("4HPwATDgc/ABMA", 0, 0), ("MufBYCDYzuCAYA", 2, 0), ("27YBAAAAACAAAA", 1, 0)],
)
def test_bars_in_ids(text, mover_bar, opponent_bar):
    position = Position.from_id(text)
    assert (position.board[25], -position.board[0]) == (mover_bar, opponent_bar)
    assert position.id == text
    assert position.flip().board[0] == -mover_bar


@given(positions(over=True))
def test_round_trips(position):
    assert Position.from_id(position.id) == position
    assert eval(repr(position)) == position
    assert position.flip().flip() == position
    assert (position.flip().pips, position.flip().off) == (position.opponent_pips, position.opponent_off)
    assert len(position.id) == 14


@pytest.mark.parametrize(
    ("board", "phase"),
    [
        ({6: 5, 19: -5}, Phase.BEAROFF),
        ({7: 5, 19: -5}, Phase.RACE),
        ({6: 5, 18: -5}, Phase.RACE),
        ({19: 1, 18: -5}, Phase.CONTACT),
        ({25: 1, 24: -5}, Phase.CONTACT),
        ({1: 1, 0: -1}, Phase.CONTACT),
        ({1: 1}, Phase.OVER),
        ({24: -1}, Phase.OVER),
    ],
)
def test_phase(board, phase):
    position = Position(tuple(board.get(point, 0) for point in range(26)))
    assert position.phase is phase is position.flip().phase


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ((0,) * 25, "26 numbers, not 25"),
        ((0,) * 26, "both sides have borne off"),
        ((0,) * 6 + (16,) + (0,) * 19, "16 checkers for the player on roll"),
        ((0,) * 6 + (-16,) + (0,) * 19, "16 checkers for the opponent"),
        ((1,) + (0,) * 25, "wrong side"),
        ((0,) * 25 + (-1,), "wrong side"),
        ((0.5,) * 26, "whole numbers"),
        (("x",) * 26, "whole numbers"),
    ],
)
def test_boards_that_cannot_be(board, reason):
    with pytest.raises(IllegalPosition, match=reason):
        Position(board)


@pytest.mark.parametrize("text", ["", "4HPwATDgc/ABM", "4HPwATDgc/ABMAA", "4HPwATDgc ABMA", "4HPwATDgc/ABMÄ", "?" * 14])
def test_texts_that_are_no_position_id(text):
    with pytest.raises(NotationError, match="14 base64 characters"):
        Position.from_id(text)


def test_padding_and_blanks_around_an_id_do_no_harm():
    assert Position.from_id(" 4HPwATDgc/ABMA==\n") == START


@pytest.mark.parametrize(
    ("text", "reason"),
    [("/////wAAAAAAAA", "at most 15"), ("AAAAAAAAAAAAAA", "borne off"), ("AQAAAAAAAAAAgA", "left over")],
)
def test_ids_of_impossible_boards(text, reason):
    with pytest.raises(CubelabError, match=reason):
        Position.from_id(text)


def test_two_sides_on_one_point():
    # The mover's 1 point and the opponent's 24 point are the same place.
    bits = (1 << 23) | (1 << 26)
    text = base64.b64encode(bits.to_bytes(10, "little")).decode().rstrip("=")
    with pytest.raises(IllegalPosition, match="both sides stand on point 1"):
        Position.from_id(text)


@given(st.binary(min_size=10, max_size=10))
def test_any_ten_bytes_are_read_or_refused(key):
    text = base64.b64encode(key).decode().rstrip("=")
    try:
        position = Position.from_id(text)
    except CubelabError:
        return
    assert Position.from_id(position.id) == position
