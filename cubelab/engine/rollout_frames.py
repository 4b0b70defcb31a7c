"""Tables of a rollout: single trials, how the means settled, what happened to the cube."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import DataMissing
from .tally import HALF_MOVES, OUTCOMES

if TYPE_CHECKING:
    import pandas as pd

    from .rollout import Rollout

BRANCHES: Final = ("no double", "double, take")
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
    if rollout.branches == 2:
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
    se = rollout.se
    if rollout.settings.cubeful and not rollout.cube_first:
        equities, mwc = rollout.decision.equities, rollout.decision.mwc
        for name, label in (
            ("no_double", "no double"),
            ("double_take", "double, take"),
            ("double_pass", "double, pass"),
        ):
            equity = getattr(equities, name)
            if equity is not None:
                error = 0.0 if name == "double_pass" else getattr(se, name)
                rows.append({"option": label, "equity": equity, "se": error, "mwc": mwc and getattr(mwc, name)})
        if equities.double_take is not None:
            gap = equities.double_take - equities.no_double
            rows.append({"option": "difference", "equity": gap, "se": se.difference, "mwc": None})
    elif rollout.settings.cubeful:
        value = float(rollout.moments.mean_values()[0])
        mwc_value = None if rollout.stakes.money else float(rollout.stakes.to_mwc(value))
        equity = float(rollout.stakes.to_emg(value))
        rows.append({"option": "with the cube", "equity": equity, "se": se.no_double, "mwc": mwc_value})
    rows.append({"option": "cubeless", "equity": rollout.cubeless, "se": se.cubeless, "mwc": None})
    frame = pd.DataFrame(rows).astype({"equity": float, "se": float, "mwc": float})
    return frame.drop(columns="mwc") if rollout.stakes.money else frame


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
