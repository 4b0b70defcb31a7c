"""How firm a verdict is: over tables, cube efficiencies and evaluators, and how far the nearest other verdict is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..arguments import checked
from ..errors import SettingsError
from ..game import Cube, MatchState, Probabilities, html
from ..score import MatchEquityTable, Stakes
from .decision import CubeDecision, decide
from .many import decide_many
from .models import CubeModel, Janowski
from .verdict import Verdict

if TYPE_CHECKING:
    import pandas as pd

_DEFAULT_MODEL: Final = Janowski()
#: Efficiencies looked at when none are given.
EFFICIENCIES: Final = (0.5, 0.6, 0.68, 0.75, 0.85)
_STEPS: Final = 400


@dataclass(frozen=True, slots=True)
class Flip:
    """The nearest other verdict along one chance.

    Attributes
    ----------
    what : str
        ``win``, ``gammon`` or ``opponent gammon``: the win chance with the shares of gammons held; the share of the
        mover's (the opponent's) wins that are gammons with the win chance held.
    change : float or None
        How far the chance or the share must move, signed; None where no move changes the verdict.
    to : Verdict or None
    """

    what: str
    change: float | None
    to: Verdict | None


def nearest_flips(
    probabilities: Probabilities | Sequence[float],
    stakes: Stakes,
    model: CubeModel = _DEFAULT_MODEL,
) -> tuple[Flip, Flip, Flip]:
    """How far the nearest other verdict is in win chance and in the gammon shares of both sides.

    Parameters
    ----------
    probabilities : Probabilities or sequence of 6 floats
        Exclusive pre-roll chances of the mover.
    stakes : Stakes
    model : CubeModel

    Returns
    -------
    tuple of Flip
        Along the win chance, the mover's gammons, the opponent's gammons.
    """
    chances = np.asarray(
        probabilities.array if isinstance(probabilities, Probabilities) else probabilities, dtype=float
    )
    chances = chances / chances.sum()
    return tuple(_nearest(chances, stakes, model, what) for what in ("win", "gammon", "opponent gammon"))  # type: ignore[return-value]


def _moved(chances: np.ndarray, what: str, values: np.ndarray) -> np.ndarray:
    """Chances with the win chance, or a share of gammons, set to each of the values."""
    win, lose = chances[:3].sum(), chances[3:].sum()
    rows = np.tile(chances, (len(values), 1))
    if what == "win":
        wins = chances[:3] / win if win > 0 else np.array([1.0, 0.0, 0.0])
        losses = chances[3:] / lose if lose > 0 else np.array([1.0, 0.0, 0.0])
        rows[:, :3] = values[:, None] * wins
        rows[:, 3:] = (1.0 - values)[:, None] * losses
        return rows
    side, total = (slice(0, 3), win) if what == "gammon" else (slice(3, 6), lose)
    shares = chances[side] / total if total > 0 else np.array([1.0, 0.0, 0.0])
    gammons = shares[1] + shares[2]
    inside = shares[2] / gammons if gammons > 0 else 0.0
    rows[:, side] = total * np.column_stack([1.0 - values, values * (1.0 - inside), values * inside])
    return rows


def _place(chances: np.ndarray, what: str) -> float:
    if what == "win":
        return float(chances[:3].sum())
    side = chances[:3] if what == "gammon" else chances[3:]
    return float(side[1:].sum() / side.sum()) if side.sum() > 0 else 0.0


def _nearest(chances: np.ndarray, stakes: Stakes, model: CubeModel, what: str) -> Flip:
    here = _place(chances, what)
    found: list[tuple[float, int]] = []
    for end in (0.0, 1.0):
        if end == here:
            continue
        values = np.linspace(here, end, _STEPS)
        codes = decide_many(_moved(chances, what, values), stakes, model).verdicts
        other = np.flatnonzero(codes != codes[0])
        if not len(other):
            continue
        low, high = values[other[0] - 1], values[other[0]]
        for _ in range(5):
            values = np.linspace(low, high, 17)
            inner = decide_many(_moved(chances, what, values), stakes, model).verdicts
            place = int(np.flatnonzero(inner != codes[0])[0])
            low, high = values[max(place - 1, 0)], values[place]
        found.append((float(high - here), int(codes[other[0]])))
    if not found:
        return Flip(what, None, None)
    change, code = min(found, key=lambda one: abs(one[0]))
    return Flip(what, change, tuple(Verdict)[code] if code >= 0 else None)


@dataclass(frozen=True, slots=True)
class Robustness:
    """One decision over tables, efficiencies and evaluators.

    Attributes
    ----------
    decision : CubeDecision
        With the first table, evaluator and the model asked about.
    rows : tuple
        ``(evaluator, table, efficiency, decision)`` of every combination.
    flips : tuple of Flip
        Nearest other verdict of `decision`.
    """

    decision: CubeDecision
    rows: tuple[tuple[str, str, float, CubeDecision], ...]
    flips: tuple[Flip, ...]

    @property
    def agreement(self) -> float:
        """Share of the combinations with the verdict of `decision`."""
        return float(np.mean([row[3].verdict == self.decision.verdict for row in self.rows]))

    @property
    def flipping_efficiencies(self) -> tuple[tuple[float, float], ...]:
        """Neighbouring efficiencies, first table and evaluator, between which the verdict changes."""
        first = [row for row in self.rows if row[:2] == self.rows[0][:2]]
        return tuple((a[2], b[2]) for a, b in pairwise(first) if a[3].verdict != b[3].verdict)

    def _repr_html_(self) -> str:
        head = ["evaluator", "table", "efficiency", "verdict", "no double", "double, take"]
        rows = [
            [evaluator, name, f"{x:g}", decision.label, *map(html.number, (equities.no_double, equities.double_take))]
            for evaluator, name, x, decision in self.rows
            for equities in [decision.equities]
        ]
        return html.block(self.decision.label, html.table(head, rows), note=f"{html.percent(self.agreement, 0)} agree")

    def to_frame(self) -> pd.DataFrame:
        """One row a combination: evaluator, met, efficiency, verdict, equities, whether it agrees."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "evaluator": evaluator,
                    "met": table,
                    "efficiency": x,
                    "verdict": None if decision.verdict is None else decision.verdict.value,
                    "no_double": decision.equities.no_double,
                    "double_take": decision.equities.double_take,
                    "agrees": decision.verdict == self.decision.verdict,
                }
                for evaluator, table, x, decision in self.rows
            ]
        )


