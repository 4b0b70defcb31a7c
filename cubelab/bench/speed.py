"""Speed on this machine, in processor time of one core, beside GNU Backgammon's in the same run where it is installed.

Other work on the machine falsifies wall time and, by sharing caches and clock, a little of processor time too; so
rounds of both programs alternate and the ratio is the median over rounds.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DataMissing
from ..game import Position

_START_CODE = """
import cubelab as cl
start = cl.Situation(cl.Position.start())
cl.evaluate(start, ply=0)
cl.ranked_plays(start, (3, 1), ply=0)
"""


@dataclass(frozen=True, slots=True)
class Speed:
    """What `speed` measured; None where it was not asked for.

    Attributes
    ----------
    static_per_second : float
        Static evaluations of the candidates of real games per second of processor time, move generation not counted.
    batch_per_second : float
        `evaluate_positions` on many positions at once.
    cube_ms : float
        Median milliseconds of processor time of a cube decision, warm.
    cube_ply : int
    start_seconds : float
        Wall time from process start to the first evaluation, kernels compiled before; the best of a few.
    start_cpu_seconds : float
        Its processor time.
    against : str or None
        GNU Backgammon's version.
    against_static_per_second, against_cube_ms : float or None
    static_ratio : float or None
        How many times its static evaluations a second ours are: median over alternating rounds.
    """

    static_per_second: float
    batch_per_second: float
    cube_ms: float
    cube_ply: int
    start_seconds: float | None
    start_cpu_seconds: float | None
    against: str | None = None
    against_static_per_second: float | None = None
    against_cube_ms: float | None = None
    static_ratio: float | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def real_candidates(nets, games: int = 40, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Candidates of all rolls of 0-ply games from the start.

    Returns
    -------
    int8[n, 26], int64[rolls], int8[rolls, 26]
        Boards after each candidate play, where those of each roll end, and the boards before the rolls.
    """
    from ..kernels.moves import MAX_PLAYS, legal_boards
    from ..kernels.static import evaluate_candidates

    generator = np.random.default_rng(seed)
    buffer, outcomes = np.empty((MAX_PLAYS, 26), np.int8), np.empty((MAX_PLAYS, 6), np.float32)
    worth = np.array([1.0, 2.0, 3.0, -1.0, -2.0, -3.0])
    sets, parents = [], []
    for _ in range(games):
        board = Position.start().array
        while True:
            count = legal_boards(board, *(int(die) for die in generator.integers(1, 7, 2)), buffer)
            after = board
            if count:
                evaluate_candidates(nets, board, buffer, count, outcomes)
                sets.append(buffer[:count].copy())
                parents.append(board)
                after = buffer[int(np.argmax(outcomes[:count] @ worth))]
            if (after[1:] <= 0).all():
                break
            board = np.ascontiguousarray(-after[::-1])
    return np.concatenate(sets), np.cumsum([len(part) for part in sets]), np.array(parents)


def _per_second(work: Callable[[], object], amount: int, least: float) -> float:
    """Amount done per second of this thread's processor time, repeating the work for at least `least` seconds."""
    begun, rounds = time.thread_time(), 0
    while True:
        work()
        rounds += 1
        seconds = time.thread_time() - begun
        if seconds >= least:
            return rounds * amount / seconds


def start_time(tries: int = 3) -> tuple[float, float]:
    """Wall and processor seconds of a new process up to its first evaluation and ranking; best of some tries.

    Raises
    ------
    DataMissing
        It fails.
    """
    walls, processors = [], []
    for _ in range(tries + 1):
        begun = time.perf_counter()
        before = _children_seconds()
        done = subprocess.run([sys.executable, "-c", _START_CODE], capture_output=True, text=True)
        walls.append(time.perf_counter() - begun)
        processors.append(_children_seconds() - before)
        if done.returncode:
            raise DataMissing(f"a new process cannot evaluate: {done.stderr.strip().splitlines()[-1:]}")
    # The first one may have had to compile.
    return min(walls[1:]), min(processors[1:])


def _children_seconds() -> float:
    if sys.platform == "win32":
        return float("nan")
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def speed(against_gnubg: bool = False, rounds: int = 5, cube_ply: int = 2, start: bool = True) -> Speed:
    """Measure; takes about a second a round and some for the rest.

    Parameters
    ----------
    against_gnubg : bool
        Beside GNU Backgammon.
    rounds : int
        Of static evaluations.
    cube_ply : int
        Of the cube decisions.
    start : bool
        Also the start of a process.

    Raises
    ------
    EngineMissing
        GNU Backgammon is asked for and not installed.
    """
    from ..engine.neural import evaluate_positions, load_nets
    from ..kernels.duel import evaluate_sets

    nets = load_nets()
    afters, ends, parents = real_candidates(nets)
    outcomes = np.empty((len(afters), 6), np.float32)
    rolled = np.ascontiguousarray(-afters[:, ::-1])

    def candidates() -> None:
        evaluate_sets(nets, afters, ends, outcomes)

    candidates()
    evaluate_positions(rolled[:4])
    gnubg = None
    if against_gnubg:
        from ..engine.gnubg import Gnubg

        gnubg = Gnubg()
        gnubg.calibrate(5)
    try:
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(_per_second(candidates, len(afters), 0.4))
            if gnubg is not None:
                theirs.append(gnubg.calibrate())
        batch = _per_second(lambda: evaluate_positions(rolled), len(rolled), 0.4)
        boards = parents[:: max(len(parents) // 60, 1)]
        cube_ms = 1000 * float(np.median(cube_seconds(boards, cube_ply)))
        wall, processor = start_time() if start else (None, None)
        if gnubg is None:
            return Speed(float(np.median(ours)), batch, cube_ms, cube_ply, wall, processor)
        return Speed(
            float(np.median(ours)),
            batch,
            cube_ms,
            cube_ply,
            wall,
            processor,
            gnubg.version,
            float(np.median(theirs)),
            1000 * float(np.median(gnubg.cube_seconds(boards, cube_ply))),
            float(np.median(np.array(ours) / np.array(theirs))),
        )
    finally:
        if gnubg is not None:
            gnubg.close()


def cube_seconds(boards: np.ndarray, ply: int) -> np.ndarray:
    """Seconds of processor time of our cube decision on each board, money play, cube in the middle: float64[n]."""
    from ..engine.search import Search
    from ..game import Cube, MatchState, Rules
    from ..score.stakes import Stakes

    search, stakes = Search(ply), Stakes.of(MatchState(rules=Rules(jacoby=False)), Cube())
    positions = [Position(tuple(int(count) for count in board)) for board in boards]
    search.cube_values(positions[:1], [stakes])
    seconds = []
    for position in positions:
        begun = time.process_time()
        search.cube_values([position], [stakes])
        seconds.append(time.process_time() - begun)
    return np.array(seconds)
