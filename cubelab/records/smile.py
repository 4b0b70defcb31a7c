"""Smile, the binary form of JSON (github.com/FasterXML/smile-format-specification), read only."""

from __future__ import annotations

import struct
from typing import Final, TypeAlias

from ..errors import RecordError

Json: TypeAlias = "bool | int | float | str | bytes | list[Json] | dict[str, Json] | None"

HEADER: Final = b":)\n"
_MOST_SHARED: Final = 1024
_LONGEST_SHARED: Final = 64
_DEEPEST: Final = 64
#: More values than this are no match.
MAX_VALUES: Final = 3_000_000


def decode_smile(data: bytes, file: str = "") -> Json:
    """The value a Smile document holds.

    Parameters
    ----------
    data : bytes
    file : str
        For messages.

    Raises
    ------
    RecordError
        Not Smile, damaged, or larger than any match.
    """
    if not data.startswith(HEADER) or len(data) < 5:
        raise RecordError("no Smile document: it must start with ':)'", file=file or None)
    try:
        return _Decoder(data).document()
    except (IndexError, UnicodeDecodeError, struct.error):
        raise RecordError("damaged Smile document: it breaks off or holds invalid text", file=file or None) from None
    except _Damaged as error:
        raise RecordError(f"damaged Smile document: {error}", file=file or None) from None


class _Damaged(Exception):
    """Bytes that no writer of Smile makes."""


class _Decoder:
    """One pass over the bytes."""

    def __init__(self, data: bytes):
        self.data, self.place = data, 4
        features = data[3]
        self.share_names, self.share_texts = bool(features & 1), bool(features & 2)
        self.names: list[str] = []
        self.texts: list[str] = []
        self.values = 0

    def document(self) -> Json:
        return self._value(self._byte(), 0)

    def _byte(self) -> int:
        byte = self.data[self.place]
        self.place += 1
        return byte

    def _take(self, size: int) -> bytes:
        end = self.place + size
        if end > len(self.data):
            raise IndexError
        taken = self.data[self.place : end]
        self.place = end
        return taken

    def _value(self, token: int, depth: int) -> Json:
        self.values += 1
        if self.values > MAX_VALUES or depth > _DEEPEST:
            raise _Damaged("more values or levels than any match has")
        if 0x01 <= token <= 0x1F:
            return self._shared(self.texts, token - 1)
        if 0x40 <= token <= 0x7F:
            return self._text(token - 0x40 + 1)
        if 0x80 <= token <= 0xBF:
            return self._text(token - 0x80 + 2)
        if 0xC0 <= token <= 0xDF:
            return _zigzag(token & 0x1F)
        if 0xEC <= token <= 0xEF:
            return self._shared(self.texts, (token & 3) << 8 | self._byte())
        match token:
            case 0x20:
                return ""
            case 0x21:
                return None
            case 0x22 | 0x23:
                return token == 0x23
            case 0x24 | 0x25:
                return _zigzag(self._varint())
            case 0x28:
                return struct.unpack(">f", self._sevens(5, 4))[0]
            case 0x29:
                return struct.unpack(">d", self._sevens(10, 8))[0]
            case 0xE0 | 0xE4:
                return self._long_text()
            case 0xE8:
                size = self._varint()
                return self._sevens((size * 8 + 6) // 7, size)
            case 0xFD:
                return self._take(self._varint())
            case 0xF8:
                return self._array(depth)
            case 0xFA:
                return self._object(depth)
        raise _Damaged(f"unknown value token {token:#04x} at byte {self.place - 1}")

    def _array(self, depth: int) -> list[Json]:
        items: list[Json] = []
        while (token := self._byte()) != 0xF9:
            items.append(self._value(token, depth + 1))
        return items

    def _object(self, depth: int) -> dict[str, Json]:
        members: dict[str, Json] = {}
        data, names = self.data, self.names
        while True:
            token = data[self.place]
            self.place += 1
            if token == 0xFB:
                self.values += len(members)
                return members
            # Nearly all names of a match are references: no call for them.
            if 0x40 <= token <= 0x7F:
                name = names[token - 0x40]
            elif 0x30 <= token <= 0x33:
                name = names[(token & 3) << 8 | data[self.place]]
                self.place += 1
            else:
                name = self._name(token)
            token = data[self.place]
            self.place += 1
            members[name] = self._text(token - 0x3F) if 0x40 <= token <= 0x7F else self._value(token, depth + 1)

    def _name(self, token: int) -> str:
        if token == 0x20:
            return ""
        if 0x30 <= token <= 0x33:
            return self._shared(self.names, (token & 3) << 8 | self._byte())
        if 0x40 <= token <= 0x7F:
            return self._shared(self.names, token - 0x40)
        if token == 0x34:
            return self._long_text()
        if 0x80 <= token <= 0xBF:
            size = token - 0x80 + 1
        elif 0xC0 <= token <= 0xF7:
            size = token - 0xC0 + 2
        else:
            raise _Damaged(f"unknown name token {token:#04x} at byte {self.place - 1}")
        name = self._take(size).decode("utf-8")
        if self.share_names:
            _remember(self.names, name)
        return name

    def _text(self, size: int) -> str:
        end = self.place + size
        if end > len(self.data):
            raise IndexError
        text = self.data[self.place : end].decode("utf-8")
        self.place = end
        if self.share_texts and size <= _LONGEST_SHARED:
            _remember(self.texts, text)
        return text

    def _long_text(self) -> str:
        end = self.data.find(b"\xfc", self.place)
        if end < 0:
            raise IndexError
        text = self._take(end - self.place).decode("utf-8")
        self._byte()
        return text

    def _shared(self, table: list[str], index: int) -> str:
        if index >= len(table):
            raise _Damaged(f"reference to text {index} of {len(table)}")
        return table[index]

    def _varint(self) -> int:
        """Seven bits a byte, the last byte marked and with six."""
        value = 0
        for _ in range(11):
            byte = self._byte()
            if byte & 0x80:
                return value << 6 | byte & 0x3F
            value = value << 7 | byte
        raise _Damaged("a number without an end")

    def _sevens(self, size: int, wanted: int) -> bytes:
        """Bytes stored as groups of seven bits, the first ones highest; the last group may be shorter."""
        value = 0
        for byte in self._take(size):
            value = value << 7 | byte & 0x7F
        return (value & ((1 << 8 * wanted) - 1)).to_bytes(wanted, "big")


def _remember(table: list[str], text: str) -> None:
    """Add to a table of shared texts, which starts anew when it is full."""
    if len(table) >= _MOST_SHARED:
        table.clear()
    table.append(text)


def _zigzag(value: int) -> int:
    return value >> 1 ^ -(value & 1)
