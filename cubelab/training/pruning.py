"""Teaching the network that prunes plays (``kernels/pruning``): the static evaluation says which plays are good.

A lesson is the set of plays of a random roll in a given position: the differences of the chances among them are what
counts, the better plays the more. A training run gives lessons on the way from its own positions (``run``). Then the
shipped file is taught from nothing by the shipped networks; nothing is kept, it takes some minutes of one core:

    python -m cubelab.training.pruning
    python -m cubelab.training.pruning --measure        # what the shipped file costs

What pruning costs, on 40,000 rolls of 19.3 plays in 0-ply games from the start (plays left; rolls whose best play is
missing; points a roll), one network for all kinds of positions against eight taught with 4 M lessons:

=================  ====================  ====================
most, margin       one                   eight
=================  ====================  ====================
10, 0.2            5.33  2.8 %  .00066   5.40  2.1 %  .00061
8, 0.2             4.79  3.6 %  .00085   4.84  2.8 %  .00073
8, 0.15            4.27  4.2 %  .00123   4.34  3.1 %  .00096
4, 0.12 (luck)     2.78  9.3 %  .00282   2.82  7.1 %  .00199
3, 0.12            2.33 12.4 %  .00389   2.35  9.7 %  .00269
=================  ====================  ====================

A third of the points is what single rolls lose beyond 0.1: above all hits late in the game that it does not see.
"""

# ruff: noqa: NPY002
from __future__ import annotations

import argparse
import io
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit

from cubelab.engine.pruning import PRUNING_FILE
from cubelab.kernels.features import COUNT_ROWS, count_row
from cubelab.kernels.moves import MAX_PLAYS
from cubelab.kernels.network import Nets, new_workspace
from cubelab.kernels.pruning import CHANCES, KINDS, ONE, UNITS, Pruner, kind_of, mark_best, set_parent
from cubelab.kernels.static import OVER, position_class

from .fit import adam, equity
from .selfplay import KEPT, flip, label_positions, new_money_pruning, replies

#: Plays of a lesson (a random part of more); lessons to a step; how fast the weight of a play falls with what it loses
#: (points), and the least weight; weight of each chance by itself beside the equity.
_MOST, _SETS, _DECAY, _FLOOR, _SINGLY = 32, 16, 0.12, 0.05, 0.1
#: So many steps all kinds of positions take as one network; then each goes on from a copy of it.
_TOGETHER = 60_000
#: Step sizes of Adam from nothing to the shipped network.
_RATES = (4e-3, 1e-4)
#: Positions drawn at a time, lessons in each; share of races and of plays at random there.
_BOARDS, _ROLLS, _RACES, _EXPLORE = 25_000, 4, 0.2, 0.12
#: Lessons of the shipped network; rolls on which it is measured.
LESSONS, _MEASURED = 5_000_000, 20_000
_MIDDLE = 32
_FAST = {"contract", "reassoc", "nsz"}


class Lessons(NamedTuple):
    """State of the teaching: `Pruner` in float32 (units 0 to 1), Adam's two moments, its steps int64[KINDS]."""

    table: np.ndarray
    bias: np.ndarray
    readout: np.ndarray
    first_table: np.ndarray
    first_bias: np.ndarray
    first_readout: np.ndarray
    second_table: np.ndarray
    second_bias: np.ndarray
    second_readout: np.ndarray
    steps: np.ndarray


def new_lessons(seed: int) -> Lessons:
    """Networks that know nothing."""
    rng = np.random.default_rng(seed)
    weights = [
        rng.normal(0, 0.05, (KINDS, 2 * COUNT_ROWS, UNITS)).astype(np.float32),
        rng.uniform(0.2, 0.6, (KINDS, UNITS)).astype(np.float32),
        rng.normal(0, 0.1, (KINDS, CHANCES, UNITS)).astype(np.float32),
    ]
    moments = [np.zeros_like(part) for _ in range(2) for part in weights]
    return Lessons._make([*weights, *moments, np.zeros(KINDS, np.int64)])


def pruner_of(lessons: Lessons) -> Pruner:
    """The networks as the kernels want them."""
    kinds = np.arange(KINDS) * (lessons.steps[0] >= _TOGETHER)
    table, bias, readout = lessons.table[kinds], lessons.bias[kinds], lessons.readout[kinds]
    table.reshape(KINDS, -1, 16, UNITS)[:, :, 0] = 0.0  # a place without checkers adds nothing
    table, bias = (np.clip(np.rint(part * ONE), -32767, 32767).astype(np.int16) for part in (table, bias))
    return Pruner(table, bias, readout)


