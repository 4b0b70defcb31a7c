import pytest

from cubelab.cube import DeadCube, cube_points, decide
from cubelab.cube.points import take_point
from cubelab.cube.scores import score_cells, score_table
from cubelab.errors import CubelabError, SettingsError
from cubelab.game import Cube, MatchState, Owner, Probabilities, Rules
from cubelab.score import Stakes

PROBS = Probabilities.from_cumulative(0.7, 0.2, 0.01, 0.1, 0)


def test_every_score_is_there_once_with_its_own_crawford_state():
    """Case 31."""
    cells = list(score_cells(5, Cube()))
    assert len({(c.stage, c.match) for c in cells}) == len(cells)
    stages = [c.stage for c in cells]
    assert stages.count("pre-Crawford") == 16
    assert stages.count("Crawford") == 8
    assert stages.count("post-Crawford") == 9
    assert stages.count("money") == 2
    for cell in cells:
        assert cell.match.crawford == (cell.stage == "Crawford")
        assert cell.match.post_crawford == (cell.stage == "post-Crawford")
    names = {c.name: c for c in cells if c.stage == "Crawford" or c.name == "DMP"}
    assert names["gammon-go"].match.away == (2, 1)
    assert names["gammon-save"].match.away == (1, 2)
    assert names["DMP"].match.away == (1, 1)


def test_cells_equal_single_decisions():
    table = score_table(PROBS, 4, model=DeadCube())
    for cell, decision in zip(table.cells, table.decisions, strict=True):
        assert decision == decide(PROBS, Stakes.of(cell.match, cell.cube), DeadCube())
    assert len(table) == 2 + 9 + 6 + 7


def test_the_cube_is_kept_and_its_legality_checked_in_each_cell():
    frame = score_table(PROBS, 5, cube=Cube(2, Owner.MOVER)).to_frame()
    assert set(frame["stage"]) == {"money", "pre-Crawford", "post-Crawford"}
    assert (frame["cube"] == 2).all()
    for row in frame.dropna(subset=["mover_away"]).itertuples():
        assert (row.mover_away <= 2) == isinstance(row.reason, str), row
    opponents = score_table(PROBS, 4, cube=Cube(2, Owner.OPPONENT)).to_frame()
    assert opponents["verdict"].isna().all()


def test_axes_say_whose_away_it_is():
    """Case 76: mover 2 away, opponent 6 away is row 2, column 6."""
    table = score_table(PROBS, 7)
    matrix = table.matrix("no_double")
    assert (matrix.index.name, matrix.columns.name) == ("mover_away", "opponent_away")
    expected = decide(PROBS, Stakes.of(MatchState(7, 5, 1), Cube())).equities.no_double
    assert matrix.loc[2, 6] == pytest.approx(expected)
    assert matrix.loc[6, 2] != pytest.approx(expected)
    crawford = table.matrix("no_double", crawford=True)
    assert crawford.loc[1, 4] != matrix.loc[1, 4]
    assert crawford.loc[3, 4] == matrix.loc[3, 4]


def test_columns():
    frame = score_table(PROBS, 3).to_frame().set_index(["name", "stage"])
    assert frame.loc[("money", "money"), "gammon_price"] == 0.5
    assert frame.loc[("money Jacoby", "money"), "gammon_price"] == 0.0
    assert frame.loc[("gammon-go", "Crawford"), "gammon_price"] == 1.0
    assert frame.loc[("gammon-save", "Crawford"), "opponent_gammon_price"] == 1.0
    money = Stakes.of(MatchState(), Cube())
    assert frame.loc[("money", "money"), "take_point"] == pytest.approx(cube_points(PROBS, money).opponent.take.model)
    assert take_point(PROBS, Stakes.of(MatchState(5, 4, 4), Cube())) is None


def test_rules_are_kept():
    no_crawford = list(score_cells(3, Cube(), Rules(crawford=False)))
    assert "Crawford" not in {c.stage for c in no_crawford}
    beavers = list(score_cells(2, Cube(), Rules(beavers=1)))
    assert beavers[0].match.rules.beavers == 1
    assert beavers[-1].match.rules.beavers == 0


def test_bad_questions():
    with pytest.raises(SettingsError):
        score_table(PROBS, 0)
    with pytest.raises(SettingsError, match="no column 'verdikt'"):
        score_table(PROBS, 2).matrix("verdikt")
    with pytest.raises(CubelabError):
        score_table(PROBS, 2, met="nothing")
