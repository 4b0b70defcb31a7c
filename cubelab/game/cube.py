"""The doubling cube: its value and who may turn it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from operator import index

from ..errors import IllegalRules
from .enums import RunnableRepr


class Owner(RunnableRepr, IntEnum):
    """Who owns the cube, seen by the mover."""

    MOVER = 1
    CENTRE = 0
    OPPONENT = -1

    @property
    def flip(self) -> Owner:
        """The same owner seen by the other side."""
        return Owner(-self)


@dataclass(frozen=True, slots=True)
class Cube:
    """A doubling cube.

    Parameters
    ----------
    value : int
        Power of two, 1 or more.
    owner : Owner
        Seen by the mover.

    Raises
    ------
    IllegalRules
        The value is not a power of two, or the owner is none.
    """

    value: int = 1
    owner: Owner = Owner.CENTRE

    def __post_init__(self) -> None:
        try:
            value = index(self.value)
        except TypeError:
            value = 0
        if value < 1 or value & (value - 1):
            raise IllegalRules(f"cube value {self.value!r} is not a power of two (1, 2, 4, …)")
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "owner", checked_owner(self.owner))

    @property
    def log2(self) -> int:
        """Exponent of the value: 0 for 1, 1 for 2, …."""
        return self.value.bit_length() - 1

    def flip(self) -> Cube:
        """The same cube seen by the other side."""
        return Cube(self.value, self.owner.flip)


def checked_owner(owner: Owner | str | int) -> Owner:
    """Owner from the words of the command line (me, them, centre), an `Owner` or its number.

    Raises
    ------
    IllegalRules
        Anything else.
    """
    words = {"me": Owner.MOVER, "them": Owner.OPPONENT, "centre": Owner.CENTRE, "center": Owner.CENTRE}
    try:
        return words[owner] if isinstance(owner, str) else Owner(owner)
    except (KeyError, ValueError):
        raise IllegalRules(f"cube owner {owner!r} is none of me, them, centre") from None
