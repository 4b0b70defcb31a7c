"""The cube model: value of a position at every cube level and owner, from six probabilities and a table of payoffs.

This is the one implementation of the model; theory, search and rollouts all call it. It generalises Rick Janowski,
*Take-Points in Money Games* (1993), from points to any table of payoffs, so that match play and money play are the same
computation.

Words used here, always from the mover's side. At cube level k (the cube turned k more times than now) W and L are the
average payoffs of the mover's wins and losses. The *dead* line runs straight from (0, L) to (1, W). The *live* line of
a side that may turn has a kink at its live cash point: the win chance at which the other side, who would then own the
live cube one level up, is indifferent between taking and passing. Kinks are found from the highest useful cube down.

Two additions to the money model, both needed in matches:

* A side whose losses are no worse one level up (they already lose the match) turns at once; the dead line has this
  automatic redouble priced in, with the other side free to pass. See `wait` for what it loses if it does not turn.
* At its live cash point a side may rather play on than cash (gammons that win the match); the kink is then the value of
  playing on, so that owning a cube is never worth less than a dead cube.
"""

from __future__ import annotations

import numpy as np
from numba import njit

#: Axis 2 of the values: who owns the cube, seen by the mover.
CENTRE, MOVER, OPPONENT = 0, 1, 2

#: Mean jump of the win chance in a turn, under a dead cube, where a side that turns for nothing waits.
JUMP = 0.25
#: Two payoffs or chances nearer than this are the same: a kink that rounding alone sets off from 0 or 1 is none.
SAME = 1e-12
#: A chance below this is none: its inverse would not be a number.
NONE = 1e-305


@njit(cache=True, error_model="numpy", _nrt=False)
def _shares(single, gammon, backgammon, lost, gammon_lost, backgammon_lost):
    """Win chance, and the shares of gammons and backgammons among wins and among losses (0 where there are none)."""
    win = single + gammon + backgammon
    lose = lost + gammon_lost + backgammon_lost
    total = win + lose
    p = win / total if total > 0.0 else 0.5
    to_win = 1.0 / win if win > NONE else 0.0
    to_lose = 1.0 / lose if lose > NONE else 0.0
    return p, gammon * to_win, backgammon * to_win, gammon_lost * to_lose, backgammon_lost * to_lose


@njit(cache=True, error_model="numpy", _nrt=False)
def _top_kinks(passed, given, w, loss, unlimited):
    """Kinks at the highest level: none, or Janowski's closed form where the cube goes on doubling for ever."""
    if not unlimited:
        return 1.0, w, 0.0, loss
    a = (given - 2.0 * loss) / (2.0 * passed - 2.0 * loss)
    b = (passed - 2.0 * given) / (2.0 * w - 2.0 * given)
    cash = b / (1.0 - a + a * b)
    return cash, passed, cash * a, given


@njit(cache=True, error_model="numpy", _nrt=False)
def _kinks(passed, given, w, loss, w_up, loss_up, cash_up, cash_value_up, take_up, take_value_up, mover, opponent):
    """Kinks of the live lines at a level from those one level up.

    Parameters
    ----------
    passed, given, w, loss : float
        Worth of a pass by the opponent and by the mover at this level; of an average win and loss.
    w_up, loss_up, cash_up, cash_value_up, take_up, take_value_up : float
        The same averages and the kinks one level up.
    mover, opponent : bool
        Who may turn the cube at this level.

    Returns
    -------
    cash, cash_value, take, take_value : float
        The mover's live cash point and the value there; the opponent's (= where the mover gives up) likewise.
        A side that may not turn has its kink at the end of the line, where it does not bend it.
    """
    cash, cash_value = 1.0, w
    if mover:
        point = take_up + (1.0 - take_up) * (passed - take_value_up) / (w_up - take_value_up)
        if SAME < point < 1.0 - SAME:
            cash = point
            cash_value = max(passed, point * w + (1.0 - point) * loss)
    take, take_value = 0.0, loss
    if opponent:
        point = cash_up * (given - loss_up) / (cash_value_up - loss_up)
        if SAME < point < 1.0 - SAME:
            take = point
            take_value = min(given, point * w + (1.0 - point) * loss)
    return cash, cash_value, take, take_value


