"""Other engines as child processes: one JSON question a line in, one answer a line out.

The child starts in an empty folder of its own with an environment of its own, so that neither the user's settings nor
the language of the desktop change what it says. It lives until `close`; it cannot outlive this process, because it
ends when its input does.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..errors import CubelabError

#: Begins every line of a child that is an answer; whatever else it prints is talk.
MARK = "@cubelab "
#: Variables of the caller that a program needs to run at all; none of them changes what it prints.
_NEEDED = ("PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_TALK_KEPT = 40


class EngineMissing(CubelabError):
    """Another engine was asked for that is not installed here."""


class EngineFailed(CubelabError):
    """Another engine did not answer, or not as it should."""


def clean_environment(folder: str | Path) -> dict[str, str]:
    """Environment of a child: paths from the caller, plain numbers and English, `folder` as its home."""
    kept = {name: os.environ[name] for name in _NEEDED if name in os.environ}
    home = str(folder)
    places = dict.fromkeys(("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TEMP", "TMP"), home)
    # The engines count threads themselves; one core is what comparisons are made on.
    return kept | places | {"LC_ALL": "C", "LANG": "C", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}


class Child:
    """A running program that answers JSON with JSON.

    Parameters
    ----------
    command : sequence of str, or callable
        Arguments; a callable gets the child's own folder and returns them.
    name : str
        What messages call it.
    timeout : float
        Seconds that an answer may take where `ask` does not say otherwise.

    Raises
    ------
    EngineMissing
        The program cannot be started.
    """

    def __init__(self, command: Sequence[str] | Callable[[Path], Sequence[str]], name: str, timeout: float = 60.0):
        self.name, self.timeout = name, timeout
        self._temporary = tempfile.TemporaryDirectory(prefix="cubelab-", ignore_cleanup_errors=True)
        self.folder = Path(self._temporary.name)
        self.talk: deque[str] = deque(maxlen=_TALK_KEPT)
        self._answers: queue.Queue[str | None] = queue.Queue()
        arguments = list(command(self.folder) if callable(command) else command)
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env=clean_environment(self.folder),
                # Ctrl-C is ours to handle: it must not reach the child before we have said what to do.
                start_new_session=os.name == "posix",
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) if sys.platform == "win32" else 0,
            )
        except OSError as error:
            self._temporary.cleanup()
            raise EngineMissing(f"{name} cannot be started: {arguments[0]}: {error.strerror or error}") from None
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with contextlib.suppress(OSError, ValueError):
            for raw in stream:
                line = raw.decode("utf-8", errors="replace").rstrip("\r\n")
                if line.startswith(MARK):
                    self._answers.put(line[len(MARK) :])
                elif line.strip():
                    self.talk.append(line.strip())
        self._answers.put(None)

    def ask(self, question: dict[str, Any], timeout: float | None = None) -> Any:
        """Ask and wait for the answer.

        Raises
        ------
        EngineFailed
            No answer in time, the program has ended, or it reports an error. It is ended in the first two cases.
        """
        self.send(question)
        return self.receive(timeout)

    def send(self, question: dict[str, Any]) -> None:
        """Ask without waiting; `receive` brings the answers in the order of the questions."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question, separators=(",", ":")).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            self._ended()

    def receive(self, timeout: float | None = None) -> Any:
        """The next answer; as `ask`."""
        patience = timeout or self.timeout
        try:
            line = self._answers.get(timeout=patience)
        except queue.Empty:
            self.close()
            raise EngineFailed(f"{self.name} gave no answer within {patience:g} s and was ended") from None
        except KeyboardInterrupt:
            self.close()
            raise
        if line is None:
            self._ended()
        try:
            answer = json.loads(line)  # type: ignore[arg-type]
        except json.JSONDecodeError:
            raise EngineFailed(f"{self.name} answered something unreadable: {line!r:.200}") from None
        if isinstance(answer, dict) and "error" in answer:
            raise EngineFailed(f"{self.name} reports: {answer['error']}")
        return answer

    def _ended(self) -> None:
        self.close()
        said = f"; it last said: {self.talk[-1]:.200}" if self.talk else ""
        raise EngineFailed(f"{self.name} ended unexpectedly (status {self._process.returncode}){said}")

    def close(self) -> None:
        """End the program and clear its folder; may be called again."""
        process = self._process
        with contextlib.suppress(OSError, ValueError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._temporary.cleanup()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
