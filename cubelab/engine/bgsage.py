"""Open Sage (the package ``bgsage``), where it is installed: a second opinion from a child process."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..errors import IllegalPosition, IllegalRules, SettingsError
from ..game import BackgammonRule, Owner, Phase, Scoring, Situation
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from .answers import external_evaluation, read_answers
from .child import Child, EngineFailed, EngineMissing
from .evaluator import Evaluation

#: Set to a Python that has bgsage, where it is not the one that runs cubelab.
PYTHON_VARIABLE = "CUBELAB_BGSAGE_PYTHON"
_OWNER = {Owner.CENTRE: "centered", Owner.MOVER: "player", Owner.OPPONENT: "opponent"}


def find_python() -> str:
    """A Python that has bgsage: ``$CUBELAB_BGSAGE_PYTHON``, else our own.

    Raises
    ------
    EngineMissing
        It is not installed.
    """
    chosen = os.environ.get(PYTHON_VARIABLE)
    if chosen:
        return chosen
    if find_spec("bgsage") is None:
        raise EngineMissing(
            f"Open Sage is not installed: pip install bgsage, or set {PYTHON_VARIABLE} to a Python that has it"
        )
    return sys.executable


def case_of(situation: Situation) -> dict[str, Any]:
    """A situation in Open Sage's terms.

    Raises
    ------
    IllegalRules
        Rules it does not have.
    """
    match, rules = situation.match, situation.match.rules
    if rules.scoring is not Scoring.STANDARD:
        raise IllegalRules(f"Open Sage has no {rules.scoring.value} scoring")
    if rules.backgammon_rule is not BackgammonRule.BAR_OR_HOME:
        raise IllegalRules(f"Open Sage does not know the backgammon rule {rules.backgammon_rule.value!r}")
    board = [int(count) for count in situation.position.array]
    board[0] = -board[0]  # it counts both bars from 0 up
    return {
        "board": board,
        "cube": situation.cube.value,
        "owner": _OWNER[situation.cube.owner],
        "away": [0, 0] if match.money else list(match.away),
        "crawford": match.crawford,
        "jacoby": match.money and rules.jacoby,
        "beaver": match.money and rules.beavers > 0,
    }


class Bgsage:
    """An Open Sage of our own, alive until `close`; not for several threads at once.

    Raises
    ------
    EngineMissing
        Not installed.
    """

    def __init__(self, timeout: float = 120.0):
        python = find_python()
        script = Path(__file__).with_name("bgsage_inside.py")
        # The child has another home, where packages that a user installed for themselves are not found.
        places = [place for place in sys.path if os.path.isabs(place)] if python == sys.executable else []
        self._child = Child([python, "-I", str(script), *places], "Open Sage", timeout)
        try:
            #: Such as ``bgsage 2.0``.
            self.version = f"bgsage {self._child.ask({'do': 'version'}, 60.0)}"
        except EngineFailed as error:
            raise EngineMissing(f"Open Sage cannot be loaded by {python} ({error})") from None

    def evaluations(
        self, situations: Sequence[Situation], ply: int = 2, met: MatchEquityTable | None = None
    ) -> list[Evaluation]:
        """Its chances, equities and cube decisions of situations about to be rolled.

        Parameters
        ----------
        situations : sequence of Situation
        ply : int
            0 to 3, as GNU Backgammon counts; Open Sage says one more.
        met : MatchEquityTable, optional
            Only for shapes and names: Open Sage plays by its own Kazaross-XG2.

        Raises
        ------
        CubelabError
            A game that is over, rules or a table it does not have, no answer.
        """
        if not isinstance(ply, int) or not 0 <= ply <= 3:
            raise SettingsError(f"ply {ply!r} does not exist in Open Sage: choose 0 to 3")
        table, own = MatchEquityTable.load(met), MatchEquityTable.load("kazaross-xg2")
        for situation in situations:
            if situation.position.phase is Phase.OVER:
                raise IllegalPosition(f"position {situation.position.id}: the game is over, there is nothing to decide")
            if not situation.match.money and table != own:
                raise SettingsError(f"Open Sage has no match equity table but {own.name}: {table.name} was asked for")
        cases = [case_of(situation) for situation in situations]
        patience = self._child.timeout + len(cases) * 20.0 ** max(ply - 2, 0)
        answers = self._child.ask({"do": "cubes", "ply": ply, "cases": cases}, patience)
        return [
            external_evaluation(s, Stakes.of(s.match, s.cube, met=table), chances, nd, dt, ply, self.version)
            for s, (chances, nd, dt) in zip(situations, read_answers(answers, len(cases), "Open Sage"), strict=True)
        ]

    def close(self) -> None:
        """End the program."""
        self._child.close()

    def __enter__(self) -> Bgsage:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
