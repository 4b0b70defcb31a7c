"""The widgets without a browser: events in, traits out."""

import json
import subprocess
import sys
import threading

import pytest

import cubelab as cl
from cubelab.errors import CubelabError, DataMissing
from cubelab.interactive import assets

pytest.importorskip("anywidget")

SECONDS = 120
RACE = "XGID=-BBBBBB----------dbbbb-c--:0:0:1:00:0:0:0:0:10"
ROLL = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """Kernels compile here, so that no test waits for that."""
    situation = cl.Situation.from_xgid(ROLL)
    cl.cube_decision(situation, ply=1)
    cl.ranked_plays(situation, ply=1)
    cl.rollout(situation, cl.RolloutSettings(trials=1, truncate=1))


@pytest.fixture
def editor():
    made = cl.editor(ply=1)
    assert made.wait(SECONDS)
    yield made
    made.close()


@pytest.fixture(scope="module")
def analysis():
    text = """; [Player 1 "Ann"]
; [Player 2 "Bob"]

3 point match

 Game 1
 Ann : 0                             Bob : 0
  1) 31: 8/5 6/5                      52: 13/8 24/22
  2) 64: 24/14                        Doubles => 2
  3)  Takes                           66: 24/18 24/18 13/7 13/7
"""
    return text


def plain(widget):
    """Everything a widget sends must be JSON that every browser reads: no NaN, no numpy."""
    state = {name: getattr(widget, name) for name in widget.keys if not name.startswith("_") and name != "layout"}
    json.dumps({k: v for k, v in state.items() if isinstance(v, dict)}, allow_nan=False)


def test_the_verdict_follows(editor):
    editor.handle({"type": "text", "text": RACE})
    assert editor.wait(SECONDS)
    number = editor.view["number"]
    assert editor.static["number"] == editor.deep["number"] == number
    expected = cl.cube_decision(cl.Situation.from_xgid(RACE), ply=1)
    assert editor.deep["verdict"] == expected.label
    assert editor.decision == expected
    assert editor.deep["source"] == "1-ply"
    assert editor.view["gnuid"] == cl.Situation.from_xgid(RACE).gnuid
    plain(editor)


def test_plays_of_a_roll(editor):
    editor.handle({"type": "text", "text": ROLL})
    assert editor.wait(SECONDS)
    assert editor.deep["verdict"] == "Best play: 8/5 6/5"
    assert editor.plays[0].play.notation == "8/5 6/5"
    assert editor.decision is None
    assert editor.deep["svg"] != editor.view["svg"]  # with its arrows
    plain(editor)


def test_ids_follow_the_board(editor):
    editor.handle({"type": "remove", "place": 24})
    assert editor.view["xgid"] == editor.situation.xgid
    assert editor.view["xgid"].startswith("XGID=-b----E-C---eE---c-e----A-:")
    editor.handle({"type": "undo"})
    assert editor.situation.position == cl.Position.start()


def test_an_illegal_set_up_says_why(editor):
    editor.handle({"type": "clear"})
    assert "board is empty" in editor.view["problem"]
    assert editor.view["xgid"] == ""
    assert editor.decision is None
    assert editor.rollout is None
    with pytest.raises(CubelabError):
        _ = editor.situation
    plain(editor)


def test_a_refused_event_keeps_the_answers(editor):
    before = editor.view["number"]
    editor.handle({"type": "text", "text": "nonsense"})
    assert "no position text" in editor.view["refusal"]
    assert editor.view["number"] == editor.deep["number"] == before


