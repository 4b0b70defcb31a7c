"""The table of decisions: one row for each double, answer to a double and play, whatever file it came from.

Columns (see also the interface document)
-----------------------------------------
file, game, ply
    File, game number as the file counts, number of the decision's half-move within the game, from 1.
seat, player
    1 the first-named (bottom) player, -1 the other; name, made safe to print.
kind
    ``double`` (turn the cube or not), ``take`` (answer a double), ``play`` (a roll).
situation
    XGID, seen by the side on roll; an answer is asked of the other side (XGID's dice field says ``D``).
cube, dice
    Cube value before the decision; roll of a play, such as ``31``.
played, best
    What was done and what was right.
error_emg, error_mwc
    What it cost, ≥ 0, per cube before any double; MWC is missing in money play, both where nothing was analysed.
no_double, double_take, double_pass
    The doubler's equities (EMG; points per cube for money); `_mwc`: the same as match winning chances.
equity_played, equity_best
    Of plays, per cube.
win, win_gammon, win_backgammon, lose_gammon, lose_backgammon
    Chances before the roll (plays: after the best play), cumulative, of the side on roll.
rollout_trials, rollout_se
    Trials where the decision was rolled out (0: it was not), and the standard error of the equity difference between
    doubling and not, or between the play made and the best other one.
verdict
    The whole verdict of a cube decision, in words.
forced
    A play without a choice.
flags
    What is odd about it, separated by ``; ``. `NOT_ANALYSED` is among them where there is no error to charge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("double", "take", "play")
NOT_ANALYSED = "not analysed"
FLAG_SEPARATOR = "; "

CHANCES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
EQUITIES = ("no_double", "double_take", "double_pass")
MWCS = tuple(f"{name}_mwc" for name in EQUITIES)

#: Name and pandas type of each column, in order.
COLUMNS: dict[str, str] = {
    "file": "category",
    "game": "int32",
    "ply": "int32",
    "seat": "int8",
    "player": "category",
    "kind": "category",
    "situation": "str",
    "cube": "int32",
    "dice": "str",
    "played": "str",
    "best": "str",
    "error_emg": "float64",
    "error_mwc": "float64",
    **dict.fromkeys((*EQUITIES, *MWCS), "float64"),
    "equity_played": "float64",
    "equity_best": "float64",
    **dict.fromkeys(CHANCES, "float64"),
    "rollout_trials": "int32",
    "rollout_se": "float64",
    "verdict": "category",
    "forced": "bool",
    "flags": "str",
}


def decisions_frame(rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Rows as a frame with the columns and types of this module; what a row does not have is missing."""
    import pandas as pd

    rows = list(rows)
    series: dict[str, pd.Series] = {}
    for name, dtype in COLUMNS.items():
        missing: Any = {"bool": False, "float64": float("nan"), "int32": 0}.get(dtype)
        values = [row.get(name, missing) for row in rows]
        values = [missing if value is None else value for value in values]
        if name == "kind":
            series[name] = pd.Series(pd.Categorical(values, categories=list(KINDS)))
        else:
            series[name] = pd.Series(values, dtype="object" if dtype == "category" else dtype)  # type: ignore[call-overload]
            if dtype == "category":
                series[name] = series[name].astype("category")
    return pd.DataFrame(series)


def decision_records(decisions: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as the JSON documents of the command line have them: equities grouped, flags a list, None for missing."""
    records = []
    for row in decisions.astype(object).where(decisions.notna(), None).to_dict("records"):
        if row["kind"] == "play":
            equities = {"played": row["equity_played"], "best": row["equity_best"]}
        else:
            equities = {name: row[name] for name in EQUITIES}
        mwc = {name: row[f"{name}_mwc"] for name in EQUITIES}
        chances = {name: row[name] for name in CHANCES}
        named = ("file", "game", "ply", "seat", "player", "kind", "situation", "cube", "dice", "played", "best")
        records.append(
            {name: None if row[name] == "" else row[name] for name in named}
            | {
                "error_emg": row["error_emg"],
                "error_mwc": row["error_mwc"],
                "equities": equities,
                "mwc": None if all(value is None for value in mwc.values()) else mwc,
                "probabilities": None if all(value is None for value in chances.values()) else chances,
                "rollout": {"trials": row["rollout_trials"], "se": row["rollout_se"]}
                if row["rollout_trials"]
                else None,
                "verdict": row["verdict"] or None,
                "forced": row["forced"],
                "flags": [flag for flag in (row["flags"] or "").split(FLAG_SEPARATOR) if flag],
            }
        )
    return records
