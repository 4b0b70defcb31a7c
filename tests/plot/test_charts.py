"""Charts: what they show is what the theory says, labelled, and bad input is refused in a sentence."""

import matplotlib

matplotlib.use("Agg")

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba

import cubelab as cl
from cubelab import plot
from cubelab.game import Cube, MatchState, Owner, Probabilities, Rules
from cubelab.plot import figures, verdicts
from cubelab.plot.figures import FAINT, LINES, ink_on
from cubelab.study.decisions import decisions_frame

MONEY = cl.Stakes.of(MatchState(), Cube())
BEAVERS = cl.Stakes.of(MatchState(rules=Rules(beavers=1)), Cube())
CRAWFORD = cl.Stakes.of(MatchState(7, 6, 3, crawford=True), Cube())
FOUR_TWO = cl.Stakes.of(MatchState(7, 3, 5), Cube())


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    pyplot.close("all")


def rows(**changes):
    """A small frame of decisions of two matches."""
    made = []
    for number in range(12):
        mover = 1 if number % 2 == 0 else -1
        row = {
            "file": "a.mat" if number < 8 else "b.mat",
            "game": 1 + number // 4,
            "ply": number,
            "seat": mover,
            "player": "Ann" if mover == 1 else "Bob",
            "kind": "double",
            "situation": "",
            "cube": 1,
            "played": "Double" if number == 5 else "No double",
            "best": "No double",
            "error_emg": 0.1 if number == 5 else 0.03 if number == 2 else 0.0,
            "error_mwc": 0.0,
            "no_double": 0.3,
            "double_take": 0.25,
            "double_pass": 1.0,
            "no_double_mwc": 0.6,
            "double_take_mwc": 0.55,
            "double_pass_mwc": 0.7,
            "verdict": "No double, take",
        }
        made.append(row | changes)
    return decisions_frame(made)


def texts(ax):
    return [text.get_text() for text in ax.texts]


def calls():
    """One call of each chart, and whether its note must name the match equity table."""
    chances = Probabilities.from_cumulative(0.7, 0.25, 0.01, 0.1)
    return {
        "match_equities": (lambda **o: plot.match_equities(away=5, **o), True),
        "met_difference": (lambda **o: plot.met_difference("kazaross-xg2", "woolsey", away=5, **o), True),
        "take_points": (lambda **o: plot.take_points(away=4, **o), True),
        "take_points lines": (lambda **o: plot.take_points(kind="lines", away=4, which="dead", **o), True),
        "gammon_prices": (lambda **o: plot.gammon_prices(away=5, **o), True),
        "equity_curve": (lambda **o: plot.equity_curve(FOUR_TWO, unit="mwc", gammons=(0.2, 0.2), **o), True),
        "double_window": (lambda **o: plot.double_window({"money": MONEY, "4a 2a": FOUR_TWO}, **o), False),
        "take_points_by_gammons": (lambda **o: plot.take_points_by_gammons(FOUR_TWO, **o), True),
        "verdict_plane": (lambda **o: plot.verdict_plane(FOUR_TWO, {"here": chances}, steps=20, **o), True),
        "score_map": (lambda **o: plot.score_map(chances, away=4, **o), True),
        "match_graph": (lambda **o: plot.match_graph(rows(), file="a.mat", **o), False),
        "error_histogram": (lambda **o: plot.error_histogram(rows(), **o), False),
        "pr_over_time": (lambda **o: plot.pr_over_time(rows(), **o), False),
        "reliability": (lambda **o: plot.reliability([0.1, 0.2, 0.8], [0, 0, 1], **o), False),
    }


@pytest.mark.parametrize("name", calls())
def test_charts_return_labelled_axes_and_can_be_drawn(name):
    draw, names_table = calls()[name]
    ax = draw()
    assert isinstance(ax, Axes)
    assert ax.get_xlabel()
    assert ax.get_ylabel() or name == "double_window"
    assert ax.get_title(loc="left")
    if names_table:
        assert any("kazaross-xg2" in text for text in texts(ax))
    ax.figure.canvas.draw()


@pytest.mark.parametrize("name", calls())
def test_charts_draw_on_given_axes(name):
    figure, ax = pyplot.subplots()
    assert calls()[name][0](ax=ax) is ax
    assert pyplot.get_fignums() == [figure.number]


