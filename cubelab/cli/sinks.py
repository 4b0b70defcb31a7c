"""Where analyses go as they come: the terminal, CSV, JSON or Parquet on stdout, a file of CSV or Parquet, a report."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO

import click

from ..wording import counted
from ..writing import appearing_whole, naming
from .answers import to_json
from .program import say

if TYPE_CHECKING:
    from ..study.analysis import FailedFile, MatchAnalysis


class Sink(Protocol):
    """Takes analyses one at a time and keeps no more of them than it needs."""

    def add(self, analysis: MatchAnalysis) -> None:
        """A file that was analysed."""

    def add_failed(self, failed: FailedFile) -> None:
        """A file that was not."""

    def close(self) -> None:
        """There are no more."""

    def abandon(self) -> None:
        """Something went wrong: leave nothing half-written behind."""


def printing_sink(form: str, show_all: bool) -> Sink:
    """The sink that prints in a format.

    Raises
    ------
    click.UsageError
        Binary output would go to a terminal.
    """
    if form == "json":
        return JsonSink()
    if form == "csv":
        return CsvSink(sys.stdout)
    if form == "parquet":
        if sys.stdout.isatty():
            raise click.UsageError("Parquet is binary: redirect the output to a file, or use --store OUT.parquet")
        return ParquetSink()
    from .match_tables import TableSink

    return TableSink(show_all)


class _Plain:
    """What sinks do when they have nothing to do."""

    def add_failed(self, failed: FailedFile) -> None:
        """Failures are named on stderr already."""

    def close(self) -> None:
        """Nothing to finish."""

    def abandon(self) -> None:
        """Nothing to clean up."""


class JsonSink:
    """One JSON document, its decisions written as they come."""

    def __init__(self) -> None:
        self._matches: list[dict[str, Any]] = []
        self._summary: list[dict[str, Any]] = []
        self._failed: list[dict[str, Any]] = []
        self._provenance: dict[str, Any] | None = None
        self._written = 0

    def add(self, analysis: MatchAnalysis) -> None:
        """Write the decisions, keep the rest."""
        document = analysis.to_dict()
        self._matches += document["matches"]
        self._summary += document["summary"]
        self._provenance = self._provenance or document["provenance"]
        for row in document["decisions"]:
            sys.stdout.write(("{" + '"decisions": [\n' if not self._written else ",\n") + to_json(row))
            self._written += 1

    def add_failed(self, failed: FailedFile) -> None:
        """Keep it."""
        self._failed.append({"file": failed.file, "error": failed.error})

    def close(self) -> None:
        """Write everything else."""
        if not self._written:
            sys.stdout.write('{"decisions": [')
        rest = {
            "matches": self._matches,
            "summary": self._summary,
            "failed": self._failed,
            "provenance": self._provenance,
        }
        sys.stdout.write("],\n" + to_json(rest)[1:] + "\n")

    def abandon(self) -> None:
        """A document cut short cannot be mended."""


class CsvSink(_Plain):
    """CSV with one head line.

    Parameters
    ----------
    stream : text stream
    """

    def __init__(self, stream: TextIO):
        self._stream, self._head = stream, True

    def add(self, analysis: MatchAnalysis) -> None:
        """Write the decisions."""
        # Written as bytes would be on Windows: one line end, whatever the system.
        analysis.decisions.to_csv(self._stream, index=False, header=self._head, lineterminator="\n")
        self._head = False

    def close(self) -> None:
        """The head line alone, when there was nothing."""
        if self._head:
            from ..study.decisions import COLUMNS

            self._stream.write(",".join(COLUMNS) + "\n")


class CsvFileSink(_Plain):
    """CSV file of all decisions; appears under its name when it is whole."""

    def __init__(self, path: Path):
        self._path, self._whole = path, contextlib.ExitStack()
        self._part = self._whole.enter_context(appearing_whole(path))
        self._stream = self._part.open("w", encoding="utf-8", newline="")
        self._rows, self._sink = 0, CsvSink(self._stream)

    def add(self, analysis: MatchAnalysis) -> None:
        """Write the decisions."""
        with naming(self._path):
            self._sink.add(analysis)
        self._rows += len(analysis.decisions)

    def close(self) -> None:
        """Finish the file."""
        with naming(self._path):
            self._sink.close()
            self._stream.close()
        self._whole.close()
        say(f"{counted(self._rows, 'decision')} written to {self._path}")

    def abandon(self) -> None:
        """Remove what was written."""
        with contextlib.suppress(OSError):  # a full disk stays full
            self._stream.close()
        self._part.unlink(missing_ok=True)
        self._whole.close()


class StoreSink(_Plain):
    """Parquet file of all decisions; appears under its name when it is whole."""

    def __init__(self, path: Path):
        from ..study.store import DecisionWriter

        self._path, self._whole = path, contextlib.ExitStack()
        self._part = self._whole.enter_context(appearing_whole(path))
        self._writer = DecisionWriter(self._part)

    def add(self, analysis: MatchAnalysis) -> None:
        """Write the decisions."""
        with naming(self._path):
            self._writer.write(analysis.decisions)

    def close(self) -> None:
        """Finish the file."""
        with naming(self._path):
            rows = self._writer.close()
        self._whole.close()
        say(f"{counted(rows, 'decision')} kept in {self._path}")

    def abandon(self) -> None:
        """Remove what was written."""
        with contextlib.suppress(OSError):  # a full disk stays full
            self._writer.close()
        self._part.unlink(missing_ok=True)
        self._whole.close()


class ParquetSink(_Plain):
    """Parquet on stdout."""

    def __init__(self) -> None:
        from ..study.store import DecisionWriter

        self._writer = DecisionWriter(sys.stdout.buffer)

    def add(self, analysis: MatchAnalysis) -> None:
        """Write the decisions."""
        self._writer.write(analysis.decisions)

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()


class ReportSink:
    """HTML report over everything; keeps all decisions until it is written."""

    def __init__(self, path: Path, convention: str):
        self._path, self._convention = path, convention
        self._parts: list[MatchAnalysis | FailedFile] = []

    def add(self, analysis: MatchAnalysis) -> None:
        """Keep it."""
        self._parts.append(analysis)

    def add_failed(self, failed: FailedFile) -> None:
        """Keep it."""
        self._parts.append(failed)

    def close(self) -> None:
        """Write the report."""
        from ..study.batch import gather

        gather(self._parts, self._convention).to_html(self._path)
        say(f"report written to {self._path}")

    def abandon(self) -> None:
        """Nothing is written before the end."""
