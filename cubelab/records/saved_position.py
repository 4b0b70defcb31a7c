"""One position of a file, or the line that should be one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..errors import CubelabError
from ..game import Situation
from .stored import Stored

#: Programs write no longer line beside a position.
LONGEST_LINE: Final = 400


@dataclass(frozen=True, slots=True)
class SavedPosition:
    """A position of a file.

    Parameters
    ----------
    situation : Situation
    line : int
        Where its id stands, from 1.
    comment : str
        What the file says beside or above it.
    players : (str, str)
        Bottom and top player, empty where not named.
    analysis : Stored or None
        What the file's program thought of it, for the player on roll.
    """

    situation: Situation
    line: int = 0
    comment: str = ""
    players: tuple[str, str] = ("", "")
    analysis: Stored | None = None


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that should be a position and is none: its number, text, and what is wrong."""

    line: int
    text: str
    error: str


def situation_or_error(text: str, line: int) -> Situation | UnreadLine:
    """Situation of an id, or the line as unread."""
    from ..notation.detect import parse_situation

    if len(text) > LONGEST_LINE:
        return UnreadLine(line, text.strip()[:200], f"a line of {len(text)} characters; no id is that long")
    try:
        return parse_situation(text)
    except CubelabError as error:
        return UnreadLine(line, text.strip()[:200], str(error))
