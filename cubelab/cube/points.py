"""Take, beaver, double, redouble, cash and too-good points, and gammon prices.

A point is a win chance of the side it belongs to, the shares of gammons among both sides' wins held fixed. Each is
given for a dead cube, a live cube and the model in use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..arguments import checked
from ..errors import IllegalProbabilities, SettingsError
from ..game import Cube, GameResult, MatchState, Owner, Probabilities
from ..game.html import block, percent, table
from ..score import MatchEquityTable, Stakes
from ..score.stakes import checked_stakes
from .models import CubeModel, Janowski, checked_model

if TYPE_CHECKING:
    import pandas as pd

#: Names of the points in the order in which they are printed.
NAMES: Final = ("take", "beaver", "double", "redouble", "cash", "too_good")

_DEFAULT_MODEL: Final = Janowski()
#: Two options nearer than this in value are equal.
_EQUAL: Final = 1e-11
_GRID: Final = np.linspace(0.0, 1.0, 513)


@dataclass(frozen=True, slots=True)
class Point:
    """One threshold, as win chances 0–1 of the side it belongs to.

    Attributes
    ----------
    dead, live, model : float or None
        None where the point does not exist.
    reason : str or None
        Why, if any of the three is None.
    """

    dead: float | None = None
    live: float | None = None
    model: float | None = None
    reason: str | None = None

    @property
    def exists(self) -> bool:
        """Whether at least one of the three exists."""
        return any(value is not None for value in (self.dead, self.live, self.model))

    def to_dict(self) -> dict[str, float | str | None] | None:
        """The JSON form; None where nothing exists."""
        if not self.exists:
            return None
        found: dict[str, float | str | None] = {"dead": self.dead, "live": self.live, "model": self.model}
        return found if self.reason is None else found | {"reason": self.reason}


@dataclass(frozen=True, slots=True)
class GammonPrices:
    """What gammons and backgammons add, in units of the swing between a single win and a single loss.

    In money play with gammons counting both are 0.5. None where winning and losing make no difference.
    """

    gammon: float | None
    backgammon: float | None


@dataclass(frozen=True, slots=True)
class SidePoints:
    """The points of one side.

    Attributes
    ----------
    take, beaver : Point
        When the other side turns the given cube now.
    double : Point
        Cube centred: from here on doubling is right.
    redouble : Point
        Cube of this value owned by this side. With a centred cube it says what the redouble point would be.
    cash : Point
        From here on the other side passes.
    too_good : Point
        From here on playing on is worth more than cashing.
    prices : GammonPrices
        At the current cube.
    """

    take: Point
    beaver: Point
    double: Point
    redouble: Point
    cash: Point
    too_good: Point
    prices: GammonPrices

    def to_dict(self) -> dict:
        """The JSON form: null for a point that does not exist, its reason under ``reason``."""
        points = {name: getattr(self, name) for name in NAMES}
        reasons = {name: point.reason for name, point in points.items() if point.reason is not None}
        return {
            **{name: point.to_dict() for name, point in points.items()},
            "gammon_price": self.prices.gammon,
            "backgammon_price": self.prices.backgammon,
            "reason": reasons,
        }

    @property
    def window(self) -> tuple[float, float] | None:
        """Doubling window by the model: from the (re)double point to the cash point; None where one does not exist."""
        low = self.double.model if self.double.model is not None else self.redouble.model
        return None if low is None or self.cash.model is None else (low, self.cash.model)


@dataclass(frozen=True, slots=True)
class CubePoints:
    """The points of both sides.

    Attributes
    ----------
    mover, opponent : SidePoints
        Each as that side's own win chances.
    stakes : Stakes
    model : CubeModel
    """

    mover: SidePoints
    opponent: SidePoints
    stakes: Stakes
    model: CubeModel

    def to_dict(self) -> dict:
        """``mover`` and ``opponent`` of the JSON."""
        return {"mover": self.mover.to_dict(), "opponent": self.opponent.to_dict()}

    def _repr_html_(self) -> str:
        head = ["", "dead", "live", str(self.model), ""]
        tables = []
        for name, side in (("mover", self.mover), ("opponent", self.opponent)):
            points = [(word, getattr(side, word)) for word in NAMES]
            rows = [
                [word.replace("_", " "), *map(percent, (point.dead, point.live, point.model)), point.reason or ""]
                for word, point in points
            ]
            tables.append(table([name, *head[1:]], rows))
        return block("", *tables, note="each side's points as its own win chances")

    def to_frame(self) -> pd.DataFrame:
        """One row a side and point: dead, live, model, reason."""
        import pandas as pd

        rows = []
        for side in ("mover", "opponent"):
            for name in NAMES:
                point = getattr(getattr(self, side), name)
                rows.append((side, name, point.dead, point.live, point.model, point.reason))
        frame = pd.DataFrame(rows, columns=["side", "point", "dead", "live", "model", "reason"])
        kinds = {"dead": float, "live": float, "model": float}
        return frame.astype(kinds).set_index(["side", "point"])  # type: ignore[arg-type]


@checked("chances")
def cube_points(
    chances: Probabilities | Sequence[float] | None,
    stakes: Stakes,
    model: CubeModel = _DEFAULT_MODEL,
) -> CubePoints:
    """All points of both sides at given stakes.

    Parameters
    ----------
    chances : Probabilities, (G, g) or None
        Fix how often wins are gammons: six chances, or the shares of the mover's wins and of the opponent's wins that
        are gammons; None for no gammons.
    stakes : Stakes
        Say whose cube it is.
    model : CubeModel

    Raises
    ------
    IllegalProbabilities
        Shares that are none.

    Examples
    --------
    >>> import cubelab as cl
    >>> money = cl.Stakes.of(cl.MatchState(), cl.Cube())
    >>> take = cl.cube_points(None, money).opponent.take
    >>> round(take.dead, 4), round(take.live, 4)
    (0.25, 0.2)

    A third of the doubler's wins are gammons: W = 4/3, (W - 1/2) / (W + 1) = 5/14.

    >>> round(cl.cube_points((1 / 3, 0), money).opponent.take.dead, 4)
    0.3571
    """
    shares, stakes, model = gammon_shares(chances), checked_stakes(stakes), checked_model(model)
    flipped = shares[[3, 4, 5, 0, 1, 2]]
    return CubePoints(
        _side_points(shares, stakes, model, ("the mover", "the opponent"), stakes),
        _side_points(flipped, stakes.flip(), model, ("the opponent", "the mover"), stakes),
        stakes,
        model,
    )


def take_point(
    chances: Probabilities | Sequence[float] | None,
    stakes: Stakes,
    model: CubeModel = _DEFAULT_MODEL,
) -> float | None:
    """The opponent's take point by the model when the mover doubles now, as the opponent's win chance.

    Parameters
    ----------
    chances, stakes, model
        As in `cube_points`.

    Returns
    -------
    float or None
        None where the mover may not double.
    """
    if not stakes.may_double:
        return None
    flipped = stakes.flip()
    lost = flipped.given
    curves = _Curves(gammon_shares(chances)[[3, 4, 5, 0, 1, 2]], flipped, model.x)
    return curves.first(lambda v: v[:, 1, 1] - lost)


@checked("level")
def gammon_prices(stakes: Stakes, level: int = 0) -> GammonPrices:
    """Gammon and backgammon price of the mover; of the opponent with flipped stakes.

    Parameters
    ----------
    stakes : Stakes
    level : int
        How often the cube has been turned from now.
    """
    payoffs = checked_stakes(stakes).payoffs
    if not 0 <= level < len(payoffs):
        raise SettingsError(f"level {level} is not 0 to {len(payoffs) - 1}: so often can the cube still be turned")
    row = payoffs[level]
    swing = row[GameResult.WIN] - row[GameResult.LOSE]
    if swing <= 0:
        return GammonPrices(None, None)
    return GammonPrices(
        float((row[GameResult.WIN_GAMMON] - row[GameResult.WIN]) / swing),
        float((row[GameResult.WIN_BACKGAMMON] - row[GameResult.WIN_GAMMON]) / swing),
    )


def gammon_price(
    match: MatchState,
    met: MatchEquityTable | str | Path | None = None,
    cube: int = 1,
    owner: Owner = Owner.CENTRE,
) -> float | None:
    """Gammon price of the mover at a score: what a gammon adds, in units of the swing between single win and loss.

    Parameters
    ----------
    match : MatchState
        `MatchState.flip` gives the opponent's price.
    met : MatchEquityTable, str or Path, optional
    cube : int
        Cube value.
    owner : Owner
        Matters only under the Jacoby rule, where a centred cube makes the price 0.

    Returns
    -------
    float or None
        None where winning and losing make no difference to the match.

    Examples
    --------
    >>> import cubelab as cl
    >>> cl.gammon_price(cl.MatchState()), cl.gammon_price(cl.MatchState(7, 6, 6))
    (0.5, 0.0)
    >>> round(cl.gammon_price(cl.MatchState(7, 5, 3)), 2)
    0.86
    """
    return gammon_prices(Stakes.of(match, Cube(cube, owner), met)).gammon


def backgammon_price(
    match: MatchState,
    met: MatchEquityTable | str | Path | None = None,
    cube: int = 1,
    owner: Owner = Owner.CENTRE,
) -> float | None:
    """Backgammon price of the mover: what a backgammon adds to a gammon, in the units of `gammon_price`."""
    return gammon_prices(Stakes.of(match, Cube(cube, owner), met)).backgammon


def gammon_shares(chances: Probabilities | Sequence[float] | None) -> np.ndarray:
    """Six chances with an even win chance and the shares of gammons asked for."""
    if chances is None:
        chances = (0.0, 0.0)
    if isinstance(chances, Probabilities):
        values = np.array(chances.array)
        for side in (slice(0, 3), slice(3, 6)):
            total = values[side].sum()
            values[side] = 0.5 * (values[side] / total) if total > 1e-300 else (0.5, 0.0, 0.0)
        return values
    if len(chances) == 6:
        return gammon_shares(Probabilities.from_array(chances))
    if len(chances) != 2 or not all(0.0 <= share <= 1.0 for share in chances):
        raise IllegalProbabilities(
            f"gammon shares {tuple(chances)} are not two numbers between 0 and 1: "
            "the shares of the mover's and of the opponent's wins that are gammons"
        )
    mine, theirs = chances
    return 0.5 * np.array([1.0 - mine, mine, 0.0, 1.0 - theirs, theirs, 0.0])


class _Curves:
    """Values along the win chance for one cube efficiency."""

    def __init__(self, shares: np.ndarray, stakes: Stakes, x: float):
        self.shares, self.stakes, self.x = shares, stakes, x

    def at(self, wins: np.ndarray) -> np.ndarray:
        """float64[n, 2, 3]: values at the first two levels."""
        from ..kernels.cube import cube_values_along

        out = np.empty((len(wins), min(2, self.stakes.levels), 3))
        cube_values_along(*self.stakes.kernel_arrays, self.x, self.shares, wins, out)
        return out

    @cached_property
    def coarse(self) -> tuple[np.ndarray, np.ndarray]:
        """Win chances, a grid and the live kinks where options may just touch, and the values there."""
        from ..kernels.cube import live_kinks

        kinks = np.empty((self.stakes.levels, 6))
        live_kinks(*self.stakes.kernel_arrays, self.shares, kinks)
        wins = np.unique(np.concatenate([_GRID, kinks[:2, 0], kinks[:2, 2]]))
        return wins, self.at(wins)

    def first(self, gain: Callable[[np.ndarray], np.ndarray], more: bool = False) -> float | None:
        """Lowest win chance at which `gain` of the values reaches 0 (with `more`: exceeds it); None if nowhere."""
        least = _EQUAL if more else -_EQUAL
        wins, values = self.coarse
        for _ in range(4):
            reached = np.flatnonzero(gain(values) >= least)
            if not len(reached):
                return None
            if reached[0] == 0:
                return float(wins[0])
            low, high = wins[reached[0] - 1], wins[reached[0]]
            wins = np.linspace(low, high, 65)
            values = self.at(wins)
        # Straight between the last two neighbours: the values are lines with a few kinks.
        below, above = gain(self.at(np.array([low, high])))
        if above <= below:
            return float(high)
        return float(low + (high - low) * min(max(-below / (above - below), 0.0), 1.0))


def _side_points(
    shares: np.ndarray, stakes: Stakes, model: CubeModel, names: tuple[str, str], spoken: Stakes
) -> SidePoints:
    """Points of the mover of these stakes; reasons are in the words of `spoken`, whoever they are about."""
    me, them = names
    no_double, no_take = spoken.reason_not_allowed, spoken.reason_opponent_not_allowed
    if spoken is not stakes:
        no_double, no_take = no_take, no_double
    single, lost = stakes.passed, stakes.given
    axis = stakes.axis
    gammons_count = bool(stakes.payoffs[0, :3].max() > single)
    efficiencies = (0.0, 1.0, model.x)
    curves = [_Curves(shares, stakes, x) for x in efficiencies]

    def point(
        gain: Callable[[np.ndarray], np.ndarray],
        reason: str,
        among: list[_Curves] | None = None,
        more: bool = False,
    ) -> Point:
        dead, live, mixed = (curve.first(gain, more) for curve in among or curves)
        return Point(dead, live, mixed, reason if None in (dead, live, mixed) else None)

    def doubling(place: int, among: list[_Curves] | None = None) -> Point:
        return point(
            lambda v: np.minimum(v[:, 1, 2], single) - v[:, 0, place],
            "doubling is never right, however often this side wins",
            among,
        )

    take = beaver = Point(reason=no_take and f"{them} may not double: {no_take}")
    if no_take is None:
        take = point(lambda v: v[:, 1, 1] - lost, "a take is never right")
        if not (stakes.money and stakes.beavers):
            beaver = Point(reason="there are no beavers under these rules")
        elif not stakes.may_turn[1, 0]:
            beaver = Point(reason="the cube is at its cap after the double")
        else:
            beaver = point(lambda v: v[:, 1, 1], "a beaver is never right")
    double = redouble = cash = too_good = Point(reason=no_double and f"{me} may not double: {no_double}")
    if no_double is None:
        if stakes.owner is Owner.CENTRE:
            double = doubling(0)
            owned = stakes.with_owner(Owner.MOVER)
            redouble = doubling(1, [_Curves(shares, owned, x) for x in efficiencies])
        else:
            double = Point(reason=f"{me} owns the cube: a double would be a redouble")
            redouble = doubling(1)
        cash = point(lambda v: v[:, 1, 2] - single, f"there is nothing to cash: {them} never passes")
        if gammons_count:
            reason = "playing on is never worth more than cashing"
            too_good = point(lambda v: v[:, 0, axis] - single, reason, more=True)
        else:
            too_good = Point(reason="gammons do not count while the cube stays where it is: nobody is too good")
    return SidePoints(take, beaver, double, redouble, cash, too_good, gammon_prices(stakes))
