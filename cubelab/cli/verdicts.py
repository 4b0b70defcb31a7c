"""Answers of ``cubelab cube`` and ``cubelab eval``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .parts import ids_json, probabilities_json, rollout_part
from .printing import percent, print_table, print_text, signed

if TYPE_CHECKING:
    from ..cube.decision import CubeDecision
    from ..engine.evaluator import Evaluation, Provenance
    from ..game import Situation


def evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    """JSON document of a cube decision."""
    return {
        **ids_json(evaluation.situation),
        "probabilities": probabilities_json(evaluation.probabilities),
        **evaluation.decision.to_dict(),
        "rollout": None if evaluation.rollout is None else rollout_part(evaluation.rollout),
        "provenance": evaluation.provenance.to_dict(),
    }


def show_decision(evaluation: Evaluation) -> None:
    """Print a cube decision for people: board, chances, equities, verdict."""
    from ..notation.board import board_text

    decision = evaluation.decision
    print(evaluation.situation.xgid)
    print(board_text(evaluation.situation))
    _note_roll(evaluation.situation)
    print()
    _show_chances(evaluation)
    print()
    _show_options(decision)
    print()
    print_text(decision.label)
    for share, mistake in ((decision.wrong_pass, "passes"), (decision.wrong_take, "takes")):
        if share is not None:
            print_text(
                f"A double would be right if the opponent wrongly {mistake} at least {percent(share)} of the time."
            )
    print_text(provenance_line(evaluation.provenance, exact=evaluation.decision.exact))


def show_evaluation(evaluation: Evaluation) -> None:
    """Print chances and equities for people."""
    print(title_line(evaluation.situation))
    _note_roll(evaluation.situation)
    _show_chances(evaluation)
    print(f"cubeless equity {signed(evaluation.cubeless)}, with the cube {signed(evaluation.cubeful)}", end="")
    mwc = evaluation.decision.mwc
    print(f" (MWC {percent(mwc.no_double, 2)})" if mwc is not None else "")
    print_text(provenance_line(evaluation.provenance, exact=evaluation.decision.exact))


def _note_roll(situation: Situation) -> None:
    if (dice := situation.dice) is not None:
        print_text(f"The numbers are those before rolling; cubelab moves ranks the plays of {dice[0]}{dice[1]}.")


def _show_chances(evaluation: Evaluation) -> None:
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = evaluation.probabilities.cumulative
    rows = (
        ("mover", percent(win), percent(win_gammon), percent(win_backgammon)),
        ("opponent", percent(1 - win), percent(lose_gammon), percent(lose_backgammon)),
    )
    print_table(("", "wins", "gammon", "backgammon"), rows, right={"wins", "gammon", "backgammon"})


def _show_options(decision: CubeDecision) -> None:
    equities, mwc = decision.equities, decision.mwc
    word = "redouble" if decision.redouble else "double"
    options = [(f"no {word}", "no_double"), (f"{word}, take", "double_take"), (f"{word}, pass", "double_pass")]
    options += [
        (f"{word}, {answer}", name)
        for answer, name in (("beaver", "double_beaver"), ("redouble", "double_redouble"))
        if getattr(equities, name) is not None
    ]
    best = equities.no_double if equities.doubled is None else max(equities.no_double, equities.doubled)
    rows = []
    for title, name in options:
        equity = getattr(equities, name)
        if equity is None:
            continue
        row = [title, signed(equity), signed(equity - best) if abs(equity - best) >= 5e-4 else ""]
        rows.append([*row, *([] if mwc is None else [percent(getattr(mwc, name), 2)])])
    if equities.cubeless is not None:
        cubeless = ["cubeless", signed(equities.cubeless), ""]
        rows.append([*cubeless, *([] if mwc is None or mwc.cubeless is None else [percent(mwc.cubeless, 2)])])
    unit = "points per cube" if decision.unit == "points" else "EMG"
    columns = ("", f"equity, {unit}", "to best", *(() if mwc is None else ("MWC",)))
    print_table(columns, rows, right=set(columns[1:]))


def title_line(situation: Situation, dice: tuple[int, int] | None = None) -> str:
    """The situation in a line: id, score, cube, roll."""
    rolled = "" if dice is None else f", to play {dice[0]}-{dice[1]}"
    return f"{situation.xgid}\n{situation.match.score_text}, {cube_text(situation)}{rolled}"


def cube_text(situation: Situation) -> str:
    """The cube in words."""
    owner = {0: "centred", 1: "the mover's", -1: "the opponent's"}[int(situation.cube.owner)]
    return f"cube {situation.cube.value}, {owner}"


def provenance_line(provenance: Provenance, *, exact: bool = False) -> str:
    """Where the numbers come from, in a line; an exact bearoff needs neither networks nor a cube model."""
    parts = ["exact bearoff" if exact else ply_text(provenance.ply)]
    if provenance.met:
        parts.append(provenance.met)
    if not exact:
        parts += [f"cube model {provenance.model}", f"weights {provenance.weights[:12]}"]
    return "; ".join([*parts, f"cubelab {provenance.version}"])


def ply_text(ply: int | str) -> str:
    """Both programs' names of a look-ahead."""
    return f"{ply}-ply (eXtreme Gammon: {ply + 1}-ply)" if isinstance(ply, int) else str(ply)
