"""What can be said of the documentation without building it, which `.ci/run` does."""

import re
from pathlib import Path

import pytest

import cubelab

SITE = Path(__file__).parents[1] / "notebooks" / "site"
REFERENCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted((SITE / "api").glob("*.md")))


@pytest.mark.parametrize("name", sorted({*cubelab.__all__} - {"__version__", "CubelabError"}))
def test_every_public_name_is_in_the_reference(name):
    assert re.search(rf"^\.\. auto(class|function):: (\S+\.)?{name}$", REFERENCE, re.M)


@pytest.mark.parametrize("name", sorted({*cubelab.plot.__all__} - {"THEMES"}))
def test_every_chart_is_in_the_reference(name):
    assert re.search(rf"^\.\. auto(class|function):: {name}$", REFERENCE, re.M)


def test_nothing_is_fetched_from_elsewhere():
    for path in SITE.rglob("*"):
        if path.suffix in (".py", ".css"):
            assert "http" not in path.read_text(encoding="utf-8"), path.name
