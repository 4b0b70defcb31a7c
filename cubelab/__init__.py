"""cubelab: cube-decision analysis for backgammon, in notebooks and data frames.

The names below are loaded when first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes as long to load as all else here; Ctrl-C in that time would meet Python itself
    from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "errors": ("CubelabError",),
    "game": (
        "BackgammonRule",
        "Cube",
        "GameResult",
        "MatchState",
        "Offer",
        "Owner",
        "Phase",
        "Position",
        "Probabilities",
        "Rules",
        "Scoring",
        "Situation",
    ),
    "game.play": ("Play",),
    "notation": ("board_text", "parse_situation"),
    "score.build": ("build_table", "compare_tables"),
    "score.met": ("MatchEquityTable",),
    "score.stakes": ("Stakes",),
    "cube": (
        "CubeDecision",
        "CubeEquities",
        "DeadCube",
        "Janowski",
        "LiveCube",
        "Verdict",
        "backgammon_price",
        "cube_points",
        "decide",
        "decide_many",
        "gammon_price",
        "gammon_prices",
        "market_window",
        "price_table",
        "robustness",
        "rule_table",
        "score_table",
        "take_bill",
        "verdict_plane",
    ),
    "engine.endings": ("ending_decision",),
    "engine.ledger": ("market_ledger",),
    "engine.external": ("second_opinion", "second_opinions"),
    "engine.neural": ("evaluate_positions",),
    "engine.rolled_plays": ("rollout_plays",),
    "engine.rollout": ("Rollout",),
    "engine.rollout_run": ("rollout",),
    "engine.rollout_settings": ("RolloutSettings",),
    "engine.search": ("cube_decision", "evaluate", "evaluate_many", "ranked_plays"),
    "practice.quiz": ("quiz",),
    "practice.sheet": ("ScoreSheet",),
    "records": ("read_match", "read_matches", "read_positions", "write_match"),
    "study.stored": ("compare_stored", "stored_summary"),
    "interactive": ("browse", "editor", "take_point_sliders"),
    "study.analysis": ("analyse",),
    "study.positions": ("cube_decisions",),
    "study.sheets": ("position_rules", "position_scores"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}
__all__ = sorted([*_HOME_OF, "__version__"])


def __getattr__(name: str) -> Any:
    if name == "plot":  # cl.plot.board(…) without a further import
        return import_module(".plot", __name__)
    if name not in _HOME_OF:
        raise AttributeError(f"module 'cubelab' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "plot"]
