"""How sure a rolled-out verdict is, from the joint spread of its two estimates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

#: Points and reach (in standard deviations) of the integration over the double/take equity.
_POINTS, _REACH = 2001, 8.0


@dataclass(frozen=True, slots=True)
class Confidence:
    """Attributes
    ----------
    verdict_probability : float
        That both the double and the answer to it are the right ones.
    double_probability, response_probability : float
        That each of them is.
    regret : float
        Expected cost of the double decision being wrong, in equity per current cube.
    """

    verdict_probability: float
    double_probability: float
    response_probability: float
    regret: float


def confidence(means: Sequence[float], covariance: np.ndarray) -> Confidence:
    """Chances that the verdict of two estimates holds, both normal with the covariance of their means.

    Parameters
    ----------
    means : (float, float)
        Equities of no double and double/take; double/pass is 1.
    covariance : float64[2, 2]
    """
    no_double, double_take = means
    sd_take = math.sqrt(max(covariance[1, 1], 0.0))
    doubles, takes = min(double_take, 1.0) > no_double, double_take <= 1.0
    slope = covariance[0, 1] / covariance[1, 1] if covariance[1, 1] > 0 else 0.0
    rest = math.sqrt(max(covariance[0, 0] - slope * covariance[0, 1], 0.0))
    z = np.linspace(-_REACH, _REACH, _POINTS) if sd_take > 0 else np.zeros(1)
    weight = np.exp(-(z**2) / 2)
    weight /= weight.sum()
    take = double_take + sd_take * z
    doubled = np.minimum(take, 1.0)
    given = no_double + slope * (take - double_take)
    # Given double/take, no double is normal around `given`: chance that it stays below, and by how much on average.
    gap = doubled - given
    if rest > 0:
        ratio = gap / rest
        below = 0.5 * (1.0 + np.array([math.erf(value / math.sqrt(2)) for value in ratio]))
        density = np.exp(-(ratio**2) / 2) / math.sqrt(2 * math.pi)
        gain = gap * below + rest * density  # E[max(doubled - no_double, 0)]
    else:
        below, gain = (gap > 0).astype(float), np.maximum(gap, 0.0)
    right_double = below if doubles else 1.0 - below
    right_answer = ((take <= 1.0) if takes else (take > 1.0)).astype(float)
    regret = (gain - gap) if doubles else gain
    return Confidence(
        float(weight @ (right_double * right_answer)),
        float(weight @ right_double),
        float(weight @ right_answer),
        float(max(weight @ regret, 0.0)),
    )


def lead_confidence(lead: float, se: float) -> tuple[float, float]:
    """Chance that a normal estimate `lead` above 0 is so, and the expected cost of its not being so.

    Parameters
    ----------
    lead, se : float
        The estimate, at least 0, and its standard error, in equity.
    """
    if not se > 0:
        return 1.0, 0.0
    z = lead / se
    below = 0.5 * math.erfc(z / math.sqrt(2))
    return 1.0 - below, se * math.exp(-z * z / 2) / math.sqrt(2 * math.pi) - lead * below
