"""Text exports of analysed games by GNU Backgammon.

A record for each roll and cube action: position and match id, a drawn board, what was done (``* name moves 24/23``),
and what the analysis says. The ids are believed; the drawing is not read. The name behind ``O:`` is the bottom player,
as in the text matches that GNU Backgammon writes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ..errors import CubelabError, RecordError
from ..game import Offer, Owner, Position, Situation
from .flags import Flag
from .mat import MAX_CUBE
from .numbers_in_text import NUMBER, number, numbers
from .record import Comment, Double, Event, Pass, Record, Resignation, Roll, Seat, SetPosition, Take
from .results import Draft, finish_games
from .stored import Chances, Stored, StoredCandidate, StoredCube, StoredPlays, Unit

_POSITION: Final = re.compile(r"Position[- ]?ID\s*:\s*(\S{14})\s*$")
_MATCH: Final = re.compile(r"^\s*Match[- ]?ID\s*:\s*(\S{6,16})\s*$")
_ACTION: Final = re.compile(r"^\*\s+(\S.*)$")
_NAME: Final = re.compile(r"[+|^v]\s{2,8}([OX]): (.+?)\s*$")
_SCORE: Final = re.compile(r"^The score \(after (\d{1,6}) games?\) is:")
_WINS: Final = re.compile(r"^(\S.*?) wins (\d{1,9}) points?\b")
_PLAY: Final = re.compile(r"(?:^|\s)((?:(?:bar|\d{1,2})\*?(?:/(?:bar|off|\d{1,2})\*?)+(?:\(\d\))?\s*)+)$")
_ROLLED: Final = re.compile(rf"^Rolled ([1-6])([1-6])\s*(?:\(({NUMBER})(%?)\))?:")
_CANDIDATE: Final = re.compile(
    rf"^(\*?)\s*\d{{1,4}}\.\s+(.*?)\s{{2,}}(\S.*?)\s+(?:Eq\.|MWC|EMG)\s*:\s*({NUMBER})(%?)(?:\s*\(\s*{NUMBER}%?\s*\))?\s*$"
)
_CUBE: Final = re.compile(rf"^\d\. ((?:No (?:re)?double|(?:Re)?double, (?:pass|take|beaver)))\s+({NUMBER})(%?)", re.I)
_LEVEL: Final = re.compile(r"^\s*(\d{1,2}-ply) cubeless", re.IGNORECASE)
_ALERT: Final = re.compile(r"^Alert:\s*(.+?)\s*$")
_MARK: Final = re.compile(r"^ \[([a-z ]{3,20})\]\s*$")
_INFO: Final = re.compile(r"^([A-Z][A-Za-z ]{1,30}):\s+(\S.*)$")
#: GNU Backgammon writes no longer line but in comments.
_LONGEST_LINE: Final = 400
_CUBE_TEXT: Final = ("no", "take", "pass")
_WORDS: Final = (
    ("doubles", "double"),
    ("redoubles", "double"),
    ("accepts", "take"),
    ("takes", "take"),
    ("rejects", "pass"),
    ("passes", "pass"),
    ("drops", "pass"),
)
#: Tags of the block at the head, in the words of text matches.
_TAGS: Final = {"Date": "EventDate"}


def is_gnubg_text(text: str) -> bool:
    """Whether a text has GNU Backgammon's ids and actions."""
    return "Position ID:" in text and "\n* " in text and "Match ID" in text


def parse_gnubg_text(lines: Sequence[str], file: str = "") -> Record:
    """Record of a text export; several games in it follow one another.

    Parameters
    ----------
    lines : sequence of str
    file : str
        For messages.

    Raises
    ------
    RecordError
        No record with ids and an action.
    """
    reader = _Reader(file)
    for line_number, line in enumerate(lines, 1):
        reader.add(line, line_number)
    return reader.finished()


@dataclass(slots=True)
class _Entry:
    """One record of the export."""

    line: int
    situation: Situation
    action: str = ""
    plays: list[tuple[StoredCandidate, bool]] = field(default_factory=list)
    cube: dict[str, float] = field(default_factory=dict)
    chances: Chances | None = None
    level: str = ""
    unit: Unit | None = None
    luck: float | None = None
    marks: list[tuple[str, str]] = field(default_factory=list)

    @property
    def seat(self) -> Seat:
        """Whose turn it is; player 0 of the ids is the bottom player here."""
        return Seat.TOP if self.situation.turn == 1 else Seat.BOTTOM

    @property
    def board(self) -> tuple[int, ...]:
        """Position before the action, seen by the bottom player."""
        position = self.situation.position
        return (position if self.seat is Seat.BOTTOM else position.flip()).board


