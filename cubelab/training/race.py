"""Weights of the race evaluator (``cubelab.kernels.race``) from nothing but the rules and the exact bearoff tables.

One side at a time rolls home and off; every position met is labelled with the moments of its number of rolls by
looking ahead over all 21 rolls (the best play of each is the one with the lowest mean), corrected along the line
actually rolled by lambda = 0.9 of what later look-aheads found; at home the exact moments take over. Positions,
labels and fit alternate. ``python -m cubelab.training.race`` takes some ten minutes on one core and writes the shipped
files; the seed is fixed, so that another run on the same machine gives the same weights.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numba import njit

from cubelab.engine.race import WEIGHTS_FILE, exact_tables
from cubelab.kernels.bearoff import CHECKERS
from cubelab.kernels.race import FEW, HIDDEN, MOMENTS, RaceTables, exact_row, side_moments
from cubelab.kernels.race_lines import look_ahead, random_integer

from .limits import seed, status, whole
from .shipping import SHIPPED, check_place, write_weights

INPUTS_PER_POINT = 6
TRACE = 0.9


@njit(cache=True)
def _random_start(rng, counts):
    """A side's race position: rolled on from the opening, or scattered; 15 checkers or fewer."""
    counts[:] = 0
    if rng.random() < 0.45:
        counts[24], counts[13], counts[8], counts[6] = 2, 5, 3, 5
        for _ in range(random_integer(rng, 0, 26)):  # single dice, played anyhow
            die = random_integer(rng, 1, 7)
            for _try in range(20):
                point = random_integer(rng, die + 1, 25)
                if counts[point] > 0:
                    counts[point] -= 1
                    counts[point - die] += 1
                    break
        return
    total = CHECKERS
    if rng.random() < 0.4:
        total = random_integer(rng, FEW + 1, CHECKERS + 1)
    border = random_integer(rng, 7, 25)
    if rng.random() < 0.5:
        border = random_integer(rng, 7, 12)
    outside = rng.random() ** 2
    deep = 0.4 + 2.1 * rng.random()  # high: most of those at home stand on its low points
    block = random_integer(rng, 1, 7)
    placed = 0
    while placed < total:
        point = 1 + int(6 * rng.random() ** deep)
        if rng.random() < outside:
            point = random_integer(rng, 7, border + 1)
        number = min(random_integer(rng, 1, block + 1), total - placed)
        counts[point] += number
        placed += number


