"""Files of a training folder: checkpoints, snapshots for the generators, labelled chunks, the log.

Everything is written to a temporary file and renamed, so an interruption or a full disk leaves the last good state.
"""

from __future__ import annotations

import json
import math
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from cubelab.engine.archives import arrays_of
from cubelab.errors import DataMissing
from cubelab.kernels.network import Nets
from cubelab.kernels.pruning import Pruner
from cubelab.writing import appearing_whole

from .fit import Fit, Layers, new_fit
from .inputs import INPUTS, SLOT_STARTS, fold
from .limits import TrainingStopped
from .pruning import Lessons, new_lessons

NETS = ("mutual", "race", "behind", "ahead", "back", "front", "bar", "anchor", "danced", "stuck", "hit")
"""Networks in the order of `kernels.network.network_of`."""
MOTHER = "mutual"
"""The network that learns all contact positions at first; the other ones begin as its copies (`Schedule.birth`)."""
CHUNK = ("boards", "labels", "seconds")
"""Arrays of a chunk."""
PROGRESS = ("chunks", "labels", "seconds")
"""What a checkpoint counts."""
KEEP_CHUNKS = 1500
"""So many of the latest chunks stay; resuming needs those that are learned from (`Schedule.window_chunks`)."""
KEEP_SNAPSHOTS = 12


def write_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Save arrays as .npz so that `path` is either the old or the whole new file.

    Raises
    ------
    TrainingStopped
        The file cannot be written (disk full, no permission).
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with appearing_whole(path) as part, part.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
    except (OSError, DataMissing) as error:
        raise TrainingStopped(f"{error}; the last good checkpoint is untouched.") from None


def read_arrays(path: Path, *wanted: str) -> dict[str, np.ndarray]:
    """Load all arrays of an .npz file.

    Parameters
    ----------
    path : Path
    *wanted : str
        Arrays that it must have.

    Raises
    ------
    DataMissing
        There is no such file, or it is damaged, or one that is wanted is not there.
    """
    try:
        arrays = arrays_of(path)
        for name in wanted:
            if name not in arrays:
                raise DataMissing(f"it lacks {name!r}")
        return arrays
    except FileNotFoundError:
        raise DataMissing(f"{path} does not exist; start a training with 'python -m cubelab.training run'.") from None
    except DataMissing as error:
        raise DataMissing(f"{path} is damaged or no training file ({error}).") from None


class Folder:
    """A training folder."""

    def __init__(self, path: Path | str):
        self.path = Path(path)

    @property
    def checkpoint(self) -> Path:
        return self.path / "checkpoint.npz"

    def chunk(self, k: int) -> Path:
        return self.path / "chunks" / f"{k:06d}.npz"

    def snapshot(self, k: int) -> Path:
        return self.path / "snapshots" / f"{k:06d}.npz"

    def newest_snapshot(self) -> int:
        """Number of the newest snapshot.

        Raises
        ------
        DataMissing
            There is none.
        """
        stems = (path.stem for path in (self.path / "snapshots").glob("*.npz"))
        numbers = [int(stem) for stem in stems if stem.isdecimal()]
        if not numbers:
            raise DataMissing(f"{self.path} has no networks to label with; start 'python -m cubelab.training run'.")
        return max(numbers)

    def log(self, **entry: Any) -> None:
        """Append one line to log.jsonl and print it."""
        line = json.dumps({"time": time.strftime("%Y-%m-%dT%H:%M:%S"), **entry})
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with (self.path / "log.jsonl").open("a") as file:
                file.write(line + "\n")
        except OSError as error:
            raise TrainingStopped(f"The log in {self.path} cannot be written ({error}).") from error
        print(line, flush=True)

    def save_checkpoint(self, fits: dict[str, Fit], lessons: Lessons, progress: dict[str, float]) -> None:
        """Weights, averages, moments and step counts of all networks, and how far the schedule has got."""
        arrays = {"progress": np.array(json.dumps(progress))}
        arrays |= {f"pruner.{field}": array for field, array in lessons._asdict().items()}
        for name, fit in fits.items():
            arrays[f"{name}.steps"] = fit.steps
            for part in ("weights", "average", "first", "second"):
                for field, array in getattr(fit, part)._asdict().items():
                    arrays[f"{name}.{part}.{field}"] = array
        write_arrays(self.checkpoint, arrays)

    def load_checkpoint(self) -> tuple[dict[str, Fit], Lessons, dict[str, float]]:
        """What `save_checkpoint` wrote.

        Raises
        ------
        DataMissing
            No checkpoint, a damaged one, or one of another network size.
        """
        arrays = read_arrays(self.checkpoint)
        fits = {}
        try:
            for name in NETS:
                weights, average, first, second = (
                    Layers(*(arrays[f"{name}.{part}.{field}"] for field in Layers._fields))
                    for part in ("weights", "average", "first", "second")
                )
                fits[name] = Fit(weights, average, first, second, arrays[f"{name}.steps"])
            lessons = new_lessons(0)  # networks of an older version can still be exported, not trained
            if "pruner.table" in arrays:
                lessons = Lessons(*(arrays[f"pruner.{field}"] for field in Lessons._fields))
            progress = {name: json.loads(str(arrays["progress"]))[name] for name in PROGRESS}
            if not all(isinstance(number, (int, float)) and 0 <= number < math.inf for number in progress.values()):
                raise ValueError(f"progress that can be: it has {progress}")
        except (KeyError, ValueError, TypeError) as error:
            raise DataMissing(f"{self.checkpoint} lacks {error}; it is damaged or of another version.") from None
        like, lesson = new_fit(0).weights, new_lessons(0)
        for fit in fits.values():
            parts = (fit.weights, fit.average, fit.first, fit.second)
            if any(a.shape != b.shape for part in parts for a, b in zip(part, like, strict=True)):
                raise DataMissing(f"{self.checkpoint} holds networks of another size (now {INPUTS} inputs).")
        if any(a.shape != b.shape for a, b in zip(lessons, lesson, strict=True)):
            raise DataMissing(f"{self.checkpoint} holds a pruning network of another size.")
        return fits, lessons, progress

    def save_snapshot(self, k: int, fits: dict[str, Fit], pruner: Pruner) -> None:
        """The averaged, folded networks that generators label with, as number k; old ones are removed."""
        write_arrays(
            self.snapshot(k),
            folded(fits) | {f"pruner.{name}": a for name, a in pruner._asdict().items()},
        )
        self.snapshot(k - KEEP_SNAPSHOTS).unlink(missing_ok=True)
        self.chunk(k - KEEP_CHUNKS).unlink(missing_ok=True)


