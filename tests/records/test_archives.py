"""Gzip and zip files of matches, several matches in one text, and archives made to hurt."""

import gzip
import io
import struct
import zipfile
import zlib

import pytest

from cubelab.errors import RecordError
from cubelab.records import match_places, parse_match, read_match, read_matches
from cubelab.records.archive import MAX_MEMBERS
from cubelab.study.batch import match_files

from .expected import DATA, MATCHES

SEVEN = (MATCHES / "7-point.mat").read_bytes()
MONEY = (MATCHES / "money-session.mat").read_bytes()
XG = (DATA / "B4_SrGcsKAQmoTyHlgJCbM.xg").read_bytes()


def zipped(*files, method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return stream.getvalue()


def test_gzip_is_seen_through(tmp_path):
    for name, content in (("a.mat.gz", SEVEN), ("renamed.mat", MONEY), ("b.xg.gz", XG)):
        path = tmp_path / name
        path.write_bytes(gzip.compress(content))
        assert read_match(path).games == parse_match(content).games
        assert match_places(path) == (str(path),)
    joined = gzip.compress(SEVEN[:4000]) + gzip.compress(SEVEN[4000:])
    assert parse_match(joined).games == parse_match(SEVEN).games


def test_a_zip_of_one_match_is_that_match(tmp_path):
    path = tmp_path / "one.zip"
    path.write_bytes(zipped(("../../etc/passwd.mat", SEVEN), ("readme.md", b"# hello")))
    assert read_match(path).games == parse_match(SEVEN).games
    assert match_places(path) == (str(path),)
    assert list(tmp_path.iterdir()) == [path]


def test_matches_of_a_zip_have_places(tmp_path):
    path = tmp_path / "many.zip"
    path.write_bytes(
        zipped(
            ("a/7.mat", SEVEN),
            ("__MACOSX/a/7.mat", b"junk"),
            ("notes.txt", b"nothing here"),
            ("b\\money.txt", MONEY),
            ("c.xg", XG),
        )
    )
    places = match_places(path)
    assert places == (f"{path}#1", f"{path}#3", f"{path}#4")
    assert match_files([path]).files == places
    assert match_files([tmp_path]).files == places
    lengths = [(record.file, record.length, record.format) for record in read_matches(path)]
    assert lengths == [(places[0], 7, "mat"), (places[1], 0, "mat"), (places[2], 0, "xg")]
    with pytest.raises(RecordError, match=r"an archive of 4 files: name one as .*many.zip#1"):
        read_match(path)
    for wrong in ("#0", "#5", "#1#2", "#4#1"):
        with pytest.raises(RecordError, match=r"there is no|holds one match"):
            read_match(f"{path}{wrong}")


def test_several_matches_in_one_text(tmp_path):
    path = tmp_path / "season.txt"
    path.write_bytes(SEVEN + b"\n\n" + MONEY + b"\n" + SEVEN)
    with pytest.raises(RecordError, match="a second match starts here"):
        read_match(path)
    places = match_places(path)
    assert places == tuple(f"{path}#{n}" for n in (1, 2, 3))
    first, second, third = read_matches(path)
    whole, money = parse_match(SEVEN), parse_match(MONEY)
    assert (first.tags, first.length, first.score) == (whole.tags, 7, whole.score)
    assert (second.tags, second.length, second.score) == (money.tags, 0, money.score)
    assert (third.tags, third.length, third.score) == (whole.tags, 7, whole.score)
    # Lines are those of the file.
    line = third.games[0].line
    assert path.read_text().split("\n")[line - 1].strip() == "Game 1"
    packed = tmp_path / "season.zip"
    packed.write_bytes(zipped(("season.txt", path.read_bytes())))
    assert match_places(packed) == tuple(f"{packed}#1#{n}" for n in (1, 2, 3))
    assert read_match(f"{packed}#1#2").score == money.score


def test_a_name_with_a_number_is_a_name(tmp_path):
    path = tmp_path / "match#2"
    path.write_bytes(SEVEN)
    assert read_match(path).length == 7
    with pytest.raises(RecordError, match="no such file"):
        read_match(tmp_path / "none#2")
    other = tmp_path / "m.mat"
    other.write_bytes(SEVEN)
    with pytest.raises(RecordError, match="there is no match 2"):
        read_match(f"{other}#2")


def bomb():
    return gzip.compress(bytes(64 * 1024 * 1024), 9)


def forged():
    """A zip whose table says that its one file is small."""
    data = bytearray(zipped(("a.mat", bytes(64 * 1024 * 1024))))
    place = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, place + 24, 100)
    return bytes(data)


def encrypted():
    data = bytearray(zipped(("a.mat", SEVEN)))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (bomb(), "unpacks to more than"),
        (zipped(("a.mat", bytes(64 * 1024 * 1024))), "unpacks to more than"),
        (forged(), "damaged archive|unpacks to more|no game|is empty|binary"),
        (gzip.compress(gzip.compress(SEVEN)), "archive inside an archive"),
        (gzip.compress(zipped(("a.mat", SEVEN))), "archive inside an archive"),
        (zipped(("a.mat", zipped(("a.mat", SEVEN)))), "archive inside an archive"),
        (zipped(("a.mat", SEVEN), method=zipfile.ZIP_LZMA), "not read"),
        (encrypted(), "encrypted"),
        (zipped(("a.pdf", b"%PDF")), "holds no saved match"),
        (zipped(), "holds no saved match"),
        (zipped(*((f"{n}.mat", b"") for n in range(MAX_MEMBERS + 1)), method=zipfile.ZIP_STORED), "at most"),
        (zipped(("a.mat", SEVEN))[:-30], "damaged zip"),
        (b"PK\x03\x04" + bytes(100), "damaged zip"),
        (gzip.compress(SEVEN)[:-300], "damaged gzip file: it breaks off"),
        (b"\x1f\x8b\x08\x00" + bytes(range(200)), "damaged gzip"),
        (gzip.compress(b""), "no game found|is empty"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_archives_made_to_hurt(data, words, tmp_path):
    path = tmp_path / "archive.bin"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=words) as caught:
        read_match(path)
    assert "archive.bin" in str(caught.value)
    assert match_places(path) == (str(path),)


def test_damaged_content_of_a_zip_is_told_when_it_is_read(tmp_path):
    data = bytearray(zipped(("a.mat", SEVEN), ("b.mat", MONEY)))
    at = data.index(b"a.mat") + 200
    data[at : at + 20] = bytes(20)
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    assert match_places(path) == (f"{path}#1", f"{path}#2")
    with pytest.raises(RecordError, match="damaged archive"):
        read_match(f"{path}#1")
    assert read_match(f"{path}#2").games == parse_match(MONEY).games


def test_a_quine_does_not_end_in_itself():
    """An archive that holds itself is refused at the first step."""
    content = gzip.compress(b"x" * 100)
    assert zlib.decompress(content, 31) == b"x" * 100
    with pytest.raises(RecordError, match="archive inside an archive"):
        parse_match(gzip.compress(content))
