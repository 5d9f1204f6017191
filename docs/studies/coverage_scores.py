"""How often the intervals of `score`, `ceiling`, `evaluate` and `compare` hold the true value.

Real essays, or a large set of made data, are taken as the whole population, whose true scores are
known. Small data sets are drawn from it with replacement. Each is given to the functions that the
tool itself uses, and the interval is held against the truth. To save time, most intervals are made
of 300 resamples or 199 exchanges; the tool takes 1,000.

    python docs/studies/coverage_scores.py --quick             200 simulations a cell
    python docs/studies/coverage_scores.py score compare       these commands only, 2,000 a cell
"""

from __future__ import annotations

import sys
import warnings
from argparse import ArgumentParser
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from coverage_cases import evaluate_rows, rater_rows
from coverage_ceiling import Drawing, Drawn, cover_ceilings
from coverage_rows import CoverageRow, Tally, as_text
from numpy.typing import NDArray
from studying import essay_map, find_data, gold_files, system_files

import jurybox as jb
from jurybox.errors import JuryboxWarning
from jurybox.model import EDIT_COLUMNS, CountsTable
from jurybox.stats.confidence import Bootstrap, few_units
from jurybox.stats.resample import bootstrap, estimate
from jurybox.stats.significance import approximate_randomisation
from jurybox.stats.statistic import EditScore, GleuScore, Statistic
from jurybox.streams import stream

SEED = 1
SIMULATIONS = 2000
QUICK = 200
#: the tool makes 1,000 of each, and so does this study where they cost little
RESAMPLES, MANY_RESAMPLES = 300, 1000
EXCHANGES = 199
#: so many times as many simulations where one costs a few milliseconds
MORE = 2
SENTENCES = (30, 100, 500)
DOCUMENTS = (10, 25, 50)
#: the running choice walks through all sentences of an essay, which costs much for 50 essays
RUNNING_DOCUMENTS = (10, 25)
#: sentences where two systems do not differ in truth
NULL_SENTENCES = (40, 150, 500)
TITLES = {"precision": "precision", "recall": "recall", "f": "F0.5", "score": "GLEU"}
SENTENCE_CHOICE, RUNNING_CHOICE = EditScore(rule="sentence"), EditScore()

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
#: counts by sentence: a table of all annotators, or counts [tp/fp/fn, sentences] of those chosen
Population = CountsTable | IntArray


# --- score ---


class Essays(NamedTuple):
    """Counts of AMU and CAMB on the CoNLL-2014 essays, and every sentence's essay as a number."""

    ten: dict[str, CountsTable]
    official: dict[str, CountsTable]
    gleu: dict[str, CountsTable]
    essay: IntArray


@lru_cache(maxsize=1)
def read_essays(data: Path) -> Essays:
    systems = {name: system_files(data)[name] for name in ("AMU", "CAMB")}
    panel = jb.read_panel(gold_files(data), documents=essay_map(data))
    official = data / "conll14" / "official-2014.combined.m2"

    def tables(gold: jb.Panel | Path, **options: str) -> dict[str, CountsTable]:
        return {one.name: one.table for one in jb.score(systems, gold, **options).systems}

    essays = [sentence.document for sentence in panel]
    return Essays(
        tables(panel),
        tables(official),
        tables(panel, metric="gleu"),
        np.unique(np.array(essays), return_inverse=True)[1],
    )


def settle_choice(table: CountsTable) -> IntArray:
    """The counts that the sentence choice takes; it depends on no other sentence."""
    return SENTENCE_CHOICE.parts(table).astype(np.int64)


def add_by_essay(counts: IntArray, essay: IntArray) -> IntArray:
    """Counts [tp/fp/fn, essays]: resampling essays needs no more than their sums."""
    return np.stack([np.bincount(essay, weights=row) for row in counts]).astype(np.int64)


