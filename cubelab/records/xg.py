"""Matches and positions of eXtreme Gammon (``.xg``, ``.xgp``), with the analysis they store.

The layout of the 2560-byte records was published by eXtreme Gammon (www.extremegammon.com/xgformat.aspx) and checked on
real files against text exports of the same matches; where the two differ the files decided.
"""

from __future__ import annotations

import struct
from datetime import datetime, timedelta
from typing import Final

from ..errors import RecordError
from ..game import Position
from .flags import Flag
from .mat import MAX_CUBE, MAX_LENGTH
from .record import Beaver, Comment, Double, Pass, Record, Resignation, Roll, Seat, SetPosition, Take
from .results import Draft, finish_games
from .stored import Stored, Unit
from .xg_archive import RECORD, unpack
from .xg_comments import comments_of
from .xg_stored import cube_of, luck_of, plays_of, steps_text

_MATCH, _GAME, _CUBE, _MOVE, _GAME_END, _MATCH_END = range(6)
_UNLIMITED: Final = 99999
_VARIATIONS: Final = {0: "Backgammon", 1: "Nackgammon", 2: "Hypergammon", 3: "Longgammon"}
_EPOCH: Final = datetime(1899, 12, 30)
#: Ending codes: 0 pass, 1 to 3 borne off; 100 more for a resignation, 104 gives up the whole match.
_RESIGNED: Final = 100
#: Where records keep the numbers of their comments; a game has one before it and one after it.
_GAME_COMMENTS, _CUBE_COMMENT, _MOVE_COMMENT = (56, 60), 292, 2524
PROGRAM: Final = "eXtreme Gammon"


def parse_xg(data: bytes, file: str = "") -> Record:
    """Record of an eXtreme Gammon file; its player 1 is the bottom player.

    Parameters
    ----------
    data : bytes
    file : str
        For messages.

    Raises
    ------
    RecordError
        Damaged, or without a game.
    """
    games, comments, whole = unpack(data, file)
    records = [games[place : place + RECORD] for place in range(0, len(games) - RECORD + 1, RECORD)]
    if not records or records[0][8] != _MATCH:
        raise RecordError("damaged eXtreme Gammon file: no match header in it", file=file or None)
    reader = _Reader(records[0], comments_of(comments))
    for record in records[1:]:
        reader.add(record)
    if not any(draft.events for draft in reader.drafts):
        raise RecordError("eXtreme Gammon file without a single move", file=file or None)
    if reader.length > MAX_LENGTH:
        raise RecordError(f"a match to {reader.length} points; at most {MAX_LENGTH} are possible", file=file or None)
    flags = set() if whole and len(games) % RECORD == 0 else {Flag.TRUNCATED}
    return Record(
        players=reader.players,
        length=reader.length,
        games=finish_games(reader.drafts, reader.length, crawford_rule=reader.crawford),
        crawford=reader.crawford if reader.length else None,
        jacoby=None if reader.length else reader.jacoby,
        beavers=None if reader.length else reader.beavers,
        cube_cap=reader.cube_cap,
        tags=tuple(reader.tags),
        comments=reader.loose_comments(),
        file=file,
        format="xg",
        flags=frozenset(flags),
    )


