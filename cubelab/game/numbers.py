"""Whole numbers and switches of rules and scores: from any integer type, never from a fraction or a text."""

from __future__ import annotations

from numbers import Integral
from operator import index

import numpy as np

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


def switch(value: object, name: str) -> bool:
    """True or False, also as 0 and 1 or numpy's.

    Raises
    ------
    IllegalRules
        Something else.
    """
    if isinstance(value, (Integral, np.bool_)) and value in (True, False):
        return bool(value)
    raise IllegalRules(f"{name} = {value!r:.60} is neither True nor False")
