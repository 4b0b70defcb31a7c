"""Answers of ``cubelab rollout`` and of commands that roll out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.rollout_frames import BRANCHES, equities_frame
from ..engine.rollout_text import CUBEFUL_CHANCES, count_text, cube_rows, settings_text, verdict_text
from ..wording import counted
from .parts import ids_json, probabilities_json, rollout_part
from .printing import percent, print_table, print_text, signed

if TYPE_CHECKING:
    from ..engine.rolled_plays import RolledPlay, RolledPlays
    from ..engine.rollout import Rollout
    from ..engine.search import RankedPlay

#: Settings that end a rollout early, with their options.
_STOPPING = {
    "stop_probability": "--stop-probability",
    "stop_se": "--stop-se",
    "stop_regret": "--stop-regret",
    "stop_time": "--time",
}
_NO_CUBE = "rolled out without the cube"


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
            "exact": False,
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
    names = BRANCHES[: rollout.branches] if rollout.branches > 1 else ("all games",)
    print_table(("", *names), rows, right=set(names))
    print()
    if verdict := verdict_text(rollout):
        print_text(verdict)
    elif rollout.settings.cubeful is False:
        print_text(f"No verdict: {_NO_CUBE}.")
    speed = f"; {rollout.count / rollout.seconds:.0f} games a second" if rollout.seconds else ""
    print_text(count_text(rollout) + speed)
    if rules := _met_rules(rollout):
        print_text(f"Stopped before {rollout.settings.trials} trials by {rules}.")
    print_text(provenance_line(rollout.provenance))


def _met_rules(rollout: Rollout) -> str:
    """The options that ended a rollout before all its trials; they go on to hold when it is resumed."""
    if rollout.interrupted or rollout.count >= rollout.settings.trials:
        return ""
    given = {option: getattr(rollout.settings, name) for name, option in _STOPPING.items()}
    return " or ".join(f"{option} {value:g}" for option, value in given.items() if value is not None)


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
    errors = rollout.se.chances

    def cell(share: float, error: float) -> str:
        return percent(share, 2) if error != error else f"{percent(share, 2)} ± {100 * error:.2f}"

    rows = (
        ("mover", *map(cell, (win, win_gammon, win_backgammon), errors[:3])),
        ("opponent", *map(cell, (1 - win, lose_gammon, lose_backgammon), (errors[0], *errors[3:]))),
    )
    print_table(("", "wins", "gammon", "backgammon"), rows, right={"wins", "gammon", "backgammon"})
    if rollout.settings.cubeful:
        print_text(f"({CUBEFUL_CHANCES}; --cubeless plays without the cube)")


def rolled_plays_json(rolled: RolledPlays) -> dict[str, Any]:
    """JSON document of rolled-out plays; those that were not follow with their look-ahead's numbers."""
    plays: list[dict[str, Any]] = [_play_json(entry) for entry in rolled.plays]
    for entry, document in zip(rolled.plays, plays, strict=True):
        count = entry.rollout.count if entry.rollout else 0
        document["rollout"] = {"trials": count, "se": entry.se, "error_se": entry.error_se}
    for other in rolled.others:
        plays.append(_play_json(other) | {"ply": other.ply, "rollout": None})
    return {
        **ids_json(rolled.situation),
        "dice": list(rolled.dice),
        "unit": "points" if rolled.situation.match.money else "emg",
        "plays": plays,
        "interrupted": rolled.interrupted,
        "provenance": rolled.provenance.to_dict(),
    }


def _play_json(entry: RolledPlay | RankedPlay) -> dict[str, Any]:
    return {
        "play": entry.play.notation,
        "gnuid": entry.play.after.id,
        "equity": entry.equity,
        "mwc": entry.mwc,
        "error_emg": entry.error_emg,
        "error_mwc": entry.error_mwc,
        "probabilities": probabilities_json(entry.probabilities),
    }


def show_rolled_plays(rolled: RolledPlays) -> None:
    """Print rolled-out plays for people."""
    from .verdicts import provenance_line, title_line

    print(title_line(rolled.situation, rolled.dice))
    if not len(rolled):
        print("no play rolled out" if rolled.others else "no legal play")
        return
    money, rows = rolled.situation.match.money, []
    for n, entry in enumerate(rolled.plays, start=1):
        win, win_gammon, _, lose_gammon, _ = entry.probabilities.cumulative
        behind = (signed(-entry.error_emg, 4), f"{entry.error_se:.4f}") if n > 1 else ("", "")
        rows.append(
            (
                str(n),
                entry.play.notation,
                signed(entry.equity, 4),
                f"{entry.se:.4f}",
                *behind,
                *(() if money else (percent(entry.mwc, 2),)),
                f"{100 * win:.1f}",
                f"{100 * win_gammon:.1f}",
                f"{100 * lose_gammon:.1f}",
                str(entry.rollout.count if entry.rollout else 0),
            )
        )
    columns = (
        "",
        "play",
        "equity",
        "s.e.",
        "behind",
        "s.e.",
        *(() if money else ("MWC",)),
        "win %",
        "G",
        "loss G",
        "trials",
    )
    print_table(columns, rows, right=set(columns) - {"play"})
    if rolled.others:
        print_text(
            f"Not rolled out: {counted(len(rolled.others), 'more play')} that a 1-ply look-ahead puts further behind."
        )
    if rolled.settings.cubeful:
        print_text(f"({CUBEFUL_CHANCES})")
    print_text(settings_text(rolled.settings))
    print_text(provenance_line(rolled.provenance))
