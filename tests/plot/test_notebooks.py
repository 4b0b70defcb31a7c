"""The notebooks are stored without outputs and run from a clean start; `.ci/run` sees to that by building the site."""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def by_name(path):
    return path.stem


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 7


@pytest.mark.parametrize("path", NOTEBOOKS, ids=by_name)
def test_stored_without_outputs(path):
    for cell in cells(path):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=by_name)
def test_cells_run_in_order(path, monkeypatch):
    """In this process, which needs no documentation tools."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    monkeypatch.chdir(FOLDER)
    shown = []
    names = {"display": shown.append, "__name__": "__main__"}
    try:
        for number, cell in enumerate(cells(path), start=1):
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)
    finally:
        pyplot.close("all")
    assert all(hasattr(thing, "_repr_html_") for thing in shown)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=by_name)
def test_runs_in_a_kernel(path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(FOLDER)}}).execute()
    charts = sum("cl.plot." in cell.source and cell.source.rstrip().endswith(";") for cell in book.cells)
    pictures = sum("image/png" in output.get("data", {}) for cell in book.cells for output in cell.get("outputs", []))
    assert pictures >= charts, "a chart was drawn but not shown"
