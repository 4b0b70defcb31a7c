"""Names from files on terminals and pages."""

import pytest

from cubelab.records import display_name, parse_match


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Zoë Ångström", "Zoë Ångström"),
        ("  many   blanks ", "many blanks"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("evil\u202egnp.exe", "evilgnp.exe"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("line\nbreak\ttab", "line break tab"),
        ("<b>bold</b>", "<b>bold</b>"),
        ("", "?"),
        ("\u200f", "?"),
        ("a" * 100, "a" * 59 + "…"),
        ("山田 太郎", "山田 太郎"),
    ],
)
def test_what_is_shown(raw, shown):
    assert display_name(raw) == shown


def test_values_keep_the_name_of_the_file():
    record = parse_match("3 point match\n Game 1\n a\u202eb : 0       <i> : 0\n  1) 31: 8/5 6/5\n".encode())
    assert record.players == ("a\u202eb", "<i>")
