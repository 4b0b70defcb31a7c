"""Plays of one roll rolled out against each other on the same dice."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..arguments import checked
from ..game import Phase, Position, Probabilities, Situation
from ..game.play import Play
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .evaluator import Provenance
from .rollout import Rollout
from .rollout_run import rollout, run
from .rollout_settings import BLOCK, RolloutSettings, checked_settings
from .search import RankedPlay, ranked_plays
from .verdict_confidence import lead_confidence

if TYPE_CHECKING:
    import pandas as pd

#: Plays looked at when none are named: the best by the look-ahead, within this equity of the first.
_CANDIDATES, _MARGIN = 5, 0.12
#: Trials of each play between two looks at the stopping rules.
_ROUND = 2 * BLOCK


@dataclass(frozen=True, slots=True)
class RolledPlay:
    """One play and what came of it.

    Attributes
    ----------
    play : Play
    probabilities : Probabilities
        Of the mover, after the play.
    equity, se : float
        Cubeful per current cube, and its standard error.
    mwc : float or None
        Match winning chance; None for money.
    error_emg : float
        Loss against the best play, at least 0.
    error_mwc : float or None
    error_se : float
        Standard error of `error_emg`, from the dice both had.
    rollout : Rollout or None
        Seen by the opponent, who is to roll; None where the play ends the game.
    """

    play: Play
    probabilities: Probabilities
    equity: float
    se: float
    mwc: float | None
    error_emg: float
    error_mwc: float | None
    error_se: float
    rollout: Rollout | None


@dataclass(frozen=True, slots=True)
class RolledPlays(Sequence[RolledPlay]):
    """Rolled-out plays, best first.

    Attributes
    ----------
    situation : Situation
    dice : (int, int)
    plays : tuple of RolledPlay
    others : tuple of RankedPlay
        Legal plays that were not rolled out, with the numbers of the look-ahead that put them behind.
    settings : RolloutSettings
    provenance : Provenance
    interrupted : bool
        Stopped by hand or by time.
    """

    situation: Situation
    dice: tuple[int, int]
    plays: tuple[RolledPlay, ...]
    others: tuple[RankedPlay, ...]
    settings: RolloutSettings
    provenance: Provenance
    interrupted: bool = False

    def __getitem__(self, index):
        return self.plays[index]

    def __len__(self) -> int:
        return len(self.plays)

    def to_frame(self) -> pd.DataFrame:
        """One row a play: equity, its standard error, loss against the best and its standard error, chances."""
        import pandas as pd

        names = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
        return pd.DataFrame(
            [
                {
                    "play": e.play.notation,
                    "equity": e.equity,
                    "se": e.se,
                    "mwc": e.mwc,
                    "error_emg": e.error_emg,
                    "error_se": e.error_se,
                }
                | dict(zip(names, e.probabilities.cumulative, strict=True))
                | {"trials": e.rollout.count if e.rollout else 0}
                for e in self.plays
            ]
        )


@checked("progress", "met")
def rollout_plays(
    situation: Situation,
    plays: Sequence[Play] | None = None,
    settings: RolloutSettings | None = None,
    *,
    dice: object = None,
    met: str | MatchEquityTable | None = None,
    progress: Callable[[Play, Rollout], None] | None = None,
) -> RolledPlays:
    """Roll out plays of one roll, every one on the same dice, so that their difference is known better than each.

    Stopping rules compare each play with the best one, once every one has the least number of trials: a play is given
    up when the best is better with ``stop_probability``, or when choosing it by mistake would cost no more than
    ``stop_regret`` on average, and all stop when every difference has the standard error ``stop_se``.

    Parameters
    ----------
    situation : Situation
    plays : sequence of Play, optional
        Default: up to five that a 1-ply look-ahead puts within 0.12 of the best.
    settings : RolloutSettings, optional
    dice : pair, str or int, optional
        Default: the situation's own.
    met : str or MatchEquityTable, optional
    progress : callable, optional
        Called with the play and its rollout so far.

    Returns
    -------
    RolledPlays
        Empty where there is no legal play; without those no trial was played of, when interrupted.

    Raises
    ------
    CubelabError
        No dice, a game that is over, impossible settings.
    """
    settings = checked_settings(settings)
    ranked = ranked_plays(situation, dice, ply=1 if plays is None else 0, met=met)
    source = replace(ranked.provenance, ply=settings.ply, seed=settings.seed)
    if plays is None:
        plays = [entry.play for entry in ranked[:_CANDIDATES] if entry.error_emg <= _MARGIN]
    contest = _Contest(situation, list(plays), settings, met, progress)
    contest.run()
    chosen = {play.after for play in plays}
    others = tuple(entry for entry in ranked if entry.play.after not in chosen)
    return RolledPlays(situation, ranked.dice, contest.standings(), others, settings, source, contest.interrupted)


class _Contest:
    """Plays of one roll while they are rolled out, in rounds of which each play takes part while it may be the best."""

    def __init__(
        self,
        situation: Situation,
        plays: list[Play],
        settings: RolloutSettings,
        met: str | MatchEquityTable | None,
        progress: Callable[[Play, Rollout], None] | None,
    ):
        self.situation, self.plays, self.settings, self.progress = situation, plays, settings, progress
        self.stakes = Stakes.of(situation.match, situation.cube, met=met)
        self.rollouts: list[Rollout | None] = [None] * len(plays)
        self.interrupted = False

    @property
    def scale(self) -> float:
        """Equity per unit of value."""
        return 2.0 / (self.stakes.single_win - self.stakes.single_loss)

    def run(self) -> None:
        """Roll out until the settings say enough."""
        settings, begun = self.settings, time.perf_counter()
        ruled = any((settings.stop_se, settings.stop_probability, settings.stop_regret, settings.stop_time))
        step = _ROUND if ruled else settings.trials
        active = [k for k, play in enumerate(self.plays) if play.after.phase is not Phase.OVER]
        count = 0
        while active and count < settings.trials:
            count = min(count + step, settings.trials)
            for k in active:
                left = None if settings.stop_time is None else settings.stop_time - (time.perf_counter() - begun)
                if not self._play(k, count, left):
                    self.interrupted = True
                    return
            if count >= settings.min_trials:
                active = self._contenders(active)

    def _play(self, k: int, count: int, seconds: float | None) -> bool:
        """Bring a play to `count` trials; False when interrupted."""
        if seconds is not None and seconds <= 0:
            return False
        settings = replace(
            self.settings,
            trials=count,
            keep_trials=True,
            stop_se=None,
            stop_probability=None,
            stop_regret=None,
            stop_time=seconds,
        )
        play, progress = self.plays[k], self.progress
        report = None if progress is None else (lambda so_far: progress(play, so_far))
        try:
            present = self.rollouts[k]
            if present is None:
                before = self.situation
                opposite = Situation(play.after.flip(), before.cube.flip(), before.match.flip(), turn=-before.turn)
                table = self.stakes.flip().table
                present = rollout(opposite, settings, met=table, progress=report, cube_first=True)
            else:
                present = run(replace(present, settings=settings), report)
        except KeyboardInterrupt:
            return False
        self.rollouts[k] = present
        return not present.interrupted

    def values(self, k: int) -> np.ndarray:
        """Value of each trial of a play, for the side that made it; one number where the play ends the game."""
        present = self.rollouts[k]
        if present is None:
            return np.array([self.stakes.cubeless(self._final(k).array)])
        assert present.rows is not None
        return -present.rows[:, 0, 0]

    def _final(self, k: int) -> Probabilities:
        return Probabilities.from_array(np.eye(6)[_size(self.plays[k].after)])

    def known(self) -> list[int]:
        """Plays with a value."""
        over = Phase.OVER
        return [k for k, play in enumerate(self.plays) if self.rollouts[k] is not None or play.after.phase is over]

    def mean(self, k: int) -> float:
        """Mean value of a play."""
        present = self.rollouts[k]
        return float(self.values(k)[0]) if present is None else -float(present.moments.mean_values()[0])

    def gap(self, best: int, k: int) -> tuple[float, float]:
        """How much better one play is than another, and the standard error, in equity, on the dice they shared."""
        values, rivals = self.values(best), self.values(k)
        if len(values) == 1 or len(rivals) == 1:
            spread = sum(float(v.var(ddof=1)) / len(v) for v in (values, rivals) if len(v) > 1)
            return (self.mean(best) - self.mean(k)) * self.scale, math.sqrt(spread) * self.scale
        shared = min(len(values), len(rivals))
        gap = values[:shared] - rivals[:shared]
        return float(gap.mean()) * self.scale, float(gap.std(ddof=1) / math.sqrt(shared)) * self.scale

    def _contenders(self, active: list[int]) -> list[int]:
        """Plays that have to go on, the best one included."""
        settings = self.settings
        best = max(self.known(), key=self.mean)
        rivals = {k: self.gap(best, k) for k in active if k != best}
        if settings.stop_se is not None and all(se <= settings.stop_se for _, se in rivals.values()):
            return []
        kept = [k for k, (gap, se) in rivals.items() if not self._beaten(gap, se)]
        return [k for k in active if k == best or k in kept] if kept else []

    def _beaten(self, gap: float, se: float) -> bool:
        chance, regret = lead_confidence(gap, se)
        settings = self.settings
        if settings.stop_probability is not None and chance >= settings.stop_probability:
            return True
        return settings.stop_regret is not None and regret <= settings.stop_regret

    def standings(self) -> tuple[RolledPlay, ...]:
        """All plays with a value, best first."""
        known = self.known()
        if not known:
            return ()
        best = max(known, key=self.mean)
        rolled = []
        for k in known:
            trials, mean = self.rollouts[k], self.mean(k)
            loss = self.mean(best) - mean
            rolled.append(
                RolledPlay(
                    self.plays[k],
                    self._final(k) if trials is None else -trials.probabilities,
                    float(self.stakes.to_emg(mean)),
                    float(trials.se.no_double or trials.se.cubeless) if trials else 0.0,
                    None if self.stakes.money else float(self.stakes.to_mwc(mean)),
                    loss * self.scale,
                    None if self.stakes.money else loss / 2,
                    0.0 if k == best else self.gap(best, k)[1],
                    trials,
                )
            )
        return tuple(sorted(rolled, key=lambda entry: entry.error_emg))


def _size(after: Position) -> int:
    """0 single, 1 gammon, 2 backgammon: what the side that has borne off all its checkers won."""
    if after.opponent_off:
        return 0
    return 2 if any(after.board[point] < 0 for point in range(7)) else 1
