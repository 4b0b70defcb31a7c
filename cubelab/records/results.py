"""What the moves and the stated points of a game add up to: winner, points, Crawford game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from .flags import Flag
from .record import (
    Beaver,
    Comment,
    Double,
    Ending,
    Event,
    Game,
    Pass,
    Resignation,
    Result,
    Roll,
    Seat,
    SetPosition,
    Take,
)

_OFF_STEP: Final = re.compile(r"/(?:off|0+)(?![0-9])\*?(?:\(([1-9])\))?", re.IGNORECASE)


@dataclass(slots=True)
class Draft:
    """A game while a reader collects it.

    `stated_winner`, `stated_points` and `result_line` are what the file's result line says; `crawford` is None where
    the file does not say whether it is the Crawford game; `swapped` tells that the players changed columns.
    """

    number: int
    score: tuple[int, int]
    line: int = 0
    crawford: bool | None = None
    events: list[Event] = field(default_factory=list)
    flags: set[Flag] = field(default_factory=set)
    stated_winner: Seat | None = None
    stated_points: int | None = None
    result_line: int = 0
    swapped: bool = False


def finish_games(
    drafts: Sequence[Draft],
    length: int,
    *,
    crawford_rule: bool = True,
    final_score: tuple[int, int] | None = None,
) -> tuple[Game, ...]:
    """Games with results, Crawford states and the flags that follow from comparing the games.

    Parameters
    ----------
    drafts : sequence of Draft
        In the order of play.
    length : int
        Points to win the match, 0 for money.
    crawford_rule : bool
        Whether the Crawford rule is in force.
    final_score : (int, int), optional
        After the last game, where the file states it.
    """
    games: list[Game] = []
    one_away = False
    for draft, following in zip(drafts, [*drafts[1:], None], strict=True):
        if games and draft.score != games[-1].score_after:
            draft.flags.add(Flag.SCORE_MISMATCH)
        if length and max(draft.score) >= length:
            draft.flags.add(Flag.SCORE_IMPOSSIBLE)
        crawford = draft.crawford
        if crawford is None:
            crawford = bool(length) and crawford_rule and not one_away and _is_crawford(draft, length)
            if crawford and not games:
                draft.flags.add(Flag.CRAWFORD_ASSUMED)
        one_away = one_away or (bool(length) and length - max(draft.score) <= 1)
        result = _result(draft, length, following.score if following else final_score)
        games.append(
            Game(
                draft.number,
                draft.score,
                crawford,
                tuple(draft.events),
                result,
                frozenset(draft.flags),
                draft.line,
            )
        )
    return tuple(games)


def final_cube(events: Sequence[Event]) -> int:
    """Value of the cube at the end of a game: what a single win pays. An unanswered double has not turned it."""
    value, offered = 1, 0
    for event in events:
        match event:
            case Double(cube=stated) | Beaver(cube=stated):
                offered = stated or 2 * (offered or value)
                value = max(offered // 2, 1)
            case Take() | Roll():
                value, offered = offered or value, 0
            case SetPosition(cube=int() as cube):
                value, offered = cube, 0
    return value


def finisher(events: Sequence[Event]) -> Seat | None:
    """Who has borne off all checkers, as far as the texts of the plays tell."""
    off = dict.fromkeys(Seat, 0)
    for event in events:
        match event:
            case SetPosition(board=tuple() as board) | Roll(after=tuple() as board):
                off = _borne_off(board)
            case Roll(seat=Seat() as seat, text=text) if "/" in text:
                off[seat] += sum(int(step[1] or 1) for step in _OFF_STEP.finditer(text))
    return next((seat for seat in Seat if off[seat] >= 15), None)


def _is_crawford(draft: Draft, length: int) -> bool:
    """Whether a game that is the first with a side one away can be the Crawford game."""
    if sum(length - points == 1 for points in draft.score) != 1:
        return False
    if any(isinstance(event, (Double, Beaver)) for event in draft.events):
        draft.flags.add(Flag.DOUBLE_IN_CRAWFORD)
        return False
    return True


def _result(draft: Draft, length: int, next_score: tuple[int, int] | None) -> Result:
    stated = draft.stated_winner
    if stated is None and next_score is not None:
        stated = _score_says(draft.score, next_score)
    winner, ending = _moves_say(draft, stated)
    if winner is not None and stated not in (None, winner):
        draft.flags.add(Flag.WINNER_CONFLICT)
    winner = winner or stated
    if draft.stated_winner is None:
        draft.flags.add(Flag.UNFINISHED if winner is None else Flag.RESULT_IMPLIED)
    if winner is None:
        return Result(None, 0, Ending.UNFINISHED, stated=draft.stated_points, line=draft.result_line)
    if ending is Ending.DECLARED:
        draft.flags.add(Flag.ENDED_EARLY)
    points, level = _points(draft, winner, ending, length, next_score)
    return Result(winner, points, ending, level, draft.stated_points, draft.result_line)


def _points(
    draft: Draft, winner: Seat, ending: Ending, length: int, next_score: tuple[int, int] | None
) -> tuple[int, int | None]:
    """Points counted and the level of the win; flags what is odd about the points stated."""
    cube = final_cube(draft.events)
    paid = (cube,) if ending is Ending.PASS else (cube, 2 * cube, 3 * cube)
    needed = max(length - draft.score[winner.index], 0) if length else None
    points = draft.stated_points or 0
    if not points:
        gained = next_score[winner.index] - draft.score[winner.index] if next_score is not None else 0
        resigned = next((event.level for event in reversed(draft.events) if isinstance(event, Resignation)), None)
        points = gained if gained > 0 else cube * (resigned or 1)
        if gained <= 0 and not resigned and ending is not Ending.PASS:
            draft.flags.add(Flag.POINTS_ASSUMED)
    level: int | None = next((size for size, pays in enumerate(paid, 1) if points <= pays), 3)
    if points not in paid:
        if points == needed and points < paid[-1]:
            draft.flags.add(Flag.POINTS_CAPPED)
            level = level if ending is Ending.RESIGNATION else None
        else:
            draft.flags.add(Flag.POINTS_IMPOSSIBLE)
    counted = min(points, paid[-1] if needed is None else needed)
    return counted, None if ending is Ending.PASS else level


def _moves_say(draft: Draft, stated: Seat | None) -> tuple[Seat | None, Ending]:
    """Winner and ending as far as the events tell; no winner where only the result line (or next score) names one."""
    passed = next((event.seat for event in draft.events if isinstance(event, Pass) and event.seat is not None), None)
    if passed is not None:
        return passed.other, Ending.PASS
    finished = finisher(draft.events)
    if finished is not None:
        return finished, Ending.BORNE_OFF
    last = next((event for event in reversed(draft.events) if not isinstance(event, Comment)), None)
    match last:
        # Writers put the mark into the column of either side: the result line decides where there is one.
        case Resignation(seat=Seat() as seat):
            return (seat.other if stated is None else None), Ending.RESIGNATION
        case Roll(seat=Seat() as seat, hidden=True) if stated is seat.other:
            return seat.other, Ending.RESIGNATION
        case Double(seat=Seat() as seat) if stated is seat:
            return seat, Ending.PASS
    return None, Ending.DECLARED


def _score_says(score: tuple[int, int], following: tuple[int, int]) -> Seat | None:
    gains = [after - before for before, after in zip(score, following, strict=True)]
    for seat in Seat:
        if gains[seat.index] > 0 and gains[seat.other.index] == 0:
            return seat
    return None


def _borne_off(board: Sequence[int]) -> dict[Seat, int]:
    return {
        Seat.BOTTOM: 15 - sum(count for count in board if count > 0),
        Seat.TOP: 15 + sum(count for count in board if count < 0),
    }
