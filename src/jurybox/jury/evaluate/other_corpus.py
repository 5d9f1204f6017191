"""Systems on different corpora: kappa by bin in both, and what speaks against comparing.

Madnani et al. (2011, section 4.2): two systems that were tried on different cases are compared by
kappa within bins of agreement, since bins differ in their error rates and kappa minds that. It
helps only so far: `find_cautions` says where bins are small, where error rates differ, and where
the corpora had different numbers of judges or other labels. `--judges` makes the numbers of judges
equal.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jurybox.counting.histogram import weighted_ends
from jurybox.errors import InputError, UsageError
from jurybox.formats import Input, as_input
from jurybox.jury.bins import Bin
from jurybox.jury.evaluate.result import (
    BinPair,
    Caution,
    Corpus,
    CorpusPair,
    EvaluateResult,
    OtherCorpus,
)
from jurybox.jury.votes import LabelArray, Votes
from jurybox.model import LABELS

#: a bin with fewer cases says little
SMALL_BIN = 30
#: two error rates differ if their test statistic is beyond this: 5 % two-sided
LARGE_Z = 1.96
_MAKE_ONE = "make one with jurybox evaluate ... --format json -o RESULT.json (--compare-with)"


def read_other(
    given: EvaluateResult | str | os.PathLike[str] | Input | Mapping[str, Any], bin_by: str
) -> EvaluateResult:
    """A result of `evaluate` on another corpus, or its JSON; its bins are of the same kind."""
    other, name = given, "the result"
    if not isinstance(other, (EvaluateResult, Mapping)):
        source = as_input(other)
        name = source.name
        try:
            other = json.loads("\n".join(line for _, line in source.lines()))
        except ValueError as error:
            raise InputError(f"{name}: is no JSON ({error}); {_MAKE_ONE}") from None
    if not isinstance(other, EvaluateResult):
        if not isinstance(other, Mapping) or other.get("schema") != "jurybox.evaluate/1":
            raise InputError(f"{name}: is no result of jurybox evaluate; {_MAKE_ONE}")
        other = EvaluateResult.from_dict(other, file=f"{name} (--compare-with)")
    by = other.options.bin_by
    if by != bin_by:
        raise UsageError(
            f"--compare-with: its bins are by {by}, these by {bin_by}; use --bin-by {by}"
        )
    return other


def compare_corpora(here: EvaluateResult, other: EvaluateResult) -> OtherCorpus:
    """Every system here with every system there."""
    there = other.corpus
    if there.name == here.corpus.name:
        there = there._replace(name=f"{there.name} (other)")
    pairs = []
    cautions: dict[Caution, None] = {}
    for system in here.systems:
        for one in other.systems:
            edges = [part.low for part in one.bins]
            if edges != [part.low for part in system.bins]:
                shown = ",".join(f"{edge:g}" for edge in (*edges, one.bins[-1].high))
                raise UsageError(f"--compare-with: the bins there are others; give --bins {shown}")
            paired = pair_bins(system.bins, one.bins)
            pairs.append(CorpusPair(system.name, one.name, paired))
            cautions |= dict.fromkeys(find_cautions(here.corpus, there, paired))
    return OtherCorpus(there, tuple(pairs), tuple(cautions))


def describe_corpus(name: str, votes: Votes, truth: LabelArray, sizes: NDArray[np.int64]) -> Corpus:
    """Cases, errors, judges per case and labels in use of one corpus.

    >>> votes = Votes(np.array([2]), np.array([1]), np.array([0]))
    >>> describe_corpus("essays", votes, np.array([1]), np.array([7]))
    Corpus(name='essays', n=7, errors=7, judges=(3, 3.0, 3), labels=('error', 'ok'))
    """
    judged = votes.deciding > 0
    spread = (0, 0.0, 0)
    if judged.any():
        spread = weighted_ends(votes.deciding[judged], sizes[judged])
    labels = [label for label, column in zip(LABELS, votes, strict=True) if column.any()]
    n, errors = (int(sizes[chosen].sum()) for chosen in (truth >= 0, truth == 1))
    return Corpus(name, n, errors, spread, tuple(labels))


def pair_bins(first: Sequence[Bin], second: Sequence[Bin]) -> tuple[BinPair, ...]:
    """The bins of two corpora side by side, with kappa in each.

    >>> from jurybox.model import Counts
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
            intervals=(a.intervals.get("kappa"), b.intervals.get("kappa")),
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
        shown = []
        for name, (fewest, median, most) in zip(names, (first.judges, second.judges), strict=True):
            spread = f"{fewest} to {most} judges per case (median {median:g})"
            shown.append(f"{name} has {f'{fewest} judges per case' if fewest == most else spread}")
        # the smaller median, not the fewest: one case with a single judge would cost all the
        # others theirs, and a judge alone always agrees
        typical = int(min(first.judges[1], second.judges[1]))
        remedy = f"give both at most {typical} per case with --judges {typical}"
        if typical < 2:
            remedy = "one judge per case always agrees: bins by agreement cannot be compared"
        cautions.append(Caution("judges", f"{' and '.join(shown)}; {remedy}"))
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
