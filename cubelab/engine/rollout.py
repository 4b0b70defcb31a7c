"""Rollouts: a situation played out many times on stratified dice, until the verdict is known well enough."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from ..cube.decision import CubeDecision, decision_from_values
from ..errors import DataMissing, IllegalPosition, SettingsError
from ..game import Phase, Probabilities, Situation
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .evaluator import Provenance
from .moments import Moments
from .search import Search, cube_table, provenance, table_of
from .verdict_confidence import Confidence, confidence

if TYPE_CHECKING:
    import pandas as pd

#: Trials between two looks at the stopping rules: the first roll is then balanced.
BLOCK = 36
#: Trials a worker plays at a time: small, so that stopping is prompt.
_CHUNK = 12
_MAX_TRIALS = 10**9
_FORMAT = "cubelab rollout 1"


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
            raise SettingsError(f"rollout setting {name} = {getattr(self, name)!r}: must be {right}")

        if not isinstance(self.trials, int) or not 1 <= self.trials <= _MAX_TRIALS:
            refuse("trials", f"a whole number from 1 to {_MAX_TRIALS}")
        if not isinstance(self.seed, int) or not 0 <= self.seed < 2**63:
            refuse("seed", "a whole number from 0 to 2^63 - 1")
        if self.truncate is not None and (not isinstance(self.truncate, int) or self.truncate < 1):
            refuse("truncate", "at least 1 half-move, or None to play to the end")
        for name in ("ply", "cube_ply"):
            if getattr(self, name) not in (0, 1, 2):
                refuse(name, "0, 1 or 2")
        if self.deep_moves < 0:
            refuse("deep_moves", "0 or more half-moves")
        if self.threads is not None and self.threads < 1:
            refuse("threads", "at least 1")
        for name in ("stop_se", "stop_regret", "stop_time"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                refuse(name, "above 0")
        if self.stop_probability is not None and not 0.5 < self.stop_probability < 1:
            refuse("stop_probability", "between 0.5 and 1")
        if self.min_trials < 1:
            refuse("min_trials", "at least 1")

    @classmethod
    def preset(cls, name: str) -> RolloutSettings:
        """Settings by name, see `PRESETS`.

        Raises
        ------
        SettingsError
            Unknown name.
        """
        if name not in PRESETS:
            raise SettingsError(f"unknown rollout preset {name!r}; known are {', '.join(PRESETS)}")
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


@dataclass(frozen=True, slots=True)
class StandardErrors:
    """Standard errors in equity per current cube; None where there is no such number."""

    cubeless: float
    no_double: float | None
    double_take: float | None
    difference: float | None

    def to_dict(self) -> dict:
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Rollout:
    """Result of a rollout; sums are exact, so parts merge to bit-equal results however the trials were split.

    Attributes
    ----------
    situation : Situation
    settings : RolloutSettings
    stakes : Stakes
    moments : Moments
        Sums over the trials done.
    spans : tuple of (int, int)
        Which trial numbers they are: from, up to but not including.
    rows : float64[n, branches, columns] or None
        Every trial in order (see `trials`), if kept.
    seconds : float
        Time spent, over all parts.
    interrupted : bool
        Stopped by hand or by time before the trials or the stopping rule said so.
    provenance : Provenance
    cube_first : bool
        The mover may double before the first roll, by the evaluator's judgement: the situation of an opponent after a
        play, not a cube decision to be settled.
    """

    situation: Situation
    settings: RolloutSettings
    stakes: Stakes
    moments: Moments
    spans: tuple[tuple[int, int], ...]
    rows: np.ndarray | None
    seconds: float
    interrupted: bool
    provenance: Provenance
    cube_first: bool = False

    @property
    def count(self) -> int:
        """Trials done."""
        return self.moments.count

    @property
    def branches(self) -> int:
        """2 where both not doubling and doubling were played, else 1."""
        return self.moments.branches

    @property
    def probabilities(self) -> Probabilities:
        """Chances of the mover, not doubling now.

        In a cubeful rollout a game that ends by a pass counts with the evaluator's chances at that moment.
        """
        clipped = np.clip(self.moments.mean("probs", 0), 0.0, None)
        return Probabilities.from_array(clipped / clipped.sum())

    @property
    def decision(self) -> CubeDecision:
        """The cube decision by the rolled-out values.

        Raises
        ------
        SettingsError
            The rollout was played without the cube.
        """
        if not self.settings.cubeful:
            raise SettingsError("a cubeless rollout has no cube decision; roll out with cubeful=True")
        if self.cube_first:
            raise SettingsError("the mover's first cube action was part of these trials: they settle no cube decision")
        values = self.moments.mean_values()
        return decision_from_values(
            float(values[0]),
            float(values[1]) if self.branches == 2 else None,
            self.stakes,
            probabilities=self.probabilities,
            model=f"rollout, {self.count} trials",
        )

    @property
    def cubeless(self) -> float:
        """Cubeless equity per current cube."""
        return float(self.stakes.to_emg(self.moments.linear_mean(0, self.stakes.payoffs[0])))

    @property
    def se(self) -> StandardErrors:
        """Standard errors of the equities and of the difference double/take - no double."""
        scale = self._scale
        cubeless = self.moments.linear_se(0, self.stakes.payoffs[0]) * scale
        if not self.settings.cubeful:
            return StandardErrors(cubeless, None, None, None)
        covariance = self.moments.value_covariance() * scale**2
        single = float(np.sqrt(covariance[0, 0]))
        if self.branches == 1:
            return StandardErrors(cubeless, single, None, None)
        spread = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
        return StandardErrors(cubeless, single, float(np.sqrt(covariance[1, 1])), float(np.sqrt(max(spread, 0.0))))

    @property
    def _scale(self) -> float:
        """Equity per unit of value."""
        return 2.0 / (self.stakes.single_win - self.stakes.single_loss)

    @property
    def confidence(self) -> Confidence | None:
        """How likely the verdict is right and what it costs on average if not; None where there is no verdict."""
        if self.branches == 1 or not self.settings.cubeful or self.count < 2:
            return None
        means = [float(self.stakes.to_emg(value)) for value in self.moments.mean_values()]
        return confidence(means, self.moments.value_covariance() * self._scale**2)

    @property
    def trials(self) -> pd.DataFrame:
        """One row a trial and branch: adjusted and raw value and chances, length, cube.

        Raises
        ------
        DataMissing
            The trials were not kept.
        """
        import pandas as pd

        if self.rows is None:
            raise DataMissing("the trials were not kept: roll out with keep_trials=True")
        from ..kernels import rollout as kernel

        chances = ("win", "win_gammon", "win_backgammon", "lose", "lose_gammon", "lose_backgammon")
        numbers = np.concatenate([np.arange(*span) for span in self.spans])
        endings = ("played", "passed", "exact", "truncated")
        frames = []
        for branch, name in enumerate(("no double", "double, take")[: self.branches]):
            rows = self.rows[:, branch]
            frame = pd.DataFrame(
                {
                    "trial": numbers,
                    "branch": name,
                    "equity": self.stakes.to_emg(rows[:, kernel.VALUE]),
                    "equity_raw": self.stakes.to_emg(rows[:, kernel.RAW_VALUE]),
                }
            )
            for place, chance in enumerate(chances):
                frame[chance] = rows[:, kernel.PROBS + place]
            frame["half_moves"] = rows[:, kernel.LENGTH].astype(int)
            frame["cube"] = (self.situation.cube.value * 2 ** rows[:, kernel.LEVEL]).astype(int)
            frame["cube_turns"] = rows[:, kernel.TURNS].astype(int)
            frame["first_turn"] = pd.array(
                [int(turn) if turn >= 0 else None for turn in rows[:, kernel.FIRST_TURN]], dtype="Int64"
            )
            frame["ending"] = pd.Categorical.from_codes(rows[:, kernel.ENDING].astype(int), categories=list(endings))
            frames.append(frame)
        return pd.concat(frames, ignore_index=True)

    def extend(
        self, trials: int, *, progress: Callable[[Rollout], None] | None = None, threads: int | None = None
    ) -> Rollout:
        """Go on exactly where this rollout stopped: 1296 and 1296 more are 2592.

        Raises
        ------
        SettingsError
            Trials that are not contiguous from 0, or a count below 1.
        """
        if not isinstance(trials, int) or trials < 1:
            raise SettingsError(f"cannot extend a rollout by {trials!r} trials: at least 1")
        if len(self.spans) != 1 or self.spans[0][0] != 0:
            raise SettingsError("only a rollout that holds all trials from the first can be extended")
        settings = replace(self.settings, trials=self.count + trials, threads=threads or self.settings.threads)
        return _run(replace(self, settings=settings, interrupted=False), progress)

    def merge(self, other: Rollout) -> Rollout:
        """Join two parts of the same rollout, done anywhere, with different trial numbers.

        Raises
        ------
        SettingsError
            Different situations, settings or networks, or trials that both hold.
        """
        own, theirs = _identity(self), _identity(other)
        for name in own:
            if own[name] != theirs[name]:
                raise SettingsError(f"rollouts with different {name} cannot be merged: {own[name]} and {theirs[name]}")
        spans = sorted([*self.spans, *other.spans])
        for (_, end), (start, _) in pairwise(spans):
            if start < end:
                raise SettingsError(f"both rollouts hold trial {start}: only parts with different trials can be merged")
        rows = None
        if self.rows is not None and other.rows is not None:
            numbers = np.concatenate([np.arange(*span) for part in (self, other) for span in part.spans])
            rows = np.concatenate([self.rows, other.rows])[np.argsort(numbers)]
        joined: list[tuple[int, int]] = []
        for start, end in spans:
            if joined and joined[-1][1] == start:
                joined[-1] = joined[-1][0], end
            else:
                joined.append((start, end))
        return replace(
            self,
            settings=replace(self.settings, trials=self.count + other.count),
            moments=self.moments + other.moments,
            spans=tuple(joined),
            rows=rows,
            seconds=self.seconds + other.seconds,
            interrupted=False,
        )

    def save(self, path: str | Path) -> None:
        """Write to a file that `load` reads: a zip of plain arrays, written whole or not at all."""
        path = Path(path)
        meta = {
            "format": _FORMAT,
            "situation": self.situation.xgid,
            "met": None if self.stakes.table is None else self.stakes.table.name,
            "settings": asdict(self.settings),
            "moments": self.moments.to_dict(),
            "spans": self.spans,
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "cube_first": self.cube_first,
            "provenance": self.provenance.to_dict(),
        }
        part = path.with_name(path.name + ".part")
        try:
            with part.open("wb") as file:
                arrays = {} if self.rows is None else {"rows": self.rows}
                np.savez_compressed(file, allow_pickle=False, meta=np.array(json.dumps(meta)), **arrays)
            os.replace(part, path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise DataMissing(f"{path}: the rollout could not be written ({error.strerror})") from None

    @classmethod
    def load(cls, path: str | Path) -> Rollout:
        """Read a rollout written by `save`.

        Raises
        ------
        DataMissing
            No such file, or one that is not a whole rollout.
        """
        try:
            with np.load(Path(path), allow_pickle=False) as archive:
                meta = json.loads(str(archive["meta"]))
                rows = archive.get("rows")
            if meta["format"] != _FORMAT:
                raise KeyError("format")
            situation = Situation.from_xgid(meta["situation"])
            return cls(
                situation,
                RolloutSettings(**meta["settings"]),
                Stakes.of(situation.match, situation.cube, met=table_of(meta["met"])),
                Moments.from_dict(meta["moments"]),
                tuple((int(start), int(end)) for start, end in meta["spans"]),
                rows,
                float(meta["seconds"]),
                bool(meta["interrupted"]),
                Provenance(**meta["provenance"]),
                bool(meta["cube_first"]),
            )
        except FileNotFoundError:
            raise DataMissing(f"{path}: no such file") from None
        except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
            raise DataMissing(f"{path} is not a whole rollout written by cubelab: {error}") from None

    def to_dict(self) -> dict:
        """The parts of the command line's JSON that a rollout supplies; all but the speed is reproducible."""
        sure = self.confidence
        settings = {f.name: getattr(self.settings, f.name) for f in fields(self.settings)}
        for name in ("threads", "keep_trials"):
            del settings[name]
        return {
            "trials": self.count,
            "seed": self.settings.seed,
            "games_per_second": self.count / self.seconds if self.seconds else None,
            "se": self.se.to_dict(),
            "verdict_probability": None if sure is None else sure.verdict_probability,
            "regret": None if sure is None else sure.regret,
            "settings": settings,
        }


