"""Matches of BGBlitz (``.bgf``): a line of JSON, then JSON or Smile, gzipped or not.

Green is the bottom player (left in BGBlitz's own text exports). The numbers 1 to 6 are dice; a second "die" of 7 makes
the entry an action, told by the first. Everything here was read off real files and their text twins.
"""

from __future__ import annotations

import json
import math
import zlib
from functools import lru_cache
from typing import Any, Final

from ..errors import RecordError
from ..game import Position
from .flags import NO_FLAGS, Flag
from .mat import MAX_CUBE, MAX_LENGTH
from .record import Comment, Double, Event, Pass, Record, Resignation, Roll, Seat, SetPosition, Take
from .results import Draft, final_cube, finish_games
from .smile import decode_smile
from .stored import Chances, Stored, StoredCandidate, StoredCube, StoredPlays, Unit

PROGRAM: Final = "BGBlitz"
MAX_UNPACKED: Final = 32 * 1024 * 1024
_ACTION: Final = 7
_DOUBLE, _TAKE, _PASS, _END, _DANCE, _RESIGN = 1, 2, 3, 4, 5, 9
_GREEN: Final = -1
#: BGBlitz writes this and lower where it has no number.
_NONE: Final = -90.0
#: Nearer to a win than this, rounding hides the swing.
_APART: Final = 0.02
_CHANCES: Final = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
_TAGS: Final = (
    ("site", "Site"),
    ("extMatchID", "Match ID"),
    ("event", "Event"),
    ("round", "Round"),
    ("location", "Place"),
    ("date", "EventDate"),
)


def parse_bgf(data: bytes, file: str = "") -> Record:
    """Record of a BGBlitz file.

    Parameters
    ----------
    data : bytes
    file : str
        For messages.

    Raises
    ------
    RecordError
        Damaged, too large, or without a game.
    """
    content = _content(data, file)
    games = content.get("games")
    if not isinstance(games, list) or not any(isinstance(game, dict) for game in games):
        raise RecordError("BGBlitz file without a game", file=file or None)
    length = _whole(content.get("matchlen"), 0)
    if not 0 <= length <= MAX_LENGTH:
        raise RecordError(f"a match to {length} points; 0 to {MAX_LENGTH} are possible", file=file or None)
    drafts = [_draft(game, number, length) for number, game in enumerate(games, 1) if isinstance(game, dict)]
    if not any(draft.events for draft in drafts):
        raise RecordError("BGBlitz file without a single move", file=file or None)
    final = _whole(content.get("finalGreen"), 0), _whole(content.get("finalRed"), 0)
    crawford = bool(content.get("useCrawford", True)) if length else None
    cap = _whole(content.get("cubeLimit"), 0)
    return Record(
        players=(_text(content.get("nameGreen")), _text(content.get("nameRed"))),
        length=length,
        games=finish_games(drafts, length, crawford_rule=crawford is not False, final_score=final),
        crawford=crawford,
        jacoby=None if length else bool(content.get("useJacoby")),
        beavers=None if length else bool(content.get("useBeaver")),
        cube_cap=cap if 1 < cap <= MAX_CUBE and cap & (cap - 1) == 0 else None,
        tags=tuple((tag, _text(content[key])) for key, tag in _TAGS if content.get(key)),
        comments=(_text(content["comment"]),) if content.get("comment") else (),
        file=file,
        format="bgf",
    )


def _content(data: bytes, file: str) -> dict[str, Any]:
    first, _, rest = data.lstrip(b"\xef\xbb\xbf").partition(b"\n")
    try:
        head = json.loads(first)
    except ValueError:
        raise RecordError("damaged BGBlitz file: its first line is no JSON", file=file or None, line=1) from None
    if not isinstance(head, dict):
        raise RecordError("damaged BGBlitz file: its first line is no JSON object", file=file or None, line=1)
    if head.get("compress"):
        rest = _gunzip(rest, file)
    if head.get("useSmile"):
        content: Any = decode_smile(rest, file)
    else:
        try:
            content = json.loads(rest)
        except (ValueError, RecursionError):
            raise RecordError("damaged BGBlitz file: its content is no JSON", file=file or None, line=2) from None
    if not isinstance(content, dict):
        raise RecordError("damaged BGBlitz file: it holds no match", file=file or None)
    return content