@njit(cache=True)
def _list_rows(afters, k, rows):
    """Rows of play k: those that it has and the first play has not, then those that it lacks; the first has all.

    Their numbers stand in front, the rows on either side of `_MIDDLE`.
    """
    added, gone = 0, 0
    for place in range(26):
        here, there = afters[k, place], afters[0, place] if k > 0 else 0
        if here == there:
            continue
        if here != 0:
            added += 1
            rows[_MIDDLE - added] = count_row(afters[k], place)
        if there != 0:
            rows[_MIDDLE + gone] = count_row(afters[0], place)
            gone += 1
    rows[0], rows[1] = added, gone


@njit(cache=True, fastmath=_FAST)
def _lesson(weights, grads, afters, probs, n, rows, units, errors):
    """Add the gradient of the plays of one roll; returns their weighted squared error in equity.

    Only differences between plays count: errors are taken from their weighted mean.
    """
    table, bias, readout = weights
    g_table, g_bias, g_readout = grads
    best, total = np.float32(-4.0), np.float32(0.0)
    means, sums = np.zeros(CHANCES, np.float32), np.zeros(UNITS, np.float32)
    for k in range(n):
        best = max(best, equity(probs[k]))
    for k in range(n):
        _list_rows(afters, k, rows[k])
        start = bias if k == 0 else units[0]
        for i in range(UNITS):
            units[k, i] = start[i]
        for j in range(_MIDDLE - rows[k, 0], _MIDDLE):
            for i in range(UNITS):
                units[k, i] += table[rows[k, j], i]
        for j in range(_MIDDLE, _MIDDLE + rows[k, 1]):
            for i in range(UNITS):
                units[k, i] -= table[rows[k, j], i]
        for c in range(CHANCES):
            value = np.float32(0.0)
            for i in range(UNITS):
                value += readout[c, i] * min(max(units[k, i], np.float32(0.0)), np.float32(1.0))
            errors[k, c] = value
        errors[k, 0] -= probs[k, 0] + probs[k, 1] + probs[k, 2]
        errors[k, 1] -= probs[k, 1] + probs[k, 2]
        errors[k, 2] -= probs[k, 4] + probs[k, 5]
        errors[k, 3] -= probs[k, 2]
        errors[k, 4] -= probs[k, 5]
        weight = np.float32(_FLOOR + math.exp((equity(probs[k]) - best) / _DECAY))
        errors[k, CHANCES] = weight
        total += weight
        for c in range(CHANCES):
            means[c] += weight * errors[k, c]
    loss = np.float32(0.0)
    for k in range(n - 1, -1, -1):  # the first last: all rest on it
        weight = errors[k, CHANCES] / total
        for c in range(CHANCES):
            errors[k, c] -= means[c] / total
        points = 2 * errors[k, 0] + errors[k, 1] - errors[k, 2] + errors[k, 3] - errors[k, 4]
        loss += weight * points * points
        d0 = weight * (2 * points + np.float32(4 * _SINGLY) * errors[k, 0])
        d1 = weight * (points + np.float32(_SINGLY) * errors[k, 1])
        d2 = weight * (-points + np.float32(_SINGLY) * errors[k, 2])
        d3 = weight * (points + np.float32(_SINGLY) * errors[k, 3])
        d4 = weight * (-points + np.float32(_SINGLY) * errors[k, 4])
        for i in range(UNITS):
            unit = units[k, i]
            clipped = min(max(unit, np.float32(0.0)), np.float32(1.0))
            g_readout[0, i] += d0 * clipped
            g_readout[1, i] += d1 * clipped
            g_readout[2, i] += d2 * clipped
            g_readout[3, i] += d3 * clipped
            g_readout[4, i] += d4 * clipped
            back = d0 * readout[0, i] + d1 * readout[1, i] + d2 * readout[2, i]
            back += d3 * readout[3, i] + d4 * readout[4, i]
            # Units at rest a little outside their range may come back.
            units[k, i] = back if -0.1 < unit < 1.1 else np.float32(0.0)
            sums[i] += units[k, i]
        slope = sums if k == 0 else units[k]
        for j in range(_MIDDLE - rows[k, 0], _MIDDLE):
            for i in range(UNITS):
                g_table[rows[k, j], i] += slope[i]
        for j in range(_MIDDLE, _MIDDLE + rows[k, 1]):
            for i in range(UNITS):
                g_table[rows[k, j], i] -= slope[i]
    for i in range(UNITS):
        g_bias[i] += sums[i]
    return loss


@njit(cache=True)
def _some_of(afters, probs, n, best):
    """Bring `best` and a random part of the other plays to the front; returns how many of all are to be used."""
    for k in range(_MOST if n > _MOST else 0):
        other = best if k == 0 else k + np.random.randint(n - k)
        for place in range(26):
            afters[k, place], afters[other, place] = afters[other, place], afters[k, place]
        for result in range(6):
            probs[k, result], probs[other, result] = probs[other, result], probs[k, result]
    return min(n, _MOST)


