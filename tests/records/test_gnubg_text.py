"""Text exports of GNU Backgammon: what they hold, and the same games as in the match they were made from."""

import re
import shutil
import subprocess

import pytest

from cubelab.errors import RecordError
from cubelab.records import Action, Ending, Flag, Kind, parse_match, read_match, replay, replay_game, replay_games
from cubelab.records.stored import Unit

from .expected import COLLECTION, DATA, MATCHES, story

SAMPLE = DATA / "gnubg_4-ply_match1112860_004.txt"
GNUBG = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")


def test_an_analysed_game():
    record = read_match(SAMPLE)
    assert (record.players, record.length, record.format) == (("vagrant8", "host"), 5, "gnubg text")
    game = record.games[0]
    assert (game.number, game.score, game.score_after) == (4, (3, 2), (3, 3))
    assert (record.tag("Place"), record.tag("EventDate")) == ("BackgammonGalaxy", "16/09/2023")
    (played,) = replay_games(record)
    assert played.complete
    assert not played.flags
    assert played.result.ending is Ending.PASS
    decisions = list(played.decisions)
    assert len(decisions) == 46
    double = decisions[-2]
    cube = double.event.analysis.cube
    assert (double.played, cube.level) == (Action.DOUBLE, "4-ply")
    assert (cube.no_double, cube.double_take, cube.double_pass) == (1.356, 2.624, 1.0)
    assert cube.chances == (0.852, 0.392, 0.007, 0.012, 0.0)
    assert ("Alert", "wrong double (-0.356)!") in double.event.analysis.marks
    assert ("Mark", "very bad") in double.event.analysis.marks
    # The answer prints the same numbers from the other side; the doubler's are kept.
    answer = decisions[-1]
    assert (answer.played, answer.event.analysis.cube.double_take) == (Action.PASS, 2.624)
    assert answer.event.analysis.cube.chances == pytest.approx(cube.chances)


def test_candidates_with_their_levels_and_the_play_that_was_made():
    plays = [d for d in replay(read_match(SAMPLE)) if d.kind is Kind.PLAY]
    third = plays[2].event.analysis.plays
    assert plays[2].text == "24/23 13/11"
    assert third.played == 2
    assert third.candidates[2].play == "24/23 13/11"
    assert third.error == pytest.approx(0.053)
    assert {c.level for d in plays for c in d.event.analysis.plays.candidates} == {"0-ply", "2-ply", "4-ply"}
    assert third.unit is Unit.EMG
    for d in plays:
        analysis = d.event.analysis.plays
        assert analysis.candidates[analysis.played].play == d.text


@pytest.mark.parametrize(
    "name", ["gnubg_0-ply_match1112860_002.txt", "gnubg_2-ply_match10013413.txt", "gnubg_4-ply_match1112860_004.txt"]
)
def test_positions_in_the_text_are_those_the_plays_lead_to(name):
    path = COLLECTION / "gnubg_txt" / name
    if not path.is_file():
        pytest.skip("only in the shared collection, which is not here")
    for game in replay_games(read_match(path)):
        assert game.complete
        assert Flag.POSITION_DISAGREES not in game.flags
        assert Flag.POSITION_GIVEN not in game.flags


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
@pytest.mark.parametrize("name", ["7-point.mat", "money-session.mat"])
def test_the_same_games_as_the_match_that_was_exported(name, tmp_path):
    commands = f'import mat "{MATCHES / name}"\nexport match text "{tmp_path}/game.txt"\nquit\ny\n'
    subprocess.run([str(GNUBG), "-t", "-q"], input=commands, text=True, capture_output=True, timeout=60, check=False)
    match = read_match(MATCHES / name)
    for number, game in enumerate(match.games, 1):
        exported = read_match(tmp_path / ("game.txt" if number == 1 else f"game_{number:03d}.txt"))
        assert (exported.players, exported.length) == (match.players, match.length)
        assert story(replay(exported)) == story(replay_game(match, game).decisions)
        assert exported.games[0].result.points == game.result.points


def test_several_games_in_one_text_follow_one_another():
    text = SAMPLE.read_text()
    record = parse_match((text + "\n\n" + text).encode())
    assert len(record.games) == 2
    assert Flag.SCORE_MISMATCH in record.games[1].flags


def test_commas_minus_signs_and_match_winning_chances():
    text = re.sub(r"Eq\.: [-+]\S+ *(\(\S+\))?", "MWC: 48,31% ( -1,02%)", SAMPLE.read_text())
    text = text.replace("No double           +1.356", "No double           −1,356")
    decisions = list(replay(parse_match(text.encode())))
    plays = [d.event.analysis.plays for d in decisions if d.kind is Kind.PLAY]
    assert all(p.unit is Unit.MWC and p.candidates[0].equity == pytest.approx(0.4831) for p in plays)
    assert decisions[-2].event.analysis.cube.no_double == -1.356


def test_damage_is_named():
    text = SAMPLE.read_text()
    with pytest.raises(RecordError, match="line 9"):
        parse_match(text.replace("4HPwATDgc/ABMA", "!!!!ATDgc/ABMA", 1).encode())
    head = text[: text.index("* vagrant8")] + "\n* "
    with pytest.raises(RecordError, match="without an action"):
        parse_match(head.encode())


def test_cut_off_texts_give_what_they_hold_or_an_error():
    data = SAMPLE.read_bytes()
    for size in range(0, len(data), 1511):
        try:
            record = parse_match(data[:size])
        except RecordError:
            assert size < 1600
            continue
        list(replay(record))
