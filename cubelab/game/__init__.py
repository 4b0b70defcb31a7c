"""What is on the table: immutable values."""

from .cube import Cube, Owner
from .dice import ROLLS, WEIGHTS, Dice
from .match import MatchState
from .play import Play, apply_hops, legal_plays, read_hops
from .position import Phase, Position
from .probabilities import GameResult, Probabilities
from .rules import BackgammonRule, Rules, Scoring
from .situation import Offer, Situation

__all__ = [
    "ROLLS",
    "WEIGHTS",
    "BackgammonRule",
    "Cube",
    "Dice",
    "GameResult",
    "MatchState",
    "Offer",
    "Owner",
    "Phase",
    "Play",
    "Position",
    "Probabilities",
    "Rules",
    "Scoring",
    "Situation",
    "apply_hops",
    "legal_plays",
    "read_hops",
]
