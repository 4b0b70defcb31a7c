"""Stakes and cube model as the kernels of search and rollouts read them."""

from __future__ import annotations

import numpy as np

from ..cube.models import CubeModel
from ..score.stakes import Stakes

#: Janowski's x when no model is named. In contact GNU Backgammon's manual gives .68, which is right in matches: 400
#: positions of our own self-play at all scores, rolled out, 2-ply less rollout: doubling minus not doubling -.002
#: ± .003. In money play the same difference was +.007 ± .002 near the doubling point (272 positions) and +.010 ± .004
#: elsewhere (131): it is nothing with .706 and .712, where the errors of both values are least too.
MONEY_EFFICIENCY, MATCH_EFFICIENCY = 0.71, 0.68
#: x in races of up to 25 pips (low, rise, most as in `kernels.search.efficiency_of`), for money and in matches. It
#: rises with the win chance of the cube's owner. Chosen on 173 races of our own self-play, rolled out with cube
#: decisions at 1 ply, and held against 140 others: there the RMSE of 2-ply doubling fell from .030 to .026 for money
#: and from .041 to .028 in matches (before, x went from .6 to .7 between 40 and 120 pips). For money the last six
#: checkers are exact.
MONEY_SHORT_RACE, MATCH_SHORT_RACE = (0.4, 0.4, 0.68), (0.2, 0.65, 0.68)
#: x in races of 80 pips and more.
LONG_RACE_EFFICIENCY = 0.7


def cube_table(stakes: Stakes, model: CubeModel | None):
    """Stakes and model as the arrays the kernel reads."""
    from ..kernels.search import CubeTable

    payoffs = np.ascontiguousarray(stakes.payoffs, dtype=np.float64)
    both = np.stack([payoffs, -payoffs[:, [3, 4, 5, 0, 1, 2]]])
    may_turn = np.asarray(stakes.may_turn, dtype=np.bool_)
    may_turn = np.stack([may_turn, may_turn[:, ::-1]])
    scaled = (payoffs - payoffs[:, 3:4]) / (payoffs[:, 0:1] - payoffs[:, 3:4])
    same = np.abs(scaled[:, None, :] - scaled[None, :, :]).max(axis=2) < 1e-9
    efficiency = _efficiency(stakes) if model is None else (_constant(model.x),) * 3
    return CubeTable(
        both,
        may_turn,
        np.ascontiguousarray(stakes.free.T),
        same.argmax(axis=1).astype(np.int64),
        np.array(efficiency, dtype=np.float64),
        int(stakes.beavers > 0),
        int(stakes.immediate_redouble),
        # The tables are solved for a cube that can always be turned again, on the doubler's own turn.
        int(stakes.money and bool(may_turn[:, -1].all()) and not stakes.immediate_redouble),
    )


def _constant(x: float) -> tuple[float, float, float]:
    return x, 0.0, 1.0


def _efficiency(stakes: Stakes) -> tuple[tuple[float, float, float], ...]:
    contact, short = (MONEY_EFFICIENCY, MONEY_SHORT_RACE) if stakes.money else (MATCH_EFFICIENCY, MATCH_SHORT_RACE)
    return _constant(contact), short, _constant(LONG_RACE_EFFICIENCY)


def without_cube(table):
    """The same results, the cube staying where it is."""
    return table._replace(
        payoffs=np.ascontiguousarray(table.payoffs[:, :1]),
        may_turn=np.zeros((2, 1, 2), dtype=np.bool_),
        free=np.zeros((2, 1), dtype=np.bool_),
        groups=np.zeros(1, dtype=np.int64),
        exact=0,
    )


def model_name(stakes: Stakes, model: CubeModel | None) -> str:
    """What the provenance of numbers says of the model."""
    if model is not None:
        return str(model)
    contact, short, long = _efficiency(stakes)
    return f"janowski {contact[0]} (races {short[0]}–{long[0]})"
