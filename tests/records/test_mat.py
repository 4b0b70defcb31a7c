"""Spellings, layouts and oddities of text matches, one small match each."""

import textwrap
from dataclasses import replace

import pytest

from cubelab.errors import RecordError
from cubelab.game import Cube, Owner, Position
from cubelab.records import (
    Action,
    Beaver,
    Comment,
    Double,
    Ending,
    Flag,
    Kind,
    Pass,
    Resignation,
    Roll,
    Seat,
    SetPosition,
    Take,
    parse_match,
    replay,
    replay_game,
)


def read(text, encoding="utf-8"):
    return parse_match(textwrap.dedent(text).lstrip("\n").encode(encoding), file="test.mat")


def one_game(rows, *, score="Anna : 0                 Bernd : 0", length=7):
    return read(f"{length} point match\n\n Game 1\n {score}\n{rows}")


# Header


@pytest.mark.parametrize(
    ("line", "players", "score"),
    [
        (" Tanaka Kenichi : 0   Mori Aoi : 0", ("Tanaka Kenichi", "Mori Aoi"), (0, 0)),  # CASES 52
        (" Player,1615 : 0               Tanaka_Ken_(JPN) : 2", ("Player,1615", "Tanaka_Ken_(JPN)"), (0, 2)),
        (" Iris09: 3                                Jade1: 12     ", ("Iris09", "Jade1"), (3, 12)),
        (" chouehandle : 0                       Bot1: 0", ("chouehandle", "Bot1"), (0, 0)),
        (" Łukasz : 1      Zoë 2 : 5", ("Łukasz", "Zoë 2"), (1, 5)),
        (" Team: 3 : 4         Club: 12 B : 5", ("Team: 3", "Club: 12 B"), (4, 5)),
        (" : 0                         : 0", ("", ""), (0, 0)),
    ],
)
def test_names_on_the_score_line(line, players, score):
    record = read(f"13 point match\n\n Game 1\n{line}\n  1) 31: 8/5 6/5      42: 8/4 6/4\n")
    assert (record.players, record.games[0].score) == (players, score)


def test_tags_are_kept_and_the_score_line_decides_the_columns():  # CASES 63
    record = read("""
        ; [Site "eXtreme Gammon"]
        ; [Player 1 "Right"]
        ; [Player 2 "Left"]
        ; [Event "A "quoted" name"]
        ; [Crawford "Off"]
        ; [CubeLimit "1024"]

        5 point match

         Game 1
         Left : 0               Right : 0
          1) 31: 8/5 6/5        42: 8/4 6/4
        """)
    assert record.players == ("Left", "Right")
    assert record.tag("player 1") == "Right"
    assert record.tag("Event") == 'A "quoted" name'
    assert record.crawford is False
    assert record.jacoby is None
    assert (record.rules.crawford, record.rules.cube_cap) == (False, 1024)


def test_text_around_the_match_is_kept():  # CASES 50
    record = read("""
        +-------------------+
        |  Monte Carlo 1993 |
        +-------------------+
        7 point match

         Game 1
         Anna : 0               Bernd : 0
          1) 31: 8/5 6/5        42: 8/4 6/4
        ; a remark
          2) 21: 24/23 13/11
        """)
    assert "|  Monte Carlo 1993 |" in record.comments
    events = record.games[0].events
    assert [type(event) for event in events] == [Roll, Roll, Comment, Roll]
    assert (events[2].text, events[2].line) == ("; a remark", 9)


def test_money_rules():
    tags = '; [Jacoby "On"]\n; [Beaver "On"]\n'
    rows = " Game 1\n Anna : 0         Bernd : 0\n  1) 31: 8/5 6/5        42: 8/4 6/4\n"
    money = read(f"{tags}0 point match\n{rows}")
    assert (money.length, money.rules.jacoby, money.rules.beavers) == (0, True, 1)
    match = read(f"{tags}7 point match\n{rows}")
    assert (match.rules.jacoby, match.rules.beavers) == (False, 0)
    assert Flag.RULES_CONTRADICT in match.flags
    unknown = read(rows)
    assert unknown.length == 0
    assert Flag.LENGTH_MISSING in unknown.flags


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding, end):
    text = "7 point match\n\n Game 1\n François : 0            Jürgen : 0\n  1) 31: 8/5 6/5      42: 8/4 6/4\n"
    record = parse_match(text.replace("\n", end).encode(encoding))
    assert record.players == ("François", "Jürgen")
    assert len(record.games[0].events) == 2
    assert (Flag.ENCODING_ASSUMED in record.flags) == (encoding == "cp1252")


