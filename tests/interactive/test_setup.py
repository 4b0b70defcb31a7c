"""Setting up a board: the reducer alone, without widgets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cubelab.errors import CubelabError
from cubelab.game import Owner, Position, Situation
from cubelab.interactive.picture import board_picture, zones
from cubelab.interactive.setup import BARS, OFF, History, Setup
from cubelab.interactive.terms import Terms

START = Setup.of(Situation(Position.start()))
TREE = "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:61:3:0:0:5:10"
#: Both sides have a closed board and stand on the bar.
DEADLOCK = "XGID=aBBBBBB------------bbbbbbC:0:0:1:00:0:0:0:0:10"


def after(setup, *events):
    for event in events:
        setup = setup.after(event)
    return setup


def add(place, side=1):
    return {"type": "add", "place": place, "side": side}


def remove(place):
    return {"type": "remove", "place": place}


def text(xgid):
    return {"type": "text", "text": xgid}


def control(field, value):
    return {"type": "set", "field": field, "value": value}


@pytest.mark.parametrize("xgid", [TREE, "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:3:0:10"])
def test_ids_go_both_ways(xgid):
    situation = Situation.from_xgid(xgid)
    assert START.after(text(xgid)).situation() == situation
    assert Setup.of(situation).situation() == situation


def test_a_gnu_id_is_read_too():
    # The start, as GNU Backgammon prints it for a new money game.
    assert START.after(text("4HPwATDgc/ABMA:cAkAAAAAAAAA")).situation().position == Position.start()


def test_a_checker_moved_by_clicks():
    """24/18 13/11 by hand, from the bottom seat, against the id of the same position from eXtreme Gammon's letters."""
    moved = after(START, remove(24), add(18), {"type": "move", "start": 13, "end": 11})
    assert moved.situation().xgid.startswith("XGID=-b----E-C--AeD---cAe----A-:")


def test_turning_the_table_moves_no_checker():
    turned = START.after({"type": "turn", "side": -1})
    assert turned.board == START.board
    assert turned.situation().turn == -1
    assert turned.situation().position == Position.start()  # symmetric


def test_terms_stay_with_the_seats_when_the_turn_changes():
    setup = after(START, control("length", 7), control("score_bottom", 3), control("score_top", 5), control("owner", 1))
    mine = setup.situation()
    theirs = setup.after({"type": "turn", "side": -1}).situation()
    assert (mine.match.mover_score, mine.match.opponent_score) == (3, 5)
    assert (theirs.match.mover_score, theirs.match.opponent_score) == (5, 3)
    assert (mine.cube.owner, theirs.cube.owner) == (Owner.MOVER, Owner.OPPONENT)


def test_swapping_seats_is_the_same_decision():
    setup = START.after(text(TREE))
    swapped = setup.after({"type": "swap"})
    before, now = setup.situation(), swapped.situation()
    assert (now.position, now.cube, now.match, now.dice) == (before.position, before.cube, before.match, before.dice)
    assert now.turn == -before.turn
    assert swapped.after({"type": "swap"}) == setup


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([add(6)], "a 16th does not exist"),
        ([remove(2)], "no checker to take away from point 2"),
        ([remove(OFF)], "tray"),
        ([{"type": "move", "start": 2, "end": 3}], "no checker to move"),
        ([text("XGID=-b----P-C")], "XGID"),
        ([text("XGID=-b----E-C---eE---c-e----C-:0:0:1:00:0:0:0:0:10")], "16 checkers"),
        ([text("hello")], "no position text"),
        ([control("length", None)], "nothing is no whole number"),
        ([control("length", 2.5)], "no whole number"),
        ([control("colour", 1)], "nothing an editor can do"),
        ([{"type": "die", "index": 0, "value": 7}], "nothing an editor can do"),
        ([{"type": "fly"}], "nothing an editor can do"),
    ],
)
def test_what_is_refused(events, words):
    with pytest.raises(CubelabError, match=words):
        after(START, *events)


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([{"type": "clear"}], "board is empty"),
        ([{"type": "clear"}, add(6)], "top player has no checkers left: the game is over"),
        ([{"type": "die", "index": 0, "value": 6}], "one die is set and the other is not"),
        ([control("length", 3), control("score_top", 3)], "not below the match length 3"),
        ([control("length", 5), control("crawford", 1)], "neither side is one point away"),
        ([control("score_bottom", -1)], "no number may be negative"),
        ([control("cube", 3)], "power of two"),
        ([control("cube", 128), text(DEADLOCK)], "nobody could ever move"),
        ([control("cube", 128)], "above its cap"),
        ([control("owner", 5)], "cube owner"),
    ],
)
def test_what_is_no_situation_yet_says_why_and_is_drawn(events, words):
    setup = after(START, *events)
    with pytest.raises(CubelabError, match=words):
        setup.situation()
    assert board_picture(setup).startswith("<svg")
    assert len(zones(setup)) == 35


def test_a_point_has_one_owner():
    """A dark checker put on the light six point bears the light ones off."""
    setup = START.after({"type": "remove", "place": 1}).after(add(6, -1))
    assert setup.board[6] == -1
    assert setup.count(1) == 10


def test_each_side_has_its_own_half_of_the_bar():
    setup = after(START, remove(24), add(BARS[-1], 1))
    assert setup.board[BARS[1]] == 1
    assert setup.board[BARS[-1]] == 0


