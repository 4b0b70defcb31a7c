"""A rollout trial in plain Python, written from its description: every branch plays its own game, nothing is shared.

Dice, legal boards, static chances and the cube model come from kernels that have twins of their own.
"""

from __future__ import annotations

import numpy as np
from twin_cube import close_plays, free

from cubelab.engine.neural import load_nets
from cubelab.engine.pruning import load_pruner
from cubelab.kernels import rollout as kernel
from cubelab.kernels.bearoff import is_bearoff, two_sided_row
from cubelab.kernels.cube import cube_values, wait
from cubelab.kernels.features import count_row
from cubelab.kernels.moves import MAX_PLAYS, legal_boards
from cubelab.kernels.pruning import ONE, SCORE
from cubelab.kernels.search import HIGH, LOW, WEIGHT, efficiency_of
from cubelab.kernels.static import evaluate_many

CENTRED, OWNED, THEIRS = 0, 1, 2
MIRRORED = {CENTRED: CENTRED, OWNED: THEIRS, THEIRS: OWNED}
SWAP = [3, 4, 5, 0, 1, 2]


def pruning_kind(board: np.ndarray) -> int:
    """Which of the pruning networks ranks the plays of a roller."""
    behind, ahead = (board[19:] > 0).any(), (board[:7] < 0).any()
    if np.abs(board).sum() < 30 and (behind or ahead):
        return 6 if behind else 7
    return int(4 * (board[25] > 0) or 2 * behind) + int(ahead)


