"""The options that change the rules of a position: ``--jacoby``, ``--beavers``, ``--rule``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

from ..errors import CubelabError
from .program import say

if TYPE_CHECKING:
    from ..game import Rules, Situation

_YES, _NO = ("on", "yes", "true"), ("off", "no", "false")
_EXAMPLES: Final = "cube-cap=4, cube-in-use=off, crawford=off, immediate-redouble=on, backgammon-rule=bar-only"


@dataclass(frozen=True, slots=True)
class RuleChanges:
    """Rules that were asked for.

    Attributes
    ----------
    money : dict
        Switches of money play, which matches do not mind.
    named : dict
        Fields of `Rules` by ``--rule``; what does not go with a match is refused there.
    seen : set of bool
        Grows with use: whether there was money play (True), whether there were matches (False).
    """

    money: dict[str, Any] = field(default_factory=dict)
    named: dict[str, Any] = field(default_factory=dict)
    seen: set[bool] = field(default_factory=set)

    def rules(self, rules: Rules, *, money: bool) -> Rules:
        """`rules` as changed."""
        return replace(rules, **(self.money if money else {}), **self.named)

    def of(self, situation: Situation) -> Situation:
        """A situation under these rules.

        Raises
        ------
        IllegalRules
            They do not go together.
        """
        self.seen.add(situation.match.money)
        if not self.money and not self.named:
            return situation
        return situation.with_(rules=self.rules(situation.match.rules, money=situation.match.money))


def rule_options(command: Callable) -> Callable:
    """Add the switches of money play and ``--rule``; the command gets them as one `RuleChanges` named ``changes``."""

    @wraps(command)
    def with_changes(*args: Any, jacoby: bool | None, beavers: bool | None, rule: dict[str, Any], **others: Any) -> Any:
        money: dict[str, Any] = {}
        if jacoby is not None:
            money["jacoby"] = jacoby
        if beavers is not None:
            money["beavers"] = int(beavers)
        for name in money:
            if name in rule:
                raise click.UsageError(f"--{name} and --rule {name}=… say the same twice: give one of them")
        changes = RuleChanges(money, rule)
        status = command(*args, changes=changes, **others)
        # One option for many positions, of which some may be matches: said only where it served none.
        if changes.seen == {False}:
            for name in money:
                say(f"--{name} changes nothing here: it is a rule of money play, and this is a match")
        if changes.seen == {True} and others.get("met_name") is not None:
            say("--met changes nothing here: money play needs no match equity table")
        return status

    options = (
        click.option("--jacoby/--no-jacoby", default=None, help="Money play: the Jacoby rule or not."),
        click.option("--beavers/--no-beavers", default=None, help="Money play: beavers or not."),
        click.option("--rule", multiple=True, metavar="NAME=VALUE", callback=_read, help=f"Any rule: {_EXAMPLES} …"),
    )
    for option in reversed(options):
        with_changes = option(with_changes)
    return with_changes


def _read(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    """Fields of `Rules` from texts such as ``cube-cap=4``."""
    from ..game import Rules

    known = {one.name: getattr(Rules(), one.name) for one in fields(Rules)}
    found: dict[str, Any] = {}
    for text in given:
        name, _, value = (part.strip().casefold() for part in text.partition("="))
        name = name.replace("-", "_")
        if name not in known or not value:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE with one of {', '.join(known).replace('_', '-')}")
        try:
            found[name] = _value(known[name], value)
            Rules(**{name: found[name]})
        except (CubelabError, ValueError) as error:
            raise click.BadParameter(f"{text!r}: {error}") from None
    return found


def _value(usual: Any, text: str) -> Any:
    """A value like the usual one of that field."""
    if isinstance(usual, bool):
        if text not in (*_YES, *_NO):
            raise ValueError("on or off")
        return text in _YES
    if usual is None or isinstance(usual, int):
        return None if text == "none" else int(text)
    return text.replace("-", " ")
