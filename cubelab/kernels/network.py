"""The networks: 256 clipped units fed by table rows, 32 clipped units, six outcome probabilities.

A network scores a position after a play: the mover has played, the opponent is on roll. Outputs are a softmax over the
outcomes that are still possible, so gammons never exceed wins and sums are right by construction.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .bearoff import BearoffTables
from .features import COUNT_ROWS, PATTERN_SLOTS, ROWS, all_rows, count_row, pattern_rows, totals
from .race import RaceTables, RaceWorkspace, race_workspace
from .vectors import (
    BATCH,
    HIDDEN,
    OUTPUTS,
    WIDTH,
    accumulate,
    bit_count,
    board_masks,
    changed_places,
    clipped_units,
    copy_board,
    low_bit,
    upper_layers,
)

_MIDDLE = 80  # of a row list: rows to add stand below, rows to subtract from here on
_FAR = 13  # positions that differ at more places are summed anew


NETWORKS = 11
MUTUAL, NO_CONTACT, BEHIND, AHEAD, BACK, FRONT, BAR, ANCHOR, DANCED, STUCK, HIT = range(NETWORKS)
"""Networks (``network_of``): both sides or none have checkers behind; race; only the mover; only the opponent; back
game of the mover; of the opponent. And parts of these: both behind and only the opponent on the bar, as MUTUAL but the
mover with a made point behind, both behind and the mover on the bar; BEHIND or AHEAD, but that checker on the bar."""
BACK_GAME = 4
"""Checkers behind, at most two on each place counted, that make a back game: two made points, say."""


class Nets(NamedTuple):
    """Arrays the evaluation kernels read; first axis = network (``network_of``).

    Attributes
    ----------
    tables : int16[nets * ROWS, HIDDEN]
        First layer: what each row of each slot adds (``features``); network k starts at row ``k * ROWS``.
    bias : int16[nets, HIDDEN]
    scales : float32[nets]
        Value of 1 in tables and bias.
    w2, b2 : float32[nets, HIDDEN, WIDTH], float32[nets, WIDTH]
    w3, b3 : float32[nets, WIDTH, OUTPUTS], float32[nets, OUTPUTS]
        Outputs 6 and 7 are padding.
    bearoff : BearoffTables
    race : RaceTables
    bar_only : bool
        The rule that only a loser's checker on the bar makes a backgammon (``static.count_bar_only``).
    """

    tables: np.ndarray
    bias: np.ndarray
    scales: np.ndarray
    w2: np.ndarray
    b2: np.ndarray
    w3: np.ndarray
    b3: np.ndarray
    bearoff: BearoffTables
    race: RaceTables
    bar_only: bool = False


class Workspace(NamedTuple):
    """Scratch memory of a series of evaluations by the same networks (``new_workspace``).

    The first layer of the position that each network evaluated last stays in ``sums[net]``, with its board, slots and
    totals (checkers off, off, pip lead): the next position is computed from it. ``ready[net]``: there is one.
    ``units[net]``, ``queue[net]``: positions that wait for their network's upper layers, ``waiting[net]`` of them.
    ``race_chances``: of those in a race, the chances to win and to win and lose a backgammon.
    """

    ready: np.ndarray
    waiting: np.ndarray
    flipped: np.ndarray
    sums: np.ndarray
    boards: np.ndarray
    slots: np.ndarray
    totals: np.ndarray
    units: np.ndarray
    second: np.ndarray
    logits: np.ndarray
    queue: np.ndarray
    rows: np.ndarray
    race_chances: np.ndarray
    race: RaceWorkspace


@njit(cache=True)
def new_workspace():
    """A workspace that has evaluated nothing yet."""
    return Workspace(
        np.zeros(NETWORKS, np.bool_),
        np.zeros(NETWORKS, np.int64),
        np.empty(26, np.int8),
        np.empty((NETWORKS, HIDDEN), np.int16),
        np.empty((NETWORKS, 26), np.int8),
        np.empty((NETWORKS + 1, 64), np.int32),
        np.empty((NETWORKS, 3), np.int64),
        np.zeros((NETWORKS, BATCH, HIDDEN), np.float32),
        np.empty((BATCH, WIDTH), np.float32),
        np.empty((BATCH, OUTPUTS), np.float32),
        np.empty((NETWORKS, BATCH, 5), np.int64),
        np.empty(2 * _MIDDLE, np.int32),
        np.empty((BATCH, 3)),
        race_workspace(),
    )


@njit(cache=True, _nrt=False)
def _sum_all(nets, work, net, board):
    """First layer of a whole position; it becomes the network's last position."""
    offset = net * ROWS
    count = all_rows(board, net == NO_CONTACT, work.slots, net)
    for i in range(count):
        work.rows[i] = work.slots[net, i] + offset
    accumulate(work.sums, net, nets.bias, net, nets.tables, work.rows, 0, count, count)
    work.totals[net, 0], work.totals[net, 1], work.totals[net, 2] = totals(board)
    copy_board(board, work.boards[net])
    work.ready[net] = True


