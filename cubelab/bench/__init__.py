"""Measuring strength and speed: against truth, another version, or GNU Backgammon where it is installed."""