def table_of(counts: IntArray) -> CountsTable:
    """A table with one annotator for every sentence."""
    n = counts.shape[1]
    return CountsTable(
        annotators=["0"],
        starts=array("q", range(n + 1)),
        annotator=array("q", bytes(8 * n)),
        values={
            name: array("q", row.tolist()) for name, row in zip(EDIT_COLUMNS, counts, strict=True)
        },
    )


def take(population: Population, places: IntArray) -> CountsTable:
    """The drawn sentences as a data set of their own."""
    if isinstance(population, CountsTable):
        return population.select(places.tolist())
    return table_of(population[:, places])


def whole(population: Population) -> CountsTable:
    return population if isinstance(population, CountsTable) else table_of(population)


def draw_units(total: int, n: int, *, documents: bool = False) -> Drawing:
    """Draw n of so many units; with `documents` each unit is the sum of a document."""

    def draw(rng: np.random.Generator) -> Drawn:
        return Drawn(rng.integers(0, total, n), [str(i) for i in range(n)] if documents else None)

    return draw


def draw_essays(essay: IntArray, n: int) -> Drawing:
    """Draw n essays with all their sentences; one drawn twice makes two documents."""
    members = [np.flatnonzero(essay == number) for number in range(essay.max() + 1)]

    def draw(rng: np.random.Generator) -> Drawn:
        chosen = [members[number] for number in rng.integers(0, len(members), n)]
        names = [str(i) for i, places in enumerate(chosen) for _ in places]
        return Drawn(np.concatenate(chosen), names)

    return draw


def cover_scores(
    populations: Mapping[str, Population],
    statistic: Statistic,
    draw: Drawing,
    *,
    unit: str,
    n: int,
    simulations: int,
    resamples: int = RESAMPLES,
    note: str = "",
) -> Iterator[CoverageRow]:
    """Intervals of `score`, all systems on the same sentences; populations are named after data."""
    rng = stream(SEED, f"coverage of score, {unit}", n)
    truth = statistic.observed([whole(one) for one in populations.values()])
    tallies: dict[tuple[int, str], Tally] = defaultdict(Tally)
    for _ in range(simulations):
        places, documents = draw(rng)
        how = Bootstrap(unit=unit).settled(documents)
        drawn = bootstrap(
            [take(one, places) for one in populations.values()],
            statistic,
            rng=rng,
            resamples=resamples,
            documents=documents if unit == "document" else None,
        )
        for place, name in enumerate(drawn.names):
            for system in range(len(populations)):
                rests_on = {name: float(drawn.evidence[place, system])}
                interval = estimate(drawn, system, name).interval
                tallies[system, name].add(
                    interval.low,
                    interval.high,
                    truth[place, system],
                    warned=bool(how.cautions or few_units(unit, rests_on)),
                )
    for (system, name), tally in tallies.items():
        data = list(populations)[system]
        yield from tally.rows(f"score {TITLES[name]}", data, unit, n, note)


def panel_tables(essays: Essays) -> dict[str, CountsTable]:
    """Counts of both systems against both panels, named after system and panel."""
    by_panel = {"ten annotators": essays.ten, "two annotators": essays.official}
    return {
        f"{system}, {panel}": table
        for panel, found in by_panel.items()
        for system, table in found.items()
    }


def settled_tables(essays: Essays) -> dict[str, IntArray]:
    return {
        f"{name}, sentence choice": settle_choice(table)
        for name, table in panel_tables(essays).items()
    }


def score_rows(data: Path, most: int = SIMULATIONS) -> Iterator[CoverageRow]:
    """`score` with the sentence choice: sentences or essays drawn anew."""
    essays = read_essays(data)
    settled = settled_tables(essays)
    summed = {name: add_by_essay(one, essays.essay) for name, one in settled.items()}
    for unit, sizes, population in (
        ("sentence", SENTENCES, settled),
        ("document", DOCUMENTS, summed),
    ):
        for n in sizes:
            total = next(iter(population.values())).shape[1]
            yield from cover_scores(
                population,
                SENTENCE_CHOICE,
                draw_units(total, n, documents=unit == "document"),
                unit=unit,
                n=n,
                # a document is one sum of counts: a simulation costs a few milliseconds
                simulations=most if unit == "sentence" else MORE * most,
                resamples=MANY_RESAMPLES,
            )


