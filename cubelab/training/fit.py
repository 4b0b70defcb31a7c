"""Fitting one network to labelled positions: gradients by hand, Adam, running average of the weights.

Loss per position: cross-entropy of the six outcomes plus the squared error of the cubeless money equity.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from cubelab.kernels.network import outcome_probabilities
from cubelab.kernels.vectors import (
    HIDDEN,
    OUTPUTS,
    WIDTH,
    clip_row,
    scatter_add,
    upper_layers_one,
    weighted_sum,
)

from .inputs import INPUTS, MAX_INPUTS, STARTS_RANDOM, active_inputs

BATCH = 512
_EPSILON = np.float32(1e-5)  # not tiny: an input seen once in many batches must not move as far as one seen always
_FAST = {"contract", "reassoc", "nsz"}


class Layers(NamedTuple):
    """One network as trained (or anything of the same shapes: gradients, moments, averages)."""

    w1: np.ndarray
    b1: np.ndarray
    w2: np.ndarray
    b2: np.ndarray
    w3: np.ndarray
    b3: np.ndarray


class Fit(NamedTuple):
    """State of a fit: weights, their running average, Adam's two moments, and the number of steps done (int64[1])."""

    weights: Layers
    average: Layers
    first: Layers
    second: Layers
    steps: np.ndarray


def new_layers(fill: float = 0.0) -> Layers:
    """Arrays of a network, all set to one value."""
    shapes = [
        (INPUTS, HIDDEN),
        (1, HIDDEN),
        (1, HIDDEN, WIDTH),
        (1, WIDTH),
        (1, WIDTH, OUTPUTS),
        (1, OUTPUTS),
    ]
    return Layers(*(np.full(shape, fill, np.float32) for shape in shapes))


def new_fit(seed: int) -> Fit:
    """A network with random weights and an optimiser that has not moved yet."""
    rng = np.random.default_rng(seed)
    weights = new_layers()
    weights.w1[STARTS_RANDOM] = rng.normal(0, 0.06, (int(STARTS_RANDOM.sum()), HIDDEN))
    weights.b1[:] = rng.uniform(0.1, 0.5, HIDDEN)
    weights.w2[:] = rng.normal(0, 0.07, (HIDDEN, WIDTH))
    weights.b2[:] = rng.uniform(0.2, 0.6, WIDTH)
    weights.w3[:, :, :6] = rng.normal(0, 0.1, (WIDTH, 6))
    weights.b3[:, :6] = [0.0, -1.0, -4.0, 0.0, -1.0, -4.0]
    average = Layers(*(a.copy() for a in weights))
    return Fit(weights, average, new_layers(), new_layers(), np.zeros(1, np.int64))


class Scratch(NamedTuple):
    """Memory of a pass over one position."""

    slots: np.ndarray
    inputs: np.ndarray
    input_weights: np.ndarray
    sums: np.ndarray
    units: np.ndarray
    second: np.ndarray
    logits: np.ndarray
    probs: np.ndarray
    d_logits: np.ndarray
    d_units: np.ndarray
    d_second: np.ndarray


@njit(cache=True)
def new_scratch():
    """Uninitialised `Scratch`."""
    return Scratch(
        np.empty((1, 64), np.int32),
        np.empty(MAX_INPUTS, np.int32),
        np.empty(MAX_INPUTS, np.float32),
        np.empty((1, HIDDEN), np.float32),
        np.empty(HIDDEN, np.float32),
        np.empty(WIDTH, np.float32),
        np.empty(OUTPUTS, np.float32),
        np.empty(6, np.float32),
        np.empty(6, np.float32),
        np.empty(HIDDEN, np.float32),
        np.empty(WIDTH, np.float32),
    )


@njit(cache=True, _nrt=False)
def _possible(board, race):
    mover_off = 15
    opponent_off = 15
    caught = not race
    catches = not race
    for p in range(26):
        c: Any = np.int64(board[p])
        if c > 0:
            mover_off -= c
        else:
            opponent_off += c
        if race and p >= 19 and c > 0:
            caught = True
        if race and p <= 6 and c < 0:
            catches = True
    return opponent_off == 0, catches, mover_off == 0, caught


@njit(cache=True, _nrt=False)
def predict(weights, scratch, board, race):
    """Forward pass of the unfolded network; probabilities in ``scratch.probs``; returns the number of inputs."""
    n = active_inputs(board, race, scratch.slots, scratch.inputs, scratch.input_weights)
    weighted_sum(scratch.sums, weights.b1, weights.w1, scratch.inputs, scratch.input_weights, n)
    clip_row(scratch.units, scratch.sums)
    upper_layers_one(
        scratch.units,
        weights.w2,
        weights.b2,
        weights.w3,
        weights.b3,
        scratch.second,
        scratch.logits,
    )
    gammons, backgammons, losing_gammons, losing_backgammons = _possible(board, race)
    outcome_probabilities(
        scratch.logits,
        gammons,
        backgammons,
        losing_gammons,
        losing_backgammons,
        scratch.probs,
    )
    return n


@njit(cache=True, _nrt=False)
def equity(p):
    """Cubeless money equity of six exclusive probabilities, in points."""
    return p[0] + 2 * p[1] + 3 * p[2] - p[3] - 2 * p[4] - 3 * p[5]


