"""Damaged .npz files: one kind of error, whatever the bytes."""

from __future__ import annotations

import contextlib
import io
import random
import zipfile

import numpy as np
import pytest

import cubelab as cl
from cubelab.engine.archives import arrays_of
from cubelab.errors import CubelabError, DataMissing


@pytest.fixture(scope="module")
def data() -> bytes:
    buffer = io.BytesIO()
    rng = np.random.default_rng(1)
    np.savez_compressed(buffer, one=rng.normal(size=(40, 5)), other=np.array("x" * 300))
    return buffer.getvalue()


def test_whole_ones_come_back(data, tmp_path):
    path = tmp_path / "a.npz"
    path.write_bytes(data)
    for found in (arrays_of(data), arrays_of(path)):
        assert set(found) == {"one", "other"}
        assert found["one"].shape == (40, 5)
        assert str(found["other"]) == "x" * 300


def test_damage_is_one_kind_of_error(data):
    rng = random.Random(3)
    refused = 0
    for _ in range(1500):
        damaged = bytearray(data)
        if rng.random() < 0.3:
            del damaged[rng.randrange(len(data)) :]
        for _ in range(rng.choice((1, 1, 3))):
            if damaged:
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        try:
            arrays_of(bytes(damaged))
        except DataMissing:
            refused += 1
    assert refused > 1000


def _member(shape: str) -> bytes:
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("rows.npy", b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode())
    return buffer.getvalue()


@pytest.mark.parametrize("content", [b"", b"PK", b"rubbish", _member("(10**9, 10**6)"), _member("(1,,)")])
def test_what_is_none(content, tmp_path):
    with pytest.raises(DataMissing):
        arrays_of(content)


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        arrays_of(tmp_path / "none.npz")
    with pytest.raises(DataMissing, match="it is a folder"):
        arrays_of(tmp_path)


def test_a_damaged_rollout_is_never_another_rollout(tmp_path):
    settings = cl.RolloutSettings(trials=12, truncate=1, threads=1)
    rolled = cl.rollout(cl.Situation(cl.Position.start()), settings)
    path = tmp_path / "r.npz"
    rolled.save(path)
    whole = path.read_bytes()
    rng = random.Random(5)
    # Of the names in the archive's directory every byte counts: without its name an array is not found.
    places = [k for k in range(len(whole) - 200, len(whole))] + [rng.randrange(len(whole)) for _ in range(300)]
    for place in places:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << rng.randrange(8))]) + whole[place + 1 :])
        with contextlib.suppress(CubelabError):
            assert cl.Rollout.load(path) == rolled, place
