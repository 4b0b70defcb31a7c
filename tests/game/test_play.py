"""Plays read and written: every spelling of the field, what is refused and why."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import dice, positions

from cubelab.errors import CubelabError, IllegalPlay, NotationError
from cubelab.game import Play, Position, apply_hops, read_hops

START = Position.start()


def board(**checkers):
    """A position from p13=5 (mover's) and o20=1 (opponent's), numbered by the mover; p25 and o0 are the bars."""
    counts = [0] * 26
    for name, count in checkers.items():
        counts[int(name[1:])] = count if name[0] == "p" else -count
    return Position(tuple(counts))


#: Blots on 22, 20 and 18 on the way from 24.
WAY = board(p24=2, p13=5, p8=3, p6=5, o22=1, o20=1, o18=1, o1=2, o12=5)
BAR = board(p25=2, p13=3, p6=4, o23=1, o18=4, o1=2)
OFF = board(p6=2, p5=1, p2=2, o24=2)


@pytest.mark.parametrize(
    ("text", "position", "roll", "expected"),
    [
        ("13/7 8/7", START, 61, "13/7 8/7"),
        ("8/7 13/7", START, 61, "13/7 8/7"),
        ("13/7, 8/7", START, 61, "13/7 8/7"),
        ("13-7 8-7", START, 61, "13/7 8/7"),
        ("13→7 8⁄7", START, 61, "13/7 8/7"),
        ("13 / 7\t8 / 7", START, 61, "13/7 8/7"),
        ("13->7 8->7", START, 61, "13/7 8/7"),
        ("１３／７ 8/7", START, 61, "13/7 8/7"),
        ("24/20", START, 31, "24/20"),
        ("24/23/20", START, 31, "24/20"),
        ("24/21/20", START, 31, "24/20"),
        ("24/23 23/20", START, 31, "24/20"),
        ("23/20 24/23", START, 31, "24/20"),
        ("13/7(2)", START, 33, "13/7(2)"),
        ("13/10(2)/7", START, 33, "13/7(2)"),
        ("13/10 13/10 10/7 10/7", START, 33, "13/7(2)"),
        ("13/10(2)10/7(2)", START, 33, "13/7(2)"),
        ("13/4 6/3", START, 33, "13/4 6/3"),
        ("24/18", START, 33, None),
        ("24/18* 13/11", START, 62, "24/18 13/11"),  # a star where nothing is hit
        ("24/22*/18*", WAY, 42, "24/22*/18*"),
        ("24/22/18", WAY, 42, "24/22*/18*"),  # the landing named, the star missing
        ("24/20*/18", WAY, 42, "24/20*/18*"),
        ("24/20* 13/11", WAY, 42, "24/20* 13/11"),
        ("24/20 13/11", WAY, 42, "24/20* 13/11"),
        ("24/20*(2) 13/5", WAY, 44, "24/20*(2) 13/5"),
        ("24/16(2)", WAY, 44, "24/20*/16(2)"),  # merged through a hit
        ("24/20*/16(2)", WAY, 44, "24/20*/16(2)"),
        ("24/20*(2)/16", WAY, 44, "24/20*/16(2)"),
        ("24/17*", WAY, 61, "24/18*/17"),  # the star of a hit on the way, at the end of merged hops
        ("bar/23* bar/20", BAR, 52, "bar/23* bar/20"),
        ("Bar/20 BAR/23", BAR, 52, "bar/23* bar/20"),
        ("25/20 25/23*", BAR, 52, "bar/23* bar/20"),
        ("bar/19 bar/20", BAR, 65, "bar/20 bar/19"),
        ("6/off 5/0", OFF, 65, "6/off 5/off"),
        ("6/Off(2)", OFF, 66, None),
        ("6/0 6/Off 5/OFF 2/0", OFF, 66, "6/off(2) 5/off 2/off"),
        ("6/off 2/1", OFF, 61, "6/off 2/1"),
        ("6/5/off", OFF, 61, None),  # the six must bear off from 6 while a checker stands there
        ("6/off", board(p6=1, p1=1, o24=2), 61, "6/off"),  # 6/5/off is the only way to it, and legal
        ("Cannot Move", board(p25=1, o19=2, o20=2, o21=2, o22=2, o23=2, o24=2), 66, "Cannot Move"),
        ("", board(p25=1, o19=2, o20=2, o21=2, o22=2, o23=2, o24=2), 66, "Cannot Move"),
        ("(no play)", board(p25=1, o19=2, o20=2, o21=2, o22=2, o23=2, o24=2), 66, "Cannot Move"),
    ],
)
def test_spellings(text, position, roll, expected):
    if expected is None:
        with pytest.raises(IllegalPlay):
            Play.parse(text, position, roll)
        return
    play = Play.parse(text, position, roll)
    assert play.notation == expected == str(play)
    assert Play.parse(play.notation, position, roll) == play
    assert play in position.plays(*divmod(roll, 10)) or expected == "Cannot Move"


@pytest.mark.parametrize(
    ("text", "position", "roll", "reason"),
    [
        ("13/7", START, 61, "both of its numbers can be played"),
        ("13/11 6/4", START, 22, "4 of its numbers can be played"),
        ("13/8", START, 31, "not the numbers rolled"),
        ("13/12 24/18", START, 61, "holds point 12 with 5"),
        ("23/17 8/7", START, 61, "no checker on 23"),
        ("24/23 24/23 24/23", START, 31, "3 hops, the roll has 2"),
        ("", START, 31, "16 legal plays"),
        ("dances", START, 31, "16 legal plays"),
        ("13/8 13/11", BAR, 52, "on the bar must enter first"),
        ("6/off 8/7", START, 61, "borne off while one stands on 24"),
        ("bar/24", board(p25=1, o19=2, o20=2, o21=2, o22=2, o23=2, o24=2), 66, "no checker can move"),
        ("10/9", board(p10=1, o3=2), 61, "it must be the 6"),
        ("24/16*/12 13/9", WAY, 44, "4 of its numbers|holds|not the numbers"),
    ],
)
def test_illegal_plays_say_why(text, position, roll, reason):
    with pytest.raises(IllegalPlay, match=reason):
        Play.parse(text, position, roll)


@pytest.mark.parametrize(
    "text",
    [
        "???",
        "13",
        "13/",
        "/7",
        "7/13",
        "13/13",
        "26/20",
        "13/7(0)",
        "13/7(2)(3)",
        "bar/bar",
        "off/6",
        "13//7x",
        "13.7",
        "13/7*x",
        "0/1",
        "a/b",
        "/",
        "🎲",
        "13/7(22)",
        "6/off/1",
        "12/bar",
        "resigns",
    ],
)
def test_what_is_no_play_cannot_be_read(text):
    with pytest.raises(NotationError, match=r"24/18|does not go down"):
        Play.parse(text, START, 61)
    with pytest.raises(NotationError):
        read_hops(text)


def test_a_text_that_fits_two_results_is_refused_with_both():
    with pytest.raises(NotationError, match=r"24/20\*/18\* or 24/22\*/18\*"):
        Play.parse("24/18*", WAY, 42)


def test_without_a_star_the_quiet_way_is_meant():
    quiet = board(p24=2, p13=5, p8=3, p6=5, o20=1, o1=2)
    assert Play.parse("24/18", quiet, 42).hits == ()
    assert Play.parse("24/18*", quiet, 42).hits == (20,)
    assert Play.parse("24/20/18", quiet, 42).notation == "24/20*/18"


def test_without_dice_steps_are_taken_as_written():
    play = Play.parse("24/14 13/11", START)
    assert (play.after.board[14], play.after.board[11]) == (1, 1)
    assert Play.parse("24/22*", WAY).hits == (22,)
    assert Play.parse("", START).after == START
    with pytest.raises(NotationError, match="its dice are needed"):
        Play.parse("24/14*", WAY)
    with pytest.raises(IllegalPlay, match="no checker on 20"):
        Play.parse("20/14", START)


@pytest.mark.parametrize(
    ("hops", "reason"),
    [
        (((24, 12),), "holds point 12"),
        (((13, 13),), "backwards"),
        (((6, 8),), "backwards"),
        (((26, 20),), "leaves the board"),
        (((0, -1),), "leaves the board"),
        (((25, 20),), "no checker on bar"),
        (((20, 14),), "no checker on 20"),
        (((24, 23),) * 3, "no checker on 24"),
    ],
)
def test_hops_that_no_checker_can_make(hops, reason):
    with pytest.raises(IllegalPlay, match=reason):
        apply_hops(START, hops)


def test_hops_are_made_whatever_the_rules_say():
    after = apply_hops(BAR, [(13, 3), (6, 0)])
    assert (after.board[3], after.off, after.board[25]) == (1, BAR.off + 1, 2)
    hit = apply_hops(WAY, [(24, 22)])
    assert (hit.board[22], hit.board[0]) == (1, -1)


def test_steps_of_a_text_without_a_position():
    assert read_hops("24/18*/13(2)") == ((24, 18), (24, 18), (18, 13), (18, 13))
    assert read_hops("Bar/20 2/0") == ((25, 20), (2, 0))
    assert read_hops("Cannot Move") == ()


def test_hops_are_kept_in_an_order_in_which_they_can_be_played():
    play = Play(START, ((10, 7), (13, 10)))
    assert play.hops == ((13, 10), (10, 7))
    assert play.notation == "13/7"


@settings(max_examples=60)
@given(positions(), dice)
def test_own_notation_reads_back(position, roll):
    plays = position.plays(*roll)
    for play in plays[:: len(plays) // 8 + 1]:
        assert Play.parse(play.notation, position, roll) == play
        apart = " ".join(f"{a}/{b}" for a, b in reversed(play.hops))
        assert Play.parse(apart, position, roll) == play


@settings(max_examples=300)
@given(st.text(st.sampled_from("0123456789/*() -barofBO,x?→"), max_size=20), positions(), st.none() | dice)
def test_any_text_is_read_or_refused(text, position, roll):
    try:
        play = Play.parse(text, position, roll)
    except CubelabError:
        return
    assert roll is None or play in position.plays(*roll) or play.hops == ()
