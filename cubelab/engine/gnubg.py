"""GNU Backgammon, where it is installed: its evaluations, plays and speed, from a child process of ours.

It is a yardstick and a second opinion; nothing of cubelab needs it. The questions are answered by `gnubg_inside`, which
runs in the Python built into GNU Backgammon 1.06 and later.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from ..errors import IllegalPosition, IllegalRules, SettingsError
from ..game import BackgammonRule, Owner, Phase, Scoring, Situation
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .answers import external_evaluation, read_answers
from .child import Child, EngineFailed, EngineMissing
from .evaluator import Evaluation

#: Set to the program's path where it is in none of the usual places.
PATH_VARIABLE = "CUBELAB_GNUBG"
_NAMES = ("gnubg-cli", "gnubg")
_PLACES = (
    "/usr/games",
    "/usr/local/games",
    "/usr/bin",
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
    "/Applications/gnubg.app/Contents/MacOS",
    "/Applications/GNU Backgammon.app/Contents/MacOS",
    "C:/Program Files/gnubg",
    "C:/Program Files (x86)/gnubg",
)
#: Money play, centred cube at 1, no Jacoby, no beavers, as `gnubg_inside.cube_of` wants it.
_MONEY = [1, -1, 0, 0, 0, 0, 0, 0]
#: Positions that one iteration of its ``calibrate`` evaluates. What it prints itself is by the clock on the wall, which
#: says little on a machine with other work; on an idle one both agree.
_EVALUATIONS_PER_ITERATION = 1024
#: Look-ahead that it is asked for at most.
DEEPEST: Final = 4
_OWNER = {Owner.CENTRE: -1, Owner.MOVER: 0, Owner.OPPONENT: 1}


def find_gnubg() -> Path:
    """Path of the program: ``$CUBELAB_GNUBG``, the search path, the usual places.

    Raises
    ------
    EngineMissing
        It is not installed.
    """
    chosen = os.environ.get(PATH_VARIABLE)
    if chosen:
        path = Path(chosen)
        if path.is_file():
            return path
        raise EngineMissing(f"{PATH_VARIABLE} names {chosen}, but there is no such program")
    places = os.pathsep.join([os.environ.get("PATH", ""), *_PLACES])
    for name in _NAMES:
        found = shutil.which(name, path=places)
        if found:
            return Path(found)
    raise EngineMissing(
        "GNU Backgammon is not installed: no program gnubg was found on the search path or in the usual places "
        f"(install it, or set {PATH_VARIABLE} to its path)"
    )


def letters(board: np.ndarray) -> str:
    """A board as 26 letters: ``P`` empty, later letters for the mover's checkers, earlier ones for the opponent's."""
    return (np.asarray(board, dtype=np.int64) + ord("P")).astype(np.uint8).tobytes().decode("ascii")


def cube_numbers(situation: Situation) -> list[int]:
    """Cube and score of a situation as `gnubg_inside.cube_of` wants them.

    Raises
    ------
    IllegalRules
        Rules that GNU Backgammon does not have.
    """
    match, cube = situation.match, situation.cube
    rules = match.rules
    if rules.scoring is not Scoring.STANDARD:
        raise IllegalRules(f"GNU Backgammon has no {rules.scoring.value} scoring")
    if rules.backgammon_rule is not BackgammonRule.BAR_OR_HOME:
        raise IllegalRules(f"GNU Backgammon does not know the backgammon rule {rules.backgammon_rule.value!r}")
    score = [match.length, match.mover_score, match.opponent_score, int(match.crawford)]
    switches = [int(rules.jacoby), int(rules.beavers > 0)] if match.money else [0, 0]
    return [cube.value, _OWNER[cube.owner], *score, *switches]


class Gnubg:
    """A GNU Backgammon of our own, alive until `close`; not for several threads at once.

    Raises
    ------
    EngineMissing
        Not installed, or without Python inside.

    Examples
    --------
    >>> with Gnubg() as gnubg:  # doctest: +SKIP
    ...     gnubg.evaluations([Situation(Position.start())], ply=0)[0].cubeless
    0.07...
    """

    def __init__(self, path: str | Path | None = None, timeout: float = 120.0):
        self.path = Path(path) if path else find_gnubg()
        self._child = Child(self._command, "GNU Backgammon", timeout)
        self._table = ""
        try:
            self._child.ask({"do": "static", "boards": []}, 30.0)
        except EngineFailed as error:
            self.close()
            raise EngineMissing(
                f"{self.path} is no GNU Backgammon that can be asked: it needs the Python inside ({error})"
            ) from None
        numbers = [found[1] for line in self._child.talk if (found := re.match(r"GNU Backgammon (\d\S*)", line))]
        #: Such as ``gnubg 1.07.001``.
        self.version = " ".join(["gnubg", *numbers[:1]])

    def _command(self, folder: Path) -> list[str]:
        script = Path(__file__).with_name("gnubg_inside.py")
        (folder / "settings").mkdir()
        return [str(self.path), "-t", "-q", "-r", "-s", str(folder / "settings"), "-p", str(script)]

    def evaluations(
        self, situations: Sequence[Situation], ply: int = 2, met: MatchEquityTable | None = None
    ) -> list[Evaluation]:
        """Its chances, equities and cube decisions of situations about to be rolled.

        Parameters
        ----------
        situations : sequence of Situation
        ply : int
            0 to 4.
        met : MatchEquityTable, optional
            Default Kazaross-XG2; GNU Backgammon is given the same numbers.

        Raises
        ------
        CubelabError
            A game that is over, rules it does not have, no answer.
        """
        if not isinstance(ply, int) or not 0 <= ply <= DEEPEST:
            raise SettingsError(f"ply {ply!r} does not exist in GNU Backgammon: choose 0 to {DEEPEST}")
        for situation in situations:
            if situation.position.phase is Phase.OVER:
                raise IllegalPosition(f"position {situation.position.id}: the game is over, there is nothing to decide")
        cases = [[letters(s.position.array), cube_numbers(s)] for s in situations]
        table = MatchEquityTable.load(met)
        if any(not s.match.money for s in situations):
            self._use(table)
        patience = self._child.timeout + len(cases) * 0.5 * 20.0 ** max(ply - 2, 0)
        answers = self._child.ask({"do": "cubes", "plies": ply, "cases": cases}, patience)
        read = read_answers(answers, len(cases), "GNU Backgammon")
        return [self._evaluation(s, table, ply, *a) for s, a in zip(situations, read, strict=True)]

    def _evaluation(
        self, situation: Situation, table: MatchEquityTable, ply: int, chances, no_double: float, double_take: float
    ) -> Evaluation:
        stakes = Stakes.of(situation.match, situation.cube, met=table)
        return external_evaluation(situation, stakes, chances, no_double, double_take, ply, self.version)

    def _use(self, table: MatchEquityTable) -> None:
        """Give it the numbers of a table and see that it took them."""
        from ..score.met_files import write_table

        if self._table == table.checksum:
            return
        file = self._child.folder / f"{table.checksum}.xml"
        write_table(table, file)
        size = min(table.size, 9)
        rows = np.array(self._child.ask({"do": "table", "file": str(file), "size": size})[0])
        if rows.shape != (size, size) or abs(rows - table.values[:size, :size]).max() > 1e-5:
            raise EngineFailed(f"GNU Backgammon did not take over the match equity table {table.name}")
        self._table = table.checksum

    def static(self, boards: np.ndarray) -> np.ndarray:
        """Its 0-ply chances of boards about to be rolled: float64[n, 5], cumulative, the mover's."""
        answers = self._child.ask({"do": "static", "boards": [letters(board) for board in boards]})
        return np.array(answers, dtype=float).reshape(len(boards), 5)

    def ask_plays(self, boards: np.ndarray, dice: np.ndarray, cubes: Sequence[list[int]] | None, ply: int) -> None:
        """Ask for its best plays without waiting, cubeless where `cubes` is None; `get_plays` brings them.

        Parameters
        ----------
        boards : int8[n, 26]
        dice : int[n, 2]
        cubes : sequence of n lists, optional
            `cube_numbers` of each, for cubeful play at its score.
        ply : int
        """
        groups: dict[tuple, list[int]] = {}
        for index, roll in enumerate(dice):
            numbers = _MONEY if cubes is None else cubes[index]
            groups.setdefault((int(max(roll)), int(min(roll)), *numbers), []).append(index)
        self._asked = list(groups.values()), len(boards)
        question = [[key[:2], key[2:], [letters(boards[i]) for i in members]] for key, members in groups.items()]
        self._child.send({"do": "plays", "plies": ply, "cubeful": int(cubes is not None), "groups": question})

    def get_plays(self) -> list[list[int]]:
        """Plays asked for with `ask_plays`, in order, each as from/to numbers (25 bar, 0 off)."""
        groups, count = self._asked
        plays: list[list[int]] = [[] for _ in range(count)]
        for members, answers in zip(groups, self._child.receive(), strict=True):
            for index, hops in zip(members, answers, strict=True):
                plays[index] = [int(place) for place in hops or ()]
        return plays

    def cube_equities(self, boards: np.ndarray, cubes: Sequence[list[int]], ply: int) -> np.ndarray:
        """No double and double/take per current cube: float64[n, 2]."""
        cases = [[letters(board), numbers] for board, numbers in zip(boards, cubes, strict=True)]
        answers = self._child.ask({"do": "cubes", "plies": ply, "cases": cases})
        return np.array([answer[1:] for answer in answers], dtype=float).reshape(len(boards), 2)

    def use_table(self, table: MatchEquityTable) -> None:
        """Play matches by this table from now on."""
        self._use(table)

    def calibrate(self, iterations: int = 60) -> float:
        """Static evaluations per second of processor time, by its own command ``calibrate`` on one thread."""
        seconds = self._child.ask({"do": "command", "text": f"calibrate {iterations}"})
        if not any("Calibration result" in line for line in self._child.talk):
            raise EngineFailed("GNU Backgammon's calibrate printed no result")
        return iterations * _EVALUATIONS_PER_ITERATION / seconds

    def cube_seconds(self, boards: np.ndarray, ply: int) -> np.ndarray:
        """Seconds of processor time of each money cube decision: float64[n]."""
        cases = [[letters(board), _MONEY] for board in boards]
        return np.array(self._child.ask({"do": "time_cubes", "plies": ply, "cases": cases}, 600.0))

    def close(self) -> None:
        """End the program."""
        self._child.close()

    def __enter__(self) -> Gnubg:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
