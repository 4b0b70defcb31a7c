"""Questions from matches, lists of positions and the reference positions, marked by the engine and explained."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..arguments import checked
from ..cube.decision import CubeDecision
from ..cube.points import take_point
from ..engine.search import RankedPlays, evaluate, ranked_plays
from ..errors import CubelabError, IllegalPlay, NotationError, RecordError, SettingsError
from ..game import Phase, Situation
from ..game.play import Play
from ..records import display_name, read_match, read_positions, replay
from ..records.decision import Kind
from ..score import MatchEquityTable
from ..wording import counted
from .sheet import ScoreSheet

if TYPE_CHECKING:
    from ..cube.derivation import Explanation

KINDS: Final = ("cube", "take", "play")
#: Word of the built-in positions in the place of a file.
REFERENCE: Final = "reference"
#: Decisions of a match are asked only when a choice within this of the best one exists (EMG, 0-ply).
CLOSE: Final = 0.15
#: An answer that costs less is right.
RIGHT: Final = 5e-4

_CUBE_ANSWERS: Final = {
    "no double": ("nd", "no double", "no redouble", "n", "roll"),
    "double, take": ("dt", "d/t", "double take", "double/take", "double, take", "redouble, take", "rt"),
    "double, pass": ("dp", "d/p", "double pass", "double/pass", "double, pass", "redouble, pass", "rp"),
    "too good": ("tg", "too good", "too good to double", "play on"),
}
_TAKE_ANSWERS: Final = {
    "take": ("t", "take", "takes"),
    "pass": ("p", "pass", "passes", "drop", "d"),
    "beaver": ("b", "beaver"),
}


@dataclass(frozen=True, slots=True)
class Question:
    """Something to decide.

    Attributes
    ----------
    situation : Situation
        Seen by the player on roll; with dice for a play.
    kind : {"cube", "take", "play"}
    source : str
        Where it comes from.
    """

    situation: Situation
    kind: str
    source: str = ""

    @property
    def key(self) -> str:
        """Name in a score sheet."""
        return f"{self.kind} {self.situation.xgid}"

    @property
    def shown(self) -> Situation:
        """The situation as the side that has to decide sees it, at the bottom of the board."""
        return replace(self.situation, turn=-1 if self.kind == "take" else 1)

    @property
    def text(self) -> str:
        """What is asked, in words."""
        word = "Redouble" if self.situation.cube.value > 1 else "Double"
        dice = self.situation.dice
        return {
            "cube": f"{word}? And if so, take or pass? (nd, dt, dp, tg)",
            "take": f"{word}d to {2 * self.situation.cube.value}: does the other side take or pass? (t, p)",
            "play": f"How do you play {dice[0]}{dice[1]}?" if dice else "",
        }[self.kind]

    def _repr_html_(self) -> str:
        from html import escape

        return f"{self.shown._repr_html_()}<p><b>{escape(self.text)}</b> {escape(self.source)}</p>"


@dataclass(frozen=True, slots=True)
class Mark:
    """An answer and what it was worth.

    Attributes
    ----------
    question : Question
    answer : str
        As understood.
    right : bool
    cost : float
        Equity lost, EMG (points in money play), at least 0.
    best : str
        The right answer.
    decision : CubeDecision or None
    plays : RankedPlays or None
    """

    question: Question
    answer: str
    right: bool
    cost: float
    best: str
    decision: CubeDecision | None = None
    plays: RankedPlays | None = None

    @property
    def text(self) -> str:
        """The mark and the numbers behind it."""
        head = "Right" if self.right else f"{self.answer} costs {self.cost:.3f}" if self.cost >= RIGHT else "Not quite"
        return "\n".join([f"{head}: {self.best}.", *(_play_lines(self) if self.plays else _cube_lines(self))])

    def explain(self) -> Explanation:
        """The derivation of a cube verdict by the model, from the chances that the engine found.

        Raises
        ------
        SettingsError
            A play has none.
        """
        from ..cube import decide

        if self.decision is None or self.decision.probabilities is None:
            raise SettingsError("only cube decisions have a derivation")
        return decide(self.decision.probabilities, self.decision.stakes).explain()

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from html import escape

        return "".join(f"<p>{escape(line)}</p>" for line in self.text.splitlines())


def _cube_lines(mark: Mark) -> Iterator[str]:
    decision = mark.decision
    assert decision is not None
    yield str(decision)
    chances = decision.probabilities
    if chances is None:
        return
    win, gammon, _, lost_gammon, _ = chances.cumulative
    yield f"The side on roll wins {win:.1%}, {gammon:.1%} with a gammon, and loses {lost_gammon:.1%} with one."
    if decision.cube_allowed and decision.stakes.pips is None:
        point = take_point(chances, decision.stakes)
        if point is not None and point == point:
            yield f"The other side wins {1 - win:.1%}; with these gammons the model takes from {point:.1%} on."


def _play_lines(mark: Mark) -> Iterator[str]:
    assert mark.plays is not None
    for entry in mark.plays[:4]:
        yield f"{entry.play.notation:24} {entry.equity:+.3f}  {-entry.error_emg:+.3f}"
    if mark.answer not in [entry.play.notation for entry in mark.plays[:4]]:
        entry = next(entry for entry in mark.plays if entry.play.notation == mark.answer)
        yield f"{entry.play.notation:24} {entry.equity:+.3f}  {-entry.error_emg:+.3f}"


@dataclass(frozen=True)
class Quiz:
    """Questions, the engine that marks them, and the score sheet.

    Attributes
    ----------
    questions : tuple of Question
        In the order in which they should be asked.
    ply : int
    met : MatchEquityTable, optional
    sheet : ScoreSheet
    marks : list of Mark
        Of the answers so far.
    """

    questions: tuple[Question, ...]
    ply: int = 2
    met: MatchEquityTable | None = None
    sheet: ScoreSheet = field(default_factory=ScoreSheet)
    marks: list[Mark] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.questions)

    def __getitem__(self, number: int) -> Question:
        return self.questions[number]

    def answer(self, number: int, answer: str, today: date | None = None) -> Mark:
        """Mark an answer and enter it in the score sheet (`ScoreSheet.save` keeps it).

        Parameters
        ----------
        number : int
            Of the question.
        answer : str
            ``nd``, ``dt``, ``dp``, ``tg``; ``take``, ``pass``, ``beaver``; or a play in any spelling.
        today : date, optional

        Raises
        ------
        CubelabError
            The answer cannot be read, or is no legal play.
        """
        mark = mark_answer(self.questions[number], answer, self.ply, self.met)
        self.marks.append(mark)
        self.sheet.note(mark.question.key, mark.right, mark.cost, today or date.today())
        return mark

    @cached_property
    def kinds(self) -> dict[str, int]:
        """How many questions of each kind there are."""
        return {kind: sum(question.kind == kind for question in self.questions) for kind in KINDS}

    @property
    def summary(self) -> str:
        """How the answers so far were."""
        if not self.marks:
            return "Nothing answered yet."
        right, cost = sum(mark.right for mark in self.marks), sum(mark.cost for mark in self.marks)
        return f"{right} of {len(self.marks)} right; the answers cost {cost:.3f} in all."

    def _repr_html_(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.kinds.items() if count)
        return f"<p>{counted(len(self), 'question')} ({kinds}). {self.summary}</p>"


@checked("count", "kinds", "sheet", "sources", "today")
def quiz(
    sources: str | PathLike[str] | Iterable[str | PathLike[str] | Situation] = REFERENCE,
    *,
    count: int = 10,
    kinds: Sequence[str] = KINDS,
    ply: int = 2,
    met: MatchEquityTable | str | None = None,
    seed: int | None = None,
    sheet: ScoreSheet | str | PathLike[str] | None = None,
    today: date | None = None,
) -> Quiz:
    """Questions to practise with.

    Parameters
    ----------
    sources : path, Situation, or several
        Saved matches, whose close decisions are asked; lists of positions; situations; ``"reference"`` for the built-in
        positions.
    count : int
        At most so many questions.
    kinds : sequence of {"cube", "take", "play"}
    ply, met
        As for `cubelab.evaluate`.
    seed : int, optional
        Of their order; a new one each time by default.
    sheet : ScoreSheet or path, optional
        Due questions come first, then new ones. Without it every question is new.
    today : date, optional

    Raises
    ------
    CubelabError
        Sources that cannot be read or hold no question, settings that do not exist.

    Examples
    --------
    >>> import cubelab as cl
    >>> q = cl.quiz(kinds=["play"], count=3, seed=1, ply=0)
    >>> len(q), q[0].kind
    (3, 'play')
    """
    wrong = [kind for kind in kinds if kind not in KINDS]
    if wrong or not kinds:
        raise SettingsError(f"kinds {list(kinds)!r}: choose among {', '.join(KINDS)}")
    if count < 1:
        raise SettingsError(f"a quiz of {count} questions: at least one is needed")
    given = [sources] if isinstance(sources, (str, PathLike, Situation)) else list(sources)
    rng = random.Random(seed)
    if not isinstance(sheet, ScoreSheet):
        sheet = ScoreSheet(None if sheet is None else Path(sheet))
    pool: dict[str, tuple[Question, bool]] = {}
    for source in given:
        for question, close in _questions(source):
            if question.kind in kinds:
                pool.setdefault(question.key, (question, close))
    keys = list(pool)
    rng.shuffle(keys)
    chosen: list[Question] = []
    for key in sheet.order(keys, today or date.today()):
        question, checked = pool[key]
        if checked or key in sheet.cards or _is_close(question):
            chosen.append(question)
            if len(chosen) == count:
                break
    if not chosen:
        raise SettingsError(f"no question of the kind {' or '.join(kinds)} in {', '.join(map(_name, given))}")
    return Quiz(tuple(chosen), ply, None if met is None else MatchEquityTable.load(met), sheet)


def _name(source: str | PathLike[str] | Situation) -> str:
    return source.xgid if isinstance(source, Situation) else str(source)


def _questions(source: str | PathLike[str] | Situation) -> Iterator[tuple[Question, bool]]:
    """Questions of a source, and whether each is worth asking as it stands."""
    if isinstance(source, Situation):
        yield _of_situation(source, ""), True
        return
    if source == REFERENCE:
        with_path = files("cubelab.practice") / "reference.txt"
        for line in with_path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                xgid, comment = line.split(maxsplit=1)
                yield _of_situation(Situation.from_xgid(xgid), comment), True
        return
    try:
        record = read_match(source)
    except RecordError as error:
        saved = read_positions(source)
        if not saved.positions:
            raise error from None
        for position in saved.positions:
            if position.situation.position.phase is not Phase.OVER:
                yield _of_situation(position.situation, position.comment), True
        return
    for decision in replay(record):
        where = f"{display_name(decision.player)}, {Path(source).name} {decision.game}.{decision.ply}"
        if decision.kind in (Kind.DOUBLE, Kind.TAKE, Kind.PLAY) and not decision.flags:
            kind = "cube" if decision.kind is Kind.DOUBLE else str(decision.kind)
            yield Question(decision.situation, kind, where), False


def _of_situation(situation: Situation, source: str) -> Question:
    kind = "play" if situation.dice is not None else "take" if situation.offer is not None else "cube"
    return Question(situation, kind, source)


def _is_close(question: Question) -> bool:
    """Whether a decision of a match needs thought: some other choice is nearly as good, by the static evaluation."""
    try:
        if question.kind == "play":
            ranked = ranked_plays(question.situation, ply=0)
            return len(ranked) > 2 and ranked[1].error_emg < CLOSE and ranked[-1].error_emg > 0.02
        decision = evaluate(_before_rolling(question.situation), ply=0).decision
    except CubelabError:
        return False
    equities = decision.equities
    if decision.verdict is None or equities.doubled is None or equities.double_take is None:
        return False
    assert equities.double_pass is not None
    if question.kind == "take":
        return abs(equities.double_pass - equities.double_take) < 2 * CLOSE
    return abs(equities.doubled - equities.no_double) < CLOSE


def _before_rolling(situation: Situation) -> Situation:
    return replace(situation, dice=None, offer=None)


def mark_answer(question: Question, answer: str, ply: int = 2, met: MatchEquityTable | None = None) -> Mark:
    """What an answer is worth.

    Raises
    ------
    CubelabError
        The answer cannot be read, is no legal play, or the cube may not be turned.
    """
    situation = question.situation
    if question.kind == "play":
        assert situation.dice is not None
        play = Play.parse(answer, situation.position, situation.dice)
        ranked = ranked_plays(situation, ply=ply, met=met, include=play.after)
        if not ranked:
            raise IllegalPlay("no checker can move: there is nothing to choose")
        entry, best = ranked.find(play.after), ranked[0].play.notation
        right = entry.error_emg < RIGHT
        return Mark(question, entry.play.notation, right, entry.error_emg, f"{best} is best", None, ranked)
    decision = evaluate(_before_rolling(situation), ply=ply, met=met).decision
    if decision.verdict is None:
        raise SettingsError(f"there is no cube decision here: {decision.reason_not_allowed}")
    if question.kind == "take":
        chosen = _understood(answer, _TAKE_ANSWERS)
        loss = decision.response_error(chosen)
        if loss is None:
            raise NotationError("the rules have no beaver here: answer take or pass")
        return Mark(question, chosen, loss.emg < RIGHT, loss.emg, f"{decision.verdict.response} is right", decision)
    chosen = _understood(answer, _CUBE_ANSWERS)
    double = chosen.startswith("double")
    mover = decision.error(double)
    assert mover is not None
    cost = mover.emg
    if double:  # a double and a wrong answer are two mistakes, of one side each
        answered = decision.response_error(chosen.removeprefix("double, "))
        assert answered is not None
        cost += answered.emg
    same = double or decision.optional or decision.verdict.too_good == (chosen == "too good")
    return Mark(question, chosen, cost < RIGHT and same, cost, decision.label, decision)


def _understood(answer: str, known: dict[str, tuple[str, ...]]) -> str:
    words = " ".join(answer.casefold().split())
    for name, spellings in known.items():
        if words in spellings:
            return name
    first = ", ".join(f"{spellings[0]} ({name})" for name, spellings in known.items())
    raise NotationError(f"answer {answer!r} is none of {first}")
