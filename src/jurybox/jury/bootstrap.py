"""Other cases: how far counts and measures would move on another text of the same kind.

Cases, or whole documents, are drawn with replacement, as many as there are, and what they
contribute is added again (Efron and Tibshirani 1993). Cases that contribute alike are drawn as one
group, by the multinomial distribution that this makes: a million cases cost as much as their few
hundred kinds. All systems are looked at on the same resamples, so that they can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import nan
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.counting.histogram import group_cases
from jurybox.errors import InputError, LengthError, UsageError, unknown_name
from jurybox.jury.measure_arrays import measure_arrays
from jurybox.jury.votes import FloatArray, Sizes
from jurybox.metrics.measures import MEASURES
from jurybox.records import FLAT, WHEN_SET, Count, Limits, Share
from jurybox.stats.intervals import (
    effective_units,
    resampled_interval,
    t_p_value,
    t_quantile,
)

#: cells of a temporary array of resamples × groups: 16 MB in double precision
CELLS_AT_ONCE = 2_000_000
#: differences of scores nearer than this are the same one, reached by another way of adding
SAME_DIFFERENCE = 1e-12


class CaseResamples(NamedTuple):
    """Measures of all systems, as observed [names, systems] and resampled [names, systems, R].

    `unit` is what was drawn (case, document or rater) and `units` how many of them there are;
    `evidence` says on how many of them each measure rests [names, systems].
    """

    names: tuple[str, ...]
    observed: FloatArray
    scores: FloatArray
    unit: str
    units: int
    evidence: FloatArray


class ValueInterval(NamedTuple):
    """A value with its bootstrap interval."""

    value: Annotated[float, "The value; null where undefined."]
    low: Annotated[float, "Lower end of the interval."]
    high: Annotated[float, "Upper end of the interval."]
    standard_error: Annotated[float, "Standard deviation of the resampled values."]
    level: Annotated[
        float, "Level of confidence.", Limits(exclusiveMinimum=0, exclusiveMaximum=1)
    ] = 0.95
    undefined_resamples: Annotated[Count, "Resamples without a value, left out."] = 0
    reason: Annotated[str, "Why there is no interval, or why it has no width.", WHEN_SET] = ""


class PairedDifference(NamedTuple):
    """First system less second, on the same resamples."""

    spread: Annotated[ValueInterval, FLAT]
    p: Annotated[Share, "Two-sided p-value of the bootstrap."]
    p_holm: Annotated[Share, "The same, adjusted for the number of pairs."] = nan


def resample_cases(
    contributions: FloatArray,
    rng: np.random.Generator,
    resamples: int = 1000,
    *,
    documents: Sequence[object] | None = None,
    sizes: Sizes = None,
) -> FloatArray:
    """Sums of contributions [k, cases] over resamples of the cases: [resamples, k].

    With documents, as many documents as there are get drawn, each with all of its cases. `sizes`
    are how many cases each column stands for.

    >>> parts = np.array([[1.0, 0, 0, 0], [0, 1, 1, 1]])
    >>> resample_cases(parts, np.random.default_rng(0), 3).tolist()
    [[1.0, 3.0], [0.0, 4.0], [0.0, 4.0]]
    """
    check_resamples(resamples)
    if not contributions.shape[1]:
        raise InputError("there are no cases to resample")
    values, number = _units(contributions, documents, sizes)
    drawn = int(number.sum())
    return np.concatenate(
        [
            rng.multinomial(drawn, number / drawn, size=part) @ values.T
            for part in in_parts(resamples, len(number))
        ]
    )


def _units(
    contributions: FloatArray, documents: Sequence[object] | None, sizes: Sizes
) -> tuple[FloatArray, NDArray[np.int64]]:
    """What is drawn, kinds of cases or documents [k, units], and how many there are of each."""
    if documents is None:
        groups = group_cases(contributions, sizes)
        return contributions[:, groups.example], groups.sizes
    values = _sums_by_document(contributions, documents)
    return values, np.ones(values.shape[1], dtype=np.int64)


def number_documents(documents: Sequence[object], cases: int) -> NDArray[np.int64]:
    """Every case's document as a number, in order of appearance.

    >>> number_documents(["b", "b", "a"], 3)
    array([0, 0, 1])
    """
    if len(documents) != cases:
        raise LengthError(
            f"there are {cases} cases but {len(documents)} document names; every case needs one"
        )
    numbers = {name: number for number, name in enumerate(dict.fromkeys(documents))}
    return np.fromiter((numbers[name] for name in documents), dtype=np.int64, count=cases)


def _sums_by_document(contributions: FloatArray, documents: Sequence[object]) -> FloatArray:
    codes = number_documents(documents, contributions.shape[1])
    return np.stack([np.bincount(codes, weights=row) for row in contributions])


def resample_measures(
    systems: Sequence[FloatArray],
    names: Sequence[str],
    rng: np.random.Generator,
    resamples: int = 1000,
    *,
    documents: Sequence[object] | None = None,
    beta: float = 0.5,
    sizes: Sizes = None,
) -> CaseResamples:
    """Measures of several systems' contributions [4, cases] on the same resamples of the cases.

    Give a system's plain and weighted contributions as two, and both are on the same resamples.

    >>> parts = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]])
    >>> drawn = resample_measures([parts], ["precision"], np.random.default_rng(0), 100)
    >>> drawn.observed.tolist(), drawn.scores.shape
    ([[0.5]], (1, 1, 100))
    """
    if not systems:
        raise InputError("there is no system to resample; give at least one")
    if len({parts.shape for parts in systems}) > 1:
        cases = ", ".join(str(parts.shape[1]) for parts in systems)
        raise LengthError(f"systems are resampled on the same cases, not on {cases}")
    together = np.concatenate(systems)
    totals = resample_cases(together, rng, resamples, documents=documents, sizes=sizes)
    units, number = _units(together, documents, sizes)
    counts = totals.reshape(resamples, len(systems), 4).transpose(1, 0, 2)
    observed = (units * number).sum(axis=1).reshape(len(systems), 4)
    return CaseResamples(
        tuple(names),
        measure_arrays(names, observed, beta=beta),
        measure_arrays(names, counts, beta=beta),
        "case" if documents is None else "document",
        int(number.sum()),
        np.stack(
            [evidence_of(names, units[4 * i : 4 * i + 4], number) for i in range(len(systems))],
            axis=1,
        ),
    )


def evidence_of(
    names: Sequence[str], contributions: FloatArray, sizes: NDArray[np.int64] | float = 1.0
) -> FloatArray:
    """On how many units, equally heavy, each measure rests: [names].

    Precision rests on cases that the system reported, recall on errors (`metrics.measures`). Where
    a measure rests on several things, the rarest counts.

    >>> parts = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]])
    >>> evidence_of(["precision", "recall", "accuracy"], parts).tolist()
    [2.0, 1.0, 3.0]
    """
    cells = dict(zip(("tp", "fp", "fn", "tn"), contributions, strict=True))

    @cache
    def units(parts: tuple[str, ...]) -> float:
        return effective_units(np.sum([cells[part] for part in parts], axis=0), sizes)

    measures = [MEASURES[name] for name in names]
    return np.array(
        [min(units(need.parts) for need in one.rests_on or one.needs) for one in measures]
    )


def spread_of(
    drawn: CaseResamples, system: int, name: str, *, level: float = 0.95
) -> ValueInterval:
    """One system's measure with its interval."""
    place = _place(drawn, name)
    measure = MEASURES[name]
    return summarise_resamples(
        float(drawn.observed[place, system]),
        drawn.scores[place, system],
        evidence=float(drawn.evidence[place, system]),
        bounds=(measure.low, measure.high),
        level=level,
        only_one=_only_one(drawn),
    )


