"""The exact interval of a share: all shares that errors found in a sample do not speak against.

Clopper and Pearson (1934) ask how likely so many errors or more, and so many or fewer, would be:
binomial chances for a sample from text without end, hypergeometric ones for a sample from a corpus
that is no larger than it is. Errors come in whole numbers, and so the interval covers the true
share more often than it says, sometimes by far. Stevens (1950) closed the gap: the chance of just
so many errors counts with a weight u between 0 and 1 at the lower end and 1 - u at the upper one,
drawn at random once for each sample. Then the interval covers the truth exactly as often as it
says. Weights of 1 give Clopper and Pearson's interval, 0.5 the mid-p interval.

Where a sample holds no error, or nothing else, the weight is at least a half, so that the interval
is never shorter than by the rule of three: no error among n cases means a share of up to 3 / n. It
is then still exact where three errors or more were to be expected, and on the safe side elsewhere.
"""

from __future__ import annotations

from math import ceil, inf, lgamma, log2, sqrt

import numpy as np
from numpy.typing import ArrayLike

from jurybox.errors import InputError, UsageError
from jurybox.stats.proportions import Bounds, FloatArray, find_root

ROUNDING = 1e-9
#: the smallest weight where all sampled cases are alike
LEAST_WEIGHT = 0.5
#: below this factorials are taken as they are
FEW = 100
_LOG_FACTORIAL = np.vectorize(lambda k: lgamma(k + 1), otypes=[np.float64])


def exact_interval(
    errors: ArrayLike,
    n: ArrayLike,
    *,
    size: ArrayLike = inf,
    weights: tuple[ArrayLike, ArrayLike] = (1.0, 1.0),
    level: float = 0.95,
) -> Bounds:
    """Shares of errors that would not give so few, or so many, among `n` sampled cases.

    `size` is that of the corpus, which then is what is asked about; `weights` those of the chance
    of just so many errors at the lower and at the upper end. All are numbers, or one for each
    sample; where nothing was sampled, any share is possible.

    >>> [round(float(end), 4) for end in exact_interval(0, 20)]
    [0.0, 0.1684]
    >>> [round(float(end), 4) for end in exact_interval(9, 45, size=100)]
    [0.12, 0.31]
    >>> [round(float(end), 4) for end in exact_interval(9, 45, size=100, weights=(0.5, 0.5))]
    [0.13, 0.3]
    """
    found, cases, corpus, at_low, at_high = (
        np.asarray(one, dtype=np.float64) for one in np.broadcast_arrays(errors, n, size, *weights)
    )
    if not 0 < level < 1:
        raise UsageError(f"the level of an interval must be between 0 and 1, not {level}")
    whole = (found >= 0) & (found <= cases) & (found % 1 == 0)
    if not (whole & (cases >= 0) & (cases <= corpus)).all():
        raise InputError("errors must be whole numbers from 0 to the number of sampled cases")
    tail, of = (1 - level) / 2, (cases.ravel(), corpus.ravel())
    low = _lower(found.ravel(), *of, at_low.ravel(), tail)
    high = 1 - _lower((cases - found).ravel(), *of, at_high.ravel(), tail)
    return Bounds(low.reshape(found.shape)[()], high.reshape(found.shape)[()])


def _lower(
    found: FloatArray, n: FloatArray, size: FloatArray, weight: FloatArray, tail: float
) -> FloatArray:
    """The smallest share that gives so many errors or more with a chance above `tail`."""
    low = np.zeros_like(found)
    endless, known = np.isinf(size), n == size
    low[known] = (found / np.maximum(n, 1))[known]
    weight = np.where(found == n, np.maximum(weight, LEAST_WEIGHT), weight)
    tail *= 1 - ROUNDING  # a chance of just 2.5 % does not speak against a share
    some = found > 0
    for among, search in (
        (some & endless, _lowest_share),
        (some & ~endless & ~known, _lowest_number),
    ):
        if among.any():
            low[among] = search(found[among], n[among], size[among], weight[among], tail)
    return low


