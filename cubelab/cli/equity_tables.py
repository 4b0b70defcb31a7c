"""``cubelab met``: match equity tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .answers import to_json
from .combining import refuse_idle
from .inputs import chosen_met
from .paths import output_path
from .printing import print_table, print_text
from .program import say

if TYPE_CHECKING:
    from ..score.met import MatchEquityTable


@click.group()
def met() -> None:
    """Match equity tables: list, show, convert, build.

    \b
    Example:
      cubelab met show kazaross-xg2 --away 5
    """


@met.command("list")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def list_tables(as_json: bool) -> None:
    """The bundled tables.

    \b
    Example:
      cubelab met list
    """
    from ..score.met import DEFAULT, MatchEquityTable

    tables = [MatchEquityTable.load(name) for name in MatchEquityTable.names()]
    if as_json:
        print(to_json([_description(table) for table in tables]))
        return
    rows = [(t.name + (" *" if t.name == DEFAULT else ""), str(t.size), t.title) for t in tables]
    print_table(("name", "size", "title"), rows, right={"size"})
    print("* used when none is named")


@met.command("show")
@click.argument("source", metavar="NAME|FILE")
@click.option("--away", type=click.IntRange(1), default=9, show_default=True, help="Greatest away score shown.")
@click.option("--json", "as_json", is_flag=True, help="The whole table as JSON.")
def show_table(source: str, away: int, as_json: bool) -> None:
    """The match winning chances of a table, for the mover, in percent.

    \b
    Example:
      cubelab met show kazaross-xg2 --away 5
    """
    table = chosen_met(source, "NAME")
    assert table is not None
    if as_json:
        refuse_idle("away", why="is for the table: JSON holds the whole")
        post = {"mover": table.post.tolist()}
        if table.skewed and table.post_opponent is not None:
            post["opponent"] = table.post_opponent.tolist()
        print(to_json(_description(table) | {"values": table.values.tolist(), "post_crawford": post}))
        return
    size = min(away, table.size)
    name = table.title or table.name
    print_text(f"{name}: chance to win the match in %, rows the mover's away score, columns the opponent's")
    # Twelve columns fit 80 characters.
    for start in range(0, size, 12):
        columns = range(start, min(start + 12, size))
        print_table(
            ("away", *(str(b + 1) for b in columns)),
            [(str(a + 1), *(f"{100 * table.values[a, b]:.1f}" for b in columns)) for a in range(size)],
            right="all",
        )
        print_table(
            ("post", *(str(b + 1) for b in columns)),
            [("", *(f"{100 * table.post[b]:.1f}" for b in columns))],
            right="all",
        )
    print_text("post: after the Crawford game, the trailer's chance at that away score against 1-away")


@met.command("convert", short_help="Write a table as GNU Backgammon XML or CSV.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
def convert_table(source: str, target: Path) -> None:
    """Write a table (bundled or from a file) as GNU Backgammon XML (.xml) or CSV (.csv).

    \b
    Example:
      cubelab met convert kazaross-xg2 kazaross.xml
    """
    table = chosen_met(source, "IN")
    assert table is not None
    _check_ending(target)
    _write(table, output_path(target, "OUT"))


@met.command("build", short_help="Make a table from a model of a game.")
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--length", default=25, show_default=True, help="Greatest away score, 2 to 100.")
@click.option(
    "--gammon-rate",
    "--gammons",
    "gammons",
    default=0.25,
    show_default=True,
    help="Share of wins that are gammons or backgammons.",
)
@click.option(
    "--backgammon-rate",
    "--backgammons",
    "backgammons",
    default=0.0,
    show_default=True,
    help="Share of wins that are backgammons.",
)
@click.option("--trailer-gammon-rate", "trailer", type=float, help="The gammon rate of the side behind, if another.")
@click.option("--win-rate", "--win", "win", default=0.5, show_default=True, help="The mover's chance to win a game.")
@click.option("--efficiency", type=float, help="Cube efficiency, 0 to 1. Default: that of a whole game.")
def build(
    target: Path,
    length: int,
    gammons: float,
    backgammons: float,
    trailer: float | None,
    win: float,
    efficiency: float | None,
) -> None:
    """Make a table from a model of a game, and write it (.xml or .csv).

    \b
    Example:
      cubelab met build mine.csv --length 15 --gammon-rate 0.27
    """
    from ..errors import TableError
    from ..score.build import GAME_EFFICIENCY, build_table, compare_tables
    from ..score.met import MatchEquityTable

    _check_ending(target)
    output_path(target, "OUT")
    try:
        table = build_table(
            length,
            gammon_rate=gammons,
            backgammon_rate=backgammons,
            trailer_gammon_rate=trailer,
            win_rate=win,
            efficiency=GAME_EFFICIENCY if efficiency is None else efficiency,
            name=target.stem,
        )
    except TableError as error:
        raise click.UsageError(str(error)) from None
    _write(table, target)
    known = MatchEquityTable.load()
    difference = compare_tables(table, known)
    a, b = difference.away
    print_text(
        f"compared with {known.name}: mean difference {100 * difference.mean:.2f} %, "
        f"greatest {100 * difference.largest:.2f} % at {a}-away {b}-away"
    )


def _check_ending(target: Path) -> None:
    if target.suffix.lower() not in (".xml", ".csv"):
        raise click.BadParameter(f"{target}: the name must end with .xml or .csv", param_hint="OUT")


def _write(table: MatchEquityTable, target: Path) -> None:
    from ..score.met_files import write_table

    write_table(table, target)
    say(f"{table.name} written to {target}")


def _description(table: MatchEquityTable) -> dict:
    return {
        "name": table.name,
        "title": table.title,
        "size": table.size,
        "source": table.source,
        "skewed": table.skewed,
        "checksum": table.checksum,
    }
