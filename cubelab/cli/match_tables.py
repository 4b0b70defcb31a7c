"""The table that ``cubelab analyse`` prints for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..wording import counted
from .printing import print_table, print_text, signed
from .program import plain
from .verdicts import provenance_line

if TYPE_CHECKING:
    import pandas as pd

    from ..study.analysis import FailedFile, MatchAnalysis

_NAME_WIDTH = 12
_MISTAKES = (
    ("missed doubles", "missed_doubles", "missed_double_emg"),
    ("wrong doubles", "wrong_doubles", "wrong_double_emg"),
    ("wrong takes", "wrong_takes", "wrong_take_emg"),
    ("wrong passes", "wrong_passes", "wrong_pass_emg"),
)


class TableSink:
    """Prints each match with its decisions and totals, and totals over all matches at the end."""

    def __init__(self, show_all: bool):
        self._show_all = show_all
        self._summaries: list[pd.DataFrame] = []

    def add(self, analysis: MatchAnalysis) -> None:
        """Print a match."""
        from ..records import Flag

        meanings = {str(flag): flag.meaning for flag in Flag}
        if self._summaries:
            print()
        for match in analysis.matches:
            print_text(str(match))
            print(plain(match.file))
            for flag in match.flags:
                print_text(f"noted: {flag} ({meanings[flag]})")
        print()
        _show_cube(analysis.decisions, self._show_all)
        _show_plays(analysis.decisions, self._show_all)
        _show_summary(analysis.summary)
        rolled = int((analysis.decisions["rollout_trials"] > 0).sum())
        if rolled:
            print(f"R: rolled out ({counted(rolled, 'decision')})")
        if analysis.provenance is not None:
            print_text(provenance_line(analysis.provenance))
        self._summaries.append(analysis.summary)

    def add_failed(self, failed: FailedFile) -> None:
        """Failures are named on stderr already."""

    def close(self) -> None:
        """Print the totals of several matches."""
        if len(self._summaries) < 2:
            return
        import pandas as pd

        from ..study.statistics import total

        print(f"\nAll {len(self._summaries)} matches")
        _show_summary(total(pd.concat(self._summaries, ignore_index=True)))

    def abandon(self) -> None:
        """What was printed stands."""


def _show_cube(decisions: pd.DataFrame, show_all: bool) -> None:
    from ..study.statistics import worth_showing

    cube = decisions[decisions["kind"] != "play"]
    shown = cube if show_all else cube[worth_showing(cube)]
    match_play = bool(cube["no_double_mwc"].notna().any())
    rows, styles = [], []
    for row in shown.to_dict("records"):
        cells = [
            f"{row['game']}.{row['ply']}",
            _short(row["player"]),
            row["played"],
            row["verdict"] if isinstance(row["verdict"], str) and not row["verdict"].startswith("No cube") else "",
            *(signed(row[name]) for name in ("no_double", "double_take")),
            _cost(row["error_emg"]) + (" R" if row["rollout_trials"] else ""),
        ]
        if match_play:
            cells.append(f"{100 * row['error_mwc']:.2f}" if row["error_mwc"] >= 5e-5 else "")
        rows.append(cells)
        styles.append(_style(row["error_emg"]))
    columns = ["at", "player", "did", "right", "ND", "DT", "error", *(["MWC %"] if match_play else [])]
    print(
        f"Cube decisions: {len(cube)}"
        + ("" if show_all or len(shown) == len(cube) else f", {len(shown)} shown (--all)")
    )
    if rows:
        print_table(columns, rows, right={"at", "ND", "DT", "error", "MWC %"}, styles=styles)
    print()


def _show_plays(decisions: pd.DataFrame, show_all: bool) -> None:
    from ..study.statistics import worth_showing

    plays = decisions[decisions["kind"] == "play"]
    if not len(plays):
        return
    shown = plays if show_all else plays[worth_showing(plays)]
    rows = [
        (
            f"{row['game']}.{row['ply']}",
            _short(row["player"]),
            row["dice"],
            row["played"],
            row["best"],
            (_cost(row["error_emg"]) or ("" if row["error_emg"] == row["error_emg"] else "?"))
            + (" R" if row["rollout_trials"] else ""),
        )
        for row in shown.to_dict("records")
    ]
    hidden = "" if show_all else f", {len(shown)} with an error of 0.020 or more shown (--all)"
    print(f"Plays: {len(plays)}{hidden}")
    if rows:
        styles = [_style(error) for error in shown["error_emg"]]
        print_table(("at", "player", "roll", "played", "best", "error"), rows, right={"at", "error"}, styles=styles)
    print()


def _show_summary(summary: pd.DataFrame) -> None:
    from ..study.statistics import CONVENTIONS

    players = summary.to_dict("records")
    if not players:
        print("no decisions")
        return
    rows = [("decisions", *(str(p["decisions"]) for p in players))]
    if any(p["not_analysed"] for p in players):
        rows.append(("not analysed", *(str(p["not_analysed"]) for p in players)))
    rows.append(("errors (blunders)", *(f"{p['errors']} ({p['blunders']})" for p in players)))
    rows += [(title, *(f"{p[count]}  {p[cost]:.3f}" for p in players)) for title, count, cost in _MISTAKES]
    if any(p["counted_play"] for p in players):
        rows.append(("lost with the cube, EMG", *(f"{p['cube_error_emg']:.3f}" for p in players)))
        rows.append(("lost in plays, EMG", *(f"{p['play_error_emg']:.3f}" for p in players)))
    rows.append(("lost in all, EMG", *(f"{p['error_emg']:.3f}" for p in players)))
    if any(p["error_mwc"] == p["error_mwc"] for p in players):
        rows.append(("lost in all, MWC", *(_percent(p["error_mwc"]) for p in players)))
    names = [_short(p["player"], 20) for p in players]
    scope = "PR" if any(p["counted_play"] for p in players) else "PR, cube only"
    rating = [
        "–" if p["pr"] != p["pr"] else f"{p['pr']:.2f} ({p['counted_cube'] + p['counted_play']} counted)"
        for p in players
    ]
    rows.append((scope, *rating))
    for start in range(0, len(players), 2):
        pair = slice(start, start + 2)
        print_table(("Totals", *names[pair]), [(row[0], *row[1:][pair]) for row in rows], right=set(names))
    print(f"PR by {CONVENTIONS[players[0]['convention']].title}")


def _cost(error: float) -> str:
    return f"{error:.3f}" if error >= 0.0005 else ""


def _percent(chance: float) -> str:
    """As per cent; a dash where there is none, as in money sessions."""
    return f"{100 * chance:.2f} %" if chance == chance else "–"


def _style(error: float) -> str:
    from ..study.statistics import BLUNDER_EMG, ERROR_EMG

    return "red" if error >= BLUNDER_EMG else "yellow" if error >= ERROR_EMG else ""


def _short(name: object, width: int = _NAME_WIDTH) -> str:
    text = str(name)
    return text if len(text) <= width else text[: width - 1] + "…"
