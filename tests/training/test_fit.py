"""The trainer: folding, gradients against finite differences, learning a small task."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from strategies import positions

from cubelab.kernels import features
from cubelab.kernels.moves import MAX_PLAYS
from cubelab.kernels.network import network_of, new_workspace
from cubelab.kernels.pruning import set_parent
from cubelab.kernels.static import CONTACT, RACE, evaluate_many, position_class
from cubelab.training import fit, inputs, pruning, selfplay
from cubelab.training.store import NETS, folded, nets_of

PRUNER = pruning.pruner_of(pruning.new_lessons(4))


@pytest.fixture(scope="module")
def fits():
    return {name: fit.new_fit(seed) for seed, name in enumerate(NETS)}


@pytest.fixture(scope="module")
def sample(fits):
    """Labelled positions of a few games between untrained networks."""
    boards, labels = np.zeros((600, 26), np.int8), np.zeros((600, 6), np.float32)
    selfplay.label_positions(nets_of(folded(fits)), PRUNER, 1e9, 3, 0.3, False, 0.8, 0.1, 0.1, boards, labels)
    return boards, labels


def test_slots_cover_the_table():
    starts = [*inputs.SLOT_STARTS, features.ROWS]
    assert starts == sorted(set(starts))
    empty = np.diff(inputs.ROW_START) == 0
    first_rows = set(inputs.SLOT_STARTS[:-1])
    assert set(np.flatnonzero(empty)) >= first_rows  # value 0 of a slot is a row of zeros


@settings(max_examples=40)
@given(positions())
def test_folded_network_equals_the_trained_one(fits, position):
    board = np.array(position.board, np.int8)
    assume(position_class(board) == CONTACT)
    scratch = fit.new_scratch()
    network = network_of(board, False)
    fit.predict(fits[NETS[network]].average, scratch, board, False)
    out = np.empty((1, 6), np.float32)
    evaluate_many(nets_of(folded(fits)), board[None], 1, out)
    np.testing.assert_allclose(out[0], scratch.probs, atol=3e-3)  # 16-bit first layer


def loss(weights, board, target, race, equity_weight):
    scratch = fit.new_scratch()
    fit.predict(weights, scratch, board, race)
    probs = scratch.probs.astype(float)
    gap = fit.equity(scratch.probs) - fit.equity(target)
    possible = probs > 0
    return -(target[possible] * np.log(probs[possible])).sum() + equity_weight * gap**2


def test_gradients_match_finite_differences(fits, sample):
    boards, labels = sample
    k = int(np.flatnonzero([position_class(b) == CONTACT for b in boards])[40])
    board, target = boards[k], labels[k]
    weights, grads, scratch = fits["mutual"].weights, fit.new_layers(), fit.new_scratch()
    n = fit.predict(weights, scratch, board, False)
    fit._backward(weights, grads, scratch, n, target, 1.0)
    rng = np.random.default_rng(0)
    used = np.unique(scratch.inputs[:n])
    for name in fit.Layers._fields:
        array, gradient = getattr(weights, name), getattr(grads, name)
        checked = 0
        while checked < 12:
            place = tuple(int(rng.integers(size)) for size in array.shape)
            if name == "w1":
                place = (int(rng.choice(used)), place[1])
            if name.endswith("3") and place[-1] > 5:
                continue
            old, step = array[place], 2e-3
            array[place] = old + step
            above = loss(weights, board, target, False, 1.0)
            array[place] = old - step
            below = loss(weights, board, target, False, 1.0)
            array[place] = old
            # kinks of the clipping and 32-bit sums leave some inexactness
            assert gradient[place] == pytest.approx((above - below) / (2 * step), rel=0.03, abs=2e-3)
            checked += 1


def test_training_lowers_the_error(sample):
    boards, labels = sample
    race = np.array([position_class(b) == RACE for b in boards])
    boards, labels = boards[~race], labels[~race]
    state, grads = fit.new_fit(7), fit.new_layers()
    order = np.random.default_rng(1).integers(0, len(boards), 40 * fit.BATCH)
    before = np.sqrt((fit.errors(state.weights, boards, labels, False) ** 2).mean())
    fit.train(state, grads, boards, labels, order, False, 2e-3, 1.0, 0.0)
    after = np.sqrt((fit.errors(state.weights, boards, labels, False) ** 2).mean())
    assert after < 0.7 * before
    assert all((g == 0).all() for g in grads)
    assert state.steps[0] == 40


def test_labels_are_reproducible_and_sum_to_one(fits):
    nets = nets_of(folded(fits))
    results = []
    for _ in range(2):
        boards, labels = np.zeros((60, 26), np.int8), np.zeros((60, 6), np.float32)
        selfplay.label_positions(nets, PRUNER, 0.15, 11, 1.0, True, 0.8, 0.1, 0.1, boards, labels)
        results.append((boards, labels))
    np.testing.assert_array_equal(results[0][0], results[1][0])
    np.testing.assert_array_equal(results[0][1], results[1][1])
    np.testing.assert_allclose(results[0][1].sum(axis=1), 1.0, atol=1e-4)


def test_labels_follow_the_recursion_after_exploratory_replies_too(fits):
    """G(t) = m(t) + λ (G(t+1) - v(t+1)), worked out again from the positions of one game, most replies at random."""
    nets, trace = nets_of(folded(fits)), 0.7
    work, pruning_work = new_workspace(), selfplay.new_money_pruning(PRUNER)
    afters, probs = np.empty((MAX_PLAYS, 26), np.int8), np.empty((MAX_PLAYS, 6), np.float32)
    boards, labels = np.empty((selfplay.MAX_PLIES, 26), np.int8), np.empty((selfplay.MAX_PLIES, 6), np.float32)
    start = np.zeros(26, np.int8)
    start[[6, 8, 13, 24]], start[[19, 17, 12, 1]] = [5, 3, 5, 2], [-5, -3, -5, -2]
    buffers = (work, pruning_work, start, True, trace, 0.8, 9.0, afters, probs, boards, labels)
    selfplay.label_positions(nets, PRUNER, 0.3, 5, 0.0, True, trace, 0.8, 9.0, boards[:0], labels[:0])  # the seed
    length = selfplay.play_game(nets, PRUNER, 0.3, *buffers)
    values = np.empty((length, 6), np.float32)
    evaluate_many(nets, boards, length, values)
    following, explored = np.zeros(6), 0
    for t in reversed(range(length)):
        mover, mean, best_boards = -boards[t, ::-1], np.zeros(6), set()
        set_parent(PRUNER, pruning_work, mover)
        for high in range(1, 7):
            for low in range(1, high + 1):
                _, best = selfplay.shortlisted_replies(
                    nets, PRUNER, 0.3, work, pruning_work, mover, high, low, afters, probs
                )
                mean += (1 if high == low else 2) / 36 * np.roll(probs[best], 3)
                best_boards.add(afters[best].tobytes())
        expected = np.clip(mean + trace * np.roll(following, 3), -0.5, 1.5)
        np.testing.assert_allclose(labels[t], expected, atol=1e-5)
        if t + 1 < length:
            explored += boards[t + 1].tobytes() not in best_boards
        following = labels[t] - values[t]
    assert explored > length / 4


def test_random_back_games_are_back_games():
    board = np.empty(26, np.int8)
    found = set()
    for _ in range(200):
        selfplay.random_back_game(board)
        assert np.maximum(board, 0).sum() <= 15
        assert np.maximum(-board, 0).sum() <= 15
        assert position_class(board) == CONTACT
        found.add(NETS[network_of(board, False)])
    assert found == {"back", "front"}


def test_random_races_are_races_with_all_checkers():
    board = np.empty(26, np.int8)
    for _ in range(200):
        selfplay.random_race(board)
        assert position_class(board) != CONTACT
        assert board[board > 0].sum() <= 15
        assert -board[board < 0].sum() <= 15
        assert board[0] == board[25] == 0
