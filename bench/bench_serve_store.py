"""The store of the annotation server on SQLite: hand-outs and answers among 100,000 cases.

Promise: half of the hand-outs take less than 5 ms in the store, with 20 raters who ask and answer
without a pause, and no more when a rater has judged very much. The yardstick is a commit of one
row, with all that makes it safe.

    python bench/bench_serve_store.py [CASES] [RATERS] [JUDGMENTS]
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import threading
import time
from pathlib import Path

from jurybox.serve.model import Assignment, NewCase, Purpose, SubmittedAnswer
from jurybox.serve.settings import GoldRule, Settings
from jurybox.serve.store import Store, open_store

CASES, RATERS, JUDGMENTS = 100_000, 20, 4000
PROMISED_MS = 5.0
COMMITS = 200  # of the yardstick


def make_study(store: Store, cases: int) -> int:
    rule = GoldRule(0.0, 5)
    settings = Settings("study", per_case=3, gold_rate=0.1, gold_rule=rule, repeat_share=0.05)
    project = store.create_project(settings)
    sentence = "The committee has decided to wait at the answer of the other side ."
    work = [NewCase(f"c{i}", f"{i} {sentence}", 7, 8, "at") for i in range(cases)]
    gold = [
        NewCase(f"g{i}", sentence, 6, 7, "at", purpose=Purpose.GOLD, gold=("error",))
        for i in range(200)
    ]
    store.add_cases(project.id, [*work, *gold])
    return project.id


class Times:
    """Milliseconds of calls, from all threads."""

    def __init__(self) -> None:
        self.hand_out: list[float] = []
        self.answer: list[float] = []


def judge(store: Store, rater: int, number: int, times: Times) -> None:
    for turn in range(number):
        begun = time.perf_counter()
        handed = store.next_case(rater)
        middle = time.perf_counter()
        assert isinstance(handed, Assignment)
        store.answer(rater, handed.token, SubmittedAnswer("error"), f"{turn}/{handed.token}")
        times.hand_out.append(1000 * (middle - begun))
        times.answer.append(1000 * (time.perf_counter() - middle))


def run(store: Store, project: int, raters: int, judgments: int) -> tuple[Times, float]:
    times = Times()
    joined = [store.join(project).id for _ in range(raters)]
    share = judgments // raters
    threads = [threading.Thread(target=judge, args=(store, r, share, times)) for r in joined]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, time.perf_counter() - begun


def yardstick(folder: Path) -> float:
    """Milliseconds of a commit."""
    connection = sqlite3.connect(folder / "plain.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE t (x)")
    begun = time.perf_counter()
    for number in range(COMMITS):
        connection.execute("INSERT INTO t VALUES (?)", (number,))
    seconds = time.perf_counter() - begun
    connection.close()
    return 1000 * seconds / COMMITS


def told(times: list[float]) -> str:
    ordered = sorted(times)
    p50, p99 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    return f"p50 {p50:7.2f} ms  p99 {p99:7.2f} ms  largest {ordered[-1]:7.2f} ms"


def main() -> None:
    cases, raters, judgments = (
        int(sys.argv[place]) if len(sys.argv) > place else default
        for place, default in ((1, CASES), (2, RATERS), (3, JUDGMENTS))
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"yardstick: a commit takes {yardstick(folder):.2f} ms")
        with open_store(f"{folder}/study.db") as store:
            begun = time.perf_counter()
            project = make_study(store, cases)
            print(f"{cases} cases added in {time.perf_counter() - begun:.1f} s")
            alone, seconds = run(store, project, 1, judgments // 4)
            print(f"1 rater: {len(alone.answer) / seconds:.0f} judgments a second")
            print(f"  hand-out {told(alone.hand_out)}\n  answer   {told(alone.answer)}")
            together, seconds = run(store, project, raters, judgments)
            print(f"{raters} raters: {len(together.answer) / seconds:.0f} judgments a second")
            print(f"  hand-out {told(together.hand_out)}\n  answer   {told(together.answer)}")
            median = sorted(alone.hand_out)[len(alone.hand_out) // 2]
            if median > PROMISED_MS:
                sys.exit(f"half of the hand-outs take more than {PROMISED_MS} ms")


if __name__ == "__main__":
    main()
