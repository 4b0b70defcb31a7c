"""Whatever a file holds, the readers answer with a record or with one sentence."""

import contextlib
import random

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from cubelab.errors import CubelabError, RecordError
from cubelab.records import parse_match, parse_positions, read_match, replay, replay_games

from .expected import DATA, MATCHES

REAL = [
    path.read_bytes()
    for path in sorted(DATA.iterdir())
    if path.suffix in (".mat", ".txt", ".sgf") and path.name != "SOURCE.txt"
]
SMALL = [data for data in REAL if len(data) < 7000]


def survives(data):
    """Read and replay; only the project's own errors may come out, and no record is empty."""
    try:
        record = parse_match(data, file="bad.mat")
    except CubelabError:
        return False
    assert record.games
    assert any(game.events or game.result.stated for game in record.games)
    for game in replay_games(record):
        for decision in game.decisions:
            assert decision.situation.xgid.startswith("XGID=")
            assert decision.line >= 0
    return True


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty"),
        (b" \r\n\t\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (bytes(range(256)) * 20, "binary data"),
        (b"RGMH\x28\x20\x00\x00" + bytes(100), "damaged eXtreme Gammon file"),
        (b'{"format":"BGF","version":"1.0","compress":true}\n\x1f\x8b', "damaged BGBlitz file: it breaks off"),
        (b"(;FF[4]GM[6]CA[UTF-8])", r"line 1: game trees without a single move"),
        (b"\n\n(;GM[1]FF[4];B[aa])", r"line 3: the game is GM\[1\], not backgammon"),
        (b"OGXM\x02\x00", r"OGXM"),
        (b'{"format": "gva"}', r"JSON"),
        (b"\x1f\x8b\x08\x00", r"gzip"),
        (b"PK\x03\x04", r"zip"),
        (b"<html><body>7 point match</body></html>", "web page"),
        (b"Dear diary, we played backgammon today.\n", "line 1: no game found"),
        (b"7 point match\n\n", "no game found"),
        (b"XG text\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n", "line 2: text with a position"),
        (b"+----+\n| Monte Carlo 1993 |\n", "line 1: no game found"),  # CASES 50
    ],
)
def test_what_is_no_text_match_is_named(tmp_path, data, words):  # CASES 57
    path = tmp_path / "match.txt"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=words) as caught:
        read_match(path)
    assert "match.txt" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_files_folders_and_giants(tmp_path):
    with pytest.raises(RecordError, match="no such file"):
        read_match(tmp_path / "none.mat")
    with pytest.raises(RecordError, match="is a folder"):
        read_match(tmp_path)
    giant = tmp_path / "giant.mat"
    with giant.open("wb") as stream:
        stream.truncate(64 * 1024 * 1024)
    with pytest.raises(RecordError, match="larger than"):
        read_match(giant)
    with pytest.raises(RecordError, match=r"cannot be read|no such file"):
        read_match("a\0b")


@pytest.mark.parametrize("name", ["7-point.mat", "money-session.mat"])
def test_truncated_files_give_what_they_hold_or_an_error(name):
    data = (MATCHES / name).read_bytes()
    whole = parse_match(data)
    for size in range(0, len(data), 100):
        try:
            part = parse_match(data[:size])
        except CubelabError:
            assert size < 700
            continue
        # All but the last game are as in the whole file.
        for game, same in zip(part.games[:-1], whole.games, strict=False):
            assert (game.events, game.result) == (same.events, same.result)
        if size % 1000 == 0:
            assert survives(data[:size])


@seed(1)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=2000))
def test_random_bytes(data):
    survives(data)


@seed(2)
@settings(max_examples=120, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(range(len(SMALL))),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 8), st.binary(max_size=6)), min_size=1, max_size=25),
)
def test_real_files_with_bytes_changed(which, changes):
    data = SMALL[which]
    for place, dropped, inserted in changes:
        at = int(place * len(data))
        data = data[:at] + inserted + data[at + dropped :]
    survives(data)


