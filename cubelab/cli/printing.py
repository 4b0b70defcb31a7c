"""Tables for people: plain columns that fit a terminal of 80, coloured only on a terminal."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Sequence

from .program import plain

WIDTH = 80
_LONGEST_SENTENCE = 4000


def console():
    """A rich console for stdout; 80 columns unless a terminal says otherwise."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False, soft_wrap=False)


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    right: Collection[str] | str = (),
    styles: Sequence[str] | None = None,
) -> None:
    """Print rows of texts; nothing in them is taken as markup or control sequence.

    Parameters
    ----------
    columns : sequence of str
    rows : iterable of sequence of str
    right : collection of str
        Columns set flush right; ``"all"`` for all of them.
    styles : sequence of str, optional
        One a row.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
    for name in columns:
        flush = right == "all" or name in right
        table.add_column(Text(name, style="bold"), justify="right" if flush else "left", overflow="fold")
    for n, row in enumerate(rows):
        table.add_row(*(Text(plain(cell)) for cell in row), style=styles[n] if styles else None)
    target = console()
    if target.is_terminal:
        target.print(table)
        return
    # Text in a file or pipe carries no blanks at the ends of its lines.
    with target.capture() as captured:
        target.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def print_text(text: str) -> None:
    """Print a sentence, its lines no longer than the terminal's (80 elsewhere), control characters as ``?``."""
    width = shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH
    print(textwrap.fill(plain(text, _LONGEST_SENTENCE), max(width, 20), break_long_words=False, break_on_hyphens=False))


def signed(value: float | None, digits: int = 3) -> str:
    """A number with its sign; empty for what does not exist."""
    if value is None or value != value:
        return ""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "+", 1) if not float(text) else text


def percent(chance: float | None, digits: int = 1) -> str:
    """A chance in percent; empty for what does not exist."""
    return "" if chance is None or chance != chance else f"{100 * chance:.{digits}f} %"
