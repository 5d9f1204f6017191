"""Is one system better than another, could chance alone do that, and which sentences decide it?

Paired tests: both systems are looked at on the same sentences, so that what makes a sentence hard
for both drops out. `approximate_randomisation` (Noreen 1989; Yeh 2000) asks how often the
difference would be as large if the two systems' names meant nothing; its verdict and its interval
go together. `paired_bootstrap` (Efron and Tibshirani 1993; Koehn 2004) asks how the difference
varies over resamples. `holm` (Holm 1979) corrects for many comparisons.

Differences are those of the first system less the second: above 0 the first is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, inf, isfinite, nan
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from jurybox.errors import InputError, UsageError
from jurybox.model import CountsTable
from jurybox.stats.intervals import resampled_interval
from jurybox.stats.resample import (
    Interval,
    Resampled,
    blocks,
    by_unit,
    check_sentences,
    chunk_sizes,
    number_documents,
    only_one,
    random_swaps,
)
from jurybox.stats.running_choice import FloatArray
from jurybox.stats.statistic import CELLS, Statistic, SwapArray, place_of

#: differences of scores nearer than this are the same one, reached by another way of adding
SAME_DIFFERENCE = 1e-12
#: and standardised ones whose ratio is nearer to 1 than this
SAME_RATIO = 1e-9


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of scores over the same resamples; p is two-sided."""

    value: float
    interval: Interval
    standard_error: float
    p_value: float


class Randomised(NamedTuple):
    """A difference of scores, its standard error, and how large it is in units of that error.

    `exchanged` holds the same for systems that exchanged sentences at random, an exchange each.
    `differing` units (sentences or documents) have counts that differ between the two.
    """

    value: float
    standard_error: float
    standardised: float
    exchanged: FloatArray
    differing: int

    def p_value(self) -> float:
        """The two-sided p-value.

        With r of R exchanges that differ at least as much as the systems themselves, p is
        (r + 1) / (R + 1) (Noreen 1989).
        """
        as_large = self.exchanged >= self.standardised * (1 - SAME_RATIO)
        return (int(as_large.sum()) + 1) / (len(self.exchanged) + 1)

    def interval(self, level: float) -> Interval:
        """Every difference that the test does not reject: 0 is outside where p ≤ 1 - level.

        The test of a difference δ compares |value - δ| / standard error with the same exchanges.
        """
        exchanged = np.sort(self.exchanged)[::-1]
        rank = floor((1 - level) * (len(exchanged) + 1) * (1 + SAME_RATIO))
        if rank < 1:
            reason = f"{len(exchanged)} exchanges are too few for an interval at {level:g}"
            return Interval(nan, nan, level, reason)
        if not self.differing:
            return Interval(self.value, self.value, level, "no sentence differs")
        reach = float(exchanged[rank - 1]) * self.standard_error * (1 + SAME_RATIO)
        if not isfinite(reach):
            reason = f"only {self.differing} units differ, which is too few for an interval"
            return Interval(nan, nan, level, reason)
        return Interval(self.value - reach, self.value + reach, level)

    def lowest_p(self) -> float:
        """The smallest p-value that any number of exchanges could give, by the units that differ.

        k units that differ can be exchanged in 2^k ways, of which two (none, all) are the systems
        as they are.
        """
        return min(1.0, 2.0 ** (1 - self.differing))


class Deciding(NamedTuple):
    """The sentences that speak most for the first system and for the second, strongest first.

    Each is (sentence counted from 0, influence): the influence is the difference of the scores with
    the sentence less that without it.
    """

    for_first: tuple[tuple[int, float], ...] = ()
    for_second: tuple[tuple[int, float], ...] = ()


