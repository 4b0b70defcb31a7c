"""The boards of the documentation's gallery, all of them drawn."""

import importlib.util
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

SOURCE = Path(__file__).parents[2] / "notebooks" / "site" / "gallery.py"
SPEC = importlib.util.spec_from_file_location("gallery", SOURCE)
GALLERY = sys.modules[SPEC.name] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(GALLERY)

#: Bytes of an SVG; more would make notebooks with many boards slow.
LARGEST = 30_000


def title(example):
    return example.title


def labels(drawing):
    return [shape for shape in drawing.scene.shapes if hasattr(shape, "text")]


def test_there_are_thirty_different_boards():
    assert len({example.title for example in GALLERY.EXAMPLES}) >= 30


@pytest.mark.parametrize("example", GALLERY.EXAMPLES, ids=title)
def test_drawn_whole_and_small(example):
    drawing = example.draw()
    ElementTree.fromstring(drawing)
    assert len(drawing.encode()) < LARGEST


@pytest.mark.parametrize("example", GALLERY.EXAMPLES, ids=title)
def test_nothing_is_written_over_the_edge(example):
    """Text is at most 0.75 of its size wide a letter."""
    drawing = example.draw()
    for label in labels(drawing):
        width = 0.75 * label.size * len(label.text)
        left = label.centre[0] - {"start": 0, "middle": width / 2, "end": width}[label.anchor]
        assert left > -0.01, label.text
        assert left + width < drawing.scene.width + 0.01, label.text


@pytest.mark.parametrize("example", GALLERY.EXAMPLES, ids=title)
def test_name_and_rules_do_not_meet(example):
    """Bold letters are about 0.62 of their size wide, plain ones 0.58."""
    drawing = example.draw()
    strips = {}
    for label in labels(drawing):
        strips.setdefault(round(label.centre[1], 3), []).append(label)
    for line in strips.values():
        starts = [label for label in line if label.anchor == "start"]
        ends = [label for label in line if label.anchor == "end"]
        for name in starts:
            for words in ends:
                right = name.centre[0] + 0.62 * name.size * len(name.text)
                assert right < words.centre[0] - 0.58 * words.size * len(words.text), name.text


@pytest.mark.parametrize("value", [2, 64, 128, 1024, 65536, 2**20])
def test_a_cube_holds_its_number(value):
    s = GALLERY.cl.Situation(
        GALLERY.cl.Position.start(),
        GALLERY.cl.Cube(value, GALLERY.cl.Owner.MOVER),
        GALLERY.cl.MatchState(rules=GALLERY.cl.Rules(cube_cap=None)),
    )
    drawing = GALLERY.cl.plot.board(s)
    face = next(label for label in labels(drawing) if label.role == "cube_ink")
    box = next(shape for shape in drawing.scene.shapes if shape.role == "cube")
    assert face.text == str(value)
    assert 0.7 * face.size * len(face.text) < box.width
