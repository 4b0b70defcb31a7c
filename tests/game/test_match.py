"""Match states: the Crawford rule through whole matches, refusals, words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import matches

from cubelab.errors import IllegalRules
from cubelab.game import MatchState, Rules


def flow(length, games, rules=None):
    """Stage of each game of a match: (mover's score, opponent's score, Crawford, post-Crawford)."""
    match = MatchState(length, rules=rules or Rules())
    stages = []
    for points in [*games, None]:
        stages.append((match.mover_score, match.opponent_score, match.crawford, match.post_crawford))
        if points is None:
            return stages
        match = match.after(max(points, 0), max(-points, 0))
        if match is None:
            return [*stages, "over"]


def test_crawford_game_comes_once():
    assert flow(5, [2, 2, -1, -2, -1, 1]) == [
        (0, 0, False, False),
        (2, 0, False, False),
        (4, 0, True, False),  # 4-0: the Crawford game
        (4, 1, False, True),
        (4, 3, False, True),
        (4, 4, False, True),  # the trailer gets there too: no second Crawford game
        "over",
    ]


def test_crawford_game_of_the_other_side():
    assert flow(3, [-2, 1, 1]) == [(0, 0, False, False), (0, 2, True, False), (1, 2, False, True), (2, 2, False, True)]


def test_jumping_over_one_away_has_no_crawford_game():
    assert flow(5, [3, 4]) == [(0, 0, False, False), (3, 0, False, False), "over"]


def test_without_the_crawford_rule():
    assert flow(3, [2], Rules(crawford=False)) == [(0, 0, False, False), (2, 0, False, True)]


def test_one_point_match_is_played_without_a_crawford_game():
    assert flow(1, [1]) == [(0, 0, False, True), "over"]
    assert MatchState(1, crawford=True).crawford  # as some programs write it


def test_money_goes_on_for_ever():
    state = MatchState(rules=Rules.preset("money-jacoby")).after(64).after(0, 192)
    assert (state.mover_score, state.opponent_score, state.crawford, state.money) == (64, 192, False, True)
    assert not state.post_crawford
    with pytest.raises(IllegalRules, match="no away score"):
        _ = state.away


@given(st.integers(1, 25), st.lists(st.integers(-6, 6).filter(bool), max_size=60))
def test_at_most_one_crawford_game_and_post_crawford_after_it(length, games):
    stages = [stage for stage in flow(length, games) if stage != "over"]
    crawford = [i for i, stage in enumerate(stages) if stage[2]]
    assert len(crawford) <= 1
    for i, (mine, theirs, is_crawford, post) in enumerate(stages):
        one_away = length - max(mine, theirs) == 1
        assert is_crawford + post == one_away
        if post and length > 1:
            assert crawford
            assert crawford[0] < i


@given(matches())
def test_flip(match):
    assert match.flip().flip() == match
    assert (match.flip().crawford, match.flip().post_crawford) == (match.crawford, match.post_crawford)
    if not match.money:
        assert match.flip().away == match.away[::-1]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: MatchState(7, 7, 0), "not below the match length 7"),
        (lambda: MatchState(7, -1, 0), "may be negative"),
        (lambda: MatchState(-7), "may be negative"),
        (lambda: MatchState(7, 5, 5, crawford=True), "neither side is one point away"),
        (lambda: MatchState(0, crawford=True), "only in a match"),
        (lambda: MatchState(7, 6, 0, True, Rules(crawford=False)), "switch the Crawford rule off"),
        (lambda: MatchState(7, rules=Rules(jacoby=True)), "Jacoby rule is for money"),
        (lambda: MatchState(7, rules=Rules(beavers=1)), "beavers are for money"),
        (lambda: MatchState(7, rules=Rules(automatic_doubles=1)), "automatic doubles are for money"),
        (lambda: MatchState(7).after(-1), "none is negative"),
    ],
)
def test_states_that_cannot_be(make, reason):
    with pytest.raises(IllegalRules, match=reason):
        make()


@pytest.mark.parametrize(
    ("match", "words"),
    [
        (MatchState(), "money"),
        (MatchState(rules=Rules(jacoby=True, beavers=1)), "money (Jacoby, beavers)"),
        (MatchState(7, 3, 5), "3-5 to 7"),
        (MatchState(7, 6, 5, crawford=True), "6-5 to 7 (Crawford)"),
        (MatchState(7, 6, 5), "6-5 to 7 (post-Crawford)"),
        (MatchState(1), "0-0 to 1"),
    ],
)
def test_score_in_words(match, words):
    assert match.score_text == words
