"""Many files: found in folders, analysed in processes, handed on one by one so that memory stays flat."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TypeVar

from ..errors import CubelabError, RecordError, SettingsError
from ..records import match_places, read_match
from .analysis import FailedFile, MatchAnalysis, Progress, Settings, analyse_record
from .decisions import decisions_frame
from .workers import WorkerDied, map_in_order

_Result = TypeVar("_Result")

#: What a folder is searched for. ``.txt`` files that hold no match are passed over.
_ENDINGS = "mat txt sgf xg xgp bgf ogxm gvab gva gam match fibs sgg tmg gz zip"
SUFFIXES = frozenset(f".{ending}" for ending in _ENDINGS.split())


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """Files to analyse.

    Attributes
    ----------
    files : tuple of str
        Named ones as named, those of folders sorted by path; each match of an archive or of a text of several.
    skipped : tuple of str
        Texts in folders that are not saved matches.
    """

    files: tuple[str, ...]
    skipped: tuple[str, ...] = ()


def match_files(paths: Iterable[str | PathLike[str]]) -> FoundFiles:
    """The files behind paths, folders searched with all their subfolders.

    Raises
    ------
    RecordError
        A folder without matches.
    """
    files: list[str] = []
    skipped: list[str] = []
    for path in paths:
        if not Path(path).is_dir():
            files += match_places(path)
            continue
        found = sorted(file for file in Path(path).rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
        texts = [str(file) for file in found if file.suffix.lower() == ".txt" and not _is_match(file)]
        skipped += texts
        kept = [str(file) for file in found if str(file) not in set(texts)]
        if not kept:
            raise RecordError(f"the folder holds no saved matches ({', '.join(sorted(SUFFIXES))})", file=str(path))
        files += (place for file in kept for place in match_places(file))
    return FoundFiles(tuple(dict.fromkeys(files)), tuple(skipped))


def _is_match(file: Path) -> bool:
    try:
        read_match(file)
    except CubelabError:
        return False
    return True


def analyse_files(
    files: Sequence[str], settings: Settings, workers: int = 1, progress: Progress | None = None
) -> Iterator[MatchAnalysis | FailedFile]:
    """Analyse files, in order, each handed on when it is done.

    Parameters
    ----------
    files : sequence of str
    settings : Settings
    workers : int
        Processes. One works here, with a thread a core.
    progress : callable, optional
        Positions done and all of the file at work; with one worker only.

    Raises
    ------
    SettingsError
        Fewer workers than one, or processes that cannot start.
    """
    if workers < 1:
        raise SettingsError(f"{workers} workers: at least one is needed")
    workers = min(workers, len(files))
    if workers < 2:
        for file in files:
            yield analyse_file(file, settings, progress)
        return
    if settings.threads is None:
        settings = replace(settings, threads=1)
    task = partial(analyse_file, settings=settings)
    with closing(map_in_order(task, files, workers)) as parts:
        for file, part in zip(files, parts, strict=True):
            if isinstance(part, WorkerDied):
                part = FailedFile(file, "its process ended unexpectedly (out of memory? try fewer --workers)")
            yield part


def analyse_file(file: str, settings: Settings, progress: Progress | None = None) -> MatchAnalysis | FailedFile:
    """Analyse one file; what is wrong with it, or with us, comes back as a value and stops no other file."""
    return or_failed(file, lambda: analyse_record(read_match(file), settings, progress))


def or_failed(file: str, work: Callable[[], _Result]) -> _Result | FailedFile:
    """What `work` returns, or why it could not be done with the file.

    Raises
    ------
    SettingsError
        Settings that fit no file.
    """
    try:
        return work()
    except SettingsError:
        raise
    except CubelabError as error:
        return FailedFile(file, _reason(error, file))
    except Exception as error:
        if os.environ.get("CUBELAB_DEBUG"):
            raise
        return FailedFile(file, f"unexpected {type(error).__name__}: {error}; this is a fault of cubelab")


def _reason(error: CubelabError, file: str) -> str:
    """The error without the file's name, which stands beside it."""
    if isinstance(error, RecordError):
        return error.message if error.line is None else f"line {error.line}: {error.message}"
    return str(error).removeprefix(f"{file}: ")


def gather(parts: Iterable[MatchAnalysis | FailedFile], convention: str = "xg") -> MatchAnalysis:
    """One analysis of many, all in memory."""
    import pandas as pd

    parts = list(parts)
    done = [part for part in parts if isinstance(part, MatchAnalysis)]
    frames = [part.decisions for part in done if len(part.decisions)]
    decisions = _joined(frames) if frames else decisions_frame([])
    assert isinstance(decisions, pd.DataFrame)
    return MatchAnalysis(
        decisions,
        tuple(match for part in done for match in part.matches),
        tuple(part for part in parts if isinstance(part, FailedFile)),
        next((part.provenance for part in done if part.provenance), None),
        convention,
    )


def _joined(frames: list):
    import pandas as pd
    from pandas.api.types import union_categoricals

    categories = [name for name, dtype in frames[0].dtypes.items() if str(dtype) == "category"]
    joined = pd.concat([frame.drop(columns=categories) for frame in frames], ignore_index=True)
    for name in categories:
        joined[name] = union_categoricals([frame[name] for frame in frames])
    return joined[frames[0].columns]
