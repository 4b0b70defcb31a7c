"""The doubling window drawn as SVG that follows light and dark pages: equities above, verdicts below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..cube.models import CubeModel, DeadCube, LiveCube
from ..cube.verdict import Verdict
from ..cube.windows import MarketWindow, market_window
from ..game import Probabilities
from ..plot.figures import signed
from ..plot.verdicts import LOOKS
from ..score.stakes import Stakes

_LEFT, _RIGHT, _WIDTH = 62.0, 12.0, 640.0
_TOP, _LINES, _GAP, _BAND = 34.0, 190.0, 14.0, 26.0
#: Win chances at which the options are computed; odd, so that one half is among them.
_STEPS: Final = 401
#: Okabe and Ito's blue and vermilion; the lines also differ in their dashes.
_OPTIONS: Final = (
    ("no_double", "no double", "currentColor", ""),
    ("double_take", "double, take", "#2f8fd0", "7 3"),
    ("double_pass", "double, pass", "#d9731a", "2 3"),
)


def window_chart(chances: Probabilities, win: float, stakes: Stakes, model: CubeModel) -> str:
    """SVG of the options and verdicts along the win chance, the shares of gammons held fixed.

    Parameters
    ----------
    chances : Probabilities
        Fix the shares of gammons.
    win : float
        Marked by a vertical line.
    stakes : Stakes
    model : CubeModel
        Of the lines; the verdicts are also drawn for the dead and the live cube.
    """
    rows: dict[str, CubeModel] = {"dead": DeadCube(), f"x = {model.x:.2f}": model, "live": LiveCube()}
    windows = {name: market_window(chances, stakes, kind, steps=_STEPS) for name, kind in rows.items()}
    lines = windows[f"x = {model.x:.2f}"]
    height = _TOP + _LINES + _GAP + len(rows) * (_BAND + 4) + 34
    parts = [
        f'<svg class="cubelab-chart" viewBox="0 0 {_WIDTH:g} {height:g}" role="img" font-size="12"'
        ' fill="currentColor" font-family="sans-serif" xmlns="http://www.w3.org/2000/svg">',
        f"<title>Equities and verdicts by games won; now {100 * win:.1f} per cent</title>",
        *_curves(lines, "points" if stakes.money else "EMG"),
    ]
    top = _TOP + _LINES + _GAP
    for name, window in windows.items():
        parts += _bands(window, name, top)
        top += _BAND + 4
    for tick in range(0, 101, 10):
        parts.append(_text(_x(tick / 100), top + 12, f"{tick}", "middle"))
    parts.append(_text(_x(0.5), top + 28, "games won, %", "middle"))
    x = _x(win)
    parts += [
        # Dark below the line of the page's colour, which is light on dark pages, as some bands are.
        f'<path d="M{x:.1f} {_TOP - 4:g}V{top:.1f}" stroke="#222" stroke-width="3.4" opacity="0.6"/>',
        f'<path d="M{x:.1f} {_TOP - 4:g}V{top:.1f}" stroke="currentColor" stroke-width="1.5"/>',
        _text(min(max(x, _LEFT + 22), _WIDTH - 30), _TOP - 4, f"{100 * win:.1f} %", "middle", bold=True),
        "</svg>",
    ]
    return "".join(parts)


def _x(win: float) -> float:
    return _LEFT + win * (_WIDTH - _LEFT - _RIGHT)


def _curves(window: MarketWindow, unit: str) -> list[str]:
    """Lines of the options that exist, with a scale of equities and a legend."""
    known = {name: getattr(window, name) for name, *_ in _OPTIONS if np.isfinite(getattr(window, name)).any()}
    low = min(float(values.min()) for values in known.values())
    high = max(float(values.max()) for values in known.values())
    margin = 0.04 * max(high - low, 1e-6)
    low, high = low - margin, high + margin

    def y(value: float) -> float:
        return _TOP + _LINES * (high - value) / (high - low)

    parts = [
        f'<path d="M{_LEFT:g} {_TOP:g}V{_TOP + _LINES:g}H{_WIDTH - _RIGHT:g}" stroke="currentColor" fill="none"'
        ' opacity="0.5"/>',
        f'<text transform="translate(12 {_TOP + _LINES / 2:g}) rotate(-90)" text-anchor="middle">equity, {unit}</text>',
    ]
    for tick in _ticks(low, high):
        parts.append(
            f'<path d="M{_LEFT - 4:g} {y(tick):.1f}H{_WIDTH - _RIGHT:g}" stroke="currentColor" opacity="0.15"/>'
        )
        parts.append(_text(_LEFT - 8, y(tick) + 4, signed(tick, 1), "end"))
    legend = _LEFT + 10
    for name, label, colour, dashes in _OPTIONS:
        if name not in known:
            continue
        points = " ".join(f"{_x(win):.1f},{y(value):.1f}" for win, value in zip(window.win, known[name], strict=True))
        line = f'stroke="{colour}" stroke-width="2.2" fill="none"' + (f' stroke-dasharray="{dashes}"' if dashes else "")
        parts.append(f'<polyline points="{points}" {line}/>')
        parts.append(f'<path d="M{legend:g} 8h26" {line}/>')
        parts.append(_text(legend + 31, 12, label))
        legend += 50 + 6.6 * len(label)
    return parts


def _ticks(low: float, high: float) -> list[float]:
    """About six round numbers between two."""
    step = next(step for step in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 1e9) if (high - low) / step <= 7)
    return [step * number for number in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def _bands(window: MarketWindow, name: str, top: float) -> list[str]:
    parts = [_text(_LEFT - 8, top + _BAND / 2 + 4, name, "end")]
    for low, high, code in _stretches(window):
        look = LOOKS["" if code is None else Verdict(code).name]
        left, width = _x(low), _x(high) - _x(low)
        parts.append(
            f'<rect x="{left:.1f}" y="{top:g}" width="{width:.1f}" height="{_BAND:g}" fill="{look.colour}"'
            f' stroke="#6b6b6b" stroke-width="0.6"><title>{look.name}, {100 * low:.1f}–{100 * high:.1f} %</title>'
            "</rect>"
        )
        if width > 9.0 * len(look.code):
            parts.append(_text(left + width / 2, top + _BAND / 2 + 4, look.code, "middle", "#111111"))
    return parts


def _stretches(window: MarketWindow) -> Sequence[tuple[float, float, str | None]]:
    """Bands that meet in the middle between two win chances; the ties at 0 and 1 belong to their neighbours."""
    codes = window.verdicts.copy()
    codes[0], codes[-1] = codes[1], codes[-2]
    inner = MarketWindow(window.win, window.no_double, window.double_take, window.double_pass, codes).bands
    half = (window.win[1] - window.win[0]) / 2
    return [(max(low - half, 0.0), min(high + half, 1.0), code) for low, high, code in inner]


def _text(x: float, y: float, text: str, anchor: str = "start", fill: str = "", *, bold: bool = False) -> str:
    paint = f' fill="{fill}"' if fill else ""
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{paint}{weight}>{text}</text>'
