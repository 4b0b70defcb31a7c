"""The market window: options along the win chance, and verdicts over wins and gammons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from ..arguments import checked
from ..errors import SettingsError
from ..game import Probabilities
from ..score import Stakes
from ..score.stakes import checked_stakes
from .many import VERDICTS, decide_many
from .models import CubeModel, Janowski
from .points import gammon_shares

if TYPE_CHECKING:
    import pandas as pd

_DEFAULT_MODEL: Final = Janowski()


@dataclass(frozen=True, slots=True)
class MarketWindow:
    """Options of the mover along the win chance, the shares of gammons held fixed.

    Attributes
    ----------
    win : float64[n]
        Win chances, rising.
    no_double, double_take, double_pass : float64[n]
        Equities per current cube; NaN where the cube may not be turned.
    verdicts : int8[n]
        Index into `VERDICTS`, -1 where the cube may not be turned.
    """

    win: np.ndarray
    no_double: np.ndarray
    double_take: np.ndarray
    double_pass: np.ndarray
    verdicts: np.ndarray

    @property
    def bands(self) -> tuple[tuple[float, float, str | None], ...]:
        """Stretches of one verdict: from, to, the verdict's code (None where the cube may not be turned)."""
        edges = [0, *(np.flatnonzero(np.diff(self.verdicts)) + 1), len(self.win)]
        return tuple(
            (
                float(self.win[first]),
                float(self.win[last - 1]),
                VERDICTS[self.verdicts[first]].value if self.verdicts[first] >= 0 else None,
            )
            for first, last in pairwise(edges)
        )

    def to_frame(self) -> pd.DataFrame:
        """One row a win chance."""
        import pandas as pd

        codes = [VERDICTS[code].value if code >= 0 else None for code in self.verdicts]
        return pd.DataFrame(
            {
                "win": self.win,
                "no_double": self.no_double,
                "double_take": self.double_take,
                "double_pass": self.double_pass,
                "verdict": codes,
            }
        )


@checked("chances")
def market_window(
    chances: Probabilities | Sequence[float] | None,
    stakes: Stakes,
    model: CubeModel = _DEFAULT_MODEL,
    *,
    steps: int = 201,
) -> MarketWindow:
    """Equities and verdicts along the win chance.

    Parameters
    ----------
    chances : Probabilities, (G, g) or None
        Fix the shares of gammons, as in `cube_points`.
    stakes : Stakes
    model : CubeModel
    steps : int
        How many win chances from 0 to 1.

    Raises
    ------
    SettingsError
        Fewer than 2 steps.
    """
    stakes, steps = checked_stakes(stakes), _checked_steps(steps, 100_001)
    shares = 2.0 * gammon_shares(chances)
    win = np.linspace(0.0, 1.0, steps)
    rows = np.column_stack([win[:, None] * shares[:3], (1.0 - win)[:, None] * shares[3:]])
    answers = decide_many(rows, stakes, model)
    return MarketWindow(win, answers.no_double, answers.double_take, answers.double_pass, answers.verdicts)


@checked("opponent_gammons")
def verdict_plane(
    stakes: Stakes,
    model: CubeModel = _DEFAULT_MODEL,
    *,
    opponent_gammons: float = 0.0,
    steps: int = 101,
) -> pd.DataFrame:
    """Verdicts over win chance and the mover's gammons.

    Parameters
    ----------
    stakes : Stakes
    model : CubeModel
    opponent_gammons : float
        Share of the opponent's wins that are gammons.
    steps : int
        How many win chances and gammon chances from 0 to 1.

    Returns
    -------
    pandas.DataFrame
        Codes of verdicts; index the chance to win a gammon (rising), columns the chance to win. Missing where there
        would be more gammons than wins, or where the cube may not be turned.

    Raises
    ------
    SettingsError
        Fewer than 2 steps, or a share outside 0–1.
    """
    import pandas as pd

    stakes, steps = checked_stakes(stakes), _checked_steps(steps, 2_001)
    if not 0.0 <= opponent_gammons <= 1.0:
        raise SettingsError(f"opponent_gammons {opponent_gammons} is not a share between 0 and 1")
    axis = np.linspace(0.0, 1.0, steps)
    gammon, win = (grid.ravel() for grid in np.meshgrid(axis, axis, indexing="ij"))
    possible = gammon <= win + 1e-12
    taken = np.minimum(gammon, win)
    lost = (1.0 - win) * opponent_gammons
    zero = np.zeros_like(win)
    rows = np.column_stack([win - taken, taken, zero, 1.0 - win - lost, lost, zero])
    codes = decide_many(rows, stakes, model).verdicts
    names = np.array([*(verdict.value for verdict in VERDICTS), None], dtype=object)[codes]
    names[~possible] = None
    return pd.DataFrame(
        names.reshape(steps, steps), index=pd.Index(axis, name="win_gammon"), columns=pd.Index(axis, name="win")
    )


def _checked_steps(steps: object, most: int) -> int:
    if isinstance(steps, (int, np.integer)) and 2 <= steps <= most:
        return int(steps)
    raise SettingsError(f"steps {steps!r} are not a whole number from 2 to {most}")
