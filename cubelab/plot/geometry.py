"""Where things lie on a board diagram.

Everything is placed for the player at the bottom ("near") with the home board at the right and mirrored once, at the
end, for the other direction of play: whatever is drawn through a `Layout` flips together.

Coordinates are in board units (see `scene`): from left to right the cube's column, six points, the bar, six points,
the tray of borne-off checkers; from top to bottom a line of text, point numbers, the field, numbers, text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .scene import Spot

FRAME: Final = 0.3
COLUMN: Final = 1.5
BAR: Final = 1.2
HALF: Final = 6.0
TEXT_STRIP: Final = 1.05
NUMBER_STRIP: Final = 0.6
FIELD_HEIGHT: Final = 11.6
POINT_HEIGHT: Final = 4.9
#: Checkers drawn on a point or on half the bar; a larger stack carries its number.
STACK: Final = 5

WIDTH: Final = 2 * FRAME + 2 * COLUMN + BAR + 2 * HALF
TOP: Final = TEXT_STRIP + NUMBER_STRIP
BOTTOM: Final = TOP + FIELD_HEIGHT
HEIGHT: Final = BOTTOM + NUMBER_STRIP + TEXT_STRIP
MIDDLE: Final = (TOP + BOTTOM) / 2
_LEFT_HALF: Final = FRAME + COLUMN
_BAR_LEFT: Final = _LEFT_HALF + HALF
_RIGHT_HALF: Final = _BAR_LEFT + BAR
_TRAY: Final = _RIGHT_HALF + HALF
_SLOT: Final = 0.32


@dataclass(frozen=True, slots=True)
class Layout:
    """Places on the diagram; points are numbered by the near player.

    Parameters
    ----------
    clockwise : bool
        The near player moves clockwise: home board at the left.
    """

    clockwise: bool = False

    def x(self, x: float) -> float:
        """An x coordinate, mirrored when the near player moves clockwise."""
        return WIDTH - x if self.clockwise else x

    def point_x(self, point: int) -> float:
        """Middle of a point, 1 to 24."""
        column = point if point <= 12 else 25 - point
        right = _TRAY if column <= 6 else _BAR_LEFT + 6.0
        return self.x(right - column + 0.5)

    def point(self, point: int) -> tuple[Spot, Spot, Spot]:
        """Corners of a point's triangle, the tip last."""
        x = self.point_x(point)
        edge, tip = (BOTTOM, BOTTOM - POINT_HEIGHT) if point <= 12 else (TOP, TOP + POINT_HEIGHT)
        return (x - 0.5, edge), (x + 0.5, edge), (x, tip)

    def checker(self, point: int, level: int) -> Spot:
        """Centre of checker number `level` (from 0) on a point; on 25 and 0 of the near and the far player's bar."""
        height = min(level, STACK - 1)
        if point in (0, 25):
            away = 0.65 + height * 0.98
            return self.x(_BAR_LEFT + BAR / 2), MIDDLE + (away if point == 25 else -away)
        away = 0.5 + height * 0.98
        return self.point_x(point), BOTTOM - away if point <= 12 else TOP + away

    def number(self, point: int) -> Spot:
        """Where a point's number is written."""
        away = NUMBER_STRIP / 2
        return self.point_x(point), BOTTOM + away if point <= 12 else TOP - away

    def off_slot(self, near: bool, index: int) -> tuple[Spot, float, float]:
        """Corner, width and height of a borne-off checker, number `index` from 0."""
        away = 0.12 + index * _SLOT
        y = BOTTOM - away - _SLOT if near else TOP + away
        width = COLUMN - 0.3
        return (self._corner(_TRAY + 0.15, width), y + 0.02), width, _SLOT - 0.04

    def off_count(self, near: bool) -> Spot:
        """Where the number of borne-off checkers is written."""
        return self.x(_TRAY + COLUMN / 2 + 0.06), MIDDLE + (0.42 if near else -0.42)

    def fields(self) -> tuple[tuple[str, Spot, float, float], ...]:
        """Role, corner, width and height of the areas inside the frame."""
        half, full = FIELD_HEIGHT / 2 - 0.15, FIELD_HEIGHT
        column = COLUMN - 0.12
        return (
            ("field", (self._corner(_LEFT_HALF, HALF), TOP), HALF, full),
            ("field", (self._corner(_RIGHT_HALF, HALF), TOP), HALF, full),
            ("tray", (self._corner(_TRAY + 0.12, column), TOP), column, half),
            ("tray", (self._corner(_TRAY + 0.12, column), BOTTOM - half), column, half),
            ("tray", (self._corner(FRAME, column), TOP), column, full),
        )

    def cube(self, side: int) -> Spot:
        """Centre of the cube: `side` 1 near, 0 centred, -1 far."""
        return self.x(FRAME + (COLUMN - 0.12) / 2), MIDDLE + side * (FIELD_HEIGHT / 2 - 0.8)

    def offered_cube(self, near: bool) -> Spot:
        """Centre of a cube offered by the near (or far) player: on the half where that player does not roll."""
        return self.x(_LEFT_HALF + HALF / 2 if near else _RIGHT_HALF + HALF / 2), MIDDLE

    def die(self, near: bool, index: int) -> Spot:
        """Centre of the first or second die: each player rolls on the half to the right hand."""
        middle = _RIGHT_HALF + HALF / 2 if near else _LEFT_HALF + HALF / 2
        return self.x(middle + (index - 0.5) * 1.35), MIDDLE

    def strip(self, near: bool) -> float:
        """Height of the middle of a player's line of text."""
        return HEIGHT - TEXT_STRIP / 2 if near else TEXT_STRIP / 2

    def _corner(self, left: float, width: float) -> float:
        """Left edge of an area after mirroring."""
        return WIDTH - left - width if self.clockwise else left
