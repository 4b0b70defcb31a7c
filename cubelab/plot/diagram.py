"""From a situation to the scene of its board diagram."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal
from unicodedata import bidirectional

from ..errors import CubelabError
from ..game.play import OFF, Play
from ..game.position import CHECKERS, MOVER_BAR
from ..game.situation import Offer, Situation
from . import geometry
from .geometry import HEIGHT, MIDDLE, STACK, TOP, WIDTH, Layout
from .scene import LEFT_TO_RIGHT, Box, Curve, Disc, Label, Polygon, Scene, Shape, Spot

Side = Literal["seat", "mover", "opponent"]
Numbers = Literal["mover", "opponent", "bottom", "top", "none"]

#: The offered cube shows the stake that a take would play for.
_OFFERED = {Offer.DOUBLE: (2, "double"), Offer.BEAVER: (4, "beaver"), Offer.RACCOON: (8, "raccoon")}
_RESIGNED = ("", "a single game", "a gammon", "a backgammon")
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_DIE = 1.15
_NAME_LENGTH = 18
#: Width of a letter of a name, about.
_LETTER = 0.36


@dataclass(frozen=True, slots=True)
class View:
    """How a situation is looked at.

    Attributes
    ----------
    bottom : {"seat", "mover", "opponent"}
        Who sits at the bottom: whoever has the bottom seat of the id, or always the mover, or the opponent.
    clockwise : bool
        The player at the bottom moves clockwise, the home boards are at the left.
    numbers : {"mover", "opponent", "bottom", "top", "none"}
        Whose numbering the points carry.
    names : (str, str)
        Of the mover and the opponent.
    pips, score : bool
        Write the pip counts, the score and the cube.
    title : str
        Over the board instead of the rules of the match.

    Raises
    ------
    CubelabError
        A word that is none of these.
    """

    bottom: Side = "seat"
    clockwise: bool = False
    numbers: Numbers = "mover"
    names: tuple[str, str] = ("", "")
    pips: bool = True
    score: bool = True
    title: str = ""

    def __post_init__(self) -> None:
        for name, value, known in (
            ("bottom", self.bottom, ("seat", "mover", "opponent")),
            ("numbers", self.numbers, ("mover", "opponent", "bottom", "top", "none")),
        ):
            if value not in known:
                raise CubelabError(f"{name}={value!r} is none of {', '.join(known)}")
        if not isinstance(self.names, Sequence) or isinstance(self.names, str) or len(self.names) != 2:
            raise CubelabError(f"names={self.names!r} are not two names: the mover's and the opponent's")

    def mover_near(self, situation: Situation) -> bool:
        """Whether the mover sits at the bottom."""
        return situation.turn == 1 if self.bottom == "seat" else self.bottom == "mover"


def board_scene(
    situation: Situation,
    view: View,
    play: Play | None = None,
    best: Play | None = None,
    mark: str = "",
    checkers: tuple[int, ...] | None = None,
) -> Scene:
    """Shapes of a board diagram.

    Parameters
    ----------
    situation : Situation
    view : View
    play, best : Play, optional
        Arrows; the second is drawn dashed in another colour.
    mark : str
        Badge beside the mover's dice or cube, such as the size of an error.
    checkers : tuple of int, length 26, optional
        Drawn instead of the situation's position, seen by the mover: a board being set up, which need not be legal.
    """
    return _Diagram(situation, view, checkers).scene(play, best, mark)


class _Diagram:
    """One drawing under construction; near is the player at the bottom."""

    def __init__(self, situation: Situation, view: View, checkers: tuple[int, ...] | None):
        self.situation, self.view = situation, view
        self.layout = Layout(view.clockwise)
        self.mover_near = view.mover_near(situation)
        board = situation.position.board if checkers is None else checkers
        self.board = board if self.mover_near else tuple(-count for count in reversed(board))
        seat_near = situation.turn == 1 if self.mover_near else situation.turn != 1
        self.colours = ("x", "o") if seat_near else ("o", "x")
        self.shapes: list[Shape] = []

    def scene(self, play: Play | None, best: Play | None, mark: str) -> Scene:
        self._table()
        self._numbers()
        self._checkers()
        if self.view.score:
            self._cube()
        self._dice()
        if best is not None:
            self._arrows(best, "best")
        if play is not None:
            self._arrows(play, "arrow")
        if mark:
            self._mark(mark)
        self._strips()
        situation = self.situation
        words = [
            f"Backgammon board, {situation.match.score_text}, cube at {situation.cube.value}",
            f"pips {situation.position.pips} (on roll) against {situation.position.opponent_pips}",
        ]
        if situation.dice:
            words.append(f"dice {situation.dice[0]}-{situation.dice[1]}")
        return Scene(WIDTH, HEIGHT, tuple(self.shapes), ", ".join(words), situation.xgid)

    def _colour(self, near: bool) -> str:
        return self.colours[0] if near else self.colours[1]

    def _table(self) -> None:
        self.shapes.append(Box("page", (0, 0), WIDTH, HEIGHT))
        frame_top = TOP - geometry.NUMBER_STRIP
        self.shapes.append(
            Box("frame", (0.03, frame_top), WIDTH - 0.06, HEIGHT - 2 * frame_top, 0.25)
        )  # fmt: skip
        self.shapes.extend(Box(*field) for field in self.layout.fields())
        for parity, role in enumerate(("point_a", "point_b")):
            points = range(1 + parity, 25, 2)
            self.shapes.extend(Polygon(role, self.layout.point(point)) for point in points)

    def _numbers(self) -> None:
        numbers = self.view.numbers
        if numbers == "none":
            return
        near = {"mover": self.mover_near, "opponent": not self.mover_near, "bottom": True, "top": False}[numbers]
        for point in range(1, 25):
            text = str(point if near else 25 - point)
            self.shapes.append(Label("number", self.layout.number(point), text, 0.42))

    def _checkers(self) -> None:
        for near in (True, False):
            colour, sign = self._colour(near), 1 if near else -1
            counts = {place: count * sign for place, count in enumerate(self.board) if count * sign > 0}
            for place, count in counts.items():
                levels = range(min(count, STACK))
                self.shapes.extend(Disc(colour, self.layout.checker(place, level), 0.46) for level in levels)
            off = CHECKERS - sum(counts.values())
            self.shapes.extend(Box(colour, *self.layout.off_slot(near, index), 0.06) for index in range(off))
            tall = {place: count for place, count in counts.items() if count > STACK}
            for place, count in tall.items():
                centre = self.layout.checker(place, STACK - 1)
                self.shapes.append(Label(f"{colour}_ink", centre, str(count), 0.55, bold=True))
            if off:
                self.shapes.append(Label("field_text", self.layout.off_count(near), f"{off} off", 0.42))

    def _cube(self) -> None:
        situation = self.situation
        if not situation.match.rules.cube_in_use or situation.match.crawford:
            return
        value = situation.cube.value
        if situation.offer is None:
            owner = situation.cube.owner if self.mover_near else situation.cube.owner.flip
            # A centred cube lies at its 64, but people expect to read the stake.
            self._die_face(self.layout.cube(int(owner)), str(value), 1.05)
            return
        times, word = _OFFERED[situation.offer]
        x, y = centre = self.layout.offered_cube(self.mover_near)
        self._die_face(centre, str(value * times), 1.2)
        self.shapes.append(Label("field_text", (x + 0.8, y), word, 0.5, "start"))

    def _die_face(self, centre: Spot, text: str, width: float) -> None:
        self.shapes.append(Box("cube", (centre[0] - width / 2, centre[1] - width / 2), width, width, 0.16))
        size = min(0.62, 1.25 / len(text))  # bold digits are 0.7 of their size wide
        self.shapes.append(Label("cube_ink", centre, text, size * width, bold=True))

    def _dice(self) -> None:
        colour = self._colour(self.mover_near)
        if self.situation.resigned:
            (x, y), offer = self.layout.offered_cube(not self.mover_near), _RESIGNED[self.situation.resigned]
            self.shapes.append(Label("field_text", (x, y), f"resigns {offer}", 0.5))
            return
        for index, die in enumerate(self.situation.dice or ()):
            x, y = self.layout.die(self.mover_near, index)
            self.shapes.append(Box(colour, (x - _DIE / 2, y - _DIE / 2), _DIE, _DIE, 0.2))
            spread = _DIE * 0.27
            self.shapes.extend(
                Disc(f"{colour}_ink", (x + spread * across, y + spread * down), 0.105) for across, down in _PIPS[die]
            )

    def _mark(self, text: str) -> None:
        # On the half that neither the dice nor an offered cube takes.
        x, y = self.layout.offered_cube(self.mover_near == (self.situation.dice is not None))
        width = 0.5 + 0.3 * len(text)
        self.shapes.append(Box("badge", (x - width / 2, y - 0.38), width, 0.76, 0.3))
        self.shapes.append(Label("badge_ink", (x, y), text, 0.5, bold=True))

    def _arrows(self, play: Play, role: str) -> None:
        """One arrow a hop, from the top checker where it starts to the place that it takes."""
        board = list(play.before.board)
        off = play.before.off
        for (start, end), times in Counter(play.hops).items():
            # A hit blot has left the point before the checker lands.
            landed = max(board[end], 0)
            tails = [self.layout.checker(self._near_place(start), board[start] - times + i) for i in range(times)]
            if end == OFF:
                tips = [self._slot_middle(off + i) for i in range(times)]
                off += times
            else:
                tips = [self.layout.checker(self._near_place(end), landed + i) for i in range(times)]
                board[end] = landed + times
            board[start] -= times
            # In order of height on the page, so that arrows of one chain do not cross.
            pairs = zip(sorted(tails, key=itemgetter(1)), sorted(tips, key=itemgetter(1)), strict=True)
            for tail, tip in pairs:
                self._arrow(tail, tip, role)
                if end != OFF and role == "arrow":
                    self.shapes.append(Disc("landing", tip, 0.46))

    def _slot_middle(self, index: int) -> Spot:
        (x, y), width, height = self.layout.off_slot(self.mover_near, index)
        return x + width / 2, y + height / 2

    def _near_place(self, place: int) -> int:
        return place if self.mover_near else MOVER_BAR - place

    def _arrow(self, tail: Spot, tip: Spot, role: str) -> None:
        (x0, y0), (x1, y1) = tail, tip
        length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-9)
        middle_x, middle_y = (x0 + x1) / 2, (y0 + y1) / 2
        # Bent towards the middle of the board, so that hops along a row of points do not lie on one another.
        bend = 0.0 if (y0 - MIDDLE) * (y1 - MIDDLE) < 0 else min(0.22 * length, 1.4)
        middle_y += bend if middle_y < MIDDLE else -bend
        dx, dy = x1 - middle_x, y1 - middle_y
        norm = max((dx * dx + dy * dy) ** 0.5, 1e-9)
        dx, dy = dx / norm, dy / norm
        base = (x1 - 0.42 * dx, y1 - 0.42 * dy)
        head = ((x1, y1), (base[0] - 0.2 * dy, base[1] + 0.2 * dx), (base[0] + 0.2 * dy, base[1] - 0.2 * dx))
        control = (middle_x, middle_y)
        self.shapes.append(Curve("halo", tail, control, base))
        self.shapes.append(Curve(role, tail, control, base, role == "best"))
        self.shapes.append(Polygon(f"{role}_head", head))

    def _strips(self) -> None:
        situation, view = self.situation, self.view
        match = situation.match
        decides = self.mover_near if situation.offer in (None, Offer.BEAVER) else not self.mover_near
        if situation.resigned:
            decides = not self.mover_near
        words_end = WIDTH - geometry.FRAME - 2.9  # where the pip count begins
        # The name below the title keeps twelve letters, or the whole of it, and the score.
        above = min(len(str(view.names[1 if self.mover_near else 0])), 12) + 7 * (view.score and not match.money)
        longest = int((words_end - geometry.FRAME - 1.3 - _LETTER * (above + 2)) / 0.27)
        words = _shortened(view.title or (_rules_text(situation) if view.score else ""), longest)
        words_left = words_end - 0.27 * len(words)
        for near in (True, False):
            is_mover = near == self.mover_near
            y = self.layout.strip(near)
            x = geometry.FRAME
            if near == decides:
                self.shapes.append(Polygon("text", ((x, y - 0.26), (x, y + 0.26), (x + 0.4, y))))
            self.shapes.append(Disc(self._colour(near), (x + 0.85, y), 0.27))
            away = ""
            if view.score:
                points = (match.mover_score, match.opponent_score)[:: 1 if is_mover else -1]
                if not match.money:
                    away = f"{points[0]}/{match.length}"
                elif any(points):
                    away = str(points[0])
            room = words_left if words and not near else words_end
            longest = min(_NAME_LENGTH, int((room - (x + 1.3)) / _LETTER) - len(away) - 2)
            name = _shortened(view.names[0 if is_mover else 1], max(longest, 1))
            line = "  ".join(part for part in (name, away) if part)
            if line:
                self.shapes.append(Label("text", (x + 1.3, y), line, 0.52, "start", True))
            if view.pips:
                pips = situation.position.pips if is_mover else situation.position.opponent_pips
                self.shapes.append(Label("text", (WIDTH - geometry.FRAME, y), f"pips {pips}", 0.5, "end"))
        if words:
            self.shapes.append(Label("faint", (words_end, self.layout.strip(False)), words, 0.45, "end"))


def _rules_text(situation: Situation) -> str:
    match, rules = situation.match, situation.match.rules
    if match.money:
        words = ["money", *(name for name, on in (("Jacoby", rules.jacoby), ("beavers", rules.beavers)) if on)]
    else:
        stage = ["Crawford"] if match.crawford else ["post-Crawford"] if match.post_crawford else []
        words = [f"match to {match.length}", *stage]
    if not rules.cube_in_use:
        words.append("no cube")
    return " · ".join(words)


def _shortened(name: str, longest: int) -> str:
    name = " ".join(str(name).split())
    name = name if len(name) <= longest else name[: longest - 1] + "…"
    if any(bidirectional(letter) in ("R", "AL") for letter in name):
        name = f"{LEFT_TO_RIGHT}{name}{LEFT_TO_RIGHT}"  # or the score is read as part of it, and stands at its left
    return name