def _gunzip(data: bytes, file: str) -> bytes:
    unpacker = zlib.decompressobj(31)
    try:
        unpacked = unpacker.decompress(data, MAX_UNPACKED)
    except zlib.error:
        raise RecordError("damaged BGBlitz file: it cannot be unpacked", file=file or None) from None
    if unpacker.unconsumed_tail:
        raise RecordError(f"BGBlitz file that unpacks to more than {MAX_UNPACKED // 2**20} MiB", file=file or None)
    if not unpacker.eof:
        raise RecordError("damaged BGBlitz file: it breaks off", file=file or None)
    return unpacked


def _draft(game: dict[str, Any], number: int, length: int) -> Draft:
    draft = Draft(number, (max(_whole(game.get("scoreGreen"), 0), 0), max(_whole(game.get("scoreRed"), 0), 0)))
    draft.crawford = bool(game.get("isCrawford")) and bool(length)
    start = _initial(game.get("initial"))
    if start is not None:
        draft.flags.add(Flag.SET_UP)
        draft.events.append(start)
    for text in _list(game.get("comment")):
        draft.events.append(Comment(seat=None, text=_text(text)))
    offered: Stored | None = None
    for move in _list(game.get("moves")):
        if not isinstance(move, dict):
            continue
        seat = Seat.BOTTOM if _whole(move.get("player"), 0) == _GREEN else Seat.TOP
        red, green = _whole(move.get("red"), 0), _whole(move.get("green"), 0)
        comment = _text(move.get("comment"))
        if green != _ACTION:
            draft.events.append(_roll(move, seat, (red, green), comment, length))
        elif red == _DANCE:
            first, second = (_list(move.get(key))[:1] for key in ("from", "to"))
            dice = (_whole(first[0] if first else 0, 0), _whole(second[0] if second else 0, 0))
            draft.events.append(_roll(move, seat, dice, comment, length, danced=True))
        elif red == _DOUBLE:
            offered = _stored(move, length, rolled=False)
            cube = 2 * final_cube(draft.events)
            draft.events.append(Double(seat=seat, cube=min(cube, MAX_CUBE), comment=comment, analysis=offered))
        elif red == _TAKE:
            draft.events.append(Take(seat=seat, comment=comment, analysis=offered))
        elif red == _PASS:
            draft.events.append(Pass(seat=seat, comment=comment, analysis=offered))
        elif red == _RESIGN:
            draft.events.append(Resignation(seat=seat, comment=comment))
        elif red == _END:
            draft.stated_winner = seat
        else:
            text = f"action {red} by {'green' if seat is Seat.BOTTOM else 'red'}"
            draft.events.append(Comment(seat=None, text=text, flags=frozenset({Flag.UNREAD_TEXT})))
    draft.stated_points = _whole(game.get("wonPoints"), 0) or None
    if draft.stated_winner is not None and game.get("wasResignation") and not _given_up(draft.events):
        draft.events.append(Resignation(seat=draft.stated_winner.other))
    return draft


def _roll(
    move: dict[str, Any], seat: Seat, dice: tuple[int, int], comment: str, length: int, *, danced: bool = False
) -> Roll:
    known = all(1 <= die <= 6 for die in dice)
    return Roll(
        seat=seat,
        dice=dice if known else None,
        text="" if danced else _steps(move),
        flags=NO_FLAGS if known else frozenset({Flag.HIDDEN_DICE}),
        comment=comment,
        analysis=_stored(move, length, rolled=True),
    )


def _steps(move: dict[str, Any]) -> str:
    """A play from lists of starts and ends in the mover's numbering: 25 the bar, 0 off, -1 unused."""
    starts, ends = tuple(_list(move.get("from"))[:4]), tuple(_list(move.get("to"))[:4])
    if {*map(type, starts), *map(type, ends)} != {int}:
        starts, ends = (tuple(_whole(place, -1) for place in places) for places in (starts, ends))
    return _steps_text(starts, ends)


@lru_cache(maxsize=8192)
def _steps_text(starts: tuple[int, ...], ends: tuple[int, ...]) -> str:
    words = []
    for start, end in zip(starts, ends, strict=False):
        if start < 0:
            break
        words.append(f"{'bar' if start == 25 else start}/{'off' if end == 0 else end}")
    return " ".join(words)


