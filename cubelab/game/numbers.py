"""Whole numbers of rules and scores: from any integer type, never from a fraction or a text."""

from __future__ import annotations

from operator import index

from ..errors import IllegalRules


def whole_number(value: object, name: str) -> int:
    """`value` as an int; numpy's integers are as good as Python's.

    Raises
    ------
    IllegalRules
        It is no whole number.
    """
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise IllegalRules(f"{name} {value!r} is not a whole number, such as 3") from None
