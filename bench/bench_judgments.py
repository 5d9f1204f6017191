"""Ten million judgments on a million cases: seconds, and bytes of memory for each judgment.

Promises: well under 40 s on one core; at most 8 bytes per judgment beyond the cases.
The yardstick is csv.reader over the same file, doing nothing with its rows.

What judgments cost beyond their cases is a slope: the same cases are judged once, five times and
ten times, and the peak of the whole process must not grow by more than 8 bytes a judgment. (The
peak of a single run also holds the ids of the cases and the dictionary that finds them.)

Then evaluate (two systems), agree and aggregate beside what somebody would write with DuckDB and
Polars (bench/rivals), in turns: processor seconds, peak memory, and the ratio. The promise is 7 s
and 800 MB for ten million judgments.

    python bench/bench_judgments.py [JUDGMENTS] [--only-rivals [FILE DECISIONS DECISIONS]]
"""

from __future__ import annotations

import csv
import random
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables import judgments
from jurybox.model import CaseSet
from made_judgments import write_decisions as write_system
from made_judgments import write_judgments
from measuring import Cost, cost_of, make_decisions, peak, read_rows, rivals_python

JUDGMENTS = 10_000_000
PER_CASE = 10
RATERS = 1000
LABELS = ("error", "ok", "ok", "ok", "unknown")
#: judgments per case that the slope is measured at
TURNS = (1, 5, PER_CASE)


class Measured(NamedTuple):
    """Seconds on the clock, and memory in MB before and at the peak."""

    seconds: float
    before: float
    peak: float
    held: float  # by the columns of judgments


Measure = Callable[[Path, str], Measured]


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


def write_decisions(file: Path, cases: int, seed: int) -> None:
    """A system that reports one case in ten."""
    with file.open("w") as out:
        out.write("case,label,score\n")
        for case, label, score in make_decisions(cases, seed):
            out.write(f"c{case:07d},{label},{score:.4f}\n")


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


def take_turns(folder: Path, cases: int) -> None:
    """Files in which every case was judged once, five times, ten times: a turn is all cases."""
    with (folder / "plain.csv").open() as given:
        header = next(given)
        outs = {turns: (folder / f"turns-{turns}.csv").open("w") for turns in TURNS}
        for out in outs.values():
            out.write(header)
        for turn in range(PER_CASE):
            lines = list(islice(given, cases))
            for turns, out in outs.items():
                if turn < turns:
                    out.writelines(lines)
        for out in outs.values():
            out.close()


def evaluate_crowd(folder: Path, name: str) -> Measured:
    """Everything that `evaluate` does without resampling, for one system."""
    import jurybox

    warnings.simplefilter("ignore")  # of cases that only got an "unknown"
    before = peak()
    begun = time.perf_counter()
    jurybox.evaluate(folder / "cases.csv", folder / name, {"mine": folder / "decisions.csv"})
    return Measured(time.perf_counter() - begun, before, peak(), 0)


def print_slope(what: str, measure: Measure, folder: Path, cases: int) -> None:
    """By how many bytes the peak grows for every further judgment on the same cases."""
    runs = []
    for turns in TURNS:
        with get_context("spawn").Pool(1) as pool:
            runs.append(pool.apply(measure, (folder, f"turns-{turns}.csv")))
    for turns, run in zip(TURNS, runs, strict=True):
        print(f"{what}, {turns:2d} judgments a case: {run.seconds:5.1f} s, peak {run.peak:.0f} MB")
    further = (TURNS[-1] - TURNS[0]) * cases
    slope = (runs[-1].peak - runs[0].peak) * 2**20 / further
    print(f"{what}: the peak grows by {slope:.1f} bytes a judgment")


def compare_rivals(judgments: Path, decisions: Sequence[Path], turns: int = 2) -> None:
    """Every task by every tool, the least of some turns."""
    pythons = {
        "jurybox": Path(sys.executable),
        "duckdb": rivals_python(),
        "polars": rivals_python(),
    }
    scripts = Path(__file__).parent / "rivals"
    for task in ("evaluate", "agree", "majority"):
        costs: dict[str, list[Cost]] = {name: [] for name in pythons}
        for _ in range(turns):
            for name, python in pythons.items():
                call = (python, scripts / f"{name}_judgments.py", task, judgments, *decisions)
                costs[name].append(cost_of(*call))
        least = {name: Cost(*map(min, zip(*own, strict=True))) for name, own in costs.items()}
        for name, one in least.items():
            ratio = f"{least['jurybox'].seconds / one.seconds:5.2f}"
            print(
                f"{task:9s} {name:8s} {one.seconds:6.2f} s {one.peak:6.0f} MB  ours/theirs {ratio}"
            )


def make_rivals_files(folder: Path, wanted: int) -> tuple[Path, list[Path]]:
    """Judgments with repeats, and decisions of two systems without scores."""
    write_judgments(folder, "j", wanted, forms=("csv",))
    decisions = []
    for number in (1, 2):
        scored, bare = folder / f"scored{number}.csv", folder / f"d{number}.csv"
        write_system(scored, wanted // PER_CASE, seed=number)
        with scored.open() as given, bare.open("w") as out:
            out.writelines(f"{line.rpartition(',')[0]}\n" for line in given)
        decisions.append(bare)
    return folder / "j.csv", decisions


def main() -> None:
    """Make up the files, and read each in a fresh process."""
    arguments = sys.argv[1:]
    wanted = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else JUDGMENTS
    if len(arguments) > 1:
        compare_rivals(Path(arguments[1]), [Path(each) for each in arguments[2:]])
        return
    with tempfile.TemporaryDirectory() as name:
        compare_rivals(*make_rivals_files(Path(name), wanted))
    if arguments:
        return
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
                seconds = read_rows(folder / file)
                print(f"{'':12s} csv.reader alone     {seconds:6.2f} s: ", end="")
                print(f"{run.seconds / seconds:.1f} yardsticks")
        cases = wanted // PER_CASE
        write_decisions(folder / "decisions.csv", cases, seed=1)
        take_turns(folder, cases)
        print_slope("reading", read_judgments, folder, cases)
        print_slope("evaluate", evaluate_crowd, folder, cases)


if __name__ == "__main__":
    main()