def test_trays_take_and_give():
    borne_off = after(START, {"type": "move", "start": 6, "end": OFF}, {"type": "move", "start": 1, "end": OFF})
    assert (borne_off.count(1), borne_off.count(-1)) == (14, 14)
    back = after(borne_off, {"type": "move", "start": OFF, "end": 6}, {"type": "move", "start": -OFF, "end": 1})
    assert back == START


def test_money_rules_end_where_a_match_begins():
    money = after(START, control("jacoby", 1), control("beavers", 1))
    assert money.situation().xgid.split(":")[7] == "3"
    match = money.after(control("length", 5))
    assert match.situation().match.rules.jacoby is False
    assert match.after(control("crawford", 1)).after(control("length", 0)).situation().match.money


def test_the_cube_is_clicked():
    cube = lambda side: {"type": "cube", "side": side}  # noqa: E731
    mine = after(START, cube(1))
    assert (mine.terms.cube, mine.terms.owner) == (1, 1)
    assert after(mine, cube(1), cube(1)).terms.cube == 4
    assert after(mine, *[cube(1)] * 7).terms.cube == 1  # round again after 64


def test_dice():
    rolled = START.after({"type": "roll"})
    assert rolled.situation().dice == (3, 1)
    assert rolled.after({"type": "die", "index": 1, "value": 3}).situation().dice == (3, 3)
    assert rolled.after({"type": "unroll"}) == START


def test_dice_end_a_pending_double():
    doubled = START.after(text("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10"))
    assert doubled.situation().offer is not None
    assert doubled.after({"type": "roll"}).situation().offer is None


def test_undo_and_redo():
    history = History(START)
    for event in (remove(6), add(5), {"type": "clear"}):
        history = history.after(event)
    undo, redo = {"type": "undo"}, {"type": "redo"}
    assert history.after(undo).after(undo).present.board[6] == 4
    assert history.after(undo).after(redo) == history
    assert history.after(undo).after(undo).after(undo).present == START
    assert History(START).after(undo).refusal == "there is nothing to undo"
    assert not history.after(undo).after(remove(6)).future


def test_a_refused_event_leaves_everything_as_it_was():
    history = History(START).after(remove(6)).after(add(2))
    refused = history.after(add(3))
    assert "16th" in refused.refusal
    assert (refused.present, refused.past) == (history.present, history.past)
    assert refused.after(remove(3)).refusal  # nothing there either
    assert not refused.after(remove(2)).refusal


def test_terms_read_from_a_situation():
    assert Terms.of(Situation.from_xgid(TREE)) == Setup.of(Situation.from_xgid(TREE)).terms
    assert Terms.of(Situation.from_xgid(TREE)).score == (3, 0)


PLACES = st.integers(-1, 27)
SIDES = st.sampled_from([1, -1])
EVENTS = st.one_of(
    st.builds(lambda place, side: {"type": "add", "place": place, "side": side}, PLACES, SIDES),
    st.builds(lambda place: {"type": "remove", "place": place}, PLACES),
    st.builds(lambda start, end: {"type": "move", "start": start, "end": end}, PLACES, PLACES),
    st.builds(lambda side: {"type": "turn", "side": side}, SIDES),
    st.builds(
        lambda index, value: {"type": "die", "index": index, "value": value}, st.integers(0, 1), st.integers(0, 6)
    ),
    st.builds(
        lambda field, value: {"type": "set", "field": field, "value": value},
        st.sampled_from(["length", "score_bottom", "score_top", "crawford", "cube", "owner", "jacoby", "beavers"]),
        st.integers(-1, 5),
    ),
    st.builds(
        lambda kind: {"type": kind}, st.sampled_from(["start", "clear", "swap", "roll", "unroll", "undo", "redo"])
    ),
    st.builds(lambda side: {"type": "cube", "side": side}, st.sampled_from([1, 0, -1])),
)


@given(st.lists(EVENTS, max_size=25))
def test_whatever_is_clicked(events):
    """Nobody ever gets a 16th checker, and whatever is legal survives its id."""
    history = History(START)
    for event in events:
        history = history.after(event)
        setup = history.present
        assert setup.count(1) <= 15
        assert setup.count(-1) <= 15
        assert setup.board[BARS[1]] >= 0 >= setup.board[BARS[-1]]
    try:
        situation = history.present.situation()
    except CubelabError:
        return
    read = Situation.from_xgid(situation.xgid)
    assert (read.position, read.dice, read.turn) == (situation.position, situation.dice, situation.turn)
    assert Setup.of(situation) == history.present


@given(st.lists(EVENTS, max_size=12))
def test_whatever_is_clicked_is_drawn(events):
    history = History(START)
    for event in events:
        history = history.after(event)
    assert board_picture(history.present).count("<circle") >= 2
    assert all(zone["label"] for zone in zones(history.present))


def test_zones_cover_their_checkers():
    """The middle of every checker's disc lies in the zone of its point: a click on what is seen hits it."""
    from cubelab.plot.geometry import Layout
    from cubelab.plot.svg import SCALE

    boxes = {zone["id"]: zone["box"] for zone in zones(START) if zone["kind"] == "place"}
    assert sorted(boxes) == list(range(26))
    for place, (left, top, width, height) in boxes.items():
        for level in range(5):
            x, y = (SCALE * side for side in Layout().checker(place, level))
            assert left <= x <= left + width
            assert top <= y <= top + height
