"""How long commands take to start, against another version of the package in the same run.

    python bench/bench_startup.py --against ../other/src

Processor time, the least of several tries, both versions in turn: `score` on two files, `--help`
of the application and of every command. Without --against the times stand alone.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from jurybox.cli._app import CALLS  # noqa: E402
from startup import processor_seconds  # noqa: E402

SAMPLE = ROOT / "src" / "jurybox" / "data" / "sample"
TRIES = 5


def commands() -> list[list[str]]:
    score = ["score", str(SAMPLE / "bold.txt"), "--gold", str(SAMPLE / "A1.m2")]
    return [["--help"], score, *([*call.split(), "--help"] for call in CALLS)]


def seconds(source: Path, arguments: list[str]) -> float:
    os.environ["PYTHONPATH"] = str(source)
    return processor_seconds([sys.executable, "-m", "jurybox", *arguments], tries=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, metavar="SRC", help="src folder of the other")
    parser.add_argument("--tries", type=int, default=TRIES, metavar="N")
    options = parser.parse_args()
    ratios = []
    for arguments in commands():
        here, there = [], []
        try:
            for _ in range(options.tries):
                here.append(seconds(ROOT / "src", arguments))
                if options.against:
                    there.append(seconds(options.against, arguments))
        except Exception:  # the other version may not have the command
            there = []
        ratio = min(here) / min(there) if there else float("nan")
        ratios.append(ratio)
        name = " ".join(Path(word).name for word in arguments)
        print(f"{name:40} {1000 * min(here):6.0f} ms  ratio {ratio:.2f}", flush=True)
    known = sorted(ratio for ratio in ratios if ratio == ratio)  # noqa: PLR0124  not nan
    if known:
        middle = known[len(known) // 2]
        print(f"median ratio {middle:.2f}, largest {known[-1]:.2f}")


if __name__ == "__main__":
    main()
