"""The cube model in slow plain Python, written apart from the kernel: lines as functions, points by bisection."""

from __future__ import annotations

import math
from itertools import pairwise


def averages(payoffs, probs):
    """Average payoff of a win and of a loss."""
    win, lose = sum(probs[:3]), sum(probs[3:])
    w = sum(p * v for p, v in zip(probs[:3], payoffs[:3], strict=True)) / win if win > 1e-305 else payoffs[0]
    loss = sum(p * v for p, v in zip(probs[3:], payoffs[3:6], strict=True)) / lose if lose > 1e-305 else payoffs[3]
    return w, loss


def through(*points):
    """The function that runs straight through points sorted by their first number."""

    def value(p):
        for (p0, v0), (p1, v1) in pairwise(points):
            if p <= p1:
                return v1 if p1 == p0 else v0 + (v1 - v0) * (p - p0) / (p1 - p0)
        return points[-1][1]

    return value


def crossing(function, target):
    """Where a rising function reaches a value; None if not strictly between 0 and 1, rounding apart."""
    rounding = 1e-12 * (function(1.0) - function(0.0))
    if not function(0.0) + rounding < target < function(1.0) - rounding:
        return None
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < target else (low, middle)
    return (low + high) / 2


def values(payoffs, may_turn, x, probs):
    """Values [level][centred, mover, opponent] for a cube that ends at the last level."""
    p = sum(probs[:3]) / sum(probs)
    answer = []
    mine_above = theirs_above = None
    dead_mine_above = dead_theirs_above = None
    for level in reversed(range(len(payoffs))):
        row = list(payoffs[level])
        w, loss = averages(row, probs)
        passed, given = row[6:8] or (row[0], row[3])
        dead = p * w + (1 - p) * loss
        cash = take = None
        free = [False, False]
        if level + 1 < len(payoffs):
            above = payoffs[level + 1]
            if may_turn[level][0]:
                cash = crossing(theirs_above, passed)
                free[0] = row[3] - above[5] <= 1e-12
            if may_turn[level][1]:
                take = crossing(mine_above, given)
                free[1] = above[2] - row[0] <= 1e-12
        upper = [] if cash is None else [(cash, max(passed, cash * w + (1 - cash) * loss))]
        lower = [] if take is None else [(take, min(given, take * w + (1 - take) * loss))]
        mine, theirs = through((0, loss), *upper, (1, w)), through((0, loss), *lower, (1, w))
        if upper and lower and take >= cash:
            inner = [((take + cash) / 2, (upper[0][1] + lower[0][1]) / 2)]
        else:
            inner = [*lower, *upper]
        centred = through((0, loss), *inner, (1, w))
        dead_mine = max(dead, min(passed, dead_theirs_above)) if free[0] else dead
        dead_theirs = min(dead, max(given, dead_mine_above)) if free[1] else dead
        live = [centred(p), mine(p), theirs(p)]
        dead_centred = dead if free[0] == free[1] else dead_mine if free[0] else dead_theirs
        answer.insert(
            0,
            [
                x * moving + (1 - x) * still
                for moving, still in zip(live, (dead_centred, dead_mine, dead_theirs), strict=True)
            ],
        )
        mine_above, theirs_above = mine, theirs
        dead_mine_above, dead_theirs_above = dead_mine, dead_theirs
    return answer


def waiting(payoffs, may_turn, x, probs):
    """Cost of waiting a turn at the lowest level: a bend of the line under Laplace jumps, by numerical integration."""
    above, row, p = payoffs[1], payoffs[0], sum(probs[:3]) / sum(probs)
    (w, loss), (w_up, loss_up) = averages(row, probs), averages(above, probs)
    if not may_turn[0][0] or row[3] - above[5] > 1e-12 or x == 1:
        return 0.0
    passed = row[0]
    cash = crossing(through((0, loss_up), (1, w_up)), passed)
    if cash is None or cash * w + (1 - cash) * loss > passed:
        return 0.0
    jump = 0.25 * (1 - x)

    def lines(q):  # live and dead beyond the cash point, both on the way there; straight on beyond 0 and 1
        low = loss + (passed - loss) * q / cash
        high = passed + (q - cash) * x * (w - passed) / (1 - cash)
        return low if q <= cash else high

    steps, width = 20_000, 40 * jump
    ends = [width * (k + 0.5) / steps for k in range(steps)]
    mean = sum((lines(p + d) + lines(p - d)) * math.exp(-d / jump) for d in ends) * width / steps / (2 * jump)
    return max(lines(p) - mean, 0.0)


def free(table, side, level):
    """Whether turning the cube costs `side` nothing: it loses the match at this cube already."""
    payoffs = table.payoffs[side]
    may = level + 1 < len(payoffs) and table.may_turn[side, level, 0]
    return bool(may and payoffs[level][3] <= payoffs[level + 1][5] + 1e-12)


def close_plays(table, side, levels, outcomes):
    """Places of the plays that static chances put within a tenth of the best, at one of these cube levels."""
    found = set()
    for level in levels:
        payoffs = table.payoffs[side, level]
        worths = [float(payoffs @ probs) for probs in outcomes]
        least = max(worths) - (0.05 * (payoffs[0] - payoffs[3]) if len(table.payoffs[side]) > 1 else 0.0)
        found |= {play for play, worth in enumerate(worths) if worth >= least}
    return sorted(found)