class _Reader:
    """Records in order → drafts of games."""

    def __init__(self, header: bytes, comments: tuple[str, ...]):
        length, variation = struct.unpack_from("<II", header, 92)
        self.length = 0 if length == _UNLIMITED else length
        self.crawford, self.jacoby, self.beavers = (bool(flag) for flag in header[100:103])
        cap = struct.unpack_from("<i", header, 612)[0]
        self.cube_cap = 2**cap if 0 < cap <= 15 else None
        self.players = (_wide(header, 880) or _short(header, 9), _wide(header, 1138) or _short(header, 50))
        self.tags = list(_tags(header, variation))
        self.drafts: list[Draft] = []
        #: What was stored about not doubling, until the roll it belongs to.
        self.waiting: Stored | None = None
        self.comments = comments
        self.linked: set[int] = set()
        #: A comment on not doubling, until that roll.
        self.remark = ""

    def loose_comments(self) -> tuple[str, ...]:
        """Comments that belong to the match, or that no record points to."""
        loose = (text for number, text in enumerate(self.comments) if number not in self.linked)
        return tuple(text for text in loose if text)

    def _comment(self, record: bytes, place: int) -> str:
        """The comment whose number stands in a record; empty where there is none."""
        number = struct.unpack_from("<i", record, place)[0]
        if not 0 <= number < len(self.comments):
            return ""
        self.linked.add(number)
        return self.comments[number]

    def add(self, record: bytes) -> None:
        kind = record[8]
        if kind == _GAME:
            self._start(record)
        elif not self.drafts:
            # A saved position has no game header before its records.
            if kind in (_CUBE, _MOVE):
                self._start_position(record, kind)
                self.add(record)
        elif kind == _CUBE:
            self._cube(record)
        elif kind == _MOVE:
            self._move(record)
        elif kind == _GAME_END:
            self._end(record)

    def _start(self, record: bytes) -> None:
        bottom, top = struct.unpack_from("<II", record, 12)
        number = struct.unpack_from("<i", record, 48)[0]
        draft = Draft(number if 0 < number < 10**6 else len(self.drafts) + 1, (min(bottom, 10**9), min(top, 10**9)))
        draft.crawford = bool(record[20]) and bool(self.length)
        self.drafts.append(draft)
        self.waiting, self.remark = None, ""
        board = struct.unpack_from("26b", record, 21)
        if board != Position.start().board and any(board):
            self._set_position(board)
        text = "\n".join(filter(None, (self._comment(record, place) for place in _GAME_COMMENTS)))
        if text:
            draft.events.append(Comment(seat=None, text=text))

    def _start_position(self, record: bytes, kind: int) -> None:
        """A saved position: score and cube stand in its cube record where there is one."""
        self.drafts.append(Draft(1, (0, 0)))
        self._set_position(_board(record, 36 if kind == _CUBE else 9))
        if kind != _CUBE:
            return
        away = struct.unpack_from("<ii", record, 96)
        if self.length and all(0 < points <= self.length for points in away):
            # Seen by the side that decides.
            score = (self.length - away[0], self.length - away[1])
            self.drafts[-1].score = score if _seat(record, 12) is Seat.BOTTOM else score[::-1]
        cube = struct.unpack_from("<i", record, 32)[0]
        if 0 < abs(cube) < 15:
            owner = Seat.BOTTOM if cube > 0 else Seat.TOP
            event = SetPosition(seat=None, board=None, cube=2 ** abs(cube), owner=owner, flags=frozenset({Flag.SET_UP}))
            self.drafts[-1].events.append(event)

    def _set_position(self, board: tuple[int, ...]) -> None:
        draft = self.drafts[-1]
        draft.flags.add(Flag.SET_UP)
        draft.events.append(SetPosition(seat=None, board=board, flags=frozenset({Flag.SET_UP})))

    def _cube(self, record: bytes) -> None:
        draft = self.drafts[-1]
        seat = _seat(record, 12)
        doubled, taken, beavered, raccooned, cube = struct.unpack_from("<iiiii", record, 16)
        stored = cube_of(record, self.length)
        analysis = Stored(PROGRAM, cube=stored) if stored else None
        comment = self._comment(record, _CUBE_COMMENT)
        self.waiting, self.remark = None, ""
        if doubled != 1:
            self.waiting, self.remark = analysis, comment
            return
        value = 2 ** min(abs(cube), 14)
        draft.events.append(Double(seat=seat, cube=2 * value, comment=comment, analysis=analysis))
        if beavered == 1 or taken == 2:
            draft.events.append(Beaver(seat=seat.other, cube=min(4 * value, MAX_CUBE)))
            if raccooned == 1:
                draft.events.append(Beaver(seat=seat, cube=min(8 * value, MAX_CUBE)))
                draft.events.append(Take(seat=seat.other))
            else:
                draft.events.append(Take(seat=seat))
        elif taken == 1:
            draft.events.append(Take(seat=seat.other, analysis=analysis))
        elif taken == 0:
            draft.events.append(Pass(seat=seat.other, analysis=analysis))

    def _move(self, record: bytes) -> None:
        draft = self.drafts[-1]
        seat = _seat(record, 64)
        steps = struct.unpack_from("<8i", record, 68)
        luck = luck_of(record)
        first, second = struct.unpack_from("<ii", record, 100)
        dice = (first, second) if 1 <= first <= 6 and 1 <= second <= 6 else None
        flags = set() if dice else {Flag.HIDDEN_DICE}
        analysis = Stored(
            PROGRAM,
            cube=self.waiting.cube if self.waiting else None,
            plays=plays_of(record, self.length),
            luck=luck,
            luck_unit=None if luck is None else Unit.EMG if self.length else Unit.POINTS,
        )
        comment = "\n".join(filter(None, (self.remark, self._comment(record, _MOVE_COMMENT))))
        self.waiting, self.remark = None, ""
        after: tuple[int, ...] | None = None
        if not any(steps):
            # Nothing but zeros: the player gave up after rolling.
            text = "????"
            flags.add(Flag.HIDDEN_PLAY)
        else:
            text = steps_text(steps)
            after = struct.unpack_from("26b", record, 35) if text else None
        if after is not None and seat is Seat.TOP:
            after = tuple(-count for count in reversed(after))
        bare = analysis.cube is None and analysis.plays is None and analysis.luck is None
        draft.events.append(
            Roll(
                seat=seat,
                dice=dice,
                text=text,
                after=after,
                flags=frozenset(flags),
                comment=comment,
                analysis=None if bare else analysis,
            )
        )

    def _end(self, record: bytes) -> None:
        draft = self.drafts[-1]
        winner, points, ending = struct.unpack_from("<iii", record, 24)
        if winner not in (1, -1) or points <= 0:
            return
        draft.stated_winner, draft.stated_points = Seat(winner), points
        last = draft.events[-1] if draft.events else None
        given_up = isinstance(last, Roll) and last.hidden
        if ending > _RESIGNED and not given_up and not isinstance(last, Pass):
            level = ending - _RESIGNED
            draft.events.append(Resignation(seat=Seat(winner).other, level=level if level <= 3 else None))


