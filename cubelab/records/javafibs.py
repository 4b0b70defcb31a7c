"""Matches that the client JavaFIBS keeps (``.match``): lines ``code:player:data``.

Read off a match of the *Gibbon* project (``src/complete.match``, seven games): 8 opponent and length, 6 who plays, 14
score, 11 first roll, 0 roll, 1 play, 15 no play, 2 double, 4 take, 5 pass, 3 resignation with its points, 7 game won
with its points, 9 match won, 13 nothing of note. The own player is ``You``; the score lines tell the name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..errors import RecordError
from .fibs_moves import mover_text
from .flags import Flag
from .mat import MAX_LENGTH
from .record import Comment, Double, Pass, Record, Resignation, Roll, Seat, Take
from .results import Draft, final_cube, finish_games

_TITLE: Final = "javafibs internal match representation"
_LINE: Final = re.compile(r"\s*(\d{1,2}):([^:]*):?(.*)")
_DICE: Final = re.compile(r"\s*([1-6])\s+([1-6])\s*")
_SCORE: Final = re.compile(r"(.+)-(\d{1,6})")
_YOU: Final = "You"
#: Lengths from here on stand for an unlimited match.
_UNLIMITED: Final = 9999
_IDLE: Final = ("9", "10", "12", "13")


def is_javafibs(text: str) -> bool:
    """Whether a text starts with JavaFIBS's title."""
    return text[:200].lstrip("\ufeff \r\n").casefold().startswith(_TITLE)


def parse_javafibs(lines: Sequence[str], file: str = "") -> Record:
    """Record of a JavaFIBS match; the own player is the bottom player.

    Parameters
    ----------
    lines : sequence of str
        Lines of the file without their ends.
    file : str
        For messages.

    Raises
    ------
    RecordError
        No game in it, or a length that cannot be.
    """
    reader = _Reader(file)
    for number, line in enumerate(lines[1:], 2):
        if line.strip(" \x1a"):
            reader.add(line, number)
    return reader.record()


class _Reader:
    """Lines in order → drafts of games."""

    def __init__(self, file: str):
        self.file = file
        self.length = 0
        self.names: list[str] = []
        self.aliases: dict[str, str] = {}
        self.score = (0, 0)
        self.drafts: list[Draft] = []
        #: A roll whose play has not come yet.
        self.rolled: tuple[Seat, tuple[int, int], int] | None = None

    def add(self, line: str, number: int) -> None:
        match = _LINE.fullmatch(line)
        if match is None:
            self._remark(line, number)
            return
        code, name, data = match[1], match[2].strip(), match[3].strip()
        if code == "8":
            self._set_length(data, number)
        elif code == "14":
            self._set_score(line.partition(":")[2], number)
        elif code == "6":
            self._start(name, data, number)
        elif not self.drafts or code in _IDLE:
            pass
        elif name not in self.names:
            self._remark(line, number)
        else:
            self._act(code, Seat.BOTTOM if name == self.names[0] else Seat.TOP, data, line, number)

    def record(self) -> Record:
        if not any(draft.events for draft in self.drafts):
            raise RecordError("JavaFIBS match without a single roll", file=self.file or None)
        self._flush()
        players = tuple(self.aliases.get(name, name) for name in self.names)
        return Record(
            players=(players[0], players[1]),
            length=self.length,
            games=finish_games(self.drafts, self.length),
            file=self.file,
            format="javafibs",
        )

    def _set_length(self, data: str, number: int) -> None:
        length = int(data) if data.isascii() and data.isdigit() and len(data) < 7 else 0
        if MAX_LENGTH < length < _UNLIMITED:
            raise RecordError(
                f"a match to {length} points; at most {MAX_LENGTH} are possible", file=self.file or None, line=number
            )
        self.length = 0 if length >= _UNLIMITED else length

    def _set_score(self, data: str, number: int) -> None:
        """Score before the next game; its names tell who ``You`` is."""
        pairs = [_SCORE.fullmatch(part.strip()) for part in data.split(":")[:2]]
        found = {pair[1].strip(): int(pair[2]) for pair in pairs if pair}
        if len(found) != 2:
            self._remark(f"14:{data}", number)
            return
        if _YOU in self.names:
            other = next(name for name in self.names if name != _YOU)
            own = next((name for name in found if name != other), None)
            if other in found and own is not None:
                self.aliases[_YOU] = own
        points = [found.get(self.aliases.get(name, name)) for name in self.names]
        if len(points) == 2 and points[0] is not None and points[1] is not None:
            self.score = (points[0], points[1])

    def _start(self, first: str, second: str, number: int) -> None:
        self._flush()
        if not self.names:
            self.names = [first, second]
        if first == second or {first, second} != set(self.names):
            raise RecordError(
                f"a game of {first[:40]!r} and {second[:40]!r} in a match of other players",
                file=self.file or None,
                line=number,
            )
        self.drafts.append(Draft(len(self.drafts) + 1, self.score, number))

    def _act(self, code: str, seat: Seat, data: str, line: str, number: int) -> None:
        events = self.drafts[-1].events
        if code in ("0", "11"):
            self._flush()
            dice = _DICE.fullmatch(data)
            if dice is None:
                self._remark(line, number)
            else:
                self.rolled = seat, (int(dice[1]), int(dice[2])), number
        elif code in ("1", "15"):
            self._play(seat, data if code == "1" else "", number)
        elif code == "2":
            self._flush()
            events.append(Double(seat=seat, line=number))
        elif code == "4":
            events.append(Take(seat=seat, line=number))
        elif code == "5":
            events.append(Pass(seat=seat, line=number))
        elif code == "3":
            self._flush()
            events.append(Resignation(seat=seat, line=number, level=self._level(data)))
        elif code == "7":
            self._flush()
            draft = self.drafts[-1]
            draft.stated_winner, draft.result_line = seat, number
            draft.stated_points = int(data) if data.isascii() and data.isdigit() and len(data) < 7 else None
        else:
            self._remark(line, number)

    def _level(self, data: str) -> int | None:
        """Level of a resignation that is written as points."""
        points = int(data) if data.isascii() and data.isdigit() and len(data) < 7 else 0
        level, rest = divmod(points, final_cube(self.drafts[-1].events))
        return level if 1 <= level <= 3 and not rest else None

    def _play(self, seat: Seat, text: str, number: int) -> None:
        rolled, self.rolled = self.rolled, None
        dice = rolled[1] if rolled and rolled[0] is seat else None
        flags = frozenset() if dice else frozenset({Flag.HIDDEN_DICE})
        play = mover_text(text)
        self.drafts[-1].events.append(
            Roll(seat=seat, line=number, dice=dice, text=text if play is None else play, flags=flags)
        )

    def _flush(self) -> None:
        """Keep a roll that was never played."""
        if self.rolled is not None:
            seat, dice, line = self.rolled
            self.drafts[-1].events.append(Roll(seat=seat, line=line, dice=dice, text=""))
            self.rolled = None

    def _remark(self, line: str, number: int) -> None:
        if self.drafts:
            event = Comment(seat=None, line=number, text=line.strip(), flags=frozenset({Flag.UNREAD_TEXT}))
            self.drafts[-1].events.append(event)
