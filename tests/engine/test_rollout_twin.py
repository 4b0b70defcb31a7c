"""Rollout trials against a plain-Python twin, row for row, under every rule."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rollout_cases import BEHIND, BLITZ, ENDING, RULES
from twin_rollout import TrialTwin

from cubelab.engine.neural import load_nets
from cubelab.engine.pruning import load_pruner
from cubelab.engine.rollout import Rollout
from cubelab.engine.rollout_run import kernel_plan, rollout
from cubelab.engine.rollout_settings import RolloutSettings
from cubelab.game import Cube, MatchState, Rules, Situation
from cubelab.kernels import rollout as kernel


def assert_equal(result: Rollout, numbers: range) -> None:
    twin = TrialTwin(*kernel_plan(result), result.situation.position.array)
    for number in numbers:
        np.testing.assert_allclose(result.rows[number], twin.trial(number), atol=2e-6, err_msg=f"trial {number}")


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("position", [BLITZ, ENDING, BEHIND], ids=["blitz", "ending", "behind"])
def test_trials_equal_the_twin(name, position):
    match, cube = RULES[name]
    result = rollout(Situation(position, cube, match), RolloutSettings(trials=4, seed=3, truncate=9, threads=1))
    assert_equal(result, range(4))


@pytest.mark.parametrize(
    "changed",
    [
        {"truncate": None},
        {"truncate": None, "variance_reduction": False},
        {"cubeful": False, "truncate": None},
        {"truncate": 1},
        {"ply": 1, "deep_moves": 2, "cube_ply": 0, "truncate": 4},
        {"cube_ply": 1, "truncate": 3},
        {"luck_ply": 1, "truncate": 2},
    ],
    ids=str,
)
def test_settings_equal_the_twin(changed):
    for situation in (Situation(ENDING), Situation(BEHIND, Cube(), MatchState(7, 3, 5))):
        result = rollout(situation, RolloutSettings(**({"trials": 3, "seed": 8, "threads": 1} | changed)))
        assert_equal(result, range(3))


@pytest.mark.slow
def test_two_ply_equals_the_twin():
    settings = RolloutSettings(trials=1, seed=8, truncate=2, ply=2, deep_moves=1, cube_ply=2, threads=1)
    assert_equal(rollout(Situation(ENDING, Cube(), MatchState(5, 2, 3)), settings), range(1))


def test_an_opponent_after_a_play_may_double_at_once():
    settings = RolloutSettings(trials=4, seed=2, truncate=5, threads=1)
    result = rollout(Situation(BLITZ), settings, cube_first=True)
    assert result.branches == 1
    assert_equal(result, range(4))
    assert (result.rows[:, 0, kernel.FIRST_TURN] == 0).any()


def test_beavered_cubes_go_up_two_levels():
    # Doubling from far behind is beavered; here the evaluator itself never does so, so the values are made to say it.
    situation = Situation(BLITZ, Cube(), MatchState(rules=Rules(beavers=1)))
    result = rollout(situation, RolloutSettings(trials=2, truncate=4, threads=1))
    table, plan = kernel_plan(result)
    # A roller who loses more by not doubling than by being beavered: results at the present cube cost ten times more.
    payoffs = table.payoffs.copy()
    payoffs[:, 0, 3:] *= 10
    payoffs[:, 0, :3] *= 0.05
    plan = plan._replace(act_first=1, levels=plan.levels[:1], places=plan.places[:1])
    board = situation.position.flip().array
    table = table._replace(payoffs=payoffs)
    rows = np.empty((2, 1, kernel.COLUMNS))
    kernel.run_trials(table, load_nets(), load_pruner(), plan, board, 0, rows)
    twin = TrialTwin(table, plan, board)
    np.testing.assert_allclose(rows, [twin.trial(0), twin.trial(1)], atol=2e-6)
    kernel.run_trials(table, load_nets(), load_pruner(), plan._replace(truncate=1), board, 0, rows)
    assert (rows[:, 0, kernel.LEVEL] == 2).all()
    assert (rows[:, 0, kernel.TURNS] == 1).all()


def test_parts_of_the_work_do_not_matter():
    situation = Situation(BLITZ, Cube(), MatchState(7, 5, 3))
    whole = rollout(situation, RolloutSettings(trials=20, seed=4, truncate=6, threads=1))
    part = rollout(situation, replace(whole.settings, trials=7), first=5)
    assert (part.rows == whole.rows[5:12]).all()
