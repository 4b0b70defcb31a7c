"""BGBlitz files: the same games as in text, stored analysis; Smile against the letters of its specification."""

import gzip
import json
import struct

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from cubelab.errors import CubelabError, RecordError
from cubelab.game import Cube, Owner, Position
from cubelab.records import Ending, Flag, Kind, Seat, SetPosition, parse_match, read_match, replay, replay_games
from cubelab.records.smile import decode_smile
from cubelab.records.stored import Unit

from .expected import COLLECTION, DATA, FILES, locate, story

SAMPLE = DATA / "B4_SrGcsKAQmoTyHlgJCbM.bgf"
TWINS = [name.removesuffix(".mat") for name in FILES if name.endswith(".mat")]


def bgf(content, *, compress=True):
    head = json.dumps({"format": "BGF", "version": "1.0", "compress": compress, "useSmile": False})
    body = json.dumps(content).encode()
    return head.encode() + b"\n" + (gzip.compress(body) if compress else body)


def entry(red, green, player, *, starts=(-1,) * 4, ends=(-1,) * 4, **more):
    return {"type": "amove", "red": red, "green": green, "player": player, "from": starts, "to": ends} | more


def content(moves, **more):
    game = {"scoreGreen": 0, "scoreRed": 0, "wonPoints": 1, "isCrawford": False, "moves": moves}
    return {"matchlen": 5, "nameGreen": "Anna", "nameRed": "Bernd", "games": [game | more]}


@pytest.mark.parametrize("stem", TWINS)
def test_games_are_the_same_as_in_text(stem):
    path = SAMPLE if SAMPLE.stem == stem else COLLECTION / "bgf" / f"{stem}.bgf"
    other = locate(f"{stem}.mat")
    if other is None or not path.is_file():
        pytest.skip("only in the shared collection, or no such twin")
    ours, text = read_match(path), read_match(other)
    # BGBlitz writes blanks of names as underscores.
    assert tuple(name.replace("_", " ") for name in ours.players) == tuple(n.replace("_", " ") for n in text.players)
    assert (ours.length, ours.score) == (text.length, text.score)
    assert story(replay(ours)) == story(replay(text))
    for mine, theirs in zip(replay_games(ours), replay_games(text), strict=True):
        assert mine.result.points == theirs.result.points
        assert (mine.result.winner, mine.result.ending) == (theirs.result.winner, theirs.result.ending)


def test_stored_analysis():
    record = read_match(SAMPLE)
    rolls = [event for event in record.games[1].events if event.analysis and event.analysis.plays]
    plays = rolls[1].analysis.plays
    assert plays.unit is Unit.POINTS
    assert plays.candidates[0].level == "3-ply"
    assert plays.candidates[plays.played].play == rolls[1].text
    cube = rolls[1].analysis.cube
    assert (cube.no_double, cube.double_take, cube.double_pass) == (-0.01610451, -0.41828072, 1.0)
    assert cube.probabilities.cumulative[0] == pytest.approx(0.49209815)
    double = next(d for d in replay(record) if d.played == "double")
    assert double.event.analysis.cube.double_pass == 1.0


def test_points_missing_in_a_game_follow_from_the_final_score():
    game = read_match(SAMPLE).games[2]  # wonPoints is 0 there
    assert (game.result.stated, game.result.points, game.score_after) == (None, 6, (7, 1))


def test_plain_json_actions_and_odd_ones():
    moves = [
        entry(3, 1, -1, starts=[8, 6, -1, -1], ends=[5, 5, -1, -1]),
        entry(1, 7, 1),
        entry(2, 7, -1),
        entry(6, 7, 1),
        entry(9, 7, 1, comment="enough"),
        entry(4, 7, -1),
    ]
    for compress in (True, False):
        record = parse_match(bgf(content(moves), compress=compress))
        assert [d.kind for d in replay(record)] == [Kind.PLAY, Kind.DOUBLE, Kind.TAKE, Kind.RESIGN]
        assert record.games[0].result.ending is Ending.RESIGNATION
        assert Flag.UNREAD_TEXT in record.all_flags
        assert next(e for e in record.games[0].events if e.comment).comment == "enough"


def test_set_position():
    points = [0] * 28
    points[5], points[18], points[24], points[25] = -2, 3, 1, -1
    initial = {"cube": 4, "cubeOwner": 1, "points": points}
    record = parse_match(bgf(content([entry(3, 1, -1, starts=[6, 6, -1, -1], ends=[5, 3, -1, -1])], initial=initial)))
    setting = record.games[0].events[0]
    assert isinstance(setting, SetPosition)
    board = [0] * 26
    board[6], board[19], board[25], board[0] = 2, -3, 1, -1
    assert setting.board == tuple(board)
    assert (setting.cube, setting.owner) == (4, Seat.TOP)
    first = next(iter(replay(record)))
    assert first.situation.position == Position(tuple(board))
    assert first.situation.cube == Cube(4, Owner.OPPONENT)


# Smile