@njit(cache=True, fastmath=_FAST, _nrt=False)
def _backward(weights, grads, scratch, n, target, equity_weight):
    """Add the gradient of one position to `grads`; returns the equity error."""
    probs = scratch.probs
    error = equity(probs) - equity(target)
    own = equity(probs)
    dl = scratch.d_logits
    for o in range(6):
        size = o + 1 if o < 3 else 2 - o
        dl[o] = probs[o] - target[o] + 2.0 * equity_weight * error * probs[o] * (size - own)
        grads.b3[0, o] += dl[o]
    d_second = scratch.d_second
    for j in range(WIDTH):
        z = scratch.second[j]
        total = np.float32(0.0)
        if z > 0.0:
            for o in range(6):
                grads.w3[0, j, o] += z * dl[o]
                total += weights.w3[0, j, o] * dl[o]
            if z >= 1.0:
                total = np.float32(0.0)
        else:
            total = np.float32(0.0)
        d_second[j] = total
        grads.b2[0, j] += total
    for i in range(HIDDEN):
        h = scratch.units[i]
        d = np.float32(0.0)
        if h > 0.0:
            for j in range(WIDTH):
                grads.w2[0, i, j] += h * d_second[j]
            if h < 1.0:
                for j in range(WIDTH):
                    d += weights.w2[0, i, j] * d_second[j]
        scratch.d_units[i] = d
        grads.b1[0, i] += d
    scatter_add(grads.w1, scratch.d_units, scratch.inputs, scratch.input_weights, n)
    return error


@njit(cache=True, fastmath=_FAST)
def adam(weights, grads, first, second, scale, step, shrink):
    """One Adam step on a flat array, weights shrunk by `shrink`; gradients are scaled by `scale` and cleared."""
    keep1 = np.float32(0.9)
    keep2 = np.float32(0.99)
    for i in range(weights.size):
        g = grads[i] * scale
        grads[i] = 0.0
        m = keep1 * first[i] + (np.float32(1.0) - keep1) * g
        v = keep2 * second[i] + (np.float32(1.0) - keep2) * g * g
        first[i] = m
        second[i] = v
        weights[i] -= shrink * weights[i] + step * m / (np.sqrt(v) + _EPSILON)


@njit(cache=True, fastmath=_FAST)
def _follow(average, weights, share):
    for i in range(average.size):
        average[i] += share * (weights[i] - average[i])


@njit(cache=True)
def _update(weights, grads, first, second, scale, step, shrink):
    adam(
        weights.w1.ravel(),
        grads.w1.ravel(),
        first.w1.ravel(),
        second.w1.ravel(),
        scale,
        step,
        shrink,
    )
    adam(
        weights.b1.ravel(),
        grads.b1.ravel(),
        first.b1.ravel(),
        second.b1.ravel(),
        scale,
        step,
        np.float32(0.0),
    )
    adam(
        weights.w2.ravel(),
        grads.w2.ravel(),
        first.w2.ravel(),
        second.w2.ravel(),
        scale,
        step,
        shrink,
    )
    adam(
        weights.b2.ravel(),
        grads.b2.ravel(),
        first.b2.ravel(),
        second.b2.ravel(),
        scale,
        step,
        np.float32(0.0),
    )
    adam(
        weights.w3.ravel(),
        grads.w3.ravel(),
        first.w3.ravel(),
        second.w3.ravel(),
        scale,
        step,
        shrink,
    )
    adam(
        weights.b3.ravel(),
        grads.b3.ravel(),
        first.b3.ravel(),
        second.b3.ravel(),
        scale,
        step,
        np.float32(0.0),
    )


@njit(cache=True)
def _average(average, weights, share):
    _follow(average.w1.ravel(), weights.w1.ravel(), share)
    _follow(average.b1.ravel(), weights.b1.ravel(), share)
    _follow(average.w2.ravel(), weights.w2.ravel(), share)
    _follow(average.b2.ravel(), weights.b2.ravel(), share)
    _follow(average.w3.ravel(), weights.w3.ravel(), share)
    _follow(average.b3.ravel(), weights.b3.ravel(), share)


@njit(cache=True, nogil=True)
def train(fit, grads, boards, targets, order, race, rate, equity_weight, decay):
    """Adam steps over `order`, BATCH positions each (a rest that fills no batch is left out).

    Parameters
    ----------
    fit : Fit
        Changed in place.
    grads : Layers
        Zeros on entry and on return.
    boards, targets : int8[:, 26], float32[:, 6]
        Positions after a play and their outcome probabilities (labels may leave [0, 1], sums are 1).
    order : int64[:]
        Rows to use.
    race : bool
    rate : float
        Step size.
    equity_weight : float
        Weight of the squared equity error against the cross-entropy.
    decay : float
        Each step shrinks the weights (not the biases) by this times the step size.

    Returns
    -------
    float
        Root mean square equity error before each step.
    """
    scratch = new_scratch()
    total = 0.0
    batches = order.size // BATCH
    for b in range(batches):
        for k in range(BATCH):
            row = order[b * BATCH + k]
            n = predict(fit.weights, scratch, boards[row], race)
            error = _backward(fit.weights, grads, scratch, n, targets[row], equity_weight)
            total += error * error
        fit.steps[0] += 1
        t = fit.steps[0]
        step = rate * math.sqrt(1.0 - 0.99**t) / (1.0 - 0.9**t)
        _update(
            fit.weights,
            grads,
            fit.first,
            fit.second,
            np.float32(1.0 / BATCH),
            np.float32(step),
            np.float32(decay * step),
        )
        if t % 8 == 0:
            share = 8.0 / (8.0 + min(0.3 * t, max(700.0, 0.03 * t)))  # over the last 3 % of the steps in the end
            _average(fit.average, fit.weights, np.float32(share))
    return math.sqrt(total / max(batches * BATCH, 1))


@njit(cache=True, nogil=True)
def errors(weights, boards, targets, race):
    """Equity errors (points) of the network on labelled positions, float64[n]."""
    scratch = new_scratch()
    out = np.empty(boards.shape[0])
    for k in range(boards.shape[0]):
        predict(weights, scratch, boards[k], race)
        out[k] = equity(scratch.probs) - equity(targets[k])
    return out
