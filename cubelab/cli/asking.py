"""Lines asked of the human."""

from __future__ import annotations

import sys


def read_line(prompt: str) -> str:
    """A line of the human; what comes through a pipe is shown as if typed."""
    if sys.stdin.isatty():
        return input(prompt)
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(line.rstrip("\n"))
    return line
