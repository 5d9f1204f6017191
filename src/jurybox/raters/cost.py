"""What judgments cost in money and time: Table 1 of Tetreault, Filatova and Chodorow (2010).

Money is counted in decimal fractions, never in binary ones. The paper's 1,940 judgments at $0.02
come to $38.80, and it prints $48.50: the marketplace took 10 %, but at least half a cent for each
judgment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import nan

from jurybox.errors import InputError, UsageError

CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Fee:
    """What the marketplace takes on top: a share of the pay, but at least so much a judgment.

    >>> Fee(Decimal("0.10"), Decimal("0.005")).on(Decimal("0.02"))
    Decimal('0.005')
    """

    share: Decimal = Decimal(0)
    least: Decimal = Decimal(0)

    def __post_init__(self) -> None:
        if self.share < 0 or self.least < 0:
            raise UsageError("a fee cannot be below 0")

    def on(self, pay: Decimal) -> Decimal:
        """The fee for one judgment."""
        return max(self.share * pay, self.least)


@dataclass(frozen=True, slots=True)
class Cost:
    """One row of the cost table. `hours` is the time from the first judgment to the last."""

    cases: int
    judgments: int
    raters: int
    pay: Decimal  # for one judgment; the mean where it differs
    paid: Decimal  # to raters
    fees: Decimal
    currency: str = "$"
    hours: float = nan  # nan: not known
    worked: float = nan  # hours of work of all raters together

    @property
    def judgments_per_case(self) -> float:
        """Judgments per case; nan without cases."""
        return self.judgments / self.cases if self.cases else nan

    @property
    def total(self) -> Decimal:
        """What was paid, fees included."""
        return self.paid + self.fees

    @property
    def judgments_per_hour(self) -> float:
        """Judgments per hour of elapsed time; nan where no time passed or it is not known."""
        return self.judgments / self.hours if self.hours > 0 else nan

    @property
    def pay_per_hour(self) -> float:
        """What raters earned in an hour of work; nan where their time is not known."""
        return float(self.paid) / self.worked if self.worked > 0 else nan


def cost_of(
    cases: int,
    judgments: int,
    pay: Decimal,
    *,
    raters: int = 0,
    fee: Fee = Fee(),  # noqa: B008 - a frozen value
    currency: str = "$",
    hours: float = nan,
    worked: float = nan,
) -> Cost:
    """The cost of judgments that are all paid alike.

    >>> found = cost_of(194, 1940, Decimal("0.02"), raters=49, hours=0.5,
    ...                 fee=Fee(Decimal("0.1"), Decimal("0.005")))
    >>> show_money(found.paid), show_money(found.total), found.judgments_per_hour
    ('$38.80', '$48.50', 3880.0)
    """
    return cost_of_pays(
        {pay: judgments},
        cases,
        raters=raters,
        fee=fee,
        currency=currency,
        hours=hours,
        worked=worked,
    )


def cost_of_pays(
    pays: dict[Decimal, int],
    cases: int,
    *,
    raters: int = 0,
    fee: Fee = Fee(),  # noqa: B008 - a frozen value
    currency: str = "$",
    hours: float = nan,
    worked: float = nan,
) -> Cost:
    """The cost where pay differs: how many judgments were paid how much.

    >>> cost_of_pays({Decimal("0.02"): 100, Decimal("0.05"): 20}, 12).total
    Decimal('3.00')
    """
    judgments = sum(pays.values())
    if cases < 0 or raters < 0 or any(n < 0 or pay < 0 for pay, n in pays.items()):
        raise UsageError("cases, judgments, raters and pay are numbers from 0 up")
    paid = sum((pay * n for pay, n in pays.items()), Decimal(0))
    fees = sum((fee.on(pay) * n for pay, n in pays.items()), Decimal(0))
    mean = paid / judgments if judgments else Decimal(0)
    if len(pays) == 1:
        (mean,) = pays
    return Cost(cases, judgments, raters, mean, paid, fees, currency, hours, worked)


def project(cost: Cost, judgments: int) -> Cost:
    """The cost of so many more judgments, at the same mean pay, fee and pace, on the same cases.

    >>> before = cost_of(194, 1940, Decimal("0.02"), hours=0.5)
    >>> more = project(before, 194)
    >>> show_money(more.total), more.hours
    ('$3.88', 0.05)
    """
    if judgments < 0:
        raise UsageError(f"the number of further judgments must be from 0 up, not {judgments}")
    if not cost.judgments:
        raise InputError("without any judgment so far there is no pay and no pace to go by")
    share = Decimal(judgments) / cost.judgments
    return Cost(
        cost.cases,
        judgments,
        0,
        cost.pay,
        cost.paid * share,
        cost.fees * share,
        cost.currency,
        cost.hours * float(share),
        cost.worked * float(share),
    )


def parse_money(text: str) -> tuple[Decimal, str]:
    """An amount and its currency as written: `$0.05`, `0,05 €`, `1,234.50 USD`, `0.05`.

    A comma before exactly three digits parts thousands, any other one is a decimal comma.

    >>> parse_money("$0.05"), parse_money("0,05 €"), parse_money("1,234.50 USD")
    ((Decimal('0.05'), '$'), (Decimal('0.05'), '€'), (Decimal('1234.50'), 'USD'))
    """
    found = re.fullmatch(r"\s*([^\d\s.,+-]*)\s*(\d[\d.,]*|[.,]\d+)\s*([^\d\s.,+-]*)\s*", text)
    if found is None or (found[1] and found[3]):
        raise InputError(f"'{text.strip()}' is no amount of money; write it as $0.05 or 0.05 EUR")
    digits = found[2]
    if "." in digits or re.fullmatch(r"\d{1,3}(,\d{3})+", digits):
        digits = digits.replace(",", "")
    try:
        return Decimal(digits.replace(",", ".")), found[1] or found[3]
    except InvalidOperation:
        raise InputError(
            f"'{text.strip()}' is no amount of money; write it as $0.05 or 0.05 EUR"
        ) from None


def parse_share(given: str | Decimal | float) -> Decimal:
    """A fee as a share of the pay: 20%, 0.2.

    >>> parse_share("20%"), parse_share(0.1)
    (Decimal('0.2'), Decimal('0.1'))
    """
    text = str(given).strip()
    wrong = UsageError(f"--fee {given}: write a share of the pay, as 20% or 0.2")
    try:
        number = Decimal(text.removesuffix("%").strip())
    except ArithmeticError:
        raise wrong from None
    share = number / 100 if text.endswith("%") else number
    if not share.is_finite() or share < 0 or (share > 1 and not text.endswith("%")):
        raise wrong
    return share


def show_money(amount: Decimal, currency: str = "$") -> str:
    """An amount with its currency: signs before it, codes behind it; parts of cents if there are.

    >>> show_money(Decimal("48.5")), show_money(Decimal("0.025")), show_money(Decimal(1234), "EUR")
    ('$48.50', '$0.025', '1,234.00 EUR')
    """
    fine = amount.quantize(CENT) == amount
    digits = f"{amount:,.2f}" if fine or amount >= 1 else f"{amount.normalize():f}"
    return f"{digits} {currency}" if currency.isalpha() else f"{currency}{digits}"
