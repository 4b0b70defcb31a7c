"""Runs inside GNU Backgammon, in the Python that is built into it: answers the questions of `engine.gnubg`.

Questions and answers are JSON, one a line. Only the standard library and GNU Backgammon's own module ``gnubg`` are at
hand here. A board comes as 26 letters in the order of our board arrays: ``P`` for an empty place, later letters for
checkers of the player on roll, earlier ones for the opponent's.
"""

import json
import sys
import time

import gnubg

MARK = "@cubelab "
MOVER = {letter: max(ord(letter) - ord("P"), 0) for letter in map(chr, range(ord("A"), ord("_") + 1))}
OPPONENT = {letter: max(ord("P") - ord(letter), 0) for letter in MOVER}


def board_of(letters):
    """GNU Backgammon's board: points 1 … 24 and bar of the opponent, then of the player on roll, each from its side."""
    opponent = [OPPONENT[letter] for letter in reversed(letters[:25])]
    mover = [MOVER[letter] for letter in letters[1:]]
    return tuple(opponent), tuple(mover)


def cube_of(numbers):
    """Cube-info of [value, owner (-1 centre, 0 on roll, 1 opponent), length, scores, Crawford, Jacoby, beavers]."""
    value, owner, length, mine, theirs, crawford, jacoby, beavers = numbers
    info = gnubg.cubeinfo(value, owner, 0, length, (mine, theirs), crawford, 0)
    # The session's own switches stand in it otherwise, whatever has been set since.
    info["jacoby"], info["beavers"] = jacoby, beavers
    return info


def context(plies, cubeful):
    return gnubg.evalcontext(cubeful, plies, 1, 1, 0.0)


def cubes(question):
    """Five cumulative chances, no double, double/take (equities per cube) of each [board, cube]."""
    answers, plies = [], context(question["plies"], 1)
    for letters, numbers in question["cases"]:
        board, info = board_of(letters), cube_of(numbers)
        chances = gnubg.evaluate(board, info, plies)
        equities = gnubg.cfevaluate(board, info, plies)
        answers.append([list(chances[:5]), equities[1], equities[2]])
    return answers


def plays(question):
    """From/to numbers of the best play for each board of [dice, cube, boards]."""
    answers, plies = [], context(question["plies"], question["cubeful"])
    for dice, numbers, boards in question["groups"]:
        gnubg.command("set dice {}{}".format(*dice))
        info = cube_of(numbers)
        answers.append([gnubg.findbestmove(board_of(letters), info, plies) for letters in boards])
    return answers


def static(question):
    """Five cumulative chances of each board by the networks."""
    info, plies = cube_of([1, -1, 0, 0, 0, 0, 0, 0]), context(0, 0)
    return [list(gnubg.evaluate(board_of(letters), info, plies)[:5]) for letters in question["boards"]]


def table(question):
    """Load a match equity table and say what it now holds: rows of the first `size` scores, then post-Crawford."""
    gnubg.command('set matchequitytable "{}"'.format(question["file"]))
    return gnubg.met(question["size"])


def command(question):
    """Run a command; seconds of processor time it took."""
    before = time.process_time()
    gnubg.command(question["text"])
    return time.process_time() - before


def time_cubes(question):
    """Seconds of processor time of each cube decision."""
    seconds, plies = [], context(question["plies"], 1)
    for letters, numbers in question["cases"]:
        board, info = board_of(letters), cube_of(numbers)
        before = time.process_time()
        gnubg.cfevaluate(board, info, plies)
        seconds.append(time.process_time() - before)
    return seconds


def main():
    for text in ("player 0 human", "player 1 human", "automatic game off", "automatic roll off", "automatic move off",
                 "automatic bearoff off", "display off", "threads 1", "jacoby off", "confirm new off"):  # fmt: skip
        gnubg.command("set " + text)
    gnubg.command("new session")
    gnubg.command("set turn 0")
    actions = {f.__name__: f for f in (cubes, plays, static, table, command, time_cubes)}
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        try:
            question = json.loads(line)
            answer = actions[question["do"]](question)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        # GNU Backgammon may have left a line of its own unfinished.
        sys.stdout.write("\n" + MARK + json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
