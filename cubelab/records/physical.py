"""Checkers moved as a text says, whatever the rules: for plays that were illegal but made."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from ..errors import IllegalPlay, NotationError
from ..game import Position
from ..game.position import MOVER_BAR, OPPONENT_BAR
from ..wording import counted

_WORD: Final = re.compile(r"(?:bar|off|\d{1,2})\*?(?:/(?:bar|off|\d{1,2})\*?)+(?:\([1-9]\))?")
_PLACES: Final = {"bar": MOVER_BAR, "off": 0}
#: No roll moves more checkers than this many times.
_MOST_STEPS: Final = 8


def apply_text(text: str, position: Position) -> Position:
    """Position after a play whose steps are made one by one, forwards or backwards, with hits where a step ends.

    Parameters
    ----------
    text : str
        Steps in the mover's numbering.
    position : Position
        Seen by the side that plays.

    Returns
    -------
    Position
        Still seen by that side.

    Raises
    ------
    NotationError
        The text is no list of steps.
    IllegalPlay
        A step starts where the mover has no checker, or ends on a point the opponent holds.
    """
    board = list(position.board)
    waiting = steps_of(text)
    while waiting:
        # Texts list steps in any order: one that waits for another step's checker is made after it.
        step = next((step for step in waiting if _possible(board, *step)), None)
        if step is None:
            start, end = waiting[0]
            raise IllegalPlay(f"play {text!r}: the step {start}/{end} cannot be made on this board")
        waiting.remove(step)
        start, end = step
        board[start] -= 1
        if end:
            if board[end] == -1:
                board[end] = 0
                board[OPPONENT_BAR] -= 1
            board[end] += 1
    return Position(tuple(board))


def _possible(board: list[int], start: int, end: int) -> bool:
    return board[start] > 0 and (end == 0 or board[end] >= -1)


def steps_of(text: str) -> list[tuple[int, int]]:
    """Steps that a text names: from and to in the mover's numbering, 25 the bar, 0 off.

    Raises
    ------
    NotationError
        It is no list of steps.
    """
    steps: list[tuple[int, int]] = []
    for word in text.casefold().split():
        if not _WORD.fullmatch(word):
            raise NotationError(f"play {text!r}: {word!r} is no step such as 13/7 or bar/22*")
        chain, _, repeat = word.rstrip(")").partition("(")
        places = [_PLACES[name] if name in _PLACES else int(name) for name in chain.replace("*", "").split("/")]
        if any(place > MOVER_BAR for place in places) or MOVER_BAR in places[1:] or 0 in places[:-1]:
            raise NotationError(f"play {text!r}: {word!r} names a place that is not on the board")
        steps += list(pairwise(places)) * int(repeat or 1)
    if not steps or len(steps) > _MOST_STEPS:
        raise NotationError(f"play {text!r} has {counted(len(steps), 'step')}; a roll moves checkers one to four times")
    return steps
