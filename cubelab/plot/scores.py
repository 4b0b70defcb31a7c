"""Charts over match scores: match equities, take points, gammon prices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from ..arguments import checked
from ..cube.models import CubeModel, Janowski
from ..cube.points import cube_points, gammon_price
from ..errors import CubelabError, TableError
from ..game import Cube, MatchState, Owner
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .figures import DIVERGING, LINES, SEQUENTIAL, Size, chart, finish, ink, percent, signed
from .heat import cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colorbar import Colorbar
    from matplotlib.image import AxesImage

MOVER_AWAY = "Points the player on roll needs"
OPPONENT_AWAY = "Points the opponent needs"
#: Colours tell ordinary take points apart; those of the free drop lie beyond the ends.
_TAKES: Final = {"vmin": 0.12, "vmax": 0.36}


@checked("away")
def match_equities(
    met: MatchEquityTable | str | Path | None = None,
    *,
    away: int = 9,
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """A match equity table: chance to win the match at the start of a game.

    Parameters
    ----------
    met : MatchEquityTable, str or Path, optional
        Default Kazaross-XG2.
    away : int
        Greatest number of points that a side still needs.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Raises
    ------
    CubelabError
        No such table, or it is smaller than `away`.
    """
    table = MatchEquityTable.load(met)
    values = _corner(table, away)
    names = [str(points) for points in range(1, away + 1)]
    with chart(ax, size) as axes:
        texts = [[f"{100 * value:.1f}" for value in row] for row in values]
        image = cells(axes, values, texts, names, names, cmap=SEQUENTIAL, vmin=0, vmax=1)
        percent(_bar(axes, image, "Match winning chance of the player on roll").ax, "y")
        note = f"{table.name}; per cent; 1 away is the Crawford game"
        return finish(axes, "Match equity", note, OPPONENT_AWAY, MOVER_AWAY)


@checked("away")
def met_difference(
    first: MatchEquityTable | str | Path,
    second: MatchEquityTable | str | Path,
    *,
    away: int = 9,
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """Where two match equity tables differ: the first minus the second, in points of per cent.

    Parameters
    ----------
    first, second : MatchEquityTable, str or Path
    away : int
        Greatest number of points that a side still needs.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Raises
    ------
    CubelabError
        No such table, or it is smaller than `away`.
    """
    tables = MatchEquityTable.load(first), MatchEquityTable.load(second)
    values = 100 * (_corner(tables[0], away) - _corner(tables[1], away))
    names = [str(points) for points in range(1, away + 1)]
    limit = max(float(np.abs(values).max()), 0.01)
    with chart(ax, size) as axes:
        texts = [[signed(value, 2) for value in row] for row in values]
        image = cells(axes, values, texts, names, names, cmap=DIVERGING, vmin=-limit, vmax=limit)
        _bar(axes, image, "Difference (percentage points of MWC)")
        note = f"{tables[0].name} minus {tables[1].name}; 1 away is the Crawford game"
        return finish(axes, "Difference of match equity", note, OPPONENT_AWAY, MOVER_AWAY)


@checked("away", "cube", "gammons", "kind", "model", "which")
def take_points(
    met: MatchEquityTable | str | Path | None = None,
    *,
    kind: Literal["heat", "lines"] = "heat",
    which: Literal["model", "live", "dead"] = "model",
    gammons: float = 0.0,
    cube: int = 1,
    model: CubeModel | None = None,
    away: int = 9,
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """Take points over match scores: the win chance from which the doubled side takes.

    Parameters
    ----------
    met : MatchEquityTable, str or Path, optional
        Default Kazaross-XG2.
    kind : {"heat", "lines"}
        A table, or lines over the doubler's score with one line for each score of the taker.
    which : {"model", "live", "dead"}
        How alive the cube is after the take.
    gammons : float
        Share of the doubler's wins that are gammons, 0 to 1.
    cube : int
        Value before the double; it is centred at 1, otherwise the doubler's.
    model : CubeModel, optional
        Default Janowski with x = 0.68.
    away : int
        Greatest number of points that a side still needs.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Returns
    -------
    Axes
        Rows: the taker's score, after the Crawford game where the taker is one away; columns: the doubler's.

    Raises
    ------
    CubelabError
        No such table or word, numbers out of range.
    """
    table = MatchEquityTable.load(met)
    _check_away(table, away, 2)
    if which not in ("model", "live", "dead"):
        raise CubelabError(f"which={which!r} is none of model, live, dead")
    if kind not in ("heat", "lines"):
        raise CubelabError(f"kind={kind!r} is none of heat, lines")
    model = model or Janowski()
    takers, doublers = range(1, away + 1), range(2, away + 1)
    values = np.array(
        [[_take_point(table, (t, d), cube, gammons, model, which) for d in doublers] for t in takers]
    )  # fmt: skip
    rows = ["1 post-Crawford", *map(str, takers[1:])]
    shown = {"model": str(model), "live": "live cube", "dead": "dead cube"}[which]
    note = f"{table.name}; cube {cube} → {2 * cube}; {shown}; {100 * gammons:g} % of the doubler's wins are gammons"
    with chart(ax, size) as axes:
        if kind == "heat":
            texts = [[f"{100 * value:.1f}" if np.isfinite(value) else "" for value in row] for row in values]
            image = cells(axes, values, texts, rows, list(map(str, doublers)), cmap=SEQUENTIAL, **_TAKES)
            percent(_bar(axes, image, "Take point (win chance)", extend="both").ax, "y")
            return finish(axes, "Take points", note, "Points the doubler needs", "Points the taker needs")
        chosen = [t for t in (1, 2, 3, 4, 5, 7, 9) if t <= away]
        for number, taker in enumerate(chosen):
            line = axes.plot(doublers, values[taker - 1], label=rows[taker - 1])[0]
            line.set(color=LINES[number] if number else ink(axes), marker="osD^vPX"[number], markersize=4)
        axes.set_ylim(bottom=0)
        axes.set_xticks(doublers)
        percent(axes, "y")
        axes.legend(title="Taker needs", loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0)
        return finish(axes, "Take points", note, "Points the doubler needs", "Take point (win chance)")


@checked("away")
def gammon_prices(
    met: MatchEquityTable | str | Path | None = None,
    *,
    cube: int = 1,
    away: int = 9,
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """Gammon prices over match scores: what a gammon adds, in units of the swing between single win and single loss.

    Parameters
    ----------
    met : MatchEquityTable, str or Path, optional
        Default Kazaross-XG2.
    cube : int
        Value of the cube at which the game ends.
    away : int
        Greatest number of points that a side still needs.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Raises
    ------
    CubelabError
        No such table, numbers out of range.
    """
    table = MatchEquityTable.load(met)
    _check_away(table, away, 1)
    scores = range(1, away + 1)
    prices = [[gammon_price(state_away(mover, opponent), table, cube) for opponent in scores] for mover in scores]
    values = np.array([[np.nan if price is None else price for price in row] for row in prices])
    names = ["1 C", *map(str, scores[1:])]
    with chart(ax, size) as axes:
        texts = [[f"{value:.2f}" for value in row] for row in values]
        # Money's price is the middle, so that the colour says at once whether gammons are worth more than there.
        limit = max(float(np.nanmax(values)) - 0.5, 0.5)
        image = cells(axes, values, texts, names, names, cmap=DIVERGING, vmin=0.5 - limit, vmax=0.5 + limit)
        _bar(axes, image, "Gammon price (money: 0.5)")
        note = f"{table.name}; cube {cube}; for the player on roll; C: Crawford game"
        return finish(axes, "Gammon prices", note, OPPONENT_AWAY, MOVER_AWAY)


def state_away(mover: int, opponent: int, *, post_crawford: bool = False) -> MatchState:
    """A score in a match by the points both sides still need; at 1 away the Crawford game unless it is over."""
    length = max(mover, opponent)
    crawford = min(mover, opponent) == 1 and not post_crawford
    return MatchState(length, length - mover, length - opponent, crawford)


def _take_point(
    table: MatchEquityTable, away: tuple[int, int], cube: int, gammons: float, model: CubeModel, which: str
) -> float:
    owner = Owner.CENTRE if cube == 1 else Owner.OPPONENT
    stakes = Stakes.of(state_away(*away, post_crawford=True), Cube(cube, owner), table)
    point = getattr(cube_points((0.0, gammons), stakes, model).mover.take, which)
    return np.nan if point is None else point


def _check_away(table: MatchEquityTable, away: int, least: int) -> None:
    if not least <= away <= table.size:
        raise TableError(f"away={away} is not within {least} to {table.size}, the size of the table {table.name}")


def _corner(table: MatchEquityTable, away: int) -> np.ndarray:
    _check_away(table, away, 1)
    return table.values[:away, :away]


def _bar(ax: Axes, image: AxesImage, label: str, **options: Any) -> Colorbar:
    colours = ax.figure.colorbar(image, ax=ax, label=label, **options)
    colours.outline.set_visible(False)
    return colours
