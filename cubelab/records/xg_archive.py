"""The container of an eXtreme Gammon file: header, picture, compressed files, index.

``RGMH``, size of the header at byte 8, size of a JPEG at byte 20; then zlib streams one behind the other; at the end an
index of 532-byte entries (compressed too) and a trailer of 36 bytes. Files without index and trailer exist.
"""

from __future__ import annotations

import struct
import zlib
from typing import Final

from ..errors import RecordError

MAGIC: Final = b"RGMH"
RECORD: Final = 2560
#: More unpacked data than this is no match; the longest real ones have about 10 MB.
MAX_UNPACKED: Final = 96 * 1024 * 1024
_ENTRY: Final = 532
_TRAILER: Final = struct.Struct("<Iiiiii12x")
_GAMES, _COMMENTS = "temp.xg", "temp.xgc"


def unpack(data: bytes, file: str) -> tuple[bytes, bytes, bool]:
    """Records of the games, the comments as RTF (empty when there are none), and whether the records are complete.

    Raises
    ------
    RecordError
        Damaged or oversized container.
    """
    files = _indexed(data, file)
    if _GAMES in files:
        return files[_GAMES], files.get(_COMMENTS, b""), True
    games, whole = _inflate(data[_start(data, file) :], file)
    return games, b"", whole


def _start(data: bytes, file: str) -> int:
    """Where the first compressed stream starts: behind header and picture."""
    if len(data) < 24:
        raise _damaged(file, "it ends inside the header")
    header, picture = struct.unpack_from("<I", data, 8)[0], struct.unpack_from("<I", data, 20)[0]
    if header + picture >= len(data):
        raise _damaged(file, "its header points beyond the end")
    return header + picture


def _indexed(data: bytes, file: str) -> dict[str, bytes]:
    """Files named in the index; none when there is no sound index."""
    if len(data) < _TRAILER.size:
        return {}
    _, count, _, index_size, content_size, packed = _TRAILER.unpack_from(data, len(data) - _TRAILER.size)
    begin = len(data) - _TRAILER.size - index_size - content_size
    if not (0 < count <= 64 and 0 < index_size < len(data) and 0 < content_size < len(data) and begin >= 0):
        return {}
    raw = data[begin + content_size : begin + content_size + index_size]
    try:
        index = _inflate(raw, file)[0] if packed else raw
    except RecordError:
        return {}
    files: dict[str, bytes] = {}
    for place in range(0, min(len(index), count * _ENTRY) - _ENTRY + 1, _ENTRY):
        entry = index[place : place + _ENTRY]
        name = entry[1 : 1 + entry[0]].decode("latin-1").casefold()
        size, packed_size, offset = struct.unpack_from("<III", entry, 512)
        # Other embedded files (rollouts, overflow, index copies) are not needed.
        if name not in (_GAMES, _COMMENTS) or offset + packed_size > content_size or size > MAX_UNPACKED:
            continue
        stream = data[begin + offset : begin + offset + packed_size]
        files[name] = _inflate(stream, file)[0] if stream[:1] == b"\x78" else stream
    return files


def _inflate(stream: bytes, file: str) -> tuple[bytes, bool]:
    """Unpacked data, and whether its end was there. A stream that breaks off gives what it holds."""
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(stream, MAX_UNPACKED)
    except zlib.error:
        raise _damaged(file, "its compressed part cannot be unpacked") from None
    if unpacker.unconsumed_tail:
        raise RecordError(
            f"eXtreme Gammon file that unpacks to more than {MAX_UNPACKED // 2**20} MiB, which no match does",
            file=file or None,
        )
    return data, unpacker.eof


def _damaged(file: str, how: str) -> RecordError:
    return RecordError(f"damaged eXtreme Gammon file: {how}", file=file or None)
