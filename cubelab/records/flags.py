"""What can be odd about a saved game. Odd things are kept and flagged, never guessed in silence and never lost."""

from __future__ import annotations

from enum import StrEnum


class Flag(StrEnum):
    """One oddity; the value is the word used in tables and JSON, `meaning` says it in a sentence."""

    meaning: str

    def __new__(cls, value: str, meaning: str) -> Flag:
        flag = str.__new__(cls, value)
        flag._value_ = value
        flag.meaning = meaning
        return flag

    # The file
    ENCODING_ASSUMED = "encoding assumed", "not UTF-8, and nothing names the encoding: read as Windows-1252"
    LENGTH_MISSING = "length missing", "no 'N point match' line: taken as money play"
    RULES_CONTRADICT = "rules contradict", "the file states money rules (Jacoby, beavers) for a match: not applied"
    COLUMNS_SWAPPED = "columns swapped", "the players change columns between games: put back to the first game's"
    NAMES_CHANGED = "names changed", "a game names other players than the first game"
    TRUNCATED = "truncated", "the file breaks off"
    CHECKSUM_WRONG = "checksum wrong", "the file's checksum is not that of its content: parts of it may be damaged"
    UNREAD_TEXT = "unread text", "a line or cell could not be understood: kept as a comment"
    # The game
    UNFINISHED = "unfinished", "the game has no result"
    SCORE_MISMATCH = "score mismatch", "the score before the game is not the score after the one before: file's taken"
    SCORE_IMPOSSIBLE = "score impossible", "the score before the game is not possible in a match of this length"
    POINTS_CAPPED = "points capped", "the file counts only what the winner needed of a larger win"
    # In a match counted as far as the winner needed them, in money play as a backgammon at most.
    POINTS_IMPOSSIBLE = "points impossible", "no single, gammon or backgammon at this cube pays the points stated"
    POINTS_ASSUMED = "points assumed", "the file does not say how many points were won: smallest possible taken"
    POINTS_DISAGREE = "points disagree", "the points stated are not those the final position pays"
    WINNER_CONFLICT = "winner conflict", "the column of the result names the side that lost: the moves are believed"
    RESULT_IMPLIED = "result implied", "no line states the result: it follows from the moves or the next score"
    ENDED_EARLY = "ended early", "the file names a winner, but nobody bore off, passed or resigned"
    CRAWFORD_ASSUMED = "Crawford assumed", "the record starts with a side one away: taken as the Crawford game"
    SET_UP = "set up", "the game starts from, or jumps to, a position the file sets"
    VARIATIONS = "variations", "the file holds variations beside the game: the main line is read"
    STOPPED = "stopped", "from here the moves can no longer be followed; the result is the file's"
    # The turn
    ILLEGAL_PLAY = "illegal play", "the rules do not allow the play: kept as played"
    AMBIGUOUS_PLAY = "ambiguous play", "the text fits several legal plays: made step by step as written"
    IMPOSSIBLE_PLAY = "impossible play", "the play cannot be made on the board at all"
    UNREADABLE_PLAY = "unreadable play", "the text of the play cannot be understood"
    POSITION_GIVEN = "position given", "the position after the play is the one the file gives, not a replayed one"
    POSITION_DISAGREES = "position disagrees", "the position the file gives is not where its own legal play leads"
    HIDDEN_PLAY = "hidden play", "the file hides what was played (????)"
    HIDDEN_DICE = "hidden dice", "the file hides the roll (00)"
    UNPLAYED_ROLL = "unplayed roll", "a roll without a play although a play was legal"
    RESIGNED_AFTER_ROLLING = "resigned after rolling", "the player gave up instead of playing the roll"
    OUT_OF_TURN = "out of turn", "the same side acts twice in a row"
    TAKE_IMPLIED = "take implied", "no answer to the double is written, but the game goes on: taken"
    CUBE_MISMATCH = "cube mismatch", "the cube value stated is not twice the one before: file's taken"
    CUBE_NOT_ALLOWED = "cube not allowed", "a double by a side that may not turn the cube"
    DOUBLE_IN_CRAWFORD = (
        "double in Crawford game",
        "a double in what should be the Crawford game: taken as another game",
    )
    ANSWER_WITHOUT_DOUBLE = "answer without double", "a take, pass or beaver that answers no double"
    EXTRA_ACTION = "extra action", "something happens after the game has ended"


NO_FLAGS: frozenset[Flag] = frozenset()
