"""Trained weights with their checksum, as they lie in the package."""

from __future__ import annotations

import hashlib
from pathlib import Path

from cubelab.errors import DataMissing
from cubelab.writing import appearing_whole, why_not, write_whole

from .limits import TrainingStopped

SHIPPED = Path(__file__).parents[1] / "engine" / "weights"


def write_weights(folder: Path, name: str, data: bytes) -> str:
    """Write a weights file and, beside it, its SHA-256, which is returned.

    Raises
    ------
    TrainingStopped
        They cannot be written; what stood there stays.
    """
    checksum = hashlib.sha256(data).hexdigest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with appearing_whole(folder / name) as part:
            part.write_bytes(data)  # takes its place when the checksum has been written too
            write_whole(_checksum_file(folder, name), f"{checksum}  {name}\n")
    except (OSError, DataMissing) as error:
        raise _unwritable(folder, str(error)) from None
    return checksum


def check_place(folder: Path, name: str) -> None:
    """See before hours of training that the weights can be written.

    Raises
    ------
    TrainingStopped
        They cannot.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error.strerror or str(error)) from None
    for path in (folder / name, _checksum_file(folder, name)):
        if reason := why_not(path):
            raise _unwritable(folder, reason)


def _checksum_file(folder: Path, name: str) -> Path:
    return (folder / name).with_suffix(".sha256")


def _unwritable(folder: Path, reason: str) -> TrainingStopped:
    return TrainingStopped(f"The weights cannot be written to {folder} ({reason}).")
