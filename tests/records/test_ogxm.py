"""OGXM of both versions and GammonView's JSON: the games of their text twins, stored analysis, damage."""

import json
import struct
import zlib

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from cubelab.errors import CubelabError, RecordError
from cubelab.game import Position
from cubelab.notation import ogid
from cubelab.records import (
    Beaver,
    Comment,
    Double,
    Ending,
    Flag,
    Kind,
    Resignation,
    Roll,
    Seat,
    SetPosition,
    Take,
    mat_text,
    parse_match,
    read_match,
    replay,
    replay_games,
)
from cubelab.records.stored import Unit

from .expected import COLLECTION, DATA, locate, story

VERSION_1 = DATA / "3WNK_g1Z-PLsh_HyvQ5j4a.gvab"
VERSION_2 = DATA / "set-up.ogxm"
JSON = DATA / "B4_SrGcsKAQmoTyHlgJCbM.gva"


def test_version_1_is_the_same_match_as_its_text_twin():
    binary, text = read_match(VERSION_1), read_match(locate("3WNK_g1Z-PLsh_HyvQ5j4a.mat"))
    assert (binary.players, binary.length, binary.score) == (text.players, text.length, text.score)
    assert [(g.score, g.crawford, g.result.winner, g.result.points) for g in binary.games] == [
        (g.score, g.crawford, g.result.winner, g.result.points) for g in text.games
    ]
    assert story(replay(binary)) == story(replay(text))
    assert (binary.crawford, binary.cube_cap, binary.tag("Site")) == (True, 64, "SampleServer")


def test_json_is_the_same_session_as_its_text_twin_with_white_first():
    written, text = read_match(JSON), read_match(DATA / "B4_SrGcsKAQmoTyHlgJCbM.mat")
    assert written.players == text.players[::-1]
    assert written.score == text.score[::-1]
    turned = [(game, kind, seat.other, *rest) for game, kind, seat, *rest in story(replay(text))]
    assert story(replay(written)) == turned


def test_positions_after_each_play_are_those_the_json_states():
    content = json.loads(JSON.read_text())
    stated = [ply["ogid_after"] for game in content["games"] for ply in game["plies"] if ply["action_id"] <= 20]
    moves = [ply["moves"] for game in content["games"] for ply in game["plies"] if ply["action_id"] <= 20]
    made = [d.after for d in replay(read_match(JSON)) if d.kind is Kind.PLAY]
    # A dance is no decision.
    told = [ogid.decode(text).position for text, steps in zip(stated, moves, strict=True) if steps]
    assert len(made) == len(told) == 50
    assert all(ours in (theirs, theirs.flip()) for ours, theirs in zip(made, told, strict=True))


def test_stored_numbers_of_version_1_and_json():
    decisions = [d for d in replay(read_match(JSON)) if d.event.analysis]
    double = next(d for d in decisions if d.kind is Kind.DOUBLE and d.played == "double")
    cube = double.event.analysis.cube
    assert (cube.no_double, cube.double_take, cube.double_pass) == (0.7181, 0.9347, 1.0)
    assert (cube.unit, cube.level, double.event.analysis.program) == (Unit.POINTS, "3ply", "bgsage")
    assert cube.chances == (0.764, 0.052, 0.002, 0.035, 0.0)
    first = decisions[0].event.analysis
    assert first.plays.candidates[0].play == "24/20 13/8"
    assert first.plays.candidates[0].equity == 0.0239
    assert (first.plays.played, first.luck) == (0, 0.0303)
    match = [d for d in replay(read_match(VERSION_1)) if d.kind is Kind.PLAY and d.event.analysis.plays]
    for d in match:
        plays = d.event.analysis.plays
        assert plays.unit is Unit.EMG
        assert list(plays.candidates) == sorted(plays.candidates, key=lambda c: -c.equity)
        assert plays.played is not None
    # Whenever a play of the list reads as legal, the one marked is the one that was made.
    marked = [d.event.analysis.plays.candidates[d.event.analysis.plays.played].play for d in match]
    same = [d.situation.position.plays(*d.situation.dice) for d in match]
    for d, text, plays in zip(match, marked, same, strict=True):
        assert any(play.after == d.after for play in plays), text
    cubes = [d.event.analysis.cube for d in replay(read_match(VERSION_1)) if d.kind is Kind.DOUBLE]
    assert all(cube.double_pass == 1 and cube.unit is Unit.EMG for cube in cubes if cube)


