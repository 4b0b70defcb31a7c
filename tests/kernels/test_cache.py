"""Compiled kernels are forgotten when any kernel's source changes."""

from __future__ import annotations

import os

from cubelab.kernels import _forget_outdated


def test_any_changed_source_forgets_all_kernels(tmp_path):
    sources = [tmp_path / name for name in ("inner.py", "outer.py")]
    for source in sources:
        source.write_text("# kernels\n")
    _forget_outdated(tmp_path)
    index = tmp_path / "__pycache__" / "outer.kernel-1.py311.nbi"
    index.write_bytes(b"compiled")
    _forget_outdated(tmp_path)
    assert index.exists()
    os.utime(sources[0], ns=(1, 1))
    _forget_outdated(tmp_path)
    assert not index.exists()
    index.write_bytes(b"compiled")
    _forget_outdated(tmp_path)
    assert index.exists()
