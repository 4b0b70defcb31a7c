"""Training of the network that prunes plays: taught by the static evaluation on the plays of its own games.

Every roll of a game is one lesson: the differences of the chances among its plays are what counts, the better plays the
more. Sparse AdaGrad, no data kept; the shipped file takes a few CPU minutes:

    python -m cubelab.training.pruning --rolls 800000
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

_EXPLORE, _FLOOR, _DECAY, _MEAN = 0.15, 0.03, 0.12, 0.05
_MOST = 256


@njit(cache=True)
def _lesson(table, bias, readout, squares, afters, probs, count, best, step):
    """One AdaGrad step on the plays of a roll; returns their weighted squared error."""
    squares_table, squares_bias, squares_readout = squares
    units, outputs = np.empty((count, UNITS), np.float32), np.empty((count, CHANCES), np.float32)
    errors, weights = np.empty((count, CHANCES), np.float32), np.empty(count, np.float32)
    rows, lengths = np.empty((count, 27), np.int32), np.empty(count, np.int64)
    top, total = equity(probs[best]), 0.0
    for play in range(count):
        n = 0
        for place in range(26):
            if afters[play, place] != 0:
                rows[play, n] = count_row(afters[play], place)
                n += 1
        lengths[play] = n
        units[play] = bias
        for i in range(n):
            units[play] += table[rows[play, i]]
        for k in range(CHANCES):
            outputs[play, k] = 0.0
            for u in range(UNITS):
                outputs[play, k] += min(max(units[play, u], np.float32(0.0)), np.float32(1.0)) * readout[k, u]
        errors[play, 0] = outputs[play, 0] - (probs[play, 0] + probs[play, 1] + probs[play, 2])
        errors[play, 1] = outputs[play, 1] - (probs[play, 1] + probs[play, 2])
        errors[play, 2] = outputs[play, 2] - (probs[play, 4] + probs[play, 5])
        weights[play] = _FLOOR + math.exp((equity(probs[play]) - top) / _DECAY)
        total += weights[play]
    loss = 0.0
    for k in range(CHANCES):
        mean = 0.0
        for play in range(count):
            mean += weights[play] / total * errors[play, k]
        for play in range(count):
            centred = errors[play, k] - mean
            loss += weights[play] / total * centred * centred
            errors[play, k] = weights[play] / total * (centred + _MEAN * mean) * (2.0 if k == 0 else 1.0)
    for play in range(count):
        for u in range(UNITS):
            unit = min(max(units[play, u], np.float32(0.0)), np.float32(1.0))
            back = np.float32(0.0)
            for k in range(CHANCES):
                back += errors[play, k] * readout[k, u]
                gradient = errors[play, k] * unit
                squares_readout[k, u] += gradient * gradient
                readout[k, u] -= step * gradient / math.sqrt(squares_readout[k, u])
            # Units at rest a little outside their range may come back.
            if back != 0.0 and -0.1 < units[play, u] < 1.1:
                squares_bias[u] += back * back
                bias[u] -= step * back / math.sqrt(squares_bias[u])
                for i in range(lengths[play]):
                    row = rows[play, i]
                    squares_table[row, u] += back * back
                    table[row, u] -= step * back / math.sqrt(squares_table[row, u])
    return loss


@njit(cache=True)
def _teach(nets, seed, lessons, step, table, bias, readout, squares):
    """Play games, every roll a lesson; returns the mean squared error."""
    np.random.seed(seed)
    work = new_workspace()
    afters, probs = np.empty((MAX_PLAYS, 26), np.int8), np.empty((MAX_PLAYS, 6), np.float32)
    board, mover = np.empty(26, np.int8), np.empty(26, np.int8)
    done, loss = 0, 0.0
    while done < lessons:
        opening(nets, work, min(np.random.randint(0, 5), 2), afters, probs, board)
        for _ in range(300):
            if position_class(board) == OVER:
                break
            flip(board, mover)
            count, best = replies(
                nets, work, mover, np.random.randint(1, 7), np.random.randint(1, 7), afters, probs
            )  # fmt: skip
            if 2 < count <= _MOST and position_class(afters[best]) != OVER:
                loss += _lesson(table, bias, readout, squares, afters, probs, count, best, step)
                done += 1
            chosen = np.random.randint(count) if np.random.random() < _EXPLORE else best
            board[:] = afters[chosen]
            if position_class(board) != CONTACT and np.random.random() < 0.1:
                break
    return loss / done


def train(rolls: int, seed: int = 1, chunk: int = 50_000) -> dict[str, np.ndarray]:
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
    table = (rng.normal(size=(2 * COUNT_ROWS, UNITS)) * 0.05).astype(np.float32)
    bias = np.full(UNITS, 0.5, np.float32)
    readout = (rng.normal(size=(CHANCES, UNITS)) * 0.1).astype(np.float32)
    squares = tuple(np.full_like(part, 1e-4) for part in (table, bias, readout))
    for number in range(max(rolls // chunk, 1)):
        step = 0.1 * (1 - number * chunk / rolls) + 0.002
        loss = _teach(nets, seed + number, chunk, step, table, bias, readout, squares)
        print(f"{(number + 1) * chunk} rolls: error {math.sqrt(loss):.4f}", flush=True)
    # A place without checkers adds nothing.
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
    parser.add_argument("--rolls", type=int, default=800_000, help="lessons (default: 800000)")
    parser.add_argument("--seed", type=int, default=1)
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
