"""Rules of thumb for races: adjusted pip counts, cube advice and winning chances, as their authors published them.

They are for money play without contact, the mover about to roll. A side is its checkers on its own points 1 to 24
(``side[0]`` is the ace point); ``sides`` takes both from a position.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import CubelabError

Side = Sequence[int]


@dataclass(frozen=True, slots=True)
class RaceAdvice:
    """What one rule says.

    Attributes
    ----------
    rule : str
    mover_count, opponent_count : float
        The counts that the rule compares, in its own adjusted pips.
    double, redouble, take : bool
        Whether the mover should double with the cube centred, with its own cube, and whether the opponent should take.
    """

    rule: str
    mover_count: float
    opponent_count: float
    double: bool
    redouble: bool
    take: bool


def sides(position: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Mover's and opponent's checkers by their own points 1 to 24.

    Parameters
    ----------
    position : Position or sequence of 26 int
        As in the interface document.

    Raises
    ------
    CubelabError
        There is contact or a checker on the bar, so the rules of thumb do not apply, or a side has no checkers left.
    """
    board = [int(count) for count in getattr(position, "board", position)]
    if len(board) != 26:
        raise CubelabError(f"a board is 26 whole numbers (bar, points 1 to 24, bar), not {len(board)}")
    mover = tuple(max(count, 0) for count in board[1:25])
    opponent = tuple(max(-count, 0) for count in reversed(board[1:25]))
    if board[0] or board[25]:
        raise CubelabError("a checker is on the bar: rules of thumb for races need a position without contact")
    if not any(mover) or not any(opponent):
        raise CubelabError("a side has no checkers left: the game is over")
    rear = max(n for n, count in enumerate(mover, 1) if count)
    other = max(n for n, count in enumerate(opponent, 1) if count)
    if rear + other > 24:
        raise CubelabError(
            f"the mover's checker on point {rear} has not passed the opponent's on its point {other}: "
            "rules of thumb for races need a position without contact"
        )
    return mover, opponent


def pip_count(side: Side) -> int:
    """Pips to bear off all checkers of a side."""
    return sum(point * count for point, count in enumerate(side, 1))


def _above(count: int, enough: int) -> int:
    return max(count - enough, 0)


def keith_count(side: Side) -> int:
    """Pips, + 2 per checker beyond 1 on point 1, + 1 beyond 1 on point 2 and 3 on point 3, + 1 per gap on 4 to 6."""
    return (
        pip_count(side)
        + 2 * _above(side[0], 1)
        + _above(side[1], 1)
        + _above(side[2], 3)
        + sum(side[n] == 0 for n in (3, 4, 5))
    )


def keith(mover: Side, opponent: Side) -> RaceAdvice:
    """Tom Keith, "Cube Handling in Noncontact Positions", bkgm.com, 2004.

    The mover's Keith count grows by a seventh (rounded down). Double if it then exceeds the opponent's by no more than
    4, redouble by no more than 3; take if by at least 2.
    """
    mine, theirs = keith_count(mover), keith_count(opponent)
    mine += mine // 7
    excess = mine - theirs
    return RaceAdvice("Keith", mine, theirs, excess <= 4, excess <= 3, excess >= 2)


def thorp_count(side: Side) -> int:
    """Pips + 2 per checker + 1 per checker on the ace point - 1 per occupied home point."""
    return pip_count(side) + 2 * sum(side) + side[0] - sum(count > 0 for count in side[:6])


def thorp(mover: Side, opponent: Side) -> RaceAdvice:
    """Edward O. Thorp, "Backgammon: The Optimal Strategy for the Pure Running Game", 1975 (with the later 10 %).

    The mover's count grows by a tenth where it is over 30. Double up to 2 above the opponent's, redouble up to 1 above;
    take down to 2 below.
    """
    mine, theirs = float(thorp_count(mover)), float(thorp_count(opponent))
    if mine > 30:
        mine *= 1.1
    return RaceAdvice("Thorp", mine, theirs, mine <= theirs + 2, mine <= theirs + 1, mine >= theirs - 2)


