"""Words of messages that depend on a number."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number and what it counts: ``1 game``, ``3 games``.

    Parameters
    ----------
    number : int
    one : str
        The word for a single one.
    many : str, optional
        The word for several, where it is not `one` with an s.

    Examples
    --------
    >>> counted(1, "match", "matches"), counted(0, "match", "matches")
    ('1 match', '0 matches')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"
