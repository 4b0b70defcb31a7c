"""Errors against truth: none for a perfect one, known ones for shifted ones; classes; files that are no truth."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from strategies import positions

from cubelab.bench.strength import (
    KINDS,
    TOTAL,
    Truth,
    equity,
    errors_against,
    our_chances,
    position_kind,
    read_truth,
    seen_by_player,
)
from cubelab.engine.neural import evaluate_positions
from cubelab.errors import CubelabError
from cubelab.game import Phase, Position

IDS = ("4HPwATDgc/ABMA", "2DZkgSFszoMHAA", "z7YBAGLHfAMQGA", "m3NnAADXOALBDA", "nG8AAGDbBgC4AQ")


def boards_after():
    """Positions after a play: those ids seen from the other side."""
    return np.array([Position.from_id(text).flip().array for text in IDS])


def test_perfect_truth_gives_no_error():
    boards = boards_after()
    chances = our_chances(boards)
    for errors in errors_against(Truth(boards, chances, np.zeros(len(boards))), chances).values():
        assert (errors.mae, errors.rmse, errors.bias) == (0.0, 0.0, 0.0)
        assert errors.probability_rmse == (0.0,) * 5


def test_known_errors_come_out():
    boards = boards_after()
    chances = our_chances(boards)
    wrong = chances.copy()
    wrong[:, 0] += np.array([0.01, -0.01, 0.01, -0.01, 0.02])
    errors = errors_against(Truth(boards, chances, np.full(5, 0.004)), wrong)[TOTAL]
    assert errors.positions == 5
    assert errors.mae == pytest.approx(2 * 0.06 / 5)
    assert errors.rmse == pytest.approx(2 * np.sqrt((4 * 0.01**2 + 0.02**2) / 5))
    assert errors.bias == pytest.approx(2 * 0.02 / 5)
    assert errors.truth_se == pytest.approx(0.004)


def test_static_chances_are_those_of_evaluate_positions():
    boards = boards_after()
    rolled = np.ascontiguousarray(-boards[:, ::-1])
    assert our_chances(boards) == pytest.approx(seen_by_player(evaluate_positions(rolled).astype(float)), abs=1e-6)


def test_looking_a_ply_ahead_averages_over_the_rolls():
    """1-ply chances are the mean over 21 rolls of the static chances after the best cubeless play."""
    board = Position.from_id("2DZkgSFszoMHAA")
    mean = np.zeros(5)
    for high in range(1, 7):
        for low in range(1, high + 1):
            afters = np.array([play.after.array for play in board.plays(high, low)])
            chances = our_chances(afters)
            mean += (1 if high == low else 2) / 36 * chances[np.argmax(equity(chances))]
    looked = our_chances(board.flip().array[None], ply=1)[0]
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = looked
    assert mean == pytest.approx([1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon], abs=1e-5)


def test_a_ply_that_does_not_exist():
    with pytest.raises(CubelabError, match="ply 8"):
        our_chances(boards_after(), ply=8)


@pytest.mark.parametrize(
    ("position", "kind"),
    [
        ("4HPwATDgc/ABMA", "other contact"),
        ("m3NnAADXOALBDA", "back game"),
        ("nG8AAGDbBgC4AQ", "back game"),
        ("6K3BBwDg8/YAAA", "race"),
        ("2+4OAADb7g4AAA", "bearoff"),
    ],
)
def test_classes_of_positions(position, kind):
    assert position_kind(Position.from_id(position).array) == kind


@settings(max_examples=100)
@given(positions(over=True))
def test_every_position_has_a_class_that_does_not_depend_on_the_side(position):
    kind = position_kind(position.array)
    assert kind in KINDS
    assert kind == position_kind(position.flip().array)
    assume(position.phase is not Phase.OVER)
    assert kind != "over"


ROW = {"board": [int(n) for n in Position.start().array], "probs": [0.5, 0.1, 0.0, 0.1, 0.0], "se": 0.005}
NAN, INF = float("nan"), float("inf")
WRONG_PARTS = (
    *(("board", [n] * 26) for n in (0.5, INF, 10**30)),
    *(("probs", [n] * 5) for n in (5, NAN, -1)),
    *(("se", n) for n in (NAN, INF, -1, "x")),
)


def test_a_truth_file_is_read_as_it_is(tmp_path):
    path = tmp_path / "truth.jsonl"
    path.write_text("\ufeff" + json.dumps(ROW) + "\n\n" + json.dumps(ROW | {"se": None}) + "\n", encoding="utf-8")
    truth = read_truth(path)
    assert truth.boards.shape == (2, 26)
    assert list(truth.se) == [0.005, 0.0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "holds no positions"),
        ("{}\n", "line 1: needs a board of 26"),
        ('{"board": [1, 2], "probs": [0, 0, 0, 0, 0]}\n', "line 1"),
        ("\n[1]\n", "line 2"),
        ('{"board": "x", "probs": null}\n', "line 1"),
        (json.dumps({"board": [16] + [0] * 25, "probs": [0.5] * 5}) + "\n", "holds more than 15"),
        *((json.dumps(ROW | {name: value}) + "\n", "line 1: needs a board of 26 whole") for name, value in WRONG_PARTS),
    ],
)
def test_files_that_are_no_truth(tmp_path, text, sentence):
    path = tmp_path / "truth.jsonl"
    path.write_text(text)
    with pytest.raises(CubelabError, match=sentence):
        read_truth(path)
    with pytest.raises(CubelabError, match="No such file"):
        read_truth(tmp_path / "none.jsonl")
