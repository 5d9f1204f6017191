"""A Dask cluster on this machine: the same digits as local, from a sample in several files.

A scheduler and two workers are started on the loopback address, `score` and `evaluate` run on them
and in this process, and everything is ended again.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jurybox
from jurybox.formats.tables import judgments

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"
#: judgments of the sample are cut into so many files; texts are laid end to end so many times
FILES, COPIES = 5, 60


def start(*command: str) -> subprocess.Popen[bytes]:
    """A process of the cluster; it says nothing."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-m", "dask", *command], **quiet)  # type: ignore[call-overload,no-any-return]  # mypy wants every keyword by itself


def answer(call: Callable[..., Any], engine: str | None = None) -> tuple[dict[str, Any], float]:
    """The result of a call as JSON, and the seconds it took."""
    begun = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = call(engine=engine).to_dict()
    return result, time.perf_counter() - begun


def make_sample(folder: Path) -> None:
    """Judgments in several files, decisions, and a text long enough for several shards."""
    read = judgments.read(SAMPLE / "judgments.csv")
    rows = [
        f"{read.cases.ids[case]},{read.table.raters[who >> 8]},{read.table.labels[who & 255]}\n"
        for case, who in zip(read.table.case, read.table.answer, strict=True)
    ]
    for number in range(FILES):
        part = folder / f"judgments{number}.csv"
        part.write_text("case,rater,label\n" + "".join(rows[number::FILES]), "utf-8")
    for name in ("bold.txt", "cautious.txt", "A1.m2"):
        (folder / name).write_text((SAMPLE / name).read_text("utf-8") * COPIES, "utf-8")
    decisions = (SAMPLE / "bold.csv").read_text("utf-8").splitlines()
    short = [",".join(line.split(",")[:2]) for line in decisions]
    (folder / "decisions.csv").write_text("\n".join(short) + "\n", "utf-8")


def main() -> int:
    """Run everything twice and compare."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        make_sample(folder)
        note = folder / "scheduler.json"
        started = [
            start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                  "--scheduler-file", str(note))
        ]  # fmt: skip
        try:
            for _ in range(2):
                started.append(
                    start("worker", "--scheduler-file", str(note), "--nthreads", "1",
                          "--no-dashboard", "--local-directory", name)
                )  # fmt: skip
            deadline = time.monotonic() + 60
            while not note.exists():
                if time.monotonic() > deadline:
                    sys.exit("the scheduler did not start within a minute")
                time.sleep(0.1)
            time.sleep(0.2)  # it is written in one go, but not all at once
            cluster = json.loads(note.read_text("utf-8"))["address"].replace("tcp", "dask")
            print(f"a scheduler and two workers at {cluster}")
            systems = [folder / "bold.txt", folder / "cautious.txt"]
            files = sorted(folder.glob("judgments*.csv"))
            calls: dict[str, Callable[..., Any]] = {
                "score": partial(jurybox.score, systems, folder / "A1.m2", ci=True),
                "evaluate": partial(
                    jurybox.evaluate,
                    None,
                    files,
                    {"bold": folder / "decisions.csv"},
                    ci=True,
                    other_cases="skip",
                ),
            }
            for title, call in calls.items():
                (here, seconds_here), (there, seconds_there) = answer(call), answer(call, cluster)
                same = here == there
                print(
                    f"{title}: here {seconds_here:.1f} s, on the cluster {seconds_there:.1f} s, "
                    f"{'the same JSON' if same else 'ANOTHER JSON'}"
                )
                if not same:
                    return 1
        finally:
            for process in reversed(started):
                process.terminate()
            for process in started:
                process.wait()
    print("the cluster has ended")
    return 0


if __name__ == "__main__":
    sys.exit(main())
