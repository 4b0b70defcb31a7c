"""Rules, score and match equity table compiled into one small table of payoffs.

Everything downstream (cube theory, search, rollouts) reads `Stakes` and never asks about rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from ..errors import IllegalRules, SettingsError
from ..game import Cube, GameResult, MatchState, Owner, Scoring
from ..game.html import block, number, percent, table
from .met import MatchEquityTable
from .pips import PipCounts

#: Cube levels of money play without a cap; the last one stands for all higher ones, so that nothing is cut off.
UNLIMITED_LEVELS: Final = 6
#: A cap this many times the current cube, or more, cannot be felt and is compiled as none: it would move a live take
#: point by 0.00005 without gammons and by less than 0.001 with half of all wins gammons, and the published points of
#: money play are for a cube without a cap.
UNFELT_CAP: Final = 64

#: Place of an owner on the last axis of `kernels.cube` values.
OWNER_AXIS: Final = {Owner.CENTRE: 0, Owner.MOVER: 1, Owner.OPPONENT: 2}

#: Where the cube is, in words.
OWNED: Final = {Owner.CENTRE: "centred", Owner.MOVER: "owned", Owner.OPPONENT: "the opponent's"}
#: A win and a loss of this game closer than this, as values, leave nothing but rounding to decide by.
_DECIDED: Final = 1e-12

#: The columns of payoffs in the order they have for the other side.
_FLIPPED: Final = [3, 4, 5, 0, 1, 2, 7, 6]
#: Levels of pip scoring without a cap; nobody turns a cube more often.
_PIP_LEVELS: Final = 12


@dataclass(frozen=True, eq=False, repr=False)
class Stakes:
    """What every result of the game is worth at every cube level, and who may turn the cube.

    Build it with `Stakes.of`. Values are for the mover: in money play points per current cube, in a match
    ``2 * MWC - 1``; the other side's value is always the negative.

    Attributes
    ----------
    match : MatchState
    cube : Cube
    payoffs : float64[levels, 6 or 8]
        Value of each result (order of `GameResult`) with the cube turned k more times. Under the Jacoby rule a centred
        cube has no gammons at level 0. Pip scoring has two columns more: value of the opponent's, of the mover's pass.
    may_turn : bool[levels, 2]
        Whether the mover, the opponent may turn the cube at that level if they have access to it. True at the last
        level only in money play without a cap (or with one that is far off, see `UNFELT_CAP`): it then stands for all
        higher ones, each worth twice the one before.
    money : bool
    beavers : int
        Levels of immediate counter-doubles allowed.
    immediate_redouble : bool
    reason_not_allowed : str or None
        Why the mover may not double now; None when they may.
    reason_opponent_not_allowed : str or None
        The same for the opponent, if they were on roll.
    table : MatchEquityTable or None
        None for money.
    pips : PipCounts or None
        Only under pip scoring.
    extended : bool
        Some payoff lies beyond the size of the table and comes from its continuation (`score.growth`).
    """

    match: MatchState
    cube: Cube
    payoffs: np.ndarray
    may_turn: np.ndarray
    reason_not_allowed: str | None
    reason_opponent_not_allowed: str | None
    table: MatchEquityTable | None = field(default=None)
    extended: bool = False
    pips: PipCounts | None = None

    @classmethod
    def of(
        cls,
        match: MatchState,
        cube: Cube,
        met: MatchEquityTable | str | Path | None = None,
        *,
        pips: PipCounts | None = None,
    ) -> Stakes:
        """Compile the stakes of a game.

        Parameters
        ----------
        match : MatchState
        cube : Cube
        met : MatchEquityTable, str or Path, optional
            Table, its name or a file; Kazaross-XG2 by default. Money play ignores it.
        pips : PipCounts, optional
            Needed for pip scoring, which pays by pips that the six chances do not hold.

        Raises
        ------
        IllegalRules
            Rules that cannot be compiled, a cube above its cap.
        TableError
            An unknown or damaged table.

        Examples
        --------
        >>> import cubelab as cl
        >>> stakes = cl.Stakes.of(cl.MatchState(7, 5, 3), cl.Cube(2, cl.Owner.MOVER))
        >>> stakes.may_double, stakes.reason_not_allowed
        (False, 'the cube is dead: at 2 it already wins the match for the mover, who needs 2')
        """
        if not isinstance(match, MatchState):
            raise IllegalRules(
                f"{match!r:.60} is no MatchState, such as MatchState(7, 3, 5); MatchState() is money play"
            )
        if not isinstance(cube, Cube):
            raise IllegalRules(f"{cube!r:.60} is no Cube, such as Cube(2, Owner.MOVER)")
        table = None if match.money else MatchEquityTable.load(met)
        return _compiled(match, cube, table, pips)

    @property
    def money(self) -> bool:
        return self.match.money

    @property
    def owner(self) -> Owner:
        """Owner of the cube, seen by the mover."""
        return self.cube.owner

    @property
    def axis(self) -> int:
        """Place of the owner on the last axis of `kernels.cube` values: 0 centred, 1 mover, 2 opponent."""
        return OWNER_AXIS[self.cube.owner]

    @property
    def levels(self) -> int:
        return len(self.payoffs)

    @property
    def kernel_arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """`payoffs` and `may_turn` as the kernels take them; never write into these."""
        # A copy that came through pickle has no base any more.
        payoffs, may_turn = self.payoffs.base, self.may_turn.base
        return (
            self.payoffs if payoffs is None else payoffs,
            self.may_turn if may_turn is None else may_turn,
        )

    @property
    def beavers(self) -> int:
        return self.match.rules.beavers

    @property
    def immediate_redouble(self) -> bool:
        return self.match.rules.immediate_redouble

    @property
    def may_double(self) -> bool:
        """Whether the mover may double now."""
        return self.reason_not_allowed is None

    @property
    def met_name(self) -> str | None:
        """Name and checksum of the match equity table, said to be continued where it is; None for money."""
        if self.table is None:
            return None
        return f"{self.table.name} {self.table.checksum}{' (continued)' if self.extended else ''}"

    @property
    def unit(self) -> str:
        """Unit of equities: ``points`` in money play, ``emg`` in a match."""
        return "points" if self.money else "emg"

    @property
    def passed(self) -> float:
        """Value of the opponent passing a double now."""
        return float(self.payoffs[0, 6 if self.pips is not None else GameResult.WIN])

    @property
    def given(self) -> float:
        """Value of the mover passing a double at this cube."""
        return float(self.payoffs[0, 7 if self.pips is not None else GameResult.LOSE])

    @property
    def free(self) -> np.ndarray:
        """bool[levels, 2]: turning the cube costs mover, opponent nothing: any loss loses the match as it is."""
        free = np.zeros((self.levels, 2), dtype=bool)
        here, above = self.payoffs[:-1], self.payoffs[1:]
        free[:-1, 0] = here[:, GameResult.LOSE] - above[:, GameResult.LOSE_BACKGAMMON] <= 1e-12
        free[:-1, 1] = above[:, GameResult.WIN_BACKGAMMON] - here[:, GameResult.WIN] <= 1e-12
        return free & self.may_turn

    @property
    def turns_for_nothing(self) -> bool:
        """Whether doubling now costs the mover nothing."""
        return self.may_double and bool(self.free[0, 0])

    @property
    def single_win(self) -> float:
        """Value of a single win of the current cube."""
        return float(self.payoffs[0, GameResult.WIN])

    @property
    def single_loss(self) -> float:
        """Value of a single loss of the current cube."""
        return float(self.payoffs[0, GameResult.LOSE])

    def to_emg(self, value):
        """Equity per current cube of a value: the linear map of losing and winning the current cube to -1 and +1.

        Parameters
        ----------
        value : float or ndarray

        Returns
        -------
        float or ndarray
            NaN where winning and losing the game make no difference to the match. Money values are equities already.
        """
        if self.money:
            return value
        swing = self.single_win - self.single_loss
        if swing <= 0:
            return value * np.nan
        return (2.0 * value - (self.single_win + self.single_loss)) / swing

    def from_emg(self, equity):
        """Value of an equity per current cube; the inverse of `to_emg`."""
        if self.money:
            return equity
        return 0.5 * (equity * (self.single_win - self.single_loss) + self.single_win + self.single_loss)

    def to_mwc(self, value):
        """Match winning chance, 0–1, of a value.

        Raises
        ------
        IllegalRules
            Money play has none.
        """
        if self.money:
            raise IllegalRules("money play has no match winning chance")
        return 0.5 * (value + 1.0)

    def from_mwc(self, mwc):
        """Value of a match winning chance.

        Raises
        ------
        IllegalRules
            Money play has none.
        """
        if self.money:
            raise IllegalRules("money play has no match winning chance")
        return 2.0 * mwc - 1.0

    def mwc_to_emg(self, mwc):
        """Equity per current cube of a match winning chance."""
        return self.to_emg(self.from_mwc(mwc))

    def emg_to_mwc(self, equity):
        """Match winning chance of an equity per current cube."""
        return self.to_mwc(self.from_emg(equity))

    def cubeless(self, probabilities) -> float:
        """Value of the game if the cube is never turned again.

        Parameters
        ----------
        probabilities : sequence of 6 floats
            Exclusive chances.
        """
        return float(np.asarray(probabilities, dtype=float) @ self.payoffs[0, :6])

    def with_owner(self, owner: Owner) -> Stakes:
        """The same game and cube value with the cube elsewhere."""
        return _compiled(self.match, Cube(self.cube.value, owner), self.table, self.pips)

    def after_take(self) -> Stakes:
        """Stakes once the mover has doubled and the opponent taken, seen by the mover.

        Raises
        ------
        IllegalRules
            The mover may not double.
        """
        if self.reason_not_allowed is not None:
            raise IllegalRules(self.reason_not_allowed)
        return _compiled(self.match, Cube(2 * self.cube.value, Owner.OPPONENT), self.table, self.pips)

    def flip(self) -> Stakes:
        """The same stakes seen by the other side; all values are the exact negatives."""
        match, cube = self.match.flip(), self.cube.flip()
        mine, theirs = _reasons(match, cube, self.payoffs)
        return replace(
            self,
            match=match,
            cube=cube,
            payoffs=_frozen(-self.payoffs[:, _FLIPPED[: self.payoffs.shape[1]]]),
            may_turn=_frozen(self.may_turn[:, ::-1]),
            reason_not_allowed=mine,
            reason_opponent_not_allowed=theirs,
            table=self.table.swap() if self.table is not None and self.table.skewed else self.table,
            pips=None if self.pips is None else self.pips.flip(),
        )

    def __repr__(self) -> str:
        table = "" if self.table is None else f", met={self.table.name!r}"
        pips = "" if self.pips is None else f", pips={self.pips!r}"
        return f"Stakes.of({self.match!r}, {self.cube!r}{table}{pips})"

    def _repr_html_(self) -> str:
        results = [result.name.lower().replace("_", " ") for result in GameResult]
        sides = ("mover", "opponent", "both")
        rows = []
        for level, (payoffs, turns) in enumerate(zip(self.payoffs, self.may_turn, strict=True)):
            worth = [number(v, 3) for v in payoffs[:6]] if self.money else [percent(v) for v in (payoffs[:6] + 1) / 2]
            may = sides[int(turns[1]) + int(turns.all())] if turns.any() else "–"
            rows.append([str(self.cube.value << level), *worth, may])
        unit = "points per current cube" if self.money else f"match winning chances, {self.met_name}"
        last = "; the last line goes on doubling for ever" if self.may_turn[-1].all() else ""
        why = "" if self.may_double else f"; no double now: {self.reason_not_allowed}"
        title = f"{self.match.score_text}, cube {self.cube.value} {OWNED[self.owner]}"
        return block(title, table(["cube", *results, "may turn"], rows), note=f"{unit}{last}{why}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stakes):
            return NotImplemented
        return self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple:
        return self.match, self.cube, self.table, self.pips


def checked_stakes(stakes: object) -> Stakes:
    """`stakes` itself.

    Raises
    ------
    SettingsError
        Something else.
    """
    if not isinstance(stakes, Stakes):
        raise SettingsError(f"stakes {stakes!r:.100} are no Stakes; Stakes.of(match, cube) makes them")
    return stakes


def _frozen(array: np.ndarray) -> np.ndarray:
    """A read-only view; its base stays writeable, since numba compiles read-only arrays as a type of their own."""
    view = np.ascontiguousarray(array).copy().view()
    view.setflags(write=False)
    return view


@lru_cache(maxsize=4096)
def _compiled(match: MatchState, cube: Cube, table: MatchEquityTable | None, pips: PipCounts | None = None) -> Stakes:
    rules = match.rules
    if rules.scoring is Scoring.PIPS:
        if pips is None:
            raise IllegalRules(
                "pips scoring pays by the loser's pips, which the six result chances do not hold: Stakes.of() needs "
                "their PipCounts, evaluate() knows short bearoffs, plays and rollouts do not have this scoring"
            )
    elif pips is not None:
        raise IllegalRules("pip counts are for pip scoring, which these rules do not have")
    if rules.cube_cap is not None and cube.value > rules.cube_cap:
        raise IllegalRules(f"cube at {cube.value} is above its cap of {rules.cube_cap}")
    unlimited = match.money and pips is None and (rules.cube_cap is None or rules.cube_cap >= UNFELT_CAP * cube.value)
    turns: list[tuple[bool, bool]] = []
    values = [cube.value]
    while True:
        both = tuple(_reason(match, values[-1], side) is None for side in (0, 1))
        turns.append((both[0], both[1]))
        if not any(both) or (unlimited and len(values) == UNLIMITED_LEVELS):
            break
        if pips is not None and len(values) == _PIP_LEVELS:
            turns[-1] = (False, False)
            break
        values.append(2 * values[-1])
    if pips is not None:
        payoffs = np.array([pips.payoffs]) * (np.array(values)[:, None] / cube.value)
    elif table is None:
        payoffs = np.array([[result.points * (value / cube.value) for result in GameResult] for value in values])
        if rules.jacoby and cube.owner is Owner.CENTRE:
            payoffs[0] = [1.0, 1.0, 1.0, -1.0, -1.0, -1.0]
    else:
        payoffs = np.array([[2.0 * _mwc_after(match, r, value, table) - 1.0 for r in GameResult] for value in values])
    reasons = _reasons(match, cube, payoffs)
    return Stakes(
        match,
        cube,
        _frozen(payoffs),
        _frozen(np.array(turns, dtype=np.bool_)),
        reasons[0],
        reasons[1],
        table,
        table is not None and max(match.away) > table.size,
        pips,
    )


def _mwc_after(match: MatchState, result: GameResult, value: int, table: MatchEquityTable) -> float:
    """The mover's chance to win the match once this game has ended so."""
    points = abs(result.points) * value
    won = result.points > 0
    after = match.after(points, 0) if won else match.after(0, points)
    if after is None:
        return 1.0 if won else 0.0
    return table.mwc(after)


