"""Labelled positions from self-play.

Every position x(t) after a play gets the label G(t) = m(t) + λ (G(t+1) - v(t+1)), seen from one side: m = mean over the
21 rolls of the best reply's value, v = static value of the position reached, G at the end of a game (or at an exact
bearoff) its true value. λ = 1 makes G a luck-adjusted rollout of one trial, λ = 0 a plain one-ply look-ahead. Where an
exploratory reply was played, m still counts the best ones and the trace goes on: the error of v where the game went
stands for its error beside it (Q(λ) with off-policy corrections; Harutyunyan and others, 2016). Without look-ahead m(t)
is v(t+1): temporal difference learning, cheap and noisy. Random numbers come from numba's generator, which
`np.random.seed` inside a kernel sets for its thread.
"""

# ruff: noqa: NPY002
from __future__ import annotations

import numpy as np
from numba import njit

from cubelab.kernels.moves import MAX_PLAYS, legal_boards
from cubelab.kernels.network import new_workspace
from cubelab.kernels.pruning import keep_marked, mark_best, new_pruning_work, set_parent
from cubelab.kernels.static import (
    BEAROFF,
    CONTACT,
    OVER,
    evaluate_series,
    position_class,
)

from .fit import equity

MAX_PLIES = 400
#: Share of the games with neither a race nor a wild opening that begin with a late hit; with a back game.
LATE_HITS = 0.1
BACK_GAMES = 0.12
#: Plays of a roll that the pruning network leaves at most; not worth a glance where there are so few.
KEPT, FEW = 10, 4
_MONEY = np.array([[[1.0, 2.0, 3.0, -1.0, -2.0, -3.0]]] * 2)
_START = np.array(
    [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0],
    dtype=np.int8,
)


@njit(cache=True)
def flip(board, out):
    """Write the board as the other side sees it."""
    for p in range(26):
        out[p] = -board[25 - p]


@njit(cache=True)
def replies(nets, work, board, die1, die2, afters, probs):
    """Candidates of a roll with their values; a roll that cannot be played leaves the board as one candidate.

    Returns their number and the index of the best by money equity.
    """
    n = _candidates(board, die1, die2, afters)
    return n, _best(nets, work, afters, n, probs)


@njit(cache=True)
def _candidates(board, die1, die2, afters):
    n = legal_boards(board, die1, die2, afters)
    if n == 0:
        for p in range(26):
            afters[0, p] = board[p]
        n = 1
    return n


@njit(cache=True)
def _best(nets, work, afters, n, probs):
    evaluate_series(nets, work, afters, n, probs)
    best = 0
    top = equity(probs[0])
    for k in range(1, n):
        value = equity(probs[k])
        if value > top:
            top = value
            best = k
    return best


@njit(cache=True)
def new_money_pruning(pruner):
    """Buffers to prune the plays of money games."""
    return new_pruning_work(pruner, _MONEY, MAX_PLAYS, KEPT)


@njit(cache=True)
def shortlisted_replies(nets, pruner, margin, work, pruning, board, die1, die2, afters, probs):
    """`replies`, but only the `KEPT` that the pruning network likes best, within `margin` points of its favourite.

    ``pruning``: buffers, after `kernels.pruning.set_parent` for the board.
    """
    n = _candidates(board, die1, die2, afters)
    if n > FEW:
        pruning.kept[:n] = 0
        mark_best(pruner, pruning, pruning.weights[0, 0], board, afters, n, KEPT, margin, 1)
        n = keep_marked(pruning, afters, n)
    return n, _best(nets, work, afters, n, probs)


@njit(cache=True)
def _explore(probs, n, best, window):
    """A random candidate whose equity is within `window` of the best."""
    floor = equity(probs[best]) - window
    chosen = best
    seen = 0
    for k in range(n):
        if equity(probs[k]) >= floor:
            seen += 1
            if np.random.randint(seen) == 0:
                chosen = k
    return chosen


@njit(cache=True)
def random_race(board):
    """Fill `board` with a position without contact, both sides somewhere between home and the middle."""
    board[:] = 0
    border = np.random.randint(4, 22)
    for side in range(2):
        reach = border if side == 0 else 24 - border
        reach = min(reach, np.random.randint(6, 20))
        reach = max(reach, 1)
        off = np.random.randint(0, 10) if np.random.random() < 0.2 else 0
        skew = 0.5 + 1.5 * np.random.random()
        for _ in range(15 - off):
            place = 1 + int(reach * np.random.random() ** skew)
            if side == 0:
                board[place] += 1
            else:
                board[25 - place] -= 1


