"""The verdict of one position at every score."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..arguments import checked
from ..cube.decision import CubeDecision
from ..cube.models import CubeModel, Janowski
from ..cube.scores import ScoreCell, ScoreTable, score_table
from ..errors import CubelabError
from ..game import Cube, Probabilities, Situation
from ..score.met import MatchEquityTable
from ..study.sheets import position_scores
from . import verdicts
from .figures import Size, chart, finish, signed
from .heat import cells
from .scores import MOVER_AWAY, OPPONENT_AWAY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Both scores of a side that is one away come first: in the Crawford game, and after it.
_CRAWFORD, _POST = "1 C", "1 P"
_MOST: Final = 25


@checked("away", "cube")
def score_map(
    subject: Situation | Probabilities | ScoreTable | str,
    *,
    away: int = 9,
    ply: int = 0,
    met: MatchEquityTable | str | Path | None = None,
    model: CubeModel | None = None,
    cube: Cube | None = None,
    ax: Axes | None = None,
    size: Size = (8.6, 6.4),
) -> Axes:
    """Map of the verdict over all match scores, with the equities of no double and double/take in each cell.

    Parameters
    ----------
    subject : Situation, XGID, Probabilities or ScoreTable
        A situation is evaluated at every score by the engine; the score it has is framed. Probabilities need no
        engine: the same chances are judged at every score. A table brings its own scores, cube and model.
    away : int
        Greatest number of points that a side still needs, up to 25.
    ply : int
        Look-ahead of the engine, 0 to 3. More than 0 takes its time.
    met : MatchEquityTable, str or Path, optional
        Default Kazaross-XG2.
    model : CubeModel, optional
    cube : Cube, optional
        Cube at every score; default that of the situation, or centred at 1.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Returns
    -------
    Axes
        Rows: what the player on roll needs; columns: what the opponent needs. EMG, no double above double/take.

    Raises
    ------
    CubelabError
        Not such a subject, a game that is over, numbers out of range.
    """
    if not 2 <= away <= _MOST:
        raise CubelabError(f"away={away} is not between 2 and {_MOST}")
    if isinstance(subject, str):
        from ..notation.detect import parse_situation

        subject = parse_situation(subject)
    situation = subject if isinstance(subject, Situation) else None
    table = MatchEquityTable.load(met)
    if isinstance(subject, Situation):
        scored = position_scores(subject, away, cube=cube, ply=ply, met=table, model=model, money=False)
        source = f"{ply}-ply"
    elif isinstance(subject, Probabilities):
        model = model or Janowski()
        scored, source = score_table(subject, away, cube=cube, met=table, model=model, money=False), str(model)
    elif isinstance(subject, ScoreTable):
        scored, source = subject, str(subject.model)
    else:
        kind = type(subject).__name__
        raise CubelabError(f"no score map of {kind}: give a Situation, an XGID, Probabilities or a ScoreTable")
    places = {
        _place(cell): decision
        for cell, decision in zip(scored.cells, scored.decisions, strict=True)
        if not cell.match.money
    }  # fmt: skip
    if not places:
        raise CubelabError("the score table has no match score")
    away = max(int(name) for place in places for name in place if name not in (_CRAWFORD, _POST))
    names = [_CRAWFORD, _POST, *map(str, range(2, away + 1))]
    if not any(_CRAWFORD in place for place in places):
        names.remove(_CRAWFORD)
    values = np.full((len(names), len(names)), np.nan)
    texts = [[""] * len(names) for _ in names]
    for (row, column), decision in places.items():
        i, j = names.index(row), names.index(column)
        values[i, j] = verdicts.number(decision)
        texts[i][j] = _text(decision)
    with chart(ax, size) as axes:
        cells(axes, values, texts, names, names, **verdicts.colouring())
        verdicts.legend(axes, {int(value) for value in np.unique(values[np.isfinite(values)])})
        if situation is not None:
            _frame(axes, situation, names)
        axes.set_aspect("auto")
        shown = scored.cells[0].cube
        stakes = scored.decisions[-1].stakes
        owner = {1: "the player's", 0: "centred", -1: "the opponent's"}[int(shown.owner)]
        name = table.name if stakes.table is None else stakes.table.name
        note = f"{name}; cube {shown.value} {owner}; {source}; in the cells: verdict, EMG of ND, of D/T"
        columns = f"{OPPONENT_AWAY} (C: Crawford game, P: after it)"
        return finish(axes, "Verdict at every score", note, columns, MOVER_AWAY)


def _place(cell: ScoreCell) -> tuple[str, str]:
    """Row and column of a score."""
    one = _CRAWFORD if cell.match.crawford else _POST
    row, column = (one if away == 1 else str(away) for away in cell.match.away)
    return row, column


def _text(decision: CubeDecision) -> str:
    equities = decision.equities
    code = verdicts.look(verdicts.number(decision)).code
    lines = [code, signed(equities.no_double, 3)]
    if equities.double_take is not None:
        lines.append(signed(equities.double_take, 3))
    return "\n".join(lines)


def _frame(ax: Axes, situation: Situation, names: list[str]) -> None:
    """A frame around the score that the situation has."""
    from matplotlib.patches import Rectangle

    match = situation.match
    if match.money:
        return
    one = _CRAWFORD if match.crawford else _POST
    row, column = (one if away == 1 else str(away) for away in match.away)
    if row in names and column in names:
        corner = names.index(column) - 0.5, names.index(row) - 0.5
        ax.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor="black", linewidth=2.5, zorder=3))
