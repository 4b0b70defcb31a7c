"""Files of eXtreme Gammon: the same games as in text, stored analysis, containers in any state."""

import struct
import zlib

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from cubelab.errors import CubelabError, RecordError
from cubelab.game import Cube, Owner, Position
from cubelab.records import (
    Action,
    Ending,
    Flag,
    Kind,
    Resignation,
    Roll,
    Seat,
    SetPosition,
    parse_match,
    read_match,
    replay,
    replay_game,
    replay_games,
)
from cubelab.records.stored import Unit
from cubelab.records.xg_archive import unpack
from cubelab.records.xg_comments import plain_text

from .expected import COLLECTION, DATA, FILES, locate, story
from .xg_builder import RECORD, START, build, cube, end, game, header, move

SAMPLE = DATA / "B4_SrGcsKAQmoTyHlgJCbM.xg"
TWINS = [name.removesuffix(".mat") for name in FILES if name.endswith(".mat")]
AFTER_31 = Position(tuple(START)).plays(3, 1)


def twin(stem):
    """A match as .xg and as text, where both are here."""
    paths = (SAMPLE if SAMPLE.stem == stem else COLLECTION / "xg" / f"{stem}.xg", locate(f"{stem}.mat"))
    if paths[1] is None or not paths[0].is_file():
        pytest.skip("only in the shared collection, or no such twin")
    return tuple(read_match(path) for path in paths)


@pytest.mark.parametrize("stem", TWINS)
def test_games_are_the_same_as_in_text(stem):
    binary, text = twin(stem)
    assert (binary.players, binary.length, binary.score) == (text.players, text.length, text.score)
    for ours, theirs in zip(replay_games(binary), replay_games(text), strict=True):
        played = [d for d in ours.decisions if d.kind is not Kind.RESIGN]
        written = [d for d in theirs.decisions if d.kind is not Kind.RESIGN]
        # Text cannot show a checker moved backwards in eXtreme Gammon's own list of steps.
        known = [d.line for d in written if d.played is None]
        mine, same = story(played), story(written)
        assert [row for row, d in zip(mine, written, strict=True) if d.line not in known] == [
            row for row, d in zip(same, written, strict=True) if d.line not in known
        ]
        assert [d.after for d in played] == [d.after for d in written]
        assert (ours.result.winner, ours.result.points, ours.result.level) == (
            theirs.result.winner,
            theirs.result.points,
            theirs.result.level,
        )


@pytest.mark.parametrize("stem", TWINS)
def test_positions_after_plays_are_those_stored(stem):
    binary, _ = twin(stem)
    odd = {Flag.POSITION_GIVEN, Flag.POSITION_DISAGREES, Flag.ILLEGAL_PLAY}
    for decision in replay(binary):
        if odd & decision.flags:
            # Only where the text twin has an illegal play.
            assert Flag.ILLEGAL_PLAY in decision.flags
            assert stem in ("5nqfGw9bWG3deTaU", "hQ8sVn2LbTdF4wRm")


@pytest.mark.parametrize("stem", TWINS)
def test_stored_errors_follow_from_stored_equities(stem):
    path = SAMPLE if SAMPLE.stem == stem else COLLECTION / "xg" / f"{stem}.xg"
    if not path.is_file():
        pytest.skip("only in the shared collection, or no such twin")
    data, _, _ = unpack(path.read_bytes(), str(path))
    raw = [data[i : i + RECORD] for i in range(0, len(data), RECORD)]
    plays = [record for record in raw if record[8] == 3]
    rolls = [event for g in read_match(path).games for event in g.events if isinstance(event, Roll)]
    assert len(plays) == len(rolls)
    checked = 0
    for record, roll in zip(plays, rolls, strict=True):
        error = struct.unpack_from("<d", record, 2312)[0]
        stored = roll.analysis.plays if roll.analysis else None
        if error == -1000 or stored is None or stored.error is None:
            continue
        if error == 0 and struct.unpack_from("<i", record, 2480)[0]:
            continue  # marked as an illegal play: eXtreme Gammon charges nothing
        assert stored.error == pytest.approx(abs(error), abs=1e-4)  # it rounds tiny errors to none
        checked += 1
    assert checked > 20


