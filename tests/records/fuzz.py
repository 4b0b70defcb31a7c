"""Mutated real files against all readers: only the project's own errors may come out, soon, in bounded memory.

The tests run a short seeded part; by hand, for an hour::

    python -m tests.records.fuzz --seconds 3600 --seed 1

Every input is a function of the seed and its number, so that one that fails can be made again (``--only NUMBER``).
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import time
import tracemalloc
import zipfile
import zlib
from collections import Counter
from pathlib import Path

from cubelab.errors import CubelabError
from cubelab.records import json_text, parse_match, parse_positions, replay_games
from cubelab.records.bgf import _content as bgf_content
from cubelab.records.xg_archive import unpack

from .expected import COLLECTION, DATA, MATCHES
from .old_formats import javafibs, oldmoves, sgg, tmg
from .xg_builder import RECORD, build

#: No input may take more processor time (seconds; the first one compiles) nor memory than this.
SLOWEST = 20.0
MOST_MEMORY = 600 * 1024 * 1024
FOLDERS = ("mat", "xg", "bgf", "ogxm", "sgf", "gnubg_txt", "bgblitz_position_txt")
_NASTY = (
    b"\x00",
    b"\xff",
    b"9" * 40,
    b"-1",
    b"[",
    b"]",
    b"(",
    b")",
    b";",
    b"\n",
    b"\r\n",
    b"\xe2\x80\xae",
    b"{",
    b'"',
    b" ",
    b"\t",
)
_NUMBERS = (0, 1, 2, 127, 128, 255, 256, 32767, 65535, 2**31 - 1, 2**31, 2**32 - 1)


def seeds(limit: int | None = None) -> list[tuple[str, bytes]]:
    """Names and contents to start from: real files, and what lies inside the packed ones."""
    folders = [DATA, DATA / "positions", MATCHES, *(COLLECTION / name for name in FOLDERS if COLLECTION.is_dir())]
    paths = [path for folder in folders for path in sorted(folder.iterdir()) if path.is_file()]
    found = [(path.name, path.read_bytes()) for path in paths if path.suffix not in (".tsv",)]
    found = [(name, data) for name, data in found if name != "SOURCE.txt" and (limit is None or len(data) <= limit)]
    matches = [data for name, data in found if name.endswith((".mat", ".xg", ".bgf"))]
    records = [json_text(parse_match(data)).encode() for data in matches[:2]]
    found += [(f"record{number}.json", data) for number, data in enumerate(records)]
    sample = parse_match((MATCHES / "7-point.mat").read_bytes())
    found += [(f"match.{write.__name__}", write(sample).encode()) for write in (javafibs, oldmoves, sgg, tmg)]
    positions = (DATA / "jellyfish_positions.tsv").read_text(encoding="utf-8").split()[3::2]
    found += [(f"position{number}.pos", bytes.fromhex(text)) for number, text in enumerate(positions)]
    return found


def mutated(data: bytes, dice: random.Random, others: list[bytes]) -> bytes:
    """A file changed in one of the ways files get damaged, or are made to hurt."""
    if data.startswith(b"RGMH") and dice.random() < 0.7:
        return _xg(data, dice)
    if data.startswith(b'{"format":"BGF"') and dice.random() < 0.7:
        return _bgf(data, dice)
    data = _text(data, dice) if dice.random() < 0.4 else _bytes(data, dice, others)
    wrap = dice.random()
    if wrap < 0.03:
        return gzip.compress(data, 1)
    if wrap < 0.06:
        return _zipped(data, dice)
    return data


def _bytes(data: bytes, dice: random.Random, others: list[bytes]) -> bytes:
    content = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 4, 16))):
        place = dice.randrange(len(content) + 1)
        kind = dice.randrange(8)
        if kind == 0:
            content[place : place + dice.randrange(1, 200)] = b""
        elif kind == 1:
            content[place:place] = dice.choice(_NASTY) * dice.choice((1, 1, 1, 300, 9000))
        elif kind == 2 and place < len(content):
            content[place] ^= 1 << dice.randrange(8)
        elif kind == 3:
            width = dice.choice((1, 2, 4))
            content[place : place + width] = (dice.choice(_NUMBERS) % 256**width).to_bytes(width, "little")
        elif kind == 4:
            del content[place:]
        elif kind == 5:
            start = dice.randrange(len(content) + 1)
            content[place:place] = content[start : start + dice.randrange(1, 3000)]
        elif kind == 6:
            other = dice.choice(others)
            start = dice.randrange(len(other) + 1)
            content[place:place] = other[start : start + dice.randrange(1, 3000)]
        else:
            content[place : place + 1] = bytes([dice.randrange(256)])
    return bytes(content)


def _text(data: bytes, dice: random.Random) -> bytes:
    """Lines and words moved, doubled, dropped; numbers changed."""
    lines = data.split(b"\n")
    for _ in range(dice.choice((1, 2, 5, 20))):
        first, second = dice.randrange(len(lines)), dice.randrange(len(lines))
        kind = dice.randrange(6)
        if kind == 0:
            lines[first], lines[second] = lines[second], lines[first]
        elif kind == 1:
            lines.insert(first, lines[second])
        elif kind == 2:
            del lines[first : first + dice.randrange(1, 4)]
            lines = lines or [b""]
        elif kind == 3:
            words = lines[first].split(b" ")
            dice.shuffle(words)
            lines[first] = b" ".join(words)
        elif kind == 4:
            lines[first] = lines[first].replace(str(dice.randrange(10)).encode(), dice.choice((b"", b"7", b"99999999")))
        else:
            lines[first] += dice.choice(_NASTY)
    return b"\n".join(lines)


def _xg(data: bytes, dice: random.Random) -> bytes:
    """Records of the unpacked games changed and packed again, so that the change gets past the checksums."""
    games = bytearray(unpack(data, "")[0][: RECORD * 60])
    for _ in range(dice.choice((1, 4, 20))):
        start = dice.randrange(len(games) // RECORD) * RECORD
        place = start + dice.choice((8, 9 + dice.randrange(60), dice.randrange(220), dice.randrange(RECORD - 4)))
        width = dice.choice((1, 4))
        games[place : place + width] = (dice.choice(_NUMBERS) % 256**width).to_bytes(width, "little")
    return build(*(games[place : place + RECORD] for place in range(0, len(games), RECORD)))


def _bgf(data: bytes, dice: random.Random) -> bytes:
    """The unpacked JSON changed, as plain JSON, or the Smile changed and packed again."""
    head, _, packed = data.partition(b"\n")
    if dice.random() < 0.5:
        smile = bytearray(zlib.decompress(packed, 31))
        for _ in range(dice.choice((1, 4, 20))):
            smile[dice.randrange(len(smile))] = dice.randrange(256)
        return head + b"\n" + gzip.compress(bytes(smile), 1)
    content = bgf_content(data, "")
    for _ in range(dice.choice((1, 4, 20))):
        _change(content, dice)
    return b'{"format":"BGF","version":"1.0","compress":false,"useSmile":false}\n' + json.dumps(content).encode()


def _change(value: object, dice: random.Random) -> None:
    """One leaf of a JSON document replaced by something else."""
    while isinstance(value, (dict, list)) and value:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = dice.choice(keys)
        inner = value[key]  # type: ignore[index]
        if not isinstance(inner, (dict, list)) or not inner or dice.random() < 0.1:
            value[key] = dice.choice((None, -1, 0, 7, 10**30, "x", [], {}, True, 1.5, "1e999", [[1]] * 5))  # type: ignore[index]
            return
        value = inner


def _zipped(data: bytes, dice: random.Random) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../a.mat", data)
        archive.writestr("b.txt", data[: dice.randrange(len(data) + 1)])
    content = bytearray(stream.getvalue())
    for _ in range(dice.randrange(3)):
        content[dice.randrange(len(content))] = dice.randrange(256)
    return bytes(content)


def swallow(data: bytes, *, follow: bool = True) -> str:
    """Read an input in all ways; says what came of it. Anything but the project's errors goes through.

    Parameters
    ----------
    data : bytes
    follow : bool
        Whether to follow the games under the rules too, which takes most of the time.
    """
    outcome = "refused"
    try:
        record = parse_match(data, "fuzz.bin")
    except CubelabError as error:
        if "\n" in str(error):
            raise AssertionError(f"an error of more than one line: {error}") from None
    else:
        outcome = "read"
        assert record.games
        for game in replay_games(record) if follow else ():
            for decision in game.decisions:
                assert decision.situation.xgid
    try:
        parse_positions(data, "fuzz.bin")
    except CubelabError:
        pass
    else:
        outcome += ", positions"
    return outcome


def run(
    seed: int,
    *,
    count: int | None = None,
    seconds: float | None = None,
    only: int | None = None,
    limit: int | None = None,
    progress: bool = False,
) -> Counter[str]:
    """Feed mutated files until a count or a time is reached.

    Parameters
    ----------
    seed : int
    count : int, optional
    seconds : float, optional
    only : int, optional
        Just the input of this number.
    limit : int, optional
        Largest real file to start from, bytes.
    progress : bool
        Print the number of inputs now and then.

    Returns
    -------
    Counter
        Inputs by kind of file and outcome.
    """
    sources = seeds(limit)
    others = [data for _, data in sources]
    outcomes: Counter[str] = Counter()
    until = None if seconds is None else time.monotonic() + seconds
    number = only or 0
    while (count is None or number < count) and (until is None or time.monotonic() < until):
        dice = random.Random(f"{seed}.{number}")
        name, data = dice.choice(sources)
        data = mutated(data, dice, others)
        started = time.process_time()
        try:
            outcome = swallow(data, follow=number % 4 == 0)
        except BaseException:
            print(f"input {number} of seed {seed}, from {name}", flush=True)
            Path(f"fuzz-{seed}-{number}.bin").write_bytes(data)
            raise
        took = time.process_time() - started
        if took > SLOWEST:
            raise AssertionError(f"input {number} of seed {seed}, from {name}, took {took:.1f} s")
        outcomes[f"{Path(name).suffix} {outcome}"] += 1
        number += 1
        if progress and number % 1000 == 0:
            print(f"{number} inputs, {time.process_time():.0f} s of CPU", flush=True)
        if only is not None:
            break
    return outcomes


def peak_memory(data: bytes) -> int:
    """Most memory, in bytes, that reading an input takes."""
    tracemalloc.start()
    try:
        swallow(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--count", type=int)
    parser.add_argument("--only", type=int)
    parser.add_argument("--limit", type=int, help="largest real file to start from, bytes")
    chosen = parser.parse_args()
    outcomes = run(
        chosen.seed,
        count=chosen.count,
        seconds=chosen.seconds,
        only=chosen.only,
        limit=chosen.limit,
        progress=True,
    )
    for outcome, number in sorted(outcomes.items()):
        print(f"{number:8d}  {outcome}")
    print(f"{sum(outcomes.values()):8d}  inputs")


if __name__ == "__main__":
    main()
