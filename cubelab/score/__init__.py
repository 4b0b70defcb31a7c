"""From scores to numbers: match equity tables and compiled stakes."""

from .met import MatchEquityTable
from .pips import PipCounts
from .stakes import Stakes

__all__ = ["MatchEquityTable", "PipCounts", "Stakes"]
