"""Runs in a Python that has bgsage (Open Sage): answers the questions of `engine.bgsage`, JSON for JSON, one a line."""

import json
import sys

sys.path += [place for place in sys.argv[1:] if place not in sys.path]
import bgsage

MARK = "@cubelab "
_analyzers: dict = {}


def analyzer(ply):
    """Its levels are named by eXtreme Gammon's count, one more than ours."""
    if ply not in _analyzers:
        _analyzers[ply] = bgsage.BgBotAnalyzer(eval_level=f"{ply + 1}ply", parallel_threads=1)
    return _analyzers[ply]


def cubes(question):
    """Five cumulative chances, no double, double/take (equities per cube) of each case."""
    engine, answers = analyzer(question["ply"]), []
    for case in question["cases"]:
        found = engine.cube_action(
            case["board"],
            case["cube"],
            case["owner"],
            away1=case["away"][0],
            away2=case["away"][1],
            is_crawford=case["crawford"],
            jacoby=case["jacoby"],
            beaver=case["beaver"],
        )
        # With beavers it gives the value of the beavered cube, where that is the right answer.
        taken = found.equity_dt / 2 if case["beaver"] and found.is_beaver else found.equity_dt
        answers.append([found.probs.to_list(), found.equity_nd, taken])
    return answers


def main():
    from importlib.metadata import version

    actions = {"version": lambda question: version("bgsage"), "cubes": cubes}
    for line in iter(sys.stdin.readline, ""):
        try:
            question = json.loads(line)
            answer = actions[question["do"]](question)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write("\n" + MARK + json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
