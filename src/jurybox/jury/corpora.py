"""Systems on different corpora: what may be compared, and what speaks against it.

Madnani et al. (2011, section 4.2): two systems that were tried on different cases are compared by
kappa within bins of agreement, since bins differ in their error rates and kappa minds that. It
helps only so far: `find_cautions` says where bins are small, where error rates differ, and where
the corpora had different numbers of judges or other labels. `subsample_judges` makes the numbers
of judges equal.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import sqrt
from typing import Annotated, NamedTuple

import numpy as np

from jurybox.errors import UsageError
from jurybox.jury.bins import Bin
from jurybox.jury.votes import UNKNOWN, LabelArray, Votes, judgment_blocks
from jurybox.model import Counts, JudgmentTable
from jurybox.records import Count, Key, Share

#: a bin with fewer cases says little
SMALL_BIN = 30
#: two error rates differ if their test statistic is beyond this: 5 % two-sided
LARGE_Z = 1.96


class Corpus(NamedTuple):
    """What a comparison needs to know of a corpus."""

    name: str
    n: Annotated[Count, "Cases with a truth."]
    errors: Annotated[Count, "Errors by the majority."]
    judges: Annotated[
        tuple[int, float, int], "Fewest, median and most deciding judgments of a judged case."
    ]
    labels: Annotated[tuple[str, ...], "Labels in use."]

    @property
    def error_rate(self) -> float:
        """The share of cases that are errors by the majority."""
        return self.errors / self.n if self.n else float("nan")


class BinPair(NamedTuple):
    """One bin of two corpora: numbers of the first, then of the second."""

    low: Annotated[Share, Key("from"), "Lower edge."]
    high: Annotated[Share, Key("to"), "Upper edge."]
    n: Annotated[tuple[int, int], "Cases."]
    left_out: Annotated[tuple[int, int], "Cases of the bin that are not counted."]
    counts: tuple[Counts, Counts]
    error_rate: Annotated[tuple[float, float], "Share of errors by the majority."]
    kappa: Annotated[tuple[float, float], "Cohen's kappa; null where undefined."]
    reasons: Annotated[tuple[str, str], "Why kappa is undefined; empty where it is not."]


class Caution(NamedTuple):
    """Something that speaks against a comparison: its kind, and a sentence that says it."""

    kind: Annotated[str, "small bin, error rates, judges or labels."]
    message: str


def describe_corpus(name: str, judgments: JudgmentTable, votes: Votes, truth: LabelArray) -> Corpus:
    """Cases, errors, judges per case and labels in use of one corpus.

    >>> table = JudgmentTable()
    >>> for rater, label in (("Ann", "error"), ("Bob", "ok"), ("Cem", "error")):
    ...     table.append(0, rater, label)
    >>> from jurybox.jury.votes import count_votes
    >>> describe_corpus("essays", table, count_votes(table, 1), np.array([1]))
    Corpus(name='essays', n=1, errors=1, judges=(3, 3.0, 3), labels=('error', 'ok'))
    """
    judges = votes.deciding
    judges = judges[judges > 0]
    spread = (0, 0.0, 0)
    if len(judges):
        spread = (int(judges.min()), float(np.median(judges)), int(judges.max()))
    labels = [
        label
        for label, column in zip(judgments.labels, votes, strict=False)
        if np.count_nonzero(column)
    ]
    errors = int(np.count_nonzero(truth == 1))
    return Corpus(name, int(np.count_nonzero(truth >= 0)), errors, spread, tuple(labels))


def pair_bins(first: Sequence[Bin], second: Sequence[Bin]) -> tuple[BinPair, ...]:
    """The bins of two corpora side by side, with kappa in each.

    >>> bins = [Bin(Counts(1, 0, 0, 1), 1, 0.5, 1), Bin(Counts(1, 1, 1, 1), 0.5, 0.5, 1)]
    >>> pair_bins(bins[:1], bins[1:])[0].kappa
    (1.0, 0.0)
    """
    edges = [[(part.low, part.high) for part in bins] for bins in (first, second)]
    if edges[0] != edges[1]:
        raise UsageError("bins of two corpora are compared only where their edges are the same")
    return tuple(
        BinPair(
            low=a.low,
            high=a.high,
            n=(a.n, b.n),
            left_out=(a.left_out, b.left_out),
            counts=(a.counts, b.counts),
            error_rate=(a.error_rate, b.error_rate),
            kappa=(a.kappa, b.kappa),
            reasons=(a.undefined.get("kappa", ""), b.undefined.get("kappa", "")),
        )
        for a, b in zip(first, second, strict=True)
    )


def find_cautions(first: Corpus, second: Corpus, pairs: Sequence[BinPair]) -> tuple[Caution, ...]:
    """What speaks against comparing two systems on these two corpora.

    Error rates, of the whole corpora and of each bin, differ if a two-proportion z-test says so
    at 5 %: z = (r1 - r2) / √(r (1 - r)(1/n1 + 1/n2)), r being the rate of both together.
    """
    names = (first.name, second.name)
    cautions = _rates("all cases", names, (first.errors, second.errors), (first.n, second.n))
    for pair in pairs:
        where = f"bin {pair.low:g} to {pair.high:g}"
        cautions += [
            Caution("small bin", f"{where} has {n} cases in {name}, under {SMALL_BIN}")
            for name, n in zip(names, pair.n, strict=True)
            if n < SMALL_BIN
        ]
        here, there = (int(counts.tp + counts.fn) for counts in pair.counts)
        cautions += _rates(where, names, (here, there), pair.n)
    if first.judges != second.judges:
        shown = [f"{corpus.name} has {_judges(corpus.judges)}" for corpus in (first, second)]
        cautions.append(Caution("judges", f"{' and '.join(shown)}; {_even_out(first, second)}"))
    if first.labels != second.labels:
        shown = [f"{corpus.name} uses {', '.join(corpus.labels)}" for corpus in (first, second)]
        cautions.append(Caution("labels", "; ".join(shown)))
    return tuple(cautions)


def _rates(
    where: str, names: tuple[str, str], errors: tuple[int, int], n: tuple[int, int]
) -> list[Caution]:
    if not all(n):
        return []
    one, two = (errors[i] / n[i] for i in (0, 1))
    both = sum(errors) / sum(n)
    deviation = sqrt(both * (1 - both) * (1 / n[0] + 1 / n[1]))
    z = (one - two) / deviation if deviation else 0.0
    if abs(z) <= LARGE_Z:
        return []
    rates = f"{one:.3f} in {names[0]}, {two:.3f} in {names[1]}"
    message = f"error rates differ in {where}: {rates} (two-proportion test, z = {z:.1f})"
    return [Caution("error rates", message)]


def _judges(judges: tuple[int, float, int]) -> str:
    fewest, median, most = judges
    if fewest == most:
        return f"{fewest} judges per case"
    return f"{fewest} to {most} judges per case (median {median:g})"


def _even_out(first: Corpus, second: Corpus) -> str:
    """What to do about different numbers of judges.

    The smaller median, not the fewest: one case with a single judge would cost all the others
    theirs, and a judge alone always agrees.
    """
    typical = int(min(first.judges[1], second.judges[1]))
    if typical < 2:
        return "one judge per case always agrees: bins by agreement cannot be compared"
    return f"give both at most {typical} per case with --judges {typical}"


def subsample_judges(
    judgments: JudgmentTable, cases: int, per_case: int, rng: np.random.Generator
) -> JudgmentTable:
    """At most `per_case` deciding judgments of every case, chosen at random.

    Judgments that decide nothing (unknown) take nobody's place and stay. A case with fewer keeps
    what it has.

    >>> table = JudgmentTable()
    >>> for rater in ("Ann", "Bob", "Cem"):
    ...     table.append(0, rater, "error")
    >>> len(subsample_judges(table, 1, 2, np.random.default_rng(0)))
    2
    """
    if per_case < 1:
        raise UsageError(f"every case keeps at least 1 judge, not {per_case}")
    case = np.asarray(judgments.case)
    deciding = np.concatenate(
        [*(b.label < UNKNOWN for b in judgment_blocks(judgments, cases)), np.zeros(0, bool)]
    )
    rows = np.flatnonzero(deciding)
    rows = rows[rng.permutation(len(rows))]
    rows = rows[np.argsort(case[rows], kind="stable")]
    sorted_case = case[rows]
    begins = np.searchsorted(sorted_case, sorted_case)
    drawn = rows[np.arange(len(rows)) - begins < per_case]
    rows = np.sort(np.concatenate([drawn, np.flatnonzero(~deciding)]))
    return JudgmentTable(
        judgments.raters,
        judgments.labels,
        _chosen(judgments.case, rows),
        _chosen(judgments.answer, rows),
        judgments.corrections,
        None if judgments.correction is None else _chosen(judgments.correction, rows),
        judgments.kinds,
    )


def _chosen(column: array[int], rows: np.typing.NDArray[np.intp]) -> array[int]:
    return array(column.typecode, np.asarray(column)[rows].tobytes())
