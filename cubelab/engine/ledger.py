"""Why a position is (not) a double: every sequence of two rolls, with what doubling now changes in it.

Summed over all 441 sequences with their chances the ledger gives exactly the difference between double/take and no
double of the 2-ply search. (At match scores, under a felt cap of the cube or the immediate redouble, `evaluate` solves
positions exactly in which both sides bear off their last six checkers; the search and the ledger then keep to the cube
model, which differs by up to .14.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..arguments import checked
from ..cube.models import CubeModel, checked_model
from ..errors import IllegalPosition, SettingsError
from ..game import ROLLS, WEIGHTS, Phase, Position, Situation
from ..game.html import block, number, percent, table
from ..game.play import Play
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .cube_table import cube_table
from .search import checked_situation, table_of

if TYPE_CHECKING:
    import pandas as pd

_CENTRED, _OWNED, _THEIRS = 0, 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class MarketLedger:
    """All sequences of the mover's roll and the opponent's reply.

    Equities are per current cube, for the mover, with best play and best cube action afterwards.

    Attributes
    ----------
    situation : Situation
    stakes : Stakes
    weights : float64[21, 21]
        Chance of each sequence.
    no_double, double_take : float64[21, 21]
        Equity after the sequence when the cube was left alone, and when it was turned and taken.
    market_lost : bool[21, 21]
        The cube was left alone and the opponent now passes a double.
    plays : tuple of str
        The mover's play of each first roll (at the current cube).
    replies : tuple of tuple of str
        The opponent's play of each second roll.
    """

    situation: Situation
    stakes: Stakes
    weights: np.ndarray
    no_double: np.ndarray
    double_take: np.ndarray
    market_lost: np.ndarray
    plays: tuple[str, ...]
    replies: tuple[tuple[str, ...], ...]

    @property
    def difference(self) -> float:
        """Double/take less no double: what the whole ledger adds up to."""
        return float((self.weights * (self.double_take - self.no_double)).sum())

    @property
    def gain(self) -> float:
        """What doubling gains in the sequences where it is better to have doubled."""
        change = self.double_take - self.no_double
        return float((self.weights * np.maximum(change, 0.0)).sum())

    @property
    def cost(self) -> float:
        """What doubling costs in the sequences where it is worse (≥ 0)."""
        return self.gain - self.difference

    @property
    def market_losers(self) -> float:
        """Chance that the market is lost before the next decision."""
        return float(self.weights[self.market_lost].sum())

    def __repr__(self) -> str:
        return f"<MarketLedger of {self.situation.xgid}: double/take less no double {self.difference:+.4f}>"

    def _repr_html_(self) -> str:
        head = ["roll", "play", "chance", "no double", "double, take", "effect", "market lost"]
        rows = [
            (
                *(row.roll, row.play, percent(row.chance)),
                *map(number, (row.no_double, row.double_take, row.effect)),
                percent(row.market_lost, 0),
            )
            for row in self.rolls().itertuples()
        ]
        title = (
            f"Doubling gains {self.gain:.4f} and costs {self.cost:.4f}: {number(self.difference)} "
            f"({'points' if self.stakes.money else 'EMG'}); the market is lost {percent(self.market_losers, 1)}"
        )
        return block(title, table(head, rows))

    def to_frame(self) -> pd.DataFrame:
        """One row a sequence, the largest effect of doubling first."""
        import pandas as pd

        names = [f"{high}{low}" for high, low in ROLLS]
        change = self.double_take - self.no_double
        frame = pd.DataFrame(
            {
                "roll": np.repeat(names, 21),
                "play": np.repeat(self.plays, 21),
                "reply_roll": names * 21,
                "reply": [reply for row in self.replies for reply in row],
                "chance": self.weights.ravel(),
                "no_double": self.no_double.ravel(),
                "double_take": self.double_take.ravel(),
                "effect": change.ravel(),
                "weighted_effect": (self.weights * change).ravel(),
                "market_lost": self.market_lost.ravel(),
            }
        )
        return frame.sort_values("weighted_effect", ascending=False, key=abs, kind="stable", ignore_index=True)

    def rolls(self) -> pd.DataFrame:
        """One row for each of the mover's 21 rolls: equities, effect, chance that the market is lost after it."""
        import pandas as pd

        chance = self.weights.sum(axis=1)
        share = self.weights / chance[:, None]
        return pd.DataFrame(
            {
                "roll": [f"{high}{low}" for high, low in ROLLS],
                "play": self.plays,
                "chance": chance,
                "no_double": (share * self.no_double).sum(axis=1),
                "double_take": (share * self.double_take).sum(axis=1),
                "effect": (share * (self.double_take - self.no_double)).sum(axis=1),
                "market_lost": (share * self.market_lost).sum(axis=1),
            }
        )


