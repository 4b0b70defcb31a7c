"""Plays as FIBS writes them: ``17-21 19-21``, ``bar-5``, ``6-off``, points numbered the same for both sides.

One side moves up, the other down, and which is which changes from game to game; but every single step tells (who enters
on 1 to 6 moves up, who bears off from there moves down), so nothing else has to be known.
"""

from __future__ import annotations

import re
from typing import Final

_STEP: Final = re.compile(r"(bar|b|\d{1,2})\s*[-/]\s*(off|o|\d{1,2})\*?", re.IGNORECASE)


def mover_text(text: str) -> str | None:
    """A play in the numbering of the side that makes it, ``8/4 6/4``.

    Parameters
    ----------
    text : str
        Steps with a hyphen between from and to.

    Returns
    -------
    str or None
        None where the text is no list of steps, or its steps go both ways.
    """
    words = text.split()
    steps = [_STEP.fullmatch(word) for word in words]
    pairs = [(step[1].casefold(), step[2].casefold()) for step in steps if step]
    directions = {_goes_up(start, end) for start, end in pairs}
    if len(pairs) != len(words) or len(directions) > 1:
        return None
    up = directions == {True}
    return " ".join(f"{_place(start, up, 'bar')}/{_place(end, up, 'off')}" for start, end in pairs)


def _goes_up(start: str, end: str) -> bool:
    if start.isdigit() and end.isdigit():
        return int(end) > int(start)
    if start.isdigit():
        return int(start) > 12
    return end.isdigit() and int(end) <= 12


def _place(name: str, up: bool, word: str) -> str:
    if not name.isdigit():
        return word
    return str(25 - int(name)) if up else name
