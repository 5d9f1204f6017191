"""Amounts of money, and what a marketplace takes on top: Tetreault, Filatova and Chodorow (2010).

Money is counted in decimal fractions, never in binary ones. The paper's 1,940 judgments at $0.02
come to $38.80, and it prints $48.50: the marketplace took 10 %, but at least half a cent for each
judgment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

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


def total_of(judgments: int, pay: Decimal, fee: Fee) -> Decimal:
    """What judgments cost that are all paid alike, fees included.

    >>> total_of(1940, Decimal("0.02"), Fee(Decimal("0.1"), Decimal("0.005")))
    Decimal('48.500')
    """
    return (pay + fee.on(pay)) * judgments


def parse_money(text: str) -> tuple[Decimal, str]:
    """An amount and its currency as written: `$0.05`, `0,05 €`, `1,234.50 USD`, `0.05`.

    A comma before exactly three digits parts thousands, any other one is a decimal comma.

    >>> parse_money("$0.05"), parse_money("0,05 €"), parse_money("1,234.50 USD")
    ((Decimal('0.05'), '$'), (Decimal('0.05'), '€'), (Decimal('1234.50'), 'USD'))
    """
    found = re.fullmatch(r"\s*([^\d\s.,+-]*)\s*(\d[\d.,]*|[.,]\d+)\s*([^\d\s.,+-]*)\s*", text)
    wrong = InputError(f"'{text.strip()}' is no amount of money; write it as $0.05 or 0.05 EUR")
    if found is None or (found[1] and found[3]):
        raise wrong
    digits = found[2]
    if "." in digits or re.fullmatch(r"\d{1,3}(,\d{3})+", digits):
        digits = digits.replace(",", "")
    try:
        return Decimal(digits.replace(",", ".")), found[1] or found[3]
    except InvalidOperation:
        raise wrong from None


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
