"""What ``cubelab analyse --compare-stored`` prints: our numbers beside those of the files' own programs."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..wording import counted
from .printing import percent, print_table, print_text, signed
from .program import plain

if TYPE_CHECKING:
    import pandas as pd

    from ..study.analysis import FailedFile, MatchAnalysis

#: Differences that are listed one by one.
_LISTED = 15
_NAME_WIDTH = 24
_PROGRAM_WIDTH = 16


class StoredSink:
    """Compares each match as it comes and prints the comparison at the end.

    Parameters
    ----------
    met : str or MatchEquityTable, optional
        Table of the analysis.
    printed : bool
        Whether stdout is for people; else the comparison goes to stderr.
    """

    def __init__(self, met: Any, *, printed: bool):
        self._met, self._printed = met, printed
        self._parts: list[pd.DataFrame] = []

    def add(self, analysis: MatchAnalysis) -> None:
        """Compare a match; its file is read again for what it stores."""
        from ..records import read_match
        from ..study.stored import compare_stored

        for match in analysis.matches:
            self._parts.append(compare_stored(analysis, read_match(match.file), self._met))

    def add_failed(self, failed: FailedFile) -> None:
        """Failures are named on stderr already."""

    def close(self) -> None:
        """Print what was found."""
        with contextlib.nullcontext() if self._printed else contextlib.redirect_stdout(sys.stderr):
            self._print()

    def abandon(self) -> None:
        """Nothing is printed before the end."""

    def _print(self) -> None:
        import pandas as pd

        from ..study.stored import stored_summary

        parts = [part for part in self._parts if len(part)]
        print()
        if not parts:
            print("The files store no analysis to compare with.")
            return
        comparison = pd.concat(parts, ignore_index=True)
        print("Compared with the analysis in the files (EMG; points per cube for money)")
        _print_summary(stored_summary(comparison))
        _print_differences(comparison[~comparison["agree"]], several=comparison["file"].nunique() > 1)


def _print_summary(summary: pd.DataFrame) -> None:
    columns = ("program", "level", "kind", "n", "agree", "close", "agree", "RMSE ND", "RMSE DT")
    rows = [
        (
            plain(row["program"], _PROGRAM_WIDTH),
            row["level"],
            row["kind"],
            str(row["decisions"]),
            percent(row["agree"], 0),
            str(row["close"]) if row["kind"] != "play" else "",
            percent(row["agree_close"], 0),
            _number(row["rmse_no_double"]),
            _number(row["rmse_double_take"]),
        )
        for row in summary.to_dict("records")
    ]
    print_table(columns, rows, right=columns[3:])


def _print_differences(different: pd.DataFrame, *, several: bool) -> None:
    if different.empty:
        print_text("No decision that we judge otherwise.")
        return
    ranked = different.assign(most=different[["cost", "cost_theirs"]].max(axis=1)).sort_values("most", ascending=False)
    print()
    print_text(
        f"{counted(len(different), 'decision')} that we judge otherwise"
        + (f", the first {_LISTED}:" * (len(different) > _LISTED))
    )
    columns = ("where", "ours", "theirs", "costs ours", "costs theirs")
    rows = [
        (
            (f"{plain(Path(row['file']).name, _NAME_WIDTH)} " if several else "") + f"{row['game']}.{row['ply']}",
            row["best"],
            row["best_theirs"],
            signed(row["cost"]).lstrip("+"),
            signed(row["cost_theirs"]).lstrip("+"),
        )
        for row in ranked.head(_LISTED).to_dict("records")
    ]
    print_table(columns, rows, right=columns[3:])
    print_text("costs ours: what their choice loses by our numbers; costs theirs: what ours loses by theirs.")


def _number(value: float) -> str:
    return "" if value != value else f"{value:.3f}"
