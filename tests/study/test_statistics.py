"""Totals and PR from tables of decisions written by hand."""

from __future__ import annotations

import pandas as pd
import pytest

from cubelab.errors import SettingsError
from cubelab.study.decisions import decision_records, decisions_frame
from cubelab.study.statistics import CONVENTIONS, summarise, total, worth_showing


def decision(kind: str, played: str, error: float | None, nd=None, dt=None, dp=1.0, **more) -> dict:
    row = {"file": "a.mat", "game": 1, "ply": 1, "seat": 1, "player": "Ann", "kind": kind, "situation": "XGID=…"}
    row |= {"cube": 1, "dice": "", "played": played, "best": "", "error_emg": error, "verdict": "", "flags": ""}
    if nd is not None:
        row |= {"no_double": nd, "double_take": dt, "double_pass": dp}
    return row | more


def counted(*rows: dict, convention: str = "xg") -> list[bool]:
    return CONVENTIONS[convention].counted(decisions_frame(rows)).tolist()


@pytest.mark.parametrize(
    ("row", "xg", "gnubg"),
    [
        # Not doubling, 0.30 better than doubling: nobody would have; 0.18: only eXtreme Gammon's window; 0.10: both.
        (decision("double", "No double", 0.0, 0.30, 0.00), False, False),
        (decision("double", "No double", 0.0, 0.28, 0.10), True, False),
        (decision("double", "No redouble", 0.0, 0.30, 0.20), True, True),
        # eXtreme Gammon does not count no-doubles of a side that is behind.
        (decision("double", "No double", 0.0, -0.05, -0.15), False, True),
        # A missed double counts always, and so do doubles, answers, unforced plays.
        (decision("double", "No double", 0.40, 0.60, 1.20), True, True),
        (decision("double", "No double", 0.02, -0.05, -0.03), True, True),
        (decision("double", "Double", 0.50, 0.10, -0.40), True, True),
        (decision("take", "Take", 0.0, 0.10, -0.40), True, True),
        (decision("take", "Pass", 1.4, 0.10, -0.40), True, True),
        (decision("play", "8/5 6/5", 0.0), True, True),
        (decision("play", "24/18", 0.0, forced=True), False, False),
        (decision("play", "????", None), False, False),
    ],
)
def test_what_counts(row, xg, gnubg):
    assert counted(row) == [xg]
    assert counted(row, convention="gnubg") == [gnubg]


ROWS = [
    decision("double", "No double", 0.10, 0.60, 0.70),  # missed
    decision("double", "Double", 0.50, 0.10, -0.40),  # wrong
    decision("double", "No double", 0.0, 0.10, -0.40),  # not counted
    decision("take", "Take", 0.05, 0.9, 1.05),  # wrong
    decision("take", "Pass", 0.30, 0.6, 0.70),  # wrong
    decision("play", "8/5 6/5", 0.0),
    decision("play", "8/4 6/4", 0.03),
    decision("play", "24/18", 0.0, forced=True),
    decision("play", "????", None),
]


def test_totals():
    summary = summarise(decisions_frame(ROWS)).iloc[0]
    assert summary["decisions"] == 9
    assert summary["not_analysed"] == 1
    assert (summary["errors"], summary["blunders"]) == (5, 3)
    assert (summary["missed_doubles"], summary["wrong_doubles"]) == (1, 1)
    assert (summary["wrong_takes"], summary["wrong_passes"]) == (1, 1)
    assert summary["cube_error_emg"] == pytest.approx(0.95)
    assert summary["play_error_emg"] == pytest.approx(0.03)
    assert (summary["counted_cube"], summary["counted_play"]) == (4, 2)
    # PR = 500 × error / decisions: CASES.md 37.
    assert summary["pr"] == pytest.approx(500 * 0.98 / 6)
    assert summary["pr_cube"] == pytest.approx(500 * 0.95 / 4)
    assert summary["pr_play"] == pytest.approx(500 * 0.03 / 2)
    assert pd.isna(summary["error_mwc"])


def test_adding_files_is_as_if_they_were_one():
    halves = [dict(row, file=f"{n % 2}.mat", error_mwc=0.01) for n, row in enumerate(ROWS)]
    whole = [dict(row, error_mwc=0.01) for row in ROWS]
    parts = summarise(decisions_frame(halves))
    assert len(parts) == 2
    added = total(parts).drop(columns="convention").iloc[0]
    once = summarise(decisions_frame(whole)).drop(columns=["file", "seat", "convention"]).iloc[0]
    pd.testing.assert_series_equal(added, once, check_names=False)


def test_nothing_has_no_rating():
    assert len(summarise(decisions_frame([]))) == 0
    summary = summarise(decisions_frame([decision("play", "24/18", 0.0, forced=True)])).iloc[0]
    assert pd.isna(summary["pr"])


def test_conventions_are_not_mixed():
    frame = decisions_frame(ROWS)
    with pytest.raises(SettingsError, match="conventions"):
        total(pd.concat([summarise(frame, "xg"), summarise(frame, "gnubg")]))
    with pytest.raises(SettingsError, match="xg, gnubg"):
        summarise(frame, "mine")


def test_what_is_shown():
    shown = worth_showing(decisions_frame(ROWS)).tolist()
    assert shown == [True, True, False, True, True, False, True, False, True]


def test_records_have_none_where_there_is_nothing():
    record = decision_records(decisions_frame([decision("play", "????", None, flags="hidden play; not analysed")]))[0]
    assert record["error_emg"] is None
    assert record["equities"] == {"played": None, "best": None}
    assert record["verdict"] is None
    assert record["flags"] == ["hidden play", "not analysed"]
