"""A saved match → the table of its decisions, each evaluated, with what the mistakes cost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from ..arguments import checked
from ..engine.evaluator import Evaluation, Provenance
from ..engine.rollout_settings import RolloutSettings
from ..engine.search import RankedPlays, Search, evaluate, ranked_plays
from ..errors import CubelabError, SettingsError
from ..game import Owner, Situation
from ..records import Action, Decision, Flag, Kind, Record, Seat, display_name, read_match, replay_games
from ..score.met import MatchEquityTable
from ..wording import counted
from .decisions import CHANCES, EQUITIES, FLAG_SEPARATOR, NOT_ANALYSED, decision_records, decisions_frame
from .rolled import rolled_cube, rolled_numbers, rolled_ranking, worth_rolling
from .statistics import convention_named, summarise, total

if TYPE_CHECKING:
    import pandas as pd

    from ..cube.decision import CubeDecision
    from ..cube.models import CubeModel

#: Rollouts of close decisions end when the verdict is as good as certain, or wrong at next to no cost.
CLOSE_ROLLOUTS = RolloutSettings(trials=1296, stop_probability=0.995, stop_regret=0.0005, keep_trials=False)
#: Called with the number of positions done and of all positions of the match.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a match is analysed.

    Parameters
    ----------
    ply : int
        Look-ahead, 0 to 3.
    met : str or MatchEquityTable, optional
        Default Kazaross-XG2.
    model : CubeModel, optional
        Default: Janowski with an efficiency by class of position.
    checker_play : bool
        Also evaluate every play.
    threads : int, optional
        Default: one a core.
    convention : {"xg", "gnubg"}
        Which decisions the PR counts.
    rollout_close : float, optional
        Roll out decisions that are wrong, or where the choices are within this of each other (EMG).
    rollout : RolloutSettings
        How.

    Raises
    ------
    SettingsError
        A ply or convention that does not exist, fewer threads than one.
    """

    ply: int = 2
    met: str | MatchEquityTable | None = None
    model: CubeModel | None = None
    checker_play: bool = False
    threads: int | None = None
    convention: str = "xg"
    rollout_close: float | None = None
    rollout: RolloutSettings = CLOSE_ROLLOUTS

    def __post_init__(self) -> None:
        Search(self.ply)
        if self.rollout_close is not None and not self.rollout_close >= 0:
            raise SettingsError(f"rollout_close = {self.rollout_close!r}: an equity of 0 or more is needed")
        convention_named(self.convention)
        if self.threads is not None and self.threads < 1:
            raise SettingsError(f"{self.threads} threads: at least one is needed")


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """What a record says about itself.

    Attributes
    ----------
    file : str
    players : (str, str)
        Bottom and top player, safe to print.
    length : int
        0 for money play.
    games : int
    score : (int, int)
        At the end of the record.
    winner : str or None
        None for money play and unfinished matches.
    flags : tuple of str
        Everything odd about the record.
    """

    file: str
    players: tuple[str, str]
    length: int
    games: int
    score: tuple[int, int]
    winner: str | None
    flags: tuple[str, ...]

    @classmethod
    def of(cls, record: Record, flags: Sequence[str] = ()) -> MatchHeader:
        """Header of a record, with flags found elsewhere added to its own."""
        players = display_name(record.players[0]), display_name(record.players[1])
        winner = None if record.winner is None else players[record.winner.index]
        known = dict.fromkeys([*sorted(map(str, record.all_flags)), *flags])
        return cls(record.file, players, record.length, len(record.games), record.score, winner, tuple(known))

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of the command line."""
        return {
            "file": self.file,
            "players": list(self.players),
            "length": self.length,
            "games": self.games,
            "result": {"score": list(self.score), "winner": self.winner},
            "flags": list(self.flags),
        }

    def __str__(self) -> str:
        kind = f"{self.length}-point match" if self.length else "money session"
        end = f"{self.winner} won" if self.winner else "unfinished" if self.length else "points"
        games = counted(self.games, "game")
        return f"{self.players[0]} – {self.players[1]}, {kind}, {games}, {self.score[0]}–{self.score[1]} ({end})"


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that could not be analysed, and why."""

    file: str
    error: str


