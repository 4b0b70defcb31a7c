"""A game at the table: what the rules allow, what the record keeps."""

import pytest

from cubelab.errors import IllegalPlay, IllegalRules, SettingsError
from cubelab.game import Cube, MatchState, Offer, Owner, Position, Rules
from cubelab.game.play import Play
from cubelab.practice.session import Session
from cubelab.practice.table import Table
from cubelab.records import read_match, write_match
from cubelab.records.record import Ending, Seat
from cubelab.records.replay import replay_game


def opened(match=None, seat=Seat.BOTTOM):
    """A table after an opening 3-1, the other side on roll."""
    table = Table(match or MatchState(7))
    table.opens(seat)
    table.roll((3, 1))
    table.play(Play.parse("8/5 6/5", table.situation.position, (3, 1)))
    return table


def near_the_end(table, mine, theirs):
    """The same table with other checkers, the player on roll to move."""
    board = [0] * 26
    for point in mine:
        board[point] += 1
    for point in theirs:
        board[25 - point] -= 1
    table.situation = table.situation.with_(position=Position(tuple(board)))
    return table


def test_seats_take_turns():
    table = opened(seat=Seat.TOP)
    assert table.seat is Seat.BOTTOM
    assert table.situation.turn == 1
    assert table.events[0].seat is Seat.TOP
    table.double()
    assert (table.seat, table.situation.offer) == (Seat.TOP, Offer.DOUBLE)
    table.take()
    assert table.situation.cube == Cube(2, Owner.OPPONENT)
    assert table.seat is Seat.BOTTOM


def test_what_the_rules_forbid():
    table = Table(MatchState(7))
    assert not table.may_double  # before the opening roll
    with pytest.raises(IllegalRules, match="no double waits"):
        table.take()
    table = opened()
    with pytest.raises(IllegalRules, match="no roll waits"):
        table.play(Play(table.situation.position, ()))
    table.roll((6, 6))
    with pytest.raises(IllegalRules, match="no double now"):
        table.double()
    with pytest.raises(IllegalPlay, match="no legal play of 66"):
        table.play(Play(table.situation.position, ()))
    with pytest.raises(IllegalRules, match="level 1, 2 or 3"):
        table.resign(Seat.TOP, 4)
    with pytest.raises(IllegalRules, match="has begun"):
        table.opens(Seat.TOP)


def test_a_pass_wins_the_cube_as_it_was():
    table = opened()
    table.double()
    table.drop()
    assert (table.result.winner, table.result.points, table.result.ending) == (Seat.TOP, 1, Ending.PASS)
    with pytest.raises(IllegalRules, match="over"):
        table.roll((2, 1))


def test_the_last_checker_wins_what_the_level_and_the_cube_say():
    for theirs, level in (([1] * 14, 1), ([6] * 15, 2), ([6] * 14 + [22], 3)):
        table = near_the_end(opened(MatchState(25)), [1], theirs)
        table.double()
        table.take()
        plays = table.roll((2, 1))
        table.play(plays[0])
        assert (table.result.level, table.result.points) == (level, 2 * level)
    # Never more than the winner needs.
    table = near_the_end(opened(MatchState(7, 0, 5)), [1], [6] * 15)
    table.double()
    table.take()
    table.play(table.roll((2, 1))[0])
    assert table.result.points == 2


def test_jacoby_and_beavers():
    jacoby = MatchState(rules=Rules(jacoby=True, beavers=1))
    table = near_the_end(opened(jacoby), [1], [6] * 15)
    table.play(table.roll((2, 1))[0])
    assert (table.result.level, table.result.points) == (2, 1)
    table = opened(jacoby)
    table.double()
    assert table.may_beaver
    table.beaver()
    assert table.situation.cube == Cube(4, Owner.OPPONENT)
    assert table.seat is Seat.TOP
    assert not opened(MatchState(7)).may_beaver


def test_a_match_goes_on_to_the_crawford_game_and_its_end():
    session = Session(3, seed=1)
    for points in (2, 1):
        table = session.next_game()
        seat, dice = session.opening()
        table.opens(seat)
        table.play(table.roll(dice)[0])
        table.resign(Seat.TOP, points)
        assert table.match.crawford == (points == 1)
        assert not (points == 1 and table.may_double)
        session.finish(table)
    assert session.score == (3, 0)
    assert session.match is None
    with pytest.raises(SettingsError, match="over"):
        session.next_game()
    record = session.record()
    assert record.winner is Seat.BOTTOM
    assert [game.crawford for game in record.games] == [False, True]


def test_the_same_seed_brings_the_same_dice():
    def dice(seed):
        session = Session(0, seed=seed)
        session.next_game()
        return [session.opening(), *(session.throw() for _ in range(30))]

    assert dice(4) == dice(4) != dice(5)
    assert all(high >= low for high, low in dice(4)[1:])


@pytest.mark.parametrize("ending", [".mat", ".sgf", ".json"])
def test_cube_actions_and_resignations_are_read_back(tmp_path, ending):
    """A beaver, a redouble and a resignation, in a record that another program could have written."""
    session = Session(0, Rules(beavers=1), seed=5)
    table = session.next_game()
    seat, dice = session.opening()
    table.opens(seat)
    table.play(table.roll(dice)[0])
    table.double()
    table.beaver()  # at 4, owned by who opened
    table.play(table.roll(session.throw())[0])
    table.double()
    table.take()
    table.resign(seat.other, 2)
    session.finish(table)
    write_match(session.record(), tmp_path / f"match{ending}")
    record = read_match(tmp_path / f"match{ending}")
    assert record.score == session.score
    assert max(record.score) == 2 * 8
    replayed = replay_game(record, record.games[0])
    assert not replayed.flags
    assert replayed.complete
    assert replayed.cube.value == 8
