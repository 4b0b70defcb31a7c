"""Worker processes: order, failures, and that nothing ever waits for a dead one."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from itertools import count
from multiprocessing import active_children

import pytest

from cubelab.errors import SettingsError
from cubelab.study.workers import WorkerDied, map_in_order


def slower_first(n: int) -> int:
    time.sleep(max(0, 3 - n) * 0.1)
    return n * n


def die_at_two(n: int) -> int:
    if n == 2:
        os._exit(7)
    return n


def refuse_two(n: int) -> int:
    if n == 2:
        raise SettingsError("two")
    return n


def large(n: int) -> bytes:
    return bytes(10_000_000)


# Imported by name in the processes, which do not have tests/ on their path unless this module gives it.
@pytest.fixture(autouse=True)
def _importable(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")]))


@pytest.fixture
def by_name():
    """This module as the processes import it."""
    sys.path.insert(0, os.path.dirname(__file__))
    import test_workers

    yield test_workers
    sys.path.pop(0)


def test_results_come_in_the_order_of_the_tasks(by_name):
    assert list(map_in_order(by_name.slower_first, range(7), 3)) == [n * n for n in range(7)]


def test_a_dead_process_costs_its_task_only(by_name):
    first, second, third, fourth = map_in_order(by_name.die_at_two, range(1, 5), 2)
    assert (first, third, fourth) == (1, 3, 4)
    assert isinstance(second, WorkerDied)


def test_an_error_is_raised_here(by_name):
    with pytest.raises(SettingsError, match="two"):
        list(map_in_order(by_name.refuse_two, range(5), 2))
    assert not active_children()


def test_tasks_are_read_as_needed_and_processes_end_with_the_reader(by_name):
    tasks = count()
    with closing(map_in_order(by_name.large, tasks, 2)) as results:
        next(results)
        assert len(active_children()) == 2
    assert not active_children()  # though they were about to write ten megabytes into a pipe nobody reads
    assert next(tasks) < 8


def test_a_script_without_a_guard_is_told_so(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from cubelab.study.workers import map_in_order\nprint(list(map_in_order(abs, [1, 2], 2)))\n")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 1
    assert "SettingsError" in result.stderr
    assert "__main__" in result.stderr.splitlines()[-1]


@pytest.mark.skipif(os.name != "posix", reason="a signal to a group of processes")
@pytest.mark.parametrize("moment", [0.0, 0.02, 0.05, 0.1, 0.3, 0.8])
def test_an_interrupt_at_any_moment_ends_everything(moment):
    script = (
        "import sys, test_workers\n"
        "from cubelab.study.workers import map_in_order\n"
        "print('begun', flush=True)\n"
        "try:\n"
        "    for _ in map_in_order(test_workers.slower_first, range(-1000, 0), 3): pass\n"
        "except KeyboardInterrupt: sys.exit(130)\n"
    )

    def prepare():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])

    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=prepare,
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(moment)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert "Traceback" not in errors