@njit(cache=True)
def lines(race, rng, wanted, positions, labels):
    """Roll sides home from random starts and label what is met.

    Parameters
    ----------
    race : RaceTables
    rng : numpy.random.Generator
    wanted : int
        How many positions (rows of the two outputs).
    positions : int8[wanted, 25]
    labels : float64[wanted, 6]
    """
    counts = np.zeros(25, np.int8)
    hidden = np.zeros(HIDDEN, np.float32)
    moments = np.zeros((21, MOMENTS))
    results = np.zeros((21, 2, 25), np.int8)
    own = np.zeros(MOMENTS)
    found = 0
    while found < wanted:
        _random_start(rng, counts)
        target = 0 if rng.random() < 0.75 else 1
        k = 3 * target
        begin = found
        while found < wanted and exact_row(counts)[0] < 0:
            positions[found] = counts
            look_ahead(race, counts, hidden, moments, results, labels[found])
            found += 1
            die1, die2 = random_integer(rng, 1, 7), random_integer(rng, 1, 7)
            high, low = max(die1, die2), min(die1, die2)
            counts[:] = results[high * (high - 1) // 2 + low - 1, target]
        # the rest of the line, from its end: a correction for what the network thought of each position reached
        for n in range(found - 2, begin - 1, -1):
            side_moments(race, positions[n + 1], hidden, own)
            labels[n, k : k + 3] += TRACE * (labels[n + 1, k : k + 3] - own[k : k + 3])


def inputs(positions: np.ndarray) -> np.ndarray:
    """Thermometer inputs float32[n, 24 * 6] of positions int8[n, 25]: at least 1 … 5 checkers, and how many beyond."""
    counts = positions[:, 1:, None].astype(np.float32)
    steps = (counts >= np.arange(1, INPUTS_PER_POINT)).astype(np.float32)
    beyond = np.maximum(counts - (INPUTS_PER_POINT - 1), 0) / 2
    return np.concatenate([steps, beyond], axis=2).reshape(len(positions), -1)


class Fit:
    """The network while it is trained: parameters, Adam's moments and a running average for export.

    Parameters
    ----------
    seed : int
    """

    #: Outputs are learned in these units: the mean counts most.
    scale = np.array([0.04, 0.2, 0.4, 0.15, 0.3, 0.3], np.float32)

    def __init__(self, seed: int):
        rng = np.random.default_rng(seed)
        width = 24 * INPUTS_PER_POINT
        self.parameters = [
            rng.normal(0, 0.15, (width, HIDDEN)).astype(np.float32),
            rng.normal(0, 0.15, HIDDEN).astype(np.float32),
            rng.normal(0, 0.02, (HIDDEN, MOMENTS)).astype(np.float32),
            np.zeros(MOMENTS, np.float32),
        ]
        self.first = [np.zeros_like(p) for p in self.parameters]
        self.second = [np.zeros_like(p) for p in self.parameters]
        self.average = [p.copy() for p in self.parameters]
        self.steps = 0

    def step(self, x: np.ndarray, target: np.ndarray, known: np.ndarray, rate: float) -> float:
        """One Adam step on a batch; ``known`` masks the outputs that count. The mean loss."""
        w1, b1, w2, b2 = self.parameters
        pre = x @ w1 + b1
        h = np.maximum(pre, 0)
        error = (h @ w2 + b2 - target) * known
        loss = float((error**2).mean())
        slope = error * (2 / len(x))
        back = (slope @ w2.T) * (pre > 0)
        gradients = [x.T @ back, back.sum(0), h.T @ slope, slope.sum(0)]
        self.steps += 1
        keep = min(0.999, 1 - 1 / (self.steps + 1))
        for p, g, m, v, a in zip(self.parameters, gradients, self.first, self.second, self.average, strict=True):
            m += 0.1 * (g - m)
            v += 0.01 * (g * g - v)
            p -= rate * (m / (1 - 0.9**self.steps)) / (np.sqrt(v / (1 - 0.99**self.steps)) + 1e-8)
            a += (1 - keep) * (p - a)
        return loss

    def tables(self, exact: RaceTables) -> RaceTables:
        """Fold the averaged weights into the kernel's arrays; the exact ones are kept."""
        w1, b1, w2, b2 = self.average
        rows = np.zeros((25, CHECKERS + 1, HIDDEN), np.float32)
        for count in range(1, CHECKERS + 1):
            positions = np.zeros((24, 25), np.int8)
            positions[np.arange(24), np.arange(1, 25)] = count
            rows[1:, count] = inputs(positions) @ w1
        return exact._replace(
            rows=rows,
            bias=b1.copy(),
            output=np.ascontiguousarray((w2 * self.scale).T),
            output_bias=b2 * self.scale,
        )


@njit(cache=True)
def _moments(race, positions, moments):
    hidden = np.zeros(HIDDEN, np.float32)
    for n in range(len(positions)):
        side_moments(race, positions[n], hidden, moments[n])


def train(
    exact: RaceTables,
    rounds: int = 12,
    positions_per_round: int = 24000,
    seed: int = 1,
    log: Callable[[str], None] = print,
) -> RaceTables:
    """Train from nothing.

    Parameters
    ----------
    exact : RaceTables
        Its exact arrays are used, its weights are not.
    rounds, positions_per_round : int
        Each round makes so many labelled positions with the network so far, then fits on the latest rounds.
    seed : int
    log : callable
        Gets a sentence per round.

    Returns
    -------
    RaceTables
    """
    fit = Fit(seed)
    rng = np.random.default_rng(seed + 1)
    nothing = exact._replace(
        rows=np.zeros((25, CHECKERS + 1, HIDDEN), np.float32),
        bias=np.zeros(HIDDEN, np.float32),
        output=np.zeros((MOMENTS, HIDDEN), np.float32),
        output_bias=np.zeros(MOMENTS, np.float32),
    )
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    race = nothing
    for n in range(rounds):
        positions = np.zeros((positions_per_round, 25), np.int8)
        labels = np.zeros((positions_per_round, MOMENTS))
        lines(race, rng, positions_per_round, positions, labels)
        kept = [*kept[max(0, len(kept) - 14) :], (positions, labels)] if n >= 4 else [(positions, labels)]
        all_positions = np.concatenate([p for p, _ in kept])
        base = np.zeros((len(all_positions), MOMENTS))
        _moments(nothing, all_positions, base)
        base[:, 4] = 0.0  # kept above zero by the kernel, which is not the network's to learn
        target = np.concatenate([y for _, y in kept]) - base
        target = np.clip(target / fit.scale, -20, 20).astype(np.float32)
        known = np.ones((len(target), MOMENTS), np.float32)
        known[all_positions.sum(1) < CHECKERS, 3:] = 0
        x = inputs(all_positions)
        rate = 3e-3 * (1 - n / rounds) ** 1.5 + 2e-5
        losses = []
        for _ in range(3 if n < rounds - 2 else 10):
            order = rng.permutation(len(x))
            for begin in range(0, len(x) - 255, 256):
                batch = order[begin : begin + 256]
                losses.append(fit.step(x[batch], target[batch], known[batch], rate))
        race = fit.tables(exact)
        log(f"round {n + 1} of {rounds}: {len(x)} positions, loss {np.mean(losses[-100:]):.5f}")
    return race


def save_weights(race: RaceTables, folder: Path) -> None:
    """Write the weights and their checksum where ``cubelab.engine.race`` reads them; errors as of `write_weights`."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, rows=race.rows, bias=race.bias, output=race.output, output_bias=race.output_bias)
    write_weights(folder, WEIGHTS_FILE, buffer.getvalue())


def main(arguments: list[str] | None = None) -> int:
    """Train and write the weights; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m cubelab.training.race", description="Train the race evaluator.")
    parser.add_argument("--rounds", type=whole(1, 1000), default=12)
    parser.add_argument(
        "--positions", type=whole(256, 10**7), default=24000, help="positions per round (default: 24000)"
    )
    parser.add_argument("--seed", type=seed, default=1)
    parser.add_argument("--folder", type=Path, default=SHIPPED)
    options = parser.parse_args(arguments)

    def work() -> None:
        check_place(options.folder, WEIGHTS_FILE)
        save_weights(train(exact_tables(), options.rounds, options.positions, options.seed), options.folder)

    return status(work, "the weights are as they were")


if __name__ == "__main__":
    raise SystemExit(main())
