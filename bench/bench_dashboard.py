"""The admin's dashboard among 100,000 cases and 300,000 judgments, SQLite, while people judge.

Promise: raters do not feel that somebody watches. With 10 raters who think for a second, half of
their pages stay below 50 ms and 99 in 100 below 500 ms while two dashboards ask every five seconds,
as their script does; or, on a machine that is too busy for that, nothing takes more than one and a
half times as long as with nobody watching. Both are measured in turns.

    python bench/bench_dashboard.py [CASES] [RATERS] [SECONDS]
"""

from __future__ import annotations

import http.client
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from bench_serve import PROMISED_P50_MS, PROMISED_P99_MS, SERVER, Rater, judge, tell
from bench_serve_store import yardstick
from jurybox.formats.tables.sample_key import DrawnCase, KeyStratum, SampleKey
from jurybox.serve.dashboard import dashboard_of
from jurybox.serve.dashboard.findings import find
from jurybox.serve.model import NewCase, Project
from jurybox.serve.settings import GoldRule, Settings
from jurybox.serve.store import Store, open_store
from jurybox.serve.store.tables import answers, assignments, cases, raters
from jurybox.serve.tokens import Tokens

CASES, RATERS, SECONDS = 100_000, 10, 20
#: how often both are measured, and how much longer things may take
TURNS, TIMES = 3, 1.5
PER_CASE, CROWD = 3, 300
#: seconds between two questions of a dashboard, and how many are open
EVERY, WATCHERS = 5.0, 2
ROWS = 20_000


def make_study(store: Store, number: int) -> Project:
    """Cases of a sample, two thirds of which have all their judgments but some."""
    settings = Settings(
        "study",
        per_case=PER_CASE + 1,
        gold_rate=0.1,
        gold_rule=GoldRule(0.0, 5),
        pay="$0.02",
        precise_within=0.001,
    )
    project = store.create_project(settings)
    sentence = "The committee has decided to wait at the answer of the other side ."
    work = [NewCase(f"c{i}", f"{i} {sentence}", 7, 8, "at") for i in range(number)]
    store.add_cases(project.id, work)
    labels = ["error" if i % 5 == 0 else "ok" for i in range(number)]
    flagged = labels.count("error")
    parts = (
        KeyStratum("error", "error", 3 * number, flagged),
        KeyStratum("ok", "ok", 30 * number, number - flagged),
    )
    drawn = tuple(DrawnCase(f"c{i}", f"case {i}", labels[i]) for i in range(number))
    store.add_key(project.id, SampleKey(parts, drawn, seed=9))
    _judge_all(store, project.id)
    return store.project_by_id(project.id)


def _judge_all(store: Store, project: int) -> None:
    """Every case has been judged by some of a crowd within the last three days."""
    people = [store.join(project).id for _ in range(CROWD)]
    with store.database.writing() as connection:
        known = connection.execute(sa.select(cases.c.id, cases.c.name).order_by(cases.c.id)).all()
        done = dict.fromkeys(people, 0)
        rows = _rows(project, people, known, done)
        while batch := [row for row, _ in zip(rows, range(ROWS), strict=False)]:
            connection.execute(assignments.insert(), [one for one, _ in batch])
            connection.execute(answers.insert(), [one for _, one in batch])
        connection.execute(cases.update().values(taken=PER_CASE, answered=PER_CASE))
        values = [{"b_id": rater, "b_done": number} for rater, number in done.items()]
        changed = raters.update().where(raters.c.id == sa.bindparam("b_id"))
        connection.execute(
            changed.values(answered=sa.bindparam("b_done"), handed=sa.bindparam("b_done")), values
        )


