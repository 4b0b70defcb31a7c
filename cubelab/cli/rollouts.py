"""``cubelab rollout``: situations played out, with the cube, until the verdict is known well enough."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import CubelabError
from ..writing import appearing_whole
from .answers import answer_all
from .combining import given as was_given
from .combining import refuse_idle
from .inputs import (
    PositionCommand,
    chosen_met,
    position_lines,
    positions_argument,
    read_situation,
)
from .paths import InputPath, output_path
from .program import INTERRUPTED, say
from .rollout_progress import RolloutProgress
from .rule_options import RuleChanges, rule_options
from .startup import prepare_rollouts

if TYPE_CHECKING:
    from ..engine.rolled_plays import RolledPlays
    from ..engine.rollout import Rollout
    from ..engine.rollout_settings import RolloutSettings
    from ..game import Situation
    from ..game.play import Play

#: Options that a resumed rollout takes from the command line; everything else is part of what is rolled out.
_FREE = ("trials", "threads", "stop_se", "stop_probability", "stop_regret", "stop_time", "min_trials")
#: Names of options that differ from those of the settings.
_OPTION_OF = {"cubeful": "cubeless", "variance_reduction": "no-variance-reduction", "met_name": "met"}


@click.command(cls=PositionCommand, short_help="Play a position out many times: equities, errors, cube statistics.")
@positions_argument
@click.option("--preset", metavar="NAME", help="quick, roller+, full or deep; other options change it. Default: full.")
@click.option("--trials", type=int, help="Games at most; multiples of 1296 balance the first two rolls. Default: 1296.")
@click.option("--seed", type=int, help="The same seed gives the same numbers, on any number of threads. Default: 1.")
@click.option("--truncate", type=int, metavar="P", help="Half-moves after which the evaluator ends a trial.")
@click.option("--ply", type=click.IntRange(0, 2), help="Look-ahead of plays during the first --deep-moves. Default: 0.")
@click.option("--deep-moves", type=int, metavar="N", help="Half-moves played at --ply, then 0-ply. Default: 4.")
@click.option("--cube-ply", type=click.IntRange(0, 2), help="Look-ahead of cube decisions in the trials. Default: 0.")
@click.option("--no-variance-reduction", "variance_reduction", is_flag=True, flag_value=False, default=None,
              help="Leave the luck of the dice in.")  # fmt: skip
@click.option("--luck-ply", type=click.IntRange(0, 1), help="Look-ahead of the values luck is measured by. Default: 0.")
@click.option("--cubeless", "cubeful", is_flag=True, flag_value=False, default=None, help="Play without the cube.")
@click.option("--threads", type=int, help="Default: all cores.")
@click.option("--stop-se", type=float, metavar="X", help="Stop at this standard error of the difference.")
@click.option("--stop-probability", type=float, metavar="P", help="Stop when the verdict is right with probability P.")
@click.option("--stop-regret", type=float, metavar="X", help="Stop when the expected cost of a wrong double is X.")
@click.option("--time", "stop_time", type=float, metavar="SECONDS", help="Stop after this time.")
@click.option("--min-trials", type=int, metavar="N", help="No stopping rule but time applies before. Default: 144.")
@click.option(
    "--met", "met_name", metavar="NAME|FILE", help="Match equity table (cubelab met list). Default: kazaross-xg2."
)
@rule_options
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="FILE", help="Keep the rollout, to be resumed or loaded."
)
@click.option("--resume", type=InputPath(exists=False, path_type=Path), metavar="FILE",
              help="Go on with a kept rollout, up to --trials, and keep it there again (or in --save).")  # fmt: skip
@click.option("--extend", type=int, metavar="N", help="With --resume: N more trials.")
@click.option("--csv", "csv_path", type=click.Path(path_type=Path), metavar="TRIALS.csv", help="Write every trial.")
def rollout(
    positions: tuple[str, ...],
    source: str | None,
    as_json: bool,
    preset: str | None,
    met_name: str | None,
    changes: RuleChanges,
    save: Path | None,
    resume: Path | None,
    extend: int | None,
    csv_path: Path | None,
    **given: Any,
) -> int:
    """Roll positions out: full statistics, and how sure the verdict is.

    Not doubling and doubling are played on the same dice, so their difference is known better than each. Ctrl-C prints
    what there is and ends with status 130; --time does the same with status 0.

    \b
    Presets, in other programs' terms:
      quick    324 trials of 8 half-moves, 0-ply     like eXtreme Gammon's Roller
      roller+  648 trials of 10, first two 1-ply     like Roller+
      full     1296 full games, 0-ply                GNU Backgammon's usual rollout
      deep     1296 full games, 1-ply, cube 1-ply    GNU Backgammon 1-ply, eXtreme Gammon 2-ply

    \b
    Examples:
      cubelab rollout "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
      cubelab rollout 2DZkgSFszoMHAA --trials 5184 --stop-probability 0.99 --save blitz.npz
      cubelab rollout --resume blitz.npz --extend 1296
    """
    settings = _settings(preset, given, keep=save is not None or csv_path is not None)
    kept_in = save or resume
    for path, option in ((csv_path, "--csv"), (kept_in, "--save" if save is not None else "--resume")):
        if path is not None and (path.exists() or path != resume):  # loading says it of a file that is not there
            output_path(path, option)
    if csv_path is not None and kept_in is not None and csv_path.resolve() == kept_in.resolve():
        raise click.UsageError(f"{csv_path} cannot hold both the rollout and its single trials: give two names")
    _refuse_idle_settings(settings, resumed=resume is not None)
    if resume is not None:
        if positions or source:
            raise click.UsageError("--resume goes on with the position of its file: give no other")
        if extend is not None:
            refuse_idle("trials", why="and --extend both say how far to go on: give one of them")
        refuse_idle("preset", why="is for a new rollout: a resumed one keeps its settings")
        return _resume(resume, extend, settings, save or resume, csv_path, as_json)
    if extend is not None:
        raise click.UsageError("--extend needs --resume FILE")
    texts = position_lines(positions, source)
    if save is not None and not (isinstance(texts, list) and len(texts) == 1):
        raise click.UsageError("--save keeps the rollout of one position: give one")
    met = chosen_met(met_name)
    prepare_rollouts()
    from ..engine.rollout_run import rollout as roll_out

    def compute(text: str) -> Rollout:
        situation = before_the_roll(read_situation(text, changes))
        with RolloutProgress() as progress:
            return roll_out(situation, settings, met=met, progress=progress)

    return _answers(texts, compute, as_json, source, save, csv_path)


def before_the_roll(situation: Situation) -> Situation:
    """The situation itself, after saying that its roll, if it has one, is not played."""
    if (dice := situation.dice) is not None:
        roll = f"{dice[0]}{dice[1]}"
        say(f"{situation.xgid}: rolled out from before the roll; cubelab moves --rollout ranks the plays of {roll}")
    return situation


def _answers(
    texts: Any, compute: Any, as_json: bool, source: str | None, save: Path | None, csv_path: Path | None
) -> int:
    from .rollout_answers import rollout_json, show_rollout

    lost: list[CubelabError | OSError] = []  # a full disk takes nothing from the answer: it is told after it
    with contextlib.ExitStack() as stack:
        part = None if csv_path is None else stack.enter_context(appearing_whole(csv_path))

        def finished(text: str) -> Rollout:
            result = compute(text)
            try:
                if part is not None and not lost:
                    _write_trials(result, part, head=not part.exists())
                if save is not None:
                    result.save(save)
            except (CubelabError, OSError) as error:
                lost.append(error)
            return result

        status = _until_interrupted(texts, finished, rollout_json if as_json else None, show_rollout, source)
        if lost and isinstance(lost[0], OSError):
            raise lost[0]  # the table of trials does not appear
    if lost:
        raise lost[0]
    return status


def _until_interrupted(texts: Any, compute: Any, document: Any, show: Any, source: str | None) -> int:
    """Answer one text after the other; Ctrl-C ends it after the answer there is."""
    stopped: list[str] = []

    def noted(text: str) -> Any:
        result = compute(text)
        if result.interrupted and result.settings.stop_time is None:
            stopped.append(text)
        return result

    def remaining() -> Iterator[str]:
        for text in texts:
            yield text
            if stopped:
                return

    status = answer_all(remaining(), noted, document, show, source, parallel=False)
    if stopped:
        say("interrupted: the last answer holds the trials that were done")
    return INTERRUPTED if stopped else status


def rolled_cubes(
    texts: Any, read: Callable[[str], Situation], settings: RolloutSettings, met: Any, as_json: bool, source: str | None
) -> int:
    """``cubelab cube --rollout``."""
    prepare_rollouts()
    from ..engine.rollout_run import rollout as roll_out
    from .rollout_answers import show_rollout
    from .verdicts import evaluation_json

    def compute(text: str) -> Rollout:
        with RolloutProgress() as progress:
            return roll_out(before_the_roll(read(text)), settings, met=met, progress=progress)

    document = (lambda result: evaluation_json(result.evaluation)) if as_json else None
    return _until_interrupted(texts, compute, document, show_rollout, source)


def rolled_moves(
    texts: Any,
    read: Callable[[str], Situation],
    dice: tuple[int, int] | None,
    settings: RolloutSettings,
    met: Any,
    as_json: bool,
    source: str | None,
) -> int:
    """``cubelab moves --rollout``."""
    prepare_rollouts()
    from ..engine.rolled_plays import rollout_plays
    from .rollout_answers import rolled_plays_json, show_rolled_plays

    def compute(text: str) -> RolledPlays:
        with RolloutProgress() as progress:

            def report(play: Play, so_far: Rollout) -> None:
                progress.about(play.notation)
                progress(so_far)

            return rollout_plays(read(text), None, settings, dice=dice, met=met, progress=report)

    return _until_interrupted(texts, compute, rolled_plays_json if as_json else None, show_rolled_plays, source)


def _resume(
    path: Path, extend: int | None, settings: RolloutSettings, save: Path, csv_path: Path | None, as_json: bool
) -> int:
    from ..engine.rollout import Rollout

    kept = Rollout.load(path)
    explicit = _explicit()
    for name in sorted(set(explicit) - set(_FREE)):
        if getattr(settings, name, None) == getattr(kept.settings, name, 0):
            continue
        option = _OPTION_OF.get(name, name).replace("_", "-")
        raise click.UsageError(
            f"a resumed rollout keeps its --{option}: only trials, threads and stopping rules change"
        )
    free = {name: getattr(settings, name) for name in explicit if name in _FREE}
    kept = replace(kept, settings=replace(kept.settings, **free))
    wanted = kept.count + extend if extend is not None else kept.settings.trials
    if csv_path is not None and kept.rows is None:
        raise click.UsageError(f"{path} does not hold the single trials, so --csv cannot write them")
    prepare_rollouts()

    def compute(_: str) -> Rollout:
        if wanted <= kept.count and extend is None:
            return kept
        with RolloutProgress() as progress:
            return kept.extend(wanted - kept.count, progress=progress)

    return _answers([kept.situation.xgid], compute, as_json, str(path), save, csv_path)


def _refuse_idle_settings(settings: RolloutSettings, *, resumed: bool) -> None:
    """Settings that others make meaningless."""
    if not settings.variance_reduction:
        refuse_idle("luck_ply", why="is about the luck that --no-variance-reduction leaves in")
    if not settings.cubeful:
        refuse_idle("cube_ply", why="is about the cube, which --cubeless leaves out")
    if not settings.ply:
        refuse_idle("deep_moves", why="changes nothing at 0-ply: give --ply")
    rules = (settings.stop_se, settings.stop_probability, settings.stop_regret)
    if not resumed and all(rule is None for rule in rules):
        refuse_idle("min_trials", why="needs a rule to stop by: --stop-se, --stop-probability or --stop-regret")


def _explicit() -> list[str]:
    """Parameters given on the command line."""
    beside = ("as_json", "save", "resume", "extend", "csv_path", "positions", "source")
    return [name for name in click.get_current_context().params if was_given(name) and name not in beside]


def _settings(preset: str | None, given: dict[str, Any], keep: bool) -> RolloutSettings:
    """Settings of the options.

    Raises
    ------
    click.UsageError
        Impossible ones.
    """
    from ..engine.rollout_settings import RolloutSettings

    try:
        base = RolloutSettings.preset(preset) if preset is not None else RolloutSettings()
        return replace(base, keep_trials=keep, **{name: value for name, value in given.items() if value is not None})
    except CubelabError as error:
        raise click.UsageError(str(error)) from None


def _write_trials(result: Rollout, path: Path, *, head: bool) -> None:
    frame = result.trials
    frame.insert(0, "position", result.situation.xgid)
    frame.to_csv(path, index=False, header=head, mode="w" if head else "a", lineterminator="\n")