def test_version_2_resignations_positions_and_units():
    given_up = read_match(DATA / "resign.ogxm")
    assert (given_up.players, given_up.length, given_up.score) == (("Alice", "Bob"), 9, (1, 0))
    assert isinstance(given_up.games[0].events[-1], Resignation)
    assert given_up.games[0].result.ending is Ending.RESIGNATION
    record = read_match(VERSION_2)
    start = record.games[1].events[0]
    assert isinstance(start, SetPosition)
    assert start.flags == {Flag.SET_UP}
    games = list(replay_games(record))
    assert all(game.complete for game in games)
    assert not {flag for game in games for flag in game.flags} - {Flag.SET_UP}
    # The file says that the second game is a gammon, and its moves agree.
    assert (games[1].result.points, games[1].result.level) == (4, 2)
    cubes = [e.analysis.cube for g in record.games for e in g.events if e.analysis and e.analysis.cube]
    assert {cube.unit for cube in cubes} == {Unit.MWC}
    # What a pass is worth is the same number throughout a game with a centred cube.
    assert all(0 < cube.double_pass < 1 for cube in cubes)


@pytest.mark.parametrize("name", ["match.ogxm", "resign.ogxm", "set-up.ogxm"])
def test_version_2_files_can_be_followed(name):
    path = DATA / name if (DATA / name).is_file() else COLLECTION / "ogxm" / name
    if not path.is_file():
        pytest.skip("only in the shared collection, which is not here")
    record = read_match(path)
    for game in replay_games(record):
        assert game.complete
        assert Flag.ILLEGAL_PLAY not in game.flags
        assert Flag.POINTS_DISAGREE not in game.flags


def number(value):
    """A variable-length integer."""
    out = bytearray()
    while True:
        out.append(value & 0x7F | (0x80 if value > 0x7F else 0))
        value >>= 7
        if not value:
            return bytes(out)


def record(mask, body):
    body = number(mask) + body
    return number(len(body)) + body


def version_2(*games, rules=5, length=0):
    """A file of version 2 with games as (header record, plies)."""
    sections = [(b"MTCH", record(7, number(length) + b"\x00\x01A\x01B" + number(rules)))]
    sections += [(b"GAME", header + plies) for header, plies in games]
    data = b"OGXM" + struct.pack("<HHHHI", 2, 0, 2, 0, 0)
    for tag, content in sections:
        data += tag + struct.pack("<IB", len(content), 1) + content
    crc = record(0, b"\x00\x04" + struct.pack("<I", zlib.crc32(data)))
    return data + b"CSUM" + struct.pack("<IB", len(crc), 1) + crc + b"END!"


WON = record(3, b"\x00\x08")


def test_beavers_raccoons_settlements_and_turned_cubes():
    opening = bytes([1, 0x0C | 1 << 5, 0x0C | 2 << 5])
    plies = opening + bytes([0x40 | 21, 32, 0x40 | 33, 22, 0x40 | 34 | 0x80]) + record(16, struct.pack("<i", 2_500_000))
    game = parse_match(version_2((WON, plies))).games[0]
    kinds = [type(event) for event in game.events]
    assert kinds == [Roll, Double, Beaver, Beaver, Take, Comment]
    assert [event.cube for event in game.events if isinstance(event, (Double, Beaver))] == [2, 4, 8]
    assert game.events[0].text == "13/12 13/11"
    assert game.events[-1].text == "settled for 2.5 points"
    turned = record(0b1110011, b"\x01\x02\x04\x01\x01")
    first = parse_match(version_2((turned, opening))).games[0].events[0]
    assert (first.board, first.cube, first.owner) == (None, 8, Seat.TOP)


