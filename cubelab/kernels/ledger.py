"""Values of a position roll by roll: what `search` averages, kept apart."""

from __future__ import annotations

from numba import njit

from .search import choose_plays, follow, new_scratch, settled, swap_sides


@njit(cache=True, nogil=True)
def roll_ledger(table, nets, side, board, levels, afters, probs, raw, values, over):
    """Value each of the 21 rolls of a side about to roll after its best play, one half-move deep.

    Parameters
    ----------
    table : CubeTable
    nets : Nets
    side : int
        0 or 1: whose payoffs of the table the roller has.
    board : int8[26]
    levels : int
        Cube levels wanted, at most one less than the table has unless it has no more.
    afters : int8[21, levels, 3, 26], filled
        Board after the play chosen with the cube at each level and place (the roller's view), seen by the roller.
    probs : float64[21, levels, 3, 6], filled
        The roller's static chances after it.
    raw : float64[21, levels, 3, top, 3], filled
        Values of the side to roll next, before its cube action.
    values : float64[21, levels, 3], filled
        The roller's value, the other side's best cube action included.
    over : bool[21, levels, 3], filled
        The play ends the game.
    """
    top = table.payoffs.shape[1]
    scratch = new_scratch(top)
    scratch.boards[0] = board
    below_levels = min(levels + 1 + table.redoubles, top)
    for roll in range(21):
        scratch.walk[0, 0] = roll
        choose_plays(table, nets, scratch, side, 0, levels)
        for level in range(levels):
            for place in range(3):
                chosen = scratch.best[0, level, place]
                after = scratch.afters[0, chosen]
                ends, _ = follow(table, nets, scratch, 1, side, after, scratch.outcomes[0, chosen], below_levels, 0)
                afters[roll, level, place] = after
                swap_sides(scratch.probs[1], probs[roll, level, place])
                raw[roll, level, place, :below_levels] = scratch.values[1, :below_levels]
                over[roll, level, place] = ends
                value = settled(table, 1 - side, ends, scratch.values[1], level, (3 - place) % 3)
                values[roll, level, place] = -value
