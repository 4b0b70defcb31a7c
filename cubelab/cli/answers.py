"""Many positions in, as many answers out: on all cores, in order, each as soon as it and those before it are ready."""

from __future__ import annotations

import json
import math
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ..errors import CubelabError
from ..wording import counted
from .program import DEBUG_VARIABLE, FAILED, plain, say
from .startup import Notice

#: Longer inputs are cut where they are quoted in an answer.
LONGEST_INPUT = 1000


@dataclass(frozen=True, slots=True)
class Failure:
    """An input without an answer, and why."""

    text: str
    reason: str

    @property
    def named(self) -> bool:
        """Whether the reason quotes the input already."""
        return f"'{self.text.strip().removeprefix('XGID=')[:24]}" in self.reason


def to_json(document: Any) -> str:
    """One line of JSON; numbers that do not exist (NaN) are null.

    Plain ASCII, so that no terminal, pipe or code page can spoil it.
    """
    return json.dumps(_without_nan(document), ensure_ascii=True, allow_nan=False, separators=(", ", ": "))


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def answer_all(
    texts: Iterable[str],
    compute: Callable[[str], Any],
    document: Callable[[Any], dict] | None,
    show: Callable[[Any], None],
    source: str | None = None,
    *,
    blank: bool = True,
    parallel: bool = True,
) -> int:
    """Compute and print an answer for each input; a failed one gets its error in its place and stops nothing.

    Parameters
    ----------
    texts : iterable of str
    compute : callable
        From an input to a result; runs in several threads.
    document : callable or None
        From a result to its JSON document; None prints for people with `show`.
    show : callable
        Prints a result for people.
    source : str, optional
        What to name when there were no inputs.
    blank : bool
        A blank line between answers for people.
    parallel : bool
        False where `compute` uses all cores itself: one input after the other, in the calling thread.

    Returns
    -------
    int
        Exit status.
    """
    failed = count = 0
    quiet = sys.stdout.isatty() or not sys.stderr.isatty()
    with Notice("") as notice:
        for count, result in enumerate(_results(texts, compute, parallel), start=1):
            if not quiet:
                notice.update(f"{counted(count, 'position')} done,", counting=True)
            if isinstance(result, Failure):
                failed += 1
                say(result.reason if result.named else f"{plain(result.text, 120)}: {result.reason}")
                if document:
                    print(to_json({"input": result.text, "error": result.reason}), flush=True)
            elif document:
                print(to_json(document(result)), flush=True)
            else:
                if blank and count > 1:
                    print()
                show(result)
                sys.stdout.flush()
    if not count:
        say(f"{'standard input' if source in (None, '-') else source} holds no positions")
    return FAILED if failed or not count else 0


def _results(texts: Iterable[str], compute: Callable[[str], Any], parallel: bool) -> Iterator[Any]:
    def safely(text: str) -> Any:
        try:
            return compute(text)
        except CubelabError as error:
            return Failure(text[:LONGEST_INPUT], str(error))
        except Exception as error:
            if os.environ.get(DEBUG_VARIABLE):
                raise
            return Failure(text[:LONGEST_INPUT], f"unexpected {type(error).__name__}: {error}; a fault of cubelab")

    if not parallel or (isinstance(texts, (list, tuple)) and len(texts) == 1):
        yield from map(safely, texts)
        return
    workers = os.cpu_count() or 1
    waiting: queue.Queue[Future | BaseException | None] = queue.Queue(maxsize=64 * workers)
    stopped = threading.Event()
    pool = ThreadPoolExecutor(workers)

    def put(item: Future | BaseException | None) -> None:
        while not stopped.is_set():
            try:
                return waiting.put(item, timeout=0.5)
            except queue.Full:
                continue

    def read() -> None:
        """Reading has its own thread: an answer must not wait for the next line of a pipe."""
        try:
            for text in texts:
                if stopped.is_set():
                    return
                put(pool.submit(safely, text))
            put(None)
        except BaseException as error:
            put(error)

    threading.Thread(target=read, daemon=True).start()
    try:
        while (item := waiting.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item.result()
    finally:
        stopped.set()
        pool.shutdown(wait=False, cancel_futures=True)
