"""One set of chances under every set of rules, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..arguments import checked
from ..errors import CubelabError
from ..game import Cube, MatchState, Probabilities, Rules, Scoring
from ..score import MatchEquityTable, PipCounts, Stakes
from .decision import CubeDecision, decide
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
#: Match rules shown when none are given, by name.
MATCH_RULES: Final[dict[str, Rules]] = {
    "plain": Rules(),
    "no Crawford rule": Rules(crawford=False),
    "immediate redouble": Rules(immediate_redouble=True),
    "no cap": Rules(cube_cap=None),
    "cap 2": Rules(cube_cap=2),
    "cap 4": Rules(cube_cap=4),
    "cube not in use": Rules(cube_in_use=False),
}


def rule_cases(
    match: MatchState, cube: Cube, rules: Mapping[str, Rules] | None = None
) -> dict[str, tuple[MatchState, Cube] | CubelabError]:
    """Match state and cube under each set of rules, or why they do not go together.

    Parameters
    ----------
    match : MatchState
        Its score; its rules are replaced.
    cube : Cube
        Under automatic doubles a centred cube stands at the value after the opening ties.
    rules : mapping, optional
        Rules by name; `MONEY_RULES` or `MATCH_RULES` by default.
    """
    found: dict[str, tuple[MatchState, Cube] | CubelabError] = {}
    for name, each in (rules or (MONEY_RULES if match.money else MATCH_RULES)).items():
        try:
            turned = cube if cube.owner else replace(cube, value=cube.value * 2**each.automatic_doubles)
            found[name] = replace(match, rules=each, crawford=match.crawford and each.crawford), turned
        except CubelabError as error:
            found[name] = error
    return found


def rule_frame(
    cases: Mapping[str, tuple[MatchState, Cube] | CubelabError],
    decisions: Mapping[str, CubeDecision | CubelabError],
) -> pd.DataFrame:
    """The frame of `rule_table` from the decision of each case, or why there is none."""
    import pandas as pd

    columns = ["cube", "no_double", "double_take", "double_beaver", "double_redouble", "points", "mwc"]
    rows = {}
    for name, case in cases.items():
        decision = decisions.get(name)
        row: dict[str, object] = {"cube": None if isinstance(case, CubelabError) else case[1].value}
        if isinstance(case, CubelabError) or not isinstance(decision, CubeDecision):
            rows[name] = row | {"reason": str(case if isinstance(case, CubelabError) else decision)}
            continue
        equities, stakes = decision.equities, decision.stakes
        row |= {field: getattr(equities, field) for field in columns[1:5]}
        rows[name] = row | {
            "points": stakes.cube.value * decision.value if stakes.money else None,
            "mwc": None if stakes.money else stakes.to_mwc(decision.value),
            "verdict": None if decision.verdict is None else decision.verdict.value,
            "label": decision.label,
            "reason": decision.reason_not_allowed,
        }
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=[*columns, "verdict", "label", "reason"])
    frame.index.name = "rules"
    return frame.astype({"cube": "Int64"} | dict.fromkeys(columns[1:], float))


@checked("cube", "match", "pips", "probabilities", "rules")
def rule_table(
    probabilities: Probabilities | Sequence[float],
    cube: Cube | None = None,
    *,
    match: MatchState | None = None,
    rules: Mapping[str, Rules] | None = None,
    met: MatchEquityTable | str | Path | None = None,
    model: CubeModel = _DEFAULT_MODEL,
    pips: PipCounts | None = None,
) -> pd.DataFrame:
    """The same chances under several sets of rules.

    Parameters
    ----------
    probabilities : Probabilities or sequence of 6 floats
        Exclusive pre-roll chances of the mover. The backgammon rule changes the chances themselves: it is a row only of
        `cubelab.position_rules`, which evaluates a position.
    cube : Cube, optional
        Centred at 1 by default. Under automatic doubles a centred cube stands at the value after the opening ties.
    match : MatchState, optional
        Money play by default; of a match its score counts, its rules are replaced.
    rules : mapping, optional
        Rules by name; `MONEY_RULES` or `MATCH_RULES` by default.
    met : MatchEquityTable, str or Path, optional
    model : CubeModel
    pips : PipCounts, optional
        For pip scoring, whose row has only its reason without them.

    Returns
    -------
    pandas.DataFrame
        Index the rules' names: cube, no_double, double_take, double_beaver, double_redouble (equities per current
        cube), points (money: cube value times the equity with best play) or mwc (match), verdict, label, reason. Rules
        that cannot be compiled, or do not go with the cube, have their reason and nothing else.
    """
    if not isinstance(probabilities, Probabilities):
        probabilities = Probabilities.from_array(np.asarray(probabilities, dtype=float))
    cases = rule_cases(match or MatchState(), cube or Cube(), rules)
    decisions: dict[str, CubeDecision | CubelabError] = {}
    for name, case in cases.items():
        if isinstance(case, CubelabError):
            continue
        try:
            counts = pips if case[0].rules.scoring is Scoring.PIPS else None
            decisions[name] = decide(probabilities, Stakes.of(*case, met, pips=counts), model)
        except CubelabError as error:
            decisions[name] = error
    return rule_frame(cases, decisions)
