"""The bill of a take: what it brings without gammons, what gammons cost, what owning the cube is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import IllegalRules
from ..game import Probabilities
from ..game.html import block, number, percent, table
from ..score import Stakes
from ..score.stakes import checked_stakes
from .models import CubeModel, Janowski, checked_model
from .points import take_point

if TYPE_CHECKING:
    import pandas as pd

_DEFAULT_MODEL: Final = Janowski()


@dataclass(frozen=True, slots=True)
class TakeBill:
    """A take decision decomposed, seen by the side that is doubled.

    All equities are per cube before the double (points in money play, EMG in a match), so a pass is -1.

    Attributes
    ----------
    raw : float
        Taking with every win and loss single and no further cube.
    gammons : float
        What gammons and backgammons of both sides change.
    free_turn : float
        What turning the cube for nothing is worth, where more cannot be lost (matches).
    recube : float
        What owning a live cube is worth beyond that.
    take, passed : float
        Taking by the model, ``raw + gammons + free_turn + recube``; and passing.
    raw_take_point, gammon_take_point, take_point : float or None
        Win chance needed: without gammons and recubes, with gammons, by the model.
    win : float
        Win chance at hand.
    """

    raw: float
    gammons: float
    free_turn: float
    recube: float
    take: float
    passed: float
    raw_take_point: float | None
    gammon_take_point: float | None
    take_point: float | None
    win: float

    @property
    def margin(self) -> float:
        """What taking is worth more than passing."""
        return self.take - self.passed

    def to_frame(self) -> pd.DataFrame:
        """The bill as rows: item, equity."""
        import pandas as pd

        items = [
            ("take without gammons, dead cube", self.raw),
            ("gammons", self.gammons),
            ("free turns of the cube", self.free_turn),
            ("owning the cube", self.recube),
            ("take", self.take),
            ("pass", self.passed),
            ("margin", self.margin),
        ]
        return pd.DataFrame(items, columns=["item", "equity"])

    def _repr_html_(self) -> str:
        rows = [[item, number(equity)] for item, equity in self.to_frame().itertuples(index=False)]
        need = f"win chance {percent(self.win)}; needed by the model {percent(self.take_point) or 'none'}"
        return block("", table(["", "equity of the taker"], rows, bold=(4, 5)), note=need)

    def __str__(self) -> str:
        lines = [f"{row.item:32} {row.equity:+.4f}" for row in self.to_frame().itertuples()]
        for words, point in (
            ("raw take point", self.raw_take_point),
            ("with gammons", self.gammon_take_point),
            ("by the model", self.take_point),
            ("win chance", self.win),
        ):
            lines.append(f"{words:32} {'none' if point is None else f'{100 * point:.2f} %'}")
        return "\n".join(lines)


def take_bill(
    probabilities: Probabilities | Sequence[float],
    stakes: Stakes,
    model: CubeModel = _DEFAULT_MODEL,
) -> TakeBill:
    """Decompose the take of the opponent when the mover doubles now.

    Parameters
    ----------
    probabilities : Probabilities or sequence of 6 floats
        Exclusive pre-roll chances of the mover, who doubles.
    stakes : Stakes
    model : CubeModel

    Raises
    ------
    IllegalRules
        The mover may not double.

    Examples
    --------
    >>> import cubelab as cl
    >>> bill = cl.take_bill(cl.Probabilities.from_cumulative(0.78), cl.Stakes.of(cl.MatchState(), cl.Cube()))
    >>> round(bill.raw, 2), round(bill.gammons, 2), bill.margin > 0
    (-1.12, 0.0, True)
    """
    from ..kernels.cube import cube_values

    stakes, model = checked_stakes(stakes), checked_model(model)
    if stakes.reason_not_allowed is not None:
        raise IllegalRules(f"there is no take to decide: {stakes.reason_not_allowed}")
    if not isinstance(probabilities, Probabilities):
        probabilities = Probabilities.from_array(probabilities)
    chances = np.array(probabilities.array)
    win = float(chances[:3].sum() / chances.sum())
    doubled = stakes.payoffs[1, :6]
    plain = win * doubled[0] + (1.0 - win) * doubled[3]
    with_gammons = float(chances @ doubled / chances.sum())
    values = []
    for x in (0.0, model.x):
        out = np.empty((2, 3))
        cube_values(*stakes.kernel_arrays, (x,) * 3, chances, out)
        values.append(float(out[1, 2]))
    raw, after_gammons, after_turns, take = (-float(stakes.to_emg(v)) for v in (plain, with_gammons, *values))
    w, loss = _mean(chances[:3], doubled[:3]), _mean(chances[3:], doubled[3:])
    passed = stakes.passed
    return TakeBill(
        raw,
        after_gammons - raw,
        after_turns - after_gammons,
        take - after_turns,
        take,
        -float(stakes.to_emg(passed)),
        _level_point(doubled[0], doubled[3], passed),
        _level_point(w, loss, passed),
        take_point(probabilities, stakes, model),
        1.0 - win,
    )


def _mean(chances: np.ndarray, payoffs: np.ndarray) -> float:
    total = chances.sum()
    return float(chances @ payoffs / total) if total > 0 else float(payoffs[0])


def _level_point(w: float, loss: float, passed: float) -> float | None:
    """The taker's win chance at which the straight line from the doubler's loss to its win is worth a pass."""
    return float((w - passed) / (w - loss)) if w > loss and passed >= loss else None
