"""Short bearoffs solved in plain Python straight from the rules: no stakes, no tables, every cube action tried."""

from __future__ import annotations

from functools import cache

from cubelab.game import Scoring
from cubelab.score import MatchEquityTable

ROLLS = [(a, b, (1 if a == b else 2) / 36) for a in range(1, 7) for b in range(1, a + 1)]


def one_die(checkers, die):
    """Results of playing one number; checkers is the sorted tuple of their points."""
    if not checkers:
        return {()}
    found = set()
    for point in set(checkers):
        rest = list(checkers)
        rest.remove(point)
        if point > die:
            rest.append(point - die)
        elif point < die and point != max(checkers):
            continue
        found.add(tuple(sorted(rest)))
    return found


@cache
def plays(checkers, die1, die2):
    """Results of a roll, both dice in either order, doubles four times."""
    orders = [(die1,) * 4] if die1 == die2 else [(die1, die2), (die2, die1)]
    found = set()
    for order in orders:
        now = {checkers}
        for die in order:
            now = {after for before in now for after in one_die(before, die)}
        found |= now
    return found


class Game:
    """One game under a match state, seen by the side that rolls at the root (0); the cube has a value and an owner."""

    def __init__(self, match, met="kazaross-xg2"):
        self.match, self.rules = match, match.rules
        self.table = None if match.money else MatchEquityTable.load(met)
        self.memo = {}

    def worth(self, winner, cube, men):
        """What winning the cube is worth to side 0, the loser having these men left."""
        sign = 1 if winner == 0 else -1
        if self.rules.scoring is Scoring.PIPS:
            return sign * cube * sum(men[1 - winner])
        if self.match.money:
            return sign * cube
        after = self.match.after(cube, 0) if winner == 0 else self.match.after(0, cube)
        return (1.0 if winner == 0 else 0.0) if after is None else self.table.mwc(after)

    def may(self, side, cube, owner):
        """Whether a side may turn the cube, by the rules; a dead cube does no harm and is left to the minimax."""
        rules = self.rules
        return (
            rules.cube_in_use
            and not self.match.crawford
            and owner in (None, side)
            and (rules.cube_cap is None or 2 * cube <= rules.cube_cap)
            and cube < 2**8  # more turns than so short a game has
        )

    def pick(self, side, *values):
        return max(values) if side == 0 else min(values)

    def rolled(self, men, side, cube, owner):
        """A side rolls without turning the cube."""
        key = (men, side, cube, owner)
        if key not in self.memo:
            total = 0.0
            for die1, die2, weight in ROLLS:
                values = []
                for mine in plays(men[side], die1, die2):
                    after = (mine, men[1]) if side == 0 else (men[0], mine)
                    values.append(self.acted(after, 1 - side, cube, owner) if mine else self.worth(side, cube, after))
                total += weight * self.pick(side, *values)
            self.memo[key] = total
        return self.memo[key]

    def acted(self, men, side, cube, owner):
        """A side about to roll turns the cube or not, as is best for it."""
        plain = self.rolled(men, side, cube, owner)
        if not self.may(side, cube, owner):
            return plain
        return self.pick(side, plain, self.doubled(men, side, cube))

    def doubled(self, men, side, cube):
        """The other side passes, takes or turns the cube again at once."""
        other = 1 - side
        return self.pick(other, self.worth(side, cube, men), self.taken(men, side, 2 * cube, other, self.rules.beavers))

    def taken(self, men, side, cube, owner, left, turner=None):
        """The double is taken; `left` further immediate turns are allowed, the next by `turner`."""
        turner = owner if turner is None else turner
        plain = self.rolled(men, side, cube, owner)
        allowed = self.rules.cube_cap is None or 2 * cube <= self.rules.cube_cap
        if self.rules.immediate_redouble and allowed and cube < 64:
            again = self.taken(men, side, 2 * cube, 1 - owner, 0)
            return self.pick(owner, plain, self.pick(1 - owner, self.worth(owner, cube, men), again))
        if left and allowed:
            return self.pick(turner, plain, self.taken(men, side, 2 * cube, owner, left - 1, 1 - turner))
        return plain