@dataclass(frozen=True)
class MatchAnalysis:
    """Evaluated decisions of one or more records.

    Attributes
    ----------
    decisions : DataFrame
        One row a decision; columns in `study.decisions`.
    matches : tuple of MatchHeader
    failed : tuple of FailedFile
    provenance : Provenance or None
        None where nothing was evaluated.
    convention : str
        PR counting convention of `summary`.
    """

    decisions: pd.DataFrame
    matches: tuple[MatchHeader, ...]
    failed: tuple[FailedFile, ...] = ()
    provenance: Provenance | None = None
    convention: str = "xg"
    _summaries: dict = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def summary(self) -> pd.DataFrame:
        """Totals per file and player; see `study.statistics.summarise`."""
        if "summary" not in self._summaries:
            self._summaries["summary"] = summarise(self.decisions, self.convention)
        return self._summaries["summary"]

    @property
    def totals(self) -> pd.DataFrame:
        """Totals per player over all files."""
        return total(self.summary)

    def with_convention(self, convention: str) -> MatchAnalysis:
        """The same decisions with the PR counted another way: ``xg`` or ``gnubg``."""
        return replace(self, convention=convention)

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of ``cubelab analyse``."""
        return {
            "matches": [match.to_dict() for match in self.matches],
            "decisions": decision_records(self.decisions),
            "summary": summary_records(self.summary),
            "failed": [{"file": failed.file, "error": failed.error} for failed in self.failed],
            "provenance": None if self.provenance is None else self.provenance.to_dict(),
        }

    @checked("path")
    def to_html(self, path: str | PathLike[str]) -> None:
        """Write a report: one file that needs nothing else, readable in a browser and on paper."""
        from .report import write_report

        write_report(self, path)

    def __repr__(self) -> str:
        failed = f", {counted(len(self.failed), 'file')} failed" if self.failed else ""
        matches = counted(len(self.matches), "match", "matches")
        return f"<MatchAnalysis: {matches}, {counted(len(self.decisions), 'decision')}{failed}>"

    def _repr_html_(self) -> str:
        from .report import summary_html

        return summary_html(self)


def summary_records(summary: pd.DataFrame) -> list[dict[str, Any]]:
    """Summary rows as JSON objects, None for what does not exist."""
    rows = summary.astype(object).where(summary.notna(), None).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


@checked("checker_play", "convention", "met", "model", "progress", "record", "rollout_close")
def analyse(
    record: Record | str | PathLike[str] | Sequence[str | PathLike[str]],
    ply: int = 2,
    *,
    met: str | MatchEquityTable | None = None,
    model: CubeModel | None = None,
    checker_play: bool = False,
    workers: int = 1,
    dask: str | None = None,
    convention: str = "xg",
    rollout_close: float | None = None,
    progress: Progress | None = None,
) -> MatchAnalysis:
    """Evaluate the decisions of a saved match, or of many.

    Parameters
    ----------
    record : Record, path or sequence of paths
        A path may be a folder, whose matches are all read.
    ply : int
        Look-ahead, 0 to 3, as GNU Backgammon counts.
    met : str or MatchEquityTable, optional
        Default Kazaross-XG2.
    model : CubeModel, optional
        Default: Janowski with an efficiency by class of position.
    checker_play : bool
        Also evaluate every play.
    workers : int
        Processes for many files. Scripts need ``if __name__ == "__main__":`` around calls with more than one.
    dask : str, optional
        Address of the scheduler of a Dask cluster that analyses files instead; the same numbers.
    convention : {"xg", "gnubg"}
        Which decisions the PR counts.
    rollout_close : float, optional
        Roll out decisions that are wrong, or where the choices are within this of each other (EMG).
    progress : callable, optional
        Called with the number of positions (of files, when there are several) done and of all.

    Raises
    ------
    CubelabError
        A single record that cannot be read (of several, those that fail are in `MatchAnalysis.failed`), or settings
        that do not exist.

    Examples
    --------
    >>> import cubelab as cl
    >>> a = cl.analyse("data/matches/7-point.mat", ply=0)
    >>> a
    <MatchAnalysis: 1 match, 82 decisions>
    >>> a.summary["player"].tolist()
    ['Iris09', 'Jade1']
    >>> errors = a.decisions.groupby("verdict", observed=True).error_emg.sum()
    >>> bool(abs(errors.sum() - a.decisions["error_emg"].sum()) < 1e-9)
    True
    """
    settings = Settings(ply, met, model, checker_play, convention=convention, rollout_close=rollout_close)
    if isinstance(record, Record):
        return analyse_record(record, settings, progress)
    from .batch import analyse_files, gather, match_files
    from .cluster import analyse_on_cluster

    paths = [record] if isinstance(record, (str, PathLike)) else list(record)
    files = match_files(paths).files
    if len(files) == 1 and len(paths) == 1 and dask is None:
        return analyse_record(read_match(files[0]), settings, progress)
    parts = []
    for part in analyse_files(files, settings, workers) if dask is None else analyse_on_cluster(files, settings, dask):
        parts.append(part)
        if progress is not None:
            progress(len(parts), len(files))
    return gather(parts, convention)


def analyse_record(record: Record, settings: Settings, progress: Progress | None = None) -> MatchAnalysis:
    """Evaluate the decisions of one record; see `analyse`."""
    replays = list(replay_games(record))
    wanted = {Kind.DOUBLE, Kind.TAKE, Kind.BEAVER} | ({Kind.PLAY} if settings.checker_play else set())
    decisions = [d for game in replays for d in game.decisions if d.kind in wanted]
    settings = replace(settings, met=MatchEquityTable.load(settings.met))
    evaluated = _Evaluated(settings, decisions, progress)
    rows = [_row(record, decision, evaluated) for decision in decisions]
    flags = sorted({str(flag) for game in replays for flag in game.flags})
    return MatchAnalysis(
        decisions_frame(rows),
        (MatchHeader.of(record, flags),),
        provenance=evaluated.provenance,
        convention=settings.convention,
    )


class _Evaluated:
    """Evaluations of all decisions, each distinct situation once, on all cores."""

    def __init__(self, settings: Settings, decisions: Sequence[Decision], progress: Progress | None):
        keys = dict.fromkeys(key for decision in decisions if (key := _key(decision)) is not None)
        self.answers: dict[Any, Evaluation | RankedPlays | str] = {}
        for done, (key, answer) in enumerate(zip(keys, self._answers(settings, list(keys)), strict=True), start=1):
            self.answers[key] = answer
            if progress is not None:
                progress(done, len(keys))
        if settings.rollout_close is not None:
            self._roll_out(settings, settings.rollout_close, decisions, progress)

    def _roll_out(
        self, settings: Settings, close: float, decisions: Sequence[Decision], progress: Progress | None
    ) -> None:
        """Put rollouts in the place of answers to close and wrong decisions."""
        wanted: dict[Any, Evaluation | RankedPlays] = {}
        for decision in decisions:
            answer = self.of(decision)
            if isinstance(answer, Evaluation):
                error = _cube_numbers(decision, answer).get("error_emg")
            elif isinstance(answer, RankedPlays):
                error = _play_numbers(decision, answer).get("error_emg")
            else:
                continue
            if worth_rolling(decision, answer, error, close):
                wanted[_key(decision)] = answer
        how = replace(settings.rollout, threads=settings.threads)
        for done, (key, answer) in enumerate(wanted.items(), start=1):
            if isinstance(answer, Evaluation):
                self.answers[key] = rolled_cube(key[0], how, settings.met)
            else:
                self.answers[key] = rolled_ranking(answer, key[1], how, settings.met, close)
            if progress is not None:
                progress(done, len(wanted))

    @staticmethod
    def _answers(settings: Settings, keys: list) -> Iterator[Evaluation | RankedPlays | str]:
        given: dict[str, Any] = {"ply": settings.ply, "met": settings.met, "model": settings.model}

        def answer(key: Any) -> Evaluation | RankedPlays | str:
            situation, after = key
            try:
                if situation.dice is None:
                    return evaluate(situation, **given)
                return ranked_plays(situation, include=after, **given)
            except CubelabError as error:
                return str(error)

        threads = min(settings.threads or os.cpu_count() or 1, len(keys))
        if threads < 2:
            yield from map(answer, keys)
            return
        # The first one alone: it compiles and loads what all others share.
        yield answer(keys[0])
        pool = ThreadPoolExecutor(threads)
        try:
            yield from pool.map(answer, keys[1:])
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    @property
    def provenance(self) -> Provenance | None:
        """Of the first look-ahead; all share it, rollouts come on top."""
        known = [a.provenance for a in self.answers.values() if not isinstance(a, str)]
        return next((source for source in known if source.seed is None), known[0] if known else None)

    def of(self, decision: Decision) -> Evaluation | RankedPlays | str:
        """Evaluation of a decision, or why there is none."""
        key = _key(decision)
        return _why_not(decision) if key is None else self.answers[key]


def _key(decision: Decision) -> tuple[Situation, Any] | None:
    """What has to be evaluated for a decision: a situation and the result of the play made; None for nothing."""
    situation = decision.situation
    if decision.kind is Kind.PLAY:
        legal = situation.dice is not None and decision.after is not None and Flag.ILLEGAL_PLAY not in decision.flags
        return (situation, decision.after) if legal else None
    if decision.kind is Kind.BEAVER:
        return None
    # The seat changes no value, and an answer is judged by the same numbers as the double.
    return replace(situation, offer=None, dice=None, resigned=0, turn=1), None


def _why_not(decision: Decision) -> str:
    if decision.kind is Kind.BEAVER:
        return "answers to beavers are not analysed"
    return ""


def _row(record: Record, decision: Decision, evaluated: _Evaluated) -> dict[str, Any]:
    situation = decision.situation
    kind = Kind.TAKE if decision.kind is Kind.BEAVER else decision.kind
    row: dict[str, Any] = {
        "file": record.file,
        "game": decision.game,
        "ply": decision.ply,
        "seat": int(decision.seat),
        "player": _player(record, decision.seat),
        "kind": kind.value,
        "situation": situation.xgid,
        "cube": situation.cube.value,
        "dice": "" if situation.dice is None else "".join(map(str, situation.dice)),
        "played": _played(decision),
        "best": "",
        "verdict": "",
    }
    flags = sorted(map(str, decision.flags))
    answer = evaluated.of(decision)
    if isinstance(answer, Evaluation):
        numbers = _cube_numbers(decision, answer)
    elif isinstance(answer, RankedPlays):
        numbers = _play_numbers(decision, answer)
    else:
        numbers = {}
        flags += [answer] if answer else []
    if not isinstance(answer, str):
        numbers |= rolled_numbers(answer, decision.after)
    if numbers.get("error_emg") is None:
        flags.append(NOT_ANALYSED)
    return row | numbers | {"flags": FLAG_SEPARATOR.join(dict.fromkeys(flags))}


def _player(record: Record, seat: Seat) -> str:
    """Printable name; the seat is added where both names read the same."""
    names = [display_name(name) for name in record.players]
    return f"{names[seat.index]} ({seat.index + 1})" if names[0] == names[1] else names[seat.index]


def _played(decision: Decision) -> str:
    if not isinstance(decision.played, Action):
        return decision.played_text
    word = decision.played.value
    if decision.kind is Kind.DOUBLE and decision.situation.cube.owner is Owner.MOVER:
        word = word.replace("double", "redouble")
    return word.capitalize()


def _cube_numbers(decision: Decision, evaluation: Evaluation) -> dict[str, Any]:
    cube = evaluation.decision
    numbers: dict[str, Any] = dict(zip(CHANCES, evaluation.probabilities.cumulative, strict=True))
    equities, mwc = cube.equities, cube.mwc
    for name in EQUITIES:
        numbers[name] = getattr(equities, name)
        numbers[f"{name}_mwc"] = None if mwc is None else getattr(mwc, name)
    numbers["verdict"] = cube.label
    if cube.verdict is None:
        return numbers
    if decision.kind is Kind.DOUBLE:
        loss = cube.error(decision.played is Action.DOUBLE)
        numbers["best"] = _right_action(cube)
    else:
        loss = cube.response_error(decision.played.value if isinstance(decision.played, Action) else "")
        numbers["best"] = cube.verdict.response.capitalize()
    if loss is not None:
        numbers |= {"error_emg": loss.emg, "error_mwc": loss.mwc}
    return numbers


def _right_action(cube: CubeDecision) -> str:
    assert cube.verdict is not None
    word = "redouble" if cube.redouble else "double"
    return word.capitalize() if cube.verdict.double else f"No {word}"


def _play_numbers(decision: Decision, ranked: RankedPlays) -> dict[str, Any]:
    numbers: dict[str, Any] = {"forced": len(ranked) < 2}
    if not len(ranked) or decision.after is None:
        return numbers
    best = ranked[0]
    numbers |= dict(zip(CHANCES, best.probabilities.cumulative, strict=True))
    numbers |= {"best": best.play.notation, "equity_best": best.equity}
    try:
        played = ranked.find(decision.after)
    except CubelabError:
        return numbers
    return numbers | {
        "played": played.play.notation,
        "equity_played": played.equity,
        "error_emg": played.error_emg,
        "error_mwc": played.error_mwc,
    }