def _initial(initial: Any) -> SetPosition | None:
    """Where a game starts, when not from the usual position with a centred cube at 1."""
    if not isinstance(initial, dict):
        return None
    counts = [_whole(count, 0) for count in _list(initial.get("points"))[:28]]
    if len(counts) < 26:
        return None
    # Red's checkers are positive; place i is Green's point i + 1.
    board = [0, *(-count for count in counts[:24]), 0]
    for count in counts[24:26]:
        board[25 if count < 0 else 0] -= count
    cube, owner = _whole(initial.get("cube"), 1), _whole(initial.get("cubeOwner"), 0)
    if tuple(board) == Position.start().board and cube == 1:
        return None
    if not (1 <= cube <= MAX_CUBE and cube & (cube - 1) == 0):
        cube = 1
    return SetPosition(
        seat=None,
        board=tuple(board),
        cube=cube,
        owner={1: Seat.TOP, -1: Seat.BOTTOM}.get(owner),
        flags=frozenset({Flag.SET_UP}),
    )


def _given_up(events: list[Event]) -> bool:
    last = next((event for event in reversed(events) if event.seat is not None), None)
    return isinstance(last, (Resignation, Pass))


# Stored analysis


def _stored(move: dict[str, Any], length: int, *, rolled: bool) -> Stored | None:
    cube = _cube(move.get("equity"), length, _whole(move.get("ply"), -1))
    plays = _plays(move, length) if rolled else None
    luck = _number(move["luck"].get("luckPlain")) if isinstance(move.get("luck"), dict) else None
    if cube is None and plays is None and luck is None:
        return None
    unit = Unit.MWC if length else Unit.POINTS
    return Stored(PROGRAM, cube, plays, luck, unit if luck is not None else None)


def _cube(equity: Any, length: int, ply: int) -> StoredCube | None:
    decision = equity.get("cubeDecision") if isinstance(equity, dict) else None
    if not isinstance(decision, dict):
        return None
    no_double, double_take = _number(decision.get("eqNoDouble")), _number(decision.get("eqDoubleTake"))
    double_pass = _number(decision.get("eqDoublePass"))
    if no_double is None or double_take is None:
        return None
    return StoredCube(
        no_double,
        double_take,
        double_pass,
        _chances(equity),
        Unit.MWC if length else Unit.POINTS,
        f"{ply}-ply",
        _frame(equity, double_pass) if length else None,
    )


def _frame(equity: dict[str, Any], double_pass: float | None) -> tuple[float, float] | None:
    """Chances of losing and winning the current cube: the same number stands there as chance and normalised."""
    chance, normalised = _number(equity.get("matchEquity")), _number(equity.get("emg"))
    if chance is None or normalised is None or double_pass is None or abs(normalised - 1) < _APART:
        return None
    half = (chance - double_pass) / (normalised - 1)
    return (double_pass - 2 * half, double_pass) if 0 < half < 1 else None


def _plays(move: dict[str, Any], length: int) -> StoredPlays | None:
    candidates: list[StoredCandidate] = []
    played = None
    for entry in _list(move.get("moveAnalysis")):
        if not isinstance(entry, dict) or not isinstance(entry.get("eq"), dict):
            continue
        numbers = entry["eq"]
        decision = numbers.get("cubeDecision")
        equity = _number(decision.get("eqCubeFul")) if isinstance(decision, dict) else None
        if equity is None:
            equity = _number(numbers.get("matchEquity" if length else "equity"))
        if equity is None or not isinstance(entry.get("move"), dict):
            continue
        if entry.get("played"):
            played = len(candidates)
        level = f"{_whole(entry.get('ply'), -1)}-ply"
        candidates.append(StoredCandidate(_steps(entry["move"]), equity, _chances(numbers), level))
    if not candidates:
        return None
    return StoredPlays(tuple(candidates), played, Unit.MWC if length else Unit.POINTS)


def _chances(numbers: dict[str, Any]) -> Chances | None:
    try:
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (float(numbers[key]) for key in _CHANCES)
    except (KeyError, TypeError, ValueError):
        return None
    chances = win, win_gammon, win_backgammon, lose_gammon, lose_backgammon
    return chances if min(chances) > _NONE and math.isfinite(sum(chances)) else None


# Values of any kind


def _list(value: Any) -> list:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: Any, default: int) -> int:
    """An integer that is believable as anything in a match."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 10**9:
        return default
    return value


def _number(value: Any) -> float | None:
    """A number written as a number or as text; None where BGBlitz has none."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if _NONE < number < math.inf else None