def paired_bootstrap(
    resampled: Resampled,
    first: int,
    second: int,
    name: str | None = None,
    *,
    level: float = 0.95,
) -> Difference:
    """The difference of two systems' scores, its interval, standard error and p-value.

    The interval is the difference ± t · standard error, with one degree of freedom less than units.

    With R resamples, of which k show a difference of 0 or of the other sign than the observed,
    p = 2 (k + 1) / (R + 1), at most 1: one tail of the resampled differences, doubled, the
    observed one counted among them. No difference at all has p = 1.

    >>> scores = np.array([[[0.5, 0.6, 0.7, 0.4], [0.4, 0.4, 0.5, 0.5]]])
    >>> drawn = Resampled(("f",), np.array([[0.6, 0.5]]), scores, "sentence", 9, np.ones((1, 2)))
    >>> round(paired_bootstrap(drawn, 0, 1).p_value, 2)
    0.8
    """
    place = place_of(name, resampled.names)
    value = float(resampled.observed[place, first] - resampled.observed[place, second])
    differences = resampled.scores[place, first] - resampled.scores[place, second]
    reason = only_one(resampled)
    if reason:
        return Difference(value, Interval(nan, nan, level, reason), nan, nan)
    low, high, error = resampled_interval(
        value, differences, evidence=resampled.units, bounds=None, level=level
    )
    p_value = 1.0
    if abs(value) > SAME_DIFFERENCE:
        turned = int((differences * np.sign(value) <= SAME_DIFFERENCE).sum())
        p_value = min(1.0, 2 * (turned + 1) / (len(differences) + 1))
    return Difference(value, Interval(low, high, level), error, p_value)


def approximate_randomisation(
    first: CountsTable,
    second: CountsTable,
    statistic: Statistic,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
    documents: Sequence[str] | None = None,
) -> Randomised:
    """How often two systems that exchange half their sentences differ as much in their main score.

    Each sentence's counts (or each document's) go to the other system with probability ½; under
    the running choice both mixtures choose their annotators anew. What is compared is the
    difference divided by its standard error, both taken anew after every exchange. If the systems'
    names mean nothing the p-value is exact, as without the division; with it, it also holds in
    large samples for systems that work quite differently, say one careful and one bold, and have
    the same true score (Chung and Romano 2013).

    >>> from jurybox.stats.statistic import EditScore
    >>> good, bad = CountsTable(annotators=["0"]), CountsTable(annotators=["0"])
    >>> for place in range(12):
    ...     good.append([(0, (1, 0, place % 2))])
    ...     bad.append([(0, (0, 1, 1))])
    >>> rng = np.random.default_rng(1)
    >>> found = approximate_randomisation(good, bad, EditScore(), rng=rng, resamples=99)
    >>> round(found.value, 3), found.p_value()
    (0.909, 0.01)
    """
    n = check_sentences([first, second])
    parts = [by_unit(statistic.parts(table), documents) for table in (first, second)]
    units = parts[0].shape[1]
    codes = np.arange(n) if documents is None else number_documents(documents, n)[0]

    def exchange(swaps: SwapArray) -> FloatArray:
        scores = statistic.randomise(first, second, swaps.take(codes, axis=1))[-1]
        return _standardise(scores[0] - scores[1], _errors(statistic, parts, swaps))

    scores = statistic.observed([first, second])[-1]
    value = scores[:1] - scores[1:]
    error = _errors(statistic, parts, np.zeros((1, units), dtype=bool))
    exchanged = [
        exchange(random_swaps(units, size, rng))
        for size in chunk_sizes(resamples, sentences=n, systems=2)
    ]
    return Randomised(
        float(value[0]),
        float(error[0]),
        float(_standardise(value, error)[0]),
        np.concatenate(exchanged),
        int((parts[0] != parts[1]).any(axis=0).sum()),
    )


def _standardise(values: FloatArray, errors: FloatArray) -> FloatArray:
    sizes = np.abs(values)
    sizes[sizes <= SAME_DIFFERENCE] = 0
    return np.divide(sizes, errors, out=np.where(sizes > 0, inf, 0.0), where=errors > 0)


