"""What all charts share: figures of sizes fit for paper and slides, colours, titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ..errors import CubelabError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

    from ..score.stakes import Stakes

Size: TypeAlias = Literal["paper", "slide"] | tuple[float, float]

#: Inches and font size in points: a column of a paper, a 16:9 slide.
_SIZES: Final = {"paper": ((6.3, 4.2), 9.0), "slide": ((11.0, 6.2), 15.0)}
#: Lines and markers, distinguishable with every kind of colour blindness (Okabe and Ito, 2008); black first, for which
#: `ink` stands in a figure. The others can be told from a black page too.
LINES: Final = ("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
#: For values that grow from nothing, and for values around a middle; both keep their order in grey.
SEQUENTIAL: Final = "cividis"
DIVERGING: Final = "PuOr"
FAINT: Final = "#6b6b6b"


@contextmanager
def chart(ax: Axes | None, size: Size) -> Iterator[Axes]:
    """The Axes to draw on, of a new figure when `ax` is None, with the fonts of the size in force.

    Raises
    ------
    CubelabError
        An unknown size, or something that is no Axes.
    """
    if ax is not None:
        if not hasattr(ax, "set_xlabel"):
            raise CubelabError(f"ax must be a matplotlib Axes, not {type(ax).__name__}")
        yield ax
        return
    import matplotlib

    inches, points = _checked_size(size)
    settings: dict[Any, Any] = {
        "font.size": points,
        "axes.titlesize": "medium",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
        "legend.fontsize": "small",
    }
    interactive = matplotlib.is_interactive()
    try:
        with matplotlib.rc_context(settings):
            axes = new_axes(inches)
            # The first figure of a notebook switches interaction on; leaving the context would undo that.
            interactive = matplotlib.is_interactive()
            yield axes
    finally:
        matplotlib.interactive(interactive)


def new_axes(inches: tuple[float, float]) -> Axes:
    """The Axes of a new figure."""
    from matplotlib import pyplot

    return pyplot.subplots(figsize=inches, layout="constrained")[1]


def finish(ax: Axes, title: str, note: str, xlabel: str, ylabel: str) -> Axes:
    """Write the title, a line below it that says what the numbers rest on, and the labels of the axes."""
    ax.set_title(title, loc="left", fontweight="bold", pad=2 * float(ax.xaxis.label.get_fontsize()))
    ax.text(0, 1.015, note, transform=ax.transAxes, fontsize="small", color=FAINT, ha="left", va="bottom")
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    return ax


def percent(ax: Axes, which: Literal["x", "y", "both"]) -> None:
    """Write the ticks of chances between 0 and 1 as per cent."""
    from matplotlib.ticker import PercentFormatter

    for name in ("x", "y") if which == "both" else (which,):
        axis = ax.xaxis if name == "x" else ax.yaxis
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0))


def stakes_text(stakes: Stakes) -> str:
    """Score, cube and table in one line."""
    from ..score.stakes import OWNED

    words = [stakes.match.score_text, f"cube {stakes.cube.value} {OWNED[stakes.owner]}"]
    if stakes.table is not None:
        words.append(stakes.table.name)
    return ", ".join(words)


def signed(value: float, digits: int) -> str:
    """A number with its sign, with the minus of printed text."""
    return f"{value:+.{digits}f}".replace("-", "−")


def ink(ax: Axes) -> Any:
    """The colour of the words at the axes: black, or what a style for a dark page (``dark_background``) made of it."""
    return ax.xaxis.label.get_color()


def ink_on(rgba: Sequence[float]) -> str:
    """Black or white, whichever reads better on a colour (relative luminance of the sRGB standard)."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgba[:3])
    return "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "#ffffff"


def whole_numbers(axis: Axis) -> None:
    """Ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def _checked_size(size: Size) -> tuple[tuple[float, float], float]:
    if isinstance(size, str):
        if size not in _SIZES:
            raise CubelabError(f"figure size {size!r} is none of {', '.join(_SIZES)}, nor (width, height) in inches")
        return _SIZES[size]
    try:
        width, height = (float(side) for side in size)
    except (TypeError, ValueError):
        raise CubelabError(
            f"figure size {size!r} is none of {', '.join(_SIZES)}, nor (width, height) in inches"
        ) from None
    if not (0 < width < 100 and 0 < height < 100):
        raise CubelabError(f"figure size {size!r}: width and height are inches, more than 0 and less than 100")
    return (width, height), _SIZES["paper"][1]
