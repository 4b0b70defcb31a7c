"""Record → Smart Game Format (GM[6]) in the dialect of GNU Backgammon, with analysis."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from typing import Final

from .. import __version__
from ..errors import CubelabError
from ..game import Position, Situation
from ..game.play import Play
from ..writing import write_whole
from .decision import Decision, Kind
from .flags import Flag
from .physical import steps_of
from .record import (
    Beaver,
    Comment,
    Double,
    Ending,
    Event,
    Game,
    Pass,
    Record,
    Resignation,
    Roll,
    Seat,
    SetPosition,
    Take,
)
from .replay import replay_game
from .stored import Chances, Stored, StoredCube, StoredPlays, Unit

#: Analysis of a decision that comes from elsewhere, by number of the game and of the decision's ply in it.
Analyses = Mapping[tuple[int, int], Stored]
#: Match winning chances of a normalised equity in a situation.
ToMwc = Callable[[Situation, float], float]

_LETTERS: Final = {Seat.BOTTOM: "W", Seat.TOP: "B"}
_TAGS: Final = (
    ("EV", "Event"),
    ("RO", "Round"),
    ("DT", "EventDate"),
    ("PC", "Place"),
    ("PC", "Site"),
    ("AN", "Annotator"),
    ("WR", "WhiteRank"),
    ("BR", "BlackRank"),
    ("CP", "Copyright"),
    ("GN", "GameName"),
    ("SO", "Source"),
    ("US", "User"),
    ("GC", "GameComment"),
)
_DATE: Final = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)")
_LEVEL: Final = re.compile(r"(\d)-?ply( cubeless)?")
_MARK: Final = re.compile(r"[A-Z]{2}")
_RAW: Final = ("A", "DA", "MR", "CR")
#: These count the static evaluation as 1-ply, GNU Backgammon as 0-ply.
_ONE_MORE: Final = ("eXtreme Gammon", "bgsage", "gv-bgsage")
_OWN: Final = ("GNU Backgammon", "cubelab")


def write_sgf(
    record: Record, path: str | PathLike[str], analyses: Analyses | None = None, to_mwc: ToMwc | None = None
) -> None:
    """Write a record as SGF; see `sgf_text`.

    Parameters
    ----------
    record : Record
    path : path-like
        The file to write; an existing one is replaced.
    analyses : mapping, optional
    to_mwc : callable, optional
    """
    write_whole(path, sgf_text(record, analyses, to_mwc))


def sgf_text(record: Record, analyses: Analyses | None = None, to_mwc: ToMwc | None = None) -> str:
    """A record as SGF that GNU Backgammon opens; see `losses.sgf_losses` for what it leaves out.

    Parameters
    ----------
    record : Record
    analyses : mapping of (int, int) to Stored, optional
        Analysis by number of the game and ply of the decision (as in `Decision`); it stands in for the file's own.
    to_mwc : callable, optional
        Match winning chances of a normalised equity in a situation; without it cube numbers of a match that are
        normalised are left out.

    Returns
    -------
    str
        One game tree a game, White the bottom player.
    """
    return "\n".join(_Writer(record, game, analyses or {}, to_mwc).text() for game in record.games) + "\n"


def writable_plays(stored: Stored, length: int) -> bool:
    """Whether SGF has a place for stored candidates: plies, chances, normalised equities, the made one among them."""
    plays = stored.plays
    if plays is None or plays.unit is Unit.MWC or plays.played is None or plays.played >= len(plays.candidates):
        return False
    return _plays(plays, stored.program)[plays.played] is not None


def writable_cube(stored: Stored, length: int, *, has_mwc: bool) -> bool:
    """Whether SGF has a place for stored cube numbers: plies, chances, match winning chances in a match."""
    cube = stored.cube
    if cube is None or cube.chances is None or cube.no_double is None or cube.double_take is None:
        return False
    unit_fits = cube.unit is Unit.MWC or (has_mwc and cube.unit is Unit.EMG) if length else cube.unit is Unit.POINTS
    return unit_fits and _ply(cube.level, stored.program) is not None


class _Writer:
    """One game."""

    def __init__(self, record: Record, game: Game, analyses: Analyses, to_mwc: ToMwc | None):
        self.record, self.game, self.to_mwc = record, game, to_mwc
        self.analyses = analyses
        self.decisions: dict[int, list[Decision]] = {}
        for decision in replay_game(record, game).decisions:
            self.decisions.setdefault(id(decision.event), []).append(decision)

    def text(self) -> str:
        return "\n;".join([self._root(), *self._nodes()]) + ")"

    def _root(self) -> str:
        record, game = self.record, self.game
        bottom, top = game.score
        properties = [
            f"(;FF[4]GM[6]CA[UTF-8]AP[cubelab:{__version__}]",
            f"MI[length:{record.length}][game:{max(game.number - 1, 0)}][ws:{bottom}][bs:{top}]",
            f"PW[{_escaped(record.players[0], simple=True)}]PB[{_escaped(record.players[1], simple=True)}]",
        ]
        seen = set()
        for key, tag in _TAGS:
            value = record.tag(tag)
            if value and key not in seen:
                seen.add(key)
                value = _DATE.sub(r"\1-\2-\3", value) if key == "DT" else value
                properties.append(f"{key}[{_escaped(value, simple=True)}]")
        rules = []
        if record.length and record.crawford is not False:
            rules.append("Crawford")
        if game.crawford:
            rules.append("CrawfordGame")
        if not record.length and record.jacoby:
            rules.append("Jacoby")
        if rules:
            properties.append(f"RU[{':'.join(rules)}]")
        result = game.result
        if result.winner is not None:
            given_up = "R" if result.ending is Ending.RESIGNATION else ""
            properties.append(f"RE[{_LETTERS[result.winner]}+{result.stated or result.points}{given_up}]")
        if record.comments and game is record.games[0]:
            properties.append(f"C[{_escaped(chr(10).join(record.comments))}]")
        return "".join(properties)

    def _nodes(self) -> Iterator[str]:
        for event in self.game.events:
            body = self._body(event)
            if body is None:
                continue
            comment = f"C[{_escaped(event.comment)}]" if event.comment else ""
            yield body + self._analysis(event) + comment
            if isinstance(event, Roll) and event.after is not None and self._leads_elsewhere(event):
                yield _position(event.after)

    def _leads_elsewhere(self, event: Roll) -> bool:
        """Whether the letters of a play do not lead where the file says: the position is then set behind it."""
        decision = next((d for d in self.decisions.get(id(event), []) if d.kind is Kind.PLAY), None)
        return event.dumped or (
            decision is not None and decision.played is None and Flag.POSITION_GIVEN in decision.flags
        )

    def _body(self, event: Event) -> str | None:
        match event:
            case Roll(seat=Seat() as seat, dice=(first, second)) if event.hidden:
                return f"PL[{_LETTERS[seat]}]DI[{first}{second}]"
            case Roll(seat=Seat() as seat, dice=(first, second)):
                return f"{_LETTERS[seat]}[{first}{second}{self._letters(event, seat)}]"
            case Double(seat=Seat() as seat) | Beaver(seat=Seat() as seat):
                # A beaver is the double of the side that was doubled.
                return f"{_LETTERS[seat]}[double]"
            case Take(seat=Seat() as seat):
                return f"{_LETTERS[seat]}[take]"
            case Pass(seat=Seat() as seat):
                return f"{_LETTERS[seat]}[drop]"
            case SetPosition():
                return "\n;".join(_set_up(event))
            case Comment():
                return f"C[{_escaped(event.text)}]"
            case Resignation() | _:
                return None

    def _letters(self, event: Roll, seat: Seat) -> str:
        if event.empty or event.dumped:
            return ""
        decision = next((d for d in self.decisions.get(id(event), []) if isinstance(d.played, Play)), None)
        return _letters_of(event.text, decision, seat)

    def _analysis(self, event: Event) -> str:
        """Properties for what is known about a node: given from outside, else stored in the file."""
        decisions = self.decisions.get(id(event), [])
        stored = next(
            (self.analyses[d.game, d.ply] for d in decisions if (d.game, d.ply) in self.analyses), event.analysis
        )
        if stored is None or event.seat is None:
            return ""
        parts = []
        if stored.cube is not None and writable_cube(stored, self.record.length, has_mwc=self.to_mwc is not None):
            situation = decisions[0].situation if decisions else None
            parts.append(self._cube(stored.cube, situation, stored.program))
        if isinstance(event, Roll) and stored.plays is not None and writable_plays(stored, self.record.length):
            parts.append(self._candidates(stored.plays, event.seat, stored.program))
        if isinstance(event, Roll) and stored.luck is not None and stored.luck_unit is not Unit.MWC:
            parts.append(f"LU[{stored.luck:.5f}]")
        parts += [f"{key}[{_escaped(value, simple=True)}]" for key, value in stored.marks if _MARK.fullmatch(key)]
        # The values of a property that was kept as it is are joined by "][" already.
        parts += [f"{key}[{value}]" for key, value in stored.raw if key in _RAW]
        return "".join(parts)

    def _cube(self, cube: StoredCube, situation: Situation | None, program: str) -> str:
        equities = [cube.no_double or 0.0, cube.double_take or 0.0]
        if self.record.length and cube.unit is Unit.EMG:
            if situation is None or self.to_mwc is None:
                return ""
            equities = [self.to_mwc(situation, equity) for equity in equities]
        chances = cube.chances
        assert chances is not None  # writable_cube has looked
        cubeless = 2 * chances[0] - 1 + chances[1] + chances[2] - chances[3] - chances[4]
        sides = " ".join(f"{_numbers(chances)} {cubeless:.6f} {equity:.6f}" for equity in equities)
        return f"DA[E ver 3 {_ply(cube.level, program)} 1 0.000000 1 {sides}]"

    def _candidates(self, plays: StoredPlays, seat: Seat, program: str) -> str:
        rows = []
        place = kept = 0
        for index, (candidate, ply) in enumerate(zip(plays.candidates, _plays(plays, program), strict=True)):
            if ply is None or candidate.chances is None:
                continue
            letters = _letters_of(candidate.play, None, seat)
            if index == plays.played:
                place = kept
            kept += 1
            rows.append(
                f"[{letters} E ver 3 {_numbers(candidate.chances)} {candidate.equity:.6f} {ply} 0 1 0.000000 1]"
            )
        return f"A[{place}]{''.join(rows)}"


def _plays(plays: StoredPlays, program: str) -> list[str | None]:
    """Ply word of each candidate; None for one that SGF cannot hold."""
    return [_ply(c.level, program) if c.chances is not None else None for c in plays.candidates]


def _ply(level: str, program: str) -> str | None:
    """GNU Backgammon's word for a level: ``2C`` is 2-ply, cubeful; None where it has none."""
    found = _LEVEL.fullmatch(level)
    if found is None:
        return None
    if program.startswith(_OWN):
        depth = int(found[1])
    elif program.startswith(_ONE_MORE):
        depth = int(found[1]) - 1
    else:
        return None
    return f"{max(depth, 0)}{'' if found[2] else 'C'}"


