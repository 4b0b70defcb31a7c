"""What the engine thinks of a situation, as plain values for the page."""

from __future__ import annotations

from typing import Any

from ..cube.decision import CubeDecision
from ..cube.models import CubeModel
from ..engine.evaluator import Evaluation
from ..engine.rollout import Rollout
from ..engine.search import RankedPlays, evaluate, ranked_plays
from ..errors import CubelabError
from ..game import Probabilities, Situation
from ..plot.figures import signed
from ..score.met import MatchEquityTable
from ..wording import counted

#: Plays listed, best first.
PLAYS = 6
_CHANCES = ("win", "gammon", "backgammon", "lose a gammon", "lose a backgammon")


def opinion(
    situation: Situation, ply: int, met: str | MatchEquityTable | None, model: CubeModel | None
) -> Evaluation | RankedPlays | CubelabError:
    """Cube decision before a roll, plays of a roll; an error where there is nothing to say."""
    try:
        if situation.dice is None:
            return evaluate(situation, ply=ply, met=met, model=model)
        return ranked_plays(situation, ply=ply, met=met, model=model)
    except CubelabError as error:
        return error


def opinion_values(answer: Evaluation | RankedPlays | CubelabError, source: str) -> dict[str, Any]:
    """An opinion for the page; `source` names the evaluator."""
    if isinstance(answer, CubelabError):
        return {"source": source, "kind": "problem", "verdict": str(answer)}
    if isinstance(answer, RankedPlays):
        return _plays_values(answer, source)
    return decision_values(answer.decision, answer.probabilities, source)


def decision_values(decision: CubeDecision, probabilities: Probabilities, source: str) -> dict[str, Any]:
    """A cube decision for the page: the verdict, one row an option, chances."""
    frame = decision.to_frame()
    rows = [
        {
            "option": str(name).capitalize(),
            "equity": signed(row["equity"], 3),
            "mwc": "" if row["mwc"] != row["mwc"] else f"{100 * row['mwc']:.2f} %",
            "error": "" if not row["error_emg"] >= 0.0005 else f"{row['error_emg']:.3f}",
            "right": bool(row["right"]),
        }
        for name, row in frame.iterrows()
    ]
    return {
        "source": source,
        "kind": "cube",
        "verdict": decision.label,
        "rows": rows,
        "unit": "points" if decision.unit == "points" else "EMG",
        "chances": chances_values(probabilities),
    }


def chances_values(probabilities: Probabilities) -> list[dict[str, str]]:
    """Cumulative chances in words and per cent."""
    return [
        {"name": name, "value": f"{100 * share:.1f} %"}
        for name, share in zip(_CHANCES, probabilities.cumulative, strict=True)
    ]


def _plays_values(ranked: RankedPlays, source: str) -> dict[str, Any]:
    if not len(ranked):
        return {"source": source, "kind": "plays", "verdict": "No legal play", "rows": [], "unit": "", "chances": []}
    rows = [
        {
            "option": each.play.notation,
            # Plays far behind are not looked at as deeply as the others.
            "equity": signed(each.equity, 3) if each.ply == ranked[0].ply else f"({signed(each.equity, 3)})",
            "mwc": "" if each.mwc is None else f"{100 * each.mwc:.2f} %",
            "error": "" if each.error_emg < 0.0005 else f"{each.error_emg:.3f}",
            "right": place == 0,
        }
        for place, each in enumerate(ranked[:PLAYS])
    ]
    verdict = f"Best play: {ranked[0].play.notation}" if len(ranked) > 1 else f"Forced: {ranked[0].play.notation}"
    unit = "points" if ranked.situation.match.money else "EMG"
    return {
        "source": source,
        "kind": "plays",
        "verdict": verdict,
        "rows": rows,
        "unit": unit,
        "chances": chances_values(ranked[0].probabilities),
    }


def rollout_values(rollout: Rollout) -> dict[str, Any]:
    """A rollout for the page: the decision so far with standard errors."""
    source = f"rollout, {counted(rollout.count, 'trial')}"
    values = decision_values(rollout.decision, rollout.probabilities, source)
    se = rollout.se
    for row, error in zip(values["rows"], (se.no_double, se.double_take), strict=False):
        if error is not None:
            row["se"] = f"{error:.3f}"
    return values | {"status": rollout_status(rollout)}


def rollout_status(rollout: Rollout, total: int | None = None) -> str:
    """Present numbers of a rollout in one line: no double, double and take, their difference, standard errors.

    `total` is how many trials a running one shall have.
    """
    se = rollout.se
    equities = rollout.decision.equities
    done = f"{rollout.count} of {counted(total, 'trial')}" if total else counted(rollout.count, "trial")
    text = f"{done}: ND {_with_error(equities.no_double, se.no_double)}"
    if equities.double_take is None:
        return text
    difference = equities.double_take - equities.no_double
    text += f", DT {_with_error(equities.double_take, se.double_take)}"
    text += f", DT − ND {_with_error(difference, se.difference)}"
    sure = rollout.confidence
    return text if sure is None else f"{text}; verdict right with {100 * sure.verdict_probability:.1f} %"


def _with_error(value: float, error: float | None) -> str:
    return signed(value, 3) if error is None or error != error else f"{signed(value, 3)} ± {error:.3f}"