def _rows(
    project: int, people: list[int], known: Any, done: dict[int, int]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    chance = random.Random(1)
    begun = time.time() - 3 * 86400
    step = 3 * 86400 / (len(known) * PER_CASE)
    number = 0
    for turn in range(PER_CASE):
        for place, case in enumerate(known):
            rater = people[(place + turn * 7) % len(people)]
            number += 1
            done[rater] += 1
            moment = begun + number * step
            who = {"project_id": project, "rater_id": rater, "case_id": case.id}
            is_error = chance.random() < (0.7 if place % 5 == 0 else 0.04)
            yield (
                {
                    **who,
                    "id": number,
                    "token": f"t{number}",
                    "round": 1,
                    "number": done[rater],
                    "purpose": "work",
                    "state": "answered",
                    "handed": moment - 4,
                    "expires": moment + 900,
                },
                {
                    **who,
                    "assignment_id": number,
                    "key": f"k{number}",
                    "label": "error" if is_error else "ok",
                    "seconds": 4.0,
                    "submitted": moment,
                },
            )


class Watcher(threading.Thread):
    """An admin's browser with the dashboard open."""

    def __init__(self, port: int, cookie: str, path: str, until: float) -> None:
        super().__init__()
        self._port = port
        self._cookie = cookie
        self._path = path
        self._until = until
        self.times: list[float] = []
        self.is_done = False

    def run(self) -> None:
        while time.perf_counter() < self._until:
            begun = time.perf_counter()
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            connection.request("GET", self._path, headers={"Cookie": self._cookie})
            answer = connection.getresponse()
            answer.read()
            connection.close()
            if answer.status != 200:
                raise RuntimeError(f"{self._path}: {answer.status}")
            self.times.append(1000 * (time.perf_counter() - begun))
            time.sleep(EVERY)
        self.is_done = True


class Seconds(NamedTuple):
    """What it takes in a process that does nothing else."""

    counting: float
    first: float
    again: float


def measure(store: Store, project: Project) -> Seconds:
    begun = time.perf_counter()
    find(store, project, time.time())
    counting = time.perf_counter() - begun
    times = []
    for _ in range(2):
        begun = time.perf_counter()
        dashboard_of(store, project)
        times.append(time.perf_counter() - begun)
    return Seconds(counting, *times)


def watched(
    store: Store, project: int, port: int, raters_there: int, seconds: float
) -> list[Rater]:
    """The raters' times while dashboards are open."""
    user = store.users()[0] if store.users() else store.add_user("ada", "correct horse battery")
    cookie = f"jurybox_session={Tokens(store.secret).session(user)}"
    path = f"/admin/projects/{project}/dashboard/board"
    until = time.perf_counter() + seconds
    watchers = [Watcher(port, cookie, path, until) for _ in range(WATCHERS)]
    for one in watchers:
        one.start()
    people = judge(store, project, port, raters_there, seconds=seconds, think=1)
    for one in watchers:
        one.join()
    if not all(one.is_done for one in watchers):
        sys.exit("a dashboard gave up: these times would be too good")
    times = sorted(one for watcher in watchers for one in watcher.times)
    print(f"  dashboards: p50 {times[len(times) // 2]:.0f} ms, longest {times[-1]:.0f} ms")
    return people


def main() -> None:
    number, people, seconds = (
        int(sys.argv[place]) if len(sys.argv) > place else default
        for place, default in ((1, CASES), (2, RATERS), (3, SECONDS))
    )
    with tempfile.TemporaryDirectory() as name:
        print(f"yardstick: a commit takes {yardstick(Path(name)):.2f} ms")
        url = f"{name}/study.db"
        with open_store(url) as store:
            project = make_study(store, number)
            took = measure(store, project)
            print(
                f"{number} cases, {number * PER_CASE} judgments: counting takes "
                f"{took.counting:.2f} s, a page {1000 * took.again:.0f} ms"
            )
            server = subprocess.Popen(
                [sys.executable, "-c", SERVER, url], stdout=subprocess.PIPE, text=True
            )
            try:
                assert server.stdout is not None
                port = int(server.stdout.readline())
                judge(store, project.id, port, 1, seconds=1, think=0)  # warm
                alone: list[Rater] = []
                beside: list[Rater] = []
                for _ in range(TURNS):
                    alone += judge(store, project.id, port, people, seconds=seconds, think=1)
                    beside += watched(store, project.id, port, people, seconds)
                    time.sleep(2 * took.counting)  # the last count is over
                print(f"{people} raters who think for a second, nobody watches:")
                without = tell(alone, TURNS * seconds)
                print(f"{people} raters, {WATCHERS} dashboards:")
                found = tell(beside, TURNS * seconds)
            finally:
                server.terminate()
                server.wait()
    promised = (PROMISED_P50_MS, PROMISED_P99_MS)
    for name, took_ms, limit, yard in zip(("p50", "p99"), found, promised, without, strict=True):
        if took_ms > max(limit, TIMES * yard):
            sys.exit(f"{name}: promised were {limit:.0f} ms, or {TIMES} times as long as alone")


if __name__ == "__main__":
    main()
