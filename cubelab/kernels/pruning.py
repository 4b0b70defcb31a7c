"""A small network that tells which plays of a roll are worth evaluating.

64 clipped units of int16 fed by the checker counts alone; a play costs what differs from the position before it, some
50 ns against the 500 of an evaluation. It only ranks the plays of one roll against each other, so it may be another one
for each kind of position before the roll (`kind_of`): so much more capacity costs nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from .features import COUNT_ROWS
from .vectors import board_masks, changed_places, copy_board

UNITS = 64
KINDS = 8
#: Value of 1 in the table; units are clipped to 0 … 1.
ONE = 256
#: Chances that the units predict: win, win gammon or backgammon, lose gammon or backgammon, win and lose backgammon.
#: Without the last two a gammon that is certain made all plays alike, and those that save the backgammon were cut.
CHANCES = 5
#: Scores of a play are whole numbers: this much is one payoff unit times `ONE`.
SCORE = 4096
_I16, _I32, _I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
_SHORTS = ir.VectorType(_I16, UNITS)
_WIDE = ir.VectorType(_I32, UNITS)


class Pruner(NamedTuple):
    """Arrays of the networks, one for each kind of position.

    Attributes
    ----------
    table : int16[KINDS, 832, 64]
        What each count row adds (`features.count_row`); rows of no checkers add nothing.
    bias : int16[KINDS, 64]
    readout : float32[KINDS, 5, 64]
        From units (0 to 1) to chances; their constants are of no use to a ranking.
    """

    table: np.ndarray
    bias: np.ndarray
    readout: np.ndarray


class PruningWork(NamedTuple):
    """Buffers of the pruning.

    ``parent`` int16[64]: units of the position before the roll, ``kind`` int64[1] its kind; ``weights``
    int16[2, levels, KINDS, 64]: readouts for the payoffs of each side and cube level; ``empty`` int8[26]: a board
    without checkers; ``scores`` and ``kept`` int64[plays]: of each play, its score and its marks; ``best`` int64[most]:
    the highest scores.
    """

    parent: np.ndarray
    kind: np.ndarray
    weights: np.ndarray
    empty: np.ndarray
    scores: np.ndarray
    kept: np.ndarray
    best: np.ndarray


@njit(cache=True)
def new_pruning_work(pruner, payoffs, plays, most):
    """Buffers for up to `plays` plays of a roll, of which up to `most` are kept.

    ``payoffs`` float64[2, levels, 6]: worth of the six results to either side.
    """
    weights = np.empty((2, payoffs.shape[1], KINDS, UNITS), np.int16)
    for side in range(2):
        for level in range(payoffs.shape[1]):
            for kind in range(KINDS):
                _set_payoffs(pruner.readout[kind], payoffs[side, level], weights[side, level, kind])
    return PruningWork(
        np.empty(UNITS, np.int16),
        np.empty(1, np.int64),
        weights,
        np.zeros(26, np.int8),
        np.empty(plays, np.int64),
        np.empty(plays, np.int64),
        np.empty(most, np.int64),
    )


def _pointer(context, builder, signature, args, k):
    return context.make_array(signature.args[k])(context, builder, args[k]).data


def _vector_at(builder, pointer, row=None):
    if row is not None:
        pointer = builder.gep(pointer, [builder.mul(row, ir.Constant(_I64, UNITS))])
    return builder.load(builder.bitcast(pointer, _SHORTS.as_pointer()), align=2)


def _count_row(builder, board, place):
    """`features.count_row`, and for an empty place a row that adds nothing."""
    count = builder.sext(builder.load(builder.gep(board, [place])), _I64)
    own = builder.add(builder.mul(place, ir.Constant(_I64, 16)), count)
    other = builder.sub(ir.Constant(_I64, COUNT_ROWS + 25 * 16), own)
    return builder.select(builder.icmp_signed("<", count, ir.Constant(_I64, 0)), other, own)


def _moved(context, builder, signature, args):
    """Code for ``args[0]`` + the table's rows for `after` less those for `board`, at the places of the mask."""
    start, table, board, after = (_pointer(context, builder, signature, args, k) for k in range(4))
    units, left = cgutils.alloca_once(builder, _SHORTS), cgutils.alloca_once(builder, _I64)
    builder.store(_vector_at(builder, start), units)
    builder.store(args[4], left)
    head, body, end = (builder.append_basic_block(name) for name in ("places", "place", "moved"))
    builder.branch(head)
    builder.position_at_end(head)
    mask = builder.load(left)
    builder.cbranch(builder.icmp_signed("!=", mask, ir.Constant(_I64, 0)), body, end)
    builder.position_at_end(body)
    place = builder.cttz(mask, ir.Constant(ir.IntType(1), 1))
    gained = _vector_at(builder, table, _count_row(builder, after, place))
    lost = _vector_at(builder, table, _count_row(builder, board, place))
    builder.store(builder.add(builder.load(units), builder.sub(gained, lost)), units)
    builder.store(builder.and_(mask, builder.sub(mask, ir.Constant(_I64, 1))), left)
    builder.branch(head)
    builder.position_at_end(end)
    return builder.load(units)


