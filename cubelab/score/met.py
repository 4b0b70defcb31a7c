"""Match equity tables: the chance of winning a match from every score."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from numbers import Real
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..arguments import checked
from ..errors import DataMissing, TableError
from ..game import MatchState
from ..game.html import block, table

if TYPE_CHECKING:
    import pandas as pd

#: The table used when none is named.
DEFAULT: Final = "kazaross-xg2"

#: How far M[a, b] + M[b, a] may miss 1 in a table that does not say otherwise. The Ortega-Kleinman table misses it by
#: 0.002 as published, so less would refuse a published table; a mistyped digit mostly misses by more.
TOLERANCE: Final = 0.0025

#: Greatest away score a table is continued to; the memory of a table grows with the square.
LARGEST: Final = 1000

_FOLDER: Final = Path(__file__).parent / "tables"


@dataclass(frozen=True, eq=False, repr=False)
class MatchEquityTable:
    """Chances of winning a match, 0–1, for the mover.

    Parameters
    ----------
    name : str
    values : float64[n, n]
        ``values[a - 1, b - 1]``: the mover a points away, the opponent b, before the Crawford game has been played. The
        first row and column are the Crawford game itself.
    post : float64[n]
        ``post[a - 1]``: after the Crawford game, the mover a away, the opponent 1 away.
    post_opponent : float64[n], optional
        The same for the opponent trailing, as the opponent's chance; `post` unless the table is for players of
        unequal skill.
    title, source : str
    tolerance : float
        Greatest miss of ``M[a, b] + M[b, a] = 1`` that is accepted. Not tested in skewed tables.
    skewed : bool
        For players of unequal skill: the mover is the player of the rows, see `swap`.

    Raises
    ------
    TableError
        Wrong sizes, values that are no chances, a table that is not antisymmetric; names the cell.

    Examples
    --------
    >>> import cubelab as cl
    >>> met = cl.MatchEquityTable.load("kazaross-xg2")
    >>> met.mwc(away=(2, 4)), met.mwc(away=(2, 1), post_crawford=True)
    (0.6687, 0.48803)
    >>> round(met.mwc(cl.MatchState(7, 6, 5, crawford=True)), 4)
    0.6774
    """

    name: str
    values: np.ndarray
    post: np.ndarray
    post_opponent: np.ndarray | None = None
    title: str = ""
    source: str = ""
    tolerance: float = TOLERANCE
    skewed: bool = False
    _grown: dict = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for what in ("name", "title", "source"):
            if not isinstance(getattr(self, what), str):
                raise TableError(f"the {what} of a match equity table is a text, not {getattr(self, what)!r:.60}")
        if not isinstance(self.skewed, (bool, np.bool_)):
            raise TableError(f"skewed = {self.skewed!r:.60} of a match equity table is neither True nor False")
        if not isinstance(self.tolerance, Real):
            raise TableError(f"tolerance {self.tolerance!r:.60} of a match equity table is no number")
        values, post = _numbers(self.values, "values"), _numbers(self.post, "post")
        other = post.copy() if self.post_opponent is None else _numbers(self.post_opponent, "post_opponent")
        for array in (values, post, other):
            array.setflags(write=False)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "post", post)
        object.__setattr__(self, "post_opponent", other)
        _check(self)

    @classmethod
    def load(cls, name_or_path: str | Path | MatchEquityTable | None = None) -> MatchEquityTable:
        """A bundled table by name (any case), or one from a file (GNU Backgammon XML, ``.met`` text, CSV).

        Parameters
        ----------
        name_or_path : str or Path, optional
            The default is Kazaross-XG2. A table is returned as it is.

        Raises
        ------
        TableError
            Unknown name, or a file that holds no sound table.
        DataMissing
            A bundled table does not match its checksum.
        """
        if isinstance(name_or_path, MatchEquityTable):
            return name_or_path
        key = DEFAULT if name_or_path is None else str(name_or_path)
        if key.lower() in cls.names():
            return _bundled(key.lower())
        path = Path(key)
        if path.is_file():
            from .met_files import read_table

            return read_table(path)
        raise TableError(
            f"no match equity table {key!r}: it is neither a file nor one of the bundled {', '.join(cls.names())}"
        )

    @staticmethod
    def names() -> tuple[str, ...]:
        """Names of the bundled tables."""
        return _names()

    @property
    def size(self) -> int:
        """Greatest away score that the table holds itself."""
        return len(self.post)

    @cached_property
    def checksum(self) -> str:
        """Twelve hexadecimal digits that identify the numbers (to 12 decimals)."""
        assert self.post_opponent is not None
        numbers = b"".join(np.round(a, 12).tobytes() for a in (self.values, self.post, self.post_opponent))
        return hashlib.sha256(numbers).hexdigest()[:12]

    @checked("match")
    def covers(self, match: MatchState) -> bool:
        """Whether the table itself holds the score; beyond it `grown` supplies the values."""
        return match.money or max(match.away) <= self.size

    def mwc(
        self,
        match: MatchState | None = None,
        *,
        away: tuple[int, int] | None = None,
        post_crawford: bool = False,
    ) -> float:
        """The mover's chance to win the match at the start of a game.

        Parameters
        ----------
        match : MatchState, optional
            Carries its own Crawford stage; this is the one place that chooses between the tables.
        away : (int, int), optional
            Points the mover and the opponent need, instead of `match`. Negative or 0 means that side has won.
        post_crawford : bool
            With `away`: the Crawford game has been played.

        Returns
        -------
        float
            0–1. Beyond the size of the table from `grown`.

        Raises
        ------
        TableError
            Money play, which has no match equity, or a match too long for `grown`.
        """
        if match is not None:
            if not isinstance(match, MatchState):
                raise TableError(f"a match equity needs a MatchState or away=(mover, opponent), not {match!r:.60}")
            if match.money:
                raise TableError("money play has no match equity: give a score in a match")
            away, post_crawford = match.away, match.post_crawford
        if away is None:
            raise TableError("a match equity needs a MatchState or away=(mover, opponent)")
        try:
            mover, opponent = map(index, away)
        except (TypeError, ValueError):
            raise TableError(f"away {away!r} is not two whole numbers, the mover's and the opponent's points") from None
        if mover <= 0 or opponent <= 0:
            if mover <= 0 and opponent <= 0:
                raise TableError(f"both sides have won at {mover}-away {opponent}-away")
            return 1.0 if mover <= 0 else 0.0
        table = self if max(mover, opponent) <= self.size else self.grown(max(mover, opponent))
        if not post_crawford:
            return float(table.values[mover - 1, opponent - 1])
        if min(mover, opponent) > 1:
            raise TableError(f"{mover}-away {opponent}-away cannot be post-Crawford: neither side is one away")
        if opponent == 1:
            return float(table.post[mover - 1])
        assert table.post_opponent is not None
        return 1.0 - float(table.post_opponent[opponent - 1])

    @checked("size")
    def grown(self, size: int) -> MatchEquityTable:
        """The table continued to a greater size by `score.growth`; the values it has are kept.

        Raises
        ------
        TableError
            A size beyond `LARGEST`.
        """
        if size <= self.size:
            return self
        if size > LARGEST:
            raise TableError(f"a side {size} points away: match equities are known up to {LARGEST} points away")
        have = max((n for n in self._grown if n >= size), default=0)
        if not have:
            from .growth import grow

            have = max(size, self.size + 8)
            self._grown[have] = grow(self, have)
        return self._grown[have]

    def swap(self) -> MatchEquityTable:
        """The table of the other player as mover; the same numbers where both have equal skill."""
        assert self.post_opponent is not None
        return replace(self, values=1.0 - self.values.T, post=self.post_opponent, post_opponent=self.post)

    def to_frame(self, *, post_crawford: bool = False) -> pd.DataFrame:
        """The table as a frame.

        Returns
        -------
        pandas.DataFrame
            Index the mover's away score, columns the opponent's; with `post_crawford` the columns ``mover`` and
            ``opponent``: the chance of that side trailing by index points to 1-away.
        """
        import pandas as pd

        away = range(1, self.size + 1)
        if post_crawford:
            index = pd.Index(away, name="trailer_away")
            return pd.DataFrame({"mover": self.post, "opponent": self.post_opponent}, index=index)
        return pd.DataFrame(
            self.values, index=pd.Index(away, name="mover_away"), columns=pd.Index(away, name="opponent_away")
        )

    def _repr_html_(self) -> str:
        away = [f"{n}" for n in range(1, self.size + 1)]
        rows = [[name, *(f"{100 * chance:.1f}" for chance in row)] for name, row in zip(away, self.values, strict=True)]
        rows.append(["post-Crawford", *(f"{100 * chance:.1f}" for chance in self.post)])
        note = (
            "per cent; rows: points the mover needs, columns: the opponent needs; 1 is the Crawford game; last row: "
            f"the mover needs so many against 1 after it. {self.source}"
        )
        return block(self.title or self.name, table(["", *away], rows), note=note)

    def __repr__(self) -> str:
        return f"MatchEquityTable.load({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatchEquityTable) and self.checksum == other.checksum

    def __hash__(self) -> int:
        return hash(self.checksum)


def _numbers(values: object, name: str) -> np.ndarray:
    """A copy of what was given, as numbers."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TableError(f"{name} of a match equity table, {values!r:.60}, are not numbers") from None


