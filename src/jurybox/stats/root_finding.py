"""Where a function crosses 0, for thousands of functions at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jurybox.stats.proportions import FloatArray

#: as many as halvings would need, and some
MOST_STEPS = 60


def find_root(
    function: Callable[[FloatArray], FloatArray],
    low: FloatArray,
    high: FloatArray,
    within: float = 1e-10,
) -> FloatArray:
    """Chandrupatla's method (1997): inverse quadratic interpolation where that is safe, or halving.

    A root is found when its range is `within` of what it was. Where the function has the same sign
    at both ends, the end at which it is nearer to 0.

    >>> find_root(lambda x: x**3 - np.array([1.0, 8.0]), np.zeros(2), np.full(2, 5.0)).round(9)
    array([1., 2.])
    """
    b, a = low.astype(np.float64), high.astype(np.float64)
    f_b, f_a = function(b), function(a)
    outside = np.sign(f_a) * np.sign(f_b) > 0
    nearer = np.where(np.abs(f_a) < np.abs(f_b), a, b)
    close = within * np.abs(a - b)
    c, f_c = a, f_a
    step = np.full_like(a, 0.5)
    for _ in range(MOST_STEPS):
        x = a + step * (b - a)
        f_x = function(x)
        same = np.sign(f_x) == np.sign(f_a)
        c, f_c = np.where(same, a, b), np.where(same, f_a, f_b)
        b, f_b = np.where(same, b, a), np.where(same, f_b, f_a)
        a, f_a = x, f_x
        width = np.abs(b - a)
        if ((width <= 2 * close) | (f_a == 0) | outside).all():
            break
        with np.errstate(all="ignore"):
            xi, phi = (a - b) / (c - b), (f_a - f_b) / (f_c - f_b)
            fits = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
            guess = f_a / (f_b - f_a) * f_c / (f_b - f_c) + (c - a) / (b - a) * f_a / (
                f_c - f_a
            ) * f_b / (f_c - f_b)
            least = np.minimum(close / np.maximum(width, 1e-300), 0.5)
        step = np.where(fits & np.isfinite(guess), np.clip(guess, least, 1 - least), 0.5)
    found = np.where(np.abs(f_a) < np.abs(f_b), a, b)
    return np.where(outside, nearer, found)
