"""The networks: 256 clipped units fed by table rows, 32 clipped units, six outcome probabilities.

A network scores a position after a play: the mover has played, the opponent is on roll. Outputs are a softmax over the
outcomes that are still possible, so gammons never exceed wins and sums are right by construction.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from .bearoff import BearoffTables
from .features import COUNT_ROWS, PATTERN_SLOTS, all_rows, count_row, pattern_rows
from .vectors import HIDDEN, OUTPUTS, WIDTH, accumulate, upper_layers

_MIDDLE = 80  # of a row list: rows to add stand below, rows to subtract from here on


class Nets(NamedTuple):
    """Arrays the evaluation kernels read; first axis = network (0 contact, 1 race).

    Attributes
    ----------
    tables : float32[nets * ROWS, HIDDEN]
        First layer: what each row of each slot adds (``features``); network k starts at row ``k * ROWS``.
    bias : float32[nets, HIDDEN]
    w2, b2 : float32[nets, HIDDEN, WIDTH], float32[nets, WIDTH]
    w3, b3 : float32[nets, WIDTH, OUTPUTS], float32[nets, OUTPUTS]
        Outputs 6 and 7 are padding.
    bearoff : BearoffTables
    """

    tables: np.ndarray
    bias: np.ndarray
    w2: np.ndarray
    b2: np.ndarray
    w3: np.ndarray
    b3: np.ndarray
    bearoff: BearoffTables


class Workspace(NamedTuple):
    """Scratch memory of one evaluation call: ``new_workspace()``."""

    sums: np.ndarray
    units: np.ndarray
    second: np.ndarray
    logits: np.ndarray
    slots: np.ndarray
    rows: np.ndarray


@njit(cache=True)
def new_workspace():
    """Uninitialised scratch arrays; sums row 0 and 1 = the parent for each network, 2 = the candidate."""
    return Workspace(
        np.empty((3, HIDDEN), np.float32),
        np.empty(HIDDEN, np.float32),
        np.empty(WIDTH, np.float32),
        np.empty(OUTPUTS, np.float32),
        np.empty((3, 64), np.int32),
        np.empty(2 * _MIDDLE, np.int32),
    )


@njit(cache=True)
def sum_all(nets, work, net, offset, board, target):
    """First layer of a whole position into ``work.sums[target]``; its slots stay in ``work.slots[target]``."""
    count = all_rows(board, net == 1, work.slots, target)
    for i in range(count):
        work.rows[i] = work.slots[target, i] + offset
    accumulate(work.sums, target, nets.bias, net, nets.tables, work.rows, 0, count, count)


@njit(cache=True)
def sum_change(nets, work, net, offset, parent, mover_off, opponent_off, after):
    """First layer of a candidate into ``work.sums[2]`` from that of the parent (``sum_all`` with target = net).

    Returns the checkers borne off by mover and opponent.
    """
    first = _MIDDLE
    last = _MIDDLE
    rows = work.rows
    mover_change = 0
    opponent_change = 0
    for p in range(26):
        new = np.int64(after[p])
        old = np.int64(parent[p])
        if new != old:
            mover_change += max(new, 0) - max(old, 0)
            opponent_change += min(new, 0) - min(old, 0)
            if new != 0:
                first -= 1
                rows[first] = count_row(after, p) + offset
            if old != 0:
                rows[last] = count_row(parent, p) + offset
                last += 1
    if mover_change != 0:
        first -= 1
        rows[first] = mover_off - mover_change + offset
        rows[last] = mover_off + offset
        last += 1
    if opponent_change != 0:
        first -= 1
        rows[first] = COUNT_ROWS + opponent_off + opponent_change + offset
        rows[last] = COUNT_ROWS + opponent_off + offset
        last += 1
    pattern_rows(after, net == 1, work.slots, 2)
    for i in range(PATTERN_SLOTS):
        new = np.int64(work.slots[2, i])
        old = np.int64(work.slots[net, i])
        if new != old:
            first -= 1
            rows[first] = new + offset
            rows[last] = old + offset
            last += 1
    accumulate(work.sums, 2, work.sums, net, nets.tables, rows, first, _MIDDLE, last)
    return mover_off - mover_change, opponent_off + opponent_change


@njit(cache=True)
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


@njit(cache=True)
def finish(nets, work, net, source, board, mover_off, opponent_off, out):
    """Upper layers on ``work.sums[source]`` and the outcomes that are possible on the board, into ``out[:6]``."""
    upper_layers(
        work.sums, source, work.units, nets.w2, nets.b2, nets.w3, nets.b3, net, work.second, work.logits
    )
    backgammons = net == 0
    losing_backgammons = net == 0
    if net == 1:  # no contact: only checkers still in the other side's home can be caught there
        for p in range(19, 26):
            if board[p] > 0:
                losing_backgammons = True
            if board[25 - p] < 0:
                backgammons = True
    outcome_probabilities(work.logits, opponent_off == 0, backgammons, mover_off == 0, losing_backgammons, out)
