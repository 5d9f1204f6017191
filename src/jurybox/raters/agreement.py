"""Agreement of raters beyond chance: Cohen, Fleiss, Gwet and Krippendorff, with gaps.

Every coefficient is (observed - expected) / (1 - expected). They differ in what they call observed
and expected agreement, and so an `Agreement` holds all three numbers. Judgments come as one code
per case and rater (`MISSING` where the rater did not judge the case); `count_labels` and
`cross_tabulate` turn them into what the coefficients need.

Every coefficient of many raters is a function of a few sums over cases. A case contributes a row
(`contributions`); rows are added, over all cases, a batch or a resample of them, and leave
`CaseSums`, from which the coefficients follow. So a resample never looks at judgments again, and
there is one formula for each coefficient, for one set of cases or for thousands of resamples at
once. r_ik is how many raters gave case i the label k, r_i how many judged it; a case is pairable
if two did. Cases with the same row are one kind (`counting.histogram`): sums are taken over kinds
in their order, so that the order of cases changes no bit. `sizes` say how many cases each row of
counts stands for.

Where all judgments are the same label, the chance agreement of kappa and alpha is 1: they have no
value, and `reason` says why. That of AC1 is 0, and so AC1 is 1 there (Gwet 2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurybox.counting.histogram import group_cases
from jurybox.errors import InputError, UsageError
from jurybox.records import Reason

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int64]
#: how many cases each row stands for; None: one
Sizes = NDArray[np.int64] | None

#: the code of a judgment that was not made
MISSING = -1
NO_PAIR = "no case was judged by two raters"
SCALES = ("nominal", "ordinal", "interval", "ratio")
#: columns of a case's row before those that there are for each label
PAIRABLE, AGREEING, JUDGED, MATCHED, HEAD = range(5)
#: cells of a temporary array: 16 MB in double precision
CELLS_AT_ONCE = 2_000_000


class Agreement(NamedTuple):
    """A coefficient with the agreement it is made of; nan with a reason where it is undefined."""

    value: Annotated[float, "The coefficient; null where it is undefined."]
    observed: Annotated[float, "Observed agreement; null where nothing can be compared."]
    expected: Annotated[float, "Agreement expected by chance; null where nothing can be compared."]
    reason: Reason = ""


def cohen_kappa(table: ArrayLike) -> Agreement:
    """Agreement of two raters beyond chance (Cohen 1960).

    `table[j, k]` counts the cases that the first rater labelled j and the second k.
    kappa = (A - E) / (1 - E), where A is the share of cases on the diagonal and E = Σ p_k q_k, the
    share that would be there if each rater kept their own label frequencies p and q but labelled
    at random. Undefined without cases, and where both give every case the same one label.

    >>> round(cohen_kappa([[20, 20], [10, 50]]).value, 6)
    0.347826
    >>> cohen_kappa([[0, 0], [0, 7]])
    Agreement(value=nan, observed=1.0, expected=1.0, reason='both raters give every case the same \
label')
    """
    cells = _counts_in(table, "a table of two raters' labels")
    if cells.shape[0] != cells.shape[1]:
        raise InputError(
            f"a table of two raters' labels must be square, not {cells.shape[0]} by "
            f"{cells.shape[1]}; give every label a row and a column"
        )
    n = cells.sum()
    if not n:
        return Agreement(nan, nan, nan, "there is no case that both raters judged")
    agreed = np.trace(cells)
    chance = (cells.sum(axis=1) * cells.sum(axis=0)).sum()  # n² E
    observed, expected = float(agreed / n), float(chance / n**2)
    if np.count_nonzero(cells) == 1 and agreed:
        return Agreement(nan, 1.0, 1.0, "both raters give every case the same label")
    # The fraction times n²: whole numbers give 0 at chance, not a rounding error.
    return Agreement(float((n * agreed - chance) / (n**2 - chance)), observed, expected)


def observed_agreement(counts: ArrayLike, *, sizes: Sizes = None) -> Agreement:
    """The share of pairs of raters who give a case the same label, averaged over cases.

    `counts[i, k]` is how many raters gave case i the label k. Cases with fewer than two judgments
    have no pair and are left out. Nothing is taken off for chance. Undefined where no case has two
    judgments.

    >>> round(observed_agreement([[3, 0], [1, 2], [1, 0]]).value, 6)
    0.666667
    """
    sums = sum_cases(_counts_in(counts, "counts of labels per case"), sizes)
    if not sums.pairable:
        return Agreement(nan, nan, nan, NO_PAIR)
    observed = float(observed_of(sums))
    return Agreement(observed, observed, nan)


def fleiss_kappa(counts: ArrayLike, *, sizes: Sizes = None) -> Agreement:
    """Agreement of many raters beyond chance (Fleiss 1971), gaps treated as Gwet (2014) does.

    `counts[i, k]` is how many raters gave case i the label k; r_i is how many judged it.
    kappa = (A - E) / (1 - E). A is the mean over cases with r_i ≥ 2 of the share of its pairs of
    raters that agree, Σ_k r_ik (r_ik - 1) / (r_i (r_i - 1)). E = Σ π_k², where π_k is the mean over
    all cases with a judgment of r_ik / r_i. Undefined where no case has two judgments, and where
    all judgments are the same label.

    >>> round(fleiss_kappa([[3, 0], [1, 2], [0, 3], [2, 0]]).value, 4)
    0.6571
    >>> fleiss_kappa([[3, 0], [2, 0]]).reason
    'all judgments are the same label'
    """
    sums = sum_cases(_counts_in(counts, "counts of labels per case"), sizes)
    return _agreement(fleiss_of(sums), sums, unanimous=bool(_one_label(sums.shares)))


def gwet_ac1(counts: ArrayLike, *, labels: int | None = None, sizes: Sizes = None) -> Agreement:
    """Agreement of many raters beyond chance where one label is rare (Gwet 2008, gaps: 2014).

    AC1 = (A - E) / (1 - E) with A and π_k as in Fleiss' kappa, and
    E = Σ_k π_k (1 - π_k) / (q - 1): chance agreement is low where one label is common, for few
    cases are then hard enough to be guessed. q is how many labels can be given: `labels`, and
    without it those that were given by anybody, two at least. Where all judgments are the same
    label, E is 0 whatever q is, and AC1 is 1. Undefined where no case has two judgments, and where
    `labels` is 1: raters who had no choice.

    >>> round(gwet_ac1([[2, 0]] * 9 + [[1, 1]]).value, 4), round(
    ...     fleiss_kappa([[2, 0]] * 9 + [[1, 1]]).value, 4)
    (0.8895, -0.0526)
    >>> gwet_ac1([[2, 0]] * 9).value
    1.0
    """
    sums = sum_cases(_counts_in(counts, "counts of labels per case"), sizes)
    given = int(np.count_nonzero(sums.shares))
    if labels is not None and labels < given:
        raise InputError(f"{given} labels were given, so there cannot be {labels} labels")
    return _agreement(ac1_of(sums, labels or given), sums, unanimous=labels == 1)


def krippendorff_alpha(
    counts: ArrayLike,
    *,
    scale: str = "nominal",
    numbers: Sequence[float] | None = None,
    sizes: Sizes = None,
) -> Agreement:
    """Reliability of many raters with gaps (Krippendorff 2011).

    `counts[i, k]` is how many raters gave case i the label k. Cases with fewer than two judgments
    are left out: they pair with nothing. alpha = 1 - D_o / D_e = (A - E) / (1 - E). For nominal
    labels A = Σ_i Σ_k r_ik (r_ik - 1) / (r_i - 1) / n, E = Σ_k n_k (n_k - 1) / (n (n - 1)), n_k
    counts the judgments with label k and n all of them. A case with more judgments weighs more than
    in Fleiss' kappa, and E draws two judgments without putting the first one back.

    On an `ordinal` scale labels are ordered as the columns are; on an `interval` or `ratio` scale
    they stand for `numbers`. Differences then weigh by their squared distance, and A and E are
    1 less the mean squared distance as a share of the largest. Undefined where no case has two
    judgments, and where all of them are the same label.

    >>> round(krippendorff_alpha([[1, 1]] * 4 + [[2, 0]] * 5 + [[0, 2]]).value, 6)
    0.095238
    >>> krippendorff_alpha([[1, 0], [0, 1]]).reason
    'no case was judged by two raters'
    """
    cells = _counts_in(counts, "counts of labels per case")
    values = check_scale(scale, cells.shape[1], numbers)
    sums = sum_cases(cells, sizes, with_pairs=scale != "nominal")
    return _agreement(alpha_of(sums, scale, values), sums, unanimous=bool(_one_label(sums.values)))


def count_labels(codes: ArrayLike, labels: int) -> CodeArray:
    """How many raters gave each case each label: counts [cases, labels] of codes [cases, raters].

    >>> count_labels([[0, 1, 1], [1, MISSING, 1]], labels=2).tolist()
    [[1, 2], [0, 2]]
    """
    given = _codes_in(codes, labels)
    return np.stack([(given == label).sum(axis=1) for label in range(labels)], axis=1)


def cross_tabulate(codes: ArrayLike, labels: int) -> CodeArray:
    """The table of every two raters at once: [raters, raters, labels, labels].

    Element [a, b, j, k] counts the cases that a labelled j and b labelled k; a case that one of
    them did not judge is in none of their tables.

    >>> cross_tabulate([[0, 1], [1, 1], [1, MISSING]], labels=2)[0, 1].tolist()
    [[0, 1], [0, 1]]
    """
    given = _codes_in(codes, labels)
    cases, raters = given.shape
    chosen = given[:, :, np.newaxis] == np.arange(labels)
    # in floating point the product is a matter of milliseconds, and these sums are exact in it
    flat = chosen.reshape(cases, raters * labels).astype(np.float64)
    tables: CodeArray = (flat.T @ flat).astype(np.int64)
    return tables.reshape(raters, labels, raters, labels).transpose(0, 2, 1, 3)


def _agreement(found: Coefficients, sums: CaseSums, *, unanimous: bool) -> Agreement:
    """The coefficient of one set of cases, or why it has none."""
    if not sums.pairable:
        return Agreement(nan, nan, nan, NO_PAIR)
    if unanimous:
        return Agreement(nan, 1.0, 1.0, "all judgments are the same label")
    if np.isnan(found.value):  # labels that stand for the same number
        return Agreement(nan, nan, nan, "all judgments stand for the same number")
    return Agreement(float(found.value), float(found.observed), float(found.expected))


def _counts_in(given: ArrayLike, what: str) -> FloatArray:
    """Counts, whole or weighted, as a matrix; anything else is refused."""
    cells = np.asarray(given, dtype=np.float64)
    if cells.ndim != 2:
        raise InputError(f"{what} must have two dimensions, not {cells.ndim}")
    if not (np.isfinite(cells) & (cells >= 0)).all():
        raise InputError(f"{what} must be numbers from 0 up")
    return cells


def _codes_in(given: ArrayLike, labels: int) -> CodeArray:
    codes = np.asarray(given, dtype=np.int64)
    if codes.ndim != 2:
        raise InputError(f"judgments must be codes [cases, raters], not of {codes.ndim} dimensions")
    if codes.size and not (codes.min() >= MISSING and codes.max() < labels):
        raise InputError(
            f"codes of judgments must be from 0 to {labels - 1}, or {MISSING} for a missing one"
        )
    return codes


# --- sums over cases ---


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


def sum_cases(counts: FloatArray, sizes: Sizes = None, *, with_pairs: bool = False) -> CaseSums:
    """The sums over all cases: those of each kind once, a block of kinds at a time.

    Pairs of labels are added as a product of matrices: a hundred labels have ten thousand pairs,
    too many to write down for every case.
    """
    labels = counts.shape[1]
    width = HEAD + 2 * labels
    rows = max(1, CELLS_AT_ONCE // width)
    total = np.zeros(width)
    pairs = np.zeros((labels, labels))
    groups = group_cases([*np.ascontiguousarray(counts.T), np.zeros(len(counts), np.int8)], sizes)
    for start in range(0, len(groups.sizes), rows):
        part = counts[groups.example[start : start + rows]]
        number = groups.sizes[start : start + rows, np.newaxis]
        total += (number * contributions(part)).sum(axis=0)
        if with_pairs:
            judged = part.sum(axis=1)
            kept = part[judged >= 2]
            others = (judged[judged >= 2] - 1)[:, np.newaxis]
            pairs += kept.T @ (number[judged >= 2] * kept / others)
    return CaseSums(np.concatenate([total, pairs.ravel()]) if with_pairs else total, labels)


def observed_of(sums: CaseSums) -> FloatArray:
    """The share of pairs of raters that agree, averaged over pairable cases."""
    return _ratio(sums.agreeing, sums.pairable)


def fleiss_of(sums: CaseSums) -> Coefficients:
    """Fleiss' kappa in Gwet's form for missing judgments; see `fleiss_kappa`."""
    observed = observed_of(sums)
    expected = (_ratio(sums.shares, sums.judged[..., np.newaxis]) ** 2).sum(axis=-1)
    return _beyond_chance(observed, expected, single=_one_label(sums.shares))


def ac1_of(sums: CaseSums, labels: int) -> Coefficients:
    """Gwet's AC1 where so many labels can be given, two at least; see `gwet_ac1`."""
    shares = _ratio(sums.shares, sums.judged[..., np.newaxis])
    expected = (shares * (1 - shares)).sum(axis=-1) / (max(labels, 2) - 1)
    # chance agreement is 1/2 at most: there is always room above it
    return _beyond_chance(observed_of(sums), expected, single=np.zeros(expected.shape, dtype=bool))


def alpha_of(sums: CaseSums, scale: str, numbers: FloatArray | None = None) -> Coefficients:
    """Krippendorff's alpha; see `krippendorff_alpha`."""
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
