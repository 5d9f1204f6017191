"""The annotation server over HTTP: pages and answers among 100,000 cases, 20 raters, SQLite.

Promise: half of the pages take less than 50 ms and 99 in 100 less than 500 ms, and so do answers,
with 20 raters who think for a second about each case. How many judgments a second there can be is
measured with raters who do not think; they share the processor with the server, so it could do
more. What does not hang on how busy the machine is: the processor time that the server takes for a
request, beside that of a bare commit.

    python bench/bench_serve.py [CASES] [RATERS] [SECONDS]
"""

from __future__ import annotations

import http.client
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

from bench_serve_store import COMMITS, make_study, yardstick
from jurybox.serve.store import Store, open_store
from jurybox.serve.tokens import Tokens

CASES, RATERS, SECONDS = 100_000, 20, 20
PROMISED_P50_MS, PROMISED_P99_MS = 50.0, 500.0
HIDDEN = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
SERVER = """
import gc, sys
gc.set_threshold(100_000, 50, 50)  # as `jurybox serve` does
from jurybox.serve.app import listen, make_app, port_of, run_app
from jurybox.serve.store import open_store
with open_store(sys.argv[1]) as store:
    found = listen(port=0)
    print(port_of(found), flush=True)
    run_app(make_app(store), found)
"""


class Rater(threading.Thread):
    """Somebody who judges until the time is over, thinking for some seconds each time."""

    def __init__(self, port: int, cookie: str, path: str, *, until: float, think: float) -> None:
        super().__init__()
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._headers = {"Cookie": cookie}
        self._path = path
        self._until = until
        self._think = think
        self.pages: list[float] = []
        self.answers: list[float] = []
        self.is_done = False  # not if something went wrong on the way

    def run(self) -> None:
        while time.perf_counter() < self._until:
            begun = time.perf_counter()
            text, word = self._ask("GET", None)
            self.pages.append(1000 * (time.perf_counter() - begun))
            if word:
                self._headers["Cookie"] += f"; {word}"
            time.sleep(self._think * random.uniform(0.5, 1.5))
            begun = time.perf_counter()
            self._ask("POST", urlencode([*HIDDEN.findall(text), ("label", "error")]))
            self.answers.append(1000 * (time.perf_counter() - begun))
        self._connection.close()
        self.is_done = True

    def _ask(self, method: str, body: str | None) -> tuple[str, str]:
        headers = dict(self._headers)
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._connection.request(method, self._path, body, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status != (200 if method == "GET" else 303):
            raise RuntimeError(f"{method} {self._path}: {answer.status}")
        return text, (answer.headers["Set-Cookie"] or "").partition(";")[0]


def judge(store: Store, project: int, port: int, raters: int, **how: float) -> list[Rater]:
    tokens = Tokens(store.secret)
    until = time.perf_counter() + how["seconds"]
    people = []
    for _ in range(raters):
        cookie = f"jurybox_rater_{project}={tokens.rater(store.join(project))}"
        path = f"/r/{project}/case"
        people.append(Rater(port, cookie, path, until=until, think=how["think"]))
    for one in people:
        one.start()
    for one in people:
        one.join()
    if not all(one.is_done for one in people):
        sys.exit("a rater gave up: these times would be too good")
    return people


def tell(people: list[Rater], seconds: float) -> tuple[float, float]:
    """Print how long it took; gives median and slowest hundredth, of whichever takes longer."""
    found = []
    for name in ("pages", "answers"):
        times = sorted(one for rater in people for one in getattr(rater, name))
        found.append((_part(times, 0.5), _part(times, 0.99)))
        print(f"  {name:7} p50 {found[-1][0]:6.1f} ms  p99 {found[-1][1]:6.1f} ms")
    print(f"  {sum(len(rater.answers) for rater in people) / seconds:.0f} judgments a second")
    return max(p50 for p50, _ in found), max(p99 for _, p99 in found)


def processor_ms(process: int) -> float:
    """Milliseconds that a process had on the processor (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return 1000 * sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def _part(ordered: list[float], share: float) -> float:
    return ordered[int(len(ordered) * share)]


def main() -> None:
    cases, raters, seconds = (
        int(sys.argv[place]) if len(sys.argv) > place else default
        for place, default in ((1, CASES), (2, RATERS), (3, SECONDS))
    )
    with tempfile.TemporaryDirectory() as name:
        begun = time.process_time()
        print(f"yardstick: a commit takes {yardstick(Path(name)):.2f} ms", end="")
        commit = 1000 * (time.process_time() - begun) / COMMITS
        print(f", {commit:.3f} ms of them on the processor")
        url = f"{name}/study.db"
        with open_store(url) as store:
            project = make_study(store, cases)
            server = subprocess.Popen(
                [sys.executable, "-c", SERVER, url], stdout=subprocess.PIPE, text=True
            )
            try:
                assert server.stdout is not None
                port = int(server.stdout.readline())
                judge(store, project, port, 1, seconds=1, think=0)  # warm
                print(f"{cases} cases, {raters} raters who think for a second:")
                people = judge(store, project, port, raters, seconds=seconds, think=1)
                p50, p99 = tell(people, seconds)
                print(f"{raters} raters who do not think:")
                before = processor_ms(server.pid)
                people = judge(store, project, port, raters, seconds=seconds / 2, think=0)
                tell(people, seconds / 2)
                spent = processor_ms(server.pid) - before
                each = spent / sum(len(one.pages) + len(one.answers) for one in people)
                print(f"  the server's processor: {each:.2f} ms a request, ", end="")
                print(f"{each / commit:.0f} bare commits")
            finally:
                server.terminate()
                server.wait()
    if p50 > PROMISED_P50_MS or p99 > PROMISED_P99_MS:
        sys.exit(f"promised were {PROMISED_P50_MS:.0f} ms and {PROMISED_P99_MS:.0f} ms")


if __name__ == "__main__":
    main()
