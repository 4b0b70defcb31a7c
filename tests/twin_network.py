"""The networks in plain Python and numpy: slots by their definitions, layers as matrix products."""

from itertools import product

import numpy as np

from cubelab.kernels import features as f


def side_view(board, side):
    """Own and other counts by place 0 … 25 in the numbering of one side (own bar 25, other side's bar 0)."""
    if side == 1:
        board = [-c for c in reversed(board)]
    return [max(c, 0) for c in board], [max(-c, 0) for c in board]


def can_hit(hitter, other, blots, dice):
    """Whether some prefix of some order of the dice hits one of `blots`, with only own checkers moving."""
    orders = [(dice[0],) * 4] if dice[0] == dice[1] else [dice, dice[::-1]]

    def walk(own, order):
        if not order:
            return False
        for source in range(1, 26):
            target = source - order[0]
            if not own[source] or (own[25] and source != 25) or target < 1 or other[target] > 1:
                continue
            if target in blots:
                return True
            after = list(own)
            after[source] -= 1
            after[target] += 1
            if walk(after, order[1:]):
                return True
        return False

    return any(walk(hitter, order) for order in orders)


def shot_count(own, other, least_loss):
    """Rolls of the other side that hit one of this side's blots standing to lose `least_loss` pips or more."""
    blots = [p for p in range(1, 25) if own[p] == 1 and 25 - p >= least_loss]
    hitter = [other[25 - p] for p in range(26)]
    mine = [own[25 - p] for p in range(26)]
    targets = {25 - p for p in blots}
    return sum(can_hit(hitter, mine, targets, dice) for dice in product(range(1, 7), repeat=2))


def mean_pips(place, other):
    """Mean pips of the rolls a checker can move by itself, 36ths of the most possible."""

    def blocked(distance):
        return distance <= 12 and place - distance >= 1 and other[place - distance] > 1

    total = 0
    for a, b in product(range(1, 7), repeat=2):
        if a == b:
            steps = 0
            while steps < 4 and not blocked((steps + 1) * a):
                steps += 1
            total += steps * a
        else:
            best = max((d for d in (a, b) if not blocked(d)), default=0)
            total += a + b if best and not blocked(a + b) else best
    return round(total / 294 * 36)


def rows(board, race):
    """Table rows of a position, as a sorted list without rows of zeros."""
    result = []
    for side in range(2):
        own, other = side_view(board, side)
        counts = [15 - sum(own), *own[1:]]
        result += [side * f.COUNT_ROWS + place * 16 + c for place, c in enumerate(counts) if c]
        standing = [p for p in range(25, 0, -1) for _ in range(own[p])] + [0, 0]
        values = [(f.REAR_BASE, 26, 2 * side, standing[0]), (f.REAR_BASE, 26, 2 * side + 1, standing[1])]
        if not race:
            for k in range(7):
                made = sum(1 << j for j in range(6) if own[1 + 3 * k + j] > 1)
                values.append((f.WINDOW_BASE, 64, 7 * side + k, made))
            for k, place in enumerate(standing[:2]):
                ahead = [place - 6 + j for j in range(6)]
                blocked = sum(1 << j for j, p in enumerate(ahead) if 1 <= p <= 24 and other[p] > 1)
                values.append((f.FRONT_BASE, 64, 2 * side + k, blocked))
                values.append((f.MOBILITY_BASE, 37, 2 * side + k, mean_pips(place, other)))
            open_points = sum(other[p] < 2 for p in range(19, 25))
            values.append((f.ENTRY_BASE, 28, side, 7 * min(own[25], 3) + open_points if own[25] else 0))
            values.append((f.SHOTS_BASE, 37, 2 * side, shot_count(own, other, 1)))
            values.append((f.SHOTS_BASE, 37, 2 * side + 1, shot_count(own, other, 13)))
        result += [base + size * k + value for base, size, k, value in values if value]
    pips = [sum(p * c for p, c in enumerate(side_view(board, side)[0])) for side in range(2)]
    result.append(f.LEAD_BASE + f.LEAD_LIMIT + int(np.clip(pips[0] - pips[1], -f.LEAD_LIMIT, f.LEAD_LIMIT)))
    return sorted(result)


def network(board, race):
    """1 race; 4 back game of the mover (two made points behind, or as many checkers, two on a place at most counted);
    5 of the opponent; 8 both behind, the mover on the bar; 6 the opponent; 7 nobody, but a point of the mover's behind;
    2 only the mover behind, 9 on the bar; 3 only the opponent, 10 on the bar; 0 else."""
    if race:
        return 1
    own, other = side_view(board, 0)
    behind, ahead = own[19:26], other[0:7]
    if sum(min(c, 2) for c in behind) >= 4:
        return 4
    if sum(min(c, 2) for c in ahead) >= 4:
        return 5
    if any(behind) == any(ahead):
        if own[25]:
            return 8
        if other[0]:
            return 6
        return 7 if any(c > 1 for c in own[19:25]) else 0
    if any(behind):
        return 9 if own[25] else 2
    return 10 if other[0] else 3


def probabilities(nets, board, race):
    """Outcome probabilities of one network on a position after a play."""
    net = network(board, race)
    sums = nets.bias[net].astype(int) + nets.tables[[r + net * f.ROWS for r in rows(board, race)]].astype(int).sum(
        axis=0
    )
    units = np.clip(sums * float(nets.scales[net]), 0, 1)
    second = np.clip(units @ nets.w2[net].astype(float) + nets.b2[net], 0, 1)
    logits = second @ nets.w3[net].astype(float) + nets.b3[net]
    own, other = side_view(board, 0)
    possible = [True, sum(other) == 15, sum(other) == 15, True, sum(own) == 15, sum(own) == 15]
    if race:
        possible[2] &= any(other[p] for p in range(7))
        possible[5] &= any(own[p] for p in range(19, 26))
    weights = np.where(possible, np.exp(logits[:6] - logits[:6].max()), 0.0)
    return weights / weights.sum()
