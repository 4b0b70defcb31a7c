"""OGXM version 1 and GammonView's additions to it.

20 bytes of header; sections of tag, length, flags; a game is 8 bytes, its position, and plies of 1 to 5 bytes; analysis
lies in flat tables (EVAL, ALTS, CUBE, and GVAN beside them), fixed-point numbers of 1/10000. Described publicly (see
`ogxm_plies`); equities in GammonView's files are normalised.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from .flags import Flag
from .ogxm_container import check_sum, damaged, finished, sections
from .ogxm_plies import (
    MAX_GAMES,
    PLACES,
    ROLLS,
    SET_POSITION,
    Judged,
    Judgement,
    Ply,
    PlyGame,
    date_tag,
    drafts_of,
    seat_of,
    steps_text,
)
from .record import Record, Seat
from .stored import Chances, StoredCandidate, StoredCube, StoredPlays, Unit

_SECTION: Final = struct.Struct("<4sIHH")
_MATCH: Final = struct.Struct("<HBBHHBBIH")
_GAME: Final = struct.Struct("<BHBBBBB")
_BOARD: Final = struct.Struct("<26b")
_EVAL: Final = struct.Struct("<BH5HhHBBB")
_ALT: Final = struct.Struct("<4Bh5HB")
_CUBE: Final = struct.Struct("<BHB3h5HHBBB3x")
_SCALE: Final = 10_000
_USUAL: Final = b"\xff\xff"
_RESIGNATION: Final = 3


def parse_v1(data: bytes, file: str) -> Record:
    """Record of a version 1 file; see `ogxm.parse_ogxm`."""
    flags: set[Flag] = set()
    found: dict[bytes, list[bytes]] = defaultdict(list)
    for tag, begin, end in sections(data, 20, _SECTION, file, flags):
        if tag == b"CSUM" and end - begin >= 8 and data[begin : begin + 4] == bytes(4):
            check_sum(data, begin - _SECTION.size, struct.unpack_from("<I", data, begin + 4)[0], flags)
        elif tag == b"ANAL" and found[tag]:
            break  # the first analysis is the main one
        elif tag != b"GAME" or len(found[tag]) < MAX_GAMES:
            found[tag].append(data[begin:end])
    if not found[b"MHDR"] or not found[b"GAME"]:
        raise damaged(file, "no match header or no game in it")
    header = found[b"MHDR"][0]
    if len(header) < 26:
        raise damaged(file, "its match header breaks off")
    length, _, rules, white, black, _, _, time, _ = _MATCH.unpack_from(header)
    names = _names(header[24:])
    games = [_game(content, file, flags) for content in found[b"GAME"]]
    program, judged = _analysis({tag: parts[0] for tag, parts in found.items() if parts}, games, length)
    tags = [(key, value) for key, value in zip(("Event", "Site"), names[2:], strict=True) if value]
    return finished(
        drafts_of(games, length, judged, program, _unit(length)),
        players=(names[0], names[1]),
        length=length,
        rules=(bool(rules & 1), bool(rules & 2), bool(rules & 4)),
        cube_limit=struct.unpack_from("<H", header, 16)[0],
        final=None if Flag.TRUNCATED in flags else (white, black),
        tags=[*tags, *filter(None, [date_tag(time)])],
        comments=[],
        file=file,
        format="ogxm",
        flags=flags,
    )


def _names(data: bytes) -> list[str]:
    """White, Black, event and site, each behind its length; missing ones are empty."""
    names, place = [], 0
    for _ in range(4):
        size = data[place] if place < len(data) else 0
        names.append(data[place + 1 : place + 1 + size].decode("utf-8", errors="replace"))
        place += 1 + size
    return names


def _game(content: bytes, file: str, flags: set[Flag]) -> PlyGame:
    if len(content) < _GAME.size + 2:
        raise damaged(file, "a game breaks off")
    number, count, winner, points, marks, _, _ = _GAME.unpack_from(content)
    place, board = _GAME.size + 2, None
    if content[place - 2 : place] != _USUAL:
        place = _GAME.size + PLACES + 1
        if len(content) < place:
            raise damaged(file, "a game breaks off")
        board = _BOARD.unpack_from(content, _GAME.size)
    plies = _plies(content, place, count)
    if len(plies) < count:
        flags.add(Flag.TRUNCATED)
    return PlyGame(
        number + 1,
        plies,
        winner=seat_of(winner == 0) if winner in (0, 1) else None,
        points=points,
        crawford=bool(marks & 1),
        board=board,
    )


def _plies(game: bytes, place: int, count: int) -> list[Ply]:
    """Plies up to a count, or as many as there are."""
    plies: list[Ply] = []
    while len(plies) < count and place < len(game):
        first = game[place]
        seat, action = seat_of(bool(first & 0x20)), first & 0x1F
        place += 1
        if action == SET_POSITION:
            dice = None
            if first & 0x40 and place < len(game):
                one, two = game[place] & 15, game[place] >> 4
                dice = (one, two) if 1 <= one <= 6 and 1 <= two <= 6 else None
                place += 1
            if place + PLACES > len(game):
                break
            plies.append(Ply(seat, action, dice, board=_BOARD.unpack_from(game, place)))
            place += PLACES
        elif action < len(ROLLS):
            dice = ROLLS[action]
            size = 4 if dice[0] == dice[1] else 2
            if place + size > len(game):
                break
            plies.append(Ply(seat, action, dice, packed_steps(game[place : place + size])))
            place += size
        else:
            plies.append(Ply(seat, action))
    return plies


def packed_steps(steps: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Steps of one byte each: start in the low five bits, pips in the high three; zero is none."""
    return tuple((step & 0x1F, step >> 5) for step in steps if step)


