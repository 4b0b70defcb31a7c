"""Matches of GamesGrid and GridGammon (``.sgg``): text with tabs.

``name vs. name``, options (``Jacoby: Yes``, a date, a place), per game ``Game 1.0-0/5`` (a star behind the points of
the side that is one away marks the Crawford game, without ``/5`` it is a money session), then rows: number, a tab, a
second tab for the second player, then ``43: 13/9, 13/10``, ``62: O-O`` for a dance, ``Double to 2``, ``Accept``,
``Pass``, ``Beaver to 4``, ``Raccoon to 8``. A roll stands once without and once with its play, and rows may be doubled.
The layout is what GNU Backgammon imports (its ``import.c``, facts only); no real file was at hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..errors import RecordError
from .flags import Flag
from .mat import MAX_CUBE, MAX_LENGTH
from .record import Beaver, Comment, Double, Event, Pass, Record, Roll, Seat, SetPosition, Take
from .results import Draft, final_cube, finish_games

#: For lines without blanks at their ends.
_PLAYERS: Final = re.compile(r"(\S.{0,60}?)\s{1,20}vs\.\s{1,20}(\S.{0,60})")
_GAME: Final = re.compile(r"Game (\d{1,9})\.(\d{1,9})(\*?)-(\d{1,9})(\*?)(?:/(\d{1,9}))?\s*")
_ROW: Final = re.compile(r"\d{1,5} {2,15}(\S.*)")
#: Tabs are eight columns wide: the first player's actions start in column 8, the second's in column 16.
_SECOND: Final = 12
_ROLL: Final = re.compile(r"([1-6])([1-6]):?\s*(.*)")
_WINS: Final = re.compile(r"(\S.{0,60}?)\s{1,4}wins\s+(\d{1,9}).*", re.IGNORECASE)
_OPTION: Final = re.compile(r"([A-Z][A-Za-z ]{1,30}):\s*(.*)")
_AUTOMATIC: Final = re.compile(r"\d{1,5}:?\s*Automatic double.*", re.IGNORECASE)
_START: Final = re.compile(r"(?m)^Game \d{1,9}\.\d{1,9}\*?-\d{1,9}\*?(?:/\d{1,9})?\s*$")


def is_sgg(text: str) -> bool:
    """Whether a text has the line that starts a game in this form."""
    return "Game " in text and _START.search(text) is not None


def parse_sgg(lines: Sequence[str], file: str = "") -> Record:
    """Record of a GamesGrid match; the first named is the bottom player.

    Parameters
    ----------
    lines : sequence of str
        Lines of the file without their ends, tabs expanded.
    file : str
        For messages.

    Raises
    ------
    RecordError
        No names, no game, or a length that cannot be.
    """
    players: tuple[str, str] | None = None
    drafts: list[Draft] = []
    tags: list[tuple[str, str]] = []
    comments: list[str] = []
    lengths: set[int] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip(" \x1a\t"):
            continue
        if game := _GAME.fullmatch(line):
            lengths.add(int(game[6] or 0))
            drafts.append(_draft(game, number))
        elif drafts and players:
            _add(drafts[-1], line, number, players)
        elif players is None and (names := _PLAYERS.fullmatch(line.strip())):
            players = names[1], names[2]
        elif option := _OPTION.fullmatch(line.strip()):
            tags.append((option[1], option[2].strip()))
        else:
            comments.append(line.strip())
    if players is None:
        raise RecordError("GamesGrid match without its line 'name vs. name'", file=file or None, line=1)
    if not any(draft.events for draft in drafts):
        raise RecordError("GamesGrid match without a single roll", file=file or None)
    if len(lengths) > 1 or max(lengths) > MAX_LENGTH:
        which = ", ".join(str(length) for length in sorted(lengths))
        raise RecordError(
            f"games of one match to {which} points; one length up to {MAX_LENGTH} is possible", file=file or None
        )
    length = lengths.pop()
    crawford = _switch(tags, "Crawford")
    return Record(
        players=players,
        length=length,
        games=finish_games(drafts, length, crawford_rule=crawford is not False),
        crawford=crawford if length else None,
        jacoby=None if length else _switch(tags, "Jacoby"),
        beavers=None if length else _switch(tags, "Beavers"),
        tags=tuple(tags),
        comments=tuple(comments),
        file=file,
        format="sgg",
    )


def _draft(game: re.Match[str], line: int) -> Draft:
    draft = Draft(int(game[1]), (int(game[2]), int(game[4])), line)
    draft.crawford = bool(game[3] or game[5])
    return draft


def _add(draft: Draft, line: str, number: int, players: tuple[str, str]) -> None:
    row = _ROW.fullmatch(line)
    if row is None:
        won = _WINS.fullmatch(line)
        if won and won[1].strip() in players and draft.stated_winner is None:
            draft.stated_winner = Seat.BOTTOM if won[1].strip() == players[0] else Seat.TOP
            draft.stated_points, draft.result_line = int(won[2]), number
        elif _AUTOMATIC.fullmatch(line):
            cube = min(2 * final_cube(draft.events), MAX_CUBE)
            draft.events.append(SetPosition(seat=None, line=number, board=None, cube=cube))
        else:
            draft.events.append(Comment(seat=None, line=number, text=line.strip()))
        return
    seat = Seat.TOP if row.start(1) >= _SECOND else Seat.BOTTOM
    event = _event(row[1].strip(), seat, number)
    if event is None:
        text = Comment(seat=None, line=number, text=line.strip(), flags=frozenset({Flag.UNREAD_TEXT}))
        draft.events.append(text)
        return
    last = next((event for event in reversed(draft.events) if event.seat is not None), None)
    if isinstance(event, Roll) and isinstance(last, Roll) and last.seat is seat:
        # The roll again, now with its play; or the whole row again.
        if event.text or not last.text:
            draft.events[draft.events.index(last)] = event if event.text else last
        return
    if not isinstance(last, type(event)) or last.seat is not seat:
        draft.events.append(event)


def _event(text: str, seat: Seat, number: int) -> Event | None:
    if roll := _ROLL.fullmatch(text):
        play = roll[3].replace(",", " ").strip()
        dice = int(roll[1]), int(roll[2])
        return Roll(seat=seat, line=number, dice=dice, text="Cannot Move" if play.upper() == "O-O" else play)
    word, _, rest = text.casefold().partition(" ")
    cube = re.search(r"\d{1,9}", rest)
    value = int(cube[0]) if cube else None
    if word.startswith("double") or word.startswith("redouble"):
        return Double(seat=seat, line=number, cube=value)
    if word in ("beaver", "beavers", "raccoon", "raccoons"):
        return Beaver(seat=seat, line=number, cube=value)
    if word.startswith(("accept", "take")):
        return Take(seat=seat, line=number)
    if word.startswith("pass"):
        return Pass(seat=seat, line=number)
    return None


def _switch(tags: Sequence[tuple[str, str]], key: str) -> bool | None:
    value = next((value for name, value in tags if name.casefold() == key.casefold()), "").casefold()
    return {"yes": True, "no": False}.get(value)
