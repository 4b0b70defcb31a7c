"""Totals per player: errors, blunders, mistakes with the cube by kind, performance rating (PR).

PR = 500 × total error / unforced decisions (eXtreme Gammon's performance rating), errors at equities normalised to the
cube. Programs differ in which decisions not to double they count; the convention is named beside each number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import SettingsError

if TYPE_CHECKING:
    import pandas as pd

#: Errors of this size are counted as such, EMG: eXtreme Gammon's limits.
ERROR_EMG, BLUNDER_EMG = 0.020, 0.080
#: Smaller losses are not counted as mistakes: they vanish in the three printed digits.
MISTAKE_EMG = 0.0005
#: Decisions not to double are shown when doubling would have cost less than this, EMG.
CLOSE_EMG = 0.05
PR_FACTOR = 500.0


@dataclass(frozen=True, slots=True)
class Convention:
    """Which decisions not to double count as decisions; doubles, answers and unforced plays always do, and a missed
    double too, so that no error is charged to nothing.

    Parameters
    ----------
    name, title : str
    window_emg : float
        A no-double counts when it is less than this better than doubling.
    positive_only : bool
        And only when the equity without doubling is above 0.
    """

    name: str
    title: str
    window_emg: float
    positive_only: bool

    def counted(self, decisions: pd.DataFrame) -> pd.Series:
        """Whether each row counts (bool, same index)."""
        analysed = decisions["error_emg"].notna()
        doubled = decisions[["double_take", "double_pass"]].min(axis=1)
        ahead = decisions["no_double"] - doubled
        close = ahead < self.window_emg
        if self.positive_only:
            close &= decisions["no_double"] > 0
        waited = decisions["played"].isin(WAITED)
        missed = decisions["error_emg"] > MISTAKE_EMG
        by_kind = (
            (decisions["kind"].eq("double") & (~waited | close | missed))
            | decisions["kind"].eq("take")
            | (decisions["kind"].eq("play") & ~decisions["forced"])
        )
        return analysed & by_kind


#: eXtreme Gammon: ND > 0 and ND - min(DT, DP) < 0.200; GNU Backgammon: "close or missed", within 0.16.
CONVENTIONS = {
    "xg": Convention("xg", "eXtreme Gammon: no-doubles count when ND > 0 and within 0.200", 0.200, True),
    "gnubg": Convention("gnubg", "GNU Backgammon: no-doubles count when within 0.160", 0.160, False),
}

#: What a player did who did not turn the cube.
WAITED = ("No double", "No redouble")

_KINDS = ("missed_double", "wrong_double", "wrong_take", "wrong_pass")
_ADDITIVE = (
    "decisions",
    "not_analysed",
    "counted_cube",
    "counted_play",
    "errors",
    "blunders",
    *(f"{kind}s" if kind != "wrong_pass" else "wrong_passes" for kind in _KINDS),
    *(f"{kind}_emg" for kind in _KINDS),
    "cube_error_emg",
    "play_error_emg",
    "error_emg",
    "error_mwc",
)


def convention_named(name: str) -> Convention:
    """A counting convention.

    Raises
    ------
    SettingsError
        Unknown name.
    """
    if name not in CONVENTIONS:
        raise SettingsError(f"PR convention {name!r} is none of {', '.join(CONVENTIONS)}")
    return CONVENTIONS[name]


def summarise(decisions: pd.DataFrame, convention: str = "xg") -> pd.DataFrame:
    """Totals per file and player.

    Parameters
    ----------
    decisions : DataFrame
        As of `study.decisions`.
    convention : {"xg", "gnubg"}
        For the PR.

    Returns
    -------
    DataFrame
        One row per file and player, files in order of appearance, bottom player first: ``file, seat, player``; numbers
        of ``decisions``, those ``not_analysed``, ``counted_cube`` and ``counted_play`` for the PR, ``errors`` (≥ 0.020
        EMG), ``blunders`` (≥ 0.080), mistakes with the cube by kind and their cost in EMG, total ``error_emg`` and
        ``error_mwc`` (missing in money play), ``pr``, ``pr_cube``, ``pr_play``, ``convention``.
    """
    import numpy as np
    import pandas as pd

    rule = convention_named(convention)
    error = decisions["error_emg"].fillna(0.0)
    mistake = error > MISTAKE_EMG
    play, played = decisions["kind"].eq("play"), decisions["played"]
    counted = rule.counted(decisions)
    double, take = decisions["kind"].eq("double"), decisions["kind"].eq("take")
    waited = played.isin(WAITED)
    kinds = {
        "missed_double": double & waited & mistake,
        "wrong_double": double & ~waited & mistake,
        "wrong_take": take & played.ne("Pass") & mistake,
        "wrong_pass": take & played.eq("Pass") & mistake,
    }
    parts = pd.DataFrame(
        {
            "decisions": 1,
            "not_analysed": decisions["error_emg"].isna(),
            "counted_cube": counted & ~play,
            "counted_play": counted & play,
            "errors": error >= ERROR_EMG,
            "blunders": error >= BLUNDER_EMG,
            **{f"{kind}s" if kind != "wrong_pass" else "wrong_passes": where for kind, where in kinds.items()},
            **{f"{kind}_emg": error.where(where, 0.0) for kind, where in kinds.items()},
            "cube_error_emg": error.where(~play, 0.0),
            "play_error_emg": error.where(play, 0.0),
            "error_emg": error,
            "error_mwc": decisions["error_mwc"],
        },
        index=decisions.index,
    )
    counts = [name for name in _ADDITIVE if not name.endswith(("_emg", "_mwc"))]
    parts[counts] = parts[counts].astype("int64")
    keys = {
        "file": decisions["file"].astype(object),
        "seat": decisions["seat"],
        "player": decisions["player"].astype(object),
    }
    rows = pd.concat([pd.DataFrame(keys), parts], axis=1)
    # As the record names them; by appearance whoever won the opening roll would come first.
    order = np.lexsort((-rows["seat"].to_numpy(), pd.factorize(rows["file"])[0]))
    return _with_ratings(rows.iloc[order], ["file", "seat", "player"], rule)


def total(summaries: pd.DataFrame) -> pd.DataFrame:
    """Totals per player name over all files of a `summarise` frame; same columns without ``file`` and ``seat``.

    Raises
    ------
    SettingsError
        The summaries were made with different conventions.
    """
    names = summaries["convention"].unique()
    if len(names) > 1:
        raise SettingsError(f"summaries with different PR conventions cannot be added: {', '.join(names)}")
    rule = convention_named(names[0] if len(names) else "xg")
    return _with_ratings(summaries[["player", *_ADDITIVE]], ["player"], rule)


def worth_showing(decisions: pd.DataFrame) -> pd.Series:
    """Rows worth a look (bool, same index): doubles and answers, mistakes with the cube, close decisions not to double
    (within `CLOSE_EMG`), plays with an error of at least `ERROR_EMG`, and what could not be analysed."""
    play = decisions["kind"].eq("play")
    waited = decisions["kind"].eq("double") & decisions["played"].isin(WAITED)
    doubled = decisions[["double_take", "double_pass"]].min(axis=1)
    close = (decisions["no_double"] - doubled).abs() < CLOSE_EMG
    error, unknown = decisions["error_emg"], decisions["error_emg"].isna()
    cube = ~waited | close | (error > MISTAKE_EMG) | unknown
    return (~play & cube) | (play & ((error >= ERROR_EMG) | unknown))


def _with_ratings(parts: pd.DataFrame, keys: list[str], rule: Convention) -> pd.DataFrame:
    groups = parts.groupby(keys, sort=False, observed=True)
    sums = groups[list(_ADDITIVE)].sum().reset_index()
    # A sum over nothing is 0; MWC lost in money play is not 0 but unknown.
    sums["error_mwc"] = groups["error_mwc"].sum(min_count=1).to_numpy()
    counted = sums["counted_cube"] + sums["counted_play"]
    for name, lost, number in (
        ("pr", sums["error_emg"], counted),
        ("pr_cube", sums["cube_error_emg"], sums["counted_cube"]),
        ("pr_play", sums["play_error_emg"], sums["counted_play"]),
    ):
        sums[name] = PR_FACTOR * lost / number.where(number > 0)
    sums["convention"] = rule.name
    return sums
