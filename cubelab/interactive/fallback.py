"""What stands in a notebook where its widgets cannot run: files shown without a kernel."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any


class WithFallback:
    """Mixed into a widget: adds `fallback_html` to what Jupyter stores beside the widget."""

    @abstractmethod
    def fallback_html(self) -> str:
        """A picture of the present state, without scripts."""

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None:
            data["text/html"] = self.fallback_html()
        return bundle
