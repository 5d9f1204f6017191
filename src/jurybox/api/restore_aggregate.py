"""Aggregated labels out of their JSON."""

from __future__ import annotations

from jurybox.api.aggregate_result import (
    AggregateResult,
    BesideMajority,
    CaseLabel,
    Fitted,
    GoldCheck,
)
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs


def restore(record: Fields) -> AggregateResult:
    """The result of `aggregate`."""
    return AggregateResult(
        method=record.text("method"),
        cases=_cases(record),
        label_names=record.texts("label_names"),
        raters=record.whole("raters"),
        judgments=record.whole("judgments"),
        no_answer=record.whole("no_answer"),
        format=record.text("format"),
        options=record.as_given("options", "ties"),
        signature=record.text("signature"),
        gold=_gold(record.part("gold")) if record.has("gold") else None,
        weights=record.numbers_by_name("weights") if record.has("weights") else None,
        model=_model(record.part("model")) if record.has("model") else None,
        beside_majority=(
            _beside(record.part("beside_majority")) if record.has("beside_majority") else None
        ),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def _cases(record: Fields) -> tuple[CaseLabel, ...]:
    labels, sure = record.part("labels"), record.part("confidence")
    tied = set(record.part("ties").texts("cases"))
    return tuple(
        CaseLabel(case, labels.text_or_none(case), sure.number(case), judgments, case in tied)
        for case, judgments in record.wholes_by_name("judgments_of").items()
    )


def _gold(record: Fields) -> GoldCheck:
    return GoldCheck(
        record.text("source"),
        record.whole("cases"),
        record.whole("right"),
        record.whole("unlabelled"),
        record.number("accuracy"),
    )


def _model(record: Fields) -> Fitted:
    return Fitted(
        record.whole("iterations"),
        record.flag("converged"),
        record.number("change"),
        record.number("log_likelihood"),
        record.numbers_by_name("prior"),
    )


def _beside(record: Fields) -> BesideMajority:
    return BesideMajority(record.whole("cases"), record.whole("changed"))
