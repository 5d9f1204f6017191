"""How often the intervals of `evaluate` hold the true value: over cases, documents and raters.

The part of `coverage_scores.py` that draws cases and raters. Real cases are places in the
CoNLL-2014 essays, with ten annotators as raters and systems of the shared task; sentences of GUG
with five crowd raters; pairs of sentences of Snow et al. (2008). Made data shows other error rates.
"""

from __future__ import annotations

import csv
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import nan
from pathlib import Path
from typing import NamedTuple

import numpy as np
from coverage_rows import CoverageRow, Tally
from numpy.typing import NDArray
from studying import essay_map, gold_files, system_files

import jurybox as jb
from jurybox.jury.bins import Binning
from jurybox.jury.bootstrap import paired_difference, resample_measures, spread_of
from jurybox.jury.evaluate import Evaluate
from jurybox.jury.evaluate.inputs import Evidence
from jurybox.jury.evaluate.intervals import draw_systems, settle_units
from jurybox.jury.evaluate.jury import Jury, Settled, call_jury
from jurybox.jury.measure_arrays import measure_arrays
from jurybox.jury.weighted import contributions
from jurybox.model import LABEL_BITS, Case, CaseSet, DecisionTable, JudgmentTable
from jurybox.stats.confidence import few_units, settle_unit
from jurybox.streams import stream

SEED = 1
RESAMPLES = 300
CASES = (30, 100, 500)
DOCUMENTS = (10, 25, 50)
#: measures whose intervals are looked at, and those by which two systems are compared
NAMES = ("precision", "recall", "f_beta", "accuracy", "cohen_kappa", "matthews_correlation")
COMPARED = ("f_beta", "cohen_kappa")
TITLES = dict(zip(NAMES, ("precision", "recall", "F0.5", "accuracy", "kappa", "MCC"), strict=True))
KINDS = ("majority", "weighted")
#: a judgment that was not made; 1 is an error, 0 is ok
NONE = -1

FloatArray = NDArray[np.float64]
LabelArray = NDArray[np.int8]
IntArray = NDArray[np.int64]


class Judged(NamedTuple):
    """Cases that raters judged [raters, cases] and systems decided [systems, cases]."""

    answers: LabelArray
    decided: LabelArray
    documents: IntArray | None = None

    def contributions(self) -> list[FloatArray]:
        """Plain and weighted contributions of every system, one system after the other."""
        errors, judges = (self.answers == 1).sum(axis=0), (self.answers != NONE).sum(axis=0)
        share = np.divide(errors, judges, out=np.full(len(judges), nan), where=judges > 0)
        majority = np.where(judges > 0, (2 * errors > judges).astype(np.float64), nan)
        return [
            contributions(decided, truth) for decided in self.decided for truth in (majority, share)
        ]


@lru_cache(maxsize=2)
def read_places(data: Path, construction: str, *systems: str) -> Judged:
    """Places in the essays, judged by the ten annotators' edits."""
    files = {name: system_files(data)[name] for name in systems}
    derived = jb.derive_cases(
        gold_files(data), construction, files, tagger="words", documents=essay_map(data)
    )
    cases = derived.case_set.cases
    answer = np.asarray(derived.judgments.answer)
    answers: LabelArray = np.full((len(gold_files(data)), len(cases)), NONE, dtype=np.int8)
    answers[answer >> LABEL_BITS, np.asarray(derived.judgments.case)] = 1 - (
        answer & ((1 << LABEL_BITS) - 1)
    )
    answers[:, [case.trivial for case in cases]] = 0
    documents = np.unique([case.document or "" for case in cases], return_inverse=True)[1]
    decided = np.stack([np.asarray(derived.decisions[name].label) for name in systems])
    return Judged(answers, decided.astype(np.int8), documents)


def read_gug(data: Path) -> Judged:
    """Sentences of GUG: an error where a crowd rater gives less than 4; two made systems.

    A made system reports a sentence with a probability that grows with the share of raters who
    call it an error.
    """
    with (data / "gug" / "gug_annotations.tsv").open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        crowds = [re.findall(r"\d", row["Crowd Flower Judgements"]) for row in rows]
    scores = np.array([crowd for crowd in crowds if len(crowd) == 5], dtype=int).T
    answers = (scores < 4).astype(np.int8)
    return Judged(answers, made_systems(answers.mean(axis=0), stream(SEED, "systems for GUG")))


def made_systems(share: FloatArray, rng: np.random.Generator) -> LabelArray:
    """A careful and a bold system, which report more where more raters see an error."""
    chances = (0.02 + 0.4 * share, 0.1 + 0.6 * share)
    return np.stack([rng.random(len(share)) < chance for chance in chances]).astype(np.int8)


def make_cases(rate: float, cases: int = 200_000) -> Judged:
    """Made cases, ten raters each: some are plain errors, most are plain, some are disputed."""
    rng = stream(SEED, "made cases", round(1000 * rate))
    share = rng.beta(rate * 0.8, (1 - rate) * 0.8, cases)
    answers = (rng.random((10, cases)) < share).astype(np.int8)
    return Judged(answers, made_systems(share, rng))


