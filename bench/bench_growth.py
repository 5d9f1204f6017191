"""Large inputs: cost grows with the number of sentences, memory does not; --jobs.

Promises: ten times the sentences cost about ten times as much; 100,000 sentences stay under
300 MB; two jobs give the same result.

    python bench/bench_growth.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from measuring import CAMB, GOLD, camb_pairs, jurybox, need_data, yardstick

SMALL, LARGE = 8, 77  # copies of the test set: 10,496 and 101,024 sentences


def main() -> None:
    """Score copies of one test set; the yardstick is one pass over the small one."""
    need_data()
    pairs = camb_pairs()
    measured = yardstick(pairs) * SMALL
    with tempfile.TemporaryDirectory() as folder:
        runs = {}
        for copies in (SMALL, LARGE):
            gold, output = Path(folder) / f"{copies}.m2", Path(folder) / f"{copies}.txt"
            gold.write_bytes(GOLD.read_bytes() * copies)
            output.write_bytes(CAMB.read_bytes() * copies)
            runs[copies, 1] = jurybox("score", output, "--gold", gold)
            runs[copies, 2] = jurybox("score", output, "--gold", gold, "--jobs", "2")
    for (copies, jobs), run in runs.items():
        size = copies * len(pairs)
        print(f"{size:7d} sentences, {jobs} job(s)  {run.seconds:6.2f} s  peak {run.peak:4.0f} MB")
    growth = runs[LARGE, 1].seconds / runs[SMALL, 1].seconds
    print(f"{LARGE / SMALL:.1f} times the sentences cost {growth:.1f} times as much")
    print(
        f"small input: {runs[SMALL, 1].processor / measured:.2f} yardsticks over the same sentences"
    )


if __name__ == "__main__":
    main()
