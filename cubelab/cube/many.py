"""Cube decisions of many rows at once, as arrays and frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import IllegalProbabilities, SettingsError
from ..game.probabilities import SUM_TOLERANCE
from ..score import Stakes
from ..wording import counted
from .decision import OPTIONAL_TOLERANCE
from .models import CubeModel, Janowski, checked_model
from .verdict import Verdict

if TYPE_CHECKING:
    import pandas as pd

_DEFAULT_MODEL: Final = Janowski()
#: Verdicts by their code in `CubeDecisions.verdicts`; -1 is a cube that may not be turned.
VERDICTS: Final = tuple(Verdict)
_CODE: Final = {verdict: code for code, verdict in enumerate(VERDICTS)}


@dataclass(frozen=True, slots=True)
class CubeDecisions:
    """Cube decisions of n rows, equities per current cube of each row.

    Attributes
    ----------
    no_double, double_take, double_pass : float64[n]
        NaN where the cube may not be turned.
    verdicts : int8[n]
        Index into `VERDICTS`, -1 where the cube may not be turned.
    optional : bool[n]
    no_double_mwc, double_take_mwc, double_pass_mwc : float64[n]
        NaN in money play.
    """

    no_double: np.ndarray
    double_take: np.ndarray
    double_pass: np.ndarray
    verdicts: np.ndarray
    optional: np.ndarray
    no_double_mwc: np.ndarray
    double_take_mwc: np.ndarray
    double_pass_mwc: np.ndarray

    def __len__(self) -> int:
        return len(self.no_double)

    def verdict(self, row: int) -> Verdict | None:
        """Verdict of one row; None where the cube may not be turned."""
        code = int(self.verdicts[row])
        return None if code < 0 else VERDICTS[code]

    def to_frame(self) -> pd.DataFrame:
        """One row a decision; the verdict as its code (``D_T`` …), missing where the cube may not be turned."""
        import pandas as pd

        frame = pd.DataFrame({name: getattr(self, name) for name in self.__slots__ if name != "verdicts"})
        codes = pd.Categorical.from_codes(self.verdicts.tolist(), [verdict.value for verdict in VERDICTS])
        frame.insert(3, "verdict", codes)
        return frame


def decide_many(
    probabilities: np.ndarray,
    stakes: Stakes | Sequence[Stakes],
    model: CubeModel = _DEFAULT_MODEL,
    *,
    index: np.ndarray | None = None,
    tolerance: float = OPTIONAL_TOLERANCE,
) -> CubeDecisions:
    """`decide` for many rows.

    Parameters
    ----------
    probabilities : float[n, 6]
        Exclusive pre-roll chances.
    stakes : Stakes or sequence of Stakes
        One for all rows, one a row, or with `index` a list that it points into.
    model : CubeModel
    index : int[n], optional
        Which of the stakes a row has.
    tolerance : float
        As in `decide`.

    Raises
    ------
    IllegalProbabilities
        The first row that holds no chances.
    SettingsError
        Stakes that do not fit the rows.
    """
    from ..kernels.cube import cube_values_many

    chances, model = _checked(probabilities), checked_model(model)
    different, where = _distinct(stakes, len(chances), index)
    payoffs, may_turn = _padded(different)
    again = np.array([bool(t.levels > 1 and t.may_turn[1, 1]) for t in different])
    redoubles = again & np.array([t.immediate_redouble for t in different])
    values = np.empty((len(chances), 3 if redoubles.any() else 2, 3))
    cube_values_many(payoffs, may_turn, where, model.x, chances, values)

    rows = np.arange(len(chances))
    axis = np.array([table.axis for table in different])[where]
    allowed = np.array([table.may_double for table in different])[where]
    money = np.array([table.money for table in different])[where]
    single, lost = payoffs[where, 0, 0], payoffs[where, 0, 3]
    # Money values are equities already, under pip scoring too, where a single win is no unit.
    swing = np.where(money, 1.0, 0.5 * (single - lost))
    middle = np.where(money, 0.0, 0.5 * (single + lost))
    swing = np.where(swing > 0, swing, np.nan)
    passed = np.array([table.passed for table in different])[where]
    no_double = values[rows, 0, axis]
    double_take = np.where(allowed, values[:, 1, 2], np.nan)
    double_pass = np.where(allowed, passed, np.nan)
    beavers = (again & np.array([bool(t.beavers) for t in different]))[where]
    gammons = np.array([t.payoffs[0, :3].max() > t.passed for t in different])[where]

    nd, dt, dp = ((value - middle) / swing for value in (no_double, double_take, double_pass))
    redouble = np.full(len(chances), np.nan)
    if redoubles.any():
        # The mover may still pass the redouble, at the cost of the doubled cube.
        given = payoffs[where, 1, 7 if payoffs.shape[2] > 6 else 3]
        redouble = np.where(redoubles[where] & allowed, (np.maximum(values[:, -1, 1], given) - middle) / swing, np.nan)
    nd_mwc, dt_mwc, dp_mwc = (
        np.where(money, np.nan, 0.5 * (value + 1.0)) for value in (no_double, double_take, double_pass)
    )
    verdicts, optional = _judged(nd, dt, dp, redouble, beavers, gammons, tolerance)
    return CubeDecisions(nd, dt, dp, verdicts, optional, nd_mwc, dt_mwc, dp_mwc)


def _judged(
    no_double: np.ndarray,
    double_take: np.ndarray,
    double_pass: np.ndarray,
    double_redouble: np.ndarray,
    beavers: np.ndarray,
    gammons: np.ndarray,
    tolerance: float,
    equal: float = 1e-7,
) -> tuple[np.ndarray, np.ndarray]:
    """The rules of `verdict.judge` on arrays."""
    passes = double_pass < double_take - equal
    beaver = beavers & (2.0 * double_take < np.minimum(double_take, double_pass) - equal)
    doubled = np.where(beaver, 2.0 * double_take, np.where(passes, double_pass, double_take))
    again = double_redouble < doubled - equal
    doubled = np.where(again, double_redouble, doubled)
    gain = doubled - no_double
    further = beaver | again
    good = (gain < -equal) & (no_double > double_pass + equal) & gammons & ~further
    cases = [np.isnan(gain)]
    codes = [-1]
    for chosen, action in ((gain > equal, "D"), (good, "TG"), (True, "ND")):
        for answered, letter in ((again, "R"), (beaver, "B"), (passes, "P"), (True, "T")):
            if action != "TG" or letter in "PT":
                cases.append(np.broadcast_to(chosen & np.asarray(answered), gain.shape))
                codes.append(_CODE[Verdict(f"{action}_{letter}")])
    return np.select(cases, codes).astype(np.int8), np.abs(gain) < tolerance


def _checked(probabilities: np.ndarray) -> np.ndarray:
    try:
        chances = np.ascontiguousarray(probabilities, dtype=np.float64)
    except (TypeError, ValueError):
        raise IllegalProbabilities("chances that are not numbers; n rows of six are needed") from None
    if chances.ndim != 2 or chances.shape[1] != 6:
        raise IllegalProbabilities(
            f"an array of shape {chances.shape} given; n rows of six exclusive chances are needed"
        )
    wrong = ~((chances >= -1e-6) & (chances <= 1 + 1e-6)).all(axis=1) | ~(
        np.abs(chances.sum(axis=1) - 1) <= SUM_TOLERANCE
    )
    if wrong.any():
        row = int(wrong.argmax())
        raise IllegalProbabilities(f"row {row}: {chances[row].tolist()} are not six chances that sum to 1")
    return chances


def _distinct(
    stakes: Stakes | Sequence[Stakes], rows: int, index: np.ndarray | None
) -> tuple[list[Stakes], np.ndarray]:
    """The different stakes and which of them each row has."""
    if isinstance(stakes, Stakes):
        return [stakes], np.zeros(rows, dtype=np.int64)
    try:
        known = all(isinstance(table, Stakes) for table in stakes) and len(stakes) >= 0
    except TypeError:  # not iterable, or no end known
        known = False
    if not known:
        raise SettingsError(f"{stakes!r:.100} is no Stakes nor a list of them; Stakes.of(match, cube) makes one")
    if index is not None:
        where = np.asarray(index, dtype=np.int64)
        if where.shape != (rows,) or (rows and (where.min() < 0 or where.max() >= len(stakes))):
            raise SettingsError(
                f"index of shape {where.shape} does not point into {len(stakes)} stakes for {counted(rows, 'row')}"
            )
        return list(stakes), where
    if len(stakes) != rows:
        raise SettingsError(f"{len(stakes)} stakes for {counted(rows, 'row')}: give one, one a row, or an index")
    places: dict[int, int] = {}
    different: list[Stakes] = []
    where = np.empty(rows, dtype=np.int64)
    for row, table in enumerate(stakes):
        place = places.get(id(table))
        if place is None:
            place = places[id(table)] = len(different)
            different.append(table)
        where[row] = place
    return different, where


def _padded(different: list[Stakes]) -> tuple[np.ndarray, np.ndarray]:
    """Tables of equal size: higher levels that nobody can reach, or the endless doubling written out."""
    height = max(2, *(table.levels for table in different))
    columns = max(table.payoffs.shape[1] for table in different)
    payoffs = np.empty((len(different), height, columns))
    may_turn = np.zeros((len(different), height, 2), dtype=np.bool_)
    for place, table in enumerate(different):
        levels = table.levels
        payoffs[place, :levels, : table.payoffs.shape[1]] = table.payoffs
        if table.payoffs.shape[1] < columns:  # elsewhere a pass is worth a single win or loss
            payoffs[place, :levels, 6:] = table.payoffs[:, [0, 3]]
        may_turn[place, :levels] = table.may_turn
        endless = bool(table.may_turn[-1].any())
        for level in range(levels, height):
            payoffs[place, level] = payoffs[place, level - 1] * (2.0 if endless else 1.0)
            may_turn[place, level] = endless
    return payoffs, may_turn
