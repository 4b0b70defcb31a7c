"""The program as a whole, run as a user runs it: statuses, sentences, pipes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from cubelab.cli import program

MATCHES = Path(__file__).parents[2] / "data" / "matches"
START = "4HPwATDgc/ABMA"
SIXTEEN = "XGID=-b----F-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


def run(*args: object, stdin: str | None = None, **options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cubelab", *map(str, args)]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False, **options
    )


def documents(result: subprocess.CompletedProcess[str]) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


COMMANDS = ["cube", "eval", "moves", "analyse", "points", "bearoff", "convert"]
COMMANDS += ["met", "met list", "met show", "met convert", "met build"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command):
    result = CliRunner().invoke(program, [*command.split(), "--help"])
    assert result.exit_code == 0
    assert "Example" in result.stdout
    assert f"cubelab {command}" in result.stdout


def test_version():
    import cubelab

    assert run("--version").stdout.split()[-1] == cubelab.__version__


@pytest.mark.parametrize(
    "args",
    [
        ["cube"],
        ["cube", START, "--ply", "9"],
        ["cube", START, "--met", "no-such-table"],
        ["cube", START, "--model", "janowski:3"],
        ["cube", "--from", "no-such-file"],
        ["moves", START, "--dice", "71"],
        ["points"],
        ["points", "--score", "9-0/7"],
        ["points", "--score", "3-3/7", "--crawford"],
        ["points", "--money", "--cube", "3"],
        ["points", "--money", "--gammons", "much"],
        ["met", "show", "no-such-table"],
        ["analyse"],
        ["analyse", str(MATCHES), "--report", "/no/such/folder/report.html"],
        ["no-such-command"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_sentence_and_status_2(args):
    result = CliRunner().invoke(program, args, catch_exceptions=False)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("cubelab: ")


def test_failed_inputs_stand_in_their_place_and_stop_nothing():
    result = run("cube", START, SIXTEEN, "rubbish", START, "--json", "--ply", "0")
    first, sixteen, rubbish, last = documents(result)
    assert result.returncode == 1
    assert sixteen["input"] == SIXTEEN
    assert "16 checkers" in sixteen["error"]
    assert rubbish == {"input": "rubbish", "error": rubbish["error"]}
    assert first == last
    assert len([line for line in result.stderr.splitlines() if line.startswith("cubelab: ")]) == 2


def test_lines_of_a_pipe_are_answered_in_order_comments_skipped(tmp_path):
    ids = [f"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:{a}:{b}:0:9:10" for a in range(8) for b in range(8)]
    text = "# positions\n\n" + "\n".join(ids) + "\n"
    result = run("cube", "-", "--json", "--ply", "0", stdin=text)
    assert [document["position"] for document in documents(result)] == ids
    file = tmp_path / "positions.txt"
    file.write_text(text, encoding="utf-8-sig")
    assert run("cube", "--from", file, "--json", "--ply", "0").stdout == result.stdout


@contextmanager
def killed_at_the_end(process):
    """A process that outlives its test would be waited for without end."""
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_an_answer_does_not_wait_for_the_next_line():
    command = [sys.executable, "-m", "cubelab", "cube", "-", "--json", "--ply", "0"]
    with killed_at_the_end(
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(START + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["cube_allowed"]
        process.stdin.close()
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("content", [b"", b"# nothing\n\n", b"\x00\x01\x02" * 100])
def test_a_file_without_positions_is_said_in_a_sentence(tmp_path, content):
    file = tmp_path / "positions.txt"
    file.write_bytes(content)
    result = run("cube", "--from", file, "--json")
    assert result.returncode == 1
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert str(file) in result.stderr.splitlines()[-1]


if os.name == "posix":  # pipes, signals and devices that other systems do not have

    def test_a_closed_pipe_ends_quietly():
        script = f"yes {START} | head -2000 | {sys.executable} -m cubelab cube - --ply 0 --json | head -1"
        result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
        assert json.loads(result.stdout)["gnuid"].startswith(START)
        assert "Traceback" not in result.stderr
        assert "rror" not in result.stderr

    def test_a_full_disk_is_a_sentence():
        with open("/dev/full", "w") as full:
            result = subprocess.run(
                [sys.executable, "-m", "cubelab", "met", "list"],
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert result.returncode == 1
        assert len(result.stderr.splitlines()) == 1

    def interruptible():
        """A test run in the background (nohup, some CI) ignores or blocks interrupts; its children inherit that."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])

    @pytest.mark.parametrize("time", range(5))  # a thread that reads on made Python abort in one of five
    def test_interrupted(time):
        command = [sys.executable, "-m", "cubelab", "cube", "-", "--json", "--ply", "0"]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=interruptible,
        )
        with killed_at_the_end(process):
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(START + "\n")
            process.stdin.flush()
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Traceback" not in errors

    @pytest.mark.parametrize("loading", ["signal", "cubelab.cli", "click.core", "cubelab.cli.playing", "numba"])
    def test_interrupted_while_it_loads(loading):
        # The interrupt comes at the moment at which a module is looked for, whatever the speed of the machine.
        script = (
            "import sys, os\n"
            f"sys.modules.pop({loading!r}, None)\n"
            "class Interrupting:\n"
            "    def find_spec(name, path=None, target=None):\n"
            f"        if name == {loading!r}: os.kill(os.getpid(), 2)\n"
            "sys.meta_path.insert(0, Interrupting)\n"
            "from cubelab.__main__ import main\n"
            "sys.exit(main())"
        )
        arguments = ["analyse", str(MATCHES / "7-point.mat"), "--ply", "0", "--format", "csv"]
        result = subprocess.run(
            [sys.executable, "-c", script, *arguments],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=interruptible,
        )
        assert result.returncode == 130
        assert result.stdout == ""
        assert result.stderr in ("", "cubelab: interrupted\n")

    @pytest.mark.parametrize("line", ["getsignal", "signal"])
    def test_interrupted_between_two_lines(line):
        # Before our handler is there, and after the usual one is there again but nothing runs yet.
        script = (
            "import os, signal, sys\n"
            "from cubelab.__main__ import main\n"
            f"real = signal.{line}\n"
            "def interrupted(*given):\n"
            "    result = real(*given)\n"
            "    if (given[1:] or (result,))[0] is signal.default_int_handler: os.kill(os.getpid(), 2)\n"
            "    return result\n"
            f"signal.{line} = interrupted\n"
            "sys.exit(main())"
        )
        result = subprocess.run(
            [sys.executable, "-c", script, "--version"],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=interruptible,
        )
        assert (result.returncode, result.stdout, result.stderr) == (130, "", "cubelab: interrupted\n")

    def test_interrupted_with_workers(tmp_path):
        for n in range(40):
            shutil.copy(MATCHES / "7-point.mat", tmp_path / f"{n}.mat")
        command = [sys.executable, "-m", "cubelab", "analyse", str(tmp_path), "--ply", "1", "--checker-play"]
        command += ["--format", "csv", "--workers", "2", "--store", str(tmp_path / "kept.parquet")]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=interruptible,
        )
        with killed_at_the_end(process):
            assert process.stdout is not None
            process.stdout.readline()
            os.killpg(process.pid, signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Traceback" not in errors
        assert not list(tmp_path.glob("*.part*"))


def test_help_loads_nothing_heavy():
    script = (
        "import sys; from cubelab.cli import program\n"
        "try: program.main(['cube', '--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'numba', 'pandas', 'matplotlib', 'rich', 'jinja2'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_a_verdict_loads_no_data_frames_or_plots():
    script = (
        "import sys; from cubelab.cli import program\n"
        f"try: program.main(['cube', '{START}', '--ply', '0', '--json'])\n"
        "except SystemExit as end: assert end.code == 0\n"
        "heavy = {'pandas', 'matplotlib', 'pyarrow', 'jinja2', 'defusedxml', 'scipy'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.skipif(os.name != "posix", reason="a shell that closes streams")
@pytest.mark.parametrize(
    ("line", "status", "sentence"),
    [
        ("points --money >&-", 0, ""),
        ("<&- cube -", 1, "standard input holds no positions"),
        ("cube nonsense 2>&-", 1, ""),
    ],
)
def test_streams_that_the_caller_closed(line, status, sentence):
    result = subprocess.run(
        f'"{sys.executable}" -m cubelab {line}', shell=True, capture_output=True, text=True, check=False, timeout=300
    )
    assert result.returncode == status
    assert sentence in result.stderr
    assert "Error" not in result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("args", [["--version"], ["--help"], ["points", "--help"], ["points", "--money", "--json"]])
def test_a_full_disk_is_a_sentence(args):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "cubelab", *args]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=300)
    assert result.returncode == 1
    # before it there may be the line about kernels that are being compiled
    assert result.stderr.endswith("cubelab: input or output failed: No space left on device\n")
    assert "Traceback" not in result.stderr


def test_a_report_that_cannot_be_written_leaves_no_store_behind(tmp_path):
    pytest.importorskip("pyarrow")
    match, report = str(MATCHES / "7-point.mat"), str(tmp_path / "no" / "report.html")
    result = CliRunner().invoke(program, ["analyse", match, "--store", str(tmp_path / "s.parquet"), "--report", report])
    assert result.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_device_is_no_file_to_replace():
    result = CliRunner().invoke(program, ["analyse", str(MATCHES / "7-point.mat"), "--report", os.devnull])
    assert result.exit_code == 2
    assert "device" in result.stderr
