"""Games between two players, many side by side: what one evaluator plays, doubles and takes, and the luck of each roll.

Every function answers for a batch of games at the same score; `boards` and `places` are seen by the side about to roll.
Side 0 of the `CubeTable` is the first player, whoever is about to roll.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .moves import MAX_PLAYS, legal_boards
from .network import new_workspace
from .search import (
    CENTRED,
    HIGH,
    LOW,
    THEIRS,
    WEIGHT,
    best_play,
    flip_board,
    look_ahead,
    new_scratch,
    swap_sides,
    worth_ahead,
    worth_now,
)
from .static import evaluate_after, evaluate_series

#: Plays within this of the static best (in units of half the swing between a single win and loss), and at most this
#: many, are looked at more deeply, as in `rollout`.
MARGIN, CANDIDATES = 0.16, 8
_OPENING_WEIGHT = np.where(HIGH == LOW, 0.0, 1.0 / 15.0)


@njit(cache=True)
def _candidates(nets, work, board, roll, afters, outcomes):
    """Plays of a roll with their static chances; a roll that cannot be played leaves the board as one."""
    count = legal_boards(board, HIGH[roll], LOW[roll], afters)
    if count == 0:
        afters[0] = board
        count = 1
    evaluate_series(nets, work, afters, count, outcomes)
    return count


@njit(cache=True, nogil=True)
def best_plays(table, nets, ply, boards, sides, levels, places, rolls, chosen):
    """Boards after the plays that an evaluator finds best, still seen by the side that played.

    Parameters
    ----------
    table : CubeTable
    nets : Nets
    ply : int
        0 plays by the static chances, deeper ones compare the leading candidates with the cube.
    boards : int8[n, 26]
    sides, levels, places : int64[n]
    rolls : int64[n]
        Places in `search.HIGH`, `LOW`.
    chosen : int8[n, 26], filled
    """
    work, scratch = new_workspace(), new_scratch(table.payoffs.shape[1])
    afters, outcomes = np.empty((MAX_PLAYS, 26), np.int8), np.empty((MAX_PLAYS, 6), np.float32)
    for game in range(len(boards)):
        side, level, place = sides[game], levels[game], places[game]
        payoffs = table.payoffs[side, level]
        count = _candidates(nets, work, boards[game], rolls[game], afters, outcomes)
        if ply == 0 or count == 1:
            scratch.close[:count] = 1
            play = best_play(table, nets, scratch, side, level, place, afters, outcomes, count)
        else:
            worth = np.empty(count)
            for k in range(count):
                worth[k] = worth_now(table, nets, scratch, side, level, place, afters[k], outcomes[k])
            order = np.argsort(-worth, kind="mergesort")
            margin = MARGIN * (payoffs[0] - payoffs[3]) / 2.0
            best, play = -1e9, order[0]
            for rank in range(min(count, CANDIDATES)):
                k = order[rank]
                if worth[order[0]] - worth[k] > margin:
                    break
                value = worth_ahead(table, nets, scratch, side, level, place, afters[k], outcomes[k], ply)
                if value > best:
                    best, play = value, k
        chosen[game] = afters[play]


@njit(cache=True, nogil=True)
def roll_luck(table, nets, boards, sides, levels, places, rolls, openings, luck):
    """Luck of the rolls thrown: value after the best play of the roll less its average over all, for the roller.

    Its mean is 0 whatever the evaluator's errors and whatever is then played, so it may be taken off a result.

    Parameters
    ----------
    table, nets, boards, sides, levels, places, rolls
        As for `best_plays`.
    openings : bool[n]
        The first roll of a game, which is no double.
    luck : float64[n], filled
        In the unit of the table.
    """
    work, scratch = new_workspace(), new_scratch(table.payoffs.shape[1])
    afters, outcomes = np.empty((MAX_PLAYS, 26), np.int8), np.empty((MAX_PLAYS, 6), np.float32)
    for game in range(len(boards)):
        side, level, place = sides[game], levels[game], places[game]
        weights = _OPENING_WEIGHT if openings[game] else WEIGHT
        total, mean = 0.0, 0.0
        for roll in range(21):
            if weights[roll] == 0.0:
                continue
            count = _candidates(nets, work, boards[game], roll, afters, outcomes)
            scratch.close[:count] = 1
            play = best_play(table, nets, scratch, side, level, place, afters, outcomes, count)
            value = worth_ahead(table, nets, scratch, side, level, place, afters[play], outcomes[play], 0)
            mean += weights[roll] * value
            if roll == rolls[game]:
                total = value
        luck[game] = total - mean


@njit(cache=True, nogil=True)
def cube_worth(table, nets, ply, boards, sides, levels, places, worth):
    """What an evaluator thinks of the cube before the roll.

    Parameters
    ----------
    table, nets, ply, boards, sides, levels, places
        As for `best_plays`.
    worth : float64[n, 2], filled
        Not doubling, and doubling when it is taken, for the side about to roll; NaN where there is no next cube.
    """
    top = table.payoffs.shape[1]
    scratch, flipped, static = new_scratch(top), np.empty(26, np.int8), np.empty(6, np.float32)
    for game in range(len(boards)):
        level = levels[game]
        scratch.boards[0] = boards[game]
        flip_board(boards[game], flipped)
        evaluate_after(nets, flipped, static)
        swap_sides(static, scratch.probs[0])
        look_ahead(table, nets, scratch, sides[game], CENTRED, min(level + 2, top), ply)
        worth[game, 0] = scratch.values[0, level, places[game]]
        worth[game, 1] = scratch.values[0, level + 1, THEIRS] if level + 1 < top else np.nan


@njit(cache=True, nogil=True)
def chances_ahead(table, nets, ply, boards, probs):
    """Cubeless chances of boards about to be rolled, `ply` half-moves ahead: float64[n, 6], filled.

    `table` must be one without a cube: a single level.
    """
    scratch, flipped, static = new_scratch(1), np.empty(26, np.int8), np.empty(6, np.float32)
    for k in range(len(boards)):
        scratch.boards[0] = boards[k]
        flip_board(boards[k], flipped)
        evaluate_after(nets, flipped, static)
        swap_sides(static, scratch.probs[0])
        look_ahead(table, nets, scratch, 0, CENTRED, 1, ply)
        probs[k] = scratch.probs[0]


@njit(cache=True, nogil=True)
def evaluate_sets(nets, afters, ends, outcomes):
    """Static chances of the candidates of many rolls, roll by roll, as real play asks for them.

    Parameters
    ----------
    nets : Nets
    afters : int8[n, 26]
    ends : int64[rolls]
        Where the candidates of each roll end.
    outcomes : float32[n, 6], filled
    """
    work = new_workspace()
    start = 0
    for end in ends:
        evaluate_series(nets, work, afters[start:end], end - start, outcomes[start:end])
        start = end