def _tags(header: bytes, variation: int):
    """Tags in the words of a text match."""
    for key, wide, short in (("Site", 1396, 284), ("Event", 622, 136), ("Round", 1654, None)):
        value = _wide(header, wide) or (_short(header, short) if short else "")
        if value:
            yield key, value
    days = struct.unpack_from("<d", header, 128)[0]
    if 0 < days < 100_000:
        when = _EPOCH + timedelta(days=days)
        yield "EventDate", when.strftime("%Y.%m.%d")
        yield "EventTime", when.strftime("%H.%M")
    yield "Variation", _VARIATIONS.get(variation, str(variation))


def _seat(record: bytes, place: int) -> Seat:
    return Seat.BOTTOM if struct.unpack_from("<i", record, place)[0] == 1 else Seat.TOP


def _board(record: bytes, place: int) -> tuple[int, ...]:
    return struct.unpack_from("26b", record, place)


def _wide(record: bytes, place: int) -> str:
    """Text of UTF-16 letters that ends with a zero."""
    return record[place : place + 258].decode("utf-16-le", errors="replace").split("\0")[0]


def _short(record: bytes, place: int) -> str:
    """Text of one-byte letters behind its length."""
    return record[place + 1 : place + 1 + record[place]].decode("cp1252", errors="replace")
