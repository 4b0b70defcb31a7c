"""``cubelab quiz``: positions to decide, marked and explained."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..wording import counted
from .asking import read_line
from .combining import refuse_idle
from .inputs import chosen_met
from .paths import InputPath, output_path
from .printing import print_table, print_text
from .program import plain
from .startup import prepare_engine

if TYPE_CHECKING:
    from ..practice.quiz import Mark, Question, Quiz
    from ..practice.sheet import ScoreSheet

_HELP = """\
Answers to a cube question: nd no double, dt double and take, dp double and pass, tg too good to double.
To a double: t take, p pass, b beaver. To a roll: the play, such as 13/7 8/7.
  why    how the last cube verdict follows     skip   the next question     quit   stop"""


@click.command(short_help="Positions to decide, marked and explained.")
@click.argument("sources", nargs=-1, metavar="[FILE...]", type=InputPath("answers are typed there; name a file"))
@click.option("--count", type=click.IntRange(1), default=10, show_default=True, help="Questions.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(("cube", "take", "play")), help="Only these; may be repeated."
)
@click.option("--ply", type=click.IntRange(0, 3), default=2, show_default=True, help="Look-ahead that marks answers.")
@click.option("--met", "met_name", metavar="NAME|FILE", help="Match equity table. Default: kazaross-xg2.")
@click.option("--seed", type=int, help="Of the order of the questions.")
@click.option(
    "--sheet", type=click.Path(path_type=Path, dir_okay=False), help="Score sheet. Default: in your data folder."
)
@click.option("--no-sheet", is_flag=True, help="Neither read nor keep a score sheet.")
@click.option("--show-sheet", is_flag=True, help="Print the score sheet instead of asking.")
def quiz(sources, count, kinds, ply, met_name, seed, sheet, no_sheet, show_sheet) -> int:
    """Decide positions: doubles, takes and plays of saved matches, of lists of positions, or of the built-in ones.

    A score sheet remembers how each was answered: wrong ones come back on the same day, right ones after 1, 3, 7, 21
    and 60 days. It lies in your data folder unless --sheet names another. Of a match only close decisions are asked.

    \b
    Examples:
      cubelab quiz
      cubelab quiz match.mat --kind cube --kind take --count 5
    """
    from ..practice.quiz import KINDS, REFERENCE
    from ..practice.quiz import quiz as new_quiz
    from ..practice.sheet import ScoreSheet, usual_sheet

    if no_sheet and (sheet is not None or show_sheet):
        raise click.UsageError("--no-sheet excludes --sheet and --show-sheet")
    if sheet is not None:
        output_path(sheet, "--sheet")
    met = chosen_met(met_name)
    kept = ScoreSheet(None if no_sheet else sheet or usual_sheet())
    if show_sheet:
        refuse_idle(
            "sources", "count", "kinds", "ply", "met_name", "seed", why="is for questions: leave out --show-sheet"
        )
        _show_sheet(kept)
        return 0
    prepare_engine(plays=True)
    questions = new_quiz(
        list(sources) or REFERENCE, count=count, kinds=kinds or KINDS, ply=ply, met=met, seed=seed, sheet=kept
    )
    try:
        _ask_all(questions)
    except (EOFError, KeyboardInterrupt):
        print()
    finally:
        print()
        print_text(questions.summary)
        if questions.marks:
            kept.save()
            if kept.path is not None:
                print_text(f"Score sheet: {kept.path}, {counted(len(kept.cards), 'question')}.")
    return 0


def _show_sheet(sheet: ScoreSheet) -> None:
    """How many questions stand in which box, and which cost most."""
    from datetime import date

    from ..practice.sheet import INTERVALS

    cards, today = sheet.cards, date.today().isoformat()
    due = sum(card.due <= today for card in cards.values())
    print_text(f"{sheet.path}: {counted(len(cards), 'question')}, {due} due today.")
    rows = []
    for box, days in enumerate(INTERVALS):
        inside = [card for card in cards.values() if card.box == box]
        asked, wrong = sum(card.asked for card in inside), sum(card.wrong for card in inside)
        again = "on the same day" if not days else f"after {counted(days, 'day')}"
        rows.append((str(box), again, str(len(inside)), str(asked), str(wrong)))
    print_table(("box", "asked again", "questions", "answers", "wrong"), rows, right={"questions", "answers", "wrong"})
    costly = sorted((key for key in cards if cards[key].cost > 0), key=lambda key: -cards[key].cost)[:5]
    for key in costly:
        print(f"{cards[key].cost:.3f}  {plain(key)}")


def _ask_all(questions: Quiz) -> None:
    last: Mark | None = None
    for number in range(len(questions)):
        _show(questions[number], number + 1, len(questions))
        while True:
            text = read_line("> ")
            command = text.strip().casefold()
            if command in ("quit", "exit", "q"):
                return
            if command in ("help", "?"):
                print(_HELP)
            elif command == "why":
                _why(last)
            elif command == "skip":
                break
            else:
                found = _marked(questions, number, text.strip())
                if found is not None:
                    last = found
                    break


def _show(question: Question, number: int, count: int) -> None:
    from ..notation.board import board_text

    print()
    print_text(f"Question {number} of {count}{': ' + question.source if question.source else ''}")
    print(board_text(question.shown))
    print_text(question.text)


def _marked(questions: Quiz, number: int, answer: str) -> Mark | None:
    """The mark, printed; None where the answer is none, which is said."""
    from ..errors import CubelabError

    try:
        mark = questions.answer(number, answer)
    except CubelabError as error:
        print_text(f"{error} (help lists the answers)")
        return None
    for line in mark.text.splitlines():
        print(line)
    return mark


def _why(last: Mark | None) -> None:
    from ..errors import CubelabError

    if last is None:
        print_text("Nothing has been answered yet.")
        return
    try:
        print(last.explain().text())
    except CubelabError as error:
        print_text(str(error))