def test_stale_answers_are_never_shown(editor, monkeypatch):
    """An opinion that is still being formed when the board changes is thrown away."""
    from cubelab.interactive import position_editor as module

    started, go = threading.Event(), threading.Event()
    real, slow = module.opinion, cl.Situation.from_xgid(RACE)

    def opinion(situation, ply, met, model):
        if situation == slow and ply:
            started.set()
            assert go.wait(SECONDS)
        return real(situation, ply, met, model)

    monkeypatch.setattr(module, "opinion", opinion)
    shown = []
    editor.observe(lambda change: shown.append(change["new"]["number"]), "deep")
    editor.handle({"type": "text", "text": RACE})
    assert started.wait(SECONDS)
    stale = editor.view["number"]
    editor.handle({"type": "start"})
    editor.handle({"type": "remove", "place": 6})
    go.set()
    assert editor.wait(SECONDS)
    assert stale not in shown
    assert editor.deep["number"] == editor.view["number"]


def test_a_rollout_with_its_numbers(editor):
    editor.handle({"type": "text", "text": RACE})
    running = []
    editor.observe(lambda change: running.append(change["new"]), "progress")
    editor.handle({"type": "rollout", "preset": "quick"})
    assert editor.wait(SECONDS)
    assert editor.rollout.count == 324
    assert running[0] == {"number": editor.view["number"], "running": True, "done": 0, "total": 324, "text": "starting"}
    assert running[-1]["running"] is False
    assert "DT − ND" in editor.rolled["status"]
    assert "324 trials" in editor.rolled["status"]
    assert editor.rolled["rows"][0]["se"]
    assert editor.decision == editor.rollout.decision
    plain(editor)


