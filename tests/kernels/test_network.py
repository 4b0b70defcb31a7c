"""Static evaluation: kernels against the plain twin, finished games, exact bearoffs, consistency of the numbers."""

import numpy as np
import pytest
import twin_network as twin
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import positions

from cubelab.engine.bearoff import load_tables
from cubelab.engine.race import load_race
from cubelab.kernels import features as f
from cubelab.kernels.bearoff import bearoff_probabilities
from cubelab.kernels.moves import MAX_PLAYS, legal_boards
from cubelab.kernels.network import NETWORKS
from cubelab.kernels.race import race_win, race_workspace
from cubelab.kernels.static import (
    BAR_SHARE,
    BEAROFF,
    CONTACT,
    OVER,
    RACE,
    Nets,
    evaluate_after,
    evaluate_candidates,
    evaluate_many,
    position_class,
)
from cubelab.kernels.vectors import HIDDEN, OUTPUTS, WIDTH


@pytest.fixture(scope="module")
def nets():
    """Networks with random weights of the usual sizes."""
    rng = np.random.default_rng(5)
    tables = rng.normal(0, 600, (NETWORKS * f.ROWS, HIDDEN)).astype(np.int16)
    zero_rows = [base + size * k for base, size, n in (
        (0, 16, 52), (f.WINDOW_BASE, 64, 14), (f.REAR_BASE, 26, 4), (f.FRONT_BASE, 64, 4), (f.MOBILITY_BASE, 37, 4),
        (f.ENTRY_BASE, 28, 2), (f.SHOTS_BASE, 37, 4)) for k in range(n)]  # fmt: skip
    for net in range(NETWORKS):
        tables[[net * f.ROWS + row for row in zero_rows]] = 0
    return Nets(
        tables,
        rng.normal(0, 1000, (NETWORKS, HIDDEN)).astype(np.int16),
        np.linspace(1.5e-4, 2e-4, NETWORKS).astype(np.float32),
        rng.normal(0, 0.1, (NETWORKS, HIDDEN, WIDTH)).astype(np.float32),
        rng.normal(0.2, 0.3, (NETWORKS, WIDTH)).astype(np.float32),
        rng.normal(0, 0.7, (NETWORKS, WIDTH, OUTPUTS)).astype(np.float32),
        rng.normal(0, 0.5, (NETWORKS, OUTPUTS)).astype(np.float32),
        load_tables(),
        load_race(),
    )


def evaluated(nets, board):
    out = np.empty(6, np.float32)
    evaluate_after(nets, np.array(board, np.int8), out)
    return out


@settings(max_examples=60)
@given(positions())
def test_network_equals_the_plain_twin(nets, position):
    kind = position_class(np.array(position.board, np.int8))
    assume(kind in (CONTACT, RACE))
    expected = twin.probabilities(nets, position.board, kind == RACE)
    if kind == RACE:
        expected = with_wins(nets, position.board, expected)
    np.testing.assert_allclose(evaluated(nets, position.board), expected, atol=3e-5)


def with_wins(nets, board, probs):
    """In a race the one-sided evaluator has wins and backgammons to say, the network the gammons."""
    win, gammons, *backgammons = race_win(nets.race, nets.bearoff, race_workspace(), np.array(board, np.int8))
    out = np.zeros(6)
    for first, chance, backgammon in ((0, win, backgammons[0]), (3, 1 - win, backgammons[1])):
        share = min(probs[first + 1 : first + 3].sum(), chance) if gammons else 0.0
        out[first + 2] = min(backgammon, share)
        out[first + 1] = share - out[first + 2]
        out[first] = chance - share
    return out


@settings(max_examples=30)
@given(positions(), st.integers(1, 6), st.integers(1, 6))
def test_candidates_equal_single_evaluations_exactly(nets, position, die1, die2):
    afters = np.empty((MAX_PLAYS, 26), np.int8)
    board = np.array(position.board, np.int8)
    n = min(legal_boards(board, die1, die2, afters), 60)
    chained, single = np.empty((n, 6), np.float32), np.empty((n, 6), np.float32)
    evaluate_candidates(nets, board, afters, n, chained)
    evaluate_many(nets, afters, n, single)
    np.testing.assert_array_equal(chained, single)


