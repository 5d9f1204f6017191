"""A cost table out of its JSON."""

from __future__ import annotations

from decimal import Decimal

from jurybox.api.cost_result import CostResult, CostRow
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs


def restore(record: Fields) -> CostResult:
    """The result of `cost`."""
    return CostResult(
        whole=_row(record, "all"),
        batches=tuple(_row(one, one.text("name")) for one in record.parts("batches")),
        more=_row(record.part("more"), record.part("more").text("name"))
        if record.has("more")
        else None,
        currency=record.text("currency"),
        untimed=record.whole("untimed"),
        format=record.text("format"),
        options=record.as_given("options"),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def _row(record: Fields, name: str) -> CostRow:
    return CostRow(
        name,
        record.whole("cases"),
        record.whole("judgments"),
        record.whole("raters"),
        _money(record, "pay"),
        _money(record, "paid"),
        _money(record, "fees"),
        record.number("hours"),
        record.number("worked"),
    )


def _money(record: Fields, name: str) -> Decimal | None:
    """Numbers as they are written: 0.05 is five hundredths, no binary fraction near it."""
    amount = record.number_or_none(name)
    return None if amount is None else Decimal(str(amount))
