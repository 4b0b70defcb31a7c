"""Folders and many files: what is found, what fails, and that processes change nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import cubelab as cl
from cubelab.errors import RecordError, SettingsError
from cubelab.study.analysis import FailedFile, MatchAnalysis, Settings
from cubelab.study.batch import analyse_files, gather, match_files

MATCHES = Path(__file__).parents[2] / "data" / "matches"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deeper").mkdir()
    shutil.copy(MATCHES / "7-point.mat", tmp_path / "b.mat")
    shutil.copy(MATCHES / "money-session.mat", tmp_path / "deeper" / "a.txt")
    (tmp_path / "notes.txt").write_text("Nothing played here.\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "broken.mat").write_bytes(b"\x00\x01\x02" * 400)
    return tmp_path


def test_matches_of_a_folder(folder):
    found = match_files([folder])
    assert [Path(file).name for file in found.files] == ["b.mat", "broken.mat", "a.txt"]
    assert [Path(file).name for file in found.skipped] == ["notes.txt"]


def test_a_folder_without_matches(tmp_path):
    with pytest.raises(RecordError, match="no saved matches"):
        match_files([tmp_path])


def test_a_failing_file_is_named_and_stops_nothing(folder):
    analysis = cl.analyse(folder, ply=0)
    assert [Path(match.file).name for match in analysis.matches] == ["b.mat", "a.txt"]
    assert [Path(failed.file).name for failed in analysis.failed] == ["broken.mat"]
    assert "binary" in analysis.failed[0].error
    assert set(analysis.decisions["file"]) == {match.file for match in analysis.matches}


def test_processes_change_nothing(folder):
    files = match_files([folder]).files
    alone = list(analyse_files(files, Settings(ply=0), workers=1))
    many = list(analyse_files(files, Settings(ply=0), workers=2))
    for one, other in zip(alone, many, strict=True):
        assert type(one) is type(other)
        if isinstance(one, MatchAnalysis):
            assert one.decisions.equals(other.decisions)
        else:
            assert one == other


def test_no_workers():
    with pytest.raises(SettingsError):
        list(analyse_files(["a.mat"], Settings(ply=0), workers=0))


def test_gathering_nothing():
    analysis = gather([FailedFile("a.mat", "no such file")])
    assert len(analysis.decisions) == 0
    assert len(analysis.summary) == 0
    assert analysis.to_dict()["failed"] == [{"file": "a.mat", "error": "no such file"}]


def test_a_fault_of_ours_stops_no_other_file(monkeypatch):
    def faulty(file):
        raise ZeroDivisionError("float division by zero")

    monkeypatch.setattr("cubelab.study.batch.read_match", faulty)
    failed = list(analyse_files(["a.mat", "b.mat"], Settings(ply=0)))
    assert [part.file for part in failed] == ["a.mat", "b.mat"]
    assert "ZeroDivisionError" in failed[0].error
    monkeypatch.setenv("CUBELAB_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        next(analyse_files(["a.mat"], Settings(ply=0)))
