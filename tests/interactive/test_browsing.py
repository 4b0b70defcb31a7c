"""Walking through decisions: filters and steps, without widgets."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cubelab.errors import CubelabError
from cubelab.interactive.browsing import Browsing, Item

ITEMS = (
    Item("double", "Ann", 0.0),
    Item("play", "Ann", 0.031),
    Item("double", "Bob", 0.12),
    Item("take", "Ann", 0.05),
    Item("play", "Bob", math.nan),
    Item("play", "Bob", 0.02),
)


def filtered(**values):
    browsing = Browsing(ITEMS)
    for name, value in values.items():
        browsing = browsing.after({"type": "filter", "name": name, "value": value})
    return browsing


@pytest.mark.parametrize(
    ("filters", "shown"),
    [
        ({}, (0, 1, 2, 3, 4, 5)),
        ({"least": 0.02}, (1, 2, 3, 5)),
        ({"kind": "play"}, (1, 4, 5)),
        ({"player": "Ann", "least": 0.04}, (3,)),
        ({"order": "size"}, (2, 3, 1, 5, 0, 4)),
        ({"least": 0.5}, ()),
    ],
)
def test_filters(filters, shown):
    assert filtered(**filters).shown == shown


def test_steps_stop_at_the_ends():
    browsing = Browsing(ITEMS)
    assert browsing.after({"type": "step", "by": -1}).current == 0
    assert browsing.after({"type": "go", "place": 99}).current == 5
    assert browsing.after({"type": "step", "by": 2}).current == 2


def test_a_filter_keeps_the_decision_where_it_can():
    at_take = Browsing(ITEMS).after({"type": "go", "place": 3})
    assert at_take.after({"type": "filter", "name": "player", "value": "Ann"}).current == 3
    assert at_take.after({"type": "filter", "name": "kind", "value": "play"}).current == 1


def test_nothing_left():
    assert filtered(least=0.5).current is None
    assert filtered(least=0.5).after({"type": "step", "by": 1}).current is None


@pytest.mark.parametrize(
    "event",
    [
        {"type": "filter", "name": "kind", "value": "resign"},
        {"type": "filter", "name": "player", "value": "Cid"},
        {"type": "filter", "name": "least", "value": -1},
        {"type": "filter", "name": "least", "value": math.nan},
        {"type": "jump"},
    ],
)
def test_what_is_refused(event):
    with pytest.raises(CubelabError):
        Browsing(ITEMS).after(event)


@given(
    st.lists(
        st.builds(Item, st.sampled_from(["double", "take", "play"]), st.sampled_from("AB"), st.floats(0, 1)), min_size=1
    ),
    st.floats(0, 1),
    st.lists(st.integers(-3, 3), max_size=5),
)
def test_what_is_shown_passes(items, least, steps):
    browsing = Browsing(tuple(items)).after({"type": "filter", "name": "order", "value": "size"})
    browsing = browsing.after({"type": "filter", "name": "least", "value": least})
    for by in steps:
        browsing = browsing.after({"type": "step", "by": by})
    errors = [items[number].error for number in browsing.shown]
    assert errors == sorted(errors, reverse=True)
    assert all(error >= least for error in errors)
    assert browsing.current is None or browsing.current in browsing.shown
