"""Look-ahead evaluation of cube decisions and plays: the friendly face of `kernels.search`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .. import __version__
from ..arguments import checked, several
from ..cube.decision import CubeDecision, decision_from_values
from ..cube.models import CubeModel, checked_model
from ..errors import IllegalPlay, IllegalPosition, SettingsError
from ..game import Owner, Phase, Position, Probabilities, Situation
from ..game.dice import checked_dice
from ..game.html import block, number, percent, table
from ..game.play import Play
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .cube_table import cube_table, model_name
from .evaluator import CubeValues, Evaluation, Provenance

if TYPE_CHECKING:
    import pandas as pd

    from .rolled_plays import RolledPlays

#: Plays further than this behind the static leader, or beyond the count, are not looked at more deeply.
FILTER_MARGIN, FILTER_COUNT = 0.16, 8
_PLACE = {Owner.CENTRE: 0, Owner.MOVER: 1, Owner.OPPONENT: 2}


@dataclass(frozen=True, slots=True)
class Search:
    """Evaluator that looks a number of half-moves ahead over all rolls; 0 is the networks' static evaluation.

    Parameters
    ----------
    ply : int
        0 to 3, counted as GNU Backgammon counts (eXtreme Gammon says one more).

    Raises
    ------
    SettingsError
        A ply that does not exist.
    """

    ply: int = 2

    def __post_init__(self) -> None:
        if not isinstance(self.ply, int) or not 0 <= self.ply <= 3:
            raise SettingsError(f"ply {self.ply!r} does not exist: choose 0, 1, 2 or 3")

    @property
    def name(self) -> str:
        """Such as ``2-ply``."""
        return f"{self.ply}-ply"

    def cube_values(
        self, positions: Sequence[Position], stakes: Sequence[Stakes], model: CubeModel | None = None
    ) -> list[CubeValues]:
        """Evaluate positions with the mover about to roll, each at its own stakes; uses all cores.

        Raises
        ------
        IllegalPosition
            A game that is over.
        """
        return list(self._iterate(positions, stakes, model))

    def _iterate(
        self, positions: Sequence[Position], stakes: Sequence[Stakes], model: CubeModel | None
    ) -> Iterator[CubeValues]:
        for position in positions:
            if position.phase is Phase.OVER:
                raise IllegalPosition(f"position {position.id}: the game is over, there is nothing to decide")
        pairs = list(zip(positions, stakes, strict=True))
        if len(pairs) < 2 or self.ply == 0:
            yield from (self._one(position, stake, model) for position, stake in pairs)
            return
        with ThreadPoolExecutor(min(len(pairs), os.cpu_count() or 1)) as pool:
            yield from pool.map(lambda pair: self._one(pair[0], pair[1], model), pairs)

    def _one(self, position: Position, stakes: Stakes, model: CubeModel | None) -> CubeValues:
        from ..kernels.search import roll_values
        from .endings import beyond_tables, ending_values
        from .neural import load_nets

        if beyond_tables(position, stakes):
            solved = ending_values(position, stakes)
            assert solved is not None
            return solved
        nets, table = load_nets(stakes.match.rules), cube_table(stakes, model)
        probs, values = np.zeros(6), np.full((3 if stakes.immediate_redouble else 2, 3), np.nan)
        exact = roll_values(table, nets, position.array, self.ply, _PLACE[stakes.owner], probs, values)
        no_double = float(values[0, _PLACE[stakes.owner]])
        double_take = float(values[1, 2])
        redoubled = float(values[2, 1]) if len(values) > 2 and not np.isnan(values[2, 1]) else None
        return CubeValues(_probabilities(probs), no_double, double_take, bool(exact), double_redouble=redoubled)

    def play_values(
        self,
        position: Position,
        plays: Sequence[Play],
        stakes: Stakes,
        model: CubeModel | None = None,
    ) -> list[tuple[Probabilities, float]]:
        """Chances and value of each play, for the side that makes it, `ply` half-moves beyond it."""
        from ..kernels.search import play_values
        from ..kernels.static import evaluate_candidates
        from .neural import load_nets

        nets, table = load_nets(stakes.match.rules), cube_table(stakes, model)
        afters = np.array([play.after.board for play in plays], dtype=np.int8)
        outcomes = np.empty((len(plays), 6), dtype=np.float32)
        evaluate_candidates(nets, position.array, afters, len(plays), outcomes)
        probs, values = np.empty((len(plays), 6)), np.empty(len(plays))
        play_values(table, nets, afters, outcomes, self.ply, _PLACE[stakes.owner], probs, values)
        return [(_probabilities(row), float(value)) for row, value in zip(probs, values, strict=True)]


def _probabilities(row: np.ndarray) -> Probabilities:
    clipped = np.clip(row, 0.0, 1.0)
    return Probabilities.from_array(clipped / clipped.sum())


def provenance(stakes: Stakes, search: Search, model: CubeModel | None) -> Provenance:
    """Provenance of numbers made with these settings."""
    from .neural import weights_checksum

    met = None if stakes.money else stakes.met_name
    return Provenance(__version__, weights_checksum(), met, search.ply, model_name(stakes, model))


@checked("met")
def evaluate(
    situation: Situation,
    *,
    ply: int = 2,
    met: str | MatchEquityTable | None = None,
    model: CubeModel | None = None,
) -> Evaluation:
    """Outcome probabilities and equities of a situation, the mover about to roll.

    Parameters
    ----------
    situation : Situation
        Its dice, if any, are not looked at.
    ply : int
        Look-ahead, 0 to 3.
    met : str or MatchEquityTable, optional
        Default Kazaross-XG2; not used for money.
    model : DeadCube, LiveCube or Janowski, optional
        Default: Janowski with an efficiency by class of position.

    Raises
    ------
    CubelabError
        The game is over, or the settings do not exist.

    Examples
    --------
    Nineteen of 36 rolls bear off the last two checkers; short bearoffs are exact.

    >>> import cubelab as cl
    >>> s = cl.Situation.from_xgid("XGID=--A--A------------------b-:0:0:1:00:0:0:0:0:10")
    >>> e = cl.evaluate(s)
    >>> round(e.probabilities.cumulative[0], 4), round(19 / 36, 4)
    (0.5278, 0.5278)
    >>> print(e.decision)
    Double, take: no double +0.0556, double/take +0.1111, double/pass +1.0000
    """
    return evaluate_many([situation], ply=ply, met=met, model=model)[0]


@checked("met")
def evaluate_many(
    situations: Iterable[Situation],
    *,
    ply: int = 2,
    met: str | MatchEquityTable | None = None,
    model: CubeModel | None = None,
) -> list[Evaluation]:
    """`evaluate` for many situations, on all cores; the answers keep the order."""
    from .endings import ending_pips

    if not several(situations):
        raise SettingsError(f"situations {situations!r:.60} are no list of Situations")
    situations = [checked_situation(situation) for situation in situations]
    model = None if model is None else checked_model(model)
    search, table = Search(ply), table_of(met)
    stakes = [Stakes.of(s.match, s.cube, met=table, pips=ending_pips(s)) for s in situations]
    values = search.cube_values([s.position for s in situations], stakes, model)
    return [
        _evaluation(s, stake, value, provenance(stake, search, model))
        for s, stake, value in zip(situations, stakes, values, strict=True)
    ]


def _evaluation(situation: Situation, stakes: Stakes, value: CubeValues, source: Provenance) -> Evaluation:
    from .endings import pips_without_cube

    chances, model = value.probabilities, "exact bearoff" if value.exact else f"{source.ply}-ply"
    if stakes.pips is None:
        cubeless = stakes.cubeless(chances.array)
    else:
        cubeless = pips_without_cube(situation.position)
    decision = decision_from_values(
        value.no_double,
        value.double_take,
        stakes,
        chances if stakes.pips is None else None,
        model=model,
        redoubled=value.double_redouble,
        beavered=value.double_beaver,
        exact=value.exact,
    )
    return Evaluation(
        situation,
        value.probabilities,
        float(stakes.to_emg(cubeless)),
        float(stakes.to_emg(value.no_double)),
        decision,
        source,
    )


def checked_situation(situation: object) -> Situation:
    """`situation` itself.

    Raises
    ------
    SettingsError
        It is something else, such as a text.
    """
    if isinstance(situation, Situation):
        return situation
    raise SettingsError(f"{situation!r} is no Situation; Situation.from_xgid and Situation.from_gnuid read ids")


def table_of(met: str | MatchEquityTable | None) -> MatchEquityTable:
    if isinstance(met, MatchEquityTable):
        return met
    return MatchEquityTable.load(met)


@checked("met")
def cube_decision(
    situation: Situation,
    *,
    ply: int = 2,
    met: str | MatchEquityTable | None = None,
    model: CubeModel | None = None,
) -> CubeDecision:
    """The cube verdict of a situation; arguments as for `evaluate`.

    Examples
    --------
    >>> import cubelab as cl
    >>> s = cl.Situation.from_xgid("XGID=-a----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    >>> cl.cube_decision(s, ply=0).verdict.double
    False
    """
    return evaluate(situation, ply=ply, met=met, model=model).decision


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """One play and its worth.

    Attributes
    ----------
    play : Play
    probabilities : Probabilities
        Of the mover, after the play.
    equity : float
        Cubeful, per current cube: points for money, EMG at a score.
    mwc : float or None
        Match winning chance; None for money.
    error_emg : float
        Loss against the best play, ≥ 0.
    error_mwc : float or None
    ply : int
        How deep this play was looked at.
    """

    play: Play
    probabilities: Probabilities
    equity: float
    mwc: float | None
    error_emg: float
    error_mwc: float | None
    ply: int

    def _repr_html_(self) -> str:
        return f"{self.play._repr_html_()}{self.probabilities.html_table()}"


@dataclass(frozen=True, slots=True)
class RankedPlays(Sequence[RankedPlay]):
    """All legal plays of a roll, best first.

    ``rolled``: the rollouts behind the first ones, where there are any.
    """

    situation: Situation
    dice: tuple[int, int]
    plays: tuple[RankedPlay, ...]
    provenance: Provenance
    rolled: RolledPlays | None = None

    def __getitem__(self, index):
        return self.plays[index]

    def __len__(self) -> int:
        return len(self.plays)

    @checked("after")
    def find(self, after: Position) -> RankedPlay:
        """The entry that leads to `after`.

        Raises
        ------
        IllegalPlay
            No legal play does.
        """
        for entry in self.plays:
            if entry.play.after == after:
                return entry
        raise IllegalPlay(f"no legal play of {self.dice[0]}-{self.dice[1]} leads to position {after.flip().id}")

    def _repr_html_(self) -> str:
        money = self.situation.match.money
        head = ["play", f"equity ({'points' if money else 'EMG'})", "error", *([] if money else ["MWC"])]
        head += ["wins", "gammon", "loses a gammon", "ply"]
        rows = []
        for entry in self.plays[:20]:
            win, win_gammon, _, lose_gammon, _ = entry.probabilities.cumulative
            match = [] if money else [percent(entry.mwc)]
            chances = [percent(chance, 1) for chance in (win, win_gammon, lose_gammon)]
            rows.append(
                [entry.play.notation, number(entry.equity), f"{entry.error_emg:.4f}", *match, *chances, str(entry.ply)]
            )
        more = f"; {len(self) - 20} more in to_frame()" if len(self) > 20 else ""
        note = f"chances after the play{more}"
        return block(f"{self.dice[0]}-{self.dice[1]}", table(head, rows, bold=(0,)), note=note)

    def to_frame(self) -> pd.DataFrame:
        """One row a play: play, equity, error_emg, the cumulative chances, ply."""
        import pandas as pd

        names = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
        return pd.DataFrame(
            [
                {"play": e.play.notation, "equity": e.equity, "mwc": e.mwc, "error_emg": e.error_emg}
                | dict(zip(names, e.probabilities.cumulative, strict=True))
                | {"ply": e.ply, "position_after": e.play.after.flip().id}
                for e in self.plays
            ]
        )


@checked("met")
def ranked_plays(
    situation: Situation,
    dice: object = None,
    *,
    ply: int = 2,
    met: str | MatchEquityTable | None = None,
    model: CubeModel | None = None,
    include: Position | None = None,
) -> RankedPlays:
    """Legal plays of a roll, best first.

    Plays that the static evaluation puts far behind are not looked at more deeply and stand below the others.

    Parameters
    ----------
    situation : Situation
    dice : pair, str or int, optional
        Default: the situation's own.
    ply : int
        Look-ahead beyond each play, 0 to 3.
    met, model
        As for `evaluate`.
    include : Position, optional
        A resulting position (mover's view) to look at fully wherever it stands: the play somebody made.

    Raises
    ------
    CubelabError
        No dice, a game that is over, settings that do not exist.

    Examples
    --------
    >>> import cubelab as cl
    >>> plays = cl.ranked_plays(cl.Situation(cl.Position.start()), dice=(3, 1), ply=0)
    >>> plays[0].play.notation, len(plays)
    ('8/5 6/5', 16)
    """
    situation = checked_situation(situation)
    rolled = situation.dice if dice is None else checked_dice(dice)
    if rolled is None:
        raise SettingsError("no dice: give the roll, such as 31, or a situation with dice")
    if situation.position.phase is Phase.OVER:
        raise IllegalPosition(f"position {situation.position.id}: the game is over, there is nothing to play")
    search = Search(ply)
    stakes = Stakes.of(situation.match, situation.cube, met=table_of(met))
    plays = situation.position.plays(*rolled)
    source = provenance(stakes, search, model)
    if not plays:
        return RankedPlays(situation, rolled, (), source)
    static = Search(0).play_values(situation.position, plays, stakes, model)
    unit = float(stakes.payoffs[0][0] - stakes.payoffs[0][3]) / 2

    def merit(probabilities: Probabilities, value: float) -> tuple[float, float]:
        # Who doubles out whatever is played makes all plays worth the same: then chances decide, as inside the search.
        return -round(value / (unit or 1.0), 9), -float(stakes.payoffs[0] @ probabilities.array)

    order = sorted(range(len(plays)), key=lambda i: merit(*static[i]))
    worth = {i: (0, *static[i]) for i in order}
    if ply:
        margin = FILTER_MARGIN * unit
        leader = static[order[0]][1]
        kept = [i for i in order[:FILTER_COUNT] if leader - static[i][1] <= margin]
        kept += [i for i in order if plays[i].after == include and i not in kept]
        deep = search.play_values(situation.position, [plays[i] for i in kept], stakes, model)
        worth |= {i: (ply, *value) for i, value in zip(kept, deep, strict=True)}
    # Deeper-looked plays come first: a static number must not outrank the same play's rivals by its larger error.
    ranking = sorted(order, key=lambda i: (-worth[i][0], *merit(*worth[i][1:])))
    best = worth[ranking[0]][2]
    return RankedPlays(
        situation, rolled, tuple(_ranked(plays[i], worth[i], best, stakes) for i in ranking), source
    )  # fmt: skip


def _ranked(play: Play, worth: tuple[int, Probabilities, float], best: float, stakes: Stakes) -> RankedPlay:
    depth, probabilities, value = worth
    loss = max(best - value, 0.0)
    money = stakes.money
    return RankedPlay(
        play,
        probabilities,
        float(stakes.to_emg(value)),
        None if money else float(stakes.to_mwc(value)),
        float(stakes.to_emg(best) - stakes.to_emg(best - loss)),
        None if money else loss / 2,
        depth,
    )
