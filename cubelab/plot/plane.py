"""The verdict in the plane of wins and gammons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arguments import checked
from ..cube.decision import decide
from ..cube.models import CubeModel, Janowski
from ..errors import CubelabError
from ..game import Probabilities
from ..score.stakes import Stakes
from . import verdicts
from .figures import Size, chart, finish, percent, stakes_text

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_COLUMNS = ("win", "win_gammon")


@checked("positions", "lose_gammons", "model", "steps")
def verdict_plane(
    stakes: Stakes,
    positions: Mapping[str, Probabilities] | pd.DataFrame | None = None,
    *,
    lose_gammons: float = 0.0,
    model: CubeModel | None = None,
    steps: int = 140,
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """Map of the verdict over win chance and gammons won, with positions of one's own on it.

    Parameters
    ----------
    stakes : Stakes
        Score, rules and cube; `Stakes.of` makes them.
    positions : mapping of names to Probabilities, or DataFrame, optional
        A frame has the cumulative columns ``win`` and ``win_gammon``; its index gives the names. Rows with missing
        numbers are left out.
    lose_gammons : float
        Share of the losses that are gammons on the whole map, 0 to 1. Positions with another share lie on the map
        only roughly.
    model : CubeModel, optional
        Default Janowski with x = 0.68.
    steps : int
        Fineness of the map: cells a side.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Raises
    ------
    CubelabError
        Numbers that are no shares, a frame without the columns or without rows.
    """
    if not 0 <= lose_gammons <= 1:
        raise CubelabError(f"lose_gammons={lose_gammons} is not a share of the losses between 0 and 1")
    if not 8 <= steps <= 400:
        raise CubelabError(f"steps={steps} is not between 8 and 400")
    marks = _marks(positions)
    model = model or Janowski()
    wins = (np.arange(steps) + 0.5) / steps
    grid = np.full((steps, steps), np.nan)
    for i, gammons in enumerate(wins):
        for j, win in enumerate(wins):
            if gammons <= win:
                chances = Probabilities.from_cumulative(win, gammons, 0.0, (1 - win) * lose_gammons)
                grid[i, j] = verdicts.number(decide(chances, stakes, model, tolerance=verdicts.EXACT))
    with chart(ax, size) as axes:
        axes.imshow(grid, origin="lower", extent=(0, 1, 0, 1), aspect="auto", **verdicts.colouring())
        for name, win, gammons in marks:
            axes.plot(win, gammons, "o", color="black", markeredgecolor="white", markersize=7)
            axes.annotate(f" {name}", (win, gammons), fontsize="small", va="bottom", color="black")
        verdicts.legend(axes, {int(value) for value in np.unique(grid[np.isfinite(grid)])})
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        percent(axes, "both")
        note = f"{stakes_text(stakes)}; {model}; {100 * lose_gammons:g} % of the losses are gammons"
        return finish(axes, "Verdict by wins and gammons", note, "Games won, gammons included", "Gammons won")


def _marks(positions: Any) -> list[tuple[str, float, float]]:
    if positions is None:
        return []
    if hasattr(positions, "columns"):
        missing = [name for name in _COLUMNS if name not in positions.columns]
        if missing:
            raise CubelabError(f"the frame of positions has no column {missing[0]!r}; it needs win and win_gammon")
        kept = positions.dropna(subset=list(_COLUMNS))
        marks = [(str(name), float(row["win"]), float(row["win_gammon"])) for name, row in kept.iterrows()]
    else:
        marks = [(str(name), *chances.cumulative[:2]) for name, chances in positions.items()]
    if not marks:
        raise CubelabError("there are no positions to mark: the frame is empty or all its rows lack numbers")
    return marks
