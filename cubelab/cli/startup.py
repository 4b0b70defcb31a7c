"""The first minute: kernels are compiled and tables built once on a machine, and the user sees that it happens."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: Seconds after which a step that goes on is announced.
PATIENCE = 1.2
#: Seconds between counts where every one would be a new line.
_SELDOM = 10.0
_BAR = 24


class Notice:
    """Says what is being done, on stderr: a line that changes on a terminal, single lines elsewhere.

    Parameters
    ----------
    text : str
        Shown once the step has taken `PATIENCE` seconds.
    """

    def __init__(self, text: str):
        self._text = text
        self._shown, self._counting = "", False
        self._begin = time.monotonic()
        self._terminal = sys.stderr.isatty()
        self._done, self._writing = threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def update(self, text: str, fraction: float | None = None, *, counting: bool = False) -> None:
        """Show another text from now on.

        Parameters
        ----------
        text : str
        fraction : float, optional
            Share done, 0–1, drawn as a bar on a terminal.
        counting : bool
            One of many updates: elsewhere than on a terminal only some are printed.
        """
        if self._terminal and fraction is not None:
            filled = round(_BAR * min(max(fraction, 0.0), 1.0))
            text = f"[{'#' * filled}{'-' * (_BAR - filled)}] {text}"
        self._text, self._counting = text, counting

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Show nothing while others write to the terminal."""
        with self._writing:
            self._erase()
            yield

    def _watch(self) -> None:
        wait, last, said = PATIENCE, 0.0, {""}
        while not self._done.wait(wait):
            wait, now = 0.25, time.monotonic()
            with self._writing:
                if self._terminal:
                    self._write(f"\r\x1b[2K{self._text[:70]} {now - self._begin:.0f} s")
                elif self._text in said or (self._counting and now - last < _SELDOM):
                    continue
                else:
                    self._write(f"{self._text}\n")
                    said.add(self._text)
                self._shown, last = self._text, now

    def _erase(self) -> None:
        if self._shown and self._terminal:
            self._write("\r\x1b[2K")

    @staticmethod
    def _write(text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            pass

    def __enter__(self) -> Notice:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        self._erase()


def bearoff_progress(notice: Notice) -> Callable[[float, str], None]:
    """Progress callback of `engine.bearoff.load_tables` that shows in a notice."""

    def report(fraction: float, text: str) -> None:
        notice.update(f"{text} (once) …", fraction)

    return report


def prepare_bearoff() -> None:
    """Load the bearoff tables, or build them in view of the user."""
    with Notice("Loading the bearoff tables …") as notice:
        from numba.core import event

        from ..engine.bearoff import load_tables

        with event.install_listener("numba:compile", _compile_listener(notice)):
            load_tables(bearoff_progress(notice))


def prepare_engine(plays: bool = False) -> None:
    """Load networks and tables and make sure that the kernels are compiled, in view of the user.

    Parameters
    ----------
    plays : bool
        Also what ranks plays.
    """
    with Notice("Loading the engine …") as notice:
        from numba.core import event

        from ..engine.bearoff import load_tables
        from ..engine.search import evaluate, ranked_plays
        from ..game import Position, Situation

        with event.install_listener("numba:compile", _compile_listener(notice)):
            load_tables(bearoff_progress(notice))
            start = Situation(Position.start())
            evaluate(start, ply=0)
            if plays:
                ranked_plays(start, (3, 1), ply=0)


def prepare_rollouts() -> None:
    """As `prepare_engine`, for rollouts."""
    prepare_engine(plays=True)
    with Notice("Loading the rollouts …") as notice:
        from numba.core import event

        from ..engine.rollout_run import rollout
        from ..engine.rollout_settings import RolloutSettings
        from ..game import Position, Situation

        with event.install_listener("numba:compile", _compile_listener(notice, "the rollouts")):
            rollout(Situation(Position.start()), RolloutSettings(trials=1, truncate=1))


def _compile_listener(notice: Notice, what: str = "the kernels") -> Any:
    """Listener of numba's events that tells a notice when something is really compiled, not read from the cache."""
    import logging

    from numba.core.event import Listener

    logging.getLogger("cubelab").addHandler(logging.NullHandler())  # the notice says it

    class CompileListener(Listener):
        def on_start(self, event) -> None:
            notice.update(f"Compiling {what} (once for this installation, about half a minute) …")

        def on_end(self, event) -> None:
            pass

    return CompileListener()
