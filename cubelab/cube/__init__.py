"""Decision theory of the doubling cube: probabilities and stakes in, decisions out; never evaluates a board."""

from .decision import CubeDecision, CubeEquities, Loss, decide, decision_from_values
from .models import CubeModel, DeadCube, Janowski, LiveCube, cube_model
from .verdict import Verdict

__all__ = [
    "CubeDecision",
    "CubeEquities",
    "CubeModel",
    "DeadCube",
    "Janowski",
    "LiveCube",
    "Loss",
    "Verdict",
    "cube_model",
    "decide",
    "decision_from_values",
]
