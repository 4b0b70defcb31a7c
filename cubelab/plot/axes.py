"""A scene drawn on a matplotlib Axes: text becomes outlines, so it scales with the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from .scene import Box, Curve, Disc, Label, Polygon, Scene
from .themes import Paint, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_scene(ax: Axes, scene: Scene, theme: Theme) -> Axes:
    """Draw a scene; the Axes gets the scene's coordinates, equal scales and no ticks."""
    ax.set_xlim(0, scene.width)
    ax.set_ylim(scene.height, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    # Data units become points only when the Axes has its place, which equal scales may change.
    ax.apply_aspect()
    points_per_unit = ax.get_window_extent().width / scene.width * 72 / ax.figure.dpi
    for order, shape in enumerate(scene.shapes):
        paint = theme.paint(shape.role)
        patch = _patch(shape, paint)
        patch.set(
            facecolor=paint.fill or "none",
            edgecolor=paint.stroke or "none",
            linewidth=paint.width * points_per_unit,
            zorder=2 + order * 1e-3,
        )
        ax.add_patch(patch)
    return ax


def _patch(shape, paint: Paint):
    from matplotlib import patches
    from matplotlib.path import Path

    match shape:
        case Disc():
            return patches.Circle(shape.centre, shape.radius)
        case Box():
            style = f"round,pad=0,rounding_size={shape.rounding}" if shape.rounding else "square,pad=0"
            return patches.FancyBboxPatch(shape.corner, shape.width, shape.height, boxstyle=style)
        case Polygon():
            return patches.Polygon(shape.spots)
        case Curve():
            path = Path([shape.start, shape.control, shape.end], [Path.MOVETO, Path.CURVE3, Path.CURVE3])
            return patches.PathPatch(path, fill=False, linestyle=(0, (2.2, 1.3)) if shape.dashed else "solid")
        case Label():
            return _outline(shape)
        case _:
            assert_never(shape)


def _outline(label: Label):
    from matplotlib.font_manager import FontProperties
    from matplotlib.patches import PathPatch
    from matplotlib.textpath import TextPath
    from matplotlib.transforms import Affine2D

    font = FontProperties(family="sans-serif", weight="bold" if label.bold else "normal")
    path = TextPath((0, 0), label.text.replace("$", r"\$"), size=label.size, prop=font)
    box = path.get_extents() if len(path.vertices) else None
    width = box.x1 if box is not None else 0.0
    x, y = label.centre
    left = x - {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
    return PathPatch(path.transformed(Affine2D().scale(1, -1).translate(left, y + 0.355 * label.size)))
