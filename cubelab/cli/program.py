"""How the program as a whole behaves: exit statuses, failures as sentences, no tracebacks."""

from __future__ import annotations

import contextlib
import os
import sys
import unicodedata
from typing import Any

import click

from ..errors import CubelabError

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130
#: Set to see the traceback of an unexpected error.
DEBUG_VARIABLE = "CUBELAB_DEBUG"
_LONGEST = 400


def plain(text: object, longest: int = _LONGEST) -> str:
    """Text from outside made safe for a terminal: control and invisible characters shown as ``?``, cut when long.

    Parameters
    ----------
    text : object
        Shown with `str`.
    longest : int
        Characters kept.
    """
    shown = "".join(
        " " if character.isspace() else "?" if unicodedata.category(character)[0] == "C" else character
        for character in str(text)[: longest + 1]
    )
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def say(sentence: object) -> None:
    """Print a sentence on stderr; a stderr that is gone is no reason to fail."""
    with contextlib.suppress(OSError, ValueError):
        print(f"cubelab: {plain(sentence, 2000)}", file=sys.stderr, flush=True)


class Program(click.Group):
    """Command group that ends every failure with a sentence and the right exit status.

    0 done, 1 some inputs failed, 2 wrong usage, 130 interrupted.
    """

    def main(self, *args: Any, standalone_mode: bool = True, **kwargs: Any) -> Any:
        """As click's, with one sentence for wrong usage, and output that cannot fail for lack of a character."""
        _open_missing_streams()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        if not standalone_mode:
            return super().main(*args, standalone_mode=False, **kwargs)  # type: ignore[call-overload]
        try:
            status = super().main(*args, standalone_mode=False, **kwargs)  # type: ignore[call-overload]
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            status = WRONG_USAGE
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else self.name
            say(f"{error.format_message().rstrip('.')} ({path} --help says more)")
            status = WRONG_USAGE
        except click.Abort:
            say("interrupted")
            status = INTERRUPTED
        except OSError as error:  # the help or the version had nowhere to go
            say(file_problem(error))
            _discard_stdout()
            status = FAILED
        sys.exit(status if isinstance(status, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and turn whatever happens into an exit status."""
        try:
            status = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _discard_stdout()
            status = 0
        except KeyboardInterrupt:
            _discard_stdout()
            say("interrupted")
            status = INTERRUPTED
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except CubelabError as error:
            say(error)
            status = FAILED
        except OSError as error:
            say(file_problem(error))
            _discard_stdout()
            status = FAILED
        except Exception as error:
            if os.environ.get(DEBUG_VARIABLE):
                raise
            say(
                f"unexpected {type(error).__name__}: {error}; this is a fault of cubelab "
                f"(set {DEBUG_VARIABLE}=1 to see where it happened)"
            )
            status = FAILED
        ctx.exit(status if isinstance(status, int) else 0)


def file_problem(error: OSError) -> str:
    """A file error as a sentence: the file's name and the system's reason."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else f"input or output failed: {reason}"


def _open_missing_streams() -> None:
    """Streams that the caller closed (``<&-``, ``>&-``) hold nothing and swallow everything."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _discard_stdout() -> None:
    """Let what is still buffered go nowhere, so that the interpreter does not fail on it when it ends."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