def _numbers(chances: Chances) -> str:
    return " ".join(f"{chance:.6f}" for chance in chances)


def _letters_of(text: str, decision: Decision | None, seat: Seat) -> str:
    """Pairs of letters of a play: hop by hop where it is legal, step by step as written where not."""
    steps = decision.played.hops if decision is not None and isinstance(decision.played, Play) else ()
    if not steps:
        try:
            steps = tuple(steps_of(text)) if text else ()
        except CubelabError:
            steps = ()
    # GNU Backgammon has room for four.
    return "".join(_letter(start, seat) + _letter(end, seat) for start, end in steps[:4])


def _letter(place: int, seat: Seat) -> str:
    if place == 25:
        return "y"
    if place == 0:
        return "z"
    return chr(ord("a") + (place - 1 if seat is Seat.BOTTOM else 24 - place))


def _set_up(event: SetPosition) -> Iterator[str]:
    """A node each for position, value and owner of the cube, as GNU Backgammon writes them."""
    if event.board is not None:
        yield _position(event.board)
    if event.cube is not None:
        yield f"CV[{event.cube}]"
        yield f"CP[{ {Seat.BOTTOM: 'w', Seat.TOP: 'b'}.get(event.owner, 'c') if event.owner else 'c' }]"


def _position(board: tuple[int, ...]) -> str:
    """All points emptied, then a letter for each checker; points count from White's side."""
    position = Position(board)
    white = "".join(f"[{_letter(place, Seat.BOTTOM)}]" * max(position.board[place], 0) for place in range(1, 26))
    black = "[y]" * -position.board[0]
    black += "".join(f"[{_letter(place, Seat.BOTTOM)}]" * max(-position.board[place], 0) for place in range(1, 25))
    return "AE[a:y]" + (f"AW{white}" if white else "") + (f"AB{black}" if black else "")


def _escaped(text: str, *, simple: bool = False) -> str:
    """Text inside brackets; white space of a simple text is one line."""
    if simple:
        text = " ".join(text.split())
    return text.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:" if simple else ":")