def test_stored_analysis():
    record = read_match(SAMPLE)
    assert (record.length, record.jacoby, record.cube_cap, record.format) == (0, False, 64, "xg")
    assert record.tag("Site") == "SampleServer"
    assert record.tag("EventDate") == "2026.01.04"
    first, second = record.games[0].events[:2]
    assert first.analysis.cube is None
    assert first.analysis.plays.candidates[0].level == "book"
    assert first.analysis.plays.unit is Unit.POINTS
    stored = second.analysis.cube
    assert stored.double_pass == 1.0
    assert stored.unit is Unit.POINTS
    assert stored.level == "2-ply"
    assert abs(sum(stored.probabilities.array) - 1) < 1e-3
    resigned = record.games[2].events[-1]
    assert isinstance(resigned, Resignation)
    assert (resigned.seat, resigned.level) == (Seat.TOP, 3)


def test_a_played_game():
    play = AFTER_31[0]
    steps = [place for start, stop in play.hops for place in (start - 1, stop - 1)]
    data = build(
        header(),
        game(),
        move(1, (3, 1), steps, after=play.after.board),
        cube(-1, taken=1, equities=(0.4, 0.5, 1.0)),
        move(-1, (6, 6), [0] * 8),
        end(1, 4, 102),
        extra="temp.xgr2",  # CASES 59
    )
    record = parse_match(data)
    decisions = list(replay(record))
    assert [(d.kind, d.seat, d.played if d.kind is not Kind.PLAY else d.played_text) for d in decisions] == [
        (Kind.PLAY, Seat.BOTTOM, play.notation),
        (Kind.DOUBLE, Seat.TOP, Action.DOUBLE),
        (Kind.TAKE, Seat.BOTTOM, Action.TAKE),
        (Kind.RESIGN, Seat.TOP, Action.RESIGN),
    ]
    assert record.games[0].result.ending is Ending.RESIGNATION
    assert record.games[0].result.level == 2
    stored = decisions[1].event.analysis.cube
    assert (stored.no_double, stored.double_take, stored.double_pass) == pytest.approx((0.4, 0.5, 1.0))
    assert stored.level == "3-ply"
    assert stored.unit is Unit.EMG
    assert parse_match(build(header(), game(), move(1, (3, 1), steps), trailer=False)).games[0].events


def test_beavers_in_money_play():
    opening = move(1, (3, 1), [7, 4, 5, 4], after=AFTER_31[0].after.board)
    data = build(
        header(length=99999, jacoby=1, beaver=1),
        game(),
        opening,
        cube(-1, taken=2, beavered=1, raccooned=1),
        move(-1, (6, 1), [12, 6, 7, 6]),
    )
    record = parse_match(data)
    assert (record.length, record.jacoby, record.beavers) == (0, True, True)
    actions = [d.played for d in replay(record) if d.kind in (Kind.DOUBLE, Kind.TAKE, Kind.BEAVER)]
    assert actions == [Action.DOUBLE, Action.BEAVER, Action.RACCOON, Action.TAKE]
    assert replay_game(record, record.games[0]).cube == Cube(8, Owner.MOVER)


def test_a_saved_position_without_game_records():  # CASES 58
    board = list(START)
    board[13], board[9] = 4, 1
    record = parse_match(
        build(
            header(),
            cube(1, doubled=0, equities=(0.1, 0.0, 1.0), board=board)[:RECORD],
            move(1, (3, 1), [7, 4, 5, 4], before=board),
        )
    )
    assert isinstance(record.games[0].events[0], SetPosition)
    first = next(d for d in replay(record) if d.kind is Kind.PLAY)
    assert first.situation.position == Position(tuple(board))
    assert first.event.analysis.cube.no_double == pytest.approx(0.1)


