"""Board diagrams."""

from __future__ import annotations

import io
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments import checked
from ..errors import CubelabError
from ..game.play import Play
from ..game.position import Position
from ..game.situation import Situation
from ..notation.detect import parse_situation
from ..writing import write_whole
from .axes import draw_scene
from .diagram import Numbers, Side, View, board_scene
from .scene import Scene
from .svg import svg_text
from .themes import AUTO, Theme, checked_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INCH = 96
_LARGEST_SCALE = 50


class BoardDrawing(str):
    """SVG text of a board that draws itself in Jupyter.

    Attributes
    ----------
    scene : Scene
    theme : Theme
    width : int
        Pixels.
    """

    scene: Scene
    theme: Theme
    width: int

    @classmethod
    def of(cls, scene: Scene, theme: str | Theme, width: int) -> BoardDrawing:
        """Draw a scene."""
        light, dark = checked_theme(theme)
        drawing = cls(svg_text(scene, light, dark, width))
        drawing.scene, drawing.theme, drawing.width = scene, light, width
        return drawing

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f'<div style="max-width:100%;overflow-x:auto">{self!s}</div>'

    @checked("path", "scale")
    def save(self, path: str | PathLike[str], *, scale: float = 2.0) -> Path:
        """Write the drawing to a file.

        Parameters
        ----------
        path : path
            Its ending says the format: ``.svg``, or ``.png``, ``.pdf`` by matplotlib.
        scale : float
            Pixels of a PNG for each pixel of the drawing.

        Returns
        -------
        Path

        Raises
        ------
        CubelabError
            Another ending, a scale that is too small or too large, or the file cannot be written.
        """
        if not 0 < scale <= _LARGEST_SCALE:
            raise CubelabError(f"scale {scale} of a board: must be above 0 and at most {_LARGEST_SCALE}")
        path = Path(path)
        kind = path.suffix.lower()
        if kind == ".svg":
            write_whole(path, str(self))
        elif kind in (".png", ".pdf"):
            from matplotlib.figure import Figure

            height = self.width * self.scene.height / self.scene.width
            figure = Figure(figsize=(self.width / _INCH, height / _INCH), dpi=_INCH * scale)
            draw_scene(figure.add_axes((0, 0, 1, 1)), self.scene, self.theme)
            drawn = io.BytesIO()
            figure.savefig(drawn, format=kind[1:], facecolor=self.theme.page)
            write_whole(path, drawn.getvalue())
        else:
            raise CubelabError(f"cannot save a board as {path.name!r}: the ending must be .svg, .png or .pdf")
        return path


@checked("bottom", "clockwise", "error", "numbers", "pips", "score", "theme", "title")
def board(
    subject: Situation | Position | Play | str,
    play: Play | str | None = None,
    *,
    best: Play | str | None = None,
    error: float | str | None = None,
    theme: str | Theme = AUTO,
    size: int = 480,
    ax: Axes | None = None,
    bottom: Side = "seat",
    clockwise: bool = False,
    numbers: Numbers = "mover",
    names: tuple[str, str] = ("", ""),
    pips: bool = True,
    score: bool = True,
    title: str = "",
) -> Any:
    """Draw a board.

    Parameters
    ----------
    subject : Situation, Position, Play or str
        What to draw; a text is an XGID, ``POSITIONID:MATCHID`` of GNU Backgammon or a bare position id. A play is
        drawn on the position before it.
    play : Play or str, optional
        Shown by arrows; a text is read against the situation's dice.
    best : Play or str, optional
        A second play, dashed, in another colour.
    error : float or str, optional
        Mark beside the dice or cube: a loss in EMG (an error gets ?, a blunder ??), or any short text.
    theme : str or Theme
        ``auto`` (light or dark as the reader prefers), ``light``, ``dark``, ``colour-blind``, ``high-contrast`` or
        ``print`` (black and white).
    size : int
        Width in pixels.
    ax : Axes, optional
        Draw on this matplotlib Axes instead of making SVG.
    bottom : {"seat", "mover", "opponent"}
        Who sits at the bottom: the bottom seat of the id, the mover, or the opponent. Colours stay with the seats.
    clockwise : bool
        The player at the bottom moves clockwise: home boards at the left.
    numbers : {"mover", "opponent", "bottom", "top", "none"}
        Whose numbering the points carry.
    names : (str, str)
        Of the mover and the opponent.
    pips, score : bool
        Write the pip counts; draw the cube and the score (not for a bare position).
    title : str
        Over the board, instead of the match length or "money".

    Returns
    -------
    BoardDrawing or Axes
        SVG text that Jupyter draws and that can be saved; the Axes when `ax` is given.

    Raises
    ------
    CubelabError
        An unknown theme or word, a text that is no position, a play that does not belong to it.

    Examples
    --------
    >>> import cubelab as cl
    >>> cl.plot.board(cl.Position.start()).startswith("<svg")
    True
    """
    situation, given, bare = _situation(subject)
    view = View(bottom, clockwise, numbers, names, pips, score and not bare, title)
    if not isinstance(size, Real) or not 40 <= size <= 10_000:
        raise CubelabError(f"board size {size!r} is not a width of 40 to 10000 pixels")
    scene = board_scene(
        situation, view, _play(play, situation) or given, _play(best, situation), _mark(error)
    )  # fmt: skip
    if ax is not None:
        return draw_scene(ax, scene, checked_theme(theme)[0])
    return BoardDrawing.of(scene, theme, int(size))


def board_axes(subject: Situation | Position | Play | str, play: Play | str | None = None, **options: Any) -> Axes:
    """`board` on a matplotlib Axes, of a new figure unless `ax` is given; same arguments."""
    if options.get("ax") is None:
        from .figures import new_axes

        options["ax"] = new_axes((5.4, 5.4 * 0.9))
    return board(subject, play, **options)


def _situation(subject: object) -> tuple[Situation, Play | None, bool]:
    """What to draw, a play that came with it, and whether there is nothing but checkers."""
    match subject:
        case Situation():
            return subject, None, False
        case Position():
            return Situation(subject), None, True
        case Play():
            return Situation(subject.before), subject, True
        case str():
            return parse_situation(subject), None, ":" not in subject
    raise CubelabError(
        f"cannot draw a board of {type(subject).__name__}: give a Situation, a Position, a Play or an id"
    )


def _play(play: Play | str | None, situation: Situation) -> Play | None:
    if isinstance(play, str):
        return Play.parse(play, situation.position, situation.dice)
    if play is None:
        return None
    # A ranked play of the engine carries the play itself.
    play = getattr(play, "play", play)
    if not isinstance(play, Play):
        raise CubelabError(f"cannot draw a play given as {type(play).__name__}: give a Play or its notation")
    if play.before != situation.position:
        raise CubelabError(f"the play {play.notation} starts from another position than the one drawn")
    return play


def _mark(error: float | str | None) -> str:
    if error is None or isinstance(error, str):
        return error or ""
    if not error >= 0:
        raise CubelabError(f"error {error} is not a loss of 0 or more")
    from ..study.statistics import BLUNDER_EMG, ERROR_EMG

    sign = "??" if error >= BLUNDER_EMG else "?" if error >= ERROR_EMG else ""
    return f"{sign} {error:.3f}".strip()
