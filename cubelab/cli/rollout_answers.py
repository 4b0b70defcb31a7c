"""Answers of ``cubelab rollout`` and of commands that roll out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.rollout_frames import BRANCHES, equities_frame
from ..engine.rollout_text import PASSED_GAMES, count_text, cube_rows, verdict_text
from .parts import ids_json, probabilities_json
from .printing import percent, print_table, print_text, signed

if TYPE_CHECKING:
    from ..engine.rollout import Rollout

_NO_CUBE = "rolled out without the cube"


def rollout_part(rollout: Rollout) -> dict[str, Any]:
    """What the documents of other commands say about a rollout behind their numbers."""
    se, sure = rollout.se.to_dict(), rollout.confidence
    return {
        "trials": rollout.count,
        "se": {name: se[name] for name in ("no_double", "double_take", "difference")},
        "verdict_probability": None if sure is None else sure.verdict_probability,
    }


def rollout_json(rollout: Rollout) -> dict[str, Any]:
    """JSON document of a rollout."""
    if rollout.settings.cubeful:
        decision = rollout.decision.to_dict()
    else:
        options = {"no_double": None, "double_take": None, "double_pass": None}
        decision = {
            "equity": {"cubeless": rollout.cubeless, **options},
            "mwc": None if rollout.stakes.money else options,
            "unit": rollout.stakes.unit,
            "verdict": None,
            "cube_allowed": False,
            "reason_not_allowed": _NO_CUBE,
        }
    return {
        **ids_json(rollout.situation),
        "probabilities": probabilities_json(rollout.probabilities),
        **decision,
        "rollout": rollout_part(rollout),
        "provenance": rollout.provenance.to_dict(),
        **rollout.to_dict(),
        "interrupted": rollout.interrupted,
        "cube_statistics": rollout.cube_statistics().to_dict("records") if rollout.settings.cubeful else None,
    }


def show_rollout(rollout: Rollout) -> None:
    """Print a rollout for people."""
    from ..notation.board import board_text
    from .verdicts import provenance_line

    print(rollout.situation.xgid)
    print(board_text(rollout.situation))
    print()
    show_equities(rollout)
    print()
    _show_chances(rollout)
    print()
    rows = [(title, *texts) for title, texts in cube_rows(rollout)]
    names = BRANCHES[: rollout.branches] if rollout.branches == 2 else ("all games",)
    print_table(("", *names), rows, right=set(names))
    print()
    if verdict := verdict_text(rollout):
        print_text(verdict)
    elif rollout.settings.cubeful is False:
        print_text(f"No verdict: {_NO_CUBE}.")
    speed = f"; {rollout.count / rollout.seconds:.0f} games a second" if rollout.seconds else ""
    print_text(count_text(rollout) + speed)
    print_text(provenance_line(rollout.provenance))


def show_equities(rollout: Rollout) -> None:
    """Print the options with their standard errors."""
    rows = []
    for row in equities_frame(rollout).to_dict("records"):
        error = "" if row["option"] == "double, pass" or row["se"] != row["se"] else f"{row['se']:.4f}"
        mwc = () if rollout.stakes.money else (percent(row["mwc"], 2),)
        rows.append((row["option"], signed(row["equity"], 4), error, *mwc))
    unit = "points per cube" if rollout.stakes.money else "EMG"
    columns = ("", f"equity, {unit}", "std. error", *(() if rollout.stakes.money else ("MWC",)))
    print_table(columns, rows, right=set(columns[1:]))


def _show_chances(rollout: Rollout) -> None:
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = rollout.probabilities.cumulative
    rows = (
        ("mover", percent(win, 2), percent(win_gammon, 2), percent(win_backgammon, 2)),
        ("opponent", percent(1 - win, 2), percent(lose_gammon, 2), percent(lose_backgammon, 2)),
    )
    print_table(("", "wins", "gammon", "backgammon"), rows, right={"wins", "gammon", "backgammon"})
    if rollout.settings.cubeful:
        print_text(f"({PASSED_GAMES}; cubeless rollouts have no passes)")
