"""The shipped network that prunes plays inside rollouts."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.resources import files
from typing import Final

import numpy as np

from ..errors import DataMissing
from ..kernels.features import COUNT_ROWS
from ..kernels.pruning import CHANCES, KINDS, UNITS, Pruner
from .archives import arrays_of

PRUNING_FILE: Final = "pruning.npz"
_WANTED: Final = {
    "table": ((KINDS, 2 * COUNT_ROWS, UNITS), np.int16),
    "bias": ((KINDS, UNITS), np.int16),
    "readout": ((KINDS, CHANCES, UNITS), np.float32),
}


@lru_cache(maxsize=1)
def _loaded() -> tuple[Pruner, str]:
    folder = files("cubelab.engine") / "weights"
    try:
        data = (folder / PRUNING_FILE).read_bytes()
        expected = (folder / PRUNING_FILE.replace(".npz", ".sha256")).read_text().split()[0]
        found = hashlib.sha256(data).hexdigest()
        if found != expected:
            raise DataMissing(f"they are damaged: SHA-256 {found[:12]}… instead of {expected[:12]}…")
        read = arrays_of(data)
        arrays = {name: np.ascontiguousarray(read[name]) for name in _WANTED}
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise DataMissing(f"The weights {PRUNING_FILE} cannot be read ({error}); reinstall cubelab.") from None
    for name, (shape, kind) in _WANTED.items():
        if arrays[name].shape != shape or arrays[name].dtype != kind:
            raise DataMissing(f"The weights {PRUNING_FILE} are of another version ({name}); reinstall cubelab.")
    return Pruner(**arrays), found


def load_pruner() -> Pruner:
    """The shipped network, loaded once per process.

    Raises
    ------
    DataMissing
        The weights are missing, damaged or of another version.
    """
    return _loaded()[0]


def pruning_checksum() -> str:
    """SHA-256 of the loaded file, for the provenance of results."""
    return _loaded()[1]
