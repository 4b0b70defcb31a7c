"""Formats of servers and programs that are gone, on files written to their descriptions, beside GNU Backgammon."""

import contextlib
import csv
import shutil
import subprocess

import pytest

from cubelab.errors import RecordError
from cubelab.game import Cube, Owner, Situation
from cubelab.records import Flag, Kind, Seat, parse_match, parse_positions, read_match, replay

from .expected import DATA, MATCHES, story
from .old_formats import javafibs, oldmoves, sgg, tmg

GNUBG = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")
WRITERS = {"javafibs": javafibs, "oldmoves": oldmoves, "sgg": sgg, "tmg": tmg}


def sample(name="7-point.mat"):
    path = MATCHES / name
    return read_match(path if path.is_file() else DATA / name)


def kept(record):
    return story(d for d in replay(record) if d.kind is not Kind.RESIGN)


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("name", ["7-point.mat", "money-session.mat"])
def test_the_same_match_in_another_form(form, name):
    record = sample(name)
    again = parse_match(WRITERS[form](record).encode(), f"match.{form}")
    assert (again.format, again.players, again.length) == (form, record.players, record.length)
    assert [(g.score, g.crawford, g.result.winner, g.result.points) for g in again.games] == [
        (g.score, g.crawford, g.result.winner, g.result.points) for g in record.games
    ]
    # TrueMoneyGames writes no resignation: a game that is won before it ends was given up.
    assert kept(again) == kept(record)
    assert again.all_flags <= record.all_flags | {Flag.RESULT_IMPLIED}


def gnubg(*commands):
    text = "\n".join(("set automatic game off", "set confirm new off", "set confirm save off", *commands, ""))
    done = subprocess.run([str(GNUBG), "-t", "-q", "-r"], input=text, text=True, capture_output=True, timeout=120)
    return done.stdout + done.stderr


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
@pytest.mark.parametrize("form", ["oldmoves", "sgg", "tmg"])
def test_gnu_backgammon_reads_the_same_from_such_a_file(form, tmp_path):
    """It has readers of its own for these, whose text export is compared with what we read."""
    record = sample()
    source, target = tmp_path / f"match.{form}", tmp_path / "match.mat"
    source.write_text(WRITERS[form](record), encoding="utf-8")
    gnubg(f"import {form} {source}", f"export match mat {target}")
    theirs, ours = read_match(target), read_match(source)
    assert set(theirs.players) == set(ours.players)
    assert theirs.length == ours.length
    turned = theirs.players != ours.players
    for mine, other in zip(ours.games, theirs.games, strict=True):
        assert mine.score == (other.score[::-1] if turned else other.score)

    def moves(record, turned):
        return [
            (d.game, d.kind, -d.seat if turned else d.seat, d.situation.position, d.situation.cube, d.played)
            for d in replay(record)
            if d.kind is not Kind.RESIGN
        ]

    assert moves(theirs, turned) == moves(ours, False)


