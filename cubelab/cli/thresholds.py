"""``cubelab points``: take, double, cash and too-good points at a score."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from .answers import to_json
from .combining import refuse_idle
from .inputs import chosen_met, chosen_model
from .printing import percent, print_table, print_text
from .rule_options import RuleChanges, rule_options

if TYPE_CHECKING:
    from ..cube.points import CubePoints
    from ..game import Cube, MatchState

_SCORE = re.compile(r"(\d{1,5})\s*-\s*(\d{1,5})\s*/\s*(\d{1,5})")
#: What both sides still need: 3-away/5-away, 3a5a.
_AWAY = re.compile(r"(\d{1,5})\s*-?\s*a(?:way)?\s*[-/,]?\s*(\d{1,5})\s*-?\s*a(?:way)?", re.IGNORECASE)
_SIDES = ("mover", "opponent")
_ROWS = {
    "take": "take point",
    "beaver": "beaver point",
    "double": "double point",
    "redouble": "redouble point",
    "cash": "cash point",
    "too_good": "too-good point",
}


@click.command(short_help="Take, double, cash and too-good points, gammon prices.")
@click.option(
    "--score",
    metavar="A-B/LEN",
    help="Points of the mover and the opponent, and the match length: 3-5/7; or what they need: 4-away/2-away.",
)
@click.option("--money", is_flag=True, help="Money play instead of a score.")
@click.option("--crawford", is_flag=True, help="This is the Crawford game.")
@click.option("--cube", "value", type=int, default=1, show_default=True, help="Cube value.")
@click.option(
    "--owner",
    type=click.Choice(("me", "them", "centre")),
    default="centre",
    show_default=True,
    help="Who owns the cube: the mover (me), the opponent (them), nobody.",
)
@click.option(
    "--gammons",
    default="0,0",
    show_default=True,
    metavar="G,g",
    help="Shares of gammons: mover's wins, opponent's wins.",
)
@click.option("--met", "met_name", metavar="NAME|FILE", help="Match equity table. Default: kazaross-xg2.")
@click.option(
    "--model", "model_name", metavar="janowski[:X]|dead|live", help="Of the column model. Default: janowski:0.68."
)
@rule_options
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def points(
    score: str | None,
    money: bool,
    crawford: bool,
    value: int,
    owner: str,
    gammons: str,
    met_name: str | None,
    model_name: str | None,
    changes: RuleChanges,
    as_json: bool,
) -> None:
    """Take, double, cash and too-good points of both sides, and gammon prices.

    \b
    Examples:
      cubelab points --score 3-5/7 --gammons 0.2,0.15
      cubelab points --score 4-away/2-away
      cubelab points --money --cube 2 --owner me
    """
    from ..cube.models import Janowski
    from ..cube.points import cube_points
    from ..errors import CubelabError
    from ..game import Cube
    from ..game.situation import checked_owner
    from ..score import Stakes

    if money == (score is not None):
        raise click.UsageError("give either --score A-B/LEN or --money")
    if money:
        refuse_idle("met_name", "crawford", why="is for a score: leave out --money")
    else:
        refuse_idle("jacoby", "beavers", why="is for money play: leave out --score")
    met, model = chosen_met(met_name), chosen_model(model_name) or Janowski()
    try:
        match = _match(score, crawford, changes)
        cube = Cube(value, checked_owner(owner))
        found = cube_points(_shares(gammons), Stakes.of(match, cube, met), model)
    except CubelabError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        print(to_json(_document(found, match, cube, owner)))
    else:
        _show(found, match, cube, _shares(gammons))


def _match(score: str | None, crawford: bool, changes: RuleChanges) -> MatchState:
    from ..game import MatchState, Rules

    rules = changes.rules(Rules(), money=True)
    if score is None:
        return MatchState(crawford=crawford, rules=rules)
    if away := _AWAY.fullmatch(score.strip()):
        needs = tuple(map(int, away.groups()))
        length = max(needs)
        mine, theirs = (length - need for need in needs)
    elif found := _SCORE.fullmatch(score.strip()):
        mine, theirs, length = map(int, found.groups())
    else:
        raise click.BadParameter(f"{score!r} is not like 3-5/7 or 4-away/2-away", param_hint="--score")
    if length == 0:
        raise click.BadParameter("a match has at least 1 point; use --money", param_hint="--score")
    return MatchState(length, mine, theirs, crawford, rules)


def _shares(text: str) -> tuple[float, float]:
    try:
        mine, theirs = (float(part) for part in text.split(","))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not two shares like 0.2,0.15", param_hint="--gammons") from None
    return mine, theirs


def _document(found: CubePoints, match: MatchState, cube: Cube, owner: str) -> dict[str, Any]:
    return {
        "score": match.score_text,
        "cube": cube.value,
        "owner": owner,
        **found.to_dict(),
        "met": found.stakes.met_name,
        "model": str(found.model),
    }


def _show(found: CubePoints, match: MatchState, cube: Cube, gammons: tuple[float, float]) -> None:
    owner = {1: "the mover's", 0: "centred", -1: "the opponent's"}[int(cube.owner)]
    # A live cube's points depend on how often it can still be turned; at a score the score limits that.
    cap = f", cubes up to {match.rules.cube_cap}" if match.money else ""
    print_text(f"{match.score_text}, cube {cube.value}, {owner}{cap}; win chances of the side named, in %")
    shares = ", ".join(f"{percent(share, 0)} of the {side}'s wins" for share, side in zip(gammons, _SIDES, strict=True))
    print_text(
        f"gammons: {shares}" if any(gammons) else "no gammons (--gammons 0.2,0.15 gives their shares of the wins)"
    )
    for title, side in (("mover", found.mover), ("opponent", found.opponent)):
        rows, reasons = [], dict[str, list[str]]()
        for name, words in _ROWS.items():
            point = getattr(side, name)
            if name == "beaver" and not match.rules.beavers:
                continue
            if point.exists:
                rows.append((words, *(percent(share, 2) or "–" for share in (point.dead, point.live, point.model))))
            else:
                reasons.setdefault(str(point.reason), []).append(words.removesuffix(" point"))
        print()
        if rows:
            print_table((title, "dead", "live", "model"), rows, right={"dead", "live", "model"})
        else:
            print(title)
        for reason, names in reasons.items():
            print_text(f"no {', '.join(names)} point: {reason}")
        prices = side.prices
        if prices.gammon is not None:
            print(f"gammon price {prices.gammon:.3f}, backgammon price {prices.backgammon:.3f}")
    print()
    print_text(f"model {found.model}" + (f", {found.stakes.met_name}" if found.stakes.met_name else ""))
