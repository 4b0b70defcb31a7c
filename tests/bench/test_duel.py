"""Duels: fair seats and dice, luck with mean zero, the same result however it is cut, and who is stronger wins."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import dice, positions

from cubelab.bench import duel as module
from cubelab.bench.duel import DuelSettings, duel, game_table, pair_rolls
from cubelab.bench.players import NetworkPlayer, Turns, load_weights, move_checkers, open_player
from cubelab.engine.neural import load_nets
from cubelab.errors import CubelabError
from cubelab.game import MatchState, Phase, Position, Rules
from cubelab.kernels.duel import best_plays, roll_luck
from cubelab.kernels.moves import MAX_PLAYS, legal_boards, legal_plays
from cubelab.kernels.search import HIGH, LOW, WEIGHT
from cubelab.kernels.static import evaluate_candidates

MONEY = MatchState(rules=Rules(jacoby=False))
MATCH = MatchState(7, 3, 5)


class Careless(NetworkPlayer):
    """Plays the first legal play, doubles never, passes always."""

    def start_plays(self, turns: Turns):
        buffer = np.empty((MAX_PLAYS, 26), np.int8)
        afters = turns.boards.copy()
        for row, board in enumerate(turns.boards):
            if legal_boards(board, HIGH[turns.rolls[row]], LOW[turns.rolls[row]], buffer):
                afters[row] = buffer[0]
        return lambda: afters

    def doubles(self, turns: Turns) -> np.ndarray:
        return np.zeros(len(turns.boards), np.bool_)

    def takes(self, turns: Turns) -> np.ndarray:
        return np.zeros(len(turns.boards), np.bool_)


def careless():
    return Careless(load_nets(), 0, "careless")


def state(board, side=0, level=0, place=0):
    arrays = (np.array([value], np.int64) for value in (side, level, place))
    return np.array([board], np.int8), *arrays


@pytest.mark.parametrize("cubeful", [False, True])
@pytest.mark.parametrize("length", [0, 3])
def test_a_player_against_itself_is_even_to_the_last_bit(length, cubeful):
    """With seats changed and the same dice the second game (match) mirrors the first."""
    result = duel("shipped@0", "shipped@0", DuelSettings(pairs=3, length=length, cubeful=cubeful))
    half = 0.5 if length else 0.0
    assert np.array_equal(result.raw.mean(axis=1), np.full(3, half))
    assert result.adjusted.mean(axis=1) == pytest.approx(half, abs=1e-12)


def test_the_better_player_wins_from_either_seat():
    settings_ = DuelSettings(pairs=6)
    first = duel("shipped@0", careless, settings_)
    second = duel(careless, "shipped@0", settings_)
    assert first.mean > 3 * first.se > 0
    assert first.adjusted == pytest.approx(-second.adjusted[:, ::-1], abs=1e-9)
    assert first.raw_mean == -second.raw_mean


def test_a_player_who_always_passes_loses_one_point_a_double():
    result = duel("shipped@0", careless, DuelSettings(pairs=4, cubeful=True))
    assert result.mean > 0
    assert set(np.unique(result.raw)) <= {1.0, 2.0, 3.0, -1.0, -2.0, -3.0}


def test_matches_are_won_or_lost():
    result = duel("shipped@0", careless, DuelSettings(pairs=3, length=2, cubeful=True))
    assert set(np.unique(result.raw)) <= {0.0, 1.0}
    assert result.mean > 0.5
    assert result.unit == "match winning chance"
    assert result.games >= 6


def test_batches_and_threads_change_nothing(monkeypatch):
    whole = duel("shipped@0", careless, DuelSettings(pairs=5, seed=7))
    monkeypatch.setattr(module, "BATCH", 2)
    parts = duel("shipped@0", careless, DuelSettings(pairs=5, seed=7, threads=2))
    assert np.array_equal(whole.adjusted, parts.adjusted)
    assert np.array_equal(whole.raw, parts.raw)
    assert (whole.plies, whole.games) == (parts.plies, parts.games)


def test_the_standard_error_stops_it(monkeypatch):
    monkeypatch.setattr(module, "BATCH", 2)
    seen = []
    result = duel("shipped@0", "shipped@0", DuelSettings(pairs=8, stop_se=0.5), seen.append)
    assert len(result.raw) == 2
    assert len(seen) == 1


def test_luck_taken_out_leaves_the_mean_and_takes_the_spread():
    result = duel("shipped@0", careless, DuelSettings(pairs=24, seed=3))
    difference = (result.raw - result.adjusted).mean(axis=1)
    assert abs(difference.mean()) < 4 * difference.std(ddof=1) / np.sqrt(24)
    plain = duel("shipped@0", careless, DuelSettings(pairs=4, seed=3, luck=False))
    assert np.array_equal(plain.raw, result.raw[:4])
    assert np.array_equal(plain.raw, plain.adjusted)


@settings(max_examples=40, deadline=None)
@given(positions(), st.sampled_from((0, 1)), st.booleans())
def test_luck_has_mean_zero_over_all_rolls(position, side, cubeful):
    assume(position.phase is not Phase.OVER)
    for match in (MONEY, MATCH):
        table = game_table(match, cubeful, None)
        boards, sides, levels, places = (np.repeat(a, 21, axis=0) for a in state(position.array, side))
        luck = np.empty(21)
        rolls = np.arange(21)
        roll_luck(table, load_nets(), boards, sides, levels, places, rolls, np.zeros(21, np.bool_), luck)
        assert luck @ WEIGHT == pytest.approx(0.0, abs=1e-9)
        roll_luck(table, load_nets(), boards, sides, levels, places, rolls, np.ones(21, np.bool_), luck)
        assert luck[HIGH != LOW].mean() == pytest.approx(0.0, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(positions(), dice, st.sampled_from((0, 1)))
def test_static_play_is_the_best_of_all_candidates(position, roll, side):
    assume(position.phase is not Phase.OVER)
    nets, board = load_nets(), np.ascontiguousarray(position.array)
    high, low = max(roll), min(roll)
    number = high * (high - 1) // 2 + low - 1
    assert (HIGH[number], LOW[number]) == (high, low)
    afters, outcomes = np.empty((MAX_PLAYS, 26), np.int8), np.empty((MAX_PLAYS, 6), np.float32)
    count = legal_boards(board, high, low, afters)
    for match in (MONEY, MATCH):
        table = game_table(match, False, None)
        chosen = np.empty((1, 26), np.int8)
        best_plays(table, nets, 0, *state(board, side), np.array([number]), chosen)
        if not count:
            assert np.array_equal(chosen[0], board)
            continue
        evaluate_candidates(nets, board, afters, count, outcomes)
        worth = outcomes[:count].astype(float) @ table.payoffs[side, 0]
        place = np.flatnonzero((afters[:count] == chosen[0]).all(axis=1))
        assert len(place) == 1
        assert worth[place[0]] == pytest.approx(worth.max(), abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(positions(), dice)
def test_moving_checkers_by_from_and_to(position, roll):
    board = np.ascontiguousarray(position.array)
    afters, hops = np.empty((MAX_PLAYS, 26), np.int8), np.empty((MAX_PLAYS, 8), np.int8)
    for number in range(legal_plays(board, *roll, afters, hops)):
        moved = board.copy()
        move_checkers(moved, [int(place) for place in hops[number] if place >= 0])
        assert np.array_equal(moved, afters[number])


def test_first_rolls_are_no_doubles_and_balanced():
    first = [pair_rolls(5, pair, 0)[0][0] for pair in range(30)]
    for block in (first[:15], first[15:]):
        assert sorted(block) == sorted(np.flatnonzero(HIGH != LOW))
    assert HIGH[pair_rolls(5, 3, 2)[0][0]] != LOW[pair_rolls(5, 3, 2)[0][0]]


def test_dice_depend_on_seed_pair_and_game_only_and_are_fair():
    rolls = pair_rolls(1, 0, 0)[0]
    assert np.array_equal(rolls, pair_rolls(1, 0, 0)[0])
    for other in (pair_rolls(2, 0, 0), pair_rolls(1, 1, 0), pair_rolls(1, 0, 1)):
        assert not np.array_equal(rolls, other[0])
    counts = np.bincount(np.concatenate([pair_rolls(9, pair, 0)[0][1:] for pair in range(20)]), minlength=21)
    expected = WEIGHT * counts.sum()
    # χ² with 20 degrees of freedom: above 56.4 once in 40,000.
    assert ((counts - expected) ** 2 / expected).sum() < 56.4


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("shipped@7", "ply 7"),
        ("shipped@x", "after @ comes the ply"),
        ("nowhere.npz@0", "there is no file 'nowhere.npz'; players are shipped, gnubg and weights files"),
        ("@0", "there is no file ''"),
        ("gnubg@7", "ply 7 of gnubg does not exist"),
        (__file__, "is no weights file of this version"),
    ],
)
def test_players_that_cannot_be(name, sentence):
    with pytest.raises(CubelabError, match=sentence):
        open_player(name)


def test_weights_of_a_file_play_like_themselves():
    from importlib.resources import files

    nets = load_weights(str(files("cubelab.engine") / "weights" / "static.npz"))
    result = duel(lambda: NetworkPlayer(nets, 0, "copy"), "shipped@0", DuelSettings(pairs=2))
    assert result.raw_mean == 0.0
    assert result.first == "copy 0-ply"


TOO_MUCH = ({"pairs": 10**20}, {"threads": 10**8}, {"seed": 2**63}, {"length": 10**4}, {"stop_se": float("inf")})


@pytest.mark.parametrize(
    "bad", [{"pairs": 0}, {"length": -1}, {"seed": -5}, {"threads": 0}, {"stop_se": 0.0}, *TOO_MUCH]
)
def test_settings_that_cannot_be_carried_out(bad):
    with pytest.raises(CubelabError, match=next(iter(bad))):
        DuelSettings(**bad)


def test_documents_hold_plain_numbers():
    import json

    document = duel("shipped@0", careless, DuelSettings(pairs=2)).to_dict()
    assert json.loads(json.dumps(document)) == document
    assert document["pairs"] == 2
    assert document["settings"]["met"] is None


@pytest.mark.parametrize("ply", [0, 1, 2])
def test_the_trailer_turns_the_cube_at_once_after_the_crawford_game(ply):
    """Doubling costs the trailer nothing, waiting a turn often neither: who doubles at gains only waits for ever."""
    table = game_table(MatchState(7, 4, 6), True, None)
    one = np.zeros(1, np.int64)
    turns = Turns(table, Position.start().array[None], one, one, one, one, (7, 4, 6, False))
    assert NetworkPlayer(load_nets(), ply, "ours").doubles(turns).all()
    # The same with the equities of any other engine: GNU Backgammon gives two equal ones here.
    assert turns.turned(np.array([0.4634]), np.array([0.4634])).all()
    assert (
        not replace(turns, table=game_table(MatchState(7, 3, 4), True, None))
        .turned(np.array([0.4]), np.array([0.4]))
        .any()
    )


def test_a_duel_that_is_stopped_does_not_play_on():
    stopped = threading.Event()
    stopped.set()
    players = [open_player("shipped@0"), open_player("shipped@0")]
    batch = module._Batch(players, DuelSettings(pairs=2), range(2))
    batch.play(stopped)
    assert batch.plies == 0
    assert not batch.over.any()
