"""Coefficients of all raters by name: over all cases, batch by batch, and with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError, LengthError, unknown_name
from jurybox.raters.agreement import (
    SCALES,
    Agreement,
    CaseSums,
    Coefficients,
    Sizes,
    ac1_of,
    alpha_of,
    check_scale,
    contributions,
    fleiss_kappa,
    fleiss_of,
    gwet_ac1,
    krippendorff_alpha,
    observed_agreement,
    observed_of,
    squared_distances,
)
from jurybox.raters.intervals import (
    Interval,
    coefficient_ends,
    coefficient_interval,
    kinds_of,
)
from jurybox.raters.ratings import CodeArray, FloatArray, Ratings, label_counts, places
from jurybox.records import WHEN_SET, Limits, Share

#: coefficients of all raters together, by name
COEFFICIENTS = ("observed", "fleiss_kappa", "ac1", *(f"alpha_{scale}" for scale in SCALES))
#: those that need nothing but the labels' names
OF_NAMES = ("observed", "fleiss_kappa", "ac1", "alpha_nominal")
#: those whose range does not follow from how often labels are given
UNCORRECTED = ("observed", "ac1")


ALPHA = "alpha_"
AtMost1 = Annotated[float, Limits(maximum=1)]
_SCALES_ALLOWED = Limits(required=["nominal"], propertyNames={"enum": list(SCALES)})


class Coefficient(NamedTuple):
    """A coefficient; nan with a reason where it is undefined."""

    value: float
    reason: str = ""


@dataclass(frozen=True)
class NamedCoefficients:
    """Coefficients of all raters together; by their names in `COEFFICIENTS` they are items."""

    observed: Annotated[
        Share,
        "Share of pairs of judgments of a case that agree, averaged over cases; null where "
        "undefined.",
    ]
    fleiss_kappa: Annotated[AtMost1, "Fleiss' kappa; null where undefined."]
    krippendorff_alpha: Annotated[
        Mapping[str, AtMost1],
        "Krippendorff's alpha, on every scale that the labels allow; null where undefined.",
        _SCALES_ALLOWED,
    ]
    ac1: Annotated[AtMost1, "Gwet's AC1; null where undefined."]
    undefined: Annotated[
        Mapping[str, str],
        "Why a value is null, by name; krippendorff_alpha.nominal and so on for the scales.",
    ]

    @classmethod
    def of(cls, found: Mapping[str, Agreement]) -> NamedCoefficients:
        reasons = {_key(name): one.reason for name, one in found.items() if one.reason}
        values = {name: one.value for name, one in found.items()}
        return cls(**_by_scale(values), undefined=reasons)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of these coefficients, in the order in which they are shown."""
        scales = (ALPHA + scale for scale in self.krippendorff_alpha)
        return ("observed", "fleiss_kappa", "ac1", *scales)

    def __getitem__(self, name: str) -> Coefficient:
        return Coefficient(_by_name(self, name), self.undefined.get(_key(name), ""))


class ExpectedAgreement(NamedTuple):
    """What a coefficient is made of."""

    observed: Annotated[Share, "Observed agreement; null where nothing can be compared."]
    by_chance: Annotated[Share, "Agreement expected by chance; null where nothing can be compared."]


@dataclass(frozen=True)
class CoefficientDetails:
    """What coefficients are made of."""

    fleiss_kappa: ExpectedAgreement
    krippendorff_alpha: Annotated[Mapping[str, ExpectedAgreement], "By scale.", _SCALES_ALLOWED]
    ac1: ExpectedAgreement

    @classmethod
    def of(cls, found: Mapping[str, Agreement]) -> CoefficientDetails:
        parts = {name: ExpectedAgreement(one.observed, one.expected) for name, one in found.items()}
        del parts["observed"]  # it is made of nothing else
        return cls(**_by_scale(parts))

    def __getitem__(self, name: str) -> ExpectedAgreement:
        found: ExpectedAgreement = _by_name(self, name)
        return found


class CoefficientInterval(NamedTuple):
    """An interval over cases."""

    low: Annotated[float, "Lower end; null if there is none."]
    high: Annotated[float, "Upper end; null if there is none."]
    standard_error: Annotated[
        float, "Standard error over cases; null if there is none.", Limits(minimum=0)
    ]
    level: Annotated[float, "Level of the interval."]
    reason: Annotated[str, "Why there is no interval.", WHEN_SET] = ""


