"""A validation set of our own: positions of self-play, rolled out by the networks themselves.

Each trial is a game played to the end with the luck of every roll taken out (label λ = 1 of ``selfplay``), so a few
dozen trials give an equity to about 0.02 points. Made again from time to time: it can be no better than its players.
"""

# ruff: noqa: NPY002
from __future__ import annotations

import time

import numpy as np
from numba import njit

from cubelab.errors import DataMissing
from cubelab.kernels.moves import MAX_PLAYS
from cubelab.kernels.network import new_workspace

from .fit import equity
from .selfplay import MAX_PLIES, new_money_pruning, play_game
from .store import CHUNK, Folder, read_arrays, read_networks, write_arrays


@njit(cache=True, nogil=True)
def roll_out(nets, pruner, board, trials, seed, mean):
    """Mean outcome of `trials` luck-adjusted games into float64[6]; returns the standard error of the equity."""
    np.random.seed(seed)
    work = new_workspace()
    pruning = new_money_pruning(pruner)
    afters = np.empty((MAX_PLAYS, 26), np.int8)
    probs = np.empty((MAX_PLAYS, 6), np.float32)
    boards = np.empty((MAX_PLIES, 26), np.int8)
    labels = np.empty((MAX_PLIES, 6), np.float32)
    mean[:] = 0.0
    total = 0.0
    squares = 0.0
    for _ in range(trials):
        play_game(
            nets,
            pruner,
            0.3,
            work,
            pruning,
            board,
            True,
            1.0,
            0.0,
            0.0,
            afters,
            probs,
            boards,
            labels,
        )
        for i in range(6):
            mean[i] += labels[0, i] / trials
        value = equity(labels[0])
        total += value
        squares += value * value
    spread = max(squares / trials - (total / trials) ** 2, 0.0)
    return np.sqrt(spread / max(trials - 1, 1))


def make_validation(folder: Folder, seed: int, positions: int, trials: int) -> None:
    """Write ``validation.npz``: boards, labels (mean outcomes), standard errors, by the latest snapshot.

    Positions are drawn from the chunks on disk, one from every stretch, so that most come from different games.

    Raises
    ------
    DataMissing
        The folder has no chunks or snapshots yet, or fewer positions than are wanted.
    """
    snapshots = sorted((folder.path / "snapshots").glob("*.npz"))
    chunks = sorted((folder.path / "chunks").glob("*.npz"))
    if not snapshots or not chunks:
        raise DataMissing(f"{folder.path} has no labelled positions yet; run the training first.")
    nets, pruner = read_networks(snapshots[-1])
    rng = np.random.default_rng(seed)
    source = [read_arrays(chunks[i], *CHUNK) for i in rng.choice(len(chunks), min(len(chunks), 8), replace=False)]
    boards = np.concatenate([c["boards"] for c in source])
    if positions > len(boards):
        raise DataMissing(f"{folder.path} holds {len(boards)} labelled positions for {positions} wanted.")
    chosen = np.sort(rng.choice(len(boards), positions, replace=False))
    boards = boards[chosen]
    labels, errors = np.zeros((positions, 6)), np.zeros(positions)
    began = time.monotonic()
    for k in range(positions):
        errors[k] = roll_out(nets, pruner, boards[k], trials, seed + 1000 * k, labels[k])
        if k % 50 == 49:
            seconds, error = time.monotonic() - began, errors[: k + 1].mean()
            print(
                f"{k + 1} of {positions} positions, {seconds:.0f} s, standard error {error:.4f}",
                flush=True,
            )
    write_arrays(
        folder.path / "validation.npz",
        {
            "boards": boards,
            "labels": labels.astype(np.float32),
            "errors": errors.astype(np.float32),
        },
    )
    folder.log(
        stage="validation",
        positions=positions,
        trials=trials,
        players=snapshots[-1].name,
    )
