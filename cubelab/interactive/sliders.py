"""The widget of sliders for take points and doubling windows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any

import anywidget
import traitlets

from ..cube.decision import decide
from ..cube.models import CubeModel, checked_model
from ..cube.points import NAMES, CubePoints, cube_points
from ..engine.search import table_of
from ..errors import CubelabError, SettingsError
from ..game import Situation
from ..notation.detect import parse_situation
from ..plot.figures import stakes_text
from ..score.met import MatchEquityTable
from .assets import script, style
from .chances import SLIDERS, Chances
from .fallback import WithFallback
from .latest import Latest, Report
from .opinion import chances_values, decision_values
from .terms import Terms
from .window_chart import window_chart

_SIDES = {"mover": "You", "opponent": "Opponent"}


class TakePointSliders(WithFallback, anywidget.AnyWidget):
    """Sliders with take points and the doubling window; see `cubelab.take_point_sliders`."""

    _esm = script("sliders.js")
    _css = style()

    #: Values of the sliders and controls.
    view = traitlets.Dict().tag(sync=True)
    #: Points, chart and verdict of the view whose `number` they carry.
    result = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        situation: Situation | str | None,
        *,
        met: str | MatchEquityTable | None,
        model: CubeModel | None,
    ):
        self._met = table_of(met)
        self._chances = Chances(terms=_terms_of(situation))
        if model is not None:
            self._chances = replace(self._chances, efficiency=float(checked_model(model).x))
        self._number = 0
        self._worker = Latest()
        super().__init__()
        self.on_msg(lambda _widget, content, _buffers: self.handle(content))
        self._show()

    @property
    def chances(self) -> Chances:
        """What the sliders show at present."""
        return self._chances

    @property
    def points(self) -> CubePoints:
        """All points at what the sliders show at present.

        Raises
        ------
        CubelabError
            Score, cube and rules make no sense together.
        """
        chances = self._chances
        return cube_points(chances.probabilities, chances.stakes(self._met), chances.model)

    def handle(self, event: Mapping[str, Any]) -> None:
        """React to a slider or control: an event of `Chances.after`."""
        try:
            chances = self._chances.after(event)
        except CubelabError as error:
            self._worker.drop()
            self._number += 1
            self._show_view()
            self.result = {"number": self._number, "problem": str(error)}
            return
        self._worker.drop()
        self._chances = chances
        self._number += 1
        self._show()

    def wait(self, seconds: float = 60.0) -> bool:
        """Wait for the numbers of what is shown; False if that takes longer."""
        return self._worker.wait(seconds)

    def fallback_html(self) -> str:
        self.wait()  # a page is stored at once, before the numbers have come
        return str(self.result.get("chart", "")) + f"<p>{escape(str(self.result.get('problem', '')))}</p>"

    def _show_view(self) -> None:
        chances = self._chances
        self.view = {
            "number": self._number,
            "sliders": [
                {"name": name, "label": label, "value": getattr(chances, name)} for name, label in SLIDERS.items()
            ],
            "controls": chances.terms.controls(),
            "games": chances_values(chances.probabilities),
        }

    def _show(self) -> None:
        self._show_view()
        number, chances = self._number, self._chances

        def job(report: Report) -> None:
            try:
                values = self._values(chances)
            except CubelabError as error:
                values = {"problem": str(error)}
            report({"number": number, **values})

        def deliver(values: dict[str, Any]) -> None:
            self.result = values

        self._worker.submit(job, deliver)

    def _values(self, chances: Chances) -> dict[str, Any]:
        stakes, model = chances.stakes(self._met), chances.model
        points = cube_points(chances.probabilities, stakes, model)
        decision = decide(chances.probabilities, stakes, model)
        return {
            "points": _points_values(points),
            "chart": window_chart(chances.probabilities, chances.win, stakes, model),
            "decision": decision_values(decision, chances.probabilities, f"x = {model.x:.2f}"),
            "terms": stakes_text(stakes),
        }


def _points_values(points: CubePoints) -> dict[str, Any]:
    """Rows of the table of points, and why some of them do not exist."""
    rows, reasons = [], {}
    for name in NAMES:
        row: dict[str, Any] = {"name": name.replace("_", " ")}
        for side, words in _SIDES.items():
            point = getattr(getattr(points, side), name)
            values = (point.dead, point.live, point.model)
            row[side] = ["–" if value is None else f"{100 * value:.1f} %" for value in values]
            if point.reason:
                reasons[f"{words}, {row['name']}"] = point.reason
        if any(getattr(points, side).beaver.exists for side in _SIDES) or name != "beaver":
            rows.append(row)
    grouped: dict[str, list[str]] = {}
    for where, reason in reasons.items():
        grouped.setdefault(reason, []).append(where)
    return {"rows": rows, "reasons": [f"{'; '.join(where)}: {reason}" for reason, where in grouped.items()]}


def _terms_of(situation: Situation | str | None) -> Terms:
    """Terms with the side on roll at the bottom."""
    if situation is None:
        return Terms()
    if isinstance(situation, str):
        situation = parse_situation(situation)
    if not isinstance(situation, Situation):
        raise SettingsError(f"cannot take score and cube from {type(situation).__name__}: give a Situation or an id")
    return Terms.of(replace(situation, turn=1))
