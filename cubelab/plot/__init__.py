"""Pictures: board diagrams as SVG, charts as matplotlib Axes.

Every chart takes ``ax=None`` (a new figure) and returns its Axes. matplotlib is imported when the first one is drawn.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .board import BoardDrawing, board, board_axes
from .themes import THEMES, Theme

if TYPE_CHECKING:
    from .curves import double_window, equity_curve, take_points_by_gammons
    from .matches import error_histogram, match_graph, pr_over_time, reliability
    from .plane import verdict_plane
    from .rollouts import rollout_convergence
    from .rolls import market
    from .score_grid import score_map
    from .scores import gammon_prices, match_equities, met_difference, take_points
    from .stored import stored_margins

__all__ = [
    "THEMES",
    "BoardDrawing",
    "Theme",
    "board",
    "board_axes",
    "double_window",
    "equity_curve",
    "error_histogram",
    "gammon_prices",
    "market",
    "match_equities",
    "match_graph",
    "met_difference",
    "pr_over_time",
    "reliability",
    "rollout_convergence",
    "score_map",
    "stored_margins",
    "take_points",
    "take_points_by_gammons",
    "verdict_plane",
]

#: Charts and the modules that draw them; those pull in more than a board needs.
_HOMES = {
    "curves": ("double_window", "equity_curve", "take_points_by_gammons"),
    "matches": ("error_histogram", "match_graph", "pr_over_time", "reliability"),
    "plane": ("verdict_plane",),
    "rolls": ("market",),
    "rollouts": ("rollout_convergence",),
    "score_grid": ("score_map",),
    "scores": ("gammon_prices", "match_equities", "met_difference", "take_points"),
    "stored": ("stored_margins",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'cubelab.plot' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
