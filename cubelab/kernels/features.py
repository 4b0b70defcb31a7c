"""What the networks see of a position: one small whole number per *slot*, each naming one row of a table.

A slot is a question about the position (how many checkers of the mover on the 6 point? which of these six points are
made? with how many of the 36 rolls can a blot be hit?) and its answer the row. The first layer of a network is the sum
of the rows of all slots, so it can be changed from one position to a similar one by the few rows that differ.
Row 0 of every slot is a row of zeros.

Slots, each for the mover (side 0) and the opponent (side 1), every side numbering the points from its own home:

=============  ======  ============================================================================================
counts         26      checkers on each point (1 … 24), on the bar (25), borne off (0)
windows        7       which of six neighbouring points are made (at least two checkers), windows start at 1, 4, … 19
rear           2       place of the rearmost checker and of the next
front          2       which of the six points ahead of those two the other side has made
mobility       2       mean pips those two can move with a roll, in 36ths of the most possible
entry          1       checkers on the bar (up to 3) x open points in the other side's home
shots          2       rolls (of 36) that hit some blot; a blot that loses 13 pips or more (exact but for the duty to
                       play both dice)
=============  ======  ============================================================================================

and one slot for the pip lead. A race uses counts, rear and lead only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from .vectors import bit_count, board_masks, mirrored, top_bit

COUNT_ROWS = 26 * 16
WINDOW_BASE = 2 * COUNT_ROWS
REAR_BASE = WINDOW_BASE + 14 * 64
FRONT_BASE = REAR_BASE + 4 * 26
MOBILITY_BASE = FRONT_BASE + 4 * 64
ENTRY_BASE = MOBILITY_BASE + 4 * 37
SHOTS_BASE = ENTRY_BASE + 2 * 28
LEAD_BASE = SHOTS_BASE + 4 * 37
LEAD_LIMIT = 120
ROWS = LEAD_BASE + 2 * LEAD_LIMIT + 1
PATTERN_SLOTS = 33
"""Slots besides the counts."""

POINTS = 0x1FFFFFE
_VALUABLE = 0x1FFE000  # points 13 … 24 of the hitter: the blot loses 13 pips or more


def _mobility_table() -> np.ndarray:
    """Mean pips a checker can move by itself, scaled to 0 … 36, for each pattern of blocked points 12 … 1 ahead.

    Bit ``12 - d`` of the pattern = the point d pips ahead is blocked. Points further than 12 ahead count as open.
    """
    patterns = np.arange(4096)
    blocked = np.zeros((25, 4096), bool)
    for d in range(1, 13):
        blocked[d] = patterns >> (12 - d) & 1
    pips = np.zeros(4096, np.int64)
    for a in range(1, 7):
        going = ~blocked[a]
        for steps in range(1, 5):
            going = going & ~blocked[steps * a]
            pips += going * a
        for b in range(1, a):
            larger = np.where(blocked[a], np.where(blocked[b], 0, b), a)
            pips += 2 * np.where((larger > 0) & ~blocked[a + b], a + b, larger)
    return np.rint(pips / pips[0] * 36).astype(np.int16)


_MOBILITY = _mobility_table()


@njit(cache=True, _nrt=False)
def _enters_and_hits(rest, blots, open_, first, second):
    """Can the one checker on the bar enter with `first` and then any checker hit with `second` (or entering hit)?"""
    landing = (1 << 25) >> first
    if landing & blots:
        return True
    return (landing & open_) != 0 and ((rest | landing) & (blots << second)) != 0


@njit(cache=True, _nrt=False)
def shots(own, bar, blots, blocked):
    """Number of the 36 rolls with which the side holding `own` hits at least one of `blots`.

    Parameters
    ----------
    own : int
        Mask of the hitter's places (bit 25 = bar), numbered by the hitter.
    bar : int
        The hitter's checkers on the bar.
    blots, blocked : int
        Masks of the other side's blots and made points in the same numbering.
    """
    if blots == 0 or own < (blots & -blots):  # no blot ahead of any checker
        return 0
    open_ = POINTS & ~blocked
    total = 0
    if bar > 0:
        rest = own & POINTS
        for a in range(1, 7):
            landing = (1 << 25) >> a
            for b in range(1, a):
                if bar > 1:
                    total += 2 if (landing | (1 << 25) >> b) & blots else 0
                elif _enters_and_hits(rest, blots, open_, a, b) or _enters_and_hits(rest, blots, open_, b, a):
                    total += 2
            reach = 0
            for _ in range(bar, 4):  # what a double leaves to play once all have entered
                reach = (blots | (reach & open_)) << a
            if landing & blots or (landing & open_ and (rest | landing) & reach):
                total += 1
        return total
    direct = 0
    for d in range(1, 7):
        reach = blots << d
        if own & reach:
            direct |= 1 << d
            total += 1
        else:
            for _ in range(3):
                reach = (reach & open_) << d
                if own & reach:
                    total += 1
                    break
    for a in range(2, 7):
        for b in range(1, a):
            if (
                ((direct >> a) | (direct >> b)) & 1
                or own & (((blots << a) & open_) << b)
                or own & (((blots << b) & open_) << a)
            ):
                total += 2
    return total


@njit(cache=True, _nrt=False)
def _side_slots(side, own1, own2, other1, other2, bar, other_bar, rows, row_index, race):
    """Slots of one side; `own*` in its own numbering, `other*` in the other side's."""
    w = WINDOW_BASE + side * 7 * 64
    rear = top_bit(own1 | 1)
    rest = own1 ^ (1 << rear)
    second = rear if (own2 >> rear) & 1 else top_bit(rest | 1)
    k = side * 16
    rows[row_index, k] = REAR_BASE + side * 52 + rear
    rows[row_index, k + 1] = REAR_BASE + side * 52 + 26 + second
    if race:
        for i in range(7):
            rows[row_index, k + 2 + i] = w + 64 * i
        rows[row_index, k + 9] = FRONT_BASE + side * 128
        rows[row_index, k + 10] = FRONT_BASE + side * 128 + 64
        rows[row_index, k + 11] = MOBILITY_BASE + side * 74
        rows[row_index, k + 12] = MOBILITY_BASE + side * 74 + 37
        rows[row_index, k + 13] = ENTRY_BASE + side * 28
        rows[row_index, k + 14] = SHOTS_BASE + side * 74
        rows[row_index, k + 15] = SHOTS_BASE + side * 74 + 37
        return
    for i in range(7):
        rows[row_index, k + 2 + i] = w + 64 * i + ((own2 >> (1 + 3 * i)) & 63)
    blocked = mirrored(other2) & POINTS
    rows[row_index, k + 9] = FRONT_BASE + side * 128 + (((blocked << 6) >> rear) & 63)
    rows[row_index, k + 10] = FRONT_BASE + side * 128 + 64 + (((blocked << 6) >> second) & 63)
    rows[row_index, k + 11] = MOBILITY_BASE + side * 74 + _MOBILITY[((blocked << 12) >> rear) & 4095]
    rows[row_index, k + 12] = MOBILITY_BASE + side * 74 + 37 + _MOBILITY[((blocked << 12) >> second) & 4095]
    entry = 0
    if bar > 0:
        entry = 7 * min(bar, 3) + 6 - bit_count((blocked >> 19) & 63)
    rows[row_index, k + 13] = ENTRY_BASE + side * 28 + entry
    blots = mirrored(own1 & ~own2 & POINTS)
    made = mirrored(own2 & POINTS)
    hits = shots(other1, other_bar, blots, made)
    rows[row_index, k + 14] = SHOTS_BASE + side * 74 + hits
    valuable = blots & _VALUABLE
    if valuable != blots and hits > 0:
        hits = shots(other1, other_bar, valuable, made)
    rows[row_index, k + 15] = SHOTS_BASE + side * 74 + 37 + hits


