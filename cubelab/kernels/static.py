"""Static (0-ply) evaluation of positions after a play: finished games, exact bearoffs, race and contact networks."""

from __future__ import annotations

import numpy as np
from numba import njit

from .bearoff import bearoff_probabilities
from .network import Nets, finish, new_workspace, sum_all, sum_change
from .vectors import board_masks, low_bit, top_bit

__all__ = [
    "BEAROFF",
    "CONTACT",
    "OVER",
    "RACE",
    "Nets",
    "evaluate_after",
    "evaluate_candidates",
    "evaluate_many",
    "position_class",
]

CONTACT, RACE, BEAROFF, OVER = 0, 1, 2, 3


@njit(cache=True)
def position_class(board):
    """CONTACT, RACE, BEAROFF (both sides home, no contact) or OVER; any side's view."""
    mover, _, opponent, _ = board_masks(board)
    if mover == 0 or opponent == 0:
        return OVER
    rear = top_bit(mover)
    front = low_bit(opponent)
    if rear > front:
        return CONTACT
    return BEAROFF if rear <= 6 and front >= 19 else RACE


@njit(cache=True)
def _final_result(board, out):
    """The finished game: which side has all checkers off, and how much it has won."""
    mover_left = 0
    opponent_left = 0
    for p in range(26):
        if board[p] > 0:
            mover_left += board[p]
        else:
            opponent_left -= board[p]
    for i in range(6):
        out[i] = 0.0
    size = 0
    if mover_left == 0:
        if opponent_left == 15:
            size = 1
            for p in range(7):
                if board[p] < 0:
                    size = 2
        out[size] = 1.0
    else:
        if mover_left == 15:
            size = 1
            for p in range(19, 26):
                if board[p] > 0:
                    size = 2
        out[3 + size] = 1.0


@njit(cache=True)
def _exact_bearoff(nets, after, out):
    flipped = np.empty(26, np.int8)
    for p in range(26):
        flipped[p] = -after[25 - p]
    bearoff_probabilities(nets.bearoff, flipped, out)
    for i in range(3):
        out[i], out[i + 3] = out[i + 3], out[i]


@njit(cache=True)
def _evaluate(nets, work, after, out):
    kind = position_class(after)
    if kind == OVER:
        _final_result(after, out)
    elif kind == BEAROFF:
        _exact_bearoff(nets, after, out)
    else:
        sum_all(nets, work, kind, after)
        finish(nets, work, kind, out)


@njit(cache=True)
def evaluate_after(nets, after, out):
    """Outcome probabilities of one position after a play.

    Parameters
    ----------
    nets : Nets
    after : int8[26]
        Mover's view, opponent to roll.
    out : float32[6]
        Filled: win, win gammon, win backgammon, lose, lose gammon, lose backgammon of the mover, exclusive.
    """
    _evaluate(nets, new_workspace(), after, out)


@njit(cache=True)
def evaluate_many(nets, afters, n, out):
    """`evaluate_after` for the first n rows of int8[:, 26] into float32[:, 6]."""
    work = new_workspace()
    for k in range(n):
        _evaluate(nets, work, afters[k], out[k])


@njit(cache=True)
def evaluate_candidates(nets, parent, afters, n, out):
    """`evaluate_after` for the results of one roll, each computed from the one before by what differs.

    The numbers are exactly those of `evaluate_after`, in whatever order: the first layer is summed in whole numbers.

    Parameters
    ----------
    nets : Nets
    parent : int8[26]
        The position before the play, mover's view (not needed at present).
    afters : int8[:, 26]
    n : int
        Rows to evaluate.
    out : float32[:, 6]
        Filled.
    """
    work = new_workspace()
    ready = 0
    for k in range(n):
        after = afters[k]
        kind = position_class(after)
        if kind == OVER:
            _final_result(after, out[k])
        elif kind == BEAROFF:
            _exact_bearoff(nets, after, out[k])
        else:
            if (ready >> kind) & 1:
                sum_change(nets, work, kind, after)
            else:
                sum_all(nets, work, kind, after)
                ready |= 1 << kind
            finish(nets, work, kind, out[k])
