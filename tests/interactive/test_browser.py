"""The widgets in JupyterLab in a headless Chromium, clicked and typed on as a reader would.

Not in the default run: ``pip install 'cubelab[browser,test]'``, a Chromium, then ``pytest -m browser``. With
``CUBELAB_SCREENSHOTS=FOLDER`` each test leaves a picture there.
"""

import os
import re
from pathlib import Path

import jupyter_lab as lab
import pytest

import cubelab as cl

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.timeout(300, func_only=True)]

MATCH = Path(__file__).parents[2] / "data" / "matches" / "7-point.mat"
RACE = "XGID=-BBBBBB----------dbbbb-c--:0:0:1:00:0:0:0:0:10"
ROLL = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
HOLDING = "XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:1:00:0:0:0:0:10"
PAGES = {
    "editor": f"import cubelab as cl\ncl.editor({RACE!r})",
    "roll": f"import cubelab as cl\ncl.editor({ROLL!r})",
    "sliders": "import cubelab as cl\ncl.take_point_sliders()",
    "browser": f"import cubelab as cl\ncl.browse(cl.analyse({str(MATCH)!r}, ply=0, checker_play=True))",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    for module in ("jupyterlab", "playwright", "anywidget"):
        pytest.importorskip(module, reason=f"{module} is not installed: pip install 'cubelab[browser]'")
    if lab.chromium_path() is None:
        pytest.skip("there is no Chromium on this machine")
    # The kernels compile here and not while a page waits.
    situation = cl.Situation.from_xgid(ROLL)
    cl.cube_decision(situation, ply=2)
    cl.ranked_plays(situation, ply=2)
    cl.rollout(situation, cl.RolloutSettings(trials=2, ply=1, cube_ply=1))
    folder = tmp_path_factory.mktemp("lab")
    for name, source in PAGES.items():
        lab.write_notebook(folder, name, source)
    with lab.running_lab(folder) as address:
        yield address


@pytest.fixture(scope="module")
def chromium(server):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=lab.chromium_path(), args=[*lab.FLAGS], timeout=1000 * lab.PAGE
        )
        yield browser
        browser.close()


@pytest.fixture
def notebook(server, chromium, request):
    """Opens a notebook and runs it; afterwards nothing may have gone wrong on the page or been loaded from afar."""
    pages = []

    def open_page(name, **look):
        pages.append(lab.open_notebook(chromium, server, name, **look))
        return pages[-1]

    yield open_page
    for page in pages:
        folder = os.environ.get("CUBELAB_SCREENSHOTS")
        if folder:
            page.screenshot(path=Path(folder) / f"{request.node.name}.png")
        problems, hosts = page.problems, page.hosts
        page.close()
        assert not problems
        assert hosts <= {"127.0.0.1"}


def answered(page, source="2-ply"):
    """The editor of a page, once the verdict of this source is shown."""
    page.wait_for_selector(f".cubelab-editor[data-source='{source}']")
    return page.locator(".cubelab-editor")


def shows_id(page, start):
    page.wait_for_function(
        "start => document.querySelector('[data-id=xgid]').value.startsWith(start)", arg=start
    )  # fmt: skip


def test_click_drag_and_keys(notebook):
    page = notebook("editor")
    editor = answered(page)
    editor.get_by_role("button", name="Start").click()
    shows_id(page, "XGID=-b----E-C---eE---c-e----B-")
    place = lambda number: editor.locator(f"[data-key='place:{number}']")  # noqa: E731
    place(24).click(button="right")
    shows_id(page, "XGID=-b----E-C---eE---c-e----A-")
    place(18).click()
    shows_id(page, "XGID=-b----E-C---eE---cAe----A-")
    place(13).drag_to(place(11))
    shows_id(page, "XGID=-b----E-C--AeD---cAe----A-")
    # A sixteenth checker is refused, and nothing changes.
    place(5).click()
    editor.get_by_text("a 16th does not exist").wait_for()
    shows_id(page, "XGID=-b----E-C--AeD---cAe----A-")
    # By keys: from point 11 to its right neighbour, the 10 point; take one away first to have one.
    place(6).press("Delete")
    shows_id(page, "XGID=-b----D-C--AeD---cAe----A-")
    place(11).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    shows_id(page, "XGID=-b----D-C-AAeD---cAe----A-")
    page.keyboard.press("Control+z")
    shows_id(page, "XGID=-b----D-C--AeD---cAe----A-")
    # Notebook shortcuts (d d deletes a cell) do not reach the notebook from here.
    page.keyboard.press("d")
    page.keyboard.press("d")
    assert page.locator(".cubelab-editor").count() == 1


