"""The examples in docstrings do what they say."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import cubelab

ROOT = Path(__file__).parents[1]
#: Run inside another program's interpreter, whose modules they import.
ELSEWHERE = ("bgsage_inside", "gnubg_inside", "__main__")
LEAST = 25


def examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    for found in pkgutil.walk_packages(cubelab.__path__, "cubelab."):
        if not found.name.endswith(ELSEWHERE) and ".kernels" not in found.name:
            for example in finder.find(importlib.import_module(found.name)):
                if any(not step.options.get(doctest.SKIP) for step in example.examples):
                    yield example


EXAMPLES = {example.name: example for example in examples()}


def test_the_main_names_have_examples():
    assert len(EXAMPLES) >= LEAST


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name, monkeypatch):
    monkeypatch.chdir(ROOT)  # examples name files of the repository
    said = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    runner.run(EXAMPLES[name], out=said.append, clear_globs=False)
    assert not runner.failures, "".join(said)
