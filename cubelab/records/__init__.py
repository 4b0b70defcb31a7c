"""Saved games: values, readers by format, replay into decisions."""

from .decision import Action, Decision, GameReplay, Kind
from .flags import Flag
from .names import display_name
from .positions import PositionFile, SavedPosition, UnreadLine, parse_positions, read_positions
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
