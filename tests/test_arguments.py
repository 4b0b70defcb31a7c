"""Arguments of the wrong kind: one sentence of ours from every public name, never a bare error of Python."""

from __future__ import annotations

import inspect
from enum import Enum
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot

import cubelab as cl
from cubelab import plot
from cubelab.arguments import checked

WRONG = {
    "int": 7,
    "negative": -1.5,
    "nan": float("nan"),
    "None": None,
    "text": "x",
    "bytes": b"x",
    "list": [1, "a", None],
    "empty": [],
    "mapping": {"a": 1},
    "frame": pd.DataFrame({"q": [1.0]}),
    "array": np.zeros((2, 3)),
    "object": object(),
    "huge": 10**30,
    "set": {1},
    "empty text": "",
}
START = cl.Situation(cl.Position.start())
CHANCES = cl.Probabilities.from_cumulative(0.6, 0.2, 0.01, 0.1, 0.0)
#: Right values for what a function needs beside the wrong one.
RIGHT = {
    **{"situation": START, "subject": START, "situations": [START], "positions": [START], "text": START.xgid},
    **{"stakes": cl.Stakes.of(cl.MatchState(), cl.Cube()), "match": cl.MatchState(), "boards": np.zeros((0, 26))},
    **{"probabilities": CHANCES, "chances": CHANCES, "one": "g11", "other": "woolsey", "first": "g11"},
    **{"second": "woolsey", "name": "x", "predicted": [0.5], "happened": [1], "before": cl.Position.start()},
    **{"values": [[0.5]], "post": [0.5], "hops": (), "path": "x.txt"},
    **{"win": 0.5, "win_gammon": 0, "win_backgammon": 0, "lose": 0.5, "lose_gammon": 0, "lose_backgammon": 0},
}
#: Smaller than usual, so that what is right after all takes no time.
QUICK = {"ply": 0, "steps": 9, "size": 2, "length": 2, "count": 1, "settings": cl.RolloutSettings(trials=1, truncate=1)}
#: Made by the library itself; matplotlib and Dask check their own; no limits to what they may be.
NOT_TRIED = {
    *("CubeDecision", "CubeEquities", "Rollout", "Stakes", "CubelabError", "Theme", "BoardDrawing", "THEMES"),
    *("ax", "dask", "workers", "threads", "trials", "seed", "options", "__version__"),
}


def public_callables():
    for module in (cl, plot):
        for name in module.__all__:
            value = getattr(module, name)
            if name not in NOT_TRIED and not (isinstance(value, type) and issubclass(value, Enum)):
                yield pytest.param(value, id=f"{module.__name__}.{name}")


