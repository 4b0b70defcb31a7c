"""Comments of an eXtreme Gammon file: rich text, one comment a line, that records point to by number.

Inside a comment the line ends are written as bytes 1 and 2 (www.extremegammon.com/xgformat.aspx). Of the rich text only
the words are kept.
"""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(
    r"\\'(?P<code>[0-9a-fA-F]{2})|\\u(?P<unicode>-?\d{1,6}) ?(?:\\'[0-9a-fA-F]{2}|[^\\{}\r\n])?"
    r"|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,9})? ?|\\(?P<sign>[^a-zA-Z])|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)"
)
#: Groups that hold no words of the comment.
_SILENT: Final = frozenset(("fonttbl", "colortbl", "stylesheet", "info", "pict", "generator", "listtable"))
_SPACES: Final = {"par": "\n", "line": "\n", "tab": "\t"}
_QUOTES: Final = {"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "endash": "–", "emdash": "—"}
_MOST: Final = 100_000


def comments_of(data: bytes) -> tuple[str, ...]:
    """Comments in their order, as plain text.

    Parameters
    ----------
    data : bytes
        The file ``temp.xgc`` of the container.
    """
    lines = data.removesuffix(b"\r\n").split(b"\r\n", _MOST) if data else []
    return tuple(plain_text(line.replace(b"\x01\x02", b"\r\n").decode("cp1252", errors="replace")) for line in lines)


def plain_text(text: str) -> str:
    """The words of a rich text; a text that is none stays as it is."""
    if not text.lstrip().startswith("{\\rtf"):
        return text.strip()
    words: list[str] = []
    silent = [False]
    for token in _TOKEN.finditer(text):
        if token["brace"] == "{":
            silent.append(silent[-1])
        elif token["brace"]:
            silent = silent[:-1] or [False]
        elif token["word"] in _SILENT or token["sign"] == "*":
            silent[-1] = True
        elif not silent[-1]:
            words.append(_shown(token))
    return "".join(words).strip("\0 \r\n\t")


def _shown(token: re.Match[str]) -> str:
    """What a token outside silent groups adds to the text."""
    if token["code"]:
        return bytes.fromhex(token["code"]).decode("cp1252", errors="replace")
    if token["unicode"]:
        code = int(token["unicode"]) % 0x10000
        return "\N{REPLACEMENT CHARACTER}" if 0xD800 <= code < 0xE000 else chr(code)
    if token["word"]:
        return _SPACES.get(token["word"], _QUOTES.get(token["word"], ""))
    if token["sign"]:
        return {"~": "\N{NO-BREAK SPACE}", "-": "", "_": "-", "\n": "\n", "\r": ""}.get(token["sign"], token["sign"])
    return token["text"]
