"""Rollouts of the same positions with the same settings by us and, where installed, by GNU Backgammon, on one core."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..engine.moments import Moments
from ..engine.rollout_run import begin, run
from ..engine.rollout_settings import RolloutSettings
from ..engine.tally import Tally
from ..game import Cube, MatchState, Position, Rules, Situation

#: The start, three contact positions, a back game.
POSITIONS = ("4HPwATDgc/ABMA", "2DZkgSFszoMHAA", "z7YBAGLHfAMQGA", "2FYwwgw4zzEHAA")


@dataclass(frozen=True, slots=True)
class Mode:
    """A way to roll out: 0-ply play and cube throughout.

    Attributes
    ----------
    title : str
    cubeful, variance_reduction : bool
    truncate : int or None
        Half-moves.
    trials : int
        Of GNU Backgammon; ours are more where it is quick.
    """

    title: str
    cubeful: bool
    variance_reduction: bool
    truncate: int | None
    trials: int


MODES = (
    Mode("cubeless, full, no variance reduction", False, False, None, 216),
    Mode("cubeful, full, variance reduction", True, True, None, 72),
    Mode("cubeful, 10 half-moves, variance reduction", True, True, 10, 144),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One rollout.

    Attributes
    ----------
    trials : int
    cpu_seconds : float
    equity, se : float
        Cubeful without doubling where the rollout is cubeful, else cubeless; points.
    """

    trials: int
    cpu_seconds: float
    equity: float
    se: float

    @property
    def games_per_second(self) -> float:
        """Per second of processor time."""
        return self.trials / self.cpu_seconds

    @property
    def cost(self) -> float:
        """Squared standard error times seconds: what a given accuracy costs, whatever the number of trials."""
        return self.se**2 * self.cpu_seconds

    def to_dict(self) -> dict[str, Any]:
        names = ("trials", "cpu_seconds", "equity", "se", "games_per_second", "cost")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A position in a mode; `speed_ratio` above 1 and `cost_ratio` below 1 are in our favour.

    There is no cost ratio where all games of the other ended alike, as by a pass at once.
    """

    position: str
    mode: Mode
    ours: Measured
    theirs: Measured | None

    @property
    def speed_ratio(self) -> float | None:
        return None if self.theirs is None else self.ours.games_per_second / self.theirs.games_per_second

    @property
    def cost_ratio(self) -> float | None:
        return None if self.theirs is None or self.theirs.cost == 0 else self.ours.cost / self.theirs.cost

    def to_dict(self) -> dict[str, Any]:
        return {
            "position": self.position,
            "mode": self.mode.title,
            "ours": self.ours.to_dict(),
            "theirs": None if self.theirs is None else self.theirs.to_dict(),
            "speed_ratio": self.speed_ratio,
            "cost_ratio": self.cost_ratio,
        }


def situation_of(position: str) -> Situation:
    """Money play without Jacoby, cube in the middle."""
    return Situation(Position.from_id(position), Cube(), MatchState(rules=Rules(jacoby=False)))


def measure_ours(position: str, mode: Mode, trials: int) -> Measured:
    """Roll out by our engine on one thread; not doubling only, as GNU Backgammon's rollout of a position does."""
    situation = situation_of(position)
    settings = RolloutSettings(
        trials=trials,
        truncate=mode.truncate,
        variance_reduction=mode.variance_reduction,
        cubeful=mode.cubeful,
        threads=1,
        keep_trials=False,
    )
    start = replace(begin(situation, settings), moments=Moments.empty(1), tally=Tally.empty(1))
    begun = time.process_time()
    result = run(start, None)
    if result.interrupted:  # what there is would be taken for the whole
        raise KeyboardInterrupt
    seconds = time.process_time() - begun
    if not mode.cubeful:
        return Measured(result.count, seconds, result.cubeless, result.se.cubeless)
    se = result.se.no_double
    assert se is not None
    return Measured(result.count, seconds, result.decision.equities.no_double, se)


def measure_gnubg(position: str, mode: Mode, trials: int) -> Measured:
    """Roll out by GNU Backgammon on one thread; not doubling only.

    Raises
    ------
    EngineMissing
        It is not installed.
    """
    from ..engine.gnubg_rollout import run_rollout

    found, seconds = run_rollout(
        Position.from_id(position),
        trials,
        cubeful=mode.cubeful,
        variance_reduction=mode.variance_reduction,
        truncate=mode.truncate,
    )
    if found.cubeful is None or found.se_cubeful is None:
        return Measured(found.games, seconds, found.cubeless, found.se_cubeless)
    return Measured(found.games, seconds, found.cubeful, found.se_cubeful)


def compare(
    positions: tuple[str, ...] = POSITIONS,
    modes: tuple[Mode, ...] = MODES,
    *,
    against_gnubg: bool = False,
    more: int = 5,
    progress: Callable[[Comparison], None] | None = None,
) -> list[Comparison]:
    """Roll positions out in several modes.

    Parameters
    ----------
    positions : tuple of str
        Position ids.
    modes : tuple of Mode
    against_gnubg : bool
        Beside GNU Backgammon, each of its rollouts right after ours.
    more : int
        How many times its trials we play, so that our standard error is known as well as the time.
    progress : callable, optional
        Called with each result.

    Raises
    ------
    CubelabError
        A position that is none; GNU Backgammon asked for and not installed.
    """
    for mode in modes:  # compiled before anything is timed
        measure_ours(positions[0], mode, 2)
    results = []
    for mode in modes:
        for position in positions:
            ours = measure_ours(position, mode, mode.trials * more)
            theirs = measure_gnubg(position, mode, mode.trials) if against_gnubg else None
            results.append(Comparison(position, mode, ours, theirs))
            if progress is not None:
                progress(results[-1])
    return results
