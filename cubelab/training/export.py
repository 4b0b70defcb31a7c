"""The newest checkpoint as shipped weights."""

from __future__ import annotations

from pathlib import Path

from cubelab.engine import neural

from .fit import Fit
from .shipping import SHIPPED, write_weights
from .store import Folder, folded


def export(folder: Folder, place: Path = SHIPPED, fits: dict[str, Fit] | None = None) -> str:
    """Write the averaged networks of a folder's checkpoint (or `fits`), with their checksum; returns a sentence.

    Raises
    ------
    DataMissing
        No checkpoint, or a damaged one.
    TrainingStopped
        The weights cannot be written.
    """
    trained, _, progress = folder.load_checkpoint()
    data = neural.pack(folded(fits or trained))
    neural.unpack(data)
    checksum = write_weights(place, neural.WEIGHTS_FILE, data)
    return f"{place / neural.WEIGHTS_FILE}: {len(data) / 1e6:.1f} MB, chunk {progress['chunks']}, SHA-256 {checksum}"
