"""Rollout trials: games played to the end by the evaluator, with the cube in play and luck taken out.

A trial plays one game for every *branch* on the same dice. For a cube decision the branches are the mover not doubling
and the mover having doubled and been taken. Branches share all work while they stand in the same position.

Plays are chosen by static values with the cube. Luck adjustment: before each roll the value of the position after a
good reply (by its chances alone) is computed for all 21 rolls; the value after the roll thrown less their average has
mean zero whatever the evaluator's errors, so subtracting the sum leaves the mean of the results as it is and takes most
of their spread away.

Steps that have one caller are inlined before they are compiled: every function compiled by itself is optimised again in
each of its callers, which is most of the first minute.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .bearoff import is_bearoff
from .cube import SAME
from .moves import MAX_PLAYS, legal_boards
from .network import Workspace, new_workspace
from .pruning import PruningWork, keep_marked, mark_best, new_pruning_work, set_parent
from .search import (
    CENTRED,
    HIGH,
    LOW,
    OWNED,
    THEIRS,
    WEIGHT,
    Scratch,
    best_play,
    doubled_value,
    flip_board,
    is_over,
    look_ahead,
    new_scratch,
    settled,
    swap_sides,
    utility_of,
    valued,
    worth_ahead,
    worth_now,
)
from .static import RACE, evaluate_series, position_class
from .trial_dice import roll_number
from .vectors import changed_places, copy_board

#: Columns of the row a trial leaves for each branch. Values and chances are the root mover's: adjusted, then raw.
VALUE, RAW_VALUE, PROBS, RAW_PROBS = 0, 1, 2, 8
#: Half-moves played; cube level at the end; how the game ended; cube turns; half-move of the first turn (-1 none).
LENGTH, LEVEL, ENDING, TURNS, FIRST_TURN = 14, 15, 16, 17, 18
COLUMNS = 19
#: How a game ended.
PLAYED, PASSED, EXACT, TRUNCATED = 0, 1, 2, 3

#: Plays the static evaluation puts within this (in units of half the swing between a single win and loss) of its best,
#: and at most this many, are compared more deeply where trials play at 1 or 2 ply.
MARGIN, CANDIDATES = 0.16, 8
#: Plays of a roll that the pruning network leaves, at most, and how much less than its best they may score (in units of
#: half the swing between a single win and loss): of the roll that is played, and of all rolls for the luck, where a
#: play missed costs only a little spread. Half-moves played deeper prune nothing. In races many plays are nearly the
#: same: four of them lose .0006 points a roll (eight .0002), in contact eight lose .0008.
PLAYS_KEPT, RACE_KEPT, PLAYS_MARGIN = 8, 4, 0.15
LUCK_KEPT, LUCK_MARGIN = 3, 0.12
#: So few plays are all evaluated.
_FEW = 2


class Plan(NamedTuple):
    """Settings of the trials and where each branch starts.

    ``truncate`` half-moves at most; ``reduce`` luck adjustment on, by values at ``luck_ply``; ``play_ply`` for the
    first ``deep_moves`` half-moves, 0 afterwards; ``cube_ply``; ``act_first`` whether the first roller may double
    before rolling; ``levels``, ``places`` int64[branches]: cube level and place (seen by the first roller) at the
    start; ``halt`` int8[1]: once it is set by another thread, the trials end where they are, their rows meaningless.
    """

    seed: np.uint64
    truncate: int
    reduce: int
    luck_ply: int
    play_ply: int
    deep_moves: int
    cube_ply: int
    act_first: int
    levels: np.ndarray
    places: np.ndarray
    halt: np.ndarray


#: Columns of `Games.whole`: cube level and place, half-moves played, whether over, cube turns, half-move of the first.
_LEVEL, _PLACE, _CLOCK, _DONE, _TURNS, _FIRST = range(6)
#: Columns of `Games.reals` and of `Work.luck`: of the value, then of the six chances.
_OF_VALUE, _OF_PROBS = 0, 1


class Games(NamedTuple):
    """The games of one trial, one row a branch.

    Boards, chances and places are seen by the side about to roll; ``luck`` (value, then chances) by the root's roller.
    """

    boards: np.ndarray
    probs: np.ndarray
    whole: np.ndarray
    luck: np.ndarray


class Work(NamedTuple):
    """Buffers of the half-move being played.

    ``group``: the branches that take part. ``mean``, ``thrown`` float64[branches, 7]: value and chances over all rolls
    and after the roll thrown, for the roller. ``chosen`` int8[branches, 26], ``chosen_probs``: what was played.
    """

    afters: np.ndarray
    outcomes: np.ndarray
    values: np.ndarray
    child: np.ndarray
    child_probs: np.ndarray
    mean: np.ndarray
    thrown: np.ndarray
    chosen: np.ndarray
    chosen_probs: np.ndarray
    worth: np.ndarray
    group: np.ndarray
    network: Workspace
    pruning: PruningWork
    search: Scratch


@njit(cache=True, _nrt=False)
def _copy_chances(source, target):
    for result in range(6):
        target[result] = source[result]


@njit(cache=True, _nrt=False)
def _finish(games, row, branch, side, value, probs, ending):
    """Close a branch with `value` and chances of the roller `side`."""
    whole, luck = games.whole[branch], games.luck[branch]
    sign = 1.0 if side == 0 else -1.0
    row[branch, RAW_VALUE] = sign * value
    row[branch, VALUE] = sign * value - luck[_OF_VALUE]
    for result in range(6):
        chance = probs[result] if side == 0 else probs[(result + 3) % 6]
        row[branch, RAW_PROBS + result] = chance
        row[branch, PROBS + result] = chance - luck[_OF_PROBS + result]
    row[branch, LENGTH] = whole[_CLOCK]
    row[branch, LEVEL] = whole[_LEVEL]
    row[branch, ENDING] = ending
    row[branch, TURNS] = whole[_TURNS]
    row[branch, FIRST_TURN] = whole[_FIRST]
    whole[_DONE] = True


@njit(inline="always")
def _act(table, games, row, branch, side, values):
    """Cube action of the roller in one branch, by the values of the position."""
    whole = games.whole[branch]
    level, place = whole[_LEVEL], whole[_PLACE]
    if place == THEIRS or not table.may_turn[side, level, 0] or level + 1 >= len(values):
        return
    taken, cash = doubled_value(table, side, values, level), table.payoffs[side, level, 0]
    gain = min(taken, cash) - values[level, place]
    # Who turns for nothing does so at a tie: the value of waiting has the double of the next turn priced in.
    if gain <= 0.0 and not (gain >= -SAME and table.free[side, level]):
        return
    whole[_TURNS] += 1
    if whole[_FIRST] < 0:
        whole[_FIRST] = whole[_CLOCK]
    if taken > cash:
        _finish(games, row, branch, side, cash, games.probs[branch], PASSED)
    else:
        held = values[level + 1, THEIRS]
        whole[_LEVEL], whole[_PLACE] = level + 1, THEIRS
        if taken < held and level + 2 < len(values):  # the taker turns the cube again
            whole[_LEVEL] = level + 2
            if table.redoubles:
                whole[_TURNS] += 1
                whole[_PLACE] = OWNED


@njit(inline="always")
def _cubeless_play(payoffs, outcomes, count, marks, branch):
    leader, chosen = -1e9, 0
    for play in range(count):
        if not (marks[play] >> branch) & 1:
            continue
        utility = utility_of(payoffs, outcomes[play])
        if utility > leader:
            leader, chosen = utility, play
    return chosen


@njit(inline="always")
def _play_with_cube(table, nets, work, side, level, place, count, branch):
    for play in range(count):
        work.search.close[play] = (work.pruning.kept[play] >> branch) & 1
    return best_play(table, nets, work.search, side, level, place, work.afters, work.outcomes, count)


@njit(inline="always")
def _deep_play(table, nets, plan, work, side, level, place, count):
    """Best play for one branch when the leading candidates are looked at ``plan.play_ply`` further."""
    payoffs, scratch, worth = table.payoffs[side, level], work.search, work.worth
    margin = MARGIN * (payoffs[0] - payoffs[3]) / 2.0
    best = -1e9
    for play in range(count):
        worth[play] = worth_now(table, nets, scratch, side, level, place, work.afters[play], work.outcomes[play])
        best = max(best, worth[play])
    leader, chosen = -1e9, 0
    for _ in range(CANDIDATES):
        play = 0
        for other in range(1, count):
            if worth[other] > worth[play]:
                play = other
        if worth[play] < best - margin or plan.halt[0]:
            break
        worth[play] = -1e9
        after, outcome = work.afters[play], work.outcomes[play]
        value = worth_ahead(table, nets, scratch, side, level, place, after, outcome, plan.play_ply)
        if value > leader:
            leader, chosen = value, play
    return chosen


@njit(inline="always")
def _settle(table, nets, plan, games, row, work, lead):
    """What happens before the roll: exact and truncated ends, then cube actions; True when a branch goes on."""
    group, scratch, branches, top = work.group, work.search, len(plan.levels), table.payoffs.shape[1]
    clock, board, probs = games.whole[lead, _CLOCK], games.boards[lead], games.probs[lead]
    side = clock % 2
    may_act = clock > 0 or plan.act_first
    stop = clock >= plan.truncate
    exact = valued(table, nets, side, False, board, top, 0 if stop else 1, probs, work.values)
    if not exact and top == 1 and is_bearoff(board):  # without the cube the chances are all there is
        work.values[0, :] = utility_of(table.payoffs[side, 0], probs)
        exact = True
    highest = -1
    for branch in range(branches):
        level, place = games.whole[branch, _LEVEL], games.whole[branch, _PLACE]
        if group[branch] and exact:
            value = settled(table, side, not may_act, work.values, level, place)
            _finish(games, row, branch, side, value, probs, TRUNCATED if stop and not is_bearoff(board) else EXACT)
        elif group[branch] and may_act and top > 1 and place != THEIRS and table.may_turn[side, level, 0]:
            highest = max(highest, level)
    if exact:
        return False
    if highest >= 0:
        copy_board(board, scratch.boards[0])
        _copy_chances(probs, scratch.probs[0])
        look_ahead(table, nets, scratch, side, CENTRED, min(highest + 2 + table.redoubles, top), plan.cube_ply)
    left = False
    for branch in range(branches):
        if group[branch]:
            if highest >= 0:
                _act(table, games, row, branch, side, scratch.values[0])
            group[branch] = not games.whole[branch, _DONE]
            left = left or group[branch]
    return left


@njit(cache=True, _nrt=False)
def _candidates(table, pruner, games, work, board, side, roll, cubes, most, margin):
    """Plays of a roll that look best at one of the next `cubes` cube levels of each branch of the group; their number.

    Marks with bit b the plays that branch b may choose from, so that its game does not depend on the others.
    """
    afters, marks, top = work.afters, work.pruning.kept, table.payoffs.shape[1]
    count = legal_boards(board, HIGH[roll], LOW[roll], afters)
    if count <= _FEW or most == 0 or is_bearoff(board):  # bearoffs are looked up in tables: exact and cheap
        marks[: max(count, 1)] = -1
        return count
    marks[:count] = 0
    for worth in range(top):
        alike = 0
        for branch in range(len(work.group)):
            level = games.whole[branch, _LEVEL]
            for cube in range(level, min(level + cubes, top)):
                if work.group[branch] and table.groups[cube] == worth:
                    alike |= 1 << branch
        if alike:
            weights = work.pruning.weights[side, worth]
            mark_best(pruner, work.pruning, weights, board, afters, count, most, margin, alike)
    return keep_marked(work.pruning, afters, count)


@njit(inline="always")
def _value_reply(table, nets, plan, work, side, after, outcome):
    """Chances and values of `side`, to roll after a play, into ``work.child_probs`` and ``work.values``."""
    top, scratch = table.payoffs.shape[1], work.search
    flip_board(after, work.child)
    swap_sides(outcome, work.child_probs)
    if plan.luck_ply == 0 or is_over(after):
        valued(table, nets, side, is_over(after), work.child, top, 0, work.child_probs, work.values)
        return
    copy_board(work.child, scratch.boards[0])
    _copy_chances(work.child_probs, scratch.probs[0])
    look_ahead(table, nets, scratch, side, CENTRED, top, plan.luck_ply)
    _copy_chances(scratch.probs[0], work.child_probs)
    for level in range(top):
        for place in range(3):
            work.values[level, place] = scratch.values[0, level, place]


@njit(inline="always")
def _look_at_luck(table, nets, pruner, plan, games, work, lead, thrown):
    """What each of the 21 rolls would bring to every branch of the group, and what the roll thrown does."""
    board, side = games.boards[lead], games.whole[lead, _CLOCK] % 2
    work.mean[:] = 0.0
    idle, idle_thrown = 0.0, False  # rolls that move nothing: all the same, and looked at last
    for roll in range(22):
        if roll < 21:
            count = _candidates(table, pruner, games, work, board, side, roll, 1, LUCK_KEPT, LUCK_MARGIN)
            if count == 0:
                idle += WEIGHT[roll]
                idle_thrown = idle_thrown or roll == thrown
                continue
            weight, happened = WEIGHT[roll], roll == thrown
        elif idle > 0.0:
            copy_board(board, work.afters[0])
            work.pruning.kept[0] = -1
            count, weight, happened = 1, idle, idle_thrown
        else:
            break
        evaluate_series(nets, work.network, work.afters, count, work.outcomes)
        valued_play = -1
        for branch in range(len(plan.levels)):
            if not work.group[branch]:
                continue
            level, place = games.whole[branch, _LEVEL], games.whole[branch, _PLACE]
            play = _cubeless_play(table.payoffs[side, level], work.outcomes, count, work.pruning.kept, branch)
            after = work.afters[play]
            if play != valued_play:
                valued_play = play
                _value_reply(table, nets, plan, work, 1 - side, after, work.outcomes[play])
            value = -settled(table, 1 - side, is_over(after), work.values, level, (3 - place) % 3)
            work.mean[branch, _OF_VALUE] += weight * value
            for result in range(6):
                work.mean[branch, _OF_PROBS + result] += weight * work.child_probs[(result + 3) % 6]
            if happened:
                work.thrown[branch, _OF_VALUE] = value
                for result in range(6):
                    work.thrown[branch, _OF_PROBS + result] = work.child_probs[(result + 3) % 6]


@njit(inline="always")
def _wanted(table, plan, clock, after):
    """Whether the chances after a forced play of half-move `clock` are used: cube, luck, or the end of the trial."""
    cubeless = table.payoffs.shape[1] == 1 and plan.reduce == 0 and clock + 1 < plan.truncate
    return not cubeless or is_over(after) or is_bearoff(after)


@njit(inline="always")
def _play(table, nets, pruner, plan, games, work, lead, thrown):
    """Choose the play of the roll thrown for every branch of the group."""
    clock, board = games.whole[lead, _CLOCK], games.boards[lead]
    side, deep = clock % 2, clock < plan.deep_moves
    most = 0 if deep else RACE_KEPT if position_class(board) == RACE else PLAYS_KEPT
    count = _candidates(table, pruner, games, work, board, side, thrown, 2, most, PLAYS_MARGIN)
    if count == 0:
        copy_board(board, work.afters[0])
        count = 1
    if count > 1 or _wanted(table, plan, clock, work.afters[0]):
        evaluate_series(nets, work.network, work.afters, count, work.outcomes)
    for branch in range(len(plan.levels)):
        if not work.group[branch]:
            continue
        level, place = games.whole[branch, _LEVEL], games.whole[branch, _PLACE]
        if deep and count > 1:
            play = _deep_play(table, nets, plan, work, side, level, place, count)
        elif table.payoffs.shape[1] > 1:
            play = _play_with_cube(table, nets, work, side, level, place, count, branch)
        else:
            play = _cubeless_play(table.payoffs[side, level], work.outcomes, count, work.pruning.kept, branch)
        copy_board(work.afters[play], work.chosen[branch])
        swap_sides(work.outcomes[play], work.chosen_probs[branch])


@njit(inline="always")
def _move_on(table, plan, games, row, work):
    """The group's boards after the roll, its luck, and games that it has ended."""
    for branch in range(len(plan.levels)):
        if not work.group[branch]:
            continue
        whole, luck, mean, thrown = games.whole[branch], games.luck[branch], work.mean[branch], work.thrown[branch]
        side = whole[_CLOCK] % 2
        if plan.reduce:
            sign = 1.0 if side == 0 else -1.0
            luck[_OF_VALUE] += sign * (thrown[_OF_VALUE] - mean[_OF_VALUE])
            for result in range(6):
                mine = result if side == 0 else (result + 3) % 6
                luck[_OF_PROBS + mine] += thrown[_OF_PROBS + result] - mean[_OF_PROBS + result]
        whole[_CLOCK] += 1
        whole[_PLACE] = (3 - whole[_PLACE]) % 3
        _copy_chances(work.chosen_probs[branch], games.probs[branch])
        flip_board(work.chosen[branch], games.boards[branch])
        if is_over(work.chosen[branch]):
            value = utility_of(table.payoffs[1 - side, whole[_LEVEL]], games.probs[branch])
            _finish(games, row, branch, 1 - side, value, games.probs[branch], PLAYED)


