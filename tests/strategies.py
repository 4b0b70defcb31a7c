"""Random values of the game for hypothesis, legal by construction."""

from hypothesis import assume
from hypothesis import strategies as st

from cubelab.game import Cube, MatchState, Offer, Owner, Position, Rules, Situation

dice = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def positions(draw, over=False):
    """Up to 15 checkers a side anywhere, bars included; both sides still playing unless `over`."""
    board = [0] * 26
    # Few high places make blocked boards and bars, many make scattered ones: both matter.
    reach = draw(st.sampled_from((6, 9, 14, 24, 25)))
    for place in draw(st.lists(st.integers(0, reach), min_size=15, max_size=15)):
        board[place] += place > 0
    for place in draw(st.lists(st.integers(0, 25), min_size=15, max_size=15)):
        if 0 < place <= 24 and board[25 - place] <= 0:
            board[25 - place] -= 1
        elif place == 25:
            board[0] -= 1
    mine, theirs = any(count > 0 for count in board), any(count < 0 for count in board)
    assume((mine or theirs) if over else (mine and theirs))
    return Position(tuple(board))


@st.composite
def matches(draw, rules=None):
    """Money or a match, Crawford game where there can be one."""
    length = draw(st.one_of(st.just(0), st.integers(1, 25)))
    cap = 2 ** draw(st.integers(6, 12))
    if not length:
        money = Rules(cube_cap=cap, jacoby=draw(st.booleans()), beavers=draw(st.integers(0, 1)))
        return MatchState(0, draw(st.integers(0, 50)), draw(st.integers(0, 50)), rules=money)
    scores = draw(st.integers(0, length - 1)), draw(st.integers(0, length - 1))
    crawford = length - max(scores) == 1 and draw(st.booleans())
    return MatchState(length, *scores, crawford, Rules(cube_cap=cap))


@st.composite
def situations(draw):
    """Any situation an XGID can hold."""
    match = draw(matches())
    cube = Cube(2 ** draw(st.integers(0, 6)), draw(st.sampled_from(Owner)))
    kind = draw(st.sampled_from(("roll", "offer", "before")))
    return Situation(
        draw(positions()),
        cube,
        match,
        draw(dice) if kind == "roll" else None,
        draw(st.sampled_from(Offer)) if kind == "offer" else None,
        draw(st.sampled_from((1, -1))),
    )
