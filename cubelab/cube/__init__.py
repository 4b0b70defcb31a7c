"""Decision theory of the doubling cube: probabilities and stakes in, decisions out; never evaluates a board."""

from .decision import CubeDecision, CubeEquities, Loss, decide, decision_from_values
from .many import CubeDecisions, decide_many
from .models import CubeModel, DeadCube, Janowski, LiveCube, cube_model
from .points import CubePoints, GammonPrices, backgammon_price, cube_points, gammon_price, gammon_prices
from .recube import TakeBill, take_bill
from .robustness import Flip, Robustness, nearest_flips, robustness
from .scores import ScoreTable, score_table
from .verdict import Verdict

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
    "nearest_flips",
    "robustness",
    "score_table",
    "take_bill",
]
