"""Walking through decisions: which are shown by the filters, and which one is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from ..errors import CubelabError
from ..study.decisions import KINDS

#: Orders of decisions: as they were played, or the most expensive first.
ORDERS: Final = ("match", "size")


class Item(NamedTuple):
    """What filters and order need of a decision; `error` is NaN where it was not analysed."""

    kind: str
    player: str
    error: float


@dataclass(frozen=True, slots=True)
class Browsing:
    """Filters and a place among the decisions that pass them.

    Attributes
    ----------
    items : tuple of Item
        All decisions in the order of the match.
    least : float
        Smallest error shown, EMG; at 0 also decisions that were not analysed.
    kind, player : str
        Only these; empty for all.
    order : {"match", "size"}
    place : int
        Which of `shown` is looked at, from 0.
    """

    items: tuple[Item, ...]
    least: float = 0.0
    kind: str = ""
    player: str = ""
    order: str = "match"
    place: int = 0

    def __post_init__(self) -> None:
        for name, value, known in (
            ("kind", self.kind, ("", *KINDS)),
            ("player", self.player, ("", *self.players)),
            ("order", self.order, ORDERS),
        ):
            if value not in known:
                raise CubelabError(f"{name} {value!r} is none of {', '.join(filter(None, known))}")
        if not self.least >= 0:
            raise CubelabError(f"least error {self.least} is not 0 or more")

    @property
    def players(self) -> tuple[str, ...]:
        """Names in the order of their first decision."""
        return tuple(dict.fromkeys(item.player for item in self.items))

    @property
    def shown(self) -> tuple[int, ...]:
        """Numbers of the decisions that pass the filters, in the order asked for."""
        passing = [
            number
            for number, item in enumerate(self.items)
            if self.kind in ("", item.kind)
            and self.player in ("", item.player)
            and (self.least == 0 or item.error >= self.least)
        ]
        if self.order == "size":
            # What was not analysed has no size and comes last.
            passing.sort(key=lambda number: -(self.items[number].error if self.items[number].error >= 0 else -1.0))
        return tuple(passing)

    @property
    def current(self) -> int | None:
        """Number of the decision looked at; None where no decision passes the filters."""
        shown = self.shown
        return shown[min(self.place, len(shown) - 1)] if shown else None

    def after(self, event: Mapping[str, Any]) -> Browsing:
        """The state after ``step`` (by), ``go`` (place) or ``filter`` (name, value).

        Raises
        ------
        CubelabError
            There is no such filter, or the value does not fit; nothing is changed.
        """
        match event:
            case {"type": "step", "by": int(by)}:
                return self._at(self.place + by)
            case {"type": "go", "place": int(place)}:
                return self._at(place)
            case {"type": "filter", "name": "least", "value": int() | float() as value}:
                return self._filtered(least=float(value))
            case {"type": "filter", "name": "kind" | "player" | "order" as name, "value": str(value)}:
                return self._filtered(**{name: value})
        raise CubelabError(f"this is nothing that a browser of decisions can do: {dict(event)!r}")

    def _at(self, place: int) -> Browsing:
        return replace(self, place=max(0, min(place, len(self.shown) - 1)))

    def _filtered(self, **changes: Any) -> Browsing:
        """Stay with the decision looked at where it is still shown; otherwise begin at the first."""
        before = self.current
        changed = replace(self, place=0, **changes)
        shown = changed.shown
        return replace(changed, place=shown.index(before)) if before in shown else changed
