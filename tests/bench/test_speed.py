"""What the benchmarks measure is what they say: candidates of real play, ratios, costs. No times are asserted."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

from cubelab.bench.rollouts import MODES, POSITIONS, Comparison, Measured, Mode, compare, situation_of
from cubelab.bench.speed import cube_seconds, real_candidates, speed
from cubelab.engine.neural import load_nets
from cubelab.errors import CubelabError
from cubelab.game import Position
from cubelab.kernels.duel import evaluate_sets
from cubelab.kernels.static import evaluate_many


def test_candidates_are_legal_results_of_the_boards_before_them():
    afters, ends, parents = real_candidates(load_nets(), games=1)
    assert len(ends) == len(parents)
    assert ends[-1] == len(afters)
    starts = np.concatenate([[0], ends[:-1]])
    for parent, start, end in list(zip(parents, starts, ends, strict=True))[::9]:
        position = Position(tuple(int(n) for n in parent))
        results = {
            play.after.array.tobytes()
            for high in range(1, 7)
            for low in range(1, high + 1)
            for play in position.plays(high, low)
        }
        assert {after.tobytes() for after in afters[start:end]} <= results
    # Real games: the start comes first, the last board bears off the last checker.
    assert np.array_equal(parents[0], Position.start().array)


def test_sets_are_evaluated_as_single_positions():
    afters, ends, _ = real_candidates(load_nets(), games=1, seed=2)
    by_sets, at_once = (np.empty((len(afters), 6), np.float32) for _ in range(2))
    evaluate_sets(load_nets(), afters, ends, by_sets)
    evaluate_many(load_nets(), afters, len(afters), at_once)
    assert np.array_equal(by_sets, at_once)


def test_speed_without_anything_beside_it():
    found = speed(rounds=1, cube_ply=0, start=False)
    assert found.static_per_second > 0
    assert found.against is None
    assert found.static_ratio is None
    assert json.loads(json.dumps(found.to_dict()))["cube_ply"] == 0


def test_every_board_gets_its_cube_decision():
    boards = np.array([Position.from_id(text).array for text in POSITIONS])
    assert len(cube_seconds(boards, 1)) == len(POSITIONS)


def test_ratios_and_costs():
    """Twice the error costs four times the trials."""
    ours, theirs = Measured(360, 2.0, 0.1, 0.01), Measured(72, 4.0, 0.12, 0.02)
    result = Comparison(POSITIONS[0], MODES[1], ours, theirs)
    assert result.speed_ratio == pytest.approx(180 / 18)
    assert result.cost_ratio == pytest.approx(0.01**2 * 2 / (0.02**2 * 4))
    alone = Comparison(POSITIONS[0], MODES[1], ours, None)
    assert (alone.speed_ratio, alone.cost_ratio) == (None, None)
    assert json.loads(json.dumps(result.to_dict()))["mode"] == MODES[1].title


def test_rollouts_are_those_asked_for():
    modes = (Mode("short", True, True, 2, 18), Mode("raw", False, False, 3, 18))
    seen = []
    results = compare(POSITIONS[:2], modes, more=2, progress=seen.append)
    assert results == seen
    assert [(r.position, r.mode.title) for r in results] == [(p, m.title) for m in modes for p in POSITIONS[:2]]
    assert {r.ours.trials for r in results} == {36}
    assert all(r.ours.se > 0 for r in results)
    assert all(r.theirs is None for r in results)


def test_positions_are_the_ones_of_the_table():
    for text in POSITIONS:
        situation = situation_of(text)
        assert situation.position.id == text
        assert situation.match.money
        assert not situation.match.rules.jacoby
    with pytest.raises(CubelabError):
        situation_of("no such position")


def test_a_new_process_starts():
    from cubelab.bench.speed import start_time

    wall, processor = start_time(tries=1)
    assert wall > 0
    assert processor > 0 or os.name != "posix"
