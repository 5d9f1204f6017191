"""Shared by the benchmarks: where the data is, yardsticks, and how to time a command.

Machines are shared and noisy, so a promise is kept as a ratio to something measured in the same
run: a plain Python Levenshtein pass over the same sentences, csv.reader over the same file, a sort
of as many keys.
"""

from __future__ import annotations

import csv
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("JURYBOX_DATA", ROOT.parent / "shared" / "data"))
GOLD = DATA / "conll14" / "official-2014.combined.m2"
CAMB = DATA / "systems" / "CAMB"
WIKIPEDIA = DATA / "text" / "enwiki-a.txt.xz"


class Run(NamedTuple):
    """Seconds on the clock, the largest memory of any command so far in MB, processor seconds."""

    seconds: float
    peak: float
    processor: float


def need_data() -> None:
    """Say what is missing instead of failing somewhere later."""
    if not GOLD.exists():
        sys.exit(f"{GOLD} is not here: set JURYBOX_DATA to the folder that holds conll14/")


def need_text() -> None:
    """The same for what language models are trained on."""
    if not WIKIPEDIA.exists():
        sys.exit(f"{WIKIPEDIA} is not here: set JURYBOX_DATA to the folder that holds text/")


def peak() -> float:
    """The largest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def jurybox(*arguments: str | Path) -> Run:
    """Run the command line in a process of its own, start-up and imports included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    command = [sys.executable, "-m", "jurybox", *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Run(seconds, after.ru_maxrss / 1024, processor)


class Cost(NamedTuple):
    """What a process takes: seconds of all its processors, and its largest memory in MB."""

    seconds: float
    peak: float


def cost_of(*command: str | Path) -> Cost:
    """Run a command to its end."""
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def rivals_python() -> Path:
    """The interpreter of an environment with DuckDB and Polars; it is made if there is none.

    The environment variable JURYBOX_RIVALS names another one.
    """
    if given := os.environ.get("JURYBOX_RIVALS"):
        return Path(given)
    folder = ROOT / "build" / "rivals"
    if not (folder / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        packages = ["duckdb", "polars", "pyarrow"]
        subprocess.run([folder / "bin" / "pip", "install", "-q", *packages], check=True)
    return folder / "bin" / "python"


def yardstick(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> float:
    """Processor seconds of one plain Levenshtein pass over token pairs."""
    begun = time.process_time()
    for source, hypothesis in pairs:
        above = list(range(len(hypothesis) + 1))
        for i, ours in enumerate(source, 1):
            row = [i]
            for j, theirs in enumerate(hypothesis, 1):
                row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (ours != theirs)))
            above = row
    return time.process_time() - begun


def read_rows(file: Path) -> float:
    """Seconds of csv.reader over a file, doing nothing with its rows."""
    begun = time.perf_counter()
    with file.open(newline="") as given:
        for _ in csv.reader(given):
            pass
    return time.perf_counter() - begun


def sort_keys(number: int) -> float:
    """Seconds of numpy's argsort of random keys."""
    import numpy as np

    keys = np.random.default_rng(1).integers(0, 2**40, number)
    begun = time.perf_counter()
    np.argsort(keys)
    return time.perf_counter() - begun


def make_decisions(number: int, seed: int) -> Iterator[tuple[int, str, float]]:
    """Case, label and score of a system that reports one case in ten."""
    rng = random.Random(seed)
    for case in range(number):
        score = rng.random()
        yield case, "error" if score > 0.9 else "ok", score


def camb_pairs() -> list[tuple[list[str], list[str]]]:
    """Source and hypothesis of the CAMB system, sentence by sentence."""
    with GOLD.open(encoding="utf-8") as gold, CAMB.open(encoding="utf-8") as output:
        sources = [line[2:].split() for line in gold if line.startswith("S ")]
        return list(zip(sources, (line.split() for line in output), strict=True))