@pytest.mark.parametrize("style", ["default", "dark_background"])
@pytest.mark.parametrize("name", calls())
def test_lines_and_words_stand_out_from_the_page(name, style):
    """In a notebook's dark style too: lines, markers, error bars and words outside of coloured cells.

    The bound is that of WCAG 2 for parts of graphics, 3:1, less what the palest of the palette has on white: 2.2:1.
    """
    with pyplot.style.context(style):
        ax = calls()[name][0]()
        page = luminance(ax.get_facecolor())
        assert ax.figure.get_facecolor() == ax.get_facecolor()
    # Words in coloured cells have the colour that reads better there (`ink_on`).
    words = [ax.title, ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels(), *ax.get_yticklabels()]
    words += [text for text in ax.texts if text.get_color() == FAINT]
    words += [] if ax.get_legend() is None else ax.get_legend().get_texts()
    colours = [{word.get_color()} for word in words]
    colours += [{tuple(bars.get_color()[0])} for bars in ax.collections if isinstance(bars, LineCollection)]
    for line in ax.lines:
        # A marker is seen by its face or by its edge.
        marked = {line.get_markerfacecolor(), line.get_markeredgecolor()}
        colours.append(marked if line.get_linestyle() == "None" else {line.get_color()})
    for seen in colours:
        assert max(contrast(page, luminance(to_rgba(colour))) for colour in seen) > 2.2, seen


def contrast(one, other):
    """Contrast of two luminances (WCAG 2)."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def luminance(rgba):
    """Relative luminance of sRGB (WCAG 2)."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgba[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("size", ["paper", "slide", (5, 4)])
def test_sizes(size):
    ax = plot.equity_curve(MONEY, size=size)
    assert tuple(ax.figure.get_size_inches()) == {"paper": (6.3, 4.2), "slide": (11.0, 6.2)}.get(size, size)


def test_settings_of_the_user_are_left_alone():
    before = dict(matplotlib.rcParams)
    plot.match_equities(away=3, size="slide")
    assert dict(matplotlib.rcParams) == before


def test_interaction_that_the_first_figure_switches_on_stays_on(monkeypatch):
    """As with the inline backend of notebooks: otherwise only the first chart would be shown."""
    real = figures.new_axes

    def switching(inches):
        matplotlib.interactive(True)
        return real(inches)

    monkeypatch.setattr(figures, "new_axes", switching)
    matplotlib.interactive(False)
    try:
        plot.match_equities(away=3)
        assert matplotlib.is_interactive()
    finally:
        matplotlib.interactive(False)


def test_match_equities_are_those_of_the_table():
    """Kazaross-XG2: 3-away 2-away 40.05 % (published table)."""
    values = plot.match_equities(away=5).images[0].get_array()
    assert values[2, 1] == pytest.approx(0.40053, abs=5e-6)
    assert values[1, 1] == 0.5


def test_a_table_does_not_differ_from_itself():
    assert not plot.met_difference("woolsey", "woolsey", away=5).images[0].get_array().any()


def test_take_points_after_the_crawford_game():
    """Free drop: exact last-cube take points of the leader, the trailer 2, 3, 4 and 5 away (Kazaross-XG2)."""
    values = plot.take_points(away=5, which="dead").images[0].get_array()
    assert values[0].tolist() == pytest.approx([0.5, 0.0239, 0.3389, 0.0391], abs=1e-4)
    # The 2-away doubler's cube is dead: 4 away 2 away takes with 18.6 % at a live as at a dead cube.
    assert values[3, 0] == pytest.approx(0.18564, abs=1e-5)


def test_gammon_prices_of_known_scores():
    values = plot.gammon_prices(away=3).images[0].get_array()
    assert values[0].tolist() == [0, 0, 0]  # who needs one point does not care for gammons
    assert values[1, 0] == pytest.approx(1.0)  # 2 away in the Crawford game a gammon wins the match


def test_equity_curve_of_money_play_bends_at_20_and_80_percent():
    ax = plot.equity_curve(MONEY, model=cl.LiveCube())
    corners = {round(float(x), 6) for line in ax.lines if line.get_marker() == "o" for x in line.get_xdata()}
    assert corners == {0.2, 0.8}
    assert [text.get_text() for text in ax.get_legend().texts][:3] == ["own cube", "centred cube", "opponent's cube"]


def test_equity_curve_without_a_cube_is_one_line():
    labels = [text.get_text() for text in plot.equity_curve(CRAWFORD).get_legend().texts]
    assert labels == ["cube out of play", "dead cube"]