@njit(cache=True, error_model="numpy", _nrt=False)
def _between(p, p0, v0, p1, v1):
    """Value at p on the straight line through two points; the middle of both where they are one above the other."""
    span = p1 - p0
    if span <= SAME:
        return 0.5 * (v0 + v1)
    return v0 + (v1 - v0) * (p - p0) / span


@njit(cache=True, error_model="numpy", _nrt=False)
def _live(p, w, loss, cash, cash_value, take, take_value):
    """Live values at win chance p: cube centred, the mover's, the opponent's."""
    if p >= cash:
        mine = _between(p, cash, cash_value, 1.0, w)
    else:
        mine = _between(p, 0.0, loss, cash, cash_value)
    if p <= take:
        theirs = _between(p, 0.0, loss, take, take_value)
    else:
        theirs = _between(p, take, take_value, 1.0, w)
    if take >= cash:  # nobody ever takes: both kinks become one, half way
        middle, value = 0.5 * (take + cash), 0.5 * (take_value + cash_value)
        if p <= middle:
            centred = _between(p, 0.0, loss, middle, value)
        else:
            centred = _between(p, middle, value, 1.0, w)
    elif p >= cash:
        centred = mine
    elif p <= take:
        centred = theirs
    else:
        centred = _between(p, take, take_value, cash, cash_value)
    return centred, mine, theirs


@njit(cache=True, error_model="numpy", _nrt=False)
def cube_values(payoffs, may_turn, efficiency, probs, out):
    """Value of a position for the player about to roll, not turning the cube now, at every cube level and owner.

    Parameters
    ----------
    payoffs : float64[levels, 6 or 8]
        Worth of each result (order of `GameResult`) at cube level k, for the mover. Columns 6 and 7, where there are
        any: worth of the opponent's and of the mover's pass, if no single win and single loss (pip scoring).
    may_turn : bool[levels, 2]
        Whether the mover, the opponent may turn the cube at that level when they have access to it. True at the last
        level means that the cube goes on doubling without limit and payoffs with it (money without a cap).
    efficiency : (float, float, float)
        Cube efficiency x, 0 dead to 1 live: of a centred cube, of the mover's, of the opponent's.
    probs : float[6]
        Exclusive pre-roll chances for the mover.
    out : float64[wanted, 3]
        Filled. Axis 0: the cube turned 0, 1, … times more; fewer than all levels may be wanted. Axis 1: cube centred,
        owned by the mover, owned by the opponent.

    Notes
    -----
    Doubling at level k and being taken is worth ``out[k + 1, OPPONENT]``, being passed ``payoffs[k, 0]``.
    """
    levels = payoffs.shape[0]
    wanted = out.shape[0]
    passed_at, given_at = (6, 7) if payoffs.shape[1] > 6 else (0, 3)
    p, gammons, backgammons, gammons_lost, backgammons_lost = _shares(
        probs[0], probs[1], probs[2], probs[3], probs[4], probs[5]
    )
    w_up = loss_up = cash_value_up = take_value_up = take_up = 0.0
    cash_up = 1.0
    mine_up = theirs_up = 0.0
    for level in range(levels - 1, -1, -1):
        single, lost = payoffs[level, 0], payoffs[level, 3]
        passed, given = payoffs[level, passed_at], payoffs[level, given_at]
        w = single + gammons * (payoffs[level, 1] - single) + backgammons * (payoffs[level, 2] - single)
        loss = lost + gammons_lost * (payoffs[level, 4] - lost) + backgammons_lost * (payoffs[level, 5] - lost)
        dead = p * w + (1.0 - p) * loss
        centred_dead = mine_dead = theirs_dead = dead
        if level == levels - 1:
            cash, cash_value, take, take_value = _top_kinks(passed, given, w, loss, may_turn[level, 0])
        else:
            mover, opponent = may_turn[level, 0], may_turn[level, 1]
            cash, cash_value, take, take_value = _kinks(
                passed,
                given,
                w,
                loss,
                w_up,
                loss_up,
                cash_up,
                cash_value_up,
                take_up,
                take_value_up,
                mover,
                opponent,
            )
            mover_free = mover and lost - payoffs[level + 1, 5] <= SAME
            opponent_free = opponent and payoffs[level + 1, 2] - single <= SAME
            if mover_free:
                mine_dead = max(dead, min(passed, theirs_up))
                centred_dead = mine_dead
            if opponent_free:
                theirs_dead = min(dead, max(given, mine_up))
                centred_dead = theirs_dead
            if mover_free and opponent_free:
                centred_dead = dead
        if level < wanted:
            centred, mine, theirs = _live(p, w, loss, cash, cash_value, take, take_value)
            x, x_mine, x_theirs = efficiency
            out[level, 0] = x * centred + (1.0 - x) * centred_dead
            out[level, 1] = x_mine * mine + (1.0 - x_mine) * mine_dead
            out[level, 2] = x_theirs * theirs + (1.0 - x_theirs) * theirs_dead
        w_up, loss_up, cash_up, cash_value_up, take_up, take_value_up = w, loss, cash, cash_value, take, take_value
        mine_up, theirs_up = mine_dead, theirs_dead


