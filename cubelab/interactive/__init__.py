"""Widgets for notebooks: an editor of situations, sliders for take points, a browser through an analysed match.

What happens is decided by plain immutable values (`setup`, `chances`, `browsing`) that need no browser; the widgets
only carry events to them and drawings back. Needs the extra ``cubelab[notebook]``.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ..arguments import checked
from ..errors import DataMissing

if TYPE_CHECKING:
    from ..cube.models import CubeModel
    from ..game.position import Position
    from ..game.situation import Situation
    from ..score.met import MatchEquityTable
    from ..study.analysis import MatchAnalysis
    from .browser import Browser
    from .position_editor import Editor
    from .sliders import TakePointSliders

__all__ = ["browse", "editor", "take_point_sliders"]


@checked("met")
def editor(
    subject: Situation | Position | str | None = None,
    *,
    ply: int = 2,
    met: str | MatchEquityTable | None = None,
    model: CubeModel | None = None,
) -> Editor:
    """A board to set up by clicking or by typing an id, with the verdict beside it.

    The static verdict follows every change at once, the look-ahead comes from the background; a rollout starts on
    request and can be stopped, keeping the trials that were done.

    Parameters
    ----------
    subject : Situation, Position or str, optional
        Where to begin; a text is any id that `parse_situation` reads. Default: the starting position, money.
    ply : int
        Look-ahead in the background, 0 to 3.
    met : str or MatchEquityTable, optional
        Default Kazaross-XG2; not used for money.
    model : CubeModel, optional
        Default: Janowski with an efficiency by class of position.

    Returns
    -------
    Editor
        A widget. Its ``situation``, ``decision`` and ``rollout`` are what it shows at present.

    Raises
    ------
    CubelabError
        A text that is no position, a ply or table that does not exist.
    DataMissing
        The extra ``cubelab[notebook]`` is not installed.
    """
    return _widgets("position_editor").Editor(subject, ply=ply, met=met, model=model)


@checked("met")
def take_point_sliders(
    situation: Situation | str | None = None,
    *,
    met: str | MatchEquityTable | None = None,
    model: CubeModel | None = None,
) -> TakePointSliders:
    """Sliders for games won, gammons and backgammons, with take points and doubling window shown and charted.

    Parameters
    ----------
    situation : Situation or str, optional
        Score, cube and rules to begin with; the position is not looked at. Default: money, centred cube.
    met : str or MatchEquityTable, optional
        Default Kazaross-XG2; not used for money.
    model : CubeModel, optional
        Default Janowski with x = 0.68; a slider changes x.

    Raises
    ------
    CubelabError
        A text that is no situation, a table that does not exist.
    DataMissing
        The extra ``cubelab[notebook]`` is not installed.
    """
    return _widgets("sliders").TakePointSliders(situation, met=met, model=model)


def browse(analysis: MatchAnalysis, *, least: float = 0.0) -> Browser:
    """Walk through the decisions of an analysed match: filters, previous and next, board, verdict, editor.

    Parameters
    ----------
    analysis : MatchAnalysis
        From `analyse`; with ``checker_play=True`` plays are among the decisions.
    least : float
        Show only errors of at least this size at first, EMG.

    Raises
    ------
    CubelabError
        Something else than an analysis, or one without decisions.
    DataMissing
        The extra ``cubelab[notebook]`` is not installed.
    """
    return _widgets("browser").Browser(analysis, least=least)


def _widgets(module: str) -> Any:
    """A module of widgets.

    Raises
    ------
    DataMissing
        What it needs is not installed.
    """
    if find_spec("anywidget") is None:
        raise DataMissing("interactive boards need a package that is not installed: pip install 'cubelab[notebook]'")
    return import_module(f".{module}", __name__)
