"""Telling what a text is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import situations

from cubelab.errors import CubelabError, NotationError
from cubelab.game import Situation
from cubelab.notation import ogid, parse_situation

XGID = "-b----E-C---eE---c-e----B-:1:1:1:31:3:5:0:7:10"
FROM_XGID = Situation.from_xgid(XGID)
GNUID = "4HPwATDgc/ABMA:URHgAFAAGAAE"


@pytest.mark.parametrize(
    "text",
    [
        XGID,
        f"XGID={XGID}",
        f"  xgid={XGID}\n",
        f"XGID = {XGID}",
        f"'XGID={XGID}'",
        f"XGID={XGID}\nX:Anna   O:Ben\nScore is …",
    ],
)
def test_xgid(text):
    assert parse_situation(text) == FROM_XGID


@pytest.mark.parametrize(
    "text",
    [
        GNUID,
        f"GNUBG ID: {GNUID}",
        f'"{GNUID}"',
        "Position ID: 4HPwATDgc/ABMA Match ID: URHgAFAAGAAE",
        " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : URHgAFAAGAAE\n +12-11-10--9",
        " Position-ID: 4HPwATDgc/ABMA    Match-ID: URHgAFAAGAAE",
    ],
)
def test_gnu_ids(text):
    assert parse_situation(text) == Situation.from_gnuid(GNUID)


@pytest.mark.parametrize("text", ["4HPwATDgc/ABMA", "Position ID: 4HPwATDgc/ABMA", "4HPwATDgc/ABMA=="])
def test_bare_position_id(text):
    assert parse_situation(text) == Situation.from_gnuid("4HPwATDgc/ABMA")


@pytest.mark.parametrize("text", [ogid.EXAMPLE, f"OGID={ogid.EXAMPLE}", f"ogid: {ogid.EXAMPLE}"])
def test_ogid(text):
    assert parse_situation(text) == ogid.decode(ogid.EXAMPLE)


@given(situations())
def test_every_text_of_a_situation_is_recognised(situation):
    before = situation.with_(offer=None)
    for text, read in ((situation.xgid, Situation.from_xgid), (ogid.encode(before), ogid.decode)):
        bare = text.partition("=")[2]
        assert parse_situation(text) == parse_situation(bare) == read(text)
    assert parse_situation(before.gnuid) == Situation.from_gnuid(before.gnuid)
    assert parse_situation(before.position.id).position == before.position


@pytest.mark.parametrize(
    "text", ["", "   ", "hello", "match.mat", "4HPwATDgc/ABM", "13/7 8/7", "31", ":::::::::", "\x00\xff"]
)
def test_other_texts_are_told_the_forms_with_examples(text):
    with pytest.raises(NotationError) as caught:
        parse_situation(text)
    message = str(caught.value)
    assert all(form in message for form in ("XGID=-b----E-C", "4HPwATDgc/ABMA:", "a bare position id", "an OGID"))
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1", "has 4 fields between colons, it needs 10, such as XGID="),
        ("-b----E-C---eE---c-e----B-:0:0:1", "has 4 fields"),
        ("XGID=-b----E-C---eE", "has 1 field"),
        ("4HPwATDgc/ABMA:URHgAFA", "match id 'URHgAFA' is not 12 base64 characters"),
        ("Position ID: 4HPwATDgc", "position id '4HPwATDgc' is not 14 base64 characters"),
        ("OGID=11ccccchhh", "has 1 field between colons, it needs 5"),
    ],
)
def test_a_damaged_id_is_told_what_is_wrong(text, reason):
    with pytest.raises(CubelabError, match=reason):
        parse_situation(text)


@given(st.text(max_size=80) | st.text(st.sampled_from("XGIDO=:-0123456789aAbBeE/+ NW"), max_size=80))
def test_any_text_is_read_or_refused(text):
    try:
        parse_situation(text)
    except CubelabError as error:
        assert "\n" not in str(error)  # noqa: PT017


@given(st.data(), situations())
def test_mutated_ids_are_read_or_refused(data, situation):
    before = situation.with_(offer=None)
    text = list(data.draw(st.sampled_from((situation.xgid, before.gnuid, ogid.encode(before)))))
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 2))] = data.draw(st.text(max_size=2))
        if not text:
            return
    try:
        parse_situation("".join(text))
    except CubelabError:
        return
