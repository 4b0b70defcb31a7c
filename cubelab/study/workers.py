"""Worker processes with a pipe each: no queue, thread or lock that an interrupt or a killed process could leave held.

``concurrent.futures`` shares one queue and its locks among its processes; interrupted while it starts them, or with one
killed while it writes, it can wait for ever.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from ..errors import SettingsError


class WorkerDied(Exception):
    """The process that had the task ended without an answer."""


@dataclass(slots=True)
class _Raised:
    error: Exception


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    task: int | None = None
    ready: bool = False


def map_in_order(function: Callable[[Any], Any], tasks: Iterable[Any], workers: int) -> Generator[Any, None, None]:
    """Results of a function for every task, in the order of the tasks, computed in processes.

    Parameters
    ----------
    function : callable
        Importable by name; called with one task. What it raises is raised here and ends the rest.
    tasks : iterable
        Read only as far as the workers get: at most two tasks a worker are under way or wait to be handed on.
    workers : int
        Number of processes.

    Yields
    ------
    object
        The result, or a `WorkerDied` in its place; the other tasks go on with a new process.

    Raises
    ------
    SettingsError
        The processes cannot even start.
    """
    todo = enumerate(tasks)
    more = True
    done: dict[int, Any] = {}
    handed_on = 0
    taken = 0
    staff: list[_Worker] = []
    try:
        while True:
            while handed_on in done:
                yield done.pop(handed_on)
                handed_on += 1
            for worker in staff:
                if more and worker.task is None and taken - handed_on < 2 * workers:
                    more = _give(worker, todo)
                    taken += more
            if more and len(staff) < workers and taken - handed_on < 2 * workers:
                with _interrupts_held():  # so that no process is started and not known here
                    staff.append(_started(function))
                continue
            busy = {worker.pipe: worker for worker in staff if worker.task is not None}
            if not busy:
                if handed_on in done:
                    continue
                return
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                assert worker.task is not None
                try:
                    answer = worker.pipe.recv()
                except (EOFError, OSError):
                    if not worker.ready:
                        raise SettingsError(
                            "a worker process could not start: try --workers 1; "
                            'in scripts put the call under if __name__ == "__main__":'
                        ) from None
                    answer = WorkerDied()
                    _stop([worker])
                    staff.remove(worker)
                if not worker.ready:
                    worker.ready = True  # its first word; the task is still with it
                    continue
                if isinstance(answer, _Raised):
                    raise answer.error
                done[worker.task], worker.task = answer, None
    finally:
        _stop(staff)


def _give(worker: _Worker, todo: Iterator[tuple[int, Any]]) -> bool:
    """Whether there was another task to give."""
    number, task = next(todo, (None, None))
    if number is None:
        return False
    worker.task = number
    with suppress(OSError):  # it is dead, which the next look at its pipe finds
        worker.pipe.send(task)
    return True


def _started(function: Callable[[Any], Any]) -> _Worker:
    # Spawned, not forked: the same on all systems, and safe beside threads.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, function), daemon=True)
    process.start()
    theirs.close()  # else the end of the process would not close the pipe
    return _Worker(process, ours)


def _stop(staff: list[_Worker]) -> None:
    for worker in staff:
        worker.process.kill()
    for worker in staff:
        worker.process.join()
        worker.pipe.close()


def _serve(pipe: Connection, function: Callable[[Any], Any]) -> None:
    """The work of a process: tasks in, results out, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    try:
        pipe.send("ready")
        while True:
            task = pipe.recv()
            try:
                answer = function(task)
            except Exception as error:
                answer = _Raised(error)
            pipe.send(answer)
    except (EOFError, OSError):
        os._exit(0)  # nobody listens any more


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Keep an interrupt waiting; a process started meanwhile inherits that and cannot die of one while it loads."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # started with the first process, it would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
