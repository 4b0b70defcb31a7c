"""Rollouts against truth: the same player differs by dice alone, another or a wrong truth shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cubelab.bench.strength import TOTAL, Truth, read_truth, seen_by_player
from cubelab.bench.truth import agreement
from cubelab.engine.rollout_run import rollout
from cubelab.engine.rollout_settings import RolloutSettings
from cubelab.errors import SettingsError
from cubelab.game import MatchState, Position, Rules, Situation

IDS = ("2DZkgSFszoMHAA", "z7YBAGLHfAMQGA", "m3NnAADXOALBDA", "2FYwwgw4zzEHAA")
SETTINGS = RolloutSettings(trials=108, truncate=8, seed=5)
SHARED = Path(__file__).parents[3] / "shared" / "reference" / "rollout_truth.jsonl"


@pytest.fixture(scope="module")
def truth():
    """Our own rollouts of other dice."""
    match, settings = MatchState(rules=Rules(jacoby=False)), replace(SETTINGS, seed=6, cubeful=False)
    results = [rollout(Situation(Position.from_id(text), match=match), settings) for text in IDS]
    chances = np.concatenate([seen_by_player(result.moments.mean("probs", 0)[None]) for result in results])
    boards = np.array([Position.from_id(text).flip().array for text in IDS])
    return Truth(boards, chances, np.array([result.se.cubeless for result in results]))


def test_other_dice_of_the_same_player_are_all_that_differs(truth):
    found = agreement(truth, 4, SETTINGS)
    assert found[TOTAL].positions == 4
    assert abs(found[TOTAL].difference) < 4 * found[TOTAL].error
    assert 0.05 < found[TOTAL].spread < 2.5
    assert sum(part.positions for kind, part in found.items() if kind != TOTAL) == 4


def test_a_wrong_truth_shows(truth):
    plain = agreement(truth, 4, SETTINGS)[TOTAL]
    chances = truth.probabilities.copy()
    chances[:, 0] += 0.1
    wrong = agreement(Truth(truth.boards, chances, truth.se), 4, SETTINGS)[TOTAL]
    assert wrong.difference == pytest.approx(plain.difference - 0.2)
    assert wrong.chances[0] == pytest.approx(plain.chances[0] - 0.1)
    assert wrong.player_rms > 0.15


def test_rows_that_are_not_there_are_refused(truth):
    with pytest.raises(SettingsError, match="2 to 4"):
        agreement(truth, 5, SETTINGS)


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_file(), reason="the truth is not part of the project")
def test_two_hundred_rows_of_the_truth():
    # 0-ply play inside trials differs from the truth's deeper play by some hundredths at most, in every class.
    found = agreement(read_truth(SHARED), 200, RolloutSettings(trials=144))
    assert abs(found[TOTAL].difference) < 0.02
    assert all(abs(part.difference) < 0.04 + 3 * part.error for part in found.values())


def test_an_interrupted_rollout_is_not_taken_for_the_whole(truth, monkeypatch):
    def interrupted(*args):
        return replace(rollout(*args), interrupted=True)

    monkeypatch.setattr("cubelab.bench.truth.rollout", interrupted)
    with pytest.raises(KeyboardInterrupt):
        agreement(truth, 2, RolloutSettings(trials=2, truncate=1))

    from cubelab.bench import rollouts

    whole = rollouts.run
    monkeypatch.setattr(rollouts, "run", lambda *args: replace(whole(*args), interrupted=True))
    with pytest.raises(KeyboardInterrupt):
        rollouts.measure_ours("4HPwATDgc/ABMA", replace(rollouts.MODES[0], truncate=1), 2)