# Rows


def test_cells_are_cut_at_their_first_word_not_at_gaps():  # CASES 53
    record = one_game("""
  1) 31: 8/5 6/5              42: 24/20 13/11
 11: 25/24
 11) 11: 25/24 24/23 23/22* 22/21 64: 25/21
""")
    rolls = [event for event in record.games[0].events if isinstance(event, Roll)]
    assert [(roll.seat, roll.text) for roll in rolls[-2:]] == [
        (Seat.BOTTOM, "25/24 24/23 23/22* 22/21"),
        (Seat.TOP, "25/21"),
    ]


@pytest.mark.parametrize("column", [31, 33, 37, 39, 40, 42, 47, 48])
def test_any_right_column(column):
    head = f" {'Anna : 0'.ljust(column - 1)}Bernd : 0\n"
    rows = [
        ("", "31: 8/5 6/5"),
        ("42: 8/4 6/4", "Doubles => 2"),
        (" Takes", "55: 8/3(2) 6/1(2)"),
        ("", "Wins 2 points"),
    ]
    lines = "".join(f"{n:3d}) {left}".ljust(column) + right + "\n" for n, (left, right) in enumerate(rows, 1))
    game = read("3 point match\n Game 1\n" + head + lines).games[0]
    seats = [event.seat for event in game.events]
    assert seats == [Seat.TOP, Seat.BOTTOM, Seat.TOP, Seat.BOTTOM, Seat.TOP]
    assert game.result.winner is Seat.TOP


def test_tabs_are_columns():
    game = one_game("  1)\t\t\t\t31: 8/5 6/5\n  2) 42: 8/4 6/4\t\t61: 13/7 8/7\n").games[0]
    assert [event.seat for event in game.events] == [Seat.TOP, Seat.BOTTOM, Seat.TOP]


@pytest.mark.parametrize(
    ("arrow", "answer", "kind"),
    [
        ("=>", "Takes", Take),
        ("==>", "Takes", Take),
        ("=>", "Drops", Pass),
        ("=>", "Passes", Pass),
        ("to", "Accepts", Take),
    ],
)
def test_spellings_of_the_cube(arrow, answer, kind):
    game = one_game(f"  1) 31: 8/5 6/5           42: 8/4 6/4\n  2) Doubles {arrow} 2         {answer}\n").games[0]
    double, reply = game.events[-2:]
    assert (double.cube, double.seat, reply.seat) == (2, Seat.BOTTOM, Seat.TOP)
    assert isinstance(reply, kind)


def test_answer_on_the_next_row_and_redouble_in_the_very_next_cell():
    game = one_game("""
  1) 31: 8/5 6/5             42: 8/4 6/4
  2) 61: 13/7 8/7            Doubles => 2
  3) Takes                   63: 24/15
  4) Doubles => 4            Takes
  5) 21: 13/11 6/5           Doubles => 8
  6) Drops                   Wins 4 points
""").games[0]
    replayed = replay_game(one_game("  1) 31: 8/5 6/5\n"), game)
    cube = [(d.seat, d.played, d.situation.cube) for d in replayed.decisions if d.kind is not Kind.PLAY]
    assert cube == [
        (Seat.TOP, Action.NO_DOUBLE, Cube(1)),
        (Seat.BOTTOM, Action.NO_DOUBLE, Cube(1)),
        (Seat.TOP, Action.DOUBLE, Cube(1)),
        (Seat.BOTTOM, Action.TAKE, Cube(1)),
        (Seat.BOTTOM, Action.DOUBLE, Cube(2, Owner.MOVER)),
        (Seat.TOP, Action.TAKE, Cube(2, Owner.MOVER)),
        (Seat.TOP, Action.DOUBLE, Cube(4, Owner.MOVER)),
        (Seat.BOTTOM, Action.PASS, Cube(4, Owner.MOVER)),
    ]
    assert (game.result.winner, game.result.points, game.result.ending) == (Seat.TOP, 4, Ending.PASS)


