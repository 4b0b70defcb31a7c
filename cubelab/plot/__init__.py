"""Pictures: board diagrams as SVG, charts as matplotlib Axes."""

from .board import BoardDrawing, board, board_axes
from .themes import THEMES, Theme

__all__ = ["THEMES", "BoardDrawing", "Theme", "board", "board_axes"]
