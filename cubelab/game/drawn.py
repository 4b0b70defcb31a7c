"""Values of the game draw themselves in notebooks."""

from __future__ import annotations

from importlib import import_module


class Drawn:
    """Jupyter's display hooks for what a board diagram can show.

    The hooks look the drawing code up by its name at the moment of display: `cubelab.plot` stands above this package,
    nothing here may depend on it, and programs that never show a picture never load it.
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return import_module("cubelab.plot").board(self)._repr_svg_()

    def _repr_html_(self) -> str:
        return import_module("cubelab.plot").board(self)._repr_html_()
