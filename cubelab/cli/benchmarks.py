"""``cubelab bench``: speed and strength on this machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from ..wording import counted
from .answers import to_json
from .combining import refuse_idle
from .inputs import chosen_met
from .paths import InputPath
from .printing import print_table, print_text, signed
from .startup import Notice, prepare_engine

if TYPE_CHECKING:
    from ..bench.duel import Duel
    from ..bench.rollouts import Comparison, Measured
    from ..bench.speed import Speed
    from ..bench.strength import Errors

_AGAINST = "Beside it, where installed: gnubg, GNU Backgammon."


def _against_option(command: Callable) -> Callable:
    return click.option("--against", type=click.Choice(["gnubg"]), help=_AGAINST)(command)


def _json_option(command: Callable) -> Callable:
    return click.option("--json", "as_json", is_flag=True, help="One JSON document.")(command)


@click.group(invoke_without_command=True, short_help="Speed and strength on this machine.")
@_against_option
@_json_option
@click.pass_context
def bench(context: click.Context, against: str | None, as_json: bool) -> int | None:
    """Speed and strength on this machine; without a command, a short overview.

    Times are processor time of one core, so that other work on the machine matters little.

    \b
    Examples:
      cubelab bench --against gnubg
      cubelab bench duel shipped@0 gnubg@0 --stop-se 0.005
    """
    if context.invoked_subcommand is not None:
        name = context.invoked_subcommand
        refuse_idle("against", "as_json", why=f"stands before {name}, which does not see it: put it behind")
        return None
    prepare_engine(plays=True)
    from ..bench.duel import DuelSettings
    from ..bench.duel import duel as play_duel
    from ..bench.speed import speed as measure

    with Notice("Measuring the speed …") as notice:
        found = measure(against == "gnubg", rounds=3)
        played = None
        if against:
            notice.update("Playing 240 pairs of games against GNU Backgammon …")
            played = play_duel("shipped@0", "gnubg@0", DuelSettings(pairs=240))
    if as_json:
        print(to_json({"speed": found.to_dict(), "duel": None if played is None else played.to_dict()}))
        return 0
    _show_speed(found)
    if played is not None:
        print()
        _show_duel(played)
    return 0


@bench.command(short_help="Evaluations, decisions, process start.")
@_against_option
@_json_option
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Alternating rounds.")
@click.option("--ply", type=click.IntRange(0, 3), default=2, show_default=True, help="Of the cube decisions.")
def speed(against: str | None, as_json: bool, rounds: int, ply: int) -> int:
    """How fast: static evaluations, cube decisions, the start of a process.

    \b
    Example:
      cubelab bench speed --against gnubg
    """
    prepare_engine(plays=True)
    from ..bench.speed import speed as measure

    with Notice("Measuring the speed …"):
        found = measure(against == "gnubg", rounds=rounds, cube_ply=ply)
    if as_json:
        print(to_json(found.to_dict()))
    else:
        _show_speed(found)
    return 0


def _show_speed(found: Speed) -> None:
    def row(title: str, ours: float | None, theirs: float | None, digits: int) -> list[str]:
        cells = [title, *("" if value is None else f"{value:,.{digits}f}" for value in (ours, theirs))]
        return cells if found.against else cells[:2]

    columns = ["", "cubelab", *([found.against] if found.against else [])]
    rows = [
        row(
            "static evaluations a second, real candidates", found.static_per_second, found.against_static_per_second, 0
        ),
        row("the same for many positions at once", found.batch_per_second, None, 0),
        row(f"{found.cube_ply}-ply cube decision, median ms", found.cube_ms, found.against_cube_ms, 2),
        row("process start to first answer, s", found.start_seconds, None, 2),
        row("of it processor time, s", found.start_cpu_seconds, None, 2),
    ]
    print_table(columns, rows, right=set(columns[1:]))
    if found.static_ratio is not None:
        print_text(f"Static evaluations: {found.static_ratio:.1f} times {found.against}, median of alternating rounds.")


@bench.command(short_help="Errors against rolled-out truth.")
@click.argument("file", type=InputPath())
@click.option("--ply", type=click.IntRange(0, 3), default=0, show_default=True, help="Look-ahead.")
@click.option("--weights", type=InputPath(), help="Networks of a file; default: shipped.")
@_against_option
@_json_option
def strength(file: str, ply: int, weights: str | None, against: str | None, as_json: bool) -> int:
    """Errors of the evaluation against a FILE of rolled-out positions, in total and by class.

    The file holds JSON Lines: board (26 numbers, after a play, seen by who played), probs (win, win gammon, win
    backgammon, lose gammon, lose backgammon, cumulative) and se, the standard error of the equity.

    \b
    Example:
      cubelab bench strength rollout_truth.jsonl --ply 1
    """
    from ..bench.strength import errors_against, gnubg_chances, our_chances, read_truth

    truth = read_truth(file)
    prepare_engine()
    with Notice(f"Evaluating {counted(len(truth.boards), 'position')} …"):
        nets = None
        if weights is not None:
            from ..bench.players import load_weights

            nets = load_weights(weights)
        tables = {f"cubelab {ply}-ply": errors_against(truth, our_chances(truth.boards, ply, nets))}
        if against:
            version, chances = gnubg_chances(truth.boards)
            tables[f"{version} 0-ply"] = errors_against(truth, chances)
    if as_json:
        engines = {name: {kind: e.to_dict() for kind, e in table.items()} for name, table in tables.items()}
        print(to_json({"file": file, "errors": engines}))
        return 0
    for number, (name, table) in enumerate(tables.items()):
        print("\n" * (number > 0) + f"{name}, equity errors in points:")
        _show_errors(table)
    return 0


def _show_errors(table: dict[str, Errors]) -> None:
    columns = ("", "positions", "mean abs", "rmse", "bias", "se of truth")
    rows = [
        (kind, str(e.positions), f"{e.mae:.4f}", f"{e.rmse:.4f}", signed(e.bias, 4), f"{e.truth_se:.4f}")
        for kind, e in table.items()
    ]
    print_table(columns, rows, right=set(columns[1:]))
    shown = ", ".join(f"{value:.4f}" for value in table["all"].probability_rmse)
    print_text(f"rmse of win, win gammon, win backgammon, lose gammon, lose backgammon: {shown}")


@bench.command(short_help="Games between two players.")
@click.argument("first", default="shipped@0")
@click.argument("second", default="gnubg@0")
@click.option("--pairs", type=click.IntRange(1), default=960, show_default=True, help="Pairs of games (matches).")
@click.option("--length", type=click.IntRange(0), default=0, show_default=True, help="Match length; 0 is money.")
@click.option("--cube/--no-cube", "cubeful", default=None, help="Play with the cube; default: only matches.")
@click.option("--met", "met_name", metavar="NAME|FILE", help="Match equity table. Default: kazaross-xg2.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True)
@click.option("--stop-se", type=float, help="Stop at this standard error.")
@click.option("--no-luck", is_flag=True, help="Leave the luck of the dice in.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@_json_option
def duel(
    first: str,
    second: str,
    pairs: int,
    length: int,
    cubeful: bool | None,
    met_name: str | None,
    seed: int,
    stop_se: float | None,
    no_luck: bool,
    threads: int,
    as_json: bool,
) -> int:
    """Let two players play: FIRST and SECOND are shipped, gnubg or a weights file, each with @PLY.

    Every pair plays the same dice twice with changed seats, and the luck of the rolls is taken out. Money games are
    without Jacoby.

    \b
    Examples:
      cubelab bench duel shipped@0 gnubg@0 --stop-se 0.005
      cubelab bench duel shipped@1 old-weights.npz@1 --length 7 --pairs 200
    """
    from ..bench.duel import DuelSettings
    from ..bench.duel import duel as play_duel

    if not length:
        refuse_idle("met_name", why="is for matches: give --length")
    settings = DuelSettings(
        pairs=pairs,
        length=length,
        cubeful=bool(length) if cubeful is None else cubeful,
        seed=seed,
        luck=not no_luck,
        met=chosen_met(met_name),
        threads=threads,
        stop_se=stop_se,
    )
    prepare_engine(plays=True)
    with Notice(f"Playing {counted(pairs, 'pair')} …") as notice:

        def report(so_far: Duel) -> None:
            done = len(so_far.raw)
            notice.update(
                f"{done} of {counted(pairs, 'pair')}, {so_far.mean:+.4f} ± {so_far.se:.4f}", done / pairs, counting=True
            )

        played = play_duel(first, second, settings, report)
    if as_json:
        print(to_json(played.to_dict()))
    else:
        _show_duel(played)
    return 0


def _show_duel(played: Duel) -> None:
    def figure(mean: float, se: float) -> str:
        return f"{mean:+.4f} ± {se:.4f}" if played.settings.length == 0 else f"{mean:.4f} ± {se:.4f}"

    settings = played.settings
    what = "money games" if settings.length == 0 else f"matches to {settings.length}"
    cube = "with the cube" if settings.cubeful else "without the cube"
    print_text(
        f"{played.first} against {played.second}: {counted(len(played.raw), 'pair')} of {what} {cube}, {played.unit}"
    )
    rows = [("luck taken out", figure(played.mean, played.se))] if settings.luck else []
    print_table(("", played.first), [*rows, ("as played", figure(played.raw_mean, played.raw_se))], right="all")


@bench.command(short_help="Our rollouts against rolled-out truth.")
@click.argument("file", type=InputPath())
@click.option("--positions", type=click.IntRange(2), default=200, show_default=True, help="Rows, spread over the file.")
@click.option("--trials", type=click.IntRange(2), default=1296, show_default=True, help="Of each.")
@click.option("--ply", type=click.IntRange(0, 2), default=0, show_default=True, help="Look-ahead of plays.")
@click.option("--deep-moves", type=click.IntRange(0), default=4, show_default=True, help="Half-moves played at --ply.")
@_json_option
def truth(file: str, positions: int, trials: int, ply: int, deep_moves: int, as_json: bool) -> int:
    """Cubeless rollouts of rows of a FILE of rolled-out positions (as for `strength`): what differs, by class.

    \b
    Example:
      cubelab bench truth rollout_truth.jsonl
    """
    from ..bench.strength import read_truth
    from ..bench.truth import agreement
    from ..engine.rollout_settings import RolloutSettings

    if not ply:
        refuse_idle("deep_moves", why="changes nothing at 0-ply: give --ply")
    rows = read_truth(file)
    prepare_engine(plays=True)
    settings = RolloutSettings(trials=trials, ply=ply, deep_moves=deep_moves)
    with Notice(f"Rolling out {positions} positions …") as notice:
        found = agreement(
            rows, positions, settings, progress=lambda done: notice.update(f"{done} done,", counting=True)
        )
    if as_json:
        print(to_json({"file": file, "agreement": {kind: a.to_dict() for kind, a in found.items()}}))
        return 0
    columns = ("", "positions", "difference", "± both rollouts", "spread of z", "rms beyond dice")
    cells = [
        (kind, str(a.positions), signed(a.difference, 4), f"{a.error:.4f}", f"{a.spread:.2f}", f"{a.player_rms:.4f}")
        for kind, a in found.items()
    ]
    print_table(columns, cells, right=set(columns[1:]))
    return 0


@bench.command(short_help="Rollouts of the same positions by both.")
@click.argument("positions", nargs=-1, metavar="[POSITIONID...]")
@_against_option
@click.option(
    "--more", type=click.IntRange(1), default=5, show_default=True, help="Our trials, times GNU Backgammon's."
)
@_json_option
def rollout(positions: tuple[str, ...], against: str | None, more: int, as_json: bool) -> int:
    """Rollouts with the same settings by us and, where installed, by GNU Backgammon, on one core.

    Money play without Jacoby, 0-ply play and cube decisions, not doubling at the start. Cost is the squared standard
    error times the seconds: what accuracy costs.

    \b
    Example:
      cubelab bench rollout --against gnubg
    """
    prepare_engine(plays=True)
    from ..bench.rollouts import POSITIONS, compare

    with Notice("Rolling out …") as notice:

        def report(done: Comparison) -> None:
            notice.update(f"{done.position}, {done.mode.title}: done,", counting=True)

        results = compare(positions or POSITIONS, against_gnubg=against == "gnubg", more=more, progress=report)
    if as_json:
        print(to_json([result.to_dict() for result in results]))
        return 0
    columns = ["", "games/s", "se", *(["gnubg games/s", "gnubg se", "speed", "cost"] if against else [])]
    for mode in dict.fromkeys(result.mode for result in results):
        print(f"{mode.title}; {more * mode.trials} trials{f', gnubg {mode.trials}' if against else ''}:")
        print_table(columns, [_rollout_row(r) for r in results if r.mode == mode], right=set(columns[1:]))
    return 0


def _rollout_row(result: Comparison) -> list[str]:
    def cells(measured: Measured) -> list[str]:
        return [f"{measured.games_per_second:.0f}", f"{measured.se:.4f}"]

    row = [result.position, *cells(result.ours)]
    if result.theirs is not None:
        cost = "" if result.cost_ratio is None else f"× {result.cost_ratio:.2f}"
        row += [*cells(result.theirs), f"× {result.speed_ratio:.1f}", cost]
    return row
