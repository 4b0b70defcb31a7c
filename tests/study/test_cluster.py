"""Analysis on a Dask cluster of this machine: the same numbers, failures named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import cubelab as cl
from cubelab.cli import program
from cubelab.errors import SettingsError
from cubelab.study import cluster as module

distributed = pytest.importorskip("distributed")

MATCHES = Path(__file__).parents[2] / "data" / "matches"


@pytest.fixture(scope="module")
def address():
    """Scheduler with two workers in threads: the kernels of this process serve them."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def folder(tmp_path):
    shutil.copy(MATCHES / "7-point.mat", tmp_path / "b.mat")
    shutil.copy(MATCHES / "money-session.mat", tmp_path / "a.mat")
    (tmp_path / "broken.mat").write_bytes(b"\x00\x01\x02" * 400)
    return tmp_path


def test_a_cluster_changes_nothing(address, folder):
    here, there = cl.analyse(folder, ply=0), cl.analyse(folder, ply=0, dask=address)
    assert there.decisions.equals(here.decisions)
    assert there.matches == here.matches
    assert there.failed == here.failed
    assert there.provenance == here.provenance
    assert [Path(failed.file).name for failed in there.failed] == ["broken.mat"]


def test_on_the_command_line(address, folder):
    command = ["analyse", str(folder), "--ply", "0", "--format", "json"]
    here, there = CliRunner().invoke(program, command), CliRunner().invoke(program, [*command, "--dask", address])
    assert here.exit_code == there.exit_code == 1  # one file is broken
    assert json.loads(there.stdout) == json.loads(here.stdout)


def test_bad_clusters(monkeypatch, address, folder):
    monkeypatch.setattr(module, "PATIENCE", 1)
    with pytest.raises(SettingsError, match="no Dask scheduler answers"):
        cl.analyse(folder, ply=0, dask="tcp://127.0.0.1:9")
    for wrong in ("nonsense", "nonsense://x", "tcp://host", "tcp://host:port", ""):
        with pytest.raises(SettingsError, match="is no address of a scheduler"):
            cl.analyse(folder, ply=0, dask=wrong)
    empty = distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None, protocol="tcp")
    with empty, pytest.raises(SettingsError, match="has no workers"):
        cl.analyse(folder, ply=0, dask=empty.scheduler_address)
    both = CliRunner().invoke(program, ["analyse", str(folder), "--dask", address, "--workers", "2"])
    assert both.exit_code == 2


def test_workers_with_other_weights_are_refused(monkeypatch, address, folder):
    # The workers live in this process: only what they send back is told apart from what is known here.
    answers = iter([("0.0.1", "a" * 64), *[("0.0.2", "b" * 64)] * 9])
    monkeypatch.setattr(module, "_identity", lambda: next(answers))
    with pytest.raises(SettingsError, match="here it is"):
        cl.analyse(folder, ply=0, dask=address)


def test_without_dask(monkeypatch, folder):
    import builtins

    load = builtins.__import__

    def missing(name, *args, **kwargs):
        if name == "distributed":
            raise ImportError(name)
        return load(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(SettingsError, match=r"pip install cubelab\[dask\]"):
        cl.analyse(folder, ply=0, dask="tcp://127.0.0.1:8786")
