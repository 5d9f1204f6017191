"""Many at once, and some of them die: every case gets exactly its judgments, nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from jurybox.serve.model import Given, Handed
from jurybox.serve.store import Store, open_store
from serve.conftest import MakeUrl
from serve.made_studies import judged, make_project

WORKER = Path(__file__).with_name("load_worker.py")


def check_exact(store: Store, project: int, cases: int, per_case: int) -> None:
    found = [(row["case"], row["rater"]) for row in judged(store, project)]
    assert len(found) == len(set(found)), "somebody judged a case twice"
    counts = Counter(case for case, _ in found)
    assert counts == {f"c{i}": per_case for i in range(cases)}
    assert store.progress(project)[:4] == (cases, cases, cases * per_case, cases * per_case)


def test_200_raters_at_once_give_every_case_exactly_its_judgments(url: str) -> None:
    cases, per_case, raters = 60, 4, 200
    with open_store(url) as store:
        project = make_project(store, cases, per_case=per_case).id
        joined = [store.join(project).id for _ in range(raters)]
        start = threading.Barrier(raters)
        acknowledged: list[str] = []
        complaints: list[BaseException] = []

        def work(rater: int) -> None:
            try:
                start.wait()
                while isinstance(handed := store.next_case(rater), Handed):
                    if store.answer(rater, handed.token, Given("ok"), handed.token).accepted:
                        acknowledged.append(handed.token)
            except BaseException as error:
                complaints.append(error)

        threads = [threading.Thread(target=work, args=(rater,)) for rater in joined]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert complaints == []
        assert len(acknowledged) == len(set(acknowledged)) == cases * per_case
        check_exact(store, project, cases, per_case)


class Worker:
    """A process that judges; what it says is read while it works."""

    def __init__(self, url: str, project: int, threads: int) -> None:
        command = [sys.executable, str(WORKER), url, str(project), str(threads)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.strip())

    @property
    def acknowledged(self) -> list[str]:
        return self.said[1:]

    def wait_for(self, lines: int) -> None:
        while len(self.said) < lines and self.process.poll() is None:
            time.sleep(0.01)

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.end()

    def end(self) -> str:
        """Wait until it has ended, one way or another; gives what it complained of."""
        assert self.process.stderr is not None
        complaint = str(self.process.stderr.read())
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process.stderr.close()
        return complaint


def run_with_kills(url: str, kills: int, *, cases: int, per_case: int) -> None:
    """Two processes judge; one after another is killed at its work and replaced."""
    with open_store(url) as store:
        project = make_project(store, cases, per_case=per_case, lease_minutes=0.05).id
        workers = [Worker(url, project, 4) for _ in range(2)]
        acknowledged: list[str] = []
        killed_at_work = 0
        for kill in range(kills):
            victim = workers[kill % 2]
            victim.wait_for(8)
            victim.kill()
            killed_at_work += bool(victim.acknowledged)
            acknowledged += victim.acknowledged
            workers[kill % 2] = Worker(url, project, 4)
        for worker in workers:
            assert worker.end() == ""
            acknowledged += worker.acknowledged
        assert killed_at_work == kills, "the work was done too early: give more cases"
        finish(store, project)
        stored = [f"{row['rater']} {row['case']}" for row in judged(store, project)]
        assert set(acknowledged) <= set(stored), "an acknowledged judgment was lost"
        check_exact(store, project, cases, per_case)


def finish(store: Store, project: int) -> None:
    """Judge what killed processes had in their hands."""
    later = time.time() + 3600
    for _ in range(6):
        rater = store.join(project).id
        while isinstance(handed := store.next_case(rater, now=later), Handed):
            store.answer(rater, handed.token, Given("ok"), handed.token, now=later)


def test_processes_that_are_killed_lose_nothing_and_leave_no_case_stuck(url: str) -> None:
    run_with_kills(url, 2, cases=30, per_case=5)


@pytest.mark.slow
@pytest.mark.parametrize("cases", [150])
def test_twenty_killed_processes_lose_nothing_and_leave_no_case_stuck(
    make_url: MakeUrl, cases: int
) -> None:
    run_with_kills(make_url(), 20, cases=cases, per_case=6)
