"""Files a command is asked to write: refused before the work, not after it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

#: What stands for standard input or output where a command can use it.
STANDARD = "-"


class InputPath(click.Path):
    """A file that is read, where standard input cannot take its place.

    Parameters
    ----------
    instead : str
        What to do with what comes through a pipe.
    """

    def __init__(self, instead: str = "name a file", **kwargs: Any):
        super().__init__(**{"exists": True, "dir_okay": False} | kwargs)
        self.instead = instead

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As click's."""
        if str(value) == STANDARD:
            self.fail(f"standard input is not read here: {self.instead}", param, ctx)
        return super().convert(value, param, ctx)


@contextmanager
def appearing_whole(path: Path) -> Iterator[Path]:
    """A name to write under beside `path`, which becomes `path` when all went well and vanishes otherwise."""
    part = part_of(path)
    try:
        yield part
        if part.exists():
            os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def part_of(path: Path) -> Path:
    """Name under which a file is written until it is whole."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


def output_path(path: Path, option: str) -> Path:
    """`path`, when a file can be written there.

    Raises
    ------
    click.BadParameter
        Its folder does not exist or may not be written, or it is a folder or a device itself.
    """
    folder = path.parent
    if str(path) == STANDARD:
        reason = f"{path} is no file: this cannot go to standard output, name a file"
    elif path.is_dir():
        reason = f"{path} is a folder"
    elif path.exists() and not path.is_file():
        reason = f"{path} is a device or a pipe, not a file that can be replaced"
    elif not folder.is_dir():
        reason = f"{path}: there is no folder {folder}"
    elif not os.access(path if path.exists() else folder, os.W_OK):
        reason = f"{path} cannot be written"
    else:
        return path
    raise click.BadParameter(reason, param_hint=option)
