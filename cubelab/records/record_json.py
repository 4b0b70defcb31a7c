"""Record ↔ JSON, nothing lost: fields under their own names, those with their usual value left out."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from functools import cache
from os import PathLike
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from ..errors import RecordError
from ..wording import counted
from ..writing import write_whole
from . import record as values
from .mat import MAX_CUBE, MAX_LENGTH
from .record import Event, Record

#: Marks a file of this format, and its version.
FORMAT: Final = "cubelab record"
VERSION: Final = 1
_EVENTS: Final[Mapping[str, type[Event]]] = {
    kind.__name__: kind
    for kind in (
        values.Roll,
        values.Double,
        values.Take,
        values.Pass,
        values.Beaver,
        values.Resignation,
        values.SetPosition,
        values.Comment,
    )
}
_BOARD: Final = 26


def write_json(record: Record, path: str | PathLike[str]) -> None:
    """Write a record as JSON; see `json_text`.

    Parameters
    ----------
    record : Record
    path : path-like
        The file to write; an existing one is replaced.
    """
    write_whole(path, json_text(record))


def json_text(record: Record) -> str:
    """A record as JSON that `read_match` reads back as the same record.

    Parameters
    ----------
    record : Record

    Returns
    -------
    str
        One event a line.
    """
    inner = _encoded(record)
    games = inner.pop("games", [])
    content = {"format": FORMAT, "version": VERSION, "source": inner.pop("format", ""), **inner}
    head = json.dumps(content, ensure_ascii=False, allow_nan=False)[:-1]
    lines = []
    for game in games:
        events = game.pop("events", [])
        rest = json.dumps(game, ensure_ascii=False, allow_nan=False)[:-1]
        rows = ",\n".join(json.dumps(event, ensure_ascii=False, allow_nan=False) for event in events)
        lines.append(f'{rest}, "events": [\n{rows}\n]}}')
    return f'{head}, "games": [\n' + ",\n".join(lines) + "\n]}\n"


def is_record(content: Mapping[str, Any]) -> bool:
    """Whether a JSON object is a record of this format."""
    return content.get("format") == FORMAT


def parse_record(content: Mapping[str, Any], file: str = "") -> Record:
    """Record of a JSON object.

    Parameters
    ----------
    content : mapping
        As decoded; anything in it may be wrong.
    file : str
        For messages; the record gets it.

    Raises
    ------
    RecordError
        A later version, or values that no record has.
    """
    if content.get("version") != VERSION:
        version = repr(content.get("version"))[:20]
        raise RecordError(f"cubelab record of version {version}; version {VERSION} can be read", file=file or None)
    inner = {key: value for key, value in content.items() if key not in ("format", "version", "source")}
    try:
        read = _decoded(Record, {**inner, "format": content.get("source", "")}, "record")
        _check(read)
    except (_Wrong, RecursionError) as error:
        raise RecordError(f"damaged cubelab record: {error}", file=file or None) from None
    return replace(read, file=file) if file else read


class _Wrong(Exception):
    """A value that has no place where it stands."""


# Values → JSON


def _encoded(value: Any) -> Any:
    if isinstance(value, (frozenset, set)):
        return sorted(str(item.value) for item in value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_encoded(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        named = {"event": type(value).__name__} if isinstance(value, Event) else {}
        for item in fields(value):
            found = getattr(value, item.name)
            usual = item.default if item.default is not MISSING else _usual(item.default_factory)
            if found != usual or usual is MISSING:
                named[item.name] = _encoded(found)
        return named
    return value


def _usual(factory: Any) -> Any:
    return factory() if callable(factory) else MISSING


# JSON → values


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _decoded(hint: Any, value: Any, where: str) -> Any:
    """A value of the type that a field has."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _of_union(get_args(hint), value, where)
    if origin is tuple:
        return _of_tuple(get_args(hint), value, where)
    if origin is frozenset:
        return frozenset(_decoded(get_args(hint)[0], item, where) for item in _items(value, where))
    if hint is Event:
        return _event(value, where)
    if isinstance(hint, type) and is_dataclass(hint):
        return _instance(hint, value, where)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _member(hint, value, where)
    return _plain(hint, value, where)


