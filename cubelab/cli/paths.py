"""Files a command is asked to write: refused before the work, not after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..writing import why_not

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


def output_path(path: Path, option: str) -> Path:
    """`path`, when a file can be written there.

    Raises
    ------
    click.BadParameter
        Its folder does not exist or may not be written, or it is a folder or a device itself.
    """
    if str(path) == STANDARD:
        reason: str | None = f"{path} is no file: this cannot go to standard output, name a file"
    else:
        reason = why_not(path)
    if reason:
        raise click.BadParameter(reason, param_hint=option)
    return path
