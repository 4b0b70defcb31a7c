"""Computed tables kept in the user's cache folder: one checksummed file each, written whole or not at all.

A file is a line with a checksum and JSON (name, shape, type, place and checksum of each array), then the arrays'
bytes. It is written under another name and moved into place, so a reader sees a whole file or none, whatever other
processes do.
"""

from __future__ import annotations

import json
import os
import tempfile
import zlib
from pathlib import Path

import numpy as np

from cubelab.errors import DataMissing

_ALIGNMENT = 64


def cache_folder() -> Path:
    """Folder for computed files: ``$CUBELAB_CACHE``, else the platform's cache folder (not created here)."""
    chosen = os.environ.get("CUBELAB_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("cubelab", appauthor=False))


def save_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write arrays to ``path`` atomically, making the folder if need be.

    Parameters
    ----------
    path : Path
    arrays : dict of str to ndarray

    Raises
    ------
    OSError
        The folder or the file cannot be written; nothing is left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, object]] = []
    blocks: list[memoryview | bytes] = []
    place = 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array)
        padding = -data.nbytes % _ALIGNMENT
        entries.append(
            {"name": name, "dtype": data.dtype.str, "shape": data.shape, "place": place, "crc32": zlib.crc32(data.data)}
        )
        blocks += [data.data, b"\0" * padding]
        place += data.nbytes + padding
    description = json.dumps({"bytes": place, "arrays": entries}).encode()
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(b"%08x %b\n" % (zlib.crc32(description), description))
            for block in blocks:
                file.write(block)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def load_arrays(path: Path) -> dict[str, np.ndarray]:
    """Read a file of ``save_arrays``, every byte verified.

    Returns
    -------
    dict of str to ndarray
        Plain writable arrays in memory (so that numba sees the same types as for freshly computed ones).

    Raises
    ------
    FileNotFoundError
        There is no such file.
    DataMissing
        It is truncated or damaged; the message says how.
    """
    with path.open("rb") as file:
        header = file.readline(65536)
        if header[:8] != b"%08x" % zlib.crc32(header[9:-1]):
            raise DataMissing(f"{path} does not begin like a file of cubelab's tables")
        description = json.loads(header[9:])
        data = np.fromfile(file, np.uint8)
    if len(data) != description["bytes"]:
        raise DataMissing(f"{path} holds {len(data)} bytes of tables instead of {description['bytes']}")
    arrays = {}
    for entry in description["arrays"]:
        dtype, shape = np.dtype(entry["dtype"]), tuple(entry["shape"])
        block = data[entry["place"] : entry["place"] + dtype.itemsize * int(np.prod(shape, dtype=np.int64))]
        if zlib.crc32(block.data) != entry["crc32"]:
            raise DataMissing(f"table {entry['name']} in {path} does not match its checksum")
        arrays[entry["name"]] = block.view(dtype).reshape(shape)
    return arrays
