"""Legal plays: known counts, known corner cases, and a slow twin on random positions."""

import pytest
from hypothesis import example, given, settings
from strategies import dice, positions
from twin_plays import results

from cubelab.errors import NotationError
from cubelab.game import Phase, Play, Position, Situation, apply_hops, legal_plays

START = Position.start()

#: Distinct results of each opening roll: ../shared/corpus/CASES.md, A9.
_COUNTS = """21:15 31:16 41:14 51:8 61:10 32:17 42:18 52:8 62:14 43:17 53:9 63:14 54:9 64:14 65:7
11:42 22:75 33:73 44:52 55:4 66:11"""
OPENING = {roll: int(count) for roll, count in (pair.split(":") for pair in _COUNTS.split())}


def spelled(xgid):
    situation = Situation.from_xgid(xgid)
    return [play.notation for play in situation.position.plays(*situation.dice)]


@pytest.mark.parametrize(("roll", "count"), OPENING.items())
def test_number_of_opening_plays(roll, count):
    plays = legal_plays(START, roll)
    assert len(plays) == count
    assert len({play.after for play in plays}) == count
    assert {play.after.board for play in plays} == results(START.board, int(roll[0]), int(roll[1]))


@pytest.mark.parametrize(
    ("xgid", "expected"),
    [
        pytest.param("----b-M-A-------b-cdd---A-:0:0:1:62:0:0:0:0:10", ["24/22 8/2"], id="A1 both dice"),
        pytest.param("---b------A---------------:0:0:1:61:0:0:0:0:10", ["10/4"], id="A2 the larger die"),
        pytest.param("-b--bAE-C---cD---c-e-----B:0:0:1:51:0:0:0:0:10", ["bar/24 bar/20"], id="A4 two on the bar"),
        pytest.param("b-A-BaC-D---cB---bBcbb--A-:0:0:-1:52:0:0:1:0:10", ["bar/23* bar/20"], id="E73 turn -1, bar"),
        pytest.param("--A--A--------------b-----:0:0:1:63:0:0:0:0:10", ["5/off", "5/off 2/off"], id="5/2/off too"),
        pytest.param("-b-----------------bbbbbbA:0:0:1:66:0:0:0:0:10", [], id="no entry"),
    ],
)
def test_forced_plays(xgid, expected):
    assert spelled(xgid) == expected


def test_every_landing_between_must_be_open():
    # A8: men on 13 and 11, the opponent holds 12; with double 1 only the man on 11 can walk.
    assert spelled("-----------AbA----------b-:0:0:1:11:0:0:0:0:10") == ["11/7"]


def test_no_bearing_off_with_a_checker_outside():
    for play in Situation.from_xgid("-DDD---A---------------b--:0:0:1:61:0:0:0:0:10").position.plays(6, 1):
        assert "off" not in play.notation or "7/" in play.notation


@pytest.mark.parametrize("bad", [(0, 0), (7, 1), (1, 2, 3), "", "0", None, 7, 3.5, ("a", 1), "12 "[:1]])
def test_plays_without_a_roll_are_refused(bad):
    # A6: asking for plays without dice.
    with pytest.raises(NotationError, match="two numbers from 1 to 6"):
        legal_plays(START, bad)
    with pytest.raises(NotationError):
        START.plays(0, 0)


@pytest.mark.parametrize("roll", [(6, 5), (5, 6), "65", 65])
def test_dice_may_be_written_in_many_ways(roll):
    assert {play.after for play in legal_plays(START, roll)} == {play.after for play in START.plays(6, 5)}


def test_a_finished_game_has_no_plays():
    lost = Position((0,) * 6 + (5,) + (0,) * 19)
    assert lost.phase is Phase.OVER
    assert lost.plays(6, 5) == () == lost.flip().plays(6, 5)


@settings(max_examples=120)
@given(positions(), dice)
@example(Position.from_id("M5ugKCECAAAAAA"), (3, 1))  # the last checker can hit, then bear off: both numbers
def test_kernel_agrees_with_the_rules_played_slowly(position, roll):
    plays = position.plays(*roll)
    assert {play.after.board for play in plays} == results(position.board, *roll)
    assert len({play.after for play in plays}) == len(plays)


@settings(max_examples=60)
@given(positions(), dice)
def test_a_play_is_its_hops(position, roll):
    for play in position.plays(*roll):
        assert apply_hops(position, play.hops) == play.after
        assert play.before.pips - play.after.pips <= sum(roll) * (2 if roll[0] == roll[1] else 1)
        assert all(position.board[point] == -1 for point in play.hits)
        assert play.after.board[0] == position.board[0] - len(play.hits)
        assert eval(repr(play)) == play


def test_same_order_each_time():
    again = [play.notation for play in START.plays(3, 1)]
    assert again == [play.notation for play in START.plays(1, 3)]
    assert again[:3] == ["24/23 24/21", "24/23 13/10", "24/23 8/5"]
    assert hash(Play(START, ((24, 21), (21, 20)))) == hash(Play(START, ((24, 23), (23, 20))))