def test_an_illegal_play_is_the_position_it_led_to():
    board = list(reversed(Position.start().board))
    board[12] -= 1
    board[20] += 1
    opening = bytes([0x40 | 8, 0x58, 0x86])  # Black plays 24/22 6/2
    plies = opening + bytes([31 | 0x80 | 0x40]) + record(0b1001001, bytes([3, 1]) + struct.pack("26b", *board))
    plies += bytes([0x40 | 23])
    match = parse_match(version_2((WON, plies)))
    game = next(replay_games(match))
    assert [d.after for d in replay(parse_match(mat_text(match).encode()))] == [d.after for d in game.decisions]
    play = next(d for d in game.decisions if Flag.ILLEGAL_PLAY in d.flags)
    # The seat of such a ply is the side that rolls next.
    assert (play.seat, play.situation.dice) == (Seat.BOTTOM, (3, 1))
    assert play.after.board[5] == 1
    assert play.after.board[13] == 4


def test_checksums_and_versions():
    data = version_2((WON, bytes([1, 0x2C, 0x4C, 0x40 | 21, 23])))
    assert Flag.CHECKSUM_WRONG not in parse_match(data).flags
    wrong = bytearray(data)
    wrong[data.index(b"CSUM") + 14] ^= 1
    assert Flag.CHECKSUM_WRONG in parse_match(bytes(wrong)).flags
    for path in (VERSION_1, VERSION_2):
        content = path.read_bytes()
        assert Flag.CHECKSUM_WRONG not in parse_match(content).flags
    with pytest.raises(RecordError, match="version 7"):
        parse_match(b"OGXM\x07\x00" + bytes(40))


@pytest.mark.parametrize("path", [VERSION_1, VERSION_2], ids=["v1", "v2"])
def test_cut_off_files_give_what_they_hold_or_an_error(path):
    data = path.read_bytes()
    whole = parse_match(data)
    for size in (*range(0, 700, 7), *range(700, len(data), 1999)):
        try:
            part = parse_match(data[:size])
        except CubelabError:
            continue
        assert Flag.TRUNCATED in part.flags
        for game, same in zip(part.games[:-1], whole.games, strict=False):
            assert [type(e) for e in game.events] == [type(e) for e in same.events]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b'{"games": []}', "without a game"),
        (b'{"games": [{"plies": [{"action_id": 22}, 5, null]}, 7]}', None),
        (b'{"games": [{"plies": [{"action_id": 99999999999999999999}]}]}', "no move in it"),
        (b'{"title": "tea"}', "JSON without a match"),
        (b'{"games": [', "damaged JSON.*"),
        (b'{"games": ' + b"[" * 100_000, "damaged JSON"),
        (b'{"games": [{"plies": [{"action_id": 1, "moves": [{"from": 1e99, "pips": true}]}]}]}', None),
    ],
)
def test_odd_json(text, words):
    if words is None:
        assert parse_match(text).games
        return
    with pytest.raises(RecordError, match=words):
        parse_match(text, file="x.gva")


@seed(11)
@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from([VERSION_1, VERSION_2, DATA / "resign.ogxm", JSON]),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3), st.binary(max_size=4)), min_size=1, max_size=12),
)
def test_changed_files_end_in_a_record_or_one_sentence(path, changes):
    data = path.read_bytes()[:6000] if path.suffix != ".gva" else path.read_bytes()
    for place, dropped, inserted in changes:
        at = int(place * len(data))
        data = data[:at] + inserted + data[at + dropped :]
    try:
        found = parse_match(data)
    except CubelabError:
        return
    list(replay(found))
