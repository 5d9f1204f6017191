"""How `cost` adds up what judgments cost: Table 1 of Tetreault, Filatova and Chodorow (2010)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from math import nan
from typing import Any

import numpy as np

from jurybox.errors import InputError, UsageError, collecting_warnings, warn
from jurybox.formats.platforms._columns import SIGNS
from jurybox.model import LABEL_BITS
from jurybox.options import signature, signed_text
from jurybox.raters.cost import Cost, Terms
from jurybox.raters.cost.pay import Fee
from jurybox.raters.cost.result import CostResult, CostRow, NamedCost
from jurybox.raters.flagged import find_flagged
from jurybox.raters.inputs import RatingsInput, RatingsReading, read_ratings
from jurybox.raters.ratings import BoolArray, CodeArray, FloatArray

SECONDS = 3600.0
#: columns of an export that tell of money and time
FIELDS = ("reward", "seconds", "started", "submitted", "batch")


def cost_judgments(call: Cost) -> CostResult:
    """Read the judgments and add up what they cost."""
    terms, currency = call.terms()
    with collecting_warnings() as messages:
        # what was judged twice was paid twice
        found = read_ratings.of(call.only(RatingsReading, extra=FIELDS, repeats="keep"))
        if (flagged := find_flagged(found.table, counted=True)) is not None:
            warn(flagged.counted_anyway("they were paid"))
        result = _add_up(found, terms, currency)
    return replace(result, warnings=tuple(messages))


def cost_of_pays(
    pays: Mapping[Decimal, int],
    cases: int,
    *,
    raters: int = 0,
    fee: Fee = Fee(),  # noqa: B008 - a frozen value
    hours: float = nan,
    worked: float = nan,
) -> CostRow:
    """The cost of judgments; `pays` is how many of them were paid how much.

    >>> cost_of_pays({Decimal("0.02"): 100, Decimal("0.05"): 20}, 12).total
    Decimal('3.00')
    >>> found = cost_of_pays({Decimal("0.02"): 1940}, 194, raters=49, hours=0.5,
    ...                      fee=Fee(Decimal("0.1"), Decimal("0.005")))
    >>> found.paid, found.total, found.judgments_per_hour
    (Decimal('38.80'), Decimal('48.500'), 3880.0)
    """
    judgments = sum(pays.values())
    if cases < 0 or raters < 0 or any(n < 0 or pay < 0 for pay, n in pays.items()):
        raise UsageError("cases, judgments, raters and pay are numbers from 0 up")
    paid = sum((pay * n for pay, n in pays.items()), Decimal(0))
    fees = sum((fee.on(pay) * n for pay, n in pays.items()), Decimal(0))
    mean = paid / judgments if judgments else Decimal(0)
    if len(pays) == 1:
        (mean,) = pays
    return CostRow(cases, judgments, raters, mean, paid, fees, hours, worked)


def project(cost: CostRow, judgments: int) -> CostRow:
    """The cost of so many more judgments, at the same mean pay, fee and pace, on the same cases.

    >>> more = project(cost_of_pays({Decimal("0.02"): 1940}, 194, hours=0.5), 194)
    >>> more.total, more.hours
    (Decimal('3.880'), 0.05)
    """
    if judgments < 0:
        raise UsageError(f"the number of further judgments must be from 0 up, not {judgments}")
    if not cost.judgments:
        raise InputError("without any judgment so far there is no pay and no pace to go by")
    share = Decimal(judgments) / cost.judgments
    return replace(
        cost,
        judgments=judgments,
        raters=0,
        paid=None if cost.paid is None else cost.paid * share,
        fees=None if cost.fees is None else cost.fees * share,
        hours=cost.hours * float(share),
        worked=cost.worked * float(share),
    )


# --- out of the files ---


@dataclass(frozen=True)
class _Columns:
    """All judgments of raters who count, answers or not; a column is None where it is unknown."""

    case: CodeArray
    rater: CodeArray
    reward: FloatArray | None
    seconds: FloatArray | None
    started: FloatArray | None
    submitted: FloatArray | None


def _add_up(found: RatingsInput, terms: Terms, named: str) -> CostResult:
    columns, counts = _columns(found, terms)
    currency = named or found.currency
    if not named and " " in found.currency:
        raise InputError(
            f"rewards are in several currencies ({found.currency}); give files with one each"
        )
    own = ("", currency, SIGNS.get(currency, currency))
    if named and terms.pay is None and found.currency not in own:
        warn(f"rewards are in {found.currency}, shown as {currency}; nothing is converted")
    whole = _row(columns, terms, slice(None))
    if whole.paid is None:
        warn("the judgments do not tell what was paid; --pay says what one of them was paid")
    batches: tuple[NamedCost, ...] = ()
    if terms.by_batch:
        batch: Any = found.extra.get("batch")
        if batch is None:
            raise InputError(
                "--by-batch: the judgments have no column 'batch' (--columns batch=TITLE)"
            )
        number = np.asarray(batch.number, dtype=np.int64)[counts]
        batches = tuple(
            NamedCost(
                **vars(_row(columns, terms, number == place)), name=batch.words[place] or "(none)"
            )
            for place in np.unique(number).tolist()
        )
    more = None
    if terms.more is not None:
        more = NamedCost(**vars(_tidy(project(whole, terms.more))), name=f"{terms.more} more")
    return CostResult(
        options=terms,
        format=found.format,
        currency=currency,
        untimed=0 if columns.seconds is None else int(np.isnan(columns.seconds).sum()),
        whole=whole,
        batches=batches,
        more=more,
        signature=signature(
            "cost",
            pay=None if terms.pay is None else f"{terms.pay:f}",
            fee=f"{terms.fee:f}",
            least=f"{terms.min_fee:f}" if terms.min_fee else None,
            currency=signed_text(currency) or None,
            more=terms.more,
            models="yes" if terms.count_models else None,
            rejected="yes" if terms.with_rejected else None,
        ),
        inputs=found.inputs,
    )


def _columns(found: RatingsInput, terms: Terms) -> tuple[_Columns, BoolArray]:
    table = found.table
    rater = np.asarray(table.answer, dtype=np.int64) >> LABEL_BITS
    is_model = np.array([kind == "model" for kind in found.kinds])
    counts = np.ones(len(rater), dtype=bool) if terms.count_models else ~is_model[rater]

    def numbers(name: str) -> FloatArray | None:
        column = found.extra.get(name)
        if column is None:
            return None
        values = np.asarray(column, dtype=np.float64)[counts]
        return None if np.isnan(values).all() else values

    started, submitted, seconds = numbers("started"), numbers("submitted"), numbers("seconds")
    if seconds is None and started is not None and submitted is not None:
        seconds = submitted - started
    case = np.asarray(table.case, dtype=np.int64)[counts]
    return _Columns(case, rater[counts], numbers("reward"), seconds, started, submitted), counts


def _row(columns: _Columns, terms: Terms, kept: BoolArray | slice) -> CostRow:
    """The cost of some judgments."""
    case = columns.case[kept]
    cases, raters = len(np.unique(case)), len(np.unique(columns.rater[kept]))
    times = [each[kept] for each in (columns.started, columns.submitted) if each is not None]
    known = np.concatenate(times) if times else np.zeros(0)
    known = known[~np.isnan(known)]
    hours = float(known.max() - known.min()) / SECONDS if len(known) > 1 else nan
    worked = nan
    if columns.seconds is not None:
        seconds = columns.seconds[kept]
        seconds = seconds[~np.isnan(seconds)]
        worked = float(seconds.sum()) / SECONDS if len(seconds) else nan
    if terms.pay is not None:
        pays = {terms.pay: len(case)}
    elif columns.reward is not None:
        rewards = columns.reward[kept]
        if missing := int(np.isnan(rewards).sum()):
            raise InputError(
                f"{missing} of {len(rewards)} judgments do not tell their reward; --pay says what "
                "every judgment was paid"
            )
        amounts, times_paid = np.unique(rewards, return_counts=True)
        pays = dict(zip((Decimal(str(a)) for a in amounts), times_paid.tolist(), strict=True))
    else:
        return CostRow(cases, len(case), raters, hours=hours, worked=worked)
    return _tidy(
        cost_of_pays(pays, cases, raters=raters, fee=terms.rate, hours=hours, worked=worked)
    )


def _tidy(row: CostRow) -> CostRow:
    """Money in as many digits as JSON holds; a mean may have more."""

    def tidy(amount: Decimal | None) -> Decimal | None:
        return None if amount is None else Decimal(str(float(amount)))

    return replace(row, pay=tidy(row.pay), paid=tidy(row.paid), fees=tidy(row.fees))
