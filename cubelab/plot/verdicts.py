"""How verdicts look in charts: one short code and one colour each, readable with every kind of colour blindness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ..cube.decision import CubeDecision

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Look(NamedTuple):
    """Short code, name and colour of a verdict."""

    code: str
    name: str
    colour: str


#: In the order of rising equity, which is also the order of the legend; by name of the verdict.
LOOKS: Final[dict[str, Look]] = {
    "": Look("–", "the cube may not be turned", "#f6f6f6"),
    "NO_DOUBLE_BEAVER": Look("ND/B", "no double, beaver", "#9a9a9a"),
    "NO_DOUBLE_REDOUBLE": Look("ND/R", "no double, redouble", "#b0b0b0"),
    "NO_DOUBLE_TAKE": Look("ND/T", "no double, take", "#dedede"),
    "OPTIONAL_TAKE": Look("(D)/T", "optional double, take", "#b4dcf4"),
    "DOUBLE_BEAVER": Look("D/B", "double, beaver", "#f0e442"),
    "DOUBLE_REDOUBLE": Look("D/R", "double, redouble", "#c9e3b4"),
    "DOUBLE_TAKE": Look("D/T", "double, take", "#56b4e9"),
    "NO_DOUBLE_PASS": Look("(D)/P", "optional double, pass", "#f6d7a0"),
    "DOUBLE_PASS": Look("D/P", "double, pass", "#e69f00"),
    "TOO_GOOD_TAKE": Look("TG/T", "too good, take", "#a3548a"),
    "TOO_GOOD_PASS": Look("TG/P", "too good, pass", "#cc79a7"),
}
ORDER: Final = tuple(LOOKS)
#: In maps over chances a double is optional only where it makes no difference at all; any other width would draw lines.
EXACT: Final = 1e-9


def number(decision: CubeDecision) -> int:
    """Place of a decision's verdict in `ORDER`, the value that a map colours."""
    if decision.verdict is None:
        return 0
    optional = decision.optional and decision.verdict.response == "take"
    return ORDER.index("OPTIONAL_TAKE" if optional else decision.verdict.name)


def look(place: int) -> Look:
    """What stands at a place in `ORDER`."""
    return LOOKS[ORDER[place]]


def colouring() -> dict:
    """Colour map and norm of `number`, as matplotlib's image functions take them."""
    from matplotlib.colors import BoundaryNorm, ListedColormap

    edges = [i - 0.5 for i in range(len(ORDER) + 1)]
    return {"cmap": ListedColormap([each.colour for each in LOOKS.values()]), "norm": BoundaryNorm(edges, len(ORDER))}


def legend(ax: Axes, present: set[int]) -> None:
    """A legend of the verdicts that occur, below the axes."""
    from matplotlib.patches import Patch

    patches = [
        Patch(facecolor=each.colour, edgecolor="#6b6b6b", label=f"{each.code}  {each.name}")
        for each in map(look, sorted(present))
    ]
    ax.legend(handles=patches, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0)