def test_cube_dice_and_terms(notebook):
    page = notebook("editor")
    editor = answered(page)
    editor.locator("[data-key='cube:1']").click()
    editor.locator("[data-key='cube:1']").click()
    shows_id(page, RACE.replace(":0:0:1:00:", ":1:1:1:00:"))
    editor.get_by_label("Match to").fill("5")
    editor.get_by_label("Score, bottom (light)").fill("4")
    shows_id(page, RACE.replace(":0:0:1:00:0:0:0:0:", ":1:1:1:00:4:0:0:5:"))
    editor.get_by_label("Score, bottom (light)").fill("7")
    editor.get_by_text("is not below the match length 5").wait_for()
    editor.get_by_label("Score, bottom (light)").fill("4")
    editor.get_by_label("Crawford game").check()
    editor.get_by_text("No cube: this is the Crawford game").wait_for()
    editor.locator("[data-key='turn:-1']").click()
    editor.locator("[data-key='die:0']").click()
    editor.get_by_text("Best play:").or_(editor.get_by_text("Forced:")).first.wait_for()
    assert editor.get_by_label("Die 1", exact=True).input_value() == "3"


def test_ids_go_both_ways_and_the_newest_wins(notebook):
    """Type one id after the other: the verdict ends with the last, and none is ever shown for another position."""
    situations = [cl.Situation.from_xgid(xgid) for xgid in (RACE, HOLDING, ROLL)]
    expected = {s.xgid: cl.evaluate(s, ply=2).decision.label for s in situations[:2]}
    expected[ROLL] = f"Best play: {cl.ranked_plays(situations[2], ply=2)[0].play.notation}"
    page = notebook("editor")
    editor = answered(page)
    page.evaluate(
        """() => {
          const root = document.querySelector(".cubelab-editor");
          window.seen = [];
          new MutationObserver(() => {
            if (root.dataset.source !== "2-ply") return;
            const id = root.querySelector("[data-id=gnuid]").value;
            window.seen.push([id, root.querySelector(".cubelab-verdict strong").textContent]);
          }).observe(root, { subtree: true, childList: true, attributes: true });
        }"""
    )
    field = editor.locator("[data-id=xgid]")
    for situation in (*situations[::-1], *situations):
        field.fill(situation.xgid)
        page.wait_for_timeout(170)
    page.wait_for_function(
        "id => window.seen.length && window.seen[window.seen.length - 1][0] === id", arg=situations[-1].gnuid
    )
    answered(page)
    assert editor.locator(".cubelab-verdict strong").inner_text() == expected[ROLL]
    by_gnuid = {s.gnuid: expected[s.xgid] for s in situations}
    shown = page.evaluate("() => window.seen")
    assert shown
    assert all(by_gnuid[gnuid] == verdict for gnuid, verdict in shown)
    # The other field reads ids too; a text that is none says so and stays to be mended.
    editor.locator("[data-id=gnuid]").fill(situations[0].gnuid)
    page.wait_for_function("id => document.querySelector('[data-id=xgid]').value.startsWith(id)", arg=RACE[:31])
    field.fill("XGID=-b----")
    editor.get_by_text("between colons").wait_for()
    assert field.input_value() == "XGID=-b----"
    assert field.get_attribute("aria-invalid") == "true"


def test_a_rollout_is_stopped_and_goes_on(notebook):
    page = notebook("editor")
    editor = answered(page)
    editor.locator("[data-id=xgid]").fill(HOLDING)
    shows_id(page, HOLDING)
    answered(page)
    editor.get_by_label("Rollout", exact=True).select_option("full")
    editor.get_by_role("button", name="Roll out").click()
    status = editor.locator(".cubelab-status")
    running = re.compile(r"\d+ of 1296 trials: ND .* ± .*, DT .* ± .*, DT − ND .* ± ")
    page.wait_for_function(
        "() => /of 1296 trials: .*DT − ND/.test(document.querySelector('.cubelab-status').textContent)"
    )
    assert running.search(status.text_content()) or "1296 trials" in status.text_content()
    assert editor.locator("progress").is_visible()
    editor.get_by_role("button", name="Stop").click()
    editor.get_by_role("button", name="Go on").wait_for()
    stopped = int(status.text_content().split()[0])
    assert 0 < stopped < 1296, status.text_content()
    assert editor.locator("progress").is_hidden()
    assert "rollout" in editor.get_attribute("data-source")
    editor.get_by_role("button", name="Go on").click()
    page.wait_for_function(
        "n => parseInt(document.querySelector('.cubelab-status').textContent) > n", arg=stopped
    )  # fmt: skip
    editor.get_by_role("button", name="Stop").click()


