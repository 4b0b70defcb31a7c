"""What notebooks show of each value: well-formed HTML that needs nothing from elsewhere and no colours of its own."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

import cubelab as cl
from cubelab.records import parse_match

MATCH_FILE = Path(__file__).parents[2] / "data" / "matches" / "7-point.mat"
MATCH = cl.Situation.from_xgid("XGID=a--B-BD-B---cBa--c-e-Bb-A-:0:0:1:00:3:4:0:7:6")
MONEY = MATCH.with_(length=0, score=(0, 0))
CHANCES = cl.Probabilities.from_cumulative(0.62, 0.17, 0.01, 0.11, 0.00)
STAKES = cl.Stakes.of(MATCH.match, MATCH.cube)
MONEY_STAKES = cl.Stakes.of(MONEY.match, MONEY.cube)
CRAWFORD = cl.Stakes.of(cl.MatchState(7, 6, 3, crawford=True), cl.Cube())

VALUES = {
    "situation": lambda: MATCH,
    "position": lambda: MATCH.position,
    "play": lambda: cl.Position.start().plays(3, 1)[0],
    "chances": lambda: CHANCES,
    "stakes": lambda: STAKES,
    "money stakes": lambda: MONEY_STAKES,
    "Crawford stakes": lambda: CRAWFORD,
    "decision": lambda: cl.decide(CHANCES, STAKES),
    "money decision": lambda: cl.decide(CHANCES, MONEY_STAKES),
    "no decision": lambda: cl.decide(CHANCES, CRAWFORD),
    "explanation": lambda: cl.decide(CHANCES, STAKES).explain(),
    "points": lambda: cl.cube_points(CHANCES, STAKES),
    "take bill": lambda: cl.take_bill(CHANCES, STAKES),
    "robustness": lambda: cl.robustness(CHANCES, MATCH.match, mets=["kazaross-xg2", "woolsey"]),
    "scores": lambda: cl.score_table(CHANCES, 3),
    "table": lambda: cl.MatchEquityTable.load("woolsey"),
    "evaluation": lambda: cl.evaluate(MATCH, ply=0),
    "plays": lambda: cl.ranked_plays(MATCH, dice=(3, 1), ply=0),
    "one play": lambda: cl.ranked_plays(MONEY, dice=(3, 1), ply=0)[0],
    "ledger": lambda: cl.market_ledger(MONEY),
    "rollout": lambda: cl.rollout(MATCH, cl.RolloutSettings(trials=36, truncate=2)),
}


@pytest.mark.parametrize("name", VALUES)
def test_html_is_whole_and_plain(name):
    html = VALUES[name]()._repr_html_()
    ElementTree.fromstring(f"<div>{html.replace(' open>', '>')}</div>")
    outside = re.sub(r"<svg.*?</svg>", "", html, flags=re.S)
    assert not re.search(r"<script|<link|https?://|url\(|[^-]color:|#[0-9a-fA-F]{6}", outside)
    assert "nan" not in re.sub(r"<[^>]*>", "", outside).lower().split()


def test_the_chances_of_both_sides():
    html = CHANCES._repr_html_()
    # 62 % won, 17 % gammons; 38 % lost, 11 % gammons; 2 * .62 - 1 + .17 + .01 - .11
    for text in ("62.00 %", "17.00 %", "38.00 %", "11.00 %", "+0.3100"):
        assert text in html


def test_stakes_show_match_winning_chances():
    # Kazaross-XG2: 4-away 3-away. A win of 1 leads to 3-away 3-away, a loss to 4-away 2-away (33.13 %).
    html = STAKES._repr_html_()
    assert "3-4 to 7" in html
    assert "50.00 %" in html
    assert "33.13 %" in html
    assert "which is played without the cube" in CRAWFORD._repr_html_()


def test_the_right_option_is_bold():
    rows = cl.decide(CHANCES, MONEY_STAKES)._repr_html_().split("<tr")
    bold = [row for row in rows if "<td" in row and "font-weight:bold" in row]
    assert len(bold) == 1
    assert "no double" in bold[0]


def test_names_from_files_are_escaped():
    text = " 5 point match\n\n Game 1\n <b>x</b> : 0      Bob : 0\n  1) 31: 8/5 6/5   42: 8/4 6/4\n  2) 31: 8/4\n"
    assert "&lt;b&gt;x" in cl.analyse(parse_match(text.encode(), "x.mat"), ply=0)._repr_html_()


def test_a_ledger_is_short_in_a_terminal():
    ledger = cl.market_ledger(MONEY)
    assert len(repr(ledger)) < 200
    assert f"{ledger.difference:+.4f}" in repr(ledger)


def test_many_matches_show_as_totals():
    a = cl.analyse(MATCH_FILE, ply=0)
    many = replace(
        a,
        matches=a.matches * 8,
        decisions=pd.concat([a.decisions.assign(file=f"{n}.mat") for n in range(8)], ignore_index=True),
    )
    assert a._repr_html_().count("<tr") == 1 + 2
    assert many._repr_html_().count("<tr") == 1 + 2
    assert "8 matches" in many._repr_html_()
    assert "7-point.mat" in a._repr_html_()
