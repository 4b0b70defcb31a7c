"""Any saved match → `Record`; files of several matches → their places and records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Final

from ..arguments import checked
from ..errors import CubelabError, RecordError
from .archive import gunzip, is_gzip, is_zip, members, unzip
from .gnubg_text import is_gnubg_text, parse_gnubg_text
from .javafibs import is_javafibs, parse_javafibs
from .jellyfish import is_jellyfish
from .mat import parse_mat
from .oldmoves import is_oldmoves, parse_oldmoves
from .record import Record
from .several import split_matches
from .sgg import is_sgg, parse_sgg
from .source import OGXM_MAGIC, READ_NOW, decode, foreign_format, is_bgf, is_json, is_sgf, read_bytes, split_lines
from .tmg import is_tmg, parse_tmg

#: One of several matches is named by its number behind the name of the file: ``matches.zip#3``.
_NUMBERED: Final = re.compile(r"(?P<file>.+?)(?P<numbers>(?:#\d{1,6})+)", re.DOTALL)


@checked("path")
def read_match(path: str | PathLike[str]) -> Record:
    """Read a saved match; what kind it is is told by its content, not by its name.

    Parameters
    ----------
    path : path-like
        A file, packed with gzip or in a zip archive or neither; one of several matches in a file is
        ``matches.zip#3`` (see `match_places`).

    Returns
    -------
    Record
        What the file says, its oddities flagged.

    Raises
    ------
    RecordError
        Not a saved match, several of them, or one of a format not read yet; names the file, and the line where it can.

    Examples
    --------
    >>> import cubelab as cl
    >>> cl.read_match("data/matches/7-point.mat")
    <Record: 'Iris09' – 'Jade1', 7-point match, 7 games, 'data/matches/7-point.mat'>
    """
    file, numbers = _split_place(str(path))
    return parse_match(read_bytes(Path(file)), str(path), numbers)


def match_places(path: str | PathLike[str]) -> tuple[str, ...]:
    """Names under which `read_match` reads the matches of a file one by one.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    tuple of str
        The path itself where it holds one match, or cannot be read; else ``matches.zip#1`` and so on. Texts in an
        archive that hold no match are left out.
    """
    file, numbers = _split_place(str(path))
    try:
        places = tuple(str(path) + place for place in _places(read_bytes(Path(file)), str(path), numbers))
    except CubelabError:
        return (str(path),)
    return places or (str(path),)


@checked("path")
def read_matches(path: str | PathLike[str]) -> Iterator[Record]:
    """Read the matches of a file one after the other.

    Parameters
    ----------
    path : path-like

    Yields
    ------
    Record
        Its `file` is the place: ``matches.zip#1``.

    Raises
    ------
    RecordError
        As `read_match`, at the first match that cannot be read.
    """
    for place in match_places(path):
        yield read_match(place)


def parse_match(data: bytes, file: str = "", numbers: tuple[int, ...] = ()) -> Record:
    """Record of a file's bytes; see `read_match`.

    Parameters
    ----------
    data : bytes
    file : str
        For messages and the record.
    numbers : tuple of int
        Which of several matches: the number of the file in an archive, of the match in a text, or both; from 1.
    """
    if is_zip(data):
        found = members(data, file)
        if not numbers and len(found) > 1:
            raise RecordError(
                f"an archive of {len(found)} files: name one as {file}#1 to {file}#{len(found)}", file=file
            )
        number = numbers[0] if numbers else 1
        if not 1 <= number <= len(found):
            raise RecordError(f"there is no file {number} in the archive; it has {len(found)}", file=file or None)
        return _parse_plain(unzip(data, found[number - 1], file), file, numbers[1:])
    return _parse_plain(gunzip(data, file) if is_gzip(data) else data, file, numbers)


def _parse_plain(data: bytes, file: str, numbers: tuple[int, ...]) -> Record:
    """Record of bytes that are no archive."""
    if numbers and (numbers[1:] or not _is_text(data)):
        raise RecordError("the file holds one match; leave out the number behind its name", file=file or None)
    if is_sgf(data):
        from .sgf import parse_sgf

        return parse_sgf(data, file)
    if data.startswith(b"RGMH"):
        from .xg import parse_xg

        return parse_xg(data, file)
    if is_bgf(data):
        from .bgf import parse_bgf

        return parse_bgf(data, file)
    if data.startswith(OGXM_MAGIC):
        from .ogxm import parse_ogxm

        return parse_ogxm(data, file)
    if is_json(data):
        from .json_text import parse_json

        return parse_json(data, file)
    if is_jellyfish(data):
        raise RecordError("a Jellyfish position, not a match: 'cubelab cube --from' reads it", file=file or None)
    foreign = foreign_format(data)
    if foreign is not None:
        raise RecordError(f"this is a {foreign}, which is not read; cubelab reads {READ_NOW}", file=file or None)
    text, flags = decode(data, file)
    return _parse_text(text, file, numbers).with_flags(*flags)


def _parse_text(text: str, file: str, numbers: tuple[int, ...]) -> Record:
    """Record of a text, or of the one of its matches that is asked for."""
    lines = split_lines(text, file)
    parse = _other_text(text)
    if parse is not None:
        if numbers:
            raise RecordError("the file holds one match; leave out the number behind its name", file=file or None)
        return parse(lines, file)
    if not numbers:
        return parse_mat(lines, file)
    matches = split_matches(lines)
    number = numbers[0]
    if not 1 <= number <= len(matches):
        raise RecordError(f"there is no match {number} in the file; it has {len(matches)}", file=file or None)
    return parse_mat(matches[number - 1], file)


def _other_text(text: str) -> Callable[[Sequence[str], str], Record] | None:
    """Reader of a text match that is not of the ``.mat`` family and holds one match."""
    readers = (
        (is_gnubg_text, parse_gnubg_text),
        (is_javafibs, parse_javafibs),
        (is_oldmoves, parse_oldmoves),
        (is_sgg, parse_sgg),
        (is_tmg, parse_tmg),
    )
    return next((parse for recognises, parse in readers if recognises(text)), None)


def _is_text(data: bytes) -> bool:
    binary = data.startswith((b"RGMH", OGXM_MAGIC)) or is_bgf(data) or is_sgf(data) or is_json(data)
    return not binary and foreign_format(data) is None


def _split_place(path: str) -> tuple[str, tuple[int, ...]]:
    """File and numbers of a place; a file whose own name ends with a number behind # is a file."""
    numbered = _NUMBERED.fullmatch(path)
    if numbered is None or Path(path).exists():
        return path, ()
    return numbered["file"], tuple(int(number) for number in numbered["numbers"][1:].split("#"))


def _places(data: bytes, file: str, numbers: tuple[int, ...]) -> Iterator[str]:
    """What is put behind the name of a file for each match in it."""
    if numbers:
        yield ""
        return
    if not is_zip(data):
        yield from _text_places(gunzip(data, file) if is_gzip(data) else data, file)
        return
    found = members(data, file)
    for member in found:
        try:
            content = unzip(data, member, file)
            places = list(_text_places(content, file))
            if member.is_text:
                _parse_plain(content, file, (1,) if len(places) > 1 else ())
        except CubelabError:
            if not member.is_text:
                yield f"#{member.number}" if len(found) > 1 else ""  # the error is told when it is read
            continue
        prefix = f"#{member.number}" if len(found) > 1 or len(places) > 1 else ""
        yield from (prefix + place for place in places)


def _text_places(data: bytes, file: str) -> Iterator[str]:
    """Numbers of the matches in bytes that are no archive; nothing where there is one."""
    text = decode(data, file)[0] if _is_text(data) else ""
    count = 1 if _other_text(text) else len(split_matches(split_lines(text, file)))
    yield from (f"#{number}" for number in range(1, count + 1)) if count > 1 else [""]
