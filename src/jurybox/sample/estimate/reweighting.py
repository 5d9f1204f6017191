"""A new system on judgments that were drawn for an old one.

The sample was drawn at rates that depend on what the *old* system said. Weights undo this: a case
of a stratum of N cases of which n were judged stands for N / n cases (Horvitz and Thompson 1952).
Weighted means are taken within what the new system flags and within what it does not (Hájek 1971);
if it is known how many cases it flags in the whole corpus, as it is where it was run on all of it,
these numbers are used instead of estimated ones.

Nothing new is judged, so the estimate is less sure than a sample drawn for the new system: most of
what it flags may lie in a part that was sampled thinly. The effective number of cases says how many
equally weighted ones would be as sure (Kish 1965). Where a stratum was not judged at all, or no
judged case is flagged by the new system, there is no estimate; where a single case of a stratum was
judged, nobody can tell how much its cases differ, and there is no interval.

Intervals come from corpora that the judged cases may have been drawn from (`draw_corpora`): what
the new system flags in a large stratum may be missing from the judged cases altogether, and no
standard error sees it.
"""

from __future__ import annotations

from math import inf, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.sample.estimate.result import RetestedMeasure
from jurybox.sample.estimate.sampled_parts import ROUNDING, ratio
from jurybox.sample.options import About
from jurybox.stats.proportions import FloatArray

# --- Corpora that judged cases may have come from, drawn at random: intervals for a re-test ---
#
# A new system is tested on cases that were drawn for an old one. How many cases of each stratum it
# flags, and how many of these are errors, is known from a handful of judged cases each, or from
# none at all: what it flags among a million cases that the old system passed may be missing from
# the sample and still be half of what it flags. A standard error that is made of the judged cases
# does not see this, and intervals that follow from it hold the truth far too rarely.
#
# So shares are drawn as they may be, given what was judged: from the beta distribution with half a
# case added on either side (Jeffreys 1946; Brown, Cai and DasGupta 2001 on how well it covers).
# Strata that the old system labelled alike are taken to be related: each is drawn towards all of
# them together by one case, and the half case is divided among them by their size, so that a large
# stratum without an error leaves as much doubt as it should; small ones are left as unsure as they
# are. Where it is known how many cases the new system flags, the drawn numbers are made to add up
# to it, each moved as far as it is unsure. About text of this kind, a corpus is itself a draw: each
# of the drawn corpora, by stratum and by what the new system says, gives the shares of a text that
# it may have come from (a Dirichlet distribution). The middle of many such corpora, or texts, is
# the interval.

DRAWS = 4000
#: what is added to either side: half a case
HALF = 0.5
#: rounds in which drawn numbers are made to add up; some meet their limits on the way
ROUNDS = 4


class StrataCounts(NamedTuple):
    """Strata, as columns: cases, judged cases, and which of them the old system labelled alike."""

    sizes: NDArray[np.int64]
    judged: NDArray[np.int64]
    alike: NDArray[np.int64]


class CellCounts(NamedTuple):
    """Judged cases of each stratum that the new system flags, or passes, and errors among them.

    `sharper` is how many times less shares spread, where judges differ, than errors that are
    there or not.
    """

    cases: FloatArray
    errors: FloatArray
    sharper: float = 1.0


