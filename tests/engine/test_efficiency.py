"""The cube model inside the search: without bias where verdicts are made, held against our own rollouts."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cubelab
from cubelab.game import Cube, MatchState, Owner, Position, Situation

ROLLED = pd.read_csv(Path(__file__).parent / "data" / "rolled_cubes.csv")


def errors(rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """2-ply equities less rolled ones, not doubling and doubling."""
    found = []
    for row in rows.itertuples():
        cube = Cube() if row.cube == 1 else Cube(row.cube, Owner.MOVER)
        score = (row.length - row.away, row.length - row.opponent_away)
        match = MatchState(row.length, *score) if row.length else MatchState()
        position = Position.from_id(row.position)
        equities = cubelab.cube_decision(Situation(position, cube, match), ply=2).equities
        found.append((equities.no_double - row.no_double, equities.double_take - row.double_take))
    no_double, double_take = np.array(found).T
    return no_double, double_take


@pytest.mark.parametrize(
    ("rows", "bias", "worst_no_double", "worst_double_take"),
    [
        # A contact efficiency of .68 is .007 off at the border, one of .74 -.011.
        (ROLLED[ROLLED["sample"] == "border"], 0.005, 0.05, 0.072),
        (ROLLED[ROLLED["sample"].isin(["money", "any"]) & (ROLLED["length"] == 0)], 0.008, 0.05, 0.072),
        (ROLLED[ROLLED["sample"].isin(["money", "any"]) & (ROLLED["length"] > 0)], 0.006, 0.05, 0.072),
        # With x from .6 to .7 between 40 and 120 pips .010, .0172, .0304 for money and -.013, .0207, .0405 in matches.
        (ROLLED[(ROLLED["sample"] == "race") & (ROLLED["length"] == 0)], 0.007, 0.016, 0.028),
        (ROLLED[(ROLLED["sample"] == "race") & (ROLLED["length"] > 0)], 0.007, 0.017, 0.031),
    ],
    ids=["money near the border", "money", "matches", "money races", "match races"],
)
def test_doubling_is_neither_favoured_nor_feared(rows, bias, worst_no_double, worst_double_take):
    no_double, double_take = errors(rows)
    assert abs((double_take - no_double).mean()) < bias
    # What is left is the rollouts' own error (.01 to .02, races .004) and that of the networks.
    assert np.sqrt((no_double**2).mean()) < worst_no_double
    assert np.sqrt((double_take**2).mean()) < worst_double_take