@njit(cache=True)
def random_ending(board):
    """Fill `board` with a late hit: one side has borne off some checkers and has one to three behind enemy lines."""
    drawn = np.zeros(26, np.int8)
    left = np.random.randint(1, 14)
    behind = min(np.random.randint(1, 4), left)
    for number in range(left):
        if number >= behind:
            drawn[1 + int(6 * np.random.random() ** 1.5)] += 1
        elif np.random.random() < 0.4:
            drawn[25] += 1
        else:
            drawn[np.random.randint(13, 25)] += 1
    placed = 0
    size = 15 - (np.random.randint(0, 6) if np.random.random() < 0.2 else 0)
    while placed < size:
        point = np.random.randint(1, 13) if np.random.random() < 0.15 else np.random.randint(14, 25)
        if drawn[point] > 0:
            continue
        # Made points, as in primes and closed boards, more often than blots.
        count = 1 if np.random.random() < 0.25 else 2
        count = min(count, size - placed)
        drawn[point] -= count
        placed += count
    if np.random.random() < 0.5:
        flip(drawn, board)
    else:
        board[:] = drawn


@njit(cache=True)
def random_back_game(board):
    """Fill `board` with a back game: one side holds two or three points in the other's home, the rest somewhere."""
    drawn = np.zeros(26, np.int8)
    placed = 0
    for _ in range(2 if np.random.random() < 0.8 else 3):
        point = np.random.randint(19, 25)
        while drawn[point] > 0:
            point = np.random.randint(19, 25)
        drawn[point] = 2 if np.random.random() < 0.8 else 3
        placed += drawn[point]
    for _ in range(np.random.randint(0, 3)):
        drawn[25 if np.random.random() < 0.3 else np.random.randint(13, 25)] += 1
        placed += 1
    reach = np.random.randint(6, 19)  # low: the timing is gone
    while placed < 15:
        count = min(np.random.randint(1, 4), 15 - placed)
        drawn[1 + int(reach * np.random.random())] += count
        placed += count
    placed = 0
    off = np.random.randint(0, 8) if np.random.random() < 0.15 else 0
    near = np.random.randint(7, 19)  # where the other side's rearmost checkers may stand, but for strays
    while placed < 15 - off:
        point = np.random.randint(1, 25) if np.random.random() < 0.06 else np.random.randint(near, 25)
        if drawn[point] > 0:
            if near > 7:
                near -= 1
            continue
        count = min(np.random.randint(1, 4), 15 - off - placed)
        drawn[point] -= count
        placed += count
    if np.random.random() < 0.5:
        flip(drawn, board)
    else:
        board[:] = drawn


@njit(cache=True)
def opening(nets, work, kind, afters, probs, board):
    """First position of a game into `board` (after a play); kind 0: start, 1: some plies partly random, 2: a race,
    3: a late hit, 4: a back game."""
    if kind == 2:
        random_race(board)
        return
    if kind == 3:
        random_ending(board)
        return
    if kind == 4:
        random_back_game(board)
        return
    board[:] = _START
    if kind == 0:
        return
    plies = np.random.randint(1, 11)
    wild = np.random.random()
    other_wild = wild
    if np.random.random() < 0.5:
        # One side plays at random for long: it is hit often and comes to back games, the other to primes and crashes,
        # which games between equals seldom reach.
        plies = np.random.randint(6, 41)
        other_wild *= 0.2
    mover = np.empty(26, np.int8)
    for turn in range(plies):
        flip(board, mover)
        n, best = replies(
            nets,
            work,
            mover,
            np.random.randint(1, 7),
            np.random.randint(1, 7),
            afters,
            probs,
        )
        chosen = np.random.randint(n) if np.random.random() < (wild if turn % 2 == 0 else other_wild) else best
        if position_class(afters[chosen]) != CONTACT:
            return
        for p in range(26):
            board[p] = afters[chosen, p]


