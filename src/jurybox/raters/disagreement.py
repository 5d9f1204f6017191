"""How often what one rater calls an error is ok for another.

Where errors are rare, raters agree on nearly everything, since nearly everything is ok to both.
Tetreault and Chodorow (2008, section 5.2) therefore also look at the errors alone: of the cases
that one rater calls an error, the share that the other one calls ok. There are two such rates, one
for each rater's errors, and neither follows from kappa.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jurybox.errors import InputError


class DeniedErrors(NamedTuple):
    """Cases one rater calls an error, those of them the other calls ok, and their share."""

    errors: float
    denied: float
    rate: float
    reason: str = ""  # why there is no rate


class DisagreementRates(NamedTuple):
    """Errors of the first rater that the second denies, and the other way round."""

    first: DeniedErrors
    second: DeniedErrors


def disagreement_rates(
    table: ArrayLike, errors: Sequence[int], ok: Sequence[int] | None = None
) -> DisagreementRates:
    """The two disagreement rates of Tetreault and Chodorow (2008, section 5.2).

    `table[j, k]` counts the cases that the first rater labelled j and the second k
    (`agreement.cross_tabulate` makes it of labels). `errors` and `ok` are the places of the labels
    that call a case an error, or ok; without `ok` all other labels do. Two different kinds of
    error are no disagreement here. Cases with a label that is neither (unknown) are left out.
    Undefined where a rater calls nothing an error.

    Extraneous, wrong choice and ok in Table 3 of the paper: 26 of 86, and 37 of 97.

    >>> rates = disagreement_rates([[17, 0, 6], [1, 42, 20], [4, 33, 1213]], errors=(0, 1))
    >>> rates.first
    DeniedErrors(errors=86, denied=26, rate=0.3023255813953488, reason='')
    >>> round(rates.second.rate, 3)
    0.381
    """
    cells = np.asarray(table)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise InputError("a table of two raters' labels must be square; give every label both")
    labels = range(len(cells))
    fine = [label for label in labels if label not in errors] if ok is None else list(ok)
    wrong = list(errors)
    if not set(wrong + fine) <= set(labels) or set(wrong) & set(fine):
        raise InputError(
            f"errors {wrong} and ok {fine} must be different places from 0 to {len(cells) - 1}"
        )
    both = cells[np.ix_(wrong, wrong)].sum()
    only_first, only_second = cells[np.ix_(wrong, fine)].sum(), cells[np.ix_(fine, wrong)].sum()
    return DisagreementRates(
        _denied((both + only_first).item(), only_first.item(), "first"),
        _denied((both + only_second).item(), only_second.item(), "second"),
    )


def _denied(errors: float, denied: float, rater: str) -> DeniedErrors:
    if not errors:
        reason = f"the {rater} rater calls no case an error that the other one judged"
        return DeniedErrors(errors, denied, nan, reason)
    return DeniedErrors(errors, denied, denied / errors)
