"""What a side does with one roll: written and read as the programs of the field do, and listed by the rules."""

from __future__ import annotations

import re
import struct
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..errors import IllegalPlay, NotationError
from ..wording import counted
from .dice import Dice, checked_dice
from .drawn import Drawn
from .position import MOVER_BAR, OPPONENT_BAR, Position

if TYPE_CHECKING:
    import numpy as np

#: One checker moving once: from and to in the mover's numbering, 25 the bar, 0 off.
Hop: TypeAlias = tuple[int, int]

OFF = 0
DANCE = "Cannot Move"
_DANCES = frozenset(
    ("", "cannot move", "no move", "no moves", "no legal move", "no legal moves", "no play", "none", "dance", "dances")
)
_SHAPE = "a play is written like 24/18* 13/11(2), bar/20 or 6/off"
_PLACE = r"(?:bar|off|[0-9]{1,2})"
_CHAIN = re.compile(rf"{_PLACE}\*?(?:/{_PLACE}\*?)+")
_REPEAT = re.compile(r"\(([1-9])\)")
#: Characters that texts use for the slash and the star once Unicode's own variants are folded.
_FOLD = str.maketrans(dict.fromkeys("-‐‑–—−→⁄∕>", "/") | dict.fromkeys("∗✱✻⋆★", "*") | dict.fromkeys("\u200b\ufeff"))


#: A board of one byte a place, as the compiled generator has it.
_BOARD = struct.Struct("26b")


class _Step(NamedTuple):
    """A hop or a run of hops of one checker, as a text names it."""

    start: int
    end: int
    starred: bool


@dataclass(frozen=True, slots=True, repr=False)
class Play(Drawn):
    """One side's checker movements for a roll; equal when they start and end with the same checkers.

    Parameters
    ----------
    before : Position
        Seen by the side that plays.
    hops : tuple of (int, int)
        From and to of each hop, mover's numbering, 25 the bar, 0 off; kept from the highest point down, which is
        always a possible order. Empty when no checker can move.

    Attributes
    ----------
    after : Position
        Still seen by the side that played; ``after.flip()`` is what the opponent faces.
    hits : tuple of int
        Points on which an opposing checker was hit, highest first.

    Raises
    ------
    IllegalPlay
        A hop that no checker can make. Whether the rules allow the whole play with a roll is not asked here:
        `Play.parse` with dice does, and `legal_plays` lists what is allowed.

    Examples
    --------
    >>> import cubelab as cl
    >>> play = cl.Play.parse("8/5 6/5", cl.Position.start(), (3, 1))
    >>> play.notation, play.after.pips
    ('8/5 6/5', 163)
    """

    before: Position
    hops: tuple[Hop, ...] = field(compare=False)
    after: Position = field(init=False)
    hits: tuple[int, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.before, Position):
            raise IllegalPlay(f"a play starts from a Position, not from {self.before!r:.60}")
        try:
            hops = tuple(sorted(((int(start), int(end)) for start, end in self.hops), reverse=True))
        except (TypeError, ValueError):
            raise IllegalPlay(f"hops {self.hops!r:.60} are not pairs of points such as ((8, 5), (6, 5))") from None
        after = apply_hops(self.before, hops)
        object.__setattr__(self, "hops", hops)
        object.__setattr__(self, "after", after)
        object.__setattr__(self, "hits", _hits(self.before.board, after.board))

    @classmethod
    def parse(cls, text: str, position: Position, dice: object = None) -> Play:
        """Read a play in any spelling that programs use.

        Parameters
        ----------
        text : str
            ``24/18*/13(2)``, ``bar/20``, ``25/20``, ``6/off``, ``2/0``, hops chained or merged (through a hit too), in
            any order, with or without ``*``; empty or ``Cannot Move`` for no play.
        position : Position
        dice : optional
            The roll. With it the text is matched against the legal results; without it each named step is taken as
            written, and nobody asks whether the rules allow it.

        Raises
        ------
        NotationError
            The text cannot be read, or fits several legal results.
        IllegalPlay
            It is not a play the rules allow, with the reason.
        """
        steps = _read(str(text))
        if dice is None:
            for step in steps:
                if step.starred and step.start - step.end > 6 and position.board[step.end] != -1:
                    raise NotationError(
                        f"play {text!r} hits on the way to {step.end}: its dice are needed to say where"
                    )
            return cls(position, tuple(step[:2] for step in steps))
        return _match(text, steps, position, checked_dice(dice))

    @property
    def notation(self) -> str:
        """The usual spelling: highest point first, one checker's hops joined, hits starred, repeats counted."""
        if not self.hops:
            return DANCE
        unnamed = set(self.hits)
        words = []
        for chain, times in sorted(_chains(self.hops).items(), key=_down):
            word = _place(chain[0])
            for place in chain[1:]:
                hit = place in unnamed
                if hit or place == chain[-1]:
                    word += f"/{_place(place)}{'*' * hit}"
                unnamed.discard(place)
            words.append(word if times == 1 else f"{word}({times})")
        return " ".join(words)

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        return f"Play({self.before!r}, {self.hops!r})"


