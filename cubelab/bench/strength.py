"""Errors of an evaluation against rolled-out truth, in total and by class of position."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import DataMissing, SettingsError

TOTAL = "all"
#: Chances from rollouts with the luck taken out may lie a little outside 0 and 1.
_NEARLY = 0.55


@dataclass(frozen=True, slots=True)
class Errors:
    """How far equities (points, cubeless money) are from the truth.

    Attributes
    ----------
    positions : int
    mae, rmse, bias : float
        Mean absolute error, root of the mean square, mean.
    truth_se : float
        Root of the mean square standard error of the truth itself; part of `rmse`.
    probability_rmse : tuple of 5 floats
        Of win, win gammon, win backgammon, lose gammon, lose backgammon (cumulative).
    """

    positions: int
    mae: float
    rmse: float
    bias: float
    truth_se: float
    probability_rmse: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """Rolled-out positions after a play.

    Attributes
    ----------
    boards : int8[n, 26]
        The side that has played sees them; the other is about to roll.
    probabilities : float64[n, 5]
        Cumulative, of the side that has played.
    se : float64[n]
        Standard errors of the equities.
    """

    boards: np.ndarray
    probabilities: np.ndarray
    se: np.ndarray


def read_truth(path: str | Path) -> Truth:
    """Read JSON Lines with ``board`` (26 numbers), ``probs`` (5, cumulative) and ``se``.

    Raises
    ------
    DataMissing
        No such file, or a line that is no such row; names the line.
    """
    boards, probabilities, errors = [], [], []
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataMissing(f"{path}: {getattr(error, 'strerror', None) or 'no text file'}") from None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            board, chances = np.array([index(n) for n in row["board"]], np.int64), np.array(row["probs"], float)
            se = float(row.get("se") or 0.0)
            if board.shape != (26,) or chances.shape != (5,) or not (abs(chances - 0.5) <= _NEARLY).all():
                raise ValueError
            if not 0 <= se < math.inf:
                raise ValueError
            boards.append(board)
            probabilities.append(chances)
            errors.append(se)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise DataMissing(
                f"{path}, line {number}: needs a board of 26 whole numbers, probs of 5 from 0 to 1 (win, win gammon, "
                "win backgammon, lose gammon, lose backgammon; cumulative) and, where it has one, se of 0 or more"
            ) from None
    if not boards:
        raise DataMissing(f"{path} holds no positions")
    from ..engine.neural import checked_boards

    return Truth(checked_boards(np.array(boards)), np.array(probabilities), np.array(errors))


def equity(cumulative: np.ndarray) -> np.ndarray:
    """Cubeless money equity of chances: [..., 5] to [...]."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = np.moveaxis(cumulative, -1, 0)
    return 2.0 * win - 1.0 + win_gammon + win_backgammon - lose_gammon - lose_backgammon


def seen_by_player(opponent: np.ndarray) -> np.ndarray:
    """Six exclusive chances of the side about to roll as cumulative ones of the side that has played."""
    _, win_gammon, win_backgammon, lose, lose_gammon, lose_backgammon = opponent.T
    return np.stack(
        [
            lose + lose_gammon + lose_backgammon,
            lose_gammon + lose_backgammon,
            lose_backgammon,
            win_gammon + win_backgammon,
            win_backgammon,
        ],
        axis=1,
    )


def our_chances(boards: np.ndarray, ply: int = 0, nets: Any = None) -> np.ndarray:
    """Our cumulative chances of boards after a play, for the side that has played: float64[n, 5].

    Parameters
    ----------
    boards : int8[n, 26]
    ply : int
        0 to 3.
    nets : Nets, optional
        Default: the shipped ones.

    Raises
    ------
    SettingsError
        A ply that does not exist.
    """
    if ply not in (0, 1, 2, 3):
        raise SettingsError(f"ply {ply!r} does not exist: choose 0, 1, 2 or 3")
    from ..engine.neural import load_nets
    from ..game import MatchState
    from ..kernels.duel import chances_ahead
    from .duel import game_table

    nets = nets or load_nets()
    rolled = np.ascontiguousarray(-boards[:, ::-1])
    probs = np.empty((len(boards), 6))
    chances_ahead(game_table(MatchState(), False, None), nets, ply, rolled, probs)
    return seen_by_player(probs)


def gnubg_chances(boards: np.ndarray) -> tuple[str, np.ndarray]:
    """GNU Backgammon's version and its 0-ply chances, as `our_chances`.

    Raises
    ------
    EngineMissing
        It is not installed.
    """
    from ..engine.gnubg import Gnubg

    with Gnubg() as gnubg:
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = gnubg.static(-boards[:, ::-1]).T
        return gnubg.version, np.stack([1.0 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon], axis=1)


def errors_against(truth: Truth, cumulative: np.ndarray) -> dict[str, Errors]:
    """Errors of chances by class of position, `TOTAL` first.

    Parameters
    ----------
    truth : Truth
    cumulative : float64[n, 5]
    """
    wrong = equity(cumulative) - equity(truth.probabilities)
    off = (cumulative - truth.probabilities) ** 2
    classes = np.array([position_kind(board) for board in truth.boards])

    def of(chosen: np.ndarray) -> Errors:
        part = wrong[chosen]
        return Errors(
            len(part),
            float(np.abs(part).mean()),
            float(np.sqrt((part**2).mean())),
            float(part.mean()),
            float(np.sqrt((truth.se[chosen] ** 2).mean())),
            tuple(float(x) for x in np.sqrt(off[chosen].mean(axis=0))),
        )

    every = {TOTAL: of(np.ones(len(wrong), np.bool_))}
    return every | {kind: of(classes == kind) for kind in KINDS if (classes == kind).any()}


def _made(side: np.ndarray) -> np.ndarray:
    return side >= 2


def _longest_prime(side: np.ndarray) -> int:
    """Most points made in a row."""
    longest = run = 0
    for made in _made(side[1:25]):
        run = run + 1 if made else 0
        longest = max(longest, run)
    return longest


def _back_game(side: np.ndarray) -> bool:
    """Two points held in the other side's home."""
    return int(_made(side[19:25]).sum()) >= 2


def _crashed(side: np.ndarray) -> bool:
    """Half of the checkers and more buried on the three lowest points."""
    return int(side[1:4].sum()) >= 8


_TESTS: tuple[tuple[str, Callable[[np.ndarray, np.ndarray], bool]], ...] = (
    ("back game", lambda mine, theirs: _back_game(mine) or _back_game(theirs)),
    ("crashed", lambda mine, theirs: _crashed(mine) or _crashed(theirs)),
    ("on the bar", lambda mine, theirs: bool(mine[25] or theirs[25])),
    ("prime", lambda mine, theirs: max(_longest_prime(mine), _longest_prime(theirs)) >= 5),
    ("bearing off against contact", lambda mine, theirs: min(mine.sum(), theirs.sum()) < 15),
)
KINDS = ("over", "bearoff", "race", *(name for name, _ in _TESTS), "other contact")


def position_kind(board: np.ndarray) -> str:
    """Class of a position, one of `KINDS`; the first that fits counts."""
    mine = np.maximum(board, 0).astype(np.int64)
    theirs = np.maximum(-board[::-1], 0).astype(np.int64)
    if not mine.any() or not theirs.any():
        return "over"
    rear, front = np.flatnonzero(mine)[-1], 25 - np.flatnonzero(theirs)[-1]
    if rear < front:
        return "bearoff" if rear <= 6 and front >= 19 else "race"
    return next((name for name, fits in _TESTS if fits(mine, theirs)), "other contact")
