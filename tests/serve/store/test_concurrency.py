"""Many at once, and some of them die: every case gets exactly its judgments, nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from jurybox.serve.model import Assignment, SubmittedAnswer
from jurybox.serve.settings import Settings
from jurybox.serve.store import Store, open_store
from serve.at_once import at_once
from serve.made_studies import judged, make_cases, make_project

WORKER = Path(__file__).with_name("load_worker.py")
PER_CASE = 5  # fewer than the raters of two processes


def check_exact(store: Store, project: int, cases: Sequence[str], per_case: int) -> None:
    found = [(row["case"], row["rater"]) for row in judged(store, project)]
    assert len(found) == len(set(found)), "somebody judged a case twice"
    counts = Counter(case for case, _ in found)
    assert counts == dict.fromkeys(cases, per_case)
    wanted = len(cases) * per_case
    assert store.progress(project)[:4] == (len(cases), len(cases), wanted, wanted)


@pytest.mark.slow
def test_200_raters_at_once_give_every_case_exactly_its_judgments(url: str) -> None:
    cases, per_case, raters = 60, 3, 200
    with open_store(url) as store:
        project = make_project(store, cases, per_case=per_case).id
        joined = [store.join(project).id for _ in range(raters)]
        acknowledged: list[str] = []

        def work(rater: int) -> None:
            while isinstance(handed := store.next_case(rater), Assignment):
                if store.answer(rater, handed.token, SubmittedAnswer("ok"), handed.token).accepted:
                    acknowledged.append(handed.token)

        at_once(work, joined)
        assert len(acknowledged) == len(set(acknowledged)) == cases * per_case
        check_exact(store, project, [f"c{i}" for i in range(cases)], per_case)


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


class Study:
    """A project with always enough to do."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.settings = Settings("study", per_case=PER_CASE, lease_minutes=0.05)
        self.project = store.create_project(self.settings).id
        self.cases = 0

    def keep_busy(self) -> None:
        """Raters never wait for work: fast machines and slow ones are killed in the middle."""
        done = self.store.progress(self.project)
        if done.wanted - done.judgments < 10 * PER_CASE:
            batch = make_cases(20, f"batch{self.cases}-")
            self.store.add_cases(self.project, batch)
            self.cases += len(batch)

    def wait_for(self, worker: Worker) -> None:
        """Wait until all its raters are at work, or nearly."""
        while len(worker.acknowledged) < 8:
            if worker.process.poll() is not None:
                pytest.fail(f"ended by itself: {worker.end()}")
            self.keep_busy()
            time.sleep(0.01)

    def set_open(self, is_open: bool) -> None:
        self.store.change_project(self.project, replace(self.settings, is_open=is_open))

    def finish(self) -> None:
        """Judge what is left, and what killed processes had in their hands."""
        later = time.time() + 3600
        for _ in range(PER_CASE):
            rater = self.store.join(self.project).id
            while isinstance(handed := self.store.next_case(rater, now=later), Assignment):
                self.store.answer(
                    rater, handed.token, SubmittedAnswer("ok"), handed.token, now=later
                )


def run_with_kills(url: str, kills: int) -> None:
    """Two processes judge; one after another is killed at its work and replaced."""
    with open_store(url) as store:
        study = Study(store)
        study.keep_busy()
        workers = [Worker(url, study.project, 4) for _ in range(2)]
        everybody = list(workers)
        try:
            for kill in range(kills):
                study.wait_for(workers[kill % 2])
                workers[kill % 2].kill()
                workers[kill % 2] = Worker(url, study.project, 4)
                everybody.append(workers[kill % 2])
            for worker in workers:
                study.wait_for(worker)
            study.set_open(False)
            for worker in workers:
                if complaint := worker.end():
                    pytest.fail(complaint)
        finally:
            for worker in everybody:
                if worker.process.returncode is None:
                    worker.kill()
        study.set_open(True)
        study.finish()
        stored = {f"{row['rater']} {row['case']}" for row in judged(store, study.project)}
        for worker in everybody:
            assert set(worker.acknowledged) <= stored, "an acknowledged judgment was lost"
        names = [case.id for case in store.case_set(study.project).cases]
        assert len(names) == study.cases
        check_exact(store, study.project, names, PER_CASE)


@pytest.mark.slow  # the same with the server as a whole is in tests/serve/test_app_load.py
def test_processes_that_are_killed_lose_nothing_and_leave_no_case_stuck(url: str) -> None:
    run_with_kills(url, 2)


@pytest.mark.slow
def test_twenty_killed_processes_lose_nothing_and_leave_no_case_stuck(url: str) -> None:
    run_with_kills(url, 20)