@njit(cache=True, error_model="numpy", _nrt=False)
def wait(payoffs, may_turn, efficiency, probs, out):
    """Lower the values of a mover who turns for nothing and does not turn now, by what it costs to wait for a turn.

    Without this, waiting and doubling would tie: in `cube_values` chances move along the lines in small steps. In a
    turn they jump over the cash point, one way or the other, and the bend of the lines there costs what it costs under
    jumps with a Laplace distribution of mean size ``JUMP * (1 - x)``. The number was fitted to 400 rollouts of our own,
    of self-play positions at such scores, with cube decisions at 1 ply: errors within .1 of the cash point fall from
    .10 to .07 (EMG), beyond it from .12 to .05.

    Parameters
    ----------
    payoffs, may_turn, efficiency, probs
        As in `cube_values`.
    out : float64[wanted, 3]
        What `cube_values` filled; changed where the mover may turn the cube.
    """
    for level in range(min(out.shape[0], payoffs.shape[0] - 1)):
        if not may_turn[level, 0] or payoffs[level, 3] - payoffs[level + 1, 5] > SAME:
            continue
        p, gammons, backgammons, _, _ = _shares(probs[0], probs[1], probs[2], probs[3], probs[4], probs[5])
        row, above = payoffs[level], payoffs[level + 1]
        passed, loss = row[0], row[3]
        w = passed + gammons * (row[1] - passed) + backgammons * (row[2] - passed)
        # The other side, who wins the match with either cube, has no use for the next one: its line is straight.
        w_up = above[0] + gammons * (above[1] - above[0]) + backgammons * (above[2] - above[0])
        cash = (passed - loss) / (w_up - loss)
        if not SAME < cash < 1.0 - SAME or cash * w + (1.0 - cash) * loss > passed:
            continue
        dead = p * w + (1.0 - p) * loss
        for place in (CENTRE, MOVER):
            jump = JUMP * (1.0 - efficiency[place])
            bend = (passed - loss) / cash - efficiency[place] * (w - passed) / (1.0 - cash)
            if jump > SAME and bend > 0.0:
                cost = 0.5 * bend * jump * np.exp(-abs(p - cash) / jump)
                out[level, place] = max(out[level, place] - cost, min(out[level, place], dead))


