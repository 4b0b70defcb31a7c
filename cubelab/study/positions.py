"""Cube decisions of a column of positions, as a frame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..arguments import checked, several
from ..cube.models import CubeModel
from ..cube.verdict import Verdict
from ..engine.search import evaluate_many
from ..errors import CubelabError, SettingsError
from ..game import Phase, Situation
from ..notation import parse_situation
from ..score.met import MatchEquityTable

if TYPE_CHECKING:
    import pandas as pd

_CHANCES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


@checked("met")
def cube_decisions(
    positions: Iterable[str | Situation],
    *,
    ply: int = 2,
    met: str | MatchEquityTable | None = None,
    model: CubeModel | None = None,
) -> pd.DataFrame:
    """The cube decisions of many positions, on all cores.

    Parameters
    ----------
    positions : iterable of str or Situation
        Any id that `cubelab.parse_situation` reads; a pandas column keeps its index.
    ply, met, model
        As for `cubelab.evaluate`.

    Returns
    -------
    DataFrame
        One row a position, in order: xgid, verdict (categorical; missing where the cube may not be turned), label,
        no_double, double_take, double_pass (points per cube for money, EMG at a score), mwc_no_double,
        mwc_double_take (0–1, missing for money), the cumulative chances, and error: why a position could not be used.

    Raises
    ------
    CubelabError
        Settings that do not exist, or something that is no column of positions.
        A position that cannot be used is a row, not an exception.

    Examples
    --------
    >>> import cubelab as cl
    >>> frame = cl.cube_decisions(["XGID=-F----------------------f-:0:0:1:00:0:0:0:0:10", "nonsense"], ply=0)
    >>> frame["label"][0], frame["error"].notna().tolist()
    ('Double, pass', [False, True])
    """
    import pandas as pd

    if isinstance(positions, (str, Situation, pd.DataFrame)) or not several(positions):
        kind = type(positions).__name__
        raise SettingsError(f"positions must be a column or list of ids, such as df['xgid'], not one {kind}")
    given = positions if isinstance(positions, pd.Series) else pd.Series(list(positions), dtype=object)
    situations: dict[int, Situation] = {}
    rows: list[dict] = [{} for _ in range(len(given))]
    for place, value in enumerate(given):
        try:
            if pd.api.types.is_scalar(value) and pd.isna(value):
                raise CubelabError("the position is missing")
            situation = value if isinstance(value, Situation) else parse_situation(str(value))
            if situation.position.phase is Phase.OVER:
                raise CubelabError(f"position {situation.position.id}: the game is over, there is nothing to decide")
            situations[place] = situation
            rows[place] = {"xgid": situation.xgid, "error": None}
        except CubelabError as error:
            rows[place] = {"xgid": None, "error": str(error)}
    for place, evaluation in zip(
        situations, evaluate_many(situations.values(), ply=ply, met=met, model=model), strict=True
    ):
        decision = evaluation.decision
        equities, mwc = decision.equities, decision.mwc
        rows[place] |= {
            "verdict": None if decision.verdict is None else decision.verdict.label(redouble=False, optional=False),
            "label": decision.label,
            "no_double": equities.no_double,
            "double_take": equities.double_take,
            "double_pass": equities.double_pass,
            "mwc_no_double": None if mwc is None else mwc.no_double,
            "mwc_double_take": None if mwc is None else mwc.double_take,
        } | dict(zip(_CHANCES, evaluation.probabilities.cumulative, strict=True))
    numbers = ["no_double", "double_take", "double_pass", "mwc_no_double", "mwc_double_take", *_CHANCES]
    frame = pd.DataFrame(rows, index=given.index, columns=["xgid", "verdict", "label", *numbers, "error"])
    frame[numbers] = frame[numbers].astype(float)
    labels = [verdict.label(redouble=False, optional=False) for verdict in Verdict]
    frame["verdict"] = pd.Categorical(frame["verdict"], categories=labels)
    return frame
