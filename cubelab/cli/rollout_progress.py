"""Progress of a rollout, on stderr: a bar with the present numbers on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from ..wording import counted
from .program import say

if TYPE_CHECKING:
    from ..engine.rollout import Rollout

#: Seconds between two looks at the numbers, on a terminal and elsewhere.
_OFTEN, _SELDOM = 0.25, 10.0


class RolloutProgress:
    """Called with the rollout so far; use as a context manager."""

    def __init__(self) -> None:
        self._title, self._sign = "", 1
        self._bar: Any = None
        self._task: Any = None
        self._last = time.monotonic()
        self._begin: tuple[float, int] | None = None

    def __enter__(self) -> RolloutProgress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                BarColumn(bar_width=20),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.description}", markup=False),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def about(self, play: str) -> None:
        """Show the play that is rolled out now before the numbers, and these for the side that made it."""
        if not self._title.startswith(f"{play}: "):
            self._title, self._sign, self._begin = f"{play}: ", -1, None

    def __call__(self, so_far: Rollout) -> None:
        """Show the rollout so far, unless something was shown just now."""
        now = time.monotonic()
        if self._begin is None:
            self._begin = now, so_far.count
        if now - self._last < (_SELDOM if self._bar is None else _OFTEN):
            return
        self._last = now
        text = f"{self._title}{numbers(so_far, self._sign)}"
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task(text, total=so_far.settings.trials)
            self._bar.update(self._task, completed=so_far.count, description=text)
            return
        begin, count = self._begin
        left = ""
        if so_far.count > count:
            seconds = (so_far.settings.trials - so_far.count) * (now - begin) / (so_far.count - count)
            left = f", {seconds:.0f} s left"
        say(f"{so_far.count} of {counted(so_far.settings.trials, 'trial')}{left}; {text}")


def numbers(so_far: Rollout, sign: int = 1) -> str:
    """The present state of a rollout, short; `sign` -1 shows it to the other side."""
    se = so_far.se
    if not so_far.settings.cubeful:
        return f"cubeless {sign * so_far.cubeless:+.3f} ± {se.cubeless:.3f}"
    value = float(so_far.stakes.to_emg(so_far.moments.mean_values()[0]))
    if so_far.branches == 1:
        return f"{sign * value:+.3f} ± {se.no_double:.3f}"
    equities, sure = so_far.decision.equities, so_far.confidence
    right = "" if sure is None else f", right {100 * sure.verdict_probability:.1f} %"
    return f"ND {value:+.3f} DT {equities.double_take:+.3f} ± {se.difference:.3f}{right}"
