"""How commands of the training begin and end: the numbers they are given, and the sentence they stop with."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable

from cubelab.errors import CubelabError

#: Seeds of everything drawn: NumPy's generators take no more, and some are counted up from them.
MOST_SEED = 2**31 - 1


class TrainingStopped(CubelabError):
    """Training cannot go on; the last good checkpoint is untouched."""


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


def status(work: Callable[[], None], stays: str) -> int:
    """Do the work of a command; 0 = done, 1 = stopped with a sentence on stderr, after Ctrl-C with what stays."""
    try:
        work()
    except CubelabError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"Stopped; {stays}.", file=sys.stderr)
        return 1
    return 0
