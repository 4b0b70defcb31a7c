"""Match equity tables of one's own: dynamic programming over a model of one game."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..arguments import checked
from ..errors import TableError
from .met import MatchEquityTable

if TYPE_CHECKING:
    import pandas as pd

#: Cube efficiency of a whole game from its start; a little above that of a single position.
GAME_EFFICIENCY: Final = 0.75
#: What the right to drop the first double is worth to the leader after the Crawford game, at 2-away and at 4-away
#: (N. Zadeh, Management Science 23, 986, 1977). At odd away scores a drop gives the trailer a game that he needs.
FREE_DROP: Final = (0.015, 0.004)


@checked("free_drop", "name")
def build_table(
    length: int = 25,
    *,
    gammon_rate: float = 0.25,
    backgammon_rate: float = 0.0,
    trailer_gammon_rate: float | None = None,
    win_rate: float = 0.5,
    efficiency: float = GAME_EFFICIENCY,
    free_drop: tuple[float, float] = FREE_DROP,
    name: str | None = None,
) -> MatchEquityTable:
    """A table from a model of a game.

    Every score is the value of a game about to start there: the cube model of `kernels.cube` with the cube centred, the
    win chance `win_rate`, and the results' worth from the scores they lead to. Those are all nearer to the end, so one
    sweep solves the whole table. After the Crawford game the trailer doubles at once.

    Parameters
    ----------
    length : int
        Size of the table, 2 to 100.
    gammon_rate : float
        Share of wins that are gammons or backgammons when nobody passes.
    backgammon_rate : float
        Share of wins that are backgammons.
    trailer_gammon_rate : float, optional
        The gammon rate, before the Crawford game, of the side that needs more points, if another than that of the
        leader; at equal scores both have the mean. Zadeh's table of 1977 took .15 against .25.
    win_rate : float
        The mover's chance to win a game; away from 0.5 the table is skewed.
    efficiency : float
        Cube efficiency x: 0 dead, 1 live.
    free_drop : (float, float)
        What the leader's right to drop the first double after the Crawford game is worth to him at 2-away and 4-away.
    name : str, optional

    Raises
    ------
    TableError
        A parameter outside its range.

    Examples
    --------
    >>> import cubelab as cl
    >>> table = cl.build_table(5, gammon_rate=0.26)
    >>> table.mwc(away=(3, 3)), table.mwc(away=(1, 1))
    (0.5, 0.5)
    """
    if not isinstance(length, Integral) or not 2 <= length <= 100:
        raise TableError(f"length {length!r} of a match equity table is not between 2 and 100")
    for what, value, low, high in (
        ("gammon rate", gammon_rate, 0.0, 1.0),
        ("backgammon rate", backgammon_rate, 0.0, gammon_rate),
        ("trailer's gammon rate", gammon_rate if trailer_gammon_rate is None else trailer_gammon_rate, 0.0, 1.0),
        ("win rate", win_rate, 0.05, 0.95),
        ("cube efficiency", efficiency, 0.0, 1.0),
        *(("free drop", value, 0.0, 0.1) for value in free_drop),
    ):
        if not isinstance(value, Real) or not low <= value <= high:
            raise TableError(f"{what} {value} is not between {low:g} and {high:g}")
    shares = _shares(gammon_rate, backgammon_rate)
    behind = shares
    if trailer_gammon_rate is not None:
        behind = _shares(trailer_gammon_rate, min(backgammon_rate, trailer_gammon_rate))
    mine = _post_crawford(length, shares, win_rate, free_drop)
    theirs = _post_crawford(length, shares, 1.0 - win_rate, free_drop)
    values = np.full((length, length), np.nan)
    values[0, 0] = win_rate
    for away in range(2, length + 1):
        # The Crawford game: no cube, the trailer goes on post-Crawford unless it won the match.
        values[away - 1, 0] = win_rate * _won(shares, mine, away)
        values[0, away - 1] = 1.0 - (1.0 - win_rate) * _won(shares, theirs, away)
    for total in range(4, 2 * length + 1):
        for mover in range(max(2, total - length), min(length, total - 2) + 1):
            opponent = total - mover
            mine_shares = shares if mover < opponent else behind if mover > opponent else 0.5 * (shares + behind)
            their_shares = shares + behind - mine_shares
            probs = np.concatenate([win_rate * mine_shares, (1.0 - win_rate) * their_shares])
            values[mover - 1, opponent - 1] = _game(values, mover, opponent, probs, efficiency)
    of_trailer = "" if trailer_gammon_rate is None else f" ({trailer_gammon_rate:g} of the side behind)"
    skewed = win_rate != 0.5
    if not skewed:
        values = 0.5 * (values + 1.0 - values.T)
    return MatchEquityTable(
        name or f"built-{length}",
        values,
        mine,
        theirs if skewed else None,
        title=f"Built for {length} points",
        source=f"cubelab build_table: gammon rate {gammon_rate:g}{of_trailer}, backgammon rate {backgammon_rate:g}, "
        f"win rate {win_rate:g}, cube efficiency {efficiency:g}, free drop {free_drop[0]:g} and {free_drop[1]:g}",
        skewed=skewed,
    )


def _shares(gammon_rate: float, backgammon_rate: float) -> np.ndarray:
    """Shares of single wins, gammons, backgammons."""
    return np.array([1.0 - gammon_rate, gammon_rate - backgammon_rate, backgammon_rate])


def _won(shares: np.ndarray, post: np.ndarray, away: int, cube: int = 1) -> float:
    """Chance of the trailer, `away` before, once it has won a game at this cube after or in the Crawford game."""
    chances = (1.0 if away <= points * cube else post[away - points * cube - 1] for points in (1, 2, 3))
    return float(sum(share * chance for share, chance in zip(shares, chances, strict=True)))


def _post_crawford(length: int, shares: np.ndarray, win_rate: float, free_drop: tuple[float, float]) -> np.ndarray:
    """Chance of a trailer by its away score: it doubles at once, and a loss loses the match."""
    post = np.empty(length)
    post[0] = win_rate
    drops = {2: free_drop[0], 4: free_drop[1]}
    for away in range(2, length + 1):
        # Two points are enough for a trailer two away, whose gammons add nothing.
        post[away - 1] = max(win_rate * _won(shares, post, away, 2) - drops.get(away, 0.0), 0.0)
    return post


def _game(values: np.ndarray, mover: int, opponent: int, probs: np.ndarray, efficiency: float) -> float:
    """Chance of the mover at a score whose later scores are all known."""
    from ..kernels.cube import cube_values

    def after(a: int, b: int) -> float:
        return 1.0 if a <= 0 else 0.0 if b <= 0 else values[a - 1, b - 1]

    rows, turns, cube = [], [], 1
    while True:
        rows.append(
            [after(mover - k * cube, opponent) for k in (1, 2, 3)]
            + [after(mover, opponent - k * cube) for k in (1, 2, 3)]
        )
        turns.append((cube < mover, cube < opponent))
        if not any(turns[-1]):
            break
        cube *= 2
    out = np.empty((1, 3))
    cube_values(2.0 * np.array(rows) - 1.0, np.array(turns), (efficiency,) * 3, probs, out)
    return 0.5 * (out[0, 0] + 1.0)


@dataclass(frozen=True, slots=True)
class TableDifference:
    """How far two tables are apart, over the scores that both hold.

    Attributes
    ----------
    largest, mean : float
        Of the absolute differences before the Crawford game has been played, in match winning chance.
    away : (int, int)
        Where the largest is.
    post_largest : float
        Largest absolute difference of the post-Crawford rows.
    differences : float64[n, n]
        First table minus second.
    """

    largest: float
    mean: float
    away: tuple[int, int]
    post_largest: float
    differences: np.ndarray

    def to_frame(self) -> pd.DataFrame:
        """The differences by away scores."""
        import pandas as pd

        away = range(1, len(self.differences) + 1)
        return pd.DataFrame(
            self.differences, index=pd.Index(away, name="mover_away"), columns=pd.Index(away, name="opponent_away")
        )


@checked("up_to")
def compare_tables(
    one: MatchEquityTable | str | Path, other: MatchEquityTable | str | Path, up_to: int | None = None
) -> TableDifference:
    """Difference of two tables.

    Parameters
    ----------
    one, other : MatchEquityTable, str or Path
    up_to : int, optional
        Greatest away score compared.

    Raises
    ------
    TableError
        No such table, or a greatest score below 1.
    """
    one, other = MatchEquityTable.load(one), MatchEquityTable.load(other)
    if up_to is not None and up_to < 1:
        raise TableError(f"tables compared up to {up_to} away: at least 1 is needed")
    n = min(one.size, other.size, up_to or one.size)
    differences = one.values[:n, :n] - other.values[:n, :n]
    a, b = np.unravel_index(np.abs(differences).argmax(), differences.shape)
    return TableDifference(
        float(np.abs(differences).max()),
        float(np.abs(differences).mean()),
        (int(a) + 1, int(b) + 1),
        float(np.abs(one.post[:n] - other.post[:n]).max()),
        differences,
    )
