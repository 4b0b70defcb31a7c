"""The score sheet: what is due when, and that its file survives what happens to files."""

from datetime import date, timedelta

import pytest

from cubelab.errors import DataMissing
from cubelab.practice.sheet import INTERVALS, ScoreSheet

TODAY = date(2026, 11, 30)


def test_right_answers_come_back_ever_later_and_wrong_ones_today():
    sheet = ScoreSheet()
    day = TODAY
    for days in (*INTERVALS[1:], INTERVALS[-1]):
        sheet.note("a", True, 0.0, day)
        assert sheet.cards["a"].due == (day + timedelta(days)).isoformat()
        day += timedelta(days)
    sheet.note("a", False, 0.25, day)
    card = sheet.cards["a"]
    assert (card.box, card.due, card.asked, card.wrong, card.cost) == (0, day.isoformat(), 7, 1, 0.25)


def test_due_questions_come_first_then_new_ones():
    sheet = ScoreSheet()
    sheet.note("later", True, 0, TODAY)
    sheet.note("due", True, 0, TODAY - timedelta(1))
    sheet.note("wrong", False, 0.1, TODAY)
    assert sheet.order(["new", "later", "due", "wrong"], TODAY) == ["wrong", "due", "new", "later"]


def test_a_sheet_is_kept(tmp_path):
    path = tmp_path / "deep" / "quiz.json"
    sheet = ScoreSheet(path)
    sheet.note("a", True, 0.0, TODAY)
    sheet.save()
    again = ScoreSheet(path)
    assert again.cards == sheet.cards
    assert [file.name for file in path.parent.iterdir()] == ["quiz.json"]
    frame = again.to_frame()
    assert frame.loc["a", "box"] == 1


@pytest.mark.parametrize(
    "text", ["", "[]", '{"cards": {"a": {"colour": 1}}}', '{"cards": {"a": {"due": "soon"}}}', "\x00"]
)
def test_what_is_no_sheet_is_said_and_left_alone(tmp_path, text):
    path = tmp_path / "quiz.json"
    path.write_text(text)
    with pytest.raises(DataMissing, match="no score sheet"):
        ScoreSheet(path)
    assert path.read_text() == text
