"""The market: what each of the 21 rolls makes of a position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..arguments import checked
from ..cube.models import CubeModel
from ..errors import CubelabError
from ..game import ROLLS, WEIGHTS, Situation
from ..score.met import MatchEquityTable
from .figures import DIVERGING, Size, chart, finish, signed, stakes_text
from .heat import cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..engine.ledger import MarketLedger


@checked("model", "what")
def market(
    subject: Situation | MarketLedger | str,
    what: Literal["equity", "effect"] = "equity",
    *,
    met: MatchEquityTable | str | Path | None = None,
    model: CubeModel | None = None,
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """Temperature map of the 21 rolls: equity after each, and how often the market is lost after it.

    Parameters
    ----------
    subject : Situation, XGID or MarketLedger
        The player on roll has not rolled yet and may double.
    what : {"equity", "effect"}
        Colour by the equity when the cube is left alone, or by what doubling now changes: where it is above 0, one
        would like to have doubled.
    met : MatchEquityTable, str or Path, optional
        Default Kazaross-XG2. Not used with a ledger, which brings its own.
    model : CubeModel, optional
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Returns
    -------
    Axes
        In each cell the number that is coloured and the share of the opponent's replies after which the next double is
        right and passed: the market is lost, but the player is not too good.

    Raises
    ------
    CubelabError
        No such subject, a game that is over, a player who may not double.
    """
    if what not in ("equity", "effect"):
        raise CubelabError(f"what={what!r} is none of equity, effect")
    ledger = _ledger(subject, met, model)
    rolls = ledger.rolls()
    numbers = rolls["no_double" if what == "equity" else "effect"].to_numpy()
    values, texts = np.full((6, 6), np.nan), [[""] * 6 for _ in range(6)]
    for (high, low), number, lost in zip(ROLLS, numbers, rolls["market_lost"], strict=True):
        values[high - 1, low - 1] = number
        texts[high - 1][low - 1] = f"{signed(number, 3)}\n{100 * lost:.0f} % lost"
    middle = float(np.dot(WEIGHTS, numbers)) / 36 if what == "equity" else 0.0
    spread = max(float(np.abs(numbers - middle).max()), 1e-3)
    with chart(ax, size) as axes:
        names = list("123456")
        image = cells(axes, values, texts, names, names, cmap=DIVERGING, vmin=middle - spread, vmax=middle + spread)
        unit = "points" if ledger.stakes.money else "EMG"
        label = {"equity": "Equity after the roll, not doubled", "effect": "What doubling now changes"}[what]
        colours = axes.figure.colorbar(image, ax=axes, label=f"{label} ({unit} per cube)")
        colours.outline.set_visible(False)
        total = (
            f"double/take − no double {signed(ledger.difference, 3)}; market lost {100 * ledger.market_losers:.0f} %"
        )
        note = f"{stakes_text(ledger.stakes)}; {total}"
        return finish(axes, "Market of the 21 rolls", note, "Lower die", "Higher die")


def _ledger(
    subject: Situation | MarketLedger | str, met: MatchEquityTable | str | Path | None, model: CubeModel | None
) -> MarketLedger:
    from ..engine.ledger import MarketLedger, market_ledger

    if isinstance(subject, MarketLedger):
        return subject
    if isinstance(subject, str):
        from ..notation.detect import parse_situation

        subject = parse_situation(subject)
    if not isinstance(subject, Situation):
        raise CubelabError(f"no market of {type(subject).__name__}: give a Situation, an XGID or a MarketLedger")
    return market_ledger(subject, met=MatchEquityTable.load(met), model=model)
