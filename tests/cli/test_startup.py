"""Signs of life on stderr, and texts from outside made safe for a terminal."""

from __future__ import annotations

import io
import sys
import time

import pytest

from cubelab.cli import startup
from cubelab.cli.answers import to_json
from cubelab.cli.printing import percent, signed
from cubelab.cli.program import plain


class Stream(io.StringIO):
    def __init__(self, terminal: bool):
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def wait_for(condition) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def stderr_as(monkeypatch):
    """Put a terminal, or something else, in the place of stderr; pytest's own capture comes after fixtures."""

    def replace(*, terminal: bool) -> Stream:
        stream = Stream(terminal)
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(startup, "PATIENCE", 0.01)
        return stream

    return replace


def test_elsewhere_than_on_a_terminal_each_stage_is_a_line(stderr_as):
    stderr = stderr_as(terminal=False)
    with startup.Notice("Compiling …") as notice:
        wait_for(lambda: "Compiling" in stderr.getvalue())
        notice.update("Building …", 0.5)
        wait_for(lambda: "Building" in stderr.getvalue())
    assert stderr.getvalue() == "Compiling …\nBuilding …\n"


def test_on_a_terminal_the_line_changes_and_goes_away(stderr_as):
    stderr = stderr_as(terminal=True)
    with startup.Notice("Compiling …") as notice:
        wait_for(lambda: "Compiling" in stderr.getvalue())
        notice.update("Building …", 0.5)
        wait_for(lambda: "Building" in stderr.getvalue())
        with notice.paused():
            assert stderr.getvalue().endswith("\r\x1b[2K")
    assert "[############------------] Building" in stderr.getvalue()
    assert "\n" not in stderr.getvalue()
    assert stderr.getvalue().endswith("\r\x1b[2K")


def test_what_is_quick_says_nothing(stderr_as, monkeypatch):
    stderr = stderr_as(terminal=True)
    monkeypatch.setattr(startup, "PATIENCE", 60)
    with startup.Notice("Compiling …"):
        pass
    assert stderr.getvalue() == ""


def test_text_from_outside_cannot_steer_the_terminal():
    assert plain("a\x1b[31mb\x07c\u202ed\ne") == "a?[31mb?c?d e"
    assert plain("x" * 50, 10) == "x" * 9 + "…"


def test_json_is_ascii_and_has_null_for_what_does_not_exist():
    assert to_json({"a": float("nan"), "b": [float("inf"), 1.5], "c": "Łódź\x9b"}) == (
        '{"a": null, "b": [null, 1.5], "c": "\\u0141\\u00f3d\\u017a\\u009b"}'
    )


def test_numbers_in_tables():
    assert signed(-0.0001) == "+0.000"
    assert signed(-0.25) == "-0.250"
    assert signed(None) == signed(float("nan")) == percent(None) == ""
    assert percent(0.25) == "25.0 %"
