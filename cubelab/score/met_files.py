"""Match equity tables in files: GNU Backgammon's XML, ``.met`` text, CSV."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import numpy as np

from ..errors import TableError
from ..wording import counted
from ..writing import write_whole
from .met import TOLERANCE, MatchEquityTable

#: Greatest size read from a file; the largest published tables have 64 points.
MAX_SIZE: Final = 1000
MAX_BYTES: Final = 30_000_000


def read_table(path: str | Path) -> MatchEquityTable:
    """Read a table; the content decides the format.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    TableError
        What is wrong in the file, with the cell or line.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TableError(f"match equity table {path}: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise TableError(f"match equity table {path.name}: {len(data)} bytes are more than any table has")
    if b"\0" in data[:4096]:
        raise TableError(f"match equity table {path.name}: this is no text file (XML, .met or CSV expected)")
    head = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<"):
        return parse_xml(data, path.stem)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if re.search(r"^\s*\[PreCrawford\]", text, re.M | re.I):
        return parse_met(text, path.stem)
    return parse_csv(text, path.stem)


def write_table(table: MatchEquityTable, path: str | Path) -> None:
    """Write a table as XML for GNU Backgammon (``.xml``) or as CSV (any other ending).

    Parameters
    ----------
    table : MatchEquityTable
    path : str or Path
    """
    path = Path(path)
    text = to_xml(table) if path.suffix.lower() == ".xml" else to_csv(table)
    write_whole(path, text)


def _number(text: str, where: str) -> float:
    try:
        return float(text.strip())
    except ValueError:
        raise TableError(f"{where}: {text.strip()!r} is not a number") from None


def _rectangle(rows: list[list[float]], name: str) -> np.ndarray:
    """Rows as a square array, the first row of a wrong length named."""
    n = len(rows)
    if not n:
        raise TableError(f"match equity table {name!r} has no rows")
    if n > MAX_SIZE:
        raise TableError(f"match equity table {name!r} has {n} rows; more than {MAX_SIZE} are refused")
    for a, row in enumerate(rows, 1):
        if len(row) != n:
            raise TableError(f"match equity table {name!r}: row {a}-away has {counted(len(row), 'value')}, needs {n}")
    return np.array(rows)


def parse_csv(text: str, name: str) -> MatchEquityTable:
    """Read this project's CSV: ``# key: value`` lines, a head line, one row per away score, ``post`` rows.

    Parameters
    ----------
    text : str
    name : str
        Used unless the text names the table.

    Raises
    ------
    TableError
        Line and cell.
    """
    info: dict[str, str] = {}
    rows: list[list[float]] = []
    post: dict[str, list[float]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            key, _, value = line[1:].partition(":")
            info.setdefault(key.strip().lower(), value.strip())
            continue
        cells = [cell.strip() for cell in re.split("[;\t]" if ";" in line or "\t" in line else ",", line)]
        while cells and not cells[-1]:
            cells.pop()
        if not cells or cells[0].lower() in ("away", ""):
            continue
        where = f"match equity table {name!r}, line {number}"
        numbers = [_number(cell, f"{where}, column {i}") for i, cell in enumerate(cells[1:], 2)]
        if cells[0].lower() in ("post", "post-other"):
            post[cells[0].lower()] = numbers
        else:
            away = _number(cells[0], where)
            if away != len(rows) + 1:
                raise TableError(f"{where}: row {cells[0]}-away where {len(rows) + 1}-away is due")
            rows.append(numbers)
    name = info.get("name") or name
    values = _rectangle(rows, name)
    if "post" not in post:
        raise TableError(f"match equity table {name!r} has no post-Crawford row (a line 'post,…')")
    return MatchEquityTable(
        name,
        values,
        np.array(post["post"]),
        np.array(post["post-other"]) if "post-other" in post else None,
        title=info.get("title", ""),
        source=info.get("source", ""),
        tolerance=_number(info.get("tolerance", str(TOLERANCE)), f"match equity table {name!r}, tolerance"),
        skewed=info.get("skewed", "").lower() == "yes",
    )


def to_csv(table: MatchEquityTable) -> str:
    """The table as CSV text that `parse_csv` reads back without loss."""
    lines = [f"# name: {table.name}"]
    lines += [f"# {key}: {value}" for key, value in (("title", table.title), ("source", table.source)) if value]
    if table.tolerance != TOLERANCE:
        lines.append(f"# tolerance: {table.tolerance!r}")
    if table.skewed:
        lines.append("# skewed: yes")
    lines.append(",".join(["away", *(str(i) for i in range(1, table.size + 1))]))
    lines += [f"{a}," + ",".join(repr(float(v)) for v in row) for a, row in enumerate(table.values, 1)]
    lines.append("post," + ",".join(repr(float(v)) for v in table.post))
    assert table.post_opponent is not None
    if not np.array_equal(table.post, table.post_opponent):
        lines.append("post-other," + ",".join(repr(float(v)) for v in table.post_opponent))
    return "\n".join(lines) + "\n"


def parse_met(text: str, name: str) -> MatchEquityTable:
    """Read ``.met`` text: sections ``[Current]``, ``[PostCrawford]``, ``[PreCrawford]``.

    Parameters
    ----------
    text : str
    name : str
        Used unless the text names the table.

    Raises
    ------
    TableError
        Section and cell.
    """
    sections: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1].lower(), {})
        elif "=" in line:
            key, _, value = line.partition("=")
            current[key.strip().lower()] = value.strip()
    info = sections.get("current", {})
    title = info.get("name", "") or name
    pre, post = sections.get("precrawford", {}), sections.get("postcrawford", {})
    rows = []
    for key, value in pre.items():
        if key.isdigit():
            where = f"match equity table {name!r}, row {key}-away"
            rows.append((int(key), [_number(cell, f"{where}, column {i}") for i, cell in enumerate(value.split(), 1)]))
    rows.sort()
    if [a for a, _ in rows] != list(range(1, len(rows) + 1)):
        raise TableError(f"match equity table {name!r}: rows {[a for a, _ in rows]} are not 1 to {len(rows)}")
    values = _rectangle([row for _, row in rows], name)
    for section, mapping in (("PreCrawford", pre), ("PostCrawford", post)):
        said = mapping.get("size")
        if said is not None and said != str(len(values)):
            raise TableError(
                f"match equity table {name!r}: Size={said} in [{section}] but {counted(len(values), 'row')}"
            )
    if "data" not in post:
        raise TableError(f"match equity table {name!r} has no [PostCrawford] section with Data=")
    numbers = [
        _number(v, f"match equity table {name!r}, post-Crawford {i}-away")
        for i, v in enumerate(post["data"].split(), 1)
    ]
    source = "; ".join(info[key] for key in ("description", "copyright") if info.get(key))
    return MatchEquityTable(name.lower(), values, np.array(numbers), title=title, source=source)


