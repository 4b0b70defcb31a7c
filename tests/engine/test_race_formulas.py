"""Rules of thumb for races against their authors' examples and hand counts."""

from __future__ import annotations

import pytest

from cubelab.engine import race_formulas as rules
from cubelab.errors import CubelabError


def side_of(**points):
    """side_of(p6=2, p13=1): checkers on one side's points."""
    side = [0] * 24
    for name, count in points.items():
        side[int(name[1:]) - 1] = count
    return side


@pytest.mark.parametrize(("pips", "other", "chance"), [(100, 113, 0.797), (100, 106, 0.688)])
def test_kleinman_examples(pips, other, chance):
    """Øystein Johansen's two examples, rec.games.backgammon, 22 February 2001 (his logarithm fits to 0.002)."""
    assert rules.kleinman_win_chance(pips, other) == pytest.approx(chance, abs=0.003)


@pytest.mark.parametrize(("metric", "chance"), [(0.5, 0.69), (0.7, 0.72), (1.0, 0.76), (1.2, 0.78), (2.0, 0.84)])
def test_kleinman_key_values(metric, chance):
    """The values to remember for K = D²/S, same source; D = 20 and S = 400 / K."""
    total = 400 / metric + 4
    pips = (total - 16) / 2
    assert rules.kleinman_win_chance(pips, pips + 16) == pytest.approx(chance, abs=0.006)


def test_kleinman_when_the_last_checkers_go():
    assert rules.kleinman_win_chance(1, 1) == 1


@pytest.mark.parametrize(("pips", "last_take"), [(74, 83), (55, 62), (62, 70), (63, 71), (100, 111), (5, 5), (3, 3)])
def test_trice_point_of_last_take(pips, last_take):
    """74 -> 83 and 55 -> 62: Phil Simborg, "Racing Equity", backgammon.org; 62 is where both halves meet."""
    assert pips + rules.trice_last_take(pips) == last_take


def test_keith_count_by_hand():
    # 3 on the ace: +4, 2 on the two: +1, 4 on the three: +1, gaps on 4 and 6: +2; pips 3 + 4 + 12 + 15 = 34
    side = side_of(p1=3, p2=2, p3=4, p5=3)
    assert rules.pip_count(side) == 34
    assert rules.keith_count(side) == 42


def test_keith_rounds_a_seventh_down():
    even = side_of(p4=2, p5=2, p6=2, p13=3)  # 69 pips, nothing to add
    advice = rules.keith(even, even)
    assert (advice.mover_count, advice.opponent_count) == (69 + 9, 69)
    assert (advice.double, advice.redouble, advice.take) == (False, False, True)


def test_thorp_count_by_hand():
    # 34 pips, 12 checkers: +24, 3 on the ace: +3, 4 home points: -4
    assert rules.thorp_count(side_of(p1=3, p2=2, p3=4, p5=3)) == 57


def test_isight_percentages_are_its_count_differences():
    """68, 70 and 76 % are the same limits as 6, 5 and 2 pips after adding a sixth (Reichert 2014)."""
    mover = side_of(p4=3, p5=3, p6=5, p8=2, p13=2)
    for far in range(7, 24):
        for more in (0, 1, 2):
            opponent = side_of(p4=3, p5=3, p6=5 + more)
            opponent[far] += 4 - more
            advice, chance = rules.isight(mover, opponent), rules.isight_win_chance(mover, opponent)
            if 0 < chance < 1:
                assert advice.double == (chance >= 0.68 - 1e-12)
                assert advice.redouble == (chance >= 0.70 - 1e-12)
                assert advice.take == (chance <= 0.76 + 1e-12)


def test_isight_counts_by_hand():
    mover = side_of(p1=4, p2=3, p3=4, p5=1, p6=3)  # 4 + 6 + 12 + 5 + 18 = 45; +4, +1, +1, gap on 4: +1
    opponent = side_of(p4=3, p5=4, p6=5, p7=1, p13=1)  # 12 + 20 + 30 + 7 + 13 = 82; crossovers 1 + 2
    assert rules.isight_counts(mover, opponent) == (45 + 7 + 1, 82 + 3)


def test_eight_nine_twelve():
    hundred = side_of(p5=8, p6=10)  # counts are all that matters to this rule
    for lead, expected in (
        (7, (False, False, True)),
        (8, (True, False, True)),
        (9, (True, True, True)),
        (13, (True, True, False)),
    ):
        opponent = list(hundred)
        opponent[5] -= 1
        opponent[5 + lead] += 1
        advice = rules.eight_nine_twelve(hundred, opponent)
        assert (advice.double, advice.redouble, advice.take) == expected


def test_sides_of_a_board():
    board = [0] * 26
    board[6], board[10], board[20], board[15] = 3, 1, -2, -4
    mover, opponent = rules.sides(board)
    assert mover == tuple(side_of(p6=3, p10=1))
    assert opponent == tuple(side_of(p5=2, p10=4))


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ({25: 1, 24: -1}, "on the bar"),
        ({16: 1, 15: -1}, "not passed"),
        ({16: 1}, "no checkers left"),
    ],
)
def test_no_rule_with_contact(places, message):
    board = [0] * 26
    for place, count in places.items():
        board[place] = count
    with pytest.raises(CubelabError, match=message):
        rules.sides(board)