# --- other cases, other documents ---


def cover_measures(
    judged: Judged,
    data: str,
    *,
    unit: str,
    n: int,
    simulations: int,
    draw_documents: bool = False,
    note: str = "",
) -> Iterator[CoverageRow]:
    """Intervals of the first system's measures, and of the first less the second."""
    rng = stream(SEED, f"coverage of evaluate, {data}, {unit}", n)
    parts = judged.contributions()
    truth = measure_arrays(NAMES, np.stack([part.sum(axis=1) for part in parts]))
    draw = _drawing(judged, np.concatenate(parts), unit, n, draw_documents=draw_documents)
    tallies: dict[str, Tally] = defaultdict(Tally)
    for _ in range(simulations):
        found, documents = draw(rng)
        caution = settle_unit(unit, documents, "case")[1]
        drawn = resample_measures(
            list(found.reshape(len(parts), 4, -1)),
            NAMES,
            rng,
            RESAMPLES,
            documents=documents if unit == "document" else None,
        )
        for kind, by in enumerate(KINDS):
            for place, name in enumerate(NAMES):
                spread = spread_of(drawn, kind, name)
                few = few_units(unit, {name: float(drawn.evidence[place, kind])})
                tallies[f"evaluate {TITLES[name]}, {by}"].add(
                    spread.low, spread.high, truth[place, kind], warned=bool(caution or few)
                )
            for name in COMPARED:
                place = NAMES.index(name)
                spread = paired_difference(drawn, kind, 2 + kind, name).spread
                evidence = drawn.evidence[place, [kind, 2 + kind]].tolist()
                few = few_units(unit, dict(zip("ab", evidence, strict=True)))
                tallies[f"evaluate difference of {TITLES[name]}, {by}"].add(
                    spread.low,
                    spread.high,
                    truth[place, kind] - truth[place, 2 + kind],
                    warned=bool(caution or few),
                )
    for name, tally in tallies.items():
        yield from tally.rows(name, data, unit, n, note)


def _drawing(
    judged: Judged, parts: FloatArray, unit: str, n: int, *, draw_documents: bool
) -> Callable[[np.random.Generator], tuple[FloatArray, list[int] | None]]:
    """Draw n cases, or n documents: their sums where documents are the unit, else their cases."""
    codes = judged.documents
    if unit == "document":
        assert codes is not None
        sums = np.stack([np.bincount(codes, weights=row) for row in parts])
        return lambda rng: (sums[:, rng.integers(0, sums.shape[1], n)], list(range(n)))
    if not draw_documents:
        return lambda rng: (parts[:, rng.integers(0, parts.shape[1], n)], None)
    assert codes is not None
    members = [np.flatnonzero(codes == number) for number in range(codes.max() + 1)]

    def draw(rng: np.random.Generator) -> tuple[FloatArray, list[int]]:
        chosen = [members[number] for number in rng.integers(0, len(members), n)]
        names = np.repeat(np.arange(n), [len(one) for one in chosen]).tolist()
        return parts[:, np.concatenate(chosen)], names

    return draw


def evaluate_rows(data: Path, most: int) -> Iterator[CoverageRow]:
    """`evaluate` over cases and documents."""
    places = {
        "prepositions, CAMB and AMU": read_places(data, "preposition", "CAMB", "AMU"),
        "tokens, CAMB and CUUI": read_places(data, "token", "CAMB", "CUUI"),
    }
    sets = {
        **places,
        "GUG, made systems": read_gug(data),
        "made, error rate .3": make_cases(0.3),
        "made, error rate .05": make_cases(0.05),
    }
    for name, judged in sets.items():
        for n in CASES:
            yield from cover_measures(judged, name, unit="case", n=n, simulations=most)
    for name, judged in places.items():
        for n in DOCUMENTS:
            yield from cover_measures(judged, name, unit="document", n=n, simulations=most)
        yield from cover_measures(
            judged,
            name,
            unit="case",
            n=10,
            simulations=most,
            draw_documents=True,
            note="n essays drawn, their cases resampled",
        )


# --- other raters ---


class Raters(NamedTuple):
    """Who can be drawn: `draw` gives the answers [raters, cases] of a jury of a size.

    `share` is the share of infinitely many raters who call each case an error.
    """

    draw: Callable[[np.random.Generator, int], LabelArray]
    share: FloatArray
    decided: LabelArray


def real_raters(answers: LabelArray, decided: LabelArray) -> Raters:
    """Real raters, drawn with replacement."""
    errors, judges = (answers == 1).sum(axis=0), (answers != NONE).sum(axis=0)
    return Raters(
        lambda rng, size: answers[rng.integers(0, len(answers), size)], errors / judges, decided
    )


