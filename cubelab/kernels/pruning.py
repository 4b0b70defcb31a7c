"""A small network that tells which plays of a roll are worth evaluating.

64 clipped units of int16 fed by the checker counts alone; a play costs what differs from the position before it, some
50 ns against the 500 of an evaluation. It only ranks the plays of one roll against each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from .features import COUNT_ROWS, count_row
from .vectors import changed_places, copy_board, low_bit

UNITS = 64
#: Value of 1 in the table; units are clipped to 0 … 1.
ONE = 256
#: Chances that the units predict: win, win gammon or backgammon, lose gammon or backgammon.
CHANCES = 3
#: Scores of a play are whole numbers: this much is one payoff unit times `ONE`.
SCORE = 4096
_I16, _I32, _I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
_SHORTS = ir.VectorType(_I16, UNITS)
_WIDE = ir.VectorType(_I32, UNITS)
_MOST_CHANGES = 32


class Pruner(NamedTuple):
    """Arrays of the network.

    Attributes
    ----------
    table : int16[832, 64]
        What each count row adds (`features.count_row`).
    bias : int16[64]
    readout : float32[3, 64]
        From units (0 to 1) to chances; their constants are of no use to a ranking.
    """

    table: np.ndarray
    bias: np.ndarray
    readout: np.ndarray


class PruningWork(NamedTuple):
    """Buffers: units of the position before the roll, readout for a table of payoffs, scores, the best, marks."""

    parent: np.ndarray
    weights: np.ndarray
    rows: np.ndarray
    scores: np.ndarray
    best: np.ndarray
    kept: np.ndarray


@njit(cache=True)
def new_pruning_work(plays, most):
    """Buffers for up to `plays` plays of a roll, of which up to `most` are kept."""
    return PruningWork(
        np.empty(UNITS, np.int16),
        np.empty(UNITS, np.int16),
        np.empty(2 * _MOST_CHANGES, np.int32),
        np.empty(plays, np.int64),
        np.empty(most, np.int64),
        np.empty(plays, np.int64),
    )


def _vector_at(context, builder, signature, args, k, row=None):
    data = context.make_array(signature.args[k])(context, builder, args[k]).data
    if row is not None:
        data = builder.gep(data, [builder.mul(row, ir.Constant(_I64, UNITS))])
    return builder.bitcast(data, _SHORTS.as_pointer())


def _row_loop(context, builder, signature, args, place, first, last, add):
    rows = context.make_array(signature.args[2])(context, builder, args[2]).data
    with cgutils.for_range(builder, last, start=first, intp=_I64) as loop:
        row = builder.sext(builder.load(builder.gep(rows, [loop.index])), _I64)
        value = builder.load(_vector_at(context, builder, signature, args, 1, row), align=2)
        change = builder.add if add else builder.sub
        builder.store(change(builder.load(place), value), place)


@intrinsic
def _moved_units(typingctx, start, table, rows, first, middle, last, target):
    """``target[:] = start + sum(table[rows[first:middle]]) - sum(table[rows[middle:last]])``, all int16[64]."""

    def codegen(context, builder, signature, args):
        place = cgutils.alloca_once(builder, _SHORTS)
        builder.store(builder.load(_vector_at(context, builder, signature, args, 0), align=2), place)
        _row_loop(context, builder, signature, args, place, args[3], args[4], True)
        _row_loop(context, builder, signature, args, place, args[4], args[5], False)
        builder.store(builder.load(place), _vector_at(context, builder, signature, args, 6), align=2)
        return context.get_dummy_value()

    return types.void(start, table, rows, types.int64, types.int64, types.int64, target), codegen


@intrinsic
def _moved_score(typingctx, start, table, rows, first, middle, last, weights):
    """Dot product of the clipped units of ``_moved_units`` with ``weights`` int16[64]."""

    def codegen(context, builder, signature, args):
        place = cgutils.alloca_once(builder, _SHORTS)
        builder.store(builder.load(_vector_at(context, builder, signature, args, 0), align=2), place)
        _row_loop(context, builder, signature, args, place, args[3], args[4], True)
        _row_loop(context, builder, signature, args, place, args[4], args[5], False)
        units = builder.load(place)
        zero, one = (ir.Constant(_SHORTS, [bound] * UNITS) for bound in (0, ONE))
        units = builder.select(builder.icmp_signed(">", units, zero), units, zero)
        units = builder.select(builder.icmp_signed("<", units, one), units, one)
        weights_ = builder.load(_vector_at(context, builder, signature, args, 6), align=2)
        total = builder.mul(builder.sext(units, _WIDE), builder.sext(weights_, _WIDE))
        name = f"llvm.vector.reduce.add.v{UNITS}i32"
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_I32, [_WIDE]), name)
        return builder.sext(builder.call(function, [total]), _I64)

    return types.int64(start, table, rows, types.int64, types.int64, types.int64, weights), codegen


@njit(cache=True)
def set_parent(pruner, work, board):
    """Units of the position before the roll, mover's view."""
    count = 0
    for place in range(26):
        if board[place] != 0:
            work.rows[count] = count_row(board, place)
            count += 1
    _moved_units(pruner.bias, pruner.table, work.rows, 0, count, count, work.parent)


@njit(cache=True)
def set_payoffs(pruner, work, payoffs):
    """Readout for the worth of the six results."""
    win, gammon, lost = payoffs[0] - payoffs[3], payoffs[1] - payoffs[0], payoffs[4] - payoffs[3]
    scale = SCORE / win
    for unit in range(UNITS):
        total = win * pruner.readout[0, unit] + gammon * pruner.readout[1, unit] + lost * pruner.readout[2, unit]
        work.weights[unit] = min(max(total * scale, -32767.0), 32767.0)


@njit(inline="always")
def mark_best(pruner, work, board, afters, count, most, mark):
    """Mark in ``work.kept`` the `most` plays that score best (more where scores are equal).

    Parameters
    ----------
    pruner : Pruner
    work : PruningWork
        After `set_parent` and `set_payoffs`.
    board : int8[26]
        Before the roll.
    afters : int8[:, 26]
    count, most : int
        Plays, and how many to mark.
    mark : int
        Bits to set; others stay.
    """
    filled = 0
    for play in range(count):
        after = afters[play]
        first, last = _MOST_CHANGES, _MOST_CHANGES
        changed = changed_places(board, after)
        while changed:
            place = low_bit(changed)
            changed &= changed - 1
            if after[place] != 0:
                first -= 1
                work.rows[first] = count_row(after, place)
            if board[place] != 0:
                work.rows[last] = count_row(board, place)
                last += 1
        score = _moved_score(work.parent, pruner.table, work.rows, first, _MOST_CHANGES, last, work.weights)
        work.scores[play] = score
        # The best scores so far, best first.
        if filled < most or score > work.best[most - 1]:
            slot = min(filled, most - 1)
            while slot > 0 and work.best[slot - 1] < score:
                work.best[slot] = work.best[slot - 1]
                slot -= 1
            work.best[slot] = score
            filled = min(filled + 1, most)
    for play in range(count):
        if work.scores[play] >= work.best[filled - 1]:
            work.kept[play] |= mark


@njit(cache=True)
def keep_marked(work, afters, count):
    """Move the marked plays and their marks to the front, in their order; returns how many."""
    left = 0
    for play in range(count):
        if work.kept[play] != 0:
            if left != play:
                copy_board(afters[play], afters[left])
                work.kept[left] = work.kept[play]
            left += 1
    return left


assert 2 * COUNT_ROWS == 832
