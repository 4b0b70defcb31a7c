"""Parts of the JSON documents that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import NotationError

if TYPE_CHECKING:
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
