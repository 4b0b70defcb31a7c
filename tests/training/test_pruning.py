"""Teaching the pruning network: it learns to rank, the same seed gives the same, what is written is read."""

import numpy as np
import pytest

from cubelab.engine import pruning as shipped
from cubelab.engine.neural import load_nets
from cubelab.game import Position
from cubelab.kernels.moves import MAX_PLAYS, legal_boards
from cubelab.kernels.pruning import KINDS, kind_of
from cubelab.training import pruning


@pytest.fixture(scope="module")
def boards():
    untaught = pruning.pruner_of(pruning.new_lessons(1))
    return pruning.own_positions(load_nets(), untaught, 1, 2000, 0.2, 0.1)


def test_lessons_lower_the_error_and_repeat(boards):
    results = []
    for _ in range(2):
        lessons = pruning.new_lessons(2)
        errors = [pruning.teach(load_nets(), lessons, boards, k, 2000, 4e-3, 4e-3) for k in range(4)]
        assert errors[-1] < 0.75 * errors[0]
        results.append(lessons)
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)
    assert results[0].steps.tolist() == [8000 // 16] + [0] * (KINDS - 1)


def test_kinds_part_after_some_steps(boards):
    lessons = pruning.new_lessons(2)
    pruning.teach(load_nets(), lessons, boards, 1, 320, 4e-3, 4e-3)
    together = pruning.pruner_of(lessons)
    assert all((part == part[0]).all() for part in together)
    lessons.steps[0] = pruning._TOGETHER - 1
    pruning.teach(load_nets(), lessons, boards, 1, 2000, 4e-3, 4e-3)
    apart = pruning.pruner_of(lessons)
    assert {kind_of(-board[::-1]) for board in boards} == set(range(KINDS))
    assert len({table.tobytes() for table in apart.table}) == KINDS
    assert (lessons.steps >= pruning._TOGETHER).all()


def test_gradient_of_a_lesson_matches_finite_differences():
    """The loss is the weighted error of the equity differences and a little of each chance's own."""
    rng = np.random.default_rng(3)
    afters = np.empty((MAX_PLAYS, 26), np.int8)
    assert legal_boards(Position.start().array, 6, 5, afters) > 5
    afters = afters[:5]
    probs = rng.dirichlet(np.ones(6), 5).astype(np.float32)
    weights = tuple(part[0] for part in pruning.new_lessons(5)[:3])
    weights[0][:] *= 0.2  # every unit well inside its range: there is no kink

    def loss():
        rows = [[pruning.count_row(board, place) for place in range(26) if board[place]] for board in afters]
        table, bias, readout = (part.astype(float) for part in weights)
        units = np.clip([bias + table[row].sum(axis=0) for row in rows], 0, 1)
        gammons = probs[:, 1:3].sum(axis=1), probs[:, 4:].sum(axis=1)
        target = np.stack([probs[:, :3].sum(axis=1), *gammons, probs[:, 2], probs[:, 5]], axis=1)
        worth = probs @ [1, 2, 3, -1, -2, -3]
        share = pruning._FLOOR + np.exp((worth - worth.max()) / pruning._DECAY)
        share /= share.sum()
        errors = units @ readout.T - target
        errors -= share @ errors
        points = errors @ [2, 1, -1, 1, -1]
        return share @ (points**2 + pruning._SINGLY * errors**2 @ [4, 1, 1, 1, 1]) / 2

    grads = tuple(np.zeros_like(part) for part in weights)
    rows, units = np.empty((5, 2 * pruning._MIDDLE), np.int32), np.empty((5, pruning.UNITS), np.float32)
    pruning._lesson(weights, grads, afters, probs, 5, rows, units, np.empty((5, pruning.CHANCES + 1), np.float32))
    checked = 0
    for part, gradient in zip(weights, grads, strict=True):
        for place in rng.permutation(np.flatnonzero(np.abs(gradient) > 1e-3))[:12]:
            old, step = part.flat[place], 1e-3
            part.flat[place] = old + step
            above = loss()
            part.flat[place] = old - step
            slope = (above - loss()) / (2 * step)
            part.flat[place] = old
            assert gradient.flat[place] == pytest.approx(slope, rel=0.05, abs=1e-4)
            checked += 1
    assert checked == 24  # as long as nothing is clipped, the bias moves all plays alike


def test_what_is_written_is_read_and_measured(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(pruning, "_MEASURED", 500)
    (tmp_path / "file").write_text("")
    assert pruning.main(["--lessons", "2000", "--to", str(tmp_path / "file" / "none")]) == 1
    assert "cannot be written" in capsys.readouterr().err
    (tmp_path / "weights").mkdir()
    assert pruning.main(["--lessons", "2000", "--to", str(tmp_path / "weights")]) == 0
    output = capsys.readouterr().out
    assert "2000 lessons" in output
    assert "points a roll" in output
    monkeypatch.setattr(shipped, "files", lambda _: tmp_path)
    shipped._loaded.cache_clear()
    try:
        found = shipped.load_pruner()
        assert pruning.main(["--measure"]) == 0
    finally:
        shipped._loaded.cache_clear()
    expected = pruning.train(load_nets(), 2000, 2)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_shipped_network_seldom_misses_the_best():
    found = pruning.measure(load_nets(), shipped.load_pruner(), 2000, 10, 0.2)
    assert found["left"] < 0.5 * found["plays"]
    assert found["missed"] < 0.06
    assert found["lost"] < 0.003
    everything = pruning.measure(load_nets(), shipped.load_pruner(), 300, 10, 9.0)
    assert everything["left"] > found["left"]
