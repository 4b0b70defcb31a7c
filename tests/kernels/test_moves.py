"""Legal plays against a naive twin that knows nothing but the rules, and against counts known from elsewhere."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cubelab.game import Situation
from cubelab.kernels.moves import MAX_PLAYS, legal_boards, legal_plays

START = np.zeros(26, np.int8)
START[[24, 13, 8, 6]] = [2, 5, 3, 5]
START -= START[::-1].copy()

# Distinct results of each roll from the starting position (case A9).
OPENING_COUNTS = {
    21: 15, 31: 16, 41: 14, 51: 8, 61: 10, 32: 17, 42: 18, 52: 8, 62: 14, 43: 17, 53: 9, 63: 14, 54: 9, 64: 14, 65: 7,
    11: 42, 22: 75, 33: 73, 44: 52, 55: 4, 66: 11,
}  # fmt: skip

AFTERS = np.empty((MAX_PLAYS, 26), np.int8)
HOPS = np.empty((MAX_PLAYS, 8), np.int8)


def naive_steps(board, die):
    """All boards (tuples) that moving one checker `die` points can give."""
    own = [p for p in range(1, 26) if board[p] > 0]
    results = []
    for source in own:
        if board[25] > 0 and source != 25:
            continue
        target = source - die
        if target >= 1:
            if board[target] <= -2:
                continue
        elif max(own) > 6 or (target < 0 and source != max(own)):
            continue
        after = list(board)
        after[source] -= 1
        if target >= 1:
            if after[target] == -1:
                after[target] = 0
                after[0] -= 1
            after[target] += 1
        results.append(tuple(after))
    return results


def naive_results(board, die1, die2):
    """Set of distinct results by trying every sequence of both orders."""
    orders = [[die1] * 4] if die1 == die2 else [[die1, die2], [die2, die1]]
    by_length = {}

    def walk(current, dice, used):
        followers = naive_steps(current, dice[0]) if dice else []
        by_length.setdefault(len(used), []).append((current, used))
        for after in followers:
            walk(after, dice[1:], (*used, dice[0]))

    for order in orders:
        walk(tuple(int(c) for c in board), order, ())
    longest = max(by_length)
    if longest == 0:
        return set()
    plays = by_length[longest]
    if longest == 1 and die1 != die2:
        larger = max(used for _, used in plays)
        plays = [(after, used) for after, used in plays if used == larger]
    return {after for after, _ in plays}


def kernel_results(board, die1, die2):
    n = legal_boards(board, die1, die2, AFTERS)
    results = [tuple(int(c) for c in row) for row in AFTERS[:n]]
    assert len(set(results)) == len(results)
    return set(results)


@st.composite
def boards(draw):
    """Positions with few to many checkers, bars, bearoffs and contact."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    board = np.zeros(26, np.int8)
    reach = int(rng.choice([6, 8, 12, 24]))
    places = rng.permutation(np.arange(1, 25))
    split = int(rng.integers(1, 24))
    for side, allowed in ((1, [p for p in places[:split] if p <= reach]), (-1, places[split:])):
        checkers = int(rng.integers(1, 16))
        bar = int(rng.choice([0, 0, 0, 1, 2]))
        for k in range(checkers):
            place = (25 if side == 1 else 0) if k < bar or len(allowed) == 0 else int(rng.choice(allowed))
            board[place] += side
    return board


@settings(max_examples=150, deadline=None)
@given(boards(), st.integers(1, 6), st.integers(1, 6))
def test_results_equal_the_naive_twin(board, die1, die2):
    assert kernel_results(board, die1, die2) == naive_results(board, die1, die2)


@settings(max_examples=80, deadline=None)
@given(boards(), st.integers(1, 6), st.integers(1, 6))
def test_hops_lead_to_their_result(board, die1, die2):
    n = legal_plays(board, die1, die2, AFTERS, HOPS)
    for after, hops in zip(AFTERS[:n].tolist(), HOPS[:n].tolist(), strict=True):
        current = board.tolist()
        for source, target in zip(hops[::2], hops[1::2], strict=True):
            if source < 0:
                continue
            assert current[source] > 0
            current[source] -= 1
            if target > 0:
                assert current[target] >= -1
                if current[target] == -1:
                    current[target] = 0
                    current[0] -= 1
                current[target] += 1
        assert current == after


@pytest.mark.parametrize(("roll", "count"), OPENING_COUNTS.items())
def test_opening_counts(roll, count):
    assert legal_boards(START, roll // 10, roll % 10, AFTERS) == count


@pytest.mark.parametrize(
    ("xgid", "plays"),
    [
        ("XGID=----b-M-A-------b-cdd---A-:0:0:1:62:0:0:0:0:10", {(24, 22, 8, 2)}),  # A1: both dice
        ("XGID=---b------A---------------:0:0:1:61:0:0:0:0:10", {(10, 4)}),  # A2: one die, the larger
        ("XGID=-b--bAE-C---cD---c-e-----B:0:0:1:51:0:0:0:0:10", {(25, 24, 25, 20)}),  # A4: two on the bar
    ],
)
def test_known_cases(xgid, plays):
    situation = Situation.from_xgid(xgid)
    die1, die2 = situation.dice
    n = legal_plays(np.array(situation.position.board, np.int8), die1, die2, AFTERS, HOPS)
    pairs = [sorted(zip(row[::2], row[1::2], strict=True)) for row in HOPS[:n].tolist()]
    spelled = {
        tuple(x for pair in sorted((p for p in row if p[0] >= 0), key=lambda p: (-p[0], p[1] != 24)) for x in pair)
        for row in pairs
    }
    assert spelled == plays


def test_last_checker_hits_and_bears_off():
    """GNU id M5ugKCECAAAAAA, roll 3-1: both dice must be played, so the blot is hit on the way."""
    board = np.zeros(26, np.int8)
    board[4], board[3] = 1, -1
    assert kernel_results(board, 3, 1) == naive_results(board, 3, 1)


def test_no_play_when_shut_out():
    board = np.zeros(26, np.int8)
    board[25] = 1
    board[19:25] = -2
    assert legal_boards(board, 6, 5, AFTERS) == 0


def test_blocked_landing_stops_a_double():
    """A8: men on 13 and 11, the opponent's point on 12: of four aces only the man on 11 moves."""
    board = np.zeros(26, np.int8)
    board[13] = board[11] = 1
    board[12] = -2
    assert kernel_results(board, 1, 1) == naive_results(board, 1, 1)
    assert all(row[13] == 1 for row in kernel_results(board, 1, 1))
