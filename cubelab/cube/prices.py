"""Gammon and backgammon prices at every score and cube level, for both players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..arguments import checked
from ..game import Cube, Owner, Rules
from ..score import MatchEquityTable, Stakes
from .points import gammon_prices
from .scores import score_cells

if TYPE_CHECKING:
    import pandas as pd


@checked("highest", "rules")
def price_table(
    size: int = 9,
    *,
    met: MatchEquityTable | str | Path | None = None,
    rules: Rules | None = None,
    highest: int = 16,
) -> pd.DataFrame:
    """What gammons and backgammons add at every score, in units of the swing between single win and loss.

    Parameters
    ----------
    size : int
        Greatest away score.
    met : MatchEquityTable, str or Path, optional
    rules : Rules, optional
    highest : int
        Greatest cube value, a power of two.

    Returns
    -------
    pandas.DataFrame
        One row a score and cube value: name, stage, mover_away, opponent_away, cube, gammon and backgammon price of
        the mover and of the opponent. A cube at a value that no side could have turned it to is there too: prices do
        not ask how it got there. The Crawford game has the cube at 1 only.
    """
    import pandas as pd

    table = MatchEquityTable.load(met)
    rows = []
    for cell in score_cells(size, Cube(), rules):
        cube = 1
        while cube <= highest and (cube == 1 or not cell.match.crawford):
            owner = Owner.CENTRE if cube == 1 else Owner.MOVER
            stakes = Stakes.of(cell.match, Cube(cube, owner), table)
            mine, theirs = gammon_prices(stakes), gammon_prices(stakes.flip())
            away = (None, None) if cell.match.money else cell.match.away
            rows.append(
                (cell.name, cell.stage, *away, cube, mine.gammon, mine.backgammon, theirs.gammon, theirs.backgammon)
            )
            cap = cell.match.rules.cube_cap
            cube *= 2
            if cap is not None and cube > cap:
                break
    columns = ["name", "stage", "mover_away", "opponent_away", "cube", "gammon_price", "backgammon_price"]
    columns += ["opponent_gammon_price", "opponent_backgammon_price"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype({name: float for name in columns[5:]} | {"mover_away": "Int64", "opponent_away": "Int64"})