@njit(inline="always")
def _play_trial(table, nets, pruner, plan, games, work, trial, row):
    """Play one trial from where `games` stand; False when another thread has asked to stop."""
    branches = len(plan.levels)
    while True:
        # The branch that is behind, and those that stand where it stands.
        lead = -1
        for branch in range(branches):
            whole = games.whole[branch]
            if not whole[_DONE] and (lead < 0 or whole[_CLOCK] < games.whole[lead, _CLOCK]):
                lead = branch
        if lead < 0:
            return True
        if plan.halt[0]:
            return False
        for branch in range(branches):
            together = not games.whole[branch, _DONE] and games.whole[branch, _CLOCK] == games.whole[lead, _CLOCK]
            work.group[branch] = together and changed_places(games.boards[branch], games.boards[lead]) == 0
        if _settle(table, nets, plan, games, row, work, lead):
            thrown = roll_number(plan.seed, trial, games.whole[lead, _CLOCK])
            set_parent(pruner, work.pruning, games.boards[lead])
            if plan.reduce:
                _look_at_luck(table, nets, pruner, plan, games, work, lead, thrown)
            _play(table, nets, pruner, plan, games, work, lead, thrown)
            _move_on(table, plan, games, row, work)


@njit(cache=True, _nrt=False)
def _play_trials(table, nets, pruner, plan, games, work, board, root_probs, first, rows):
    """`run_trials` with its buffers: nothing is allocated here, so that no references need be counted."""
    flip_board(board, work.afters[0])
    evaluate_series(nets, work.network, work.afters, 1, work.outcomes)
    swap_sides(work.outcomes[0], root_probs)
    for index in range(len(rows)):
        games.luck[:] = 0.0
        games.whole[:] = 0
        for branch in range(len(plan.levels)):
            copy_board(board, games.boards[branch])
            _copy_chances(root_probs, games.probs[branch])
            games.whole[branch, _LEVEL] = plan.levels[branch]
            games.whole[branch, _PLACE] = plan.places[branch]
            games.whole[branch, _FIRST] = -1
        if not _play_trial(table, nets, pruner, plan, games, work, first + index, rows[index]):
            return


