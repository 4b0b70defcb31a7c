"""The examples in docstrings do what they say."""

import doctest
import importlib
import re
import shutil
from pathlib import Path

import pytest

import cubelab

ROOT = Path(__file__).parents[1]
#: Run inside another program's interpreter, whose modules they import.
ELSEWHERE = ("bgsage_inside", "gnubg_inside")
LEAST = 25


def modules():
    """Names of the modules that have an example."""
    package = Path(cubelab.__file__).parent
    for path in sorted(package.rglob("*.py")):
        if ">>> " in path.read_text(encoding="utf-8") and path.stem not in ELSEWHERE:
            parts = path.relative_to(package.parent).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    for name in modules():
        for example in finder.find(importlib.import_module(name)):
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


def test_the_python_of_the_readme(tmp_path, monkeypatch):
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S).group(1)
    shutil.copytree(ROOT / "data" / "matches", tmp_path / "data" / "matches")
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(code, "README.md", "exec"), names)
    assert names["d"].cube_allowed
    assert {"report.html", "take-points.png"} <= {path.name for path in tmp_path.iterdir()}
