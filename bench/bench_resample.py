"""How long a comparison of 13 systems takes to resample, and in units of a yardstick.

    python bench/bench_resample.py

The promise: 1,000 bootstrap resamples of 13 systems on 1,312 sentences, annotators chosen anew in
each (`running`), in under five seconds after matching. Tables are made up: two or ten annotators,
about two edits a sentence.

The yardstick is the least that has to happen, measured in the same run: for every step of every
walk (1,312 sentences × 13 systems × 1,000 resamples) numpy gathers a count from the table and
adds it to that walk's total, one column, nothing chosen. Three columns and a choice between
annotators cost more; the ratio says how much more, whatever the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter

import numpy as np

from jurybox.model import CountsTable
from jurybox.stats.resample import bootstrap
from jurybox.stats.significance import approximate_randomisation
from jurybox.stats.statistic import EditScore

SYSTEMS, SENTENCES, RESAMPLES = 13, 1312, 1000


def make_table(rng: np.random.Generator, annotators: int) -> CountsTable:
    """A system's counts against annotators who agree on some of its edits."""
    table = CountsTable(annotators=[str(i) for i in range(annotators)])
    for proposed in rng.poisson(1.5, SENTENCES):
        right = rng.binomial(proposed, 0.35, annotators).tolist()
        missed = rng.poisson(1.5, annotators).tolist()
        rows = zip(right, missed, strict=True)
        table.append((i, (tp, int(proposed) - tp, fn)) for i, (tp, fn) in enumerate(rows))
    return table


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """The best of some runs."""
    taken = []
    for _ in range(times):
        start = perf_counter()
        work()
        taken.append(perf_counter() - start)
    return min(taken)


def yardstick() -> None:
    """Walk every resample of every system and add up one column, with nothing of jurybox's."""
    rng = np.random.default_rng(0)
    drawn = np.sort(rng.integers(0, SENTENCES, (RESAMPLES, SENTENCES)), axis=1)
    counts = rng.poisson(2.0, (SYSTEMS, SENTENCES)).astype(np.float64)
    totals = np.zeros((SYSTEMS, RESAMPLES))
    for sentence in drawn.T:
        totals += counts.take(sentence, axis=1)


def main() -> None:
    """Measure and print."""
    unit = seconds(yardstick)
    print(f"{SYSTEMS} systems, {SENTENCES} sentences, {RESAMPLES} resamples; best of three")
    print(f"{'yardstick':42} {unit:7.3f} s")
    for annotators in (2, 10):
        rng = np.random.default_rng(annotators)
        tables = [make_table(rng, annotators) for _ in range(SYSTEMS)]
        for statistic in (EditScore("m2"), EditScore("errant"), EditScore("m2", rule="sentence")):
            label = f"{statistic.metric} {statistic.rule}, {annotators} annotators"
            taken = seconds(partial(bootstrap, tables, statistic, rng=rng))
            print(f"{'bootstrap, ' + label:42} {taken:7.3f} s {taken / unit:6.1f} yardsticks")
        taken = seconds(
            partial(approximate_randomisation, tables[0], tables[1], EditScore(), rng=rng)
        )
        label = f"one randomisation, {annotators} annotators"
        print(f"{label:42} {taken:7.3f} s {taken / unit:6.1f} yardsticks")


if __name__ == "__main__":
    main()
