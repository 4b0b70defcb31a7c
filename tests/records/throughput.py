"""Many matches read one after the other: how many a second, and whether memory stays flat. By hand::

    python -m tests.records.throughput --count 2000 [--replay]

Copies of all files of the collection, players renamed where the format is text.
"""

from __future__ import annotations

import argparse
import random
import resource
import string
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from cubelab.records import read_match, replay_games

from .expected import COLLECTION

FOLDERS = ("mat", "xg", "bgf", "ogxm", "sgf", "gnubg_txt")
TEXTS = (".mat", ".txt", ".sgf", ".gva")


def renamed(data: bytes, players: tuple[str, str], dice: random.Random) -> bytes:
    """The file with other names of the same length, so that its columns stay where they are."""
    for name in players:
        if len(name) > 2:
            other = "".join(dice.choice(string.ascii_letters) for _ in name)
            data = data.replace(name.encode(), other.encode())
    return data


def memory() -> float:
    """Megabytes in use now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--replay", action="store_true", help="follow every game under the rules too")
    chosen = parser.parse_args()
    files = [path for folder in FOLDERS for path in sorted((COLLECTION / folder).iterdir())]
    names = {path: read_match(path).players for path in files}
    dice = random.Random(1)
    with TemporaryDirectory() as folder:
        copies = []
        for number in range(chosen.count):
            path = files[number % len(files)]
            data = path.read_bytes()
            copy = Path(folder) / f"{number}{path.suffix}"
            copy.write_bytes(renamed(data, names[path], dice) if path.suffix in TEXTS else data)
            copies.append(copy)
        started, games, begin = time.process_time(), 0, time.monotonic()
        for number, copy in enumerate(copies, 1):
            record = read_match(copy)
            games += len(record.games)
            if chosen.replay:
                for _ in replay_games(record):
                    pass
            if number % (chosen.count // 8) == 0:
                took = time.process_time() - started
                print(f"{number:5d} matches  {number / took:7.1f} a second of CPU  {memory():7.1f} MB", flush=True)
        took = time.process_time() - started
        wall = time.monotonic() - begin
        print(f"{chosen.count} matches, {games} games, {took:.1f} s CPU, {wall:.1f} s on the clock")


if __name__ == "__main__":
    main()
