"""Saved positions: lists of ids, texts of eXtreme Gammon and BGBlitz in several languages, FIBS boards."""

import csv
import gzip
import re

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from cubelab.errors import RecordError
from cubelab.game import Offer, Owner, Position, Situation
from cubelab.notation import ogid
from cubelab.records import parse_positions, read_positions
from cubelab.records.fibs_board import fibs_situation
from cubelab.records.stored import Unit

from .expected import DATA

BGBLITZ = sorted((DATA / "positions").glob("bgb_*.txt"))


@pytest.mark.parametrize("path", BGBLITZ, ids=lambda path: path.stem)
def test_bgblitz_positions_are_those_of_the_gnu_ids_beside_them(path):
    (position,) = read_positions(path).positions
    text = path.read_text(encoding="utf-8")
    ids = re.search(r"Position-ID: (\S+)\s+Match-ID: (\S+)", text)
    other = Situation.from_gnuid(f"{ids[1]}:{ids[2]}")
    ours = position.situation
    assert (ours.position, ours.cube, ours.match.away) == (other.position, other.cube, other.match.away)
    assert sorted(ours.dice or ()) == sorted(other.dice or ())
    assert all(position.players)


CUBES = {  # copied by hand from the files: EMG of no double, take, pass; chances of the side on roll
    "bgb_02_NDT_DE": (0.287, 0.164, 1.0, (0.541, 0.175, 0.002, 0.117, 0.002)),
    "bgb_03_DT_FR": (0.585, 0.625, 1.0, (0.610, 0.251, 0.008, 0.133, 0.003)),
    "bgb_04_DP_JP": (0.767, 1.287, 1.0, (0.656, 0.400, 0.003, 0.087, 0.001)),
    "bgb_05_NRT_EN": (0.518, -0.504, 1.0, (0.712, 0.0, 0.0, 0.0, 0.0)),
    "bgb_06_RT_DE": (0.685, 0.760, 1.0, (0.659, 0.153, 0.002, 0.093, 0.002)),
}


@pytest.mark.parametrize("name", CUBES)
def test_bgblitz_cubes_in_four_languages(name):
    cube = read_positions(DATA / "positions" / f"{name}.txt").positions[0].analysis.cube
    *equities, chances = CUBES[name]
    assert [cube.no_double, cube.double_take, cube.double_pass] == equities
    assert cube.chances == pytest.approx(chances)
    assert cube.unit is Unit.EMG


def test_decimal_commas_change_nothing():  # CASES 51
    path = DATA / "positions" / "bgb_06_RT_DE.txt"
    text = path.read_text(encoding="utf-8")
    commas = re.sub(r"(\d)\.(\d{1,3}\b)", r"\1,\2", text).replace("-0,", "−0,")
    assert commas.count(",") > 10
    ours, same = (parse_positions(t.encode()).positions[0].analysis for t in (commas, text))
    assert ours == same


def test_bgblitz_candidates():
    plays = read_positions(DATA / "positions" / "bgb_01_checkerPosition_EN.txt").positions[0].analysis.plays
    assert [(c.play, c.equity) for c in plays.candidates] == [
        ("19/18 14/12", -0.492),
        ("19/18 3/1", -0.545),
        ("19/17 18/17", -0.577),
        ("14/12 3/2", -0.578),
        ("14/11", -0.585),
    ]
    assert plays.candidates[0].chances == (0.254, 0.0, 0.0, 0.338, 0.004)


XG_CUBE = """XGID=-a-a--E-C---dE---c-e----B-:1:1:-1:00:2:5:0:9:10

X:Mara   O:Odo
Score is X:5 O:2 9 pt.(s) match.
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X           O    |   | O              X |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 160  O: 163 X-O: 5-2/9
Cube: 2, O own cube
X on roll, cube action

Analyzed in XG Roller++
Player Winning Chances:   55.63% (G:21.30% B:1.10%)
Opponent Winning Chances: 44.37% (G:13.02% B:0.58%)

Cubeless Equities: No Double=+0.190, Double=+0.397

Cubeful Equities:
       No redouble:     +0.301
       Redouble/Take:   +0.212 (-0.089)
       Redouble/Pass:   +1.000 (+0.699)

Best Cube action: No redouble / Take
Percentage of wrong pass needed to make the double decision right: 11.3%

eXtreme Gammon Version: 2.19.211, MET: Kazaross XG2
"""

