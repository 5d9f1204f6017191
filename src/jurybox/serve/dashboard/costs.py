"""What a project costs so far, and in all, by the rules of `jurybox cost`.

Every answer is paid, gold and cases shown again among them, but for practice. What is still to come
has its share of gold and of repeats too.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from math import ceil
from typing import Any, NamedTuple

from jurybox.raters.cost.pay import CENT, Fee, show_money, total_of
from jurybox.serve.model import Progress, RaterProgress
from jurybox.serve.pay import Pay, read_fee, read_pay
from jurybox.serve.settings import Settings

HOUR = 3600.0
NO_TIME = "Hours are paid, and nobody has worked yet: what it will cost cannot be told."


class CostLine(NamedTuple):
    """Money for so many answers, as a number, and as people write it."""

    judgments: int
    total: Decimal
    shown: str


class Costs(NamedTuple):
    """What was spent so far, and what it will be in all; fees included."""

    pay: Pay
    fee: str  # as it was written; '' for none
    so_far: CostLine
    expected: CostLine | None  # None where no time is known yet, and hours are paid
    earned: str = ""  # what an hour of work brings a rater; '' where no time is known

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; money is text, for it has no binary fractions."""
        lines = {
            name: None if line is None else {**line._asdict(), "total": str(line.total)}
            for name, line in (("so_far", self.so_far), ("expected", self.expected))
        }
        return {
            "pay": str(self.pay.amount),
            "currency": self.pay.currency or None,
            "unit": "hour" if self.pay.is_hourly else "judgment",
            "fee": self.fee or None,
            **lines,
            "earned_per_hour": self.earned or None,
            "reason": None if self.expected else NO_TIME,
        }


class Worked(NamedTuple):
    """Answers that are paid, and the hours that went into those whose time is known."""

    answers: int
    hours: float
    timed: int


def worked(answered: int, raters: Iterable[RaterProgress]) -> Worked:
    """All that was done; a rater's times are those of their answers so far."""
    known = [one for one in raters if one.seconds is not None and one.rater.answered]
    seconds = sum(one.rater.answered * (one.seconds or 0.0) for one in known)
    return Worked(answered, seconds / HOUR, sum(one.rater.answered for one in known))


def costs_of(
    settings: Settings, progress: Progress, done: Worked, *, has_gold: bool
) -> Costs | None:
    """The costs of a project; None where no pay is named."""
    if not settings.pay:
        return None
    pay, fee = read_pay(settings.pay), read_fee(settings.fee)
    work = 1 - settings.repeat_share - (settings.gold_rate if has_gold else 0.0)
    left = ceil((progress.wanted - progress.judgments) / work - 1e-9)
    each = done.hours / done.timed if done.timed else None  # hours of one answer

    def line(answers: int) -> CostLine:
        if pay.is_hourly:
            paid = pay.amount * Decimal(repr(answers * (each or 0.0)))
            total = (paid * (1 + fee)).quantize(CENT)
        else:
            total = total_of(answers, pay.amount, Fee(fee))
        return CostLine(answers, total, show_money(total, pay.currency))

    earned = ""
    if each:  # without the fee
        amount = pay.amount if pay.is_hourly else pay.amount / Decimal(repr(each))
        earned = show_money(amount.quantize(CENT), pay.currency)
    is_known = not pay.is_hourly or each is not None
    expected = line(done.answers + left) if is_known else None
    return Costs(pay, settings.fee, line(done.answers), expected, earned)
