"""The command line: parse, call, print. Each module holds a group of commands and loads what it needs when called."""

from __future__ import annotations

import click

from .. import __version__
from .benchmarks import bench
from .conversion import convert
from .equity_tables import met
from .matches import analyse
from .playing import play
from .positions import bearoff, cube, evaluate, moves
from .program import Program
from .quizzing import quiz
from .rollouts import rollout
from .theory import explain, ledger, robust, rules, scores
from .thresholds import points


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="A POSITION is an XGID, a POSITIONID:MATCHID of GNU Backgammon, or a bare position id (money, centred "
    "cube). Plies are counted as GNU Backgammon counts: 0 is the static evaluation; eXtreme Gammon says one more.",
)
@click.version_option(__version__, prog_name="cubelab")
def program() -> None:
    """Cube decisions in backgammon: verdicts, equities, match equity tables, saved matches.

    \b
    Examples:
      cubelab analyse match.mat
      cubelab cube "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    """


_ANSWERS = (analyse, cube, rollout, evaluate, moves, points, bearoff)
_THEORY = (explain, ledger, scores, rules, robust)
for _command in (*_ANSWERS, *_THEORY, met, convert, play, quiz, bench):
    program.add_command(_command)


def main() -> int:
    """Run the command line; returns the exit status."""
    return program.main(prog_name="cubelab", standalone_mode=True) or 0
