"""A match → its decisions: every number computed a second time from theory, and a match whose errors are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cubelab as cl
from cubelab.errors import CubelabError, RecordError, SettingsError
from cubelab.records import parse_match
from cubelab.study.decisions import COLUMNS, NOT_ANALYSED
from cubelab.study.statistics import WAITED

MATCHES = Path(__file__).parents[2] / "data" / "matches"


@pytest.fixture(scope="module", params=["7-point.mat", "money-session.mat"])
def analysis(request):
    return cl.analyse(MATCHES / request.param, ply=0, checker_play=True)


@pytest.fixture(scope="module")
def cube(analysis):
    rows = analysis.decisions[analysis.decisions["kind"] != "play"]
    assert len(rows) > 30
    return rows


def test_columns_are_those_documented(analysis):
    assert list(analysis.decisions.columns) == list(COLUMNS)
    assert set(analysis.decisions["kind"].cat.categories) == {"double", "take", "play"}


def test_each_error_is_the_difference_of_the_equities_beside_it(cube):
    doubled = np.minimum(cube["double_take"], cube["double_pass"])
    doubles = cube["kind"] == "double"
    chosen = np.where(cube["played"].isin(WAITED), cube["no_double"], doubled)
    expected = np.where(
        doubles,
        np.maximum(cube["no_double"], doubled) - chosen,
        np.where(cube["played"] == "Pass", cube["double_pass"], cube["double_take"]) - doubled,
    )
    assert (cube["error_emg"] >= 0).all()
    np.testing.assert_allclose(cube["error_emg"], expected, atol=1e-9)


def test_each_position_read_back_gives_the_same_decision(cube):
    for row in cube.iloc[::7].to_dict("records"):
        again = cl.cube_decision(cl.Situation.from_xgid(row["situation"]), ply=0)
        assert again.label == row["verdict"]
        assert again.equities.no_double == pytest.approx(row["no_double"])
        assert again.equities.double_take == pytest.approx(row["double_take"])


def test_no_position_is_decided_twice_by_the_same_player(analysis):
    keys = analysis.decisions[["game", "ply", "player", "kind"]]
    assert not keys.duplicated().any()


def test_errors_in_match_winning_chance_follow_the_score(analysis, cube):
    if analysis.matches[0].length == 0:
        assert cube["error_mwc"].isna().all()
        assert analysis.summary["error_mwc"].isna().all()
        return
    # EMG 1 is half the swing between winning and losing the cube, which the pass value and no-double value span.
    swing = (cube["double_pass_mwc"] - cube["no_double_mwc"]) / (cube["double_pass"] - cube["no_double"])
    np.testing.assert_allclose(cube["error_mwc"], cube["error_emg"] * swing, atol=1e-9)


def test_plays_are_charged_against_the_best(analysis):
    plays = analysis.decisions[analysis.decisions["kind"] == "play"]
    np.testing.assert_allclose(plays["error_emg"], plays["equity_best"] - plays["equity_played"], atol=1e-9)
    agreed = plays["played"] == plays["best"]
    assert 0.4 < agreed.mean() < 1
    assert (plays.loc[agreed, "error_emg"] == 0).all()
    for row in plays.iloc[::25].to_dict("records"):
        situation = cl.Situation.from_xgid(row["situation"])
        assert row["forced"] == (len(situation.position.plays(*situation.dice)) < 2)


def test_one_thread_and_many_say_the_same(analysis):
    from cubelab.study.analysis import Settings, analyse_record

    record = cl.read_match(analysis.matches[0].file)
    alone = analyse_record(record, Settings(ply=0, checker_play=True, threads=1))
    assert alone.decisions.equals(analysis.decisions)


#: The first player passes a double at once, the second one doubles at the first chance and is taken: both are blunders.
SHORT = """ 5 point match

 Game 1
 Ann : 0                              Ben : 0
  1) 31: 8/5 6/5                       Doubles => 2
  2)  Drops
                                       Wins 1 point

 Game 2
 Ann : 0                              Ben : 1
  1) 31: 8/5 6/5                      21: 13/11 6/5
  2)  Doubles => 2                     Takes
  3) 42: 8/4 6/4                      ????
