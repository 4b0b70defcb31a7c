"""Legal plays by the rules' own words, slowly: every dice order, every checker, then the clauses on forced use.

Independent of the kernel: boards are dictionaries, nothing is pruned, duplicates fall away at the end.
"""

from itertools import permutations


def results(board, die1, die2):
    """Set of resulting boards (tuples, mover's view); empty when no checker can move."""
    numbers = [die1] * 4 if die1 == die2 else [die1, die2]
    ends = set()  # (numbers used, board)
    for order in set(permutations(numbers)):
        _go(dict(enumerate(board)), order, (), ends)
    most = max(len(used) for used, _ in ends)
    if most == 0:
        return set()
    best = [(used, end) for used, end in ends if len(used) == most]
    if most == 1 and die1 != die2:  # either number, but not both: the higher
        high = max(used[0] for used, _ in best)
        best = [(used, end) for used, end in best if used[0] == high]
    return {end for _, end in best}


def _go(board, order, used, ends):
    moved = False
    if order:
        for place in range(1, 26):
            after = _hop(board, place, order[0])
            if after is not None:
                moved = True
                _go(after, order[1:], (*used, order[0]), ends)
    if not moved:
        ends.add((used, tuple(board[place] for place in range(26))))


def _hop(board, place, die):
    if board[place] <= 0 or (board[25] > 0 and place != 25):
        return None
    target = place - die
    if target <= 0:
        if any(board[p] > 0 for p in range(7, 26)):
            return None
        if target < 0 and any(board[p] > 0 for p in range(place + 1, 7)):
            return None
    elif board[target] <= -2:
        return None
    after = dict(board)
    after[place] -= 1
    if target > 0:
        if after[target] == -1:
            after[target] = 0
            after[0] -= 1
        after[target] += 1
    return after
