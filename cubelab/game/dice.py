"""The 21 distinct rolls of two dice and their weights."""

from __future__ import annotations

import re
from operator import index
from typing import Any, Final, TypeAlias

from ..errors import NotationError

Dice: TypeAlias = tuple[int, int]

#: A roll as people write it; other programs' digits and the words of an XGID are not numbers of dice.
_TEXT = re.compile(r"\s*([1-6])\s*[-,]?\s*([1-6])\s*")

#: The 21 rolls, higher die first, in the order 11, 21, 22, 31, ….
ROLLS: Final[tuple[Dice, ...]] = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))

#: Chance of each roll in `ROLLS`, out of 36.
WEIGHTS: Final[tuple[int, ...]] = tuple(1 if high == low else 2 for high, low in ROLLS)


def checked_dice(dice: object) -> Dice:
    """Return `dice` as a pair of ints from 1 to 6, in the order given.

    Accepts ``(3, 1)``, ``"31"``, ``"3-1"``, ``"3 1"`` and ``31``.

    Raises
    ------
    NotationError
        Not two numbers from 1 to 6.
    """
    pair: Any = dice
    if isinstance(dice, (str, int)):
        found = _TEXT.fullmatch(str(dice))
        pair = found.groups() if found else ()
    if type(dice) is tuple and [*map(type, dice)] == [int, int] and 1 <= min(dice) <= max(dice) <= 6:
        return dice
    try:
        first, second = (int(die) if isinstance(die, str) else index(die) for die in pair)
    except (TypeError, ValueError):
        raise NotationError(f"dice {dice!r} are not two numbers from 1 to 6, such as 31") from None
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise NotationError(f"dice {dice!r} are not two numbers from 1 to 6, such as 31")
    return first, second
