"""Static (0-ply) evaluation of positions after a play: finished games, exact bearoffs, races, contact networks.

In a race each side's own number of rolls gives the winning chance (``race``), a network the gammons.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .bearoff import bearoff_probabilities
from .network import NETWORKS, NO_CONTACT, Nets, enqueue, finish, first_layer, network_of, new_workspace
from .race import race_win
from .vectors import BATCH, board_masks, low_bit, top_bit

__all__ = [
    "BEAROFF",
    "CONTACT",
    "OVER",
    "RACE",
    "Nets",
    "evaluate_after",
    "evaluate_candidates",
    "evaluate_many",
    "evaluate_series",
    "position_class",
]

CONTACT, RACE, BEAROFF, OVER = 0, 1, 2, 3
#: Of the backgammons that follow a contact position, the share that ends with a loser's checker on the bar: 4.8 % over
#: the contact positions of 541 backgammons in 48,000 games of the shipped networks against themselves at 0-ply.
BAR_SHARE = np.float32(0.05)


@njit(cache=True, _nrt=False)
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


@njit(cache=True, _nrt=False)
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


@njit(cache=True, _nrt=False)
def count_bar_only(afters, n, out):
    """Turn backgammons into gammons where only a loser's checker on the bar makes a backgammon.

    Exact for finished games and races (nobody is hit any more); a contact position keeps `BAR_SHARE` of them, since
    the networks have learned the usual rule.
    """
    for k in range(n):
        after = afters[k]
        kind = position_class(after)
        share = BAR_SHARE if kind == CONTACT else np.float32(0.0)
        if kind == OVER and (after[0] < 0 or after[25] > 0):
            share = np.float32(1.0)
        for gammon in (1, 4):
            turned = (np.float32(1.0) - share) * out[k, gammon + 1]
            out[k, gammon] += turned
            out[k, gammon + 1] -= turned


@njit(cache=True, _nrt=False)
def _exact_bearoff(nets, work, after, out):
    for p in range(26):
        work.flipped[p] = -after[25 - p]
    bearoff_probabilities(nets.bearoff, work.flipped, out)
    for i in range(3):
        out[i], out[i + 3] = out[i + 3], out[i]


@njit(cache=True, _nrt=False)
def _finish(nets, work, net, out):
    """Probabilities of a network's batch into their rows; in a race it has only the gammons to say."""
    finish(nets, work, net, out)
    if net == NO_CONTACT:
        for place in range(work.waiting[net]):
            probs, chances = out[work.queue[net, place, 0]], work.race_chances[place]
            _put_win(probs, np.int64(0), chances[0], chances[1])
            _put_win(probs, np.int64(3), 1.0 - chances[0], chances[2])
    work.waiting[net] = 0


@njit(cache=True, _nrt=False)
def _put_win(probs, first, win, backgammon):
    """Make one side's chances sum to `win`: its gammons, backgammons among them, are left if there is room for them."""
    gammons = min(np.float64(probs[first + 1] + probs[first + 2]), win)
    probs[first + 2] = min(backgammon, gammons)
    probs[first + 1] = gammons - min(backgammon, gammons)
    probs[first] = win - gammons


@njit(cache=True, _nrt=False)
def evaluate_series(nets, work, afters, n, out):
    """Outcome probabilities of n positions after a play, each computed from the one before by what differs.

    Parameters
    ----------
    nets : Nets
    work : Workspace
        From `new_workspace()`; may be used for any number of series with the same networks (by one thread).
    afters : int8[:, 26]
        Mover's view, opponent to roll. Any order gives the same numbers; similar positions in a row are faster.
    n : int
        Rows to evaluate.
    out : float32[:, 6]
        Filled: win, win gammon, win backgammon, lose, lose gammon, lose backgammon of the mover, exclusive.
    """
    for k in range(n):
        after = afters[k]
        kind = position_class(after)
        if kind == OVER:
            _final_result(after, out[k])
        elif kind == BEAROFF:
            _exact_bearoff(nets, work, after, out[k])
        else:
            if kind == RACE:
                win, gammons, win_backgammon, lose_backgammon = race_win(nets.race, nets.bearoff, work.race, after)
                if not gammons:
                    for i in range(6):
                        out[k, i] = 0.0
                    out[k, 0] = win
                    out[k, 3] = 1.0 - win
                    continue
                chances = work.race_chances[work.waiting[NO_CONTACT]]
                chances[0], chances[1], chances[2] = win, win_backgammon, lose_backgammon
            net = network_of(after, kind == RACE)
            first_layer(nets, work, net, after)
            enqueue(nets, work, net, k)
            if work.waiting[net] == BATCH:
                _finish(nets, work, net, out)
    for net in range(NETWORKS):
        if work.waiting[net] > 0:
            _finish(nets, work, net, out)
    if nets.bar_only:
        count_bar_only(afters, n, out)


@njit(cache=True)
def evaluate_many(nets, afters, n, out):
    """`evaluate_series` with a workspace of its own."""
    evaluate_series(nets, new_workspace(), afters, n, out)


@njit(cache=True)
def evaluate_candidates(nets, parent, afters, n, out):
    """`evaluate_series` for the results of one roll; `parent`, the position before the play, is not needed."""
    evaluate_series(nets, new_workspace(), afters, n, out)


@njit(cache=True)
def evaluate_after(nets, after, out):
    """`evaluate_series` for one position: int8[26] into float32[6]."""
    evaluate_series(nets, new_workspace(), after.reshape(1, 26), np.int64(1), out.reshape(1, 6))