def _lowest_share(
    found: FloatArray, n: FloatArray, size: FloatArray, weight: FloatArray, tail: float
) -> FloatArray:
    return find_root(
        lambda share: _many(found, n, size, share, weight) - tail, np.zeros_like(found), found / n
    )


def _lowest_number(
    found: FloatArray, n: FloatArray, size: FloatArray, weight: FloatArray, tail: float
) -> FloatArray:
    """Whole numbers of errors in the corpus: the smallest that is enough, as a share."""
    low, high = found - 1, np.maximum(found, np.ceil(found * size / n))
    for _ in range(ceil(log2(size.max() + 1)) + 1):
        middle = np.floor((low + high) / 2)
        enough = _many(found, n, size, np.maximum(middle, found), weight) > tail
        enough |= middle >= high
        enough &= middle > low
        low, high = np.where(enough, low, np.maximum(low, middle)), np.where(enough, middle, high)
    return high / size


def _many(
    found: FloatArray, n: FloatArray, size: FloatArray, truth: FloatArray, weight: FloatArray
) -> FloatArray:
    """Chance of more errors than found, and `weight` times that of just so many.

    `truth` is the share of errors, or their number in a corpus of `size`; it is no larger than what
    was found suggests, so that the chances of more errors fall from one number to the next.
    """
    most = float(n.max())
    terms = int(min(most, ceil(4 * sqrt(most)) + 60))  # eight standard deviations, and some
    more = found[:, None] + np.arange(terms)
    with np.errstate(divide="ignore", invalid="ignore"):
        if np.isinf(size[0]):  # so are all others
            at = np.exp(
                _log_choose(n, found)
                + np.where(found > 0, found * np.log(truth), 0.0)
                + (n - found) * np.log1p(-truth)
            )
            at = np.where(truth >= 1, found == n, at)
            odds = (truth / (1 - truth))[:, None]
            steps = np.maximum(n[:, None] - more, 0) / (more + 1) * odds
        else:
            at = np.exp(
                _log_choose(n, found)
                + _log_falling(truth, found, size)
                + _log_falling(size - truth, n - found, size)
                - _log_falling(size, n, size)
            )
            left = (size - truth - n)[:, None] + more + 1
            steps = np.maximum(truth[:, None] - more, 0) * np.maximum(n[:, None] - more, 0)
            steps /= (more + 1) * np.maximum(left, 1)
    above: FloatArray = at * np.cumprod(np.nan_to_num(steps, posinf=0.0), axis=1).sum(axis=1)
    return above + weight * at


def _log_choose(n: FloatArray, k: FloatArray) -> FloatArray:
    inside = (k >= 0) & (k <= n)
    chosen = np.where(inside, k, 0)
    value = _LOG_FACTORIAL(n) - _LOG_FACTORIAL(chosen) - _LOG_FACTORIAL(n - chosen)
    return np.where(inside, value, -np.inf)


def _log_falling(top: FloatArray, k: FloatArray, size: FloatArray) -> FloatArray:
    """The logarithm of top (top - 1) … (top - k + 1) / size^k; of nothing where k is above top.

    Factorials of a large corpus have logarithms of which no digit is left after subtraction, and so
    the difference is taken before: by Stirling's series, in which large terms cancel by themselves.
    """
    inside = k <= top
    above, below = top + 1, np.where(inside, top - k, 0) + 1
    series = (below - 0.5) * np.log1p(k / below) - k + _stirling(above) - _stirling(below)
    by_series = k * np.log(above / size) + series
    direct = _LOG_FACTORIAL(np.where(below < FEW, top, 0)) - _LOG_FACTORIAL(below - 1)
    value = np.where(below < FEW, direct - k * np.log(size), by_series)
    return np.where(inside, value, -np.inf)


def _stirling(z: FloatArray) -> FloatArray:
    """What Stirling's formula leaves of log Γ(z); to fifteen digits from `FEW` on."""
    return (1 - (1 - 2 / 7 / z**2) / 30 / z**2) / 12 / z
