"""How a rollout settles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from ..errors import CubelabError
from ..wording import counted
from .figures import FAINT, LINES, Size, chart, finish

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..engine.rollout import Rollout

_Z95 = 1.96
#: Fewer trials than this have no spread worth drawing; more places than that no screen can show.
_FIRST, _PLACES = 20, 500
_BRANCHES = ("no double", "double, take", "double, redouble")


def rollout_convergence(
    rollout: Rollout,
    what: Literal["equities", "difference"] = "equities",
    *,
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """Running means of a rollout with 95 % bands.

    Parameters
    ----------
    rollout : Rollout
        With its trials kept.
    what : {"equities", "difference"}
        No double and double/take; or how much double/take is better, trial by trial on the same dice, which is known
        far better than each.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Raises
    ------
    CubelabError
        No rollout, trials not kept or too few, no double to compare with.

    Notes
    -----
    Bands are ± 1.96 standard deviations of the trials over √n. Stratified dice make the truth somewhat narrower.
    """
    if not hasattr(rollout, "trials") or not hasattr(rollout, "branches"):
        raise CubelabError(f"cannot draw {type(rollout).__name__}: give a Rollout")
    if what not in ("equities", "difference"):
        raise CubelabError(f"what={what!r} is none of equities, difference")
    frame = rollout.trials
    series = {
        name: frame.loc[frame["branch"].eq(name), "equity"].to_numpy() for name in _BRANCHES[: rollout.branches]
    }  # fmt: skip
    if rollout.count < _FIRST:
        raise CubelabError(f"{counted(rollout.count, 'trial')} cannot be drawn: at least {_FIRST}")
    if what == "difference":
        if rollout.branches < 2:
            raise CubelabError("doubling was not rolled out here: there is no difference to draw")
        series = {"double/take minus no double": series[_BRANCHES[1]] - series[_BRANCHES[0]]}
    unit = "points" if rollout.stakes.money else "EMG"
    with chart(ax, size) as axes:
        for number, (name, values) in enumerate(series.items()):
            counts, means, halves = _running(values)
            colour = LINES[1 + number]
            label = f"{name}: {means[-1]:+.4f} ± {halves[-1]:.4f}".replace("-", "−")
            axes.plot(counts, means, color=colour, linestyle=("-", "--", ":")[number], label=label)
            axes.fill_between(counts, means - halves, means + halves, color=colour, alpha=0.2, linewidth=0)
        if what == "difference":
            axes.axhline(0, color=FAINT, linewidth=0.8)
        else:
            axes.axhline(1, color=FAINT, linewidth=0.8)
            axes.annotate("double, pass", (rollout.count, 1), ha="right", va="bottom", fontsize="small", color=FAINT)
        axes.set_xlim(0, rollout.count)
        axes.legend()
        table = "" if rollout.stakes.table is None else f", {rollout.stakes.table.name}"
        trials = counted(rollout.count, "trial")
        words = f"{rollout.situation.match.score_text}{table}; {trials}, seed {rollout.settings.seed}"
        sure = rollout.confidence
        chance = "" if sure is None else f"; verdict right with {100 * sure.verdict_probability:.1f} %"
        return finish(axes, "Convergence of the rollout", f"{words}{chance}", "Trials", f"Equity ({unit} per cube)")


def _running(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts, running means and half widths of their 95 % bands at a few hundred places."""
    counts = np.unique(np.linspace(_FIRST, len(values), _PLACES).astype(int))
    totals = np.cumsum(values)[counts - 1]
    means = totals / counts
    # Around the overall mean, so that nothing cancels.
    centre = values.mean()
    squares = np.cumsum((values - centre) ** 2)[counts - 1]
    spread = np.maximum(squares / counts - (means - centre) ** 2, 0) * counts / (counts - 1)
    return counts, means, _Z95 * np.sqrt(spread / counts)
