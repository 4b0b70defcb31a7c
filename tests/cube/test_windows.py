import numpy as np
import pytest

from cubelab.cube import Janowski, cube_points, decide
from cubelab.cube.windows import market_window, verdict_plane
from cubelab.errors import SettingsError
from cubelab.game import Cube, MatchState, Owner
from cubelab.score import Stakes

MONEY = Stakes.of(MatchState(), Cube())


def test_the_window_lies_between_the_points():
    window = market_window((0.2, 0.1), MONEY, steps=1001)
    points = cube_points((0.2, 0.1), MONEY).mover
    bands = {verdict: (low, high) for low, high, verdict in window.bands}
    assert list(bands) == ["ND_T", "D_T", "D_P", "TG_P"]
    assert bands["D_T"] == pytest.approx((points.double.model, points.cash.model), abs=2e-3)
    assert bands["TG_P"][0] == pytest.approx(points.too_good.model, abs=2e-3)
    frame = window.to_frame()
    assert frame["verdict"].tolist()[0] == "ND_T"
    assert (np.diff(frame["no_double"]) >= -1e-12).all()


def test_rows_equal_single_decisions():
    stakes = Stakes.of(MatchState(7, 4, 2), Cube(2, Owner.MOVER))
    window = market_window((0.25, 0.15), stakes, Janowski(0.7), steps=21)
    for at in (3, 10, 15):
        win = window.win[at]
        chances = [win * 0.75, win * 0.25, 0, (1 - win) * 0.85, (1 - win) * 0.15, 0]
        decision = decide(chances, stakes, Janowski(0.7))
        assert window.no_double[at] == pytest.approx(decision.equities.no_double)
        assert window.double_take[at] == pytest.approx(decision.equities.double_take)


def test_a_locked_cube_has_one_band():
    window = market_window(None, Stakes.of(MatchState(5, 4, 4), Cube()), steps=11)
    assert window.bands == ((0.0, 1.0, None),)
    assert np.isnan(window.double_take).all()


def test_plane():
    plane = verdict_plane(MONEY, steps=21, opponent_gammons=0.1)
    assert plane.shape == (21, 21)
    assert plane.columns.name == "win"
    assert plane.loc[0.0, 0.4] == "ND_T"
    assert plane.loc[0.0, 0.75] == "D_T"
    assert plane.iloc[10, 18] == "TG_P"
    assert plane.isna().iloc[10, 5]  # more gammons than wins
    jacoby = verdict_plane(Stakes.of(MatchState(), Cube(2, Owner.OPPONENT)), steps=5)
    assert jacoby.isna().all().all()


def test_bad_sizes():
    for call in (lambda: market_window(None, MONEY, steps=1), lambda: verdict_plane(MONEY, steps=0)):
        with pytest.raises(SettingsError):
            call()
    with pytest.raises(SettingsError, match="opponent_gammons"):
        verdict_plane(MONEY, opponent_gammons=2)