def test_double_window_of_the_dead_money_cube_is_half_to_three_quarters():
    ax = plot.double_window(MONEY)
    top = [bar for bar in ax.patches if abs(bar.get_y() + bar.get_height() / 2) < 1e-9]
    edges = [bar.get_x() + bar.get_width() for bar in top]
    assert edges == pytest.approx([0.5, 0.75, 1.0], abs=1e-4)
    names = ("NO_DOUBLE_TAKE", "DOUBLE_TAKE", "DOUBLE_PASS")
    colours = [matplotlib.colors.to_rgba(verdicts.LOOKS[name].colour) for name in names]
    assert [bar.get_facecolor() for bar in top] == colours


def test_close_edges_are_written_together():
    from cubelab.plot.curves import _clusters

    assert _clusters([0.1, 0.14, 0.5]) == [(0.1, 0.14), (0.5, 0.5)]
    assert _clusters([]) == []


def test_take_point_by_gammons_starts_at_the_textbook_numbers():
    lines = {line.get_label(): line for line in plot.take_points_by_gammons(MONEY).lines}
    assert lines["dead cube"].get_ydata()[0] == pytest.approx(0.25, abs=1e-6)
    assert lines["live cube"].get_ydata()[0] == pytest.approx(0.20, abs=1e-6)
    assert all(np.all(np.diff(line.get_ydata().astype(float)) > 0) for line in lines.values())


def test_verdict_plane_marks_positions_and_leaves_the_impossible_empty():
    frame = pd.DataFrame({"win": [0.6, np.nan], "win_gammon": [0.2, 0.1]}, index=["mine", "unknown"])
    ax = plot.verdict_plane(BEAVERS, frame, steps=20)
    assert " mine" in texts(ax)
    assert " unknown" not in texts(ax)
    grid = np.asarray(ax.images[0].get_array().filled(np.nan))
    assert np.isnan(grid[15, 3])  # more gammons than wins
    assert verdicts.look(int(grid[0, 2])).code == "ND/B"


def test_score_map_agrees_with_decide_and_says_whose_score_is_where():
    chances = Probabilities.from_cumulative(0.72, 0.25, 0.01, 0.1)
    ax = plot.score_map(chances, away=5)
    names = [tick.get_text() for tick in ax.get_xticklabels()]
    assert names == [tick.get_text() for tick in ax.get_yticklabels()] == ["1 C", "1 P", "2", "3", "4", "5"]
    values = ax.images[0].get_array()
    decision = cl.decide(chances, cl.Stakes.of(MatchState(5, 1, 3), Cube()))
    assert values[names.index("4"), names.index("2")] == verdicts.number(decision)
    mirrored = cl.decide(chances, cl.Stakes.of(MatchState(5, 3, 1), Cube()))
    assert values[names.index("2"), names.index("4")] == verdicts.number(mirrored)
    assert values.mask[0, 0]
    assert values.mask[0, 1]
    assert (values[0, 2:] == 0).all()  # no cube in the Crawford game
    assert "player on roll" in ax.get_ylabel()
    assert "opponent" in ax.get_xlabel()


def test_score_map_of_a_table_with_a_turned_cube_has_no_crawford_game():
    from cubelab.cube import score_table

    chances = Probabilities.from_cumulative(0.72, 0.25, 0.01, 0.1)
    ax = plot.score_map(score_table(chances, 4, cube=Cube(2, Owner.MOVER)))
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1 P", "2", "3", "4"]
    assert any("cube 2 the player's" in text for text in texts(ax))


def test_score_map_frames_the_own_score():
    """Case 76: at 5-1 to 7 the player on roll needs 2, the opponent 6."""
    ax = plot.score_map("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:5:1:0:7:10", away=7)
    frames = [patch for patch in ax.patches if patch.get_width() == 1]
    assert [patch.get_xy() for patch in frames] == [(6 - 0.5, 2 - 0.5)]


def test_score_map_texts_become_codes_where_cells_are_small():
    chances = Probabilities.from_cumulative(0.72, 0.25, 0.01, 0.1)
    assert any("\n" in text for text in texts(plot.score_map(chances, away=5)))
    small = plot.score_map(chances, away=15)
    assert not any("\n" in text for text in texts(small))