def running_rows(data: Path, most: int = SIMULATIONS) -> Iterator[CoverageRow]:
    """`score` with the running choice: sentences or essays drawn anew."""
    essays = read_essays(data)
    running = {f"{name}, running choice": table for name, table in panel_tables(essays).items()}
    cells = [("sentence", n, draw_units(len(essays.essay), n)) for n in SENTENCES]
    cells += [("document", n, draw_essays(essays.essay, n)) for n in RUNNING_DOCUMENTS]
    for unit, n, draw in cells:
        yield from cover_scores(running, RUNNING_CHOICE, draw, unit=unit, n=n, simulations=most)


def essay_rows(data: Path, most: int = SIMULATIONS) -> Iterator[CoverageRow]:
    """`score` where sentences are resampled although they come from few essays."""
    essays = read_essays(data)
    settled = settled_tables(essays)
    for n in DOCUMENTS:
        yield from cover_scores(
            settled,
            SENTENCE_CHOICE,
            draw_essays(essays.essay, n),
            unit="sentence",
            n=n,
            simulations=most,
            note="n essays drawn, their sentences resampled",
        )


def gleu_rows(data: Path, most: int = SIMULATIONS) -> Iterator[CoverageRow]:
    """`score --metric gleu`: averaged references, and 50 draws of them (the tool makes 500)."""
    essays = read_essays(data)
    total = len(essays.essay)
    averaged = {f"{name}, ten references averaged": one for name, one in essays.gleu.items()}
    drawn = {f"{name}, ten references drawn": one for name, one in essays.gleu.items()}
    for n in SENTENCES:
        yield from cover_scores(
            averaged,
            GleuScore("expected"),
            draw_units(total, n),
            unit="sentence",
            n=n,
            simulations=most,
        )
    yield from cover_scores(
        drawn,
        GleuScore("draws", 50),
        draw_units(total, 100),
        unit="sentence",
        n=100,
        simulations=most,
        note="50 draws of references",
    )
    yield from cover_scores(
        averaged,
        GleuScore("expected"),
        draw_essays(essays.essay, 10),
        unit="document",
        n=10,
        simulations=most,
    )


# --- compare ---

Pair = tuple[CountsTable, CountsTable]
PairDrawing = Callable[[np.random.Generator], tuple[Pair, list[str] | None]]


def cover_differences(
    draw_pair: PairDrawing,
    statistic: Statistic,
    truth: float,
    *,
    data: str,
    unit: str,
    n: int,
    simulations: int,
    note: str = "",
) -> Iterator[CoverageRow]:
    """The interval of the difference, or the p-value where the systems do not differ in truth."""
    rng = stream(SEED, f"coverage of compare, {data}", n)
    intervals, verdicts = Tally(), Tally()
    for _ in range(simulations):
        (first, second), documents = draw_pair(rng)
        how = Bootstrap(unit=unit).settled(documents)
        found = approximate_randomisation(
            first, second, statistic, rng=rng, resamples=EXCHANGES, documents=documents
        )
        interval = found.interval(how.level)
        warned = bool(how.cautions)
        intervals.add(interval.low, interval.high, truth, warned=warned)
        verdicts.add_verdict(found.p_value(), warned=warned)
    if truth == 0:  # the interval leaves out 0 exactly where p is small
        yield from verdicts.rows("compare p above .05", data, unit, n, note)
    else:
        yield from intervals.rows("compare difference of F0.5", data, unit, n, note)


