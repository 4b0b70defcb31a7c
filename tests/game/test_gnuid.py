"""GNU Backgammon's position and match id: known ids, every field both ways, E71."""

import base64
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import situations

from cubelab import game
from cubelab.errors import CubelabError, NotationError
from cubelab.game import Cube, MatchState, Offer, Owner, Position, Rules, Situation

START = "4HPwATDgc/ABMA"


def test_the_example_of_the_manual():
    # GNU Backgammon manual, "A technical description of the match ID": score 2-4 to 9, player 0 holds a 2-cube and
    # player 1 has rolled 52.
    s = Situation.from_gnuid(f"{START}:QYkqASAAIAAA")
    assert (s.turn, s.dice) == (1, (5, 2))
    assert (s.match.mover_score, s.match.opponent_score, s.match.length) == (4, 2, 9)
    assert s.cube == Cube(2, Owner.OPPONENT)
    assert not s.match.crawford


@pytest.mark.parametrize(
    ("gnuid", "xgid"),
    [  # printed side by side by BGBlitz; the last two differ in the Jacoby bit
        ("b9sBCIC5bYDQAA:QYnoAGAAGAAE", "-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAA", "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAE", "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"),
    ],
)
def test_same_as_xgid(gnuid, xgid):
    s = Situation.from_gnuid(gnuid)
    other = Situation.from_xgid(xgid)
    assert s.with_(dice=None) == other.with_(dice=None)
    assert set(s.dice or ()) == set(other.dice or ())  # BGBlitz writes them in another order in each
    assert s.gnuid == gnuid


@pytest.mark.parametrize(("match_id", "jacoby"), [("cAkAAAAAAAAA", True), ("cAkAAAAAAAAE", False)])
def test_jacoby_bit_says_not(match_id, jacoby):
    assert Situation.from_gnuid(f"{START}:{match_id}").match.rules.jacoby is jacoby


def test_jacoby_bit_means_nothing_in_a_match():
    written = Situation(Position.start(), match=MatchState(7, 1, 2, rules=Rules(cube_cap=1024))).gnuid
    for last in "AE":
        assert Situation.from_gnuid(written[:-1] + last).match.rules.jacoby is False


@pytest.mark.parametrize(
    ("text", "scores", "stage"),
    [  # CASES B22: post-Crawford, the leader needs one point
        ("4NvgATDgc/ADIA:cBHgAGAAGAAA", {3, 6}, True),
        ("mGfwATDgc+IBIQ:cBHgAGAAKAAA", {5, 6}, True),
    ],
)
def test_real_ids(text, scores, stage):
    match = Situation.from_gnuid(text).match
    assert {match.mover_score, match.opponent_score} == scores
    assert match.post_crawford is stage


def test_a_pending_double_keeps_the_doubler_on_roll():
    s = Situation(Position.start(), Cube(), MatchState(7, 3, 5, rules=Rules(cube_cap=1024)), offer=Offer.DOUBLE)
    for turn in (1, -1):
        both = Situation.from_gnuid(Situation(s.position, s.cube, s.match, None, s.offer, turn).gnuid)
        assert (both.offer, both.turn, both.match) == (Offer.DOUBLE, turn, s.match)


def test_bare_position_id_is_money_with_a_centred_cube():
    s = Situation.from_gnuid(START)
    assert s.match.money
    assert s.cube == Cube()
    assert not s.match.rules.jacoby
    assert s.dice is None


@given(situations(), st.integers(0, 3))
def test_values_to_text_and_back(situation, resigned):
    rules = Rules(cube_cap=1024, jacoby=situation.match.rules.jacoby)  # the id has no cap and no beavers
    situation = replace(situation, match=replace(situation.match, rules=rules), resigned=resigned)
    if situation.offer not in (None, Offer.DOUBLE):
        with pytest.raises(NotationError, match="cannot hold a pending"):
            _ = situation.gnuid
        return
    assert Situation.from_gnuid(situation.gnuid) == situation
    assert eval(repr(situation), vars(game)) == situation


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{START}:cAkAAAAAAA", "match id 'cAkAAAAAAA' is not 12 base64 characters"),
        (f"{START}:cAkAAAAAAAA?", "12 base64 characters"),
        (f"{START}:YAkAAAAAAAAA", "cube owner 2"),
        (f"{START}:cIkHAAAAAAAA", "dice 7-1"),
        (f"{START}:cIkBAAAAAAAA", "dice 3-0"),
        (f"{START}:8AngAAAAAAAE", "neither side is one point away"),
        (f"{START}:cAngAHAAAAAE", "not below the match length"),
        ("hello", "14 base64 characters"),
    ],
)
def test_bad_ids(text, reason):
    with pytest.raises(CubelabError, match=reason):
        Situation.from_gnuid(text)


def test_a_score_beyond_the_bits_is_refused():
    s = Situation(Position.start(), match=MatchState(0, 2**15, 0))
    with pytest.raises(NotationError, match="does not fit into the 15 bits"):
        _ = s.gnuid


@given(st.binary(min_size=9, max_size=9))
def test_any_nine_bytes_are_read_or_refused(key):
    try:
        s = Situation.from_gnuid(f"{START}:{base64.b64encode(key).decode()}")
    except CubelabError:
        return
    assert Situation.from_gnuid(s.gnuid) == s
