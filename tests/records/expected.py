"""What the text matches of the collection say, copied by hand from their score lines and ``Wins`` lines.

Per file: match length, names of the left and right player, and per game the score before it, the column of ``Wins``
(L or R) and the number behind it. Last comes the score after the match, counted by hand: never above its length.
"""

from pathlib import Path

HERE = Path(__file__).parent
DATA = HERE / "data"
MATCHES = HERE.parents[1] / "data" / "matches"
COLLECTION = HERE.parents[2] / "shared" / "corpus"
CORPUS = COLLECTION / "mat"

XG_GAMES = [
    (0, 0, "L", 1),
    (1, 0, "L", 2),
    (3, 0, "R", 1),
    (3, 1, "R", 1),
    (3, 2, "R", 2),
    (3, 4, "L", 2),
    (5, 4, "L", 2),
]

FILES = {
    "3WNK_g1Z-PLsh_HyvQ5j4a.mat": (
        7,
        ("Iris09", "Jade1"),
        [
            (0, 0, "L", 1),
            (1, 0, "R", 1),
            (1, 1, "R", 1),
            (1, 2, "L", 4),
            (5, 2, "R", 4),
            (5, 6, "L", 1),
            (6, 6, "R", 1),
        ],
        (6, 7),
    ),
    "5nqfGw9bWG3deTaU.mat": (
        7,
        ("Marion Castlebury", "Rowan Pryce"),
        [(0, 0, "R", 2), (0, 2, "L", 1), (1, 2, "R", 1), (1, 3, "R", 2), (1, 5, "L", 1), (2, 5, "R", 2)],
        (2, 7),
    ),
    "B4_SrGcsKAQmoTyHlgJCbM.mat": (
        0,
        ("Fox", "Bluepoint02"),
        [(0, 0, "L", 1), (1, 0, "R", 1), (1, 1, "L", 6)],
        (7, 1),
    ),
    "MYdvw1qGuyaRUH__.mat": (
        5,
        ("Jade1", "Kestrelcove1"),
        [(0, 0, "R", 1), (0, 1, "L", 2), (2, 1, "R", 4)],
        (2, 5),
    ),
    "Sz-2PgKnvb6aFls69-qFXg.mat": (
        0,
        ("Fox", "Lanternwood_123"),
        [(0, 0, "L", 4), (4, 0, "R", 2), (4, 2, "R", 1), (4, 3, "L", 2), (6, 3, "R", 1), (6, 4, "L", 1)],
        (7, 4),
    ),
    "XCu3RJ0UvDg_Tldl.mat": (5, ("Emberoak05", "Jade1"), [(0, 0, "R", 2), (0, 2, "R", 3)], (0, 5)),
    "choue_net.txt": (7, ("chouehandle", "Bot1"), [(0, 0, "R", 2), (0, 2, "R", 4)], (0, 6)),
    "galaxy_match12456124.txt": (7, ("host", "tdm06"), [(0, 0, "L", 4), (4, 0, "L", 8)], (7, 0)),
    "galaxy_match7986278.txt": (16, ("host", "robot"), [(0, 0, "L", 16)], (16, 0)),
    "galaxy_match944196.txt": (3, ("beaver_take_all", "host"), [(0, 0, "L", 1), (1, 0, "R", 3)], (1, 3)),
    "galaxy_match9700805.txt": (5, ("host", "Carlos Corral"), [(0, 0, "R", 2), (0, 2, "R", 3)], (0, 5)),
    "hQ8sVn2LbTdF4wRm.mat": (
        9,
        ("Owen Talbot", "Dana Ellery"),
        [(0, 0, "L", 4), (4, 0, "L", 2), (6, 0, "L", 2), (8, 0, "L", 1)],
        (9, 0),
    ),
    "studio_cannot_move.txt": (
        5,
        ("Tragic", "Host"),
        [
            (0, 0, "R", 1),
            (0, 1, "L", 1),
            (1, 1, "R", 1),
            (1, 2, "L", 1),
            (2, 2, "L", 1),
            (3, 2, "L", 1),
            (4, 2, "R", 2),
            (4, 4, "R", 1),
        ],
        (4, 5),
    ),
    "studio_hidden_plays.txt": (
        5,
        ("stoneroof", "Host"),
        [(0, 0, "R", 2), (0, 2, "R", 1), (0, 3, "L", 1), (1, 3, "L", 2), (3, 3, "L", 2)],
        (5, 3),
    ),
    "studio_long.txt": (
        13,
        ("Ostrovsky", "Host"),
        [
            (0, 0, "L", 2),
            (2, 0, "R", 4),
            (2, 4, "R", 2),
            (2, 6, "R", 2),
            (2, 8, "R", 2),
            (2, 10, "R", 1),
            (2, 11, "R", 1),
            (2, 12, "L", 1),
            (3, 12, "L", 1),
            (4, 12, "R", 4),
        ],
        (4, 13),
    ),
    "studio_sentinel_points.txt": (3, ("PlayerGrey", "Host"), [(0, 0, "R", 1), (0, 1, "R", 4016)], (0, 3)),
    "xg_jellyfish.mat": (7, ("Łukasz Żółć", "Zoë Ångström"), XG_GAMES, (7, 4)),
    "xg_text.txt": (7, ("Łukasz Żółć", "Zoë Ångström"), XG_GAMES, (7, 4)),
    "xg_money_jacoby_on.txt": (0, ("KR", "TL"), [(0, 0, "L", 1)], (1, 0)),
    "xg_set_pos_excerpt.mat": (11, ("Nathaniel Whitford", "Karen Kingsby"), [(0, 1, "R", 4)], (0, 5)),
}

#: The same files under the names they have in data/matches.
SHIPPED = {
    "3WNK_g1Z-PLsh_HyvQ5j4a.mat": "7-point.mat",
    "studio_long.txt": "13-point.mat",
    "Sz-2PgKnvb6aFls69-qFXg.mat": "money-session.mat",
}


def story(decisions):
    """What happened, in a form that is the same whatever the format the record came from."""
    return [
        (
            d.game,
            d.kind,
            d.seat,
            d.situation.position,
            d.situation.cube,
            tuple(sorted(d.situation.dice or ())),
            (d.situation.match.length, d.situation.match.away if d.situation.match.length else None),
            d.situation.match.crawford,
            d.situation.offer,
            d.played,
        )
        for d in decisions
    ]


def locate(name: str) -> Path | None:
    """Where a file of the table is, if it is here at all."""
    for path in (DATA / name, MATCHES / SHIPPED.get(name, "-"), CORPUS / name):
        if path.is_file():
            return path
    return None
