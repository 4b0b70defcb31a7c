"""Arrays in ``.npz`` files, which may be cut short, damaged or something else."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from ..errors import DataMissing


def arrays_of(source: Path | bytes) -> dict[str, np.ndarray]:
    """All arrays of an ``.npz`` file, by name.

    Parameters
    ----------
    source : Path or bytes
        The file, or what stands in it.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    DataMissing
        Why it cannot be read, without the file's name.
    """
    try:
        data = source if isinstance(source, bytes) else _read(source)
        if data[:2] != b"PK":
            raise DataMissing("it does not begin like an .npz file")
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (FileNotFoundError, DataMissing):
        raise
    except OSError as error:
        raise DataMissing(error.strerror or str(error)) from None
    # Damaged bytes end in whatever zipfile, zlib, tokenize and NumPy raise (8 kinds were seen).
    except Exception as error:
        raise DataMissing(f"it is damaged or cut short ({error or type(error).__name__})") from None


def _read(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise DataMissing("it is no file" if not path.is_dir() else "it is a folder")
    return path.read_bytes()
