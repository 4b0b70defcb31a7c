"""Text matches: the ``.mat`` family, whoever wrote them.

eXtreme Gammon, GNU Backgammon, Jellyfish, Backgammon Galaxy, Backgammon Studio, OpenGammon, GammonView, HedgeHog,
choue.net, Foxamon, DailyGammon, GamesGrid and others write the same thing with different columns, spellings and ends:
optional tags ``; [Key "Value"]``, ``N point match``, then for each game ``Game n``, a score line and rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..errors import RecordError
from ..game import Dice
from .dump import board_of_letters, dump_in, dumped_board
from .flags import Flag
from .mat_rows import Cell, Row, read_row, right_column, seats
from .record import Beaver, Comment, Double, Event, Pass, Record, Resignation, Roll, Seat, SetPosition, Take
from .results import Draft, finish_games

_LENGTH: Final = re.compile(r"\s*(\d{1,9})[ -]*points?[ -]+match\b", re.IGNORECASE)
_GAME: Final = re.compile(r"\s*Game\s{0,9}#?\s{0,9}(\d{1,9})\s{0,9}[:.]?\s*$", re.IGNORECASE)
_GLUED_GAME: Final = re.compile(r"\s{2}Game (\d{1,9})\s*$")
_SCORE: Final = re.compile(r":\s*(\d{1,9})(\s+)(?=\S)")
_BARE_NAMES: Final = re.compile(r"\s*(\S.{0,60}?)\s{2,80}(\S.{0,60}?)\s*")
_FIRST_ROW: Final = re.compile(r"\s{0,8}1\)\s")
_POINTS: Final = re.compile(r"[0-9]{1,9}")
_SET_POSITION: Final = re.compile(r"\s*;?\s{0,9}Set Pos\s*=\s*([-A-Oa-o]{26})\s*/\s*(-?\d{1,2})?", re.IGNORECASE)
_LEVELS: Final = {"normal": 1, "single": 1, "gammon": 2, "backgammon": 3}
#: Longest match and highest cube that are believed; ids and tables know no larger ones.
MAX_LENGTH: Final = 2**15 - 1
MAX_CUBE: Final = 2**15


def parse_mat(lines: Sequence[str], file: str = "") -> Record:
    """Record of a text match.

    Parameters
    ----------
    lines : sequence of str
        Lines of the file without their ends.
    file : str
        Name for messages.

    Returns
    -------
    Record
        Left column = bottom player, whatever the tags ``Player 1`` and ``Player 2`` say.

    Raises
    ------
    RecordError
        No game in it, a game without a score line, or more than one match.
    """
    return _Reader(lines, file).read()


class _Reader:
    """One pass over the lines; lives for one file."""

    def __init__(self, lines: Sequence[str], file: str):
        self.lines, self.file = lines, file
        self.length: int | None = None
        self.players: tuple[str, str] | None = None
        self.tags: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.flags: set[Flag] = set()
        self.drafts: list[Draft] = []
        self.items: list[tuple[Draft, int, Row | Event]] = []
        self.name_columns: list[int] = []
        self.next: tuple[Draft, Seat] | None = None

    def read(self) -> Record:
        self._collect()
        if not self.drafts or self.players is None:
            raise self._nothing()
        right = right_column((item for _, _, item in self.items if isinstance(item, Row)), self.name_columns)
        for draft, number, item in self.items:
            if isinstance(item, Row):
                self._add_row(draft, number, item, right)
            else:
                draft.events.append(item)
        if not any(draft.events or draft.stated_points for draft in self.drafts):
            raise RecordError(
                "games without a single roll: no row could be read", file=self.file, line=self.drafts[0].line
            )
        if self.length is None:
            self.flags.add(Flag.LENGTH_MISSING)
        length = self.length or 0
        jacoby, beavers = self._switch("Jacoby"), self._switch("Beaver", "Beavers")
        if length and (jacoby or beavers):
            self.flags.add(Flag.RULES_CONTRADICT)
        crawford = self._switch("Crawford")
        return Record(
            players=self.players,
            length=length,
            games=finish_games(self.drafts, length, crawford_rule=crawford is not False),
            crawford=crawford,
            jacoby=jacoby,
            beavers=beavers,
            cube_cap=self._cap(),
            tags=tuple(self.tags),
            comments=tuple(self.comments),
            file=self.file,
            format="mat",
            flags=frozenset(self.flags),
        )

    def _collect(self) -> None:
        """Sort the lines: tags, headers and score lines are read, rows are cut and kept for later."""
        draft: Draft | None = None
        unscored: tuple[int, int] | None = None
        for number, line in enumerate(self.lines, 1):
            if not line.strip(" \x1a\f"):
                continue
            if tag := _tag(line):
                self.tags.append(tag)
            elif length := _LENGTH.match(line):
                self._set_length(int(length[1]), number)
            elif game := _GAME.match(line):
                if unscored:
                    raise RecordError("a game without a score line 'name : points   name : points'", **self._at(number))
                draft, unscored = None, (int(game[1]), number)
            elif unscored and not line.lstrip().startswith(";"):
                draft = self._start_game(line, number, *unscored)
                unscored = None
            elif self._bare_game(line, number):
                draft = self.drafts[-1]
            elif draft is None or line.lstrip().startswith(";"):
                self._aside(draft, line, number)
            elif (glued := _GLUED_GAME.search(line)) and self._scored_next(number):
                # GNU Backgammon 1.07 starts the next game on the last row of an unfinished one.
                if row := read_row(line[: glued.start()]):
                    self.items.append((draft, number, row))
                draft, unscored = None, (int(glued[1]), number)
            elif row := read_row(line):
                self.items.append((draft, number, row))
            else:
                self.items.append((draft, number, self._unread(draft, line.strip(), number)))
        if unscored:
            self._truncated(unscored[1])

    def _set_length(self, length: int, number: int) -> None:
        if self.drafts:
            raise RecordError(
                f"a second match starts here: name one of them as {self.file}#1, {self.file}#2 …", **self._at(number)
            )
        if length > MAX_LENGTH:
            raise RecordError(f"a match to {length} points; at most {MAX_LENGTH} are possible", **self._at(number))
        self.length = length

    def _start_game(self, line: str, at: int, game: int, number: int) -> Draft | None:
        """Draft of a game from its score line, which is line `at`; None where the file breaks off there."""
        found = _split_score(line)
        if found is None:
            if read_row(line) is None and not any(rest.strip() for rest in self.lines[at:]):
                self._truncated(number)
                return None
            raise RecordError(
                f"a score line 'name : points   name : points' must follow 'Game {game}', not {line.strip()[:60]!r}",
                **self._at(at),
            )
        names, score, column = found
        self.name_columns.append(column)
        draft = Draft(game, score, number)
        if self.players is None:
            self.players = names
        elif names == self.players[::-1] != self.players:
            self.flags.add(Flag.COLUMNS_SWAPPED)
            draft.swapped = True
            draft.score = score[::-1]
        elif names != self.players:
            draft.flags.add(Flag.NAMES_CHANGED)
        self.drafts.append(draft)
        return draft

    def _bare_game(self, line: str, number: int) -> bool:
        """Whether a game starts here with nothing but the names above its first row, as in ``.gam`` files."""
        if self.drafts or self.length is not None:
            return False
        following = next((line for line in self.lines[number : number + 3] if line.strip()), "")
        names = _BARE_NAMES.fullmatch(line)
        if names is None or not _FIRST_ROW.match(following) or read_row(line) is not None:
            return False
        self.players = (names[1], names[2])
        self.name_columns.append(names.start(2))
        self.drafts.append(Draft(1, (0, 0), number))
        return True

    def _scored_next(self, number: int) -> bool:
        """Whether the next line with anything on it is a score line."""
        following = next((line for line in self.lines[number : number + 5] if line.strip()), "")
        return read_row(following) is None and _split_score(following) is not None

    def _unread(self, draft: Draft, text: str, number: int) -> Event:
        """Text between the moves that is no cell: a dumped position (GNU Backgammon's Snowie text), or a remark."""
        dump = dump_in(text)
        board = None if dump is None else dumped_board(dump, self.players)
        if board is None:
            return _unread(text, number)
        draft.flags.add(Flag.SET_UP)
        return SetPosition(seat=None, line=number, board=board, flags=frozenset({Flag.SET_UP}))

    def _truncated(self, number: int) -> None:
        """The file ends in the head of a game: an error only where no game stands before it."""
        if not self.drafts:
            raise RecordError("the file ends after a 'Game' line: it is truncated", **self._at(number))
        self.flags.add(Flag.TRUNCATED)

    def _aside(self, draft: Draft | None, line: str, number: int) -> None:
        """A line that is no row: a set position, or text."""
        text = line.strip()
        setting = _SET_POSITION.match(line)
        if setting and draft is not None:
            draft.flags.add(Flag.SET_UP)
            self.items.append((draft, number, _set_position(setting, number)))
        elif draft is not None:
            self.items.append((draft, number, Comment(seat=None, line=number, text=text)))
        else:
            self.comments.append(text)

    def _add_row(self, draft: Draft, number: int, row: Row, right: int) -> None:
        if row.unread:
            draft.events.append(self._unread(draft, row.unread, number))
        for cell, seat in zip(row.cells, seats(row, right, self._expected(draft)), strict=True):
            self._add_cell(draft, number, cell, seat.other if draft.swapped else seat)

    def _expected(self, draft: Draft) -> Seat | None:
        """Who acts next in a game if nobody acts out of turn, in the columns of that game."""
        if self.next is None or self.next[0] is not draft:
            return None
        return self.next[1].other if draft.swapped else self.next[1]

    def _add_cell(self, draft: Draft, number: int, cell: Cell, seat: Seat) -> None:
        text = cell.text
        # After an answer to a double it is the doubler's turn, so the sides alternate throughout (a beaver aside).
        self.next = (draft, seat.other)
        match cell.kind:
            case "wins":
                self._result(draft, number, cell, seat)
            case "loses":
                pass  # the loser's half of a result line; the winner's half says the same
            case "roll":
                draft.events.append(_roll(cell, seat, number, self.players))
                text = ""
            case "double":
                draft.events.append(Double(seat=seat, line=number, cube=_cube(cell.match["double_to"])))
            case "beaver":
                draft.events.append(Beaver(seat=seat, line=number, cube=_cube(cell.match["beaver_to"])))
            case "take":
                draft.events.append(Take(seat=seat, line=number))
            case "pass":
                draft.events.append(Pass(seat=seat, line=number))
            case _:
                level = _LEVELS.get((cell.match["level"] or "").casefold())
                draft.events.append(Resignation(seat=seat, line=number, level=level))
        if text:
            draft.events.append(_unread(text, number))

    def _result(self, draft: Draft, number: int, cell: Cell, seat: Seat) -> None:
        if draft.stated_winner is not None:
            draft.flags.add(Flag.EXTRA_ACTION)
            draft.events.append(_unread(cell.match[0], number))
            return
        draft.stated_winner, draft.result_line = seat, number
        draft.stated_points = int(cell.match["points"]) if cell.match["points"] else None

    def _switch(self, *keys: str) -> bool | None:
        """Value of an on/off tag."""
        for key, value in self.tags:
            if key.casefold() in {name.casefold() for name in keys}:
                return {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}.get(
                    value.strip().casefold()
                )
        return None

    def _cap(self) -> int | None:
        """Cube limit when it is one the cube can show."""
        value = next((value for key, value in self.tags if key.casefold() == "cubelimit"), "").strip()
        cap = int(value) if value.isdecimal() and value.isascii() and len(value) < 7 else 0
        return cap if cap and cap & (cap - 1) == 0 else None

    def _nothing(self) -> RecordError:
        position = next((n for n, line in enumerate(self.lines, 1) if "XGID=" in line or "Position ID" in line), None)
        if position is not None:
            return RecordError(
                "text with a position, not a saved match; give its XGID or ids to 'cubelab cube' or 'cubelab eval', "
                "or read it with read_positions",
                **self._at(position),
            )
        line = next((number for number, line in enumerate(self.lines, 1) if line.strip()), 1)
        shown = self.lines[line - 1].strip()[:60]
        return RecordError(
            f"no game found: a text match has lines 'N point match', 'Game 1' and a score line, this starts {shown!r}",
            **self._at(line),
        )

    def _at(self, line: int) -> dict:
        return {"file": self.file or None, "line": line}


def _split_score(line: str) -> tuple[tuple[str, str], tuple[int, int], int] | None:
    """Names and points of a score line, and the column of the second name.

    Names hold blanks, commas, colons and digits, so the line is cut at the widest gap behind a number.
    """
    colon = line.rfind(":")
    last = line[colon + 1 :].strip()
    cuts = [cut for cut in _SCORE.finditer(line) if cut.end() <= colon]
    if not cuts or not _POINTS.fullmatch(last):
        return None
    cut = max(cuts, key=lambda cut: len(cut[2]))
    first, second = line[: cut.start()].strip(), line[cut.end() : colon].strip()
    return (first, second), (int(cut[1]), int(last)), cut.end()


def _tag(line: str) -> tuple[str, str] | None:
    """Key and value of a line ``; [Key "Value"]``; the value may hold quotes."""
    text = line.strip().lstrip(";").strip()
    if not (text.startswith("[") and text.endswith("]")):
        return None
    key, quote, rest = text[1:-1].partition('"')
    value, end, tail = rest.rpartition('"')
    if not quote or not end or tail.strip() or not key.strip() or "]" in key:
        return None
    return key.strip(), value


def _roll(cell: Cell, seat: Seat, number: int, players: tuple[str, str] | None) -> Roll:
    digits = cell.match["dice"].replace("-", "")
    dice: Dice | None = (int(digits[0]), int(digits[1]))
    flags = set()
    if "0" in digits:
        dice = None
        flags.add(Flag.HIDDEN_DICE)
    after = None
    dump = dump_in(cell.text)
    if dump is not None:
        flags.add(Flag.ILLEGAL_PLAY)
        after = dumped_board(dump, players)
        if after is None:
            flags.add(Flag.UNREADABLE_PLAY)
    roll = Roll(seat=seat, line=number, dice=dice, text=cell.text, after=after, flags=frozenset(flags))
    return replace(roll, flags=roll.flags | {Flag.HIDDEN_PLAY}) if roll.hidden else roll


def _set_position(setting: re.Match[str], number: int) -> SetPosition:
    """Position of XG's line ``Set Pos=<letters>/k``; capitals are the left player's checkers.

    k is the cube as in the .xg file: its log2, positive when XG's first player, the right column, owns it
    (so GNU Backgammon 1.08 reads it).
    """
    log2 = int(setting[2] or 0)
    owner = None if log2 == 0 else Seat.TOP if log2 > 0 else Seat.BOTTOM
    cube = min(2 ** abs(log2), MAX_CUBE)
    return SetPosition(
        seat=None,
        line=number,
        board=board_of_letters(setting[1]),
        cube=cube,
        owner=owner,
        flags=frozenset({Flag.SET_UP}),
    )


def _cube(text: str | None) -> int | None:
    """Stated cube value when it is one a cube can show."""
    value = int(text or 0)
    return value if 2 <= value <= MAX_CUBE and value & (value - 1) == 0 else None


def _unread(text: str, number: int) -> Comment:
    return Comment(seat=None, line=number, text=text, flags=frozenset({Flag.UNREAD_TEXT}))
