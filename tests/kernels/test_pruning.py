"""The pruning network against a plain computation of its scores, and what it is for: the best play is kept."""

from __future__ import annotations

import numpy as np
import pytest
from twin_rollout import TrialTwin, pruning_kind

from cubelab.engine.neural import load_nets
from cubelab.engine.pruning import load_pruner, pruning_checksum
from cubelab.engine.rollout_run import kernel_plan, rollout
from cubelab.engine.rollout_settings import RolloutSettings
from cubelab.game import MatchState, Position, Situation
from cubelab.kernels.moves import MAX_PLAYS, legal_boards
from cubelab.kernels.pruning import KINDS, keep_marked, kind_of, mark_best, new_pruning_work, set_parent
from cubelab.kernels.rollout import PLAYS_KEPT, PLAYS_MARGIN
from cubelab.kernels.search import HIGH, LOW
from cubelab.kernels.static import evaluate_many

MONEY = np.array([1.0, 2.0, 3.0, -1.0, -2.0, -3.0])
#: Gammons lost are what counts.
SAVING = np.array([0.2, 0.2, 0.2, -0.1, -0.9, -0.9])


def buffers(*payoffs: np.ndarray):
    """Pruning buffers: level k of either side is worth ``payoffs[k]``."""
    return new_pruning_work(load_pruner(), np.array([payoffs, payoffs]), MAX_PLAYS, 10)


def positions(count: int) -> list[np.ndarray]:
    """Positions of games between random players, at any stage."""
    rng, found = np.random.default_rng(3), []
    afters = np.empty((MAX_PLAYS, 26), np.int8)
    while len(found) < count:
        board = Position.start().array
        for _ in range(rng.integers(1, 60)):
            roll = rng.integers(21)
            plays = legal_boards(board, HIGH[roll], LOW[roll], afters)
            after = afters[rng.integers(plays)] if plays else board
            if not (after[1:] > 0).any():
                break
            board = -after[::-1]
        else:
            found.append(np.ascontiguousarray(board))
    return found


@pytest.mark.parametrize("payoffs", [MONEY, SAVING], ids=["money", "saving gammons"])
def test_scores_and_marks_equal_the_twin(payoffs):
    twin = TrialTwin(*kernel_plan(rollout(Situation(Position.start()), RolloutSettings(trials=1, truncate=1))), None)
    pruner, work = load_pruner(), buffers(payoffs)
    afters = np.empty((MAX_PLAYS, 26), np.int8)
    for number, board in enumerate(positions(60)):
        count = legal_boards(board, HIGH[number % 21], LOW[number % 21], afters)
        if count == 0:
            continue
        before = afters[:count].copy()
        set_parent(pruner, work, board)
        work.kept[:count] = 0
        mark_best(pruner, work, work.weights[0, 0], board, afters, count, 4, 0.1, 1)
        expected = twin.pruning_scores(board, before, payoffs)
        assert work.scores[:count].tolist() == expected.tolist()
        wanted = expected >= twin.least(expected, 4, 0.1)
        assert (work.kept[:count] == wanted).all()
        left = keep_marked(work, afters, count)
        assert (afters[:left] == before[wanted]).all()


def test_kinds_of_positions():
    boards = positions(200)
    found = [kind_of(board) for board in boards]
    assert found == [pruning_kind(board) for board in boards]
    assert set(found) == set(range(KINDS))


def test_a_second_cube_adds_its_own_plays():
    pruner, work = load_pruner(), buffers(MONEY, SAVING)
    afters, board = np.empty((MAX_PLAYS, 26), np.int8), Position.start().array
    count = legal_boards(board, 6, 4, afters)
    set_parent(pruner, work, board)
    work.kept[:count] = 0
    for level, mark in ((0, 1), (1, 2)):
        mark_best(pruner, work, work.weights[0, level], board, afters, count, 2, 9.0, mark)
    assert (work.kept[:count] & 1).sum() == 2
    assert (work.kept[:count] >> 1 & 1).sum() == 2


def test_the_best_play_is_nearly_always_kept():
    nets, pruner, work = load_nets(), load_pruner(), buffers(MONEY)
    afters = np.empty((MAX_PLAYS, 26), np.int8)
    losses = []
    for number, board in enumerate(positions(300)):
        count = legal_boards(board, HIGH[number % 21], LOW[number % 21], afters)
        if count <= 2:
            continue
        outcomes = np.empty((count, 6), np.float32)
        evaluate_many(nets, afters, count, outcomes)
        worth = outcomes @ MONEY
        set_parent(pruner, work, board)
        work.kept[:count] = 0
        mark_best(pruner, work, work.weights[0, 0], board, afters, count, PLAYS_KEPT, PLAYS_MARGIN, 1)
        losses.append(worth.max() - worth[work.kept[:count] != 0].max())
    # Random players reach positions wilder than real games: there the loss is a quarter of this.
    assert len(losses) > 80
    assert np.mean(losses) < 0.006


def test_the_weights_are_part_of_the_provenance():
    situation = Situation(Position.start(), match=MatchState(5, 0, 0))
    weights = rollout(situation, RolloutSettings(trials=1, truncate=1)).provenance.weights
    assert weights.endswith(f"+{pruning_checksum()}")
