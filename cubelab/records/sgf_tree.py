"""Smart Game Format: text → trees of nodes, whatever the game (www.red-bean.com/sgf, FF[4])."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..errors import RecordError
from .flags import NO_FLAGS, Flag

_CHARSET: Final = re.compile(rb"CA\s*\[\s*([A-Za-z0-9._:-]{1,40})\s*\]")
_NAME: Final = re.compile(r"[A-Za-z]+")
_BLANKS: Final = re.compile(r"\s*")
_VALUE_PART: Final = re.compile(r"[^\]\\]*")
#: Trees and nodes beyond this are no backgammon match.
MAX_NODES: Final = 100_000


@dataclass(slots=True)
class Node:
    """Properties of one node in the order of the file; `line` is where its semicolon stands."""

    line: int
    properties: dict[str, list[str]]

    def first(self, name: str, default: str = "") -> str:
        """First value of a property."""
        return self.properties.get(name, [default])[0]


@dataclass(slots=True)
class Tree:
    """The main line of one game tree, and how many nodes stand in variations beside it."""

    nodes: list[Node]
    variation_nodes: int = 0


def decode_sgf(data: bytes) -> tuple[str, frozenset[Flag]]:
    """Text of an SGF file: by byte order mark, by the character set it declares, else UTF-8, else Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace"), NO_FLAGS
    declared = _CHARSET.search(data[:65536])
    for name in ("utf-8-sig", declared[1].decode("ascii") if declared else ""):
        try:
            if name and codecs.lookup(name)._is_text_encoding:
                return data.decode(name), NO_FLAGS
        except (LookupError, UnicodeError):
            continue
    return data.decode("cp1252", errors="replace"), frozenset({Flag.ENCODING_ASSUMED})


def read_trees(text: str, file: str) -> list[Tree]:
    """Main lines of all game trees of a collection.

    Parameters
    ----------
    text : str
    file : str
        For messages.

    Raises
    ------
    RecordError
        Text that breaks the grammar, or too many nodes.
    """
    trees: list[Tree] = []
    # Per open bracket: whether its nodes belong to the main line, and whether a first child has been seen.
    open_trees: list[list[bool]] = []
    node: Node | None = None
    nodes = 0
    place, line = text.find("("), 1
    if place < 0:
        raise RecordError("no '(' that starts a game tree", file=file or None, line=1)
    line += text.count("\n", 0, place)
    while place < len(text):
        sign = text[place]
        if sign == "(":
            node = None
            if not open_trees:
                trees.append(Tree([]))
                open_trees.append([True, False])
            else:
                main = open_trees[-1][0] and not open_trees[-1][1]
                open_trees[-1][1] = True
                open_trees.append([main, False])
            place += 1
        elif sign == ")":
            node = None
            if open_trees:
                open_trees.pop()
            place += 1
        elif sign == ";" and open_trees:
            nodes += 1
            if nodes > MAX_NODES:
                raise RecordError(f"more than {MAX_NODES} nodes, which no match has", file=file or None, line=line)
            node = Node(line, {})
            if open_trees[-1][0]:
                trees[-1].nodes.append(node)
            else:
                trees[-1].variation_nodes += 1
            place += 1
        elif name := _NAME.match(text, place) if node is not None else None:
            place = name.end()
            # Older writers spell properties out: only the capitals count.
            key = "".join(letter for letter in name[0] if letter.isupper()) or name[0].upper()
            values, place, line = _values(text, place, line)
            if values:
                node.properties.setdefault(key, []).extend(values)  # type: ignore[union-attr]
        else:
            line += sign == "\n"
            place += 1
    return trees


def _values(text: str, place: int, line: int) -> tuple[list[str], int, int]:
    """Bracketed values from a place on, the place behind them and its line."""
    values: list[str] = []
    while True:
        start = _BLANKS.match(text, place).end()  # type: ignore[union-attr]
        if start >= len(text) or text[start] != "[":
            return values, place, line
        line += text.count("\n", place, start)
        value, place = _value(text, start + 1)
        line += text.count("\n", start, place)
        values.append(value)


def _value(text: str, place: int) -> tuple[str, int]:
    end = text.find("]", place)
    if end >= 0 and text.find("\\", place, end) < 0:
        return text[place:end], end + 1
    parts = []
    while place < len(text):
        plain = _VALUE_PART.match(text, place)
        parts.append(plain[0])  # type: ignore[index]
        place = plain.end()  # type: ignore[union-attr]
        if place >= len(text) or text[place] == "]":
            return "".join(parts), place + 1
        escaped = text[place + 1 : place + 2]
        # A backslash at the end of a line joins the lines; before anything else it means that character.
        parts.append("" if escaped == "\n" else escaped)
        place += 2
    return "".join(parts), place


def compressed(values: list[str]) -> Iterator[str]:
    """Letters of a list of points, ranges such as ``a:y`` written out."""
    for value in values:
        first, _, last = value.strip().partition(":")
        if len(first) == 1 and not last:
            yield first
        elif len(first) == len(last) == 1:
            for code in range(ord(first), min(ord(last), ord("z")) + 1):
                yield chr(code)
