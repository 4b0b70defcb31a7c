"""Rollouts by GNU Backgammon, as a yardstick: what it finds, how sure it is, and the processor time it takes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..game import Position
from .child import EngineFailed, EngineMissing, clean_environment
from .gnubg import find_gnubg

_NUMBER = r"([-+]?\d+(?:[.,]\d+)?)"


@dataclass(frozen=True, slots=True)
class GnubgRollout:
    """What GNU Backgammon printed at the end of a rollout (see `parse_rollout`).

    Attributes
    ----------
    games : int
    cumulative : tuple of 5 floats
        Win, win gammon, win backgammon, lose gammon, lose backgammon.
    cubeless, cubeful : float
        Equities; cubeful None in a cubeless rollout.
    se_cubeless, se_cubeful : float
        Their standard errors.
    """

    games: int
    cumulative: tuple[float, float, float, float, float]
    cubeless: float
    se_cubeless: float
    cubeful: float | None
    se_cubeful: float | None


def parse_rollout(text: str) -> GnubgRollout:
    """The last result in the text of a rollout; numbers may carry a decimal comma.

    Raises
    ------
    EngineFailed
        There is none.
    """
    text = re.sub("[\u2212\u2010-\u2014]", "-", text)
    row = (
        rf"\s+{_NUMBER}\s+{_NUMBER}\s+{_NUMBER} - {_NUMBER}\s+{_NUMBER}\s+{_NUMBER} CL\s+{_NUMBER}(?: CF\s+{_NUMBER})?"
    )
    error = row.replace(r"\s+" + _NUMBER, r"\s*" + _NUMBER, 1)
    pattern = rf"{row}\s*\n\s*\[{error}\][^\n]*\n(?:[^\n]*\n)?(\d+) games"
    found = list(re.finditer(pattern, text.replace("\r", "")))
    if not found:
        raise EngineFailed("GNU Backgammon printed no rollout result")
    groups = found[-1].groups()
    value = [None if g is None else float(g.replace(",", ".")) for g in groups]
    cumulative = (value[0], value[1], value[2], value[4], value[5])
    return GnubgRollout(int(groups[16]), cumulative, value[6], value[14], value[7], value[15])  # type: ignore[arg-type]


def run_rollout(
    position: Position,
    trials: int,
    *,
    cubeful: bool,
    variance_reduction: bool,
    truncate: int | None = None,
    seed: int = 1,
    timeout: float = 600.0,
    path: Path | None = None,
) -> tuple[GnubgRollout, float]:
    """Roll a money position out by GNU Backgammon: 0-ply play and cube, quasi-random dice, one thread.

    Parameters
    ----------
    position : Position
        Money play without Jacoby, cube in the middle.
    trials : int
    cubeful, variance_reduction : bool
    truncate : int, optional
        Half-moves; 0-ply evaluation there.
    seed : int
    timeout : float
        Seconds.
    path : Path, optional
        The program.

    Returns
    -------
    GnubgRollout, float
        What it found and the seconds of processor time it took, start of the program not counted.

    Raises
    ------
    EngineMissing
        Not installed, or no POSIX system: it prints results to a terminal only, and gets one of ours.
    EngineFailed
        No result.
    """
    if sys.platform == "win32":
        raise EngineMissing("GNU Backgammon prints rollout results to a terminal only, which Windows cannot lend it")
    switches = [
        f"trials {trials}",
        f"cubeful {'on' if cubeful else 'off'}",
        f"varredn {'on' if variance_reduction else 'off'}",
        f"truncation enable {'off' if truncate is None else 'on'}",
        *([] if truncate is None else [f"truncation plies {truncate}"]),
        *(f"{prefix}{part} plies 0" for prefix in ("", "truncation ") for part in ("chequerplay", "cubedecision")),
        "quasirandom on",
        f"seed {seed}",
        "limit enable off",
        "jsd stop off",
        "late enable off",
        "initial off",
    ]
    start = ["player 0 human", "player 1 human", "automatic game off", "automatic roll off", "display off", "threads 1"]
    lines = [f"set {text}" for text in [*start, "jacoby off", "output digits 6"]]
    lines += ["new session", "set turn 0", f"set board {position.id}", *(f"set rollout {text}" for text in switches)]
    program = path or find_gnubg()
    idle = _terminal_run(program, lines, timeout)[1]
    text, seconds = _terminal_run(program, [*lines, "rollout"], timeout)
    return parse_rollout(text), max(seconds - idle, 1e-3)


def _terminal_run(program: Path, lines: Sequence[str], timeout: float) -> tuple[str, float]:
    """Run commands with a terminal as output; the text and the seconds of processor time."""
    import pty
    import resource
    import tempfile
    import threading

    with tempfile.TemporaryDirectory(prefix="cubelab-") as folder:
        commands = Path(folder, "commands")
        commands.write_text("\n".join(lines) + "\n", encoding="ascii")
        (Path(folder) / "settings").mkdir()
        arguments = [str(program), "-t", "-q", "-r", "-s", f"{folder}/settings", "-c", str(commands)]
        ours, theirs = pty.openpty()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        text: list[bytes] = []

        def read() -> None:
            while True:
                try:
                    data = os.read(ours, 65536)
                except OSError:  # the other end is closed
                    return
                if not data:
                    return
                text.append(data)

        try:
            process = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=theirs,
                stderr=theirs,
                env=clean_environment(folder),
                cwd=folder,
            )
        except OSError as error:
            os.close(ours)
            os.close(theirs)
            raise EngineMissing(f"GNU Backgammon cannot be started: {program}: {error.strerror or error}") from None
        os.close(theirs)
        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise EngineFailed(f"GNU Backgammon gave no answer within {timeout:g} s and was ended") from None
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            reader.join(5.0)
            os.close(ours)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return b"".join(text).decode("utf-8", errors="replace"), seconds
