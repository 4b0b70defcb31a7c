"""Cubeful look-ahead: values of every cube state, averaged over all rolls with the best reply to each.

A node is a player about to roll. It carries a table of values, one row per cube level (cube = current value · 2^level)
and one column per place of the cube: 0 centred, 1 the roller's, 2 the other side's. All are the roller's values before
a cube action of theirs. One walk over the rolls serves all states; a state only changes which reply is best (by the
static values with the cube) and what happens to the cube at the nodes below.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .bearoff import is_bearoff, two_sided_row
from .cube import cube_values, wait
from .moves import MAX_PLAYS, legal_boards
from .network import Workspace, new_workspace
from .static import evaluate_series
from .transpositions import Transpositions, forget, new_transpositions, recall, remember
from .vectors import board_masks, copy_board

CENTRED, OWNED, THEIRS = 0, 1, 2
MAX_PLY = 3
#: Plays whose static chances are worth so much less than the best's (in units of half the swing between a single win
#: and loss), at the present cube and at the next, are not looked at with the cube.
CLOSE = 0.1
#: What chances count beside the value with the cube: they decide where the cube leaves all plays worth the same.
TIE = 1e-6

HIGH = np.array([high for high in range(1, 7) for low in range(1, high + 1)])
LOW = np.array([low for high in range(1, 7) for low in range(1, high + 1)])
WEIGHT = np.where(HIGH == LOW, 1.0, 2.0) / 36.0


class CubeTable(NamedTuple):
    """What results and cube actions are worth; index 0 of the first axis is the root's roller, 1 the other side.

    ``payoffs`` float64[2, levels, 6]; ``may_turn`` bool[2, levels, 2] (roller, other side); ``free`` bool[2, levels]:
    turning the cube costs that side nothing, for it loses the match at this cube already; ``groups`` int64[levels]:
    the lowest level at which the results are worth the same but for scale, so that the same replies are best;
    ``efficiency`` float64[3, 3]: how Janowski's x follows the chances (`efficiency_of`) with contact, in a race of up
    to 25 pips, in one of 80 or more;
    ``beavers``: whether a double may be beavered; ``redoubles``: 1 where the taker of a double may redouble at once,
    the cube passing on, else 0; ``exact``: whether two-sided bearoff values hold (money cube).
    """

    payoffs: np.ndarray
    may_turn: np.ndarray
    free: np.ndarray
    groups: np.ndarray
    efficiency: np.ndarray
    beavers: int
    redoubles: int
    exact: int


@njit(cache=True, _nrt=False)
def efficiency_of(efficiency, board, probs):
    """Janowski's x for a position: of a centred cube, of the roller's, of the other side's.

    x = low + rise · win chance of the cube's owner (of the better side where it is centred), but not above a most: the
    nearer an owner is to cashing, the more of the live cube's worth is to be had. The three numbers depend on contact
    and, in races, linearly on the roller's pips from 25 to 80.
    """
    mover, _, opponent, _ = board_masks(board)
    low, rise, most = efficiency[0]
    if mover <= (opponent & -opponent):
        pips = 0
        for point in range(1, 25):
            pips += point * max(board[point], 0)
        share = min(max((pips - 25) / 55.0, 0.0), 1.0)
        short, long = efficiency[1], efficiency[2]
        low = short[0] + share * (long[0] - short[0])
        rise = short[1] + share * (long[1] - short[1])
        most = short[2] + share * (long[2] - short[2])
    win = probs[0] + probs[1] + probs[2]
    better = max(win, 1.0 - win)
    return min(low + rise * better, most), min(low + rise * win, most), min(low + rise * (1.0 - win), most)


@njit(cache=True, _nrt=False)
def doubled_value(table, side, values, level):
    """Value for `side` of having doubled at `level` and been taken, the taker turning the cube again as is best."""
    taken = values[level + 1, THEIRS]
    if table.beavers and taken < 0.0:
        taken *= 2.0
    if table.redoubles and level + 2 < len(values) and table.may_turn[side, level + 1, 1]:
        # The immediate redouble may be passed.
        taken = min(taken, max(values[level + 2, OWNED], table.payoffs[side, level + 1, 3]))
    return taken


@njit(cache=True, _nrt=False)
def after_cube_action(table, side, values, level, place):
    """Value for `side`, about to roll, once it has doubled or not as is best and the other side has answered."""
    best = values[level, place]
    if place != THEIRS and table.may_turn[side, level, 0] and level + 1 < len(values):
        taken = doubled_value(table, side, values, level)
        best = max(best, min(taken, table.payoffs[side, level, 0]))
    return best


@njit(cache=True, _nrt=False)
def utility_of(payoffs, probs):
    total = 0.0
    for result in range(6):
        total += payoffs[result] * probs[result]
    return total


@njit(cache=True, _nrt=False)
def is_over(after):
    return board_masks(after)[0] == 0


@njit(cache=True, _nrt=False)
def exact_values(table, nets, side, board, levels, values):
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


@njit(cache=True, _nrt=False)
def flip_board(board, flipped):
    for point in range(26):
        flipped[point] = -board[25 - point]


@njit(cache=True, _nrt=False)
def swap_sides(probs, swapped):
    for result in range(3):
        swapped[result] = probs[result + 3]
        swapped[result + 3] = probs[result]


class Scratch(NamedTuple):
    """Buffers of a search, one row per depth, so that nothing is allocated while it runs.

    Row d belongs to the node d half-moves below the root: its board, the plays of the roll being looked at with their
    static chances, the best of them for each cube state, and the sums of chances and values so far. ``walk`` holds the
    number of the roll and of the cube state whose best play is next.
    """

    boards: np.ndarray
    afters: np.ndarray
    outcomes: np.ndarray
    best: np.ndarray
    probs: np.ndarray
    values: np.ndarray
    walk: np.ndarray
    leaders: np.ndarray
    close: np.ndarray
    network: Workspace
    known: Transpositions


@njit(cache=True)
def new_scratch(levels):
    depths = MAX_PLY + 1
    return Scratch(
        np.empty((depths + 1, 26), np.int8),
        np.empty((depths, MAX_PLAYS, 26), np.int8),
        np.empty((depths, MAX_PLAYS, 6), np.float32),
        np.empty((depths, levels, 3), np.int64),
        np.empty((depths + 1, 6), np.float64),
        np.empty((depths + 1, levels, 3), np.float64),
        np.empty((depths, 2), np.int64),
        np.empty((levels, 3), np.float64),
        np.empty(MAX_PLAYS, np.int8),
        new_workspace(),
        new_transpositions(levels),
    )


@njit(cache=True, _nrt=False)
def _enter(scratch, depth, levels):
    """Start averaging at the node on ``scratch.boards[depth]``."""
    scratch.probs[depth, :] = 0.0
    scratch.values[depth, :levels] = 0.0
    scratch.walk[depth, 0] = -1
    scratch.walk[depth, 1] = 3 * levels


@njit(cache=True, _nrt=False)
def mark_close(table, side, low, high, outcomes, count, close):
    """Of the plays marked 1 mark 2 those that static chances put close to the best at a cube level from low to high.

    Returns
    -------
    int
        How many are marked 2.
    """
    share = CLOSE / 2.0 if table.payoffs.shape[1] > 1 else 0.0
    found = 0
    for level in range(low, high):
        if level > low and table.groups[level] == table.groups[level - 1]:
            continue
        payoffs, leader = table.payoffs[side, level], -1e9
        for play in range(count):
            if close[play]:
                leader = max(leader, utility_of(payoffs, outcomes[play]))
        least = leader - share * (payoffs[0] - payoffs[3])
        for play in range(count):
            if close[play] == 1 and utility_of(payoffs, outcomes[play]) >= least:
                close[play] = 2
                found += 1
    return found


@njit(cache=True, _nrt=False)
def follow(table, nets, scratch, row, side, after, outcome, levels, ply):
    """Put into a row of `scratch` what the other side faces after a play of `side`: board, chances, values.

    Returns
    -------
    over, known : bool
        The play ended the game; the values are there, without look-ahead.
    """
    over = is_over(after)
    flip_board(after, scratch.boards[row])
    swap_sides(outcome, scratch.probs[row])
    return over, valued(
        table, nets, 1 - side, over, scratch.boards[row], levels, ply, scratch.probs[row], scratch.values[row]
    )


@njit(cache=True, _nrt=False)
def choose_plays(table, nets, scratch, side, depth, levels):
    """Plays of the node's present roll, and for each cube state the best of them by static chances, with the cube."""
    board, afters, outcomes = scratch.boards[depth], scratch.afters[depth], scratch.outcomes[depth]
    best, leaders, close, below = scratch.best[depth], scratch.leaders, scratch.close, depth + 1
    roll, top = scratch.walk[depth, 0], table.payoffs.shape[1]
    count = legal_boards(board, HIGH[roll], LOW[roll], afters)
    if count == 0:
        copy_board(board, afters[0])
        count = 1
    evaluate_series(nets, scratch.network, afters, count, outcomes)
    close[:count] = 1
    found = mark_close(table, side, 0, min(levels + 1, top), outcomes, count, close)
    for level in range(levels):
        for place in range(3):
            leaders[level, place] = -1e9
    for play in range(count):
        if close[play] < 2:
            continue
        if found == 1:
            for level in range(levels):
                for place in range(3):
                    best[level, place] = play
            return
        below_levels = min(levels + 1 + table.redoubles, top)
        over, _ = follow(table, nets, scratch, below, side, afters[play], outcomes[play], below_levels, 0)
        values = scratch.values[below]
        for level in range(levels):
            chances = TIE * utility_of(table.payoffs[side, level], outcomes[play])
            for place in range(3):
                worth = chances - settled(table, 1 - side, over, values, level, (3 - place) % 3)
                if worth > leaders[level, place]:
                    leaders[level, place], best[level, place] = worth, play


