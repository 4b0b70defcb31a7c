"""The numbers that trainers are started with."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

#: Seeds of everything drawn: NumPy's generators take no more, and some are counted up from them.
MOST_SEED = 2**31 - 1


def whole(least: int, most: int) -> Callable[[str], int]:
    """Type of an argument that is a whole number between two others."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text!r:.60} is no whole number from {least} to {most}")
        return number

    return read


def amount(text: str) -> float:
    """Type of an argument that is a number of 0 or more."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r:.60} is no number of 0 or more")
    return number


seed = whole(0, MOST_SEED)
