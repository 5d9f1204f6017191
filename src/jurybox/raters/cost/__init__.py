"""`cost`: what judgments cost in money and time, and what more of them would cost."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, NamedTuple

from jurybox.errors import InputError, UsageError
from jurybox.options import Opt, Options, verb
from jurybox.raters.cost.pay import Fee, parse_money, parse_share
from jurybox.records import Limits
from jurybox.shared_options import (
    Columns,
    CountModels,
    GivenRatings,
    InputFormat,
    Relabel,
    WithRejected,
)

if TYPE_CHECKING:
    from jurybox.raters.cost.result import CostResult

FROM_0 = Limits(minimum=0)


class Terms(NamedTuple):
    """What a judgment costs beside what the files say."""

    pay: Annotated[
        Decimal | None, "Pay for every judgment; null: the rewards in the files.", FROM_0
    ]
    fee: Annotated[Decimal, "Share of the pay that the marketplace takes on top.", FROM_0]
    min_fee: Annotated[Decimal, "The least it takes for a judgment.", FROM_0]
    more: Annotated[int | None, "Judgments to project; null: none.", Limits(minimum=1)]
    by_batch: Annotated[bool, "Whether there is a row for every batch."]
    count_models: Annotated[bool, "Whether raters of kind model count like people."]
    with_rejected: Annotated[bool, "Whether rejected and tainted judgments count."]

    @property
    def rate(self) -> Fee:
        """The fee of the marketplace."""
        return Fee(self.fee, self.min_fee)


class Money(Options, group="money"):
    """What judgments were paid, and what a marketplace took."""

    pay: Annotated[
        str | Decimal | float | None,
        Opt(
            "what one judgment was paid, as $0.02 or '0.02 EUR'",
            "AMOUNT",
            default="the rewards in the files",
        ),
    ] = None
    fee: Annotated[
        str | Decimal | float,
        Opt(
            "what the marketplace takes on top, as a share of the pay: 20% or 0.2",
            "SHARE",
        ),
    ] = 0
    min_fee: Annotated[
        str | Decimal | float, Opt("the least it takes for a judgment", "AMOUNT")
    ] = 0
    currency: Annotated[
        str | None,
        Opt("how money is shown, as $ or EUR", "SIGN", default="as it is written"),
    ] = None
    more: Annotated[int | None, Opt("also what N more judgments would cost", "N", least=1)] = None
    by_batch: Annotated[bool, Opt("a row for every batch")] = False


class Cost(Money, Columns, Relabel, InputFormat, CountModels, WithRejected, GivenRatings):
    """What `cost` is called with."""

    def check(self) -> None:
        super().check()
        self.terms()

    def terms(self) -> tuple[Terms, str]:
        """The amounts as numbers, and the currency that is named; '' where none is."""
        pay, sign = _amount(self.pay, "--pay")
        least, other = _amount(self.min_fee, "--min-fee")
        if self.currency is None and sign and other and sign != other:
            raise UsageError(f"--pay and --min-fee are in different currencies: {sign}, {other}")
        terms = Terms(
            pay,
            parse_share(self.fee),
            least or Decimal(0),
            self.more,
            self.by_batch,
            self.count_models,
            self.with_rejected,
        )
        return terms, self.currency or sign or other


def _amount(given: str | Decimal | float | None, flag: str) -> tuple[Decimal | None, str]:
    """An amount and its currency, '' where none is named."""
    if given is None:
        return None, ""
    amount, sign = Decimal(0), ""
    if isinstance(given, str):
        try:
            amount, sign = parse_money(given)
        except InputError as error:
            raise UsageError(f"{flag}: {error}") from None
    else:
        amount = Decimal(str(given))
    if not (amount.is_finite() and amount >= 0):
        raise UsageError(f"{flag} must be a number from 0 up, not {amount}")
    return amount, sign


@verb(Cost)
def cost(call: Cost) -> CostResult:
    """Money and time of judgments, out of an export's own fields or with `pay` for each.

    `pay` and `min_fee` are amounts as "$0.02" or 0.02, `fee` is a share of the pay as "20%" or 0.2.
    Options are those of `jurybox cost`.

    >>> said = [(f"c{case}", f"R{rater}", "ok") for case in range(194) for rater in range(10)]
    >>> result = cost(said, pay="$0.02", fee="10%", min_fee="$0.005")
    >>> result.whole.paid, result.total
    (Decimal('38.8'), Decimal('48.5'))
    """
    from jurybox.raters.cost.costs import cost_judgments

    return cost_judgments(call)
