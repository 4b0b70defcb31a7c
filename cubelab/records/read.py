"""Any saved match → `Record`."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from ..errors import RecordError
from .mat import parse_mat
from .record import Record
from .source import OGXM_MAGIC, READ_NOW, decode, foreign_format, is_bgf, is_json, is_sgf, read_bytes, split_lines


def read_match(path: str | PathLike[str]) -> Record:
    """Read a saved match; what kind it is is told by its content, not by its name.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    Record
        What the file says, its oddities flagged.

    Raises
    ------
    RecordError
        Not a saved match, or one of a format not read yet; names the file, and the line where it can.

    Examples
    --------
    >>> record = read_match("data/matches/7-point.mat")  # doctest: +SKIP
    """
    return parse_match(read_bytes(Path(path)), file=str(path))


def parse_match(data: bytes, file: str = "") -> Record:
    """Record of a file's bytes; see `read_match`."""
    if is_sgf(data):
        from .sgf import parse_sgf

        return parse_sgf(data, file)
    if data.startswith(b"RGMH"):
        from .xg import parse_xg

        return parse_xg(data, file)
    if is_bgf(data):
        from .bgf import parse_bgf

        return parse_bgf(data, file)
    if data.startswith(OGXM_MAGIC):
        from .ogxm import parse_ogxm

        return parse_ogxm(data, file)
    if is_json(data):
        from .json_text import parse_json

        return parse_json(data, file)
    foreign = foreign_format(data)
    if foreign is not None:
        raise RecordError(f"this is {foreign}, which is not read yet; cubelab reads {READ_NOW}", file=file or None)
    text, flags = decode(data, file)
    return parse_mat(split_lines(text, file), file).with_flags(*flags)
