"""Many raters at once over HTTP, a server that is killed among them, and what time gives away."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import httpx
import pytest

from jurybox.serve.model import Assignment, Project, SubmittedAnswer
from jurybox.serve.store import Store, open_store
from jurybox.serve.tokens import Tokens
from serve.conftest import MakeUrl
from serve.made_studies import judged, make_project

WORKER = Path(__file__).with_name("serve_worker.py")
HIDDEN = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
CASE = re.compile(r'class="sentence">(\w+) is')


class Server:
    """A process that serves, on the same port however often it is killed."""

    def __init__(self, url: str) -> None:
        self._url = url
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self._port}"
        self.start()

    def start(self) -> None:
        command = [sys.executable, str(WORKER), self._url, str(self._port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def kill(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def serving(url: str) -> Iterator[Server]:
    server = Server(url)
    try:
        yield server
    finally:
        server.kill()


class Rater:
    """Judges over HTTP; where the server is away, tries again as a person would."""

    def __init__(self, server: Server, store: Store, project: Project, name: str) -> None:
        self._client = httpx.Client(
            base_url=server.base, timeout=120, follow_redirects=True, verify=False
        )
        self._link = f"/j/{Tokens(store.secret).link(project)}?PROLIFIC_PID={name}"
        self._path = f"/r/{project.id}/case"
        self.name = name
        self.acknowledged: list[tuple[str, str]] = []
        self.seconds: list[tuple[float, float]] = []  # of the page, of the answer
        self.complaints: list[str] = []

    def join(self) -> None:
        page = self._try(lambda: self._client.get(self._link))
        fields = dict(HIDDEN.findall(page.text))
        self._try(lambda: self._client.post(self._link, data=fields))

    def judge_everything(self, most: int = 10**9) -> None:
        for _ in range(most):
            begun = time.perf_counter()
            page = self._try(lambda: self._client.get(self._path))
            shown = time.perf_counter() - begun
            found = CASE.search(page.text)
            if found is None:
                if "Nearly done" not in page.text and "Thank you" not in page.text:
                    self.complaints.append(page.text)
                break
            fields = {name: unescape(value) for name, value in HIDDEN.findall(page.text)}
            self._answer({**fields, "label": "ok"}, found[1], shown)
        self._client.close()

    def _answer(self, fields: dict[str, str], case: str, shown: float) -> None:
        begun = time.perf_counter()
        answer = self._try(
            lambda: self._client.post(self._path, data=fields, follow_redirects=False)
        )
        self.seconds.append((shown, time.perf_counter() - begun))
        if answer.status_code != 303:
            self.complaints.append(answer.text)
        elif "late" not in answer.headers["location"]:
            self.acknowledged.append((case, self.name))

    def _try(self, ask: Callable[[], httpx.Response]) -> httpx.Response:
        while True:
            try:
                answer = ask()
            except httpx.TransportError:
                time.sleep(0.05)
                continue
            if answer.status_code >= 500:
                self.complaints.append(f"{answer.status_code} {answer.url}")
            return answer


def work(raters: list[Rater], start: threading.Barrier | None = None) -> list[threading.Thread]:
    def one(rater: Rater) -> None:
        rater.join()
        if start is not None:
            start.wait()
        rater.judge_everything()

    threads = [threading.Thread(target=one, args=(rater,)) for rater in raters]
    for thread in threads:
        thread.start()
    return threads


def check_exact(store: Store, project: Project, raters: list[Rater], cases: int) -> None:
    """Every case exactly as often as asked, by different people; nothing acknowledged is lost."""
    assert [text for rater in raters for text in rater.complaints] == []
    found = [(row["case"], row["rater"]) for row in judged(store, project.id, names="own")]
    assert len(found) == len(set(found)), "somebody judged a case twice"
    acknowledged = [pair for rater in raters for pair in rater.acknowledged]
    assert set(acknowledged) <= set(found), "an acknowledged judgment was lost"
    counts = Counter(case for case, _ in found)
    assert counts == {f"c{i}": project.settings.per_case for i in range(cases)}


def load(url: str, *, raters: int, cases: int, per_case: int) -> None:
    with open_store(url) as store, serving(url) as server:
        project = make_project(store, cases, per_case=per_case)
        people = [Rater(server, store, project, f"person{i}") for i in range(raters)]
        for thread in work(people, threading.Barrier(raters)):
            thread.join()
        check_exact(store, project, people, cases)


@pytest.mark.slow
def test_200_raters_at_once_give_every_case_exactly_its_judgments(url: str) -> None:
    load(url, raters=200, cases=80, per_case=5)


def run_with_kills(url: str, kills: int, *, cases: int, per_case: int, people: int = 8) -> None:
    with open_store(url) as store, serving(url) as server:
        project = make_project(store, cases, per_case=per_case, lease_minutes=30)
        raters = [Rater(server, store, project, f"person{i}") for i in range(people)]
        threads = work(raters)
        chance = random.Random(7)
        for number in range(kills):
            done = sum(len(rater.acknowledged) for rater in raters)
            while sum(len(rater.acknowledged) for rater in raters) < done + 5:
                assert any(thread.is_alive() for thread in threads), f"done after {number} kills"
                time.sleep(0.005)
            time.sleep(chance.random() * 0.03)
            server.kill()
            server.start()
        for thread in threads:
            thread.join()
        finish(store, project)
        check_exact(store, project, raters, cases)


def finish(store: Store, project: Project) -> None:
    """What is still in hands that are gone comes back and is judged by others."""
    later = time.time() + 7200
    for _ in range(project.settings.per_case):
        rater = store.join(project.id).id
        while isinstance(handed := store.next_case(rater, now=later), Assignment):
            store.answer(rater, handed.token, SubmittedAnswer("ok"), handed.token, now=later)


@pytest.mark.slow
@pytest.mark.parametrize("kills", [20])
def test_a_server_killed_twenty_times_loses_nothing_and_leaves_no_case_stuck(
    make_url: MakeUrl, kills: int
) -> None:
    run_with_kills(make_url(), kills, cases=80, per_case=6)


def auc(positive: list[float], negative: list[float]) -> float:
    """How often a value of the first is larger than one of the second."""
    import numpy as np

    values = np.array(positive + negative)
    ranks = np.empty(len(values))
    ranks[np.argsort(values)] = np.arange(1, len(values) + 1)
    rest = len(positive) * (len(positive) + 1) / 2
    return float((ranks[: len(positive)].sum() - rest) / (len(positive) * len(negative)))


@pytest.mark.slow
def test_response_times_do_not_tell_gold(tmp_path: Path) -> None:
    url = f"{tmp_path}/study.db"
    with open_store(url) as store, serving(url) as server:
        project = make_project(store, 1300, gold=1300, gold_rate=0.5)
        rater = Rater(server, store, project, "person")
        rater.join()
        rater.judge_everything(2000)
        assert rater.complaints == []
    for which, name in enumerate(("page", "answer")):
        times = [pair[which] for pair in rater.seconds]
        is_gold = [case.startswith("g") for case, _ in rater.acknowledged]
        gold = [seconds for seconds, known in zip(times, is_gold, strict=True) if known]
        rest = [seconds for seconds, known in zip(times, is_gold, strict=True) if not known]
        assert min(len(gold), len(rest)) > 700
        found = auc(gold, rest)
        print(f"{name}: AUC {found:.3f}")
        assert 0.45 < found < 0.55, f"time of the {name} tells gold: AUC {found:.3f}"
