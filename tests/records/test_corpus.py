"""Every file of the shared collection: what is read of it, as a table; and twins in different formats are one match.

``python -m tests.records.test_corpus`` writes the table anew.
"""

import csv
from collections import defaultdict

import pytest

from cubelab.records import Kind, Seat, read_match, read_positions, replay_games

from .expected import COLLECTION, DATA, story

TABLE = DATA / "corpus.tsv"
MATCHES = ("mat", "xg", "bgf", "ogxm", "sgf", "gnubg_txt")
COLUMNS = ("file", "format", "length", "games", "decisions", "analysed", "score", "winner", "flags")
#: The same match in two text forms, and as GNU Backgammon analysed it.
XG_TEXT = ("xg_text.txt", "xg_jellyfish.mat", "gnubg_analysed.sgf")
needs_collection = pytest.mark.skipif(not COLLECTION.is_dir(), reason="the shared collection is not here")


def match_row(path):
    record = read_match(path)
    games = list(replay_games(record))
    flags = record.flags.union(*(game.flags for game in games))
    events = [event for game in record.games for event in game.events]
    return {
        "file": f"{path.parent.name}/{path.name}",
        "format": record.format,
        "length": str(record.length),
        "games": str(len(record.games)),
        "decisions": str(sum(len(game.decisions) for game in games)),
        "analysed": str(sum(event.analysis is not None for event in events)),
        "score": f"{record.score[0]}-{record.score[1]}",
        "winner": "" if record.winner is None else {Seat.BOTTOM: "first", Seat.TOP: "second"}[record.winner],
        "flags": "; ".join(sorted(map(str, flags))),
    }


def position_row(path):
    found = read_positions(path)
    situation = found.positions[0].situation
    return dict.fromkeys(COLUMNS, "") | {
        "file": f"{path.parent.name}/{path.name}",
        "format": found.format,
        "length": str(situation.match.length),
        "games": "0",
        "decisions": str(len(found.positions)),
        "analysed": str(sum(position.analysis is not None for position in found.positions)),
    }


def rows():
    for folder in MATCHES:
        for path in sorted((COLLECTION / folder).iterdir()):
            yield match_row(path)
    for path in sorted((COLLECTION / "bgblitz_position_txt").iterdir()):
        yield position_row(path)


@needs_collection
def test_table_of_all_files():
    with TABLE.open(encoding="utf-8") as stream:
        assert list(csv.DictReader(stream, delimiter="\t")) == list(rows())


def test_nothing_in_the_table_is_empty_or_stopped():
    with TABLE.open(encoding="utf-8") as stream:
        table = list(csv.DictReader(stream, delimiter="\t"))
    assert len(table) > 45
    for row in table:
        assert int(row["decisions"]) > 0
        assert "stopped" not in row["flags"]
        assert "winner conflict" not in row["flags"]
        if row["format"] in ("xg", "bgf", "sgf", "ogxm", "gva", "gnubg text"):
            assert int(row["analysed"]) > 0


def twins():
    """Files of the same match: those of one stem, and the match in two text forms and as SGF."""
    groups = defaultdict(list)
    for folder in MATCHES if COLLECTION.is_dir() else ():
        for path in sorted((COLLECTION / folder).iterdir()):
            groups["xg text" if path.name in XG_TEXT else path.stem].append(path)
    return {stem: paths for stem, paths in groups.items() if len(paths) > 1}


def told(record, swap):
    """Games as (story without resignations and plays no text describes, result); seats swapped where asked."""
    for game in replay_games(record):
        unknown = {(d.ply, d.kind) for d in game.decisions if d.kind is Kind.PLAY and d.played is None}
        rows = [row for d, row in zip(game.decisions, story(game.decisions), strict=True) if d.kind is not Kind.RESIGN]
        rows = [(game.game.number, kind, seat.other if swap else seat, *rest) for _, kind, seat, *rest in rows]
        after = [d.after for d in game.decisions if d.kind is Kind.PLAY]
        winner = game.result.winner
        result = (winner.other if swap and winner else winner, game.result.points, game.result.level)
        yield rows, after, result, bool(unknown)


@needs_collection
@pytest.mark.parametrize("stem", twins())
def test_twins_are_the_same_match(stem):
    paths = twins()[stem]
    first = read_match(paths[0])
    for path in paths[1:]:
        other = read_match(path)
        # BGBlitz writes blanks in names as low lines.
        names, wanted = ([name.replace("_", " ") for name in record.players] for record in (other, first))
        swap = names == wanted[::-1] != wanted
        assert swap or names == wanted
        for (rows, after, result, odd), (same, same_after, same_result, same_odd) in zip(
            told(first, swap=False), told(other, swap=swap), strict=True
        ):
            assert result[:2] == same_result[:2]
            assert after == same_after
            # Where no text describes a play (a checker moved backwards), the positions alone are compared.
            if not odd and not same_odd:
                assert rows == same


def main():
    """Write the table."""
    with TABLE.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows())


if __name__ == "__main__":
    main()
