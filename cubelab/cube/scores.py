"""The same chances at every score: verdicts, equities, take points and gammon prices, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..arguments import checked
from ..errors import SettingsError
from ..game import Cube, MatchState, Owner, Probabilities, Rules
from ..game.html import block, table
from ..score import MatchEquityTable, Stakes
from .decision import CubeDecision, decide
from .models import CubeModel, Janowski
from .points import gammon_prices, take_point

if TYPE_CHECKING:
    import pandas as pd

_DEFAULT_MODEL: Final = Janowski()
#: Greatest away score of a table; the work grows with its square.
LARGEST: Final = 100


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """One score of a score table.

    Attributes
    ----------
    name : str
        ``money``, ``money Jacoby``, ``DMP``, ``gammon-go``, ``gammon-save`` or the away scores such as ``3a 5a``.
    stage : str
        ``money``, ``pre-Crawford``, ``Crawford`` or ``post-Crawford``: each cell has its own.
    match : MatchState
    cube : Cube
    """

    name: str
    stage: str
    match: MatchState
    cube: Cube


def score_cells(size: int, cube: Cube, rules: Rules | None = None, *, money: bool = True) -> Iterator[ScoreCell]:
    """Every score up to ``size`` away, money first; Crawford and post-Crawford are cells of their own.

    Parameters
    ----------
    size : int
        Greatest away score.
    cube : Cube
        Kept in every cell. The Crawford game, which knows only a centred cube at 1, is left out for other cubes.
    rules : Rules, optional
        Cube cap and the like; money rules are dropped in matches.
    money : bool
        Whether money play with and without the Jacoby rule comes first.

    Raises
    ------
    SettingsError
        A size that is no whole number from 1 to `LARGEST`.
    """
    if not isinstance(size, Integral) or not 1 <= size <= LARGEST:
        raise SettingsError(f"score table of size {size!r}: its greatest away score must be from 1 to {LARGEST}")
    size = int(size)
    rules = rules or Rules()
    if money:
        plain = replace(rules, jacoby=False)
        yield ScoreCell("money", "money", MatchState(rules=plain), cube)
        if rules.cube_in_use:
            yield ScoreCell("money Jacoby", "money", MatchState(rules=replace(rules, jacoby=True)), cube)
    in_match = replace(rules, jacoby=False, beavers=0, automatic_doubles=0)
    for mover in range(1, size + 1):
        for opponent in range(1, size + 1):
            score = (size, size - mover, size - opponent)
            if min(mover, opponent) > 1:
                yield ScoreCell(f"{mover}a {opponent}a", "pre-Crawford", MatchState(*score, rules=in_match), cube)
                continue
            if mover == opponent == 1:
                yield ScoreCell("DMP", "post-Crawford", MatchState(*score, rules=in_match), cube)
                continue
            if cube.value == 1 and cube.owner is Owner.CENTRE and in_match.crawford:
                name = {(2, 1): "gammon-go", (1, 2): "gammon-save"}.get((mover, opponent), f"{mover}a {opponent}a")
                yield ScoreCell(name, "Crawford", MatchState(*score, crawford=True, rules=in_match), cube)
            yield ScoreCell(f"{mover}a {opponent}a", "post-Crawford", MatchState(*score, rules=in_match), cube)


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Decisions at many scores.

    Attributes
    ----------
    cells : tuple of ScoreCell
    decisions : tuple of CubeDecision
        In the order of the cells.
    model : CubeModel
    """

    cells: tuple[ScoreCell, ...]
    decisions: tuple[CubeDecision, ...]
    model: CubeModel

    def __len__(self) -> int:
        return len(self.cells)

    def to_frame(self) -> pd.DataFrame:
        """One row a score.

        Returns
        -------
        pandas.DataFrame
            name, stage, mover_away and opponent_away (missing for money), cube, owner, no_double, double_take (equities
            per current cube), mwc of both, verdict (code), label, reason, take_point (the opponent's, by the model, if
            doubled now), gammon_price and opponent_gammon_price.
        """
        import pandas as pd

        rows = []
        for cell, decision in zip(self.cells, self.decisions, strict=True):
            stakes, equities, mwc = decision.stakes, decision.equities, decision.mwc
            away: Sequence[int | None] = (None, None) if cell.match.money else cell.match.away
            rows.append(
                {
                    "name": cell.name,
                    "stage": cell.stage,
                    "mover_away": away[0],
                    "opponent_away": away[1],
                    "cube": cell.cube.value,
                    "owner": cell.cube.owner.name.lower(),
                    "no_double": equities.no_double,
                    "double_take": equities.double_take,
                    "mwc_no_double": None if mwc is None else mwc.no_double,
                    "mwc_double_take": None if mwc is None else mwc.double_take,
                    "verdict": None if decision.verdict is None else decision.verdict.value,
                    "label": decision.label,
                    "reason": decision.reason_not_allowed,
                    "take_point": take_point(decision.probabilities, stakes, self.model),
                    "gammon_price": gammon_prices(stakes).gammon,
                    "opponent_gammon_price": gammon_prices(stakes.flip()).gammon,
                }
            )
        frame = pd.DataFrame(rows)
        numbers = ["no_double", "double_take", "mwc_no_double", "mwc_double_take", "take_point"]
        numbers += ["gammon_price", "opponent_gammon_price"]
        return frame.astype(dict.fromkeys(numbers, float)).astype({"mover_away": "Int64", "opponent_away": "Int64"})

    def _repr_html_(self) -> str:
        labels = self.matrix("label").fillna("")
        head = ["needs", *(f"{away}-away" for away in labels.columns)]
        rows = [
            [f"{away}-away", *("no cube" if label.startswith("No cube") else label for label in row)]
            for away, *row in labels.itertuples()
        ]
        note = f"rows: what the mover needs, columns: what the opponent needs; {self.model}"
        return block("", table(head, rows), note=note)

    def matrix(self, column: str = "verdict", *, crawford: bool = False) -> pd.DataFrame:
        """One column of `to_frame` as a square: rows the mover's away score, columns the opponent's.

        Parameters
        ----------
        column : str
        crawford : bool
            The 1-away row and column show the Crawford game instead of the games after it.

        Raises
        ------
        SettingsError
            No such column.
        """
        frame = self.to_frame()
        if column not in frame:
            raise SettingsError(f"a score table has no column {column!r}; it has {', '.join(frame.columns)}")
        wanted = frame[frame["stage"] != "money"]
        hidden = "post-Crawford" if crawford else "Crawford"
        wanted = wanted[(wanted["stage"] != hidden) | (wanted["name"] == "DMP")]
        return wanted.pivot(index="mover_away", columns="opponent_away", values=column)