@checked("met", "model")
def market_ledger(
    situation: Situation,
    *,
    met: str | MatchEquityTable | None = None,
    model: CubeModel | None = None,
) -> MarketLedger:
    """The ledger of a cube decision.

    Parameters
    ----------
    situation : Situation
    met, model
        As for `cubelab.evaluate`.

    Raises
    ------
    SettingsError
        The mover may not double.
    IllegalPosition
        The game is over.

    Examples
    --------
    >>> import cubelab as cl
    >>> s = cl.Situation.from_xgid("XGID=a--B-BD-B---cBa--c-e-Bb-A-:0:0:1:00:0:0:0:0:10")
    >>> ledger = cl.market_ledger(s)
    >>> abs(ledger.gain - ledger.cost - ledger.difference) < 1e-12, len(ledger.to_frame())
    (True, 441)
    """
    from .neural import load_nets

    situation = checked_situation(situation)
    if situation.position.phase is Phase.OVER:
        raise IllegalPosition(f"position {situation.position.id}: the game is over, there is nothing to decide")
    stakes = Stakes.of(situation.match, situation.cube, met=table_of(met))
    if not stakes.may_double:
        raise SettingsError(f"there is no double to explain: {stakes.reason_not_allowed}")
    nets, table = load_nets(stakes.match.rules), cube_table(stakes, None if model is None else checked_model(model))
    board = situation.position.array
    afters, outcomes, _, _, over = _rolls(table, nets, 0, board, 2)
    chances = np.array(WEIGHTS) / 36
    values = np.empty((2, 21, 21))
    lost = np.zeros((21, 21), dtype=bool)
    replies: list[tuple[str, ...]] = []
    for first in range(21):
        for branch, place in ((0, stakes.axis), (1, _THEIRS)):
            after = afters[first, branch, place]
            result = outcomes[first, branch, place] if over[first, branch, place] else None
            reply_boards, values[branch, first], passes = _after_play(table, nets, after, branch, place, result)
            if branch == 0:
                lost[first] = passes
                replies.append(_spelled(Position(tuple(-after[::-1])), reply_boards))
    plays = _spelled(situation.position, afters[:, 0, stakes.axis])
    return MarketLedger(
        situation,
        stakes,
        np.outer(chances, chances),
        np.asarray(stakes.to_emg(values[0])),
        np.asarray(stakes.to_emg(values[1])),
        lost,
        plays,
        tuple(replies),
    )


def _rolls(table, nets, side: int, board: np.ndarray, levels: int):
    """Arrays of `kernels.ledger.roll_ledger` for one node."""
    from ..kernels.ledger import roll_ledger

    top = table.payoffs.shape[1]
    levels = min(levels, top)
    states = (21, levels, 3)
    afters, probs = np.empty((*states, 26), np.int8), np.empty((*states, 6))
    raw, values, over = np.full((*states, top, 3), np.nan), np.empty(states), np.empty(states, np.bool_)
    roll_ledger(table, nets, side, np.ascontiguousarray(board), levels, afters, probs, raw, values, over)
    return afters, probs, raw, values, over


def _after_play(table, nets, after: np.ndarray, level: int, place: int, result: np.ndarray | None):
    """The opponent's 21 replies: boards (their view), the mover's values, whether a double is then passed.

    The opponent first takes the cube action that is best on average over the replies, exactly as the search does.
    `result`: the six chances of a game that the play has ended.
    """
    from ..kernels.search import after_cube_action, doubled_value

    if result is not None:
        return None, np.full(21, table.payoffs[0, level] @ result), np.zeros(21, dtype=bool)
    theirs = (3 - place) % 3
    board = np.ascontiguousarray(-after[::-1])
    boards, _, raw, values, over_then = _rolls(table, nets, 1, board, 3 + table.redoubles)
    chances = np.array(WEIGHTS) / 36
    mean = np.einsum("r,rlp->lp", chances, values)
    chosen, chosen_place = level, theirs
    if after_cube_action(table, 1, mean, level, theirs) != mean[level, theirs]:
        cash, kept = table.payoffs[1, level, 0], np.zeros(21, dtype=bool)
        taken, answered = mean[level + 1, _THEIRS], doubled_value(table, 1, mean, level)
        if min(answered, cash) == cash:
            return boards[:, level, theirs], np.full(21, -cash), kept
        chosen, chosen_place = level + 1, _THEIRS
        if answered != taken and table.beavers:
            return boards[:, chosen, chosen_place], -2 * values[:, chosen, chosen_place], kept
        if answered != taken:  # the mover redoubles at once, the opponent passes that or has the cube again
            given = table.payoffs[1, chosen, 3]
            if answered == given:
                return boards[:, chosen, chosen_place], np.full(21, -given), kept
            return boards[:, chosen + 1, _OWNED], -values[:, chosen + 1, _OWNED], kept
    mine = (3 - chosen_place) % 3
    passes = np.zeros(21, dtype=bool)
    if mine != _THEIRS and table.may_turn[0, chosen, 0]:
        cash = table.payoffs[0, chosen, 0]
        position = raw[:, chosen, chosen_place]
        doubled = np.array([doubled_value(table, 0, one, chosen) for one in position])
        passes = ~over_then[:, chosen, chosen_place] & (doubled > cash) & (position[:, chosen, mine] <= cash)
    return boards[:, chosen, chosen_place], -values[:, chosen, chosen_place], passes


def _spelled(position: Position, afters: np.ndarray | None) -> tuple[str, ...]:
    """Notation of the play that leads to each board; a dash where nothing is played."""
    if afters is None:
        return ("-",) * 21
    spelled = []
    for (high, low), board in zip(ROLLS, afters, strict=True):
        found: list[Play] = [play for play in position.plays(high, low) if play.after.board == tuple(board)]
        spelled.append(found[0].notation if found else "-")
    return tuple(spelled)
