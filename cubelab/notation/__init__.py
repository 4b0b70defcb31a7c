"""Foreign ids and boards: what a text is, OGID, boards drawn with characters."""

from .board import board_text
from .detect import parse_situation

__all__ = ["board_text", "parse_situation"]
