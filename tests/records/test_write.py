"""SGF, JSON and lists of XGIDs: what is written is read back, and GNU Backgammon opens the SGF."""

import copy
import json
import shutil
import subprocess
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from cubelab.errors import CubelabError, RecordError
from cubelab.game import Situation
from cubelab.records import (
    Beaver,
    Comment,
    Double,
    Kind,
    Seat,
    SetPosition,
    json_text,
    parse_match,
    parse_positions,
    read_match,
    replay,
    sgf_text,
    write_match,
    xgid_text,
)
from cubelab.records.losses import sgf_losses
from cubelab.records.stored import Stored, StoredCandidate, StoredCube, StoredPlays, Unit

from .expected import COLLECTION, DATA, MATCHES, story

GNUBG = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")
FOLDERS = ("mat", "xg", "bgf", "ogxm", "sgf", "gnubg_txt")
HERE = sorted(
    path
    for folder in (DATA, MATCHES)
    for path in folder.iterdir()
    if path.suffix in (".mat", ".txt", ".xg", ".bgf", ".sgf", ".ogxm", ".gvab", ".gva") and path.name != "SOURCE.txt"
)
ALL = HERE + [path for folder in FOLDERS for path in sorted((COLLECTION / folder).glob("*")) if COLLECTION.is_dir()]
IDS = [f"{path.parent.name}/{path.name}" for path in ALL]


@pytest.mark.parametrize("path", ALL, ids=IDS)
def test_json_loses_nothing(path):
    record = read_match(path)
    assert parse_match(json_text(record).encode()) == record


def results(record):
    return [(g.score, g.crawford, g.result.winner, g.result.points, g.result.level) for g in record.games]


@pytest.mark.parametrize("path", HERE, ids=[path.name for path in HERE])
def test_sgf_is_the_same_match(path):
    record = read_match(path)
    again = parse_match(sgf_text(record).encode())
    assert (again.players, again.length, results(again)) == (record.players, record.length, results(record))
    assert story(replay(again)) == story(replay(record))
    assert sgf_text(parse_match(sgf_text(again).encode())) == sgf_text(again)


def test_sgf_keeps_the_analysis_of_gnu_backgammon():
    record = read_match(DATA / "gnubg_analysed_game3.sgf")
    again = parse_match(sgf_text(record).encode())
    ours = [e.analysis for g in again.games for e in g.events]
    theirs = [e.analysis for g in record.games for e in g.events]
    assert sum(stored is not None for stored in ours) > 10
    for mine, stored in zip(ours, theirs, strict=True):
        assert mine == (None if stored is None else replace(stored, program=mine.program))
    assert not [loss for loss in sgf_losses(record) if "stored" in loss]


def sample():
    return read_match(MATCHES / "7-point.mat")


OURS = Stored(
    "cubelab",
    StoredCube(0.61, 0.64, 0.66, (0.7, 0.2, 0.01, 0.1, 0.0), Unit.MWC, "2-ply"),
    StoredPlays(
        (
            StoredCandidate("13/8 6/5", 0.2, (0.55, 0.15, 0.01, 0.12, 0.01), "2-ply"),
            StoredCandidate("24/18", 0.1, (0.52, 0.12, 0.01, 0.12, 0.01), "1-ply"),
        ),
        1,
        Unit.EMG,
    ),
)


def test_sgf_with_an_analysis_from_elsewhere():
    record = sample()
    plays = [d for d in replay(record) if d.kind is Kind.PLAY]
    chosen = {(d.game, d.ply): OURS for d in plays[:20]}
    again = parse_match(sgf_text(record, chosen).encode())
    read = [d.event.analysis for d in replay(again) if d.kind is Kind.PLAY][:20]
    for analysis in read:
        assert (analysis.cube.no_double, analysis.cube.double_take, analysis.cube.unit) == (0.61, 0.64, Unit.MWC)
        assert analysis.cube.chances == OURS.cube.chances
        assert [(c.equity, c.level) for c in analysis.plays.candidates] == [(0.2, "2-ply"), (0.1, "1-ply")]
        assert analysis.plays.played == 1
        assert analysis.program.startswith("cubelab")


