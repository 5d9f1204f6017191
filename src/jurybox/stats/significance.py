"""Is one system better than another, could chance alone do that, and which sentences decide it?

Paired tests: both systems are looked at on the same sentences, so that what makes a sentence hard
for both drops out. `paired_bootstrap` (Efron and Tibshirani 1993; Koehn 2004) asks how the
difference varies over resamples; `approximate_randomisation` (Noreen 1989; Yeh 2000) asks how
often it would be as large if the two systems' names meant nothing. `holm` (Holm 1979) corrects
for many comparisons.

Differences are those of the first system less the second: above 0 the first is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from statistics import NormalDist

import numpy as np

from jurybox.errors import InputError, UsageError
from jurybox.model import CountsTable
from jurybox.stats.resample import (
    Interval,
    Resampled,
    check_sentences,
    chunk_sizes,
    only_one,
    random_swaps,
    summarise,
)
from jurybox.stats.running_choice import FloatArray
from jurybox.stats.statistic import Statistic, place_of

#: differences of scores nearer than this are the same one, reached by another way of adding
SAME_DIFFERENCE = 1e-12


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of scores over the same resamples; p is two-sided."""

    value: float
    interval: Interval
    standard_error: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Randomised:
    """A difference of scores and how often exchanged systems differ as much; p is two-sided."""

    value: float
    p_value: float
    resamples: int


@dataclass(frozen=True, slots=True)
class DecidingSentence:
    """A sentence (counted from 0) and by how much it moves the difference towards the first system.

    `influence` is the difference of the scores with the sentence less that without it.
    """

    sentence: int
    influence: float


@dataclass(frozen=True, slots=True)
class Deciding:
    """The sentences that speak most for the first system and for the second, strongest first."""

    for_first: tuple[DecidingSentence, ...]
    for_second: tuple[DecidingSentence, ...]


def paired_bootstrap(
    resampled: Resampled,
    first: int,
    second: int,
    name: str | None = None,
    *,
    level: float = 0.95,
) -> Difference:
    """The difference of two systems' scores, its interval, standard error and p-value.

    With R resamples, of which k show a difference of 0 or of the other sign than the observed,
    p = 2 (k + 1) / (R + 1), at most 1: one tail of the resampled differences, doubled, the
    observed one counted among them. No difference at all has p = 1.

    >>> scores = np.array([[[0.5, 0.6, 0.7, 0.4], [0.4, 0.4, 0.5, 0.5]]])
    >>> drawn = Resampled(("f",), np.array([[0.6, 0.5]]), scores, "sentence", 9)
    >>> round(paired_bootstrap(drawn, 0, 1).p_value, 2)
    0.8
    """
    place = place_of(name, resampled.names)
    value = float(resampled.observed[place, first] - resampled.observed[place, second])
    differences = resampled.scores[place, first] - resampled.scores[place, second]
    reason = only_one(resampled)
    shown = summarise(value, differences, level=level, only_one=reason)
    p_value = nan if reason else _bootstrap_p(value, differences)
    return Difference(shown.value, shown.interval, shown.standard_error, p_value)


def _bootstrap_p(value: float, differences: FloatArray) -> float:
    if abs(value) <= SAME_DIFFERENCE:
        return 1.0
    turned = int((differences * np.sign(value) <= SAME_DIFFERENCE).sum())
    return min(1.0, 2 * (turned + 1) / (len(differences) + 1))


def approximate_randomisation(
    first: CountsTable,
    second: CountsTable,
    statistic: Statistic,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
    documents: Sequence[str] | None = None,
    observed: FloatArray | None = None,
) -> dict[str, Randomised]:
    """How often two systems that exchange half their sentences differ as much, score by score.

    Each sentence's counts (or each document's) go to the other system with probability ½; under
    the running choice both mixtures choose their annotators anew. `observed` are the scores
    [names, 2] where they are known already. With r of R such differences
    at least as large as the observed one, either way, p = (r + 1) / (R + 1) (Noreen 1989).

    >>> from jurybox.stats.statistic import EditScore
    >>> good, bad = CountsTable(annotators=["0"]), CountsTable(annotators=["0"])
    >>> for _ in range(12):
    ...     good.append([(0, (1, 0, 0))])
    ...     bad.append([(0, (0, 1, 1))])
    >>> rng = np.random.default_rng(1)
    >>> approximate_randomisation(good, bad, EditScore(), rng=rng, resamples=99)["f"]
    Randomised(value=1.0, p_value=0.01, resamples=99)
    """
    n = check_sentences([first, second])
    if observed is None:
        observed = statistic.observed([first, second])
    values = observed[:, 0] - observed[:, 1]
    as_large = np.zeros(len(values), dtype=np.int64)
    for size in chunk_sizes(resamples, sentences=n, systems=2):
        scores = statistic.randomise(first, second, random_swaps(n, size, rng, documents))
        differences = np.abs(scores[:, 0] - scores[:, 1])
        as_large += (differences >= np.abs(values)[:, np.newaxis] - SAME_DIFFERENCE).sum(axis=1)
    return {
        name: Randomised(float(value), (int(count) + 1) / (resamples + 1), resamples)
        for name, value, count in zip(statistic.names, values, as_large, strict=True)
    }


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
    >>> [(s.sentence, round(s.influence, 3)) for s in deciding.for_first]
    [(0, 0.333)]
    """
    check_sentences([first, second])
    place = place_of(name, statistic.names)
    observed = statistic.observed([first, second])[place]
    without = statistic.leave_one_out(first)[place] - statistic.leave_one_out(second)[place]
    influence = (observed[0] - observed[1]) - without
    influence[np.abs(influence) <= SAME_DIFFERENCE] = 0
    return Deciding(_strongest(influence, top), _strongest(-influence, top, sign=-1))


def _strongest(merit: FloatArray, top: int, sign: int = 1) -> tuple[DecidingSentence, ...]:
    order = np.argsort(-merit, kind="stable")[:top]
    return tuple(DecidingSentence(int(i), sign * float(merit[i])) for i in order if merit[i] > 0)
