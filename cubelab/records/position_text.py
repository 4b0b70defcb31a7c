"""Position texts of eXtreme Gammon and BGBlitz, in whatever language the program speaks.

Words differ by language, so lines are told by their shape: chances ``44.57% (G:8.36% B:0.12%)`` of the side on roll
and then the other, candidates with ``eq:``, three cube equities in the order no double, double and take, double and
pass; BGBlitz sorts its cube equities, its words for take and pass are known in English, German, French and Japanese,
and a pass is worth 1 at any score. Decimal commas and typographic minus signs are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..game import Situation
from .numbers_in_text import NUMBER, number, numbers
from .saved_position import LONGEST_LINE, SavedPosition, UnreadLine, situation_or_error
from .stored import Chances, Stored, StoredCandidate, StoredCube, StoredPlays, Unit

_BOARD: Final = ("+13-14-15-16-17-18", "+12-11-10--9--8--7", "+24-23-22-21-20-19", "+-1--2--3--4--5--6")
_XGID: Final = re.compile(r"XGID\s*=\s*\S+")
_GNU: Final = re.compile(r"Position[- ]?ID\s*:\s*\S{14}")
_PERCENT: Final = r"(\d{1,3}[.,]\d{1,4})\s*%"
# eXtreme Gammon
_XG_NAMES: Final = re.compile(r"^X\s*:\s*(\S.*?)\s{2,}O\s*:\s*(\S.*?)\s*$")
_XG_CHANCES: Final = re.compile(rf"{_PERCENT}\s*\(\s*G\s*:\s*{_PERCENT}\s*B\s*:\s*{_PERCENT}\s*\)")
_XG_PLAY: Final = re.compile(rf"^\s*\d{{1,3}}\.\s+(.*?)\s{{2,}}(\S.*?)\s+eq\s*:\s*({NUMBER})")
_XG_CUBE: Final = re.compile(rf"^\s+(\S[^:=%]{{2,40}}?)\s*:\s*({NUMBER})\s*(?:\(\s*{NUMBER}\s*\))?\s*$")
_XG_LEVEL: Final = re.compile(r"(XG Roller\+{0,2}|\d{1,2}-ply|Rollout|Book)", re.IGNORECASE)
_XG_VERSION: Final = re.compile(r"^eXtreme Gammon \S+?\s*:\s*([^\s,]+)")
_XG_TABLE: Final = re.compile(r",\s*[A-Z]{3,4}\s*:\s*(\S.*?)\s*$")
# BGBlitz
_BG_NAME: Final = re.compile(r"\+\s{2,}([OX]):\s*(\S.*?)\s{2,}\d{1,3}\s*$")
_BG_PLAY: Final = re.compile(
    rf"^\s*\d{{1,3}}\.\s+({NUMBER})(?:\s+\S+\s*/\s*({NUMBER}))?\s+(?:\(\s*{NUMBER}\s*\)\s+)?(\S.*?)\s*$"
)
_BG_CUBE: Final = re.compile(
    rf"^\s*(\S[^:]*?)\s*:\s*({NUMBER})\s*\(\s*{NUMBER}\s*\)(?:\s*({NUMBER})\s*\(\s*{NUMBER}\s*\))?"
)
_BG_TAKE: Final = ("take", "annehmen", "prendre", "受ける")
_BG_PASS: Final = ("pass", "ablehnen", "refuser", "降りる")
_PLAY_WORD: Final = re.compile(r"(?:(?:bar|off|\d{1,2})\*?(?:/(?:bar|off|\d{1,2})\*?)+(?:\(\d\))?,?\s*)+", re.I)


def is_position_text(text: str) -> bool:
    """Whether a text has a drawn board and an id."""
    return any(edge in text for edge in _BOARD) and bool(_XGID.search(text) or _GNU.search(text))


def parse_position_text(lines: Sequence[str]) -> tuple[list[SavedPosition], list[UnreadLine], str]:
    """Positions of a text, each with what is said between its id and the next one's.

    Parameters
    ----------
    lines : sequence of str

    Returns
    -------
    positions : list of SavedPosition
    unread : list of UnreadLine
    format : str
    """
    lines = [line if len(line) <= LONGEST_LINE else "" for line in lines]
    marker = _XGID if any(_XGID.search(line) for line in lines) else _GNU
    places = [place for place, line in enumerate(lines) if marker.search(line)]
    positions: list[SavedPosition] = []
    unread: list[UnreadLine] = []
    blitz = any(_BG_NAME.search(line) for line in lines)
    for index, place in enumerate(places):
        end = places[index + 1] if index + 1 < len(places) else len(lines)
        text = lines[place] if marker is _XGID else " ".join(lines[place : place + 2])
        found = situation_or_error(_XGID.search(text)[0] if marker is _XGID else text, place + 1)  # type: ignore[index]
        if isinstance(found, UnreadLine):
            unread.append(found)
            continue
        before = lines[places[index - 1] + 1 if index else 0 : place]
        after = lines[place + 1 : end]
        names = _blitz_names(before) if blitz else _xg_names(after, found)
        analysis = _blitz(after, found, names) if blitz else _xg(after, found)
        positions.append(SavedPosition(found, place + 1, "", names, analysis))
    return positions, unread, "BGBlitz position text" if blitz else "XG position text"


def _unit(situation: Situation) -> Unit:
    return Unit.EMG if situation.match.length else Unit.POINTS


# eXtreme Gammon


def _xg_names(lines: Sequence[str], situation: Situation) -> tuple[str, str]:
    """Bottom and top player of the id; in the text X is the side on roll."""
    found = next((match for line in lines if (match := _XG_NAMES.match(line))), None)
    if found is None:
        return "", ""
    return (found[1], found[2]) if situation.turn == 1 else (found[2], found[1])


def _xg(lines: Sequence[str], situation: Situation) -> Stored | None:
    unit = _unit(situation)
    candidates: list[StoredCandidate] = []
    program, level = "eXtreme Gammon", ""
    pair: list[tuple[float, ...]] = []
    cube: list[float] = []
    raw: list[tuple[str, str]] = []
    for line in (text.replace("：", ":") for text in lines):
        if play := _XG_PLAY.match(line):
            pair = []
            candidates.append(StoredCandidate(play[2], number(play[3]), None, play[1].strip()))
        elif chances := _XG_CHANCES.search(line):
            pair.append(tuple(round(number(chances[group]) / 100, 6) for group in (1, 2, 3)))
            if candidates and len(pair) == 2:
                last = candidates[-1]
                candidates[-1] = StoredCandidate(last.play, last.equity, _both(pair), last.level)
        elif version := _XG_VERSION.match(line):
            program = f"eXtreme Gammon {version[1]}"
            if table := _XG_TABLE.search(line):
                raw.append(("MET", table[1]))
        elif not candidates and (equity := _XG_CUBE.match(line)):
            cube.append(number(equity[2]))
        elif not candidates and not level and (depth := _XG_LEVEL.search(line)):
            level = depth[1]
    plays = StoredPlays(tuple(candidates), None, unit) if candidates else None
    decision = None
    if len(cube) >= 3:
        decision = StoredCube(
            cube[0], cube[1], cube[2], _both(pair) if len(pair) == 2 else None, unit, level or "unknown"
        )
    if plays is None and decision is None:
        return None
    return Stored(program, decision, plays, raw=tuple(raw))


def _both(pair: Sequence[tuple[float, ...]]) -> Chances:
    mine, theirs = pair
    return mine[0], mine[1], mine[2], theirs[1], theirs[2]


# BGBlitz


def _blitz_names(lines: Sequence[str]) -> tuple[str, str]:
    names = {match[1]: match[2] for line in lines if (match := _BG_NAME.search(line))}
    return names.get("X", ""), names.get("O", "")


def _blitz(lines: Sequence[str], situation: Situation, names: tuple[str, str]) -> Stored | None:
    unit = _unit(situation)
    candidates: list[StoredCandidate] = []
    cube: dict[str, float] = {}
    shares: dict[str, tuple[float, ...]] = {}
    for line in lines:
        if (play := _BG_PLAY.match(line)) and _PLAY_WORD.fullmatch(play[3]):
            text = " ".join(play[3].replace(",", " ").split())
            candidates.append(StoredCandidate(text, number(play[2] or play[1]), None, "unknown"))
        elif candidates and len(found := numbers(line)) == 6 and " - " in line:
            last = candidates[-1]
            chances = (found[0], found[1], found[2], found[4], found[5])
            candidates[-1] = StoredCandidate(last.play, last.equity, chances, last.level)
        elif row := _BG_CUBE.match(line):
            value = number(row[3] or row[2])
            if key := _blitz_row(row[1], value):
                cube.setdefault(key, value)
        elif name := next(
            (name for name in names if name and line.split(name)[0].strip() == "" and name in line), None
        ):
            found = numbers(line.replace(name, " ", 1))
            if len(found) == 3 and ":" not in line:
                shares[name] = tuple(round(share / 100, 6) for share in found)
    plays = StoredPlays(tuple(candidates), None, unit) if candidates else None
    decision = None
    if {"no", "take"} <= cube.keys():
        mover, other = names if situation.turn == 1 else names[::-1]
        both = _both((shares[mover], shares[other])) if {mover, other} <= shares.keys() else None
        decision = StoredCube(cube["no"], cube["take"], cube.get("pass"), both, unit, "unknown")
    return Stored("BGBlitz", decision, plays) if plays or decision else None


def _blitz_row(label: str, value: float) -> str:
    """Which cube equity a row holds; empty for a row that is none."""
    words = label.casefold()
    if "/" not in words:
        return "no"
    answer = words.rpartition("/")[2].strip()
    if any(word in answer for word in _BG_TAKE):
        return "take"
    if any(word in answer for word in _BG_PASS) or value == 1:
        return "pass"
    return "take"