def exchanged_pair(first: Population, second: Population, draw: Drawing) -> PairDrawing:
    """Drawn sentences of two systems that exchange each with probability ½."""

    def draw_pair(rng: np.random.Generator) -> tuple[Pair, list[str] | None]:
        places, documents = draw(rng)
        swap = rng.random(len(places)) < 0.5
        if isinstance(first, CountsTable) or isinstance(second, CountsTable):
            ours, theirs = whole(first), whole(second)
            both = join_tables(ours, theirs)
            there = places + len(ours)
            one, other = np.where(swap, there, places), np.where(swap, places, there)
            return (take(both, one), take(both, other)), documents
        ours, theirs = first[:, places], second[:, places]
        return (
            table_of(np.where(swap, theirs, ours)),
            table_of(np.where(swap, ours, theirs)),
        ), documents

    return draw_pair


def join_tables(first: CountsTable, second: CountsTable) -> CountsTable:
    """The sentences of two tables of the same annotators, one after the other."""
    rows = len(first.annotator)
    return CountsTable(
        first.columns,
        first.annotators,
        first.starts + array("q", (rows + start for start in second.starts[1:])),
        first.annotator + second.annotator,
        {name: first.values[name] + second.values[name] for name in first.columns},
    )


def plain_pair(first: Population, second: Population, draw: Drawing) -> PairDrawing:
    """Drawn sentences of two systems as they are."""

    def draw_pair(rng: np.random.Generator) -> tuple[Pair, list[str] | None]:
        places, documents = draw(rng)
        return (take(first, places), take(second, places)), documents

    return draw_pair


def made_pair(n: int) -> PairDrawing:
    """A careful system finds a fifth of the errors, a bold one half; both have F0.5 = .4902."""

    def draw_pair(rng: np.random.Generator) -> tuple[Pair, None]:
        errors = rng.poisson(2, n)
        tables = []
        for found, wrong in ((0.2, 0.12), (0.5, 1.05)):
            tp, fp = rng.binomial(errors, found), rng.poisson(wrong, n)
            tables.append(table_of(np.stack([tp, fp, errors - tp])))
        return (tables[0], tables[1]), None

    return draw_pair


def thinned_pair(counts: IntArray, n: int, kept: float) -> PairDrawing:
    """A system and a careful version of it, of the same true F0.5.

    The careful one keeps a share `kept` of the right edits, at random, and so many of the wrong
    ones that F0.5 of the expected totals is the same: F = 1.25 tp / (tp + fp + .25 (tp + fn)).
    """
    tp, fp, fn = counts.sum(axis=1)
    f = 1.25 * tp / (1.25 * tp + fp + 0.25 * fn)
    kept_wrong = (1.25 * kept * tp / f - kept * tp - 0.25 * (tp + fn)) / fp

    def draw_pair(rng: np.random.Generator) -> tuple[Pair, None]:
        bold = counts[:, rng.integers(0, counts.shape[1], n)]
        right, wrong = rng.binomial(bold[0], kept), rng.binomial(bold[1], kept_wrong)
        careful = np.stack([right, wrong, bold[2] + bold[0] - right])
        return (table_of(careful), table_of(bold)), None

    return draw_pair


def compare_rows(data: Path, most: int = SIMULATIONS) -> Iterator[CoverageRow]:
    """`compare` with the sentence choice: false alarms, and the interval of the difference."""
    essays = read_essays(data)
    camb, amu = settle_choice(essays.ten["CAMB"]), settle_choice(essays.ten["AMU"])
    total = len(essays.essay)
    for n in NULL_SENTENCES:
        for label, pair in (
            (
                "CAMB and AMU, exchanged at random",
                exchanged_pair(camb, amu, draw_units(total, n)),
            ),
            ("made: careful and bold, equal F0.5", made_pair(n)),
            ("CAMB and a careful CAMB, equal F0.5", thinned_pair(camb, n, 0.6)),
        ):
            yield from cover_differences(
                pair, SENTENCE_CHOICE, 0.0, data=label, unit="sentence", n=n, simulations=most
            )
    sums = tuple(add_by_essay(one, essays.essay) for one in (camb, amu))
    cells = [("sentence", n, plain_pair(camb, amu, draw_units(total, n))) for n in SENTENCES]
    for n in RUNNING_DOCUMENTS:
        draw = draw_units(len(sums[0][0]), n, documents=True)
        cells.append(("document", n, plain_pair(*sums, draw)))
    yield from _true_differences(cells, SENTENCE_CHOICE, (whole(camb), whole(amu)), most)


