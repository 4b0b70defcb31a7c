"""Saved positions: lists of ids, position texts of programs, FIBS boards → situations with comments and analysis."""

from __future__ import annotations

import re
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Final

from ..arguments import checked
from ..errors import CubelabError, RecordError
from .archive import gunzip, is_gzip
from .fibs_board import is_fibs, parse_fibs_boards
from .jellyfish import is_jellyfish, jellyfish_position
from .position_list import parse_list
from .position_text import is_position_text, parse_position_text
from .saved_position import SavedPosition, UnreadLine
from .source import decode, is_sgf, read_bytes, split_lines

#: More positions than this are not kept in memory at once.
MAX_POSITIONS: Final = 100_000
_MATCH_LINE: Final = re.compile(rb"^[ \t]*(\d+ point match|Game \d+)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PositionFile:
    """Positions of a file.

    Parameters
    ----------
    positions : tuple of SavedPosition
        In the order of the file.
    unread : tuple of UnreadLine
        Lines that could not be read; the others are not stopped by them.
    file : str
    format : str
        ``id list``, ``XG position text``, ``BGBlitz position text``, ``FIBS boards``, ``Jellyfish position``.
    """

    positions: tuple[SavedPosition, ...]
    unread: tuple[UnreadLine, ...] = ()
    file: str = ""
    format: str = ""


@checked("path")
def read_positions(path: str | PathLike[str]) -> PositionFile:
    """Read saved positions: a list of ids, position texts, FIBS ``board:`` lines, a Jellyfish position.

    A list has one XGID, OGID, GNU Backgammon id or Snowie text a line; lines that start with ``#`` or ``;`` are
    comments on the position that follows, text behind an id is a comment on it.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    PositionFile

    Raises
    ------
    RecordError
        Not there, not text, or without a single position.

    Examples
    --------
    >>> read_positions("positions.txt").positions[0].situation  # doctest: +SKIP
    """
    return parse_positions(read_bytes(Path(path)), str(path))


def parse_positions(data: bytes, file: str = "") -> PositionFile:
    """Positions of a file's bytes; see `read_positions`."""
    if is_gzip(data):
        data = gunzip(data, file)
    if is_jellyfish(data):
        try:
            return PositionFile((jellyfish_position(data),), (), file, "Jellyfish position")
        except CubelabError as error:
            raise RecordError(str(error), file=file or None) from None
    text, _ = decode(data, file)
    lines = split_lines(text, file)
    if is_fibs(lines):
        found = parse_fibs_boards(lines)
    elif is_position_text(text):
        found = parse_position_text(lines)
    else:
        found = parse_list(lines)
    positions, unread, form = found
    if len(positions) > MAX_POSITIONS:
        raise RecordError(f"more than {MAX_POSITIONS} positions; split the file", file=file or None)
    if not positions:
        first = unread[0] if unread else UnreadLine(1, "", "no position in it")
        raise RecordError(first.error, file=file or None, line=first.line)
    return PositionFile(tuple(positions), tuple(unread), file, form)


def is_drawn(data: bytes) -> bool:
    """Whether a file that starts so holds position texts, FIBS boards or a Jellyfish position, not one id a line.

    Parameters
    ----------
    data : bytes
        The whole file, or its first few thousand bytes.
    """
    if is_gzip(data) or is_jellyfish(data):
        return True
    text = data.decode("utf-8-sig", errors="replace")
    return is_position_text(text) or is_fibs(text.splitlines())


def is_match_text(data: bytes) -> bool:
    """Whether a file that starts so is a text match or an SGF file, which no list of positions is.

    Parameters
    ----------
    data : bytes
        The whole file, or its first few thousand bytes.
    """
    return is_sgf(data) or (b"XGID=" not in data and _MATCH_LINE.search(data) is not None)
