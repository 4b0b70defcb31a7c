"""``cubelab analyse``: saved matches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..wording import counted
from .combining import refuse_idle
from .inputs import chosen_met, chosen_model, engine_options
from .paths import InputPath, output_path
from .program import FAILED, plain, say
from .startup import Notice, prepare_engine, prepare_rollouts

if TYPE_CHECKING:
    from ..study.analysis import FailedFile, MatchAnalysis, Settings
    from .sinks import Sink


@click.command(short_help="Saved matches: cube decisions, plays, what mistakes cost.")
@click.argument(
    "paths",
    nargs=-1,
    required=True,
    metavar="FILE|FOLDER...",
    type=InputPath("cubelab convert - match.mat keeps a match that comes through a pipe", exists=False, dir_okay=True),
)
@engine_options
@click.option("--checker-play/--no-checker-play", default=False, help="Also evaluate every play, for the full PR.")
@click.option("--all", "show_all", is_flag=True, help="List every decision, not only the doubles and the mistakes.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("table", "csv", "json", "parquet")),
    default="table",
    show_default=True,
    help="What to print; all but the table hold every decision.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--report", type=click.Path(path_type=Path), metavar="OUT.html", help="Also write a report.")
@click.option("--csv", type=click.Path(path_type=Path), metavar="OUT.csv", help="Also write every decision as CSV.")
@click.option("--store", type=click.Path(path_type=Path), metavar="OUT.parquet", help="Also keep them as Parquet.")
@click.option("--workers", type=click.IntRange(1), help="Processes for many files. Default: one a core.")
@click.option("--dask", metavar="ADDRESS", help="Analyse on a Dask cluster: its scheduler, such as tcp://host:8786.")
@click.option(
    "--pr",
    "convention",
    type=click.Choice(("xg", "gnubg")),
    default="xg",
    show_default=True,
    help="Which no-doubles the performance rating counts: eXtreme Gammon's or GNU Backgammon's.",
)
@click.option(
    "--rollout-close",
    type=click.FloatRange(0),
    metavar="X",
    help="Roll out decisions that are wrong, or whose choices are within X of each other (such as 0.05).",
)
@click.option(
    "--compare-stored",
    is_flag=True,
    help="Also show where we differ from the analysis that the files bring along (XG, BGBlitz, GNU Backgammon …).",
)
def analyse(
    paths: tuple[str, ...],
    ply: int,
    met_name: str | None,
    model_name: str | None,
    checker_play: bool,
    show_all: bool,
    form: str,
    as_json: bool,
    report: Path | None,
    csv: Path | None,
    store: Path | None,
    workers: int | None,
    dask: str | None,
    convention: str,
    rollout_close: float | None,
    compare_stored: bool,
) -> int:
    """Analyse saved matches: every cube decision, what was right, what the mistakes cost.

    Files are text matches (.mat, .txt), SGF, eXtreme Gammon's .xg, BGBlitz's .bgf, .ogxm, and gzip or zip archives of
    these; a folder stands for all in it. In the tables 3.16 is the 16th action of game 3 (rolls, doubles and answers
    of both sides count), ND and DT are the equities of no double and of double/take.

    \b
    Examples:
      cubelab analyse match.mat
      cubelab analyse matches/ --ply 1 --checker-play
      cubelab analyse match.mat --format json > match.json
      cubelab analyse matches/ --csv decisions.csv --report matches.html
      cubelab analyse match.mat --rollout-close 0.05
      cubelab analyse match.xg --compare-stored
      cubelab analyse matches/ --dask tcp://10.0.0.5:8786
    """
    from ..study.analysis import FailedFile, Settings
    from .sinks import CsvFileSink, ReportSink, StoreSink, printing_sink

    if dask is not None and workers is not None:
        raise click.UsageError("--workers counts processes here, --dask names a cluster elsewhere: give one of them")
    settings = Settings(
        ply,
        chosen_met(met_name),
        chosen_model(model_name),
        checker_play=checker_play,
        convention=convention,
        rollout_close=rollout_close,
    )
    if as_json:
        refuse_idle("form", why="and --json both say what to print: give one of them")
        form = "json"
    if form != "table":
        refuse_idle("show_all", why=f"is for the table: as {form} every decision is printed anyway")
    for target, option in ((csv, "--csv"), (store, "--store"), (report, "--report")):
        if target is not None:
            output_path(target, option)
    sinks: list[Sink] = []
    try:
        sinks.append(printing_sink(form, show_all))
        if csv is not None:
            sinks.append(CsvFileSink(csv))
        if store is not None:
            sinks.append(StoreSink(store))
        if report is not None:
            sinks.append(ReportSink(report, convention))
        if compare_stored:
            from .stored_tables import StoredSink

            sinks.append(StoredSink(settings.met, printed=form == "table"))
        files, failed = _found(paths, sinks)
        for part in _parts(files, settings, workers or os.cpu_count() or 1, dask):
            if isinstance(part, FailedFile):
                failed += 1
                say(f"{part.file}: {part.error}")
            for sink in sinks:
                sink.add_failed(part) if isinstance(part, FailedFile) else sink.add(part)
        for sink in sinks:
            sink.close()
    except BaseException:
        for sink in sinks:
            sink.abandon()
        raise
    return FAILED if failed else 0


def _found(paths: tuple[str, ...], sinks: list[Sink]) -> tuple[list[str], int]:
    """The files behind the paths, each once, and how many paths have none; those are named."""
    from ..errors import CubelabError
    from ..study.analysis import FailedFile
    from ..study.batch import match_files

    files: list[str] = []
    failed = 0
    for path in paths:
        try:
            found = match_files([path])
        except CubelabError as error:
            failed += 1
            say(error)
            for sink in sinks:
                sink.add_failed(FailedFile(path, str(error).removeprefix(f"{path}: ")))
            continue
        files += found.files
        if found.skipped:
            say(f"{path}: {counted(len(found.skipped), 'text')} without a match passed over ({_some(found.skipped)})")
    return list(dict.fromkeys(files)), failed


def _parts(
    files: list[str], settings: Settings, workers: int, dask: str | None
) -> Iterator[MatchAnalysis | FailedFile]:
    """Analyses in the order of the files, with a sign of life while one is waited for."""
    if not files:
        return
    if settings.rollout_close is None:
        prepare_engine(plays=settings.checker_play)
    else:
        prepare_rollouts()
    from ..study.batch import analyse_files
    from ..study.cluster import analyse_on_cluster

    several = len(files) > 1 and (workers > 1 or dask is not None)
    with Notice("") as notice:

        def progress(done: int, total: int) -> None:
            notice.update(f"{name}: {done} of {counted(total, 'position')}", done / total, counting=True)

        if dask is None:
            parts = analyse_files(files, settings, workers, progress)
        else:
            parts = analyse_on_cluster(files, settings, dask)
        for n, file in enumerate(files):
            name = plain(Path(file).name, 24)
            if several:
                notice.update(f"{n} of {counted(len(files), 'match', 'matches')}", n / len(files), counting=True)
            part = next(parts)
            with notice.paused():
                yield part


def _some(names: tuple[str, ...]) -> str:
    shown = ", ".join(Path(name).name for name in names[:3])
    return shown if len(names) <= 3 else f"{shown}, …"
