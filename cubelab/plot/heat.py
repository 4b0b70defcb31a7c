"""Tables as coloured cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .figures import ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

#: Smaller type than this (points) is not written.
_READABLE = 5.0


def cells(
    ax: Axes,
    values: np.ndarray,
    texts: Sequence[Sequence[str]],
    rows: Sequence[str],
    columns: Sequence[str],
    **colouring: Any,
) -> AxesImage:
    """Draw a table of coloured cells with a text in each, row 0 at the top; NaN cells stay empty.

    Parameters
    ----------
    ax : Axes
    values : float[rows, columns]
        What is coloured.
    texts : strings by row and column
        Left out where the cells are too small to read them.
    rows, columns : sequence of str
        Names at the left and below.
    **colouring
        ``cmap``, ``norm``, ``vmin``, ``vmax`` of matplotlib.
    """
    image = ax.imshow(values, aspect="auto", **colouring)
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(length=0)
    ax.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=1)
    ax.tick_params(which="minor", length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    write(ax, image, values, texts)
    return image


def write(ax: Axes, image: AxesImage, values: np.ndarray, texts: Sequence[Sequence[str]]) -> None:
    """Write texts into cells at a size that fits, in black or white; only first lines if the rest gets too small."""
    place = ax.get_window_extent()
    height = place.height / ax.figure.dpi / len(values)
    width = place.width / ax.figure.dpi / len(values[0])
    points = _fitting(texts, width, height)
    if points < _READABLE:
        texts = [[text.split("\n")[0] for text in row] for row in texts]
        points = _fitting(texts, width, height)
    if points < _READABLE:
        return
    points = min(points, float(ax.xaxis.label.get_fontsize()))
    for i, row in enumerate(texts):
        for j, text in enumerate(row):
            if text and np.isfinite(values[i, j]):
                ink = ink_on(tuple(image.cmap(image.norm(values[i, j]))))
                written = ax.text(j, i, text, ha="center", va="center", fontsize=points, color=ink, linespacing=1.1)
                # They lie within the cells; measuring each for the layout of the figure takes seconds.
                written.set_in_layout(False)


def _fitting(texts: Sequence[Sequence[str]], width: float, height: float) -> float:
    """Font size (points) at which all texts fit a cell of this size (inches)."""
    lines = max(text.count("\n") + 1 for row in texts for text in row)
    longest = max(len(line) for row in texts for text in row for line in text.split("\n"))
    # A digit is about 0.6 of its font size wide, a line 1.2 of it high.
    return 72 * min(0.8 * height / (1.2 * lines), 0.85 * width / (0.6 * max(longest, 1)))
