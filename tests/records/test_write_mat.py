"""What is written is read back the same."""

import shutil
import subprocess
from dataclasses import replace

import pytest

from cubelab.records import Comment, Kind, Roll, Seat, mat_text, parse_match, read_match, replay, write_mat

from .expected import FILES, locate, story


def bare(event):
    """An event without what depends on the place in the file."""
    return replace(event, line=0)


def substance(record):
    games = [
        (
            game.number,
            game.score,
            game.crawford,
            [bare(event) for event in game.events if not isinstance(event, Comment)],
            replace(game.result, line=0),
            game.flags,
        )
        for game in record.games
    ]
    rules = record.crawford, record.jacoby, record.beavers, record.cube_cap
    return record.players, record.length, rules, record.tags, games


@pytest.mark.parametrize("name", FILES)
def test_round_trip_of_real_files(name, tmp_path):
    path = locate(name)
    if path is None:
        pytest.skip("only in the shared collection, which is not here")
    record = read_match(path)
    write_mat(record, tmp_path / "written.mat")
    again = read_match(tmp_path / "written.mat")
    assert substance(again) == substance(record)
    assert mat_text(again) == mat_text(record)


ODD = """; [Event "Odd things"]
; a remark above

0 point match

 Game 3
 Anna : 4                        Bernd : 12
; Set Pos=-b----E-C---eE---c-e----B-/0
  1)                              31: 8/5 6/5
  2)  Doubles => 2                Beavers => 4
  3)  Beavers => 8                Takes
  4) 11: Illegal play (0;1;1;0;0;Anna;Bernd;0;4;12;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;)
; between
  5)                             00: ????
      Wins 8 points
"""


def test_odd_things_come_back():
    record = parse_match(ODD.encode())
    again = parse_match(mat_text(record).encode())
    assert substance(again) == substance(record)
    assert again.comments == record.comments
    texts = [event.text for event in again.games[0].events if isinstance(event, Comment)]
    assert texts == ["; between"]


def test_positions_given_without_a_text_are_dumped():
    record = parse_match(ODD.encode())
    game = record.games[0]
    events = tuple(
        replace(event, text="") if isinstance(event, Roll) and event.after else event for event in game.events
    )
    again = parse_match(mat_text(replace(record, games=(replace(game, events=events),))).encode())
    given = [event for event in again.games[0].events if isinstance(event, Roll) and event.after]
    assert [(event.after, event.seat) for event in given] == [
        (event.after, Seat.BOTTOM) for event in game.events if isinstance(event, Roll) and event.after
    ]
    assert [d.after for d in replay(again)] == [d.after for d in replay(record)]


GNUBG = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
@pytest.mark.parametrize(
    "name", ["3WNK_g1Z-PLsh_HyvQ5j4a.mat", "Sz-2PgKnvb6aFls69-qFXg.mat", "galaxy_match7986278.txt"]
)
def test_gnu_backgammon_imports_what_is_written(name, tmp_path):
    """Its own export of what it imported: the same scores, positions, plays and cube actions."""
    record = read_match(locate(name))
    write_mat(record, tmp_path / "ours.mat")
    commands = f"set confirm new off\nimport mat {tmp_path}/ours.mat\nsave match {tmp_path}/theirs.sgf\n"
    subprocess.run([GNUBG, "-t", "-q", "-r"], input=commands, text=True, capture_output=True, timeout=120, check=False)
    theirs = read_match(tmp_path / "theirs.sgf")
    assert (theirs.players, theirs.length) == (record.players, record.length)
    assert [game.score for game in theirs.games] == [game.score for game in record.games]
    assert [d for d in story(replay(theirs)) if d[1] is not Kind.RESIGN] == [
        d for d in story(replay(record)) if d[1] is not Kind.RESIGN
    ]
