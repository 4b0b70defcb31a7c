"""Names from files, made safe to show."""

from __future__ import annotations

import unicodedata

#: Longer names are cut with an ellipsis when shown.
LONGEST = 60


def display_name(name: str) -> str:
    """A player's name as it may be printed on a terminal or set into a page.

    Control characters (escape sequences of terminals among them) and invisible formatting characters such as
    right-to-left marks and zero-width spaces are removed, white space is collapsed, and very long names are cut. Values
    keep the name as the file has it. Markup is not escaped here: that is the template's job.

    Parameters
    ----------
    name : str
        Raw name.

    Returns
    -------
    str
        Printable name; ``?`` when nothing printable is left.
    """
    spaced = "".join(" " if ch.isspace() else ch for ch in name)
    shown = "".join(ch for ch in spaced if not unicodedata.category(ch).startswith("C"))
    shown = " ".join(shown.split())
    if len(shown) > LONGEST:
        shown = shown[: LONGEST - 1].rstrip() + "…"
    return shown or "?"
