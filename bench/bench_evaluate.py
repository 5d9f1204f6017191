"""Evaluating against a crowd: ten million judgments on a million cases, two systems.

    python bench/bench_evaluate.py [JUDGMENTS]

The promise: `jurybox evaluate` without bootstrap in under 60 s and under 4 GB on two cores, files
included. The yardstick is csv.reader over the judgments, doing nothing with its rows. Then, where
the data is there: prepositions and all tokens of ten annotators, cases derived and three systems
evaluated, in under 20 s for everything.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bench_judgments import JUDGMENTS, PER_CASE, make_files, write_decisions
from measuring import DATA, jurybox, read_rows


def large(wanted: int) -> None:
    """A crowd."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder, wanted)
        for number in (1, 2):
            write_decisions(folder / f"s{number}.csv", wanted // PER_CASE, number)
        unit = read_rows(folder / "plain.csv")
        systems = [f"{n}={folder / f'{n}.csv'}" for n in ("s1", "s2")]
        crowd: list[str | Path] = ["--judgments", folder / "plain.csv", "--system", *systems]
        run = jurybox("evaluate", folder / "cases.csv", *crowd, "-o", folder / "result.txt")
        print(f"csv.reader over {wanted} judgments {unit:.1f} s")
        print(
            f"evaluate, {wanted // PER_CASE} cases, 2 systems: {run.seconds:.1f} s "
            f"({run.seconds / unit:.1f} yardsticks), peak {run.peak:.0f} MB"
        )


def ten_annotators() -> None:
    """Ten annotators and three systems."""
    gold = [DATA / "conll14-10" / f"A{number}.m2" for number in range(1, 11)]
    if not gold[0].exists():
        print(f"{gold[0]} is not here: set JURYBOX_DATA to see the ten annotators")
        return
    names = ("AMU", "CAMB", "CUUI")
    systems = ["--system", *(f"{name}={DATA / 'systems' / name}" for name in names)]
    total = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for construction in ("preposition", "token"):
            cases, judged = folder / f"{construction}.jsonl", folder / f"{construction}.csv"
            decided = folder / construction
            panel: list[str | Path] = ["--gold", *gold, "--construction", construction]
            made: list[str | Path] = ["-o", cases, "--judgments", judged, "--decisions", decided]
            derived = jurybox("cases", "derive", *panel, "--tagger", "words", *systems, *made)
            given = [f"{system}={decided / f'{system}.csv'}" for system in names]
            told = jurybox("evaluate", cases, "--judgments", judged, "--system", *given)
            total += derived.seconds + told.seconds
            print(f"{construction}: derive {derived.seconds:.1f} s, evaluate {told.seconds:.1f} s")
    print(f"everything: {total:.1f} s")


def main() -> None:
    """Measure and print."""
    ten_annotators()
    large(int(sys.argv[1]) if len(sys.argv) > 1 else JUDGMENTS)


if __name__ == "__main__":
    main()
