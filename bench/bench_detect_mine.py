"""Mining with counts of 26 million words: seconds, and memory that does not grow with the counts.

Promises: prose is counted in under four minutes and files of n-grams at a million lines in less
than three seconds, in under 200 MB each. Each step has a process of its own, so that its peak is
its own. The yardstick is reading and splitting the same lines and doing nothing with the words.

    python bench/bench_detect_mine.py [LINES]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from jurybox.detect.mine import mine_candidates
from jurybox.formats.edits import text
from measuring import DATA, WIKIPEDIA, peak

LINES = 5_000_000
SECONDS, SECONDS_PER_MILLION, MEGABYTES = 240.0, 3.0, 200.0
PANEL = sorted((DATA / "conll14-10").glob("A*.m2"))


class Measured(NamedTuple):
    """Seconds, and the peak of the process in MB."""

    seconds: float
    peak: float


def make_counts(file: Path, lines: int) -> None:
    """Single words and pairs of which some are asked for, and so many triples."""
    words = ("of", "to", "the", "near", "despite", *(f"word{number}" for number in range(195)))
    with file.open("w", encoding="utf-8") as out:
        out.writelines(f"{word}\t1000000\n" for word in words)
        out.writelines(f"{one} {other}\t9000\n" for one, other in product(words, repeat=2))
        triples = zip(range(lines), product(words, repeat=3), strict=False)
        out.writelines(f"{' '.join(triple)}\t40\n" for _, triple in triples)


def count_prose(file: Path) -> None:
    mine_candidates(m2=PANEL, counts_text=file)


def count_files(file: Path) -> None:
    mine_candidates(m2=PANEL, counts=file)


def split_lines(file: Path) -> None:
    for line in text.read(file):
        line.split()


def measured(step: Callable[[Path], None], file: Path) -> Measured:
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_measure, (step, file))


def _measure(step: Callable[[Path], None], file: Path) -> Measured:
    begun = time.perf_counter()
    step(file)
    seconds = time.perf_counter() - begun
    return Measured(seconds, peak())


def main() -> None:
    """Measure both ways to count, each beside its yardstick."""
    if not PANEL or not WIKIPEDIA.exists():
        sys.exit(f"{DATA} has no text/ and conll14-10/: set JURYBOX_DATA to the folder that has")
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else LINES
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.tsv"
        make_counts(counts, lines)
        for title, step, file, limit in (
            ("26 M words of prose", count_prose, WIKIPEDIA, SECONDS),
            (f"{lines:,} 3-grams", count_files, counts, SECONDS_PER_MILLION * lines / 1e6),
        ):
            run, bare = measured(step, file), measured(split_lines, file)
            kept = kept and run.seconds < limit and run.peak < MEGABYTES
            print(
                f"{title:20s}{run.seconds:6.1f} s (promised: {limit:.0f}), peak {run.peak:4.0f} MB "
                f"(promised: {MEGABYTES:.0f}); splitting alone {bare.seconds:.1f} s"
            )
    if not kept:
        sys.exit("a promise is broken")


if __name__ == "__main__":
    main()
