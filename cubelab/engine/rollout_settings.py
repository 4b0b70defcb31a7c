"""How a rollout is done and when it ends."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from operator import index

from ..errors import SettingsError

#: Trials between two looks at the stopping rules: the first roll is then balanced.
BLOCK = 36
MAX_TRIALS = 10**9
#: No game lasts as long.
MAX_HALF_MOVES = 10**6
MAX_THREADS = 1024


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    """How a rollout is done and when it ends.

    Parameters
    ----------
    trials : int
        At most this many; a multiple of 1296 balances the first two rolls exactly.
    seed : int
        0 to 2**63 - 1. The same seed gives the same numbers on any number of threads.
    truncate : int, optional
        Half-moves after which the evaluator's value ends a trial; None plays to the end.
    ply : int
        Look-ahead of checker play, 0 to 2, for the first `deep_moves` half-moves; 0 afterwards.
    deep_moves : int
        Half-moves played at `ply`; only with `ply` above 0.
    cube_ply : int
        Look-ahead of cube decisions inside the trials, 0 to 2.
    variance_reduction : bool
        Take the luck of the dice out of each trial.
    luck_ply : int
        Look-ahead of the values that luck is measured by, 0 or 1: at 1 less luck is left, for some 20 times the work.
    cubeful : bool
        Play with the cube. Without it only chances and cubeless equities come out.
    threads : int, optional
        Default: all cores.
    stop_se : float, optional
        Stop when the standard error of the difference between doubling and not doubling (of the equity, where there is
        no such difference) is at most this, in equity per current cube.
    stop_probability : float, optional
        Stop when the verdict is right with this probability.
    stop_regret : float, optional
        Stop when the expected cost of the verdict being wrong is at most this, in equity per current cube.
    stop_time : float, optional
        Stop after this many seconds.
    min_trials : int
        No stopping rule but time is looked at before.
    keep_trials : bool
        Keep every trial for `Rollout.trials`.

    Raises
    ------
    SettingsError
        Settings that cannot be carried out, by name.
    """

    trials: int = 1296
    seed: int = 1
    truncate: int | None = None
    ply: int = 0
    deep_moves: int = 4
    cube_ply: int = 0
    variance_reduction: bool = True
    luck_ply: int = 0
    cubeful: bool = True
    threads: int | None = None
    stop_se: float | None = None
    stop_probability: float | None = None
    stop_regret: float | None = None
    stop_time: float | None = None
    min_trials: int = 144
    keep_trials: bool = True

    def __post_init__(self) -> None:
        def refuse(name: str, right: str) -> None:
            raise SettingsError(f"rollout setting {name} = {getattr(self, name)!r:.60}: must be {right}")

        for name in (
            "trials",
            "seed",
            "truncate",
            "ply",
            "deep_moves",
            "cube_ply",
            "luck_ply",
            "threads",
            "min_trials",
        ):
            if (value := getattr(self, name)) is None and name in ("truncate", "threads"):
                continue
            try:
                object.__setattr__(self, name, index(value))
            except TypeError:
                refuse(name, "a whole number")
        for name in ("stop_se", "stop_regret", "stop_time", "stop_probability"):
            if (number := getattr(self, name)) is None:
                continue
            if not isinstance(number, Real):
                refuse(name, "a number")
            try:
                object.__setattr__(self, name, float(number))
            except OverflowError:
                refuse(name, "a number")
        for name in ("variance_reduction", "cubeful", "keep_trials"):
            switch = getattr(self, name)
            if type(switch).__name__ not in ("bool", "bool_"):  # NumPy's has no kind in common with Python's
                refuse(name, "True or False")
            object.__setattr__(self, name, bool(switch))
        if not 1 <= self.trials <= MAX_TRIALS:
            refuse("trials", f"a whole number from 1 to {MAX_TRIALS}")
        if not 0 <= self.seed < 2**63:
            refuse("seed", "a whole number from 0 to 2^63 - 1")
        if self.truncate is not None and not 1 <= self.truncate <= MAX_HALF_MOVES:
            refuse("truncate", f"1 to {MAX_HALF_MOVES} half-moves, or None to play to the end")
        for name in ("ply", "cube_ply"):
            if getattr(self, name) not in (0, 1, 2):
                refuse(name, "0, 1 or 2")
        if self.luck_ply not in (0, 1):
            refuse("luck_ply", "0 or 1")
        if not 0 <= self.deep_moves <= MAX_HALF_MOVES:
            refuse("deep_moves", f"0 to {MAX_HALF_MOVES} half-moves")
        if self.threads is not None and not 1 <= self.threads <= MAX_THREADS:
            refuse("threads", f"1 to {MAX_THREADS}")
        for name in ("stop_se", "stop_regret", "stop_time"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                refuse(name, "above 0 and finite")
        if self.stop_probability is not None and not 0.5 < self.stop_probability < 1:
            refuse("stop_probability", "between 0.5 and 1")
        if not 1 <= self.min_trials <= MAX_TRIALS:
            refuse("min_trials", f"a whole number from 1 to {MAX_TRIALS}")

    @classmethod
    def preset(cls, name: str) -> RolloutSettings:
        """Settings by name, see `PRESETS`.

        Raises
        ------
        SettingsError
            Unknown name.
        """
        if not isinstance(name, str) or name not in PRESETS:
            raise SettingsError(f"unknown rollout preset {name!r:.60}; known are {', '.join(PRESETS)}")
        return PRESETS[name]


#: ``quick`` answers in about a second, like eXtreme Gammon's Roller (truncated, shallow); ``roller+`` plays the first
#: half-moves deeper; ``full`` is the 1296 full trials with variance reduction that GNU Backgammon's users know as the
#: standard; ``deep`` is the same with 1-ply play and cube decisions (eXtreme Gammon counts that as 2-ply).
PRESETS: dict[str, RolloutSettings] = {
    "quick": RolloutSettings(trials=324, truncate=8),
    "roller+": RolloutSettings(trials=648, truncate=10, ply=1, deep_moves=2, cube_ply=1),
    "full": RolloutSettings(),
    "deep": RolloutSettings(ply=1, deep_moves=10_000, cube_ply=1),
}


def checked_settings(settings: RolloutSettings | None) -> RolloutSettings:
    """`settings` themselves, or the usual ones where none are given.

    Raises
    ------
    SettingsError
        They are something else, such as a number of trials.
    """
    if settings is None:
        return RolloutSettings()
    if isinstance(settings, RolloutSettings):
        return settings
    raise SettingsError(
        f"{settings!r:.100} are no RolloutSettings; RolloutSettings(trials=1296) makes them, or preset('full')"
    )
