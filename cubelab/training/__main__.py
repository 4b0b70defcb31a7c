"""Command line of the training: ``python -m cubelab.training run | generate | export | validate …``."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from .limits import amount, seed, status, whole

DEFAULT_FOLDER = Path(".training")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m cubelab.training",
        description="Train the networks from nothing by self-play, or go on from a checkpoint.",
        epilog="example: nice -n 19 python -m cubelab.training run --hours 8",
    )
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.add_argument("--folder", type=Path, default=DEFAULT_FOLDER, help="training folder (default: .training)")
        sub.add_argument("--seed", type=seed, default=1, help="seed of everything drawn (default: 1)")
        return sub

    sub = command("run", "Train; resumes where the folder's checkpoint stands.")
    sub.add_argument("--hours", type=amount, default=8.0, help="wall time (default: 8)")
    sub.add_argument(
        "--generators", type=whole(1, 256), default=1, help="self-play processes beside the trainer (default: 1)"
    )
    sub.add_argument("--teacher", type=Path, help="snapshot whose networks label, instead of the run's own latest ones")
    sub = command("generate", "One self-play process (started by run).")
    sub.add_argument("--worker", type=whole(0, 255), default=0)
    sub.add_argument("--generators", type=whole(1, 256), default=1)
    sub.add_argument("--parent", type=whole(0, 2**31 - 1), default=0)
    sub.add_argument("--teacher", type=Path)
    sub = command("export", "Write the newest checkpoint's networks to the shipped place.")
    sub.add_argument(
        "--polish", type=amount, default=0.0, help="passes over the latest labels with falling steps first"
    )
    sub = command("validate", "Make the folder's validation set from rollouts of the present networks, or extend it.")
    sub.add_argument("--positions", type=whole(1, 10**6), default=400)
    sub.add_argument("--trials", type=whole(1, 10**6), default=64)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status."""

    def work() -> None:
        options = _parser().parse_args(arguments)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        _run(options)

    return status(work, "the last checkpoint stays")


def _run(options: argparse.Namespace) -> None:
    from . import run as training
    from .labelling import generate
    from .schedule import Schedule
    from .store import Folder

    folder, schedule = Folder(options.folder), Schedule()
    if options.command == "run":
        training.run(options.folder, options.seed, options.generators, options.hours, schedule, options.teacher)
    elif options.command == "generate":
        workers, parent = options.generators, options.parent
        generate(folder, options.seed, options.worker, workers, schedule, parent, teacher=options.teacher)
    elif options.command == "export":
        from .export import export

        fits = None
        if options.polish > 0:
            trainer = training.Trainer(folder, options.seed, schedule)
            trainer.polish(options.polish)
            fits = trainer.fits
        print(export(folder, fits=fits))
    else:
        from .validation import make_validation

        make_validation(folder, options.seed, options.positions, options.trials)


if __name__ == "__main__":
    sys.exit(main())
