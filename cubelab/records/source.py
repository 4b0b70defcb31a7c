"""Bytes of a file → text, with limits; and what kind of file it is, told by content."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from ..errors import RecordError
from .flags import NO_FLAGS, Flag

#: Larger files are refused: the longest real matches are far below a megabyte of text.
MAX_BYTES: Final = 16 * 1024 * 1024
MAX_TEXT: Final = 4 * 1024 * 1024
MAX_LINES: Final = 200_000
#: Patterns take time with the square of a line's length: longer ones, with tabs expanded, are refused.
MAX_LINE: Final = 5000

READ_NOW: Final = (
    "text matches (.mat/.txt of eXtreme Gammon, GNU Backgammon, Galaxy, Backgammon Studio and others), SGF (.sgf), "
    "eXtreme Gammon (.xg), BGBlitz (.bgf), OGXM (.ogxm, .gvab), GammonView JSON (.gva), JavaFIBS (.match), "
    "FIBS oldmoves, GamesGrid (.sgg), TrueMoneyGames (.tmg), and gzip or zip archives of these"
)
OGXM_MAGIC: Final = b"OGXM"

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f]")
_MAGIC: Final = (
    (b"%PDF", "PDF document"),
    (b"\x89PNG", "PNG picture"),
    (b"\xff\xd8\xff", "JPEG picture"),
)


def read_bytes(path: Path) -> bytes:
    """Content of a file.

    Raises
    ------
    RecordError
        Not there, a folder, not readable, empty, or too large.
    """
    try:
        if path.is_dir():
            raise RecordError("is a folder; name a file in it, such as match.mat", file=str(path))
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise RecordError("no such file", file=str(path)) from None
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=str(path)) from None
    if len(data) > MAX_BYTES:
        raise RecordError(f"larger than {MAX_BYTES // 2**20} MiB, which no saved match is", file=str(path))
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
        raise RecordError("the file is empty; a saved match was expected", file=str(path), line=1)
    return data


def is_sgf(data: bytes) -> bool:
    """Whether the file starts as Smart Game Format does, whatever the game."""
    compact = b"".join(data[:1024].lstrip(b"\xef\xbb\xbf").split())
    return compact.startswith(b"(;") and any(key in compact for key in (b"GM[", b"FF[", b"MI[", b"PW["))


def is_bgf(data: bytes) -> bool:
    """Whether the file starts with BGBlitz's line of JSON."""
    return b"".join(data[:200].lstrip(b"\xef\xbb\xbf").split()).startswith(b'{"format":"BGF"')


def is_json(data: bytes) -> bool:
    """Whether the file starts as a JSON object does."""
    return b"".join(data[:200].lstrip(b"\xef\xbb\xbf").split()).startswith((b'{"', b"{}"))


def foreign_format(data: bytes) -> str | None:
    """Name of the format when its first bytes say that it is none of the text matches; None otherwise."""
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    for magic, name in _MAGIC:
        if head.startswith(magic):
            return name
    compact = b"".join(head.split())
    if compact[:5].lower() in (b"<html", b"<!doc", b"<?xml"):
        return "web page or XML"
    if head.startswith(b"BGF version"):
        return "BGRoom game"
    if b"MATCHLENGTH=" in head and b"GAME_1_" in head:
        return "PartyGammon game (.gam)"
    return None


def decode(data: bytes, file: str) -> tuple[str, frozenset[Flag]]:
    """Text of a file: by its byte order mark, else UTF-8, else Windows-1252 with a flag.

    Raises
    ------
    RecordError
        Binary data, or too much text.
    """
    if len(data) > MAX_TEXT:
        raise RecordError(f"larger than {MAX_TEXT // 2**20} MiB, which no text match is", file=file or None)
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return _checked(data.decode("utf-16"), file), NO_FLAGS
        return _checked(data.decode("utf-8-sig"), file), NO_FLAGS
    except UnicodeDecodeError:
        # The five bytes Windows-1252 leaves undefined come out as U+FFFD; the flag says the text is a guess.
        return _checked(data.decode("cp1252", errors="replace"), file), frozenset({Flag.ENCODING_ASSUMED})


def split_lines(text: str, file: str) -> list[str]:
    """Lines without their ends (LF, CR LF or CR), tabs expanded as an editor shows them.

    Raises
    ------
    RecordError
        Too many lines, or too long ones.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MAX_LINES:
        raise RecordError(f"{len(lines)} lines; no saved match has more than {MAX_LINES}", file=file or None)
    lines = [line.expandtabs(8) if "\t" in line and len(line) <= MAX_LINE else line for line in lines]
    if max(map(len, lines)) > MAX_LINE:
        number, line = next((number, line) for number, line in enumerate(lines, 1) if len(line) > MAX_LINE)
        raise RecordError(
            f"a line of {len(line)} characters; no text match has one of more than {MAX_LINE}",
            file=file or None,
            line=number,
        )
    return lines


def _checked(text: str, file: str) -> str:
    controls = len(_CONTROLS.findall(text))
    if controls > 8 and controls > len(text) // 200:
        raise RecordError(f"binary data, not a text match; cubelab reads {READ_NOW}", file=file or None)
    return text
