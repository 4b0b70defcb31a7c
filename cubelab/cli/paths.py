"""Files a command is asked to write: refused before the work, not after it."""

from __future__ import annotations

import os
from pathlib import Path

import click


def output_path(path: Path, option: str) -> Path:
    """`path`, when a file can be written there.

    Raises
    ------
    click.BadParameter
        Its folder does not exist or may not be written, or it is a folder or a device itself.
    """
    folder = path.parent
    if path.is_dir():
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
