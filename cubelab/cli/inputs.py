"""Positions that come in on the command line, from a file or through a pipe, and the options that commands share."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import CubelabError, NotationError
from .paths import STANDARD
from .program import say

if TYPE_CHECKING:
    from ..cube.models import CubeModel
    from ..game import Situation
    from ..score.met import MatchEquityTable
    from .rule_options import RuleChanges

_BARE_XGID = re.compile(r"-[A-Za-z-]{25}:")
_WHOLE = re.compile(r"[-+]?\d{1,10}")
#: Trials of a rollout when no number is given.
USUAL_TRIALS = 1296
#: Characters of the shortest position text, a bare position id.
_SHORTEST = 14
#: How much of a file decides what it is, and how much of one that holds drawn positions is read.
_SAMPLE = 16384
_LONGEST = 16 * 1024 * 1024


class PositionCommand(click.Command):
    """Command whose arguments may be XGIDs without ``XGID=``, which begin like options when the first bar is empty."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click's, after giving such XGIDs their prefix and a lone ``--rollout`` its usual number of trials."""
        prefixed = [f"XGID={arg}" if _BARE_XGID.match(arg) else arg for arg in args]
        return super().parse_args(ctx, list(_with_trials(prefixed)))


def _with_trials(args: list[str]) -> Iterator[str]:
    for arg, following in zip_longest(args, args[1:], fillvalue=""):
        # What is too short for a position was meant as a number: click says that it is none.
        meant = _WHOLE.fullmatch(following) or (0 < len(following) < _SHORTEST and not following.startswith("-"))
        yield f"--rollout={USUAL_TRIALS}" if arg == "--rollout" and not meant else arg


def rollout_option(command: Callable) -> Callable:
    """Add ``--rollout [TRIALS]``."""
    return click.option(
        "--rollout",
        "trials",
        type=click.IntRange(1),
        metavar="[TRIALS]",
        help=f"Roll out, full games with luck adjustment at 0-ply, instead of looking ahead. Default: {USUAL_TRIALS}.",
    )(command)


def positions_argument(command: Callable) -> Callable:
    """Add POSITION…, ``--from`` and ``--json``."""
    command = click.option("--json", "as_json", is_flag=True, help="One JSON document a position, one a line.")(command)
    command = click.option(
        "--from",
        "source",
        type=click.Path(exists=True, dir_okay=False, readable=True, allow_dash=True),
        help="File with one POSITION a line ('-' for standard input; lines starting with # are skipped), or with "
        "position texts of GNU Backgammon, eXtreme Gammon or BGBlitz, FIBS boards, a Jellyfish position.",
    )(command)
    return click.argument("positions", nargs=-1, metavar="POSITION...")(command)


def engine_options(command: Callable) -> Callable:
    """Add ``--ply``, ``--met`` and ``--model``."""
    command = click.option(
        "--model",
        "model_name",
        metavar="janowski[:X]|dead|live",
        help="Cube model at the leaves; janowski:0.68 sets its efficiency. Default: Janowski, by class of position.",
    )(command)
    command = click.option(
        "--met", "met_name", metavar="NAME|FILE", help="Match equity table (cubelab met list). Default: kazaross-xg2."
    )(command)
    return click.option(
        "--ply", type=click.IntRange(0, 3), default=2, show_default=True, help="Look-ahead, as GNU Backgammon counts."
    )(command)


def chosen_met(name: str | None, option: str = "--met") -> MatchEquityTable | None:
    """Table of ``--met``.

    Raises
    ------
    click.BadParameter
        Unknown, or a file that is no good table.
    """
    if name is None:
        return None
    if name == STANDARD:
        raise click.BadParameter("a table is not read from standard input: name a file", param_hint=option)
    from ..score.met import MatchEquityTable

    try:
        return MatchEquityTable.load(name)
    except CubelabError as error:
        raise click.BadParameter(str(error), param_hint=option) from None
    except OSError as error:
        raise click.BadParameter(f"{name}: {error.strerror}", param_hint=option) from None


def chosen_model(name: str | None) -> CubeModel | None:
    """Cube model of ``--model``.

    Raises
    ------
    click.BadParameter
        Unknown, or an efficiency outside 0–1.
    """
    if name is None:
        return None
    from ..cube.models import cube_model

    try:
        # Plain janowski is the default, whose efficiency follows the class of the position.
        return None if name == "janowski" else cube_model(name.replace(":", " "))
    except CubelabError as error:
        raise click.BadParameter(str(error), param_hint="--model") from None


