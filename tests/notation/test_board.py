"""The board in characters."""

from hypothesis import given
from strategies import situations

from cubelab.game import Situation
from cubelab.notation import board_text


def test_bottom_player_on_roll():
    s = Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:1:1:1:D:3:5:0:7:10")
    assert board_text(s) == "\n".join(
        [
            " +13-14-15-16-17-18-------19-20-21-22-23-24-+  O: 167 pips, 5 points",
            " | X           O    |   | O              X |",
            " | X           O    |   | O              X |",
            " | X           O    |   | O                |",
            " | X                |   | O                |",
            " | X                |   | O                |  cube 2, X owns it",
            " |                  |BAR|                  |  3-5 to 7",
            " | O                |   | X                |  X doubles to 4",
            " | O                |   | X                |",
            " | O           X    |   | X                |",
            " | O           X    |   | X              O |",
            " | O           X    |   | X              O |",
            " +12-11-10--9--8--7--------6--5--4--3--2--1-+  X: 167 pips, 3 points",
        ]
    )


def test_top_player_on_roll_keeps_the_seats_and_turns_the_numbers():
    lines = board_text(Situation.from_xgid("b-A-BaC-D---cB---bBcbb--A-:0:0:-1:52:0:0:1:0:10")).splitlines()
    assert lines[0] == " +12-11-10--9--8--7--------6--5--4--3--2--1-+  O: 161 pips"
    assert lines[12] == " +13-14-15-16-17-18-------19-20-21-22-23-24-+  X: 146 pips"
    assert lines[1] == " | X           O  X | O | O  O  O        X |"
    assert lines[7].endswith("O to play 52")
    assert lines[6].endswith("money (Jacoby)")


def test_high_stacks_are_counted():
    lines = board_text(Situation.from_xgid("------M-A---------------o-:0:0:1:00:6:5:1:7:10")).splitlines()
    assert "13" in lines[7]
    assert "15 |" in lines[5]
    assert lines[5].endswith("no cube")


@given(situations())
def test_every_situation_can_be_drawn(situation):
    text = board_text(situation)
    lines = text.splitlines()
    assert len(lines) == 13
    assert max(map(len, lines)) <= 80
    board = situation.position.board if situation.turn == 1 else situation.position.flip().board
    drawn = "".join(line[:45] for line in lines[1:-1])
    small = [count for count in board if 0 < count <= 5]
    if all(abs(count) <= 5 for count in board):
        assert drawn.count("X") == sum(small)
