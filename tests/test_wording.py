"""Numbers in messages: one game, two games."""

import ast
import pathlib
import re

import pytest

from cubelab.wording import counted

PACKAGE = pathlib.Path(__file__).parent.parent / "cubelab"
#: What is named for being too many, or where one was dealt with before; stakes are never singular.
_NEVER_ONE = {
    "cli/match_tables.py: len(self._summaries) matches",
    "cube/many.py: len(stakes) stakes",
    "engine/cache.py: len(data) bytes",
    "game/position.py: sum(counts) checkers",
    "plot/matches.py: len(files) matches",
    "records/archive.py: len(infos) files",
    "records/saved_position.py: len(text) characters",
    "records/read.py: len(found) files",
    "records/source.py: len(line) characters",
    "records/source.py: len(lines) lines",
    "score/met_files.py: len(data) bytes",
}
_PLURAL = re.compile(r" (?:more |other )?[a-z-]+s\b(?<!is)(?<!has)(?<!was)(?<!as)(?<!ss)")


@pytest.mark.parametrize(
    ("number", "words", "text"),
    [
        (0, ("game",), "0 games"),
        (1, ("game",), "1 game"),
        (2, ("game",), "2 games"),
        (1, ("match", "matches"), "1 match"),
        (7, ("match", "matches"), "7 matches"),
    ],
)
def test_counted(number, words, text):
    assert counted(number, *words) == text


def numbers_before_a_plural(path):
    """Places where the length of something stands before a plural word that does not follow it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value, after in zip(node.values, node.values[1:], strict=False):
            if (
                isinstance(value, ast.FormattedValue)
                and isinstance(value.value, ast.Call)
                and getattr(value.value.func, "id", "") in ("len", "sum")
                and isinstance(after, ast.Constant)
                and (word := _PLURAL.match(str(after.value)))
            ):
                yield f"{path.relative_to(PACKAGE).as_posix()}: {ast.unparse(value.value)}{word[0]}"


def test_a_number_of_things_is_never_put_before_a_fixed_plural():
    found = {
        place
        for path in sorted(PACKAGE.rglob("*.py"))
        if "training" not in path.parts
        for place in numbers_before_a_plural(path)
    }
    assert found == _NEVER_ONE
