"""A situation drawn with characters, for terminals and plain text.

The bottom player (X) moves towards the lower right corner. Points carry the numbers of the player on roll, so that a
play can be read off whoever that is.
"""

from __future__ import annotations

from ..arguments import checked
from ..game.cube import Owner
from ..game.situation import Offer, Situation
from ..wording import counted

_HEIGHT = 5
_LEFT, _RIGHT = range(12, 6, -1), range(6, 0, -1)
_OFFERS = {Offer.DOUBLE: "doubles to", Offer.BEAVER: "beavers to", Offer.RACCOON: "raccoons to"}


@checked("situation")
def board_text(situation: Situation) -> str:
    """The board, cube, score, pips and roll as lines of text.

    Parameters
    ----------
    situation : Situation
        Drawn with its bottom player (``turn`` 1) below, whoever is on roll.

    Returns
    -------
    str
        13 lines, at most about 75 characters wide.
    """
    position = situation.position if situation.turn == 1 else situation.position.flip()
    board = position.board
    rows = [
        _edge(situation.turn, top=True),
        *(_row(board, level, top=True) for level in range(_HEIGHT)),
        " |" + " " * 18 + "|BAR|" + " " * 18 + "|",
        *(_row(board, level, top=False) for level in reversed(range(_HEIGHT))),
        _edge(situation.turn, top=False),
    ]
    notes = dict.fromkeys(range(len(rows)), "")
    notes[0] = _side_note(situation, -1)
    notes[_HEIGHT] = _cube_note(situation)
    notes[_HEIGHT + 1] = situation.match.score_text if situation.turn == 1 else situation.match.flip().score_text
    notes[_HEIGHT + 2] = _turn_note(situation)
    notes[len(rows) - 1] = _side_note(situation, 1)
    return "\n".join(f"{row}  {notes[i]}".rstrip() for i, row in enumerate(rows))


def _numbered(point: int, turn: int) -> str:
    return f"{point if turn == 1 else 25 - point:>2}"


def _edge(turn: int, *, top: bool) -> str:
    left, right = ([25 - p if top else p for p in points] for points in (_LEFT, _RIGHT))
    sides = ["-".join(_numbered(p, turn) for p in points).replace(" ", "-") for points in (left, right)]
    return f" +{sides[0]}-------{sides[1]}-+"


def _row(board: tuple[int, ...], level: int, *, top: bool) -> str:
    left, right = (
        "".join(f"{_cell(board[25 - p if top else p], level)} " for p in points) for points in (_LEFT, _RIGHT)
    )
    bar = _cell(board[0 if top else 25], level).strip()
    return f" |{left}|{bar:^3}|{right}|"


def _cell(count: int, level: int) -> str:
    """Two characters of a stack, the level counted from the board's edge; the last one tells how many there are."""
    size, letter = abs(count), "X" if count > 0 else "O"
    if level >= size:
        return "  "
    return f"{size:>2}" if level == _HEIGHT - 1 and size > _HEIGHT else f" {letter}"


def _side_note(situation: Situation, seat: int) -> str:
    position, match = situation.position, situation.match
    mover = seat == situation.turn
    pips, off = (position.pips, position.off) if mover else (position.opponent_pips, position.opponent_off)
    score = match.mover_score if mover else match.opponent_score
    points = "" if match.money else f", {score} point{'' if score == 1 else 's'}"
    return f"{'X' if seat == 1 else 'O'}: {counted(pips, 'pip')}{f', {off} off' if off else ''}{points}"


def _cube_note(situation: Situation) -> str:
    cube = situation.cube
    if situation.match.crawford or not situation.match.rules.cube_in_use:
        return "no cube"
    if cube.owner is Owner.CENTRE:
        return f"cube {cube.value}, centred"
    return f"cube {cube.value}, {'X' if cube.owner * situation.turn == 1 else 'O'} owns it"


def _turn_note(situation: Situation) -> str:
    name = "X" if situation.turn == 1 else "O"
    if situation.offer is not None:
        return f"{name} {_OFFERS[situation.offer]} {situation.cube.value * 2}"
    if situation.dice is not None:
        return f"{name} to play {situation.dice[0]}{situation.dice[1]}"
    return f"{name} on roll"
