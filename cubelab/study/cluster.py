"""Many files on a Dask cluster: read here, analysed by its workers, handed on in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from .. import __version__
from ..engine.neural import weights_checksum
from ..errors import SettingsError
from ..records import Record, read_match
from .analysis import FailedFile, MatchAnalysis, Settings, analyse_record
from .batch import or_failed

#: Seconds to wait for the scheduler.
PATIENCE = 10


def analyse_on_cluster(
    files: Sequence[str], settings: Settings, address: str
) -> Generator[MatchAnalysis | FailedFile, None, None]:
    """Analyse files on the workers of a cluster, in order, each handed on when it and those before it are done.

    The workers need no access to the files. The numbers are those of an analysis here, bit for bit.

    Parameters
    ----------
    files : sequence of str
    settings : Settings
    address : str
        Of the scheduler, such as ``tcp://10.0.0.5:8786``.

    Raises
    ------
    SettingsError
        ``dask.distributed`` is not installed, no scheduler answers, it has no workers, or they have another cubelab.
    """
    client = _client(address)
    try:
        threads = _checked_workers(client, address)
        settings = replace(settings, threads=1)
        waiting: deque[Any] = deque()
        for file in files:
            if len(waiting) >= 2 * threads:
                yield _answer(*waiting.popleft())
            record = or_failed(file, partial(read_match, file))
            waiting.append(
                (file, record if isinstance(record, FailedFile) else client.submit(
                    _analysed, file, record, settings, pure=False
                ))
            )  # fmt: skip
        while waiting:
            yield _answer(*waiting.popleft())
    finally:
        client.close()


def _analysed(file: str, record: Record, settings: Settings) -> MatchAnalysis | FailedFile:
    """The work of a worker."""
    return or_failed(file, lambda: analyse_record(record, settings))


def _answer(file: str, given: Any) -> MatchAnalysis | FailedFile:
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    if isinstance(given, FailedFile):
        return given
    try:
        return given.result()
    except (KilledWorker, FutureCancelledError):
        return FailedFile(file, "the workers that had it ended unexpectedly (out of memory?)")


def _client(address: str):
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
    except ImportError:
        raise SettingsError("--dask needs dask.distributed: pip install cubelab[dask]") from None
    try:
        get_address_host_port(address)  # else the client is half made before it looks, and complains when it goes
    except ValueError as error:
        raise SettingsError(f"{address!r} is no address of a scheduler such as tcp://10.0.0.5:8786: {error}") from None
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SettingsError(f"no Dask scheduler answers at {address!r} ({error or type(error).__name__})") from None


def _identity() -> tuple[str, str]:
    return __version__, weights_checksum()


def _checked_workers(client, address: str) -> int:
    """Threads of all workers, once they are known to compute what we would.

    Raises
    ------
    SettingsError
        There are none, or one has another version or other weights.
    """
    threads = sum(client.nthreads().values())
    if not threads:
        raise SettingsError(f"the Dask cluster at {address} has no workers")
    ours = _identity()
    try:
        found = client.run(_identity, on_error="return")
    except ImportError as error:
        raise SettingsError(f"the workers at {address} cannot load cubelab ({error})") from None
    for worker, theirs in found.items():
        if isinstance(theirs, BaseException):
            raise SettingsError(f"Dask worker {worker} cannot load cubelab ({theirs})")
        if tuple(theirs) != ours:
            raise SettingsError(
                f"Dask worker {worker} has cubelab {theirs[0]} with weights {theirs[1][:12]}, "
                f"here it is {ours[0]} with {ours[1][:12]}"
            )
    return threads
