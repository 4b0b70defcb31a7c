"""Rollouts: unbiased, reproducible to the last bit, honest about their error."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import cubelab as cl
from cubelab.engine.rollout import Rollout
from cubelab.engine.rollout_run import rollout
from cubelab.engine.rollout_settings import PRESETS, RolloutSettings
from cubelab.engine.verdict_confidence import confidence
from cubelab.errors import CubelabError, DataMissing, SettingsError
from cubelab.game import WEIGHTS, Cube, MatchState, Position, Rules, Situation
from cubelab.kernels.rollout import roll_number

START = Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
BLITZ = Situation.from_gnuid("2DZkgSFszoMHAA")
#: Short games, so that many trials cost little: a bearoff against an ace-point anchor about to break.
ENDING = Situation(Position((0, 2, 3, 2, -2, 2, 0, *[0] * 12, -3, -2, -2, -2, 0, 0, 0)))
QUICK = RolloutSettings(trials=72, truncate=6, threads=1)


def numbers(result: Rollout) -> tuple:
    return (result.count, *result.moments.means(), *result.moments.covariance().ravel())


@pytest.fixture(scope="module")
def ending() -> Rollout:
    return rollout(ENDING, RolloutSettings(trials=144, seed=5, threads=1))


def test_dice_are_stratified_and_fair():
    rolls = np.array([[roll_number(np.uint64(3), trial, clock) for clock in range(3)] for trial in range(1296 * 2)])
    expected = np.array(WEIGHTS)
    for clock, block in product((0, 1), range(0, len(rolls), 36)):
        assert (np.bincount(rolls[block : block + 36, clock], minlength=21) == expected).all()
    for start in (0, 1296):
        pairs = np.zeros((21, 21), dtype=int)
        np.add.at(pairs, (rolls[start : start + 1296, 0], rolls[start : start + 1296, 1]), 1)
        assert (pairs == np.outer(expected, expected)).all()
    third = np.bincount(rolls[:, 2], minlength=21)
    chi2 = float(((third - 72 * expected) ** 2 / (72 * expected)).sum())
    assert chi2 < 45.3  # 99.9 % point of χ² with 20 degrees of freedom


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(ending, threads):
    again = rollout(ENDING, RolloutSettings(trials=144, seed=5, threads=threads))
    assert numbers(again) == numbers(ending)
    assert (again.rows == ending.rows).all()


def test_equal_on_any_number_of_threads(ending):
    on_two = rollout(ENDING, replace(ending.settings, threads=2))
    assert on_two == ending
    assert hash(on_two) == hash(ending)
    assert on_two != rollout(ENDING, replace(ending.settings, threads=2, seed=6))


def test_extending_and_merging_give_the_same_bits(ending):
    first = rollout(ENDING, RolloutSettings(trials=50, seed=5))
    assert numbers(first.extend(94)) == numbers(ending)
    rest = rollout(ENDING, RolloutSettings(trials=94, seed=5), first=50)
    for merged in (first.merge(rest), rest.merge(first)):
        assert numbers(merged) == numbers(ending)
        assert merged.spans == ((0, 144),)
        assert (merged.rows == ending.rows).all()


def test_order_of_positions_changes_nothing(ending):
    settings = RolloutSettings(trials=36, seed=5, truncate=5)
    at_score = ENDING.with_(score=(3, 4), length=5)
    before = numbers(rollout(at_score, settings)), numbers(rollout(ENDING, settings))
    after = numbers(rollout(ENDING, settings)), numbers(rollout(at_score, settings))
    assert before == after[::-1]


def test_saved_and_loaded(ending, tmp_path):
    path = tmp_path / "ending.npz"
    ending.save(path)
    again = Rollout.load(path)
    assert numbers(again) == numbers(ending)
    assert again.settings == ending.settings
    assert again.situation == ending.situation
    assert numbers(again.extend(36)) == numbers(ending.extend(36))
    with pytest.raises(CubelabError, match="weights"):
        replace(again, provenance=replace(again.provenance, weights="others")).extend(36)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(CubelabError, match="not a whole rollout"):
        Rollout.load(path)
    with pytest.raises(CubelabError, match="no such file"):
        Rollout.load(tmp_path / "missing.npz")


def test_rules_and_tables_of_ones_own_are_kept(tmp_path):
    skewed = cl.MatchEquityTable("mine", np.array([[0.5, 0.7], [0.3, 0.5]]), np.array([0.5, 0.4]))
    score = Situation(ENDING.position, Cube(), MatchState(2, 0, 0, rules=Rules(crawford=False, cube_cap=2)))
    mine = rollout(score, QUICK, met=skewed)
    path = tmp_path / "mine.npz"
    mine.save(path)
    again = Rollout.load(path)
    assert again.situation == score
    assert again.stakes.table.name == "mine"
    assert numbers(again.extend(36)) == numbers(mine.extend(36))


def test_luck_adjustment_keeps_the_mean_and_shrinks_the_spread():
    raw = rollout(ENDING, RolloutSettings(trials=1296, variance_reduction=False))
    adjusted = rollout(ENDING, RolloutSettings(trials=324, seed=11))
    for branch in (0, 1):
        difference = raw.moments.mean_values()[branch] - adjusted.moments.mean_values()[branch]
        variance = raw.moments.value_covariance()[branch, branch] + adjusted.moments.value_covariance()[branch, branch]
        assert abs(difference) < 4 * math.sqrt(variance)
    per_trial = [
        r.moments.value_covariance()[0, 0] * r.count for r in (raw, adjusted)
    ]  # fmt: skip
    assert per_trial[1] < per_trial[0] / 2
    # The trials' raw numbers are the same games whether luck is taken out or not.
    same = rollout(ENDING, RolloutSettings(trials=36, variance_reduction=False))
    kept = rollout(ENDING, RolloutSettings(trials=36))
    assert (same.trials["equity_raw"] == kept.trials["equity_raw"]).all()


def test_at_one_away_each_the_cube_is_worth_nothing():
    score = ENDING.with_(score=(4, 4), length=5)
    cubeful = rollout(score, RolloutSettings(trials=72))
    cubeless = rollout(score, RolloutSettings(trials=72, cubeful=False))
    assert not cubeful.decision.cube_allowed
    assert cubeful.decision.equities.no_double == pytest.approx(cubeless.cubeless, abs=1e-6)
    assert cubeful.cubeless == pytest.approx(2 * cubeful.probabilities.cumulative[0] - 1, abs=1e-6)


def test_standard_errors_halve_with_four_times_the_trials():
    small = rollout(START, RolloutSettings(trials=324, variance_reduction=False, cubeful=False))
    large = rollout(START, RolloutSettings(trials=1296, variance_reduction=False, cubeful=False, seed=2))
    assert small.se.cubeless / large.se.cubeless == pytest.approx(2.0, abs=0.35)


def test_shared_dice_make_the_difference_better_known():
    """The same dice help one branch when they help the other; only once luck is taken out may that be all gone."""
    se = rollout(BLITZ, RolloutSettings(trials=324, variance_reduction=False)).se
    assert se.difference < math.hypot(se.no_double, se.double_take)


def test_truncated_money_rollout_of_an_exact_position_has_no_error():
    exact = rollout(Situation.from_gnuid("TgUAAGwBAAAAAA"), RolloutSettings(trials=36))
    assert exact.se.no_double == 0.0
    assert exact.decision.equities.no_double == pytest.approx(0.5296254, abs=1e-4)
    assert exact.decision.verdict is cl.cube_decision(exact.situation, ply=0).verdict


def test_stopping_rules_look_at_whole_blocks():
    loose = rollout(START, RolloutSettings(trials=720, truncate=3, stop_se=10.0, min_trials=50))
    assert loose.count == 72
    sure = rollout(START, RolloutSettings(trials=720, truncate=3, stop_probability=0.99, min_trials=36))
    assert sure.count == 36
    assert sure.confidence.verdict_probability >= 0.99
    cheap = rollout(START, RolloutSettings(trials=720, truncate=3, stop_regret=0.01, min_trials=36))
    assert cheap.count == 36
    for threads in (1, 3):
        settings = RolloutSettings(trials=360, truncate=3, stop_se=0.02, min_trials=36, threads=threads)
        assert rollout(BLITZ, settings).count == rollout(BLITZ, replace(settings, threads=2)).count


def test_time_limit_and_interrupt_return_what_there_is():
    timed = rollout(ENDING, RolloutSettings(trials=10**6, stop_time=0.2, keep_trials=False))
    assert timed.interrupted
    assert 0 < timed.count < 10**6

    def stop(so_far: Rollout) -> None:
        if so_far.count >= 72:
            raise KeyboardInterrupt

    cut = rollout(ENDING, RolloutSettings(trials=10**6, seed=5), progress=stop)
    assert cut.interrupted
    assert cut.count == 72
    assert numbers(cut) == numbers(rollout(ENDING, RolloutSettings(trials=72, seed=5)))


def test_trials_frame_adds_up(ending):
    frame = ending.trials
    assert len(frame) == 2 * ending.count
    means = frame.groupby("branch", observed=True)["equity"].mean()
    assert means["no double"] == pytest.approx(ending.decision.equities.no_double, abs=1e-9)
    assert means["double, take"] == pytest.approx(ending.decision.equities.double_take, abs=1e-9)
    passed = frame[frame.ending == "passed"]
    assert (passed.cube_turns >= 1).all()
    with pytest.raises(CubelabError, match="keep_trials"):
        _ = rollout(ENDING, replace(QUICK, keep_trials=False)).trials


@pytest.mark.parametrize(
    ("means", "covariance", "expected"),
    [
        # Independent, the answer certain: P(ND < DT) of a normal difference.
        ((0.0, 0.1), [[0.01, 0.0], [0.0, 1e-12]], 0.8413447),
        # Perfectly correlated errors do not blur the difference.
        ((0.0, 0.1), [[0.01, 0.01], [0.01, 0.01]], 1.0),
        # Double either way, the take is one standard deviation from certain.
        ((-3.0, 0.9), [[1e-12, 0.0], [0.0, 0.01]], 0.8413447),
    ],
)
def test_confidence_matches_normal_theory(means, covariance, expected):
    assert confidence(means, np.array(covariance)).verdict_probability == pytest.approx(expected, abs=2e-3)


def test_regret_matches_normal_theory():
    # E[max(X, 0)] for X ~ N(-1, 1) is φ(1) - Φ(-1) = 0.0833155.
    result = confidence((-1.0 + 0.5, 0.5), np.array([[1.0, 0.0], [0.0, 1e-14]]))
    assert result.regret == pytest.approx(0.0833155, abs=1e-5)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"trials": 0}, "trials"),
        ({"trials": -5}, "trials"),
        ({"truncate": 0}, "truncate"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63}, "seed"),
        ({"ply": 3}, "ply"),
        ({"cube_ply": 7}, "cube_ply"),
        ({"threads": 0}, "threads"),
        ({"stop_se": 0.0}, "stop_se"),
        ({"stop_se": float("nan")}, "stop_se"),
        ({"stop_probability": 1.5}, "stop_probability"),
        ({"stop_time": -1}, "stop_time"),
        ({"min_trials": 0}, "min_trials"),
        ({"truncate": 10**30}, "truncate"),
        ({"deep_moves": 2**63, "ply": 1}, "deep_moves"),
        ({"threads": 2**70}, "threads"),
        ({"stop_se": float("inf")}, "stop_se"),
        ({"stop_time": 10**400}, "stop_time"),
        ({"cubeful": "no"}, "cubeful = 'no': must be True or False"),
        ({"variance_reduction": 2}, "variance_reduction"),
        ({"keep_trials": None}, "keep_trials"),
    ],
)
def test_impossible_settings_are_refused_by_name(settings, named):
    with pytest.raises(CubelabError, match=named):
        RolloutSettings(**settings)


def test_settings_of_other_kinds_of_number_are_kept_in_files(ending, tmp_path):
    given = {"cubeful": np.True_, "stop_se": np.float32(0.5), "stop_regret": Fraction(1, 4), "seed": np.int8(5)}
    result = rollout(ENDING, replace(QUICK, trials=2, **given))
    assert type(result.settings.cubeful) is bool
    result.save(tmp_path / "r.npz")
    assert Rollout.load(tmp_path / "r.npz") == result


def test_arguments_of_other_kinds_are_refused(ending, tmp_path):
    for call, words in (
        (lambda: ending.merge("x"), "Rollout.merge: other is a Rollout"),
        (lambda: ending.save(None), "Rollout.save: path is"),
        (lambda: Rollout.load(5), "Rollout.load: path is"),
        (lambda: ending.extend(1, progress=5), "Rollout.extend: progress is a function"),
        (lambda: ending.extend(1, threads=0), "threads = 0: must be 1 to 1024"),
        (lambda: ending.extend(2.5), "cannot extend a rollout by 2.5 trials: a whole number"),
        (lambda: ending.convergence(0), "convergence at 0 points: at least 1"),
        (lambda: ending.convergence("many"), "Rollout.convergence: points is a whole number"),
        (lambda: RolloutSettings.preset(["quick"]), "unknown rollout preset"),
        (lambda: rollout(ENDING, QUICK, met=""), "no match equity table ''"),
    ):
        with pytest.raises(CubelabError) as caught:
            call()
        assert words in str(caught.value)
    more = ending.extend(np.int64(1), threads=np.int64(1))
    assert more.count == ending.count + 1
    assert rollout(ENDING, QUICK, first=np.int64(36)).spans == ((36, 36 + QUICK.trials),)


@pytest.mark.parametrize(
    "change",
    [
        {"spans": []},
        {"spans": [[0, 10]]},
        {"spans": [[36, 0]]},
        {"spans": [[0, float("inf")]]},
        {"moments": {"count": 0}},
        {"moments": {"count": 37}},
        {"moments": {"count": 3.5}},
        {"tally": {"turns": [[0] * 16] * 2}},
        {"situation": None},
        {"settings": {"truncate": 10**30}},
        {"rows": True},
    ],
)
def test_a_file_whose_parts_contradict_each_other_is_refused(change, tmp_path):
    path = tmp_path / "r.npz"
    rollout(ENDING, replace(QUICK, trials=36, keep_trials=False)).save(path)
    with np.load(path) as archive:
        meta = json.loads(str(archive["meta"]))
    for name, value in change.items():
        meta[name] = meta[name] | value if isinstance(value, dict) else value
    np.savez(path, meta=np.array(json.dumps(meta)))
    with pytest.raises(DataMissing, match="is not a whole rollout written by cubelab"):
        Rollout.load(path)


def test_finished_games_and_foreign_parts_are_refused(ending):
    over = Situation(Position((0, *[0] * 23, -1, 0)))
    with pytest.raises(CubelabError, match="over"):
        rollout(over)
    with pytest.raises(CubelabError, match="both rollouts hold trial 0"):
        ending.merge(ending)
    with pytest.raises(CubelabError, match="different seed"):
        ending.merge(rollout(ENDING, RolloutSettings(trials=36, seed=6)))
    with pytest.raises(CubelabError, match="cubeless rollout"):
        _ = rollout(ENDING, replace(QUICK, cubeful=False)).decision
    with pytest.raises(CubelabError, match="unknown rollout preset"):
        RolloutSettings.preset("huge")
    assert all(isinstance(preset, RolloutSettings) for preset in PRESETS.values())


@pytest.mark.slow
def test_deeper_play_inside_trials_runs_and_agrees():
    deep = rollout(ENDING, RolloutSettings(trials=72, ply=1, deep_moves=4, cube_ply=1))
    shallow = rollout(ENDING, RolloutSettings(trials=72))
    spread = math.hypot(deep.se.no_double, shallow.se.no_double)
    assert abs(deep.decision.equities.no_double - shallow.decision.equities.no_double) < 5 * spread


@pytest.mark.parametrize("turn", ["1", "-1"])
def test_a_game_that_could_never_end_is_refused(turn):
    """Both sides on the bar against a closed board: no trial would ever end."""
    stuck = Situation.from_xgid(f"XGID=aBBBBBB------------bbbbbbC:0:0:{turn}:00:0:0:0:0:10")
    assert stuck.position.deadlocked
    with pytest.raises(CubelabError, match="closed board"):
        rollout(stuck, QUICK)
    # One open point, and somebody can enter.
    assert not Situation.from_xgid(f"XGID=aBBBBBB------------ab-bbbC:0:0:{turn}:00:0:0:0:0:10").position.deadlocked


def test_a_copy_is_equal(tmp_path):
    result = rollout(ENDING, RolloutSettings(trials=3, truncate=2))
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result
    assert hash(copy) == hash(result)
    result.save(tmp_path / "r.npz")
    assert Rollout.load(tmp_path / "r.npz") == result
    assert rollout(ENDING, RolloutSettings(trials=3, truncate=2, seed=2)) != result
    assert result.extend(1) != result


def test_a_text_is_no_situation():
    with pytest.raises(SettingsError, match="is no Situation"):
        rollout("4HPwATDgc/ABMA")
    with pytest.raises(SettingsError, match="are no RolloutSettings"):
        rollout(ENDING, 1296)
