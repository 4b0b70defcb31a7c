"""Parts of the JSON documents that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import NotationError

if TYPE_CHECKING:
    from ..engine.rollout import Rollout
    from ..game import Probabilities, Situation

CHANCES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def probabilities_json(probabilities: Probabilities) -> dict[str, float]:
    """Cumulative chances, as programs print them."""
    return dict(zip(CHANCES, (float(chance) for chance in probabilities.cumulative), strict=True))


def ids_json(situation: Situation) -> dict[str, Any]:
    """Both ids of a situation; the GNU id is null where it cannot hold the situation (a pending beaver)."""
    try:
        gnuid = situation.gnuid
    except NotationError:
        gnuid = None
    return {"position": situation.xgid, "gnuid": gnuid}


def rollout_part(rollout: Rollout) -> dict[str, Any]:
    """What the documents of other commands say about a rollout behind their numbers."""
    se, sure = rollout.se.to_dict(), rollout.confidence
    return {
        "trials": rollout.count,
        "se": {name: se[name] for name in ("no_double", "double_take", "difference")},
        "verdict_probability": None if sure is None else sure.verdict_probability,
    }
