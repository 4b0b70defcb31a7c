"""``cubelab cube``, ``eval``, ``moves``, ``bearoff``: answers about positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .answers import answer_all
from .combining import refuse_idle
from .inputs import (
    PositionCommand,
    chosen_met,
    chosen_model,
    engine_options,
    position_lines,
    positions_argument,
    read_situation,
    rollout_option,
)
from .opinions import engine_option
from .rule_options import RuleChanges, rule_options
from .startup import prepare_bearoff, prepare_engine

if TYPE_CHECKING:
    from ..engine.bearoff import BearoffValues
    from ..engine.rollout_settings import RolloutSettings
    from ..engine.search import RankedPlays
    from ..game import Situation


@click.command(cls=PositionCommand, short_help="Cube verdict and the equities behind it.")
@positions_argument
@engine_options
@rule_options
@rollout_option
@engine_option
def cube(
    positions: tuple[str, ...],
    source: str | None,
    as_json: bool,
    ply: int,
    met_name: str | None,
    model_name: str | None,
    changes: RuleChanges,
    trials: int | None,
    engine: str | None,
) -> int:
    """Cube verdict: double or not, take or pass, with the equities behind it.

    \b
    Examples:
      cubelab cube "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
      cubelab cube --from positions.txt --ply 1 --json > verdicts.jsonl
      cubelab cube 2DZkgSFszoMHAA --rollout 1296
      cubelab cube 2DZkgSFszoMHAA --engine gnubg
    """
    from .verdicts import evaluation_json, show_decision

    texts = position_lines(positions, source)
    met, model = chosen_met(met_name), chosen_model(model_name)
    if trials is not None:
        if engine is not None:
            raise click.UsageError("--engine compares evaluations: leave out --rollout")
        from .rollouts import rolled_cubes

        settings = rollout_settings(trials)
        return rolled_cubes(texts, lambda text: read_situation(text, changes), settings, met, as_json, source)
    prepare_engine()
    from ..engine.search import evaluate as evaluate_situation

    def evaluated(situation: Situation) -> Any:
        return evaluate_situation(situation, ply=ply, met=met, model=model)

    def read(text: str) -> Situation:
        return read_situation(text, changes)

    if engine is not None:
        from .opinions import cubes_with_opinion

        return cubes_with_opinion(texts, read, evaluated, engine, ply, met, as_json, source)
    return answer_all(
        texts, lambda text: evaluated(read(text)), evaluation_json if as_json else None, show_decision, source
    )


@click.command("eval", cls=PositionCommand, short_help="Outcome probabilities and equities.")
@positions_argument
@engine_options
@rule_options
def evaluate(
    positions: tuple[str, ...],
    source: str | None,
    as_json: bool,
    ply: int,
    met_name: str | None,
    model_name: str | None,
    changes: RuleChanges,
) -> int:
    """Outcome probabilities and equities, the mover about to roll.

    \b
    Example:
      cubelab eval 4HPwATDgc/ABMA --ply 1
    """
    from .verdicts import evaluation_json, show_evaluation

    texts = position_lines(positions, source)
    met, model = chosen_met(met_name), chosen_model(model_name)
    prepare_engine()
    from ..engine.search import evaluate as evaluate_situation

    def compute(text: str) -> Any:
        return evaluate_situation(read_situation(text, changes), ply=ply, met=met, model=model)

    return answer_all(texts, compute, evaluation_json if as_json else None, show_evaluation, source)


@click.command(cls=PositionCommand, short_help="Plays of a roll, ranked, or all legal ones.")
@positions_argument
@engine_options
@rule_options
@rollout_option
@click.option("--dice", metavar="31", help="The roll; default: the position's own.")
@click.option("--legal", is_flag=True, help="All legal resulting positions, unranked and without the engine.")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="Plays shown in the table.")
def moves(
    positions: tuple[str, ...],
    source: str | None,
    as_json: bool,
    ply: int,
    met_name: str | None,
    model_name: str | None,
    changes: RuleChanges,
    trials: int | None,
    dice: str | None,
    legal: bool,
    top: int,
) -> int:
    """Plays of a roll, best first, each with its equity and error.

    \b
    Examples:
      cubelab moves 4HPwATDgc/ABMA --dice 31
      cubelab moves "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10" --legal --json
      cubelab moves 4HPwATDgc/ABMA --dice 43 --rollout 648
    """
    from ..errors import CubelabError
    from ..game.dice import checked_dice

    texts = position_lines(positions, source)
    try:
        given = None if dice is None else checked_dice(dice)
    except CubelabError as error:
        raise click.BadParameter(str(error), param_hint="--dice") from None
    met, model = chosen_met(met_name), chosen_model(model_name)
    if legal:
        idle = ("ply", "met_name", "model_name", "trials", "top", "jacoby", "beavers", "rule")
        refuse_idle(*idle, why="changes nothing beside --legal, which lists all plays without the engine")
        return _legal_plays(texts, given, as_json, source)
    if as_json or trials is not None:
        refuse_idle("top", why="is for the table of plays that are looked at, without --json and --rollout")
    if trials is not None:
        from .rollouts import rolled_moves

        settings = rollout_settings(trials)
        return rolled_moves(texts, lambda text: read_situation(text, changes), given, settings, met, as_json, source)
    prepare_engine(plays=True)
    from ..engine.search import ranked_plays
    from .plays import plays_json, show_plays

    def compute(text: str) -> RankedPlays:
        return ranked_plays(read_situation(text, changes), given, ply=ply, met=met, model=model)

    return answer_all(texts, compute, plays_json if as_json else None, lambda ranked: show_plays(ranked, top), source)


def rollout_settings(trials: int) -> RolloutSettings:
    """Settings of ``--rollout TRIALS``.

    Raises
    ------
    click.UsageError
        A cube model or a look-ahead was named, or too many trials.
    """
    from ..engine.rollout_settings import RolloutSettings
    from ..errors import CubelabError

    refuse_idle("model_name", why="does not apply to --rollout: the cube is played out")
    refuse_idle("ply", why="does not apply to --rollout, which plays at 0-ply: cubelab rollout has more settings")
    try:
        return RolloutSettings(trials=trials, keep_trials=False)
    except CubelabError as error:
        raise click.BadParameter(str(error), param_hint="--rollout") from None


def _legal_plays(texts: Any, given: tuple[int, int] | None, as_json: bool, source: str | None) -> int:
    from ..errors import SettingsError
    from .plays import legal_json, show_legal

    def compute(text: str) -> tuple[Situation, tuple[int, int], Any]:
        situation = read_situation(text)
        rolled = given or situation.dice
        if rolled is None:
            raise SettingsError("no dice: give --dice, or a position with dice")
        return situation, rolled, situation.position.plays(*rolled)

    return answer_all(texts, compute, legal_json if as_json else None, show_legal, source)


@click.command(cls=PositionCommand, short_help="Exact values of a bearoff.")
@positions_argument
def bearoff(positions: tuple[str, ...], source: str | None, as_json: bool) -> int:
    """Exact values of a bearoff: cubeless and with the cube, money without Jacoby.

    Cubeful values need at most 6 checkers a side; beyond that the chances come from each side's own rolls.

    \b
    Example:
      cubelab bearoff TgUAAGwBAAAAAA
    """
    from .bearoffs import bearoff_json, show_bearoff

    texts = position_lines(positions, source)
    prepare_bearoff()
    from ..engine.bearoff import exact_values

    def compute(text: str) -> tuple[Situation, BearoffValues]:
        situation = read_situation(text)
        return situation, exact_values(situation.position)

    return answer_all(texts, compute, bearoff_json if as_json else None, show_bearoff, source)
