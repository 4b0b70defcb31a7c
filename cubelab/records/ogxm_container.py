"""The container of OGXM files, and what both versions share."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Final

from ..errors import RecordError
from .flags import Flag
from .mat import MAX_CUBE, MAX_LENGTH
from .record import Record
from .results import Draft, finish_games

_END: Final = b"END!"
_MAX_SECTIONS: Final = 4_000

Section = tuple[bytes, int, int]


def sections(data: bytes, start: int, header: struct.Struct, file: str, flags: set[Flag]) -> Iterator[Section]:
    """Tag, begin and end of each section, up to the end mark.

    Parameters
    ----------
    data : bytes
    start : int
        Where the first section starts.
    header : struct.Struct
        Tag, length, and anything after them.
    file : str
    flags : set of Flag
        Gets `Flag.TRUNCATED` where the file breaks off.
    """
    place = start
    for _ in range(_MAX_SECTIONS):
        if data[place : place + 4] == _END:
            return
        if place + header.size > len(data):
            flags.add(Flag.TRUNCATED)
            return
        tag, length, *_ = header.unpack_from(data, place)
        begin = place + header.size
        end = begin + length
        if end > len(data):
            flags.add(Flag.TRUNCATED)
            yield tag, begin, len(data)
            return
        yield tag, begin, end
        place = end
    raise damaged(file, f"more than {_MAX_SECTIONS} sections")


def check_sum(data: bytes, upto: int, stored: int, flags: set[Flag]) -> None:
    """Compare the CRC of everything before the checksum section."""
    if zlib.crc32(data[:upto]) != stored:
        flags.add(Flag.CHECKSUM_WRONG)


def finished(
    drafts: list[Draft],
    *,
    players: tuple[str, str],
    length: int,
    rules: tuple[bool, bool, bool],
    cube_limit: int,
    final: tuple[int, int] | None,
    tags: list[tuple[str, str]],
    comments: list[str],
    file: str,
    format: str,
    flags: set[Flag],
) -> Record:
    """Record of the parts that every form of the format has; `rules` are Crawford, Jacoby, beavers.

    Raises
    ------
    RecordError
        No move in it, or an impossible length.
    """
    if not any(event.seat is not None for draft in drafts for event in draft.events):
        raise damaged(file, "there is no move in it")
    if not 0 <= length <= MAX_LENGTH:
        raise RecordError(f"a match to {length} points; at most {MAX_LENGTH} are possible", file=file or None)
    crawford, jacoby, beavers = rules
    sound_cap = 1 < cube_limit <= MAX_CUBE and cube_limit & (cube_limit - 1) == 0
    return Record(
        players=players,
        length=length,
        games=finish_games(drafts, length, crawford_rule=crawford, final_score=final),
        crawford=crawford if length else None,
        jacoby=None if length else jacoby,
        beavers=None if length else beavers,
        cube_cap=cube_limit if sound_cap else None,
        tags=tuple(tags),
        comments=tuple(comments),
        file=file,
        format=format,
        flags=frozenset(flags),
    )


def damaged(file: str, how: str) -> RecordError:
    """The error of a file that cannot be what it says it is."""
    return RecordError(f"damaged OGXM file: {how}", file=file or None)
