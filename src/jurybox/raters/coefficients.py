"""Agreement out of sums over cases, for one set of cases or for thousands of resamples at once.

Every coefficient of many raters is a function of a few sums over cases. A case contributes a row
(`contributions`); rows are added, over all cases, a batch or a resample of them, and leave
`CaseSums`, from which the coefficients follow. So a resample never looks at judgments again, and
there is one formula for each coefficient.

r_ik is how many raters gave case i the label k, r_i how many judged it; a case is pairable if two
did.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError, UsageError

FloatArray = NDArray[np.float64]

SCALES = ("nominal", "ordinal", "interval", "ratio")
#: columns before those that there are for each label
PAIRABLE, AGREEING, JUDGED, MATCHED, HEAD = range(5)
#: cells of a temporary array: 16 MB in double precision
CELLS_AT_ONCE = 2_000_000


class CaseSums(NamedTuple):
    """Added contributions [..., columns] of cases that can have so many labels."""

    cells: FloatArray
    labels: int

    @property
    def pairable(self) -> FloatArray:
        """Cases with two judgments or more."""
        return self.cells[..., PAIRABLE]

    @property
    def agreeing(self) -> FloatArray:
        """The share of pairs of raters that agree, added over pairable cases."""
        return self.cells[..., AGREEING]

    @property
    def judged(self) -> FloatArray:
        """Cases with a judgment."""
        return self.cells[..., JUDGED]

    @property
    def matched(self) -> FloatArray:
        """Σ_k r_ik (r_ik - 1) / (r_i - 1) over pairable cases: agreement in judgments."""
        return self.cells[..., MATCHED]

    @property
    def shares(self) -> FloatArray:
        """r_ik / r_i added over judged cases: [..., labels]."""
        return self.cells[..., HEAD : HEAD + self.labels]

    @property
    def values(self) -> FloatArray:
        """Judgments with each label in pairable cases: [..., labels]."""
        return self.cells[..., HEAD + self.labels : HEAD + 2 * self.labels]

    @property
    def coincidences(self) -> FloatArray:
        """Pairs of labels that meet in a case, r_ij r_ik / (r_i - 1): [..., labels, labels].

        Off the diagonal this is Krippendorff's matrix; equal labels are no distance apart, and
        the diagonal is never looked at.
        """
        flat = self.cells[..., HEAD + 2 * self.labels :]
        return flat.reshape(*flat.shape[:-1], self.labels, self.labels)


class Coefficients(NamedTuple):
    """A coefficient with the agreement it is made of, for each set of sums; nan if undefined."""

    value: FloatArray
    observed: FloatArray
    expected: FloatArray


def contributions(counts: FloatArray, *, with_pairs: bool = False) -> FloatArray:
    """What each case adds: [cases, columns] of counts [cases, labels].

    `with_pairs` adds the columns of the coincidence matrix, which scales other than nominal need.
    """
    cases, labels = counts.shape
    judged = counts.sum(axis=1)
    pairable = judged >= 2
    matches = (counts * (counts - 1)).sum(axis=1)
    others = np.where(pairable, judged - 1, 1.0)
    width = HEAD + 2 * labels + (labels * labels if with_pairs else 0)
    cells = np.zeros((cases, width))
    cells[:, PAIRABLE] = pairable
    cells[:, JUDGED] = judged > 0
    cells[:, MATCHED] = np.where(pairable, matches / others, 0.0)
    cells[:, AGREEING] = cells[:, MATCHED] / np.where(pairable, judged, 1.0)
    cells[:, HEAD : HEAD + labels] = counts / np.where(judged > 0, judged, 1.0)[:, np.newaxis]
    kept = np.where(pairable[:, np.newaxis], counts, 0.0)
    cells[:, HEAD + labels : HEAD + 2 * labels] = kept
    if with_pairs:
        pairs = kept[:, :, np.newaxis] * kept[:, np.newaxis, :]
        pairs /= others[:, np.newaxis, np.newaxis]
        cells[:, HEAD + 2 * labels :] = pairs.reshape(cases, -1)
    return cells


def sum_cases(counts: FloatArray, *, with_pairs: bool = False) -> CaseSums:
    """The sums over all cases, a block of them at a time.

    Pairs of labels are added as a product of matrices: a hundred labels have ten thousand pairs,
    too many to write down for every case.
    """
    labels = counts.shape[1]
    width = HEAD + 2 * labels
    rows = max(1, CELLS_AT_ONCE // width)
    total = np.zeros(width)
    pairs = np.zeros((labels, labels))
    for start in range(0, len(counts), rows):
        part = counts[start : start + rows]
        total += contributions(part).sum(axis=0)
        if with_pairs:
            judged = part.sum(axis=1)
            kept = part[judged >= 2]
            pairs += kept.T @ (kept / (judged[judged >= 2] - 1)[:, np.newaxis])
    return CaseSums(np.concatenate([total, pairs.ravel()]) if with_pairs else total, labels)


def observed_of(sums: CaseSums) -> FloatArray:
    """The share of pairs of raters that agree, averaged over pairable cases."""
    return _ratio(sums.agreeing, sums.pairable)


def fleiss_of(sums: CaseSums) -> Coefficients:
    """Fleiss' kappa in Gwet's form for missing judgments; see `agreement.fleiss_kappa`."""
    observed = observed_of(sums)
    expected = (_ratio(sums.shares, sums.judged[..., np.newaxis]) ** 2).sum(axis=-1)
    return _beyond_chance(observed, expected, single=_one_label(sums.shares))


def ac1_of(sums: CaseSums, labels: int) -> Coefficients:
    """Gwet's AC1 where so many labels can be given, two at least; see `agreement.gwet_ac1`."""
    shares = _ratio(sums.shares, sums.judged[..., np.newaxis])
    expected = (shares * (1 - shares)).sum(axis=-1) / (max(labels, 2) - 1)
    # chance agreement is 1/2 at most: there is always room above it
    return _beyond_chance(observed_of(sums), expected, single=np.zeros(expected.shape, dtype=bool))