def test_beaver_and_raccoon():
    record = one_game(
        """
  1) 31: 8/5 6/5             42: 8/4 6/4
  2) Doubles => 2            Beavers => 4
  3) Raccoons => 8           Takes
  4) 61: 13/7 8/7            63: 24/15
""",
        length=0,
    )
    assert isinstance(record.games[0].events[3], Beaver)
    cube = [(d.kind, d.seat, d.played) for d in replay(record) if d.kind in (Kind.DOUBLE, Kind.TAKE, Kind.BEAVER)]
    assert cube[1:] == [
        (Kind.DOUBLE, Seat.BOTTOM, Action.DOUBLE),
        (Kind.TAKE, Seat.TOP, Action.BEAVER),
        (Kind.BEAVER, Seat.BOTTOM, Action.RACCOON),
        (Kind.TAKE, Seat.TOP, Action.TAKE),
        (Kind.DOUBLE, Seat.TOP, Action.NO_DOUBLE),
    ]
    assert replay_game(record, record.games[0]).cube == Cube(8, Owner.OPPONENT)


@pytest.mark.parametrize("text", ["", "Cannot Move", "cannot move"])
def test_a_dance_decides_nothing(text):
    # The left player's checker on the bar faces six closed points.
    record = one_game(f"; Set Pos=-A-----------------bbbbbbA/0\n  1) 31: {text}\n")
    game = replay_game(record, record.games[0])
    assert game.complete
    assert [d.kind for d in game.decisions] == [Kind.DOUBLE]
    assert Flag.UNPLAYED_ROLL not in game.flags


# Ends of games


@pytest.mark.parametrize(
    ("mark", "level"),
    [("Resigns", None), ("Resign gammon", 2), ("Resigned Game", None), ("Resigns backgammon", 3), ("Resign normal", 1)],
)
@pytest.mark.parametrize("column", ["left", "right"])
def test_resignation_marks_stand_in_either_column_and_the_result_decides(mark, level, column):
    left, right = (mark, "") if column == "left" else ("", mark)
    row = f"  2) {left}".ljust(29) + right
    record = one_game(f"  1) 31: 8/5 6/5             42: 8/4 6/4\n{row}\n      Wins {level or 1} points\n")
    game = record.games[0]
    marked = next(event for event in game.events if isinstance(event, Resignation))
    assert marked.level == level
    assert (game.result.winner, game.result.ending, game.result.points) == (
        Seat.BOTTOM,
        Ending.RESIGNATION,
        level or 1,
    )
    resigned = list(replay(record))[-1]
    assert (resigned.kind, resigned.seat, resigned.level) == (Kind.RESIGN, Seat.TOP, level or 1)


def test_result_on_the_row_of_the_last_play():
    rows = "  1) 31: 8/5 6/5             42: 8/4 6/4     Wins 2 points\n"
    assert one_game(rows).games[0].result.winner is Seat.TOP


def test_both_halves_of_a_result_line():
    rows = (
        "  1) 31: 8/5 6/5             42: 8/4 6/4\n  2)  Losses 3 point                                 Wins 3 point\n"
    )
    game = one_game(rows).games[0]
    assert (game.result.winner, game.result.stated) == (Seat.TOP, 3)
    assert len(game.events) == 2


def test_hidden_play_is_a_resignation_only_where_the_other_side_wins():
    rows = "  1) 31: 8/5 6/5             42: 8/4 6/4\n  2) 65: ????                Wins 2 points\n"
    game = one_game(rows).games[0]
    assert (game.result.ending, game.result.winner) == (Ending.RESIGNATION, Seat.TOP)
    nothing_rolled = "  1) 31: 8/5 6/5             42: 8/4 6/4\n  2) 00: ????                Wins 2 points\n"
    record = one_game(nothing_rolled)
    assert record.games[0].events[-1].dice is None
    assert list(replay(record))[-1].kind is Kind.RESIGN


def test_a_game_without_an_end_is_unfinished_and_loses_nothing():
    record = one_game("  1) 31: 8/5 6/5             42: 8/4 6/4\n  2) 65: 24/13\n")
    game = record.games[0]
    assert (game.result.winner, game.result.points, game.result.ending) == (None, 0, Ending.UNFINISHED)
    assert Flag.UNFINISHED in game.flags
    assert record.winner is None
    assert len([d for d in replay(record) if d.kind is Kind.PLAY]) == 3