def legal_plays(position: Position, dice: object) -> tuple[Play, ...]:
    """All legal plays of a roll, one per distinct result.

    Parameters
    ----------
    position : Position
        Seen by the side that rolled.
    dice : tuple of int, str or int
        The roll, such as ``(3, 1)`` or ``"31"``.

    Returns
    -------
    tuple of Play
        Those from the highest points first; empty when no checker can move or the game is over.

    Raises
    ------
    NotationError
        No dice, or not two numbers from 1 to 6.
    """
    return tuple(sorted((Play(position, hops) for hops in _legal(position, checked_dice(dice)).values()), key=_order))


def apply_hops(position: Position, hops: Iterable[Hop]) -> Position:
    """Checkers after some hops, made in the order given whatever the rules of play say about the roll.

    Parameters
    ----------
    position : Position
    hops : iterable of (int, int)
        From and to, mover's numbering, 25 the bar, 0 off. A single opposing checker on the way's end is hit.

    Raises
    ------
    IllegalPlay
        No checker stands where a hop starts, the place is off the board, the hop goes backwards or onto a point
        that the opponent holds.
    """
    board = position.board
    for start, end in hops:
        if not (1 <= start <= MOVER_BAR and OFF <= end < MOVER_BAR):
            raise IllegalPlay(
                f"{start}/{end} leaves the board: a hop starts on 1 to 25 (bar) and ends on 24 to 0 (off)"
            )
        name = f"{_place(start)}/{_place(end)}"
        if end >= start:
            raise IllegalPlay(f"{name} goes backwards: checkers move from 24 down to 1")
        if board[start] < 1:
            raise IllegalPlay(f"{name}: the player on roll has no checker on {_place(start)}")
        if end != OFF and board[end] < -1:
            raise IllegalPlay(f"{name}: the opponent holds point {end} with {-board[end]} checkers")
        board = _moved(board, start, end)
    return Position(board)


def read_hops(text: str) -> tuple[Hop, ...]:
    """The steps that a text names, expanded and with no position asked: ``8/4(2)`` gives ``((8, 4), (8, 4))``.

    Raises
    ------
    NotationError
        The text is no play.
    """
    return tuple(step[:2] for step in _read(str(text)))


def _moved(board: tuple[int, ...], start: int, end: int) -> tuple[int, ...]:
    """Counts after one checker has moved, hitting a blot."""
    counts = list(board)
    counts[start] -= 1
    if end != OFF:
        if counts[end] == -1:
            counts[end] = 0
            counts[OPPONENT_BAR] -= 1
        counts[end] += 1
    return tuple(counts)


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[_Step, ...]:
    plain = text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    if plain.strip("-–—(). \t\r\n") in _DANCES:
        return ()
    folded = re.sub(r"\s*(/+|[*(])\s*", lambda sign: sign[1][0], plain.translate(_FOLD).strip(" \t\r\n,;."))
    steps: list[_Step] = []
    for word in re.split(r"(?<=[*)])(?=[b0-9])|[\s,;]+", folded):
        repeats = set(_REPEAT.findall(word)) or {"1"}
        chain = _REPEAT.sub("", word)
        if not _CHAIN.fullmatch(chain) or len(repeats) > 1:
            raise NotationError(f"play {text!r}: {word!r} cannot be read; {_SHAPE}")
        places = chain.split("/")
        numbers = [_number(place.rstrip("*")) for place in places]
        if any(a <= b for a, b in pairwise(numbers)) or numbers[0] > MOVER_BAR:
            raise NotationError(f"play {text!r}: {word!r} does not go down from 25 (bar) or less to 0 (off); {_SHAPE}")
        stars = [place.endswith("*") for place in places]
        one = [_Step(*step) for step in zip(numbers, numbers[1:], stars[1:], strict=False)]
        steps += one * int(repeats.pop())
    return tuple(sorted(steps, reverse=True))