@njit(cache=True, _nrt=False)
def _gather(table, scratch, side, depth, levels, place, chosen, over):
    """Add the value below a play to the node, for every cube state in which it is best.

    The chances are those along the plays with the cube as it is at the root, which here is at `place`.
    """
    weight = WEIGHT[scratch.walk[depth, 0]]
    below, below_probs, best = scratch.values[depth + 1], scratch.probs[depth + 1], scratch.best[depth]
    if best[0, place] == chosen:
        for result in range(3):
            scratch.probs[depth, result] += weight * below_probs[result + 3]
            scratch.probs[depth, result + 3] += weight * below_probs[result]
    for level in range(levels):
        for owner in range(3):
            if best[level, owner] == chosen:
                value = settled(table, 1 - side, over, below, level, (3 - owner) % 3)
                scratch.values[depth, level, owner] -= weight * value


@njit(cache=True, _nrt=False)
def settled(table, side, over, values, level, place):
    return values[level, place] if over else after_cube_action(table, side, values, level, place)


@njit(cache=True, _nrt=False)
def valued(table, nets, side, over, board, levels, ply, probs, values):
    """Fill `values` of a node that needs no look-ahead: game over, exact, or at the horizon; else return False."""
    if over:
        for level in range(levels):
            values[level, :] = utility_of(table.payoffs[side, level], probs)
        return True
    if exact_values(table, nets, side, board, levels, values):
        return True
    if ply == 0:
        x = efficiency_of(table.efficiency, board, probs)
        cube_values(table.payoffs[side], table.may_turn[side], x, probs, values)
        wait(table.payoffs[side], table.may_turn[side], x, probs, values)
        return True
    return False


