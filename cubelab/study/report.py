"""A report of analysed matches as one HTML file: no scripts, nothing loaded from elsewhere, light and dark."""

from __future__ import annotations

import os
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..game import Situation
from .statistics import BLUNDER_EMG, CONVENTIONS, ERROR_EMG, worth_showing

if TYPE_CHECKING:
    import pandas as pd
    from markupsafe import Markup

    from .analysis import MatchAnalysis

_TEMPLATE = "templates/report.html"


def write_report(analysis: MatchAnalysis, path: str | PathLike[str]) -> None:
    """Write the report of an analysis.

    Parameters
    ----------
    analysis : MatchAnalysis
    path : path-like
        Appears when it is whole.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    target = Path(path)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        part.write_text(report_html(analysis), encoding="utf-8")
        os.replace(part, target)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def report_html(analysis: MatchAnalysis) -> str:
    """The report as text; everything from outside is escaped."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(signed=_signed, percent=_percent, cost=_cost, grade=_grade)
    template = environment.from_string(files(__package__).joinpath(_TEMPLATE).read_text(encoding="utf-8"))
    by_file = dict(tuple(analysis.decisions.groupby("file", observed=True, sort=False)))
    summary = analysis.summary
    return template.render(
        matches=[_match(match, by_file.get(match.file), summary) for match in analysis.matches],
        totals=_records(analysis.totals) if len(analysis.matches) > 1 else [],
        failed=analysis.failed,
        convention=CONVENTIONS[analysis.convention].title,
        provenance=analysis.provenance,
    )


def _match(match: Any, decisions: pd.DataFrame | None, summary: pd.DataFrame) -> dict[str, Any]:
    cube: list[dict[str, Any]] = []
    plays: list[dict[str, Any]] = []
    counts = {"cube": 0, "plays": 0}
    if decisions is not None:
        is_play = decisions["kind"].eq("play")
        counts = {"cube": int((~is_play).sum()), "plays": int(is_play.sum())}
        shown = decisions.assign(shown=worth_showing(decisions))
        cube = [row | {"board": _board(row, ERROR_EMG)} for row in _records(shown[~is_play])]
        plays = [row | {"board": _board(row, BLUNDER_EMG)} for row in _records(shown[is_play & shown["shown"]])]
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
