"""Playing the trials of a rollout on all cores, until they suffice."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from numbers import Integral

import numpy as np

from ..arguments import checked
from ..errors import IllegalPosition, SettingsError
from ..game import Phase, Situation
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .cube_table import cube_table, without_cube
from .evaluator import Provenance
from .moments import Moments
from .pruning import load_pruner, pruning_checksum
from .rollout import Rollout
from .rollout_settings import BLOCK, MAX_TRIALS, RolloutSettings, checked_settings
from .search import Search, checked_situation, provenance, table_of
from .tally import Tally

#: Trials a worker plays at a time with luck adjustment, by look-ahead: small, so that progress is steady.
_CHUNKS = (12, 3, 1)
#: Seconds.
_SLICE = 0.25


@checked("cube_first", "progress", "met")
def rollout(
    situation: Situation,
    settings: RolloutSettings | None = None,
    *,
    met: str | MatchEquityTable | None = None,
    progress: Callable[[Rollout], None] | None = None,
    first: int = 0,
    cube_first: bool = False,
) -> Rollout:
    """Roll a situation out, the mover about to roll.

    Where the mover may double, not doubling and being taken are played on the same dice.

    Parameters
    ----------
    situation : Situation
        Its dice, if any, are not looked at.
    settings : RolloutSettings, optional
        Default: 1296 full trials with variance reduction.
    met : str or MatchEquityTable, optional
        Default Kazaross-XG2; not used for money.
    progress : callable, optional
        Called with the rollout so far after each block of trials.
    first : int
        Number of the first trial, so that parts of one rollout can be done in different places and merged.
    cube_first : bool
        Let the mover double before the first roll by the evaluator's judgement, instead of playing both branches.

    Returns
    -------
    Rollout
        Also when interrupted (Ctrl-C): it then holds the trials that were done.

    Raises
    ------
    CubelabError
        A game that is over; settings that cannot be carried out.
    KeyboardInterrupt
        Interrupted before the first block was done.

    Examples
    --------
    >>> import cubelab as cl
    >>> s = cl.Situation.from_xgid("XGID=a--B-BD-B---cBa--c-e-Bb-A-:0:0:1:00:0:0:0:0:10")
    >>> r = cl.rollout(s, cl.RolloutSettings(trials=72, seed=7, truncate=4))
    >>> r.count, r.se.difference < 0.1
    (72, True)
    >>> r.extend(36).count
    108
    """
    return run(begin(situation, settings, met, first, cube_first), progress)


def begin(
    situation: Situation,
    settings: RolloutSettings | None,
    met: str | MatchEquityTable | None = None,
    first: int = 0,
    cube_first: bool = False,
) -> Rollout:
    """A rollout of no trials yet; arguments and errors as of `rollout`."""
    situation = checked_situation(situation)
    settings = checked_settings(settings)
    if situation.position.phase is Phase.OVER:
        raise IllegalPosition(f"position {situation.position.id}: the game is over, there is nothing to roll out")
    if situation.position.deadlocked:
        raise IllegalPosition(
            f"position {situation.position.id}: both sides are on the bar against a closed board, no game would end"
        )
    if not isinstance(first, Integral) or not 0 <= first <= MAX_TRIALS:
        raise SettingsError(f"first trial {first!r}: must be a whole number from 0 to {MAX_TRIALS}")
    first, cube_first = int(first), bool(cube_first)
    stakes = Stakes.of(situation.match, situation.cube, met=table_of(met))
    branches = 1
    if settings.cubeful and stakes.may_double and not cube_first:
        # Under its rule, the immediate redouble is an answer of its own.
        branches = 3 if stakes.immediate_redouble and stakes.levels > 2 and stakes.may_turn[1, 1] else 2
    return Rollout(
        replace(situation, dice=None, offer=None),
        settings,
        stakes,
        Moments.empty(branches),
        Tally.empty(branches),
        ((first, first),),
        np.empty((0, branches, _columns())) if settings.keep_trials else None,
        0.0,
        False,
        provenance_of(stakes, settings),
        cube_first,
    )


def provenance_of(stakes: Stakes, settings: RolloutSettings) -> Provenance:
    """As of a look-ahead, with the seed, and both weights files named."""
    source = provenance(stakes, Search(settings.ply), None)
    return replace(source, seed=settings.seed, weights=f"{source.weights}+{pruning_checksum()}")


def _columns() -> int:
    from ..kernels.rollout import COLUMNS

    return COLUMNS


def run(done: Rollout, progress: Callable[[Rollout], None] | None) -> Rollout:
    """Play trials until the settings of `done` say enough, adding to those it holds.

    Sums are exact and trials are added in order, so nothing depends on which thread played what.
    """
    from ..kernels.rollout import run_trials
    from .neural import load_nets

    settings, nets, pruner = done.settings, load_nets(done.stakes.match.rules), load_pruner()
    table, plan = kernel_plan(done)
    board = done.situation.position.array
    begun = time.perf_counter()

    def play(first: int, count: int) -> np.ndarray:
        rows = np.empty((count, done.branches, _columns()))
        run_trials(table, nets, pruner, plan, board, first, rows)
        return rows

    threads = settings.threads or _cores()
    pool = ThreadPoolExecutor(threads)
    queue: deque[Future] = deque()
    chunks = _chunks(done)
    result, kept = done, [] if done.rows is None else [done.rows]
    interrupted = False
    try:
        while True:
            queue.extend(pool.submit(play, *chunk) for chunk in islice(chunks, 4 * threads - len(queue)))
            if not queue:
                break
            rows = _awaited(queue[0], None if result is done else _time_left(settings, begun))
            if rows is None:
                interrupted = True
                break
            queue.popleft()
            if done.rows is not None:
                kept.append(rows)
            result = replace(
                result,
                moments=result.moments.with_trials(rows),
                tally=result.tally + Tally.of(rows),
                spans=((done.spans[0][0], done.spans[0][0] + result.count + len(rows)),),
                seconds=done.seconds + time.perf_counter() - begun,
            )
            if progress is not None:
                progress(result)
            if _settled(result):
                break
    except KeyboardInterrupt:
        if result is done:
            raise
        interrupted = True
    finally:
        plan.halt[0] = 1
        for future in queue:
            future.cancel()
        pool.shutdown(wait=True)
    # Interrupted between two statements, the last rows may not have been counted.
    return replace(result, rows=np.concatenate(kept)[: result.count] if kept else None, interrupted=interrupted)


def _cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _chunks(done: Rollout) -> Iterator[tuple[int, int]]:
    """First trial and number of the pieces of work that remain; where rules may stop it, none reaches over a block."""
    settings, origin = done.settings, done.spans[0][0]
    deepest = [
        settings.ply if settings.deep_moves else 0,
        settings.cube_ply if settings.cubeful else 0,
        2 * settings.luck_ply if settings.variance_reduction else 0,
    ]
    size = _CHUNKS[max(deepest)]
    ruled = any((settings.stop_se, settings.stop_probability, settings.stop_regret))
    if not settings.variance_reduction:
        size *= 3 if ruled else 12  # quick games: adding them up must not take long beside playing them
    trial = done.count
    while trial < settings.trials:
        count = min(size, settings.trials - trial)
        if ruled:
            count = min(count, BLOCK - trial % BLOCK)
        yield origin + trial, count
        trial += count


def _time_left(settings: RolloutSettings, begun: float) -> float | None:
    return None if settings.stop_time is None else settings.stop_time - (time.perf_counter() - begun)


def _awaited(future: Future, seconds: float | None) -> np.ndarray | None:
    """Rows of a piece of work; None when the time is up before."""
    end = None if seconds is None else time.perf_counter() + seconds
    while True:
        left = None if end is None else end - time.perf_counter()
        if left is not None and left <= 0:
            return None
        try:
            # Waiting in slices, because a wait without end cannot be interrupted on Windows.
            return future.result(_SLICE if left is None else min(left, _SLICE))
        except TimeoutError:
            continue


def _settled(rollout: Rollout) -> bool:
    """Whether a stopping rule says that the trials suffice; looked at after whole blocks only."""
    settings = rollout.settings
    if rollout.count < max(settings.min_trials, 2) or rollout.count % BLOCK:
        return False
    if settings.stop_se is not None:
        se = rollout.se
        known = se.difference if se.difference is not None else se.no_double
        if (se.cubeless if known is None else known) <= settings.stop_se:
            return True
    if settings.stop_probability is None and settings.stop_regret is None:
        return False
    sure = rollout.confidence
    if sure is None:
        return False
    enough = settings.stop_probability is not None and sure.verdict_probability >= settings.stop_probability
    return enough or (settings.stop_regret is not None and sure.regret <= settings.stop_regret)


def kernel_plan(rollout: Rollout):
    """The arrays of `kernels.rollout` for these settings."""
    from ..kernels.rollout import Plan

    settings, stakes = rollout.settings, rollout.stakes
    table = cube_table(stakes, None)
    axis = stakes.axis
    if not settings.cubeful:
        table = without_cube(table)
    plan = Plan(
        np.uint64(settings.seed),
        settings.truncate or 10**6,
        int(settings.variance_reduction),
        settings.luck_ply,
        settings.ply,
        settings.deep_moves if settings.ply else 0,
        settings.cube_ply,
        int(rollout.cube_first),
        np.arange(rollout.branches),
        np.array([axis, 2, 1][: rollout.branches], dtype=np.int64),
        np.zeros(1, dtype=np.int8),
    )
    return table, plan