@njit(cache=True)
def play_game(
    nets,
    pruner,
    margin,
    work,
    pruning,
    board,
    look,
    trace,
    explore,
    window,
    afters,
    probs,
    boards,
    labels,
):
    """Play from `board` (after a play) to the end and label every position on the way.

    Parameters
    ----------
    nets, pruner : Nets, Pruner
    margin : float
        Of the pruning network, points; without look-ahead all replies are evaluated.
    work, pruning : Workspace, PruningWork
    board : int8[26]
    look : bool
        Look one ply ahead over all rolls (else temporal difference).
    trace : float
        λ.
    explore, window : float
        Share of replies drawn at random among those within `window` points of the best.
    afters, probs : int8[MAX_PLAYS, 26], float32[MAX_PLAYS, 6]
        Scratch.
    boards, labels : int8[MAX_PLIES, 26], float32[MAX_PLIES, 6]
        Filled.

    Returns
    -------
    int
        Number of labelled positions.
    """
    values = np.empty((MAX_PLIES + 1, 6), np.float32)
    means = np.zeros((MAX_PLIES + 1, 6), np.float32)
    mover = np.empty(26, np.int8)
    current = board.copy()
    evaluate_series(nets, work, current.reshape(1, 26), 1, values)
    length = 0
    while length < MAX_PLIES:
        kind = position_class(current)
        if kind in (OVER, BEAROFF):
            break
        for p in range(26):
            boards[length, p] = current[p]
        flip(current, mover)
        set_parent(pruner, pruning, mover)
        die1 = np.random.randint(1, 7)
        die2 = np.random.randint(1, 7)
        for a in range(1, 7):
            for b in range(1, a + 1):
                thrown = a == max(die1, die2) and b == min(die1, die2)
                if not (look or thrown):
                    continue
                if look:
                    n, best = shortlisted_replies(nets, pruner, margin, work, pruning, mover, a, b, afters, probs)
                else:
                    n, best = replies(nets, work, mover, a, b, afters, probs)
                if look:
                    weight = (1.0 if a == b else 2.0) / 36.0
                    for i in range(6):
                        means[length, i] += weight * probs[best, (i + 3) % 6]
                if thrown:
                    chosen = best
                    if np.random.random() < explore:
                        chosen = _explore(probs, n, best, window)
                    for i in range(6):
                        values[length + 1, i] = probs[chosen, i]
                        if not look:
                            means[length, i] = probs[best, (i + 3) % 6]
                    for p in range(26):
                        current[p] = afters[chosen, p]
        length += 1
    ahead = np.zeros(6, np.float32)  # G(t+1) - v(t+1), seen by the side that reached position t + 1
    for t in range(length - 1, -1, -1):
        for i in range(6):
            labels[t, i] = min(max(means[t, i] + trace * ahead[(i + 3) % 6], -0.5), 1.5)
        for i in range(6):
            ahead[i] = labels[t, i] - values[t, i]
    return length


@njit(cache=True, nogil=True)
def label_positions(nets, pruner, margin, seed, races, look, trace, explore, window, boards, labels):
    """Fill int8[n, 26] and float32[n, 6] with labelled positions of new games; returns the number of games.

    ``races``: share of games that start from a random race; of the others 40 % begin after some plies that are
    partly random, 6 % with a late hit (`LATE_HITS`), 6 % with a back game (`BACK_GAMES`), the rest at the start.
    Reproducible: everything follows from the
    networks and the seed.
    """
    np.random.seed(seed)
    work = new_workspace()
    pruning = new_money_pruning(pruner)
    afters = np.empty((MAX_PLAYS, 26), np.int8)
    probs = np.empty((MAX_PLAYS, 6), np.float32)
    game_boards = np.empty((MAX_PLIES, 26), np.int8)
    game_labels = np.empty((MAX_PLIES, 6), np.float32)
    board = np.empty(26, np.int8)
    n = 0
    games = 0
    while n < boards.shape[0]:
        kind = 0
        if np.random.random() < races:
            kind = 2
        elif np.random.random() < 0.4:
            kind = 1
        elif np.random.random() < LATE_HITS:
            kind = 3
        elif np.random.random() < BACK_GAMES:
            kind = 4
        opening(nets, work, kind, afters, probs, board)
        length = play_game(
            nets,
            pruner,
            margin,
            work,
            pruning,
            board,
            look,
            trace,
            explore,
            window,
            afters,
            probs,
            game_boards,
            game_labels,
        )
        games += 1
        for t in range(min(length, boards.shape[0] - n)):
            boards[n] = game_boards[t]
            labels[n] = game_labels[t]
            n += 1
    return games
