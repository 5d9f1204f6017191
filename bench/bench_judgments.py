"""Ten million judgments on a million cases: seconds, and bytes of memory for each judgment.

Promises: well under 40 s on one core; at most 8 bytes per judgment beyond the cases.
The yardstick is csv.reader over the same file, doing nothing with its rows.

    python bench/bench_judgments.py [JUDGMENTS]
"""

from __future__ import annotations

import csv
import random
import resource
import sys
import tempfile
import time
import warnings
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from jurybox.formats import cases as case_files
from jurybox.formats import judgments
from jurybox.model import CaseSet

JUDGMENTS = 10_000_000
PER_CASE = 10
RATERS = 1000
LABELS = ("error", "ok", "ok", "ok", "unknown")


class Measured(NamedTuple):
    """Seconds on the clock, and memory in MB before and at the peak."""

    seconds: float
    before: float
    peak: float
    held: float  # by the columns of judgments


def make_files(folder: Path, judgments_wanted: int) -> None:
    """The case file, and the judgments as CSV, quoted CSV and JSONL; nobody judges a case twice."""
    rng = random.Random(4)
    many = judgments_wanted // PER_CASE
    with (folder / "cases.csv").open("w") as out:
        out.write("case\n")
        out.writelines(f"c{case:07d}\n" for case in range(many))
    with (folder / "plain.csv").open("w") as out:
        out.write("case,rater,label\n")
        for turn in range(PER_CASE):
            for case in range(many):
                rater = (case * 7 + turn * 131) % RATERS
                out.write(f"c{case:07d},W{rater},{rng.choice(LABELS)}\n")


def convert(folder: Path, rows: int) -> None:
    """A tenth of the judgments with every cell quoted, and as JSONL."""
    with (folder / "plain.csv").open(newline="") as given:
        reader = csv.reader(given)
        next(reader)
        with (folder / "quoted.csv").open("w") as out, (folder / "lines.jsonl").open("w") as lines:
            out.write('"case","rater","label"\n')
            for _, (case, rater, label) in zip(range(rows), reader, strict=False):
                out.write(f'"{case}","{rater}","{label}"\n')
                lines.write(f'{{"case": "{case}", "rater": "{rater}", "label": "{label}"}}\n')


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def read_judgments(folder: Path, name: str) -> Measured:
    """Read one file; run in a process of its own, since the peak is that of the process."""
    import numpy  # noqa: F401  its memory is not that of the judgments

    warnings.simplefilter("error")
    known: CaseSet = case_files.read(folder / "cases.csv")
    before = peak()
    begun = time.perf_counter()
    found = judgments.read(folder / name, known)
    seconds = time.perf_counter() - begun
    table = found.table
    held = (table.case.buffer_info()[1] + table.answer.buffer_info()[1]) * table.case.itemsize
    return Measured(seconds, before, peak(), held / len(table))


def yardstick(file: Path) -> float:
    begun = time.perf_counter()
    with file.open(newline="") as given:
        for _ in csv.reader(given):
            pass
    return time.perf_counter() - begun


def main() -> None:
    """Make up the files, and read each in a fresh process."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else JUDGMENTS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder, wanted)
        convert(folder, wanted // 10)
        sizes = {"plain.csv": wanted, "quoted.csv": wanted // 10, "lines.jsonl": wanted // 10}
        print(f"{wanted // PER_CASE} cases")
        for file, rows in sizes.items():
            with get_context("spawn").Pool(1) as pool:
                run = pool.apply(read_judgments, (folder, file))
            grown = (run.peak - run.before) * 2**20 / rows
            print(
                f"{file:12s} {rows:9d} judgments  {run.seconds:6.2f} s  "
                f"{rows / run.seconds / 1e6:5.2f} M rows/s  peak {run.peak:5.0f} MB  "
                f"{run.held:.1f} bytes per judgment held, {grown:.1f} at the peak"
            )
            if file.endswith(".csv"):
                seconds = yardstick(folder / file)
                print(f"{'':12s} csv.reader alone     {seconds:6.2f} s: ", end="")
                print(f"{run.seconds / seconds:.1f} yardsticks")


if __name__ == "__main__":
    main()
