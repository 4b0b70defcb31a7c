"""Saved games: values, readers by format, replay into decisions."""

from .decision import Action, Decision, GameReplay, Kind
from .flags import Flag
from .names import display_name
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
from .replay import replay, replay_game, replay_games
from .write_mat import mat_text, write_mat

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
    "Record",
    "Resignation",
    "Result",
    "Roll",
    "Seat",
    "SetPosition",
    "Take",
    "display_name",
    "mat_text",
    "match_places",
    "parse_match",
    "read_match",
    "read_matches",
    "replay",
    "replay_game",
    "replay_games",
    "write_mat",
]
