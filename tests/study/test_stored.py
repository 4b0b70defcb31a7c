"""Our analysis beside the stored one: the file's numbers come out as they are, and our own numbers agree with us."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import cubelab as cl
from cubelab.cli import program
from cubelab.records import Kind, read_match, replay, write_match
from cubelab.records.stored import Stored, StoredCandidate, StoredCube, StoredPlays, Unit
from cubelab.score import Stakes
from cubelab.study.stored import COLUMNS, compare_stored, stored_of, stored_summary

DATA = Path(__file__).parents[1] / "records" / "data"
TEXT = DATA / "gnubg_4-ply_match1112860_004.txt"


@pytest.fixture(scope="module")
def match():
    record = read_match(TEXT)
    return record, cl.analyse(record, ply=0)


def test_numbers_of_the_file_and_ours_stand_side_by_side(match):
    record, analysis = match
    frame = compare_stored(analysis, record)
    assert tuple(frame.columns) == COLUMNS
    assert len(frame) == 24
    double = frame[frame["ply"] == frame["ply"].max() - 1].iloc[-1]
    assert (double["no_double_theirs"], double["double_take_theirs"], double["double_pass_theirs"]) == (
        1.356,
        2.624,
        1.0,
    )
    assert (double["program"], double["level"], double["best_theirs"]) == ("GNU Backgammon", "4-ply", "No double")
    assert double["error_theirs"] == pytest.approx(0.356)
    ours = analysis.decisions.set_index(["game", "ply", "kind"]).loc[(4, double["ply"], "double")]
    assert (double["no_double"], double["win"]) == (ours["no_double"], ours["win"])
    assert (frame["cost"] >= 0).all()
    assert not frame.loc[frame["agree"], ["cost", "cost_theirs"]].to_numpy().any()


def of_us(record, analysis, unit):
    """The record with our own numbers in the place of the stored ones."""
    rows = {(row["game"], row["ply"], row["kind"]): row for row in analysis.decisions.to_dict("records")}
    judged = {}
    for d in replay(record):
        row = rows.get((d.game, d.ply, d.kind.value))
        if row is None or d.kind is Kind.PLAY:
            continue
        end = "_mwc" if unit is Unit.MWC else ""
        equities = [row[name + end] for name in ("no_double", "double_take", "double_pass")]
        chances = tuple(row[n] for n in ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"))
        judged[id(d.event)] = Stored("ourselves", StoredCube(*equities, chances, unit, "0-ply"))
    return judged_as(record, judged)


def judged_as(record, judged):
    """The record with other analysis: by identity of the event."""
    return replace(
        record,
        games=tuple(
            replace(game, events=tuple(replace(e, analysis=judged.get(id(e))) for e in game.events))
            for game in record.games
        ),
    )


@pytest.mark.parametrize("unit", [Unit.EMG, Unit.MWC])
def test_we_agree_with_ourselves_in_either_unit(match, unit):
    record, analysis = match
    frame = compare_stored(analysis, of_us(record, analysis, unit))
    assert len(frame) == (analysis.decisions["kind"] != "play").sum()
    assert frame["agree"].all()
    (doubles, takes) = (stored_summary(frame).set_index("kind").loc[kind] for kind in ("double", "take"))
    for row in (doubles, takes):
        assert row["agree"] == 1
        assert row["rmse_no_double"] == pytest.approx(0, abs=1e-9)
        assert row["rmse_win"] == pytest.approx(0, abs=1e-12)


def test_a_frame_of_the_file_goes_before_our_table(match):
    record, analysis = match
    double = next(d for d in replay(record) if d.kind is Kind.DOUBLE)
    loss, win = 0.2, 0.6
    cube = StoredCube(0.4, 0.5, 0.6, None, Unit.MWC, "3-ply", frame=(loss, win))
    row = compare_stored(analysis, judged_as(record, {id(double.event): Stored("x", cube)})).iloc[0]
    # Half-way between loss and win is an equity of 0.
    assert (row["no_double_theirs"], row["double_pass_theirs"]) == (pytest.approx(0), pytest.approx(1))
    assert row["double_take_theirs"] == pytest.approx(0.5)
    # Without it the width is that of our table, the pass still worth 1.
    bare = replace(cube, frame=None)
    row = compare_stored(analysis, judged_as(record, {id(double.event): Stored("x", bare)})).iloc[0]
    stakes = Stakes.of(double.situation.match, double.situation.cube)
    width = stakes.emg_to_mwc(1.0) - stakes.emg_to_mwc(-1.0)
    assert row["no_double_theirs"] == pytest.approx(1 - 2 * 0.2 / width)


def test_plays_agree_when_they_lead_to_the_same_position():
    record = read_match(TEXT)
    record = replace(record, games=(replace(record.games[0], events=record.games[0].events[:1]),))
    analysis = cl.analyse(record, ply=0, checker_play=True)
    best = analysis.decisions.iloc[0]["best"]
    other = "24/18 24/23"
    event = record.games[0].events[0]
    for texts, agree, theirs in (((best, other), True, 0.0), ((other, best), False, 0.1)):
        rows = tuple(StoredCandidate(text, 0.2 - 0.1 * n, None, "1-ply") for n, text in enumerate(texts))
        stored = Stored("x", None, StoredPlays(rows, 0, Unit.EMG))
        changed = replace(record, games=(replace(record.games[0], events=(replace(event, analysis=stored),)),))
        row = compare_stored(analysis, changed).iloc[0]
        assert (row["agree"], row["cost_theirs"]) == (agree, pytest.approx(theirs))


def test_a_file_without_analysis_has_nothing_to_compare(match):
    record, analysis = match
    assert compare_stored(analysis, of_us(record, analysis, Unit.EMG).__class__(record.players, 5, ())).empty


def test_command_line():
    done = CliRunner().invoke(program, ["analyse", "--ply", "0", "--compare-stored", str(TEXT)])
    assert done.exit_code == 0
    assert "Compared with the analysis in the files" in done.output
    assert "GNU Backgammon" in done.output


def test_our_numbers_in_sgf_are_read_back(match, tmp_path):
    record, analysis = match
    judged = stored_of(analysis)
    losses = write_match(record, tmp_path / "ours.sgf", analyses=judged)
    assert isinstance(losses, tuple)
    again = read_match(tmp_path / "ours.sgf")
    found = [d.event.analysis for d in replay(again) if d.kind is Kind.DOUBLE and d.event.analysis]
    assert len(found) == (analysis.decisions["kind"] == "double").sum()
    frame = compare_stored(analysis, replace(again, file=record.file))
    assert frame["agree"].all()
    assert frame["program"].str.startswith("cubelab").all()
    assert (frame["no_double"] - frame["no_double_theirs"]).abs().max() < 1e-4


def test_chart_of_the_margins(match):
    import matplotlib

    matplotlib.use("Agg")
    record, analysis = match
    frame = compare_stored(analysis, record)
    ax = cl.plot.stored_margins(frame)
    assert "same" in ax.texts[0].get_text()
    drawn = sum(len(line.get_xdata()) for line in ax.lines[3:])
    assert drawn == (frame["kind"] == "double").sum()
    with pytest.raises(cl.CubelabError, match="compare_stored"):
        cl.plot.stored_margins(analysis.decisions.drop(columns="no_double"))
    matplotlib.pyplot.close("all")