def test_jellyfish_positions_are_those_gnu_backgammon_wrote_them_for():
    with (DATA / "jellyfish_positions.tsv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    assert len(rows) > 10
    for row in rows:
        file = parse_positions(bytes.fromhex(row["hex"]), "x.pos")
        assert (file.format, file.unread) == ("Jellyfish position", ())
        ours, theirs = file.positions[0].situation, Situation.from_xgid(row["xgid"])
        assert (ours.position, ours.cube) == (theirs.position, theirs.cube)
        assert sorted(ours.dice or ()) == sorted(theirs.dice or ())
        assert (ours.match.length, ours.match.mover_score, ours.match.opponent_score, ours.match.crawford) == (
            theirs.match.length,
            theirs.match.mover_score,
            theirs.match.opponent_score,
            theirs.match.crawford,
        )


#: Player 0, with 2 on the bar, has rolled 41 at 2 to 1 in a match to 7 and owns the cube at 2.
TURNED = (
    "7e0000000000010001000100020001000100000000000000010002000700070002000100055861766572044f6c676100000100000000"
    "04000100" + "".join(f"{20 + n:02x}00" * 2 for n in [0, 1, 1, 0, 0, -2, -3, 0, -2, 0, 0, 0, 3, -5])
    + "".join(f"{20 + n:02x}00" * 2 for n in [0, 0, 1, 3, 0, 4, 1, 0, 1, 0, -1, -2])
)  # fmt: skip


def test_a_jellyfish_position_with_player_0_on_roll():
    found = parse_positions(bytes.fromhex(TURNED)).positions[0]
    situation = found.situation
    assert (situation.turn, situation.dice, situation.cube) == (-1, (4, 1), Cube(2, Owner.MOVER))
    assert (situation.match.mover_score, situation.match.opponent_score) == (2, 1)
    assert (situation.position.board[25], situation.position.board[6]) == (2, 3)
    assert (found.comment, found.players) == ("", ("Olga", "Xaver"))


def test_a_jellyfish_position_in_the_middle_of_a_play():
    data = bytearray.fromhex(TURNED)
    data[-104 + 4 * 6 + 2] += 1
    assert "middle" in parse_positions(bytes(data)).positions[0].comment


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (bytes.fromhex(TURNED) + b"\0", "bytes"),
        (bytes.fromhex(TURNED)[:-1], "bytes"),
        (bytes.fromhex(TURNED).replace(b"\x02\0\x01\0\x01\0", b"\x02\0\x01\0\x09\0", 1), "on roll"),
    ],
)
def test_damaged_jellyfish_positions(data, said):
    with pytest.raises(RecordError, match=said):
        parse_positions(data, "x.pos")


def test_a_jellyfish_position_is_no_match():
    with pytest.raises(RecordError, match="position, not a match"):
        parse_match(bytes.fromhex(TURNED), "x.pos")


JAVAFIBS = """JavaFIBS internal match representation v1.1
8:wilma:3
6:You:wilma
11:You:3 1
1:You:17-20 19-20
0:wilma:6 5
3:wilma:2
7:You:2
14:fred-2:wilma-0
6:You:wilma
11:wilma:2 1
99:wilma:what is this
1:wilma:13-11 1-2
"""


def test_javafibs():
    record = parse_match(JAVAFIBS.encode())
    assert (record.players, record.length) == (("fred", "wilma"), 3)
    first, second = record.games
    assert [event.text for event in first.events[:2]] == ["8/5 6/5", ""]
    assert (first.events[2].seat, first.events[2].level) == (Seat.TOP, 2)
    assert (first.result.winner, first.result.points, second.score) == (Seat.BOTTOM, 2, (2, 0))
    # A play whose steps go both ways is kept as it stands, and so is a line of a kind that is not known.
    assert second.events[1].text == "13-11 1-2"
    assert (second.events[0].text, second.events[0].flags) == ("99:wilma:what is this", {Flag.UNREAD_TEXT})


def test_automatic_doubles_set_the_cube():
    rows = ["11: Automatic double", "1\t31: ", "1\t31: 8/5, 6/5", "2\t\tDouble to 4", "2\tPass", "b  wins 2 points"]
    text = "\n".join(("a vs. b", "Game 1.0-0", *rows))
    record = parse_match(text.encode())
    assert (record.length, record.games[0].result.points) == (0, 2)
    assert [d.situation.cube.value for d in replay(record)] == [2, 2, 2]
    rows = ["0 2 Automatic to 2", "1 1 31:", "1 4 8/5 6/5", "-2 5 Double to 4", "3 10 Pass", "-4 14 2 b wins 2 points"]
    text = "\n".join(("Player1: 1 a 0", "Player2: 2 b 0", "Length: 0", "Game 1: 0-0", *rows))
    again = parse_match(text.encode())
    assert story(replay(again)) == story(replay(record))


