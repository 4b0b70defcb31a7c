from itertools import pairwise

import numpy as np
import pytest

from cubelab.errors import DataMissing, TableError
from cubelab.game import MatchState, Rules
from cubelab.score import MatchEquityTable
from cubelab.score import met as met_module
from cubelab.score.growth import grow

KX2 = MatchEquityTable.load()


@pytest.mark.parametrize("name", MatchEquityTable.names())
def test_bundled_tables_are_sound(name):
    table = MatchEquityTable.load(name.upper())
    assert table.name == name
    assert table.title
    assert table.source
    assert table.size in (15, 25)
    assert (np.diff(table.values, axis=0) <= 0).all()
    if not table.skewed:
        miss = np.abs(table.values + table.values.T - 1)
        assert miss.max() < (0.0021 if name == "ortega" else 2e-7)
        assert (miss > 1e-6).sum() == (4 if name == "ortega" else 0)
        np.testing.assert_array_equal(table.post, table.post_opponent)


def test_all_published_tables_are_bundled():
    wanted = "kazaross-xg2 rockwell-kazaross g11 jac050 jac100 jacobs mec mec26 ortega snowie woolsey zadeh"
    assert set(MatchEquityTable.names()) == set(wanted.split())
    assert MatchEquityTable.load() is MatchEquityTable.load("Kazaross-XG2")


@pytest.mark.parametrize(
    ("name", "away", "mwc"),
    [
        ("kazaross-xg2", (2, 2), 0.5),
        ("kazaross-xg2", (3, 2), 0.40053),  # case 35
        ("kazaross-xg2", (2, 1), 0.32264),
        ("kazaross-xg2", (4, 1), 0.18564),
        ("woolsey", (3, 5), 0.66),
        ("snowie", (15, 1), 0.012),
        ("jacobs", (2, 5), 0.753),
        ("rockwell-kazaross", (3, 4), 0.571438),
    ],
)
def test_known_cells(name, away, mwc):
    table = MatchEquityTable.load(name)
    assert table.mwc(away=away) == pytest.approx(mwc, abs=1e-12)
    assert table.mwc(away=away[::-1]) == pytest.approx(1 - mwc, abs=1e-9)


def test_each_stage_reads_its_own_table():
    """Cases 11 and 12: 2-away against 1-away is .32264 in the Crawford game and .48803 after it."""
    assert KX2.mwc(MatchState(7, 5, 6, crawford=True)) == 0.32264
    assert KX2.mwc(MatchState(7, 5, 6)) == 0.48803
    assert KX2.mwc(MatchState(7, 6, 5)) == pytest.approx(1 - 0.48803)
    assert KX2.mwc(MatchState(7, 6, 5, crawford=True)) == pytest.approx(0.67736)
    assert KX2.mwc(MatchState(7, 5, 4)) == KX2.mwc(away=(2, 3))
    without = Rules(crawford=False)
    assert KX2.mwc(MatchState(7, 5, 6, rules=without)) == 0.48803


def test_a_finished_match_is_certain():
    assert KX2.mwc(away=(0, 5)) == 1.0
    assert KX2.mwc(away=(5, -3)) == 0.0
    with pytest.raises(TableError, match="both sides have won"):
        KX2.mwc(away=(0, 0))


def test_bad_questions_are_refused():
    with pytest.raises(TableError, match="money play"):
        KX2.mwc(MatchState())
    with pytest.raises(TableError, match="neither side is one away"):
        KX2.mwc(away=(3, 4), post_crawford=True)
    with pytest.raises(TableError, match="neither a file nor one of the bundled"):
        MatchEquityTable.load("kazaros")


def test_skewed_tables_swap():
    """Case 28: turning a table round gives the other player's chances everywhere."""
    table = MatchEquityTable.load("jac100")
    other = table.swap()
    assert table.mwc(away=(1, 1)) == 0.52
    assert other.mwc(away=(1, 1)) == pytest.approx(0.48)
    for a in (1, 2, 7):
        for b in (1, 3, 9):
            assert table.mwc(away=(a, b)) == pytest.approx(1 - other.mwc(away=(b, a)))
    assert table.mwc(away=(3, 1), post_crawford=True) == 0.335
    assert other.mwc(away=(3, 1), post_crawford=True) == 0.285
    assert table.mwc(away=(1, 3), post_crawford=True) == pytest.approx(0.715)
    assert other.swap() == table
    assert KX2.swap() == KX2


def test_frames():
    frame = KX2.to_frame()
    assert frame.loc[3, 2] == 0.40053
    assert KX2.to_frame(post_crawford=True).loc[2, "mover"] == 0.48803


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v, p: (v[:, :-1], p), "needs n×n"),
        (lambda v, p: (v, p[:-1]), "needs n×n"),
        (lambda v, p: (np.where(v == v[2, 3], 0.7, v), p), "3-away 4-away is 0.7 and 4-away 3-away 0.4285"),
        (lambda v, p: (np.where(v == v[2, 3], np.nan, v), p), "3-away 4-away is nan"),
        (lambda v, p: (np.where(v == v[2, 3], 1.5, v), p), "3-away 4-away is 1.5"),
        (lambda v, p: (v, np.where(p == p[4], -0.1, p)), "post-Crawford 5-away is -0.1"),
    ],
)
def test_damaged_tables_are_refused_with_the_cell(change, message):
    values, post = change(KX2.values, KX2.post)
    with pytest.raises(TableError, match=message):
        MatchEquityTable("mine", values, post)


def test_a_changed_bundled_file_is_refused(tmp_path, monkeypatch):
    folder = met_module._FOLDER
    for file in folder.iterdir():
        if file.is_file():
            (tmp_path / file.name).write_bytes(file.read_bytes())
    text = (tmp_path / "woolsey.csv").read_text()
    (tmp_path / "woolsey.csv").write_text(text.replace("0.66", "0.67", 1))
    monkeypatch.setattr(met_module, "_FOLDER", tmp_path)
    met_module._bundled.cache_clear()
    with pytest.raises(DataMissing, match="does not match its checksum"):
        MatchEquityTable.load("woolsey")
    met_module._bundled.cache_clear()


@pytest.mark.parametrize(("size", "worst"), [(11, 0.003), (15, 0.0022)])
def test_a_cut_table_grows_back(size, worst):
    short = MatchEquityTable("short", KX2.values[:size, :size], KX2.post[:size])
    back = grow(short, 25)
    np.testing.assert_array_equal(back.values[:size, :size], short.values)
    assert np.abs(back.values - KX2.values).max() < worst
    assert np.abs(back.post - KX2.post).max() < 2e-4


def test_scores_beyond_the_table_are_sane():
    assert KX2.mwc(away=(40, 40)) == pytest.approx(0.5)
    assert KX2.mwc(away=(30, 40)) + KX2.mwc(away=(40, 30)) == pytest.approx(1)
    assert 0.70 < KX2.mwc(away=(30, 40)) < 0.80
    row = [KX2.mwc(away=(n, 30)) for n in range(1, 41)]
    assert all(a > b for a, b in pairwise(row))
    assert KX2.mwc(away=(30, 1), post_crawford=True) < KX2.post[-1]
    assert KX2.covers(MatchState(25, 0, 0))
    assert not KX2.covers(MatchState(26, 0, 0))


def test_matches_too_long_are_refused_before_the_memory_runs_out():
    assert 0.49 < KX2.mwc(away=(1000, 1000)) < 0.51
    with pytest.raises(TableError, match=r"32767 points away.* 1000 points"):
        KX2.mwc(away=(32767, 3))