XG_PLAY = """XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10

X:Mara   O:Odo
Score is X:0 O:0. Unlimited Game, Jacoby Beaver
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
X to play 31

    1. Rollout¹    8/5 6/5                      eq:+0.159
      Player:   55.20% (G:17.30% B:1.20%)
      Opponent: 44.80% (G:12.30% B:0.60%)
      Confidence: ±0.003 (+0.156..+0.162) - [100.0%]

    2. XG Roller+  24/21 13/12                  eq:−0,010 (−0,169)
      Player:   49,98% (G:13,11% B:0,67%)
      Opponent: 50,02% (G:13,90% B:0,60%)


eXtreme Gammon Version: 2.10
"""


def test_xg_cube_text_names_the_side_on_roll_x():
    (position,) = parse_positions(XG_CUBE.encode()).positions
    assert position.situation.turn == -1
    # The id's bottom player is the other one.
    assert position.players == ("Odo", "Mara")
    cube = position.analysis.cube
    assert (cube.no_double, cube.double_take, cube.double_pass) == (0.301, 0.212, 1.0)
    assert cube.chances == pytest.approx((0.5563, 0.213, 0.011, 0.1302, 0.0058))
    assert (cube.level, cube.unit) == ("XG Roller++", Unit.EMG)
    assert position.analysis.program == "eXtreme Gammon 2.19.211"
    assert position.analysis.raw == (("MET", "Kazaross XG2"),)


def test_xg_plays_with_points_and_commas():
    found = parse_positions((XG_PLAY + "\n\n" + XG_CUBE).encode())
    assert found.format == "XG position text"
    assert [p.line for p in found.positions] == [1, 22]
    plays = found.positions[0].analysis.plays
    assert [(c.play, c.equity, c.level) for c in plays.candidates] == [
        ("8/5 6/5", 0.159, "Rollout¹"),
        ("24/21 13/12", -0.01, "XG Roller+"),
    ]
    assert plays.candidates[1].chances == pytest.approx((0.4998, 0.1311, 0.0067, 0.139, 0.006))
    assert plays.unit is Unit.POINTS


def test_other_languages_of_xg_keep_the_shape():
    french = (
        XG_CUBE.replace("Analyzed in", "Analysé avec")
        .replace("Player Winning Chances:", "Chance de gain du joueur:")
        .replace("Opponent Winning Chances:", "Chance de gain de l'adversaire:")
        .replace("No redouble:", "Pas de redouble:")
        .replace("Redouble/Take:", "Redouble/Prend:")
        .replace("Redouble/Pass:", "Redouble/Passe：")
        .replace("MET:", "TEM:")
    )
    assert (
        parse_positions(french.encode()).positions[0].analysis
        == parse_positions(XG_CUBE.encode()).positions[0].analysis
    )


START = Situation(Position.start())


def test_a_list_of_ids_with_comments():
    moved = START.with_(position=Position.start().plays(3, 1)[0].after)
    text = f"""# Openings
# after 31
{START.xgid}   a quiet start

{moved.gnuid} ; made five point
GNUBG ID: {START.gnuid}
Position ID: {START.position.id} Match ID: {START.gnuid.split(":")[1]}   # both
OGID={ogid.encode(START)}
this is nothing
4HPwATDgc/ABMA // bare
"""
    found = parse_positions(text.encode())
    assert found.format == "id list"
    assert [p.line for p in found.positions] == [3, 5, 6, 7, 8, 10]
    assert [p.comment for p in found.positions] == [
        "Openings\nafter 31\na quiet start",
        "made five point",
        "",
        "both",
        "",
        "bare",
    ]
    assert [u.line for u in found.unread] == [9]
    assert found.positions[1].situation.position == moved.position
    assert parse_positions(gzip.compress(text.encode())).positions == found.positions


@pytest.mark.parametrize("text", ["nothing here\n", "# only a comment\n", "\n"])
def test_no_position_is_an_error(text, tmp_path):
    path = tmp_path / "list.txt"
    path.write_text(text)
    with pytest.raises(RecordError):
        read_positions(path)