def _number(place: str) -> int:
    return {"bar": MOVER_BAR, "off": OFF}.get(place) if place.isalpha() else int(place)  # type: ignore[return-value]


def _place(number: int) -> str:
    return {MOVER_BAR: "bar", OFF: "off"}.get(number, str(number))


def _chains(hops: tuple[Hop, ...]) -> Counter[tuple[int, ...]]:
    """Hops joined into the ways of single checkers, highest first."""
    left = list(hops)
    chains: Counter[tuple[int, ...]] = Counter()
    while left:
        chain = list(left.pop(0))
        while chain[-1] != OFF:
            following = next((hop for hop in left if hop[0] == chain[-1]), None)
            if following is None:
                break
            left.remove(following)
            chain.append(following[1])
        chains[tuple(chain)] += 1
    return chains


def _down(item: tuple[tuple[int, ...], int]) -> tuple[int, int]:
    chain, _ = item
    return -chain[0], -chain[-1]


def _order(play: Play) -> list[tuple[int, ...]]:
    return [tuple(-place for place in hop) for hop in play.hops] + [play.hits]


def _hits(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(point for point in range(24, 0, -1) if before[point] < 0 <= after[point])


def _legal(position: Position, dice: Dice) -> dict[tuple[int, ...], tuple[Hop, ...]]:
    """Legal resulting boards with one way to each."""
    boards, ways = _generated(position, dice)
    return {tuple(board): _hops(way) for board, way in zip(boards.tolist(), ways.tolist(), strict=True)}


def _generated(position: Position, dice: Dice) -> tuple[np.ndarray, np.ndarray]:
    """Legal resulting boards (n × 26) and one way to each (n × 8), by the compiled generator."""
    import numpy as np

    from ..kernels.moves import MAX_PLAYS
    from ..kernels.moves import legal_plays as fill

    afters = np.empty((MAX_PLAYS, 26), dtype=np.int8)
    hops = np.empty((MAX_PLAYS, 8), dtype=np.int8)
    over = not min(position.board) < 0 < max(position.board)
    count = 0 if over else fill(position.array, *dice, afters, hops)
    return afters[:count], hops[:count]


def _hops(way: list[int]) -> tuple[Hop, ...]:
    return tuple((way[i], way[i + 1]) for i in range(0, 8, 2) if way[i] > 0)


def _match(text: str, steps: tuple[_Step, ...], position: Position, dice: Dice) -> Play:
    """The legal play that the steps describe."""
    boards, ways = _generated(position, dice)
    if not steps:
        if len(boards):
            raise IllegalPlay(f"no play is given, but {_roll(dice)} has {counted(len(boards), 'legal play')} here")
        return Play(position, ())
    plain = _plainly(position.board, dice, steps)
    if plain is not None and (place := _row(boards.tobytes(), _BOARD.pack(*plain))) >= 0:
        return Play(position, _hops(ways[place].tolist()))
    reached = _reachable(position, dice, steps)
    legal = {tuple(board): _hops(way) for board, way in zip(boards.tolist(), ways.tolist(), strict=True)}
    fits = {board: _hits(position.board, board) for board in reached if board in legal}
    if not fits:
        raise IllegalPlay(f"play {text!r} with {_roll(dice)}: {_reason(position, dice, steps, bool(reached), legal)}")
    if len(fits) > 1:
        fits = _by_stars(fits, steps, position) or fits
    if len(fits) > 1:
        readings = " or ".join(sorted(Play(position, legal[board]).notation for board in fits))
        raise NotationError(f"play {text!r} with {_roll(dice)} can mean {readings}: write the hops apart")
    return Play(position, legal[next(iter(fits))])


def _plainly(board: tuple[int, ...], dice: Dice, steps: tuple[_Step, ...]) -> tuple[int, ...] | None:
    """Where steps of one die each lead: such a text has one reading only. None for any other text."""
    for start, end, _ in steps:
        if start - end not in dice or board[start] < 1 or (end != OFF and board[end] < -1):
            return None
        board = _moved(board, start, end)
    return board


def _row(rows: bytes, row: bytes) -> int:
    """Which of some boards of one byte a place one is; -1 for none."""
    place = rows.find(row)
    while place % _BOARD.size and place >= 0:
        place = rows.find(row, place + 1)
    return place // _BOARD.size


def _by_stars(
    fits: dict[tuple[int, ...], tuple[int, ...]], steps: tuple[_Step, ...], position: Position
) -> dict[tuple[int, ...], tuple[int, ...]]:
    """Readings that agree with the stars: exactly, or (a star at the end of merged hops) with a hit on the way."""
    starred = {step.end for step in steps if step.starred}
    exact = {board: hits for board, hits in fits.items() if set(hits) == starred}
    if exact or not starred:
        return exact
    sure = {point for point in starred if position.board[point] == -1}
    return {board: hits for board, hits in fits.items() if hits and sure <= set(hits)}


def _reachable(position: Position, dice: Dice, steps: tuple[_Step, ...]) -> set[tuple[int, ...]]:
    """Boards that the steps lead to when made die by die, each landing allowed; dice may be left over."""
    pool = dice * 2 if dice[0] == dice[1] else dice
    results: set[tuple[int, ...]] = set()
    seen = set()
    pending: list[tuple[tuple[int, ...], tuple[int, ...], tuple[Hop, ...]]] = [
        (position.board, pool, tuple(sorted(step[:2] for step in steps)))
    ]
    while pending:
        state = pending.pop()
        if state in seen:
            continue
        seen.add(state)
        board, left, todo = state
        if not todo:
            results.add(board)
            continue
        for start, end in dict.fromkeys(todo):
            for die in dict.fromkeys(left):
                landing = max(start - die, OFF)
                if landing < end or not _may_hop(board, start, die):
                    continue
                rest, dice_left = list(todo), list(left)
                rest.remove((start, end))
                dice_left.remove(die)
                if landing > end:
                    rest.append((landing, end))
                pending.append((_moved(board, start, landing), tuple(dice_left), tuple(sorted(rest))))
    return results


def _may_hop(board: tuple[int, ...], start: int, die: int) -> bool:
    """Whether a checker on `start` may move by `die` now."""
    if board[start] < 1 or (board[MOVER_BAR] and start != MOVER_BAR):
        return False
    if start > die:
        return board[start - die] >= -1
    highest = max(point for point, count in enumerate(board) if count > 0)
    return highest <= 6 and start in (die, highest)


def _reason(
    position: Position,
    dice: Dice,
    steps: tuple[_Step, ...],
    playable: bool,
    legal: dict[tuple[int, ...], tuple[Hop, ...]],
) -> str:
    """Why the steps are no legal play."""
    if not legal:
        return "no checker can move"
    pool = 4 if dice[0] == dice[1] else 2
    if len(steps) > pool:
        return f"it makes {counted(len(steps), 'hop')}, the roll has {pool}"
    try:
        after = apply_hops(position, [step[:2] for step in steps])
    except IllegalPlay as error:
        return str(error)
    waiting = position.board[MOVER_BAR] - sum(step.start == MOVER_BAR for step in steps)
    if waiting > 0 and any(step.start != MOVER_BAR for step in steps):
        return "all checkers on the bar must enter first"
    outside = [point for point in range(7, 26) if after.board[point] > 0]
    if outside and any(step.end == OFF for step in steps):
        return f"no checker may be borne off while one stands on {_place(outside[-1])}"
    if playable:
        longest = max(len(hops) for hops in legal.values())
        if longest == 1:
            return f"only one die can be played and it must be the {_only_die(legal)}"
        return f"{'both' if longest == pool == 2 else longest} of its numbers can be played and must be"
    return "its steps are not the numbers rolled, or a landing between is not open"


def _only_die(legal: dict[tuple[int, ...], tuple[Hop, ...]]) -> int:
    return max(start - end for hops in legal.values() for start, end in hops)


def _roll(dice: Dice) -> str:
    return f"{max(dice)}{min(dice)}"
