"""How long the human ceiling takes: Table 5 of Bryant and Ng (2015), from files to printed table.

    python bench/bench_ceiling.py

The promise: ten annotators, three systems, all 1,022 sets of annotators in under 15 s on two cores
(goal: 6), in less than 500 MB. With the official scorer it takes 8,176 runs. The yardstick is one
plain Levenshtein pass over the 13 texts that are matched, measured in the same run. Then the part
without matching: sets of ten and of fifty annotators, made-up counts, in units of the least that
has to happen, numpy gathering and adding one column.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from bench_resample import make_table
from jurybox.ceiling.scores import score_ceiling, take_subsets
from jurybox.formats import read_panel
from jurybox.formats.edits import text
from jurybox.model import apply_edits
from jurybox.stats.statistic import EditScore
from measuring import DATA, jurybox, need_data, yardstick

GOLD = [DATA / "conll14-10" / f"A{number}.m2" for number in range(1, 11)]
SYSTEMS = {name: DATA / "systems" / name for name in ("AMU", "CAMB", "CUUI")}
TIMES = 3


def texts() -> list[tuple[list[str], list[str]]]:
    """Source and text, for every sentence of every person and system."""
    panel = read_panel(GOLD)
    sources = [list(sentence.tokens) for sentence in panel]
    pairs = [
        (list(sentence.tokens), apply_edits(sentence.tokens, annotation.edits))
        for sentence in panel
        for annotation in sentence.annotations
    ]
    for path in SYSTEMS.values():
        lines = [line.split() for line in text.read(path)]
        pairs += list(zip(sources, lines, strict=True))
    return pairs


def table_5() -> None:
    """The whole command."""
    unit = yardstick(texts())
    print(f"yardstick: a plain Levenshtein pass over 13 texts of 1,312 sentences {unit:.2f} s")
    systems = ["--system", *(f"{name}={path}" for name, path in SYSTEMS.items())]
    for title, options in (
        ("leave one out", []),
        ("all sizes (Table 5)", ["--sizes", "all"]),
        ("all sizes, one process", ["--sizes", "all", "--jobs", "1"]),
        ("all sizes with intervals", ["--sizes", "all", "--ci"]),
        ("all sizes by type, people only", ["--sizes", "all", "--by", "type"]),
    ):
        with_systems = [] if "--by" in options else systems
        runs = [jurybox("ceiling", "--gold", *GOLD, *with_systems, *options) for _ in range(TIMES)]
        taken = min(run.seconds for run in runs)
        peak = max(run.peak for run in runs)
        print(f"{title:32} {taken:6.2f} s {taken / unit:6.2f} yardsticks, peak {peak:.0f} MB")


def sets_alone() -> None:
    """Scoring sets of annotators from counts."""
    for annotators, sizes in ((10, range(1, 10)), (50, (1, 5, 10, 25, 49))):
        rng = np.random.default_rng(annotators)
        people = [make_table(rng, annotators) for _ in range(annotators)]
        subsets = take_subsets(annotators, list(sizes), most=500, rng=rng)
        walks = sum(int((~subsets.members[:, person]).sum()) for person in range(annotators))
        begun = perf_counter()
        score_ceiling(people, [], subsets, EditScore())
        taken = perf_counter() - begun
        counts = rng.poisson(2.0, (len(people[0]), annotators)).astype(np.float64)
        chosen = rng.integers(0, annotators, walks)
        totals = np.zeros(walks)
        begun = perf_counter()
        for row in counts:
            totals += row.take(chosen)
        unit = perf_counter() - begun
        label = f"{annotators} annotators, {len(subsets.members)} sets, {walks} walks"
        print(f"{label:44} {taken:6.2f} s {taken / unit:6.1f} times gathering one column")


def main() -> None:
    """Measure and print."""
    need_data()
    table_5()
    sets_alone()


if __name__ == "__main__":
    main()