def compare_running_rows(data: Path, most: int = SIMULATIONS) -> Iterator[CoverageRow]:
    """`compare` with the running choice."""
    essays = read_essays(data)
    tables = essays.ten["CAMB"], essays.ten["AMU"]
    total = len(essays.essay)
    for n in NULL_SENTENCES:
        yield from cover_differences(
            exchanged_pair(*tables, draw_units(total, n)),
            RUNNING_CHOICE,
            0.0,
            data="CAMB and AMU, exchanged, running choice",
            unit="sentence",
            n=n,
            simulations=most,
        )
    cells = [("sentence", n, plain_pair(*tables, draw_units(total, n))) for n in SENTENCES]
    for n in RUNNING_DOCUMENTS:
        cells.append(("document", n, plain_pair(*tables, draw_essays(essays.essay, n))))
    yield from _true_differences(cells, RUNNING_CHOICE, tables, most)


def _true_differences(
    cells: Sequence[tuple[str, int, PairDrawing]], statistic: EditScore, tables: Pair, most: int
) -> Iterator[CoverageRow]:
    """The interval of the difference of two systems that do differ."""
    values = statistic.observed(tables)[-1]
    for unit, n, pair in cells:
        yield from cover_differences(
            pair,
            statistic,
            float(values[0] - values[1]),
            data=f"CAMB less AMU, {statistic.rule} choice",
            unit=unit,
            n=n,
            simulations=most,
        )


# --- the command ---


def ceiling_rows(data: Path, most: int = SIMULATIONS) -> Iterator[CoverageRow]:
    """`ceiling --ci` at leave-one-out, over sentences and essays."""
    essay = read_essays(data).essay
    cells: list[tuple[str, int, Drawing]] = []
    cells += [("sentence", n, draw_units(len(essay), n)) for n in SENTENCES]
    cells += [("document", n, draw_essays(essay, n)) for n in DOCUMENTS]
    yield from cover_ceilings(data, cells, simulations=most, resamples=RESAMPLES, seed=SEED)


COMMANDS: dict[str, Callable[[Path, int], Iterator[CoverageRow]]] = {
    "score": score_rows,
    "running": running_rows,
    "essays": essay_rows,
    "gleu": gleu_rows,
    "ceiling": ceiling_rows,
    "evaluate": evaluate_rows,
    "raters": rater_rows,
    "compare": compare_rows,
    "compare-running": compare_running_rows,
}


def all_rows(
    data: Path, most: int = SIMULATIONS, commands: Sequence[str] = tuple(COMMANDS)
) -> Iterator[CoverageRow]:
    """Rows of all commands, or of some."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        for name in commands:
            yield from COMMANDS[name](data, most)


def main() -> None:
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("commands", nargs="*", help=f"of {', '.join(COMMANDS)}; default: all")
    parser.add_argument("--data", help="folder of the data (JURYBOX_DATA, or ../shared/data)")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} simulations a cell")
    parser.add_argument("--most", type=int, default=SIMULATIONS, help="simulations a cell at most")
    options = parser.parse_args()
    if unknown := set(options.commands) - set(COMMANDS):
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(COMMANDS)}")
    rows = all_rows(
        find_data(options.data),
        QUICK if options.quick else options.most,
        options.commands or tuple(COMMANDS),
    )
    head, *_ = as_text([]).splitlines()
    print(head)
    for row in rows:
        print(as_text([row]).splitlines()[1], flush=True)


if __name__ == "__main__":
    main()