@settings(max_examples=60)
@given(positions(over=True))
def test_probabilities_are_possible(nets, position):
    out = evaluated(nets, position.board)
    assert out.sum() == pytest.approx(1.0, abs=1e-6)
    assert (out >= 0).all()
    own, other = twin.side_view(position.board, 0)
    if sum(other) < 15:
        assert out[1] == out[2] == 0
    if sum(own) < 15:
        assert out[4] == out[5] == 0


def place(**counts):
    """Board from m6=2 (mover, point 6) and o6=2 (opponent, its point 6)."""
    board = np.zeros(26, np.int8)
    for name, count in counts.items():
        point = int(name[1:])
        board[point if name[0] == "m" else 25 - point] = count if name[0] == "m" else -count
    return board


@pytest.mark.parametrize(
    ("board", "result"),
    [
        (place(o6=3), 0),
        (place(o6=15), 1),
        (place(o6=14, o19=1), 2),
        (place(o6=14, o25=1), 2),
        (place(o6=13, o18=2), 1),
        (place(m2=1), 3),
        (place(m2=15), 4),
        (place(m2=14, m19=1), 5),
        (place(m2=14, m25=1), 5),
    ],
)
def test_finished_games(nets, board, result):
    assert position_class(board) == OVER
    assert evaluated(nets, board).tolist() == [float(k == result) for k in range(6)]


@pytest.mark.parametrize(
    ("board", "result"),
    [
        (place(o6=15), 1),
        (place(o6=14, o19=1), 1),
        (place(o6=13, o19=1, o25=1), 2),
        (place(m2=14, m19=1), 4),
        (place(m2=14, m25=1), 5),
    ],
)
def test_finished_games_where_only_the_bar_counts(nets, board, result):
    assert evaluated(nets._replace(bar_only=True), board).tolist() == [float(k == result) for k in range(6)]


@settings(max_examples=60)
@given(positions())
def test_backgammons_where_only_the_bar_counts_become_gammons(nets, position):
    usual, bar = evaluated(nets, position.board), evaluated(nets._replace(bar_only=True), position.board)
    np.testing.assert_array_equal(bar[[0, 3]], usual[[0, 3]])
    contact = position_class(np.array(position.board, np.int8)) == CONTACT
    for gammon in (1, 4):
        assert bar[gammon : gammon + 2].sum() == pytest.approx(usual[gammon : gammon + 2].sum(), abs=1e-6)
        # Without contact nobody is hit any more.
        assert bar[gammon + 1] == pytest.approx(BAR_SHARE * usual[gammon + 1] if contact else 0.0, abs=1e-6)


def test_bearoff_comes_from_the_tables(nets):
    after = place(m1=2, m4=1, o2=3)
    assert position_class(after) == BEAROFF
    exact = np.empty(6)
    bearoff_probabilities(nets.bearoff, np.ascontiguousarray(-after[::-1]), exact)
    np.testing.assert_allclose(evaluated(nets, after), exact[[3, 4, 5, 0, 1, 2]], atol=1e-6)


@pytest.mark.parametrize(
    ("board", "kind"),
    [
        (place(m7=1, o6=1), RACE),
        (place(m6=1, o6=1), BEAROFF),
        (place(m13=1, o13=1), CONTACT),
        (place(m12=1, o12=1), RACE),
        (place(m25=1, o1=1), CONTACT),
        (place(m3=1, o25=1), CONTACT),
    ],
)
def test_classes(board, kind):
    assert position_class(board) == kind


@pytest.mark.parametrize(
    ("distance", "rolls"),
    # Textbook numbers of shots at a lone blot with nothing in the way.
    [(1, 11), (2, 12), (3, 14), (4, 15), (5, 15), (6, 17), (7, 6), (8, 6), (9, 5), (10, 3), (11, 2), (12, 3), (15, 1),
     (16, 1), (18, 1), (20, 1), (24, 1), (13, 0), (14, 0)],
)  # fmt: skip
def test_textbook_shots(distance, rolls):
    hitter = 24 if distance < 24 else 25
    bar = int(hitter == 25)
    hits = f.shots(1 << hitter, bar, 1 << (hitter - distance), 0)
    assert hits == rolls
