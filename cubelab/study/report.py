"""Analysed matches as HTML: totals for notebooks, and a report as one file without scripts, light and dark."""

from __future__ import annotations

from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..game import Situation
from ..game.html import block, percent, table
from ..wording import counted
from ..writing import write_whole
from .statistics import BLUNDER_EMG, CONVENTIONS, ERROR_EMG, convention_named, worth_showing

if TYPE_CHECKING:
    import pandas as pd
    from markupsafe import Markup

    from .analysis import MatchAnalysis

_TEMPLATE = "templates/report.html"
#: Mistakes listed before the matches.
_DEAREST = 10
#: Matches that a notebook shows one by one; of more, the totals.
_MOST_SHOWN = 6


def summary_html(analysis: MatchAnalysis) -> str:
    """Totals for notebooks: of each match, or of all together where there are many."""
    whole = len(analysis.matches) <= _MOST_SHOWN
    totals = analysis.summary if whole else analysis.totals
    names = [Path(str(file)).name for file in totals["file"]] if whole else ["all"] * len(totals)
    head = ["player", "file", "cube decisions", "plays", "errors", "blunders", "error (EMG)", "MWC lost", "PR"]
    rows = [
        (
            *(row.player, name, str(row.counted_cube), str(row.counted_play)),
            *(str(row.errors), str(row.blunders), f"{row.error_emg:.3f}", percent(row.error_mwc)),
            "" if row.pr != row.pr else f"{row.pr:.2f}",
        )
        for row, name in zip(totals.itertuples(), names, strict=True)
    ]
    number = counted(len(analysis.matches), "match", "matches")
    made = analysis.provenance
    source = "" if made is None else f"; {made.ply}-ply, {made.met or 'money'}"
    failed = f"; {counted(len(analysis.failed), 'file')} failed, see .failed" if analysis.failed else ""
    note = f"counted decisions; PR as {convention_named(analysis.convention).title}{source}{failed}"
    return block(f"{number}, {counted(len(analysis.decisions), 'decision')}", table(head, rows), note=note)


def write_report(analysis: MatchAnalysis, path: str | PathLike[str]) -> None:
    """Write the report of an analysis.

    Parameters
    ----------
    analysis : MatchAnalysis
    path : path-like
        Appears when it is whole.

    Raises
    ------
    DataMissing
        The file cannot be written.
    """
    write_whole(path, report_html(analysis))


def report_html(analysis: MatchAnalysis) -> str:
    """The report as text; everything from outside is escaped."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(signed=_signed, percent=_percent, cost=_cost, grade=_grade, counted=counted)
    template = environment.from_string(files(__package__).joinpath(_TEMPLATE).read_text(encoding="utf-8"))
    by_file = dict(tuple(analysis.decisions.groupby("file", observed=True, sort=False)))
    summary = analysis.summary
    numbers = {match.file: number for number, match in enumerate(analysis.matches, 1)}
    return template.render(
        matches=[_match(match, by_file.get(match.file), summary, numbers) for match in analysis.matches],
        dearest=_dearest(analysis, numbers),
        totals=_records(analysis.totals) if len(analysis.matches) > 1 else [],
        failed=analysis.failed,
        convention=CONVENTIONS[analysis.convention].title,
        provenance=analysis.provenance,
    )


def _dearest(analysis: MatchAnalysis, numbers: dict[str, int]) -> list[dict[str, Any]]:
    """The mistakes that cost most, with where they stand in the report."""
    mistakes = analysis.decisions[analysis.decisions["error_emg"] >= ERROR_EMG]
    rows = _anchored(mistakes.nlargest(_DEAREST, "error_emg"), numbers)
    headers = {match.file: match for match in analysis.matches}
    return [row | {"match": headers[row["file"]]} for row in rows]


def _anchored(frame: pd.DataFrame, numbers: dict[str, int]) -> list[dict[str, Any]]:
    """Rows with the name of their place in the page."""
    rows = _records(frame)
    return [row | {"anchor": f"{row['kind']}-{numbers[row['file']]}-{row['game']}-{row['ply']}"} for row in rows]


def _match(
    match: Any, decisions: pd.DataFrame | None, summary: pd.DataFrame, numbers: dict[str, int]
) -> dict[str, Any]:
    cube: list[dict[str, Any]] = []
    plays: list[dict[str, Any]] = []
    counts = {"cube": 0, "plays": 0}
    if decisions is not None:
        is_play = decisions["kind"].eq("play")
        counts = {"cube": int((~is_play).sum()), "plays": int(is_play.sum())}
        shown = decisions.assign(shown=worth_showing(decisions))
        cube = [row | {"board": _board(row, ERROR_EMG)} for row in _anchored(shown[~is_play], numbers)]
        plays = [
            row | {"board": _board(row, BLUNDER_EMG)} for row in _anchored(shown[is_play & shown["shown"]], numbers)
        ]
    return {
        "header": match,
        "players": _records(summary[summary["file"] == match.file]),
        "cube": cube,
        "plays": plays,
        "counts": counts,
    }


def _board(row: dict[str, Any], least: float) -> Markup | None:
    """Drawing of a decision that cost at least so much, EMG; drawings are large, so not every decision has one."""
    from markupsafe import Markup

    if row["error_emg"] is None or row["error_emg"] < least:
        return None
    return Markup(Situation.from_xgid(row["situation"])._repr_svg_())


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}".replace("-", "−")


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f} %"


def _cost(value: float | None) -> str:
    return "" if value is None or value < 0.0005 else f"{value:.3f}"


def _grade(value: float | None) -> str:
    """Class of a row, for its colour."""
    if value is None:
        return "unknown"
    return "blunder" if value >= BLUNDER_EMG else "error" if value >= ERROR_EMG else ""
