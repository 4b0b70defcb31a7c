"""Colours of board diagrams.

Checkers of the two sides always differ in lightness, not in hue alone. The colour-blind safe colours are those of
Okabe and Ito, *Color Universal Design* (2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from ..errors import CubelabError

#: Name of the theme that follows the reader's light or dark preference.
AUTO: Final = "auto"


class Paint(NamedTuple):
    """Fill and stroke of a role, as colours of the theme (None: not painted); stroke width in board units."""

    fill: str | None
    stroke: str | None = None
    width: float = 0.0


#: How each role of a scene is painted; the words are fields of `Theme`.
PAINTS: Final[dict[str, Paint]] = {
    "page": Paint("page"),
    "frame": Paint("frame", "edge", 0.05),
    "field": Paint("field", "edge", 0.03),
    "tray": Paint("tray", "edge", 0.03),
    "point_a": Paint("point_a", "edge", 0.025),
    "point_b": Paint("point_b", "edge", 0.025),
    "number": Paint("number"),
    "x": Paint("x", "x_line", 0.06),
    "x_ink": Paint("x_ink"),
    "o": Paint("o", "o_line", 0.06),
    "o_ink": Paint("o_ink"),
    "cube": Paint("cube", "cube_ink", 0.05),
    "cube_ink": Paint("cube_ink"),
    "text": Paint("text"),
    "faint": Paint("faint"),
    "field_text": Paint("field_text"),
    "halo": Paint(None, "halo", 0.24),
    "arrow": Paint(None, "arrow", 0.13),
    "arrow_head": Paint("arrow", "halo", 0.04),
    "landing": Paint(None, "arrow", 0.08),
    "best": Paint(None, "best", 0.13),
    "best_head": Paint("best", "halo", 0.04),
    "badge": Paint("badge", "halo", 0.05),
    "badge_ink": Paint("badge_ink"),
}


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours (``#rrggbb``) of a board diagram.

    ``x`` is the side in the bottom seat of the ids (turn 1), ``o`` the other; an ``ink`` is what is written on its
    namesake, a ``line`` surrounds it.
    """

    page: str
    frame: str
    edge: str
    field: str
    tray: str
    point_a: str
    point_b: str
    number: str
    x: str
    x_line: str
    x_ink: str
    o: str
    o_line: str
    o_ink: str
    cube: str
    cube_ink: str
    text: str
    faint: str
    field_text: str
    halo: str
    arrow: str
    best: str
    badge: str
    badge_ink: str

    def paint(self, role: str) -> Paint:
        """Fill and stroke of a role as ``#rrggbb``."""
        fill, stroke, width = PAINTS[role]
        return Paint(
            None if fill is None else getattr(self, fill), None if stroke is None else getattr(self, stroke), width
        )


_LIGHT = Theme(
    page="#ffffff", frame="#8a6f52", edge="#4d3d2c", field="#f3e9d7", tray="#e2d2b8", point_a="#c9a77c",
    point_b="#a3b1a0", number="#ffffff", x="#fbfaf5", x_line="#3a3a3a", x_ink="#222222", o="#5b1f24",
    o_line="#240a0c", o_ink="#ffffff", cube="#ffffff", cube_ink="#222222", text="#222222", faint="#5c5c5c",
    field_text="#3a2e20", halo="#ffffff", arrow="#005fae", best="#00754f", badge="#b3261e", badge_ink="#ffffff",
)  # fmt: skip
_DARK = Theme(
    page="#16181c", frame="#3b3f47", edge="#0c0d0f", field="#262a31", tray="#1e2127", point_a="#56606e",
    point_b="#3d5a58", number="#d5d9e0", x="#eceae3", x_line="#0c0d0f", x_ink="#1a1a1a", o="#8f2f36",
    o_line="#f0c9c9", o_ink="#ffffff", cube="#e8e6df", cube_ink="#1a1a1a", text="#e6e8ec", faint="#a5abb5",
    field_text="#d5d9e0", halo="#0c0d0f", arrow="#6cb6ff", best="#4fd6a0", badge="#ff8a80", badge_ink="#1a0505",
)  # fmt: skip
_COLOUR_BLIND = Theme(
    page="#ffffff", frame="#6b6b6b", edge="#3a3a3a", field="#f5f5f2", tray="#e4e4e0", point_a="#cfcfc8",
    point_b="#a9adb0", number="#ffffff", x="#f0e442", x_line="#333333", x_ink="#111111", o="#0072b2",
    o_line="#002b45", o_ink="#ffffff", cube="#ffffff", cube_ink="#111111", text="#111111", faint="#555555",
    field_text="#222222", halo="#ffffff", arrow="#111111", best="#007a5a", badge="#a34700", badge_ink="#ffffff",
)  # fmt: skip
_HIGH_CONTRAST = Theme(
    page="#000000", frame="#000000", edge="#ffffff", field="#000000", tray="#000000", point_a="#4d4d4d",
    point_b="#1f1f1f", number="#ffffff", x="#ffffff", x_line="#000000", x_ink="#000000", o="#0000c8",
    o_line="#ffffff", o_ink="#ffffff", cube="#ffff00", cube_ink="#000000", text="#ffffff", faint="#ffffff",
    field_text="#ffffff", halo="#000000", arrow="#ffff00", best="#00ff90", badge="#ffff00", badge_ink="#000000",
)  # fmt: skip
_PRINT = Theme(
    page="#ffffff", frame="#ffffff", edge="#000000", field="#ffffff", tray="#ffffff", point_a="#bdbdbd",
    point_b="#ffffff", number="#000000", x="#ffffff", x_line="#000000", x_ink="#000000", o="#000000",
    o_line="#ffffff", o_ink="#ffffff", cube="#ffffff", cube_ink="#000000", text="#000000", faint="#000000",
    field_text="#000000", halo="#ffffff", arrow="#000000", best="#5a5a5a", badge="#000000", badge_ink="#ffffff",
)  # fmt: skip

THEMES: Final[dict[str, Theme]] = {
    "light": _LIGHT,
    "dark": _DARK,
    "colour-blind": _COLOUR_BLIND,
    "high-contrast": _HIGH_CONTRAST,
    "print": _PRINT,
}


def checked_theme(theme: str | Theme) -> tuple[Theme, Theme | None]:
    """A theme and, for ``"auto"``, its dark counterpart.

    Raises
    ------
    CubelabError
        Unknown name.
    """
    if isinstance(theme, Theme):
        return theme, None
    if theme == AUTO:
        return _LIGHT, _DARK
    if not isinstance(theme, str) or theme not in THEMES:
        raise CubelabError(f"unknown board theme {theme!r}; known are {', '.join((AUTO, *THEMES))}")
    return THEMES[theme], None
