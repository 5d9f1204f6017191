"""More processes and a cluster: how much sooner `score` and `evaluate` are done.

`local:2` against `local:1` (at least 1.6 times), and a Dask cluster of two workers on this machine,
scheduler and client beside them (at least 1.4 times). All in one run, in turns, the best of several
tries; on a machine whose two cores are busy otherwise the ratios say nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from measuring import CAMB, GOLD, ROOT, jurybox, need_data

sys.path.insert(0, str(ROOT / "tests"))
from dask_cluster import dask_cluster

COPIES = int(os.environ.get("JURYBOX_BENCH_COPIES", "60"))
TRIES = int(os.environ.get("JURYBOX_BENCH_TRIES", "3"))
#: judgments per case, cases
JUDGES, CASES = 10, 200_000
BARS = {"local:2": 1.6, "dask": 1.4}


def make(folder: Path) -> dict[str, list[str]]:
    """A text and judgments large enough that starting processes does not count."""
    import numpy as np

    for name, source in (("gold.m2", GOLD), ("camb.txt", CAMB)):
        (folder / name).write_text(source.read_text("utf-8") * COPIES, "utf-8")
    rng = np.random.default_rng(1)
    with (folder / "judgments.csv").open("w") as out:
        out.write("case,rater,label\n")
        for _ in range(JUDGES):
            raters, labels = rng.integers(0, 500, CASES), rng.choice(["error", "ok"], CASES)
            out.writelines(
                f"case{case},r{rater},{label}\n"
                for case, (rater, label) in enumerate(zip(raters, labels, strict=True))
            )
    with (folder / "decisions.csv").open("w") as out:
        out.write("case,label\n")
        out.writelines(f"case{case},{'error' if case % 3 else 'ok'}\n" for case in range(CASES))
    return {
        "score": ["score", str(folder / "camb.txt"), "--gold", str(folder / "gold.m2")],
        "evaluate": [
            *("evaluate", "--judgments", str(folder / "judgments.csv")),
            *("--system", f"mine={folder / 'decisions.csv'}"),
        ],
    }


def main() -> None:
    need_data()
    failed = False
    with TemporaryDirectory() as name, dask_cluster(2) as cluster:
        calls = make(Path(name))
        engines = {"local:1": "local:1", "local:2": "local:2", "dask": cluster.address}
        time.sleep(5)  # workers join
        for title, call in calls.items():
            best: dict[str, float] = {}
            for _ in range(TRIES):
                for engine, where in engines.items():
                    seconds = jurybox(*call, "--engine", where).seconds
                    best[engine] = min(seconds, best.get(engine, seconds))
            for engine, bar in BARS.items():
                ratio = best["local:1"] / best[engine]
                failed |= ratio < bar
                print(
                    f"{title:9} {engine:8} {best[engine]:.1f} s, local:1 {best['local:1']:.1f} s: "
                    f"{ratio:.2f} times as fast (bar {bar})"
                )
    if failed:
        load = subprocess.run(["uptime"], capture_output=True, text=True, check=False).stdout
        sys.exit(f"slower than promised; was the machine busy? {load.strip()}")


if __name__ == "__main__":
    main()
