"""Second opinions: what another engine, where installed, says about a situation, in the shape of our own answers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ..arguments import checked
from ..cube.decision import decision_from_values
from ..errors import SettingsError
from ..game import Probabilities, Situation
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .child import EngineFailed
from .evaluator import Evaluation, Provenance

#: Engines by the name users give, and the title they have in print.
ENGINES: Final = {"gnubg": "GNU Backgammon", "bgsage": "Open Sage"}


def open_engine(engine: str):
    """The engine as a running program with ``evaluations``, ``version`` and ``close``; use it in a ``with`` statement.

    Raises
    ------
    SettingsError
        An unknown name.
    EngineMissing
        It is not installed.
    """
    if engine not in ENGINES:
        raise SettingsError(f"unknown engine {engine!r}: choose {' or '.join(ENGINES)}")
    if engine == "gnubg":
        from .gnubg import Gnubg

        return Gnubg()
    from .bgsage import Bgsage

    return Bgsage()


@checked("engine", "situations", "met")
def second_opinions(
    situations: Iterable[Situation],
    engine: str = "gnubg",
    *,
    ply: int = 2,
    met: str | MatchEquityTable | None = None,
) -> list[Evaluation]:
    """What another engine says about situations about to be rolled, in order; one program answers them all.

    Parameters
    ----------
    situations : iterable of Situation
    engine : str
        ``gnubg`` (GNU Backgammon) or ``bgsage`` (Open Sage).
    ply : int
        As GNU Backgammon counts; Open Sage and eXtreme Gammon say one more.
    met : str or MatchEquityTable, optional
        Default Kazaross-XG2. GNU Backgammon is given the same numbers; Open Sage has no other table.

    Returns
    -------
    list of Evaluation
        With the other engine's name and version as provenance and its own equities in the decision; the verdict follows
        from these by our rules.

    Raises
    ------
    EngineMissing
        The engine is not installed.
    CubelabError
        A game that is over, rules the engine does not have, or no answer.
    """
    table = MatchEquityTable.load(met)
    with open_engine(engine) as program:
        return program.evaluations(list(situations), ply=ply, met=table)


@checked("engine", "situation", "met")
def second_opinion(
    situation: Situation,
    engine: str = "gnubg",
    *,
    ply: int = 2,
    met: str | MatchEquityTable | None = None,
) -> Evaluation:
    """`second_opinions` for one situation.

    Examples
    --------
    >>> import cubelab as cl
    >>> s = cl.Situation.from_xgid("XGID=-a----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    >>> cl.second_opinion(s, "gnubg", ply=0).decision.verdict.double  # doctest: +SKIP
    False
    """
    return second_opinions([situation], engine, ply=ply, met=met)[0]


def read_answers(answers: Any, count: int, engine: str) -> list[tuple[list[float], float, float]]:
    """Five cumulative chances, no double and double/take of each of `count` questions, as an engine answered.

    Raises
    ------
    EngineFailed
        The answer is something else, or holds numbers that are none.
    """
    try:
        read = [([float(c) for c in chances], float(no_double), float(taken)) for chances, no_double, taken in answers]
    except (TypeError, ValueError, OverflowError):
        read = []
    if len(read) != count or any(len(c) != 5 or not all(map(math.isfinite, (*c, nd, dt))) for c, nd, dt in read):
        raise EngineFailed(f"{engine} answered something that is no evaluation: {answers!r:.200}")
    return read


def external_evaluation(
    situation: Situation,
    stakes: Stakes,
    cumulative: Sequence[float],
    no_double: float,
    double_take: float,
    ply: int,
    version: str,
) -> Evaluation:
    """Numbers of another engine in the shape of our own evaluations.

    Parameters
    ----------
    cumulative : sequence of 5 floats
        Win, win gammon, win backgammon, lose gammon, lose backgammon.
    no_double, double_take : float
        Equities per current cube (EMG at a score).
    ply : int
        As GNU Backgammon counts.
    version : str
        The engine.
    """
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (min(max(float(p), 0.0), 1.0) for p in cumulative)
    win_gammon, lose_gammon = min(win_gammon, win), min(lose_gammon, 1.0 - win)
    win_backgammon, lose_backgammon = min(win_backgammon, win_gammon), min(lose_backgammon, lose_gammon)
    probabilities = Probabilities.from_cumulative(win, win_gammon, win_backgammon, lose_gammon, lose_backgammon)
    decision = decision_from_values(
        float(stakes.from_emg(no_double)),
        float(stakes.from_emg(double_take)) if stakes.may_double else None,
        stakes,
        probabilities,
        model=version,
    )
    cubeless = float(stakes.to_emg(stakes.cubeless(probabilities.array)))
    source = Provenance(version, version, None if stakes.money else stakes.met_name, ply, version)
    return Evaluation(situation, probabilities, cubeless, float(no_double), decision, source)
