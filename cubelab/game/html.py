"""Small tables for notebooks: colours as the page has them, light or dark; no style sheet, no script."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

_CELL = "padding:.15em .8em;border:0;background:transparent;white-space:nowrap;text-align:"
_TABLE = "border-collapse:collapse;margin:.4em 0"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, bold: Collection[int] = ()) -> str:
    """A table whose first column is text and whose others are numbers.

    Parameters
    ----------
    head : sequence of str
    rows : sequence of sequence of str
    bold : collection of int
        Rows that stand out.
    """

    def line(texts: Sequence[str], tag: str, weight: str) -> str:
        sides = ("left" if place == 0 else "right" for place in range(len(texts)))
        cells = (
            f"<{tag} style='{_CELL}{side};font-weight:{weight}'>{escape(str(text))}</{tag}>"
            for side, text in zip(sides, texts, strict=True)
        )
        return f"<tr style='background:transparent'>{''.join(cells)}</tr>"

    body = "".join(line(row, "td", "bold" if place in bold else "normal") for place, row in enumerate(rows))
    return f"<table style='{_TABLE}'><thead>{line(head, 'th', 'bold')}</thead><tbody>{body}</tbody></table>"


def block(title: str, *parts: str, note: str = "") -> str:
    """A title in bold, parts that are HTML already, and a note in fainter ink; wide parts scroll."""
    head = f"<div><b>{escape(title)}</b></div>" if title else ""
    foot = f"<div style='opacity:.7'>{escape(note)}</div>" if note else ""
    return f"<div style='font-variant-numeric:tabular-nums;overflow-x:auto'>{head}{''.join(parts)}{foot}</div>"


def percent(chance: float | None, digits: int = 2) -> str:
    """A chance as per cent; empty for what does not exist."""
    return "" if chance is None or chance != chance else f"{100 * chance:.{digits}f} %"


def number(value: float | None, digits: int = 4) -> str:
    """A number with its sign; empty for what does not exist."""
    if value is None or value != value:
        return ""
    return f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", "−")  # no minus before a zero
