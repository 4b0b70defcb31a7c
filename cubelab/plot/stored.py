"""Chart of our analysis against the one that files bring along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import CubelabError
from ..wording import counted
from .figures import FAINT, LINES, Size, chart, finish

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Margins beyond this are not in doubt and are left outside the picture.
_WIDEST: Final = 0.6


def stored_margins(comparison: Any, *, ax: Axes | None = None, size: Size = "paper") -> Axes:
    """What doubling gains by us and by the program that analysed the files: where they differ stands out.

    Parameters
    ----------
    comparison : DataFrame
        Of `study.stored.compare_stored`.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Returns
    -------
    Axes
        A point for each decision to double: the gain of doubling over not, EMG (points per cube for money), theirs
        across, ours up.

    Raises
    ------
    CubelabError
        No doubling decision that both judged.
    """
    missing = {"kind", "agree", "no_double", "no_double_theirs"} - set(getattr(comparison, "columns", ()))
    if missing:
        raise CubelabError(f"no column {sorted(missing)[0]!r}: a frame of compare_stored is needed")
    rows = comparison[comparison["kind"].eq("double") & comparison["no_double_theirs"].notna()]
    if not len(rows):
        raise CubelabError("there is no decision to double that the files' own program judged too")
    ours, theirs = (_gain(rows, end) for end in ("", "_theirs"))
    agree = rows["agree"].to_numpy(dtype=bool)
    with chart(ax, size) as axes:
        axes.axhline(0, color=FAINT, linewidth=0.8)
        axes.axvline(0, color=FAINT, linewidth=0.8)
        axes.plot((-_WIDEST, _WIDEST), (-_WIDEST, _WIDEST), color=FAINT, linewidth=0.8, linestyle="--")
        for chosen, colour, marker, name in ((agree, LINES[1], ".", "same action"), (~agree, LINES[2], "D", "another")):
            axes.plot(theirs[chosen], ours[chosen], marker, color=colour, markersize=4, label=name, linestyle="none")
        axes.set_xlim(-_WIDEST, _WIDEST)
        axes.set_ylim(-_WIDEST, _WIDEST)
        axes.legend(loc="lower right")
        outside = int(((abs(ours) > _WIDEST) | (abs(theirs) > _WIDEST)).sum())
        note = f"{counted(len(rows), 'decision')}, {agree.mean():.0%} the same; {outside} outside the picture"
        return finish(axes, "Gain of doubling, by us and by the file's program", note, "Theirs (EMG)", "Ours (EMG)")


def _gain(rows: Any, end: str) -> np.ndarray:
    """What doubling gains over not doubling."""
    doubled = np.minimum(rows[f"double_take{end}"], rows[f"double_pass{end}"])
    return (doubled - rows[f"no_double{end}"]).to_numpy(dtype=float)