def test_normalised_cubes_of_a_match_need_the_callers_table():
    record = sample()
    first = next(d for d in replay(record) if d.kind is Kind.DOUBLE and d.played == "double")
    emg = replace(OURS, plays=None, cube=replace(OURS.cube, no_double=0.5, double_take=0.7, unit=Unit.EMG))
    chosen = {(first.game, first.ply): emg}
    assert "DA[" not in sgf_text(record, chosen)
    seen = []

    def to_mwc(situation, equity):
        seen.append(situation)
        return 0.5 + equity / 10

    again = parse_match(sgf_text(record, chosen, to_mwc).encode())
    cube = next(d for d in replay(again) if d.event.analysis).event.analysis.cube
    assert (cube.no_double, cube.double_take) == (pytest.approx(0.55), pytest.approx(0.57))
    assert seen[0].position == first.situation.position


ODD = """; [Event "a:b\\c] d"]
; [EventDate "2026.01.13"]
0 point match

 Game 3
 An]na \\ : 4                    Bernd : 12
; Set Pos=-b----E-C---eE---c-e----B-/1
  1)                              31: 8/5 6/5
  2) 44: 24/16 13/9(2)            Doubles => 4
  3)  Beavers => 8                Takes
; a remark with ] and \\ in it
  4)                              66: ????
      Wins 8 points
"""


def test_odd_names_remarks_set_positions_and_beavers_in_sgf():
    record = parse_match(ODD.encode())
    again = parse_match(sgf_text(record).encode())
    assert again.players == record.players
    assert again.tag("Event") == "a:b\\c] d"
    assert again.tag("EventDate") == "2026-01-13"
    events = again.games[0].events
    assert any(isinstance(e, Comment) and "] and \\ in it" in e.text for e in events)
    assert any(isinstance(e, SetPosition) for e in events)
    doubled = [e for e in events if isinstance(e, Double)]
    beavers = [e for e in events if isinstance(e, Beaver)]
    assert [e.seat for e in (*doubled, *beavers)] == [Seat.TOP, Seat.BOTTOM]
    assert story(replay(again)) == story(replay(record))
    assert parse_match(json_text(record).encode()) == record


def gnubg(*commands):
    text = "\n".join(("set automatic game off", *commands, "quit", "y", ""))
    done = subprocess.run(
        [str(GNUBG), "-t", "-q"], input=text, text=True, capture_output=True, timeout=120, check=False
    )
    return done.stdout + done.stderr


OPENED = ("7-point.mat", "money-session.mat", "5nqfGw9bWG3deTaU.mat", "gnubg_analysed_game3.sgf", "set-up.ogxm")


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_opens_what_is_written(tmp_path):
    """It loads the SGF and writes it out again as a text: one file a game, with its own position ids."""
    records = {name: read_match(DATA / name if (DATA / name).is_file() else MATCHES / name) for name in OPENED}
    commands = []
    for name, record in records.items():
        assert write_match(record, tmp_path / f"{name}.sgf")
        commands += [f'load match "{tmp_path}/{name}.sgf"', f'export match text "{tmp_path}/{name}.txt"']
    log = gnubg(*commands)
    assert "error" not in log.casefold()
    for name, record in records.items():
        for number, game in enumerate(record.games, 1):
            exported = read_match(tmp_path / (f"{name}.txt" if number == 1 else f"{name}_{number:03d}.txt"))
            assert exported.players == record.players
            assert exported.games[0].score == game.score
            ours = [d for d in replay(replace(record, games=(game,))) if d.kind is Kind.PLAY]
            theirs = [d for d in replay(exported) if d.kind is Kind.PLAY]
            assert [(d.situation.position, d.situation.cube, d.after) for d in theirs] == [
                (d.situation.position, d.situation.cube, d.after) for d in ours
            ]


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_shows_our_numbers(tmp_path):
    record = sample()
    plays = [d for d in replay(record) if d.kind is Kind.PLAY]
    chosen = {}
    for d in plays[:8]:
        best = StoredCandidate(d.played.notation.replace("*", ""), 0.321, (0.55, 0.15, 0.01, 0.12, 0.01), "2-ply")
        chosen[d.game, d.ply] = replace(OURS, plays=StoredPlays((best,), 0, Unit.EMG))
    write_match(record, tmp_path / "ours.sgf", analyses=chosen)
    gnubg(f'load match "{tmp_path}/ours.sgf"', f'export match text "{tmp_path}/ours.txt"')
    shown = [d.event.analysis for d in replay(read_match(tmp_path / "ours.txt")) if d.kind is Kind.PLAY]
    with_plays = [a.plays for a in shown if a is not None and a.plays is not None]
    assert len(with_plays) >= 6
    for plays in with_plays:
        assert plays.candidates[0].equity == pytest.approx(0.321)
        assert plays.candidates[0].chances == pytest.approx((0.55, 0.15, 0.01, 0.12, 0.01))


