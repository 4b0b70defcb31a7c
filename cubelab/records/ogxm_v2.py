"""OGXM version 2, as HedgeHog and GammonView write it.

16 bytes of header; sections of tag, length, flag byte; inside them records: a length, a mask of the fields that follow
(both as variable-length integers), the fields. A ply is a byte of action, side and a bit for a record of extras.
Decisions name their ply by its number in the whole match. Equities are millionths, chances 1/10000. Field numbers are
those of GammonView's public reader and profile (see `ogxm_plies`), checked on real files.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .flags import Flag
from .ogxm_container import check_sum, damaged, finished, sections
from .ogxm_plies import (
    MAX_GAMES,
    MAX_PLIES,
    PASS,
    PLACES,
    ROLLS,
    SET_POSITION,
    TAKE,
    Judged,
    Judgement,
    Ply,
    PlyGame,
    date_tag,
    drafts_of,
    seat_of,
    steps_text,
)
from .ogxm_v1 import fixed_chances, packed_steps
from .record import Record, Seat
from .stored import Chances, StoredCandidate, StoredCube, StoredPlays, Unit

_SECTION: Final = struct.Struct("<4sIB")
_START: Final = 16
_EXTRAS, _TOP, _ACTION = 0x80, 0x40, 0x3F
_ESCAPE: Final = 63
_CHECKER, _CUBE, _ROLL = 0, 1, 3
_MWC: Final = 2
_CENTRED: Final = 2
_LONGEST_PLAY: Final = 4


class _Short(Exception):
    """A record breaks off."""


class _Cursor:
    """A place in a record."""

    __slots__ = ("data", "end", "place")

    def __init__(self, data: bytes, place: int, end: int):
        self.data, self.place, self.end = data, place, end

    def take(self, size: int) -> bytes:
        start = self.place
        if start + size > self.end:
            raise _Short
        self.place = start + size
        return self.data[start : start + size]

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self) -> int:
        """Seven bits a byte, low ones first, the high bit says that more follow."""
        value = 0
        for shift in range(0, 70, 7):
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise _Short

    def text(self) -> str:
        return self.take(self.number()).decode("utf-8", errors="replace")

    def equity(self) -> float:
        return struct.unpack("<i", self.take(4))[0] / 1e6

    def chances(self) -> Chances | None:
        return fixed_chances(struct.unpack("<5H", self.take(10)), 10_000)

    def board(self) -> tuple[int, ...]:
        return struct.unpack("<26b", self.take(PLACES))

    def record(self) -> tuple[_Cursor, Callable[[int], bool]]:
        """The record that starts here, and whether it has a field; the cursor goes behind it."""
        size = self.number()
        if self.place + size > self.end:
            raise _Short
        inner = _Cursor(self.data, self.place, self.place + size)
        self.place += size
        mask = inner.number()
        return inner, lambda field: bool(mask >> field & 1)


def parse_v2(data: bytes, file: str) -> Record:
    """Record of a version 2 file; see `ogxm.parse_ogxm`."""
    flags: set[Flag] = set()
    match: _Match | None = None
    games: list[PlyGame] = []
    analysis: _Analysis | None = None
    judged: Judged = {}
    for tag, begin, end in sections(data, _START, _SECTION, file, flags):
        cursor = _Cursor(data, begin, end)
        try:
            if tag == b"MTCH" and match is None:
                match = _Match(cursor)
            elif tag == b"GAME" and len(games) < MAX_GAMES:
                games.append(_game(cursor, len(games) + 1))
                if sum(len(game.plies) for game in games) > MAX_PLIES:
                    raise damaged(file, f"more than {MAX_PLIES} plies")
            elif tag == b"ANAL":
                if analysis is not None:
                    break  # the first analysis is the main one
                analysis = _Analysis(cursor, match.length if match else 0)
            elif tag == b"DECS" and analysis is not None:
                judged = analysis.judged(cursor, games)
            elif tag == b"CSUM":
                record, _ = cursor.record()
                if record.number() == 0 and record.number() == 4:
                    check_sum(data, begin - _SECTION.size, struct.unpack("<I", record.take(4))[0], flags)
        except _Short:
            flags.add(Flag.TRUNCATED)
    if match is None or not games:
        raise damaged(file, "no match header or no game in it")
    program = analysis.program if analysis else ""
    unit = analysis.unit if analysis else Unit.POINTS
    return finished(
        drafts_of(games, match.length, judged, program, unit, match.start),
        players=match.players,
        length=match.length,
        rules=(bool(match.rules & 1), bool(match.rules & 2), bool(match.rules & 4)),
        cube_limit=match.cube_limit,
        final=None if Flag.TRUNCATED in flags else match.final,
        tags=match.tags,
        comments=[],
        file=file,
        format="ogxm",
        flags=flags,
    )


class _Match:
    """The record of the match as a whole."""

    def __init__(self, cursor: _Cursor):
        body, has = cursor.record()
        self.length = body.number()
        variant = body.number()
        self.players = (body.text() if has(0) else "", body.text() if has(1) else "")
        self.rules = body.number() if has(2) else 0
        self.cube_limit = body.number() if has(3) else 0
        self.start = (body.number(), body.number()) if has(4) else (0, 0)
        self.final = (body.number(), body.number()) if has(5) else None
        self.tags: list[tuple[str, str]] = [("Variation", str(variant))] if variant else []
        for field in (6, 7):  # result, source
            if has(field):
                body.number()
        if has(8) and (date := date_tag(body.number() / 1000)):
            self.tags.append(date)
        for field, key in _MATCH_FIELDS:
            if not has(field):
                continue
            value = "On" if key in _SWITCHES else str(body.number()) if key in _NUMBERS else body.text()
            self.tags.append((key, value))


#: Fields 9 to 22 in the order of the file.
_MATCH_FIELDS: Final = tuple(
    enumerate(
        (
            "CompletedAt",
            "PlayerSeat",
            "CrawfordBefore",
            "Event",
            "EventYear",
            "DatePrecision",
            "Stage",
            "Round",
            "Table",
            "Place",
            "Country",
            "EventUrl",
            "Site",
            "Match ID",
        ),
        9,
    )
)
_NUMBERS: Final = ("CompletedAt", "PlayerSeat", "EventYear", "DatePrecision", "Round")
_SWITCHES: Final = ("CrawfordBefore",)


def _game(cursor: _Cursor, number: int) -> PlyGame:
    body, has = cursor.record()
    game = PlyGame(number, [])
    if has(0):
        winner = body.number()
        game.winner = seat_of(winner == 0) if winner in (0, 1) else None
    if has(1):
        game.points = min(body.number(), 10**6)
    # Field 2, the last game of the match, has no content.
    if has(3):
        game.board = body.board()
    if has(4):
        game.cube = body.number()
    if has(5):
        game.owner = _owner(body.number())
    if has(6):
        game.cube *= 2 ** min(body.number(), 15)
    while cursor.place < cursor.end and len(game.plies) <= MAX_PLIES:
        game.plies.append(_ply(cursor))
    return game


def _owner(code: int) -> Seat | None:
    return None if code >= _CENTRED else seat_of(code == 0)


def _ply(cursor: _Cursor) -> Ply:
    first = cursor.byte()
    action = first & _ACTION
    ply = Ply(seat_of(not first & _TOP), action)
    if action < len(ROLLS):
        ply.dice = ROLLS[action]
        steps = bytearray()
        # A play with fewer steps than the roll allows ends with a zero.
        for _ in range(4 if ply.dice[0] == ply.dice[1] else 2):
            step = cursor.byte()
            if step == 0:
                break
            steps.append(step)
        ply.steps = packed_steps(steps)
    if first & _EXTRAS:
        _extras(ply, *cursor.record())
    return ply


def _extras(ply: Ply, body: _Cursor, has: Callable[[int], bool]) -> None:
    known = ply.action < 38 or ply.action == _ESCAPE
    if not known:
        return
    if has(0):
        dice = (body.byte(), body.byte())
        ply.dice = dice if all(1 <= die <= 6 for die in dice) else None
    if has(1):
        ply.value = body.number()
    if has(2):
        ply.value = body.number()
    # Field 3 marks an illegal play and has no content.
    if has(4):
        ply.text = f"settled for {body.equity():g} points"
    if has(5):
        ply.steps = packed_steps(body.take(body.number()))
    if has(6):
        ply.board = body.board()
    if has(7):
        ply.action = body.number()
    if has(8):
        ply.owner = _owner(body.number())
    if ply.action == SET_POSITION and ply.dice is not None:
        # The side of a play that is given by its position is the one to roll next.
        ply.seat = ply.seat.other


class _Analysis:
    """Header of an analysis: who, how deep, in which unit."""

    def __init__(self, cursor: _Cursor, length: int):
        body, has = cursor.record()
        body.take(16)
        if has(0):
            body.take(32)
        if has(1):
            body.number()
        self.level = _level(body) if has(2) else _Level()
        if has(4):
            for _ in range(min(body.number(), MAX_PLIES)):
                body.number()
        model = body.text() if has(5) else ""
        name = body.text() if has(6) else ""
        if has(7):
            body.take(32)
        build = body.text() if has(8) else ""
        currency = body.number() if has(9) else 0
        self.program = " ".join(filter(None, (name or model or "HedgeHog", build)))
        self.unit = Unit.POINTS if not length else Unit.MWC if currency == _MWC else Unit.EMG
        self.length = length

    def judged(self, cursor: _Cursor, games: list[PlyGame]) -> Judged:
        """Decisions by game and ply."""
        places = [(index, number) for index, game in enumerate(games) for number in range(len(game.plies))]
        judged: Judged = {}
        while cursor.place < cursor.end:
            body, has = cursor.record()
            reference, kind = body.number(), body.number()
            if reference >= len(places) or kind not in (_CHECKER, _CUBE, _ROLL):
                continue
            game, number = places[reference]
            ply = games[game].plies[number]
            judgement = judged.setdefault(game, {}).setdefault(number, Judgement())
            if kind == _CHECKER:
                judgement.plays = self._plays(body, has, ply)
            elif kind == _CUBE:
                judgement.cube = self._cube(body, has, ply)
            else:
                judgement.luck = body.equity()
        return judged

    def _plays(self, body: _Cursor, has: Callable[[int], bool], ply: Ply) -> StoredPlays | None:
        candidates, played, overrides = [], None, []
        for index in range(body.number() if has(0) else 0):
            inner, field = body.record()
            steps = packed_steps(inner.take(inner.number()))[:_LONGEST_PLAY]
            equity = inner.equity()
            chances = inner.chances() if field(0) else None
            overrides.append(_level(inner) if field(1) else _Level())
            if field(2):
                played = index
            candidates.append((steps_text(steps, ply.seat), equity, chances))
        if has(1):
            body.number()
        for field_number in (2, 3):
            if has(field_number):
                body.take(4)
        level = _level(body) if has(4) else _Level()
        if not candidates:
            return None
        rows = (
            StoredCandidate(*row, self.level.under(level).under(override).name(cube=False))
            for row, override in zip(candidates, overrides, strict=True)
        )
        return StoredPlays(tuple(rows), played, self.unit)

    def _cube(self, body: _Cursor, has: Callable[[int], bool], ply: Ply) -> StoredCube:
        body.number()  # the verdict, which follows from the equities
        no_double, double_take, double_pass = (body.equity() if has(field) else None for field in range(3))
        chances = body.chances() if has(3) else None
        if has(4):
            body.take(4)
        if has(5):
            body.take(2)
        level = _level(body) if has(7) else _Level()
        if chances is not None and ply.action in (TAKE, PASS):
            # Chances are those of the side that answers, equities the doubler's.
            chances = _turned(chances)
        return StoredCube(
            no_double,
            double_take,
            double_pass,
            chances,
            self._cube_unit(double_pass),
            self.level.under(level).name(cube=True),
        )

    def _cube_unit(self, double_pass: float | None) -> Unit:
        """Writers state one unit and use another: a pass is worth 1 where the numbers are normalised."""
        if not self.length:
            return Unit.POINTS
        return Unit.EMG if double_pass is not None and abs(double_pass - 1) < 1e-6 else Unit.MWC


def _turned(chances: Chances) -> Chances:
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances
    return 1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon


@dataclass(frozen=True, slots=True)
class _Level:
    """How something was evaluated; what is None is that of the level above."""

    preset: str | None = None
    checker_ply: int | None = None
    cube_ply: int | None = None
    rollout: bool | None = None

    def under(self, other: _Level) -> _Level:
        """This level where another one states nothing else."""
        return _Level(
            self.preset if other.preset is None else other.preset,
            self.checker_ply if other.checker_ply is None else other.checker_ply,
            self.cube_ply if other.cube_ply is None else other.cube_ply,
            self.rollout if other.rollout is None else other.rollout,
        )

    def name(self, *, cube: bool) -> str:
        """In the program's words."""
        if self.rollout:
            return "rollout"
        depth = self.cube_ply if cube and self.cube_ply is not None else self.checker_ply
        return f"{depth}ply" if depth is not None else self.preset or "unknown"


def _level(cursor: _Cursor) -> _Level:
    body, has = cursor.record()
    preset = body.text() if has(0) else None
    checker = body.number() if has(1) else None
    cube = body.number() if has(2) else None
    return _Level(preset, checker, cube, False if has(4) and not has(3) else True if has(3) else None)
