"""A drawing as plain shapes in board units, before it becomes SVG or a matplotlib Axes.

One unit is the width of a checker, y grows downwards. Each shape names a *role* (see `themes.PAINTS`); what colour a
role has is the theme's affair, so that one scene serves every theme and both outputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

Spot: TypeAlias = tuple[float, float]

#: Stands around a text that is written from right to left, where what follows is not.
LEFT_TO_RIGHT: Final = "\u200e"


class Disc(NamedTuple):
    """A circle around `centre`."""

    role: str
    centre: Spot
    radius: float


class Box(NamedTuple):
    """A rectangle whose top left corner is `corner`, with rounded corners."""

    role: str
    corner: Spot
    width: float
    height: float
    rounding: float = 0.0


class Polygon(NamedTuple):
    """A closed polygon."""

    role: str
    spots: tuple[Spot, ...]


class Curve(NamedTuple):
    """A quadratic curve from `start` to `end`, bent towards `control`."""

    role: str
    start: Spot
    control: Spot
    end: Spot
    dashed: bool = False


class Label(NamedTuple):
    """Text whose middle height is at `centre`; `size` is the font size in board units."""

    role: str
    centre: Spot
    text: str
    size: float
    anchor: Literal["start", "middle", "end"] = "middle"
    bold: bool = False


Shape: TypeAlias = Disc | Box | Polygon | Curve | Label


@dataclass(frozen=True, slots=True)
class Scene:
    """Shapes in drawing order.

    Attributes
    ----------
    width, height : float
        In board units.
    shapes : tuple of Shape
    title, description : str
        For people who cannot see the picture.
    """

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str = ""
    description: str = ""
