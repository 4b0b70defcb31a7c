"""``cubelab explain``, ``ledger``, ``scores``, ``rules``, ``robust``: what lies behind a verdict."""

from __future__ import annotations

from dataclasses import asdict
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
)
from .parts import ids_json
from .printing import percent, print_table, print_text, signed
from .rule_options import rule_options
from .startup import prepare_engine

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from ..cube.derivation import Explanation
    from ..cube.recube import TakeBill
    from ..engine.evaluator import Evaluation
    from ..game import Situation


def _show_look_ahead(evaluation: Evaluation) -> None:
    """What the decisions of `cubelab cube` rest on, beside a verdict of the model alone."""
    decision = evaluation.decision
    equities = decision.equities
    doubled = "" if equities.double_take is None else f", double/take {signed(equities.double_take)}"
    print_text(
        f"By the model from the chances. The {evaluation.provenance.ply}-ply look-ahead of cubelab cube, which values "
        f"the cube after the next rolls, says: {decision.label} (no double {signed(equities.no_double)}{doubled})."
    )


def _answer(
    positions: tuple[str, ...],
    source: str | None,
    read: Callable[[str], Situation],
    compute: Callable[[Situation], Any],
    document: Callable[[Any], dict] | None,
    show: Callable[[Any], None],
) -> int:
    """Answer every POSITION with what `compute` finds, its ids before it."""
    texts = position_lines(positions, source)
    prepare_engine()

    def both(text: str) -> tuple[Situation, Any]:
        situation = read(text)
        return situation, compute(situation)

    def shown(found: tuple[Situation, Any]) -> None:
        print(found[0].xgid)
        show(found[1])

    def documented(found: tuple[Situation, Any]) -> dict:
        assert document is not None
        return {**ids_json(found[0]), **document(found[1])}

    return answer_all(texts, both, documented if document else None, shown, source, parallel=False)


