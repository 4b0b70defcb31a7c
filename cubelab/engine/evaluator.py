"""What every evaluator answers: chances and cube values of positions about to be rolled, and of plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..cube.decision import CubeDecision
from ..cube.models import CubeModel
from ..game import Position, Probabilities, Situation
from ..game.play import Play
from ..score.stakes import Stakes

if TYPE_CHECKING:
    from .rollout import Rollout


@dataclass(frozen=True, slots=True)
class CubeValues:
    """Evaluation of one position, the mover about to roll, in the value unit of its `Stakes`.

    Attributes
    ----------
    probabilities : Probabilities
        Pre-roll chances.
    no_double : float
        The mover rolls without turning the cube.
    double_take : float
        The mover doubles, the opponent takes; NaN where there is no next cube.
    exact : bool
        From a bearoff database, without error.
    double_beaver, double_redouble : float or None
        The opponent turns the cube again at once, best play and cube action from there; None where the rules do not
        have that answer, or (beavers) where it is twice the take.
    """

    probabilities: Probabilities
    no_double: float
    double_take: float
    exact: bool = False
    double_beaver: float | None = None
    double_redouble: float | None = None


class Evaluator(Protocol):
    """One of the three independent axes of an analysis, beside the cube model and the match equity table."""

    @property
    def name(self) -> str:
        """Short name for reports, such as ``2-ply``."""

    def cube_values(
        self, positions: Sequence[Position], stakes: Sequence[Stakes], model: CubeModel | None = None
    ) -> list[CubeValues]:
        """Evaluate positions with the mover about to roll, each at its own stakes."""

    def play_values(
        self, position: Position, plays: Sequence[Play], stakes: Stakes, model: CubeModel | None = None
    ) -> list[tuple[Probabilities, float]]:
        """Chances and value (the mover's, with the cube) of each play of one roll."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a number comes from.

    Attributes
    ----------
    version, weights : str
        Of cubelab and (checksum) of the networks.
    met, ply, model, seed
        Table (None for money), evaluator, cube model, random seed (None where nothing is random).
    """

    version: str
    weights: str
    met: str | None
    ply: int | str
    model: str
    seed: int | None = None

    def to_dict(self) -> dict:
        """As in the JSON of the command line."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A situation and what the engine thinks of it.

    Attributes
    ----------
    situation : Situation
    probabilities : Probabilities
        Pre-roll.
    cubeless, cubeful : float
        Equity per current cube (points for money, EMG at a score), cubeful before any double.
    decision : CubeDecision
    provenance : Provenance
    rollout : Rollout or None
        Where the numbers were rolled out.
    """

    situation: Situation
    probabilities: Probabilities
    cubeless: float
    cubeful: float
    decision: CubeDecision
    provenance: Provenance
    rollout: Rollout | None = None

    def _repr_html_(self) -> str:
        return f"{self.decision._repr_html_()}{self.probabilities.html_table()}"
