"""Cubeful look-ahead: values of every cube state, averaged over all rolls with the best reply to each.

A node is a player about to roll. It carries a table of values, one row per cube level (cube = current value · 2^level)
and one column per place of the cube: 0 centred, 1 the roller's, 2 the other side's. All are the roller's values before
a cube action of theirs. One walk over the rolls serves all states; a state only changes which reply is best (gammons
are worth different amounts at different cube levels) and what happens to the cube at the nodes below.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .bearoff import is_bearoff, two_sided_row
from .cube import cube_values
from .moves import MAX_PLAYS, legal_boards
from .static import evaluate_after, evaluate_candidates

CENTRED, OWNED, THEIRS = 0, 1, 2
MAX_PLY = 3


class CubeTable(NamedTuple):
    """What results and cube actions are worth; index 0 of the first axis is the root's roller, 1 the other side.

    ``payoffs`` float64[2, levels, 6]; ``may_turn`` bool[2, levels, 2] (roller, other side); ``groups`` int64[levels]:
    the lowest level at which the results are worth the same but for scale, so that the same replies are best;
    ``efficiency`` float64[3]: Janowski's x with contact, in a race of up to 40 pips, in one of 120 or more;
    ``beavers``: whether a double may be beavered; ``exact``: whether two-sided bearoff values hold (money cube).
    """

    payoffs: np.ndarray
    may_turn: np.ndarray
    groups: np.ndarray
    efficiency: np.ndarray
    beavers: int
    exact: int


@njit(cache=True)
def efficiency_of(efficiency, board):
    """Janowski's x for a position: by contact, in races linear in the roller's pips from 40 to 120."""
    rear, front, pips = 0, 25, 0
    for point in range(26):
        if board[point] > 0:
            rear = point
            pips += point * board[point]
        elif board[point] < 0 and front == 25:
            front = point
    if rear > front:
        return efficiency[0]
    share = min(max((pips - 40) / 80.0, 0.0), 1.0)
    return efficiency[1] + share * (efficiency[2] - efficiency[1])


@njit(cache=True)
def after_cube_action(table, side, values, level, place):
    """Value for `side`, about to roll, once it has doubled or not as is best and the other side has answered."""
    best = values[level, place]
    if place != THEIRS and table.may_turn[side, level, 0]:
        taken = values[level + 1, THEIRS]
        if table.beavers and taken < 0.0:
            taken *= 2.0
        best = max(best, min(taken, table.payoffs[side, level, 0]))
    return best


@njit(cache=True)
def _utility(payoffs, probs):
    total = 0.0
    for result in range(6):
        total += payoffs[result] * probs[result]
    return total


@njit(cache=True)
def _is_over(after):
    for point in range(1, 26):
        if after[point] > 0:
            return False
    return True


@njit(cache=True)
def _exact_values(table, nets, side, board, levels, values):
    """Fill `values` from the two-sided bearoff table; False when the position is outside it."""
    if not table.exact or not is_bearoff(board):
        return False
    row = two_sided_row(nets.bearoff, board)
    if row < 0:
        return False
    for level in range(levels):
        scale = table.payoffs[side, level, 0]
        values[level, CENTRED] = scale * nets.bearoff.two_sided[row, 2]
        values[level, OWNED] = scale * nets.bearoff.two_sided[row, 1]
        values[level, THEIRS] = scale * nets.bearoff.two_sided[row, 3]
    return True


@njit(cache=True)
def _leaf(table, nets, side, board, levels, probs, values):
    if not _exact_values(table, nets, side, board, levels, values):
        x = efficiency_of(table.efficiency, board)
        cube_values(table.payoffs[side], table.may_turn[side], x, probs, values)


@njit(cache=True)
def _flip(board, flipped):
    for point in range(26):
        flipped[point] = -board[25 - point]


@njit(cache=True)
def _swap_sides(probs, swapped):
    for result in range(3):
        swapped[result] = probs[result + 3]
        swapped[result + 3] = probs[result]


@njit(cache=True)
def _child(table, nets, side, after, after_probs, ply, levels, scratch, depth, probs, values):
    """Probabilities and values of the position after a play, for the side that is then to roll."""
    if _is_over(after):
        _swap_sides(after_probs, probs)
        for level in range(levels):
            values[level, :] = _utility(table.payoffs[side, level], probs)
        return
    board = scratch.boards[depth]
    _flip(after, board)
    if ply == 0:
        _swap_sides(after_probs, probs)
        _leaf(table, nets, side, board, levels, probs, values)
    else:
        _node(table, nets, side, board, ply, levels, scratch, depth, probs, values)


@njit(cache=True)
def _node(table, nets, side, board, ply, levels, scratch, depth, probs, values):
    """Average over the 21 rolls of the best reply's value; `ply` ≥ 1 half-moves are looked ahead."""
    probs[:] = 0.0
    values[:levels] = 0.0
    afters, outcomes = scratch.afters[depth], scratch.outcomes[depth]
    child_probs, child_values = scratch.probs[depth], scratch.values[depth]
    best = scratch.best[depth]
    top = table.payoffs.shape[1]
    below = min(levels + 1, top)
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            weight = (1.0 if die1 == die2 else 2.0) / 36.0
            count = legal_boards(board, die1, die2, afters)
            if count == 0:
                afters[0] = board
                count = 1
            evaluate_candidates(nets, board, afters, count, outcomes)
            for level in range(levels):
                best[level] = best[table.groups[level]]
                if table.groups[level] == level:
                    payoffs, leader, chosen = table.payoffs[side, level], -1e9, 0
                    for play in range(count):
                        utility = _utility(payoffs, outcomes[play])
                        if utility > leader:
                            leader, chosen = utility, play
                    best[level] = chosen
            for first in range(levels):
                seen = False
                for earlier in range(first):
                    seen = seen or best[earlier] == best[first]
                if seen:
                    continue
                chosen = best[first]
                _child(
                    table, nets, 1 - side, afters[chosen], outcomes[chosen], ply - 1, below, scratch, depth + 1,
                    child_probs, child_values,
                )  # fmt: skip
                over = _is_over(afters[chosen])
                if first == 0:
                    for result in range(3):
                        probs[result] += weight * child_probs[result + 3]
                        probs[result + 3] += weight * child_probs[result]
                for level in range(first, levels):
                    if best[level] == chosen:
                        for place in range(3):
                            mirrored = (3 - place) % 3
                            if over:
                                value = child_values[level, mirrored]
                            else:
                                value = after_cube_action(table, 1 - side, child_values, level, mirrored)
                            values[level, place] -= weight * value


