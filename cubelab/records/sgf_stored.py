"""Analysis stored in SGF by GNU Backgammon: evaluations of plays (A) and cubes (DA), luck (LU), marks.

The layout is that of GNU Backgammon 1.0x (``E ver 3``), read off files it wrote. A play has win, win gammon, win
backgammon, lose gammon, lose backgammon and its equity (EMG in a match); a cube decision has seven numbers for no
double and seven for double and take, the last of each in MWC in a match, the last but one cubeless. Double and pass
is not stored.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from .record import Event, Roll, Seat
from .stored import Chances, Stored, StoredCandidate, StoredCube, StoredPlays, Unit

_MARKS: Final = ("BM", "TE", "DO", "IT", "GB", "GW", "DM", "UC", "BC", "DC", "HO")


class _Places(dict):
    """Names of places by letter; a letter that is no place has none."""

    def __missing__(self, letter: str) -> str:
        return "?"


#: By seat: ``a`` is White's ace point, ``y`` the bar, ``z`` off.
_PLACES: Final = {
    seat: _Places(
        {"y": "bar", "z": "off"} | {chr(ord("a") + n): str(n + 1 if seat is Seat.BOTTOM else 24 - n) for n in range(24)}
    )
    for seat in Seat
}
#: Numbers of one side of a cube decision.
_CUBE_NUMBERS: Final = 7
_MOST_CANDIDATES: Final = 4000


def stored(properties: dict[str, list[str]], event: Event, program: str, length: int) -> Stored | None:
    """What a node says beside its move; None when it says nothing.

    Parameters
    ----------
    properties : dict
        Of the node.
    event : Event
        The move itself, for whose it is.
    program : str
    length : int
        Points to win, 0 for money: decides the units.
    """
    raw: list[tuple[str, str]] = []
    cube = plays = None
    if "DA" in properties:
        cube = _cube(properties["DA"][0], length)
        if cube is None:
            raw.append(("DA", "][".join(properties["DA"])))
    if "A" in properties and event.seat is not None:
        plays = _plays(properties["A"], event.seat, length)
        if plays is None:
            raw.append(("A", "][".join(properties["A"])))
    luck = _number(properties["LU"][0]) if "LU" in properties and isinstance(event, Roll) else None
    raw += [(key, "][".join(properties[key])) for key in ("MR", "CR") if any(properties.get(key, ()))]
    marks = tuple((key, properties[key][0]) for key in _MARKS if key in properties)
    if cube is None and plays is None and luck is None and not marks and not raw:
        return None
    unit = None if luck is None else Unit.EMG if length else Unit.POINTS
    return Stored(program, cube, plays, luck, unit, marks, tuple(raw))


@lru_cache(maxsize=8192)
def play_of_letters(letters: str, seat: Seat) -> str:
    """A play written as pairs of letters, in the mover's numbering: ``mhxw`` is ``13/8 24/23`` for White."""
    places = _PLACES[seat]
    return " ".join([f"{places[start]}/{places[end]}" for start, end in zip(letters[::2], letters[1::2], strict=False)])


def _plays(values: list[str], seat: Seat, length: int) -> StoredPlays | None:
    unit = Unit.EMG if length else Unit.POINTS
    played = int(values[0]) if values[0].strip().isdecimal() and len(values[0]) < 9 else None
    candidates = []
    for value in values[1 : _MOST_CANDIDATES + 1]:
        words = value.split()
        if len(words) < 11 or words[1:3] != ["E", "ver"] or len(words[0]) > 16:
            return None
        try:
            *chances, equity = map(float, words[4:10])
        except ValueError:
            return None
        if not math.isfinite(sum(chances) + equity):
            return None
        candidates.append(
            StoredCandidate(play_of_letters(words[0], seat), equity, _chances(chances), _level(words[10]))
        )
    return StoredPlays(tuple(candidates), played, unit) if candidates else None


def _cube(value: str, length: int) -> StoredCube | None:
    words = value.split()
    if len(words) < 4 + 2 * _CUBE_NUMBERS or words[:2] != ["E", "ver"]:
        return None
    numbers = [_number(word) for word in words[-2 * _CUBE_NUMBERS :]]
    if None in numbers:
        return None
    values = [float(number or 0) for number in numbers]
    return StoredCube(
        no_double=values[_CUBE_NUMBERS - 1],
        double_take=values[-1],
        double_pass=None if length else 1.0,
        chances=_chances(values),
        unit=Unit.MWC if length else Unit.POINTS,
        level=_level(words[3]),
    )


def _chances(values: list[float]) -> Chances:
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = values[:5]
    return win, win_gammon, win_backgammon, lose_gammon, lose_backgammon


@lru_cache(maxsize=64)
def _level(word: str) -> str:
    """``2C`` is 2-ply, cubeful; ``0`` 0-ply, cubeless."""
    digits = word.rstrip("C")
    return f"{digits}-ply" + ("" if word.endswith("C") else " cubeless")


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