def alpha_of(sums: CaseSums, scale: str, numbers: FloatArray | None = None) -> Coefficients:
    """Krippendorff's alpha; see `agreement.krippendorff_alpha`."""
    n_k, n = sums.values, sums.values.sum(axis=-1)
    pairs = n * (n - 1)
    if scale == "nominal":
        observed = _ratio(sums.matched, n)
        expected = _ratio((n_k * (n_k - 1)).sum(axis=-1), pairs)
        return _beyond_chance(observed, expected, single=_one_label(n_k))
    apart = squared_distances(scale, n_k, numbers)
    largest = apart.max(axis=(-1, -2))
    differ_seen = (sums.coincidences * apart).sum(axis=(-1, -2))
    differ_chance = np.einsum("...j,...jk,...k->...", n_k, apart, n_k)
    observed = 1 - _ratio(differ_seen, n * largest)
    expected = 1 - _ratio(differ_chance, pairs * largest)
    return _beyond_chance(observed, expected, single=_one_label(n_k))


def squared_distances(scale: str, n_k: FloatArray, numbers: FloatArray | None) -> FloatArray:
    """How far apart two labels are, squared (Krippendorff 2011): [..., labels, labels].

    Ordinal: as many ranks as there are judgments between them, that is the distance of their mean
    ranks. Interval: the difference of their numbers. Ratio: the difference over the sum.
    """
    if scale == "ordinal":
        ranks = np.cumsum(n_k, axis=-1) - n_k / 2
        return np.asarray((ranks[..., :, np.newaxis] - ranks[..., np.newaxis, :]) ** 2)
    if numbers is None:
        raise UsageError(f"the {scale} scale needs the number that each label stands for")
    difference = np.abs(numbers[:, np.newaxis] - numbers)
    if scale == "ratio":
        difference = _ratio(difference, numbers[:, np.newaxis] + numbers)
        difference[np.isnan(difference)] = 0.0  # 0 and 0 are the same number
    return np.asarray(difference**2)


def check_scale(scale: str, labels: int, numbers: Sequence[float] | None) -> FloatArray | None:
    """The numbers of the labels where the scale needs them; refuse what makes no sense."""
    if scale not in SCALES:
        raise UsageError(f"the scale must be one of {', '.join(SCALES)}, not '{scale}'")
    if scale in ("nominal", "ordinal"):
        return None
    if numbers is None:
        raise UsageError(f"the {scale} scale needs the number that each label stands for")
    found = np.asarray(numbers, dtype=np.float64)
    if found.shape != (labels,) or not np.isfinite(found).all():
        raise InputError(f"the {scale} scale needs one number for each of the {labels} labels")
    if scale == "ratio" and (found < 0).any():
        raise InputError("the ratio scale needs labels that stand for numbers from 0 up")
    return found


def _beyond_chance(
    observed: FloatArray, expected: FloatArray, *, single: NDArray[np.bool_]
) -> Coefficients:
    value = _ratio(observed - expected, np.where(single, 0.0, 1 - expected))
    return Coefficients(value, observed, expected)


def _one_label(totals: FloatArray) -> NDArray[np.bool_]:
    return np.asarray((totals > 0).sum(axis=-1) < 2)


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    """The quotient, nan where there is nothing to divide by."""
    above, below = np.broadcast_arrays(above, below)
    out = np.full(above.shape, np.nan)
    np.divide(above, below, out=out, where=below != 0)
    return out