class Scratch(NamedTuple):
    """Buffers of a search, one row per depth, so that nothing is allocated while it runs."""

    boards: np.ndarray
    afters: np.ndarray
    outcomes: np.ndarray
    probs: np.ndarray
    values: np.ndarray
    best: np.ndarray


@njit(cache=True)
def _scratch(levels):
    depths = MAX_PLY + 2
    return Scratch(
        np.empty((depths, 26), np.int8),
        np.empty((depths, MAX_PLAYS, 26), np.int8),
        np.empty((depths, MAX_PLAYS, 6), np.float32),
        np.empty((depths, 6), np.float64),
        np.empty((depths, levels, 3), np.float64),
        np.empty((depths, levels), np.int64),
    )


@njit(cache=True, nogil=True)
def roll_values(table, nets, board, ply, probs, values):
    """Value the player about to roll on `board` at `ply`; see the module text for `values`.

    Parameters
    ----------
    table : CubeTable
    nets : Nets
    board : int8[26]
    ply : int
        0 to `MAX_PLY`.
    probs : float64[6], filled
        Pre-roll chances along the replies that are best at the current cube.
    values : float64[levels, 3], filled
        Rows 0 and 1 are exact at this ply; further rows only at ply 0.

    Returns
    -------
    bool
        Whether the values come from the two-sided bearoff table, without error.
    """
    levels = min(2, table.payoffs.shape[1])
    scratch = _scratch(table.payoffs.shape[1])
    exact = _exact_values(table, nets, 0, board, levels, values)
    if ply > 0 and not exact:
        _node(table, nets, 0, board, ply, levels, scratch, 0, probs, values)
        return exact
    after, static = scratch.boards[0], scratch.outcomes[0, 0]
    _flip(board, after)
    evaluate_after(nets, after, static)
    _swap_sides(static, probs)
    if not exact:
        _leaf(table, nets, 0, board, levels, probs, values)
    return exact


@njit(cache=True, nogil=True)
def play_values(table, nets, afters, outcomes, ply, place, probs, values):
    """Value plays for the side that made them: `ply` half-moves beyond each resulting board.

    Parameters
    ----------
    table : CubeTable
        Index 0 is the side that made the plays.
    nets : Nets
    afters : int8[n, 26]
    outcomes : float32[n, 6]
        Static chances of each, as `evaluate_candidates` gives them.
    ply : int
    place : int
        Where the cube is, seen by the side that made the plays.
    probs : float64[n, 6], filled
    values : float64[n], filled
    """
    levels = table.payoffs.shape[1]
    scratch = _scratch(levels)
    child_probs, child_values = np.empty(6), np.empty((levels, 3))
    mirrored = (3 - place) % 3
    for play in range(len(afters)):
        _child(table, nets, 1, afters[play], outcomes[play], ply, min(2, levels), scratch, 0, child_probs, child_values)
        _swap_sides(child_probs, probs[play])
        if _is_over(afters[play]):
            values[play] = -child_values[0, mirrored]
        else:
            values[play] = -after_cube_action(table, 1, child_values, 0, mirrored)
