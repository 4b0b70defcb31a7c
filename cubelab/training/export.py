"""The newest checkpoint as shipped weights."""

from __future__ import annotations

import hashlib
from pathlib import Path

from cubelab.engine import neural
from cubelab.errors import DataMissing
from cubelab.writing import write_whole

from .fit import Fit
from .store import Folder, TrainingStopped, folded

SHIPPED = Path(neural.__file__).parent / "weights"


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
    checksum = hashlib.sha256(data).hexdigest()
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name, content in (
            (neural.WEIGHTS_FILE, data),
            (neural.CHECKSUM_FILE, f"{checksum}  {neural.WEIGHTS_FILE}\n".encode()),
        ):
            write_whole(place / name, content)
    except (OSError, DataMissing) as error:
        raise TrainingStopped(f"The weights cannot be written to {place} ({error}).") from None
    return f"{place / neural.WEIGHTS_FILE}: {len(data) / 1e6:.1f} MB, chunk {progress['chunks']}, SHA-256 {checksum}"