@njit(cache=True, _nrt=False)
def pattern_rows(board, lead, race, rows, row_index):
    """Rows of the slots that are no counts, into ``rows[row_index, :33]``; `lead` = own pips less the opponent's."""
    m1, m2, o1, o2 = board_masks(board)
    o1 = mirrored(o1)
    o2 = mirrored(o2)
    mover_bar = np.int64(board[25])
    opponent_bar = -np.int64(board[0])
    _side_slots(0, m1, m2, o1, o2, mover_bar, opponent_bar, rows, row_index, race)
    _side_slots(1, o1, o2, m1, m2, opponent_bar, mover_bar, rows, row_index, race)
    rows[row_index, 32] = LEAD_BASE + LEAD_LIMIT + min(max(lead, -LEAD_LIMIT), LEAD_LIMIT)


@njit(cache=True, _nrt=False)
def count_row(board, place):
    """Row of the count slot of one place of the board, 0 … 25 (0 and 25: the bars); none for empty places."""
    c = np.int64(board[place])
    if place == 0:
        return COUNT_ROWS + 25 * 16 - c
    if place == 25:
        return 25 * 16 + c
    return place * 16 + c if c >= 0 else COUNT_ROWS + (25 - place) * 16 - c


@njit(cache=True, _nrt=False)
def totals(board):
    """Checkers borne off by mover and opponent, and the mover's pips less the opponent's."""
    mover_off = 15
    opponent_off = 15
    lead = 0
    for p in range(26):
        c: Any = np.int64(board[p])
        if c > 0:
            mover_off -= c
            lead += c * p
        else:
            opponent_off += c
            lead += c * (25 - p)
    return mover_off, opponent_off, lead


@njit(cache=True, _nrt=False)
def all_rows(board, race, rows, row_index):
    """Rows of every slot that is not at 0 by absence: patterns, then counts; returns how many (at most 61)."""
    mover_off, opponent_off, lead = totals(board)
    pattern_rows(board, lead, race, rows, row_index)
    n = PATTERN_SLOTS
    for p in range(26):
        if board[p] != 0:
            rows[row_index, n] = count_row(board, p)
            n += 1
    rows[row_index, n] = mover_off
    rows[row_index, n + 1] = COUNT_ROWS + opponent_off
    return n + 2
