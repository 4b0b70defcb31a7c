"""Training of the network that prunes plays: taught by the static evaluation on the plays of its own games.

Every roll of a game is one lesson: the differences of the chances among its plays are what counts, the better plays the
more. No data kept; the shipped file takes some minutes:

    python -m cubelab.training.pruning

What it costs, on 12,000 rolls of our own 0-ply games: of 16.3 plays a roll, the ten best within 0.2 points (rollouts)
leave 5.8, among which the best is missing in 3 of 100 rolls, at 0.0009 points a roll on average (0.0007 with the
networks that taught it: teach it again when others are shipped).
"""

# ruff: noqa: NPY002
from __future__ import annotations

import argparse
import hashlib
import io
import math
import os
from pathlib import Path

import numpy as np
from numba import njit

from cubelab.engine.neural import load_nets
from cubelab.kernels.features import COUNT_ROWS, count_row
from cubelab.kernels.moves import MAX_PLAYS
from cubelab.kernels.network import new_workspace
from cubelab.kernels.pruning import CHANCES, ONE, UNITS
from cubelab.kernels.static import CONTACT, OVER, position_class

from .fit import equity
from .selfplay import flip, opening, replies

#: Share of plays chosen at random; plays of a lesson (a random part of more); lessons to a step; how fast the weight of
#: a play falls with what it loses (points), and the least weight; weight of each chance by itself beside the equity.
_EXPLORE, _MOST, _SETS, _DECAY, _FLOOR, _SINGLY = 0.12, 32, 16, 0.12, 0.05, 0.1
#: Steps of Adam, from the first lesson to the last.
_RATES = (4e-3, 1e-4)
_FAST = {"contract", "reassoc", "nsz"}


@njit(cache=True, fastmath=_FAST)
def _lesson(weights, grads, afters, probs, n, rows, units, errors):
    """Add the gradient of the plays of one roll; returns their weighted squared error in equity.

    Only differences between plays count: errors are taken from their weighted mean.
    """
    table, bias, readout = weights
    g_table, g_bias, g_readout = grads
    best, total = np.float32(-4.0), np.float32(0.0)
    means = np.zeros(CHANCES, np.float32)
    for k in range(n):
        best = max(best, equity(probs[k]))
    for k in range(n):
        count = 0
        for place in range(26):
            if afters[k, place] != 0:
                rows[k, count] = count_row(afters[k], place)
                count += 1
        rows[k, 31] = count
        for i in range(UNITS):
            units[k, i] = bias[i]
        for j in range(count):
            row = rows[k, j]
            for i in range(UNITS):
                units[k, i] += table[row, i]
        for c in range(CHANCES):
            value = np.float32(0.0)
            for i in range(UNITS):
                value += readout[c, i] * min(max(units[k, i], np.float32(0.0)), np.float32(1.0))
            errors[k, c] = value
        errors[k, 0] -= probs[k, 0] + probs[k, 1] + probs[k, 2]
        errors[k, 1] -= probs[k, 1] + probs[k, 2]
        errors[k, 2] -= probs[k, 4] + probs[k, 5]
        weight = np.float32(_FLOOR + math.exp((equity(probs[k]) - best) / _DECAY))
        errors[k, 3] = weight
        total += weight
        for c in range(CHANCES):
            means[c] += weight * errors[k, c]
    loss = np.float32(0.0)
    for k in range(n):
        weight = errors[k, 3] / total
        for c in range(CHANCES):
            errors[k, c] -= means[c] / total
        points = 2 * errors[k, 0] + errors[k, 1] - errors[k, 2]
        loss += weight * points * points
        d0 = weight * (2 * points + np.float32(4 * _SINGLY) * errors[k, 0])
        d1 = weight * (points + np.float32(_SINGLY) * errors[k, 1])
        d2 = weight * (-points + np.float32(_SINGLY) * errors[k, 2])
        for i in range(UNITS):
            unit = units[k, i]
            clipped = min(max(unit, np.float32(0.0)), np.float32(1.0))
            g_readout[0, i] += d0 * clipped
            g_readout[1, i] += d1 * clipped
            g_readout[2, i] += d2 * clipped
            back = d0 * readout[0, i] + d1 * readout[1, i] + d2 * readout[2, i]
            # Units at rest a little outside their range may come back.
            units[k, i] = back if -0.1 < unit < 1.1 else np.float32(0.0)
            g_bias[i] += units[k, i]
        for j in range(rows[k, 31]):
            row = rows[k, j]
            for i in range(UNITS):
                g_table[row, i] += units[k, i]
    return loss