@dataclass(frozen=True)
class CoefficientIntervals:
    """Intervals over cases: jackknife over cases, interval of Wilson's form."""

    observed: CoefficientInterval
    fleiss_kappa: CoefficientInterval
    krippendorff_alpha: Annotated[Mapping[str, CoefficientInterval], "By scale.", _SCALES_ALLOWED]
    ac1: CoefficientInterval

    @classmethod
    def of(cls, found: Mapping[str, Interval]) -> CoefficientIntervals:
        ends = {
            name: CoefficientInterval(one.low, one.high, one.standard_error, one.level, one.reason)
            for name, one in found.items()
        }
        return cls(**_by_scale(ends))

    def __getitem__(self, name: str) -> CoefficientInterval:
        found: CoefficientInterval = _by_name(self, name)
        return found


def _by_scale(found: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, those of Krippendorff's alpha together."""
    alphas = {n.removeprefix(ALPHA): one for n, one in found.items() if n.startswith(ALPHA)}
    others = {name: one for name, one in found.items() if not name.startswith(ALPHA)}
    return others | {"krippendorff_alpha": alphas}


def _by_name(record: Any, name: str) -> Any:
    if name.startswith(ALPHA):
        return record.krippendorff_alpha[name.removeprefix(ALPHA)]
    return getattr(record, name)


def _key(name: str) -> str:
    """The coefficient as the JSON calls it, as krippendorff_alpha.nominal."""
    is_alpha = name.startswith(ALPHA)
    return f"krippendorff_alpha.{name.removeprefix(ALPHA)}" if is_alpha else name


class BatchAgreement(NamedTuple):
    """A coefficient in each batch (nan where undefined), and of all batches pooled."""

    batches: tuple[str, ...]
    cases: CodeArray  # with two judgments or more
    values: FloatArray
    pooled: float


def agree_together(
    counts: NDArray[np.integer],
    name: str,
    *,
    numbers: Sequence[float] | None = None,
    sizes: Sizes = None,
) -> Agreement:
    """One coefficient of all raters, by its name in `COEFFICIENTS`.

    `counts` are [cases, labels], or kinds of cases, with the `sizes` of each.

    >>> round(agree_together(np.array([[2, 0], [1, 1], [0, 2]]), "alpha_nominal").value, 4)
    0.4444
    """
    if name not in COEFFICIENTS:
        raise unknown_name("coefficient", name, COEFFICIENTS)
    if name.startswith("alpha_"):
        scale = name.removeprefix("alpha_")
        return krippendorff_alpha(counts, scale=scale, numbers=numbers, sizes=sizes)
    plain = {"observed": observed_agreement, "fleiss_kappa": fleiss_kappa, "ac1": gwet_ac1}
    return plain[name](counts, sizes=sizes)


def estimate_agreement(
    counts: NDArray[np.integer],
    *,
    sizes: Sizes = None,
    names: Sequence[str] = OF_NAMES,
    numbers: Sequence[float] | None = None,
    level: float = 0.95,
    known: Mapping[str, Agreement] | None = None,
) -> dict[str, Interval]:
    """Coefficients with their intervals over cases (`raters.intervals`).

    `counts` is [cases, labels], or [kinds, labels] with their `sizes`; cases nobody judged are left
    out. Values that are `known` already are not worked out again.

    >>> counts = np.array([[3, 0]] * 40 + [[1, 2]] * 20 + [[0, 3]] * 20)
    >>> found = estimate_agreement(counts)["alpha_nominal"]
    >>> [round(number, 3) for number in (found.value, found.low, found.high)]
    [0.659, 0.517, 0.768]
    """
    judged = counts.any(axis=1)
    if not judged.any():
        raise InputError("nobody judged a case, so there is no agreement to measure")
    cases = kinds_of(counts[judged], None if sizes is None else sizes[judged])
    totals = cases.sizes @ cases.counts
    given = int(np.count_nonzero(totals))
    intervals = {}
    for name in names:
        found = known[name] if known else agree_together(counts, name, numbers=numbers, sizes=sizes)
        intervals[name] = coefficient_interval(
            cases,
            found,
            partial(_coefficients_of, name, given=given, numbers=numbers),
            weights=_weights_of(name, totals, numbers),
            corrected=name not in UNCORRECTED,
            level=level,
        )
    return intervals


class SampleEnds(NamedTuple):
    """A coefficient and the ends of its interval, for each of many samples; nan if undefined."""

    value: FloatArray
    low: FloatArray
    high: FloatArray


def estimate_samples(
    counts: CodeArray,
    sizes: FloatArray,
    name: str,
    *,
    numbers: Sequence[float] | None = None,
    level: float = 0.95,
) -> SampleEnds:
    """The same for many samples of the same kinds of cases, which simulations draw.

    `counts` is [kinds, labels], `sizes` [samples, kinds] how many cases of each kind there are.

    >>> found = estimate_samples(np.array([[3, 0], [1, 2]]), np.array([[40.0, 20.0]]), "ac1")
    >>> again = estimate_agreement(np.array([[3, 0]] * 40 + [[1, 2]] * 20), names=["ac1"])["ac1"]
    >>> [round(float(end[0]), 9) for end in found] == [round(end, 9) for end in again[:3]]
    True
    """
    kinds = counts.astype(np.float64)
    totals = sizes @ kinds
    given = np.count_nonzero(totals, axis=-1)
    ends = np.full((3, len(sizes)), np.nan)
    for number in np.unique(given).tolist():
        part = given == number
        weights = _weights_of(name, totals[part], numbers)
        coefficient = partial(_coefficients_of, name, given=number, numbers=numbers)
        cells = contributions(kinds, with_pairs=weights is not None)
        value = coefficient(CaseSums(sizes[part] @ cells, kinds.shape[1])).value
        found = coefficient_ends(
            value,
            kinds,
            sizes[part],
            coefficient,
            weights=weights,
            corrected=name not in UNCORRECTED,
            level=level,
        )
        defined = ~np.isnan(value)
        ends[:, part] = np.where(defined, [value, found.low, found.high], np.nan)
    return SampleEnds(*ends)


def _needs_pairs(names: Sequence[str]) -> bool:
    return any(name.startswith("alpha_") and name != "alpha_nominal" for name in names)


def _weights_of(
    name: str, totals: FloatArray, numbers: Sequence[float] | None
) -> FloatArray | None:
    """How much of an agreement two labels are, where some are nearer to each other than others.

    `totals` are judgments with each label [..., labels].
    """
    if not _needs_pairs([name]):
        return None
    scale = name.removeprefix("alpha_")
    numbers_of = check_scale(scale, totals.shape[-1], numbers)
    apart = squared_distances(scale, totals, numbers_of)
    largest = apart.max(axis=(-1, -2), keepdims=True)
    return np.asarray(1 - apart / np.where(largest > 0, largest, 1.0))


def _coefficients_of(
    name: str, sums: CaseSums, *, given: int, numbers: Sequence[float] | None
) -> Coefficients:
    if name == "observed":
        observed = observed_of(sums)
        return Coefficients(observed, observed, np.zeros_like(observed))
    if name == "fleiss_kappa":
        return fleiss_of(sums)
    if name == "ac1":
        return ac1_of(sums, given)
    scale = name.removeprefix("alpha_")
    return alpha_of(sums, scale, check_scale(scale, sums.labels, numbers))


def agree_by_batch(
    ratings: Ratings,
    batch: CodeArray,
    batches: Sequence[str],
    name: str = "fleiss_kappa",
    *,
    numbers: Sequence[float] | None = None,
) -> BatchAgreement:
    """A coefficient in each batch and of all judgments pooled.

    `batch[i]` is the batch of judgment i, a place in `batches`. A case that is in two batches is
    a case in each, and one case in the pooled value.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 0], [1, 1], [0, 1], [1, 0]]), 2)
    >>> found = agree_by_batch(ratings, ratings.case // 2, ["May", "June"])
    >>> found.values.tolist(), found.pooled
    ([1.0, -1.0], 0.0)
    """
    if len(batch) != len(ratings):
        raise LengthError(f"there are {len(ratings)} judgments, but batches of {len(batch)}")
    labels = len(ratings.labels)
    units, unit = np.unique(batch * ratings.cases + ratings.case, return_inverse=True)
    counts = np.bincount(places(unit, labels, ratings.label), minlength=len(units) * labels)
    rows = contributions(
        counts.reshape(-1, labels).astype(np.float64), with_pairs=_needs_pairs([name])
    )
    of_unit = units // max(1, ratings.cases)
    columns = [np.bincount(of_unit, column, minlength=len(batches)) for column in rows.T]
    cells: FloatArray = np.stack(columns, axis=1).astype(np.float64)
    sums = CaseSums(cells, labels)
    pooled = label_counts(ratings)
    given = int(np.count_nonzero(pooled.sum(axis=0)))
    return BatchAgreement(
        tuple(batches),
        sums.pairable.astype(np.int64),
        _coefficients_of(name, sums, given=given, numbers=numbers).value,
        agree_together(pooled, name, numbers=numbers).value,
    )


def tables_by_batch(
    first: CodeArray, second: CodeArray, labels: int, batch: CodeArray, batches: int
) -> CodeArray:
    """The tables of two raters [batches, labels, labels]; their sum is the pooled one.

    `first`, `second` and `batch` are [cases]; `cohen.kappas_of` gives the kappas.

    >>> codes = np.array([0, 1, 1])
    >>> tables_by_batch(codes, np.array([0, 1, 0]), 2, np.array([0, 0, 1]), 2).tolist()
    [[[1, 0], [0, 1]], [[0, 0], [1, 0]]]
    """
    both = (first >= 0) & (second >= 0)
    places = (batch[both] * labels + first[both]) * labels + second[both]
    counted = np.bincount(places, minlength=batches * labels * labels)
    return counted.reshape(batches, labels, labels)
