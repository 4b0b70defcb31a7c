"""The four inner loops of the networks as LLVM vectors.

numba leaves such loops scalar where it cannot prove that the arrays do not overlap. Here they are written as vector
instructions of 16 floats, which LLVM lowers to whatever the processor has. Multiply and add may be contracted
to one instruction; nothing else about floating point is relaxed.

All arrays are C-contiguous; a row of hidden units has HIDDEN floats, the second layer WIDTH, the outputs are padded to 8.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

HIDDEN = 256
WIDTH = 32
OUTPUTS = 8

_F32 = ir.FloatType()
_I64 = ir.IntType(64)
_LANES = 16
_VEC = ir.VectorType(_F32, _LANES)
_OUT = ir.VectorType(_F32, OUTPUTS)
_CONTRACT = ("contract",)
_BLOCK = 8  # vectors kept in registers at a time


def _data(context, builder, signature, args, k):
    return context.make_array(signature.args[k])(context, builder, args[k]).data


def _at(builder, pointer, offset):
    return builder.gep(pointer, [offset])


def _load(builder, pointer, vector=_VEC):
    return builder.load(builder.bitcast(pointer, vector.as_pointer()), align=4)


def _store(builder, value, pointer):
    builder.store(value, builder.bitcast(pointer, value.type.as_pointer()), align=4)


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

    ``target``, ``source``, ``table``: float32[:, HIDDEN]; ``rows``: int32, any shape, read as flat.
    """

    def codegen(context, builder, signature, args):
        target_, source_, table_, rows_ = (_data(context, builder, signature, args, k) for k in (0, 2, 4, 5))
        hidden = ir.Constant(_I64, HIDDEN)
        to = _at(builder, target_, builder.mul(args[1], hidden))
        start_from = _at(builder, source_, builder.mul(args[3], hidden))
        sums = [cgutils.alloca_once(builder, _VEC) for _ in range(_BLOCK)]
        for block in range(0, HIDDEN, _BLOCK * _LANES):
            offsets = [ir.Constant(_I64, block + v * _LANES) for v in range(_BLOCK)]
            for place, offset in zip(sums, offsets, strict=True):
                builder.store(_load(builder, _at(builder, start_from, offset)), place)
            for first, last, add in ((args[6], args[7], True), (args[7], args[8], False)):
                with cgutils.for_range(builder, last, start=first, intp=_I64) as loop:
                    row = _index(builder, builder.load(_at(builder, rows_, loop.index)))
                    base = _at(builder, table_, builder.mul(row, hidden))
                    for place, offset in zip(sums, offsets, strict=True):
                        value = _load(builder, _at(builder, base, offset))
                        change = builder.fadd if add else builder.fsub
                        builder.store(change(builder.load(place), value), place)
            for place, offset in zip(sums, offsets, strict=True):
                _store(builder, builder.load(place), _at(builder, to, offset))
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64, table, rows, types.int64, types.int64, types.int64), codegen


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
def upper_layers(typingctx, sums, row, units, w2, b2, w3, b3, net, second, logits):
    """Clip one accumulator row into ``units``; second layer (clipped) into ``second``; outputs into ``logits``.

    ``sums`` float32[:, HIDDEN], ``units`` float32[HIDDEN], ``w2`` float32[nets, HIDDEN, WIDTH], ``b2`` float32[nets, WIDTH],
    ``w3`` float32[nets, WIDTH, OUTPUTS], ``b3`` float32[nets, OUTPUTS], ``second`` float32[WIDTH], ``logits`` float32[OUTPUTS].
    """

    def codegen(context, builder, signature, args):
        sums_, units_, w2_, b2_, w3_, b3_ = (_data(context, builder, signature, args, k) for k in (0, 2, 3, 4, 5, 6))
        second_, logits_ = (_data(context, builder, signature, args, k) for k in (8, 9))
        const = lambda k: ir.Constant(_I64, k)  # noqa: E731
        net = args[7]
        sums_ = _at(builder, sums_, builder.mul(args[1], const(HIDDEN)))
        w2_ = _at(builder, w2_, builder.mul(net, const(HIDDEN * WIDTH)))
        b2_ = _at(builder, b2_, builder.mul(net, const(WIDTH)))
        w3_ = _at(builder, w3_, builder.mul(net, const(WIDTH * OUTPUTS)))
        b3_ = _at(builder, b3_, builder.mul(net, const(OUTPUTS)))
        for v in range(0, HIDDEN, _LANES):
            _store(builder, _clipped(builder, _load(builder, _at(builder, sums_, const(v)))), _at(builder, units_, const(v)))
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

    return types.void(sums, types.int64, units, w2, b2, w3, b3, types.int64, second, logits), codegen
