"""Pictures against stored ones, by tolerance: fonts and rasterising differ a little between versions.

After an intended change: ``python -m tests.plot.test_images`` from the repository root writes them anew; look at them.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import pytest
from matplotlib import pyplot
from matplotlib.testing.compare import compare_images

import cubelab as cl
from cubelab import plot

FOLDER = Path(__file__).parent / "data"
#: Root mean square difference of pixel values, of 255.
TOLERANCE = 15


def board(path):
    s = cl.Situation.from_xgid("XGID=aBa-B-C-A---eE---c-e---B--:1:1:1:31:3:5:0:7:10")
    plot.board(s, "8/5 6/5", error=0.1, names=("Ann", "Bob"), theme="light", size=250).save(path, scale=1)


def print_board(path):
    s = cl.Situation.from_xgid("XGID=-BCCDC---------------hb---:0:0:-1:D:0:0:3:0:10")
    plot.board(s, theme="print", clockwise=True, size=250).save(path, scale=1)


def long_names(path):
    s = cl.Situation.from_xgid("XGID=-b----E-C---eE---c-e----B-:10:-1:1:00:11:12:0:17:12")
    names = ("Wolfeschlegelsteinhausenbergerdorff", "A. N. Extraordinarily-Long Surname")
    plot.board(s, theme="dark", bottom="opponent", names=names, size=250).save(path, scale=1)


def scores(path):
    chances = cl.Probabilities.from_cumulative(0.70, 0.2, 0.0, 0.1)
    plot.score_map(chances, away=4, size=(5, 3.5)).figure.savefig(path, dpi=70)


def curve(path):
    stakes = cl.Stakes.of(cl.MatchState(7, 3, 5), cl.Cube())
    plot.equity_curve(stakes, gammons=(0.2, 0.2), unit="mwc", size=(5, 3.5)).figure.savefig(path, dpi=70)


def plane(path):
    stakes = cl.Stakes.of(cl.MatchState(rules=cl.Rules(beavers=1)), cl.Cube())
    plot.verdict_plane(stakes, lose_gammons=0.2, steps=60, size=(5, 3.5)).figure.savefig(path, dpi=70)


PICTURES = {draw.__name__: draw for draw in (board, print_board, long_names, scores, curve, plane)}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_look_as_before(name, tmp_path):
    made = tmp_path / f"{name}.png"
    with matplotlib.rc_context(matplotlib.rcParamsDefault | {"backend": "Agg"}):
        PICTURES[name](made)
    pyplot.close("all")
    assert compare_images(FOLDER / f"{name}.png", made, tol=TOLERANCE) is None


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        draw(FOLDER / f"{name}.png")
