"""Legal plays: every distinct position that a roll can lead to.

A die order is searched as two nested loops over the points that hold a checker able to move, read off bit masks
(bit p = point p, bit 25 = bar). Rules: as many dice as possible, the larger where only one of two can be played.

Distinctness is exact. For doubles the checkers are taken from non-increasing points: a play then has one spelling, and
the board changes of distinct spellings are linearly independent. For other rolls each result has an exact integer
key: the change of the mover's own counts (-2 … 2 on 25 places) in balanced base 5, and on top of it the sum of the
points hit, which separates plays that end alike but hit on the way.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .vectors import board_masks, copy_board, stack_longs, top_bit

MAX_PLAYS = 4096
"""Rows a buffer of resulting boards must have; the last one is scratch."""

HOME = 0x7E  # points 1 … 6
POINTS = 0x1FFFFFE  # points 1 … 24
_HIT_UNIT = 5**25
_PLACE = np.array([0] + [5 ** (p - 1) for p in range(1, 26)], dtype=np.int64)


@njit(cache=True, _nrt=False)
def _sources(own, open_, die):
    """Mask of the places from which one checker may move `die` points."""
    if own >> 25:
        return (1 << 25) if (open_ >> (25 - die)) & 1 else 0
    mask = own & (open_ << die)
    if own >> 7 == 0:
        mask |= own & (1 << die)
        top = top_bit(own | 1)
        if 0 < top < die:
            mask |= 1 << top
    return mask


@njit(cache=True, _nrt=False)
def _emit(scratch, afters, n):
    copy_board(scratch, afters[n])
    return n + 1


@njit(cache=True, _nrt=False)
def _spell(hops, n, f1, t1, f2, t2, f3, t3, f4, t4):
    if hops.shape[0] > n:
        hops[n, 0], hops[n, 1], hops[n, 2], hops[n, 3] = f1, t1, f2, t2
        hops[n, 4], hops[n, 5], hops[n, 6], hops[n, 7] = f3, t3, f4, t4


@njit(cache=True, _nrt=False)
def _shift(board, source, target):
    """Move one checker in place; True when it hit."""
    board[source] -= 1
    if target > 0:
        if board[target] < 0:
            board[target] = 1
            board[0] -= 1
            return True
        board[target] += 1
    return False


@njit(cache=True, _nrt=False)
def _unshift(board, source, target, hit):
    board[source] += 1
    if target > 0:
        board[target] -= 1
        if hit:
            board[target] = -1
            board[0] += 1


@njit(cache=True, _nrt=False)
def _own_after(board, own, source, target):
    """The mask of own places once a checker has moved (board already changed)."""
    if board[source] == 0:
        own &= ~(1 << source)
    if target > 0:
        own |= 1 << target
    return own


@njit(cache=True, _nrt=False)
def _both_dice(scratch, own, open_, first, second, afters, hops, keys, n):
    """Append the plays that use `first` and then `second`; returns the new count."""
    sources = _sources(own, open_, first)
    while sources:
        f1 = top_bit(sources)
        sources ^= 1 << f1
        t1 = max(f1 - first, 0)
        hit1 = _shift(scratch, f1, t1)
        own1 = _own_after(scratch, own, f1, t1)
        key1 = _PLACE[t1] - _PLACE[f1] + (t1 * _HIT_UNIT if hit1 else 0)
        follow = _sources(own1, open_, second)
        while follow:
            f2 = top_bit(follow)
            follow ^= 1 << f2
            t2 = max(f2 - second, 0)
            key = key1 + _PLACE[t2] - _PLACE[f2]
            if scratch[t2] < 0 and t2 > 0:
                key += t2 * _HIT_UNIT
            fresh = True
            for i in range(n):
                if keys[i] == key:
                    fresh = False
                    break
            if fresh:
                keys[n] = key
                hit2 = _shift(scratch, f2, t2)
                _spell(hops, n, f1, t1, f2, t2, -1, -1, -1, -1)
                n = _emit(scratch, afters, n)
                _unshift(scratch, f2, t2, hit2)
        _unshift(scratch, f1, t1, hit1)
    return n


@njit(cache=True, _nrt=False)
def _one_die(scratch, own, open_, die, afters, hops):
    n = 0
    sources = _sources(own, open_, die)
    while sources:
        f1 = top_bit(sources)
        sources ^= 1 << f1
        t1 = max(f1 - die, 0)
        hit1 = _shift(scratch, f1, t1)
        _spell(hops, n, f1, t1, -1, -1, -1, -1, -1, -1)
        n = _emit(scratch, afters, n)
        _unshift(scratch, f1, t1, hit1)
    return n


@njit(cache=True, _nrt=False)
def _doubles(scratch, own, open_, die, afters, hops):
    n = 0
    deepest = 0
    s1 = _sources(own, open_, die)
    while s1:
        f1 = top_bit(s1)
        s1 ^= 1 << f1
        t1 = max(f1 - die, 0)
        h1 = _shift(scratch, f1, t1)
        own1 = _own_after(scratch, own, f1, t1)
        s2 = _sources(own1, open_, die) & ((2 << f1) - 1)
        if s2 == 0 and deepest <= 1:
            deepest = 1
            _spell(hops, n, f1, t1, -1, -1, -1, -1, -1, -1)
            n = _emit(scratch, afters, n)
        while s2:
            f2 = top_bit(s2)
            s2 ^= 1 << f2
            t2 = max(f2 - die, 0)
            h2 = _shift(scratch, f2, t2)
            own2 = _own_after(scratch, own1, f2, t2)
            s3 = _sources(own2, open_, die) & ((2 << f2) - 1)
            if s3 == 0 and deepest <= 2:
                if deepest < 2:
                    deepest, n = 2, 0
                _spell(hops, n, f1, t1, f2, t2, -1, -1, -1, -1)
                n = _emit(scratch, afters, n)
            while s3:
                f3 = top_bit(s3)
                s3 ^= 1 << f3
                t3 = max(f3 - die, 0)
                h3 = _shift(scratch, f3, t3)
                own3 = _own_after(scratch, own2, f3, t3)
                s4 = _sources(own3, open_, die) & ((2 << f3) - 1)
                if s4 == 0 and deepest <= 3:
                    if deepest < 3:
                        deepest, n = 3, 0
                    _spell(hops, n, f1, t1, f2, t2, f3, t3, -1, -1)
                    n = _emit(scratch, afters, n)
                if s4 and deepest < 4:
                    deepest, n = 4, 0
                while s4:
                    f4 = top_bit(s4)
                    s4 ^= 1 << f4
                    t4 = max(f4 - die, 0)
                    h4 = _shift(scratch, f4, t4)
                    _spell(hops, n, f1, t1, f2, t2, f3, t3, f4, t4)
                    n = _emit(scratch, afters, n)
                    _unshift(scratch, f4, t4, h4)
                _unshift(scratch, f3, t3, h3)
            _unshift(scratch, f2, t2, h2)
        _unshift(scratch, f1, t1, h1)
    return n


@njit(cache=True, _nrt=False)
def legal_plays(board, die1, die2, afters, hops):
    """Distinct resulting boards, each with one way to play it.

    Parameters
    ----------
    board : int8[26]
        The mover's view before the play (conventions of the package).
    die1, die2 : int
        The roll, 1 … 6 each, any order.
    afters : int8[MAX_PLAYS, 26]
        Filled from the first row on, mover's view (opponent to roll).
    hops : int8[MAX_PLAYS, 8] or int8[0, 8]
        Filled with from/to pairs in playing order: mover's points, 25 = bar, 0 = off, -1 = unused. No row: left out.

    Returns
    -------
    int
        Number of plays; 0 when no checker can move.
    """
    scratch = afters[MAX_PLAYS - 1]
    copy_board(board, scratch)
    own, _, _, blocked = board_masks(board)
    open_ = POINTS & ~blocked
    if die1 == die2:
        return _doubles(scratch, own, open_, die1, afters, hops)
    high = max(die1, die2)
    low = min(die1, die2)
    keys = stack_longs(1024)
    n = _both_dice(scratch, own, open_, high, low, afters, hops, keys, 0)
    n = _both_dice(scratch, own, open_, low, high, afters, hops, keys, n)
    if n == 0:
        n = _one_die(scratch, own, open_, high, afters, hops)
    if n == 0:
        n = _one_die(scratch, own, open_, low, afters, hops)
    return n


@njit(cache=True, _nrt=False)
def legal_boards(board, die1, die2, afters):
    """Distinct resulting boards of a roll; as `legal_plays`, without the ways to play them."""
    return legal_plays(board, die1, die2, afters, afters[:0])
