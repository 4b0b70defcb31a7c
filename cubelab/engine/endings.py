"""Exact bearoffs at any stakes: matches at every score, capped cubes, beavers, immediate redoubles.

The two-sided tables of `engine.bearoff` hold money play; a match score has its own payoffs, so its endings are solved
on demand, for the positions that can still come up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ..cube.decision import CubeDecision, decision_from_values
from ..errors import IllegalRules
from ..game import MatchState, Position, Probabilities, Rules, Scoring, Situation
from ..kernels import bearoff as tables
from ..score import MatchEquityTable, PipCounts, Stakes
from .evaluator import CubeValues
from .search import checked_situation

#: Levels written out where the cube goes on doubling: so many turns in so short a race are as good as impossible.
_ENDLESS = 14


@dataclass(frozen=True, slots=True)
class _States:
    """States of the cube that can come up, as the kernel reads them; the first is the one at the root."""

    win: np.ndarray
    lose: np.ndarray
    allowed: np.ndarray
    ladder: np.ndarray


@lru_cache(maxsize=1)
def _counts() -> np.ndarray:
    """Checkers on the points 1 to 6 of every home position of at most 6 checkers, by index."""
    counts = np.zeros((tables.TWO_SIDED_POSITIONS, tables.POINTS), np.int8)
    tables.all_positions(tables.rank_table(tables.POINTS, tables.TWO_SIDED_CHECKERS), counts)
    return counts


def _pip_counts() -> np.ndarray:
    return _counts() @ np.arange(1, tables.POINTS + 1)


@lru_cache(maxsize=1)
def _successors() -> tuple[np.ndarray, np.ndarray]:
    """Results of every roll from every home position of at most 6 checkers, without those never worth playing."""
    from ..kernels.endings import best_successors

    rank = tables.rank_table(tables.POINTS, tables.TWO_SIDED_CHECKERS)
    steps = np.zeros((tables.TWO_SIDED_POSITIONS, 6, tables.POINTS), np.int32)
    tables.single_steps(rank, _counts(), steps)
    starts = np.zeros(tables.TWO_SIDED_POSITIONS * 36 + 1, np.int32)
    entries = tables.successor_lists(steps, starts)
    return best_successors(starts, entries, _pip_counts())


@lru_cache(maxsize=4096)
def _reached(index: int) -> np.ndarray:
    """Home positions that plays can lead to.

    Returns
    -------
    int32[3, n]
        The positions ascending, itself last; the fewest and the most plays that lead there.
    """
    starts, entries = _successors()
    fewest = np.full(index + 1, np.iinfo(np.int32).max, dtype=np.int32)
    most = np.full(index + 1, -1, dtype=np.int32)
    fewest[index] = most[index] = 0
    # Every play lowers the index.
    for here in range(index, 0, -1):
        if most[here] < 0:
            continue
        after = entries[starts[36 * here] : starts[36 * here + 36]]
        fewest[after] = np.minimum(fewest[after], fewest[here] + 1)
        most[after] = np.maximum(most[after], most[here] + 1)
    positions = np.flatnonzero(most >= 0)
    return np.array([positions, fewest[positions], most[positions]], dtype=np.int32)


def _states(stakes: Stakes) -> _States:
    payoffs, may_turn = stakes.payoffs[:, [0, 3]], stakes.may_turn
    if stakes.pips is not None:
        # The kernel multiplies by the pips of each position.
        payoffs = np.outer(2.0 ** np.arange(stakes.levels), [1.0, -1.0])
    if may_turn[-1].any():
        more = 2.0 ** np.arange(1, _ENDLESS - len(payoffs) + 1)
        payoffs = np.vstack([payoffs, payoffs[-1] * more[:, None]])
        may_turn = np.vstack([may_turn, np.ones((len(more), 2), dtype=bool)])
        may_turn[-1] = False
    immediate = stakes.immediate_redouble
    further = len(payoffs) if immediate else stakes.beavers

    def can(level: int, owner: int, side: int) -> bool:
        return owner in (0, side + 1) and bool(may_turn[level, side]) and level + 1 < len(payoffs)

    states = [(0, stakes.axis)]
    ladders: list[list[list[tuple[int, int]]]] = []
    for level, owner in states:  # grows while it is walked
        both = []
        for side in (0, 1):
            ladder = []
            if can(level, owner, side):
                taker = 1 - side
                ladder.append((level + 1, taker + 1))
                while len(ladder) <= further:
                    at, holder = ladder[-1]
                    turning = (taker + len(ladder) - 1) % 2
                    if at + 1 >= len(payoffs) or not may_turn[at, turning]:
                        break
                    ladder.append((at + 1, 2 - turning if immediate else holder))
            states.extend(state for state in ladder if state not in states)
            both.append(ladder)
        ladders.append(both)
    longest = max(1, *(len(ladder) for both in ladders for ladder in both))
    table = np.full((2, len(states), longest), -1, dtype=np.int64)
    for at, both in enumerate(ladders):
        for side, ladder in enumerate(both):
            for step, state in enumerate(ladder):
                table[side, at, step] = states.index(state)
    levels = np.array([level for level, _ in states])
    return _States(
        np.ascontiguousarray(payoffs[levels, 0]),
        np.ascontiguousarray(payoffs[levels, 1]),
        np.ascontiguousarray(table[:, :, 0] >= 0),
        table,
    )


def in_range(position: Position) -> bool:
    """Whether both sides have all of at most 6 checkers home and at least one left."""
    board = position.array
    if not tables.is_bearoff(board):
        return False
    return all(0 < index < tables.TWO_SIDED_POSITIONS for index in tables.home_indices(board))


def beyond_tables(position: Position, stakes: Stakes) -> bool:
    """Whether a short bearoff has stakes that the two-sided tables do not hold: a match, a cap, beavers."""
    plain = stakes.money and stakes.may_turn[-1].any() and not (stakes.beavers or stakes.immediate_redouble)
    return not plain and in_range(position)


def ending_values(position: Position, stakes: Stakes) -> CubeValues | None:
    """Exact values of a short bearoff, the mover about to roll.

    Parameters
    ----------
    position : Position
    stakes : Stakes
        Any score and rules that stakes hold.

    Returns
    -------
    CubeValues or None
        None where a side has more than 6 checkers, or one not home.
    """
    if not in_range(position):
        return None
    mover, opponent = tables.home_indices(position.array)
    return _solved(int(mover), int(opponent), stakes)


def pips_without_cube(position: Position) -> float:
    """Points that a short bearoff is worth to the mover under pip scoring if nobody ever doubles."""
    rules = Rules(scoring=Scoring.PIPS, cube_in_use=False)
    situation = Situation(position, match=MatchState(rules=rules))
    values = ending_values(position, Stakes.of(situation.match, situation.cube, pips=ending_pips(situation)))
    assert values is not None
    return values.no_double


@lru_cache(maxsize=1024)
def _solved(mover: int, opponent: int, stakes: Stakes) -> CubeValues:
    from ..kernels.endings import LANES, solve_ending

    lists = [_reached(mover), _reached(opponent)]
    places = np.full((2, tables.TWO_SIDED_POSITIONS), -1, dtype=np.int32)
    counts = np.array([found.shape[1] for found in lists])
    reached = np.full((2, 3, counts.max()), -1, dtype=np.int32)
    for side, found in enumerate(lists):
        places[side, found[0]] = np.arange(counts[side])
        reached[side, :, : counts[side]] = found
    paid = np.ones((2, counts.max()))
    if stakes.pips is not None:
        for side, found in enumerate(lists):
            paid[side, : counts[side]] = _pip_counts()[found[0]]
    states = _states(stakes)
    # One more state, never left, is the game without a cube: its value is the win chance under best play. The rest
    # fills the block.
    used = len(states.win)
    more = -(used + 1) % LANES + 1
    values = np.empty(used + more)
    solve_ending(
        *_successors(),
        places,
        reached,
        counts,
        paid,
        np.append(states.win, np.ones(more)),
        np.append(states.lose, np.zeros(more)),
        np.hstack([states.allowed, np.zeros((2, more), dtype=bool)]),
        np.concatenate([states.ladder, np.full((2, more, states.ladder.shape[2]), -1, dtype=np.int64)], axis=1),
        stakes.immediate_redouble,
        np.empty((*counts, used + more)),
        values,
    )
    if stakes.pips is not None:
        plain = MatchState(rules=replace(stakes.match.rules, scoring=Scoring.STANDARD))
        chance = _solved(mover, opponent, Stakes.of(plain, stakes.cube)).probabilities.win
    else:
        chance = min(max(float(values[used]), 0.0), 1.0)
    doubled = states.ladder[0, 0, 0]
    again = _turned_again(values, states, stakes.immediate_redouble, paid[0, counts[0] - 1], paid[1, counts[1] - 1])
    return CubeValues(
        Probabilities(chance, 0.0, 0.0, 1.0 - chance, 0.0, 0.0),
        float(values[0]),
        float(values[doubled]) if doubled >= 0 else float("nan"),
        exact=True,
        double_beaver=None if stakes.immediate_redouble else again,
        double_redouble=again if stakes.immediate_redouble else None,
    )


def _turned_again(values, states: _States, immediate: bool, mine: float, theirs: float) -> float | None:
    """Value once the mover has doubled and the opponent turned the cube again at once; None if the rules forbid it.

    Further turns follow as is best for each side; `mine`, `theirs` is what giving up costs, times the cube.
    """
    ladder = [int(state) for state in states.ladder[0, 0] if state >= 0]
    if len(ladder) < 2:
        return None
    value = float(values[ladder[-1]])
    for step in range(len(ladder) - 2, 0, -1):
        here = ladder[step]
        if step % 2:  # the mover may turn it
            value = min(value, states.win[here] * theirs) if immediate else value
            value = max(value, float(values[here]))
        else:
            value = max(value, states.lose[here] * mine) if immediate else value
            value = min(value, float(values[here]))
    return max(value, float(states.lose[ladder[0]] * mine)) if immediate else value


def ending_decision(situation: Situation, met: MatchEquityTable | str | None = None) -> CubeDecision | None:
    """Exact cube decision of a short bearoff; None outside the range.

    Parameters
    ----------
    situation : Situation
    met : MatchEquityTable or str, optional
    """
    if not in_range(checked_situation(situation).position):
        return None
    stakes = Stakes.of(situation.match, situation.cube, met, pips=ending_pips(situation))
    values = ending_values(situation.position, stakes)
    assert values is not None
    return decision_from_values(
        values.no_double,
        values.double_take,
        stakes,
        None if stakes.pips is not None else values.probabilities,
        model="exact bearoff",
        redoubled=values.double_redouble,
        beavered=values.double_beaver,
        exact=True,
    )


def ending_pips(situation: Situation) -> PipCounts | None:
    """Pip counts of a short bearoff under pip scoring; None elsewhere.

    They hold what a pass costs. What a lost game costs is solved, so the counts now stand in the results' places.

    Raises
    ------
    IllegalRules
        Pip scoring in a position out of range.
    """
    if situation.match.rules.scoring is not Scoring.PIPS:
        return None
    if not in_range(situation.position):
        raise IllegalRules(
            "under pip scoring the engine decides bearoffs of at most 6 checkers a side; "
            "elsewhere decide() judges chances and PipCounts that you give"
        )
    mine, theirs = situation.position.pips, situation.position.opponent_pips
    return PipCounts(mine, theirs, (theirs,) * 3 + (mine,) * 3)
