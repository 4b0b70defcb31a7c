"""Answers of other engines, checked and brought into the shape of our own evaluations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..cube.decision import decision_from_values
from ..game import Probabilities, Situation
from ..score.stakes import Stakes
from .child import EngineFailed
from .evaluator import Evaluation, Provenance


def read_answers(answers: Any, count: int, engine: str) -> list[tuple[list[float], float, float]]:
    """Five cumulative chances, no double and double/take of each of `count` questions, as an engine answered.

    Raises
    ------
    EngineFailed
        The answer is something else, or holds numbers that are none.
    """
    try:
        read = [([float(c) for c in chances], float(no_double), float(taken)) for chances, no_double, taken in answers]
    except (TypeError, ValueError, OverflowError):
        read = []
    if len(read) != count or any(len(c) != 5 or not all(map(math.isfinite, (*c, nd, dt))) for c, nd, dt in read):
        raise EngineFailed(f"{engine} answered something that is no evaluation: {answers!r:.200}")
    return read


def external_evaluation(
    situation: Situation,
    stakes: Stakes,
    cumulative: Sequence[float],
    no_double: float,
    double_take: float,
    ply: int,
    version: str,
) -> Evaluation:
    """Numbers of another engine in the shape of our own evaluations.

    Parameters
    ----------
    cumulative : sequence of 5 floats
        Win, win gammon, win backgammon, lose gammon, lose backgammon.
    no_double, double_take : float
        Equities per current cube (EMG at a score).
    ply : int
        As GNU Backgammon counts.
    version : str
        The engine.
    """
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (min(max(float(p), 0.0), 1.0) for p in cumulative)
    win_gammon, lose_gammon = min(win_gammon, win), min(lose_gammon, 1.0 - win)
    win_backgammon, lose_backgammon = min(win_backgammon, win_gammon), min(lose_backgammon, lose_gammon)
    probabilities = Probabilities.from_cumulative(win, win_gammon, win_backgammon, lose_gammon, lose_backgammon)
    decision = decision_from_values(
        float(stakes.from_emg(no_double)),
        float(stakes.from_emg(double_take)) if stakes.may_double else None,
        stakes,
        probabilities,
        model=version,
    )
    cubeless = float(stakes.to_emg(stakes.cubeless(probabilities.array)))
    source = Provenance(version, version, None if stakes.money else stakes.met_name, ply, version)
    return Evaluation(situation, probabilities, cubeless, float(no_double), decision, source)
