"""Reports and Parquet files of an analysis, and the command that makes them."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import cubelab as cl
from cubelab.cli import program
from cubelab.study.store import read_decisions

MATCH = Path(__file__).parents[2] / "data" / "matches" / "7-point.mat"
ROW = {"file", "game", "ply", "player", "kind", "situation", "played", "best", "error_emg", "error_mwc"}


@pytest.fixture
def nasty(tmp_path):
    """The match with a player whose name is markup for pages and terminals."""
    text = MATCH.read_text(encoding="utf-8")
    name = cl.read_match(MATCH).players[0]
    path = tmp_path / "nasty.mat"
    path.write_text(text.replace(name, "<b>[red]X"), encoding="utf-8")
    return path


def call(*args: object, status: int = 0) -> str:
    result = CliRunner().invoke(program, ["analyse", *map(str, args), "--ply", "0"], catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result.stdout


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen, self.links, self.open = set(), [], []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_report_is_one_sound_page_that_loads_nothing(nasty, tmp_path):
    page = tmp_path / "report.html"
    call(nasty, "--checker-play", "--report", page)
    text = page.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    assert not tags.open
    assert all(link.startswith("#") for link in tags.links)  # places of the page itself
    assert {"table", "style", "details"} <= tags.seen
    assert not {"script", "link", "b", "img"} & tags.seen
    assert "&lt;b&gt;[red]X" in text
    assert "prefers-color-scheme: dark" in text


def test_cells_of_the_report_bear_the_name_of_their_column(nasty, tmp_path):
    """On narrow screens the heads are gone, and the name stands before the number."""
    report = tmp_path / "report.html"
    call(nasty, "--checker-play", "--report", report)
    text = report.read_text(encoding="utf-8")
    assert "@media (max-width:" in text
    tables = [table.split("</table>")[0] for table in text.split("<table")[1:]]
    assert len(tables) >= 4
    for table in tables:
        rows = [row.split("</tr>")[0] for row in table.split("<tr")[1:]]
        heads = re.findall(r"<th[^>]*>([^<]*)</th>", rows[0])
        assert rows[0].startswith(' class="head"')
        for row in rows[1:]:
            if not row.startswith(' class="position"'):
                names = re.findall(r"<td([^>]*)>", row)
                assert len(names) == len(heads)
                for attributes, head in zip(names, heads, strict=True):
                    if head not in ("At", "Player", "Match"):
                        assert f'data-name="{head}"' in attributes


def test_json_document(nasty):
    document = json.loads(call(nasty, "--format", "json"))
    assert set(document) >= {"matches", "decisions", "summary", "failed"}
    (match,) = document["matches"]
    assert set(match) >= {"file", "players", "length", "games", "result", "flags"}
    assert match["players"][0] == "<b>[red]X"
    assert match["length"] == 7
    assert match["result"]["winner"] in match["players"]
    for row in document["decisions"]:
        assert set(row) >= ROW | {"equities", "verdict", "flags"}
        assert set(row["equities"]) == {"no_double", "double_take", "double_pass"}
        assert row["kind"] in ("double", "take")
        cl.Situation.from_xgid(row["situation"])
    assert document["failed"] == []
    assert json.loads(call(nasty, "--json")) == document


def test_failed_files_stand_in_the_document(nasty, tmp_path):
    empty = tmp_path / "empty.mat"
    empty.write_text("")
    document = json.loads(call(empty, tmp_path / "missing.mat", nasty, "--format", "json", "--workers", 1, status=1))
    assert [Path(entry["file"]).name for entry in document["failed"]] == ["empty.mat", "missing.mat"]
    assert len(document["matches"]) == 1
    assert json.loads(call(empty, "--format", "json", status=1))["decisions"] == []


def test_csv_parquet_and_store_hold_the_same_decisions(tmp_path):
    store = tmp_path / "decisions.parquet"
    text = call(MATCH, "--format", "csv", "--store", store)
    kept, printed = read_decisions(store), pd.read_csv(io.StringIO(text))
    analysis = cl.analyse(MATCH, ply=0)
    assert len(printed) == len(kept) == len(analysis.decisions)
    for name in ("error_emg", "no_double", "win"):
        pd.testing.assert_series_equal(kept[name], analysis.decisions[name])
        pd.testing.assert_series_equal(printed[name], analysis.decisions[name])
    assert not list(tmp_path.glob("*.part"))


def test_csv_to_a_file(tmp_path):
    target = tmp_path / "decisions.csv"
    printed = call(MATCH, "--format", "csv", "--csv", target)
    assert target.read_bytes() == printed.encode()
    assert list(tmp_path.iterdir()) == [target]
    call(tmp_path / "missing.mat", "--csv", target, status=1)
    assert len(target.read_text().splitlines()) == 1  # the head line: there were no decisions


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="links need a right of their own there")
@pytest.mark.parametrize("option", ["--csv", "--store", "--report"])
def test_a_link_goes_on_pointing_to_its_file(tmp_path, option):
    target, link = tmp_path / "there", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    call(tmp_path / "missing.mat", option, link, status=1)
    assert link.is_symlink()
    assert target.read_bytes()[:3] != b"old"
    assert sorted(tmp_path.iterdir()) == [link, target]


def test_nothing_stays_of_a_file_that_was_not_finished(tmp_path, monkeypatch):
    """An interrupt between two matches, and a library that is missing for another of the files asked for."""
    from cubelab.cli import sinks

    target = tmp_path / "decisions.csv"
    target.write_text("kept\n")

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(sinks.ReportSink, "add", interrupted)
        call(MATCH, "--csv", target, "--report", tmp_path / "r.html", status=130)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pyarrow", None)
        call(MATCH, "--csv", target, "--store", tmp_path / "s.parquet", status=1)
    assert target.read_text() == "kept\n"
    assert list(tmp_path.iterdir()) == [target]


def test_parquet_on_stdout():
    result = CliRunner().invoke(program, ["analyse", str(MATCH), "--ply", "0", "--format", "parquet"])
    assert result.exit_code == 0
    assert len(pd.read_parquet(io.BytesIO(result.stdout_bytes))) == len(cl.analyse(MATCH, ply=0).decisions)


def test_tables_fit_eighty_columns_and_take_names_literally(nasty):
    text = call(nasty, "--checker-play", "--all")
    assert "<b>[red]X" in text
    assert "PR by eXtreme Gammon" in text
    assert max(map(len, text.splitlines())) <= 80


def test_totals_over_several_matches(tmp_path):
    for name in ("a.mat", "b.mat"):
        shutil.copy(MATCH, tmp_path / name)
    text = call(tmp_path, "--workers", 1)
    assert "All 2 matches" in text


def test_the_dearest_mistakes_lead_to_their_places(tmp_path):
    for name in ("a.mat", "b.mat"):
        shutil.copy(MATCH, tmp_path / name)
    analysis = cl.analyse(tmp_path, ply=0, checker_play=True)
    analysis.to_html(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    targets = re.findall(r'href="#([^"]+)"', page)
    places = re.findall(r'id="([^"]+)"', page)
    assert len(targets) == 2 + 10  # both matches, ten mistakes
    assert set(targets) <= set(places)
    assert len(places) == len(set(places))
    costs = sorted(analysis.decisions["error_emg"].dropna(), reverse=True)[:10]
    listed = page[page.index("The dearest mistakes") : page.index('id="match-1"')]
    shown = re.findall(r'<td class="n" data-name="Error, EMG">(0\.\d{3})</td>', listed)
    assert [float(cost) for cost in shown] == pytest.approx(costs, abs=6e-4)


def test_totals_of_a_match_and_a_money_session():
    """Money play has no match winning chances: its players get a dash beside those of the match."""
    text = call(MATCH, MATCH.with_name("money-session.mat"), "--workers", 1)
    lost = [line.split()[4:] for line in text.partition("All 2 matches")[2].splitlines() if "all, MWC" in line]
    assert [len(row) for row in lost] == [4, 2]
    assert lost[0][1::2] == ["%", "%"]
    assert lost[1] == ["–", "–"]
