"""Enumerations whose repr can be run, as that of every other value."""

from __future__ import annotations

from typing import Any


class RunnableRepr:
    """Mixed into an enumeration: ``Owner.CENTRE`` instead of ``<Owner.CENTRE: 0>``."""

    name: Any

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