@njit(cache=True, fastmath=_FAST)
def _adam(weights, grads, first, second, step):
    for i in range(weights.size):
        gradient = grads[i] * np.float32(1.0 / _SETS)
        grads[i] = 0.0
        first[i] = np.float32(0.9) * first[i] + np.float32(0.1) * gradient
        second[i] = np.float32(0.99) * second[i] + np.float32(0.01) * gradient * gradient
        weights[i] -= step * first[i] / (np.sqrt(second[i]) + np.float32(1e-5))


@njit(cache=True)
def _teach(nets, seed, count, rate, last_rate, weights, grads, flat):
    """Play games, every roll a lesson; returns the root mean square error of the equity differences (points)."""
    np.random.seed(seed)
    work = new_workspace()
    afters, probs = np.empty((MAX_PLAYS, 26), np.int8), np.empty((MAX_PLAYS, 6), np.float32)
    board, mover = np.empty(26, np.int8), np.empty(26, np.int8)
    rows, units, errors = np.empty((_MOST, 32), np.int32), np.empty((_MOST, UNITS), np.float32), np.empty((_MOST, 4))
    done, loss = 0, 0.0
    while done < count:
        opening(nets, work, min(np.random.randint(0, 5), 2), afters, probs, board)
        for _ in range(300):
            if position_class(board) == OVER:
                break
            flip(board, mover)
            n, best = replies(nets, work, mover, np.random.randint(1, 7), np.random.randint(1, 7), afters, probs)
            board[:] = afters[np.random.randint(n) if np.random.random() < _EXPLORE else best]
            if n > 2 and position_class(afters[best]) != OVER:
                for k in range(_MOST if n > _MOST else 0):
                    other = best if k == 0 else k + np.random.randint(n - k)
                    for place in range(26):
                        afters[k, place], afters[other, place] = afters[other, place], afters[k, place]
                    for result in range(6):
                        probs[k, result], probs[other, result] = probs[other, result], probs[k, result]
                loss += _lesson(weights, grads, afters, probs, min(n, _MOST), rows, units, errors)
                done += 1
                if done % _SETS == 0:
                    step = np.float32(rate + (last_rate - rate) * done / count)
                    for part in range(3):
                        _adam(flat[0][part], flat[1][part], flat[2][part], flat[3][part], step)
            if position_class(board) != CONTACT and np.random.random() < 0.1:
                break
    return math.sqrt(loss / done)


def train(rolls: int, seed: int = 1, chunk: int = 100_000) -> dict[str, np.ndarray]:
    """Teach a new network.

    Parameters
    ----------
    rolls : int
        Lessons.
    seed : int
    chunk : int
        Lessons between two reports.

    Returns
    -------
    dict
        ``table``, ``bias``, ``readout`` as `kernels.pruning.Pruner` has them.
    """
    rng, nets = np.random.default_rng(seed), load_nets()
    weights = (
        rng.normal(0, 0.05, (2 * COUNT_ROWS, UNITS)).astype(np.float32),
        rng.uniform(0.2, 0.6, UNITS).astype(np.float32),
        rng.normal(0, 0.1, (CHANCES, UNITS)).astype(np.float32),
    )
    grads = tuple(np.zeros_like(part) for part in weights)
    moments = [tuple(np.zeros(part.size, np.float32) for part in weights) for _ in range(2)]
    flat = tuple(tuple(part.reshape(-1) for part in parts) for parts in (weights, grads, *moments))
    chunks = max(rolls // chunk, 1)
    rates = np.geomspace(_RATES[0], _RATES[1], chunks + 1)
    for number in range(chunks):
        error = _teach(nets, seed + number, min(chunk, rolls), *rates[number : number + 2], weights, grads, flat)
        print(f"{(number + 1) * chunk} rolls: error {error:.4f}", flush=True)
    table, bias, readout = weights
    table.reshape(-1, 16, UNITS)[:, 0] = 0.0  # a place without checkers adds nothing
    return {
        "table": np.clip(np.rint(table * ONE), -32767, 32767).astype(np.int16),
        "bias": np.rint(bias * ONE).astype(np.int16),
        "readout": readout,
    }


def main() -> int:
    """Train and write the shipped file with its checksum."""
    parser = argparse.ArgumentParser(
        prog="python -m cubelab.training.pruning", description="Train the pruning network."
    )
    parser.add_argument("--rolls", type=int, default=4_500_000, help="lessons (default: 4500000)")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--to", type=Path, default=Path(__file__).parents[1] / "engine" / "weights")
    options = parser.parse_args()
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **train(options.rolls, options.seed))  # type: ignore[arg-type]
    data = buffer.getvalue()
    for name, content in (
        ("pruning.npz", data),
        ("pruning.sha256", f"{hashlib.sha256(data).hexdigest()}  pruning.npz\n".encode()),
    ):
        temporary = options.to / f".{name}.new"
        temporary.write_bytes(content)
        os.replace(temporary, options.to / name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