def read_situation(text: str, changes: RuleChanges | None = None) -> Situation:
    """Situation of a POSITION, under the rules that were asked for.

    Raises
    ------
    CubelabError
        What is wrong with the text, or rules that do not go with it.
    """
    from ..notation.detect import parse_situation

    situation = parse_situation(text)
    return situation if changes is None else changes.of(situation)


def position_lines(positions: tuple[str, ...], source: str | None) -> Iterable[str]:
    """The POSITIONs of a call, in order, read as they are needed.

    Raises
    ------
    click.UsageError
        Nothing to read was named.
    """
    if not positions and source is None:
        raise click.UsageError("give a POSITION, - for standard input, or --from FILE")
    return list(positions) if source is None and "-" not in positions else _lines(positions, source)


def _lines(positions: tuple[str, ...], source: str | None) -> Iterator[str]:
    for position in positions:
        if position == "-":
            yield from _text_lines("-")
        else:
            yield position
    if source is not None:
        yield from _text_lines(source)


def starts_as_match() -> bool:
    """Whether what comes through standard input is a saved match; leaves it there to be read."""
    from ..records import is_drawn, is_match_text

    start = _peeked(_bytes_of(sys.stdin))
    # Matches that are no text matches begin as SGF or JSON do, or are binary.
    return not is_drawn(start) and (is_match_text(start) or b"\0" in start or start.lstrip()[:1] in (b"(", b"{"))


@lru_cache(maxsize=1)
def _bytes_of(stream: Any) -> Any:
    """The bytes of standard input (None: it has only text), in a reader of our own.

    Python aborts when it cannot close its own reader at the end, which a thread may hold that waits for the next line.
    """
    try:
        return open(stream.fileno(), "rb", buffering=_SAMPLE, closefd=False)
    except (AttributeError, OSError, ValueError):  # something in memory in its place
        return getattr(stream, "buffer", None)


def _peeked(stream: Any) -> bytes:
    """The beginning of a stream, left there to be read."""
    if hasattr(stream, "peek"):
        return stream.peek(_SAMPLE)[:_SAMPLE]
    start = stream.read(_SAMPLE)  # a caller put bytes in memory in the place of standard input
    stream.seek(-len(start), 1)
    return start


def standard_input() -> bytes:
    """All of standard input, as far as a match can be long."""
    return _bytes_of(sys.stdin).read(_LONGEST + 1)


def _text_lines(source: str) -> Iterator[str]:
    if source == "-":
        stream = _bytes_of(sys.stdin)
        yield from _positions_of(stream, "standard input") if stream else _wanted(_encoded(sys.stdin))
        return
    with Path(source).open("rb", buffering=_SAMPLE) as file:
        yield from _positions_of(file, source)


def _positions_of(stream: Any, name: str) -> Iterator[str]:
    """One text a position: the lines of a list as they come, or an XGID for each position that is drawn."""
    from ..records import is_drawn, is_match_text

    start = _peeked(stream)
    if is_drawn(start):
        yield from _drawn(stream.read(_LONGEST + 1), name)
    elif is_match_text(start):
        raise NotationError(
            f"{name} is a saved match, not a list of positions: cubelab analyse reads it, and cubelab convert "
            "makes a list of its decisions (.xgid)"
        )
    elif b"\0" in start:
        raise NotationError(f"{name} is a binary file, not text with one position a line")
    else:
        yield from _wanted(stream)


def _drawn(data: bytes, name: str) -> Iterator[str]:
    """XGIDs of position texts, FIBS boards or a Jellyfish position."""
    from ..records import parse_positions

    found = parse_positions(data, name)
    for line in found.unread:
        say(f"{name}, line {line.line}: {line.error}")
    yield from (position.situation.xgid for position in found.positions)


def _encoded(stream: Any) -> Iterator[bytes]:
    return (line.encode() for line in stream)


def _wanted(lines: Any) -> Iterator[str]:
    for line in lines:
        text = line.decode("utf-8-sig", errors="replace").strip()
        if text and not text.startswith("#"):
            yield text
