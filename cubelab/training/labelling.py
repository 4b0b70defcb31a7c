"""Chunks of labelled positions, each from a seed of its own, made here or by processes beside the trainer."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numba import njit

from cubelab.kernels.network import Nets, network_of
from cubelab.kernels.pruning import Pruner
from cubelab.kernels.static import RACE, position_class

from .schedule import Schedule
from .selfplay import label_positions
from .store import NETS, Folder, read_networks, write_arrays


def chunk_seed(seed: int, k: int) -> int:
    """Seed of chunk k of a run."""
    return int(np.random.SeedSequence([seed, k]).generate_state(1)[0])


@njit(cache=True)
def _networks_of(boards, out):
    for k in range(boards.shape[0]):
        out[k] = network_of(boards[k], position_class(boards[k]) == RACE)


def shares(boards: np.ndarray, owners: Sequence[str] = NETS) -> list[tuple[str, np.ndarray]]:
    """Names of the networks, each with the rows of int8[n, 26] that are its own.

    With `owners`, the names of those that learn for each of `NETS`, what they learn.
    """
    networks = np.empty(len(boards), np.int64)
    _networks_of(boards, networks)
    of_row = np.array(owners)[networks]
    return [(name, np.flatnonzero(of_row == name)) for name in dict.fromkeys(owners)]


def label_chunk(
    nets: Nets, pruner: Pruner, seed: int, k: int, races: float, schedule: Schedule
) -> dict[str, np.ndarray]:
    """Chunk k of a run, labelled: boards int8[n, 26], labels float32[n, 6], CPU seconds taken."""
    began = time.process_time()
    s = schedule
    look = k >= s.td_chunks
    size = s.size if look else s.td_size
    boards = np.zeros((size, 26), np.int8)
    labels = np.zeros((size, 6), np.float32)
    label_positions(nets, pruner, s.margin, seed, races, look, s.trace(k), s.exploring(k), s.window, boards, labels)
    return {"boards": boards, "labels": labels, "seconds": np.array(time.process_time() - began)}


def generate(
    folder: Folder,
    seed: int,
    worker: int,
    workers: int,
    schedule: Schedule,
    parent: int,
    stop: float = float("inf"),
    teacher: Path | None = None,
) -> None:
    """Label chunk after chunk until process `parent` is gone (0: no matter) or chunk `stop` is reached.

    With `teacher`, a snapshot file, its networks label instead of the run's own latest ones.
    """
    k = folder.newest_snapshot() + 1
    k += (worker - k) % workers
    while k < stop:
        if folder.chunk(k).exists():
            k += workers
            continue
        wanted = teacher or folder.snapshot(max(k - workers - 1, schedule.td_chunks - 1))
        while teacher is None and not wanted.exists():
            time.sleep(0.5)
            if parent and os.getppid() != parent:
                return
        nets, pruner = read_networks(wanted)
        chunk = label_chunk(nets, pruner, chunk_seed(seed, k), k, schedule.races, schedule)
        write_arrays(folder.chunk(k), chunk)
        k += workers
        if parent and os.getppid() != parent:
            return
