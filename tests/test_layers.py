"""Who may import whom (../shared/design/architecture.md), read off the source of every module."""

import ast
import json
import pathlib
import subprocess
import sys

import pytest

PACKAGE = pathlib.Path(__file__).parent.parent / "cubelab"

#: Layers from below: each may import itself and those named. `kernels` is a leaf.
ALLOWED = {
    "errors": set(),
    "wording": set(),
    "writing": {"errors"},
    "arguments": {"errors", "wording"},
    "kernels": set(),
    "game": {"errors", "kernels"},
    "notation": {"errors", "game"},
    "score": {"errors", "game", "kernels"},
    "cube": {"errors", "game", "score", "kernels"},
    "engine": {"errors", "game", "notation", "score", "cube", "kernels"},
    "records": {"errors", "game", "notation"},
    "study": {"errors", "game", "notation", "score", "cube", "engine", "records", "kernels"},
}
_STUDY = set(ALLOWED)
ALLOWED |= {
    "plot": _STUDY,
    "practice": _STUDY | {"plot"},
    "interactive": _STUDY | {"plot"},
    "training": _STUDY,
    "bench": _STUDY,
    "cli": _STUDY | {"plot", "practice", "training", "bench"},
    "__main__": {"cli"},
    # The package itself names modules as text and loads them when first used.
    "__init__": {"errors"},
}

for _above in ALLOWED.keys() - {"errors", "wording", "writing", "arguments", "kernels", "__main__", "__init__"}:
    ALLOWED[_above] |= {"wording", "writing", "arguments"}

#: What may be imported by these layers only when it is used.
HEAVY = ("numba", "llvmlite", "pandas", "matplotlib", "rich")


def modules():
    return sorted(path for path in PACKAGE.rglob("*.py"))


def layer(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def own_imports(path):
    """(line, layer) for each import of ours in a module, those inside functions too."""
    package = path.relative_to(PACKAGE.parent).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: len(package) - node.level + 1]] if node.level else []
            base += node.module.split(".") if node.module else []
            targets = [".".join([*base, alias.name]) for alias in node.names]
        else:
            continue
        for target in targets:
            top, _, rest = target.partition(".")
            # The version may be read anywhere; any other name of the package is reached where it is defined.
            if top == "cubelab" and rest != "__version__":
                name = rest.partition(".")[0]
                known = (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()
                yield node.lineno, name if known and name else "__init__"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_down_only(path):
    here = layer(path)
    assert here in ALLOWED, f"{here} has no place in the layers: add it to architecture.md and here"
    wrong = [
        f"line {line}: {here} imports {target}"
        for line, target in own_imports(path)
        if target != here and target not in ALLOWED[here]
    ]
    assert not wrong


def test_the_walk_sees_imports():
    found = {target for _, target in own_imports(PACKAGE / "game" / "play.py")}
    assert {"errors", "game", "kernels"} <= found


@pytest.mark.parametrize("name", ["", ".game", ".game.play", ".notation", ".score", ".cube", ".records", ".errors"])
def test_light_layers_import_fast(name):
    code = f"import json, sys, cubelab{name}; print(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", f"import cubelab{name}\n{code}"], capture_output=True, text=True, cwd=PACKAGE.parent
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []
