"""Analysis stored in eXtreme Gammon's records.

Seven numbers per evaluation: lose backgammon, lose gammon, lose, win, win gammon, win backgammon (cumulative) and the
equity, all for the player on roll. Equities are normalised: EMG in a match, points per cube in money play.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from .stored import Chances, StoredCandidate, StoredCube, StoredPlays, Unit

_MOST_CANDIDATES: Final = 32
_SEVEN: Final = struct.Struct("<7f")
#: Names of places that count from 0; the last, for -1, is off.
_PLACES: Final = (*map(str, range(1, 25)), "bar", "off")
#: Stands for "not analysed" in errors and equities.
_NONE: Final = -1000.0
_LEVELS: Final = {
    12: "3-ply red",
    100: "rollout",
    998: "book",
    999: "book",
    1000: "XG Roller",
    1001: "XG Roller+",
    1002: "XG Roller++",
}


def level_name(code: int) -> str:
    """eXtreme Gammon's own name of a level, its ply one more than GNU Backgammon's: code 0 is 1-ply."""
    return _LEVELS.get(code, f"{code + 1}-ply" if 0 <= code < 12 else f"level {code}")


@lru_cache(maxsize=16384)
def steps_text(steps: tuple[int, ...]) -> str:
    """A play from (from, to) pairs that count from 0: 24 the bar, -1 off; a start below 0 ends it."""
    words = []
    for start, end in zip(steps[::2], steps[1::2], strict=False):
        if not 0 <= start <= 24 or end > 24:
            break
        words.append(f"{_PLACES[start]}/{_PLACES[max(end, -1)]}")
    return " ".join(words)


def cube_of(record: bytes, length: int) -> StoredCube | None:
    """The cube decision of a cube record, for the player on roll; None when it was not analysed."""
    error = struct.unpack_from("<d", record, 200)[0]
    no_double, double_take, double_pass = struct.unpack_from("<3f", record, 152)
    if error == _NONE or not _sound(no_double, double_take, double_pass):
        return None
    return StoredCube(
        no_double=no_double,
        double_take=double_take,
        double_pass=double_pass,
        chances=_chances(_SEVEN.unpack_from(record, 124)),
        unit=Unit.EMG if length else Unit.POINTS,
        level=level_name(struct.unpack_from("<i", record, 92)[0]),
    )


def plays_of(record: bytes, length: int) -> StoredPlays | None:
    """The candidates of a move record, best first; None when it was not analysed."""
    count = struct.unpack_from("<i", record, 120)[0]
    if not 0 < count <= _MOST_CANDIDATES:
        return None
    # One call for all numbers: a match has thousands of candidates.
    numbers = struct.unpack_from(f"<{7 * count}f", record, 1408)
    if not _sound(*numbers):
        return None
    steps = struct.iter_unpack("8b", record[1024 : 1024 + 8 * count])
    levels = struct.iter_unpack("<h2x", record[1280 : 1280 + 4 * count])
    candidates = tuple(
        StoredCandidate(
            steps_text(step),
            numbers[place + 6],
            (numbers[place + 3], numbers[place + 4], numbers[place + 5], numbers[place + 1], numbers[place]),
            level_name(level),
        )
        for place, step, (level,) in zip(range(0, 7 * count, 7), steps, levels, strict=True)
    )
    positions = record[192 : 192 + 26 * count]
    after = record[35:61]
    played = next((index for index in range(count) if positions[26 * index : 26 * index + 26] == after), None)
    return StoredPlays(candidates, played, Unit.EMG if length else Unit.POINTS)


def luck_of(record: bytes) -> float | None:
    """Luck of the roll, in the unit of the equities; None when it was not analysed."""
    luck = struct.unpack_from("<d", record, 2320)[0]
    return None if luck == _NONE or not _sound(luck) else luck


def _chances(numbers: Sequence[float]) -> Chances:
    lose_backgammon, lose_gammon, _, win, win_gammon, win_backgammon = numbers[:6]
    return win, win_gammon, win_backgammon, lose_gammon, lose_backgammon


def _sound(*values: float) -> bool:
    """Whether numbers are numbers, and none of them stands for "not analysed"."""
    return math.isfinite(sum(values)) and min(values) > _NONE and max(values) < -_NONE
