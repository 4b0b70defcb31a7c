"""A scene as SVG text: no fonts, scripts or files from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import assert_never
from xml.sax.saxutils import escape, quoteattr

from .scene import LEFT_TO_RIGHT, Box, Curve, Disc, Label, Polygon, Scene, Shape, Spot
from .themes import AUTO, PAINTS, Theme

#: SVG units in one board unit.
SCALE = 20
#: Class that carries the colours of the theme which follows the reader's preference.
_AUTO_CLASS = f"cubelab-{AUTO}"


def svg_text(scene: Scene, theme: Theme, dark: Theme | None, width: int) -> str:
    """SVG of a scene.

    Parameters
    ----------
    scene : Scene
    theme : Theme
    dark : Theme or None
        Colours for readers who prefer dark, by a style sheet; readers without style sheets get `theme`.
    width : int
        Pixels; the height follows.
    """
    height = round(width * scene.height / scene.width)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {_number(scene.width)} {_number(scene.height)}" role="img"'
        f' aria-label={quoteattr(_printable(scene.title))} font-family="sans-serif"'
        f"{f' class={quoteattr(_AUTO_CLASS)}' if dark else ''}>",
        f"<title>{_text(scene.title)}</title><desc>{_text(scene.description)}</desc>",
    ]
    roles = {shape.role for shape in scene.shapes}
    if dark:
        parts.append(f"<style>{''.join(_rules(roles, theme, dark))}</style>")
    for role, group in groupby(scene.shapes, key=lambda shape: shape.role):
        name = f' class="cb-{role}"' if dark else ""
        parts.append(f"<g{_paint(role, theme)}{name}>")
        parts.extend(_element(shape) for shape in group)
        parts.append("</g>")
    parts.append("</svg>")
    return "".join(parts)


def _paint(role: str, theme: Theme) -> str:
    fill, stroke, width = theme.paint(role)
    line = f' stroke="{stroke}" stroke-width="{_number(width)}"' if stroke else ""
    return f' fill="{fill or "none"}"{line}'


def _rules(roles: set[str], light: Theme, dark: Theme) -> Iterator[str]:
    """Style rules: dark by the browser's preference, overruled by what JupyterLab, VS Code, Colab or a page
    say of themselves."""
    names = sorted({name for role in roles for name in PAINTS[role][:2] if name})
    colours = {
        theme: ";".join(f"--{name}:{getattr(theme, name)}" for name in names) for theme in (light, dark)
    }  # fmt: skip
    here = f".{_AUTO_CLASS}"
    yield f"{here}{{{colours[light]}}}"
    yield f"@media(prefers-color-scheme:dark){{{here}{{{colours[dark]}}}}}"
    for theme, name, jupyter in ((light, "light", "true"), (dark, "dark", "false")):
        pages = f"[data-jp-theme-light={jupyter}]", f".vscode-{name}", f"[data-theme={name}]", f"[theme={name}]"
        yield f"{','.join(f'{page} {here}' for page in pages)}{{{colours[theme]}}}"
    for role in sorted(roles):
        fill, stroke, _ = PAINTS[role]
        paint = [f"{what}:var(--{name})" for what, name in (("fill", fill), ("stroke", stroke)) if name]
        yield f"{here} .cb-{role}{{{';'.join(paint)}}}"


def _element(shape: Shape) -> str:
    match shape:
        case Disc():
            return f'<circle {_at("c", shape.centre)} r="{_number(shape.radius)}"/>'
        case Box():
            rounding = f' rx="{_number(shape.rounding)}"' if shape.rounding else ""
            size = f'width="{_number(shape.width)}" height="{_number(shape.height)}"'
            return f"<rect {_at('', shape.corner)} {size}{rounding}/>"
        case Polygon():
            return f'<path d="M{"L".join(map(_pair, shape.spots))}Z"/>'
        case Curve():
            dashes = f' stroke-dasharray="{_number(0.3)} {_number(0.18)}"' if shape.dashed else ""
            return f'<path d="M{_pair(shape.start)}Q{_pair(shape.control)} {_pair(shape.end)}"{dashes}/>'
        case Label():
            # A third of the size below the middle puts digits and capitals of common fonts at half height.
            x, y = shape.centre
            anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
            weight = ' font-weight="bold"' if shape.bold else ""
            spot = _at("", (x, y + 0.355 * shape.size))
            return f'<text {spot} font-size="{_number(shape.size)}"{anchor}{weight}>{_text(shape.text)}</text>'
        case _:
            assert_never(shape)


def _number(value: float) -> str:
    return f"{value * SCALE:.1f}".removesuffix(".0")


def _pair(spot: Spot) -> str:
    return f"{_number(spot[0])} {_number(spot[1])}"


def _at(prefix: str, spot: Spot) -> str:
    return f'{prefix}x="{_number(spot[0])}" {prefix}y="{_number(spot[1])}"'


def _text(text: str) -> str:
    return escape(_printable(text))


def _printable(text: str) -> str:
    """Text without the control characters that XML forbids."""
    return "".join(c for c in text if c.isprintable() or c == LEFT_TO_RIGHT)
