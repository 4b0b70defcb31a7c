"""Answers of ``cubelab bearoff``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .parts import CHANCES, ids_json
from .printing import percent, print_table, signed

if TYPE_CHECKING:
    from ..engine.bearoff import BearoffSide, BearoffValues
    from ..game import Situation


def bearoff_json(answer: tuple[Situation, BearoffValues]) -> dict[str, Any]:
    """JSON document of one bearoff."""
    situation, values = answer
    chances = (values.win, values.win_gammon, 0.0, values.lose_gammon, 0.0)
    return {
        **ids_json(situation),
        "exact": values.exact,
        "probabilities": dict(zip(CHANCES, chances, strict=True)),
        "equity": {
            "cubeless": values.cubeless,
            "owned": values.owned,
            "centred": values.centred,
            "opponent": values.opponent,
            "double_take": values.double_take,
        },
        "mover": _side_json(values.mover_side),
        "opponent": _side_json(values.opponent_side),
    }


def _side_json(side: BearoffSide) -> dict[str, Any]:
    return {
        "checkers": side.checkers,
        "pips": side.pips,
        "mean_rolls": side.mean_rolls,
        "epc": side.epc,
        "wastage": side.wastage,
        "roll_chances": list(side.roll_chances),
    }


def show_bearoff(answer: tuple[Situation, BearoffValues]) -> None:
    """Print one bearoff for people."""
    situation, values = answer
    print(situation.position.id)
    rows = [
        (name, str(side.checkers), str(side.pips), f"{side.mean_rolls:.3f}", f"{side.epc:.2f}", f"{side.wastage:.2f}")
        for name, side in (("mover", values.mover_side), ("opponent", values.opponent_side))
    ]
    print_table(("", "checkers", "pips", "mean rolls", "EPC", "wastage"), rows, right="all")
    gammons = f", gammons {percent(values.win_gammon)} and {percent(values.lose_gammon)}"
    print(f"mover wins {percent(values.win)}{gammons if values.win_gammon or values.lose_gammon else ''}")
    equities = [
        ("cubeless", values.cubeless),
        ("cube on the mover's side, no double", values.owned),
        ("cube centred, no double", values.centred),
        ("cube on the opponent's side", values.opponent),
        ("double, take", values.double_take),
    ]
    print_table(
        ("money equity, per cube", ""),
        [(name, "not in the tables" if value is None else signed(value, 6)) for name, value in equities],
        right={""},
    )
    by_side = "chances from each side's own rolls; cubeful values need at most 6 checkers a side"
    print("exact" if values.exact else by_side)