@seed(3)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(range(len(SMALL))), st.randoms(use_true_random=False))
def test_real_files_with_words_and_lines_moved(which, generator):
    lines = SMALL[which].decode("utf-8-sig").split("\n")
    for _ in range(generator.randint(1, 12)):
        i, j = generator.randrange(len(lines)), generator.randrange(len(lines))
        action = generator.randrange(4)
        if action == 0:
            lines[i], lines[j] = lines[j], lines[i]
        elif action == 1:
            lines.insert(i, lines[j])
        elif action == 2:
            words = lines[i].split(" ")
            generator.shuffle(words)
            lines[i] = " ".join(words)
        else:
            del lines[i : i + generator.randint(1, 3)]
            lines = lines or [""]
    survives("\n".join(lines).encode())


@pytest.mark.parametrize(
    "text",
    [
        " Game 1\n A : 0          B : 0\n  1) 31: " + " " * 200_000 + "8/5\n",
        " Game 1\n A : 0          B : 0\n  1) 31: " + "8/5 " * 100_000 + "\n",
        " Game 1\n A : 0          B : 0\n  1) 31: " + "Illegal play (" * 50_000 + "\n",
        " Game 1\n A : 0          B : 0\n" + "  1) Takes " * 50_000 + "\n",
        " Game 1\n" + "a : 0 " * 50_000 + "\n",
        " Game 1\n A : 0          B : 0\n" + "  1) Doubles => 99999999999999999999 Takes\n" * 2_000,
        '; [ "' * 50_000 + "\n Game 1\n A : 0          B : 0\n  1) 31: 8/5 6/5\n",
        "5 point match\n" + " Game 1\n A : 4          B : 4\n  1) 31: 8/5 6/5\n" * 3_000,
        "5 point match\n Game 1\n A : 99999999          B : 0\n  1) 31: 8/5 6/5\n",
        "99999999 point match\n Game 1\n A : 9          B : 0\n  1) 31: 8/5 6/5\n",
        "\t" * 100_000,
        " Game 1\n A : 0          B : 0\n; Set Pos=OOOOOOOOOOOOOOOOOOOOOOOOOO/99\n  1) 31: 8/5 6/5\n",
        " Game 1\n A : 0          B : 0\n; Set Pos=--------------------------/0\n  1) 31: 8/5 6/5\n",
        " Game 1\n A : 0          B : 0\n  1) 66: 24/18(9)(9)(9) bar/off(9)\n",
    ],
)
def test_files_made_to_hurt_end_soon(text):
    survives(text.encode())


def test_reading_many_copies_of_a_real_match_keeps_nothing():
    import gc
    import tracemalloc

    data = SMALL[random.Random(5).randrange(len(SMALL))]
    list(replay(parse_match(data)))
    tracemalloc.start()
    for _ in range(3):
        parse_match(data)
    gc.collect()
    kept_by_few = tracemalloc.get_traced_memory()[0]
    for _ in range(30):
        parse_match(data)
    gc.collect()
    kept_by_many = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    # One record alone is about as large as this bound.
    assert kept_by_many - kept_by_few < 50_000


@pytest.mark.parametrize("run", ["\t", " ", "1", "/", "x ", "8/5 "])
@pytest.mark.parametrize("read", [parse_match, parse_positions])
def test_a_line_longer_than_any_is_refused(read, run):
    """Found by inserting long runs: 120,000 tabs before a word took hours, each blank fitting two places."""
    text = run * (120_000 // len(run)) + "# x\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n"
    with pytest.raises(RecordError, match="line 1: a line of 1"):
        read(text.encode(), "x.txt")


@pytest.mark.parametrize("start", ["", "Game ", ";", " 1) ", "; Set Pos", "* ", "+  X: a"])
def test_lines_as_long_as_they_may_be(start):
    line = start + " " * 4900 + "x\n"
    with contextlib.suppress(RecordError):
        parse_match((" 5 point match\n Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5\n" + line * 20).encode())
