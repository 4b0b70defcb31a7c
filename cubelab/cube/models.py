"""Cube models: how much of a cube's leverage its owner can use.

Each model is a number, the cube efficiency x of Rick Janowski's *Take-Points in Money Games* (1993): the value of a
position is ``x * live + (1 - x) * dead``. The computation itself is `kernels.cube`.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Final, Protocol

from ..errors import SettingsError

#: Cube efficiency used when none is given; money races and contact positions lie around it (0.6-0.7).
EFFICIENCY: Final = 0.68
#: As `kernels.cube.JUMP`, for derivations, which compile nothing; a test holds the two together.
JUMP: Final = 0.25


class CubeModel(Protocol):
    """Anything with a cube efficiency."""

    @property
    def x(self) -> float:
        """Cube efficiency, 0 (dead) to 1 (live)."""
        ...


@dataclass(frozen=True, slots=True)
class DeadCube:
    """The cube is never turned again, except where turning costs nothing."""

    @property
    def x(self) -> float:
        return 0.0

    def __str__(self) -> str:
        return "dead"


@dataclass(frozen=True, slots=True)
class LiveCube:
    """Every double is made exactly at the cash point: win chances move in steps as small as one likes."""

    @property
    def x(self) -> float:
        return 1.0

    def __str__(self) -> str:
        return "live"


@dataclass(frozen=True, slots=True)
class Janowski:
    """Between dead and live.

    Parameters
    ----------
    x : float
        Cube efficiency, 0-1.

    Raises
    ------
    SettingsError
        x outside 0-1.
    """

    x: float = EFFICIENCY

    def __post_init__(self) -> None:
        if not isinstance(self.x, Real) or not 0.0 <= self.x <= 1.0:
            raise SettingsError(f"cube efficiency {self.x} is not between 0 (dead cube) and 1 (live cube)")

    def __str__(self) -> str:
        return f"janowski {self.x:g}"


def checked_model(model: CubeModel | str) -> CubeModel:
    """`model` itself, or the model of a name.

    Raises
    ------
    SettingsError
        Neither a model nor the name of one.
    """
    if isinstance(model, str):
        return cube_model(model)
    if not isinstance(getattr(model, "x", None), Real):
        raise SettingsError(f"cube model {model!r} is none of DeadCube(), LiveCube() and Janowski(x)")
    return model


def cube_model(name: str) -> CubeModel:
    """A model by name: ``janowski``, ``janowski 0.7`` (or ``janowski:0.7``), ``dead`` or ``live``.

    Raises
    ------
    SettingsError
        Unknown name or an efficiency that is no number.
    """
    word, _, rest = name.strip().lower().replace(":", " ").partition(" ")
    if word == "dead" and not rest:
        return DeadCube()
    if word == "live" and not rest:
        return LiveCube()
    if word == "janowski":
        try:
            return Janowski(float(rest)) if rest else Janowski()
        except ValueError as error:
            if isinstance(error, SettingsError):
                raise
    raise SettingsError(f"unknown cube model {name!r}; known are janowski, janowski X (0-1), dead, live")
