"""Work in the background: the newest wins, nothing outdated arrives."""

import threading
import time

from cubelab.interactive.latest import Latest

SECONDS = 20


def wait_until(found):
    end = time.monotonic() + SECONDS
    while not found() and time.monotonic() < end:
        time.sleep(0.01)
    return found()


def test_the_newest_wins():
    latest, started, go, answers = Latest(), threading.Event(), threading.Event(), []

    def slow(report):
        started.set()
        assert go.wait(SECONDS)
        report("old")

    latest.submit(slow, answers.append)
    assert started.wait(SECONDS)
    ran = []
    for number in range(5):
        latest.submit(lambda report, number=number: (ran.append(number), report(number)), answers.append)
    go.set()
    assert latest.wait(SECONDS)
    assert ran == [4], "jobs that were waiting when something newer came are never begun"
    assert answers == [4]


def test_what_is_dropped_is_not_delivered():
    latest, started, go, answers = Latest(), threading.Event(), threading.Event(), []

    def job(report):
        report("first")
        started.set()
        assert go.wait(SECONDS)
        report("second")

    latest.submit(job, answers.append)
    assert started.wait(SECONDS)
    latest.drop()
    go.set()
    assert latest.wait(SECONDS)
    assert answers == ["first"]


def test_a_job_that_fails_does_not_block_the_next(monkeypatch):
    latest, answers, failures = Latest(), [], []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    latest.submit(lambda report: report(1 / 0), answers.append)
    assert latest.wait(SECONDS)
    assert wait_until(lambda: failures)[0].exc_type is ZeroDivisionError
    latest.submit(lambda report: report(1), answers.append)
    assert latest.wait(SECONDS)
    assert answers == [1]


def test_waiting_ends():
    latest, go = Latest(), threading.Event()
    latest.submit(lambda report: go.wait(SECONDS), print)
    assert not latest.wait(0.01)
    go.set()
    assert latest.wait(SECONDS)
