"""``cubelab cube --engine``: another engine's verdict beside ours."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from .answers import answer_all
from .parts import probabilities_json
from .printing import percent, print_table, print_text, signed
from .verdicts import evaluation_json, show_decision

if TYPE_CHECKING:
    from ..engine.evaluator import Evaluation
    from ..game import Situation
    from ..score.met import MatchEquityTable


def engine_option(command: Callable) -> Callable:
    """Add ``--engine``."""
    return click.option(
        "--engine",
        type=click.Choice(["gnubg", "bgsage"]),
        help="Also what another engine says, where it is installed: GNU Backgammon or Open Sage.",
    )(command)


def cubes_with_opinion(
    texts: Iterable[str],
    read: Callable[[str], Situation],
    evaluate: Callable[[Situation], Evaluation],
    engine: str,
    ply: int,
    met: MatchEquityTable | None,
    as_json: bool,
    source: str | None,
) -> int:
    """Answer each input with our evaluation and the other engine's; one program of it answers all.

    Parameters
    ----------
    texts : iterable of str
    read, evaluate : callables
        From an input to its situation, from that to our evaluation.
    engine : str
        As `engine.external.ENGINES`.
    ply : int
        Of the other engine.
    met : MatchEquityTable, optional
    as_json : bool
    source : str, optional
        What to name when there were no inputs.
    """
    from ..engine.external import open_engine

    with open_engine(engine) as program:
        one_at_a_time = threading.Lock()

        def compute(text: str) -> tuple[Evaluation, Evaluation]:
            situation = read(text)
            ours = evaluate(situation)
            with one_at_a_time:
                theirs = program.evaluations([situation], ply=ply, met=met)[0]
            return ours, theirs

        return answer_all(texts, compute, _both_json if as_json else None, _show_both, source)


def _both_json(both: tuple[Evaluation, Evaluation]) -> dict[str, Any]:
    ours, theirs = both
    opinion = {
        "engine": theirs.provenance.version,
        "ply": theirs.provenance.ply,
        "probabilities": probabilities_json(theirs.probabilities),
        **theirs.decision.to_dict(),
        "same_verdict": _same(ours, theirs),
    }
    return {**evaluation_json(ours), "second_opinion": opinion}


def _same(ours: Evaluation, theirs: Evaluation) -> bool:
    return ours.decision.label == theirs.decision.label


def _show_both(both: tuple[Evaluation, Evaluation]) -> None:
    ours, theirs = both
    show_decision(ours)
    print()
    columns = ("", "cubelab", theirs.provenance.version)
    print_table(columns, [(title, *map(cell, both)) for title, cell in _ROWS], right=set(columns[1:]))
    print_text(
        f"{theirs.provenance.version}, {theirs.provenance.ply}-ply: {theirs.decision.label}"
        f"{'' if _same(ours, theirs) else ' (cubelab says otherwise)'}"
    )


def _equity(name: str) -> Callable[[Evaluation], str]:
    return lambda evaluation: signed(getattr(evaluation.decision.equities, name))


def _chance(place: int) -> Callable[[Evaluation], str]:
    return lambda evaluation: percent(evaluation.probabilities.cumulative[place])


_ROWS: tuple[tuple[str, Callable[[Evaluation], str]], ...] = (
    ("wins", _chance(0)),
    ("wins gammon", _chance(1)),
    ("loses gammon", _chance(3)),
    ("cubeless equity", lambda evaluation: signed(evaluation.cubeless)),
    ("no double", _equity("no_double")),
    ("double, take", _equity("double_take")),
    ("double, pass", _equity("double_pass")),
)