def test_score_and_cube_of_a_saved_position():
    decision = cube(-1, doubled=0, value=-1, equities=(0.1, 0.0, 1.0))
    struct.pack_into("<ii", decision, 96, 2, 5)
    record = parse_match(build(header(), decision, move(-1, (3, 1), [7, 4, 5, 4])))
    # The side that decides, here the second player, is two away and owns the cube.
    assert record.games[0].score == (2, 5)
    first = next(d for d in replay(record) if d.kind is Kind.PLAY)
    assert (first.situation.match.away, first.situation.cube) == ((2, 5), Cube(2, Owner.MOVER))


def test_crawford_game_is_the_files_word():
    record = parse_match(build(header(), game(score=(6, 2), crawford=1), move(1, (3, 1), [7, 4, 5, 4])))
    assert record.games[0].crawford
    record = parse_match(build(header(), game(score=(6, 2), crawford=0), move(1, (3, 1), [7, 4, 5, 4])))
    assert not record.games[0].crawford


def test_bombs_and_damage():
    bomb = bytearray(8232)
    bomb[:4] = b"RGMH"
    struct.pack_into("<I", bomb, 8, 8232)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(120)) + packer.flush()
    with pytest.raises(RecordError, match="unpacks to more than"):
        parse_match(bytes(bomb) + packed)
    with pytest.raises(RecordError, match="damaged"):
        parse_match(b"RGMH")
    with pytest.raises(RecordError, match="no match header"):
        parse_match(build(game()))
    with pytest.raises(RecordError, match="without a single move"):
        parse_match(build(header(), game()))


def test_truncated_files():
    data = SAMPLE.read_bytes()
    for size in range(0, len(data), 997):
        try:
            record = parse_match(data[:size] or b"R")
        except CubelabError:
            continue
        list(replay(record))


@seed(4)
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.integers(0, 40 * RECORD), st.integers(0, 255)), min_size=1, max_size=40))
def test_mutated_records(changes):
    games, _, _ = unpack(SAMPLE.read_bytes(), "")
    data = bytearray(games[: 40 * RECORD])
    for place, value in changes:
        # Most of a record is never read: aim at its first 220 bytes.
        data[min(place // RECORD * RECORD + place % 220, len(data) - 1)] = value
    try:
        record = parse_match(build(*[data[i : i + RECORD] for i in range(0, len(data), RECORD)]))
    except CubelabError:
        return
    for decision in replay(record):
        assert decision.situation.xgid


RICH = (
    b"{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\pard\\f0 Caf\\'e9 {\\b bold}\\par\x01\x02two \\u8211? three\\par}\r\n"
    b"{\\rtf1 {\\*\\generator x;}no double}\r\nbefore the game\r\nafter it\r\n{\\rtf1 nobody points here}\r\n"
)


def test_comments_stand_with_their_moves():
    """The numbers of the comments are where the published layout has them; no real file at hand has any."""
    data = build(
        header(),
        game(comments=(2, 3)),
        move(1, (3, 1), [7, 4, 5, 4], comment=0),
        cube(-1, doubled=0, comment=1),
        move(-1, (6, 5), [23, 17, 17, 12], comment=99),
        comments=RICH,
    )
    record = parse_match(data)
    remark, *rolls = record.games[0].events
    assert remark.text == "before the game\nafter it"
    assert [roll.comment for roll in rolls] == ["Café bold\ntwo – three", "no double"]
    assert record.comments == ("nobody points here",)


@pytest.mark.parametrize(
    "text", ["{\\rtf1 }}}} a", "{\\rtf1 {{{{ a", "{\\rtf1\\'zz \\u-9999999? \\", "\\'e9 plain", "}", ""]
)
def test_damaged_rich_text_is_read_somehow(text):
    assert isinstance(plain_text(text), str)