def _of_union(hints: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and NoneType in hints:
        return None
    (kind,) = (hint for hint in hints if hint is not NoneType)
    return _decoded(kind, value, where)


def _of_tuple(hints: tuple[Any, ...], value: Any, where: str) -> Any:
    items = _items(value, where)
    if len(hints) == 2 and hints[1] is Ellipsis:
        return tuple(_decoded(hints[0], item, where) for item in items)
    if len(items) != len(hints):
        raise _Wrong(f"{where} has {counted(len(items), 'value')}, not {len(hints)}")
    return tuple(_decoded(hint, item, where) for hint, item in zip(hints, items, strict=True))


def _items(value: Any, where: str) -> list:
    if not isinstance(value, list):
        raise _Wrong(f"{where} is no list")
    return value


def _event(value: Any, where: str) -> Event:
    kind = _EVENTS.get(str(value.get("event"))) if isinstance(value, dict) else None
    if kind is None:
        raise _Wrong(f"{where} names no event (one of {', '.join(_EVENTS)})")
    return _instance(kind, {key: item for key, item in value.items() if key != "event"}, where)


def _instance(kind: type, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise _Wrong(f"{where} is no object")
    hints = _hints(kind)
    unknown = sorted(set(value) - set(hints))
    if unknown:
        raise _Wrong(f"{where} has the unknown field {unknown[0][:40]!r}")
    try:
        return kind(**{name: _decoded(hints[name], item, name) for name, item in value.items()})
    except TypeError:
        raise _Wrong(f"{where} lacks a field of {kind.__name__}") from None


def _member(kind: type[Enum], value: Any, where: str) -> Enum:
    try:
        return kind(value)
    except (ValueError, TypeError):
        raise _Wrong(f"{where} is no {kind.__name__}: {str(value)[:40]!r}") from None


def _plain(hint: Any, value: Any, where: str) -> Any:
    if hint is float and isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return value
    if hint in (int, bool, str) and type(value) is hint and not (hint is int and abs(value) >= 10**18):
        return value
    raise _Wrong(f"{where} is not {getattr(hint, '__name__', hint)}: {str(value)[:40]!r}")


def _check(record: Record) -> None:
    """What types do not tell: values that no match has."""
    if not 0 <= record.length <= MAX_LENGTH:
        raise _Wrong(f"a match to {record.length} points")
    if not record.games:
        raise _Wrong("there is no game in it")
    if record.cube_cap is not None:
        _check_cube(record.cube_cap)
    for game in record.games:
        if not all(0 <= points < 10**9 for points in game.score) or not 0 <= game.result.points < 10**9:
            raise _Wrong(f"the score of game {game.number}")
        for event in game.events:
            _check_event(event)


def _check_event(event: Event) -> None:
    match event:
        case values.Roll(dice=dice, after=board):
            if dice is not None and not all(1 <= die <= 6 for die in dice):
                raise _Wrong(f"the dice {dice}")
            _check_board(board)
        case values.SetPosition(board=board, cube=cube):
            _check_board(board)
            _check_cube(cube)
        case values.Double(cube=cube) | values.Beaver(cube=cube):
            _check_cube(cube)
    if event.seat is None and not isinstance(event, (values.SetPosition, values.Comment)):
        raise _Wrong(f"{type(event).__name__} without a seat")


def _check_board(board: tuple[int, ...] | None) -> None:
    if board is not None and (len(board) != _BOARD or not all(-15 <= count <= 15 for count in board)):
        raise _Wrong("a board without 26 numbers from -15 to 15")


def _check_cube(cube: int | None) -> None:
    if cube is not None and not (1 <= cube <= MAX_CUBE and cube & (cube - 1) == 0):
        raise _Wrong(f"a cube at {cube}")
