"""Positions and rules that tests of rollouts share."""

from cubelab.game import Cube, MatchState, Owner, Position, Rules

BLITZ = Position.from_id("2DZkgSFszoMHAA")
#: An ace-point anchor against a bearoff: short games, hits and gammons, then an exact race.
ENDING = Position((0, 2, 3, 2, -2, 2, 0, *[0] * 12, -3, -2, -2, -2, 0, 0, 0))
BEHIND = ENDING.flip()

RULES = {
    "money": (MatchState(), Cube()),
    "money, cube owned": (MatchState(), Cube(2, Owner.MOVER)),
    "money, opponent's cube": (MatchState(), Cube(2, Owner.OPPONENT)),
    "Jacoby and beavers": (MatchState(rules=Rules(jacoby=True, beavers=1)), Cube()),
    "immediate redouble": (MatchState(rules=Rules(immediate_redouble=True)), Cube()),
    "immediate redouble at 4a-5a": (MatchState(7, 3, 2, rules=Rules(immediate_redouble=True)), Cube()),
    "cap two turns away": (MatchState(rules=Rules(cube_cap=4)), Cube()),
    "cap reached": (MatchState(rules=Rules(cube_cap=2)), Cube(2, Owner.MOVER)),
    "2a-4a": (MatchState(7, 5, 3), Cube()),
    "4a-2a, dead once turned": (MatchState(7, 3, 5), Cube(2, Owner.MOVER)),
    "post-Crawford trailer": (MatchState(7, 3, 6), Cube()),
    "Crawford": (MatchState(7, 3, 6, crawford=True), Cube()),
    "1a-1a": (MatchState(5, 4, 4), Cube()),
}
