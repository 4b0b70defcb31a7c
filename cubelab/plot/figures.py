"""What all charts share: a new figure, colours, labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def new_axes(size: tuple[float, float]) -> Axes:
    """The Axes of a new figure of `size` inches."""
    from matplotlib import pyplot

    return pyplot.subplots(figsize=size, layout="constrained")[1]