@njit(cache=True)
def _step(lessons, grads, kind, rate):
    lessons.steps[kind] += 1
    t = lessons.steps[kind]
    step = np.float32(rate * math.sqrt(1.0 - 0.99**t) / (1.0 - 0.9**t))
    share, still = np.float32(1.0 / _SETS), np.float32(0.0)
    adam(
        lessons.table[kind].reshape(-1),
        grads[0][kind].reshape(-1),
        lessons.first_table[kind].reshape(-1),
        lessons.second_table[kind].reshape(-1),
        share,
        step,
        still,
    )
    adam(lessons.bias[kind], grads[1][kind], lessons.first_bias[kind], lessons.second_bias[kind], share, step, still)
    adam(
        lessons.readout[kind].reshape(-1),
        grads[2][kind].reshape(-1),
        lessons.first_readout[kind].reshape(-1),
        lessons.second_readout[kind].reshape(-1),
        share,
        step,
        still,
    )
    if kind == 0 and t == _TOGETHER:
        _part(lessons)


@njit(cache=True)
def _part(lessons):
    """Every kind goes on from where the first stands."""
    for kind in range(1, KINDS):
        lessons.table[kind] = lessons.table[0]
        lessons.bias[kind] = lessons.bias[0]
        lessons.readout[kind] = lessons.readout[0]
        lessons.first_table[kind] = lessons.first_table[0]
        lessons.first_bias[kind] = lessons.first_bias[0]
        lessons.first_readout[kind] = lessons.first_readout[0]
        lessons.second_table[kind] = lessons.second_table[0]
        lessons.second_bias[kind] = lessons.second_bias[0]
        lessons.second_readout[kind] = lessons.second_readout[0]
        lessons.steps[kind] = lessons.steps[0]


@njit(cache=True, nogil=True)
def _teach(nets, lessons, boards, seed, count, rate, last_rate):
    np.random.seed(seed)
    work = new_workspace()
    afters, probs = np.empty((MAX_PLAYS, 26), np.int8), np.empty((MAX_PLAYS, 6), np.float32)
    mover, given = np.empty(26, np.int8), np.zeros(KINDS, np.int64)
    rows, units = np.empty((_MOST, 2 * _MIDDLE), np.int32), np.empty((_MOST, UNITS), np.float32)
    errors = np.empty((_MOST, CHANCES + 1), np.float32)
    grads = (np.zeros_like(lessons.table), np.zeros_like(lessons.bias), np.zeros_like(lessons.readout))
    loss = 0.0
    for lesson in range(count):
        n, best = 0, 0
        while n < 3:
            flip(boards[np.random.randint(boards.shape[0])], mover)
            n, best = replies(nets, work, mover, np.random.randint(1, 7), np.random.randint(1, 7), afters, probs)
            if position_class(afters[best]) == OVER:
                n = 0
        n = _some_of(afters, probs, n, best)
        kind = kind_of(mover) if lessons.steps[0] >= _TOGETHER else 0
        weights = (lessons.table[kind], lessons.bias[kind], lessons.readout[kind])
        gradient = (grads[0][kind], grads[1][kind], grads[2][kind])
        loss += _lesson(weights, gradient, afters, probs, n, rows, units, errors)
        given[kind] += 1
        if given[kind] % _SETS == 0:
            _step(lessons, grads, kind, rate + (last_rate - rate) * lesson / count)
    return math.sqrt(loss / max(count, 1))


def teach(nets: Nets, lessons: Lessons, boards: np.ndarray, seed: int, count: int, rate: float, last: float) -> float:
    """Give `count` lessons from random rolls in the positions of `boards` (after a play).

    Steps go from `rate` to `last`; `lessons` is changed.

    Returns the root mean square error of the equity differences (points) on the way.
    """
    return float(_teach(nets, lessons, boards, seed, count, rate, last))


def own_positions(nets: Nets, pruner: Pruner, seed: int, count: int, races: float, explore: float) -> np.ndarray:
    """Positions after a play of the networks' own games at 0-ply (nothing pruned), int8[count, 26].

    ``races``, ``explore``: shares of games that begin as a race and of plays at random.
    """
    boards, labels = np.zeros((count, 26), np.int8), np.zeros((count, 6), np.float32)
    label_positions(nets, pruner, 0.0, seed, races, False, 0.0, explore, math.inf, boards, labels)
    return boards