"""


def test_blunders_and_what_cannot_be_analysed():
    analysis = cl.analyse(parse_match(SHORT.encode(), "short.mat"), ply=1, checker_play=True)
    rows = analysis.decisions.set_index(["game", "ply", "kind"])
    wrong_double, wrong_pass = rows.loc[(1, 2, "double")], rows.loc[(1, 3, "take")]
    assert (wrong_double["player"], wrong_double["played"], wrong_double["best"]) == ("Ben", "Double", "No double")
    assert (wrong_pass["player"], wrong_pass["played"], wrong_pass["best"]) == ("Ann", "Pass", "Take")
    assert wrong_pass["error_emg"] > 0.5
    assert rows.loc[(2, 1, "play")]["played"] == "8/5 6/5"
    hidden = analysis.decisions[analysis.decisions["flags"].str.contains(NOT_ANALYSED)]
    assert hidden["error_emg"].isna().all()
    assert set(analysis.summary["player"]) == {"Ann", "Ben"}
    ann = analysis.summary.set_index("player").loc["Ann"]
    assert ann["wrong_passes"] == 1
    assert ann["wrong_pass_emg"] == pytest.approx(wrong_pass["error_emg"])


def test_an_illegal_play_keeps_its_row_and_stays_out_of_the_rating():
    text = SHORT.replace("31: 8/5 6/5                      21:", "31: 8/5 6/4                      21:")
    analysis = cl.analyse(parse_match(text.encode(), "short.mat"), ply=0, checker_play=True)
    row = analysis.decisions[analysis.decisions["flags"].str.contains("illegal play")].iloc[0]
    assert row["played"] == "8/5 6/4"
    assert np.isnan(row["error_emg"])
    assert NOT_ANALYSED in row["flags"]
    anns = analysis.decisions[analysis.decisions["player"] == "Ann"]
    ann = analysis.summary.set_index("player").loc["Ann"]
    assert ann["not_analysed"] == anns["error_emg"].isna().sum() >= 1
    assert ann["counted_play"] == 2 - (ann["not_analysed"] - 1)


def test_names_from_files_cannot_write_to_the_terminal():
    text = SHORT.replace("Ann", "\x1b[31m[red]Ann\x07", 1)
    analysis = cl.analyse(parse_match(text.encode(), "short.mat"), ply=0)
    names = "".join(analysis.decisions["player"].astype(str)) + "".join(analysis.matches[0].players)
    assert "\x1b" not in names
    assert "\x07" not in names


def test_players_of_one_name_stay_apart():
    analysis = cl.analyse(parse_match(SHORT.replace("Ben", "Ann").encode(), "short.mat"), ply=0)
    assert analysis.summary["player"].nunique() == 2


def test_settings_that_do_not_exist_are_refused():
    with pytest.raises(SettingsError):
        cl.analyse(MATCHES / "7-point.mat", ply=7)
    with pytest.raises(SettingsError):
        cl.analyse(MATCHES / "7-point.mat", ply=0, convention="mine")
    with pytest.raises(CubelabError, match="no-such-table"):
        cl.analyse(MATCHES / "7-point.mat", ply=0, met="no-such-table")


def test_a_single_file_that_cannot_be_read_raises(tmp_path):
    with pytest.raises(RecordError):
        cl.analyse(tmp_path / "missing.mat")
    with pytest.raises(RecordError, match="no saved matches"):
        cl.analyse(tmp_path)


def test_progress_counts_to_the_end():
    seen = []
    cl.analyse(MATCHES / "7-point.mat", ply=0, progress=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == list(range(1, seen[-1][1] + 1))
