"""What a text is: XGID, GNU Backgammon's ids, a bare position id or an OGID."""

from __future__ import annotations

import re

from ..errors import NotationError
from ..game import xgid
from ..game.situation import Situation
from . import ogid

EXAMPLES = {
    "an XGID": xgid.EXAMPLE,
    "POSITIONID:MATCHID of GNU Backgammon": "4HPwATDgc/ABMA:cIkKAAAAAAAE",
    "a bare position id": "4HPwATDgc/ABMA",
    "an OGID": ogid.EXAMPLE,
}
_LABELLED = re.compile(r"\b(XGID|OGID)\s*[=:]\s*(\S+)", re.IGNORECASE)
_POSITION_LABEL = re.compile(r"\bPosition[-\s]*ID\s*[:=]\s*([^\s:]+)", re.IGNORECASE)
_MATCH_LABEL = re.compile(r"\bMatch[-\s]*ID\s*[:=]\s*(\S+)", re.IGNORECASE)
_GNU_LABEL = re.compile(r"\bGNU(?:\s*BG)?[-\s]*ID\s*[:=]\s*(\S+)", re.IGNORECASE)
_XGID_BOARD = re.compile(r"[-A-Oa-o]*-[-A-Oa-o]*|[A-Oa-o]{26}")
_GNU = re.compile(r"[A-Za-z0-9+/]{14}={0,2}|[A-Za-z0-9+/=]{10,18}:[A-Za-z0-9+/=]{6,18}")


def parse_situation(text: str) -> Situation:
    """Read a situation from any id of the field.

    Parameters
    ----------
    text : str
        An XGID, ``POSITIONID:MATCHID`` or a bare position id of GNU Backgammon (money, centred cube), an OGID; with or
        without its label (``XGID=``, ``Position ID: … Match ID: …``, ``GNUBG ID: …``, ``OGID=``), also inside other
        text.

    Raises
    ------
    CubelabError
        The text is none of these (they are listed, with examples), or what is wrong in the one that it is.

    Examples
    --------
    >>> import cubelab as cl
    >>> cl.parse_situation("4HPwATDgc/ABMA").position == cl.Position.start()
    True
    """
    if not isinstance(text, str):
        raise NotationError(f"{text!r:.60} is no text; an id such as '4HPwATDgc/ABMA' is needed")
    labelled = _LABELLED.search(text)
    if labelled:
        label, body = labelled.groups()
        body = _bare(body)
        return ogid.decode(body) if label.upper() == "OGID" else Situation.from_xgid(body)
    position_id, gnu_id = _POSITION_LABEL.search(text), _GNU_LABEL.search(text)
    if position_id:
        match_id = _MATCH_LABEL.search(text)
        parts = [_bare(found[1]) for found in (position_id, match_id) if found]
        return Situation.from_gnuid(":".join(parts))
    body = _bare(gnu_id[1] if gnu_id else text)
    if _GNU.fullmatch(body):
        return Situation.from_gnuid(body)
    if ogid.SHAPE.fullmatch(body):
        return ogid.decode(body)
    if _XGID_BOARD.fullmatch(body.partition(":")[0]):
        return Situation.from_xgid(body)
    forms = ", ".join(f"{name} ({example})" for name, example in EXAMPLES.items())
    raise NotationError(f"{_short(text)!r} is no position text; what can be read: {forms}")


def _bare(text: str) -> str:
    return text.strip().strip("\"'`<>()[]{},;").strip()


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "…"