@intrinsic
def _moved_units(typingctx, start, table, board, after, places, target):
    """``target[:]`` = units of `after` from those of `board`, all int16[64], the boards differing at ``places``."""

    def codegen(context, builder, signature, args):
        units = _moved(context, builder, signature, args)
        pointer = _pointer(context, builder, signature, args, 5)
        builder.store(units, builder.bitcast(pointer, _SHORTS.as_pointer()), align=2)
        return context.get_dummy_value()

    return types.void(start, table, board, after, types.int64, target), codegen


@intrinsic
def _moved_score(typingctx, start, table, board, after, places, weights):
    """Dot product of the clipped units of `_moved_units` with ``weights`` int16[64]."""

    def codegen(context, builder, signature, args):
        units = _moved(context, builder, signature, args)
        zero, one = (ir.Constant(_SHORTS, [bound] * UNITS) for bound in (0, ONE))
        units = builder.select(builder.icmp_signed(">", units, zero), units, zero)
        units = builder.select(builder.icmp_signed("<", units, one), units, one)
        weights_ = _vector_at(builder, _pointer(context, builder, signature, args, 5))
        total = builder.mul(builder.sext(units, _WIDE), builder.sext(weights_, _WIDE))
        name = f"llvm.vector.reduce.add.v{UNITS}i32"
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_I32, [_WIDE]), name)
        return builder.sext(builder.call(function, [total]), _I64)

    return types.int64(start, table, board, after, types.int64, weights), codegen


@njit(cache=True, _nrt=False)
def kind_of(board):
    """Kind of a position before the roll, mover's view.

    Behind is a checker in the other side's home or on the bar. 0 nobody has any behind, 1 only the opponent, 2 only the
    mover, 3 both; 4 and 5 as 2 and 3, but the mover is on the bar. After checkers have been borne off: 6 the mover has
    some behind, 7 only the opponent.
    """
    mover, _, opponent, _ = board_masks(board)
    behind, kind = mover >> 19 != 0, 1 if opponent & 0x7F != 0 else 0
    checkers = 0
    for place in range(26):
        checkers += abs(board[place])
    if checkers < 30 and (behind or kind == 1):
        return 6 if behind else 7
    if board[25] != 0:
        return kind + 4
    return kind + 2 if behind else kind


@njit(cache=True, _nrt=False)
def set_parent(pruner, work, board):
    """Kind and units of the position before the roll, mover's view."""
    kind = kind_of(board)
    work.kind[0] = kind
    places = changed_places(board, work.empty)
    _moved_units(pruner.bias[kind], pruner.table[kind], work.empty, board, places, work.parent)


@njit(cache=True, _nrt=False)
def _set_payoffs(readout, payoffs, weights):
    """Readout for the worth of the six results, into ``weights``."""
    win, gammon, lost = payoffs[0] - payoffs[3], payoffs[1] - payoffs[0], payoffs[4] - payoffs[3]
    backgammon, lost_backgammon = payoffs[2] - payoffs[1], payoffs[5] - payoffs[4]
    scale = SCORE / win
    for unit in range(UNITS):
        total = win * readout[0, unit] + gammon * readout[1, unit] + lost * readout[2, unit]
        total += backgammon * readout[3, unit] + lost_backgammon * readout[4, unit]
        weights[unit] = min(max(total * scale, -32767.0), 32767.0)


@njit(inline="always")
def mark_best(pruner, work, weights, board, afters, count, most, margin, mark):
    """Mark in ``work.kept`` the plays that score best.

    Parameters
    ----------
    pruner : Pruner
    work : PruningWork
        After `set_parent`.
    weights : int16[KINDS, 64]
        One of ``work.weights``.
    board : int8[26]
        Before the roll.
    afters : int8[:, 26]
    count, most : int
        Plays, and how many to mark at most (more where scores are equal).
    margin : float
        How much less than the best a marked play may score, in units of half the swing between a single win and loss
        (points in money play).
    mark : int
        Bits to set; others stay.
    """
    filled = 0
    table, readout = pruner.table[work.kind[0]], weights[work.kind[0]]
    for play in range(count):
        after = afters[play]
        score = _moved_score(work.parent, table, board, after, changed_places(board, after), readout)
        work.scores[play] = score
        # The best scores so far, best first.
        if filled < most or score > work.best[most - 1]:
            slot = min(filled, most - 1)
            while slot > 0 and work.best[slot - 1] < score:
                work.best[slot] = work.best[slot - 1]
                slot -= 1
            work.best[slot] = score
            filled = min(filled + 1, most)
    least = max(work.best[filled - 1], work.best[0] - np.int64(margin * (SCORE * ONE // 2)))
    for play in range(count):
        if work.scores[play] >= least:
            work.kept[play] |= mark


@njit(cache=True, _nrt=False)
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
