"""Plays rolled out against each other."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import cubelab as cl
from cubelab.engine.rolled_plays import rollout_plays
from cubelab.engine.rollout_settings import RolloutSettings
from cubelab.engine.verdict_confidence import lead_confidence
from cubelab.errors import CubelabError
from cubelab.game import Position, Situation

START = Situation(Position.start())
SHORT = RolloutSettings(trials=72, truncate=4, threads=1)


def test_the_making_of_the_five_point_wins():
    plays = [play for play in START.position.plays(3, 1) if play.notation in ("8/5 6/5", "24/23 24/21", "13/9")]
    rolled = rollout_plays(START, plays, SHORT, dice=31)
    assert rolled[0].play.notation == "8/5 6/5"  # every engine's and every book's 31
    assert rolled[0].error_emg == 0
    assert rolled[0].error_se == 0
    assert [entry.error_emg for entry in rolled] == sorted(entry.error_emg for entry in rolled)
    assert len(rolled) + len(rolled.others) == 16
    frame = rolled.to_frame()
    assert frame.trials.tolist() == [72] * len(rolled)


def test_the_difference_is_that_of_the_shared_dice():
    rolled = rollout_plays(START, None, SHORT, dice=43)
    best, second = (-entry.rollout.rows[:, 0, 0] for entry in rolled[:2])
    gap = best - second
    assert rolled[1].error_emg == pytest.approx(gap.mean(), abs=1e-6)
    assert rolled[1].error_se == pytest.approx(gap.std(ddof=1) / math.sqrt(72), rel=1e-6)
    # The value of a play is that of the opponent's position, turned round.
    assert rolled[0].equity == pytest.approx(best.mean(), abs=1e-9)


def test_a_play_is_given_up_only_after_the_least_number_of_trials():
    # CASES.md 39: each alternative reaches the minimum, and nothing depends on the fastest thread.
    settings = RolloutSettings(trials=432, truncate=3, stop_probability=0.9, min_trials=144, threads=1)
    rolled = rollout_plays(START, None, settings, dice=43)
    counts = [entry.rollout.count for entry in rolled]
    assert min(counts) >= 144
    assert all(count % 36 == 0 for count in counts)
    again = rollout_plays(START, None, replace(settings, threads=3), dice=43)
    assert [(e.play, e.equity, e.rollout.count) for e in again] == [(e.play, e.equity, e.rollout.count) for e in rolled]
    # Whoever was given up early was clearly behind.
    for entry in rolled[1:]:
        if entry.rollout.count < max(counts):
            assert lead_confidence(entry.error_emg, entry.error_se)[0] > 0.8


def test_stopping_at_a_standard_error_of_the_difference():
    settings = RolloutSettings(trials=720, truncate=2, stop_se=0.02, min_trials=72, threads=1)
    rolled = rollout_plays(START, None, settings, dice=43)
    assert max(entry.error_se for entry in rolled) <= 0.02
    assert rolled[0].rollout.count < 720


def test_a_play_that_ends_the_game_needs_no_trials():
    board = np.zeros(26, int)
    board[1], board[3], board[24] = 1, 1, -2
    situation = Situation(Position(tuple(int(count) for count in board)))
    rolled = rollout_plays(situation, None, SHORT, dice=31)
    assert rolled[0].rollout is None
    assert rolled[0].equity == 1  # both sides have borne off
    assert rolled[0].probabilities.cumulative[0] == 1


def test_match_play_counts_in_mwc():
    rolled = rollout_plays(START.with_(score=(3, 5), length=7), None, SHORT, dice=43)
    assert all(0 < entry.mwc < 1 for entry in rolled)
    # 4-away 2-away: a single point is worth 40.053 - 22.9 % MWC either side of EMG 0; losses share the slope.
    slopes = [entry.error_mwc / entry.error_emg for entry in rolled[1:]]
    assert np.ptp(slopes) < 1e-9


def test_no_play_and_no_dice():
    blocked = Situation.from_xgid("XGID=aBBBBBBA------------------:0:0:-1:66:0:0:0:0:10")
    assert len(rollout_plays(blocked, None, SHORT)) == 0
    with pytest.raises(CubelabError, match="no dice"):
        cl.rollout_plays(START, None, SHORT)


def test_an_interrupt_leaves_the_plays_that_were_begun():
    seen = []

    def stop(play, so_far):
        seen.append(play)
        if len(set(seen)) == 2:
            raise KeyboardInterrupt

    rolled = rollout_plays(START, None, SHORT, dice=43, progress=stop)
    assert rolled.interrupted
    assert 1 <= len(rolled) <= 2
    assert rolled.others or len(rolled) >= 1


def test_confidence_of_a_lead_is_normal_theory():
    assert lead_confidence(0.0, 1.0) == pytest.approx((0.5, 0.3989423), abs=1e-6)
    assert lead_confidence(1.0, 1.0) == pytest.approx((0.8413447, 0.0833155), abs=1e-6)
    assert lead_confidence(0.1, 0.0) == (1.0, 0.0)
