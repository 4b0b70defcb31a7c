"""Analysis that a file brings along from the program that wrote it; kept beside ours, never mixed with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from ..errors import CubelabError
from ..game import Probabilities

#: Win, win gammon, win backgammon, lose gammon, lose backgammon, cumulative, as stored.
Chances: TypeAlias = tuple[float, float, float, float, float]


class Unit(StrEnum):
    """What equities are counted in."""

    POINTS = "points"  # per current cube, money play
    EMG = "emg"  # match play, normalised: the current cube's loss and win are -1 and +1
    MWC = "mwc"  # match winning chance, 0 to 1


@dataclass(frozen=True, slots=True)
class StoredCandidate:
    """A play that the program looked at.

    Parameters
    ----------
    play : str
        In the mover's numbering.
    equity : float
        Mover's, in the unit of the list.
    chances : Chances or None
        Mover's, after the play.
    level : str
        How it was evaluated, as the program calls it: ``2-ply``, ``rollout``.
    """

    play: str
    equity: float
    chances: Chances | None
    level: str

    @property
    def probabilities(self) -> Probabilities | None:
        """The chances as probabilities; None where not stored or not possible."""
        return _probabilities(self.chances)


@dataclass(frozen=True, slots=True)
class StoredPlays:
    """The plays of a roll, best first; `played` is the place of the one that was made, None when not told."""

    candidates: tuple[StoredCandidate, ...]
    played: int | None
    unit: Unit

    @property
    def error(self) -> float | None:
        """What the play that was made loses against the best, in `unit`."""
        if self.played is None or not 0 <= self.played < len(self.candidates):
            return None
        return max(0.0, self.candidates[0].equity - self.candidates[self.played].equity)


@dataclass(frozen=True, slots=True)
class StoredCube:
    """A cube decision, all numbers the doubler's.

    Parameters
    ----------
    no_double, double_take, double_pass : float or None
        Equities in `unit`; None where not stored.
    chances : Chances or None
        Before the roll.
    unit : Unit
    level : str
        How it was evaluated.
    frame : (float, float) or None
        Match winning chances of losing and of winning the current cube by the program's own table, where the file
        tells: they turn its chances into its normalised equities.
    """

    no_double: float | None
    double_take: float | None
    double_pass: float | None
    chances: Chances | None
    unit: Unit
    level: str
    frame: tuple[float, float] | None = None

    @property
    def probabilities(self) -> Probabilities | None:
        """The chances as probabilities; None where not stored or not possible."""
        return _probabilities(self.chances)


@dataclass(frozen=True, slots=True)
class Stored:
    """All that a file stores about one roll or cube action.

    Parameters
    ----------
    program : str
        Who analysed.
    cube : StoredCube or None
        Of the decision to double before the roll, or of the cube action.
    plays : StoredPlays or None
    luck : float or None
        Of the roll, in the program's own unit: see `luck_unit`.
    luck_unit : Unit or None
    marks : tuple of (str, str)
        Judgements of program or annotator, such as ``("BM", "2")`` for a very bad move in SGF.
    raw : tuple of (str, str)
        What stands in the file and is not understood, kept as it is.
    """

    program: str
    cube: StoredCube | None = None
    plays: StoredPlays | None = None
    luck: float | None = None
    luck_unit: Unit | None = None
    marks: tuple[tuple[str, str], ...] = ()
    raw: tuple[tuple[str, str], ...] = ()


def _probabilities(chances: Chances | None) -> Probabilities | None:
    """Probabilities of stored chances; None where rounding or damage makes them impossible."""
    if chances is None:
        return None

    def clipped(value: float, most: float) -> float:
        # Programs store up to a millionth too much; more is damage and is refused below.
        return min(value, most) if value <= most + 1e-4 else value

    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances
    gammon, lost_gammon = clipped(win_gammon, win), clipped(lose_gammon, 1 - win)
    try:
        return Probabilities.from_cumulative(
            win, gammon, clipped(win_backgammon, gammon), lost_gammon, clipped(lose_backgammon, lost_gammon)
        )
    except CubelabError:
        return None
