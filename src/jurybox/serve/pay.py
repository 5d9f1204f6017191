"""What raters are paid, as a researcher writes it: for a judgment, or for an hour of work."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from jurybox.errors import InputError, UsageError
from jurybox.raters.cost.pay import parse_money, parse_share, show_money

_PER_HOUR = re.compile(r"\s*(?:/|\bper\b|\ban\b)\s*h(?:our)?\s*$", re.IGNORECASE)


class Pay(NamedTuple):
    amount: Decimal
    currency: str
    is_hourly: bool = False

    def shown(self) -> str:
        """As people write it.

        >>> read_pay("12 EUR/h").shown(), read_pay("$.02").shown()
        ('12.00 EUR an hour', '$0.02 a judgment')
        """
        unit = "an hour" if self.is_hourly else "a judgment"
        return f"{show_money(self.amount, self.currency)} {unit}"


def read_pay(text: str) -> Pay:
    """Pay for one judgment, or with `/hour` behind it for an hour."""
    amount = _PER_HOUR.sub("", text)
    try:
        return Pay(*parse_money(amount), is_hourly=amount != text)
    except InputError:
        raise UsageError(
            f"--pay {text}: write what one judgment is paid, as $0.02 or 0.02 EUR, or an hour of "
            "work, as $12/hour"
        ) from None


def read_fee(text: str) -> Decimal:
    """The share of the pay that a marketplace takes on top; nothing where nothing is said.

    >>> read_fee("20%"), read_fee("")
    (Decimal('0.2'), Decimal('0'))
    """
    return parse_share(text) if text else Decimal(0)
