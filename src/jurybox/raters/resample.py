"""Coefficients of all raters together: over all cases, batch by batch, and on resampled cases.

Cases whose labels were given equally often are alike: a hundred thousand cases fall into a few
hundred groups, and a resample of them is one multinomial draw of groups, whose contributions are
added again (`coefficients`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jurybox.cases.bootstrap import Spread, check_resamples, in_parts, summarise_resamples
from jurybox.cases.grouping import group_cases
from jurybox.errors import InputError, LengthError, unknown_name
from jurybox.raters.agreement import (
    Agreement,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    observed_agreement,
)
from jurybox.raters.coefficients import (
    SCALES,
    CaseSums,
    ac1_of,
    alpha_of,
    check_scale,
    contributions,
    fleiss_of,
    observed_of,
)
from jurybox.raters.ratings import CodeArray, FloatArray, Ratings, label_counts

#: coefficients of all raters together, by name
COEFFICIENTS = ("observed", "fleiss_kappa", "ac1", *(f"alpha_{scale}" for scale in SCALES))
#: those that need nothing but the labels' names
OF_NAMES = ("observed", "fleiss_kappa", "ac1", "alpha_nominal")


class BatchAgreement(NamedTuple):
    """A coefficient in each batch (nan where undefined), and of all batches pooled."""

    batches: tuple[str, ...]
    cases: CodeArray  # with two judgments or more
    values: FloatArray
    pooled: float


def agree_together(
    counts: CodeArray, name: str, *, numbers: Sequence[float] | None = None
) -> Agreement:
    """One coefficient of all raters, by its name in `COEFFICIENTS`.

    >>> round(agree_together(np.array([[2, 0], [1, 1], [0, 2]]), "alpha_nominal").value, 4)
    0.4444
    """
    if name not in COEFFICIENTS:
        raise unknown_name("coefficient", name, COEFFICIENTS)
    if name.startswith("alpha_"):
        return krippendorff_alpha(counts, scale=name.removeprefix("alpha_"), numbers=numbers)
    return {"observed": observed_agreement, "fleiss_kappa": fleiss_kappa, "ac1": gwet_ac1}[name](
        counts
    )


def resample_agreement(
    counts: CodeArray,
    rng: np.random.Generator,
    resamples: int = 1000,
    *,
    names: Sequence[str] = OF_NAMES,
    numbers: Sequence[float] | None = None,
    level: float = 0.95,
) -> dict[str, Spread]:
    """Coefficients with their percentile intervals over resamples of the cases.

    `counts` is [cases, labels]; cases nobody judged are left out. All coefficients are taken on
    the same resamples.

    >>> counts = np.array([[3, 0]] * 40 + [[1, 2]] * 20 + [[0, 3]] * 20)
    >>> found = resample_agreement(counts, np.random.default_rng(0), 200)["fleiss_kappa"]
    >>> round(found.value, 3), found.low < found.value < found.high
    (0.657, True)
    """
    check_resamples(resamples)
    counts = counts[counts.any(axis=1)]
    if not len(counts):
        raise InputError("nobody judged a case, so there is nothing to resample")
    found = {name: agree_together(counts, name, numbers=numbers) for name in names}
    drawn = _draw(counts, rng, resamples, with_pairs=_needs_pairs(names))
    given = int(np.count_nonzero(counts.sum(axis=0)))
    only_one = "one case alone shows no variation" if len(counts) == 1 else ""
    spreads = {}
    for name in names:
        values = _values_of(name, drawn, given, numbers)
        spread = summarise_resamples(found[name].value, values, level=level, only_one=only_one)
        reason = found[name].reason or spread.reason
        spreads[name] = spread._replace(reason=reason)
    return spreads


def _needs_pairs(names: Sequence[str]) -> bool:
    return any(name.startswith("alpha_") and name != "alpha_nominal" for name in names)


def _draw(
    counts: CodeArray, rng: np.random.Generator, resamples: int, *, with_pairs: bool
) -> CaseSums:
    groups = group_cases(np.ascontiguousarray(counts.T))
    rows = contributions(counts[groups.example].astype(np.float64), with_pairs=with_pairs)
    cases = len(counts)
    if len(groups.sizes) * 4 < cases:
        shares = groups.sizes / cases
        parts = [
            rng.multinomial(cases, shares, size=part) @ rows
            for part in in_parts(resamples, len(shares))
        ]
    else:  # hardly any two cases are alike: drawing them one by one is cheaper
        parts = [
            _draw_singly(groups.of_case, rows, rng, part) for part in in_parts(resamples, cases)
        ]
    return CaseSums(np.concatenate(parts), counts.shape[1])


def _draw_singly(
    of_case: CodeArray, rows: FloatArray, rng: np.random.Generator, resamples: int
) -> FloatArray:
    groups, cases = len(rows), len(of_case)
    drawn = of_case[rng.integers(0, cases, (resamples, cases))]
    drawn += np.arange(resamples)[:, np.newaxis] * groups
    times = np.bincount(drawn.ravel(), minlength=resamples * groups).reshape(resamples, groups)
    return np.asarray(times @ rows)


def _values_of(
    name: str, sums: CaseSums, given: int, numbers: Sequence[float] | None
) -> FloatArray:
    if name == "observed":
        return observed_of(sums)
    if name == "fleiss_kappa":
        return fleiss_of(sums).value
    if name == "ac1":
        return ac1_of(sums, given).value
    scale = name.removeprefix("alpha_")
    return alpha_of(sums, scale, check_scale(scale, sums.labels, numbers)).value


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
    counts = np.bincount(unit * labels + ratings.label, minlength=len(units) * labels)
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
        _values_of(name, sums, given, numbers),
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
