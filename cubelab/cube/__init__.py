"""Decision theory of the doubling cube: probabilities and stakes in, decisions out; never evaluates a board."""

from .decision import CubeDecision, CubeEquities, Loss, decide, decision_from_values
from .many import CubeDecisions, decide_many
from .models import CubeModel, DeadCube, Janowski, LiveCube, cube_model
from .points import CubePoints, GammonPrices, backgammon_price, cube_points, gammon_price, gammon_prices
from .prices import price_table
from .recube import TakeBill, take_bill
from .robustness import Flip, Robustness, nearest_flips, robustness
from .rule_table import rule_table
from .scores import ScoreTable, score_table
from .verdict import Verdict
from .windows import MarketWindow, market_window, verdict_plane

__all__ = [
    "CubeDecision",
    "CubeDecisions",
    "CubeEquities",
    "CubeModel",
    "CubePoints",
    "DeadCube",
    "Flip",
    "GammonPrices",
    "Janowski",
    "LiveCube",
    "Loss",
    "MarketWindow",
    "Robustness",
    "ScoreTable",
    "TakeBill",
    "Verdict",
    "backgammon_price",
    "cube_model",
    "cube_points",
    "decide",
    "decide_many",
    "decision_from_values",
    "gammon_price",
    "gammon_prices",
    "market_window",
    "nearest_flips",
    "price_table",
    "robustness",
    "rule_table",
    "score_table",
    "take_bill",
    "verdict_plane",
]
