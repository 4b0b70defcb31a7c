"""Compiled kernels are forgotten when any kernel's source changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cubelab.kernels import _folder_of_last_resort, _forget_outdated


def test_any_changed_source_forgets_all_kernels(tmp_path):
    folder = tmp_path / "package" / "kernels"
    folder.mkdir(parents=True)
    sources = [folder / name for name in ("inner.py", "outer.py")]
    for source in sources:
        source.write_text("# kernels\n")
    _forget_outdated(folder)
    indexes = [
        folder / "__pycache__" / "outer.kernel-1.py311.nbi",
        folder.parent / "training" / "__pycache__" / "play.kernel-1.py311.nbi",  # has kernels of the folder inside
    ]
    for index in indexes:
        index.parent.mkdir(exist_ok=True, parents=True)
        index.write_bytes(b"compiled")
    _forget_outdated(folder)
    assert all(index.exists() for index in indexes)
    os.utime(sources[0], ns=(1, 1))
    _forget_outdated(folder)
    assert not any(index.exists() for index in indexes)
    indexes[0].write_bytes(b"compiled")
    _forget_outdated(folder)
    assert indexes[0].exists()


def test_last_resort_is_the_chosen_folder_or_a_temporary_one(tmp_path, monkeypatch):
    monkeypatch.setenv("CUBELAB_CACHE", str(tmp_path / "chosen"))
    assert Path(_folder_of_last_resort()) == tmp_path / "chosen" / "kernels"
    (tmp_path / "file").touch()
    monkeypatch.setenv("CUBELAB_CACHE", str(tmp_path / "file"))
    temporary = Path(_folder_of_last_resort())
    assert temporary.is_dir()
    assert tmp_path not in temporary.parents or "cubelab-kernels-" in temporary.name
    shutil.rmtree(temporary)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or not shutil.which("setpriv"),
    reason="only root can become somebody who may write nowhere",
)
def test_kernels_work_for_somebody_who_may_write_nowhere(tmp_path):
    code = "from cubelab.kernels import cube, moves; import numba; print(numba.config.CACHE_DIR)"
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    result = subprocess.run(
        [*nobody, sys.executable, "-c", code],
        env={"HOME": "/nonexistent", "PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2])},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    if "Permission denied" in result.stderr or "No module named 'numba'" in result.stderr:
        pytest.skip("nobody may not even run this Python, or look into its environment")
    assert result.returncode == 0, result.stderr
    assert "cubelab-kernels-" in result.stdout
    assert not Path(result.stdout.strip()).exists()