def encode(value):
    """A second, plain implementation of the parts of Smile that matches use, written from the specification."""
    if value is None or value is True or value is False:
        return {None: b"\x21", False: b"\x22", True: b"\x23"}[value]
    if isinstance(value, int):
        zigzag = value * 2 if value >= 0 else -value * 2 - 1
        if zigzag < 32:
            return bytes([0xC0 + zigzag])
        digits = [0x80 | (zigzag & 0x3F)]
        zigzag >>= 6
        while zigzag:
            digits.append(zigzag & 0x7F)
            zigzag >>= 7
        return b"\x25" + bytes(reversed(digits))
    if isinstance(value, float):
        bits = int.from_bytes(struct.pack(">d", value), "big")
        return b"\x29" + bytes((bits >> 7 * place) & 0x7F for place in range(9, -1, -1))
    if isinstance(value, str):
        data = value.encode()
        if not data:
            return b"\x20"
        if value.isascii() and len(data) <= 64:
            return bytes([0x40 + len(data) - 1]) + data
        if not value.isascii() and 2 <= len(data) <= 65:
            return bytes([0x80 + len(data) - 2]) + data
        return b"\xe4" + data + b"\xfc"
    if isinstance(value, list):
        return b"\xf8" + b"".join(encode(item) for item in value) + b"\xf9"
    body = b""
    for name, member in value.items():
        data = name.encode()
        if not data:
            body += b"\x20"
        elif name.isascii() and len(data) <= 64:
            body += bytes([0x80 + len(data) - 1]) + data
        elif not name.isascii() and 2 <= len(data) <= 57:
            body += bytes([0xC0 + len(data) - 2]) + data
        else:
            body += b"\x34" + data + b"\xfc"
        body += encode(member)
    return b"\xfa" + body + b"\xfb"


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False) | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=70), inner, max_size=4),
    max_leaves=12,
)


@seed(5)
@settings(max_examples=150)
@given(values)
def test_smile_round_trip(value):
    assert decode_smile(b":)\n\x00" + encode(value)) == value


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ("c2", 1),
        ("c1", -1),
        ("df", -16),
        ("24a0", 16),  # the last byte of a number is marked and holds six bits
        ("240180", 32),
        ("20", ""),
        ("f84061c0f9", ["a", 0]),
        ("fa8061c2fb", {"a": 1}),
        ("280000000000", 0.0),
    ],
)
def test_smile_bytes(data, value):
    assert decode_smile(b":)\n\x00" + bytes.fromhex(data)) == value


def test_smile_shared_names_and_texts():
    # {"a": "xy", "b": [{"a": "xy"}]} with names (bit 0) and texts (bit 1) shared
    data = (
        b":)\n\x03"
        + b"\xfa"
        + b"\x80a"
        + b"\x41xy"
        + b"\x80b"
        + b"\xf8\xfa"
        + b"\x40"
        + b"\x01"
        + b"\xfb\xf9"
        + b"\xfb"
    )
    assert decode_smile(data) == {"a": "xy", "b": [{"a": "xy"}]}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b":)\n",
        b":)\n\x01",
        b":)\n\x01\xfa\x40\xc2\xfb",  # a shared name that was never written
        b":)\n\x01" + b"\xf8" * 100_000,
        b":)\n\x01\x25" + b"\x01" * 100,
        b":)\n\x01\xfd\x7f\x7f\x7f\xbf",
        b":)\n\x01\xe4never ends",
        b":)\n\x01\x00",
    ],
)
def test_damaged_smile(data):
    with pytest.raises(RecordError):
        decode_smile(data)


@pytest.mark.parametrize(
    "data",
    [
        b'{"format":"BGF"}\n',
        b'{"format":"BGF"}\n[1,2]',
        b'{"format":"BGF"}\n{"games":[]}',
        b'{"format":"BGF"}\n{"games":[{}]}',
        b'{"format":"BGF"}\n{"games":[{"moves":[{"red":"x"}]}],"matchlen":99999999}',
        b'{"format":"BGF","useSmile":true}\n{}',
        b'{"format":"BGF"}\n' + b"[" * 100_000,
        b'{"format":"BGF",\n{}',
    ],
)
def test_damaged_files(data):
    with pytest.raises(RecordError):
        parse_match(data)


def test_bombs():
    bomb = b'{"format":"BGF","compress":true}\n' + gzip.compress(bytes(120 * 1024 * 1024), 9)
    with pytest.raises(RecordError, match="unpacks to more than"):
        parse_match(bomb)


@seed(6)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=3)), min_size=1, max_size=20), st.booleans())
def test_mutated_content(changes, inside):
    data = SAMPLE.read_bytes()
    head, _, body = data.partition(b"\n")
    raw = bytearray(gzip.decompress(body)[:20_000] if inside else body)
    for place, new in changes:
        at = int(place * len(raw))
        raw[at : at + len(new)] = new
    try:
        record = parse_match(head + b"\n" + (gzip.compress(bytes(raw), 1) if inside else bytes(raw)))
    except CubelabError:
        return
    for decision in replay(record):
        assert decision.situation.xgid


@seed(7)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.lists(st.dictionaries(st.sampled_from(["red", "green", "player", "from", "to", "equity", "luck"]), values)))
def test_any_json_in_the_moves(moves):
    try:
        record = parse_match(bgf(content(moves), compress=False))
    except CubelabError:
        return
    for decision in replay(record):
        assert decision.situation.xgid
