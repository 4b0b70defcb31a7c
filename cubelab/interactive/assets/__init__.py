"""Scripts and styles of the widgets: plain JavaScript modules and one style sheet, nothing loaded from elsewhere."""

from __future__ import annotations

from importlib.resources import files


def script(name: str) -> str:
    """A widget's script, with what all share in front of it."""
    return "\n".join(_text(part) for part in ("common.js", name))


def style() -> str:
    """The style sheet of all widgets."""
    return _text("widgets.css")


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