def _identity(rollout: Rollout) -> dict[str, Any]:
    """What two parts of one rollout have in common."""
    free = ("trials", "threads", "min_trials", "keep_trials", "stop_se", "stop_probability", "stop_regret", "stop_time")
    same = {f.name: getattr(rollout.settings, f.name) for f in fields(RolloutSettings) if f.name not in free}
    return {
        "situation": rollout.situation.xgid,
        "first cube action": rollout.cube_first,
        **same,
        "stakes": rollout.stakes,
        "provenance": rollout.provenance,
    }


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
    """
    settings = settings or RolloutSettings()
    if situation.position.phase is Phase.OVER:
        raise IllegalPosition(f"position {situation.position.id}: the game is over, there is nothing to roll out")
    if not isinstance(first, int) or not 0 <= first <= _MAX_TRIALS:
        raise SettingsError(f"first trial {first!r}: must be a whole number from 0 to {_MAX_TRIALS}")
    stakes = Stakes.of(situation.match, situation.cube, met=table_of(met))
    branches = 2 if settings.cubeful and stakes.may_double and not cube_first else 1
    start = Rollout(
        replace(situation, dice=None, offer=None),
        settings,
        stakes,
        Moments.empty(branches),
        ((first, first),),
        np.empty((0, branches, _columns())) if settings.keep_trials else None,
        0.0,
        False,
        replace(provenance(stakes, Search(settings.ply), None), seed=settings.seed),
        cube_first,
    )
    return _run(start, progress)


def _columns() -> int:
    from ..kernels.rollout import COLUMNS

    return COLUMNS


def _run(done: Rollout, progress: Callable[[Rollout], None] | None) -> Rollout:
    """Play trials until the settings of `done` say enough, adding to those it holds."""
    from ..kernels.rollout import run_trials
    from .neural import load_nets

    settings, nets = done.settings, load_nets()
    table, plan = _kernel_plan(done)
    board = done.situation.position.array
    origin = done.spans[0][0]
    begun = time.perf_counter()

    def play(first: int, count: int) -> np.ndarray:
        rows = np.empty((count, done.branches, _columns()))
        run_trials(table, nets, plan, board, first, rows)
        return rows

    moments, kept = done.moments, [] if done.rows is None else [done.rows]
    threads = settings.threads or os.cpu_count() or 1
    pool = ThreadPoolExecutor(threads)
    queue: list[list[Future]] = []
    next_trial, end = origin + done.count, origin + settings.trials
    interrupted = False
    result = done
    try:
        while moments.count < settings.trials:
            # Two blocks ahead of the one waited for keep all workers busy.
            while next_trial < end and len(queue) < 2 + threads * _CHUNK // BLOCK:
                stop = min(end, next_trial - (next_trial - origin) % BLOCK + BLOCK)
                starts = range(next_trial, stop, _CHUNK)
                queue.append([pool.submit(play, first, min(_CHUNK, stop - first)) for first in starts])
                next_trial = stop
            rows = np.concatenate([future.result() for future in queue.pop(0)])
            moments = moments.with_trials(rows)
            if done.rows is not None:
                kept.append(rows)
            result = replace(
                done,
                moments=moments,
                spans=((origin, origin + moments.count),),
                seconds=done.seconds + time.perf_counter() - begun,
            )
            if progress is not None:
                progress(result)
            if settings.stop_time is not None and time.perf_counter() - begun >= settings.stop_time:
                interrupted = moments.count < settings.trials
                break
            if _settled(result):
                break
    except KeyboardInterrupt:
        if moments.count == done.count:
            raise
        interrupted = True
    finally:
        for block in queue:
            for future in block:
                future.cancel()
        pool.shutdown(wait=True)
    return replace(result, rows=np.concatenate(kept) if kept else None, interrupted=interrupted)


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


def _kernel_plan(rollout: Rollout):
    """The arrays of `kernels.rollout` for these settings."""
    from ..kernels.rollout import Plan

    settings, stakes = rollout.settings, rollout.stakes
    table = cube_table(stakes, None)
    axis = stakes.axis
    if not settings.cubeful:
        table = table._replace(
            payoffs=np.ascontiguousarray(table.payoffs[:, :1]),
            may_turn=np.zeros((2, 1, 2), dtype=np.bool_),
            groups=np.zeros(1, dtype=np.int64),
            exact=0,
        )
    plan = Plan(
        np.uint64(settings.seed),
        settings.truncate or 10**6,
        int(settings.variance_reduction),
        settings.ply,
        settings.deep_moves if settings.ply else 0,
        settings.cube_ply,
        int(rollout.cube_first),
        np.array([0, 1][: rollout.branches], dtype=np.int64),
        np.array([axis, 2][: rollout.branches], dtype=np.int64),
    )
    return table, plan