@checked("cube", "money", "probabilities", "rules")
def score_table(
    probabilities: Probabilities | Sequence[float],
    size: int = 7,
    *,
    cube: Cube | None = None,
    met: MatchEquityTable | str | Path | None = None,
    model: CubeModel = _DEFAULT_MODEL,
    rules: Rules | None = None,
    money: bool = True,
) -> ScoreTable:
    """The cube decision of six chances at every score.

    Parameters
    ----------
    probabilities : Probabilities or sequence of 6 floats
        Exclusive pre-roll chances of the mover. The same in every cell: how the score changes the plays, and so the
        chances, needs an engine.
    size : int
        Greatest away score.
    cube : Cube, optional
        Kept in every cell, where it is checked anew whether it may be turned. Centred at 1 by default.
    met : MatchEquityTable, str or Path, optional
    model : CubeModel
    rules : Rules, optional
    money : bool
        Whether money play comes first.

    Raises
    ------
    CubelabError
        Chances that are none, an unknown table, a cube above its cap.

    Examples
    --------
    >>> import cubelab as cl
    >>> table = cl.score_table(cl.Probabilities.from_cumulative(0.75), 3)
    >>> table.matrix("label").loc[2, 2]
    'Double, pass'
    """
    table = MatchEquityTable.load(met)
    cells = tuple(score_cells(size, cube or Cube(), rules, money=money))
    if not isinstance(probabilities, Probabilities):
        probabilities = Probabilities.from_array(np.asarray(probabilities, dtype=float))
    decisions = tuple(decide(probabilities, Stakes.of(cell.match, cell.cube, table), model) for cell in cells)
    return ScoreTable(cells, decisions, model)
