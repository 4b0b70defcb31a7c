"""``--rollout-close``: which decisions are rolled out, and that their rows hold the rollout's numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cubelab as cl
from cubelab.engine.rollout_run import rollout
from cubelab.engine.rollout_settings import RolloutSettings
from cubelab.errors import SettingsError
from cubelab.records import read_match
from cubelab.study.analysis import Settings, analyse_record
from cubelab.study.decisions import decision_records

MATCH = Path(__file__).parents[2] / "data" / "matches" / "7-point.mat"
SHORT = RolloutSettings(trials=36, truncate=3, keep_trials=False)


@pytest.fixture(scope="module")
def plain():
    return cl.analyse(MATCH, ply=0).decisions


@pytest.fixture(scope="module")
def rolled():
    return analyse_record(read_match(MATCH), Settings(0, rollout_close=0.04, rollout=SHORT)).decisions


def test_wrong_and_close_decisions_are_rolled_out(plain, rolled):
    doubled = np.minimum(plain["double_take"], plain["double_pass"])
    margin = np.where(
        plain["kind"] == "double",
        np.abs(doubled - plain["no_double"]),
        np.abs(plain["double_pass"] - plain["double_take"]),
    )
    wanted = (plain["error_emg"] > 0) | (margin < 0.04)
    marked = rolled["rollout_trials"] > 0
    assert marked[wanted].all()
    # A double and its answer are one situation, so the one may be rolled out for the sake of the other.
    situations = set(plain["situation"][wanted].str.split(":").str[0])
    assert set(rolled["situation"][marked].str.split(":").str[0]) == situations
    assert marked.sum() < len(rolled) / 2


def test_rows_hold_the_numbers_of_the_rollout(rolled):
    row = rolled[(rolled["rollout_trials"] > 0) & (rolled["kind"] == "double")].iloc[0]
    again = rollout(replace(cl.Situation.from_xgid(row["situation"]), turn=1), SHORT)
    assert row["no_double"] == pytest.approx(again.decision.equities.no_double)
    assert row["rollout_se"] == pytest.approx(again.se.difference)
    assert row["verdict"] == again.decision.label
    records = decision_records(rolled)
    assert {record["rollout"] is None for record in records} == {True, False}


def test_other_rows_are_as_before(plain, rolled):
    same = rolled["rollout_trials"] == 0
    assert (rolled["no_double"][same] == plain["no_double"][same]).all()
    assert rolled["rollout_se"][same].isna().all()


def test_plays_are_rolled_out_too():
    record = read_match(MATCH)
    one = replace(record, games=record.games[:1])
    decisions = analyse_record(
        one, Settings(0, checker_play=True, rollout_close=0.002, rollout=replace(SHORT, trials=12))
    ).decisions
    plays = decisions[(decisions["kind"] == "play") & (decisions["rollout_trials"] > 0)]
    assert len(plays) > 3
    assert (plays["error_emg"] >= 0).all()
    np.testing.assert_allclose(plays["error_emg"], plays["equity_best"] - plays["equity_played"], atol=1e-9)


def test_a_margin_below_zero_is_refused():
    with pytest.raises(SettingsError, match="rollout_close"):
        Settings(rollout_close=-0.1)
