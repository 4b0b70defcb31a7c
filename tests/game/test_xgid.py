"""XGID: every field both ways (CASES E67 to E73), and one sentence for each kind of bad input."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import situations

from cubelab import game
from cubelab.errors import CubelabError
from cubelab.game import Offer, Owner, Position, Situation

BOARD = "-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    "fields",
    [
        f"{BOARD}:0:0:1:00:0:0:0:0:10",
        f"{BOARD}:0:0:1:00:0:0:0:0:8",
        f"{BOARD}:0:0:1:00:0:0:0:0:0",
        f"{BOARD}:0:0:1:D:0:0:0:0:10",
        f"{BOARD}:1:1:1:B:0:0:3:0:10",
        f"{BOARD}:2:-1:1:R:0:0:2:0:10",
        f"{BOARD}:3:1:-1:61:0:0:1:0:6",
        f"{BOARD}:3:1:-1:16:3:1:0:7:3",
        f"{BOARD}:0:0:1:00:6:5:1:7:10",
        f"{BOARD}:0:0:1:00:6:5:0:7:10",
        f"{BOARD}:0:0:-1:00:12:40:0:0:10",
        "b-A-BaC-D---cB---bBcbb--A-:0:0:-1:52:0:0:1:0:10",
        "-aa---EBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8",
        "b-----E-C---eE---c-e-----B:0:0:1:00:0:0:0:0:10",
        "-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10",
    ],
)
def test_text_to_text(fields):
    assert Situation.from_xgid(f"XGID={fields}").xgid == f"XGID={fields}"
    assert Situation.from_xgid(fields) == Situation.from_xgid(f" xgid={fields}\n")


def test_fields_are_seen_by_the_mover():
    s = Situation.from_xgid("-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10")
    assert (s.position.pips, s.position.opponent_pips) == (111, 52)  # BGBlitz prints Red 111, Green 52
    assert s.position.opponent_off == 1
    assert (s.cube.value, s.cube.owner) == (2, Owner.OPPONENT)
    assert (s.match.mover_score, s.match.opponent_score, s.match.length) == (3, 6, 7)
    assert s.dice == (2, 1)
    assert s.match.rules.cube_cap == 1024


def test_turn_minus_one_turns_everything_but_the_text():
    # E68: the top player is on roll; letters and signs stay where they are.
    board = "b-A-BaC-D---cB---bBcbb--A-"
    s = Situation.from_xgid(f"{board}:1:1:-1:52:4:2:0:7:10")
    assert s.position.board[25] == 2
    assert s.cube.owner is Owner.OPPONENT
    assert (s.match.mover_score, s.match.opponent_score) == (2, 4)
    mirrored = Situation.from_xgid(f"{board[::-1].swapcase()}:1:-1:1:52:2:4:0:7:10")
    assert (mirrored.position, mirrored.cube, mirrored.match) == (s.position, s.cube, s.match)


def test_bars():
    # E73: place 0 is the top player's bar, place 25 the bottom player's.
    s = Situation.from_xgid("b-----E-C---eE---c-e-----B:0:0:1:00:0:0:0:0:10")
    assert (s.position.board[25], s.position.board[0]) == (2, -2)


@pytest.mark.parametrize("offer", Offer)
def test_offers(offer):
    s = Situation.from_xgid(f"{BOARD}:1:-1:1:{offer.value}:0:0:3:0:10")
    assert s.offer is offer
    assert s.dice is None
    assert s.match.rules.beavers == (2 if offer is Offer.RACCOON else 1)


@pytest.mark.parametrize(("flags", "jacoby", "beavers"), [(0, False, 0), (1, True, 0), (2, False, 1), (3, True, 1)])
def test_money_flags(flags, jacoby, beavers):
    rules = Situation.from_xgid(f"{BOARD}:0:0:1:00:0:0:{flags}:0:10").match.rules
    assert (rules.jacoby, rules.beavers) == (jacoby, beavers)


@given(situations())
def test_values_to_text_and_back(situation):
    # A pending raccoon implies two levels of counter-doubles, which the text does not say.
    raccoon = situation.offer is Offer.RACCOON and situation.match.rules.beavers
    assert Situation.from_xgid(situation.xgid) == (situation.with_(beavers=2) if raccoon else situation)
    assert eval(repr(situation), vars(game)) == situation


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"XGID={BOARD}:0:0:1", "has 4 fields between colons, it needs 10, such as XGID="),
        (f"{BOARD}:0:0:1:00:0:0:0:0:10:5", "has 11 fields"),
        (f"{BOARD}:0:0:1:07:0:0:0:0:10", "dice '07' are none of 00, two digits"),
        (f"{BOARD}:0:0:1:1:0:0:0:0:10", "dice '1' are none of"),
        (f"{BOARD}:0:2:1:00:0:0:0:0:10", "cube owner 2 is not 1 or 0 or -1"),
        (f"{BOARD}:0:0:0:00:0:0:0:0:10", "turn 0 is not 1 or -1"),
        (f"{BOARD}:x:0:1:00:0:0:0:0:10", "cube 'x' is not a number"),
        (f"{BOARD}:0:0:1:00:0:0:4:0:10", "rules 4 is not from 0 to 3"),
        (f"{BOARD}:0:0:1:00:0:0:2:7:10", "rules 2 is not 0 or 1"),
        (f"{BOARD}:0:0:1:00:3:2:1:7:10", "neither side is one point away"),
        (f"{BOARD}:0:0:1:00:7:2:0:7:10", "not below the match length 7"),
        (f"{BOARD}:0:0:1:00:-1:2:0:7:10", "bottom score -1 is not from 0"),
        (f"{BOARD}:5:1:1:00:0:0:0:0:3", "cube at 32 is above its cap of 8"),
        (f"{BOARD}-:0:0:1:00:0:0:0:0:10", "27 letters, it needs 26"),
        ("-b----F-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", r"16 checkers for the bottom player \(upper case\)"),
        ("-b----E-C---eE---c-f----B-:0:0:-1:00:0:0:0:0:10", r"16 checkers for the top player \(lower case\)"),
        ("-b----E-C---eE---c-e----P-:0:0:1:00:0:0:0:0:10", "letter 'P' at place 24"),
        ("B-----E-C---eE---c-e------:0:0:1:00:0:0:0:0:10", "wrong side"),
        ("-" * 26 + ":0:0:1:00:0:0:0:0:10", "both sides have borne off"),
        ("", "has 1 field"),
    ],
)
def test_bad_texts_are_refused_in_a_sentence(text, reason):
    with pytest.raises(CubelabError, match=reason) as caught:
        Situation.from_xgid(text)
    assert "\n" not in str(caught.value)


@given(st.data(), situations())
def test_mutated_texts_are_read_or_refused(data, situation):
    text = list(situation.xgid)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(st.sampled_from("-:AaOoPp0123456789 DBR") | st.characters(codec="utf-8"))
    try:
        read = Situation.from_xgid("".join(text))
    except CubelabError:
        return
    assert Situation.from_xgid(read.xgid) == read


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    for read in (Situation.from_xgid, Situation.from_gnuid, Position.from_id):
        with pytest.raises(CubelabError):
            read(text)