@dataclass(slots=True)
class _Game:
    line: int
    number: int
    entries: list[_Entry] = field(default_factory=list)
    winner: str = ""
    points: int = 0
    result_line: int = 0


class _Reader:
    """One pass over the lines."""

    def __init__(self, file: str):
        self.file = file
        self.names: dict[str, str] = {}
        self.tags: list[tuple[str, str]] = []
        self.games: list[_Game] = []
        self.position = ""
        self.position_line = 0
        self.in_head = True
        #: What the next line of chances belongs to.
        self.wanted = ""
        self.over = True

    def add(self, line: str, line_number: int) -> None:
        if len(line) > _LONGEST_LINE:
            return
        if score := _SCORE.match(line):
            self.games.append(_Game(line_number, int(score[1]) + 1))
            self.over, self.in_head = False, len(self.games) == 1
        elif position := _POSITION.search(line):
            self.position, self.position_line, self.in_head = position[1], line_number, False
        elif self.position and (match := _MATCH.match(line)):
            self._start(match[1])
        elif self.in_head:
            if (info := _INFO.match(line)) and not line.startswith("Match Information"):
                self.tags.append((_TAGS.get(info[1], info[1]), info[2].strip()))
        elif self.games and self.games[-1].entries:
            self._inside(self.games[-1].entries[-1], line, line_number)

    def _start(self, match_id: str) -> None:
        try:
            situation = Situation.from_gnuid(f"{self.position}:{match_id}")
        except CubelabError as error:
            raise RecordError(str(error), file=self.file or None, line=self.position_line) from None
        self.position = ""
        if self.over:
            self.games.append(_Game(self.position_line, len(self.games) + 1))
            self.over = False
        self.games[-1].entries.append(_Entry(self.position_line, situation))
        self.wanted = ""

    def _inside(self, entry: _Entry, line: str, line_number: int) -> None:
        """A line behind the ids of a record."""
        if name := _NAME.search(line):
            self.names.setdefault(name[1], name[2])
        elif (action := _ACTION.match(line)) and not entry.action and not _CANDIDATE.match(line):
            entry.action = action[1].rstrip()
        elif wins := _WINS.match(line):
            game = self.games[-1]
            game.winner, game.points, game.result_line = wins[1], int(wins[2]), line_number
            self.over = True
        elif rolled := _ROLLED.match(line):
            entry.luck = None if rolled[3] is None else number(rolled[3]) / (100 if rolled[4] else 1)
        elif candidate := _CANDIDATE.match(line):
            equity = number(candidate[4]) / (100 if candidate[5] else 1)
            entry.unit = Unit.MWC if candidate[5] else self._unit(entry)
            level = candidate[2].removeprefix("Cubeful ").strip() or "unknown"
            stored = StoredCandidate(candidate[3], equity, None, level)
            entry.plays.append((stored, bool(candidate[1])))
            self.wanted = "play"
        elif cube := _CUBE.match(line):
            words = cube[1].casefold()
            key = "no" if words.startswith("no") else words.rpartition(" ")[2]
            entry.cube[key] = number(cube[2]) / (100 if cube[3] else 1)
            entry.unit = Unit.MWC if cube[3] else self._unit(entry)
        elif level := _LEVEL.match(line):
            entry.level, self.wanted = level[1], "cube"
        elif alert := _ALERT.match(line):
            entry.marks.append(("Alert", alert[1]))
        elif mark := _MARK.match(line):
            entry.marks.append(("Mark", mark[1]))
        elif self.wanted and len(found := numbers(line)) == 6 and "-" in line:
            self._chances(entry, found)

    def _chances(self, entry: _Entry, found: list[float]) -> None:
        """``win gammon backgammon - lose gammon backgammon`` of what was named before."""
        chances = (found[0], found[1], found[2], found[4], found[5])
        if self.wanted == "play" and entry.plays:
            stored, made = entry.plays[-1]
            entry.plays[-1] = (replace(stored, chances=chances), made)
        elif entry.chances is None:
            entry.chances = chances
        self.wanted = ""

    @staticmethod
    def _unit(entry: _Entry) -> Unit:
        return Unit.EMG if entry.situation.match.length else Unit.POINTS

    # The record

    def finished(self) -> Record:
        games = [game for game in self.games if any(entry.action for entry in game.entries)]
        if not games:
            raise RecordError(
                "GNU Backgammon's text without an action (a line '* name moves 24/23')",
                file=self.file or None,
                line=self.games[0].line if self.games else 1,
            )
        first = games[0].entries[0].situation.match
        length = first.length
        players = (self.names.get("O", ""), self.names.get("X", ""))
        return Record(
            players=players,
            length=length,
            games=finish_games([self._draft(game, players) for game in games], length),
            jacoby=None if length else first.rules.jacoby,
            tags=tuple(self.tags),
            file=self.file,
            format="gnubg text",
        )

    def _draft(self, game: _Game, players: tuple[str, str]) -> Draft:
        entries = game.entries
        start = entries[0]
        match = start.situation.match
        score = (match.mover_score, match.opponent_score)
        draft = Draft(game.number, score if start.seat is Seat.BOTTOM else score[::-1], game.line)
        draft.crawford = match.crawford
        cube = start.situation.cube
        usual = Position.start().board
        if start.board != usual or cube.owner is not Owner.CENTRE or cube.value != 1:
            draft.flags.add(Flag.SET_UP)
            owner = {Owner.MOVER: start.seat, Owner.OPPONENT: start.seat.other}.get(cube.owner)
            draft.events.append(
                SetPosition(
                    seat=None,
                    line=start.line,
                    board=start.board,
                    cube=cube.value,
                    owner=owner,
                    flags=frozenset({Flag.SET_UP}),
                )
            )
        for entry, following in zip(entries, [*entries[1:], None], strict=True):
            if entry.action:
                draft.events.append(_event(entry, following, players))
        if game.winner in players:
            draft.stated_winner = Seat.BOTTOM if game.winner == players[0] else Seat.TOP
            draft.stated_points, draft.result_line = game.points, game.result_line
        return draft


