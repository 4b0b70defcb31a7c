"""Sliders for take points: the values behind them, and the chart."""

import re
import xml.etree.ElementTree as ET

import pytest

from cubelab.cube.models import Janowski
from cubelab.cube.points import cube_points
from cubelab.errors import CubelabError
from cubelab.game import Cube, MatchState, Probabilities
from cubelab.interactive.chances import Chances
from cubelab.interactive.terms import Terms
from cubelab.interactive.window_chart import window_chart
from cubelab.score.met import MatchEquityTable
from cubelab.score.stakes import Stakes

KAZAROSS = MatchEquityTable.load("kazaross-xg2")


def slide(name, value):
    return {"type": "slide", "name": name, "value": value}


def test_chances_of_the_sliders():
    chances = Chances(win=0.6, gammons=0.25, backgammons=0.05, lost_gammons=0.5, lost_backgammons=0.0)
    assert chances.probabilities.cumulative == pytest.approx((0.6, 0.15, 0.03, 0.2, 0.0))


def test_backgammons_are_gammons_too():
    pushed = Chances(gammons=0.1).after(slide("backgammons", 0.3))
    assert (pushed.gammons, pushed.backgammons) == (0.3, 0.3)
    back = pushed.after(slide("gammons", 0.2))
    assert (back.gammons, back.backgammons) == (0.2, 0.2)
    assert back.lost_gammons == Chances().lost_gammons


@pytest.mark.parametrize(
    "event",
    [
        slide("win", 1.5),
        slide("luck", 0.5),
        slide("win", "much"),
        {"type": "set", "field": "length", "value": None},
        {"type": "set", "field": "colour", "value": 1},
        {},
    ],
)
def test_what_is_refused(event):
    with pytest.raises(CubelabError):
        Chances().after(event)


def test_points_are_those_of_theory():
    """Money without gammons: dead 25 %, live 20 % (Keeler and Spencer), between them (L - 0.5) / (W + L + x / 2)
    (Janowski, 1993)."""
    chances = Chances(gammons=0.0, lost_gammons=0.0)
    points = cube_points(chances.probabilities, chances.stakes(KAZAROSS), chances.model)
    take = points.opponent.take
    assert (take.dead, take.live) == pytest.approx((0.25, 0.2))
    assert take.model == pytest.approx(0.5 / (2 + 0.68 / 2), abs=1e-3)


def test_impossible_scores_say_why():
    terms = Terms(length=3, score=(3, 0))
    with pytest.raises(CubelabError, match="not below the match length"):
        Chances(terms=terms).stakes(KAZAROSS)


def test_the_chart_shows_the_window():
    """Edges between the bands are the double, cash and too-good points, to the half step of the chart."""
    chances = Chances(gammons=0.3, lost_gammons=0.1)
    stakes = chances.stakes(KAZAROSS)
    svg = window_chart(chances.probabilities, chances.win, stakes, chances.model)
    ET.fromstring(svg)
    titles = re.findall(r"<title>([a-z ,]+), ([\d.]+)–([\d.]+) %</title>", svg)
    # Rows: dead, the model, live; the model's row is the second that begins at 0.
    begins = [place for place, (_, low, _) in enumerate(titles) if low == "0.0"]
    row = titles[begins[1] : begins[2]]
    points = cube_points(chances.probabilities, stakes, Janowski(0.68)).mover
    edges = [float(high) / 100 for _, _, high in row[:-1]]
    assert edges == pytest.approx([points.double.model, points.cash.model, points.too_good.model], abs=0.0015)
    assert [name for name, *_ in row] == ["no double, take", "double, take", "double, pass", "too good, pass"]


def test_the_chart_without_a_cube():
    stakes = Stakes.of(MatchState(5, 4, 2, True), Cube(), met=KAZAROSS)
    svg = window_chart(Probabilities.from_cumulative(0.6, 0.1, 0, 0.1, 0), 0.6, stakes, Janowski())
    ET.fromstring(svg)
    assert "the cube may not be turned" in svg
    assert "double, take" not in svg