@njit(cache=True, nogil=True)
def run_trials(table, nets, pruner, plan, board, first, rows):
    """Play trials ``first`` … ``first + len(rows) - 1`` from `board`.

    Parameters
    ----------
    table : CubeTable
        Index 0 is the side about to roll on `board`.
    nets : Nets
    pruner : Pruner
    plan : Plan
    board : int8[26]
    first : int
    rows : float64[n, branches, COLUMNS], filled
        Columns as named at the top of this module.
    """
    branches, top = len(plan.levels), table.payoffs.shape[1]
    games = Games(
        np.empty((branches, 26), np.int8),
        np.empty((branches, 6)),
        np.empty((branches, 6), np.int64),
        np.empty((branches, 7)),
    )
    work = Work(
        np.empty((MAX_PLAYS, 26), np.int8),
        np.empty((MAX_PLAYS, 6), np.float32),
        np.empty((top, 3)),
        np.empty(26, np.int8),
        np.empty(6),
        np.empty((branches, 7)),
        np.empty((branches, 7)),
        np.empty((branches, 26), np.int8),
        np.empty((branches, 6)),
        np.empty(MAX_PLAYS),
        np.empty(branches, np.bool_),
        new_workspace(),
        new_pruning_work(pruner, table.payoffs, MAX_PLAYS, PLAYS_KEPT),
        new_scratch(top),
    )
    _play_trials(table, nets, pruner, plan, games, work, board, np.empty(6), first, rows)
