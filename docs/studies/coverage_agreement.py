"""How often the intervals of agreement cover the truth: `agree`, `metaeval`, and what uses them.

Cases are drawn with replacement from real data, or from made populations whose label frequencies
and agreement are known. An interval is made of each sample, and it is looked up whether it holds
the value of the population. Every function gives rows: one of the samples that jurybox warns of,
one of the others. From the command line they are printed:

    python docs/studies/coverage_agreement.py [SIMULATIONS] [PART ...]

Parts are the names in `PARTS`. With 2,000 simulations all of them take some twenty minutes.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import asin, comb, exp, lgamma, pi, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from coverage_rows import EXACT, FEWEST, CoverageRow, as_text, row_of
from numpy.typing import NDArray
from studying import find_data, gold_files

import jurybox as jb
from jurybox.metaeval.correlation import MEASURES, Measure
from jurybox.metaeval.intervals import correlation_interval, sentence_ends
from jurybox.raters.agreement import (
    CaseSums,
    ac1_of,
    alpha_of,
    contributions,
    fleiss_of,
    observed_of,
)
from jurybox.raters.cohen import agreement_weights, estimate_kappas, kappas_of
from jurybox.raters.intervals import CaseKinds, caution_on, kinds_of, share_interval
from jurybox.raters.named_coefficients import OF_NAMES, estimate_samples
from jurybox.raters.pairs import caution_on_pair
from jurybox.raters.ratings import ratings_of

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int64]

SEED = 1
#: of systems or sentences, where there are resamples at all
RESAMPLES = 300
#: simulated data sets looked at together
AT_ONCE = 50
#: so many times as many simulations of agreement, which cost little
MORE = 5
SIZES = (30, 100, 500)
#: how often each of two made raters says error
MARGINS = ((0.02, 0.02), (0.05, 0.05), (0.05, 0.15), (0.1, 0.1), (0.3, 0.3), (0.5, 0.5))
#: coefficients that rest on the rarer labels, so that jurybox warns where they are very rare
WARNED = ("fleiss_kappa", "alpha_nominal", "alpha_ordinal", "alpha_interval", "alpha_ratio")
#: cases of a population that stand for endlessly many
ENDLESS = 10_000_000


class Made(NamedTuple):
    """Intervals of one kind, made of many samples."""

    ends: FloatArray  # [simulations, 2]; nan where a sample has none
    truth: float
    warned: NDArray[np.bool_] | None = None  # [simulations]; None: never
    note: str = ""


def rows_of(
    interval: str, data: str, n: int, made: Made, unit: str = "case"
) -> Iterator[CoverageRow]:
    """Rows of intervals; samples without one are left out."""
    warned = np.zeros(len(made.ends), dtype=bool) if made.warned is None else made.warned
    defined = ~np.isnan(made.ends[:, 0])
    for told in (False, True):
        kept = made.ends[defined & (warned == told)]
        if len(kept) >= FEWEST:
            truth = np.full(len(kept), made.truth)
            name = f"{'agree' if unit == 'case' else 'metaeval'} {interval}"
            yield row_of(name, data, unit, n, ends=kept, truth=truth, warned=told, note=made.note)


# --- populations ---


class Crowd(NamedTuple):
    """Kinds of cases: how many raters gave each label, and how likely a case is of each kind."""

    name: str
    counts: CodeArray  # [kinds, labels]
    chances: FloatArray
    numbers: tuple[float, ...] | None = None


class Pair(NamedTuple):
    """Two raters: how likely each cell of their table is."""

    name: str
    chances: FloatArray  # [labels, labels]
    numbers: tuple[float, ...] | None = None


def crowd_of(name: str, counts: CodeArray, numbers: Sequence[float] | None = None) -> Crowd:
    """Cases of real data as a population."""
    kinds = kinds_of(counts[counts.any(axis=1)])
    chances = kinds.sizes / kinds.sizes.sum()
    given = None if numbers is None else tuple(numbers)
    return Crowd(name, kinds.counts.astype(np.int64), chances, given)


def read_gug(data: Path) -> tuple[CodeArray, CodeArray]:
    """Grades of learners' sentences: the expert's [cases], the crowd's counts [cases, 4]."""
    expert, counts = [], []
    with (data / "gug" / "gug_annotations.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            grades = [int(one) for one in re.findall(r"\d", row["Crowd Flower Judgements"])]
            if not grades:  # spoiled sentences
                continue
            expert.append(int(float(row["Expert Judgement"])) - 1)
            counts.append([grades.count(grade) for grade in (1, 2, 3, 4)])
    return np.array(expert), np.array(counts)


def read_rte(data: Path) -> CodeArray:
    """Entailments judged by ten people each: counts [cases, 2]."""
    counts: dict[str, list[int]] = {}
    with (data / "snow" / "rte.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            counts.setdefault(row["item"], [0, 0])[int(row["label"])] += 1
    return np.array(list(counts.values()))


@cache
def read_tokens(data: Path) -> CodeArray:
    """Whether each of ten annotators changes a token: [tokens, annotators]."""
    found = jb.derive_cases(gold_files(data), "token")
    ratings = ratings_of(found.judgments, len(found.case_set))
    said = np.zeros((ratings.cases, len(ratings.raters)), dtype=np.int64)
    said[ratings.case, ratings.rater] = ratings.label == ratings.labels.index("error")
    return said


def beta_binomial(raters: int, prevalence: float, kappa: float) -> Crowd:
    """Raters who call a case an error with a probability that differs from case to case (Beta)."""
    strength = (1 - kappa) / kappa
    a, b = prevalence * strength, (1 - prevalence) * strength

    def beta(x: float, y: float) -> float:
        return lgamma(x) + lgamma(y) - lgamma(x + y)

    errors = range(raters + 1)
    chances = [comb(raters, k) * exp(beta(k + a, raters - k + b) - beta(a, b)) for k in errors]
    counts = np.array([[k, raters - k] for k in errors])
    name = f"{raters} raters, {prevalence:g} errors, kappa {kappa:g}"
    return Crowd(name, counts, np.array(chances) / sum(chances))


def with_gaps(crowd: Crowd, missing: float) -> Crowd:
    """The same raters, each of whom misses this share of the cases."""
    rng = np.random.default_rng(SEED)
    of_kind = rng.choice(len(crowd.counts), size=200_000, p=crowd.chances)
    kept = rng.binomial(crowd.counts[of_kind], 1 - missing)
    return crowd_of(f"{crowd.name}, {missing:.0%} missing", kept, crowd.numbers)


def real_crowds(data: Path) -> Iterator[Crowd]:
    """Real judgments."""
    _, grades = read_gug(data)
    yield crowd_of("GUG, 5 raters, grades", grades, (1, 2, 3, 4))
    halves = np.stack([grades[:, :2].sum(axis=1), grades[:, 2:].sum(axis=1)], axis=1)
    yield crowd_of("GUG, 5 raters, 1-2 or 3-4", halves)
    yield crowd_of("RTE, 10 raters", read_rte(data))
    tokens = read_tokens(data)
    changed = tokens.sum(axis=1)
    yield crowd_of("tokens, 10 annotators", np.stack([changed, 10 - changed], 1))
    file = data / "agreement" / "krippendorff-2011.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        cells = [row[1:] for row in csv.reader(lines)][1:]
    codes = np.array([[int(cell or 0) - 1 for cell in row] for row in cells])
    counts = np.stack([(codes == k).sum(axis=1) for k in range(codes.max() + 1)], axis=1)
    yield crowd_of("Krippendorff 2011, 4 raters, gaps", counts, range(1, counts.shape[1] + 1))


def made_crowds() -> Iterator[Crowd]:
    """Made judgments: rare labels, little and much agreement, gaps."""
    for raters in (2, 5, 10, 20):
        for prevalence in (0.05, 0.1, 0.5):
            for kappa in (0.1, 0.4, 0.8):
                yield beta_binomial(raters, prevalence, kappa)
    for raters in (5, 10):
        for prevalence in (0.1, 0.5):
            yield with_gaps(beta_binomial(raters, prevalence, 0.4), 0.4)


def real_pairs(data: Path) -> Iterator[Pair]:
    """Two raters of real data; of a crowd without names two judgments of a case."""
    expert, grades = read_gug(data)
    table = np.zeros((4, 4))
    np.add.at(table, expert, grades / grades.sum(axis=1, keepdims=True))
    yield Pair("GUG, expert and a rater", table / table.sum(), (1, 2, 3, 4))
    rte = read_rte(data)
    both = np.einsum("ij,ik->jk", rte, rte) - np.diag(rte.sum(axis=0))
    yield Pair("RTE, two raters", both / both.sum())
    tokens = read_tokens(data)
    for one, other in ((0, 1), (2, 8)):
        pair = np.bincount(2 * tokens[:, one] + tokens[:, other], minlength=4).reshape(2, 2)
        yield Pair(f"tokens, A{one + 1} and A{other + 1}", pair / pair.sum())


def made_pairs() -> Iterator[Pair]:
    """Two raters with label frequencies of their own and a given kappa."""
    for first, second in MARGINS:
        for kappa in (0.0, 0.2, 0.4, 0.6, 0.8, 0.95):
            chance = first * second + (1 - first) * (1 - second)
            both = (chance + kappa * (1 - chance) + first + second - 1) / 2
            cells = np.array([[both, first - both], [second - both, 1 - first - second + both]])
            if cells.min() >= 0:
                yield Pair(f"errors {first:g} and {second:g}, kappa {kappa:g}", cells)


# --- coverage ---


def _values(crowd: Crowd, names: Sequence[str]) -> dict[str, float]:
    """Coefficients of the population: of so many cases that one more or less is nothing."""
    cells = contributions(crowd.counts.astype(np.float64), with_pairs=True)
    sums = CaseSums(ENDLESS * (crowd.chances @ cells), crowd.counts.shape[1])
    given = int(np.count_nonzero(crowd.counts.sum(axis=0)))
    numbers = None if crowd.numbers is None else np.array(crowd.numbers)
    found = {"observed": observed_of(sums), "fleiss_kappa": fleiss_of(sums).value}
    found["ac1"] = ac1_of(sums, given).value
    for name in names:
        if name.startswith("alpha_"):
            found[name] = alpha_of(sums, name.removeprefix("alpha_"), numbers).value
    return {name: float(value) for name, value in found.items()}


def cover_crowd(crowd: Crowd, n: int, simulations: int) -> Iterator[CoverageRow]:
    """Coefficients of all raters."""
    names = list(OF_NAMES)
    if crowd.numbers is not None:
        names += ["alpha_ordinal", "alpha_interval", "alpha_ratio"]
    truth = _values(crowd, names)
    rng = np.random.default_rng(SEED)
    sizes = rng.multinomial(n, crowd.chances, size=simulations).astype(np.float64)
    kinds = crowd.counts.astype(np.float64)
    labels = [str(k) for k in range(crowd.counts.shape[1])]
    warned = np.array([bool(caution_on(CaseKinds(kinds, one), labels)) for one in sizes])
    ends = {}
    for name in names:
        parts = [
            estimate_samples(
                crowd.counts, sizes[start : start + AT_ONCE], name, numbers=crowd.numbers
            )
            for start in range(0, simulations, AT_ONCE)
        ]
        ends[name] = np.concatenate([np.stack([one.low, one.high], axis=1) for one in parts])
    for name in names:
        told = warned if name in WARNED else None
        yield from rows_of(name, crowd.name, n, Made(ends[name], truth[name], told))


def cover_pair(pair: Pair, n: int, simulations: int) -> Iterator[CoverageRow]:
    """Cohen's kappa, weighted or not."""
    labels = len(pair.chances)
    rng = np.random.default_rng(SEED)
    cells = np.maximum(0.0, pair.chances).ravel()
    tables = rng.multinomial(n, cells / cells.sum(), size=simulations).reshape(-1, labels, labels)
    names = [str(k) for k in range(labels)]
    warned = np.array([bool(caution_on_pair(table, names)) for table in tables])
    for weights in ("none", "linear", "quadratic") if pair.numbers else ("none",):
        w = agreement_weights(labels, weights, pair.numbers)
        found = estimate_kappas(tables.astype(np.float64), w)
        ends = np.stack([found.low, found.high], axis=1)
        ends[np.isnan(found.value)] = np.nan
        truth = float(kappas_of(pair.chances[np.newaxis] * ENDLESS, w)[0])
        title = "Cohen's kappa" if weights == "none" else f"kappa, {weights}"
        yield from rows_of(title, pair.name, n, Made(ends, truth, warned))
        if weights == "none":  # what is usual, to compare with
            reach = 1.96 * found.standard_error
            usual = np.stack([found.value - reach, found.value + reach], axis=1)
            yield from rows_of("kappa ± 1.96 SE", pair.name, n, Made(usual, truth))


def cover_shares(n: int, simulations: int) -> Iterator[CoverageRow]:
    """Shares over cases with one to five trials each, which agree within a case."""
    rng = np.random.default_rng(SEED)
    for share in (0.05, 0.3, 0.5, 0.9):
        for together in (0.0, 0.5):
            ends = np.full((simulations, 2), np.nan)
            for i in range(simulations):
                trials = rng.integers(1, 6, n)
                own = np.full(n, share)
                if together:
                    strength = (1 - together) / together
                    own = rng.beta(share * strength, (1 - share) * strength, n)
                found = share_interval(rng.binomial(trials, own), trials)
                ends[i] = found.low, found.high
            name = f"1-5 trials, share {share:g}, correlation {together:g}"
            yield from rows_of("share", name, n, Made(ends, share))


def cover_correlations(systems: int, simulations: int) -> Iterator[CoverageRow]:
    """Correlations over other systems, whose scores are bivariate normal."""
    rng = np.random.default_rng(SEED)
    for rho in (0.0, 0.5, 0.8, 0.95, 0.99):
        noise = rng.normal(size=(2, simulations, systems))
        metric, human = noise[0], rho * noise[0] + sqrt(1 - rho**2) * noise[1]
        tau = 2 / pi * asin(rho)
        truths = {"pearson": rho, "spearman": 6 / pi * asin(rho / 2), "kendall": tau}
        for name, truth in truths.items():
            values = MEASURES[name](metric, human)
            # rank correlations of few systems have few values
            distinct, which = np.unique(values.round(12), return_inverse=True)
            ends = [correlation_interval(name, float(one), systems)[:2] for one in distinct]
            made = Made(np.array(ends)[which], truth, note="" if name == "pearson" else EXACT)
            yield from rows_of(name, f"normal scores, r {rho:g}", systems, made, "system")
            few = slice(0, max(1, simulations // 20))  # they cost much, and only compare
            drawn = rng.integers(0, systems, (len(metric[few]), RESAMPLES, systems))
            resampled = MEASURES[name](
                np.take_along_axis(metric[few, np.newaxis], drawn, axis=2),
                np.take_along_axis(human[few, np.newaxis], drawn, axis=2),
            )
            usual = np.nanquantile(resampled, [0.025, 0.975], axis=1).T
            title, data = f"{name}, percentiles", f"normal scores, r {rho:g}"
            yield from rows_of(title, data, systems, Made(usual, truth), "system")


def untied_spearman(metric: FloatArray, human: FloatArray) -> FloatArray:
    """Spearman's rho of scores without ties, from pairs: faster than for all scores.

    The sum of products of ranks is a sum over pairs, of the metric's rank of the one that people
    prefer.
    """
    n = human.shape[-1]
    ranks = metric.argsort(axis=-1).argsort(axis=-1).astype(np.float64)
    products = np.zeros(np.broadcast_shapes(metric.shape, human.shape)[:-1])
    for first in range(n):
        for second in range(first):
            better = human[..., first] > human[..., second]
            products += np.where(better, ranks[..., first], ranks[..., second])
    mean = (n - 1) / 2
    found: FloatArray = (products - n * mean**2) / ((n**3 - n) / 12)
    return found


def untied_kendall(metric: FloatArray, human: FloatArray) -> FloatArray:
    """Kendall's tau of scores without ties, faster than for all scores."""
    n = human.shape[-1]
    same = np.zeros(np.broadcast_shapes(metric.shape, human.shape)[:-1])
    for first in range(n):
        for second in range(first):
            order = metric[..., first] > metric[..., second]
            same += order == (human[..., first] > human[..., second])
    found: FloatArray = 4 * same / (n * (n - 1)) - 1
    return found


#: measures of scores without ties; they give the same values as those of the tool
UNTIED: dict[str, Measure] = {
    "pearson": MEASURES["pearson"],
    "spearman": untied_spearman,
    "kendall": untied_kendall,
}


def cover_sentences(
    rho: float, noise: float, systems: int, simulations: int
) -> Iterator[CoverageRow]:
    """Correlations over other sentences: the systems stay, people's scores of them are noisy."""
    rng = np.random.default_rng([SEED, systems, round(10 * rho), round(10 * noise)])
    made: dict[str, list[FloatArray]] = {}
    for start in range(0, simulations, AT_ONCE):
        shape = (min(AT_ONCE, simulations - start), systems)
        metric = rng.normal(size=shape)
        human = rho * metric + sqrt(1 - rho**2) * rng.normal(size=shape)
        seen = human + noise * rng.normal(size=shape)
        again = seen[:, np.newaxis] + noise * rng.normal(size=(shape[0], RESAMPLES, systems))
        for name, measure in UNTIED.items():
            # the truth differs from sample to sample: ends are relative to it
            truth = measure(metric, human)
            assert np.allclose(truth, MEASURES[name](metric, human))
            found = np.stack(sentence_ends(measure, metric, seen, again))
            made.setdefault(name, []).append(found - truth)
            drawn = measure(metric[:, np.newaxis], again)
            usual = np.quantile(drawn, [0.025, 0.975], axis=1)
            made.setdefault(f"{name}, percentiles", []).append(usual - truth)
    for name, parts in made.items():
        data = f"r {rho:g}, noise of people's scores {noise:g}"
        ends = np.concatenate(parts, axis=1).T
        yield from rows_of(name, data, systems, Made(ends, 0.0), "sentence")


def _over_systems(simulations: int) -> Iterator[CoverageRow]:
    for systems in (5, 8, 12, 20, 40):
        yield from cover_correlations(systems, simulations)


def _over_sentences(simulations: int) -> Iterator[CoverageRow]:
    for systems in (6, 12):
        for rho in (0.5, 0.9, 1.0):
            for noise in (0.1, 0.3):
                yield from cover_sentences(rho, noise, systems, simulations)


def _crowds(crowds: Iterator[Crowd], simulations: int) -> Iterator[CoverageRow]:
    for crowd in crowds:
        for n in SIZES:
            yield from cover_crowd(crowd, n, simulations)


def _pairs(pairs: Iterator[Pair], simulations: int) -> Iterator[CoverageRow]:
    for pair in pairs:
        for n in SIZES:
            yield from cover_pair(pair, n, simulations)


def _shares(simulations: int) -> Iterator[CoverageRow]:
    for n in SIZES:
        yield from cover_shares(n, simulations)


PARTS: dict[str, Callable[[Path, int], Iterator[CoverageRow]]] = {
    "pairs": lambda data, times: _pairs(real_pairs(data), MORE * times),
    "made-pairs": lambda _, times: _pairs(made_pairs(), MORE * times),
    "crowds": lambda data, times: _crowds(real_crowds(data), MORE * times),
    "made-crowds": lambda _, times: _crowds(made_crowds(), MORE * times),
    "shares": lambda _, times: _shares(MORE * times),
    "over-systems": lambda _, times: _over_systems(times),
    "over-sentences": lambda _, times: _over_sentences(times),
}


def main(arguments: Sequence[str]) -> None:
    """Print the rows of some parts, or of all."""
    times = int(arguments[0]) if arguments else 2000
    for part in arguments[1:] or PARTS:
        for row in PARTS[part](find_data(), times):
            print(as_text([row]).splitlines()[1], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
