"""The widget that walks through the decisions of an analysed match."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import anywidget
import ipywidgets
import traitlets

from ..errors import CubelabError, SettingsError
from ..game import Probabilities, Situation
from ..plot.board import board
from ..plot.figures import signed
from ..study.analysis import MatchAnalysis
from ..study.decisions import EQUITIES, FLAG_SEPARATOR, KINDS, decision_records
from .assets import script, style
from .browsing import ORDERS, Browsing, Item
from .fallback import WithFallback
from .opinion import chances_values
from .position_editor import Editor

_SIZE = 560
_LEASTS = (0.0, 0.005, 0.02, 0.05, 0.08, 0.16)


class DecisionPane(WithFallback, anywidget.AnyWidget):
    """Filters, one decision with its board, and the way to the next."""

    _esm = script("browser.js")
    _css = style()

    #: Filters and the decision looked at.
    view = traitlets.Dict().tag(sync=True)

    def __init__(self, analysis: MatchAnalysis, least: float):
        self._records = decision_records(analysis.decisions)
        self._names = {match.file: match.players for match in analysis.matches}
        self._several = len(analysis.matches) > 1
        items = [
            Item(row["kind"], row["player"], float("nan") if row["error_emg"] is None else row["error_emg"])
            for row in self._records
        ]
        self.browsing = Browsing(tuple(items), least)
        #: Called with the XGID of a decision that is to be edited.
        self.on_edit = lambda xgid: None
        super().__init__()
        self.on_msg(lambda _widget, content, _buffers: self.handle(content))
        self._show()

    @property
    def current(self) -> dict[str, Any] | None:
        """The decision looked at, in the shape of `cubelab analyse --json`; None where the filters leave none."""
        number = self.browsing.current
        return None if number is None else self._records[number]

    def handle(self, event: Mapping[str, Any]) -> None:
        """React to an event of `Browsing.after`, or ``edit``."""
        if event.get("type") == "edit":
            if self.current is not None:
                self.on_edit(self.current["situation"])
            return
        try:
            self.browsing, refusal = self.browsing.after(event), ""
        except CubelabError as error:
            refusal = str(error)
        self._show(refusal)

    def fallback_html(self) -> str:
        decision = self.view["decision"]
        return "" if decision is None else f"{decision['svg']}<p>{escape(decision['headline'])}</p>"

    def _show(self, refusal: str = "") -> None:
        browsing = self.browsing
        shown = len(browsing.shown)
        self.view = {
            "least": browsing.least,
            "leasts": sorted({*_LEASTS, browsing.least}),
            "kind": browsing.kind,
            "kinds": list(KINDS),
            "player": browsing.player,
            "players": list(browsing.players),
            "order": browsing.order,
            "orders": list(ORDERS),
            "place": min(browsing.place, max(shown - 1, 0)),
            "count": shown,
            "refusal": refusal,
            "decision": None if self.current is None else self._values(self.current),
        }

    def _values(self, row: dict[str, Any]) -> dict[str, Any]:
        situation = Situation.from_xgid(row["situation"])
        where = f"Game {row['game']}, half-move {row['ply']}"
        chances = row["probabilities"]
        return {
            "where": f"{row['file']}: {where}" if self._several else where,
            "headline": _headline(row),
            "xgid": row["situation"],
            "svg": str(self._board(row, situation)),
            "verdict": row["verdict"] or "",
            "kind": "plays" if row["kind"] == "play" else "cube",
            "rows": _equity_rows(row),
            "unit": "points" if situation.match.money else "EMG",
            "chances": [] if chances is None else chances_values(Probabilities.from_cumulative(*chances.values())),
            "flags": FLAG_SEPARATOR.join(row["flags"]),
        }

    def _board(self, row: dict[str, Any], situation: Situation) -> str:
        seats = self._names[row["file"]][:: situation.turn]
        look: dict[str, Any] = {"names": (seats[0], seats[1]), "size": _SIZE}
        if row["error_emg"] is not None and row["error_emg"] >= 0.0005:
            look["error"] = row["error_emg"]
        if row["kind"] != "play":
            return board(situation, **look)
        best = row["best"] if row["best"] != row["played"] else None
        try:
            return board(situation, row["played"], best=best, **look)
        except CubelabError:
            # An illegal or unreadable play is kept in the record, but has no arrows.
            return board(situation, **look)


class Browser(WithFallback, ipywidgets.VBox):
    """A `DecisionPane` and, once asked for, an editor below it; see `cubelab.browse`."""

    def __init__(self, analysis: MatchAnalysis, *, least: float = 0.0):
        if not isinstance(analysis, MatchAnalysis):
            raise SettingsError(f"cannot browse {type(analysis).__name__}: give what analyse() returns")
        if not len(analysis.decisions):
            raise SettingsError("there is nothing to browse: the analysis has no decisions")
        self.pane = DecisionPane(analysis, least)
        self.pane.on_edit = self.edit
        self.editor: Editor | None = None
        super().__init__([self.pane])

    def edit(self, xgid: str) -> None:
        """Open a situation in the editor below the decision."""
        if self.editor is None:
            self.editor = Editor(xgid, ply=2, met=None, model=None)
            self.children = (self.pane, self.editor)
        else:
            self.editor.load(xgid)

    def fallback_html(self) -> str:
        return self.pane.fallback_html()


def _headline(row: dict[str, Any]) -> str:
    """Who did what, and what it cost."""
    deed = f"{row['player']}: {row['played'] or 'unknown'}"
    if row["dice"]:
        deed = f"{row['player']} {row['dice']}: {row['played'] or 'unknown'}"
    if row["error_emg"] is None:
        return f"{deed} – not analysed"
    if row["error_emg"] < 0.0005:
        return f"{deed} – right"
    cost = f"{deed} – costs {row['error_emg']:.3f}"
    if row["error_mwc"] is not None:
        cost += f" ({100 * row['error_mwc']:.2f} % MWC)"
    return f"{cost}; better: {row['best']}"


def _equity_rows(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Options of a decision with their equities, the better one marked."""
    if row["kind"] == "play":
        named = [("played", row["played"]), ("best", row["best"])]
        if row["played"] == row["best"]:
            named = named[1:]
    else:
        named = [(name, name.replace("double_", "Double, ").replace("no_d", "No d")) for name in EQUITIES]
    mwc = row["mwc"] or {}
    values = [
        {
            "option": words or "",
            "equity": signed(row["equities"][name], 3),
            "mwc": "" if mwc.get(name) is None else f"{100 * mwc[name]:.2f} %",
            "error": "",
            "right": row["kind"] == "play" and name == "best",
        }
        for name, words in named
        if row["equities"].get(name) is not None
    ]
    if row["kind"] == "play" and row["error_emg"] and len(values) == 2:
        values[0]["error"] = f"{row['error_emg']:.3f}"
    return values
