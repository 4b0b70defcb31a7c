"""OGID: real ids before and after an action, every field both ways, refusals."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import situations

from cubelab.errors import CubelabError, NotationError
from cubelab.game import Cube, Offer, Owner, Play, Position, Rules, Situation
from cubelab.notation import ogid

#: Ids before a play, the play, ids after it: a few plies of a record written by GammonView (MIT).
PLAYED = [
    (
        "11ccccchhhjjjjj:66666888dddddoo:N0N:45:W:IB:0:0:0:0",
        "24/20 13/8",
        "11ccccchhhjjjjj:666668888ddddko:N0N::B:C:0:0:0:1",
    ),
    (
        "11ccccchhhjjjjj:666668888ddddko:N0N:56:B:R:0:0:0:1",
        "24/18 18/13",
        "1cccccchhhjjjjj:666668888ddddko:N0N::W:C:0:0:0:2",
    ),
    (
        "55iijjkkmmmnnno:22334446667ddll:B1N:12:B:R:1:1:0:25",
        "20/18* 2/1",
        "57iijjkkmmmnnoo:2233444666ddllp:B1N::W:C:1:1:0:26",
    ),
]


@pytest.mark.parametrize(("before", "text", "after"), PLAYED)
def test_real_ids_follow_one_another(before, text, after):
    situation, reached = ogid.decode(before), ogid.decode(after)
    play = Play.parse(text, situation.position, situation.dice)
    assert play.after.flip() == reached.position
    assert (reached.turn, reached.dice) == (-situation.turn, None)
    assert reached.cube == situation.cube.flip()


def test_doubling():
    # White doubles, Black takes, White rolls 22.
    before = ogid.decode("15chhiijjkkmmnn:4666666888dddll:N0N::B:C:1:1:0:15")
    offered = ogid.decode("15chhiijjkkmmnn:4666666888dddll:N0O::W:D:1:1:0:15")
    rolled = ogid.decode("15chhiijjkkmmnn:4666666888dddll:B1T:22:B:R:1:1:0:15")
    assert offered == before.with_(offer=Offer.DOUBLE)
    assert rolled == before.with_(cube=2, owner=Owner.OPPONENT, dice=(2, 2))
    assert before.turn == -1


def test_same_as_xgid():
    # The opening 31 by the top player, as two programs write it.
    written = ogid.decode("11ccccchhhjjjjj:66666888dddddoo:N0N:13:B:R:0:0:0:0")
    xgid = Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:0:0:6")
    assert written.with_(dice=(3, 1)) == xgid
    assert ogid.encode(xgid) == "OGID=11ccccchhhjjjjj:66666888dddddoo:N0N:13:B:R:0:0:0:0"


def test_bars_scores_and_stages():
    s = ogid.decode("00jjj:66ppp:W2N:61:B:R:3:6:7C")
    assert (s.position.board[25], s.position.board[0], s.position.board[6]) == (2, -3, 3)
    assert (s.match.mover_score, s.match.opponent_score, s.match.length, s.match.crawford) == (3, 6, 7, True)
    assert s.cube == Cube(4, Owner.MOVER)
    assert ogid.decode("00jjj:66ppp:W2N:61:W:R:3:6:7L").match.post_crawford
    assert ogid.decode("00jjjqq:66ppp:N0N::W").match.money
    assert ogid.decode("00jjj:66ppp:N0N::W:C:0:0:0G9:0:15").match.money
    assert not ogid.decode("00jjj:66ppp:D0N::W").match.rules.cube_in_use


@given(situations())
def test_values_to_text_and_back(situation):
    situation = replace(
        situation,
        match=replace(situation.match, rules=Rules()),  # the id has neither cap nor Jacoby nor beavers
        dice=situation.dice and tuple(sorted(situation.dice)),
        offer=situation.offer and Offer.DOUBLE,
    )
    text = ogid.encode(situation)
    assert ogid.decode(text) == situation
    assert ogid.encode(ogid.decode(text.removeprefix("OGID="))) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("11ccc", "has 1 field between colons, it needs 5 to 11"),
        ("00jjj:66ppp:X0N::W", "cube 'X0N'"),
        ("00jjj:66ppp:N0N:07:W", "dice '07'"),
        ("00jjj:66ppp:N0N::x", "neither W nor B"),
        ("00jjz:66ppp:N0N::W", "letter 'z' of the white checkers"),
        ("00jjj:660:N0N::W", "other side's bar"),
        ("00jjj:66j:N0N::W", "both sides stand"),
        ("0000000000000000:66j:N0N::W", "16 checkers"),
        ("00jjj:66ppp:N0N::W:C:x:0:7", "white score 'x'"),
        ("00jjj:66ppp:N0N::W:C:0:0:seven", "length 'seven'"),
        ("00jjj:66ppp:N0N::W:C:0:0:7C", "neither side is one point away"),
        ("00jjj:66ppp:N0N::W:C:0:0:7:0:10", "only 15"),
    ],
)
def test_bad_texts_are_refused_in_a_sentence(text, reason):
    with pytest.raises(CubelabError, match=reason):
        ogid.decode(text)


def test_what_the_id_cannot_hold():
    start = Situation(Position.start())
    for situation in (start.with_(offer=Offer.BEAVER), replace(start, resigned=1)):
        with pytest.raises(NotationError, match="cannot hold a pending"):
            ogid.encode(situation)


@given(st.data(), situations())
def test_mutated_texts_are_read_or_refused(data, situation):
    text = list(ogid.encode(situation.with_(offer=None)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(5, len(text) - 1))
        text[place] = data.draw(st.sampled_from("0123456789:abkpqWBNDCL?") | st.characters(codec="utf-8"))
    try:
        read = ogid.decode("".join(text))
    except CubelabError:
        return
    assert ogid.decode(ogid.encode(read)).position == read.position