def _unit(length: int) -> Unit:
    return Unit.EMG if length else Unit.POINTS


# Stored analysis


def _analysis(parts: dict[bytes, bytes], games: list[PlyGame], length: int) -> tuple[str, Judged]:
    """Program and judgements."""
    header = parts.get(b"ANAL", b"")
    if len(header) < 24:
        return "", {}
    base, evals, cubes = struct.unpack_from("<BxHH", header)
    tables = {tag: parts.get(tag, b"") for tag in (b"EVAL", b"ALTS", b"CUBE", b"GVAN")}
    levels = _Levels(tables[b"GVAN"], base, evals, len(tables[b"ALTS"]) // _ALT.size, cubes)
    # Tables name games by the number in their header.
    index = {game.number - 1: place for place, game in enumerate(games)}
    judged: Judged = defaultdict(lambda: defaultdict(Judgement))
    seats = {(game.number - 1, place): ply.seat for game in games for place, ply in enumerate(game.plies)}
    _add_plays(tables[b"EVAL"][: evals * _EVAL.size], tables[b"ALTS"], judged, index, seats, levels, length)
    for number, entry in enumerate(_rows(_CUBE, tables[b"CUBE"][: cubes * _CUBE.size])):
        game, ply, kind, no_double, double_take, double_pass, *chances = entry[:11]
        if kind == _RESIGNATION or (game, ply) not in seats:
            continue
        judged[index[game]][ply].cube = StoredCube(
            no_double / _SCALE,
            double_take / _SCALE,
            double_pass / _SCALE,
            fixed_chances(chances, _SCALE),
            # The writers disagree on the unit: where a pass is worth 1 the numbers are normalised.
            Unit.POINTS if not length else Unit.EMG if double_pass == _SCALE else Unit.MWC,
            levels.cube(number, entry[14]),
        )
    return _names(header[24:])[0] or "GammonView", judged


def _add_plays(
    evals: bytes,
    alts: bytes,
    judged: Judged,
    index: dict[int, int],
    seats: dict[tuple[int, int], Seat],
    levels: _Levels,
    length: int,
) -> None:
    rows = _rows(_ALT, alts)
    place = 0
    for number, entry in enumerate(_rows(_EVAL, evals)):
        game, ply, count, depth = entry[0], entry[1], entry[9], entry[10]
        seat = seats.get((game, ply))
        if seat is None:
            place += count
            continue
        candidates, played = [], None
        for offset, row in enumerate(rows[place : place + count]):
            candidates.append(
                StoredCandidate(
                    steps_text(packed_steps(row[:4]), seat),
                    row[4] / _SCALE,
                    fixed_chances(row[5:10], _SCALE),
                    levels.play(place + offset, depth),
                )
            )
            if row[10] & 1:
                played = offset
        place += count
        judgement = judged[index[game]][ply]
        judgement.luck = levels.luck(number)
        if candidates:
            judgement.plays = StoredPlays(tuple(candidates), played, _unit(length))


class _Levels:
    """How each number was evaluated: GammonView's table beside the others where there is one, else plain depths."""

    def __init__(self, table: bytes, base: int, evals: int, alts: int, cubes: int):
        self.base, self.table = base, b""
        if len(table) < 4 or table[0] not in (2, 3):
            return
        # Version 2 has four more bytes, always zero, in the records of plays and cubes.
        self.play_size, self.cube_size = (7, 6) if table[0] == 2 else (3, 2)
        wanted = ((1, self.play_size * evals), (2, alts), (4, self.cube_size * cubes))
        sizes = [size if table[2] & bit else 0 for bit, size in wanted]
        if len(table) != 4 + sum(sizes):
            return
        self.table = table
        self.starts = [4, 4 + sizes[0], 4 + sizes[0] + sizes[1]]

    def luck(self, number: int) -> float | None:
        if not self.table or not self.table[2] & 1:
            return None
        flags, luck = struct.unpack_from("<Bh", self.table, self.starts[0] + number * self.play_size)
        return luck / _SCALE if flags & 2 else None

    def play(self, number: int, depth: int) -> str:
        if not self.table or not self.table[2] & 2:
            return f"{depth or self.base}ply"
        return self._named(self.table[self.starts[1] + number])

    def cube(self, number: int, depth: int) -> str:
        if not self.table or not self.table[2] & 4:
            return f"{depth or self.base}ply"
        return self._named(self.table[self.starts[2] + number * self.cube_size + 1])

    def _named(self, code: int) -> str:
        """Level of a code; zero is the level of the whole analysis."""
        code = code or self.table[1]
        if code & 0x20:
            return "rollout"
        if code & 0x40:
            return "database"
        return f"truncated{code & 15}" if code & 0x10 else f"{code & 15}ply"


def fixed_chances(numbers: Sequence[int], scale: int) -> Chances | None:
    """Five chances of fixed-point numbers; None where all are zero, which says that none were recorded."""
    if not any(numbers):
        return None
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (number / scale for number in numbers)
    return win, win_gammon, win_backgammon, lose_gammon, lose_backgammon


def _rows(entry: struct.Struct, table: bytes) -> list[tuple]:
    """Entries of a table; a last one that breaks off is left out."""
    return list(entry.iter_unpack(table[: len(table) // entry.size * entry.size]))
