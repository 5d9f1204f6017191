"""How long a report takes, and how large it is.

    python bench/bench_report.py

The promises: everything about ten annotators and three systems on one page in under 60 s; the page
of twelve systems under 10 MB; the demo in under 20 s. The yardstick is one plain Levenshtein pass
over the 13 texts that are matched, measured in the same run.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench_ceiling import GOLD, SYSTEMS, texts
from measuring import jurybox, need_data, yardstick


def main() -> None:
    """Time the commands and weigh the pages."""
    need_data()
    unit = yardstick(texts())
    print(f"yardstick: a plain Levenshtein pass over 13 texts of 1,312 sentences {unit:.2f} s")
    with tempfile.TemporaryDirectory() as name:
        page = Path(name) / "report.html"
        run = jurybox("demo", "-o", page)
        print(f"demo: {run.seconds:.1f} s ({run.seconds / unit:.1f} yardsticks), {_size(page)}")
        for copies in (1, 4):
            systems = [
                f"{system}{copy}={path}"
                for system, path in SYSTEMS.items()
                for copy in range(1, copies + 1)
            ]
            run = jurybox("report", "--gold", *GOLD, "--system", *systems, "-o", page)
            told = f"{run.seconds:.1f} s ({run.seconds / unit:.1f} yardsticks), {_size(page)}"
            print(f"ten annotators, {len(systems)} systems: {told}, peak {run.peak:.0f} MB")


def _size(page: Path) -> str:
    return f"{page.stat().st_size / 1e6:.2f} MB"


if __name__ == "__main__":
    main()
