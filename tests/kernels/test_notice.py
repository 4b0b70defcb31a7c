"""In Python, too, the first minute is not silent."""

import os
import subprocess
import sys


def first_call(folder, code):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return done.stderr


def test_what_is_compiled_is_said_once_and_only_when_it_is(tmp_path):
    code = (
        "import cubelab as cl; stakes = cl.Stakes.of(cl.MatchState(), cl.Cube())\n"
        "cl.decide(cl.Probabilities.from_cumulative(0.6, 0, 0, 0, 0), stakes)"
    )
    assert first_call(tmp_path, code).count("compiling kernels") == 1
    assert first_call(tmp_path, code) == ""


def test_kernels_of_others_are_not_ours_to_name(tmp_path):
    code = "import cubelab.kernels, numba; numba.njit(lambda x: x + 1)(1)"
    assert first_call(tmp_path, code) == ""
