"""Values made from careless input: refused in a sentence, or taken for what they are."""

import numpy as np
import pytest

import cubelab as cl
from cubelab.errors import IllegalPosition, IllegalProbabilities, IllegalRules, NotationError, SettingsError, TableError
from cubelab.game.dice import checked_dice

START = cl.Situation(cl.Position.start())
CHANCES = (0.5, 0.1, 0, 0.3, 0.1, 0)


@pytest.mark.parametrize(
    "changes",
    [
        {"length": 1.5},
        {"length": float("nan")},
        {"length": "7"},
        {"length": 5, "score": (float("nan"), 1)},
        {"length": 7, "score": (1.5, 2)},
        {"length": 7, "score": (1,)},
        {"length": 7, "score": "3-5"},
        {"length": 7, "score": 3},
        {"jacoby": "no"},
        {"beavers": "x"},
        {"beavers": 0.5},
    ],
)
def test_scores_and_rules_are_whole_numbers_and_switches(changes):
    with pytest.raises(IllegalRules):
        START.with_(**changes)


def test_numpy_integers_are_numbers_as_good_as_others():
    numbers = START.with_(score=(np.int64(1), np.int8(2)), length=np.int64(7), crawford=np.bool_(False))
    assert numbers == START.with_(score=(1, 2), length=7)
    assert type(numbers.match.mover_score) is int
    assert START.with_(score=(True, False), length=3).xgid.endswith(":1:0:0:3:6")
    assert cl.RolloutSettings(trials=np.int64(36), seed=np.uint8(7)) == cl.RolloutSettings(trials=36, seed=7)


@pytest.mark.parametrize("position", ["4HPwATDgc/ABMA", None, 5])
def test_a_situation_needs_a_position(position):
    with pytest.raises(IllegalPosition, match=r"no Position; Position\.from_id"):
        cl.Situation(position)


@pytest.mark.parametrize("roll", ["31", " 31 ", "3-1", "3 1", "3,1", 31, (3, 1), ("3", "1"), np.array([3, 1])])
def test_rolls_in_every_spelling(roll):
    assert checked_dice(roll) == (3, 1)


@pytest.mark.parametrize("roll", ["", "3", "311", "٣١", "3--1", "-31", "D", "00", "71", 0, True, None, (3,), (3.0, 1)])
def test_what_is_no_roll(roll):
    with pytest.raises(NotationError, match="such as 31"):
        checked_dice(roll)


@pytest.mark.parametrize("chances", [None, 5, True, "abcdef", [0.5, 0.5], [], ["a"] * 6, [1j] * 6, {"win": 1}])
def test_what_is_no_set_of_chances(chances):
    stakes = cl.Stakes.of(START.match, START.cube)
    with pytest.raises(IllegalProbabilities):
        cl.decide(chances, stakes)


def test_decide_names_the_argument_that_is_wrong():
    stakes = cl.Stakes.of(START.match, START.cube)
    with pytest.raises(SettingsError, match=r"no Stakes; Stakes\.of"):
        cl.decide(CHANCES, START.match)
    with pytest.raises(SettingsError, match="cube model 3"):
        cl.decide(CHANCES, stakes, model=3)
    with pytest.raises(SettingsError, match="efficiency"):
        cl.Janowski("x")
    assert cl.decide(CHANCES, stakes, model="dead") == cl.decide(CHANCES, stakes, model=cl.DeadCube())


@pytest.mark.parametrize("away", [(1.5, 2), ("3", 5), (3,), 3, (float("nan"), 2)])
def test_away_scores_are_two_whole_numbers(away):
    with pytest.raises(TableError, match="two whole numbers"):
        cl.MatchEquityTable.load().mwc(away=away)


@pytest.mark.parametrize("entry", [cl.evaluate, cl.cube_decision, cl.ranked_plays])
@pytest.mark.parametrize("thing", [START.xgid, START.position, None])
def test_the_engine_wants_a_situation(entry, thing):
    with pytest.raises(SettingsError, match=r"no Situation; Situation\.from_xgid"):
        entry(thing, ply=0)


@pytest.mark.parametrize("setting", [{"threads": 1.5}, {"stop_se": "x"}, {"trials": None}, {"deep_moves": 0.5}])
def test_rollout_settings_name_what_is_wrong(setting):
    with pytest.raises(SettingsError, match=f"rollout setting {next(iter(setting))} = "):
        cl.RolloutSettings(**setting)


SEVEN_POINTS = cl.Stakes.of(cl.MatchState(7, 3, 5), cl.Cube())


