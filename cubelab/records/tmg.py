"""Matches of TrueMoneyGames (``.tmg``): options, then numbered actions.

``Key: value`` lines (``Player1: 1234 name 1500.0``, ``Length: 5``, ``Jacoby: 0``), per game ``Game 1: 0-0``, then lines
of number, kind and text; the number counts up for the first player, and is negative for the second. Kinds: 1 roll, 2
automatic double, 4 play (``0/0`` is none), 5 double, 7 take, 8 beaver, 10 pass, 14 to 16 win single, gammon,
backgammon, 17 and 22 out of time, 19 settlement by table stakes. The layout is what GNU Backgammon imports (its
``import.c``, facts only); no real file was at hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..errors import RecordError
from .flags import Flag
from .mat import MAX_CUBE, MAX_LENGTH
from .record import Beaver, Comment, Double, Pass, Record, Resignation, Roll, Seat, SetPosition, Take
from .results import Draft, final_cube, finish_games, finisher

#: For lines without blanks at their ends.
_OPTION: Final = re.compile(r"([A-Z][A-Za-z0-9]{2,15}):\s*(.*)")
_PLAYER: Final = re.compile(r"\s*\d{1,12}\s+(\S.{0,60}?)(?:\s+[-+]?\d{1,9}(?:\.\d{1,9})?)?\s*")
_GAME: Final = re.compile(r"\s*Game (\d{1,9}): (\d{1,9})-(\d{1,9})\b.*")
_ACTION: Final = re.compile(r"(-?)(\d{1,5})\s+(\d{1,2})\b\s*(.*)")
_ROLL: Final = re.compile(r"([1-6])([1-6]):?.*")
_NUMBER: Final = re.compile(r"\d{1,9}")
_ROLLED, _AUTOMATIC, _PLAYED, _DOUBLED, _TOOK, _BEAVERED, _PASSED = 1, 2, 4, 5, 7, 8, 10
_WON: Final = (14, 15, 16)
#: Out of time, settlement by table stakes: told in words, they move nothing.
_TOLD: Final = (17, 19, 22)
_START: Final = re.compile(r"(?m)^[ \t]*Game \d{1,9}: \d{1,9}-\d{1,9}\b")
_HEAD: Final = re.compile(r"(?m)^[ \t]*(?:MatchID|Player1):")


def is_tmg(text: str) -> bool:
    """Whether a text has TrueMoneyGames's options and the line that starts a game."""
    # Neither word stands in a text match, which then costs nothing more.
    named = "MatchID:" in text or "Player1:" in text
    return named and _HEAD.search(text) is not None and _START.search(text) is not None


def parse_tmg(lines: Sequence[str], file: str = "") -> Record:
    """Record of a TrueMoneyGames match; player 1 is the bottom player.

    Parameters
    ----------
    lines : sequence of str
        Lines of the file without their ends.
    file : str
        For messages.

    Raises
    ------
    RecordError
        No game, or a length that cannot be.
    """
    reader = _Reader(file)
    for number, line in enumerate(lines, 1):
        if line.strip(" \x1a"):
            reader.add(line, number)
    return reader.record()


