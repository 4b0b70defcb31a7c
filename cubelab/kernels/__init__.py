"""numba only: arrays in, arrays out.

numba keeps compiled kernels beside their source and compiles one again when its own file changes, but not when a kernel
changes that it has taken in from another file: old code would be run on new data. So all are forgotten when any file
of this folder is not the one of last time.
"""

from __future__ import annotations

import contextlib
from pathlib import Path


def _forget_outdated(folder: Path) -> None:
    """Remove the index of every cached kernel when a source file is not the one of last time."""
    cache = folder / "__pycache__"
    stamp = cache / "kernels.stamp"
    files = sorted((path.name, path.stat()) for path in folder.glob("*.py"))
    found = "\n".join(f"{name} {status.st_mtime_ns} {status.st_size}" for name, status in files)
    # A folder that cannot be written has an installed package in it, whose files change all at once.
    with contextlib.suppress(OSError):
        if not stamp.is_file() or stamp.read_text() != found:
            for index in cache.glob("*.nbi"):
                index.unlink(missing_ok=True)
            cache.mkdir(exist_ok=True)
            stamp.write_text(found)


_forget_outdated(Path(__file__).parent)
