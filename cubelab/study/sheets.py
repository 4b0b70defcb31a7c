"""One position at every score and under every set of rules, evaluated anew in each cell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..arguments import checked
from ..cube.decision import CubeDecision
from ..cube.models import CubeModel, Janowski
from ..cube.rule_table import MATCH_RULES, MONEY_RULES, rule_cases, rule_frame
from ..cube.scores import ScoreTable, score_cells
from ..engine.search import evaluate, evaluate_many, table_of
from ..errors import CubelabError
from ..game import BackgammonRule, Cube, Rules, Situation
from ..notation import parse_situation
from ..score.met import MatchEquityTable

if TYPE_CHECKING:
    import pandas as pd

#: The rule that needs a position: it changes the chances.
_BAR_ONLY: Final = {"backgammons on the bar only": Rules(backgammon_rule=BackgammonRule.BAR_ONLY)}


@checked("cube", "met", "money")
def position_scores(
    situation: Situation | str,
    size: int = 7,
    *,
    cube: Cube | None = None,
    ply: int = 0,
    met: MatchEquityTable | str | None = None,
    model: CubeModel | None = None,
    money: bool = True,
) -> ScoreTable:
    """The cube decision of a position at every score, its plays and so its chances following the score.

    Parameters
    ----------
    situation : Situation or str
        Its rules are kept (money rules in the money cells), its score is not looked at.
    size : int
        Greatest away score.
    cube : Cube, optional
        Kept in every cell, where it is checked anew whether it may be turned; default that of the situation.
    ply, met, model
        As for `cubelab.evaluate`.
    money : bool
        Whether money play comes first.

    Raises
    ------
    CubelabError
        No situation, a game that is over, settings that do not exist.
    """
    situation = _situation(situation)
    cells = tuple(score_cells(size, cube or situation.cube, situation.match.rules, money=money))
    answers = evaluate_many(
        [Situation(situation.position, cell.cube, cell.match) for cell in cells], ply=ply, met=met, model=model
    )
    return ScoreTable(cells, tuple(answer.decision for answer in answers), model or Janowski())


@checked("met", "rules")
def position_rules(
    situation: Situation | str,
    *,
    rules: Mapping[str, Rules] | None = None,
    ply: int = 2,
    met: MatchEquityTable | str | Path | None = None,
    model: CubeModel | None = None,
) -> pd.DataFrame:
    """The cube decision of a position under every set of rules.

    Parameters
    ----------
    situation : Situation or str
        Its score and cube count, its rules are replaced.
    rules : mapping, optional
        Rules by name. Default: those of `cubelab.rule_table`, and the one that only a checker on the bar makes a
        backgammon.
    ply, met, model
        As for `cubelab.evaluate`.

    Returns
    -------
    pandas.DataFrame
        As of `cubelab.rule_table`; rules that do not go with the position have their reason and nothing else.

    Raises
    ------
    CubelabError
        No situation, settings that do not exist.
    """
    situation = _situation(situation)
    table = table_of(met)  # type: ignore[arg-type]
    usual = (MONEY_RULES if situation.match.money else MATCH_RULES) | _BAR_ONLY
    cases = rule_cases(situation.match, situation.cube, rules or usual)
    decisions: dict[str, CubeDecision | CubelabError] = {}
    for name, case in cases.items():
        if isinstance(case, CubelabError):
            continue
        try:
            there = Situation(situation.position, case[1], case[0])
            decisions[name] = evaluate(there, ply=ply, met=table, model=model).decision
        except CubelabError as error:
            decisions[name] = error
    return rule_frame(cases, decisions)


def _situation(given: Situation | str) -> Situation:
    return given if isinstance(given, Situation) else parse_situation(given)