def _errors(statistic: Statistic, parts: Sequence[FloatArray], swaps: SwapArray) -> FloatArray:
    """Standard errors of the difference of the main score, after each exchange of units.

    They are those of a function of totals, by its slopes (the delta method).
    """
    one, other = parts
    units = one.shape[1]
    if units < 2:
        return np.zeros(len(swaps))
    # A unit's influence is a product of its parts in both systems and the slopes. So the sum and
    # the sum of squares of influences are products of sums of parts, which an exchange moves.
    kept, moved = np.concatenate([one, other]), np.concatenate([other, one])
    columns = len(kept)
    errors = np.zeros(len(swaps))
    for rows in blocks(len(swaps), CELLS // max(units, columns**2)):
        exchanged = swaps[rows].astype(np.float64)
        totals = kept.sum(axis=1) + exchanged @ (moved - kept).T
        first, second = np.split(totals.T, 2)
        slopes = np.concatenate([_slopes(statistic, first), -_slopes(statistic, second)]).T
        moments = np.zeros((len(exchanged), columns**2))
        for part in blocks(units, CELLS // columns**2):
            squares = _squares(kept[:, part])
            gained = _squares(moved[:, part]) - squares
            moments += squares.sum(axis=1) + exchanged[:, part] @ gained.T
        seconds = np.einsum("ra,rab,rb->r", slopes, moments.reshape(-1, columns, columns), slopes)
        sums = (totals * slopes).sum(axis=1)
        errors[rows] = np.sqrt(units * np.maximum(0.0, seconds - sums**2 / units) / (units - 1))
    return errors


def _squares(parts: FloatArray) -> FloatArray:
    """Products of every two parts of a unit: [columns², units]."""
    products: FloatArray = parts[:, np.newaxis] * parts[np.newaxis]
    return products.reshape(-1, parts.shape[1])


def _slopes(statistic: Statistic, totals: FloatArray) -> FloatArray:
    """How the main score grows with each of its totals [columns, ...]."""
    score = statistic.of_totals(totals)
    slopes = np.empty_like(totals)
    for column in range(len(totals)):
        step = 1e-5 * (totals[column] + 1)
        more = totals.copy()
        more[column] += step
        slopes[column] = (statistic.of_totals(more) - score) / step
    return slopes


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for being several (Holm 1979), in the order given.

    The smallest of m is multiplied by m, the next by m - 1 and so on, each at least as large as
    the one before and at most 1. Rejecting where the result is at most α keeps the chance of any
    false rejection at most α, whatever the tests have to do with each other.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    for p in p_values:
        if not 0 <= p <= 1:
            raise InputError(f"a p-value lies between 0 and 1, not {p}")
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def smallest_detectable_difference(
    standard_error: float, *, alpha: float = 0.05, power: float = 0.8
) -> float:
    """The smallest true difference that a test at level alpha finds with probability `power`.

    (z(1 - alpha/2) + z(power)) · SE, with SE the standard error of the *paired* difference and z
    the normal quantile (Cohen 1988, chapter 2): the smallest difference this test set could show.

    >>> round(smallest_detectable_difference(0.01), 4)
    0.028
    """
    for name, share in (("alpha", alpha), ("power", power)):
        if not 0 < share < 1:
            raise UsageError(f"{name} lies between 0 and 1, not {share}")
    quantile = NormalDist().inv_cdf
    return (quantile(1 - alpha / 2) + quantile(power)) * standard_error


def deciding_sentences(
    first: CountsTable,
    second: CountsTable,
    statistic: Statistic,
    *,
    name: str | None = None,
    top: int = 10,
) -> Deciding:
    """The sentences without which the difference of the two scores would change most.

    A sentence's influence is the difference with it less the difference without it, annotators
    chosen as with it (the jackknife's influence values, Efron and Tibshirani 1993, chapter 11).
    At most `top` on each side; sentences without influence are on neither. Without a name the
    score looked at is F, or GLEU's only one.

    >>> from jurybox.stats.statistic import EditScore
    >>> one, other = CountsTable(annotators=["0"]), CountsTable(annotators=["0"])
    >>> for ours, theirs in [((1, 0, 0), (0, 0, 1)), ((1, 0, 1), (1, 0, 1))]:
    ...     one.append([(0, ours)])
    ...     other.append([(0, theirs)])
    >>> deciding = deciding_sentences(one, other, EditScore(), name="recall")
    >>> [(sentence, round(influence, 3)) for sentence, influence in deciding.for_first]
    [(0, 0.333)]
    """
    check_sentences([first, second])
    place = place_of(name, statistic.names)
    observed = statistic.observed([first, second])[place]
    without = statistic.leave_one_out(first)[place] - statistic.leave_one_out(second)[place]
    influence = (observed[0] - observed[1]) - without
    influence[np.abs(influence) <= SAME_DIFFERENCE] = 0
    strongest = (np.argsort(-merit, kind="stable")[:top] for merit in (influence, -influence))
    return Deciding(
        *(
            tuple((int(i), float(influence[i])) for i in order if sign * influence[i] > 0)
            for sign, order in zip((1, -1), strongest, strict=True)
        )
    )
