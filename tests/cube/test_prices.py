import pytest

from cubelab.cube import gammon_price
from cubelab.cube.prices import price_table
from cubelab.game import MatchState, Rules


def test_every_score_and_cube_for_both_players():
    frame = price_table(5).set_index(["name", "stage", "cube"])
    assert frame.index.is_unique
    assert frame["gammon_price"].notna().all()
    assert frame.loc[("money", "money", 1), "gammon_price"] == 0.5
    assert frame.loc[("money Jacoby", "money", 1), "gammon_price"] == 0.0
    assert frame.loc[("money Jacoby", "money", 2), "gammon_price"] == 0.5
    assert frame.loc[("gammon-go", "Crawford", 1), "gammon_price"] == 1.0
    assert frame.loc[("DMP", "post-Crawford", 1), "gammon_price"] == 0.0
    assert frame.loc[("3a 5a", "pre-Crawford", 2), "gammon_price"] == pytest.approx(
        gammon_price(MatchState(5, 2, 0), cube=2)
    )
    mirrored = frame.loc[("5a 3a", "pre-Crawford", 2)]
    assert mirrored["opponent_gammon_price"] == frame.loc[("3a 5a", "pre-Crawford", 2), "gammon_price"]
    assert mirrored["opponent_backgammon_price"] == frame.loc[("3a 5a", "pre-Crawford", 2), "backgammon_price"]


def test_caps_and_the_crawford_game_limit_the_cube():
    frame = price_table(3, rules=Rules(cube_cap=2), highest=16)
    assert set(frame["cube"]) == {1, 2}
    assert set(frame[frame["stage"] == "Crawford"]["cube"]) == {1}
