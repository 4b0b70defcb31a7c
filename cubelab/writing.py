"""Files appear whole or not at all: what stood under their name stays until they are."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

from .errors import DataMissing


@contextlib.contextmanager
def appearing_whole(path: str | PathLike[str]) -> Iterator[Path]:
    """A name to write under beside `path`, which becomes `path` when all went well and vanishes otherwise.

    Nothing happens where nothing was written.

    Raises
    ------
    DataMissing
        The file cannot be written, or `path` is a folder or a device, which a file would take the place of.
    """
    if reason := why_not(Path(path)):
        raise DataMissing(reason)
    target = Path(os.path.realpath(path))  # a link goes on pointing to its file
    part = part_of(target)
    try:
        with naming(path):
            yield part
            if part.exists():
                if target.exists():
                    shutil.copymode(target, part)  # what was for one reader only stays so
                os.replace(part, target)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def naming(path: str | PathLike[str]) -> Iterator[None]:
    """Name the file in what the system says when writing fails: it names none where the disk is full.

    Raises
    ------
    DataMissing
        The file cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise DataMissing(f"{path} cannot be written: {error.strerror or error}") from None


def write_whole(path: str | PathLike[str], content: str | bytes) -> None:
    """Write bytes, or a text as UTF-8 with plain line ends; errors as of `appearing_whole`."""
    with appearing_whole(path) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)


def part_of(path: Path) -> Path:
    """Name under which a file is written until it is whole; long names are cut, for this one is longer."""
    return path.with_name(f"{path.name[:50]}.{os.getpid()}.part")


def why_not(path: Path) -> str | None:
    """Why no file can be written here, as far as it shows beforehand; None where one can."""
    if "\0" in str(path):
        return f"{str(path)!r} is no name of a file: it holds a character that no name may"
    folder = path.parent
    try:
        if path.is_dir():
            return f"{path} is a folder"
        if path.exists() and not path.is_file():
            return f"{path} is a device or a pipe, not a file that can be replaced"
        if not folder.is_dir():
            return f"{path}: there is no folder {folder}"
    except OSError as error:
        return f"{path} cannot be written: {error.strerror or error}"
    # The file is replaced, not overwritten: what counts is whether the folder takes another.
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        return f"{path} cannot be written"
    return None