def _check(table: MatchEquityTable) -> None:
    """Refuse a damaged table, naming the cell."""
    where = f"match equity table {table.name!r}"
    if table.post.ndim != 1:
        raise TableError(f"{where}: the post-Crawford entries are one row, not {table.post.ndim} dimensions")
    values, n = table.values, len(table.post)
    if values.ndim != 2 or values.shape != (n, n) or n < 1:
        shape = "×".join(map(str, values.shape))
        raise TableError(f"{where}: {shape} values with {n} post-Crawford entries; needs n×n and n")
    assert table.post_opponent is not None
    if table.post_opponent.shape != (n,):
        raise TableError(f"{where}: {table.post_opponent.size} post-Crawford entries of the opponent, needs {n}")
    bad = np.argwhere(~((values >= 0) & (values <= 1)))
    if len(bad):
        a, b = bad[0]
        raise TableError(f"{where}: {a + 1}-away {b + 1}-away is {values[a, b]}, not a chance between 0 and 1")
    for row in (table.post, table.post_opponent):
        wrong = np.flatnonzero(~((row >= 0) & (row <= 1)))
        if len(wrong):
            a = wrong[0]
            raise TableError(f"{where}: post-Crawford {a + 1}-away is {row[a]}, not a chance between 0 and 1")
    if table.skewed:
        return
    miss = np.abs(values + values.T - 1)
    if miss.max() > table.tolerance:
        a, b = np.unravel_index(miss.argmax(), miss.shape)
        raise TableError(
            f"{where}: {a + 1}-away {b + 1}-away is {values[a, b]:.6g} and {b + 1}-away {a + 1}-away "
            f"{values[b, a]:.6g}; they must sum to 1 within {table.tolerance:g}"
        )


@lru_cache(maxsize=1)
def _sums() -> dict[str, str]:
    try:
        lines = (_FOLDER / "SHA256SUMS").read_text().splitlines()
    except OSError as error:
        raise DataMissing(f"the checksums of the match equity tables cannot be read: {error}") from None
    return {name: digest for digest, name in (line.split() for line in lines)}


@lru_cache(maxsize=1)
def _names() -> tuple[str, ...]:
    names = sorted(file.removesuffix(".csv") for file in _sums())
    return (DEFAULT, *(name for name in names if name != DEFAULT))


@lru_cache(maxsize=32)
def _bundled(name: str) -> MatchEquityTable:
    from .met_files import parse_csv

    path = _FOLDER / f"{name}.csv"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataMissing(f"match equity table {name} cannot be read: {error}") from None
    # A checkout with Windows line ends holds the same table.
    data = data.replace(b"\r\n", b"\n")
    if hashlib.sha256(data).hexdigest() != _sums()[path.name]:
        raise DataMissing(f"match equity table {path} does not match its checksum: reinstall cubelab")
    return parse_csv(data.decode("utf-8"), name)
