"""Quizzes: where questions come from, how answers are marked, the command with scripted answers."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

import cubelab as cl
from cubelab.cli import program
from cubelab.errors import CubelabError, NotationError, SettingsError
from cubelab.practice.quiz import Question, mark_answer, quiz

MATCH = Path(__file__).parents[2] / "data" / "matches" / "7-point.mat"
#: 19 of 36 rolls bear both off; else the opponent is off with the next roll: exact.
LAST_ROLL = "XGID=-A---A------------------a-:0:0:1:00:0:0:0:0:10"
LAST_ROLL_52 = "XGID=--A--A-----------------a--:0:0:1:00:0:0:0:0:10"


def question(xgid=LAST_ROLL_52, kind="cube"):
    return Question(cl.Situation.from_xgid(xgid), kind)


@pytest.mark.parametrize(
    ("answer", "cost", "right"),
    [
        # No double is worth 2/36, a double and a take 4/36, a pass 1.
        ("dt", 0, True),
        ("Double / take".replace(" / ", "/"), 0, True),
        ("nd", 2 / 36, False),
        ("dp", 1 - 4 / 36, False),
        ("tg", 2 / 36, False),
    ],
)
def test_cube_answers_cost_what_they_lose(answer, cost, right):
    mark = mark_answer(question(), answer, ply=0)
    assert mark.cost == pytest.approx(cost, abs=1e-5)
    assert mark.right == right
    assert "Double, take" in mark.text
    assert mark.explain().root.symbol == "verdict"


def test_answers_to_a_double():
    offered = cl.Situation.from_xgid(LAST_ROLL_52.replace(":00:", ":D:"))
    assert cl.quiz([offered], ply=0)[0].kind == "take"
    assert mark_answer(Question(offered, "take"), "take", ply=0).right
    passed = mark_answer(Question(offered, "take"), "p", ply=0)
    assert passed.cost == pytest.approx(1 - 4 / 36, abs=1e-5)
    with pytest.raises(NotationError, match="no beaver"):
        mark_answer(Question(offered, "take"), "b", ply=0)


def test_plays_are_marked_like_the_ranking():
    there = cl.Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    asked = Question(there, "play")
    assert mark_answer(asked, "6/5 8/5", ply=0).right
    wrong = mark_answer(asked, "24/20", ply=0)
    ranked = cl.ranked_plays(there, ply=0)
    assert wrong.cost == pytest.approx(next(e.error_emg for e in ranked if e.play.notation == "24/20"))
    assert "8/5 6/5 is best" in wrong.text
    with pytest.raises(CubelabError):
        mark_answer(asked, "13/7", ply=0)


def test_an_answer_that_cannot_be_read():
    with pytest.raises(NotationError, match=r"nd \(no double\)"):
        mark_answer(question(), "perhaps", ply=0)


def test_reference_positions_are_all_decisions():
    everything = quiz(count=1000, seed=1)
    assert everything.kinds["play"] == 15
    assert everything.kinds["cube"] >= 15
    assert everything.kinds["take"] >= 2
    assert all(asked.source for asked in everything.questions)
    for asked in everything.questions:
        if asked.kind != "play":
            assert cl.cube_decision(asked.situation, ply=0).verdict is not None


def test_of_a_match_only_close_decisions_are_asked():
    asked = quiz(MATCH, count=12, seed=3, ply=0)
    assert len(asked) == 12
    assert len({one.key for one in asked.questions}) == 12
    for one in asked.questions:
        if one.kind == "play":
            assert cl.ranked_plays(one.situation, ply=0)[1].error_emg < 0.15
    assert quiz(MATCH, count=12, seed=3, ply=0).questions == asked.questions
    assert {one.kind for one in quiz(MATCH, kinds=["take"], ply=0).questions} == {"take"}


def test_a_list_of_positions(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text(f"# a race\n{LAST_ROLL_52}\n4HPwATDgc/ABMA\n")
    asked = quiz(path, ply=0)
    assert len(asked) == 2
    assert {one.kind for one in asked.questions} == {"cube"}


def test_wrong_answers_come_back(tmp_path):
    there = [cl.Situation.from_xgid(xgid) for xgid in (LAST_ROLL_52, LAST_ROLL)]
    sheet, day = cl.ScoreSheet(), date(2026, 11, 30)
    first = quiz(there, ply=0, seed=0, sheet=sheet)
    for number, asked in enumerate(first.questions):
        first.answer(number, "dp" if asked.situation == there[1] else "dt", today=day)
    again = quiz(there, ply=0, count=1, sheet=sheet, today=day)
    assert sheet.cards[again[0].key].box == min(card.box for card in sheet.cards.values())
    assert "2 of 2" in first.summary or "1 of 2" in first.summary


def test_what_is_no_quiz(tmp_path):
    with pytest.raises(SettingsError, match="choose among"):
        quiz(kinds=["dice"])
    with pytest.raises(SettingsError, match="at least one"):
        quiz(count=0)
    with pytest.raises(SettingsError, match="no question of the kind take"):
        quiz([cl.Situation.from_xgid(LAST_ROLL)], kinds=["take"])
    (tmp_path / "x.txt").write_text("nothing here\n")
    with pytest.raises(CubelabError):
        quiz(tmp_path / "x.txt")


def test_questions_and_marks_draw_themselves():
    asked = quiz(seed=1, ply=0, kinds=["cube"], count=1)
    assert "<svg" in asked[0]._repr_html_()
    assert "1 cube" in asked._repr_html_()
    assert "<p>" in asked.answer(0, "nd")._repr_html_()


def run(*args, script):
    return CliRunner().invoke(program, ["quiz", "--ply", "0", *map(str, args)], input=script)


def test_the_command_with_scripted_answers(tmp_path):
    sheet = tmp_path / "sheet.json"
    script = "perhaps\nwhy\nnd\nwhy\nskip\ndt\nquit\n"
    result = run("--kind", "cube", "--seed", 1, "--count", 4, "--sheet", sheet, script=script)
    assert result.exit_code == 0, result.stderr
    assert "Nothing has been answered yet." in result.stdout
    assert "Question 3 of 4" in result.stdout
    assert "verdict = " in result.stdout
    assert "of 2 right" in result.stdout
    assert len(json.loads(sheet.read_text())["cards"]) == 2
    shown = CliRunner().invoke(program, ["quiz", "--sheet", str(sheet), "--show-sheet"]).stdout
    assert "2 questions" in shown.replace("\n", " ")
    assert sum(int(line.split()[-3]) for line in shown.splitlines() if line[:1].isdigit() and " day" in line) == 2


def test_the_end_of_input_ends_the_quiz(tmp_path):
    result = run("--no-sheet", "--seed", 1, script="")
    assert result.exit_code == 0
    assert "Nothing answered yet." in result.stdout


@pytest.mark.parametrize(
    ("args", "status"),
    [
        (["no-such-file"], 2),
        (["--kind", "dice"], 2),
        (["--no-sheet", "--sheet", "x.json"], 2),
        (["--sheet", "no-such-folder/x.json"], 2),
    ],
)
def test_wrong_usage(args, status):
    assert run(*args, script="").exit_code == status


def test_help_has_an_example():
    assert "cubelab quiz match.mat" in CliRunner().invoke(program, ["quiz", "--help"]).stdout


def test_who_has_to_decide_sits_at_the_bottom():
    for kind, turn in (("cube", 1), ("play", 1), ("take", -1)):
        for given in (1, -1):
            question = Question(replace(cl.Situation.from_xgid(LAST_ROLL), turn=given), kind)
            assert question.shown.turn == turn
            assert question.shown.position == question.situation.position
