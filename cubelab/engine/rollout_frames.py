"""Tables of a rollout: single trials, how the means settled, what happened to the cube."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import DataMissing
from .tally import HALF_MOVES, OUTCOMES

if TYPE_CHECKING:
    import pandas as pd

    from .rollout import Rollout

BRANCHES: Final = ("no double", "double, take", "double, redouble")
_CHANCES = ("win", "win_gammon", "win_backgammon", "lose", "lose_gammon", "lose_backgammon")
_ENDINGS = ("played", "passed", "exact", "truncated")


def _rows(rollout: Rollout) -> np.ndarray:
    if rollout.rows is None:
        raise DataMissing("the trials were not kept: roll out with keep_trials=True")
    return rollout.rows


def trials_frame(rollout: Rollout) -> pd.DataFrame:
    """One row a trial and branch; see `Rollout.trials`."""
    import pandas as pd

    from ..kernels import rollout as kernel

    kept = _rows(rollout)
    numbers = np.concatenate([np.arange(*span) for span in rollout.spans])
    frames = []
    for branch, name in enumerate(BRANCHES[: rollout.branches]):
        rows = kept[:, branch]
        columns = {
            "trial": numbers,
            "branch": name,
            "equity": rollout.stakes.to_emg(rows[:, kernel.VALUE]),
            "equity_raw": rollout.stakes.to_emg(rows[:, kernel.RAW_VALUE]),
        }
        columns |= {chance: rows[:, kernel.PROBS + place] for place, chance in enumerate(_CHANCES)}
        columns["half_moves"] = rows[:, kernel.LENGTH].astype(int)
        columns["cube"] = (rollout.situation.cube.value * 2 ** rows[:, kernel.LEVEL]).astype(int)
        columns["cube_turns"] = rows[:, kernel.TURNS].astype(int)
        columns["first_turn"] = pd.array(
            [int(turn) if turn >= 0 else None for turn in rows[:, kernel.FIRST_TURN]], dtype="Int64"
        )
        columns["ending"] = pd.Categorical.from_codes(rows[:, kernel.ENDING].astype(int), categories=list(_ENDINGS))
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)


def convergence_frame(rollout: Rollout, points: int, z: float) -> pd.DataFrame:
    """Running means; see `Rollout.convergence`."""
    import pandas as pd

    kept = _rows(rollout)
    equities = rollout.stakes.to_emg(kept[:, :, 0])
    series = {name: equities[:, branch] for branch, name in enumerate(BRANCHES[: rollout.branches])}
    if rollout.branches > 1:
        series["difference"] = equities[:, 1] - equities[:, 0]
    counts = np.unique(np.linspace(1, len(kept), min(points, len(kept))).astype(int))
    frames = []
    for name, values in series.items():
        mean = values.cumsum()[counts - 1] / counts
        # Around the overall mean, so that nothing cancels.
        squares = ((values - values.mean()) ** 2).cumsum()[counts - 1]
        spread = np.maximum(squares - counts * (mean - values.mean()) ** 2, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            se = np.sqrt(spread / (counts - 1) / counts)
        columns = {
            "trials": counts,
            "series": name,
            "mean": mean,
            "se": se,
            "low": mean - z * se,
            "high": mean + z * se,
        }
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)


def equities_frame(rollout: Rollout) -> pd.DataFrame:
    """One row an option; see `Rollout.to_frame`."""
    import pandas as pd

    rows: list[dict] = []
    se, stakes, moments = rollout.se, rollout.stakes, rollout.moments
    if rollout.settings.cubeful:
        raw_errors = np.sqrt(moments.covariance().diagonal())
        names = ("with the cube",) if rollout.cube_first else BRANCHES
        for branch, error in enumerate((se.no_double, se.double_take, se.double_redouble)[: rollout.branches]):
            assert error is not None
            place = branch * moments.WIDTH
            value, raw = moments.means()[place : place + 2]
            row = {"option": names[branch], "equity": stakes.to_emg(value), "se": error}
            row |= {"raw": stakes.to_emg(raw), "raw_se": raw_errors[place + 1] * rollout.scale}
            rows.append(
                row if stakes.money else row | {"mwc": stakes.to_mwc(value), "mwc_se": error / rollout.scale / 2}
            )
        if rollout.branches > 1:
            passed = {"option": "double, pass", "equity": stakes.to_emg(stakes.passed), "se": 0.0}
            rows.append(passed if stakes.money else passed | {"mwc": stakes.to_mwc(stakes.passed), "mwc_se": 0.0})
            gap = rows[1]["equity"] - rows[0]["equity"]
            rows.append({"option": "difference", "equity": gap, "se": se.difference})
    rows.append({"option": "cubeless", "equity": rollout.cubeless, "se": se.cubeless})
    columns = ["option", "equity", "se", "raw", "raw_se", *([] if stakes.money else ["mwc", "mwc_se"])]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[1:], float))


def cube_frame(rollout: Rollout) -> pd.DataFrame:
    """Final cubes by outcome; see `Rollout.cube_statistics`."""
    import pandas as pd

    rows = []
    for branch, name in enumerate(BRANCHES[: rollout.branches]):
        counts = rollout.tally.ends[branch]
        for level, outcome in zip(*np.nonzero(counts), strict=True):
            games = int(counts[level, outcome])
            cube = rollout.situation.cube.value * 2 ** int(level)
            rows.append((name, cube, OUTCOMES[outcome], games, games / rollout.count))
    return pd.DataFrame(rows, columns=["branch", "cube", "outcome", "trials", "share"])


def turns_frame(rollout: Rollout) -> pd.DataFrame:
    """When the cube was turned first; see `Rollout.first_turns`."""
    import pandas as pd

    rows = []
    for branch, name in enumerate(BRANCHES[: rollout.branches]):
        counts, total = rollout.tally.first[branch], 0
        for half_move in np.flatnonzero(counts[:HALF_MOVES]):
            total += int(counts[half_move])
            side = "mover" if half_move % 2 == 0 else "opponent"
            games = int(counts[half_move])
            rows.append((name, int(half_move), side, games, games / rollout.count, total / rollout.count))
    return pd.DataFrame(rows, columns=["branch", "half_move", "by", "trials", "share", "cumulative"])
