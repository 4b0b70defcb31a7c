"""One set of chances under every set of rules, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import CubelabError
from ..game import Cube, MatchState, Probabilities, Rules, Scoring
from ..score import PipCounts, Stakes
from .decision import decide
from .models import CubeModel, Janowski

if TYPE_CHECKING:
    import pandas as pd

_DEFAULT_MODEL: Final = Janowski()

#: Money rules shown when none are given, by name.
MONEY_RULES: Final[dict[str, Rules]] = {
    "plain": Rules(),
    "Jacoby": Rules(jacoby=True),
    "beavers": Rules(beavers=1),
    "raccoons": Rules(beavers=2),
    "Jacoby, beavers": Rules(jacoby=True, beavers=1),
    "immediate redouble": Rules(immediate_redouble=True),
    "one automatic double": Rules(automatic_doubles=1),
    "one automatic double, Jacoby": Rules(automatic_doubles=1, jacoby=True),
    "no cap": Rules(cube_cap=None),
    "cap 2": Rules(cube_cap=2),
    "cap 4": Rules(cube_cap=4),
    "cube not in use": Rules(cube_in_use=False),
    "pip scoring": Rules(scoring=Scoring.PIPS),
}


def rule_table(
    probabilities: Probabilities | Sequence[float],
    cube: Cube | None = None,
    *,
    rules: Mapping[str, Rules] | None = None,
    model: CubeModel = _DEFAULT_MODEL,
    pips: PipCounts | None = None,
) -> pd.DataFrame:
    """Money play under several rules.

    Parameters
    ----------
    probabilities : Probabilities or sequence of 6 floats
        Exclusive pre-roll chances of the mover. The backgammon rule changes the chances themselves: it is no row.
    cube : Cube, optional
        Centred at 1 by default. Under automatic doubles a centred cube stands at the value after the opening ties.
    rules : mapping, optional
        Rules by name; `MONEY_RULES` by default.
    model : CubeModel
    pips : PipCounts, optional
        For pip scoring, whose row has only its reason without them.

    Returns
    -------
    pandas.DataFrame
        Index the rules' names: cube, no_double, double_take, double_beaver, double_redouble, points of the stake
        (cube value times the equity with best play), verdict, label, reason. Rules that cannot be compiled, or do not
        go with the cube, have their reason and nothing else.
    """
    import pandas as pd

    if not isinstance(probabilities, Probabilities):
        probabilities = Probabilities.from_array(np.asarray(probabilities, dtype=float))
    start = cube or Cube()
    rows = {}
    for name, each in (rules or MONEY_RULES).items():
        row: dict[str, object] = dict.fromkeys(("no_double", "double_take", "double_beaver", "double_redouble"))
        turned = start if start.owner else replace(start, value=start.value * 2**each.automatic_doubles)
        row["cube"] = turned.value
        try:
            counts = pips if each.scoring is Scoring.PIPS else None
            decision = decide(probabilities, Stakes.of(MatchState(rules=each), turned, pips=counts), model)
        except CubelabError as error:
            rows[name] = row | {"reason": str(error)}
            continue
        equities = decision.equities
        row |= {field: getattr(equities, field) for field in row if field != "cube"}
        rows[name] = row | {
            "points": turned.value * decision.value,
            "verdict": None if decision.verdict is None else decision.verdict.value,
            "label": decision.label,
            "reason": decision.reason_not_allowed,
        }
    columns = ["cube", "no_double", "double_take", "double_beaver", "double_redouble", "points"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=[*columns, "verdict", "label", "reason"])
    frame.index.name = "rules"
    return frame.astype(dict.fromkeys(columns[1:], float))