def test_plays_of_a_roll_have_arrows(notebook):
    page = notebook("roll")
    editor = answered(page)
    assert editor.locator(".cubelab-verdict strong").inner_text() == "Best play: 8/5 6/5"
    assert editor.locator(".cubelab-picture .cb-arrow_head").count() > 0
    assert editor.get_by_role("button", name="Roll out").is_disabled()


def test_sliders(notebook):
    page = notebook("sliders")
    page.wait_for_selector("svg.cubelab-chart")
    for label in ("gammons among your wins", "gammons among your losses"):
        page.get_by_label(label, exact=True).focus()
        page.keyboard.press("Home")
    row = page.locator("tr[data-point=take] td")
    # Keeler and Spencer: 25 % dead, 20 % live.
    page.wait_for_function(
        """() => [...document.querySelectorAll("tr[data-point=take] td")].slice(0, 2)
                 .map((cell) => cell.textContent).join() === "25.0 %,20.0 %" """
    )
    assert row.count() == 6
    page.get_by_label("Match to").fill("3")
    page.get_by_label("Score, you").fill("3")
    page.get_by_text("is not below the match length 3").wait_for()
    page.get_by_label("Score, you").fill("2")
    page.get_by_label("Crawford game").check()
    page.get_by_text("No cube: this is the Crawford game").wait_for()


def test_decisions_are_walked_through(notebook):
    """After every step the page shows what the same pane says in Python; what it showed before does not count."""
    from cubelab.interactive.browser import Browser

    pane_here = Browser(cl.analyse(MATCH, ply=0, checker_play=True)).pane
    page = notebook("browser")
    pane = page.locator(".cubelab-pane")
    pane.wait_for(timeout=1000 * lab.PAGE)

    def shows_after(**event):
        pane_here.handle(event)
        view = pane_here.view
        page.wait_for_function(
            """([place, counter, xgid]) => {
              const pane = document.querySelector(".cubelab-pane");
              return pane.dataset.place === place && pane.querySelector(".cubelab-counter").textContent === counter
                && pane.querySelector(".cubelab-ids input").value === xgid;
            }""",
            arg=[str(view["place"]), f"{view['place'] + 1} of {view['count']}", view["decision"]["xgid"]],
        )
        return view

    everything = pane_here.view["count"]
    pane.get_by_role("button", name="Next").click()
    shows_after(type="step", by=1)
    pane.get_by_label("Kind").select_option("play")
    shows_after(type="filter", name="kind", value="play")
    pane.get_by_label("Error from").select_option("0.02")
    found = shows_after(type="filter", name="least", value=0.02)
    assert 0 < found["count"] < everything
    assert "better:" in pane.locator(".cubelab-verdict").text_content()
    pane.get_by_label("Order").select_option("size")
    # The decision looked at stays, and is not the dearest: so the page cannot look like this by chance.
    assert shows_after(type="filter", name="order", value="size")["place"] > 0
    pane.get_by_label("Decision").fill("0")
    dearest = shows_after(type="go", place=0)["decision"]["xgid"]
    assert pane.locator(".cb-arrow_head").count() > 0
    assert pane.locator(".cb-best_head").count() > 0
    pane.get_by_role("button", name="Open in the editor").click()
    answered(page)
    assert page.locator("[data-id=xgid]").input_value() == dearest


@pytest.mark.parametrize("name", ["editor", "sliders", "browser"])
def test_dark_and_narrow(notebook, name):
    """Nothing is cut off in a column 300 pixels wide, every control has a name, colours follow the dark page."""
    page = notebook(name, dark=True, width=420, height=900)
    page.wait_for_selector(".cubelab svg", state="attached", timeout=1000 * lab.PAGE)
    root = page.locator(".cubelab").first
    cut = root.evaluate(
        """(root) => [...root.querySelectorAll("*")]
             .filter((e) => !e.closest(".cubelab-numbers") && e.getBoundingClientRect().right
                            > root.getBoundingClientRect().right + 1)
             .map((e) => e.outerHTML.slice(0, 80))"""
    )
    assert cut == []
    nameless = root.evaluate(
        """(root) => [...root.querySelectorAll("input, select, button, progress, rect[data-key]")]
             .filter((e) => !(e.closest("label") || e.getAttribute("aria-label") || e.textContent.trim()))
             .map((e) => e.outerHTML.slice(0, 80))"""
    )
    assert nameless == []
    style = root.evaluate("(root) => [getComputedStyle(root).colorScheme, getComputedStyle(root).color]")
    assert style[0] == "dark"
    brightness = [int(part) for part in re.findall(r"\d+", style[1])[:3]]
    assert min(brightness) > 150
