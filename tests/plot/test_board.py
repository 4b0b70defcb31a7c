"""Board diagrams: what is drawn, where, and that everything flips together."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cubelab as cl
from cubelab.game import Cube, MatchState, Owner, Play, Position, Rules, Situation
from cubelab.plot import THEMES, BoardDrawing, board, board_axes
from cubelab.plot.diagram import View, board_scene
from cubelab.plot.geometry import HEIGHT, MIDDLE, WIDTH
from cubelab.plot.scene import Box, Disc, Label

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:0:0:10"
NAME = "{http://www.w3.org/2000/svg}"


def position(**points: int) -> Position:
    counts = [0] * 26
    for name, count in points.items():
        counts[int(name[1:])] = count
    return Position(tuple(counts))


AWKWARD = {
    "both bars full": position(p25=15, p0=-15),
    "all on one point": position(p1=15, p24=-15),
    "all but one off": position(p1=1, p24=-1),
    "game over": position(p24=-15),
    "bars and stacks": position(p25=7, p6=8, p0=-8, p19=-7),
    "prime": position(p7=6, p6=3, p5=2, p4=2, p3=2, p24=-6, p18=-7, p1=-2),
}


@st.composite
def positions(draw):
    """Any legal arrangement: checkers dropped on points that the other side does not hold."""
    counts = [0] * 26
    for sign, bar in ((1, 25), (-1, 0)):
        for _ in range(draw(st.integers(1, 15))):
            places = [p for p in range(1, 25) if counts[p] * sign >= 0] + [bar]
            counts[draw(st.sampled_from(places))] += sign
    return Position(tuple(counts))


def shapes(situation, **options):
    mark = options.pop("mark", "")
    return board_scene(situation, View(**options), mark=mark).shapes


def texts(drawing: str) -> list[str]:
    return [element.text for element in ElementTree.fromstring(drawing).iter(f"{NAME}text")]


def test_every_checker_is_on_the_board():
    drawn = Counter(type(s).__name__ + s.role for s in shapes(Situation(Position.start())) if s.role in ("x", "o"))
    # Fifteen a side and the two discs beside the names.
    assert drawn == {"Discx": 16, "Disco": 16}


@pytest.mark.parametrize("name", AWKWARD)
@pytest.mark.parametrize("theme", ["auto", *THEMES])
def test_awkward_positions_are_small_valid_svg(name, theme):
    drawing = board(AWKWARD[name], theme=theme)
    root = ElementTree.fromstring(drawing)
    assert root.tag == f"{NAME}svg"
    assert len(drawing.encode()) < 30_000


@given(positions(), st.booleans(), st.sampled_from([1, -1]))
def test_checkers_and_off_checkers_count_fifteen(place, clockwise, turn):
    drawn = shapes(Situation(place, turn=turn), clockwise=clockwise)
    mine, theirs = ("x", "o") if turn == 1 else ("o", "x")
    for role, side in ((mine, place), (theirs, place.flip())):
        stacks = [count for count in side.board if count > 0]
        discs = sum(isinstance(s, Disc) and s.role == role for s in drawn)
        off = sum(isinstance(s, Box) and s.role == role for s in drawn)
        assert discs == sum(min(count, 5) for count in stacks) + 1
        assert off == side.off
        numbered = sorted(s.text for s in drawn if isinstance(s, Label) and s.role == f"{role}_ink")
        assert numbered == sorted(str(count) for count in stacks if count > 5)
    assert all(
        -1e-9 <= x <= WIDTH and -1e-9 <= y <= HEIGHT for x, y in (s.centre for s in drawn if hasattr(s, "centre"))
    )


@given(positions(), st.sampled_from(list(Owner)), st.booleans())
def test_other_side_on_roll_gives_the_same_picture(place, owner, clockwise):
    """Only the mark of who is on roll differs, whichever side the situation is seen from."""
    situation = Situation(place, Cube(4, owner), MatchState(7, 3, 5))
    seen = set(shapes(situation, clockwise=clockwise, numbers="bottom"))
    other = set(shapes(situation.flip(), clockwise=clockwise, numbers="bottom"))
    assert {s.role for s in seen ^ other} == {"text"}
    assert len(seen ^ other) == 2


@given(positions(), st.sampled_from(list(Owner)))
def test_changing_seats_mirrors_top_and_bottom(place, owner):
    """Seen from the other chair every checker, number and cube is at the mirrored height, in the same colour."""
    situation = Situation(place, Cube(2, owner), MatchState(7, 3, 5))
    near, far = shapes(situation, bottom="mover"), shapes(situation, bottom="opponent")
    discs = {(s.role, *_rounded(s.centre)) for s in near if isinstance(s, Disc)}
    assert discs == {(s.role, *_rounded((s.centre[0], 2 * MIDDLE - s.centre[1]))) for s in far if isinstance(s, Disc)}
    labels = {(s.role, s.text, *_rounded(s.centre)) for s in near if isinstance(s, Label) and s.role != "faint"}
    mirrored = {
        (s.role, s.text, *_rounded((s.centre[0], 2 * MIDDLE - s.centre[1])))
        for s in far
        if isinstance(s, Label) and s.role != "faint"
    }
    assert labels == mirrored


@given(positions(), st.sampled_from(list(Owner)))
def test_clockwise_mirrors_left_and_right(place, owner):
    situation = Situation(place, Cube(2, owner), dice=(3, 1))
    field = [
        {
            (s.role, *_rounded((WIDTH - s.centre[0] if mirror else s.centre[0], s.centre[1])))
            for s in shapes(situation, clockwise=mirror)
            if isinstance(s, Disc | Label) and s.role not in ("text", "faint") and 1.1 < s.centre[1] < HEIGHT - 1.1
            and s.role != "x_ink"
        }
        for mirror in (False, True)
    ]  # fmt: skip
    assert field[0] == field[1]


def _rounded(spot):
    return round(spot[0], 6), round(spot[1], 6)


@pytest.mark.parametrize("clockwise", [False, True])
def test_home_board_of_the_bottom_player_is_at_the_right_unless_clockwise(clockwise):
    drawn = shapes(Situation(position(p6=15, p19=-15)), clockwise=clockwise)
    home = [s.centre[0] for s in drawn if isinstance(s, Disc) and s.radius > 0.4]
    assert len(home) == 10
    assert all((x > WIDTH / 2) != clockwise for x in home)


def test_points_are_numbered_from_the_asked_side():
    one_point = {}
    for numbers in ("mover", "opponent", "bottom", "top"):
        situation = Situation(Position.start(), turn=-1)
        one_point[numbers] = next(
            s.centre for s in shapes(situation, numbers=numbers) if isinstance(s, Label) and s.text == "1"
        )
    assert one_point["mover"] == one_point["top"]
    assert one_point["opponent"] == one_point["bottom"]
    assert one_point["top"][1] < MIDDLE < one_point["bottom"][1]
    assert not [s for s in shapes(Situation(Position.start()), numbers="none") if s.role == "number"]


def test_cube_lies_with_its_owner():
    heights = {}
    for owner in Owner:
        label = next(s for s in shapes(Situation(Position.start(), Cube(64, owner))) if s.role == "cube_ink")
        assert label.text == "64"
        heights[owner] = label.centre[1]
    assert heights[Owner.OPPONENT] < heights[Owner.CENTRE] == MIDDLE < heights[Owner.MOVER]


def test_no_cube_in_the_crawford_game_or_without_one():
    for match in (MatchState(7, 6, 3, crawford=True), MatchState(rules=Rules(cube_in_use=False))):
        assert not [s for s in shapes(Situation(Position.start(), match=match)) if s.role == "cube_ink"]


@pytest.mark.parametrize(("sign", "value", "word"), [("D", "2", "double"), ("B", "4", "beaver"), ("R", "8", "raccoon")])
def test_offered_cube_shows_the_new_stake(sign, value, word):
    situation = Situation.from_xgid(f"XGID=-b----E-C---eE---c-e----B-:0:0:1:{sign}:0:0:3:0:10")
    written = texts(board(situation))
    assert written.count(value) == 1 + (int(value) <= 24)
    assert word in written


def test_dice_show_their_pips():
    pips = [s for s in shapes(Situation(Position.start(), dice=(6, 5))) if isinstance(s, Disc) and s.role == "x_ink"]
    assert len(pips) == 11


def test_score_stage_and_pip_counts_are_written():
    written = " ".join(texts(board("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:5:1:7:10", names=("Ann", "Bob"))))
    for words in ("Ann  6/7", "Bob  5/7", "match to 7 · Crawford", "pips 167"):
        assert words in written


def test_bare_position_has_neither_cube_nor_score():
    for subject in (Position.start(), "4HPwATDgc/ABMA"):
        assert not {"1/7", "money"} & set(texts(board(subject)))
        assert texts(board(subject)).count("1") == 1


def test_names_are_escaped_and_cut():
    drawing = board(START.format("00"), names=('<b>"&\x00', "A name that never ends at all, truly"), theme="light")
    written = texts(drawing)
    assert '<b>"&' in written
    assert any(text.endswith("…") and len(text) == 18 for text in written)
    assert "<b>" not in drawing


def test_arrows_of_a_play():
    drawing = board(START.format("31"), "8/5 6/5", best="24/23 13/10")
    assert len(re.findall(r'd="M[^"Z]*Q', drawing)) == 8  # each arrow and its halo
    assert drawing.count("stroke-dasharray") == 2
    assert board(Play.parse("8/5 6/5", Position.start())).count("Q") == 4


def test_errors_are_marked_by_size():
    situation = Situation.from_xgid(START.format("31"))
    for loss, sign in ((0.0, "0.000"), (0.02, "? 0.020"), (0.08, "?? 0.080")):
        assert sign in texts(board(situation, error=loss))
    assert "blunder" in texts(board(situation, error="blunder"))


def test_values_draw_themselves():
    for subject in (Position.start(), Situation.from_xgid(START.format("31")), Position.start().plays(3, 1)[0]):
        assert subject._repr_svg_().startswith("<svg")
        assert "<svg" in subject._repr_html_()


def test_auto_theme_knows_dark_readers_and_falls_back_to_light():
    drawing = board(Position.start())
    assert "prefers-color-scheme:dark" in drawing
    assert "data-jp-theme-light=false" in drawing
    assert THEMES["light"].field in re.sub("<style>.*</style>", "", drawing)
    assert "<style>" not in board(Position.start(), theme="light")


def test_two_sides_differ_in_lightness_in_every_theme():
    def lightness(colour):
        red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2

    for theme in THEMES.values():
        for first, second, least in (
            (theme.x, theme.o, 3), (theme.x, theme.x_ink, 4.5), (theme.o, theme.o_ink, 4.5),
            (theme.page, theme.text, 4.5), (theme.page, theme.faint, 4.5), (theme.frame, theme.number, 4.5),
            (theme.field, theme.field_text, 4.5), (theme.field, theme.arrow, 3), (theme.badge, theme.badge_ink, 4.5),
        ):  # fmt: skip
            low, high = sorted((lightness(first), lightness(second)))
            assert (high + 0.05) / (low + 0.05) >= least, (first, second)


def test_saving(tmp_path):
    drawing = board(START.format("31"), "8/5 6/5", size=300)
    assert isinstance(drawing, BoardDrawing)
    assert drawing.save(tmp_path / "a.svg").read_text(encoding="utf-8") == drawing
    png = drawing.save(tmp_path / "a.png", scale=2).read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == 600
    assert drawing.save(tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(cl.CubelabError, match=r"\.svg, \.png or \.pdf"):
        drawing.save(tmp_path / "a.gif")


def test_axes_version_draws_the_same_shapes():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    situation = Situation.from_xgid(START.format("31"))
    ax = Figure().subplots()
    assert board(situation, ax=ax) is ax
    assert len(ax.patches) == len(shapes(situation))
    own = board_axes(situation, names=("$x$", "100 % $"))
    assert isinstance(own, Axes)
    own.figure.canvas.draw()


@pytest.mark.parametrize(
    ("subject", "options", "words"),
    [
        (Position.start(), {"theme": "neon"}, "unknown board theme 'neon'; known are auto, light"),
        (Position.start(), {"bottom": "white"}, "bottom='white' is none of"),
        (Position.start(), {"numbers": "left"}, "numbers='left' is none of"),
        (Position.start(), {"names": "Ann"}, "are not two names"),
        (Position.start(), {"size": 3}, "board size 3"),
        (Position.start(), {"error": -0.1}, "not a loss"),
        (Position.start(), {"error": float("nan")}, "not a loss"),
        (Position.start(), {"play": "6/7"}, "6/7"),
        (Position.start(), {"play": 5}, "cannot draw a play given as int"),
        (Position.start().flip(), {"play": Play(position(p6=15, p19=-15), ((6, 5),))}, "another position"),
        (17, {}, "cannot draw a board of int"),
        ("nonsense", {}, "nonsense"),
    ],
)
def test_bad_input_is_one_sentence(subject, options, words):
    with pytest.raises(cl.CubelabError) as caught:
        board(subject, **options)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