@pytest.mark.parametrize("function", list(public_callables()))
def test_nothing_but_our_errors_escapes(function, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parameters = {
        name: one for name, one in inspect.signature(function).parameters.items() if one.kind is not one.VAR_KEYWORD
    }
    needed = {name: RIGHT.get(name) for name, one in parameters.items() if one.default is one.empty}
    quick = {name: value for name, value in QUICK.items() if name in parameters and name not in needed}
    for name in parameters.keys() - NOT_TRIED:
        for what, value in WRONG.items():
            if parameters[name].default is value or (name == "size" and function.__module__.startswith("cubelab.plot")):
                continue
            if value is None and name in ("settings", "met", "model"):
                continue
            try:
                function(**{**needed, **quick, name: value})
            except cl.CubelabError:
                pass
            except Exception as error:
                raise AssertionError(f"{name}={what}: {error!r}") from error
            finally:
                pyplot.close("all")


METHODS = [
    (cl.Position, "from_id"),
    (cl.Situation, "from_xgid"),
    (cl.Situation, "from_gnuid"),
    (START, "with_"),
    (cl.Rules, "preset"),
    (cl.RolloutSettings, "preset"),
    (cl.MatchState(7, 2, 4), "after"),
    (cl.MatchEquityTable.load("g11"), "covers"),
    (cl.MatchEquityTable.load("g11"), "mwc"),
    (cl.MatchEquityTable.load("g11"), "grown"),
    (cl.Rollout, "load"),
    (plot.board(START), "save"),
]


@pytest.mark.parametrize(("owner", "name"), METHODS, ids=[name for _, name in METHODS])
def test_nothing_else_escapes_from_methods(owner, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    method = getattr(owner, name)
    for parameter in inspect.signature(method).parameters:
        for what, value in WRONG.items():
            right = {"path": "x.svg", "mover_points": 1} if parameter not in ("path", "mover_points") else {}
            right = {key: one for key, one in right.items() if key in inspect.signature(method).parameters}
            try:
                method(**right, **{parameter: value})
            except cl.CubelabError:
                pass
            except Exception as error:
                raise AssertionError(f"{parameter}={what}: {error!r}") from error


def test_methods_of_results_refuse_too(tmp_path):
    match = tmp_path / "m.mat"
    match.write_text(" 3 point match\n\n Game 1\n A : 0          B : 0\n  1) 31: 8/5 6/5        52: 13/8 13/11\n")
    record = cl.read_match(match)
    for call in (
        lambda: record.tag(5),
        lambda: record.name("x"),
        lambda: cl.analyse(record, ply=0).to_html(None),
        lambda: cl.ranked_plays(START, (3, 1), ply=0).find("x"),
    ):
        with pytest.raises(cl.CubelabError):
            call()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cl.read_positions(3), "read_positions: path is a text or a path, not 3 (int)"),
        (lambda: cl.board_text("x"), "board_text: situation is a Situation, such as parse_situation("),
        (lambda: cl.analyse(3), "analyse: record is a Record"),
        (lambda: cl.evaluate_many([START, 3]), "3 is no Situation; Situation.from_xgid"),
        (lambda: cl.second_opinions([START, 3]), "second_opinions: situations is a list, each entry a Situation"),
        (lambda: cl.rule_table(CHANCES, "x"), "rule_table: cube is a Cube, such as Cube(2) or None, not 'x' (str)"),
        (lambda: cl.quiz(count="ten"), "quiz: count is a whole number, not 'ten' (str)"),
        (lambda: cl.write_match("x.mat", "y.mat"), "write_match: record is a Record"),
        (lambda: plot.match_equities(away=None), "match_equities: away is a whole number, not None (NoneType)"),
        (lambda: plot.double_window(RIGHT["stakes"], gammons=(0.1,)), "gammons is 2 values, each a number"),
    ],
)
def test_the_sentence_names_the_argument_and_what_would_be_right(call, words):
    with pytest.raises(cl.CubelabError) as caught:
        call()
    assert words in str(caught.value)


def test_numbers_of_other_libraries_are_numbers():
    @checked("whole", "real", "switch", "several")
    def taken(whole: int, real: float, switch: bool = False, several: tuple[float, float] = (0, 0)):
        return whole, real, switch, several

    assert taken(np.int8(3), np.float32(0.5), np.True_, np.array([0.1, 0.2]))[0] == 3
    assert taken(True, Fraction(1, 2))[1] == Fraction(1, 2)
    assert taken(1, 1.0, 1)[2] == 1
    with pytest.raises(cl.CubelabError, match="several is 2 values"):
        taken(1, 1.0, several=np.array(5.0))
    for call in (cl.evaluate_many, cl.cube_decisions, cl.second_opinions):
        with pytest.raises(cl.CubelabError):
            call(np.array(5.0))
    for wrong in (2, 10**30, -1):
        with pytest.raises(cl.CubelabError, match="switch is True or False"):
            taken(1, 1.0, wrong)


def test_python_itself_says_what_is_wrong_with_the_call():
    with pytest.raises(TypeError, match="missing a required argument"):
        cl.board_text()
    with pytest.raises(TypeError, match="unexpected keyword"):
        cl.board_text(START, colour="red")
