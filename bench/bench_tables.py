"""Reading ten million judgments on a million cases, beside what others need to read the file.

    python bench/bench_tables.py [JUDGMENTS]

Ours is all of reading: words numbered, labels checked, repeated judgments found and left out.
Theirs is the file in a table in memory. The promise is a ratio of processor time: at most 3.2 times
DuckDB for CSV (4.5 s where DuckDB takes 1.4), and 800 MB. Every run is a process of its own; the
least of several in turns is taken. JURYBOX_RIVALS names a Python that has duckdb and polars.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from made_judgments import write_judgments

JUDGMENTS = 10_000_000
TURNS = 3
MEASURE = """
import json, resource, sys, time, warnings
warnings.simplefilter("ignore")
{imports}
file = sys.argv[1]
begun = time.process_time()
{work}
used = time.process_time() - begun
print(json.dumps([used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""
OURS = {
    "jurybox, judgments": (
        "import numpy\nfrom jurybox.formats.tables import judgments",
        "judgments.read(file)",
    ),
    "jurybox, any labels": (
        "import numpy\nfrom jurybox.raters.inputs import read_ratings",
        "read_ratings(file)",
    ),
}
THEIRS = {
    "duckdb": ("import duckdb", "duckdb.sql(f\"create table j as select * from '{file}'\")"),
    "polars": (
        "import polars",
        "(polars.read_csv if file.endswith('csv') else polars.read_parquet)(file)",
    ),
}


def run(python: str, program: tuple[str, str], file: Path) -> tuple[float, float] | None:
    """Seconds of processor time and MB; None where the packages are not there."""
    code = MEASURE.format(imports=program[0], work=program[1])
    command = [python, "-c", code, str(file)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr.strip().splitlines()[-1])
        return None
    seconds, megabytes = json.loads(done.stdout.splitlines()[-1])  # behind bars of progress
    return seconds, megabytes


def measure(folder: Path) -> None:
    """All programs in turns, for both forms."""
    rivals = os.environ.get("JURYBOX_RIVALS", sys.executable)
    programs = [(sys.executable, name, each) for name, each in OURS.items()]
    programs += [(rivals, name, each) for name, each in THEIRS.items()]
    for form in ("csv", "parquet"):
        least: dict[str, tuple[float, float]] = {}
        for _ in range(TURNS):
            for python, name, program in programs:
                found = run(python, program, folder / f"j.{form}")
                if found is not None:
                    least[name] = min(found, least.get(name, found))
        unit = least.get("duckdb", (float("nan"), 0))[0]
        for name, (seconds, megabytes) in least.items():
            ratio = f"{seconds / unit:4.1f} x duckdb"
            print(f"{form:8s} {name:20s} {seconds:6.2f} s  {ratio}  {megabytes:5.0f} MB")


def main() -> None:
    """Make the files, and read them."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else JUDGMENTS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_judgments(folder, "j", wanted)
        measure(folder)


if __name__ == "__main__":
    main()
