"""Agreement of a large crowd: a million judgments, and the curve of a crowd of twenty.

    python bench/bench_agree.py

Promises: `jurybox agree` on 1,000,000 judgments (100,000 cases, ten each, 500 raters) with its
crowds against known answers takes seconds; the crowd's curve alone (20 judgments per case, 100
draws, 100,000 cases) takes less than 30 s. The yardstick of the first is csv.reader over the same
file, doing nothing with its rows; that of the second is drawing its 200,000,000 judgments, the
random numbers alone.
"""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

import numpy as np

from jurybox.raters.crowd import crowd_curve
from measuring import jurybox, read_rows

CASES, PER_CASE, RATERS = 100_000, 10, 500
LARGEST, DRAWS = 20, 100


def make_judgments(file: Path) -> None:
    """Raters who are right three times in four; every case has a known answer."""
    rng = random.Random(6)
    with file.open("w") as out:
        out.write("case,rater,label,gold\n")
        for case in range(CASES):
            gold = int(rng.random() < 0.3)
            for rater in rng.sample(range(RATERS), PER_CASE):
                label = gold if rng.random() < 0.75 else 1 - gold
                out.write(f"c{case:06d},w{rater:03d},{label},{gold}\n")


def agree_on_many() -> None:
    """The whole command."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_judgments(folder / "judgments.csv")
        unit = read_rows(folder / "judgments.csv")
        print(f"csv.reader over {CASES * PER_CASE} judgments {unit:.2f} s")
        for more in ((), ("--ci",)):
            run = jurybox("agree", folder / "judgments.csv", *more, "-o", folder / "result.txt")
            print(
                f"agree{' --ci' * bool(more)}: {run.seconds:.1f} s "
                f"({run.seconds / unit:.1f} yardsticks), peak {run.peak:.0f} MB"
            )


def curve_of_twenty() -> None:
    """The curve alone, where cases differ: three labels, twenty judgments each."""
    rng = np.random.default_rng(7)
    shares = rng.dirichlet((2, 2, 1), CASES)
    counts = np.stack([rng.multinomial(LARGEST, share) for share in shares])
    truth = shares.argmax(axis=1)
    begun = time.perf_counter()
    for _ in range(DRAWS):
        rng.random(CASES * LARGEST)
    unit = time.perf_counter() - begun
    begun = time.perf_counter()
    crowd_curve(counts, truth, np.random.default_rng(1), draws=DRAWS)
    seconds = time.perf_counter() - begun
    print(f"random numbers for {DRAWS * CASES * LARGEST} judgments {unit:.1f} s")
    print(
        f"crowd of 1 to {LARGEST}, {DRAWS} draws: {seconds:.1f} s ({seconds / unit:.1f} yardsticks)"
    )


if __name__ == "__main__":
    agree_on_many()
    curve_of_twenty()