def train(nets: Nets, count: int, seed: int = 1) -> Pruner:
    """Teach a new pruning network from positions of the networks' own games; says on the way how far it is.

    Parameters
    ----------
    nets : Nets
        The teachers.
    count : int
        Lessons.
    seed : int
    """
    lessons = new_lessons(seed)
    chunks = max(count // (_BOARDS * _ROLLS), 1)
    rates = np.geomspace(*_RATES, chunks + 1)
    for chunk in range(chunks):
        boards = own_positions(nets, pruner_of(lessons), seed + 2 * chunk, _BOARDS, _RACES, _EXPLORE)
        given = min(count, _BOARDS * _ROLLS)
        error = teach(nets, lessons, boards, seed + 2 * chunk + 1, given, *rates[chunk : chunk + 2])
        print(f"{(chunk + 1) * given} lessons: error {error:.4f}", flush=True)
    return pruner_of(lessons)


@njit(cache=True)
def _measure(nets, pruner, boards, seed, most, margin):
    np.random.seed(seed)
    work, pruning = new_workspace(), new_money_pruning(pruner)
    afters, probs = np.empty((MAX_PLAYS, 26), np.int8), np.empty((MAX_PLAYS, 6), np.float32)
    mover = np.empty(26, np.int8)
    plays, left, missed, lost = 0, 0, 0, 0.0
    for k in range(len(boards)):
        flip(boards[k], mover)
        n, best = replies(nets, work, mover, np.random.randint(1, 7), np.random.randint(1, 7), afters, probs)
        plays += n
        set_parent(pruner, pruning, mover)
        pruning.kept[:n] = 0
        mark_best(pruner, pruning, pruning.weights[0, 0], mover, afters, n, min(most, KEPT), margin, 1)
        top = -3.0
        for play in range(n):
            if pruning.kept[play] != 0:
                left += 1
                top = max(top, equity(probs[play]))
        if pruning.kept[best] == 0:
            missed += 1
            lost += equity(probs[best]) - top
    return plays / len(boards), left / len(boards), missed / len(boards), lost / len(boards)


def measure(nets: Nets, pruner: Pruner, count: int, most: int, margin: float, seed: int = 1) -> dict[str, float]:
    """What pruning costs in the networks' own games at 0-ply, by their own static evaluation.

    Parameters
    ----------
    nets, pruner : Nets, Pruner
    count : int
        Rolls.
    most, margin : int, float
        As `kernels.pruning.mark_best` has them, money; at most ten.
    seed : int

    Returns
    -------
    dict
        Of each roll in the mean: ``plays``, ``left`` of them, ``missed`` (share of rolls whose best play is not left),
        ``lost`` (points by which the best of those left is worse).
    """
    boards = own_positions(nets, pruner, seed, count, 0.0, 0.0)
    return dict(
        zip(("plays", "left", "missed", "lost"), _measure(nets, pruner, boards, seed, most, margin), strict=True)
    )


def _write(place: Path, pruner: Pruner) -> None:
    """The shipped file with its checksum."""
    from .shipping import write_weights

    buffer = io.BytesIO()
    np.savez_compressed(buffer, **pruner._asdict())  # type: ignore[arg-type]
    write_weights(place, PRUNING_FILE, buffer.getvalue())


def _say(nets: Nets, pruner: Pruner, rolls: int) -> None:
    from cubelab.kernels.rollout import LUCK_KEPT, LUCK_MARGIN, PLAYS_KEPT, PLAYS_MARGIN

    for what, most, margin in (("played", PLAYS_KEPT, PLAYS_MARGIN), ("luck", LUCK_KEPT, LUCK_MARGIN)):
        found = measure(nets, pruner, rolls, most, margin)
        print(
            f"{what}: of {found['plays']:.1f} plays a roll the {most} best within {margin} points leave "
            f"{found['left']:.2f}; the best is missing in {100 * found['missed']:.1f} of 100 rolls, "
            f"{found['lost']:.5f} points a roll"
        )


def main(arguments: list[str] | None = None) -> int:
    """Train and write the shipped file with its checksum, or measure it; the exit status."""
    from .limits import seed, status, whole
    from .shipping import SHIPPED, check_place

    parser = argparse.ArgumentParser(
        prog="python -m cubelab.training.pruning", description="Train the pruning network, and say what it costs."
    )
    parser.add_argument("--lessons", type=whole(1, 10**9), default=LESSONS, help=f"default: {LESSONS}")
    parser.add_argument("--seed", type=seed, default=2)
    parser.add_argument("--to", type=Path, default=SHIPPED)
    parser.add_argument("--measure", action="store_true", help="only measure the shipped file")
    options = parser.parse_args(arguments)
    from cubelab.engine.neural import load_nets
    from cubelab.engine.pruning import load_pruner

    def work() -> None:
        if not options.measure:
            check_place(options.to, PRUNING_FILE)
        nets = load_nets()
        if options.measure:
            pruner = load_pruner()
        else:
            pruner = train(nets, options.lessons, options.seed)
            _write(options.to, pruner)
        _say(nets, pruner, _MEASURED)

    return status(work, "the weights are as they were")


if __name__ == "__main__":
    raise SystemExit(main())
