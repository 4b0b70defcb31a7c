"""Plies of OGXM and GammonView files → events; shared by the binary and the JSON form.

A ply is a side, an action and, for a roll, steps of (start, pips) on absolute points: White moves up from 0, the bar,
to 25; Black down from 25. White is the bottom player. Layout and numbers of actions: the public format descriptions of
GammonView (docs/OGXM_FORMAT_SPEC_GAMMONVIEW.md, OGXM_V2_PROFILE.md at github.com/ngvlamis/gammonview-analysis), checked
on real files and their twins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from ..game import Dice, Position
from .flags import Flag
from .mat import MAX_CUBE
from .record import Beaver, Comment, Double, Event, Pass, Resignation, Roll, Seat, SetPosition, Take
from .results import Draft
from .stored import Stored, StoredCube, StoredPlays, Unit

#: Actions 0 to 20 are the rolls 11, 12, …, 16, 22, …, 66.
ROLLS: Final[tuple[Dice, ...]] = tuple(combinations_with_replacement(range(1, 7), 2))
DOUBLE, TAKE, PASS = 21, 22, 23
_MARKERS: Final = (24, 25, 26, 30)  # game over, match over, final, no dice
RESIGN_GAME, RESIGN_MATCH, FORFEIT, SET_POSITION = 27, 28, 29, 31
BEAVER, RACCOON, SETTLE, CUBE_SET = 32, 33, 34, 36
#: More plies than this are no match.
MAX_PLIES: Final = 100_000
MAX_GAMES: Final = 1_000
PLACES: Final = 26

Steps = Sequence[tuple[int, int]]


@dataclass(slots=True)
class Judgement:
    """What the file's program stored about one ply."""

    cube: StoredCube | None = None
    plays: StoredPlays | None = None
    luck: float | None = None

    def stored(self, program: str, luck_unit: Unit) -> Stored | None:
        """As the analysis of an event; None when there is nothing."""
        if self.cube is None and self.plays is None and self.luck is None:
            return None
        return Stored(program, self.cube, self.plays, self.luck, None if self.luck is None else luck_unit)


@dataclass(slots=True)
class Ply:
    """One action of a game.

    Parameters
    ----------
    seat : Seat
    action : int
    dice : Dice or None
    steps : sequence of (int, int)
        Absolute start and pips.
    board : sequence of int, length 26, or None
        Position the ply sets, absolute, White positive.
    value : int or None
        Level of a resignation, value of a cube that is set.
    owner : Seat or None
        Of a cube that is set.
    text : str
        Words for an action that is no play.
    comment : str
    """

    seat: Seat
    action: int
    dice: Dice | None = None
    steps: Steps = ()
    board: Sequence[int] | None = None
    value: int | None = None
    owner: Seat | None = None
    text: str = ""
    comment: str = ""


@dataclass(slots=True)
class PlyGame:
    """A game while it is read.

    Parameters
    ----------
    number : int
        From 1.
    plies : list of Ply
    winner : Seat or None
    points : int
        Worth of the game, whatever the winner needed.
    crawford : bool or None
        None where the file does not say.
    board : sequence of int or None
        Absolute position the game starts from, where it is not the usual one.
    cube : int
        Value the cube starts with.
    owner : Seat or None
        Who owns it then.
    comments : list of str
    """

    number: int
    plies: list[Ply]
    winner: Seat | None = None
    points: int = 0
    crawford: bool | None = None
    board: Sequence[int] | None = None
    cube: int = 1
    owner: Seat | None = None
    comments: list[str] = field(default_factory=list)


#: By place of the game in the file and of the ply in the game, both from 0.
Judged = dict[int, dict[int, Judgement]]


def seat_of(white: bool) -> Seat:
    """White is the first named and the bottom player."""
    return Seat.BOTTOM if white else Seat.TOP


def bottom_board(absolute: Sequence[int]) -> tuple[int, ...]:
    """A board of absolute points, White's checkers positive, as the bottom player sees it."""
    return tuple(reversed(absolute))


def steps_text(steps: Steps, seat: Seat) -> str:
    """A play in the mover's numbering."""
    return " ".join([_step_text(25 - start if seat is Seat.BOTTOM else start, pips) for start, pips in steps])


@lru_cache(maxsize=1024)
def _step_text(place: int, pips: int) -> str:
    end = place - pips
    return f"{'bar' if place == 25 else place}/{end if end > 0 else 'off'}"