def parse_xml(data: bytes, name: str) -> MatchEquityTable:
    """Read GNU Backgammon's XML, explicit values or Zadeh's parameters.

    Parameters
    ----------
    data : bytes
    name : str

    Raises
    ------
    TableError
        Broken or dangerous XML (entity declarations are refused), a table type that cannot be computed, a bad cell.
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root = fromstring(data)
    except DefusedXmlException as error:
        raise TableError(
            f"match equity table {name!r}: the XML declares entities, which is refused ({type(error).__name__})"
        ) from None
    except (ParseError, ValueError, LookupError) as error:
        raise TableError(f"match equity table {name!r} is not well-formed XML: {error}") from None
    if root.tag != "met":
        raise TableError(f"match equity table {name!r}: the XML holds <{root.tag}>, not <met>")
    title = " ".join((root.findtext("info/name") or name).split())
    source = " ".join((root.findtext("info/description") or "").split())
    pre = root.find("pre-crawford-table")
    posts = root.findall("post-crawford-table")
    if pre is None or not posts:
        raise TableError(f"match equity table {name!r}: a pre-crawford-table and a post-crawford-table are needed")
    for part in (pre, *posts):
        if part.get("type", "explicit") != "explicit":
            raise TableError(
                f"match equity table {name!r} gives parameters of type {part.get('type')!r} instead of numbers; "
                "the published zadeh and mec tables are bundled, and `cubelab met build` computes one of your own"
            )
    where = f"match equity table {name!r}"
    rows = [
        [_number(me.text or "", f"{where}, {a}-away {b}-away") for b, me in enumerate(row.findall("me"), 1)]
        for a, row in enumerate(pre.findall("row"), 1)
    ]
    values = _rectangle(rows, name)
    n = len(values)
    said = (root.findtext("info/length") or "").strip()
    if said and said not in ("-1", str(n)):
        raise TableError(f"match equity table {name!r}: length {said} is announced but {counted(n, 'row')} found")
    by_player: dict[str, np.ndarray] = {}
    for part in posts:
        numbers = [
            _number(me.text or "", f"match equity table {name!r}, post-Crawford {i}-away")
            for i, me in enumerate(part.findall("row/me"), 1)
        ]
        by_player[part.get("player", "both")] = _post_row(numbers, n, name)
    if "both" in by_player:
        mine = other = by_player["both"]
    elif {"0", "1"} <= by_player.keys():
        mine, other = by_player["0"], by_player["1"]
    else:
        raise TableError(f"match equity table {name!r}: post-Crawford rows for player both, or for 0 and 1, are needed")
    skewed = not np.array_equal(mine, other)
    return MatchEquityTable(name.lower(), values, mine, None if not skewed else other, title, source, skewed=skewed)


def _post_row(numbers: list[float], n: int, name: str) -> np.ndarray:
    """Post-Crawford row of n entries; XML tables may leave the last one out, which is then continued."""
    if len(numbers) == n - 1 and n > 4:
        numbers = [*numbers, numbers[-2] ** 2 / numbers[-4]]
    if len(numbers) != n:
        raise TableError(f"match equity table {name!r}: {len(numbers)} post-Crawford entries, needs {n}")
    return np.array(numbers)


def to_xml(table: MatchEquityTable) -> str:
    """The table as XML that GNU Backgammon reads."""

    def row(numbers: np.ndarray) -> str:
        return "<row>" + "".join(f"<me>{float(v):.8f}</me>" for v in numbers) + "</row>"

    assert table.post_opponent is not None
    if np.array_equal(table.post, table.post_opponent):
        posts = [("both", table.post)]
    else:
        posts = [("0", table.post), ("1", table.post_opponent)]
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">',
        "<met>",
        f"<info><name>{escape(table.title or table.name)}</name><description>{escape(table.source)}</description>"
        f"<length>{table.size}</length></info>",
        '<pre-crawford-table type="explicit">',
        *(row(numbers) for numbers in table.values),
        "</pre-crawford-table>",
        *(f'<post-crawford-table type="explicit" player="{p}">{row(v)}</post-crawford-table>' for p, v in posts),
        "</met>",
    ]
    return "\n".join(parts) + "\n"
