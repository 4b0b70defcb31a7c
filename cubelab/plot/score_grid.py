"""The verdict of one position at every score."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..cube.decision import CubeDecision, decide
from ..cube.models import CubeModel, Janowski
from ..errors import CubelabError
from ..game import Cube, MatchState, Position, Probabilities, Situation
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from . import verdicts
from .figures import Size, chart, finish, signed
from .heat import cells
from .scores import MOVER_AWAY, OPPONENT_AWAY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Both scores of a side that is one away come first: in the Crawford game, and after it.
_CRAWFORD, _POST = "1 C", "1 P"
_MOST: Final = 25


def score_map(
    subject: Situation | Probabilities | str,
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
    subject : Situation, XGID or Probabilities
        A situation is evaluated at every score by the engine; the score it has is framed. Probabilities need no
        engine: the same chances are judged at every score.
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
    if not isinstance(subject, Situation | Probabilities):
        raise CubelabError(f"no score map of {type(subject).__name__}: give a Situation, an XGID or Probabilities")
    table = MatchEquityTable.load(met)
    names = [_CRAWFORD, _POST, *map(str, range(2, away + 1))]
    places = [(i, j) for i in range(len(names)) for j in range(len(names))]
    scores = {(i, j): state for i, j in places if (state := _state(names[i], names[j], away))}
    if isinstance(subject, Situation):
        cube = cube or subject.cube
        decisions, source = _by_engine(subject.position, list(scores.values()), cube, ply, table, model)
    else:
        cube, model = cube or Cube(), model or Janowski()
        decisions = [decide(subject, Stakes.of(state, cube, table), model) for state in scores.values()]
        source = str(model)
    values = np.full((len(names), len(names)), np.nan)
    texts = [[""] * len(names) for _ in names]
    for (i, j), decision in zip(scores, decisions, strict=True):
        values[i, j] = verdicts.number(decision)
        texts[i][j] = _text(decision)
    with chart(ax, size) as axes:
        cells(axes, values, texts, names, names, **verdicts.colouring())
        verdicts.legend(axes, {int(value) for value in np.unique(values[np.isfinite(values)])})
        if isinstance(subject, Situation):
            _frame(axes, subject, names)
        axes.set_aspect("auto")
        owner = {1: "the player's", 0: "centred", -1: "the opponent's"}[int(cube.owner)]
        note = f"{table.name}; cube {cube.value} {owner}; {source}; in the cells: verdict, EMG of ND, of D/T"
        columns = f"{OPPONENT_AWAY} (C: Crawford game, P: after it)"
        return finish(axes, "Verdict at every score", note, columns, MOVER_AWAY)


def _by_engine(
    position: Position, states: list[MatchState], cube: Cube, ply: int, table: MatchEquityTable, model: CubeModel | None
) -> tuple[list[CubeDecision], str]:
    from ..engine.search import evaluate_many

    situations = [Situation(position, cube, state) for state in states]
    answers = evaluate_many(situations, ply=ply, met=table, model=model)
    return [answer.decision for answer in answers], f"{ply}-ply"


def _state(mover: str, opponent: str, length: int) -> MatchState | None:
    """The score of a cell; None where the two sides cannot be at different stages, or nobody may have reached it."""
    stages = {mover, opponent} & {_POST, _CRAWFORD}
    # Both one away: there is no cube to speak of, and the Crawford game may or may not have been played.
    if _CRAWFORD in stages and (len(stages) == 2 or mover == opponent):
        return None
    away = [1 if name in (_POST, _CRAWFORD) else int(name) for name in (mover, opponent)]
    return MatchState(length, length - away[0], length - away[1], _CRAWFORD in stages)


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
