"""Plays of one roll rolled out against each other on the same dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..errors import SettingsError
from ..game import Phase, Position, Probabilities, Situation
from ..game.play import Play
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .rollout import Rollout
from .rollout_run import rollout
from .rollout_settings import RolloutSettings
from .search import ranked_plays

if TYPE_CHECKING:
    import pandas as pd

#: Plays looked at when none are named: the best by the look-ahead, within this equity of the first.
_CANDIDATES, _MARGIN = 5, 0.12


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
    error_emg, error_se : float
        Loss against the best play and the standard error of that difference, on the same dice.
    rollout : Rollout or None
        Seen by the opponent, who is to roll; None where the play ends the game.
    """

    play: Play
    probabilities: Probabilities
    equity: float
    se: float
    mwc: float | None
    error_emg: float
    error_se: float
    rollout: Rollout | None


@dataclass(frozen=True, slots=True)
class RolledPlays(Sequence[RolledPlay]):
    """Rolled-out plays, best first."""

    situation: Situation
    dice: tuple[int, int]
    plays: tuple[RolledPlay, ...]

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

    Raises
    ------
    CubelabError
        No dice, no legal play, a game that is over, impossible settings.
    """
    settings = settings or RolloutSettings()
    ranked = ranked_plays(situation, dice, ply=1, met=met)
    if not ranked.plays:
        raise SettingsError(f"no legal play of {ranked.dice[0]}-{ranked.dice[1]}: there is nothing to roll out")
    if plays is None:
        plays = [entry.play for entry in ranked[:_CANDIDATES] if entry.error_emg <= _MARGIN]
    stakes = Stakes.of(situation.match, situation.cube, met=met)
    scale = 2.0 / (stakes.single_win - stakes.single_loss)
    found: list[tuple[Play, Rollout | None, Probabilities, np.ndarray]] = []
    for play in plays:
        if play.after.phase is Phase.OVER:
            chances = Probabilities.from_array(np.eye(6)[_size(play.after)])
            found.append((play, None, chances, np.array([stakes.cubeless(chances.array)])))
            continue
        opposite = Situation(play.after.flip(), situation.cube.flip(), situation.match.flip(), turn=-situation.turn)
        kept = replace(settings, keep_trials=True)
        result = rollout(
            opposite,
            kept,
            met=stakes.flip().table,
            progress=None if progress is None else (lambda so_far, play=play: progress(play, so_far)),  # type: ignore[misc]
            cube_first=True,
        )
        assert result.rows is not None
        found.append((play, result, -result.probabilities, -result.rows[:, 0, 0]))
    means = [
        float(values.mean()) if result is None else -float(result.moments.mean_values()[0])
        for _, result, _, values in found
    ]
    best = int(np.argmax(means))
    rolled = []
    for (play, trials, chances, values), mean in zip(found, means, strict=True):
        shared = min(len(values), len(found[best][3]))
        gap = found[best][3][:shared] - values[:shared]
        error_se = float(gap.std(ddof=1) / np.sqrt(shared)) * scale if shared > 1 else 0.0
        rolled.append(
            RolledPlay(
                play,
                chances,
                float(stakes.to_emg(mean)),
                float(trials.se.no_double or trials.se.cubeless) if trials else 0.0,
                None if stakes.money else float(stakes.to_mwc(mean)),
                (means[best] - mean) * scale,
                error_se,
                trials,
            )
        )
    rolled.sort(key=lambda entry: entry.error_emg)
    return RolledPlays(situation, ranked.dice, tuple(rolled))


def _size(after: Position) -> int:
    """0 single, 1 gammon, 2 backgammon: what the side that has borne off all its checkers won."""
    if after.opponent_off:
        return 0
    return 2 if any(after.board[point] < 0 for point in range(7)) else 1
