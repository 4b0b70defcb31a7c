"""Every file of the collection: games, scores and winners as the file says, positions as GNU Backgammon has them."""

import csv

import pytest

from cubelab.game import Situation
from cubelab.records import Ending, Flag, Kind, Seat, read_match, replay, replay_games

from .expected import CORPUS, DATA, FILES, MATCHES, SHIPPED, locate


def _path(name):
    path = locate(name)
    if path is None:
        pytest.skip("only in the shared collection, which is not here")
    return path


@pytest.mark.parametrize("name", FILES)
def test_games_scores_and_winners_are_those_of_the_file(name):
    length, players, games, final = FILES[name]
    record = read_match(_path(name))
    assert (record.length, record.players, record.format) == (length, players, "mat")
    assert [game.number for game in record.games] == list(range(1, len(games) + 1))
    assert [game.score for game in record.games] == [game[:2] for game in games]
    columns = {Seat.BOTTOM: "L", Seat.TOP: "R"}
    assert [columns[game.result.winner] for game in record.games] == [game[2] for game in games]
    assert [game.result.stated for game in record.games] == [game[3] for game in games]
    after = [*(game[:2] for game in games[1:]), final]
    assert [game.score_after for game in record.games] == after
    assert record.score == final
    expected_winner = None if not length or max(final) < length else Seat.BOTTOM if final[0] >= length else Seat.TOP
    assert record.winner is expected_winner
    assert Flag.SCORE_MISMATCH not in record.all_flags


@pytest.mark.parametrize("name", FILES)
def test_every_game_can_be_followed_to_its_end(name):
    for game in replay_games(read_match(_path(name))):
        assert game.complete, (name, game.game.number, game.flags)
        assert Flag.STOPPED not in game.flags
        if game.result.ending is Ending.BORNE_OFF:
            winner = game.position if game.result.winner is Seat.BOTTOM else game.position.flip()
            assert winner.off == 15
        assert Flag.WINNER_CONFLICT not in game.flags
        assert Flag.POINTS_DISAGREE not in game.flags


def test_the_table_names_every_file_of_the_collection():
    if not CORPUS.is_dir():
        pytest.skip("the shared collection is not here")
    assert {path.name for path in CORPUS.iterdir()} == set(FILES)


def test_shipped_matches_are_a_short_match_a_long_one_and_a_money_session():
    assert sorted(SHIPPED.values()) == sorted(path.name for path in MATCHES.glob("*.mat"))
    assert sorted(read_match(path).length for path in MATCHES.glob("*.mat")) == [0, 7, 13]


def _rows():
    with (DATA / "gnubg_positions.tsv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def test_positions_cubes_and_scores_are_those_gnu_backgammon_finds():
    plays = {}
    for row in _rows():
        name, game = row["file"], int(row["game"])
        if name not in plays:
            plays[name] = {g.game.number: g.decisions for g in replay_games(read_match(_path(name)))}
        made = [d for d in plays[name][game] if d.kind in (Kind.PLAY, Kind.RESIGN) and d.situation.dice]
        ours, theirs = made[int(row["play"])].situation, Situation.from_gnuid(row["gnuid"])
        assert ours.position == theirs.position
        assert ours.cube == theirs.cube
        assert sorted(ours.dice) == sorted(theirs.dice)
        assert (ours.match.mover_score, ours.match.opponent_score) == (
            theirs.match.mover_score,
            theirs.match.opponent_score,
        )
        assert (ours.match.length, ours.match.crawford) == (theirs.match.length, theirs.match.crawford)
        # GNU Backgammon's player 0 is the left column; an id's bottom player is its player 1.
        assert ours.turn == -theirs.turn


def _story(decisions):
    return [(d.kind, d.seat, d.situation.position, d.situation.cube, d.played, d.game) for d in decisions]


def test_the_same_match_in_two_text_forms_is_the_same_match():
    text, jellyfish = (list(replay(read_match(DATA / name))) for name in ("xg_text.txt", "xg_jellyfish.mat"))
    assert _story(text) == _story(jellyfish)
    assert len(text) > 500


def test_rare_things_are_flagged_where_they_are():
    flags = {name: read_match(DATA / name).all_flags for name in ("B4_SrGcsKAQmoTyHlgJCbM.mat", "xg_text.txt")}
    assert flags["B4_SrGcsKAQmoTyHlgJCbM.mat"] == {Flag.ENDED_EARLY}
    assert flags["xg_text.txt"] == {Flag.HIDDEN_PLAY}
    assert read_match(DATA / "XCu3RJ0UvDg_Tldl.mat").all_flags == {Flag.POINTS_CAPPED}


def test_absurd_points_are_kept_and_counted_as_far_as_the_match_goes():  # CASES 54
    game = read_match(DATA / "studio_sentinel_points.txt").games[1]
    assert (game.result.stated, game.result.points, game.score_after) == (4016, 2, (0, 3))
    assert game.result.ending is Ending.RESIGNATION
    assert Flag.POINTS_IMPOSSIBLE in game.flags


def test_illegal_plays_are_kept_and_followed():  # CASES 55
    illegal = [d for d in replay(read_match(DATA / "5nqfGw9bWG3deTaU.mat")) if Flag.ILLEGAL_PLAY in d.flags]
    assert [(d.line, d.text) for d in illegal] == [(25, "14/10 13/12")]
    assert illegal[0].after.board[10] == 1
    assert illegal[0].after.board[12] == illegal[0].situation.position.board[12] + 1
    backwards = [d for d in replay(read_match(DATA / "hQ8sVn2LbTdF4wRm.mat")) if Flag.ILLEGAL_PLAY in d.flags]
    assert [(d.line, d.text) for d in backwards] == [(71, "14/8 15/10 6/8"), (98, "13/9 13/7"), (104, "7/1")]
    assert backwards[0].after.board[8] == backwards[0].situation.position.board[8] + 2
    assert backwards[0].played is None


def test_a_player_named_like_a_cube_action_is_only_a_name():
    actions = [d.played for d in replay(read_match(DATA / "galaxy_match944196.txt")) if d.kind is Kind.TAKE]
    assert actions == ["pass", "take"]


def test_cube_goes_round_as_written():
    doubles = [d for d in replay(read_match(DATA / "galaxy_match7986278.txt")) if d.played == "double"]
    assert [(d.seat, d.situation.cube.value) for d in doubles] == [
        (Seat.TOP, 1),
        (Seat.BOTTOM, 2),
        (Seat.TOP, 4),
        (Seat.BOTTOM, 8),
    ]
