"""`cost`: what judgments cost in money and time, and what more of them would cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from math import nan
from typing import TYPE_CHECKING, Any

from jurybox.api.aggregate import plain
from jurybox.api.cost_result import CostResult, CostRow
from jurybox.api.counting import Progress
from jurybox.api.known_answers import warn
from jurybox.api.rater_inputs import GivenJudgments, RatingsInput, read_ratings
from jurybox.api.score import collecting_warnings
from jurybox.errors import InputError, UsageError
from jurybox.model import LABEL_BITS, CaseSet
from jurybox.signature import signature

if TYPE_CHECKING:
    from jurybox.raters.cost import Cost, Fee
    from jurybox.raters.ratings import BoolArray, CodeArray, FloatArray

SECONDS = 3600.0
#: columns of an export that tell of money and time
FIELDS = ("reward", "seconds", "started", "submitted", "batch")


@dataclass(frozen=True)
class CostOptions:
    """What a judgment costs beside what the files say, checked once."""

    pay: Decimal | None = None
    fee: Decimal = Decimal(0)  # a share of the pay
    min_fee: Decimal = Decimal(0)
    currency: str | None = None
    more: int | None = None
    by_batch: bool = False
    with_models: bool = False
    with_rejected: bool = False

    def __post_init__(self) -> None:
        for name, amount in (("pay", self.pay), ("fee", self.fee), ("min-fee", self.min_fee)):
            if amount is not None and not (amount.is_finite() and amount >= 0):
                raise UsageError(f"--{name} must be a number from 0 up, not {amount}")
        if self.more is not None and self.more < 1:
            raise UsageError(f"--more is a number of judgments from 1 up, not {self.more}")

    def rate(self) -> Fee:
        """The fee of the marketplace."""
        from jurybox.raters.cost import Fee

        return Fee(self.fee, self.min_fee)

    def sign(self, currency: str) -> str:
        """What the numbers depend on, in one line."""
        return signature(
            "cost",
            pay=None if self.pay is None else f"{self.pay:f}",
            fee=f"{self.fee:f}",
            least=f"{self.min_fee:f}" if self.min_fee else None,
            currency=plain(currency) or None,
            more=self.more,
            models="yes" if self.with_models else None,
            rejected="yes" if self.with_rejected else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "pay": None if self.pay is None else float(self.pay),
            "fee": float(self.fee),
            "min_fee": float(self.min_fee),
            "more": self.more,
            "by_batch": self.by_batch,
            "with_models": self.with_models,
            "with_rejected": self.with_rejected,
        }


def cost(
    judgments: GivenJudgments,
    *,
    pay: str | Decimal | float | None = None,
    fee: str | Decimal | float = 0,
    min_fee: str | Decimal | float = 0,
    currency: str | None = None,
    more: int | None = None,
    by_batch: bool = False,
    cases: CaseSet | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    input_format: str | None = None,
    with_models: bool = False,
    with_rejected: bool = False,
    progress: Progress | None = None,
) -> CostResult:
    """Money and time of judgments, out of an export's own fields or with `pay` for each.

    `pay` and `min_fee` are amounts as "$0.02" or 0.02, `fee` is a share of the pay as "20%" or 0.2.
    Options are those of `jurybox cost`.

    >>> said = [(f"c{case}", f"R{rater}", "ok") for case in range(194) for rater in range(10)]
    >>> result = cost(said, pay="$0.02", fee="10%", min_fee="$0.005")
    >>> result.whole.paid, result.total
    (Decimal('38.8'), Decimal('48.5'))
    """
    from jurybox.raters.cost import parse_share

    amount, sign = _money(pay, "--pay")
    least, other = _money(min_fee, "--min-fee")
    named = {name for name in (sign, other, currency or "") if name}
    if currency is None and len(named) > 1:
        raise UsageError(f"--pay and --min-fee are in different currencies: {sign}, {other}")
    options = CostOptions(
        pay=amount,
        fee=parse_share(fee),
        min_fee=least or Decimal(0),
        currency=currency or sign or other or None,
        more=more,
        by_batch=by_batch,
        with_models=with_models,
        with_rejected=with_rejected,
    )
    with collecting_warnings() as messages:
        found = read_ratings(
            judgments,
            cases=cases,
            columns=columns,
            labels=labels,
            input_format=input_format,
            with_models=with_models,
            with_rejected=with_rejected,
            extra=FIELDS,
            repeats="keep",  # what was judged twice was paid twice
            progress=progress,
        )
        result = _add_up(found, options)
    return replace(result, warnings=tuple(messages))


def _money(given: str | Decimal | float | None, flag: str) -> tuple[Decimal | None, str]:
    """An amount and its currency, '' where none is named."""
    from jurybox.raters.cost import parse_money

    if given is None:
        return None, ""
    if isinstance(given, str):
        try:
            return parse_money(given)
        except InputError as error:
            raise UsageError(f"{flag}: {error}") from None
    return Decimal(str(given)), ""


@dataclass(frozen=True)
class _Columns:
    """All judgments of those who count, answers or not; a column is None where nobody tells it."""

    case: CodeArray
    rater: CodeArray
    reward: FloatArray | None
    seconds: FloatArray | None
    started: FloatArray | None
    submitted: FloatArray | None


def _add_up(found: RatingsInput, options: CostOptions) -> CostResult:
    columns, paid_for = _columns(found, options)
    currency = options.currency
    if currency is None:
        if " " in found.currency:
            raise InputError(
                f"rewards are in several currencies ({found.currency}); give files with one each"
            )
        currency = found.currency
    elif (
        options.pay is None and found.currency and found.currency not in (currency, _code(currency))
    ):
        warn(f"rewards are in {found.currency}, shown as {currency}; nothing is converted")
    whole = _row("all", columns, options, None)
    if whole.paid is None:
        warn("the judgments do not tell what was paid; --pay says what one of them was paid")
    batches = _by_batch(found, columns, options, paid_for) if options.by_batch else ()
    untimed = 0
    if columns.seconds is not None:
        import numpy as np

        untimed = int(np.isnan(columns.seconds).sum())
    return CostResult(
        whole=whole,
        batches=batches,
        more=None if options.more is None else _project(whole, options.more),
        currency=currency,
        untimed=untimed,
        format=found.format,
        options=options.to_dict(),
        signature=options.sign(currency),
        inputs=found.inputs,
    )


def _code(currency: str) -> str:
    from jurybox.formats.exports._times import SIGNS

    return SIGNS.get(currency, currency)


def _columns(found: RatingsInput, options: CostOptions) -> tuple[_Columns, BoolArray]:
    import numpy as np

    table = found.table
    answer = np.asarray(table.answer, dtype=np.int64)
    rater = answer >> LABEL_BITS
    is_model = np.array([kind == "model" for kind in found.kinds])
    counts = np.ones(len(rater), dtype=bool) if options.with_models else ~is_model[rater]

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
    rewards = numbers("reward")
    return _Columns(case, rater[counts], rewards, seconds, started, submitted), counts


def _row(name: str, columns: _Columns, options: CostOptions, chosen: BoolArray | None) -> CostRow:
    """The cost of the chosen judgments, or of all."""
    import numpy as np

    kept = slice(None) if chosen is None else chosen
    case, rater = columns.case[kept], columns.rater[kept]
    row = CostRow(name, len(np.unique(case)), len(case), len(np.unique(rater)))
    row = row._replace(hours=_elapsed(columns, kept))
    if columns.seconds is not None:
        told = columns.seconds[kept]
        told = told[~np.isnan(told)]
        row = row._replace(worked=float(told.sum()) / SECONDS if len(told) else nan)
    found = _pay(columns, options, kept, row)
    if found is None:
        return row
    return row._replace(pay=_tidy(found.pay), paid=_tidy(found.paid), fees=_tidy(found.fees))


def _tidy(amount: Decimal) -> Decimal:
    """Money in as many digits as JSON holds; a mean may have more."""
    return Decimal(str(float(amount)))


def _elapsed(columns: _Columns, kept: Any) -> float:
    """Hours from the first sign of a judgment to the last."""
    import numpy as np

    times = [each[kept] for each in (columns.started, columns.submitted) if each is not None]
    told = np.concatenate(times) if times else np.zeros(0)
    told = told[~np.isnan(told)]
    return float(told.max() - told.min()) / SECONDS if len(told) > 1 else nan


def _pay(columns: _Columns, options: CostOptions, kept: Any, row: CostRow) -> Cost | None:
    from jurybox.raters.cost import cost_of, cost_of_pays

    if options.pay is not None:
        return cost_of(row.cases, row.judgments, options.pay, fee=options.rate())
    if columns.reward is None:
        return None
    import numpy as np

    rewards = columns.reward[kept]
    missing = int(np.isnan(rewards).sum())
    if missing:
        raise InputError(
            f"{missing} of {len(rewards)} judgments do not tell their reward; --pay says what "
            "every judgment was paid"
        )
    amounts, times = np.unique(rewards, return_counts=True)
    pays = Counter(dict(zip((Decimal(str(a)) for a in amounts), times.tolist(), strict=True)))
    return cost_of_pays(dict(pays), row.cases, fee=options.rate())


def _by_batch(
    found: RatingsInput, columns: _Columns, options: CostOptions, counts: BoolArray
) -> tuple[CostRow, ...]:
    import numpy as np

    column: Any = found.extra.get("batch")
    if column is None:
        raise InputError("--by-batch: the judgments have no column 'batch' (--map batch=TITLE)")
    number = np.asarray(column.number, dtype=np.int64)[counts]
    return tuple(
        _row(column.words[place] or "(none)", columns, options, number == place)
        for place in np.unique(number).tolist()
    )


def _project(whole: CostRow, judgments: int) -> CostRow:
    """So many more at the same mean pay, fee and pace."""
    from jurybox.raters.cost import Cost, project

    nothing = Decimal(0)
    so_far = Cost(
        whole.cases,
        whole.judgments,
        whole.raters,
        whole.pay or nothing,
        whole.paid or nothing,
        whole.fees or nothing,
        hours=whole.hours,
        worked=whole.worked,
    )
    more = project(so_far, judgments)
    known = whole.paid is not None
    return CostRow(
        f"{judgments} more",
        whole.cases,
        judgments,
        0,
        whole.pay,
        _tidy(more.paid) if known else None,
        _tidy(more.fees) if known else None,
        more.hours,
        more.worked,
    )