def draw_corpora(
    strata: StrataCounts,
    flagged: CellCounts,
    passed: CellCounts,
    rng: np.random.Generator,
    *,
    known: int | None = None,
    about: About,
    draws: int = DRAWS,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """What the new system may find in the whole corpus, [draws]; `known` is how many it flags.

    Numbers are those of flagged cases, errors among them, and errors among the others.
    About this corpus, the judged cases are as they are, and only the others are drawn. About text
    of this kind, numbers are those of a corpus of this size that has the shares of the text.

    >>> strata = StrataCounts(np.array([100, 900]), np.array([50, 90]), np.array([0, 1]))
    >>> flagged = CellCounts(np.array([50.0, 0]), np.array([40.0, 0]))
    >>> passed = CellCounts(np.array([0.0, 90]), np.array([0.0, 9]))
    >>> rng = np.random.default_rng(1)
    >>> _, hits, misses = draw_corpora(strata, flagged, passed, rng, known=100, about="corpus")
    >>> bool(hits.min() >= 40), bool(misses.min() >= 9)
    (True, True)
    >>> [round(float(end), 2) for end in np.quantile(misses / 900, [0.025, 0.975])]
    [0.05, 0.17]
    """
    rates = _draw_shares(strata, flagged.cases, strata.judged.astype(np.float64), rng, draws)
    sizes: FloatArray = np.broadcast_to(strata.sizes.astype(np.float64), rates.shape)
    if about == "text" and known is None:
        sizes = _other_corpora(sizes, rng)
        inside = sizes * rates
    else:
        inside = flagged.cases + (strata.sizes - strata.judged) * rates
        if known is not None:
            inside = _made_to_add_up(inside, (flagged.cases, strata.sizes - passed.cases), known)
        if about == "text":
            cells = _other_corpora(np.concatenate([inside, sizes - inside], axis=1), rng)
            inside, outside = np.split(cells, 2, axis=1)
            sizes = inside + outside
    hits = _draw_errors(strata, flagged, inside, rng, about)
    return inside.sum(axis=1), hits, _draw_errors(strata, passed, sizes - inside, rng, about)


def _other_corpora(cells: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Cells of corpora as large as these [draws, cells], with the shares of texts they may be of.

    A cell that no case of the corpus is in has next to no share of its text.
    """
    drawn = rng.standard_gamma(np.maximum(cells, ROUNDING))
    of: FloatArray = drawn / drawn.sum(axis=1, keepdims=True) * cells.sum(axis=1, keepdims=True)
    return of


def _made_to_add_up(
    inside: FloatArray, limits: tuple[FloatArray, FloatArray], known: int
) -> FloatArray:
    """Numbers of flagged cases [draws, strata], moved to their sum: the unsure ones most."""
    spread = inside.var(axis=0)
    if not spread.sum():
        return inside
    for _ in range(ROUNDS):
        gap = known - inside.sum(axis=1, keepdims=True)
        inside = np.clip(inside + gap * spread / spread.sum(), *limits)
    return inside


def _draw_errors(
    strata: StrataCounts,
    cell: CellCounts,
    inside: FloatArray,
    rng: np.random.Generator,
    about: About,
) -> FloatArray:
    """Errors among so many cases of each stratum, added up: [draws]."""
    errors, cases = cell.errors * cell.sharper, cell.cases * cell.sharper
    shares = _draw_shares(strata, errors, cases, rng, len(inside))
    if about == "text":
        summed: FloatArray = (inside * shares).sum(axis=1)
        return summed
    unseen = np.rint(np.maximum(inside - cell.cases, 0)).astype(np.int64)
    expected = unseen * shares
    more = expected + (rng.binomial(unseen, shares) - expected) / np.sqrt(cell.sharper)
    whole: FloatArray = (cell.errors + np.clip(more, 0, unseen)).sum(axis=1)
    return whole


def _draw_shares(
    strata: StrataCounts, found: FloatArray, of: FloatArray, rng: np.random.Generator, draws: int
) -> FloatArray:
    """Shares of `found` among `of`, [draws, strata]."""
    shares = np.empty((draws, len(of)))
    for group in np.unique(strata.alike):
        at = np.flatnonzero(strata.alike == group)
        ours, others = found[at], of[at] - found[at]
        together = rng.beta(ours.sum() + HALF, others.sum() + HALF, size=(draws, 1))
        if len(at) == 1:
            shares[:, at] = together
            continue
        half = HALF * strata.sizes[at] / strata.sizes[at].sum()
        worth = _worth(of[at], half)
        # sums of shares of judges may fall short of none, and of all, by rounding
        shares[:, at] = rng.beta(
            np.maximum((ours + together + half) * worth, ROUNDING),
            np.maximum((others + 1 - together + half) * worth, ROUNDING),
        )
    return shares


def _worth(of: FloatArray, half: FloatArray) -> FloatArray:
    """What a case, judged or added, counts in the beta distribution of one of several strata.

    A share that is drawn in by the others varies less than one that is not, but the sum over all
    strata varies as before: the doubts of many small strata would add up to too little. So cases
    that were added count nothing in sum, and p (1 - p) of such a share, which falls short of the
    true one by n / (n + 1)² of it, is made up for.

    >>> [round(float(one), 2) for one in _worth(np.array([0.0, 8.0, 100.0]), np.zeros(3))]
    [1.0, 0.8, 0.98]
    """
    added = of + 1 + 2 * half
    worth: FloatArray = np.clip(of * (1 - of / (of + 1) ** 2), 1, added) / added
    return worth


def count_cells(
    strata: StrataCounts, stratum: NDArray[np.int64], errors: FloatArray, among: NDArray[np.bool_]
) -> CellCounts:
    """The judged cases `among` all, by stratum.

    >>> strata = StrataCounts(np.array([10, 90]), np.array([1, 2]), np.array([0, 1]))
    >>> among = np.array([True, False, True])
    >>> count_cells(strata, np.array([0, 1, 1]), np.array([1.0, 0.0, 0.5]), among)
    CellCounts(cases=array([1., 1.]), errors=array([1. , 0.5]), sharper=3.0)
    """
    most, shares, sharper = len(strata.sizes), errors[among], 1.0
    if len(shares) > 1:
        mean, spread = float(shares.mean()), float(shares.var())
        plain = mean * (1 - mean)  # the variance that errors there or not would have
        sharper = plain / spread if plain > ROUNDING and spread > ROUNDING else 1.0
    return CellCounts(
        np.bincount(stratum[among], minlength=most).astype(np.float64),
        np.bincount(stratum[among], shares, most).astype(np.float64),
        sharper,
    )


NONE_FLAGGED = "the new system flags none of the judged cases: nothing is known of its precision"
NONE_PASSED = "the new system flags all judged cases: nothing is known of what it misses"
ONE_CASE = "a single case of a stratum was judged: how sure this is cannot be told; judge more"
NO_ERROR = "no judged case is an error: there is no recall"
#: with fewer effective cases than this an estimate is little more than a guess
FEW = 10


class JudgedCases(NamedTuple):
    """The judged cases of all strata, as columns."""

    stratum: NDArray[np.int64]
    error: FloatArray  # share of judges who call the case an error
    flagged: NDArray[np.bool_]  # by the new system


class Retest(NamedTuple):
    """What the old sample says about the new system."""

    flagged: float  # share of all cases
    hits: RetestedMeasure
    false_positives: RetestedMeasure
    misses: RetestedMeasure
    precision: RetestedMeasure
    recall: RetestedMeasure


def retest(
    judged: JudgedCases,
    sizes: NDArray[np.int64],
    rng: np.random.Generator,
    *,
    alike: NDArray[np.int64] | None = None,
    flagged: int | None = None,
    about: About = "text",
    level: float = 0.95,
) -> Retest:
    """Hits to recall of a new system; `sizes` are those of the strata, all of which were judged.

    Strata with the same number in `alike` had the same label by the old system. `flagged` is how
    many cases of the corpus the new system flags, where that is known.

    Here the new system flags just what the old one did, and the estimate is the old one:

    >>> stratum = np.repeat([0, 1], [5, 10])
    >>> error = np.array([1, 1, 1, 1, 0] + [1] + [0] * 9, dtype=float)
    >>> cases = JudgedCases(stratum, error, stratum == 0)
    >>> found = retest(cases, np.array([100, 900]), np.random.default_rng(1), flagged=100)
    >>> round(found.precision.estimate, 3), round(found.recall.estimate, 3)
    (0.8, 0.471)
    >>> round(found.precision.effective)
    4
    """
    total = int(sizes.sum())
    sampled = np.bincount(judged.stratum, minlength=len(sizes))
    weight = (sizes / sampled)[judged.stratum]
    y, d = judged.error, judged.flagged.astype(np.float64)
    in_flagged, in_passed = float(weight @ d), float(weight @ (1 - d))
    known = in_flagged if flagged is None else float(flagged)
    precision = float(weight @ (y * d)) / in_flagged if in_flagged else nan
    passed_rate = float(weight @ (y * (1 - d))) / in_passed if in_passed else nan
    hits = known * (precision if known else 0.0) / total
    misses = (total - known) * (passed_rate if total > known else 0.0) / total

    # what each case adds to an estimate: its linearised value (Särndal et al. 1992, section 5.5)
    share = known / total
    errors = hits + misses
    recall = hits / errors if errors else nan
    plain = {
        "hits": (y * d - hits) / total,
        "false_positives": ((1 - y) * d - (share - hits)) / total,
        "misses": (y * (1 - d) - misses) / total,
    }
    given = plain
    if flagged is not None:
        of_hits = (known / in_flagged if in_flagged else 0.0) * d * (y - precision) / total
        others = (total - known) / in_passed if in_passed else 0.0
        of_misses = others * (1 - d) * (y - passed_rate) / total
        given = {"hits": of_hits, "false_positives": -of_hits, "misses": of_misses}
    of_precision = d * (y - precision) / in_flagged if in_flagged else d * nan
    flags, passes, everything = judged.flagged, ~judged.flagged, np.ones_like(judged.flagged)
    # the share of flagged cases is known of this corpus only
    sure = flagged is not None and about == "corpus"
    tops = (share, 1 - share) if sure else (1.0, 1.0)
    made_of = (everything, everything) if flagged is None else (flags, passes)

    def of_recall(adds: dict[str, FloatArray]) -> FloatArray:
        if not errors:
            return adds["hits"] * nan
        added: FloatArray = ((1 - recall) * adds["hits"] - recall * adds["misses"]) / errors
        return added

    strata = StrataCounts(sizes, sampled, np.arange(len(sizes)) if alike is None else alike)
    cells = [count_cells(strata, judged.stratum, y, among) for among in (flags, passes)]
    found, found_hits, missed = draw_corpora(
        strata, cells[0], cells[1], rng, known=flagged, about=about
    )
    possible = {
        "hits": found_hits / total,
        "false_positives": (found - found_hits) / total,
        "misses": missed / total,
        "precision": ratio(found_hits, found),
        "recall": ratio(found_hits, found_hits + missed),
    }
    doubt = _Uncertainty(judged, sizes, sampled, weight, about, level)

    def share_of_all(name: str, value: float, part: int, reason: str = "") -> RetestedMeasure:
        adds, plainly = given[name], plain[name]
        return doubt.tell(
            value, adds, plainly, made_of[part], possible[name], reason=reason, top=tops[part]
        )

    return Retest(
        share,
        share_of_all("hits", hits, 0),
        share_of_all("false_positives", share - hits, 0),
        share_of_all("misses", misses, 1, NONE_PASSED),
        doubt.tell(
            precision, of_precision, of_precision, flags, possible["precision"], reason=NONE_FLAGGED
        ),
        doubt.tell(
            recall,
            *(of_recall(given), of_recall(plain), y > 0, possible["recall"]),
            reason=NONE_PASSED if np.isnan(misses) else NO_ERROR,
        ),
    )


class _Uncertainty(NamedTuple):
    """Standard errors and intervals of estimates that are sums over judged cases."""

    judged: JudgedCases
    sizes: NDArray[np.int64]
    sampled: NDArray[np.int64]
    weight: FloatArray
    about: About
    level: float

    def tell(
        self,
        value: float,
        adds: FloatArray,
        plainly: FloatArray,
        among: NDArray[np.bool_],
        possible: FloatArray,
        *,
        reason: str,
        top: float = 1.0,
    ) -> RetestedMeasure:
        """`among` are the cases it is made of, `possible` its values in corpora; at most `top`.

        Cases add `plainly` to it where not even the number of flagged ones is known.
        """
        cases = int(np.count_nonzero(among))
        if np.isnan(value):
            return RetestedMeasure(nan, nan, nan, nan, 0.0, cases, reason)
        weights = self.weight[among]
        # weights that differ cannot make cases surer than they are
        kish = float(weights.sum() ** 2 / (weights**2).sum()) if cases else 0.0
        if ((self.sampled == 1) & (self.sizes > 1)).any():
            return RetestedMeasure(value, nan, nan, nan, kish, cases, ONE_CASE)
        variance = self._variance(adds, plainly)
        # cases of a plain sample with this variance; no limit where all cases are alike
        differ = variance > 0 and 0 < value < top
        effective = value * (top - value) / variance if differ else inf
        # the middle of what is possible; it holds the estimate, which is weighed otherwise
        defined, low, high = possible[~np.isnan(possible)], value, value
        if len(defined):
            ends = np.quantile(defined, [(1 - self.level) / 2, (1 + self.level) / 2])
            low, high = min(value, float(ends[0])), max(value, min(top, float(ends[1])))
        error = float(np.sqrt(variance))
        return RetestedMeasure(value, low, high, error, min(kish, effective), cases)

    def _variance(self, adds: FloatArray, plainly: FloatArray) -> float:
        """Of Σ N mean over strata, each sampled on its own, without replacement.

        About text of this kind, that of the corpus comes to it, as if all of it were judged.
        """
        variance = 0.0
        for number, (size, n) in enumerate(zip(self.sizes, self.sampled, strict=True)):
            if n < 2 or n == size:
                continue
            spread = float(np.var(adds[self.judged.stratum == number], ddof=1))
            variance += float(size) ** 2 * spread / n * (1 - n / size)
        if self.about == "text":
            total = float(self.weight.sum())
            mean = float(self.weight @ plainly) / total
            variance += float(self.weight @ (plainly - mean) ** 2)
        return variance
