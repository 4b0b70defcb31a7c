"""Opening rolls at 2-ply against the plays that published rollouts call best.

Sources: Kit Woolsey's survey of 1995 in the backgammon FAQ (stason.org/TULARC/games/backgammon, "Opening rolls"); the
Snowie survey on bkgm.com (rec.games.backgammon archive 907), which gives the mean loss of each play; "Backgammon
opening theory" on Wikipedia, after Tom Keith's rollouts on bkgm.com. Plays listed together are within about 0.005.
"""

import pytest

import cubelab as cl

PUBLISHED = {
    (2, 1): ["13/11 6/5", "24/23 13/11"],
    (3, 1): ["8/5 6/5"],
    (4, 1): ["24/23 13/9"],
    (5, 1): ["24/23 13/8"],
    (6, 1): ["13/7 8/7"],
    (3, 2): ["24/21 13/11", "13/11 13/10"],
    (4, 2): ["8/4 6/4"],
    (5, 2): ["24/22 13/8", "13/11 13/8"],
    (6, 2): ["24/18 13/11"],
    (4, 3): ["24/20 13/10", "24/21 13/9", "13/10 13/9"],
    (5, 3): ["8/3 6/3"],
    (6, 3): ["24/18 13/10", "24/15"],
    (5, 4): ["24/20 13/8"],
    (6, 4): ["24/14", "24/18 13/9", "8/2 6/2"],
    (6, 5): ["24/13"],
}
START = cl.Situation(cl.Position.start())


@pytest.mark.parametrize("dice", PUBLISHED, ids=lambda dice: f"{dice[0]}{dice[1]}")
def test_the_best_play_is_a_published_best(dice):
    best = cl.ranked_plays(START, dice, ply=2)[0]
    wanted = {cl.Play.parse(text, START.position, dice).after for text in PUBLISHED[dice]}
    assert best.play.after in wanted, f"{best.play} is not among {PUBLISHED[dice]}"