@checked("cube", "efficiencies", "match", "mets")
def robustness(
    probabilities: Probabilities | Sequence[float] | Mapping[str, Probabilities],
    match: MatchState,
    cube: Cube | None = None,
    *,
    mets: Sequence[MatchEquityTable | str | Path] | None = None,
    efficiencies: Sequence[float] = EFFICIENCIES,
    model: CubeModel = _DEFAULT_MODEL,
) -> Robustness:
    """The same decision over tables, cube efficiencies and evaluators.

    Parameters
    ----------
    probabilities : Probabilities, sequence of 6 floats, or mapping
        A mapping names the chances that several evaluators found.
    match : MatchState
    cube : Cube, optional
    mets : sequence, optional
        Tables; all bundled ones for players of equal skill by default. Money play has none.
    efficiencies : sequence of float
    model : CubeModel
        Of the decision that the others are compared with.

    Raises
    ------
    CubelabError
        Chances, tables or efficiencies that are none.
    """
    cube = cube or Cube()
    by_name = probabilities if isinstance(probabilities, Mapping) else {"given": probabilities}
    for what, values in (("probabilities", by_name), ("mets", mets)):
        if values is not None and not len(values):
            raise SettingsError(f"{what} are empty: there is nothing to compare")
    if match.money:
        tables: list[MatchEquityTable | None] = [None]
    else:
        names = mets if mets is not None else MatchEquityTable.names()
        tables = [table for table in map(MatchEquityTable.load, names) if mets is not None or not table.skewed]
    rows = []
    for evaluator, chances in by_name.items():
        for table in tables:
            stakes = Stakes.of(match, cube, table)
            for x in efficiencies:
                name = "money" if table is None else table.name
                rows.append((evaluator, name, float(x), decide(chances, stakes, Janowski(x))))
    first = next(iter(by_name.values()))
    stakes = Stakes.of(match, cube, tables[0])
    return Robustness(decide(first, stakes, model), tuple(rows), nearest_flips(first, stakes, model))
