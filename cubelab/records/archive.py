"""Gzip and zip files of matches, unpacked in memory within bounds. Names inside are only shown, never used as paths."""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from ..errors import RecordError
from .names import display_name
from .source import MAX_BYTES

#: An archive with more files than this is refused.
MAX_MEMBERS: Final = 5_000
#: Matches shrink to a tenth; what shrinks to less than this part is made to fill memory.
MAX_RATIO: Final = 300
_SMALL: Final = 64 * 1024
_GZIP, _ZIP = b"\x1f\x8b", (b"PK\x03\x04", b"PK\x05\x06")
#: Kinds of files that hold matches; others in an archive are passed over.
SUFFIXES: Final = frozenset(
    (".mat", ".txt", ".sgf", ".xg", ".xgp", ".bgf", ".ogxm", ".gvab", ".gva", ".json", ".gam", ".sgg", ".match")
)
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True)
class Member:
    """A file of a zip archive: its number there among those that may hold matches, from 1, and its name as shown."""

    number: int
    name: str
    info: zipfile.ZipInfo

    @property
    def is_text(self) -> bool:
        """Whether it is called .txt, which may be anything."""
        return self.name.casefold().endswith(".txt")


def is_gzip(data: bytes) -> bool:
    """Whether data starts as gzip does."""
    return data.startswith(_GZIP)


def is_zip(data: bytes) -> bool:
    """Whether data starts as a zip archive does."""
    return data.startswith(_ZIP)


def gunzip(data: bytes, file: str = "") -> bytes:
    """Content of a gzip file.

    Raises
    ------
    RecordError
        Damaged, too large when unpacked, or an archive again.
    """
    content = bytearray()
    rest = data
    while rest.startswith(_GZIP):
        unpacker = zlib.decompressobj(31)
        try:
            content += unpacker.decompress(rest, _most(len(data)) + 1 - len(content))
        except zlib.error:
            raise RecordError("damaged gzip file: it cannot be unpacked", file=file or None) from None
        if len(content) > _most(len(data)):
            raise _bomb(file)
        if not unpacker.eof:
            raise RecordError("damaged gzip file: it breaks off", file=file or None)
        rest = unpacker.unused_data
    return _unnested(bytes(content), file)


def members(data: bytes, file: str = "") -> tuple[Member, ...]:
    """Files of a zip archive that may hold matches, in its order.

    Raises
    ------
    RecordError
        Damaged, without such a file, or with too many.
    """
    with _opened(data, file) as archive:
        infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise RecordError(f"an archive of {len(infos)} files; at most {MAX_MEMBERS} are read", file=file or None)
    found: list[Member] = []
    for info in infos:
        path = PurePosixPath(info.filename.replace("\\", "/"))
        if info.is_dir() or path.name.startswith(".") or "__MACOSX" in path.parts:
            continue
        if path.suffix.casefold() in SUFFIXES:
            found.append(Member(len(found) + 1, display_name(path.name), info))
    if not found:
        raise RecordError("the archive holds no saved match", file=file or None)
    return tuple(found)


def unzip(data: bytes, member: Member, file: str = "") -> bytes:
    """Content of one file of a zip archive.

    Raises
    ------
    RecordError
        Damaged, encrypted, packed in an unusual way, too large, or an archive again.
    """
    info = member.info
    if info.flag_bits & 1:
        raise RecordError(f"{member.name} in the archive is encrypted", file=file or None)
    if info.compress_type not in _METHODS:
        raise RecordError(f"{member.name} in the archive is packed in a way that is not read", file=file or None)
    most = _most(info.compress_size)
    try:
        with _opened(data, file) as archive, archive.open(info) as stream:
            # What the archive says about the size is not believed.
            content = stream.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError):
        raise RecordError(f"damaged archive: {member.name} cannot be unpacked", file=file or None) from None
    if len(content) > most:
        raise _bomb(file)
    return _unnested(content, file)


def _opened(data: bytes, file: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError, OverflowError):
        raise RecordError("damaged zip archive: it has no sound table of its files", file=file or None) from None


def _most(packed: int) -> int:
    return min(MAX_BYTES, max(_SMALL, packed * MAX_RATIO))


def _unnested(content: bytes, file: str) -> bytes:
    if is_gzip(content) or is_zip(content):
        raise RecordError("an archive inside an archive is not opened; unpack it first", file=file or None)
    return content


def _bomb(file: str) -> RecordError:
    return RecordError(
        f"unpacks to more than {MAX_RATIO} times its size or {MAX_BYTES // 2**20} MiB, which no saved match does",
        file=file or None,
    )
