"""``cubelab`` and ``python -m cubelab``: as little as can be before an interrupt is heeded."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # as in the package: typing is slow to load
    from typing import NoReturn

try:
    import os
    import signal
    import sys
except KeyboardInterrupt:
    raise SystemExit(130) from None


def main() -> int:
    """Load the command line and run it; Ctrl-C while it loads is one line and status 130, never a traceback."""
    try:
        given = signal.getsignal(signal.SIGINT)
        if given is signal.default_int_handler:  # not where the caller wants interrupts ignored
            signal.signal(signal.SIGINT, _leave)
        from .cli import main as run

        signal.signal(signal.SIGINT, given)
        return run()
    except KeyboardInterrupt:  # before the first of these lines has done its work, or after the last but one
        _leave()


def _leave(*_: object) -> NoReturn:
    """End at once: nothing has begun, and an exception in the middle of an import may be lost or change its kind."""
    os.write(2, b"cubelab: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
