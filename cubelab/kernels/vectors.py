"""The inner loops of the networks, and of reading a board, as LLVM vectors.

numba leaves such loops scalar where it cannot prove that the arrays do not overlap. Here they are written as vector
instructions of 64 bytes, which LLVM lowers to whatever the processor has. Multiply and add may be contracted
to one instruction; nothing else about floating point is relaxed. The first layer is exact: sums of int16.

All arrays are C-contiguous; the first layer has HIDDEN units, the second WIDTH, the outputs are padded to 8.
"""

from __future__ import annotations

import contextlib

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

HIDDEN = 256
WIDTH = 32
OUTPUTS = 8
BATCH = 4
"""Positions that go through the upper layers together."""

_F32 = ir.FloatType()
_I64 = ir.IntType(64)
_LANES = 16
_VEC = ir.VectorType(_F32, _LANES)
_OUT = ir.VectorType(_F32, OUTPUTS)
_SHORTS = ir.VectorType(ir.IntType(16), 32)
_BYTES = ir.VectorType(ir.IntType(8), 16)
_CONTRACT = ("contract",)
_BLOCK = 8  # vectors kept in registers at a time


def _data(context, builder, signature, args, k):
    return context.make_array(signature.args[k])(context, builder, args[k]).data


def _at(builder, pointer, offset):
    return builder.gep(pointer, [offset])


def _load(builder, pointer, vector=_VEC):
    return builder.load(builder.bitcast(pointer, vector.as_pointer()), align=1)


def _store(builder, value, pointer):
    builder.store(value, builder.bitcast(pointer, value.type.as_pointer()), align=1)


def _spread(builder, scalar, vector=_VEC):
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)


def _times_plus(builder, a, b, c):
    return builder.fadd(builder.fmul(a, b, flags=_CONTRACT), c, flags=_CONTRACT)


def _clipped(builder, x):
    zero = ir.Constant(x.type, [0.0] * x.type.count)
    one = ir.Constant(x.type, [1.0] * x.type.count)
    x = builder.select(builder.fcmp_ordered(">", x, zero), x, zero)
    return builder.select(builder.fcmp_ordered("<", x, one), x, one)


def _index(builder, value):
    return builder.sext(value, _I64) if value.type.width < 64 else value


