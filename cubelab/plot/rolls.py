"""The market: what each of the 21 rolls makes of a position."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..cube.models import CubeModel
from ..errors import CubelabError
from ..game import ROLLS, WEIGHTS, Phase, Situation
from ..score.met import MatchEquityTable
from .figures import DIVERGING, Size, chart, finish, signed
from .heat import cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def market(
    situation: Situation | str,
    *,
    ply: int = 0,
    met: MatchEquityTable | str | Path | None = None,
    model: CubeModel | None = None,
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """Temperature map of the 21 rolls: equity after each, and how often the market is lost by the next turn.

    Parameters
    ----------
    situation : Situation or XGID
        The player on roll has not rolled yet.
    ply : int
        Look-ahead behind each roll, 0 to 3; replies are looked at statically.
    met : MatchEquityTable, str or Path, optional
        Default Kazaross-XG2.
    model : CubeModel, optional
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Returns
    -------
    Axes
        In each cell the equity after the best play, without doubling, and the share of the opponent's replies after
        which a double would be passed (none where the cube cannot be turned).

    Raises
    ------
    CubelabError
        Not a situation, a game that is over.
    """
    if isinstance(situation, str):
        from ..notation.detect import parse_situation

        situation = parse_situation(situation)
    if not isinstance(situation, Situation):
        raise CubelabError(f"no market of {type(situation).__name__}: give a Situation or an XGID")
    if situation.position.phase is Phase.OVER:
        raise CubelabError(f"position {situation.position.id}: the game is over, there is nothing to roll")
    table = MatchEquityTable.load(met)
    base = replace(situation, dice=None, offer=None, resigned=0)
    outcomes = {roll: _outcome(base, roll, ply, table, model) for roll in ROLLS}
    mean = sum(weight * outcomes[roll].equity for roll, weight in zip(ROLLS, WEIGHTS, strict=True)) / 36
    values, texts = np.full((6, 6), np.nan), [[""] * 6 for _ in range(6)]
    for (high, low), outcome in outcomes.items():
        values[high - 1, low - 1] = outcome.equity
        lost = "" if outcome.market_lost is None else f"\n{100 * outcome.market_lost:.0f} % lost"
        texts[high - 1][low - 1] = f"{signed(outcome.equity, 3)}{lost}"
    spread = max(float(np.nanmax(np.abs(values - mean))), 1e-3)
    with chart(ax, size) as axes:
        names = list("123456")
        image = cells(axes, values, texts, names, names, cmap=DIVERGING, vmin=mean - spread, vmax=mean + spread)
        unit = "points" if base.match.money else "EMG"
        colours = axes.figure.colorbar(image, ax=axes, label=f"Equity after the roll ({unit} per cube)")
        colours.outline.set_visible(False)
        source = "" if base.match.money else f", {table.name}"
        known = [
            (weight, outcome.market_lost)
            for weight, outcome in zip(WEIGHTS, outcomes.values(), strict=True)
            if outcome.market_lost is not None
        ]
        total = f"; market lost {100 * sum(w * m for w, m in known) / 36:.0f} %" if known else ""
        note = f"{base.match.score_text}{source}, cube {base.cube.value}; {ply}-ply; mean {signed(mean, 3)}{total}"
        return finish(axes, "Market of the 21 rolls", note, "Lower die", "Higher die")


@dataclass(frozen=True, slots=True)
class _Outcome:
    equity: float
    market_lost: float | None


def _outcome(
    situation: Situation, roll: tuple[int, int], ply: int, table: MatchEquityTable, model: CubeModel | None
) -> _Outcome:
    """Equity after the best play of a roll, and the share of replies after which a double is passed."""
    from ..engine.search import evaluate, evaluate_many, ranked_plays

    ranked = ranked_plays(situation, roll, ply=ply, met=table, model=model)
    after = ranked[0].play.after if len(ranked) else situation.position
    faced = replace(situation.flip(), position=after.flip())
    if after.phase is Phase.OVER:
        return _Outcome(ranked[0].equity, None)
    equity = ranked[0].equity if len(ranked) else -evaluate(faced, ply=ply, met=table, model=model).cubeful
    turns, weights = [], []
    for reply, weight in zip(ROLLS, WEIGHTS, strict=True):
        answers = ranked_plays(faced, reply, ply=0, met=table, model=model)
        left = answers[0].play.after if len(answers) else faced.position
        if left.phase is not Phase.OVER:
            turns.append(replace(situation, position=left.flip()))
            weights.append(weight)
    verdicts = [answer.decision.verdict for answer in evaluate_many(turns, ply=0, met=table, model=model)]
    if not any(verdicts):
        return _Outcome(equity, None)
    passed = sum(w for w, verdict in zip(weights, verdicts, strict=True) if verdict and verdict.response == "pass")
    return _Outcome(equity, passed / 36)