def test_beavers_and_time_of_truemoneygames():
    rows = [
        "1 1 31:",
        "1 4 8/5 6/5",
        "-2 5 Double to 2",
        "3 8 Beaver to 4",
        "-4 7 Take",
        "-4 1 ??:",
        "-4 17 b is out of time",
    ]
    text = "\n".join(("Player1: 1 a 0", "Player2: 2 b 0", "Length: 0", "Game 1: 0-0", *rows, "4 14 4 a wins 4 points"))
    game = parse_match(text.encode()).games[0]
    assert [type(event).__name__ for event in game.events[:4]] == ["Roll", "Double", "Beaver", "Take"]
    assert (game.result.winner, game.result.points) == (Seat.BOTTOM, 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("JavaFIBS internal match representation v1.1\n8:b:3\n", "without a single roll"),
        ("JavaFIBS internal match representation v1.1\n8:b:40000\n", "without a single roll"),
        ("JavaFIBS internal match representation v1.1\n6:a:b\n11:a:3 1\n6:a:c\n", "other players"),
        ("Score is 0-0 in a 5 point match.\nX: (3 1) 8-5 6-5\n", "must follow the score"),
        ("Score is 0-0 in a 5 point match.\na is X - b is O\n", "without a single roll"),
        ("Score is 0-0 in a 5 point match.\na is X - b is O\nX: (3 1) 8-5 6-5\n"
         "Score is 0-0 in a 7 point match.\na is X - b is O\n", "second match"),
        ("Score is 0-0 in a 99999 point match.\na is X - b is O\nX: (3 1) 8-5 6-5\n", "at most"),
        ("Game 1.0-0/5\n1\t31: 8/5, 6/5\n", "name vs. name"),
        ("a vs. b\nGame 1.0-0/5\n", "without a single roll"),
        ("a vs. b\nGame 1.0-0/5\n1\t31: 8/5, 6/5\nGame 2.1-0/7\n1\t31: 8/5, 6/5\n", "one length"),
        ("MatchID: 1\nGame 1: 0-0\n", "without a single roll"),
        ("MatchID: 1\nLength: 99999\nGame 1: 0-0\n1 1 31:\n1 4 8/5 6/5\n", "at most"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_in_a_sentence(text, said):
    with pytest.raises(RecordError, match=said) as caught:
        parse_match(text.encode(), "old.txt")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("MATCHLENGTH=5\nGAME_1_PLAYER_1=a\nGAME_1_PLAYER_2=b\nGAME_1_GAMEPLAY=#1:1;\n", "PartyGammon"),
        ("BGF version 1.0\nGame 1 - a (X) vs. b (0)\nSingle\n1.X:(3 1)8-5 6-5\n", "BGRoom"),
    ],
)
def test_formats_that_are_not_read_are_refused_by_name(text, name):
    with pytest.raises(RecordError, match=f"this is a {name}.*which is not read"):
        parse_match(text.encode(), "old.gam")


#: Just short of the longest line that is read.
BLANKS = " " * 2_400


@pytest.mark.parametrize(
    "text",
    [
        f"Score is 0-0 in a 5 point match.\na is X - b is O{BLANKS}x\n",
        f"Score is 0-0 in a 5 point match.\na is X - b is O\nX:a{BLANKS}b\nX: wins{BLANKS}x\nX: (3 1){BLANKS}\n",
        "\n" * 150_000 + "Score is 0-0 in nothing MatchID: Game ",
        f"Player1: 1 a{BLANKS}b\nLength:{BLANKS}x\nGame 1: 0-0{BLANKS}x\n1 1 31:{BLANKS}x\n1 4 8/5{BLANKS}x\n",
        f"a{BLANKS}vs.{BLANKS}b\na vs. b\nELO:{BLANKS}x\nGame 1.0-0/5{BLANKS}\n1{BLANKS}31: 8/5\n1       31:{BLANKS}x\n"
        f"a{BLANKS}wins{BLANKS}x\n",
        f"JavaFIBS internal match representation v1.1\n6:a:b\n14:a-1{BLANKS}:b-0{BLANKS}x\n11:a:3{BLANKS}1x\n"
        f"1:a:{BLANKS}x\n",
    ],
    ids=["names", "actions", "empty lines", "tmg", "sgg", "javafibs"],
)  # fmt: skip
def test_long_runs_of_blanks_take_no_time(text):
    """Patterns that try all ways to share the blanks out over several places would run for hours here."""
    with contextlib.suppress(RecordError):
        parse_match(text.encode())