class _Reader:
    """Lines in order → drafts of games."""

    def __init__(self, file: str):
        self.file = file
        self.names = ["", ""]
        self.tags: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.drafts: list[Draft] = []
        #: A roll whose play has not come yet.
        self.rolled: tuple[Seat, tuple[int, int], int] | None = None

    def add(self, line: str, number: int) -> None:
        if game := _GAME.fullmatch(line):
            self._flush()
            self.drafts.append(Draft(int(game[1]), (int(game[2]), int(game[3])), number))
        elif option := _OPTION.fullmatch(line.strip()):
            self._option(option[1], option[2])
        elif self.drafts and (action := _ACTION.fullmatch(line.strip())):
            self._act(Seat.TOP if action[1] else Seat.BOTTOM, int(action[3]), action[4], line, number)
        elif self.drafts:
            self._remark(line, number)
        else:
            self.comments.append(line.strip())

    def record(self) -> Record:
        self._flush()
        if not any(draft.events for draft in self.drafts):
            raise RecordError("TrueMoneyGames match without a single roll", file=self.file or None)
        length = self._number("Length") or 0
        if length > MAX_LENGTH:
            raise RecordError(f"a match to {length} points; at most {MAX_LENGTH} are possible", file=self.file or None)
        crawford, jacoby, beavers = (self._number(key) for key in ("Crawford", "Jacoby", "Beavers"))
        return Record(
            players=(self.names[0] or "Player 1", self.names[1] or "Player 2"),
            length=length,
            games=finish_games(self.drafts, length, crawford_rule=crawford != 0),
            crawford=None if crawford is None or not length else bool(crawford),
            jacoby=None if jacoby is None or length else bool(jacoby),
            beavers=None if beavers is None or length else bool(beavers),
            tags=tuple(self.tags),
            comments=tuple(self.comments),
            file=self.file,
            format="tmg",
        )

    def _option(self, key: str, value: str) -> None:
        self.tags.append((key, value))
        if key in ("Player1", "Player2"):
            name = _PLAYER.fullmatch(value)
            self.names[int(key[-1]) - 1] = name[1] if name else value

    def _number(self, key: str) -> int | None:
        """Number behind the first option of this name."""
        value = next((value for name, value in self.tags if name == key), "")
        return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None

    def _act(self, seat: Seat, kind: int, text: str, line: str, number: int) -> None:
        draft = self.drafts[-1]
        if kind == _ROLLED and (roll := _ROLL.fullmatch(text)):
            self._flush()
            self.rolled = seat, (int(roll[1]), int(roll[2])), number
        elif kind == _PLAYED:
            self._play(seat, text, number)
        elif kind in (_DOUBLED, _BEAVERED):
            self._flush()
            cube = _NUMBER.search(text)
            turned = Double if kind == _DOUBLED else Beaver
            draft.events.append(turned(seat=seat, line=number, cube=int(cube[0]) if cube else None))
        elif kind == _TOOK:
            draft.events.append(Take(seat=seat, line=number))
        elif kind == _PASSED:
            draft.events.append(Pass(seat=seat, line=number))
        elif kind == _AUTOMATIC:
            value = min(2 * final_cube(draft.events), MAX_CUBE)
            draft.events.append(SetPosition(seat=None, line=number, board=None, cube=value))
        elif kind in _WON:
            self._win(draft, seat, kind, text, number)
        elif kind in _TOLD:
            draft.events.append(Comment(seat=None, line=number, text=line.strip()))
        else:
            self._remark(line, number)

    def _win(self, draft: Draft, seat: Seat, kind: int, text: str, number: int) -> None:
        self._flush()
        points = _NUMBER.match(text)
        draft.stated_winner, draft.result_line = seat, number
        draft.stated_points = int(points[0]) if points else None
        passed = any(isinstance(event, Pass) for event in draft.events)
        if not passed and finisher(draft.events) is None:
            draft.events.append(Resignation(seat=seat.other, line=number, level=kind - _WON[0] + 1))

    def _play(self, seat: Seat, text: str, number: int) -> None:
        rolled, self.rolled = self.rolled, None
        dice = rolled[1] if rolled and rolled[0] is seat else None
        flags = frozenset() if dice else frozenset({Flag.HIDDEN_DICE})
        dance = text.startswith("0/0")
        self.drafts[-1].events.append(
            Roll(seat=seat, line=number, dice=dice, text="Cannot Move" if dance else text, flags=flags)
        )

    def _flush(self) -> None:
        """Keep a roll that was never played."""
        if self.rolled is not None:
            seat, dice, line = self.rolled
            self.drafts[-1].events.append(Roll(seat=seat, line=line, dice=dice, text="????"))
            self.rolled = None

    def _remark(self, line: str, number: int) -> None:
        event = Comment(seat=None, line=number, text=line.strip(), flags=frozenset({Flag.UNREAD_TEXT}))
        self.drafts[-1].events.append(event)