def _rows(frame: pd.DataFrame) -> list[dict]:
    """A frame as JSON rows, missing numbers null."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


@click.command(cls=PositionCommand, short_help="The verdict derived, down to table cells and chances.")
@positions_argument
@engine_options
@rule_options
@click.option("--exercise", is_flag=True, help="Leave the numbers at the leaves blank, to be filled in.")
def explain(positions, source, as_json, ply, met_name, model_name, changes, exercise) -> int:
    """Derive a verdict by the cube model, from the chances that the engine finds.

    Every number stands with its formula and the numbers it follows from; then the bill of the take: what it brings
    without gammons and recubes, what gammons and owning the cube add. The model's verdict may differ from the one of
    a look-ahead (cubelab cube), which values the cube after the next rolls.

    \b
    Example:
      cubelab explain "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10" --ply 0
    """
    from ..cube import Janowski, decide, take_bill
    from ..engine.search import evaluate
    from ..score import Stakes

    met, model = chosen_met(met_name), chosen_model(model_name) or Janowski()

    def compute(situation: Situation) -> tuple[Explanation, TakeBill | None, Evaluation]:
        found = evaluate(situation, ply=ply, met=met)
        stakes = Stakes.of(situation.match, situation.cube, met)
        bill = take_bill(found.probabilities, stakes, model) if stakes.may_double else None
        return decide(found.probabilities, stakes, model).explain(), bill, found

    def document(found: tuple[Explanation, TakeBill | None, Evaluation]) -> dict:
        tree, bill, evaluation = found
        if exercise:
            return {**tree.to_dict(exercise=True), "bill": None, "look_ahead": None}
        billed = None if bill is None else asdict(bill)
        return {**tree.to_dict(), "bill": billed, "look_ahead": evaluation.decision.label}

    def show(found: tuple[Explanation, TakeBill | None, Evaluation]) -> None:
        tree, bill, evaluation = found
        print(tree.text(exercise=exercise))
        if not exercise:
            _show_look_ahead(evaluation)
        if bill is not None and not exercise:
            print()
            print_text("The take, seen by the side that is doubled (equities per cube before the double):")
            print(bill)

    return _answer(
        positions,
        source,
        lambda text: read_situation(text, changes),
        compute,
        document if as_json else None,
        show,
    )


@click.command(cls=PositionCommand, short_help="Why it is a double or not, roll by roll.")
@positions_argument
@rule_options
@click.option("--met", "met_name", metavar="NAME|FILE", help="Match equity table. Default: kazaross-xg2.")
@click.option("--sequences", type=click.IntRange(0, 441), default=8, show_default=True, help="Sequences to print.")
def ledger(positions, source, as_json, changes, met_name, sequences) -> int:
    """What doubling changes after each of the 21 rolls, and after all 441 sequences of a roll and a reply.

    The effects add up to double/take less no double of the 2-ply evaluation.

    \b
    Example:
      cubelab ledger "XGID=-b-B--E-B---dD---d-e----B-:0:0:1:00:0:0:0:0:10"
    """
    from ..engine.ledger import MarketLedger, market_ledger

    if as_json:
        refuse_idle("sequences", why="is for the table: JSON holds all of them")
    met = chosen_met(met_name)

    def document(found: MarketLedger) -> dict:
        return {
            "unit": found.stakes.unit,
            "difference": found.difference,
            "gain": found.gain,
            "cost": found.cost,
            "market_losers": found.market_losers,
            "rolls": _rows(found.rolls()),
            "sequences": _rows(found.to_frame()),
        }

    def show(found: MarketLedger) -> None:
        rolls = found.rolls().sort_values("effect", ascending=False)
        columns = ("roll", "play", "chance", "ND", "DT", "effect", "market lost")
        print_table(
            columns,
            [
                (r.roll, r.play, percent(r.chance), signed(r.no_double), signed(r.double_take), signed(r.effect),
                 percent(r.market_lost, 0))
                for r in rolls.itertuples()
            ],
            right=set(columns[2:]),
        )  # fmt: skip
        if sequences:
            print()
            columns = ("roll", "play", "reply", "their play", "effect", "× chance", "market")
            print_table(
                columns,
                [
                    (r.roll, r.play, r.reply_roll, r.reply, signed(r.effect), signed(r.weighted_effect, 4),
                     "lost" if r.market_lost else "")
                    for r in found.to_frame().head(sequences).itertuples()
                ],
                right={"effect", "× chance"},
            )  # fmt: skip
        print()
        print_text(
            f"Doubling gains {found.gain:.4f} where it is better to have doubled and costs {found.cost:.4f} elsewhere: "
            f"{signed(found.difference, 4)} in all. The market is lost after {percent(found.market_losers)} of the "
            "sequences."
        )

    return _answer(
        positions,
        source,
        lambda text: read_situation(text, changes),
        lambda situation: market_ledger(situation, met=met),
        document if as_json else None,
        show,
    )


@click.command(cls=PositionCommand, short_help="The verdict at every score.")
@positions_argument
@engine_options
@click.option("--size", type=click.IntRange(1, 25), default=5, show_default=True, help="Greatest away score.")
def scores(positions, source, as_json, ply, met_name, model_name, size) -> int:
    """The cube verdict of a position at every score, with money play, gammon-go, gammon-save, DMP and Crawford games.

    The position is evaluated anew at each score; 0-ply is enough for an overview.

    \b
    Example:
      cubelab scores "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10" --size 5 --ply 0
    """
    from ..cube.scores import ScoreTable
    from ..study.sheets import position_scores

    met, model = chosen_met(met_name), chosen_model(model_name)

    stages = {"money": "", "pre-Crawford": "before", "Crawford": "now", "post-Crawford": "after"}

    def show(found: ScoreTable) -> None:
        columns = ("score", "Crawford", "ND", "DT", "take point", "price", "verdict")
        print_table(
            columns,
            [
                (r.name, stages[r.stage], signed(r.no_double), signed(r.double_take), percent(r.take_point),
                 signed(r.gammon_price, 2), r.verdict if isinstance(r.verdict, str) else "–")
                for r in found.to_frame().itertuples(index=False, name="Row")
            ],
            right=set(columns[2:6]),
        )  # fmt: skip
        print_text(
            "Scores are what the mover and the opponent still need; ND no double, DT double and take; the opponent's "
            "take point, the mover's gammon price; – where the cube may not be turned."
        )

    return _answer(
        positions,
        source,
        read_situation,
        lambda situation: position_scores(situation, size, ply=ply, met=met, model=model),
        (lambda found: {"scores": _rows(found.to_frame())}) if as_json else None,
        show,
    )


@click.command(cls=PositionCommand, short_help="The verdict under every set of rules.")
@positions_argument
@engine_options
def rules(positions, source, as_json, ply, met_name, model_name) -> int:
    """The cube verdict of a position under every set of rules, side by side.

    \b
    Example:
      cubelab rules "XGID=-b-B--E-B---dD---d-e----B-:0:0:1:00:0:0:0:0:10" --ply 1
    """
    from ..study.sheets import position_rules

    met, model = chosen_met(met_name), chosen_model(model_name)

    def show(frame: pd.DataFrame) -> None:
        columns = ("rules", "cube", "ND", "DT", "beaver", "redouble", "verdict")
        print_table(
            columns,
            [
                (r.Index, str(r.cube), signed(r.no_double), signed(r.double_take), signed(r.double_beaver),
                 signed(r.double_redouble), r.label if isinstance(r.label, str) else r.reason)
                for r in frame.itertuples()
            ],
            right=set(columns[1:6]),
        )  # fmt: skip

    return _answer(
        positions,
        source,
        read_situation,
        lambda situation: position_rules(situation, ply=ply, met=met, model=model),
        (lambda frame: {"rules": _rows(frame.reset_index())}) if as_json else None,
        show,
    )


@click.command(cls=PositionCommand, short_help="Where the verdict flips.")
@positions_argument
@rule_options
@click.option("--ply", type=click.IntRange(0, 3), default=2, show_default=True, help="Deepest look-ahead compared.")
def robust(positions, source, as_json, changes, ply) -> int:
    """How firm a verdict is: over match equity tables, cube efficiencies and look-aheads, and the nearest other.

    \b
    Example:
      cubelab robust "XGID=-b-B--E-B---dD---d-e----B-:0:0:1:00:3:5:0:7:10" --ply 1
    """
    from ..cube.robustness import Robustness, robustness
    from ..engine.search import evaluate

    def compute(situation: Situation) -> tuple[Robustness, Evaluation]:
        evaluations = {depth: evaluate(situation, ply=depth) for depth in range(ply, -1, -1)}
        chances = {f"{depth}-ply": found.probabilities for depth, found in evaluations.items()}
        return robustness(chances, situation.match, situation.cube), evaluations[ply]

    def document(both: tuple[Robustness, Evaluation]) -> dict:
        found, evaluation = both
        return {
            "look_ahead": evaluation.decision.label,
            "label": found.decision.label,
            "agreement": found.agreement,
            "flips": [
                {"what": flip.what, "change": flip.change, "to": None if flip.to is None else flip.to.value}
                for flip in found.flips
            ],
            "rows": _rows(found.to_frame()),
        }

    def show(both: tuple[Robustness, Evaluation]) -> None:
        found, evaluation = both
        print_text(f"{found.decision.label} ({found.decision.model}); {percent(found.agreement, 0)} of the rows agree")
        frame = found.to_frame()
        table = frame.pivot_table(index=["evaluator", "met"], columns="efficiency", values="verdict", aggfunc="first")
        columns = ("evaluator", "table", *(f"x = {x:g}" for x in table.columns))
        print_table(columns, [(*index, *map(str, row)) for index, *row in table.itertuples()])
        for flip in found.flips:
            if flip.change is None or flip.to is None:
                print_text(f"No change of the {flip.what} chances alone changes the verdict.")
            else:
                print_text(f"{flip.what}: {signed(100 * flip.change, 2)} % makes it {flip.to.label()}.")
        print_text("ND no double, D double, TG too good; _T take, _P pass, _B beaver.")
        _show_look_ahead(evaluation)

    return _answer(
        positions,
        source,
        lambda text: read_situation(text, changes),
        compute,
        document if as_json else None,
        show,
    )
