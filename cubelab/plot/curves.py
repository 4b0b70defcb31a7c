"""Charts along the win chance: equities, doubling windows, take points by gammons."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from ..arguments import checked
from ..cube.decision import decide
from ..cube.models import CubeModel, DeadCube, Janowski, LiveCube
from ..cube.points import cube_points
from ..errors import CubelabError
from ..game import Owner, Probabilities
from ..score.stakes import Stakes, checked_stakes
from . import verdicts
from .figures import FAINT, LINES, Size, chart, finish, ink, percent, stakes_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIN: Final = "Games won"


@checked("gammons", "model", "unit")
def equity_curve(
    stakes: Stakes,
    *,
    gammons: tuple[float, float] = (0.0, 0.0),
    model: CubeModel | None = None,
    unit: Literal["emg", "mwc"] = "emg",
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """Equity against win chance with the cube in each position, and the corner points of the model.

    Parameters
    ----------
    stakes : Stakes
        Score, rules and cube value; whose cube it is does not matter.
    gammons : (float, float)
        Shares of the player's and of the opponent's wins that are gammons.
    model : CubeModel, optional
        Default Janowski with x = 0.68. The dead cube is drawn beside it.
    unit : {"emg", "mwc"}
        Equity per cube (points for money), or match winning chance.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Raises
    ------
    CubelabError
        Numbers that are no shares; MWC of money play.
    """
    if unit not in ("emg", "mwc"):
        raise CubelabError(f"unit={unit!r} is none of emg, mwc")
    stakes = checked_stakes(stakes)
    if unit == "mwc" and stakes.money:
        raise CubelabError("money play has no match winning chance: draw it in unit='emg'")
    model = model or Janowski()
    wins = np.linspace(0, 1, 201)
    with chart(ax, size) as axes:
        owners = {
            Owner.MOVER: ("own cube", LINES[1]),
            Owner.CENTRE: ("centred cube", ink(axes)),
            Owner.OPPONENT: ("opponent's cube", LINES[2]),
        }
        if not stakes.may_turn.any():
            owners = {stakes.owner: ("cube out of play", ink(axes))}
        for owner, (name, colour) in owners.items():
            owned = stakes.with_owner(owner)
            axes.plot(wins, _equities(wins, owned, gammons, model, unit), color=colour, label=name)
            corners = _corners(owned, gammons, model)
            axes.plot(corners, _equities(corners, owned, gammons, model, unit), "o", color=colour, markersize=5)
        dead = _equities(wins, stakes.with_owner(Owner.CENTRE), gammons, DeadCube(), unit)
        axes.plot(wins, dead, ":", color=FAINT, label="dead cube")
        # Each name at the end where no curve is.
        ends = ((stakes.single_win, " win the cube", 0, "left"), (stakes.single_loss, "lose the cube ", 1, "right"))
        for value, name, end, side in ends:
            level = _in_unit(value, stakes, unit)
            axes.axhline(level, color=FAINT, linewidth=0.6)
            axes.annotate(name, (end, level), ha=side, va="bottom", fontsize="small", color=FAINT)
        axes.set_xlim(0, 1)
        percent(axes, "both" if unit == "mwc" else "x")
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0)
        shares = f"gammons {100 * gammons[0]:g} % of wins, {100 * gammons[1]:g} % of losses"
        label = {"mwc": "Match winning chance", "emg": f"Equity ({'points' if stakes.money else 'EMG'} per cube)"}[unit]
        words = [stakes.match.score_text, f"cube {stakes.cube.value}", *([stakes.table.name] if stakes.table else [])]
        return finish(axes, "Equity and cube", f"{', '.join(words)}; {model}; {shares}", _WIN, label)


@checked("gammons", "model")
def double_window(
    stakes: Stakes | Mapping[str, Stakes],
    *,
    gammons: tuple[float, float] = (0.0, 0.0),
    model: CubeModel | None = None,
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """Verdicts along the win chance: where the doubling window opens and closes, and where one is too good.

    Parameters
    ----------
    stakes : Stakes, or mapping of names to Stakes
        One row for the dead cube, the model and the live cube; of several, one row each by the model.
    gammons : (float, float)
        Shares of the player's and of the opponent's wins that are gammons.
    model : CubeModel, optional
        Default Janowski with x = 0.68.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Raises
    ------
    CubelabError
        Numbers that are no shares, an empty mapping.
    """
    model = model or Janowski()
    if isinstance(stakes, Stakes):
        rows = {str(kind): (stakes, kind) for kind in (DeadCube(), model, LiveCube())}
        note = stakes_text(stakes)
    else:
        if not isinstance(stakes, Mapping):
            raise CubelabError(f"cannot draw {type(stakes).__name__}: give Stakes, or a mapping of names to Stakes")
        rows = {name: (checked_stakes(each), model) for name, each in stakes.items()}
        note = str(model)
    if not rows:
        raise CubelabError("there are no stakes to draw: the mapping is empty")
    with chart(ax, size) as axes:
        present: set[int] = set()
        for height, (each, kind) in enumerate(rows.values()):
            edges, found = _bands(each, gammons, kind)
            present |= set(found)
            for low, high, verdict in zip(edges, edges[1:], found, strict=False):
                look = verdicts.look(verdict)
                axes.barh(height, high - low, left=low, height=0.72, color=look.colour, edgecolor="white", linewidth=1)
                if high - low > 0.09:
                    axes.text((low + high) / 2, height, look.code, ha="center", va="center")
            for low, high in _clusters(edges[1:-1]):
                text = f"{100 * low:.1f}" if low == high else f"{100 * low:.1f}–{100 * high:.1f}"
                axes.text((low + high) / 2, height - 0.37, text, ha="center", va="bottom", fontsize="small")
        axes.set_yticks(range(len(rows)), list(rows))
        axes.set_ylim(len(rows) - 0.4, -0.8)
        axes.set_xlim(0, 1)
        percent(axes, "x")
        verdicts.legend(axes, present)
        shares = f"gammons {100 * gammons[0]:g} % of wins, {100 * gammons[1]:g} % of losses"
        return finish(axes, "Doubling window", f"{note}; {shares}", _WIN, "")


@checked("model", "most", "wins_gammons")
def take_points_by_gammons(
    stakes: Stakes,
    *,
    wins_gammons: float = 0.0,
    most: float = 0.6,
    model: CubeModel | None = None,
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """How the take point of the player on roll rises with the doubler's gammons.

    Parameters
    ----------
    stakes : Stakes
        The opponent must be allowed to turn the cube.
    wins_gammons : float
        Share of the taker's own wins that are gammons.
    most : float
        Greatest share of the doubler's wins that are gammons.
    model : CubeModel, optional
        Default Janowski with x = 0.68.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Raises
    ------
    CubelabError
        The opponent may not double at these stakes; numbers that are no shares.
    """
    reason = checked_stakes(stakes).reason_opponent_not_allowed
    if reason is not None:
        raise CubelabError(f"there is no take point: the opponent may not double, {reason}")
    if not 0 < most <= 1:
        raise CubelabError(f"most={most} is not a share of wins above 0 and up to 1")
    model = model or Janowski()
    shares = np.linspace(0, most, 25)
    points = [cube_points((wins_gammons, share), stakes, model).mover.take for share in shares]
    with chart(ax, size) as axes:
        for name, label, colour, line in (
            ("dead", "dead cube", LINES[2], "--"),
            ("model", str(model), ink(axes), "-"),
            ("live", "live cube", LINES[1], "-."),
        ):
            axes.plot(shares, [getattr(point, name) for point in points], line, color=colour, label=label)
        axes.set_xlim(0, most)
        axes.set_ylim(bottom=0)
        percent(axes, "both")
        axes.legend()
        note = f"{stakes_text(stakes)}; {100 * wins_gammons:g} % of the taker's wins are gammons"
        xlabel = "Share of the doubler's wins that are gammons"
        return finish(axes, "Take point by gammons", note, xlabel, "Take point (win chance)")


def _clusters(edges: list[float]) -> list[tuple[float, float]]:
    """First and last of each run of edges too close together to be written one by one."""
    clusters: list[tuple[float, float]] = []
    for edge in edges:
        if clusters and edge - clusters[-1][1] < 0.06:
            clusters[-1] = clusters[-1][0], edge
        else:
            clusters.append((edge, edge))
    return clusters


def _chances(win: float, gammons: tuple[float, float]) -> Probabilities:
    mine, theirs = gammons
    if not (0 <= mine <= 1 and 0 <= theirs <= 1):
        raise CubelabError(f"gammons={gammons} are not two shares between 0 and 1: of the player's and opponent's wins")
    return Probabilities.from_cumulative(win, win * mine, 0.0, (1 - win) * theirs)


def _in_unit(value: float, stakes: Stakes, unit: str) -> float:
    return float(stakes.to_mwc(value) if unit == "mwc" else stakes.to_emg(value))


def _equities(wins, stakes: Stakes, gammons: tuple[float, float], model: CubeModel, unit: str) -> list[float]:
    values = [decide(_chances(float(win), gammons), stakes, model).values.no_double for win in wins]
    return [_in_unit(value, stakes, unit) for value in values]


def _corners(stakes: Stakes, gammons: tuple[float, float], model: CubeModel) -> list[float]:
    """Win chances where the model's lines bend: the live cash points of both sides."""
    if model.x == 0:
        return []
    points = cube_points(gammons, stakes, model)
    corners = [points.mover.cash.live]
    if points.opponent.cash.live is not None:
        corners.append(1 - points.opponent.cash.live)
    return [corner for corner in corners if corner is not None]


def _bands(stakes: Stakes, gammons: tuple[float, float], model: CubeModel) -> tuple[list[float], list[int]]:
    """Win chances at which the verdict changes, with 0 and 1 around them, and the verdicts between."""

    def verdict(win: float) -> int:
        return verdicts.number(decide(_chances(win, gammons), stakes, model, tolerance=verdicts.EXACT))

    # The very ends are ties of won and lost games, which belong to no band.
    wins = np.linspace(0.0005, 0.9995, 334)
    edges, found = [0.0], [verdict(float(wins[0]))]
    for low, high in pairwise(wins):
        after = verdict(float(high))
        if after == found[-1]:
            continue
        for _ in range(12):
            middle = (low + high) / 2
            low, high = (middle, high) if verdict(float(middle)) == found[-1] else (low, middle)
        edges.append(float(high))
        found.append(after)
    return [*edges, 1.0], found