def set_up(board: Sequence[int] | None, cube: int | None = None, owner: Seat | None = None) -> SetPosition:
    """The event that sets a position of absolute points, a cube, or both."""
    sound = cube is not None and 1 <= cube <= MAX_CUBE and cube & (cube - 1) == 0
    return SetPosition(
        seat=None,
        board=None if board is None else bottom_board(board),
        cube=cube if sound else None,
        owner=owner,
        flags=frozenset({Flag.SET_UP}),
    )


def is_start(board: Sequence[int]) -> bool:
    """Whether absolute points hold the usual starting position."""
    return bottom_board(board) == Position.start().board


def drafts_of(
    games: Sequence[PlyGame],
    length: int,
    judged: Judged,
    program: str,
    luck_unit: Unit,
    start: tuple[int, int] = (0, 0),
) -> list[Draft]:
    """Games as drafts: events, stated results, and scores added up as the format does.

    Parameters
    ----------
    games : sequence of PlyGame
    length : int
        Points to win, 0 for money.
    judged : dict
    program : str
        Who judged.
    luck_unit : Unit
    start : (int, int)
        Score before the first game.
    """
    drafts = []
    score = start
    for index, game in enumerate(games):
        draft = Draft(game.number, score)
        draft.crawford = None if game.crawford is None else game.crawford and bool(length)
        if game.winner is not None and game.points > 0:
            draft.stated_winner, draft.stated_points = game.winner, game.points
            score = _added(score, game.winner, game.points, length)
        board = game.board if game.board is not None and not is_start(game.board) else None
        if board is not None or game.cube != 1 or game.owner is not None:
            draft.flags.add(Flag.SET_UP)
            cube = game.cube if game.cube != 1 or game.owner is not None else None
            draft.events.append(set_up(board, cube, game.owner))
        draft.events += [Comment(seat=None, text=text) for text in game.comments]
        _add_plies(draft, game, judged.get(index, {}), program, luck_unit)
        drafts.append(draft)
    return drafts


def _added(score: tuple[int, int], winner: Seat, points: int, length: int) -> tuple[int, int]:
    """Score after a game; points count as far as the winner needed them."""
    before = score[winner.index]
    total = max(before, min(before + points, length)) if length else before + points
    return (total, score[1]) if winner is Seat.BOTTOM else (score[0], total)


def _add_plies(draft: Draft, game: PlyGame, judged: dict[int, Judgement], program: str, unit: Unit) -> None:
    cube = game.cube
    for number, ply in enumerate(game.plies):
        event = _event(ply, cube)
        if event is None:
            continue
        if isinstance(event, (Double, Beaver)):
            cube = event.cube or cube
        elif isinstance(event, SetPosition):
            draft.flags.add(Flag.SET_UP)
            cube = event.cube or cube
        judgement = judged.get(number)
        if judgement is not None or ply.comment:
            analysis = judgement.stored(program, unit) if judgement is not None else None
            event = replace(event, comment=ply.comment, analysis=analysis)
        draft.events.append(event)


def _event(ply: Ply, cube: int) -> Event | None:
    seat, action = ply.seat, ply.action
    if action < len(ROLLS):
        return Roll(seat=seat, dice=ply.dice or ROLLS[action], text=steps_text(ply.steps, seat))
    if action == SET_POSITION and ply.board is not None and ply.dice is not None:
        return Roll(
            seat=seat,
            dice=ply.dice,
            text="Illegal play",
            after=bottom_board(ply.board),
            flags=frozenset({Flag.ILLEGAL_PLAY}),
        )
    if action == SET_POSITION and ply.board is not None:
        return set_up(ply.board)
    if action == DOUBLE:
        return Double(seat=seat, cube=min(2 * cube, MAX_CUBE))
    if action in (BEAVER, RACCOON):
        return Beaver(seat=seat, cube=min(2 * cube, MAX_CUBE))
    if action == TAKE:
        return Take(seat=seat)
    if action == PASS:
        return Pass(seat=seat)
    if action in (RESIGN_GAME, RESIGN_MATCH):
        return Resignation(seat=seat, level=ply.value if ply.value in (1, 2, 3) else None)
    if action == CUBE_SET:
        return set_up(None, ply.value, ply.owner)
    if action in _MARKERS:
        return None
    text = ply.text or ("forfeit" if action == FORFEIT else f"action {action}")
    flags = frozenset() if ply.text or action == FORFEIT else frozenset({Flag.UNREAD_TEXT})
    return Comment(seat=None, text=text, flags=flags)


def date_tag(seconds: float) -> tuple[str, str] | None:
    """Day of a time in seconds since 1970, as text matches write it."""
    if not 0 < seconds < 10**11:
        return None
    try:
        return "EventDate", datetime.fromtimestamp(seconds, UTC).strftime("%Y.%m.%d")
    except (OverflowError, ValueError, OSError):
        return None
