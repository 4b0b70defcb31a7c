"""Exact sums of rollout trials: however trials are split and merged, the same numbers come out to the last bit."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index

import numpy as np

from ..errors import DataMissing

#: Binary places kept of a trial's numbers in sums and (each factor) in sums of products.
_SUM_BITS, _PRODUCT_BITS = 40, 20


def same_arrays(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    """Whether both are missing, or hold the same numbers (NaN being one)."""
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and bool(((one == other) | ((one != one) & (other != other))).all())


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Sums and sums of products of trials, as whole numbers, so that adding has no rounding and no order.

    Attributes
    ----------
    count, branches : int
    sums : object[branches * 14]
        Of the first 14 columns of each branch (`kernels.rollout`: values and chances, adjusted and raw), in units of
        2**-40.
    coarse : object[branches * 14]
        The same of the numbers rounded to units of 2**-20, which the products are made of.
    products : object[branches * 14, branches * 14]
        Of each pair, in units of 2**-40.
    """

    count: int
    branches: int
    sums: np.ndarray
    coarse: np.ndarray
    products: np.ndarray

    #: Numbers of a trial that are summed, for each branch.
    WIDTH = 14

    @classmethod
    def empty(cls, branches: int) -> Moments:
        size = branches * cls.WIDTH
        zeros = np.array([0] * size, dtype=object)
        return cls(0, branches, zeros, zeros, np.array([[0] * size] * size, dtype=object))

    def with_trials(self, rows: np.ndarray) -> Moments:
        """Add trials: float64[n, branches, columns], n at most some hundred."""
        numbers = rows[:, :, : self.WIDTH].reshape(len(rows), -1)
        sums = np.rint(numbers * 2.0**_SUM_BITS).astype(np.int64).sum(axis=0)
        coarse = np.rint(numbers * 2.0**_PRODUCT_BITS).astype(np.int64)
        return Moments(
            self.count + len(rows),
            self.branches,
            self.sums + sums.astype(object),
            self.coarse + coarse.sum(axis=0).astype(object),
            self.products + (coarse.T @ coarse).astype(object),
        )

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.count + other.count,
            self.branches,
            self.sums + other.sums,
            self.coarse + other.coarse,
            self.products + other.products,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moments):
            return NotImplemented
        return self.count == other.count and all(
            same_arrays(getattr(self, name), getattr(other, name)) for name in ("sums", "coarse", "products")
        )

    def __hash__(self) -> int:
        return hash((self.count, *self.sums.tolist()))

    def means(self) -> np.ndarray:
        """float64[branches * 14]."""
        return np.array([int(total) / (self.count << _SUM_BITS) for total in self.sums])

    def covariance(self) -> np.ndarray:
        """Covariance of the means: float64[branches * 14, branches * 14]; NaN for a single trial."""
        if self.count < 2:
            return np.full(self.products.shape, np.nan)
        size, n = len(self.sums), self.count
        result = np.empty((size, size))
        scale = n * n * (n - 1) << 2 * _PRODUCT_BITS
        for i in range(size):
            for j in range(i, size):
                spread = n * int(self.products[i, j]) - int(self.coarse[i]) * int(self.coarse[j])
                result[i, j] = result[j, i] = spread / scale
        return result

    def mean(self, what: str, branch: int) -> np.ndarray:
        """Mean of ``probs`` or ``raw_probs`` (six), ``value`` or ``raw_value`` (one) of a branch."""
        start, size = {"value": (0, 1), "raw_value": (1, 1), "probs": (2, 6), "raw_probs": (8, 6)}[what]
        offset = branch * self.WIDTH + start
        return self.means()[offset : offset + size]

    def _value_places(self) -> list[int]:
        return [branch * self.WIDTH for branch in range(self.branches)]

    def mean_values(self) -> np.ndarray:
        """Mean adjusted value of each branch."""
        return self.means()[self._value_places()]

    def value_covariance(self) -> np.ndarray:
        """Covariance of `mean_values`."""
        places = self._value_places()
        return self.covariance()[np.ix_(places, places)]

    def linear_mean(self, branch: int, weights: np.ndarray) -> float:
        """Mean of a linear function of the six adjusted chances."""
        return float(self.mean("probs", branch) @ weights)

    def linear_ses(self, branch: int, weights: np.ndarray) -> np.ndarray:
        """Standard errors of `linear_mean` for each row of weights float64[n, 6]."""
        places = slice(branch * self.WIDTH + 2, branch * self.WIDTH + 8)
        spread = np.einsum("ni,ij,nj->n", weights, self.covariance()[places, places], weights)
        return np.sqrt(np.maximum(spread, 0.0))

    def to_dict(self) -> dict:
        """Plain numbers (as text: they exceed 64 bits)."""
        return {
            "count": self.count,
            "branches": self.branches,
            "sums": [str(total) for total in self.sums],
            "coarse": [str(total) for total in self.coarse],
            "products": [[str(total) for total in row] for row in self.products],
        }

    @classmethod
    def from_dict(cls, data: dict) -> Moments:
        """Read what `to_dict` wrote.

        Raises
        ------
        DataMissing
            Sizes that do not fit, or no trials.
        """
        sums = np.array([int(total) for total in data["sums"]], dtype=object)
        coarse = np.array([int(total) for total in data["coarse"]], dtype=object)
        products = np.array([[int(total) for total in row] for row in data["products"]], dtype=object)
        count, branches = index(data["count"]), index(data["branches"])
        size = branches * cls.WIDTH
        if sums.shape != (size,) or coarse.shape != (size,) or products.shape != (size, size):
            raise DataMissing("the sums of a saved rollout have the wrong size")
        if count < 1 or branches < 1:
            raise DataMissing(f"a saved rollout of {count} trials in {branches} branches")
        return cls(count, branches, sums, coarse, products)
