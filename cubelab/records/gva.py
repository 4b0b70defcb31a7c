"""GammonView's JSON (``.gva``): the readable form of OGXM.

The plies of `ogxm_plies` with names for the fields and the analysis beside each ply; equities are normalised.
"""

from __future__ import annotations

import math
from typing import Any, Final

from ..errors import RecordError
from .ogxm_container import finished
from .ogxm_plies import (
    MAX_GAMES,
    MAX_PLIES,
    PLACES,
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

_CHANCES: Final = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
_TAGS: Final = (("event", "Event"), ("site", "Site"), ("stage", "Stage"), ("round", "Round"), ("city", "Place"))


def parse_gva(content: dict[str, Any], file: str = "") -> Record:
    """Record of GammonView's JSON; White is the bottom player.

    Parameters
    ----------
    content : dict
        As decoded; anything in it may be wrong.
    file : str
        For messages.

    Raises
    ------
    RecordError
        No game or no move in it.
    """
    length = _whole(content.get("match_length"), 0)
    entries = [game for game in _list(content.get("games")) if isinstance(game, dict)][:MAX_GAMES]
    if not entries:
        raise RecordError("GammonView file without a game", file=file or None)
    info = content.get("analysis_info")
    info = info if isinstance(info, dict) else {}
    program = _text(info.get("model_name")) or _text(info.get("model_id")) or "GammonView"
    reader = _Reader(length, f"{_whole(info.get('ply'), 0)}ply", file)
    games = [reader.game(entry, index) for index, entry in enumerate(entries)]
    start = _list(content.get("score_start"))
    date = date_tag(_whole(content.get("timestamp"), 0))
    tags = [(tag, str(content[key])) for key, tag in _TAGS if isinstance(content.get(key), (str, int))]
    return finished(
        drafts_of(
            games,
            length,
            reader.judged,
            program,
            reader.unit,
            (_whole(start[0], 0), _whole(start[1], 0)) if len(start) == 2 else (0, 0),
        ),
        players=(_text(content.get("player_white")), _text(content.get("player_black"))),
        length=length,
        rules=(bool(content.get("crawford", True)), bool(content.get("jacoby")), bool(content.get("beaver"))),
        cube_limit=_whole(content.get("cube_limit"), 0),
        final=(_whole(content.get("white_score"), 0), _whole(content.get("black_score"), 0)),
        tags=[*tags, *([date] if date else [])],
        comments=_remarks(content),
        file=file,
        format="gva",
        flags=set(),
    )


class _Reader:
    """Games and what was stored about them."""

    def __init__(self, length: int, level: str, file: str):
        self.unit = Unit.EMG if length else Unit.POINTS
        self.level, self.file = level, file
        self.judged: Judged = {}
        self.plies = 0

    def game(self, entry: dict[str, Any], index: int) -> PlyGame:
        winner = entry.get("winner")
        game = PlyGame(
            _whole(entry.get("game_index"), index) + 1,
            [],
            winner=seat_of(winner == 0) if winner in (0, 1) else None,
            points=_whole(entry.get("points_won"), 0),
            crawford=bool(entry.get("is_crawford")),
            board=_board(entry.get("initial_board")),
            cube=max(_whole(entry.get("initial_cube_value"), 1), 1),
            owner=_owner(entry.get("initial_cube_owner")),
            comments=_remarks(entry),
        )
        for content in _list(entry.get("plies")):
            if not isinstance(content, dict):
                continue
            self.plies += 1
            if self.plies > MAX_PLIES:
                raise RecordError(f"more than {MAX_PLIES} plies, which no match has", file=self.file or None)
            ply = _ply(content)
            if isinstance(content.get("analysis"), dict):
                judgement = self.judgement(content["analysis"], ply)
                self.judged.setdefault(index, {})[len(game.plies)] = judgement
            game.plies.append(ply)
        return game

    def judgement(self, analysis: dict[str, Any], ply: Ply) -> Judgement:
        cube = next(
            (analysis[key] for key in ("cube_decision", "missed_double") if isinstance(analysis.get(key), dict)),
            analysis if "no_double_equity" in analysis else None,
        )
        return Judgement(
            None if cube is None else self.cube(cube),
            self.candidates(_list(analysis.get("alternatives")), ply.seat),
            _number(analysis.get("luck")),
        )

    def cube(self, entry: dict[str, Any]) -> StoredCube | None:
        no_double = _number(entry.get("no_double_equity"))
        double_take = _number(entry.get("double_take_equity"))
        if no_double is None or double_take is None:
            return None
        double_pass = _number(entry.get("double_pass_equity"))
        level = _text(entry.get("eval_level")) or self.level
        return StoredCube(no_double, double_take, double_pass, _chances(entry.get("eval")), self.unit, level)

    def candidates(self, entries: list[Any], seat: Seat) -> StoredPlays | None:
        rows: list[StoredCandidate] = []
        played = None
        for entry in entries:
            equity = _number(entry.get("equity")) if isinstance(entry, dict) else None
            if equity is None:
                continue
            if entry.get("is_played") is True:
                played = len(rows)
            text = steps_text(_steps(entry.get("move")), seat)
            rows.append(
                StoredCandidate(text, equity, _chances(entry.get("eval")), _text(entry.get("eval_level")) or self.level)
            )
        return StoredPlays(tuple(rows), played, self.unit) if rows else None


def _ply(content: dict[str, Any]) -> Ply:
    dice = (_whole(content.get("d1"), 0), _whole(content.get("d2"), 0))
    value = content.get("resign_value", content.get("cube_value"))
    settled = _number(content.get("settle_value"))
    return Ply(
        seat_of(content.get("color") == 1),
        _whole(content.get("action_id"), -1) % 64,
        dice if all(1 <= die <= 6 for die in dice) else None,
        _steps(content.get("moves")),
        _board(content.get("set_position")),
        _whole(value, 0) or None,
        _owner(content.get("cube_owner")),
        "" if settled is None else f"settled for {settled:g} points",
        "\n".join(_remarks(content)),
    )


def _steps(value: Any) -> tuple[tuple[int, int], ...]:
    steps = (
        (_whole(step.get("from"), -1), _whole(step.get("pips"), 0)) for step in _list(value) if isinstance(step, dict)
    )
    return tuple(step for step in steps if 0 <= step[0] <= 25 and 0 < step[1] <= 25)[:4]


def _board(value: Any) -> tuple[int, ...] | None:
    board = _list(value)
    if len(board) != PLACES or not all(isinstance(count, int) and abs(count) <= 15 for count in board):
        return None
    return tuple(int(count) for count in board)


def _owner(value: Any) -> Seat | None:
    return seat_of(value == 0) if value in (0, 1) and value is not None else None


def _remarks(entry: dict[str, Any]) -> list[str]:
    notes = (note.get("value") for note in _list(entry.get("annotations")) if isinstance(note, dict))
    return [note for note in notes if isinstance(note, str) and note.strip()]


def _chances(value: Any) -> Chances | None:
    if not isinstance(value, dict):
        return None
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (_number(value.get(key)) for key in _CHANCES)
    if win is None or win_gammon is None or win_backgammon is None or lose_gammon is None or lose_backgammon is None:
        return None
    return win, win_gammon, win_backgammon, lose_gammon, lose_backgammon


def _list(value: Any) -> list:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: Any, default: int) -> int:
    """An integer that is believable as anything in a match."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 10**12:
        return default
    return value


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)