def quantised(table: np.ndarray, bias: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.float32]:
    """One network's first layer as int16, and the value of 1.

    Sums wrap harmlessly on the way; in the end no unit may leave the range. Each slot contributes one row, so the sum
    of the largest rows bounds a unit; a third of that has never been reached in play, half of it is the range taken.
    """
    ends = np.array([*SLOT_STARTS[1:], len(table)])
    largest = sum(np.abs(table[a:b]).max(axis=0) for a, b in zip(SLOT_STARTS, ends, strict=True)) + np.abs(bias)
    scale = np.float32(max(float(largest.max()) / 2, 16.0) / 32767)
    return (
        np.rint(table / scale).astype(np.int16),
        np.rint(bias / scale).astype(np.int16),
        scale,
    )


def folded(fits: dict[str, Fit]) -> dict[str, np.ndarray]:
    """Inference arrays (`Nets` without the bearoff tables) of the averaged weights."""
    averages = [fits[name].average for name in NETS]
    first = [quantised(fold(a.w1), a.b1[0]) for a in averages]
    arrays = {name: np.concatenate([getattr(a, name) for a in averages]) for name in ("w2", "b2", "w3", "b3")}
    return {
        "tables": np.concatenate([table for table, _, _ in first]),
        "bias": np.stack([bias for _, bias, _ in first]),
        "scales": np.array([scale for _, _, scale in first], np.float32),
        **arrays,
    }


def nets_of(arrays: dict[str, np.ndarray]) -> Nets:
    """`Nets` from folded arrays, a snapshot's for instance.

    Raises
    ------
    DataMissing
        They are of other networks.
    """
    from cubelab.engine import neural

    try:
        found = {name: arrays[name] for name in neural.ARRAYS}
    except KeyError as error:
        raise DataMissing(f"The snapshot lacks {error}; it is of another version.") from None
    for name, (shape, kind) in neural.ARRAYS.items():
        if found[name].shape != shape or found[name].dtype != kind:
            raise DataMissing(f"The snapshot holds another {name}; it is of another version.")
    return neural.nets_of(found)


def read_networks(path: Path) -> tuple[Nets, Pruner]:
    """The networks of a snapshot file and its pruning network; errors as of `read_arrays`, `snapshot_pruner`."""
    arrays = read_arrays(path)
    return nets_of(arrays), snapshot_pruner(arrays)


def snapshot_pruner(arrays: dict[str, np.ndarray]) -> Pruner:
    """The pruning network of a snapshot.

    Raises
    ------
    DataMissing
        It has none: it is of an older version.
    """
    try:
        return Pruner(*(arrays[f"pruner.{name}"] for name in Pruner._fields))
    except KeyError as error:
        raise DataMissing(f"The snapshot lacks {error}; it is of another version.") from None