@pytest.mark.parametrize("what", ["equity", "effect"])
def test_market_shows_the_ledger(what):
    situation = cl.Situation.from_xgid("XGID=a--B-BD-B---cBa--c-e-Bb-A-:0:0:1:00:0:0:0:0:6")
    ledger = cl.market_ledger(situation)
    ax = plot.market(ledger, what)
    values = ax.images[0].get_array().filled(np.nan)
    assert np.isnan(values[0, 1])
    expected = ledger.rolls().set_index("roll")["no_double" if what == "equity" else "effect"]
    assert values[5, 3] == pytest.approx(expected["64"])
    assert sum("% lost" in text for text in texts(ax)) == 21
    assert np.allclose(plot.market(situation, what).images[0].get_array(), ax.images[0].get_array())


def test_match_graph_is_seen_from_one_side():
    ann = plot.match_graph(rows(), file="a.mat").lines[0].get_ydata()
    bob = plot.match_graph(rows(), file="a.mat", player="Bob").lines[0].get_ydata()
    assert ann == pytest.approx(1 - bob)
    assert ann == pytest.approx([0.6, 0.4] * 4)


def test_match_graph_of_an_answer_is_the_doublers_value():
    frame = rows()
    frame.loc[5, "kind"] = "take"
    frame.loc[5, "played"] = "Take"
    height = plot.match_graph(frame, file="a.mat").lines[0].get_ydata()[5]
    # Bob answers, so the equities are Ann's; her double is worth what the better answer leaves her.
    assert height == pytest.approx(0.55)


def test_match_graph_of_money_play_shows_equity():
    money = rows(no_double_mwc=None, double_take_mwc=None, double_pass_mwc=None)
    ax = plot.match_graph(money, file="b.mat")
    assert "points" in ax.get_ylabel()
    assert ax.lines[0].get_ydata() == pytest.approx([0.3, -0.3] * 2)


def test_error_histogram_counts_errors():
    ax = plot.error_histogram(rows())
    assert sum(bar.get_height() for bar in ax.patches) == 2
    assert any("10 of them without error" in text for text in texts(ax))


def test_pr_over_time_is_500_times_the_mean_error():
    frame = rows()
    ax = plot.pr_over_time(frame, "Bob")
    counted = frame[(frame["player"] == "Bob")]
    so_far = next(line for line in ax.lines if line.get_label() == "all matches so far").get_ydata()
    assert so_far[-1] == pytest.approx(500 * counted["error_emg"].mean())


def test_reliability_bins_and_counts():
    ax = plot.reliability([0.1, 0.12, 0.9, np.nan], [0, 1, 1, 1], bins=2)
    points = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if line.get_marker() == "o"]
    assert points == [pytest.approx((0.11, 0.5)), pytest.approx((0.9, 1.0))]
    assert {" 2", " 1"} <= set(texts(ax))


def test_rollout_convergence_ends_at_the_result():
    situation = cl.Situation.from_xgid("XGID=-BBBBBB-------------ccccc-:0:0:1:00:0:0:0:0:10")
    result = cl.rollout(situation, cl.RolloutSettings(trials=72, threads=1))
    lines = plot.rollout_convergence(result).lines
    assert lines[0].get_ydata()[-1] == pytest.approx(result.decision.equities.no_double)
    assert lines[1].get_ydata()[-1] == pytest.approx(result.decision.equities.double_take)
    difference = plot.rollout_convergence(result, "difference").lines[0].get_ydata()[-1]
    assert difference == pytest.approx(result.decision.equities.double_take - result.decision.equities.no_double)
    with pytest.raises(cl.CubelabError, match="none of equities, difference"):
        plot.rollout_convergence(result, "sum")


