"""A plan of a sample out of its JSON."""

from __future__ import annotations

from decimal import Decimal
from math import inf

from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs
from jurybox.api.sample_plan_result import CurvePoint, Method, SamplePlan
from jurybox.stats.planning import Expected, Wish


def restore(record: Fields) -> SamplePlan:
    """The result of `plan_sample`."""
    expected, wish, prices = (record.part(name) for name in ("expected", "wish", "prices"))
    return SamplePlan(
        expected=Expected(
            expected.whole("error"),
            expected.whole("ok"),
            expected.number("precision"),
            expected.number("miss_rate"),
        ),
        wish=Wish(
            wish.number_or_none("precision_within"),
            wish.number_or_none("recall_within"),
            wish.number("level"),
        ),
        methods=tuple(map(_method, record.parts("methods", least=1))),
        curve=tuple(map(_point, record.parts("curve", least=1))),
        pay=_money(prices, "pay"),
        currency=prices.text("currency"),
        per_hour=prices.number("per_hour"),
        per_case=prices.whole("per_case"),
        budget=_money(wish, "budget"),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def _method(one: Fields) -> Method:
    return Method(
        name=one.text("name"),
        error=one.whole("error"),
        ok=one.whole("ok"),
        judgments=one.whole("judgments"),
        hours=one.number("hours"),
        money=_money(one, "money"),
        precision_within=_width(one, "precision_within"),
        recall_within=_width(one, "recall_within"),
    )


def _point(one: Fields) -> CurvePoint:
    return CurvePoint(
        cases=one.whole("cases"),
        judgments=one.whole("judgments"),
        money=_money(one, "money"),
        precision_within=_width(one, "precision_within"),
        recall_within=_width(one, "recall_within"),
        ratio_precision_within=_width(one, "ratio_precision_within"),
        ratio_recall_within=_width(one, "ratio_recall_within"),
    )


def _width(one: Fields, name: str) -> float:
    """Null is a width without end: nothing can be said."""
    return one.number(name) if one.has(name) else inf


def _money(one: Fields, name: str) -> Decimal | None:
    """Numbers as they are written: 0.05 is five hundredths, no binary fraction near it."""
    amount = one.number_or_none(name)
    return None if amount is None else Decimal(str(amount))
