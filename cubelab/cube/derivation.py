"""A derivation as a tree of numbers: each with how it follows from the numbers below it, in words and in symbols.

The tree is computed by the operations that it names, so it adds up exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from math import exp
from typing import Any, Final

from .models import JUMP
from .verdict import judge


def _average(*numbers: float) -> float:
    half = len(numbers) // 2
    weights, values = numbers[:half], numbers[half:]
    return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)


def _verdict(no_double: float, double_take: float, double_pass: float, counts: float, **more: float) -> str:
    return judge(no_double, double_take, double_pass, gammons_count=bool(counts), **more).value


def _waited(x: float, mix: float, p: float, cash: float, passed: float, w: float, loss: float) -> float:
    jump = JUMP * (1.0 - x)
    bend = (passed - loss) / cash - x * (w - passed) / (1.0 - cash)
    cost = 0.5 * bend * jump * exp(-abs(p - cash) / jump) if jump > 0.0 and bend > 0.0 else 0.0
    return max(mix - cost, p * w + (1.0 - p) * loss)


#: Depth to which a derivation is unfolded at first.
_SHOWN: Final = 3
#: What a node does with the numbers below it: symbols for people, and the computation itself.
OPERATIONS: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "verdict": ("double when min(DT, DP) > ND; the answer is the smaller of DT and DP", _verdict),
    "verdict with beaver": (
        "double when min(DT, DP, DB) > ND; the answer is the smallest of DT, DP and DB",
        lambda nd, dt, dp, counts, db: _verdict(nd, dt, dp, counts, double_beaver=db),
    ),
    "verdict with redouble": (
        "double when min(DT, DP, DR) > ND; the answer is the smallest of DT, DP and DR",
        lambda nd, dt, dp, counts, dr: _verdict(nd, dt, dp, counts, double_redouble=dr),
    ),
    "equity": ("(2·v − (w + l)) / (w − l)", lambda v, w, lost: (2.0 * v - (w + lost)) / (w - lost)),
    "mix": ("x·live + (1 − x)·dead", lambda x, live, dead: x * live + (1.0 - x) * dead),
    "waiting": (
        "v − ½·b·j·e^(−|p − c| / j), b = (pass − L) / c − x·(W − pass) / (1 − c), j = 0.25·(1 − x); at least dead",
        _waited,
    ),
    "straight": ("p·W + (1 − p)·L", lambda p, w, loss: p * w + (1.0 - p) * loss),
    "line": (
        "v₀ + (v₁ − v₀)·(p − p₀) / (p₁ − p₀)",
        lambda p, p0, v0, p1, v1: v0 + (v1 - v0) * (p - p0) / (p1 - p0),
    ),
    "average": ("Σ chance·payoff / Σ chance", _average),
    "share": ("(win + win gammon + win backgammon) / all", lambda *p: (p[0] + p[1] + p[2]) / sum(p)),
    "cash": ("t + (1 − t)·(pass − vₜ) / (W − vₜ)", lambda t, passed, v, w: t + (1.0 - t) * (passed - v) / (w - v)),
    "take": ("c·(pass − L) / (v_c − L)", lambda c, passed, loss, v: c * (passed - loss) / (v - loss)),
    "endless cash": ("(L + 1) / (W + L + ½), in units of the cube", lambda w, loss, one: _endless(w, loss, one)[0]),
    "endless take": ("(L − ½) / (W + L + ½), in units of the cube", lambda w, loss, one: _endless(w, loss, one)[1]),
    "at least": ("the greater of the two", max),
    "at most": ("the smaller of the two", min),
    "middle": ("half way between", lambda a, b: 0.5 * (a + b)),
    "pips": ("cube · (1, 2 or 3) · pips", lambda cube, times, pips: times * pips * cube),
    "product": ("product", lambda a, b: a * b),
}


def _endless(w: float, loss: float, one: float) -> tuple[float, float]:
    w, loss = w / one, -loss / one
    return (loss + 1.0) / (w + loss + 0.5), (loss - 0.5) / (w + loss + 0.5)


@dataclass(frozen=True, slots=True)
class Node:
    """One number of a derivation.

    Attributes
    ----------
    symbol : str
        Short name in formulas.
    words : str
        What it is.
    value : float or str
        The number; the verdict's code at the root.
    operation : str or None
        Key of `OPERATIONS`; None for a leaf.
    inputs : tuple of Node
    unit : str
        ``chance``, ``mwc``, ``points``, ``equity`` or empty.
    """

    symbol: str
    words: str
    value: float | str
    operation: str | None = None
    inputs: tuple[Node, ...] = ()
    unit: str = ""

    @property
    def formula(self) -> str:
        """How the number follows from the inputs, in symbols; empty for a leaf."""
        return OPERATIONS[self.operation][0] if self.operation else ""

    def recomputed(self) -> float | str:
        """The value from the inputs' values; a leaf gives its own."""
        if self.operation is None:
            return self.value
        return OPERATIONS[self.operation][1](*(node.value for node in self.inputs))

    def walk(self) -> Iterator[Node]:
        """This node and all below it, each once."""
        seen: set[int] = set()
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            yield node
            waiting.extend(reversed(node.inputs))

    def number(self, exercise: bool = False) -> str:
        """The value as printed; blank for a leaf of an exercise."""
        if exercise and not self.inputs:
            return "____"
        if isinstance(self.value, str):
            return self.value
        if self.unit in ("chance", "mwc"):
            return f"{100 * self.value:.3f} %"
        return f"{self.value:+.4f}" if self.unit in ("points", "equity") else f"{self.value:g}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Derivation tree of a cube decision.

    Attributes
    ----------
    root : Node
    title : str
        The verdict in words.
    """

    root: Node
    title: str

    def text(self, *, exercise: bool = False) -> str:
        """The tree as indented lines; a number used again is named but not derived twice.

        Parameters
        ----------
        exercise : bool
            Blank the leaves, to be filled in.
        """
        lines = [self.title]
        for depth, node, again in _lines(self.root):
            how = f"  = {node.formula}" if node.inputs and not again else ""
            more = "  (as above)" if again and node.inputs else ""
            lines.append(f"{'  ' * depth}{node.symbol} = {node.number(exercise)}  {node.words}{how}{more}")
        return "\n".join(lines)

    def html(self, *, exercise: bool = False) -> str:
        """The tree as nested lists that open and close.

        Parameters
        ----------
        exercise : bool
            Blank the leaves.
        """
        seen: set[int] = set()

        def item(node: Node, depth: int) -> str:
            head = f"<b>{escape(node.symbol)}</b> = {escape(node.number(exercise))} {escape(node.words)}"
            if not node.inputs or id(node) in seen:
                again = " <i>(as above)</i>" if node.inputs else ""
                return f"<li>{head}{again}</li>"
            seen.add(id(node))
            inner = "".join(item(child, depth + 1) for child in node.inputs)
            details = "<details open>" if depth < _SHOWN else "<details>"
            formula = f"<i style='opacity:.7'>{escape(node.formula)}</i>"
            return f"<li>{details}<summary>{head}</summary>{formula}<ul>{inner}</ul></details></li>"

        return f"<div><p>{escape(self.title)}</p><ul>{item(self.root, 0)}</ul></div>"

    def to_dict(self, *, exercise: bool = False) -> dict:
        """Nested dicts: symbol, words, value, unit, formula, inputs; leaf values None in an exercise."""

        def convert(node: Node) -> dict:
            return {
                "symbol": node.symbol,
                "words": node.words,
                "value": None if exercise and not node.inputs else node.value,
                "unit": node.unit,
                "formula": node.formula,
                "inputs": [convert(child) for child in node.inputs],
            }

        return {"title": self.title, "tree": convert(self.root)}

    def _repr_html_(self) -> str:
        return self.html()

    def __str__(self) -> str:
        return self.text()


def _lines(root: Node) -> Iterator[tuple[int, Node, bool]]:
    """Depth, node and whether it was derived before, in reading order."""
    seen: set[int] = set()
    waiting = [(0, root)]
    while waiting:
        depth, node = waiting.pop()
        again = id(node) in seen
        yield depth, node, again
        seen.add(id(node))
        if not again:
            waiting.extend((depth + 1, child) for child in reversed(node.inputs))
