"""Options that would be without effect beside others: refused, not passed over."""

from __future__ import annotations

import click
from click.core import ParameterSource


def given(name: str) -> bool:
    """Whether a parameter of the command at work was given on the command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def refuse_idle(*names: str, why: str) -> None:
    """Refuse parameters that would change nothing here.

    Parameters
    ----------
    *names : str
        Of the command's parameters, as its function has them.
    why : str
        What follows the option in the sentence: ``is for money play: leave out --score``.

    Raises
    ------
    click.UsageError
        One of them was given.
    """
    for parameter in click.get_current_context().command.params:
        if parameter.name in names and given(parameter.name):
            shown = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
            raise click.UsageError(f"{shown} {why}")
