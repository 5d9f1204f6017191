"""Drawing a sample from ten million decisions: seconds, and memory that does not grow with them.

Promises: well under 40 s on one core; a peak of less than 300 MB, nearly the same for half as many
decisions, since only cases that may be drawn are held. The yardstick is csv.reader over the same
file, doing nothing with its rows.

    python bench/bench_draw.py [DECISIONS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from measuring import make_decisions, peak, read_rows

DECISIONS = 10_000_000


class Measured(NamedTuple):
    """Seconds on the clock, and the peak of memory in MB."""

    seconds: float
    peak: float


def write_decisions(file: Path, number: int) -> None:
    """A tenth of them errors, all with scores, in documents of forty cases."""
    with file.open("w") as out:
        out.write("case,label,score,document\n")
        for case, label, score in make_decisions(number, seed=7):
            out.write(f"d{case // 40}:{case},{label},{score:.3f},d{case // 40 % 50}\n")


def draw(file: Path, by: str | None) -> Measured:
    """Run in a process of its own, since the peak is that of the process."""
    from jurybox.sample.draw import draw_sample

    begun = time.perf_counter()
    drawn = draw_sample(file, error=1000, ok=2000, by=by)
    seconds = time.perf_counter() - begun
    assert len(drawn.key.drawn) == 3000
    return Measured(seconds, peak())


def main() -> None:
    """Make up the files, and draw from each in a fresh process."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else DECISIONS
    with tempfile.TemporaryDirectory() as name:
        for number in (wanted // 2, wanted):
            file = Path(name) / f"{number}.csv"
            write_decisions(file, number)
            for by in (None, "score=0.2,0.5,0.95", "document"):
                with get_context("spawn").Pool(1) as pool:
                    run = pool.apply(draw, (file, by))
                print(
                    f"{number:9d} decisions, strata by {by or 'label alone':18s}"
                    f"{run.seconds:6.1f} s, peak {run.peak:4.0f} MB"
                )
            seconds = read_rows(file)
            print(f"{'':9s} csv.reader alone {seconds:6.1f} s")


if __name__ == "__main__":
    main()