@intrinsic
def accumulate(typingctx, target, target_row, source, source_row, table, rows, start, middle, stop):
    """``target[target_row] = source[source_row] + sum(table[rows[start:middle]]) - sum(table[rows[middle:stop]])``.

    ``target``, ``source``, ``table``: int16[:, HIDDEN], sums wrap; ``rows``: int32, read as flat. Rows may be the same.
    """

    def codegen(context, builder, signature, args):
        target_, source_, table_, rows_ = (_data(context, builder, signature, args, k) for k in (0, 2, 4, 5))
        hidden = ir.Constant(_I64, HIDDEN)
        to = _at(builder, target_, builder.mul(args[1], hidden))
        start_from = _at(builder, source_, builder.mul(args[3], hidden))
        sums = [cgutils.alloca_once(builder, _SHORTS) for _ in range(HIDDEN // _SHORTS.count)]
        offsets = [ir.Constant(_I64, v * _SHORTS.count) for v in range(len(sums))]
        for place, offset in zip(sums, offsets, strict=True):
            builder.store(_load(builder, _at(builder, start_from, offset), _SHORTS), place)
        for first, last, add in ((args[6], args[7], True), (args[7], args[8], False)):
            with cgutils.for_range(builder, last, start=first, intp=_I64) as loop:
                row = _index(builder, builder.load(_at(builder, rows_, loop.index)))
                base = _at(builder, table_, builder.mul(row, hidden))
                for place, offset in zip(sums, offsets, strict=True):
                    value = _load(builder, _at(builder, base, offset), _SHORTS)
                    change = builder.add if add else builder.sub
                    builder.store(change(builder.load(place), value), place)
        for place, offset in zip(sums, offsets, strict=True):
            _store(builder, builder.load(place), _at(builder, to, offset))
        return context.get_dummy_value()

    return types.void(
        target, types.int64, source, types.int64, table, rows, types.int64, types.int64, types.int64
    ), codegen


@intrinsic
def clipped_units(typingctx, units, place, sums, row, scales, net):
    """``units[place] = clip(sums[row] * scales[net], 0, 1)``; int16[:, HIDDEN] to float32[:, HIDDEN]."""

    def codegen(context, builder, signature, args):
        units_, sums_, scales_ = (_data(context, builder, signature, args, k) for k in (0, 2, 4))
        sums_ = _at(builder, sums_, builder.mul(args[3], ir.Constant(_I64, HIDDEN)))
        units_ = _at(builder, units_, builder.mul(args[1], ir.Constant(_I64, HIDDEN)))
        scale = _spread(builder, builder.load(_at(builder, scales_, args[5])))
        halves = ir.VectorType(ir.IntType(16), _LANES)
        for v in range(0, HIDDEN, _LANES):
            offset = ir.Constant(_I64, v)
            value = builder.sitofp(_load(builder, _at(builder, sums_, offset), halves), _VEC)
            _store(builder, _clipped(builder, builder.fmul(value, scale)), _at(builder, units_, offset))
        return context.get_dummy_value()

    return types.void(units, types.int64, sums, types.int64, scales, types.int64), codegen


@intrinsic
def weighted_sum(typingctx, target, bias, table, rows, weights, count):
    """``target[:] = bias + sum(weights[j] * table[rows[j]] for j < count)`` over HIDDEN floats."""

    def codegen(context, builder, signature, args):
        target_, bias_, table_, rows_, weights_ = (_data(context, builder, signature, args, k) for k in range(5))
        hidden = ir.Constant(_I64, HIDDEN)
        sums = [cgutils.alloca_once(builder, _VEC) for _ in range(_BLOCK)]
        for block in range(0, HIDDEN, _BLOCK * _LANES):
            offsets = [ir.Constant(_I64, block + v * _LANES) for v in range(_BLOCK)]
            for place, offset in zip(sums, offsets, strict=True):
                builder.store(_load(builder, _at(builder, bias_, offset)), place)
            with cgutils.for_range(builder, args[5], intp=_I64) as loop:
                row = _index(builder, builder.load(_at(builder, rows_, loop.index)))
                weight = _spread(builder, builder.load(_at(builder, weights_, loop.index)))
                base = _at(builder, table_, builder.mul(row, hidden))
                for place, offset in zip(sums, offsets, strict=True):
                    value = _load(builder, _at(builder, base, offset))
                    builder.store(_times_plus(builder, weight, value, builder.load(place)), place)
            for place, offset in zip(sums, offsets, strict=True):
                _store(builder, builder.load(place), _at(builder, target_, offset))
        return context.get_dummy_value()

    return types.void(target, bias, table, rows, weights, types.int64), codegen


@intrinsic
def scatter_add(typingctx, table, values, rows, weights, count):
    """``table[rows[j]] += weights[j] * values`` for j < count, over HIDDEN floats."""

    def codegen(context, builder, signature, args):
        table_, values_, rows_, weights_ = (_data(context, builder, signature, args, k) for k in range(4))
        hidden = ir.Constant(_I64, HIDDEN)
        for block in range(0, HIDDEN, _BLOCK * _LANES):
            offsets = [ir.Constant(_I64, block + v * _LANES) for v in range(_BLOCK)]
            parts = [_load(builder, _at(builder, values_, offset)) for offset in offsets]
            with cgutils.for_range(builder, args[4], intp=_I64) as loop:
                row = _index(builder, builder.load(_at(builder, rows_, loop.index)))
                weight = _spread(builder, builder.load(_at(builder, weights_, loop.index)))
                base = _at(builder, table_, builder.mul(row, hidden))
                for part, offset in zip(parts, offsets, strict=True):
                    place = _at(builder, base, offset)
                    _store(builder, _times_plus(builder, weight, part, _load(builder, place)), place)
        return context.get_dummy_value()

    return types.void(table, values, rows, weights, types.int64), codegen


@intrinsic
def clip_row(typingctx, units, sums):
    """``units[:] = clip(sums[0], 0, 1)`` for float32 sums."""

    def codegen(context, builder, signature, args):
        units_, sums_ = (_data(context, builder, signature, args, k) for k in range(2))
        for v in range(0, HIDDEN, _LANES):
            offset = ir.Constant(_I64, v)
            _store(
                builder, _clipped(builder, _load(builder, _at(builder, sums_, offset))), _at(builder, units_, offset)
            )
        return context.get_dummy_value()

    return types.void(units, sums), codegen


def _any_set(builder, units, first):
    """Mask of which of the _LANES units from `first` on are not 0 in some position."""
    words = ir.VectorType(ir.IntType(32), _LANES)
    found = None
    for k in range(BATCH):
        part = _load(builder, _at(builder, units, builder.add(first, ir.Constant(_I64, k * HIDDEN))), words)
        found = part if found is None else builder.or_(found, part)
    flags = builder.icmp_unsigned("!=", found, ir.Constant(words, [0] * _LANES))
    return builder.zext(builder.bitcast(flags, ir.IntType(_LANES)), _I64)


@contextlib.contextmanager
def _each_bit(builder, mask):
    """Code for each set bit of a mask, the lowest first; yields its place."""
    left = cgutils.alloca_once(builder, _I64)
    builder.store(mask, left)
    head, body, end = (builder.append_basic_block(name) for name in ("bits", "bit", "bits.end"))
    builder.branch(head)
    builder.position_at_end(head)
    rest = builder.load(left)
    builder.cbranch(builder.icmp_unsigned("!=", rest, ir.Constant(_I64, 0)), body, end)
    builder.position_at_end(body)
    yield builder.cttz(rest, ir.Constant(ir.IntType(1), 1))
    builder.store(builder.and_(rest, builder.sub(rest, ir.Constant(_I64, 1))), left)
    builder.branch(head)
    builder.position_at_end(end)


@intrinsic
def upper_layers(typingctx, units, w2, b2, w3, b3, net, second, logits):
    """From clipped units to the second layer (clipped, into ``second``) and the outputs (``logits``), BATCH positions.

    All float32: ``units`` [BATCH, HIDDEN], ``w2`` [nets, HIDDEN, WIDTH], ``b2`` [nets, WIDTH], ``w3`` [nets, WIDTH,
    OUTPUTS], ``b3`` [nets, OUTPUTS], ``second`` [BATCH, WIDTH], ``logits`` [BATCH, OUTPUTS].
    The second layer's weights do not fit the nearest cache beside the tables; so they are read once for all positions.
    Units that are 0 in all of them, more than half, are passed over: they would add nothing.
    """

    def codegen(context, builder, signature, args):
        units_, w2_, b2_, w3_, b3_ = (_data(context, builder, signature, args, k) for k in range(5))
        second_, logits_ = (_data(context, builder, signature, args, k) for k in (6, 7))

        def const(value):
            return ir.Constant(_I64, value)

        net = args[5]
        w2_ = _at(builder, w2_, builder.mul(net, const(HIDDEN * WIDTH)))
        b2_ = _at(builder, b2_, builder.mul(net, const(WIDTH)))
        w3_ = _at(builder, w3_, builder.mul(net, const(WIDTH * OUTPUTS)))
        b3_ = _at(builder, b3_, builder.mul(net, const(OUTPUTS)))
        parts = range(0, WIDTH, _LANES)
        totals = [[cgutils.alloca_once(builder, _VEC) for _ in parts] for _ in range(BATCH)]
        for places in totals:
            for place, offset in zip(places, parts, strict=True):
                builder.store(_load(builder, _at(builder, b2_, const(offset))), place)
        with cgutils.for_range(builder, const(HIDDEN // _LANES), intp=_I64) as loop:
            first = builder.mul(loop.index, const(_LANES))
            with _each_bit(builder, _any_set(builder, units_, first)) as bit:
                unit_index = builder.add(first, bit)
                row = _at(builder, w2_, builder.mul(unit_index, const(WIDTH)))
                weights = [_load(builder, _at(builder, row, const(offset))) for offset in parts]
                for k, places in enumerate(totals):
                    unit_at = _at(builder, units_, builder.add(unit_index, const(k * HIDDEN)))
                    unit = _spread(builder, builder.load(unit_at))
                    for place, weight in zip(places, weights, strict=True):
                        builder.store(_times_plus(builder, unit, weight, builder.load(place)), place)
        for k, places in enumerate(totals):
            for place, offset in zip(places, parts, strict=True):
                _store(
                    builder, _clipped(builder, builder.load(place)), _at(builder, second_, const(k * WIDTH + offset))
                )
        outs = [_load(builder, b3_, _OUT)] * BATCH
        for j in range(WIDTH):
            weight = _load(builder, _at(builder, w3_, const(j * OUTPUTS)), _OUT)
            for k in range(BATCH):
                unit = _spread(builder, builder.load(_at(builder, second_, const(k * WIDTH + j))), _OUT)
                outs[k] = _times_plus(builder, unit, weight, outs[k])
        for k, value in enumerate(outs):
            _store(builder, value, _at(builder, logits_, const(k * OUTPUTS)))
        return context.get_dummy_value()

    return types.void(units, w2, b2, w3, b3, types.int64, second, logits), codegen


@intrinsic
def upper_layers_one(typingctx, units, w2, b2, w3, b3, second, logits):
    """`upper_layers` of one network for one position, summed in another order (for training)."""

    def codegen(context, builder, signature, args):
        units_, w2_, b2_, w3_, b3_ = (_data(context, builder, signature, args, k) for k in range(5))
        second_, logits_ = (_data(context, builder, signature, args, k) for k in (5, 6))

        def const(value):
            return ir.Constant(_I64, value)

        step, parts = 4, WIDTH // _LANES
        totals = [[cgutils.alloca_once(builder, _VEC) for _ in range(parts)] for _ in range(step)]
        zero = ir.Constant(_VEC, [0.0] * _LANES)
        for u in range(step):
            for p in range(parts):
                builder.store(_load(builder, _at(builder, b2_, const(p * _LANES))) if u == 0 else zero, totals[u][p])
        with cgutils.for_range(builder, const(HIDDEN // step), intp=_I64) as loop:
            first = builder.mul(loop.index, const(step))
            unit_at = _at(builder, units_, first)
            weight_at = _at(builder, w2_, builder.mul(first, const(WIDTH)))
            for u in range(step):
                unit = _spread(builder, builder.load(_at(builder, unit_at, const(u))))
                for p in range(parts):
                    weight = _load(builder, _at(builder, weight_at, const(u * WIDTH + p * _LANES)))
                    builder.store(_times_plus(builder, unit, weight, builder.load(totals[u][p])), totals[u][p])
        for p in range(parts):
            pairs = [builder.load(totals[u][p]) for u in range(step)]
            total = builder.fadd(builder.fadd(pairs[0], pairs[1]), builder.fadd(pairs[2], pairs[3]))
            _store(builder, _clipped(builder, total), _at(builder, second_, const(p * _LANES)))
        outs = [_load(builder, b3_, _OUT)] + [ir.Constant(_OUT, [0.0] * OUTPUTS)] * 3
        for j in range(WIDTH):
            unit = _spread(builder, builder.load(_at(builder, second_, const(j))), _OUT)
            weight = _load(builder, _at(builder, w3_, const(j * OUTPUTS)), _OUT)
            outs[j % 4] = _times_plus(builder, unit, weight, outs[j % 4])
        _store(builder, builder.fadd(builder.fadd(outs[0], outs[1]), builder.fadd(outs[2], outs[3])), logits_)
        return context.get_dummy_value()

    return types.void(units, w2, b2, w3, b3, second, logits), codegen


def _byte_mask(builder, low, high, predicate, other_low, other_high):
    """Mask of the 26 places whose byte compares true; the two vectors overlap by 6 places."""
    parts = []
    for left, right in ((low, other_low), (high, other_high)):
        flags = builder.bitcast(builder.icmp_signed(predicate, left, right), ir.IntType(16))
        parts.append(builder.zext(flags, _I64))
    return builder.or_(parts[0], builder.shl(parts[1], ir.Constant(_I64, 10)))


def _board_halves(context, builder, signature, args, k):
    pointer = _data(context, builder, signature, args, k)
    return [_load(builder, _at(builder, pointer, ir.Constant(_I64, at)), _BYTES) for at in (0, 10)]


@intrinsic
def board_masks(typingctx, board):
    """Masks of the places of int8[26] holding ≥ 1 and ≥ 2 checkers of the mover, ≥ 1 and ≥ 2 of the opponent."""

    def codegen(context, builder, signature, args):
        low, high = _board_halves(context, builder, signature, args, 0)
        masks = []
        for predicate, bound in ((">", 0), (">", 1), ("<", 0), ("<", -1)):
            limit = ir.Constant(_BYTES, [bound] * _BYTES.count)
            masks.append(_byte_mask(builder, low, high, predicate, limit, limit))
        return context.make_tuple(builder, signature.return_type, masks)

    return types.UniTuple(types.int64, 4)(board), codegen


@intrinsic
def changed_places(typingctx, board, other):
    """Mask of the places at which two int8[26] boards differ."""

    def codegen(context, builder, signature, args):
        low, high = _board_halves(context, builder, signature, args, 0)
        other_low, other_high = _board_halves(context, builder, signature, args, 1)
        return _byte_mask(builder, low, high, "!=", other_low, other_high)

    return types.int64(board, other), codegen


@intrinsic
def copy_board(typingctx, source, target):
    """Copy int8[26]."""

    def codegen(context, builder, signature, args):
        low, high = _board_halves(context, builder, signature, args, 0)
        pointer = _data(context, builder, signature, args, 1)
        _store(builder, low, pointer)
        _store(builder, high, _at(builder, pointer, ir.Constant(_I64, 10)))
        return context.get_dummy_value()

    return types.void(source, target), codegen


@intrinsic
def top_bit(typingctx, mask):
    """Index of the highest set bit of a non-zero int64."""

    def codegen(context, builder, signature, args):
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(_I64, 63), zeros)

    return types.int64(types.int64), codegen


@intrinsic
def low_bit(typingctx, mask):
    """Index of the lowest set bit of a non-zero int64."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen


@intrinsic
def bit_count(typingctx, mask):
    """Number of set bits of an int64."""

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def mirrored(typingctx, mask):
    """Mask of 26 places seen from the other side: bit p becomes bit 25 - p."""

    def codegen(context, builder, signature, args):
        return builder.lshr(builder.bitreverse(args[0]), ir.Constant(_I64, 38))

    return types.int64(types.int64), codegen


@intrinsic
def stack_longs(typingctx, size):
    """int64[size] on the stack of the caller, `size` a literal; not to be returned."""
    if not isinstance(size, types.IntegerLiteral):
        return None
    array = types.Array(types.int64, 1, "C")

    def codegen(context, builder, signature, args):
        count = signature.args[0].literal_value
        made = context.make_array(array)(context, builder)
        data = cgutils.alloca_once(builder, ir.ArrayType(_I64, count))
        context.populate_array(
            made,
            data=builder.bitcast(data, _I64.as_pointer()),
            shape=[ir.Constant(_I64, count)],
            strides=[ir.Constant(_I64, 8)],
            itemsize=ir.Constant(_I64, 8),
            meminfo=None,
        )
        return made._getvalue()

    return array(types.literal(size.literal_value)), codegen
