"""Our rollouts against rolled-out truth: are they the same within both errors, and how far apart by class?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ..engine.rollout_run import rollout
from ..engine.rollout_settings import RolloutSettings
from ..errors import SettingsError
from ..game import MatchState, Position, Rules, Situation
from .strength import KINDS, TOTAL, Truth, equity, position_kind, seen_by_player


@dataclass(frozen=True, slots=True)
class Agreement:
    """How rolled-out equities (points, cubeless money) differ from the truth's.

    Attributes
    ----------
    positions : int
    difference, error : float
        Mean of ours less the truth's, and its standard error from the spread of both rollouts.
    spread : float
        Standard deviation of the single differences in units of their joint standard errors; 1 where dice alone make
        them, more where the two players differ.
    player_rms : float
        What dice do not explain of a single difference: root of the mean square left over.
    chances : tuple of 5 floats
        Mean difference of each cumulative chance (win, win gammon, win backgammon, lose gammon, lose backgammon).
    """

    positions: int
    difference: float
    error: float
    spread: float
    player_rms: float
    chances: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def agreement(
    truth: Truth,
    count: int,
    settings: RolloutSettings,
    *,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Agreement]:
    """Roll out rows of the truth, evenly spread over it, and compare by class of position, `TOTAL` first.

    Parameters
    ----------
    truth : Truth
    count : int
        Rows.
    settings : RolloutSettings
        Played without the cube whatever they say.
    progress : callable, optional
        Called with the number of positions done.

    Raises
    ------
    SettingsError
        Fewer than 2 rows wanted, or more than there are.
    """
    if not 2 <= count <= len(truth.boards):
        raise SettingsError(f"{count} rows: choose 2 to {len(truth.boards)}, as many as the truth has")
    chosen = np.linspace(0, len(truth.boards) - 1, count).astype(int)
    ours, errors = np.empty((count, 5)), np.empty(count)
    match, cubeless = MatchState(rules=Rules(jacoby=False)), replace(settings, cubeful=False, keep_trials=False)
    for number, row in enumerate(chosen):
        rolled = Position(tuple(int(place) for place in -truth.boards[row][::-1]))
        # Dice of its own for every row: with the same ones what luck leaves would not average out over the rows.
        result = rollout(Situation(rolled, match=match), replace(cubeless, seed=(settings.seed + number) % 2**63))
        if result.interrupted and settings.stop_time is None:  # what there is would be taken for the whole
            raise KeyboardInterrupt
        ours[number] = seen_by_player(result.moments.mean("probs", 0)[None])[0]
        errors[number] = result.se.cubeless
        if progress is not None:
            progress(number + 1)
    theirs = truth.probabilities[chosen]
    # Where both are exact, rounding alone is left.
    gaps, variances = equity(ours) - equity(theirs), errors**2 + truth.se[chosen] ** 2 + 1e-8
    kinds = np.array([position_kind(truth.boards[row]) for row in chosen])

    def of(part: np.ndarray) -> Agreement:
        left = float((gaps[part] ** 2 - variances[part]).mean())
        return Agreement(
            int(part.sum()),
            float(gaps[part].mean()),
            float(np.sqrt(variances[part].sum()) / part.sum()),
            float(np.sqrt((gaps[part] ** 2 / variances[part]).mean())),
            float(np.sqrt(max(left, 0.0))),
            tuple(float(mean) for mean in (ours - theirs)[part].mean(axis=0)),
        )

    every = {TOTAL: of(np.ones(count, np.bool_))}
    return every | {kind: of(kinds == kind) for kind in KINDS if (kinds == kind).any()}