def test_colours_of_lines_differ_in_lightness_or_are_few():
    assert len(set(LINES)) == len(LINES) == 7
    assert ink_on((1, 1, 1)) == "#000000"
    assert ink_on((0, 0, 0.5)) == "#ffffff"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: plot.match_equities("no-such-table"), "no match equity table"),
        (lambda: plot.match_equities(away=99), "away=99 is not within"),
        (lambda: plot.take_points(which="undead"), "which='undead'"),
        (lambda: plot.take_points(kind="pie"), "kind='pie'"),
        (lambda: plot.take_points(gammons=3, away=3), "gammon shares"),
        (lambda: plot.equity_curve(MONEY, unit="mwc"), "no match winning chance"),
        (lambda: plot.equity_curve(MONEY, unit="francs"), "unit='francs'"),
        (lambda: plot.equity_curve(MONEY, gammons=(2, 0)), "gammons=(2, 0)"),
        (lambda: plot.equity_curve(MONEY, ax="here"), "must be a matplotlib Axes"),
        (lambda: plot.equity_curve(MONEY, size="poster"), "figure size 'poster'"),
        (lambda: plot.equity_curve(MONEY, size=(0, 4)), "inches"),
        (lambda: plot.double_window({}), "the mapping is empty"),
        (lambda: plot.take_points_by_gammons(CRAWFORD), "the opponent may not double"),
        (lambda: plot.take_points_by_gammons(MONEY, most=0), "most=0"),
        (lambda: plot.verdict_plane(MONEY, lose_gammons=2), "lose_gammons=2"),
        (lambda: plot.verdict_plane(MONEY, steps=1), "steps=1"),
        (lambda: plot.verdict_plane(MONEY, {}), "no positions to mark"),
        (lambda: plot.verdict_plane(MONEY, pd.DataFrame({"win": [0.5]})), "no column 'win_gammon'"),
        (lambda: plot.verdict_plane(MONEY, pd.DataFrame({"win": [np.nan], "win_gammon": [0.1]})), "no positions"),
        (lambda: plot.score_map(3), "no score map of int"),
        (lambda: plot.score_map("nonsense"), "nonsense"),
        (lambda: plot.score_map(Probabilities.from_cumulative(0.5), away=1), "away=1"),
        (lambda: plot.score_map("XGID=------------------------A-:0:0:1:00:0:0:0:0:10"), "over"),
        (lambda: plot.market("XGID=------------------------A-:0:0:1:00:0:0:0:0:10"), "over"),
        (lambda: plot.market(7), "no market of int"),
        (lambda: plot.market("4HPwATDgc/ABMA", "mood"), "what='mood'"),
        (lambda: plot.market("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:5:1:7:10"), "Crawford"),
        (lambda: plot.match_graph(rows()), "2 matches"),
        (lambda: plot.match_graph(rows(), file="c.mat"), "'c.mat' is not among"),
        (lambda: plot.match_graph(rows(), file="a.mat", player="Eve"), "'Eve' is none of"),
        (lambda: plot.match_graph(rows(no_double=None), file="a.mat"), "no analysed cube decision"),
        (lambda: plot.match_graph(rows().iloc[:0]), "is empty"),
        (lambda: plot.match_graph(None), "cannot draw NoneType"),
        (lambda: plot.error_histogram(pd.DataFrame({"file": ["a"]})), "no column 'player'"),
        (lambda: plot.error_histogram(rows(error_emg=None)), "no analysed decision"),
        (lambda: plot.error_histogram(rows(), by="moon"), "by='moon'"),
        (lambda: plot.pr_over_time(rows(), "Eve"), "'Eve' is none of"),
        (lambda: plot.pr_over_time(rows(error_emg=None), "Ann"), "no decision of Ann"),
        (lambda: plot.pr_over_time(rows(), convention="mine"), "'mine' is none of"),
        (lambda: plot.reliability([0.5], [1, 0]), "1 prediction and 2 results"),
        (lambda: plot.reliability([np.nan], [1]), "no prediction"),
        (lambda: plot.reliability([1.5], [1]), "between 0 and 1"),
        (lambda: plot.reliability([0.5], [1], bins=1), "bins=1"),
        (lambda: plot.rollout_convergence("r"), "give a Rollout"),
    ],
)
def test_bad_input_is_one_sentence(call, words):
    with pytest.raises(cl.CubelabError) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "draw",
    [
        lambda: plot.board(cl.Position.start(), theme=["dark"]),
        lambda: plot.board(cl.Position.start(), size=None),
        lambda: plot.board(cl.Position.start(), size="big"),
        lambda: plot.board(cl.Position.start(), names=None),
        lambda: plot.equity_curve(None),
        lambda: plot.double_window(None),
        lambda: plot.double_window({"money": 1}),
        lambda: plot.take_points_by_gammons(None),
        lambda: plot.reliability(["x"], [1]),
        lambda: cl.cube_points(None, None),
        lambda: cl.cube_decisions(None),
        lambda: cl.cube_decisions("4HPwATDgc/ABMA"),
    ],
)
def test_the_wrong_kind_of_thing_is_a_sentence(draw):
    with pytest.raises(cl.CubelabError, match=r"\w+ \w+ \w+"):
        draw()


def test_missing_positions_are_named():

    frame = cl.cube_decisions(pd.Series([np.nan, None, "4HPwATDgc/ABMA"], index=[5, 6, 7]), ply=0)
    assert frame["error"].tolist()[:2] == ["the position is missing"] * 2
    assert frame["verdict"].notna().tolist() == [False, False, True]
