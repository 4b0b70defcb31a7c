"""A short seeded run of the fuzzer, and bounds on memory; the long run is made by hand (see fuzz.py)."""

import gzip
import zlib

import pytest

from cubelab.errors import CubelabError
from cubelab.records import parse_match

from . import fuzz
from .expected import DATA

BGF = b'{"format":"BGF","version":"1.0","compress":true,"useSmile":true}\n'


@pytest.mark.parametrize("seed", range(4))
def test_mutated_files_end_in_a_record_or_one_sentence(seed):
    outcomes = fuzz.run(seed, count=40, limit=45_000)
    assert sum(outcomes.values()) == 40


def test_inputs_of_the_fuzzer_can_be_made_again():
    first, second = (fuzz.run(9, only=number, limit=20_000) for number in (3, 3))
    assert first == second


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(bytes(128 * 1024 * 1024), 9),
        BGF + gzip.compress(bytes(64 * 1024 * 1024), 9),
        BGF + gzip.compress(b":)\n\x01" + b"\xf8" * 30_000_000, 9),
        BGF + gzip.compress(b":)\n\x01\xf8" + b"\x21" * 200_000, 9),
        b"RGMH\x08\x00\x00\x00\x18" + bytes(15) + zlib.compress(bytes(120 << 20), 9),
        b"OGXM\x02\x00\x00\x00\x02\x00" + bytes(6) + b"GAME\xff\xff\xff\x7f\x01" + b"\x15" * 300_000,
        b"OGXM\x01\x00\x00\x00\x01\x00" + bytes(10) + b"GAME" + (3_000_000).to_bytes(4, "little") + bytes(3_000_000),
        b'{"games": [' + b'{"plies": [{"action_id": 22}]},' * 20_000 + b"{}]}",
        b"(;GM[6]" + b";W[31hefe]" * 4_000 + b")",
        b"(;GM[6];W[31hefe]A[0]" + b"[hefe E ver 3 0 0 0 0 0 0 2C]" * 15_000 + b")",
    ],
    ids=[
        "gzip", "bgf zeros", "bgf nested", "bgf nulls", "xg", "ogxm 2", "ogxm 1", "gva games", "sgf nodes",
        "sgf candidates",
    ],
)  # fmt: skip
def test_memory_is_bounded(data):
    assert fuzz.peak_memory(data) < fuzz.MOST_MEMORY


def test_headers_are_not_believed():
    """Sizes and counts that promise gigabytes are compared with what is there."""
    data = bytearray((DATA / "3WNK_g1Z-PLsh_HyvQ5j4a.gvab").read_bytes())
    place = data.index(b"ANAL") + 12
    data[place + 2 : place + 6] = b"\xff\xff\xff\xff"
    record = parse_match(bytes(data))
    assert record.length == 7
    game = data.index(b"GAME") + 12
    data[game + 1 : game + 3] = b"\xff\xff"
    assert parse_match(bytes(data)).games
    with pytest.raises(CubelabError):
        parse_match(b"OGXM\x02\x00\x00\x00\x02\x00" + bytes(6) + b"MTCH\xff\xff\xff\xff\x01")