def _reason(match: MatchState, value: int, side: int) -> str | None:
    """Why a side (0 mover, 1 opponent) with access may not turn a cube of this value; None when it may."""
    who = ("the mover", "the opponent")[side]
    if not match.rules.cube_in_use:
        return "these rules are played without a cube"
    if match.crawford:
        return "this is the Crawford game, which is played without the cube"
    if match.rules.cube_cap is not None and 2 * value > match.rules.cube_cap:
        return f"the cube is at its cap of {match.rules.cube_cap}"
    if not match.money and value >= match.away[side]:
        return f"the cube is dead: at {value} it already wins the match for {who}, who needs {match.away[side]}"
    return None


def _reasons(match: MatchState, cube: Cube, payoffs: np.ndarray) -> tuple[str | None, str | None]:
    """Why the mover, why the opponent has no double to decide; None where they have."""
    if not match.money and abs(payoffs[0, GameResult.WIN] - payoffs[0, GameResult.LOSE]) <= _DECIDED:
        reason = "by the match equity table this game no longer matters: the match is as good as decided"
        return reason, reason
    if payoffs[0, GameResult.WIN] < payoffs[0, GameResult.LOSE]:
        reason = "by the match equity table a win of this game is worth less than a loss: there is nothing to play for"
        return reason, reason
    mine, theirs = (_reason(match, cube.value, side) or _not_owner(cube, side) for side in (0, 1))
    return mine, theirs


def _not_owner(cube: Cube, side: int) -> str | None:
    if cube.owner is (Owner.OPPONENT, Owner.MOVER)[side]:
        return ("the opponent owns the cube", "the mover owns the cube")[side]
    return None
