"""Backgammon matches in Smart Game Format (GM[6]) as GNU Backgammon writes them, with the analysis they store."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..errors import RecordError
from ..game import Dice, Position
from .flags import Flag
from .mat import MAX_CUBE, MAX_LENGTH
from .names import display_name
from .record import Beaver, Comment, Double, Event, Pass, Record, Resignation, Roll, Seat, SetPosition, Take
from .results import Draft, final_cube, finish_games
from .sgf_stored import play_of_letters, stored
from .sgf_tree import Node, Tree, compressed, decode_sgf, read_trees

_SEATS: Final = {"W": Seat.BOTTOM, "B": Seat.TOP}
_MOVE: Final = re.compile(r"([1-6])([1-6])((?:[a-z]{2}){0,8})")
_RESULT: Final = re.compile(r"\s*([WB])\+(\d{1,9})(R?)")
_INFO: Final = {
    "AP": "Application",
    "EV": "Event",
    "RO": "Round",
    "DT": "EventDate",
    "PC": "Place",
    "AN": "Annotator",
    "WR": "WhiteRank",
    "BR": "BlackRank",
    "CP": "Copyright",
    "GN": "GameName",
    "SO": "Source",
    "US": "User",
    "GC": "GameComment",
}
_HIDDEN: Final = "????"


def parse_sgf(data: bytes, file: str = "") -> Record:
    """Record of an SGF file: one game tree per game, White the bottom player.

    Parameters
    ----------
    data : bytes
    file : str
        For messages.

    Raises
    ------
    RecordError
        Not SGF, another game than backgammon, or no game in it.
    """
    text, flags = decode_sgf(data)
    trees = [tree for tree in read_trees(text.replace("\r\n", "\n").replace("\r", "\n"), file) if tree.nodes]
    if not trees:
        raise RecordError("no game tree found; a saved SGF starts with '(;'", file=file or None, line=1)
    root = trees[0].nodes[0]
    if root.first("GM", "6").strip() != "6":
        raise RecordError(
            f"the game is GM[{display_name(root.first('GM'))}], not backgammon (GM[6])",
            file=file or None,
            line=root.line,
        )
    found = set(flags)
    drafts = [_draft(tree, number, found) for number, tree in enumerate(trees, 1)]
    if not any(draft.events or draft.stated_winner for draft in drafts):
        raise RecordError("game trees without a single move", file=file or None, line=root.line)
    length = int(_info(root).get("length", "0"))
    if length > MAX_LENGTH:
        raise RecordError(f"a match to {length} points; at most {MAX_LENGTH} are possible", file=file or None, line=1)
    rules = root.first("RU")
    crawford = "Crawford" in rules.split(":") if length else None
    return Record(
        players=(root.first("PW"), root.first("PB")),
        length=length,
        games=finish_games(drafts, length, crawford_rule=crawford is not False),
        crawford=crawford,
        jacoby=None if length else "Jacoby" in rules.split(":"),
        tags=tuple(_tags(trees)),
        file=file,
        format="sgf",
        flags=frozenset(found),
    )


def _info(root: Node) -> dict[str, str]:
    """Match information ``MI[length:7][game:0][ws:0][bs:0]``: numbers only."""
    pairs = (value.partition(":") for value in root.properties.get("MI", []))
    return {key.strip(): value.strip() for key, _, value in pairs if re.fullmatch(r"\s*\d{1,9}\s*", value)}


def _tags(trees: Sequence[Tree]) -> list[tuple[str, str]]:
    tags = []
    for number, tree in enumerate(trees, 1):
        for key, values in tree.nodes[0].properties.items():
            if key in ("FF", "GM", "CA", "MI", "PW", "PB", "RU", "RE", "C"):
                continue
            name = _INFO.get(key, key)
            if number == 1:
                tags.append((name, "][".join(values)))
            elif key not in _INFO:
                tags.append((f"Game {number} {name}", "][".join(values)))
    return tags


class _GameReader:
    """Nodes of one game → events; remembers what one node alone does not tell."""

    def __init__(self, draft: Draft, program: str, length: int):
        self.draft, self.program, self.length = draft, program, length
        self.offered = False
        self.cube = 1
        self.owner: Seat | None = None
        #: Dice that were set and not played yet, and the node that set them.
        self.waiting: tuple[Seat | None, Dice, Node] | None = None
        self.board: tuple[int, ...] | None = None

    def add(self, node: Node) -> None:
        before = len(self.draft.events)
        for key, seat in _SEATS.items():
            for value in node.properties.get(key, []):
                self._action(seat, value.strip(), node)
        if {"AW", "AB", "AE", "CV", "CP", "CO"} & set(node.properties):
            self._set_up(node)
        if "DI" in node.properties and (dice := re.fullmatch(r"\s*([1-6])([1-6])\s*", node.first("DI"))):
            self.waiting = (_SEATS.get(node.first("PL")), (int(dice[1]), int(dice[2])), node)
        comment = "\n".join(node.properties.get("C", []))
        if comment and len(self.draft.events) == before:
            self.draft.events.append(Comment(seat=None, line=node.line, text=comment))

    def finish(self) -> None:
        """Dice set and never played are a roll after which the game was given up."""
        if self.waiting is not None:
            seat, dice, node = self.waiting
            last = next((event.seat for event in reversed(self.draft.events) if event.seat is not None), None)
            self._append(
                Roll(
                    seat=seat or (last.other if last else Seat.BOTTOM),
                    dice=dice,
                    text=_HIDDEN,
                    flags=frozenset({Flag.HIDDEN_PLAY}),
                ),
                node,
            )

    def _append(self, event: Event, node: Node) -> None:
        self.waiting = None
        self.draft.events.append(
            replace(
                event,
                line=node.line,
                comment="\n".join(node.properties.get("C", [])),
                analysis=stored(node.properties, event, self.program, self.length),
            )
        )

    def _action(self, seat: Seat, value: str, node: Node) -> None:
        word = value.casefold()
        if word in ("double", "redouble", "beaver"):
            self.cube *= 2
            # The side that was doubled and turns the cube itself beavers.
            kind = Beaver if self.offered else Double
            self.offered = True
            self._append(kind(seat=seat, cube=min(self.cube, MAX_CUBE)), node)
        elif word in ("take", "accept"):
            self.offered = False
            self._append(Take(seat=seat), node)
        elif word in ("drop", "pass", "reject"):
            self.offered = False
            self._append(Pass(seat=seat), node)
        elif word.startswith("resign"):
            self._append(Resignation(seat=seat, level=_resigned(word)), node)
        elif move := _MOVE.fullmatch(word):
            self.offered = False
            dice = int(move[1]), int(move[2])
            self._append(Roll(seat=seat, dice=dice, text=play_of_letters(move[3], seat)), node)
        else:
            self.draft.events.append(
                Comment(seat=None, line=node.line, text=value[:200], flags=frozenset({Flag.UNREAD_TEXT}))
            )

    def _set_up(self, node: Node) -> None:
        """A node of position, cube value or owner; GNU Backgammon writes one node for each."""
        properties = node.properties
        board = None
        if {"AW", "AB", "AE"} & set(properties):
            board = self.board = _changed(self.board, properties)
        cube = None
        if {"CV", "CP", "CO"} & set(properties):
            value = node.first("CV").strip()
            if re.fullmatch(r"\d{1,6}", value) and 1 <= int(value) <= MAX_CUBE and int(value) & (int(value) - 1) == 0:
                self.cube = int(value)
            if {"CP", "CO"} & set(properties):
                letter = (node.first("CP") or node.first("CO")).strip().casefold()
                self.owner = {"w": Seat.BOTTOM, "b": Seat.TOP}.get(letter)
            cube = self.cube
        self.waiting = None
        self.draft.flags.add(Flag.SET_UP)
        self.draft.events.append(
            SetPosition(
                seat=None,
                line=node.line,
                board=board,
                cube=cube,
                owner=self.owner,
                flags=frozenset({Flag.SET_UP}),
            )
        )


def _changed(board: tuple[int, ...] | None, properties: dict[str, list[str]]) -> tuple[int, ...]:
    """A board, seen from White, after its set-up properties; the start where none was set before."""
    counts = list(board or Position.start().board)
    for letter in compressed(properties.get("AE", [])):
        if letter == "y":
            counts[25] = counts[0] = 0
        elif "a" <= letter <= "x":
            counts[ord(letter) - ord("a") + 1] = 0
    for key, sign in (("AW", 1), ("AB", -1)):
        for letter in compressed(properties.get(key, [])):
            if letter == "y":
                counts[25 if sign > 0 else 0] += sign
            elif "a" <= letter <= "x":
                counts[ord(letter) - ord("a") + 1] += sign
    return tuple(counts)


def _draft(tree: Tree, number: int, flags: set[Flag]) -> Draft:
    root = tree.nodes[0]
    info = _info(root)
    draft = Draft(
        int(info.get("game", number - 1)) + 1,
        (int(info.get("ws", "0")), int(info.get("bs", "0"))),
        root.line,
    )
    length = int(info.get("length", "0"))
    if "MI" not in root.properties:
        flags.add(Flag.LENGTH_MISSING)
    if tree.variation_nodes:
        draft.flags.add(Flag.VARIATIONS)
    rules = root.first("RU").split(":")
    program = root.first("AP").replace(":", " ", 1) or "unnamed program"
    if "CrawfordGame" in rules:
        draft.crawford = bool(length)
    elif program.startswith("GNU Backgammon") and "Crawford" in rules:
        draft.crawford = False  # it marks the Crawford game without fail
    reader = _GameReader(draft, program, length)
    for node in tree.nodes:
        reader.add(node)
    if result := _RESULT.match(root.first("RE")):
        draft.stated_winner, draft.stated_points = _SEATS[result[1]], int(result[2])
        draft.result_line = root.line
        reader.finish()
        _note_resignation(draft, resigned=bool(result[3]))
    else:
        reader.finish()
    return draft


def _note_resignation(draft: Draft, *, resigned: bool) -> None:
    """``RE[W+2R]`` tells that the loser gave up; a roll left unplayed tells it already."""
    last = next((event for event in reversed(draft.events) if event.seat is not None), None)
    if not resigned or draft.stated_winner is None or isinstance(last, Resignation):
        return
    if isinstance(last, Roll) and last.hidden:
        return
    cube = final_cube(draft.events)
    level = next((level for level in (1, 2, 3) if draft.stated_points == level * cube), None)
    draft.events.append(Resignation(seat=draft.stated_winner.other, line=draft.result_line, level=level))


def _resigned(word: str) -> int | None:
    return next((n for n, name in ((3, "backgammon"), (2, "gammon"), (1, "normal")) if name in word), None)
