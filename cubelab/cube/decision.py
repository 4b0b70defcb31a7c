"""Cube decisions: equities of not doubling and of doubling, the verdict, and what mistakes cost.

Theory works on six pre-roll chances and `Stakes` alone (`decide`); search and rollouts bring their own values
(`decision_from_values`). A decision has one shape whatever produced it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ..arguments import checked
from ..errors import SettingsError
from ..game import GameResult, Owner, Probabilities
from ..game.html import block, number, percent, table
from ..score import Stakes
from ..score.stakes import checked_stakes
from .models import CubeModel, Janowski, checked_model
from .verdict import Verdict, judge

#: Doubling is called optional when it changes the equity by less than this: the two print alike to three decimals.
OPTIONAL_TOLERANCE: Final = 5e-4

if TYPE_CHECKING:
    import pandas as pd

    from .derivation import Explanation

_DEFAULT_MODEL: Final = Janowski()


@dataclass(frozen=True, slots=True)
class CubeEquities:
    """The options of a cube decision for the player on roll, all in one unit.

    Attributes
    ----------
    no_double : float
    double_take, double_pass : float or None
        None where the cube may not be turned.
    double_beaver, double_redouble : float or None
        None where the rules do not have that answer.
    cubeless : float or None
        The cube never turned again.
    """

    no_double: float
    double_take: float | None = None
    double_pass: float | None = None
    double_beaver: float | None = None
    double_redouble: float | None = None
    cubeless: float | None = None

    @property
    def doubled(self) -> float | None:
        """Worth of doubling against the best answer."""
        options = (self.double_take, self.double_pass, self.double_beaver, self.double_redouble)
        known = [value for value in options if value is not None]
        return min(known) if self.double_take is not None else None

    def of_answer(self, answer: str) -> float | None:
        """Worth of doubling against one answer: ``take``, ``pass``, ``beaver``, ``redouble``."""
        answers = {
            "take": self.double_take,
            "pass": self.double_pass,
            "beaver": self.double_beaver,
            "redouble": self.double_redouble,
        }
        if not isinstance(answer, str) or answer not in answers:
            raise SettingsError(f"answer {answer!r} to a double does not exist: take, pass, beaver or redouble")
        return answers[answer]

    def mapped(self, function) -> CubeEquities:
        """Every option in another unit."""
        changed = {
            name: None if getattr(self, name) is None else float(function(getattr(self, name)))
            for name in self.__slots__
        }
        return CubeEquities(**changed)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Loss:
    """What a mistake costs, at least 0.

    Attributes
    ----------
    emg : float
        Equity per cube before the decision (points in money play).
    mwc : float or None
        Match winning chance, None in money play.
    """

    emg: float
    mwc: float | None = None


@dataclass(frozen=True, slots=True)
class CubeDecision:
    """A cube decision of the player on roll, and of the opponent if doubled.

    Attributes
    ----------
    stakes : Stakes
    values : CubeEquities
        In the unit of the stakes.
    verdict : Verdict or None
        None where the cube may not be turned.
    reason_not_allowed : str or None
    optional : bool
        Doubling changes the equity by less than `tolerance`.
    tolerance : float
        In equity per current cube.
    probabilities : Probabilities or None
    model : str
        The cube model or the method that brought the values.
    exact : bool
        The values are exact, not estimates.
    efficiency : float or None
        Cube efficiency of the model when theory alone brought the values, None otherwise.
    """

    stakes: Stakes
    values: CubeEquities
    verdict: Verdict | None
    reason_not_allowed: str | None
    optional: bool
    tolerance: float
    probabilities: Probabilities | None
    model: str
    exact: bool = False
    efficiency: float | None = None

    @property
    def cube_allowed(self) -> bool:
        return self.reason_not_allowed is None

    @property
    def redouble(self) -> bool:
        """Whether a double would be a redouble."""
        return self.stakes.owner is Owner.MOVER

    @property
    def turned(self) -> bool:
        """Whether a player turns the cube now: where the verdict says so, and at a tie where turning costs nothing.

        After the Crawford game waiting a turn is often worth as much to the trailer, waiting for ever is not.
        """
        if self.verdict is None or self.verdict.double:
            return self.verdict is not None
        return self.optional and self.stakes.turns_for_nothing and not self.verdict.too_good

    @property
    def equities(self) -> CubeEquities:
        """Equities per current cube: points in money play, EMG in a match."""
        return self.values.mapped(self.stakes.to_emg)

    @property
    def mwc(self) -> CubeEquities | None:
        """Match winning chances, None in money play."""
        return None if self.stakes.money else self.values.mapped(self.stakes.to_mwc)

    @property
    def unit(self) -> str:
        return self.stakes.unit

    @property
    def value(self) -> float:
        """Value of the position to the player on roll with best cube play now, in the unit of the stakes."""
        doubled = self.values.doubled
        return self.values.no_double if doubled is None else max(self.values.no_double, doubled)

    @property
    def label(self) -> str:
        """The verdict in words, or why there is none."""
        if self.verdict is None:
            return f"No cube: {self.reason_not_allowed}"
        return self.verdict.label(redouble=self.redouble, optional=self.optional)

    @property
    def wrong_pass(self) -> float | None:
        """Share of wrong passes that would make a double right where it is not; None elsewhere."""
        if self.verdict is None or self.verdict.double or self.verdict.response == "pass":
            return None
        return _break_even(self.values.no_double, self.values.doubled, self.values.double_pass)

    @property
    def wrong_take(self) -> float | None:
        """Share of wrong takes that would make a double right where the side is too good to double; None elsewhere."""
        if self.verdict is None or self.verdict.double or self.verdict.response != "pass":
            return None
        return _break_even(self.values.no_double, self.values.double_pass, self.values.double_take)

    def error(self, doubled: bool) -> Loss | None:
        """What the player on roll lost by doubling or by not doubling.

        Returns
        -------
        Loss or None
            None where the cube may not be turned.
        """
        right = self.values.doubled
        if self.verdict is None or right is None:
            return None
        chosen = right if doubled else self.values.no_double
        return self._loss(max(right, self.values.no_double) - chosen)

    def response_error(self, answer: str | bool) -> Loss | None:
        """What the opponent lost by the answer to a double, at the doubled cube.

        Parameters
        ----------
        answer : {"take", "pass", "beaver", "redouble"} or bool
            True is a take, False a pass.

        Returns
        -------
        Loss or None
            None where the cube may not be turned or the rules do not have that answer. The equity is per cube before
            the double, so a wrong take costs its whole doubled stake.

        Raises
        ------
        SettingsError
            No such answer.
        """
        if isinstance(answer, bool):
            answer = "take" if answer else "pass"
        right = self.values.doubled
        chosen = self.values.of_answer(answer)
        if self.verdict is None or right is None or chosen is None:
            return None
        return self._loss(chosen - right)

    def _loss(self, value: float) -> Loss:
        emg = float(self.stakes.to_emg(value) - self.stakes.to_emg(0.0))
        return Loss(max(emg, 0.0), None if self.stakes.money else max(value / 2, 0.0))

    def to_frame(self) -> pd.DataFrame:
        """One row an option.

        Returns
        -------
        pandas.DataFrame
            Index the options (``no double``, ``double, take`` …); columns ``equity`` (per current cube), ``mwc``
            (missing in money play), ``error_emg`` and ``error_mwc`` (what the side that chooses it loses by it),
            ``right``. Where the cube may not be turned there is one row.
        """
        import pandas as pd

        word = "redouble" if self.redouble else "double"
        equities, mwc, verdict = self.equities, self.mwc, self.verdict
        rows = []
        for answer in (None, "take", "pass", "beaver", "redouble"):
            field = "no_double" if answer is None else f"double_{answer}"
            if getattr(equities, field) is None:
                continue
            error = self.error(False) if answer is None else self.response_error(answer)
            right = verdict is not None and (verdict.double and verdict.response) == (answer or False)
            rows.append(
                {
                    "option": f"no {word}" if answer is None else f"{word}, {answer}",
                    "equity": getattr(equities, field),
                    "mwc": None if mwc is None else getattr(mwc, field),
                    "error_emg": None if error is None else error.emg,
                    "error_mwc": None if error is None else error.mwc,
                    "right": right,
                }
            )
        frame = pd.DataFrame(rows).set_index("option")
        return frame.astype(dict.fromkeys(("equity", "mwc", "error_emg", "error_mwc"), float))

    def _repr_html_(self) -> str:
        unit = "points" if self.stakes.money else "EMG"
        head = ["", f"equity ({unit})", "error", *([] if self.stakes.money else ["MWC", "error"])]
        rows: list[list[str]] = []
        right: list[int] = []
        for option, row in self.to_frame().iterrows():
            if row["right"]:
                right.append(len(rows))
            match = [] if self.stakes.money else [percent(row["mwc"]), percent(row["error_mwc"])]
            error = "" if row["error_emg"] != row["error_emg"] else f"{row['error_emg']:.4f}"
            rows.append([str(option), number(row["equity"]), error, *match])
        return block(self.label, table(head, rows, bold=right))

    def explain(self) -> Explanation:
        """The derivation of the verdict, down to chances and cells of the match equity table."""
        from .explain import explain

        return explain(self)

    def to_dict(self) -> dict:
        """The parts of the JSON that a decision supplies: equity, mwc, unit, verdict, cube_allowed, exact."""

        def three(options: CubeEquities) -> dict:
            return {
                "no_double": options.no_double,
                "double_take": options.double_take,
                "double_pass": options.double_pass,
            }

        equities, mwc, verdict = self.equities, self.mwc, self.verdict
        return {
            "equity": {"cubeless": equities.cubeless, **three(equities)},
            "mwc": None if mwc is None else three(mwc),
            "unit": self.unit,
            "verdict": None
            if verdict is None
            else {
                "double": verdict.double,
                "response": verdict.response,
                "redouble": self.redouble,
                "too_good": verdict.too_good,
                "optional": self.optional,
                "label": self.label,
            },
            "cube_allowed": self.cube_allowed,
            "reason_not_allowed": self.reason_not_allowed,
            "exact": self.exact,
        }

    def __str__(self) -> str:
        equities = self.equities
        parts = [f"{self.label}: no double {equities.no_double:+.4f}"]
        if equities.double_take is not None:
            parts += [f"double/take {equities.double_take:+.4f}", f"double/pass {equities.double_pass:+.4f}"]
        return ", ".join(parts)


def _break_even(no_double: float, right: float | None, wrong: float | None) -> float | None:
    """How often the opponent must answer wrongly for doubling to be as good; None if always is too little."""
    if right is None or wrong is None or wrong <= right:
        return None
    share = (no_double - right) / (wrong - right)
    return max(share, 0.0) if share <= 1.0 else None


@checked("tolerance")
def decide(
    probabilities: Probabilities | Sequence[float],
    stakes: Stakes,
    model: CubeModel = _DEFAULT_MODEL,
    *,
    tolerance: float = OPTIONAL_TOLERANCE,
) -> CubeDecision:
    """The cube decision from six pre-roll chances: theory alone, no engine.

    Parameters
    ----------
    probabilities : Probabilities or sequence of 6 floats
        Exclusive chances of the player on roll, before the roll.
    stakes : Stakes
    model : CubeModel
        `DeadCube`, `LiveCube` or `Janowski`.
    tolerance : float
        Below this difference, in equity per current cube, a double is optional.

    Raises
    ------
    IllegalProbabilities
        Chances that are none.
    SettingsError
        Stakes or a model that are none.

    Examples
    --------
    >>> import cubelab as cl
    >>> p = cl.Probabilities.from_cumulative(0.76)
    >>> money = cl.Stakes.of(cl.MatchState(), cl.Cube())
    >>> print(cl.decide(p, money, cl.DeadCube()))
    Double, pass: no double +0.5200, double/take +1.0400, double/pass +1.0000
    >>> print(cl.decide(p, money, cl.LiveCube()))
    No double, take: no double +0.8667, double/take +0.8000, double/pass +1.0000
    """
    from ..kernels.cube import cube_values, wait

    if not isinstance(probabilities, Probabilities):
        probabilities = Probabilities.from_array(probabilities)
    stakes = checked_stakes(stakes)
    model = checked_model(model)
    chances = np.array(probabilities.array)
    out = np.empty((stakes.levels, 3))
    cube_values(*stakes.kernel_arrays, (model.x,) * 3, chances, out)
    wait(*stakes.kernel_arrays, (model.x,) * 3, chances, out[:1])
    decision = decision_from_values(
        out[0, stakes.axis],
        out[1, 2] if stakes.may_double and stakes.levels > 1 else None,
        stakes,
        probabilities,
        tolerance=tolerance,
        model=str(model),
        redoubled=out[2, 1] if stakes.levels > 2 else None,
    )
    return replace(decision, efficiency=model.x)


def decision_from_values(
    no_double: float,
    double_take: float | None,
    stakes: Stakes,
    probabilities: Probabilities | None = None,
    *,
    tolerance: float = OPTIONAL_TOLERANCE,
    model: str = "",
    redoubled: float | None = None,
    beavered: float | None = None,
    exact: bool = False,
) -> CubeDecision:
    """The cube decision from values found by a search or a rollout.

    Parameters
    ----------
    no_double : float
        Value of not doubling, for the player on roll, in the unit of the stakes (points per current cube, or
        ``2 * MWC - 1``).
    double_take : float or None
        Value of doubling and being taken. Ignored where the cube may not be turned.
    stakes : Stakes
    probabilities : Probabilities, optional
        For the cubeless equity and the record.
    tolerance : float
        Below this difference, in equity per current cube, a double is optional.
    model : str
        What brought the values.
    redoubled : float, optional
        Value with the cube two levels up at the mover's, for the immediate redouble rule.
    beavered : float, optional
        Value with the cube two levels up at the opponent's, for beavers; twice the take by default.
    exact : bool
        Mark the decision as exact.
    """
    cubeless = None if probabilities is None else stakes.cubeless(probabilities.array)
    no_double = float(no_double)
    if not stakes.may_double or double_take is None:
        values = CubeEquities(no_double, cubeless=cubeless)
        reason = stakes.reason_not_allowed or "the value of a double is not known"
        return CubeDecision(stakes, values, None, reason, False, tolerance, probabilities, model, exact)
    double_take = float(double_take)
    again = stakes.levels > 1 and bool(stakes.may_turn[1, 1])
    beaver = None
    if stakes.beavers and stakes.money and again:
        beaver = 2.0 * double_take if beavered is None else float(beavered)
    redouble = None
    if stakes.immediate_redouble and again and redoubled is not None:
        # The mover may still pass the redouble, at the cost of the doubled cube.
        redouble = max(
            float(redoubled), 2.0 * stakes.given if stakes.money else float(stakes.payoffs[1, GameResult.LOSE])
        )
    values = CubeEquities(no_double, double_take, stakes.passed, beaver, redouble, cubeless)
    emg = values.mapped(stakes.to_emg)
    assert emg.double_take is not None
    assert emg.double_pass is not None
    assert emg.doubled is not None
    verdict = judge(
        emg.no_double,
        emg.double_take,
        emg.double_pass,
        double_beaver=emg.double_beaver,
        double_redouble=emg.double_redouble,
        gammons_count=bool(stakes.payoffs[0, :3].max() > stakes.passed),
    )
    optional = abs(emg.doubled - emg.no_double) < tolerance
    return CubeDecision(stakes, values, verdict, None, optional, tolerance, probabilities, model, exact)
