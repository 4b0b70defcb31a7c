"""The drawing of a set-up and the places on it that can be clicked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..errors import CubelabError
from ..game import Cube, Position, Situation
from ..game.play import Play
from ..game.position import CHECKERS
from ..plot import geometry
from ..plot.board import BoardDrawing
from ..plot.diagram import View, board_scene
from ..plot.geometry import Layout
from ..plot.svg import SCALE
from ..plot.themes import AUTO
from .setup import BARS, OFF, SEATS, Setup, place_name

#: Pixels before the page scales the drawing to its column.
_WIDTH = 560
_LAYOUT = Layout()
_COLOURS = {1: "light", -1: "dark"}


def board_picture(setup: Setup, best: Play | None = None) -> str:
    """SVG of a set-up, also of an illegal one; `best` is drawn by arrows."""
    try:
        situation, view, checkers = setup.situation(), View(bottom="seat"), None
    except CubelabError:
        situation, view, checkers = _stand_in(setup), View(bottom="seat", pips=False, title="being set up"), setup.board
        if setup.turn != 1:
            checkers = tuple(-count for count in reversed(checkers))
    return str(BoardDrawing.of(board_scene(situation, view, best, checkers=checkers), AUTO, _WIDTH))


def _stand_in(setup: Setup) -> Situation:
    """Everything of an illegal set-up that can be drawn, beside the checkers."""
    try:
        cube = setup.terms.cube_seen(setup.turn)
    except CubelabError:
        cube = Cube()
    plain = Situation(Position.start(), turn=setup.turn)
    dice = setup.dice if all(setup.dice) else None
    try:
        return replace(plain, cube=cube, match=setup.terms.match(setup.turn), dice=dice)
    except CubelabError:
        return replace(plain, cube=cube if cube.value <= 64 else Cube(), dice=dice)


def zones(setup: Setup) -> list[dict[str, Any]]:
    """Rectangles over the drawing that can be clicked, in the units of its view box.

    Each has ``kind`` (``place``, ``tray``, ``cube``, ``die``, ``turn``), ``id`` (the number of the place, or the side),
    ``box`` (left, top, width, height) and ``label``, the words for those who do not see it.
    """
    return [*_places(setup), *_trays(setup), *_cubes(setup), *_dice(setup), *_turns(setup)]


def _zone(kind: str, name: int, left: float, top: float, width: float, height: float, label: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "id": name,
        "box": [round(SCALE * side, 1) for side in (left, top, width, height)],
        "label": label,
    }


def _places(setup: Setup) -> list[dict[str, Any]]:
    half = geometry.FIELD_HEIGHT / 2
    found = []
    # In reading order: the upper row from left to right with the bar in its place, then the lower one.
    upper, lower = [*range(13, 19), BARS[-1], *range(19, 25)], [*range(12, 6, -1), BARS[1], *range(6, 0, -1)]
    for row, top in ((upper, geometry.TOP), (lower, geometry.MIDDLE)):
        for place in row:
            bar = place in BARS.values()
            width = geometry.BAR if bar else 1.0
            x = _LAYOUT.checker(place, 0)[0] if bar else _LAYOUT.point_x(place)
            found.append(_zone("place", place, x - width / 2, top, width, half, _held(setup, place)))
    return found


def _held(setup: Setup, place: int) -> str:
    count = setup.board[place]
    where = place_name(place, setup.turn)
    if place in BARS.values():
        side = 1 if place == BARS[1] else -1
        where = f"bar of {SEATS[side]}"
    if count == 0:
        return f"{where}: empty"
    many = "checker" if abs(count) == 1 else "checkers"
    return f"{where}: {abs(count)} {_COLOURS[1 if count > 0 else -1]} {many}"


def _trays(setup: Setup) -> list[dict[str, Any]]:
    half = geometry.FIELD_HEIGHT / 2
    left, width = geometry.WIDTH - geometry.FRAME - geometry.COLUMN, geometry.COLUMN
    found = []
    for side, top in ((-1, geometry.TOP), (1, geometry.MIDDLE)):
        label = f"{CHECKERS - setup.count(side)} borne off, {SEATS[side]}"
        found.append(_zone("tray", OFF * side, left, top, width, half, label))
    return found


def _cubes(setup: Setup) -> list[dict[str, Any]]:
    third = geometry.FIELD_HEIGHT / 3
    owners = {-1: SEATS[-1], 0: "nobody, centred", 1: SEATS[1]}
    found = []
    for row, (side, owner) in enumerate(owners.items()):
        here = setup.terms.owner == side
        label = f"cube at {setup.terms.cube}, owned by {owner}: double it" if here else f"give the cube to {owner}"
        found.append(
            _zone("cube", side, geometry.FRAME, geometry.TOP + row * third, geometry.COLUMN - 0.12, third, label)
        )
    return found


def _dice(setup: Setup) -> list[dict[str, Any]]:
    found = []
    for index in (0, 1):
        x, y = _LAYOUT.die(setup.turn == 1, index)
        value = setup.dice[index]
        words = f"die {index + 1} shows {value}: next number" if value else "no dice: set a roll"
        found.append(_zone("die", index, x - 0.6, y - 0.6, 1.2, 1.2, words))
    return found


def _turns(setup: Setup) -> list[dict[str, Any]]:
    width = 5.0
    return [
        _zone(
            "turn",
            side,
            geometry.FRAME - 0.1,
            _LAYOUT.strip(side == 1) - geometry.TEXT_STRIP / 2 + 0.05,
            width,
            geometry.TEXT_STRIP - 0.1,
            f"{SEATS[side]} {'is on roll' if setup.turn == side else 'shall be on roll'}",
        )
        for side in (-1, 1)
    ]