@pytest.mark.parametrize("stakes", [None, 3, "3-5/7"])
@pytest.mark.parametrize("function", [cl.decide, cl.cube_points, cl.take_bill, cl.decide_many, cl.market_window])
def test_what_are_no_stakes(function, stakes):
    chances = [CHANCES] if function is cl.decide_many else CHANCES
    with pytest.raises(SettingsError, match="Stakes"):
        function(chances, stakes)


@pytest.mark.parametrize("function", [cl.decide, cl.cube_points, cl.take_bill, cl.decide_many])
@pytest.mark.parametrize("model", [None, 3, cl.Janowski, "nosuch"])
def test_what_is_no_cube_model(function, model):
    chances = [CHANCES] if function is cl.decide_many else CHANCES
    with pytest.raises(SettingsError, match="model"):
        function(chances, SEVEN_POINTS, model)


@pytest.mark.parametrize("situation", [None, 3, "4HPwATDgc/ABMA", cl.Position.start()])
def test_a_rollout_needs_a_situation(situation):
    with pytest.raises(SettingsError, match="no Situation"):
        cl.rollout(situation)
    with pytest.raises(SettingsError, match="no Situation"):
        cl.market_ledger(situation)


@pytest.mark.parametrize("settings", [3, "full", {"trials": 36}])
def test_a_rollout_needs_settings(settings):
    with pytest.raises(SettingsError, match=r"no RolloutSettings; RolloutSettings\(trials=1296\)"):
        cl.rollout(START, settings)
    with pytest.raises(SettingsError, match="no RolloutSettings"):
        cl.rollout_plays(START, None, settings, dice="31")


@pytest.mark.parametrize("first", ["a", None, [0.5]])
def test_cumulative_chances_are_numbers(first):
    with pytest.raises(IllegalProbabilities, match="not a number"):
        cl.Probabilities.from_cumulative(first, 0, 0, 0, 0)


@pytest.mark.parametrize("positions", ["4HPwATDgc/ABMA", None, 5])
def test_a_column_of_positions_is_no_text(positions):
    with pytest.raises(SettingsError, match="positions must be a column or list"):
        cl.cube_decisions(positions, ply=0)


def test_a_frame_of_positions_needs_its_column_named():
    import pandas as pd

    with pytest.raises(SettingsError, match=r"df\['xgid'\]"):
        cl.cube_decisions(pd.DataFrame({"xgid": ["4HPwATDgc/ABMA"]}), ply=0)


@pytest.mark.parametrize("size", [0, -1, 1.5, "7", None, 101, 10**9])
def test_sizes_of_score_tables(size):
    with pytest.raises(SettingsError, match="from 1 to 100"):
        cl.score_table(CHANCES, size)
    with pytest.raises(SettingsError, match="from 1 to 100"):
        cl.price_table(size)


@pytest.mark.parametrize("thing", [None, 3, CHANCES])
def test_what_is_no_match_no_cube_and_no_id(thing):
    with pytest.raises(IllegalRules, match="no MatchState"):
        cl.Stakes.of(thing, cl.Cube())
    with pytest.raises(IllegalRules, match="no Cube"):
        cl.Stakes.of(cl.MatchState(7, 3, 5), thing)
    with pytest.raises(NotationError, match="no text"):
        cl.parse_situation(thing)
    with pytest.raises(SettingsError, match="no Stakes"):
        cl.gammon_prices(thing)


@pytest.mark.parametrize("steps", [0, 1, -5, "x", 2.5, None, 10**9])
def test_steps_of_windows_and_planes(steps):
    with pytest.raises(SettingsError, match="whole number from 2 to"):
        cl.market_window(CHANCES, SEVEN_POINTS, steps=steps)
    with pytest.raises(SettingsError, match="whole number from 2 to"):
        cl.verdict_plane(SEVEN_POINTS, steps=steps)


def test_nothing_to_compare():
    with pytest.raises(SettingsError, match="mets are empty"):
        cl.robustness(CHANCES, cl.MatchState(7, 3, 5), mets=[])
    with pytest.raises(SettingsError, match="probabilities are empty"):
        cl.robustness({}, cl.MatchState(7, 3, 5))


@pytest.mark.parametrize("wrong", [{"length": "5"}, {"length": 5.5}, {"gammon_rate": "x"}, {"win_rate": None}])
def test_a_table_is_built_of_numbers(wrong):
    with pytest.raises(TableError, match="is not between"):
        cl.build_table(**({"length": 3} | wrong))
