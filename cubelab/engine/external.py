"""Second opinions: what another engine, where installed, says about a situation, in the shape of our own answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..arguments import checked
from ..errors import SettingsError
from ..game import Situation
from ..score.met import MatchEquityTable
from .bgsage import Bgsage
from .evaluator import Evaluation
from .gnubg import Gnubg

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
    return Gnubg() if engine == "gnubg" else Bgsage()


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
