"""numba only: arrays in, arrays out.

numba keeps compiled kernels beside their source and compiles one again when its own file changes, but not when a kernel
changes that it has taken in from another file: old code would be run on new data. So all of the package are forgotten
when any file of this folder is not the one of last time.

Where neither this folder nor the user's cache folder can be written, they are kept in ``$CUBELAB_CACHE``, or else in a
temporary folder as long as the process lives.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numba
from numba.core.event import Listener, register


def _forget_outdated(folder: Path) -> None:
    """Remove the index of every cached kernel when a source file is not the one of last time."""
    cache = folder / "__pycache__"
    stamp = cache / "kernels.stamp"
    files = sorted((path.name, path.stat()) for path in folder.glob("*.py"))
    found = "\n".join(f"{name} {status.st_mtime_ns} {status.st_size}" for name, status in files)
    # A folder that cannot be written has an installed package in it, whose files change all at once.
    with contextlib.suppress(OSError):
        if not stamp.is_file() or stamp.read_text() != found:
            for index in folder.parent.rglob("__pycache__/*.nbi"):
                index.unlink(missing_ok=True)
            cache.mkdir(exist_ok=True)
            stamp.write_text(found)


def _keep_somewhere() -> None:
    """Give numba a folder of last resort: with none it refuses to define a kernel at all."""
    try:
        numba.njit(cache=True)(_forget_outdated)  # looks for a folder, compiles nothing
    except RuntimeError:
        numba.config.CACHE_DIR = _folder_of_last_resort()


def _folder_of_last_resort() -> str:
    chosen = os.environ.get("CUBELAB_CACHE")
    if chosen:
        folder = Path(chosen, "kernels")
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            return str(folder)
    temporary = tempfile.mkdtemp(prefix="cubelab-kernels-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary


class _Compiling(Listener):
    """Says once in the log of cubelab that kernels are compiled: in a notebook the first call seems to hang else."""

    said = False

    def on_start(self, event: Any) -> None:
        module = event.data["dispatcher"].py_func.__module__
        if not self.said and module.startswith(__name__):
            self.said = True
            logging.getLogger("cubelab").warning(
                "cubelab: compiling kernels (once for this installation, about half a minute) …"
            )

    def on_end(self, event: Any) -> None:
        pass


register("numba:compile", _Compiling())
_forget_outdated(Path(__file__).parent)
_keep_somewhere()