class TrialTwin:
    """Trials of a rollout, one at a time.

    Parameters
    ----------
    table, plan
        What the kernel is given.
    board : int8[26]
    """

    def __init__(self, table, plan, board: np.ndarray):
        self.table, self.plan, self.board = table, plan, board
        self.nets, self.pruner = load_nets(), load_pruner()
        self.top = table.payoffs.shape[1]
        self.buffer = np.empty((MAX_PLAYS, 26), np.int8)

    def static(self, afters: np.ndarray) -> np.ndarray:
        """Chances after plays, for the side that made them."""
        out = np.empty((len(afters), 6), np.float32)
        evaluate_many(self.nets, np.ascontiguousarray(afters), len(afters), out)
        return out.astype(float)

    def plays(self, board: np.ndarray, roll: int) -> np.ndarray:
        count = legal_boards(board, HIGH[roll], LOW[roll], self.buffer)
        return self.buffer[:count].copy() if count else board.reshape(1, 26).copy()

    def pruned(
        self, side: int, board: np.ndarray, roll: int, level: int, cubes: int, most: int, margin: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """The plays that the pruning network puts first, with their chances."""
        afters = self.plays(board, roll)
        if len(afters) > 2 and most and not is_bearoff(board):
            kept = np.zeros(len(afters), bool)
            for cube in range(level, min(level + cubes, self.top)):
                scores = self.pruning_scores(board, afters, self.table.payoffs[side, self.table.groups[cube]])
                kept |= scores >= self.least(scores, most, margin)
            afters = afters[kept]
        return afters, self.static(afters)

    def pruning_scores(self, board: np.ndarray, afters: np.ndarray, payoffs: np.ndarray) -> np.ndarray:
        kind = pruning_kind(board)
        table, bias, readout = (part[kind] for part in self.pruner)
        swing = payoffs[0] - payoffs[3]
        gammons, backgammons = payoffs[[1, 4]] - payoffs[[0, 3]], payoffs[[2, 5]] - payoffs[[1, 4]]
        worth = np.array([swing, *gammons, *backgammons])
        weights = np.clip(worth @ readout.astype(float) * (SCORE / swing), -32767, 32767)
        weights = np.trunc(weights).astype(np.int64)
        scores = []
        for after in afters:
            units = bias.astype(np.int64)
            for place in range(26):
                if after[place]:
                    units = units + table[count_row(after, place)]
            scores.append(int(np.clip(units, 0, ONE) @ weights))
        return np.array(scores)

    def least(self, scores: np.ndarray, most: int, margin: float) -> int:
        """The least score that is not pruned."""
        return max(np.sort(scores)[-min(most, len(scores))], scores.max() - int(margin * (SCORE * ONE // 2)))

    def exact(self, side: int, board: np.ndarray) -> np.ndarray | None:
        if not self.table.exact or not is_bearoff(board):
            return None
        row = two_sided_row(self.nets.bearoff, board)
        if row < 0:
            return None
        centred, owned, theirs = (self.nets.bearoff.two_sided[row, k] for k in (2, 1, 3))
        return self.table.payoffs[side, :, :1] * np.array([centred, owned, theirs])

    def node(self, side: int, board: np.ndarray, probs: np.ndarray, ply: int) -> np.ndarray:
        """Values before a cube action of the side about to roll, by cube level and place."""
        known = self.exact(side, board)
        if known is not None:
            return known
        values = np.zeros((self.top, 3))
        if ply == 0:
            x = efficiency_of(self.table.efficiency, board, probs)
            cube_values(self.table.payoffs[side], self.table.may_turn[side], x, probs, values)
            wait(self.table.payoffs[side], self.table.may_turn[side], x, probs, values)
            return values
        for roll in range(21):
            afters = self.plays(board, roll)
            outcomes = self.static(afters)
            for level in range(self.top):
                for place in (CENTRED, OWNED, THEIRS):
                    best = self.best(side, range(self.top), level, place, afters, outcomes)
                    values[level, place] += WEIGHT[roll] * self.after(
                        side, afters[best], outcomes[best], level, place, ply - 1
                    )
        return values

    def worths(self, side: int, level: int, place: int, afters: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Of plays with these static chances, the cube counted, for the side that makes them."""
        worths = [self.after(side, *play, level, place, 0) for play in zip(afters, outcomes, strict=True)]
        return np.array(worths) + 1e-6 * outcomes @ self.table.payoffs[side, level]

    def best(self, side: int, levels: range, level: int, place: int, afters: np.ndarray, outcomes: np.ndarray) -> int:
        """The best of the plays that are close at one of the levels."""
        close = close_plays(self.table, side, levels, outcomes)
        return close[int(np.argmax(self.worths(side, level, place, afters[close], outcomes[close])))]

    def after(self, side: int, after: np.ndarray, outcome: np.ndarray, level: int, place: int, ply: int) -> float:
        """Value of a play for the side that made it."""
        if not (after[1:] > 0).any():
            return float(outcome @ self.table.payoffs[side, level])
        below = self.node(1 - side, -after[::-1], outcome[SWAP], ply)
        return -self.acted(1 - side, below, level, MIRRORED[place])

    def chances(self, side: int, after: np.ndarray, outcome: np.ndarray, ply: int) -> np.ndarray:
        """Chances after a play, for the side that made it, along the best replies at the present cube."""
        below = -after[::-1]
        if ply == 0 or not (after[1:] > 0).any() or self.exact(1 - side, below) is not None:
            return outcome
        total = np.zeros(6)
        for roll in range(21):
            afters = self.plays(below, roll)
            outcomes = self.static(afters)
            total += WEIGHT[roll] * outcomes[self.best(1 - side, range(self.top), 0, CENTRED, afters, outcomes)]
        return total[SWAP]

    def acted(self, side: int, values: np.ndarray, level: int, place: int) -> float:
        """Value once the side about to roll has doubled or not, as is best for it."""
        if place == THEIRS or not self.table.may_turn[side, level, 0] or level + 1 >= self.top:
            return values[level, place]
        return max(values[level, place], min(self.doubled(side, values, level), self.table.payoffs[side, level, 0]))

    def doubled(self, side: int, values: np.ndarray, level: int) -> float:
        """Value of having doubled and been taken, the taker turning the cube again or not."""
        taken = values[level + 1, THEIRS]
        if self.table.beavers and taken < 0:
            taken *= 2
        if self.table.redoubles and level + 2 < self.top and self.table.may_turn[side, level + 1, 1]:
            passed = self.table.payoffs[side, level + 1, 3]
            taken = min(taken, max(values[level + 2, OWNED], passed))
        return taken

    def trial(self, number: int) -> np.ndarray:
        """The row of each branch."""
        return np.array([self.game(number, *start) for start in zip(self.plan.levels, self.plan.places, strict=True)])

    def game(self, number: int, level: int, place: int) -> np.ndarray:
        plan, table, board, clock = self.plan, self.table, self.board, 0
        probs = self.static((-board[::-1]).reshape(1, 26))[0][SWAP]
        luck, luck_probs = 0.0, np.zeros(6)
        turns, first = 0, -1

        def row(side: int, value: float, chances: np.ndarray, ending: int) -> np.ndarray:
            sign, mine = (1, chances) if side == 0 else (-1, chances[SWAP])
            sums = [sign * value - luck, sign * value, *(mine - luck_probs), *mine]
            return np.array([*sums, clock, level, ending, turns, first])

        while True:
            side = clock % 2
            stop, may_act = clock >= plan.truncate, clock > 0 or bool(plan.act_first)
            values = self.exact(side, board)
            if values is None and stop:
                values = self.node(side, board, probs, 0)
            if values is None and self.top == 1 and is_bearoff(board):
                values = np.full((1, 3), probs @ table.payoffs[side, 0])
            if values is not None:
                value = self.acted(side, values, level, place) if may_act else values[level, place]
                ending = kernel.TRUNCATED if stop and not is_bearoff(board) else kernel.EXACT
                return row(side, value, probs, ending)
            if may_act and place != THEIRS and table.may_turn[side, level, 0] and level + 1 < self.top:
                values = self.node(side, board, probs, plan.cube_ply)
                taken, cash = self.doubled(side, values, level), table.payoffs[side, level, 0]
                tie = abs(min(taken, cash) - values[level, place]) <= 1e-12
                if min(taken, cash) > values[level, place] or (tie and free(table, side, level)):
                    turns, first = turns + 1, clock if first < 0 else first
                    if taken > cash:
                        return row(side, cash, probs, kernel.PASSED)
                    again = taken < values[level + 1, THEIRS] and level + 2 < self.top
                    level, place = level + 1 + again, THEIRS
                    if again and table.redoubles:
                        turns, place = turns + 1, OWNED
            thrown = kernel.roll_number(plan.seed, number, clock)
            mean, mean_probs = 0.0, np.zeros(6)
            for roll in range(21) if plan.reduce else ():
                afters, outcomes = self.pruned(side, board, roll, level, 1, kernel.LUCK_KEPT, kernel.LUCK_MARGIN)
                best = int(np.argmax(outcomes @ table.payoffs[side, level]))
                value = self.after(side, afters[best], outcomes[best], level, place, plan.luck_ply)
                chances = self.chances(side, afters[best], outcomes[best], plan.luck_ply)
                mean, mean_probs = mean + WEIGHT[roll] * value, mean_probs + WEIGHT[roll] * chances
                if roll == thrown:
                    reached, reached_probs = value, chances
            deep = clock < plan.deep_moves
            race = np.flatnonzero(board > 0)[-1] < np.flatnonzero(board < 0)[0]
            most = 0 if deep else kernel.RACE_KEPT if race else kernel.PLAYS_KEPT
            afters, outcomes = self.pruned(side, board, thrown, level, 2, most, kernel.PLAYS_MARGIN)
            if deep:
                chosen = self.deep(side, afters, outcomes, level, place)
            else:
                chosen = self.best(side, range(level, min(level + 2, self.top)), level, place, afters, outcomes)
            played, played_probs = afters[chosen], outcomes[chosen]
            if plan.reduce:
                sign, order = (1, slice(None)) if side == 0 else (-1, SWAP)
                luck += sign * (reached - mean)
                luck_probs = luck_probs + (reached_probs - mean_probs)[order]
            board, probs, clock, place = -played[::-1], played_probs[SWAP], clock + 1, MIRRORED[place]
            if not (played[1:] > 0).any():
                return row(1 - side, float(probs @ table.payoffs[1 - side, level]), probs, kernel.PLAYED)

    def deep(self, side: int, afters, outcomes, level: int, place: int) -> int:
        """The best of the leading plays, looked at more deeply."""
        payoffs, worth = self.table.payoffs[side, level], self.worths(side, level, place, afters, outcomes)
        margin = kernel.MARGIN * (payoffs[0] - payoffs[3]) / 2
        order = [k for k in np.argsort(-worth, kind="stable") if worth[k] >= worth.max() - margin]
        values = [
            self.after(side, afters[k], outcomes[k], level, place, self.plan.play_ply)
            for k in order[: kernel.CANDIDATES]
        ]
        return order[int(np.argmax(values))]