def _event(entry: _Entry, following: _Entry | None, players: tuple[str, str]) -> Event:
    situation, seat = entry.situation, entry.seat
    # An offered cube waits for the other side.
    actor = seat.other if situation.offer is Offer.DOUBLE else seat
    words = entry.action
    for name in sorted(players, key=len, reverse=True):
        if name and words.startswith(name + " "):
            actor = Seat.BOTTOM if name == players[0] else Seat.TOP
            words = words[len(name) + 1 :]
            break
    analysis = _stored(entry)
    line = entry.line
    verb = words.casefold().split()[0] if words.split() else ""
    kind = next((kind for word, kind in _WORDS if verb == word), "")
    if situation.dice is not None and not kind and "resign" not in words.casefold():
        play = _PLAY.search(words)
        after = following.board if following is not None else None
        return Roll(
            seat=actor,
            line=line,
            dice=situation.dice,
            text=play[1].strip() if play else "",
            after=after if play else None,
            analysis=analysis,
        )
    if kind == "double":
        cube = min(2 * situation.cube.value, MAX_CUBE)
        return Double(seat=actor, line=line, cube=cube, analysis=analysis)
    if kind == "take":
        return Take(seat=actor, line=line, analysis=analysis)
    if kind == "pass":
        return Pass(seat=actor, line=line, analysis=analysis)
    if "resign" in words.casefold():
        level = next((n for n, word in ((3, "backgammon"), (2, "gammon"), (1, "single")) if word in words), None)
        return Resignation(seat=actor, line=line, level=level, analysis=analysis)
    return Comment(seat=None, line=line, text=entry.action, flags=frozenset({Flag.UNREAD_TEXT}))


def _stored(entry: _Entry) -> Stored | None:
    """What a record says beside its action; cube numbers turned to the doubler's side."""
    unit = entry.unit or _Reader._unit(entry)
    plays = None
    if entry.plays:
        played = next((index for index, (_, made) in enumerate(entry.plays) if made), None)
        plays = StoredPlays(tuple(stored for stored, _ in entry.plays), played, unit)
    cube = None
    if entry.cube:
        no_double, double_take, double_pass = (entry.cube.get(key) for key in _CUBE_TEXT)
        chances = entry.chances
        if entry.situation.offer is Offer.DOUBLE:
            no_double, double_take, double_pass = (
                _turned(value, unit) for value in (no_double, double_take, double_pass)
            )
            if chances is not None:
                win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances
                chances = (1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon)
        cube = StoredCube(no_double, double_take, double_pass, chances, unit, entry.level or "unknown")
    if plays is None and cube is None and entry.luck is None and not entry.marks:
        return None
    return Stored(
        "GNU Backgammon",
        cube,
        plays,
        entry.luck,
        None if entry.luck is None else unit,
        tuple(entry.marks),
    )


def _turned(value: float | None, unit: Unit) -> float | None:
    if value is None:
        return None
    return 1 - value if unit is Unit.MWC else -value