def trice_last_take(pips: int) -> int:
    """Greatest deficit in pips with which the trailer can still take, the leader on roll having ``pips``.

    Walter Trice, *Backgammon Boot Camp*, 2004 ("Rule 62"): up to 62 pips (pips - 5) / 7 rounded down, beyond a tenth
    rounded up and one more.
    """
    return -(-pips // 10) + 1 if pips > 62 else max((pips - 5) // 7, 0)


def trice(mover: Side, opponent: Side) -> RaceAdvice:
    """Trice's Rule 62 on the plain pip counts: double within 3 pips of the point of last take, redouble within 2."""
    mine, theirs = pip_count(mover), pip_count(opponent)
    lead, last_take = theirs - mine, trice_last_take(mine)
    return RaceAdvice("Trice", mine, theirs, lead >= last_take - 3, lead >= last_take - 2, lead <= last_take)


def eight_nine_twelve(mover: Side, opponent: Side) -> RaceAdvice:
    """The 8-9-12 rule: double with a lead of 8 % of one's own count, redouble with 9 %, take up to 12 %."""
    mine, theirs = pip_count(mover), pip_count(opponent)
    lead = Fraction(theirs - mine, mine)
    return RaceAdvice(
        "8-9-12", mine, theirs, lead >= Fraction(8, 100), lead >= Fraction(9, 100), lead <= Fraction(12, 100)
    )


def isight_counts(mover: Side, opponent: Side) -> tuple[int, int]:
    """Adjusted pip counts of both sides.

    Axel Reichert, "Improved Cube Handling in Races: Insights with Isight", 2014: + 1 per checker more than the other
    side has, + 2 per checker beyond 2 on point 1, + 1 beyond 2 on point 2 and beyond 3 on point 3, + 1 per gap on
    points 4 to 6 where the other side has a checker, + 1 per crossover to home more than the other side needs.
    """

    def crossovers(side: Side) -> int:
        return sum(count * ((point - 1) // 6) for point, count in enumerate(side, 1))

    def adjusted(side: Side, other: Side) -> int:
        return (
            pip_count(side)
            + _above(sum(side), sum(other))
            + 2 * _above(side[0], 2)
            + _above(side[1], 2)
            + _above(side[2], 3)
            + sum(side[n] == 0 and other[n] > 0 for n in (3, 4, 5))
            + _above(crossovers(side), crossovers(other))
        )

    return adjusted(mover, opponent), adjusted(opponent, mover)


def isight_win_chance(mover: Side, opponent: Side) -> float:
    """Isight's estimate of the winning chance, (80 - L/3 + 2 (T - L)) %, kept within 0 and 1."""
    leader, trailer = isight_counts(mover, opponent)
    return min(max((80 - leader / 3 + 2 * (trailer - leader)) / 100, 0.0), 1.0)


def isight(mover: Side, opponent: Side) -> RaceAdvice:
    """Isight's cube advice.

    The mover's adjusted count grows by a sixth. Double if it then exceeds the opponent's by at most 6, redouble by at
    most 5; take if by at least 2 (the same as the percentages 68, 70 and 76).
    """
    mine, theirs = isight_counts(mover, opponent)
    excess = Fraction(7 * mine, 6) - theirs
    return RaceAdvice("Isight", float(Fraction(7 * mine, 6)), theirs, excess <= 6, excess <= 5, excess >= 2)


def kleinman_win_chance(pips: int, opponent_pips: int) -> float:
    """Chance to win a race, on roll with ``pips``: Danny Kleinman's normal approximation.

    *Vision Laughs at Counting*, 1980: with D = lead + 4 and S = sum - 4 the chance is that of a normal deviate below
    D / sqrt(2 S), that is (1 + erf(sqrt(D²/S) / 2)) / 2 for a lead.
    """
    total = opponent_pips + pips - 4
    if total <= 0:
        return 1.0
    return 0.5 * (1 + math.erf((opponent_pips - pips + 4) / (2 * math.sqrt(total))))


RULES: tuple[Callable[[Side, Side], RaceAdvice], ...] = (keith, thorp, trice, eight_nine_twelve, isight)
