"""Counts over rollout trials: how games ended, on which cube, when it was first turned, how long they took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..errors import DataMissing
from .moments import same_arrays

#: How a trial can end, seen by the mover at the root: the six results of games played out, a pass by either side, an
#: exact or truncated end, which has a value but no result.
OUTCOMES: Final = (
    "win",
    "win gammon",
    "win backgammon",
    "lose",
    "lose gammon",
    "lose backgammon",
    "opponent passed",
    "mover passed",
    "exact value",
    "truncated",
)
PLAYED_OUT: Final = 6
#: The last place of a count stands for everything beyond it.
LEVELS, TURNS, HALF_MOVES = 16, 16, 300


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Counts of trials, for each branch; adding them has no order.

    Attributes
    ----------
    ends : int64[branches, 16, 10]
        By cube level at the end (cube = current value · 2^level) and outcome (`OUTCOMES`).
    turns : int64[branches, 16]
        By how often the cube was turned within the trial.
    first : int64[branches, 301]
        By the half-move before which it was turned first; the last place: never.
    lengths : int64[branches, 301]
        By half-moves played.
    """

    ends: np.ndarray
    turns: np.ndarray
    first: np.ndarray
    lengths: np.ndarray

    @classmethod
    def empty(cls, branches: int) -> Tally:
        """Of no trials."""
        shapes = ((LEVELS, len(OUTCOMES)), (TURNS,), (HALF_MOVES + 1,), (HALF_MOVES + 1,))
        return cls(*(np.zeros((branches, *shape), dtype=np.int64) for shape in shapes))

    @classmethod
    def of(cls, rows: np.ndarray) -> Tally:
        """Counts of trials: float64[n, branches, columns] as `kernels.rollout` leaves them."""
        from ..kernels import rollout as kernel

        found = cls.empty(rows.shape[1])
        for branch in range(rows.shape[1]):
            part = rows[:, branch]
            ending = part[:, kernel.ENDING].astype(int)
            outcome = part[:, kernel.RAW_PROBS : kernel.RAW_PROBS + 6].argmax(axis=1)
            # The side about to roll doubled: after an even number of half-moves the mover, who was passed.
            length = part[:, kernel.LENGTH].astype(int)
            outcome = np.where(ending == kernel.PASSED, 6 + length % 2, outcome)
            outcome[ending == kernel.EXACT] = 8
            outcome[ending == kernel.TRUNCATED] = 9
            np.add.at(found.ends[branch], (np.minimum(part[:, kernel.LEVEL].astype(int), LEVELS - 1), outcome), 1)
            np.add.at(found.turns[branch], np.minimum(part[:, kernel.TURNS].astype(int), TURNS - 1), 1)
            first = part[:, kernel.FIRST_TURN].astype(int)
            np.add.at(found.first[branch], np.where(first < 0, HALF_MOVES, np.minimum(first, HALF_MOVES - 1)), 1)
            np.add.at(found.lengths[branch], np.minimum(length, HALF_MOVES), 1)
        return found

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return all(same_arrays(getattr(self, name), getattr(other, name)) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name).tobytes() for name in self.__slots__))

    def mean_length(self, branch: int) -> float:
        """Half-moves of a trial on average."""
        return float(self.lengths[branch] @ np.arange(HALF_MOVES + 1) / self.lengths[branch].sum())

    def length_quantile(self, branch: int, share: float) -> int:
        """Half-moves that this share of the trials did not exceed."""
        counts = self.lengths[branch].cumsum()
        return int(np.searchsorted(counts, share * counts[-1]))

    def to_dict(self) -> dict[str, list]:
        """Plain numbers."""
        return {name: getattr(self, name).tolist() for name in self.__slots__}

    @classmethod
    def from_dict(cls, data: dict) -> Tally:
        """Read what `to_dict` wrote.

        Raises
        ------
        DataMissing
            Sizes that do not fit.
        """
        found = cls(*(np.array(data[name], dtype=np.int64) for name in cls.__slots__))
        like = cls.empty(len(found.ends))
        if any(getattr(found, name).shape != getattr(like, name).shape for name in cls.__slots__):
            raise DataMissing("the counts of a saved rollout have the wrong size")
        return found