def test_a_list_of_xgids_is_read_back():
    record = sample()
    decisions = [d for d in replay(record) if d.kind is not Kind.RESIGN]
    found = parse_positions(xgid_text(record).encode())
    assert not found.unread
    assert [p.situation.xgid for p in found.positions] == [d.situation.xgid for d in decisions]
    assert "Jade1: 8/3 6/3" in found.positions[0].comment
    assert Situation.from_xgid(found.positions[0].situation.xgid).dice == decisions[0].situation.dice


def test_losses_are_told(tmp_path):
    record = read_match(DATA / "B4_SrGcsKAQmoTyHlgJCbM.xg")
    assert write_match(record, tmp_path / "a.json") == ()
    assert any("stored analysis of" in loss for loss in write_match(record, tmp_path / "a.mat"))
    assert any("beavers" in loss for loss in write_match(record, tmp_path / "a.sgf"))
    assert write_match(record, tmp_path / "a.xgid")
    with pytest.raises(RecordError, match=r"\.pdf; use \.mat"):
        write_match(record, tmp_path / "a.pdf")


def content():
    record = read_match(DATA / "B4_SrGcsKAQmoTyHlgJCbM.xg")
    return json.loads(json_text(replace(record, games=record.games[:1])))


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.update(version=2),
        lambda c: c.update(length=-1),
        lambda c: c.update(length="7"),
        lambda c: c.update(players=["a"]),
        lambda c: c.update(games=[]),
        lambda c: c.update(extra=1),
        lambda c: c["games"][0].pop("result"),
        lambda c: c["games"][0].update(score=[0, -1]),
        lambda c: c["games"][0].update(flags=["nonsense"]),
        lambda c: c["games"][0]["events"][0].update(event="Party"),
        lambda c: c["games"][0]["events"][0].update(dice=[0, 7]),
        lambda c: c["games"][0]["events"][0].update(seat=2),
        lambda c: c["games"][0]["events"][0].update(seat=None),
        lambda c: c["games"][0]["events"][0].update(after=[1, 2, 3]),
        lambda c: c["games"][0]["events"].append({"event": "Double", "seat": 1, "cube": 3}),
        lambda c: c["games"][0]["events"].append(7),
    ],
)
def test_json_that_is_no_record_is_refused(change):
    changed = content()
    change(changed)
    with pytest.raises(RecordError, match="cubelab record"):
        parse_match(json.dumps(changed).encode(), file="x.json")


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-3, 40), st.floats(allow_nan=False), st.text(max_size=4))


def places(value, path=()):
    """All places of a JSON document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


CONTENT = content()
PLACES = [path for path in places(CONTENT) if path]


@seed(41)
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.sampled_from(PLACES), LEAVES), min_size=1, max_size=3))
def test_changed_json_is_a_record_or_an_error(changes):
    changed = copy.deepcopy(CONTENT)
    for path, leaf in changes:
        inner = changed
        try:
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = leaf
        except (TypeError, KeyError, IndexError):
            continue
    try:
        record = parse_match(json.dumps(changed).encode())
    except CubelabError:
        return
    for decision in replay(record):
        assert decision.situation.xgid
    sgf_text(record)
    assert parse_match(json_text(record).encode()) == record