def test_missing_result_line_follows_from_a_pass_or_the_next_score():
    record = read("""
        5 point match

         Game 1
         Anna : 0                  Bernd : 0
          1) 31: 8/5 6/5           Doubles => 2
          2) Drops

         Game 2
         Anna : 0                  Bernd : 1
          1) 31: 8/5 6/5           42: 8/4 6/4

         Game 3
         Anna : 2                  Bernd : 1
          1) 31: 8/5 6/5           42: 8/4 6/4
        """)
    first, second, third = record.games
    assert (first.result.winner, first.result.points, first.result.ending) == (Seat.TOP, 1, Ending.PASS)
    assert (second.result.winner, second.result.points) == (Seat.BOTTOM, 2)
    assert {Flag.RESULT_IMPLIED} <= first.flags & second.flags
    assert third.result.ending is Ending.UNFINISHED


def test_score_that_does_not_follow_is_flagged_and_believed():
    record = read("""
        5 point match

         Game 1
         Anna : 0                  Bernd : 0
          1) 31: 8/5 6/5           Doubles => 2
          2) Drops                 Wins 1 point

         Game 2
         Anna : 0                  Bernd : 2
          1) 31: 8/5 6/5           42: 8/4 6/4
        """)
    assert Flag.SCORE_MISMATCH in record.games[1].flags
    assert record.games[1].score == (0, 2)


def test_players_who_change_columns_are_put_back():
    record = read("""
        5 point match

         Game 1
         Anna : 0                  Bernd : 0
          1) 31: 8/5 6/5           Doubles => 2
          2) Drops                 Wins 1 point

         Game 2
         Bernd : 1                 Anna : 0
          1) 31: 8/5 6/5           42: 8/4 6/4
        """)
    assert Flag.COLUMNS_SWAPPED in record.flags
    assert record.games[1].score == (0, 1)
    assert [event.seat for event in record.games[1].events] == [Seat.TOP, Seat.BOTTOM]


def test_crawford_game_is_the_first_with_one_side_one_away():
    games = "".join(
        f"\n Game {n}\n Anna : {a}                  Bernd : {b}\n  1) 31: 8/5 6/5           {cube}\n"
        f"  2) Drops                 Wins 1 point\n"
        for n, (a, b, cube) in enumerate(
            [(0, 3, "Doubles => 2"), (0, 4, "42: 8/4 6/4"), (2, 4, "Doubles => 2"), (4, 4, "42: 8/4 6/4")], 1
        )
    )
    record = read("5 point match\n" + games)
    assert [game.crawford for game in record.games] == [False, True, False, False]
    assert not any(game.crawford for game in read('; [Crawford "Off"]\n5 point match\n' + games).games)


def test_a_double_shows_that_a_record_does_not_start_with_the_crawford_game():
    head = "5 point match\n\n Game 4\n Anna : 4                  Bernd : 1\n  1) 31: 8/5 6/5           "
    assert Flag.CRAWFORD_ASSUMED in read(head + "42: 8/4 6/4\n").games[0].flags
    game = read(head + "Doubles => 2\n").games[0]
    assert not game.crawford
    assert Flag.DOUBLE_IN_CRAWFORD in game.flags


# Positions in the text

START = Position.start().board
NACK = "-2;-2;0;0;0;4;0;3;0;0;0;-4;4;0;0;0;-3;0;-4;0;0;0;2;2;0"


def test_set_position():
    record = one_game("; Set Pos=----cBD-D-B--A--Abcdc---A-/-1\n  1) 21: 16/15 15/13             61: 7/1 6/5\n")
    setting = record.games[0].events[0]
    assert isinstance(setting, SetPosition)
    assert (setting.cube, setting.owner) == (2, Seat.BOTTOM)
    decisions = [d for d in replay(record) if d.kind is Kind.PLAY]
    assert decisions[0].situation.position.board[16] == 1
    assert decisions[0].situation.cube == Cube(2, Owner.MOVER)
    assert not any(Flag.ILLEGAL_PLAY in d.flags for d in decisions)


