"""Close and wrong decisions of a match rolled out, in place of the look-ahead's answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..engine.evaluator import Evaluation
from ..engine.rolled_plays import RolledPlay, RolledPlays, rollout_plays
from ..engine.rollout_run import rollout
from ..engine.search import RankedPlay, RankedPlays
from ..records import Decision, Kind

if TYPE_CHECKING:
    from ..engine.rollout_settings import RolloutSettings
    from ..game import Position, Situation
    from ..game.play import Play

#: Plays rolled out for one decision, besides the one made.
_RIVALS = 3


def worth_rolling(decision: Decision, answer: Evaluation | RankedPlays, error: float | None, close: float) -> bool:
    """Whether a decision was wrong by the look-ahead, or the best choices are within `close` of each other.

    Parameters
    ----------
    decision : Decision
    answer : Evaluation or RankedPlays
    error : float or None
        What the choice made cost, EMG; None where it was not judged.
    close : float
        EMG.
    """
    if isinstance(answer, RankedPlays):
        return len(answer) > 1 and (bool(error) or answer[1].error_emg < close)
    cube = answer.decision
    equities = cube.equities
    if cube.verdict is None or cube.exact or equities.doubled is None or equities.double_take is None:
        return False
    assert equities.double_pass is not None
    if decision.kind is Kind.DOUBLE:
        margin = abs(equities.doubled - equities.no_double)
    else:
        margin = abs(equities.double_pass - equities.double_take)
    return bool(error) or margin < close


def rolled_cube(situation: Situation, settings: RolloutSettings, met: Any) -> Evaluation:
    """A cube decision rolled out.

    Raises
    ------
    KeyboardInterrupt
        Interrupted by hand: what there is would be taken for the whole.
    """
    result = rollout(situation, settings, met=met)
    if result.interrupted and settings.stop_time is None:
        raise KeyboardInterrupt
    return result.evaluation


def rolled_ranking(
    ranked: RankedPlays, made: Position | None, settings: RolloutSettings, met: Any, close: float
) -> RankedPlays:
    """The best plays and the one made rolled out; the others keep their numbers and stand behind.

    Raises
    ------
    KeyboardInterrupt
        Interrupted by hand.
    """
    wanted: list[Play] = [entry.play for entry in ranked[: 1 + _RIVALS] if entry.error_emg < max(close, 1e-9)]
    wanted += [entry.play for entry in ranked if entry.play.after == made and entry.play not in wanted]
    if len(wanted) < 2:
        wanted = [entry.play for entry in ranked[:2]]
    rolled = rollout_plays(ranked.situation, wanted, settings, dice=ranked.dice, met=met)
    if rolled.interrupted and settings.stop_time is None:
        raise KeyboardInterrupt
    chosen = {entry.play.after for entry in rolled}
    others = [entry for entry in ranked if entry.play.after not in chosen]
    plays = (*(_ranked(entry, settings.ply) for entry in rolled), *others)
    return replace(ranked, plays=plays, rolled=rolled)


def _ranked(entry: RolledPlay, ply: int) -> RankedPlay:
    return RankedPlay(
        entry.play, entry.probabilities, entry.equity, entry.mwc, entry.error_emg, entry.error_mwc, ply
    )  # fmt: skip


def rolled_numbers(answer: Evaluation | RankedPlays, made: Position | None) -> dict[str, Any]:
    """Trials, and the standard error of the difference that was decided on; nothing where nothing was rolled out."""
    if isinstance(answer, Evaluation):
        if answer.rollout is None:
            return {}
        return {"rollout_trials": answer.rollout.count, "rollout_se": answer.rollout.se.difference}
    rolled: RolledPlays | None = answer.rolled
    if rolled is None or not len(rolled):
        return {}
    entry = next((e for e in rolled if e.play.after == made), rolled[0])
    # The play made is compared with the best one; where it is the best, the next one tells how sure that is.
    error_se = entry.error_se if entry is not rolled[0] else rolled[1].error_se if len(rolled) > 1 else None
    count = max((e.rollout.count for e in rolled if e.rollout is not None), default=0)
    return {"rollout_trials": count, "rollout_se": error_se}