@njit(cache=True, error_model="numpy", _nrt=False)
def cube_values_many(payoffs, may_turn, table, x, probs, out):
    """`cube_values` for many rows, each with its own table of payoffs; the lowest level is of a mover who waits.

    Parameters
    ----------
    payoffs : float64[tables, levels, 6]
        Tables with fewer levels repeat their last one with ``may_turn`` False above it.
    may_turn : bool[tables, levels, 2]
    table : int64[n]
        Which table a row uses.
    x : float
        Cube efficiency: 0 dead, 1 live.
    probs : float64[n, 6]
    out : float64[n, levels, 3]
        Filled.
    """
    for row in range(probs.shape[0]):
        cube_values(payoffs[table[row]], may_turn[table[row]], (x, x, x), probs[row], out[row])
        wait(payoffs[table[row]], may_turn[table[row]], (x, x, x), probs[row], out[row, :1])


@njit(cache=True, error_model="numpy")
def cube_values_along(payoffs, may_turn, x, probs, wins, out):
    """`cube_values` along the win chance, shares of gammons held fixed; the lowest level is of a mover who waits.

    Parameters
    ----------
    payoffs, may_turn
        As in `cube_values`.
    x : float
        Cube efficiency: 0 dead, 1 live.
    probs : float64[6]
        Fixes the shares; no gammons where there are no wins (losses).
    wins : float64[n]
        Win chances, 0–1.
    out : float64[n, levels, 3]
        Filled.
    """
    _, gammons, backgammons, gammons_lost, backgammons_lost = _shares(
        probs[0], probs[1], probs[2], probs[3], probs[4], probs[5]
    )
    row = np.empty(6)
    # The model reads shares from the chances, so both ends keep a trace of them.
    for n in range(wins.shape[0]):
        p = min(max(wins[n], 1e-300), 1.0 - 1e-16)
        row[0] = p * (1.0 - gammons - backgammons)
        row[1] = p * gammons
        row[2] = p * backgammons
        row[3] = (1.0 - p) * (1.0 - gammons_lost - backgammons_lost)
        row[4] = (1.0 - p) * gammons_lost
        row[5] = (1.0 - p) * backgammons_lost
        cube_values(payoffs, may_turn, (x, x, x), row, out[n])
        wait(payoffs, may_turn, (x, x, x), row, out[n, :1])


@njit(cache=True, error_model="numpy", _nrt=False)
def live_kinks(payoffs, may_turn, probs, out):
    """Live cash and take points at every level.

    Parameters
    ----------
    payoffs, may_turn, probs
        As in `cube_values`; of the chances only the shares of gammons count.
    out : float64[levels, 6]
        Filled: mover's cash point, value there, mover's take point, value there, W, L.
    """
    levels = payoffs.shape[0]
    passed_at, given_at = (6, 7) if payoffs.shape[1] > 6 else (0, 3)
    _, gammons, backgammons, gammons_lost, backgammons_lost = _shares(
        probs[0], probs[1], probs[2], probs[3], probs[4], probs[5]
    )
    for level in range(levels - 1, -1, -1):
        single, lost = payoffs[level, 0], payoffs[level, 3]
        passed, given = payoffs[level, passed_at], payoffs[level, given_at]
        w = single + gammons * (payoffs[level, 1] - single) + backgammons * (payoffs[level, 2] - single)
        loss = lost + gammons_lost * (payoffs[level, 4] - lost) + backgammons_lost * (payoffs[level, 5] - lost)
        if level == levels - 1:
            kinks = _top_kinks(passed, given, w, loss, may_turn[level, 0])
        else:
            kinks = _kinks(
                passed,
                given,
                w,
                loss,
                out[level + 1, 4],
                out[level + 1, 5],
                out[level + 1, 0],
                out[level + 1, 1],
                out[level + 1, 2],
                out[level + 1, 3],
                may_turn[level, 0],
                may_turn[level, 1],
            )
        out[level, 0], out[level, 1], out[level, 2], out[level, 3] = kinks
        out[level, 4], out[level, 5] = w, loss
