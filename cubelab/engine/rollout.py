"""Result of a rollout: a situation played out many times, its numbers and how sure they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arguments import checked
from ..cube.decision import CubeDecision, decision_from_values
from ..errors import SettingsError
from ..game import Probabilities, Situation
from ..score.stakes import Stakes
from ..wording import counted
from .evaluator import Evaluation, Provenance
from .moments import Moments, same_arrays
from .rollout_files import read_rollout, write_rollout
from .rollout_frames import convergence_frame, cube_frame, equities_frame, trials_frame, turns_frame
from .rollout_settings import RolloutSettings
from .rollout_text import html, plain_text
from .tally import Tally
from .verdict_confidence import Confidence, confidence

if TYPE_CHECKING:
    import pandas as pd


#: Results that each cumulative chance counts: win, win gammon, win backgammon, lose gammon, lose backgammon.
_COUNTED = ((1, 1, 1, 0, 0, 0), (0, 1, 1, 0, 0, 0), (0, 0, 1, 0, 0, 0), (0, 0, 0, 0, 1, 1), (0, 0, 0, 0, 0, 1))
CUMULATIVE = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


@dataclass(frozen=True, slots=True)
class StandardErrors:
    """Standard errors in equity per current cube; None where there is no such number.

    ``chances``: of the cumulative chances, in the order of `Probabilities.cumulative`.
    """

    cubeless: float
    no_double: float | None
    double_take: float | None
    difference: float | None
    double_redouble: float | None
    chances: tuple[float, float, float, float, float]

    def to_dict(self) -> dict:
        """By name; the immediate redouble only where it was rolled out."""
        found = asdict(self) | {"chances": dict(zip(CUMULATIVE, self.chances, strict=True))}
        if self.double_redouble is None:
            del found["double_redouble"]
        return found


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rollout:
    """Result of a rollout; sums are exact, so parts merge to bit-equal results however the trials were split.

    Attributes
    ----------
    situation : Situation
    settings : RolloutSettings
    stakes : Stakes
    moments : Moments
        Sums over the trials done.
    tally : Tally
        Counts over them: results, cubes, lengths.
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
    tally: Tally
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
        """2 where not doubling and doubling were played, 3 with the immediate redouble too, else 1."""
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
            float(values[1]) if self.branches > 1 else None,
            self.stakes,
            probabilities=self.probabilities,
            model=f"rollout, {counted(self.count, 'trial')}",
            redoubled=float(values[2]) if self.branches > 2 else None,
        )

    @property
    def cubeless(self) -> float:
        """Cubeless equity per current cube."""
        return float(self.stakes.to_emg(self.moments.linear_mean(0, self.stakes.payoffs[0])))

    @property
    def se(self) -> StandardErrors:
        """Standard errors of the equities and of the difference double/take - no double."""
        scale = self.scale
        wanted = np.array([self.stakes.payoffs[0, :6] * scale, *_COUNTED])
        cubeless, *errors = map(float, self.moments.linear_ses(0, wanted))
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = errors
        chances = (win, win_gammon, win_backgammon, lose_gammon, lose_backgammon)
        if not self.settings.cubeful:
            return StandardErrors(cubeless, None, None, None, None, chances)
        covariance = self.moments.value_covariance() * scale**2
        known: list[float | None] = [float(np.sqrt(value)) for value in covariance.diagonal()]
        if self.branches == 1:
            return StandardErrors(cubeless, known[0], None, None, None, chances)
        spread = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
        redouble = known[2] if self.branches > 2 else None
        return StandardErrors(cubeless, known[0], known[1], float(np.sqrt(max(spread, 0.0))), redouble, chances)

    @property
    def scale(self) -> float:
        """Equity per unit of value of the stakes."""
        return 2.0 / (self.stakes.single_win - self.stakes.single_loss)

    @property
    def confidence(self) -> Confidence | None:
        """How likely the verdict is right and what it costs on average if not; None where there is no verdict."""
        if self.branches == 1 or not self.settings.cubeful or self.count < 2:
            return None
        means = [float(self.stakes.to_emg(value)) for value in self.moments.mean_values()]
        # The opponent's better answer of taking and taking to redouble stands for both.
        played = [0, 2 if self.branches > 2 and means[2] < means[1] else 1]
        covariance = self.moments.value_covariance()[np.ix_(played, played)]
        return confidence([means[branch] for branch in played], covariance * self.scale**2)

    @property
    def trials(self) -> pd.DataFrame:
        """One row a trial and branch: adjusted and raw value and chances, length, cube.

        Raises
        ------
        DataMissing
            The trials were not kept.
        """
        return trials_frame(self)

    @checked("points", "z")
    def convergence(self, points: int = 500, z: float = 1.96) -> pd.DataFrame:
        """How the means settled: running mean of each branch and of their difference, with its band.

        Parameters
        ----------
        points : int
            At most so many places along the trials.
        z : float
            Half width of the band in standard errors; 1.96 covers 95 %.

        Returns
        -------
        DataFrame
            ``trials``, ``series`` (``no double``, ``double, take``, ``difference``), ``mean``, ``se``, ``low``,
            ``high``, in equity per current cube.

        Raises
        ------
        SettingsError
            Fewer points than 1.
        DataMissing
            The trials were not kept.
        """
        if points < 1:
            raise SettingsError(f"convergence at {points} points: at least 1")
        return convergence_frame(self, points, z)

    def to_frame(self) -> pd.DataFrame:
        """One row an option, the difference of doubling and not among them: equity, equity with the luck left in, MWC.

        Each with its standard error; MWC at a score only.
        """
        return equities_frame(self)

    def cube_statistics(self) -> pd.DataFrame:
        """Trials and share by branch, final cube and outcome (results, who passed, exact, truncated)."""
        return cube_frame(self)

    def first_turns(self) -> pd.DataFrame:
        """When the cube was first turned within the trials: by branch and half-move (0 = before the first roll)."""
        return turns_frame(self)

    @property
    def evaluation(self) -> Evaluation:
        """The rollout in the shape of any other evaluation.

        Raises
        ------
        SettingsError
            As for `decision`.
        """
        decision = self.decision
        return Evaluation(
            self.situation,
            self.probabilities,
            self.cubeless,
            float(decision.equities.no_double),
            decision,
            self.provenance,
            self,
        )

    def __eq__(self, other: object) -> bool:
        """Whether the same trials were played of the same thing, with the same results; time does not count."""
        if not isinstance(other, Rollout):
            return NotImplemented
        threads = other.settings.threads  # which change nothing
        return (
            (replace(self.settings, threads=threads), self.spans) == (other.settings, other.spans)
            and self.interrupted == other.interrupted
            and _identity(self) == _identity(other)
            and (self.moments, self.tally) == (other.moments, other.tally)
            and same_arrays(self.rows, other.rows)
        )

    def __hash__(self) -> int:
        return hash((self.situation.xgid, self.settings.seed, self.spans))

    def __str__(self) -> str:
        return plain_text(self)

    def __repr__(self) -> str:
        return f"<Rollout of {self.situation.xgid}: {counted(self.count, 'trial')}>"

    def _repr_html_(self) -> str:
        return html(self)

    @checked("progress")
    def extend(
        self, trials: int, *, progress: Callable[[Rollout], None] | None = None, threads: int | None = None
    ) -> Rollout:
        """Go on exactly where this rollout stopped: 1296 and 1296 more are 2592.

        The stopping rules of its settings still hold and may end it sooner; the time counts anew.

        Raises
        ------
        SettingsError
            Trials that are not contiguous from 0, a count below 1, or trials made by another version of cubelab or
            other networks.
        """
        if not isinstance(trials, Integral) or trials < 1:
            raise SettingsError(f"cannot extend a rollout by {trials!r:.60} trials: a whole number, at least 1")
        if len(self.spans) != 1 or self.spans[0][0] != 0:
            raise SettingsError("only a rollout that holds all trials from the first can be extended")
        # The runner builds on this module, so it is reached when needed.
        from .rollout_run import provenance_of, run

        present = provenance_of(self.stakes, self.settings)
        for name in present.__slots__:
            was, now = getattr(self.provenance, name), getattr(present, name)
            if was != now:
                raise SettingsError(
                    f"these trials were made with {name} {was}, new ones would be with {now}: roll out anew"
                )

        threads = self.settings.threads if threads is None else threads
        settings = replace(self.settings, trials=self.count + int(trials), threads=threads)
        return run(replace(self, settings=settings, interrupted=False), progress)

    @checked("other")
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
            tally=self.tally + other.tally,
            spans=tuple(joined),
            rows=rows,
            seconds=self.seconds + other.seconds,
            interrupted=False,
        )

    @checked("path")
    def save(self, path: str | Path) -> None:
        """Write to a file that `load` reads, whole or not at all.

        Raises
        ------
        DataMissing
            The file cannot be written.
        """
        write_rollout(self, Path(path))

    @classmethod
    @checked("path")
    def load(cls, path: str | Path) -> Rollout:
        """Read a rollout written by `save`.

        Raises
        ------
        DataMissing
            No such file, or one that is not a whole rollout.
        """
        return cls(**read_rollout(Path(path)))

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