def test_snowie_texts_are_the_positions_gnu_backgammon_wrote_them_for():
    with (DATA / "snowie_positions.tsv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    found = parse_positions("\n".join(row["snowie"] for row in rows).encode())
    assert not found.unread
    for position, row in zip(found.positions, rows, strict=True):
        ours, theirs = position.situation, Situation.from_xgid(row["xgid"])
        assert (ours.position, ours.cube, ours.turn) == (theirs.position, theirs.cube, theirs.turn)
        assert (ours.match.length, ours.match.mover_score, ours.match.opponent_score, ours.match.crawford) == (
            theirs.match.length,
            theirs.match.mover_score,
            theirs.match.opponent_score,
            theirs.match.crawford,
        )
        assert sorted(ours.dice or ()) == sorted(theirs.dice or ())
        assert sorted(position.players) == ["gnubg", "root"]
    broken = rows[0]["snowie"].replace(";0;0;", ";0;x;", 1)
    assert "no number" in parse_positions(f"{broken}\n{rows[1]['snowie']}".encode()).unread[0].error


#: The example of the server's description: first roll of a match to 3.
FIBS = (
    "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0"
    ":2:0:0:0"
)


def fibs(**changes):
    places = {
        "turn": 32,
        "dice": 33,
        "cube": 37,
        "mine": 38,
        "theirs": 39,
        "doubled": 40,
        "colour": 41,
        "direction": 42,
    }
    fields = FIBS.split(":")
    for name, value in changes.items():
        if name == "dice":
            fields[33:37] = map(str, value)
        elif name == "scores":
            fields[3:6] = map(str, value)
        elif name == "board":
            fields[6:32] = map(str, value)
        else:
            fields[places[name]] = str(value)
    return ":".join(fields)


def test_fibs_boards():
    situation = fibs_situation(FIBS)
    assert situation.position == Position.start()
    assert (situation.dice, situation.match.away, situation.turn) == ((6, 2), (3, 3), 1)
    theirs = fibs_situation(fibs(turn=-1, dice=(0, 0, 5, 2)))
    assert (theirs.dice, theirs.turn, theirs.position) == ((5, 2), -1, Position.start())
    owned = fibs_situation(fibs(cube=2, mine=0, theirs=1, dice=(0, 0, 0, 0)))
    assert (owned.cube.value, owned.cube.owner) == (2, Owner.OPPONENT)
    offered = fibs_situation(fibs(doubled=1, dice=(0, 0, 0, 0)))
    assert (offered.offer, offered.turn) == (Offer.DOUBLE, -1)
    assert fibs_situation(fibs(scores=(9999, 0, 0))).match.length == 0
    assert fibs_situation(fibs(scores=(3, 2, 0))).match.crawford


@seed(31)
@settings(max_examples=50, deadline=None)
@given(st.sampled_from([1, -1]), st.sampled_from([1, -1]), st.integers(0, 3))
def test_colour_and_direction_do_not_change_what_a_player_sees(colour, direction, plays):
    position = Position.start()
    for _ in range(plays):
        position = position.plays(4, 2)[0].after.flip()
    counts = [colour * count for count in position.board]
    board = counts if direction == -1 else counts[::-1]
    seen = fibs_situation(fibs(board=board, colour=colour, direction=direction, turn=colour))
    assert seen.position == position


def test_fibs_logs_hold_boards_between_other_lines():
    log = f"someplayer rolls 5 and 2.\n{FIBS}\n> move 8-3\nboard:damaged:1\n{fibs(turn=-1)}\n"
    found = parse_positions(log.encode())
    assert (found.format, [p.line for p in found.positions], [u.line for u in found.unread]) == (
        "FIBS boards",
        [2, 5],
        [4],
    )
    assert found.positions[0].players == ("You", "someplayer")


@pytest.mark.parametrize(
    "text",
    [
        "XGID=" + "-" * 200_000,
        "1. " + "9" * 100_000 + "\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10\n+13-14-15-16-17-18",
        "+13-14-15-16-17-18\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10\n" + "8/5 " * 50_000,
        "+13-14-15-16-17-18\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10\n1. " + "x " * 50_000 + "eq:",
        "+13-14-15-16-17-18\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10\n1. " + "x  " * 50_000 + "eq:",
        "board:" + "1:" * 100_000,
        "4HPwATDgc/ABMA " * 20_000,
    ],
    ids=lambda text: text[:12],
)
def test_texts_made_to_hurt_end_soon(text):
    try:
        found = parse_positions(text.encode())
    except RecordError as error:
        found = error
    assert len(str(found)) < 2 * len(text) + 2000
