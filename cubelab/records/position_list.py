"""Lists of ids or of Snowie's text positions, one a line, with comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..errors import CubelabError
from .saved_position import LONGEST_LINE, SavedPosition, UnreadLine, situation_or_error
from .snowie_text import is_snowie_text, snowie_position

_COMMENT: Final = re.compile(r"\s*(?:#|;|//|--)\s?(.*)")
#: An id and what stands behind it; GNU Backgammon's two ids may be labelled and have blanks between them.
_ID: Final = re.compile(
    r"\s*((?:XGID|OGID)\s*[=:]\s*\S+|(?:GNU\s*BG)?\s*Position[- ]?ID\s*[:=]\s*\S+(?:\s+Match[- ]?ID\s*[:=]\s*\S+)?"
    r"|(?:GNU(?:\s*BG)?[-\s]*ID)\s*[=:]\s*\S+|\S+)(.*)",
    re.IGNORECASE,
)


def parse_list(lines: Sequence[str]) -> tuple[list[SavedPosition], list[UnreadLine], str]:
    """Positions of a list; comments above a position, up to the next empty line, are its comments.

    Parameters
    ----------
    lines : sequence of str

    Returns
    -------
    positions : list of SavedPosition
    unread : list of UnreadLine
    format : str
    """
    positions: list[SavedPosition] = []
    unread: list[UnreadLine] = []
    above: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip(" \x1a\f"):
            above = []
            continue
        if comment := _COMMENT.fullmatch(line):
            above.append(comment[1].strip())
            continue
        if len(line) <= LONGEST_LINE and is_snowie_text(line):
            try:
                snowie = snowie_position(line, number)
                positions.append(replace(snowie, comment="\n".join(above)))
            except CubelabError as error:
                unread.append(UnreadLine(number, line.strip()[:200], str(error)))
            above = []
            continue
        match = _ID.match(line)
        text, rest = (match[1], match[2]) if match else (line, "")
        found = situation_or_error(text, number)
        if isinstance(found, UnreadLine):
            unread.append(found)
        else:
            beside = re.sub(r"^[\s#;,|/-]+", "", rest).strip()
            positions.append(SavedPosition(found, number, "\n".join(filter(None, [*above, beside]))))
        above = []
    return positions, unread, "id list"
