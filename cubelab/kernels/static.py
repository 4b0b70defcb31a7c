"""Static (0-ply) evaluation of positions after a play: finished games, exact bearoffs, race and contact networks."""

from __future__ import annotations

import numpy as np
from numba import njit

from .bearoff import bearoff_probabilities
from .features import ROWS
from .network import Nets, finish, new_workspace, sum_all, sum_change

__all__ = ["BEAROFF", "CONTACT", "OVER", "RACE", "Nets", "evaluate_after", "evaluate_candidates", "evaluate_many", "position_class"]

CONTACT, RACE, BEAROFF, OVER = 0, 1, 2, 3


@njit(cache=True)
def position_class(board):
    """CONTACT, RACE, BEAROFF (both sides home, no contact) or OVER; any side's view."""
    rear = 25  # the mover's rearmost place
    while rear > 0 and board[rear] <= 0:
        rear -= 1
    front = 0  # the opponent's rearmost place, in the mover's numbering
    while front < 25 and board[front] >= 0:
        front += 1
    if rear == 0 or (front == 25 and board[25] >= 0):
        return OVER
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
        mover_off, opponent_off = _borne_off(after)
        sum_all(nets, work, kind, kind * ROWS, after, kind)
        finish(nets, work, kind, kind, after, mover_off, opponent_off, out)


@njit(cache=True)
def _borne_off(board):
    mover_off = 15
    opponent_off = 15
    for p in range(26):
        c = np.int64(board[p])
        mover_off -= max(c, 0)
        opponent_off += min(c, 0)
    return mover_off, opponent_off


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
    """`evaluate_after` for the results of one roll, each computed from the parent by what differs.

    Parameters
    ----------
    nets : Nets
    parent : int8[26]
        The position before the play, mover's view. Any similar position gives the same numbers; a nearer one is faster.
    afters : int8[:, 26]
    n : int
        Rows to evaluate.
    out : float32[:, 6]
        Filled.
    """
    work = new_workspace()
    mover_off, opponent_off = _borne_off(parent)
    ready = 0
    for k in range(n):
        after = afters[k]
        kind = position_class(after)
        if kind == OVER:
            _final_result(after, out[k])
        elif kind == BEAROFF:
            _exact_bearoff(nets, after, out[k])
        else:
            if not (ready >> kind) & 1:
                sum_all(nets, work, kind, kind * ROWS, parent, kind)
                ready |= 1 << kind
            off, other_off = sum_change(nets, work, kind, kind * ROWS, parent, mover_off, opponent_off, after)
            finish(nets, work, kind, 2, after, off, other_off, out[k])
