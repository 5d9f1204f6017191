"""How often what one rater calls an error is ok for another.

Where errors are rare, raters agree on nearly everything, since nearly everything is ok to both.
Tetreault and Chodorow (2008, section 5.2) therefore also look at the errors alone: of the cases
that one rater calls an error, the share that the other one calls ok. There are two such rates, one
for each rater's errors, and neither follows from kappa.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jurybox.errors import InputError
from jurybox.raters.intervals import share_interval
from jurybox.records import Count, Reason, Share


class DeniedErrors(NamedTuple):
    """Errors of one rater that the other one calls ok (Tetreault and Chodorow 2008)."""

    errors: Annotated[Count, "Cases that the rater calls an error and the other one judged."]
    denied: Annotated[Count, "Those that the other one calls ok."]
    rate: Annotated[Share, "Their share; null without errors."]
    reason: Reason = ""
    low: Annotated[Share, "Lower end of its interval; null if there is none."] = nan
    high: Annotated[Share, "Upper end."] = nan


class DisagreementRates(NamedTuple):
    """Errors of the first rater that the second denies, and the other way round."""

    first: DeniedErrors
    second: DeniedErrors


def disagreement_rates(
    table: ArrayLike,
    errors: Sequence[int],
    ok: Sequence[int] | None = None,
    *,
    level: float = 0.95,
) -> DisagreementRates:
    """The two disagreement rates of Tetreault and Chodorow (2008, section 5.2).

    `table[j, k]` counts the cases that the first rater labelled j and the second k
    (`agreement.cross_tabulate` makes it of labels). `errors` and `ok` are the places of the labels
    that call a case an error, or ok; without `ok` all other labels do. Two different kinds of
    error are no disagreement here. Cases with a label that is neither (unknown) are left out.
    Undefined where a rater calls nothing an error.

    Extraneous, wrong choice and ok in Table 3 of the paper: 26 of 86, and 37 of 97.

    >>> rates = disagreement_rates([[17, 0, 6], [1, 42, 20], [4, 33, 1213]], errors=(0, 1))
    >>> rates.first.denied, rates.first.errors, round(rates.first.rate, 3)
    (26, 86, 0.302)
    >>> [round(number, 3) for number in (rates.second.rate, rates.second.low, rates.second.high)]
    [0.381, 0.291, 0.481]
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
        _denied((both + only_first).item(), only_first.item(), "first", level),
        _denied((both + only_second).item(), only_second.item(), "second", level),
    )


def _denied(errors: int, denied: int, rater: str, level: float) -> DeniedErrors:
    if not errors:
        reason = f"the {rater} rater calls no case an error that the other one judged"
        return DeniedErrors(errors, denied, nan, reason)
    found = share_interval([1, 0], 1, cases=[denied, errors - denied], level=level)
    return DeniedErrors(errors, denied, denied / errors, "", found.low, found.high)