def test_a_stopped_rollout_keeps_what_was_done(editor):
    editor.handle({"type": "text", "text": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"})
    first = threading.Event()
    editor.observe(lambda change: change["new"].get("done") and first.set(), "progress")
    editor.handle({"type": "rollout", "preset": "deep"})
    assert first.wait(SECONDS)
    editor.handle({"type": "stop"})
    assert editor.wait(SECONDS)
    kept = editor.rollout
    assert 0 < kept.count < 1296
    assert kept.interrupted
    assert editor.progress["running"] is False
    # Another board has no rollout; coming back shows it again.
    editor.handle({"type": "remove", "place": 24})
    assert editor.rollout is None
    assert "status" not in editor.rolled
    editor.handle({"type": "undo"})
    assert editor.rollout is kept
    assert editor.rolled["status"].startswith(f"{kept.count} trials")


def test_a_changed_board_ends_the_rollout(editor):
    first = threading.Event()
    editor.observe(lambda change: change["new"].get("done") and first.set(), "progress")
    editor.handle({"type": "rollout", "preset": "deep"})
    assert first.wait(SECONDS)
    editor.handle({"type": "remove", "place": 24})
    assert editor.wait(SECONDS)
    assert editor.progress == {"number": editor.view["number"], "running": False}
    assert editor.rolled == {"number": editor.view["number"]}


def test_dice_are_not_rolled_out(editor):
    editor.handle({"type": "text", "text": ROLL})
    assert editor.view["can_roll_out"] is False
    editor.handle({"type": "rollout", "preset": "quick"})
    assert "take the dice away" in editor.rolled["verdict"]


def test_loading_can_be_undone(editor):
    editor.load(RACE)
    assert editor.situation.xgid == RACE
    editor.handle({"type": "undo"})
    assert editor.situation.position == cl.Position.start()


@pytest.mark.parametrize(
    "given",
    [{"subject": "nonsense"}, {"subject": 3}, {"ply": 9}, {"met": "no such table"}, {"model": "strange"}],
)
def test_what_an_editor_refuses(given):
    with pytest.raises(CubelabError):
        cl.editor(**given)


def test_sliders():
    sliders = cl.take_point_sliders()
    assert sliders.wait(SECONDS)
    for win in (0.3, 0.5, 0.8):
        sliders.handle({"type": "slide", "name": "win", "value": win})
    sliders.handle({"type": "slide", "name": "gammons", "value": 0.0})
    sliders.handle({"type": "slide", "name": "lost_gammons", "value": 0.0})
    assert sliders.wait(SECONDS)
    assert sliders.result["number"] == sliders.view["number"]
    take = next(row for row in sliders.result["points"]["rows"] if row["name"] == "take")
    assert take["opponent"][:2] == ["25.0 %", "20.0 %"]
    assert "80.0 %" in sliders.result["chart"]
    assert sliders.points.opponent.take.dead == pytest.approx(0.25)
    plain(sliders)


def test_sliders_at_a_score():
    """Double match point: no cube, and a gammon is worth nothing more."""
    sliders = cl.take_point_sliders("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:4:4:0:5:10")
    assert sliders.wait(SECONDS)
    assert "No cube" in sliders.result["decision"]["verdict"]
    assert sliders.result["points"]["reasons"]
    sliders.handle({"type": "set", "field": "score_top", "value": 5})
    assert sliders.wait(SECONDS)
    assert "not below the match length" in sliders.result["problem"]
    plain(sliders)


def test_a_browser(analysis, tmp_path):
    file = tmp_path / "short.mat"
    file.write_text(analysis, encoding="utf-8")
    analysed = cl.analyse(file, ply=0, checker_play=True)
    browser = cl.browse(analysed)
    pane = browser.pane
    kinds = []
    for _ in range(pane.view["count"]):
        assert pane.view["decision"]["svg"].startswith("<svg")
        kinds.append(pane.current["kind"])
        plain(pane)
        pane.handle({"type": "step", "by": 1})
    assert {"double", "take", "play"} <= set(kinds)
    pane.handle({"type": "filter", "name": "order", "value": "size"})
    pane.handle({"type": "go", "place": 0})
    assert pane.current["error_emg"] == analysed.decisions["error_emg"].max()
    assert "costs" in pane.view["decision"]["headline"]
    pane.handle({"type": "filter", "name": "kind", "value": "resign"})
    assert "none of" in pane.view["refusal"]
    pane.handle({"type": "filter", "name": "least", "value": 3.0})
    assert pane.view["decision"] is None


def test_a_decision_opens_in_the_editor(analysis, tmp_path):
    file = tmp_path / "short.mat"
    file.write_text(analysis, encoding="utf-8")
    browser = cl.browse(cl.analyse(file, ply=0))
    browser.pane.handle({"type": "edit"})
    assert browser.children == (browser.pane, browser.editor)
    assert browser.editor.situation.xgid == browser.pane.current["situation"]
    browser.pane.handle({"type": "step", "by": 1})
    browser.pane.handle({"type": "edit"})
    assert browser.editor.situation.xgid == browser.pane.current["situation"]
    assert browser.editor.wait(SECONDS)


def test_what_a_browser_refuses():
    with pytest.raises(CubelabError, match="what analyse"):
        cl.browse("file.mat")


@pytest.mark.parametrize("make", [cl.editor, cl.take_point_sliders])
def test_a_picture_where_there_is_no_browser(make):
    widget = make()
    assert widget.wait(SECONDS)
    bundle = widget._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith("<svg")


def test_without_the_extra(monkeypatch):
    monkeypatch.setattr("cubelab.interactive.find_spec", lambda name: None)
    with pytest.raises(DataMissing, match=r"pip install 'cubelab\[notebook\]'"):
        cl.editor()


def test_widgets_are_loaded_when_used():
    code = (
        "import sys, cubelab.interactive; sys.exit(any(m in sys.modules for m in ('anywidget', 'ipywidgets', 'numba')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_scripts_load_nothing_from_elsewhere():
    texts = [assets.script(name) for name in ("editor.js", "sliders.js", "browser.js")] + [assets.style()]
    for text in texts:
        assert "import " not in text.replace("!important", "")
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
        assert len(text) < 30_000


def test_the_functions_outlive_the_modules_they_load(editor):
    """A module of the same name would take the place of the function once it is loaded."""
    import cubelab.interactive as package

    assert all(callable(getattr(package, name)) for name in package.__all__)
