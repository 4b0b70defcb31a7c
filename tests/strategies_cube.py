"""Random chances and stakes for tests of the cube theory."""

import numpy as np
from hypothesis import strategies as st

from cubelab.game import Cube, MatchState, Owner, Rules, Scoring
from cubelab.score import PipCounts, Stakes


@st.composite
def chances(draw):
    """Six exclusive chances, some of them 0."""
    parts = [draw(st.floats(0, 1)) ** 2 for _ in range(6)]
    for i in range(6):
        if draw(st.integers(0, 3)) == 0:
            parts[i] = 0.0
    total = sum(parts)
    return np.array(parts) / total if total > 1e-3 else np.array([0.5, 0, 0, 0.5, 0, 0])


@st.composite
def match_stakes(draw, length=15):
    """Any score, Crawford stage, cube and owner of a match."""
    mover, opponent = draw(st.integers(1, length)), draw(st.integers(1, length))
    crawford = min(mover, opponent) == 1 and draw(st.booleans())
    cube = 1 if crawford else draw(st.sampled_from([1, 2, 4, 8]))
    owner = Owner.CENTRE if cube == 1 else draw(st.sampled_from([Owner.MOVER, Owner.OPPONENT]))
    return Stakes.of(MatchState(length, length - mover, length - opponent, crawford), Cube(cube, owner))


@st.composite
def money_stakes(draw):
    """Money play under any rules that stakes hold."""
    rules = Rules(
        cube_cap=draw(st.sampled_from([None, 1, 2, 4, 8, 64, 1024])),
        jacoby=draw(st.booleans()),
        beavers=draw(st.integers(0, 2)),
    )
    cube = draw(st.sampled_from([1, 2, 4]))
    if rules.cube_cap is not None:
        cube = min(cube, rules.cube_cap)
    owner = Owner.CENTRE if cube == 1 else draw(st.sampled_from(list(Owner)))
    return Stakes.of(MatchState(rules=rules), Cube(cube, owner))


@st.composite
def pip_stakes(draw):
    """Pip scoring: gammons and backgammons leave the loser more pips than single losses."""
    rules = Rules(
        scoring=Scoring.PIPS,
        cube_cap=draw(st.sampled_from([None, 1, 2, 4, 8])),
        beavers=draw(st.integers(0, 1)),
    )
    cube = min(draw(st.sampled_from([1, 2])), rules.cube_cap or 2)
    owner = Owner.CENTRE if cube == 1 else draw(st.sampled_from(list(Owner)))
    single, gammon = st.floats(1, 60), st.floats(60, 200)
    results = tuple(draw(one) for one in (single, gammon, gammon, single, gammon, gammon))
    pips = PipCounts(draw(st.floats(1, 200)), draw(st.floats(1, 200)), results)
    return Stakes.of(MatchState(rules=rules), Cube(cube, owner), pips=pips)