@njit(cache=True, _nrt=False)
def _sum_change(nets, work, net, board):
    """First layer of a position from that of the network's last one."""
    offset = net * ROWS
    first = _MIDDLE
    last = _MIDDLE
    rows = work.rows
    old_board = work.boards[net]
    mover_change = 0
    opponent_change = 0
    lead = work.totals[net, 2]
    changed = changed_places(board, old_board)
    while changed:
        p = low_bit(changed)
        changed &= changed - 1
        new: Any = np.int64(board[p])
        old: Any = np.int64(old_board[p])
        mover = max(new, 0) - max(old, 0)
        opponent = max(-new, 0) - max(-old, 0)
        mover_change += mover
        opponent_change += opponent
        lead += mover * p - opponent * (25 - p)
        # Written in any case and kept or not: which of these it is can be guessed by no processor.
        rows[first - 1] = count_row(board, p) + offset
        first -= new != 0
        rows[last] = count_row(old_board, p) + offset
        last += old != 0
    if mover_change != 0:
        rows[last] = work.totals[net, 0] + offset
        last += 1
        work.totals[net, 0] -= mover_change
        first -= 1
        rows[first] = work.totals[net, 0] + offset
    if opponent_change != 0:
        rows[last] = COUNT_ROWS + work.totals[net, 1] + offset
        last += 1
        work.totals[net, 1] -= opponent_change
        first -= 1
        rows[first] = COUNT_ROWS + work.totals[net, 1] + offset
    work.totals[net, 2] = lead
    pattern_rows(board, lead, net == NO_CONTACT, work.slots, NETWORKS)
    for i in range(PATTERN_SLOTS):
        new_slot = work.slots[NETWORKS, i]
        old_slot = work.slots[net, i]
        differs = new_slot != old_slot
        rows[first - 1] = new_slot + offset
        first -= differs
        rows[last] = old_slot + offset
        last += differs
        work.slots[net, i] = new_slot
    accumulate(work.sums, net, work.sums, net, nets.tables, rows, first, _MIDDLE, last)
    copy_board(board, old_board)


@njit(cache=True, _nrt=False)
def network_of(board, race):
    """The network for a position after a play; `race`: no contact.

    Behind is a checker in the other side's home or on the bar.
    """
    if race:
        return NO_CONTACT
    mover, mover_made, opponent, opponent_made = board_masks(board)
    behind = mover >> 19
    ahead = opponent & 0x7F
    if bit_count(behind) + bit_count(mover_made >> 19) >= BACK_GAME:
        return BACK
    if bit_count(ahead) + bit_count(opponent_made & 0x7F) >= BACK_GAME:
        return FRONT
    if (behind != 0) == (ahead != 0):
        if board[25] != 0:
            return DANCED
        if board[0] != 0:
            return BAR
        return ANCHOR if mover_made >> 19 != 0 else MUTUAL
    if behind != 0:
        return STUCK if board[25] != 0 else BEHIND
    return HIT if board[0] != 0 else AHEAD


@njit(cache=True, _nrt=False)
def first_layer(nets, work, net, board):
    """First layer of a position, by what differs from the network's last one; it becomes the last one."""
    if work.ready[net] and bit_count(changed_places(board, work.boards[net])) <= _FAR:
        _sum_change(nets, work, net, board)
    else:
        _sum_all(nets, work, net, board)


@njit(cache=True, _nrt=False)
def outcome_probabilities(logits, gammons, backgammons, losing_gammons, losing_backgammons, out):
    """Softmax over the outcomes that are possible, into ``out[:6]`` (the rest get 0)."""
    top = max(logits[0], logits[3])
    if gammons:
        top = max(top, logits[1])
        if backgammons:
            top = max(top, logits[2])
    if losing_gammons:
        top = max(top, logits[4])
        if losing_backgammons:
            top = max(top, logits[5])
    out[0] = math.exp(logits[0] - top)
    out[1] = math.exp(logits[1] - top) if gammons else 0.0
    out[2] = math.exp(logits[2] - top) if gammons and backgammons else 0.0
    out[3] = math.exp(logits[3] - top)
    out[4] = math.exp(logits[4] - top) if losing_gammons else 0.0
    out[5] = math.exp(logits[5] - top) if losing_gammons and losing_backgammons else 0.0
    scale = np.float32(1.0) / (out[0] + out[1] + out[2] + out[3] + out[4] + out[5])
    for i in range(6):
        out[i] *= scale


@njit(cache=True, _nrt=False)
def enqueue(nets, work, net, row):
    """Let the network's last position wait for the upper layers, for row `row` of the results."""
    place = work.waiting[net]
    work.waiting[net] = place + 1
    clipped_units(work.units[net], place, work.sums, net, nets.scales, net)
    backgammons = losing_backgammons = net != NO_CONTACT
    if net == NO_CONTACT:  # no contact: only checkers still in the other side's home can be caught there
        mover, _, opponent, _ = board_masks(work.boards[net])
        losing_backgammons = mover >> 19 != 0
        backgammons = opponent & 0x7F != 0
    queue = work.queue[net, place]
    queue[0] = row
    queue[1] = work.totals[net, 1] == 0
    queue[2] = backgammons
    queue[3] = work.totals[net, 0] == 0
    queue[4] = losing_backgammons


@njit(cache=True, _nrt=False)
def finish(nets, work, net, out):
    """Upper layers for the positions that wait for them, probabilities into their rows of float32[:, 6]."""
    upper_layers(work.units[net], nets.w2, nets.b2, nets.w3, nets.b3, net, work.second, work.logits)
    for k in range(work.waiting[net]):
        q = work.queue[net, k]
        outcome_probabilities(work.logits[k], q[1] != 0, q[2] != 0, q[3] != 0, q[4] != 0, out[q[0]])