def paired_difference(
    drawn: CaseResamples, first: int, second: int, name: str, *, level: float = 0.95
) -> PairedDifference:
    """First system less second on the same resamples: the difference ± t · standard error, and p.

    p is that of the same t, so that it is at most 1 - level where the interval leaves out 0. The
    degrees of freedom are those of the system whose measure rests on fewer units. Undefined where a
    system's measure is.

    >>> scores = np.array([[[0.5, 0.6, 0.7, 0.4], [0.4, 0.4, 0.5, 0.5]]])
    >>> drawn = CaseResamples(
    ...     ("recall",), np.array([[0.6, 0.5]]), scores, "case", 9, np.array([[9.0, 9.0]])
    ... )
    >>> round(paired_difference(drawn, 0, 1, "recall").p, 2)
    0.52
    """
    place = _place(drawn, name)
    value = float(drawn.observed[place, first] - drawn.observed[place, second])
    differences = drawn.scores[place, first] - drawn.scores[place, second]
    evidence = float(min(drawn.evidence[place, first], drawn.evidence[place, second]))
    spread = summarise_resamples(
        value, differences, evidence=evidence, bounds=None, level=level, only_one=_only_one(drawn)
    )
    if np.isnan(spread.low):
        return PairedDifference(spread, nan)
    if abs(value) < SAME_DIFFERENCE:
        return PairedDifference(spread, 1.0)
    if spread.standard_error < SAME_DIFFERENCE:
        reason = "the difference is the same in every resample, which shows no variation"
        return PairedDifference(spread._replace(low=nan, high=nan, reason=reason), nan)
    freedom = max(1, round(evidence) - 1)
    t = abs(value) / ((spread.high - value) / t_quantile(level, freedom))
    return PairedDifference(spread, t_p_value(t, freedom))


