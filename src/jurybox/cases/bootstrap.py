"""Other cases: how far counts and measures would move on another text of the same kind.

Cases, or whole documents, are drawn with replacement, as many as there are, and what they
contribute is added again (Efron and Tibshirani 1993). Cases that contribute alike are drawn as one
group, by the multinomial distribution that this makes: a million cases cost as much as their few
hundred kinds. All systems are looked at on the same resamples, so that they can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.cases.grouping import group_cases
from jurybox.cases.measure_arrays import measure_arrays
from jurybox.cases.votes import FloatArray
from jurybox.errors import InputError, LengthError, UsageError, unknown_name

#: cells of a temporary array of resamples × groups: 16 MB in double precision
CELLS_AT_ONCE = 2_000_000
#: differences of scores nearer than this are the same one, reached by another way of adding
SAME_DIFFERENCE = 1e-12


class CaseResamples(NamedTuple):
    """Measures of all systems, as observed [names, systems] and resampled [names, systems, R].

    `unit` is what was drawn (case or document) and `units` how many of them there are.
    """

    names: tuple[str, ...]
    observed: FloatArray
    scores: FloatArray
    unit: str
    units: int


class Spread(NamedTuple):
    """A value and where resampled ones lie: `level` of them from low to high, their deviation.

    Resamples in which the value is undefined are left out and counted. `reason` says why there is
    no interval, or no width.
    """

    value: float
    low: float
    high: float
    standard_error: float
    level: float = 0.95
    undefined: int = 0
    reason: str = ""


class PairedDifference(NamedTuple):
    """A difference of two systems' measures on the same resamples; p is two-sided."""

    spread: Spread
    p_value: float


def resample_cases(
    contributions: FloatArray,
    rng: np.random.Generator,
    resamples: int = 1000,
    *,
    documents: Sequence[object] | None = None,
) -> FloatArray:
    """Sums of contributions [k, cases] over resamples of the cases: [resamples, k].

    With documents, as many documents as there are get drawn, each with all of its cases.

    >>> parts = np.array([[1.0, 0, 0, 0], [0, 1, 1, 1]])
    >>> resample_cases(parts, np.random.default_rng(0), 3).tolist()
    [[1.0, 3.0], [0.0, 4.0], [0.0, 4.0]]
    """
    check_resamples(resamples)
    if not contributions.shape[1]:
        raise InputError("there are no cases to resample")
    if documents is None:
        groups = group_cases(contributions)
        values, sizes = contributions[:, groups.example], groups.sizes
    else:
        values = _sums_by_document(contributions, documents)
        sizes = np.ones(values.shape[1], dtype=np.int64)
    drawn = int(sizes.sum())
    return np.concatenate(
        [
            rng.multinomial(drawn, sizes / drawn, size=part) @ values.T
            for part in in_parts(resamples, len(sizes))
        ]
    )


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
        sizes = ", ".join(str(parts.shape[1]) for parts in systems)
        raise LengthError(f"systems are resampled on the same cases, not on {sizes}")
    together = np.concatenate(systems)
    totals = resample_cases(together, rng, resamples, documents=documents)
    counts = totals.reshape(resamples, len(systems), 4).transpose(1, 0, 2)
    observed = together.sum(axis=1).reshape(len(systems), 4)
    return CaseResamples(
        tuple(names),
        measure_arrays(names, observed, beta=beta),
        measure_arrays(names, counts, beta=beta),
        "case" if documents is None else "document",
        together.shape[1] if documents is None else len(set(documents)),
    )


def spread_of(drawn: CaseResamples, system: int, name: str, *, level: float = 0.95) -> Spread:
    """One system's measure with its percentile interval."""
    place = _place(drawn, name)
    value, scores = float(drawn.observed[place, system]), drawn.scores[place, system]
    return summarise_resamples(value, scores, level=level, only_one=_only_one(drawn))


def paired_difference(
    drawn: CaseResamples, first: int, second: int, name: str, *, level: float = 0.95
) -> PairedDifference:
    """First system less second on the same resamples: interval and p.

    With R resamples in which both are defined, of which k show a difference of 0 or of the other
    sign than the observed, p = 2 (k + 1) / (R + 1), at most 1. Undefined where a system's measure
    is.

    >>> scores = np.array([[[0.5, 0.6, 0.7, 0.4], [0.4, 0.4, 0.5, 0.5]]])
    >>> drawn = CaseResamples(("recall",), np.array([[0.6, 0.5]]), scores, "case", 9)
    >>> round(paired_difference(drawn, 0, 1, "recall").p_value, 2)
    0.8
    """
    place = _place(drawn, name)
    value = float(drawn.observed[place, first] - drawn.observed[place, second])
    differences = drawn.scores[place, first] - drawn.scores[place, second]
    spread = summarise_resamples(value, differences, level=level, only_one=_only_one(drawn))
    if np.isnan(spread.low):
        return PairedDifference(spread, nan)
    defined = differences[~np.isnan(differences)]
    if abs(value) < SAME_DIFFERENCE:
        return PairedDifference(spread, 1.0)
    against = np.count_nonzero(defined * np.sign(value) < SAME_DIFFERENCE)
    return PairedDifference(spread, min(1.0, 2 * (int(against) + 1) / (len(defined) + 1)))


def summarise_resamples(
    value: float, scores: FloatArray, *, level: float = 0.95, only_one: str = ""
) -> Spread:
    """The percentile interval and the standard error of resampled values, undefined ones left out.

    >>> summarise_resamples(4.0, np.array([*range(9), nan]), level=0.5)
    Spread(value=4.0, low=2.0, high=6.0, standard_error=2.7386127875258306, level=0.5, \
undefined=1, reason='')
    """
    if not 0 < level < 1:
        raise UsageError(f"the level of an interval lies between 0 and 1, as 0.95, not {level}")
    defined = scores[~np.isnan(scores)]
    undefined = len(scores) - len(defined)
    if np.isnan(value):
        only_one = "the value itself is undefined"
    elif not len(defined):
        only_one = only_one or "undefined in every resample"
    if only_one:
        return Spread(value, nan, nan, nan, level, undefined, only_one)
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]).tolist()
    reason = "every resample gives the same value" if np.ptp(defined) == 0 else ""
    error = float(np.std(defined, ddof=1)) if len(defined) > 1 else nan
    return Spread(value, low, high, error, level, undefined, reason)


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