def made_raters(cases: int = 500) -> Raters:
    """Raters who are more or less strict and more or less attentive; both habits are normal."""
    rng = stream(SEED, "made raters")
    clarity = rng.normal(-1.0, 2.0, cases)

    def chances(rng: np.random.Generator, size: int) -> FloatArray:
        strictness, attention = rng.normal(0, 0.7, (size, 1)), rng.normal(0, 0.3, (size, 1))
        found: FloatArray = 1 / (1 + np.exp(-(strictness + np.exp(attention) * clarity)))
        return found

    share = np.mean([chances(rng, 1000).mean(axis=0) for _ in range(20)], axis=0)
    decided = made_systems(share, rng)[1]
    return Raters(
        lambda rng, size: (rng.random((size, cases)) < chances(rng, size)).astype(np.int8),
        share,
        decided,
    )


def read_snow(data: Path) -> Raters:
    """The workers of Snow et al. (2008), textual entailment; the system is made of the gold label,
    wrong in a fifth of the pairs.
    """
    with (data / "snow" / "rte.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    items, item = np.unique([row["item"] for row in rows], return_inverse=True)
    raters, rater = np.unique([row["rater"] for row in rows], return_inverse=True)
    answers: LabelArray = np.full((len(raters), len(items)), NONE, dtype=np.int8)
    answers[rater, item] = [int(row["label"]) for row in rows]
    gold = np.zeros(len(items), dtype=np.int8)
    gold[item] = [int(row["gold"]) for row in rows]
    wrong = stream(SEED, "system for Snow").random(len(items)) < 0.2
    return real_raters(answers, np.where(wrong, 1 - gold, gold).astype(np.int8))


def call(answers: LabelArray) -> Jury:
    """The jury that the tool makes of these answers."""
    rater, case = np.nonzero(answers != NONE)
    given = (rater << LABEL_BITS) + 1 - answers[rater, case]
    judgments = JudgmentTable(
        raters=[str(i) for i in range(len(answers))],
        case=array("I", case.astype(np.uint32).tobytes()),
        answer=array("I", given.astype(np.uint32).tobytes()),
    )
    cases = CaseSet(tuple(Case(str(i)) for i in range(answers.shape[1])))
    return call_jury(
        Evidence("made", cases, judgments, {}, own_judgments=True),
        ties="ok",
        smooth=None,
        count_models=False,
        judges=None,
        rng=stream(SEED, "ties"),
    )


def cover_raters(raters: Raters, data: str, *, n: int, simulations: int) -> Iterator[CoverageRow]:
    """Intervals over n raters.

    The weighted truth is that of infinitely many raters; the truth by majority is the expected
    value of a jury of the same size, which is the mean over the simulations.
    """
    rng = stream(SEED, f"coverage over raters, {data}", n)
    decided = raters.decided
    options = Evaluate(ci=True, ci_unit="rater", resamples=RESAMPLES)
    no_bins = Binning("agreement", (), np.zeros(0, dtype=np.int16))
    system = Settled("made", DecisionTable("made"), decided, 0, None)
    found: dict[tuple[int, str], list[tuple[float, float, float, bool]]] = defaultdict(list)
    for number in range(simulations):
        jury = call(raters.draw(rng, n))
        warned = bool(settle_units(options, jury).cautions)
        seeded = Evaluate(ci=True, ci_unit="rater", resamples=RESAMPLES, seed=SEED + number)
        (drawn,) = draw_systems([system], jury, no_bins, seeded)
        for kind in range(len(KINDS)):
            for name in NAMES:
                spread = spread_of(drawn, kind, name)
                found[kind, name].append((spread.value, spread.low, spread.high, warned))
    parts = contributions(decided, raters.share).sum(axis=1)
    for (kind, name), values in found.items():
        truth = float(np.nanmean([value for value, *_ in values]))
        if KINDS[kind] == "weighted":
            truth = float(measure_arrays([name], parts)[0])
        tally = Tally()
        for _, low, high, warned in values:
            tally.add(low, high, truth, warned=warned)
        yield from tally.rows(f"evaluate {TITLES[name]}, {KINDS[kind]}", data, "rater", n)


def rater_rows(data: Path, most: int) -> Iterator[CoverageRow]:
    """`evaluate --ci-unit rater`."""
    prepositions = read_places(data, "preposition", "CAMB", "AMU")
    tokens = read_places(data, "token", "CAMB", "CUUI")
    cells: Mapping[str, tuple[Raters, Sequence[int]]] = {
        "ten annotators, 1,000 prepositions, CAMB": (
            real_raters(prepositions.answers[:, :1000], prepositions.decided[0, :1000]),
            (5, 10, 20, 30),
        ),
        "ten annotators, 2,000 tokens, CUUI": (
            real_raters(tokens.answers[:, :2000], tokens.decided[1, :2000]),
            (5, 10, 20, 30),
        ),
        "made raters, 500 cases": (made_raters(), (5, 10, 20, 30, 50)),
        "Snow's workers, 800 pairs": (read_snow(data), (50, 164)),
    }
    for name, (raters, sizes) in cells.items():
        for n in sizes:
            yield from cover_raters(raters, name, n=n, simulations=most)