def summarise_resamples(
    value: float,
    scores: FloatArray,
    *,
    evidence: float,
    bounds: tuple[float, float] | None = (0.0, 1.0),
    level: float = 0.95,
    only_one: str = "",
) -> ValueInterval:
    """The interval and the standard error of resampled values, undefined ones left out.

    >>> spread = summarise_resamples(0.5, np.array([0.4, 0.6, 0.5, nan]), evidence=9)
    >>> round(spread.low, 3), round(spread.high, 3), spread.undefined_resamples
    (0.28, 0.72, 1)
    """
    defined = scores[~np.isnan(scores)]
    undefined = len(scores) - len(defined)
    if np.isnan(value):
        only_one = "the value itself is undefined"
    elif not len(defined):
        only_one = only_one or "undefined in every resample"
    if only_one:
        return ValueInterval(value, nan, nan, nan, level, undefined, only_one)
    low, high, error = resampled_interval(
        value, defined, evidence=evidence, bounds=bounds, level=level
    )
    if not np.isfinite(low):
        return ValueInterval(
            value, nan, nan, error, level, undefined, "it rests on a single case or none"
        )
    return ValueInterval(value, low, high, error, level, undefined)


def _only_one(drawn: CaseResamples) -> str:
    if drawn.units > 1:
        return ""
    remedy = "; resample cases instead" if drawn.unit == "document" else ""
    return f"one {drawn.unit} alone shows no variation{remedy}"


def _place(drawn: CaseResamples, name: str) -> int:
    if name not in drawn.names:
        raise unknown_name("measure", name, drawn.names)
    return drawn.names.index(name)


def in_parts(resamples: int, width: int) -> Iterator[int]:
    """The resamples cut into parts whose arrays of so many columns stay small."""
    size = max(1, CELLS_AT_ONCE // max(1, width))
    return (min(size, resamples - start) for start in range(0, resamples, size))


def check_resamples(resamples: int) -> None:
    """Refuse fewer than one."""
    if resamples < 1:
        raise UsageError(f"at least 1 resample is needed, not {resamples}")