@njit(cache=True, _nrt=False)
def _already(best, state):
    """Whether the play that is best in a cube state is that of an earlier one too."""
    for earlier in range(state):
        if best[earlier // 3, earlier % 3] == best[state // 3, state % 3]:
            return True
    return False


@njit(cache=True, _nrt=False)
def look_ahead(table, nets, scratch, root_side, root_place, root_levels, ply):
    """Value the position ``scratch.boards[0]``; its static chances are in ``scratch.probs[0]``.

    The tree is walked with an explicit stack: a function that calls itself crashes when numba loads it from its cache.
    """
    # A cube action looks one level up, and one more where an immediate redouble may follow.
    top, step = table.payoffs.shape[1], 1 + table.redoubles
    if valued(table, nets, root_side, False, scratch.boards[0], root_levels, ply, scratch.probs[0], scratch.values[0]):
        return
    depth = np.int64(0)  # a bare 0 has a type of its own: numba would compile every kernel below twice
    forget(scratch.known)
    _enter(scratch, depth, root_levels)
    while True:
        side, levels = (root_side + depth) % 2, min(root_levels + depth * step, top)
        place = root_place if depth % 2 == 0 else (3 - root_place) % 3
        walk, best = scratch.walk[depth], scratch.best[depth]
        state = walk[1]
        if state == 3 * levels:
            walk[0] += 1
            if walk[0] == 21:
                if depth == 0:
                    return
                remember(
                    scratch.known, scratch.boards[depth], depth, scratch.probs[depth], scratch.values[depth, :levels]
                )
                depth -= 1
                levels, state = min(root_levels + depth * step, top), scratch.walk[depth, 1] - 1
                chosen = scratch.best[depth, state // 3, state % 3]
                _gather(table, scratch, 1 - side, depth, levels, (3 - place) % 3, chosen, False)
                continue
            choose_plays(table, nets, scratch, side, depth, levels)
            state = np.int64(0)
        walk[1] = state + 1
        if _already(best, state):
            continue
        chosen = best[state // 3, state % 3]
        after, below = scratch.afters[depth, chosen], depth + 1
        below_levels = min(levels + step, top)
        over, known = follow(
            table, nets, scratch, below, side, after, scratch.outcomes[depth, chosen], below_levels, ply - below
        )
        if known or recall(
            scratch.known, scratch.boards[below], below, scratch.probs[below], scratch.values[below, :below_levels]
        ):
            _gather(table, scratch, side, depth, levels, place, chosen, over)
        else:
            depth = below
            _enter(scratch, depth, below_levels)


@njit(cache=True, _nrt=False)
def worth_ahead(table, nets, scratch, side, level, place, after, outcome, ply):
    """Value of a play for its maker, `ply` half-moves beyond it; ``scratch.probs[0]`` keeps the opponent's chances."""
    levels = min(level + 2 + table.redoubles, table.payoffs.shape[1])
    over, known = follow(table, nets, scratch, 0, side, after, outcome, levels, ply)
    if not known:
        look_ahead(table, nets, scratch, 1 - side, (3 - place) % 3, levels, ply)
    return -settled(table, 1 - side, over, scratch.values[0], level, (3 - place) % 3)


@njit(cache=True, _nrt=False)
def worth_now(table, nets, scratch, side, level, place, after, outcome):
    """What static chances make a play worth with the cube at `level` and `place`; ties are broken by the chances."""
    levels = min(level + 2 + table.redoubles, table.payoffs.shape[1])
    over, _ = follow(table, nets, scratch, 0, side, after, outcome, levels, 0)
    chances = TIE * utility_of(table.payoffs[side, level], outcome)
    return chances - settled(table, 1 - side, over, scratch.values[0], level, (3 - place) % 3)


@njit(cache=True, _nrt=False)
def best_play(table, nets, scratch, side, level, place, afters, outcomes, count):
    """Which of the plays marked in ``scratch.close`` is worth most now."""
    high = min(level + 2, table.payoffs.shape[1])
    found = mark_close(table, side, level, high, outcomes, count, scratch.close)
    leader, best = -1e9, 0
    for play in range(count):
        if scratch.close[play] < 2:
            continue
        if found == 1:
            return play
        worth = worth_now(table, nets, scratch, side, level, place, afters[play], outcomes[play])
        if worth > leader:
            leader, best = worth, play
    return best


@njit(cache=True, nogil=True)
def roll_values(table, nets, board, ply, place, probs, values):
    """Value the player about to roll on `board` at `ply`; see the module text for `values`.

    Parameters
    ----------
    table : CubeTable
    nets : Nets
    board : int8[26]
    ply : int
        0 to `MAX_PLY`.
    place : int
        Where the cube is.
    probs : float64[6], filled
        Pre-roll chances along the replies that are best with the cube as it is.
    values : float64[levels, 3], filled
        Cube as it is, and as many levels up as wanted and there are.

    Returns
    -------
    bool
        Whether the values come from the two-sided bearoff table, without error.
    """
    top = table.payoffs.shape[1]
    levels = min(len(values), top)
    scratch = new_scratch(top)
    scratch.boards[0] = board
    flip_board(board, scratch.afters[0, 0])
    evaluate_series(nets, scratch.network, scratch.afters[0], np.int64(1), scratch.outcomes[0])
    swap_sides(scratch.outcomes[0, 0], scratch.probs[0])
    look_ahead(table, nets, scratch, 0, place, levels, ply)
    probs[:] = scratch.probs[0]
    values[:levels] = scratch.values[0, :levels]
    return exact_values(table, nets, 0, board, levels, scratch.values[0])


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
    scratch = new_scratch(table.payoffs.shape[1])
    for play in range(len(afters)):
        values[play] = worth_ahead(table, nets, scratch, 0, 0, place, afters[play], outcomes[play], ply)
        swap_sides(scratch.probs[0], probs[play])
