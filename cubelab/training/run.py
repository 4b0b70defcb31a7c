"""The training run: temporal differences first, then λ value iteration, resumable at every chunk.

Chunk k of the second stage is labelled with the networks as they were after chunk ``k - generators - 1`` and drawn from
seed (seed, k); the trainer takes the chunks in order. So the result does not depend on which process is faster.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from cubelab.errors import DataMissing

from .fit import BATCH, Fit, Layers, errors, new_fit, new_layers, train
from .labelling import chunk_seed, label_chunk, shares
from .limits import TrainingStopped
from .pruning import new_lessons, pruner_of, teach
from .schedule import Schedule
from .store import (
    CHUNK,
    KEEP_CHUNKS,
    MOTHER,
    NETS,
    Folder,
    folded,
    nets_of,
    read_arrays,
    read_networks,
)

FRESH = 3000
"""Labels of a chunk for each network on which the error before training on it is measured."""
LABELS_A_LESSON = 2
"""Labels of a chunk for every lesson of the pruning network. With 6, at half the step size, it lost .0017 points a
roll in back games (re-taught .0009, shipped .0005), and the networks never saw the plays that it left out."""
NEWBORN_STEPS = 20_000
"""Most steps that a network made from another one counts as its own."""


class Replay:
    """The latest labelled positions of one network, in a ring, and how many came with each chunk."""

    def __init__(self, room: int):
        self.boards = np.zeros((room, 26), np.int8)
        self.labels = np.zeros((room, 6), np.float32)
        self.added = 0
        self.sizes: list[int] = []

    def __len__(self) -> int:
        return min(self.added, len(self.boards))

    def recent(self, chunks: int) -> int:
        """How many positions of the latest chunks are kept."""
        return min(sum(self.sizes[-chunks:]), len(self))

    def draw(self, rng: np.random.Generator, count: int, chunks: int) -> np.ndarray:
        """Places of `count` positions at random among those of the latest chunks."""
        return (self.added - 1 - rng.integers(0, max(self.recent(chunks), 1), count)) % len(self.boards)

    def add(self, boards: np.ndarray, labels: np.ndarray) -> None:
        """Put positions in the place of the oldest."""
        places = (self.added + np.arange(len(boards))) % len(self.boards)
        self.boards[places] = boards
        self.labels[places] = labels
        self.added += len(boards)
        self.sizes.append(len(boards))


class Trainer:
    """Both networks, their replay and the state of the schedule."""

    def __init__(self, folder: Folder, seed: int, schedule: Schedule):
        self.folder, self.seed, self.schedule = folder, seed, schedule
        self.grads = new_layers()
        self.replay: dict[str, Replay] = {}
        self.validation = folder.path / "validation.npz"
        if folder.checkpoint.exists():
            self.fits, self.lessons, self.progress = folder.load_checkpoint()
            self._share()
            self._recall()
        else:
            self.fits = {name: new_fit(chunk_seed(seed, 10**9 + i)) for i, name in enumerate(NETS)}
            self.lessons = new_lessons(chunk_seed(seed, 10**9 + 2))
            self.progress = {"chunks": 0, "labels": 0, "seconds": 0.0}
            self._share()
            self._recall()

    @property
    def owners(self) -> list[str]:
        """For each of `NETS`, the network that learns its positions now."""
        return [self.schedule.owner(name, self.progress["labels"]) for name in NETS]

    def _share(self) -> None:
        """Networks not yet born are the one that learns for them."""
        for name, owner in zip(NETS, self.owners, strict=True):
            self.fits[name] = self.fits[owner]

    def _give_birth(self) -> None:
        """The contact networks become copies of the one that learned for them all."""
        mother = self.fits[MOTHER]
        for name in NETS:
            if name not in (MOTHER, "race"):
                weights, average, first, second = (
                    Layers(*(a.copy() for a in part))
                    for part in (mother.weights, mother.average, mother.first, mother.second)
                )
                # Its average looks back on fewer steps than the mother's, for it has much to change.
                self.fits[name] = Fit(weights, average, first, second, np.minimum(mother.steps, NEWBORN_STEPS))
        self._recall()

    def _recall(self) -> None:
        """Fill the replay of every network that learns from the chunks on disk."""
        done = int(self.progress["chunks"])
        self.replay = {name: Replay(self.schedule.replay) for name in dict.fromkeys(self.owners)}
        for k in range(max(self.schedule.td_chunks, done - KEEP_CHUNKS), done):
            if self.folder.chunk(k).exists():
                self._remember(read_arrays(self.folder.chunk(k), *CHUNK))

    def _remember(self, chunk: dict[str, np.ndarray]) -> None:
        for name, rows in shares(chunk["boards"], self.owners):
            self.replay[name].add(chunk["boards"][rows], chunk["labels"][rows])

    def _fit(
        self,
        name: str,
        boards: np.ndarray,
        labels: np.ndarray,
        order: np.ndarray,
        rate: float,
    ) -> float:
        s = self.schedule
        return float(
            train(
                self.fits[name],
                self.grads,
                boards,
                labels,
                order,
                name == "race",
                rate,
                s.equity_weight,
                s.shrinking(self.progress["labels"]),
            )
        )

    def first_stage(self, until: float) -> None:
        """Temporal differences: many cheap labels, each used once; until a time (`time.time()`) or all are used."""
        s = self.schedule
        while self.progress["chunks"] < s.td_chunks and time.time() < until:
            began = time.perf_counter()
            k = int(self.progress["chunks"])
            done = k / s.td_chunks
            races = 0.3 if done < 0.1 else 0.1
            nets = nets_of(folded(self.fits))
            chunk = label_chunk(nets, pruner_of(self.lessons), chunk_seed(self.seed, k), k, races, s)
            rng = np.random.default_rng(chunk_seed(self.seed, k))
            fitted = {}
            for name, rows in shares(chunk["boards"], self.owners):
                order, rate = rng.permutation(rows), s.rate * (1 - 0.8 * done)
                fitted[name] = self._fit(name, chunk["boards"], chunk["labels"], order, rate)
            self.progress["chunks"] = k + 1
            if k == s.td_chunks - 1:
                self._teach_pruner(chunk["boards"], s.lessons, 3e-3)
                self.folder.save_snapshot(k, self.fits, pruner_of(self.lessons))
            self._tick(
                began,
                stage="td",
                fresh=fitted,
                save=k % 10 == 9 or k == s.td_chunks - 1 or time.time() > until,
            )

    def _teach_pruner(self, boards: np.ndarray, count: int, rate: float) -> float:
        """Lessons for the pruning network by the networks as they are now."""
        seed = chunk_seed(self.seed, 3 * 10**9 + int(self.progress["chunks"]))
        return teach(
            nets_of(folded(self.fits)),
            self.lessons,
            boards,
            seed,
            count,
            rate,
            min(rate, 1e-4),
        )

    def second_stage(self, until: float, workers: Workers) -> None:
        """λ value iteration on the chunks that the generators write, until a time (`time.time()`) or all is learned."""
        s = self.schedule
        while time.time() < until and self.progress["labels"] < s.total:
            k = int(self.progress["chunks"])
            while not self.folder.chunk(k).exists():
                time.sleep(0.5)
                workers.check()
                if time.time() > until:
                    return
            began = time.perf_counter()
            chunk = read_arrays(self.folder.chunk(k), *CHUNK)
            fresh = {}
            for name, rows in shares(chunk["boards"]):
                known = rows[:FRESH]
                gap = errors(self.fits[name].average, chunk["boards"][known], chunk["labels"][known], name == "race")
                fresh[name] = float(np.sqrt(np.mean(gap**2))) if len(gap) else 0.0
            self._remember(chunk)
            rng = np.random.default_rng(chunk_seed(self.seed, k))
            rate = s.step(self.progress["labels"])
            for name, rows in shares(chunk["boards"], self.owners):
                replay = self.replay[name]
                new = len(rows)
                count = new * s.passes // BATCH * BATCH
                order = replay.draw(rng, count, s.window_chunks(self.progress["labels"]))
                self._fit(name, replay.boards, replay.labels, order, rate)
            pruner_error = self._teach_pruner(chunk["boards"], len(chunk["boards"]) // LABELS_A_LESSON, 1e-3)
            self.progress["chunks"] = k + 1
            before = self.progress["labels"]
            self.progress["labels"] += len(chunk["boards"])
            if before < s.birth <= self.progress["labels"]:
                self._give_birth()
            speed = len(chunk["boards"]) / float(chunk["seconds"])
            self._tick(
                began,
                stage="look",
                fresh=fresh,
                save=k % 4 == 3
                or not self.folder.chunk(k + 1).exists()
                or time.time() > until
                or self.progress["labels"] >= s.total,
                rate=rate,
                labels_per_second=round(speed),
                pruner=round(pruner_error, 4),
            )

    def polish(self, passes: float) -> None:
        """Settle: passes over the latest labels while the step size falls to nothing. The checkpoint is not touched."""
        rng = np.random.default_rng(chunk_seed(self.seed, 2 * 10**9))
        rate = self.schedule.step(self.progress["labels"])
        chunks = self.schedule.window_chunks(self.progress["labels"])
        for name, replay in self.replay.items():
            steps = int(passes * replay.recent(chunks)) // (50 * BATCH)
            for k in range(steps):
                order = replay.draw(rng, 50 * BATCH, chunks)
                self._fit(name, replay.boards, replay.labels, order, rate * (1 - k / steps))

    def _tick(
        self,
        began: float,
        stage: str,
        fresh: dict[str, float],
        save: bool,
        **more: float,
    ) -> None:
        seconds = time.perf_counter() - began
        self.progress["seconds"] += seconds
        k = int(self.progress["chunks"])
        entry: dict = {
            "stage": stage,
            "chunk": k,
            "labels": int(self.progress["labels"]),
            "fit_seconds": round(seconds, 2),
        }
        entry |= {"fresh_" + name: round(value, 5) for name, value in fresh.items()} | more
        if self.validation.exists() and k % 5 == 0:
            entry["validation"] = validate(self.fits, read_arrays(self.validation, "boards", "labels"))
        if stage == "look":
            self.folder.save_snapshot(k - 1, self.fits, pruner_of(self.lessons))
        if save:
            self.folder.save_checkpoint(self.fits, self.lessons, self.progress)
        self.folder.log(**entry)


def validate(fits: dict[str, Fit], data: dict[str, np.ndarray]) -> dict[str, float]:
    """Equity error of the averaged networks on a validation file (boards, labels)."""
    gaps = []
    result = {}
    for name, rows in shares(data["boards"]):
        if len(rows):
            gap = errors(
                fits[name].average,
                data["boards"][rows],
                data["labels"][rows],
                name == "race",
            )
            result[name] = round(float(np.sqrt(np.mean(gap**2))), 5)
            gaps.append(gap)
    every = np.concatenate(gaps)
    return {
        "rmse": round(float(np.sqrt(np.mean(every**2))), 5),
        "mae": round(float(np.mean(abs(every))), 5),
        **result,
    }


def run(path: Path, seed: int, generators: int, hours: float, schedule: Schedule, teacher: Path | None = None) -> None:
    """Train from nothing or go on from the folder's checkpoint, for some hours; `teacher` as in `generate`.

    Raises
    ------
    TrainingStopped, DataMissing
        Disk full, damaged checkpoint; the last good state stays.
    """
    until = time.time() + 3600 * hours
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TrainingStopped(f"The folder {path} cannot be made ({error.strerror}).") from error
    if teacher is not None:
        read_networks(teacher)
    folder = Folder(path)
    trainer = Trainer(folder, seed, schedule)
    if trainer.progress["chunks"] >= schedule.td_chunks and not trainer.lessons.steps.any():
        raise DataMissing(
            f"{folder.checkpoint} has no pruning network: it is of an older version, which can be exported but not "
            "trained further."
        )
    folder.log(
        stage="start",
        seed=seed,
        generators=generators,
        progress=trainer.progress,
        schedule=str(schedule),
    )
    trainer.first_stage(until)
    if time.time() > until:
        return
    workers = Workers(path, seed, generators, teacher)
    try:
        trainer.second_stage(until, workers)
    finally:
        workers.stop()


class Workers:
    """The generator processes; one that dies is started again, a few times."""

    def __init__(self, path: Path, seed: int, count: int, teacher: Path | None = None):
        shared = [
            "--folder",
            str(path),
            "--seed",
            str(seed),
            "--generators",
            str(count),
            "--parent",
            str(os.getpid()),
        ]
        if teacher:
            shared += ["--teacher", str(teacher)]
        self.commands = [
            [
                sys.executable,
                "-m",
                "cubelab.training",
                "generate",
                *shared,
                "--worker",
                str(w),
            ]
            for w in range(count)
        ]
        self.processes = [subprocess.Popen(command) for command in self.commands]
        self.restarts = 5

    def check(self) -> None:
        """Start dead workers again.

        Raises
        ------
        TrainingStopped
            They keep dying (their sentence is on stderr).
        """
        for k, process in enumerate(self.processes):
            if process.poll() is not None:
                if self.restarts == 0:
                    raise TrainingStopped(
                        "The generators keep stopping (see above); the last good checkpoint is untouched."
                    )
                self.restarts -= 1
                self.processes[k] = subprocess.Popen(self.commands[k])

    def stop(self) -> None:
        """End them all."""
        for process in self.processes:
            process.terminate()
