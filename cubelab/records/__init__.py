"""Saved games: values, readers by format, replay into decisions, writers.

======================================================== ==========  =========================================
format                                                   written by  checked on
======================================================== ==========  =========================================
text match (.mat, .txt)                                  mat         real files of nine writers; opens in GNU Backgammon
SGF of GNU Backgammon (.sgf)                             sgf         real files; what we write opens there
eXtreme Gammon (.xg); positions (.xgp)                               real files; .xgp, comments: built to the layout
BGBlitz (.bgf)                                                       real files
OGXM 1 and 2 (.gvab, .ogxm), GammonView JSON (.gva)                  real files of two writers
GNU Backgammon text export of a game (.txt)                          real files, and those it writes in the tests
single game without a score (.gam)                                   a file of GNU Backgammon
JavaFIBS (.match)                                                    four games of a real match; files for the tests
FIBS *oldmoves*, GamesGrid (.sgg), TrueMoneyGames (.tmg)             files to the description, same in GNU Backgammon
cubelab JSON (.json)                                     json        our own
gzip and zip of these, several text matches in a file                archives made for the tests
position text of BGBlitz in EN, DE, FR, JP                           real files
position text of eXtreme Gammon                                      texts written to published examples
lists of XGIDs, OGIDs, GNU ids                           xgid        lists made for the tests
Snowie text position                                                 lines that GNU Backgammon writes
FIBS ``board:`` line                                                 the example in the server's description
Jellyfish position (.pos)                                            files that GNU Backgammon writes
======================================================== ==========  =========================================

Not read, because neither files nor a description of their plays are at hand: ``.gam`` of PartyGammon and BGRoom's text
(both refused by name), ``.gam`` of GammonEmpire, Snowie's own binary files, GridGammon's ``.cbg``.
"""

from .decision import Action, Decision, GameReplay, Kind
from .flags import Flag
from .names import display_name
from .positions import PositionFile, is_drawn, is_match_text, parse_positions, read_positions
from .read import match_places, parse_match, read_match, read_matches
from .record import (
    Beaver,
    Comment,
    Double,
    Ending,
    Event,
    Game,
    Pass,
    Record,
    Resignation,
    Result,
    Roll,
    Seat,
    SetPosition,
    Take,
)
from .record_json import json_text, write_json
from .replay import replay, replay_game, replay_games
from .saved_position import SavedPosition, UnreadLine
from .write import write_match, xgid_text
from .write_mat import mat_text, write_mat
from .write_sgf import sgf_text, write_sgf

__all__ = [
    "Action",
    "Beaver",
    "Comment",
    "Decision",
    "Double",
    "Ending",
    "Event",
    "Flag",
    "Game",
    "GameReplay",
    "Kind",
    "Pass",
    "PositionFile",
    "Record",
    "Resignation",
    "Result",
    "Roll",
    "SavedPosition",
    "Seat",
    "SetPosition",
    "Take",
    "UnreadLine",
    "display_name",
    "is_drawn",
    "is_match_text",
    "json_text",
    "mat_text",
    "match_places",
    "parse_match",
    "parse_positions",
    "read_match",
    "read_matches",
    "read_positions",
    "replay",
    "replay_game",
    "replay_games",
    "sgf_text",
    "write_json",
    "write_mat",
    "write_match",
    "write_sgf",
    "xgid_text",
]
