import numpy as np
import pytest

from cubelab.errors import TableError
from cubelab.score import MatchEquityTable
from cubelab.score.build import build_table, compare_tables
from cubelab.score.met_files import parse_csv, parse_xml, to_csv, to_xml

KX2 = MatchEquityTable.load()


@pytest.mark.parametrize("gammon_rate", [0.22, 0.24, 0.26])
def test_modern_gammon_rates_come_near_kazaross_xg2(gammon_rate):
    table = build_table(25, gammon_rate=gammon_rate)
    assert compare_tables(table, KX2, up_to=7).mean < 0.01
    whole = compare_tables(table, KX2)
    assert whole.mean < 0.007
    assert whole.largest < 0.02


def test_zadehs_parameters_come_near_his_table():
    """His gammon rate of the trailer after the Crawford game, .25, gives his post-Crawford row to its digits."""
    zadeh = MatchEquityTable.load("zadeh")
    table = build_table(25, gammon_rate=0.25)
    np.testing.assert_allclose(table.post, zadeh.post, atol=1e-6)
    difference = compare_tables(table, zadeh)
    assert difference.mean < 0.004
    assert difference.largest < 0.045
    both = build_table(25, gammon_rate=0.25, trailer_gammon_rate=0.15, efficiency=0.5)
    near = compare_tables(both, zadeh, up_to=7).differences[1:, 1:]
    assert np.abs(near).mean() < 0.006
    assert "0.15 of the side behind" in both.source


def test_hand_solved_cells():
    """Without gammons: 2-away in the Crawford game needs two wins; 2-away 2-away is even."""
    table = build_table(4, gammon_rate=0.0, free_drop=(0.0, 0.0))
    assert table.mwc(away=(2, 1)) == pytest.approx(0.25)
    assert table.mwc(away=(2, 2)) == 0.5
    assert table.mwc(away=(2, 1), post_crawford=True) == pytest.approx(0.5)
    assert table.mwc(away=(3, 1), post_crawford=True) == pytest.approx(0.25)
    assert table.mwc(away=(3, 1)) == pytest.approx(0.25)
    # With every win a gammon two points come from each game.
    gammons = build_table(4, gammon_rate=1.0, free_drop=(0.0, 0.0))
    assert gammons.mwc(away=(2, 1)) == pytest.approx(0.5)
    assert gammons.mwc(away=(4, 1), post_crawford=True) == pytest.approx(0.5)


def test_longer_tables_hold_the_shorter_ones():
    np.testing.assert_allclose(build_table(12).values[:7, :7], build_table(7).values, atol=1e-12)


def test_chances_fall_with_points_needed():
    table = build_table(15, gammon_rate=0.3, backgammon_rate=0.01, efficiency=0.6)
    assert (np.diff(table.values, axis=0) < 0).all()
    assert (np.diff(table.values, axis=1) > 0).all()


def test_unequal_skill_makes_a_skewed_table():
    table = build_table(9, win_rate=0.53)
    other = build_table(9, win_rate=0.47)
    assert table.skewed
    np.testing.assert_allclose(table.swap().values, other.values, atol=1e-9)
    np.testing.assert_allclose(table.swap().post, other.post, atol=1e-9)
    assert table.mwc(away=(7, 7)) > 0.53
    assert table.mwc(away=(9, 9)) > table.mwc(away=(3, 3))


def test_tables_are_written_and_read():
    table = build_table(9, gammon_rate=0.22)
    assert parse_csv(to_csv(table), "x") == table
    back = parse_xml(to_xml(table).encode(), "x")
    np.testing.assert_allclose(back.values, table.values, atol=1e-7)
    assert "gammon rate 0.22" in back.source


def test_comparison_frame():
    frame = compare_tables(build_table(5), KX2).to_frame()
    assert frame.shape == (5, 5)
    assert frame.loc[2, 2] == 0


def test_tables_are_compared_by_name_too():
    assert compare_tables("Kazaross-XG2", KX2).largest == 0
    with pytest.raises(TableError):
        compare_tables("no such table", KX2)
    with pytest.raises(TableError, match="at least 1"):
        compare_tables(KX2, KX2, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"length": 1}, "length 1"),
        ({"gammon_rate": 1.5}, "gammon rate 1.5"),
        ({"gammon_rate": 22}, "gammon rate 22 is not between 0 and 1"),
        ({"backgammon_rate": 0.5}, "backgammon rate 0.5"),
        ({"win_rate": float("nan")}, "win rate nan"),
        ({"trailer_gammon_rate": 2.0}, "trailer's gammon rate 2.0"),
        ({"efficiency": -1}, "cube efficiency -1"),
    ],
)
def test_bad_parameters_are_refused(change, message):
    with pytest.raises(TableError, match=message):
        build_table(**change)