@pytest.mark.parametrize(("names", "turned"), [("Anna;Bernd", False), ("Bernd;Anna", True)])
def test_dump_of_an_illegal_play_gives_the_position_after_it(names, turned):
    board = [0, -2, 0, 0, 0, 2, 4, 0, 2, 0, 1, 0, -5, 4, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    shown = [-count for count in reversed(board)] if turned else board
    dump = ";".join(["7;0;1;0;0", names, "0;0;0;1;0", *map(str, shown), "1;6"])
    record = one_game(
        f"  1) 31: 8/5 6/5             42: 24/22\n  2) 11: Illegal play ({dump};) 16: 13/7 8/7\n  3) 21: 13/11 6/5\n"
    )
    game = replay_game(record, record.games[0])
    third = [d for d in game.decisions if d.kind is Kind.PLAY][2]
    assert {Flag.ILLEGAL_PLAY, Flag.POSITION_GIVEN} <= third.flags
    assert third.after == Position(tuple(board))
    assert [event.seat for event in record.games[0].events][-3:] == [Seat.BOTTOM, Seat.TOP, Seat.BOTTOM]


def test_dump_before_the_first_roll_sets_the_position():
    dump = f"7;0;1;0;0;Anna;Bernd;0;0;0;1;0;0;{NACK};5;1"
    record = one_game(
        f"  1) 12: Illegal play ({dump};) 51: 24/23 23/18\n  2) 54: 24/20 23/18            43: 24/20 23/20\n"
    )
    game = replay_game(record, record.games[0])
    plays = [d for d in game.decisions if d.kind is Kind.PLAY]
    assert [(d.seat, d.situation.dice) for d in plays] == [
        (Seat.TOP, (5, 1)),
        (Seat.BOTTOM, (5, 4)),
        (Seat.TOP, (4, 3)),
    ]
    assert plays[0].situation.position.board[23] == 2
    assert Flag.SET_UP in game.flags
    assert game.complete
    assert game.decisions[0].kind is Kind.PLAY  # the opening roll has no cube decision before it


def test_dump_on_a_line_of_its_own():  # as GNU Backgammon 1.07 writes set positions into Snowie text
    start = f"11;0;0;0;1;Anna;Bernd;0;0;1;1;0;{';'.join(map(str, START))};2;1"
    empty = f"11;0;0;0;1;Anna;Bernd;0;0;1;1;0;{';'.join('0' * 26)};0;0"
    record = one_game(f"Illegal play ({empty};)\nIllegal play ({start};)\n  1) 21: 13/11 6/5            42: 8/4 6/4\n")
    kinds = [type(event) for event in record.games[0].events]
    assert kinds == [Comment, SetPosition, Roll, Roll]
    assert record.games[0].events[1].board == START


def test_next_game_on_the_last_row_of_an_unfinished_one():  # as GNU Backgammon 1.07 writes it
    record = read("""
        7 point match

         Game 1
         Anna : 0                    Bernd : 0
          1) 31: 8/5 6/5             42: 8/4 6/4
          2) 21: 13/11 6/5            Game 2
         Anna : 0                    Bernd : 2
          1) 31: 8/5 6/5             42: 8/4 6/4
        """)
    assert [(game.number, len(game.events), game.score_after) for game in record.games] == [
        (1, 3, (0, 2)),
        (2, 2, (0, 2)),
    ]
    assert Flag.UNREAD_TEXT not in record.all_flags


def test_last_roll_left_unplayed_by_the_loser_is_a_resignation():
    record = one_game("  1) 31: 8/5 6/5             42: 8/4 6/4\n  2) 21:                     Wins 2 points\n")
    last = list(replay(record))[-1]
    assert (last.kind, last.seat, last.level) == (Kind.RESIGN, Seat.BOTTOM, 2)
    assert {Flag.UNPLAYED_ROLL, Flag.RESIGNED_AFTER_ROLLING} <= last.flags


def test_unreadable_dump_is_kept():
    record = one_game("  1) 31: 8/5 6/5             42: 8/4 6/4\n  2) 11: Illegal play (7;0;1) 16: 13/7 8/7\n")
    assert record.games[0].events[2].text == "Illegal play (7;0;1)"
    assert Flag.UNREADABLE_PLAY in record.all_flags
    game = replay_game(record, record.games[0])
    assert not game.complete
    assert Flag.STOPPED in game.flags


# Oddities of the moves


@pytest.mark.parametrize(
    ("row", "flag"),
    [
        ("  2) 21: 13/11 6x5             16: 13/7 8/7", Flag.UNREADABLE_PLAY),
        ("  2) 21: 13/11 20/19           16: 13/7 8/7", Flag.IMPOSSIBLE_PLAY),
        ("  2) 21: 13/9                  16: 13/7 8/7", Flag.ILLEGAL_PLAY),
        ("  2) 21:                       16: 13/7 8/7", Flag.UNPLAYED_ROLL),
        ("  2) 21: ????                  16: 13/7 8/7", Flag.HIDDEN_PLAY),
        ("  2)                           16: 13/7 8/7", Flag.OUT_OF_TURN),
        ("  2) Doubles => 8              Takes", Flag.CUBE_MISMATCH),
        ("  2) Doubles => 2\n  3) 61: 13/7 8/7", Flag.TAKE_IMPLIED),
        ("  2) Takes", Flag.ANSWER_WITHOUT_DOUBLE),
        ("  2) what is this              16: 13/7 8/7", Flag.UNREAD_TEXT),
    ],
)
def test_oddities_are_flagged(row, flag):
    record = one_game(f"  1) 31: 8/5 6/5             42: 8/4 6/4\n{row}\n")
    assert flag in replay_game(record, record.games[0]).flags


@pytest.mark.parametrize("cube", [1, 6, 14])
def test_a_cube_that_no_doubling_reaches_ends_the_replay(cube):
    game = one_game("  1) 31: 8/5 6/5             42: 8/4 6/4\n  2) Doubles => 8              Takes\n")
    events = [replace(event, cube=cube) if isinstance(event, Double) else event for event in game.games[0].events]
    followed = replay_game(game, replace(game.games[0], events=tuple(events)))
    assert not followed.complete
    assert {Flag.CUBE_MISMATCH, Flag.STOPPED} & followed.flags
    assert followed.cube.value == 1


def test_wrong_side_doubles():
    record = one_game("""
  1) 31: 8/5 6/5             42: 8/4 6/4
  2) Doubles => 2            Takes
  3) 61: 13/7 8/7            63: 24/15
  4) Doubles => 4            Takes
""")
    assert Flag.CUBE_NOT_ALLOWED in replay_game(record, record.games[0]).flags


def test_a_die_with_nothing_left_to_move():
    game = one_game("; Set Pos=-AA--------------------bb-/0\n  1) 21: 2/0 1/0 0/0\n").games[0]
    assert game.result.ending is Ending.BORNE_OFF


def test_plain_faults_raise_with_the_line():
    with pytest.raises(RecordError, match="line 4: a score line"):
        read("7 point match\n\n Game 1\n  1) 31: 8/5 6/5      42: 8/4 6/4\n")
    with pytest.raises(RecordError, match=r"line 3: .*truncated"):
        read("7 point match\n\n Game 1\n")
    with pytest.raises(RecordError, match=r"line 6: a second match"):
        read("7 point match\n Game 1\n A : 0          B : 0\n  1) 31: 8/5 6/5\n\n5 point match\n")
    with pytest.raises(RecordError, match=r"line 2: games without a single roll"):
        read("7 point match\n Game 1\n A : 0          B : 0\n  1)\n")


def test_a_single_game_with_names_alone():
    """GNU Backgammon's .gam: no length, no score."""
    text = """ Iris 09                         Jade 1
  1)                             65: 24/18 18/13
  2) 62: 24/18 13/11             61: 13/7* 8/7
      Wins 1 point
"""
    record = parse_match(text.encode())
    assert (record.players, record.length, record.score) == (("Iris 09", "Jade 1"), 0, (1, 0))
    assert Flag.LENGTH_MISSING in record.flags
    plays = [(d.seat, d.text, d.line) for d in replay(record) if d.kind is Kind.PLAY]
    assert plays == [(Seat.TOP, "24/18 18/13", 2), (Seat.BOTTOM, "24/18 13/11", 3), (Seat.TOP, "13/7* 8/7", 3)]
    with pytest.raises(RecordError, match="no game found"):
        parse_match(b"Two words   and more\n  a) nothing\n")
