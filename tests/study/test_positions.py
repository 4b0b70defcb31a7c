"""A column of positions becomes a frame of decisions, bad rows included."""

import pandas as pd
import pytest

import cubelab as cl
from cubelab.errors import CubelabError

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:3:1:7:10"


def test_rows_keep_index_and_equal_single_decisions():
    column = pd.Series([START, "nonsense", CRAWFORD, "4HPwATDgc/ABMA"], index=[10, 20, 30, 40], name="xgid")
    frame = cl.cube_decisions(column, ply=0)
    assert list(frame.index) == [10, 20, 30, 40]
    single = cl.cube_decision(cl.Situation.from_xgid(START), ply=0)
    assert frame.loc[10, "no_double"] == single.equities.no_double
    assert frame.loc[40, "no_double"] == pytest.approx(single.equities.no_double)
    assert frame.loc[10, "verdict"] == "No double, take"
    assert pd.isna(frame.loc[30, "verdict"])
    assert pd.isna(frame.loc[30, "double_take"])
    assert 0 < frame.loc[30, "mwc_no_double"] < 1
    assert "nonsense" in frame.loc[20, "error"]
    assert frame["error"].notna().sum() == 1
    assert frame.groupby("verdict", observed=True).size().to_dict() == {"No double, take": 2}


def test_nothing_in_nothing_out():
    assert cl.cube_decisions([]).empty


def test_settings_are_refused():
    with pytest.raises(CubelabError, match="ply"):
        cl.cube_decisions([START], ply=9)
