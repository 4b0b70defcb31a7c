"""Work in the background of which only the newest counts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeAlias

#: Gives an answer away; it arrives only while nothing newer has been asked.
Report: TypeAlias = Callable[[Any], None]
Job: TypeAlias = Callable[[Report], None]


class Latest:
    """Runs jobs in a thread, one after the other, always the newest; what an outdated job answers is thrown away.

    The thread lives only while there is something to do.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.RLock())
        self._newest = 0
        self._waiting: tuple[int, Job, Report] | None = None
        self._running = False

    def submit(self, job: Job, deliver: Report) -> None:
        """Run `job` as soon as possible; what it reports goes to `deliver`, unless something newer comes meanwhile."""
        with self._changed:
            self.drop()
            self._waiting = (self._newest, job, deliver)
            if not self._running:
                self._running = True
                threading.Thread(target=self._work, daemon=True, name="cubelab-latest").start()

    def drop(self) -> None:
        """Forget what waits, and the answers of what is running: nothing is delivered after this returns."""
        with self._changed:
            self._newest += 1
            self._waiting = None

    def wait(self, seconds: float) -> bool:
        """Wait until nothing runs and nothing waits; False if that takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, seconds)

    def _work(self) -> None:
        try:
            while True:
                with self._changed:
                    if self._waiting is None:
                        self._stopped()
                        return
                    (number, job, deliver), self._waiting = self._waiting, None
                job(self._reporter(number, deliver))
        except BaseException:
            with self._changed:
                self._stopped()
            raise

    def _reporter(self, number: int, deliver: Report) -> Report:
        def report(answer: Any) -> None:
            with self._changed:
                if number == self._newest:
                    deliver(answer)

        return report

    def _stopped(self) -> None:
        self._running = False
        self._changed.notify_all()
