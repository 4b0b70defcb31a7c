"""Matches as the FIBS command *oldmoves* lists them (``.fibs``, ``.txt``).

Per game ``Score is 0-0 in a 5 point match.``, ``name is X - name is O``, then lines of either side such as
``X: (3 1) 8-5 6-5``, ``can't move``, ``doubles``, ``accepts``, ``rejects``, ``wins 2 points``. The layout is that of
GNU Backgammon's script ``matchplay`` and of what GNU Backgammon imports; no file of the server itself was at hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..errors import RecordError
from .fibs_moves import mover_text
from .flags import Flag
from .mat import MAX_LENGTH
from .record import Comment, Double, Event, Pass, Record, Resignation, Roll, Seat, Take
from .results import Draft, finish_games

_SCORE: Final = re.compile(r"\s*Score is (\d{1,9})-(\d{1,9}) in an? (?:(\d{1,9})\b)?.*", re.IGNORECASE)
#: For lines without blanks at their ends.
_NAMES: Final = re.compile(r"(\S.{0,60}?) is X - (\S.{0,60}?) is O\.?")
_ACTION: Final = re.compile(r"([XO]):\s*(.*)")
_ROLL: Final = re.compile(r"\(\s*([1-6])\s+([1-6])\s*\):?\s*(.*)")
_WINS: Final = re.compile(r"wins\b(?:.*?(\d{1,9}))?.*", re.IGNORECASE)
_START: Final = re.compile(r"(?m)^[ \t]*Score is \d{1,9}-\d{1,9} in an? ")


def is_oldmoves(text: str) -> bool:
    """Whether a text has the line that starts a game in this form."""
    return "Score is " in text and _START.search(text) is not None


def parse_oldmoves(lines: Sequence[str], file: str = "") -> Record:
    """Record of an *oldmoves* listing; X is the bottom player.

    Parameters
    ----------
    lines : sequence of str
        Lines of the file without their ends.
    file : str
        For messages.

    Raises
    ------
    RecordError
        A game without names, no game, or games of several matches.
    """
    drafts: list[Draft] = []
    players: tuple[str, str] | None = None
    length = 0
    waiting: tuple[re.Match[str], int] | None = None
    for number, line in enumerate(lines, 1):
        if score := _SCORE.fullmatch(line):
            waiting = score, number
        elif waiting:
            names = _NAMES.fullmatch(line.strip())
            if names is None and not line.strip():
                continue
            if names is None:
                raise RecordError(
                    "a line 'name is X - name is O' must follow the score", file=file or None, line=number
                )
            found = int(waiting[0][3] or 0)
            if found > MAX_LENGTH:
                message = f"a match to {found} points; at most {MAX_LENGTH} are possible"
                raise RecordError(message, file=file or None, line=waiting[1])
            if players is not None and (found != length or {names[1], names[2]} != set(players)):
                raise RecordError("a second match starts here: split the file", file=file or None, line=waiting[1])
            players, length = players or (names[1], names[2]), found
            drafts.append(_draft(waiting[0], len(drafts) + 1, waiting[1], swapped=(names[1], names[2]) != players))
            waiting = None
        elif drafts and line.strip(" \x1a"):
            _add(drafts[-1], line, number)
    if players is None or not any(draft.events for draft in drafts):
        raise RecordError("FIBS oldmoves without a single roll", file=file or None)
    return Record(players=players, length=length, games=finish_games(drafts, length), file=file, format="oldmoves")


def _draft(score: re.Match[str], number: int, line: int, *, swapped: bool) -> Draft:
    points = int(score[1]), int(score[2])
    return Draft(number, points[::-1] if swapped else points, line, swapped=swapped)


def _add(draft: Draft, line: str, number: int) -> None:
    action = _ACTION.fullmatch(line.strip())
    if action is None:
        draft.events.append(Comment(seat=None, line=number, text=line.strip()))
        return
    seat = Seat.BOTTOM if (action[1] == "X") != draft.swapped else Seat.TOP
    text = action[2]
    if won := _WINS.fullmatch(text):
        draft.stated_winner, draft.result_line = seat, number
        draft.stated_points = int(won[1]) if won[1] else None
        return
    event = _event(text, seat, number)
    unread = Comment(seat=None, line=number, text=line.strip(), flags=frozenset({Flag.UNREAD_TEXT}))
    draft.events.append(event or unread)


def _event(text: str, seat: Seat, number: int) -> Event | None:
    if roll := _ROLL.fullmatch(text):
        dance = roll[3].casefold().replace("’", "'").startswith(("can't", "cannot", "no move"))
        play = "" if dance else roll[3]
        own = mover_text(play)
        dice = int(roll[1]), int(roll[2])
        return Roll(seat=seat, line=number, dice=dice, text=play if own is None else own)
    word = text.casefold()
    if word.startswith(("doubles", "redoubles")):
        return Double(seat=seat, line=number)
    if word.startswith("accepts"):
        return Take(seat=seat, line=number)
    if word.startswith("rejects"):
        return Pass(seat=seat, line=number)
    if word.startswith("resigns"):
        return Resignation(seat=seat, line=number)
    return None
