"""Everything cubelab raises on bad input: one clear sentence saying what is wrong, where, and what would be right."""

from __future__ import annotations


class CubelabError(ValueError):
    """Base of all errors caused by input, settings or files."""


class NotationError(CubelabError):
    """A text (id, play, score) cannot be read at all."""


class IllegalPosition(CubelabError):
    """Checkers that cannot stand on a board this way."""


class IllegalPlay(CubelabError):
    """A play the rules do not allow for the position and roll."""


class IllegalRules(CubelabError):
    """Rules, score or cube that contradict each other."""


class IllegalProbabilities(CubelabError):
    """Numbers that are not outcome probabilities of a game."""


class TableError(CubelabError):
    """A match equity table that is damaged, unknown or too small."""


class RecordError(CubelabError):
    """A saved game that cannot be read; names the file and the line.

    Parameters
    ----------
    message : str
        What is wrong.
    file : str, optional
        Name of the file.
    line : int, optional
        Line number, from 1.
    """

    def __init__(self, message: str, *, file: str | None = None, line: int | None = None):
        place = ", ".join(p for p in (file, None if line is None else f"line {line}") if p)
        super().__init__(f"{place}: {message}" if place else message)
        self.message, self.file, self.line = message, file, line


class DataMissing(CubelabError):
    """Package data, a database or a checkpoint is missing or damaged."""


class SettingsError(CubelabError):
    """Settings of an analysis that cannot be carried out."""
