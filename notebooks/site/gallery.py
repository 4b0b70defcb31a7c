"""Boards that are hard to draw: the gallery page shows them, a test draws them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

import cubelab as cl

START = "XGID=-b----E-C---eE---c-e----B-"
HIT = "XGID=aBa-B-C-A---eE---c-e---B--:1:1:1:31:3:5:0:7:10"


@dataclass(frozen=True)
class Example:
    """A title, a position and the options of `cubelab.plot.board`."""

    title: str
    subject: str
    options: dict[str, Any] = field(default_factory=dict)

    def draw(self) -> cl.plot.BoardDrawing:
        return cl.plot.board(self.subject, **{"size": 400} | self.options)


def example(title: str, subject: str, /, **options: Any) -> Example:
    return Example(title, subject, options)


EXAMPLES = (
    example("The start, the bottom seat on roll", f"{START}:0:0:1:00:0:0:0:0:10"),
    example("The start, the top seat on roll", f"{START}:0:0:-1:52:0:0:0:0:10"),
    example("All thirty on the bar", "XGID=o------------------------O:6:1:1:00:0:0:0:0:10"),
    example("Fifteen on the ace point, both", "XGID=-O----------------------o-:6:-1:1:00:0:0:0:0:10"),
    example("Fifteen on the far corner, both", "XGID=-o----------------------O-:0:0:1:65:0:0:0:0:10"),
    example("Stacks of six, seven and eight", "XGID=-G------H---hg------------:1:-1:1:00:0:0:0:0:10"),
    example("Two, one and no checkers beside full bars", "XGID=mB----------------------bK:0:0:-1:11:0:0:0:0:10"),
    example("The bottom seat is off", "XGID=-o------------------------:0:0:-1:00:0:0:0:0:10"),
    example("One checker each, double match point", "XGID=-A----------------------a-:0:0:-1:11:24:24:0:25:10"),
    example("Cube at 1024, the bottom seat's", f"{START}:10:1:1:00:0:0:0:0:12"),
    example("Cube at 65536, the top seat's", f"{START}:16:-1:1:00:0:0:0:0:20"),
    example("A double is pending", f"{START}:0:0:1:D:6:5:0:7:10"),
    example("A beaver is pending", f"{START}:0:0:1:B:0:0:3:0:10"),
    example("A raccoon is pending", f"{START}:0:0:-1:R:0:0:3:0:10"),
    example("The Crawford game", f"{START}:0:0:-1:00:6:5:1:7:10"),
    example("After the Crawford game, 25 points", f"{START}:1:-1:1:63:24:21:0:25:10"),
    example("A double played in four parts", f"{START}:0:0:1:11:0:0:0:0:10", play="8/7(2) 6/5(2)"),
    example("Enter and hit twice", "XGID=-b-a--D-C---dD---b-ea---BA:0:0:1:51:2:3:0:7:10", play="bar/20* 24/23"),
    example("Bearing off from a gap", "XGID=-BCC-DB------------bbcdbb-:1:1:1:65:0:0:0:0:10", play="6/off 6/1"),
    example(
        "Played, and dashed what was best; a blunder",
        f"{START}:1:1:1:31:3:5:0:7:10",
        play="24/23 13/10", best="8/5 6/5", error=0.12,
    ),
    example("The other side's play, from the top", f"{START}:0:0:-1:64:1:0:0:5:10", play="24/14", error=0.03),
    example(
        "Long names",
        f"{START}:0:0:1:00:11:12:0:17:10",
        names=("Wolfeschlegelsteinhausenbergerdorff the Elder", "A. N. Extraordinarily-Long Hyphenated-Surname III"),
    ),
    example(
        "A long title",
        f"{START}:0:0:1:00:3:5:0:7:10",
        names=("Ann", "Bob"), title="What I should have played in the third game of the last match of the year",
    ),
    example("Right-to-left names", f"{START}:0:0:1:00:3:5:0:7:10", names=("אברהם בן־דוד", "محمد عبد الله")),
    example("Names in other scripts", f"{START}:0:0:1:00:3:5:0:7:10", names=("山田太郎", "Ἀριστοτέλης ☺")),
    example("Names like markup", f"{START}:0:0:1:00:3:5:0:7:10", names=("<b>Bob</b> & \"Co\"", "$x^2$ </svg>")),
    example("Clockwise", f"{START}:1:1:1:31:3:5:0:7:10", clockwise=True, play="8/5 6/5"),
    example("The opponent at the bottom", f"{START}:1:1:1:31:3:5:0:7:10", bottom="opponent", play="8/5 6/5"),
    example(
        "The opponent at the bottom, clockwise, her numbers",
        f"{START}:1:1:1:31:3:5:0:7:10",
        bottom="opponent", clockwise=True, numbers="opponent", play="8/5 6/5",
    ),
    example("A bare position, no numbers, no pips", "4HPwATDgc/ABMA", numbers="none", pips=False),
    example("Small", HIT, size=150, names=("Ann", "Bob")),
    example("Dark", HIT, theme="dark", play="8/5 6/5", error="??"),
    example("Colour-blind safe", HIT, theme="colour-blind", play="8/5 6/5"),
    example("High contrast", HIT, theme="high-contrast", play="8/5 6/5"),
    example("Black and white print", HIT, theme="print", play="8/5 6/5"),
)  # fmt: skip


class Gallery:
    """All examples side by side."""

    def _repr_html_(self) -> str:
        figures = (f"<figure>{one.draw()}<figcaption>{escape(one.title)}</figcaption></figure>" for one in EXAMPLES)
        return f'<div class="boards">{"".join(figures)}</div>'
