"""Several matches in one text file: where each of them starts and ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .mat_rows import read_row

_LENGTH: Final = re.compile(r"\s*\d{1,9}[ -]*points?[ -]+match\b", re.IGNORECASE)
_GAME: Final = re.compile(r"\s*Game\s{0,9}#?\s{0,9}\d{1,9}\s{0,9}[:.]?\s*$", re.IGNORECASE)
#: A match has no longer head than this between its tags and its first line.
_LONGEST_HEAD: Final = 40


def split_matches(lines: Sequence[str]) -> list[list[str]]:
    """Lines of each match; those of the others are emptied, so that numbers of lines stay those of the file.

    Parameters
    ----------
    lines : sequence of str

    Returns
    -------
    list of list of str
        One entry where there is one match, or none at all.
    """
    starts = [0]
    games = False
    for number, line in enumerate(lines):
        if _GAME.match(line):
            games = True
        elif games and _LENGTH.match(line):
            starts.append(_head(lines, number, starts[-1]))
            games = False
    ends = [*starts[1:], len(lines)]
    return [[""] * start + list(lines[start:end]) for start, end in zip(starts, ends, strict=True)]


def _head(lines: Sequence[str], number: int, previous: int) -> int:
    """First line of the match whose length stands in a line: its tags and remarks stand before it."""
    start = number
    for place in range(number - 1, max(previous, number - _LONGEST_HEAD), -1):
        line = lines[place]
        if read_row(line) is not None or _GAME.match(line):
            break
        if line.strip():
            start = place
    return start
