"""Answers of ``cubelab moves``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..wording import counted
from .parts import ids_json, probabilities_json
from .printing import percent, print_table, print_text, signed
from .verdicts import provenance_line, title_line

if TYPE_CHECKING:
    from ..engine.search import RankedPlays
    from ..game import Situation
    from ..game.play import Play


def plays_json(ranked: RankedPlays) -> dict[str, Any]:
    """JSON document of ranked plays."""
    return {
        **ids_json(ranked.situation),
        "dice": list(ranked.dice),
        "unit": "points" if ranked.situation.match.money else "emg",
        "plays": [
            {
                "play": entry.play.notation,
                "gnuid": entry.play.after.id,
                "equity": entry.equity,
                "mwc": entry.mwc,
                "error_emg": entry.error_emg,
                "error_mwc": entry.error_mwc,
                "probabilities": probabilities_json(entry.probabilities),
                "ply": entry.ply,
            }
            for entry in ranked
        ],
        "provenance": ranked.provenance.to_dict(),
    }


def show_plays(ranked: RankedPlays, top: int) -> None:
    """Print the best plays for people."""
    print(title_line(ranked.situation, ranked.dice))
    if not len(ranked):
        print("no legal play")
        return
    money = ranked.situation.match.money
    rows = []
    for n, entry in enumerate(ranked.plays[:top], start=1):
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = entry.probabilities.cumulative
        rows.append(
            (
                str(n),
                entry.play.notation,
                signed(entry.equity),
                signed(-entry.error_emg) if entry.error_emg else "",
                *(() if money else (percent(entry.mwc, 2),)),
                percent(win),
                f"{100 * win_gammon:.1f} {100 * win_backgammon:.1f}",
                f"{100 * lose_gammon:.1f} {100 * lose_backgammon:.1f}",
                str(entry.ply),
            )
        )
    columns = ("", "play", "equity", "error", *(() if money else ("MWC",)), "win", "G BG", "loss G BG", "ply")
    print_table(columns, rows, right=set(columns) - {"play"})
    if len(ranked) > top:
        print(f"… and {counted(len(ranked) - top, 'more play')} (--top)")
    print_text(provenance_line(ranked.provenance))


def legal_json(answer: tuple[Situation, tuple[int, int], tuple[Play, ...]]) -> dict[str, Any]:
    """JSON document of legal plays."""
    situation, dice, plays = answer
    return {
        "position": situation.xgid,
        "dice": list(dice),
        "plays": [{"play": play.notation, "gnuid": play.after.id} for play in plays],
    }


def show_legal(answer: tuple[Situation, tuple[int, int], tuple[Play, ...]]) -> None:
    """Print legal plays for people."""
    situation, dice, plays = answer
    print(title_line(situation, dice))
    print_table(("play", "position after, seen by its player"), [(play.notation, play.after.id) for play in plays])
    print(f"{len(plays)} different results" if len(plays) != 1 else "1 result")
