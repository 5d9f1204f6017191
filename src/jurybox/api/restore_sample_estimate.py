"""The result of `sample estimate` out of its JSON."""

from __future__ import annotations

from math import nan

from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs
from jurybox.api.sample_estimated import (
    TITLES,
    AssistedNumbers,
    Estimated,
    RetestedMeasure,
    RetestedSystem,
    SampleEstimateResult,
    StratumCounts,
)
from jurybox.api.sample_votes import RaterNumbers
from jurybox.raters.agreement import Agreement
from jurybox.stats.resample import Interval

RETESTED = ("hits", "false_positives", "misses", "precision", "recall")


def restore(record: Fields) -> SampleEstimateResult:
    """An estimate with all of its intervals."""
    options = record.as_given("options", "beta", "ci_level", "finite")
    level = record.part("options").number("ci_level")
    return SampleEstimateResult(
        strata=tuple(
            StratumCounts(
                one.text("name"),
                one.text("label"),
                one.whole("size"),
                one.whole("drawn"),
                one.whole("judged"),
                one.number("errors"),
            )
            for one in record.parts("strata", least=1)
        ),
        measures={name: _estimated(record.part(name)) for name in TITLES},
        methods={
            name: {method: _interval(ends, level) for method, ends in _by_method(record, name)}
            for name in TITLES
        },
        design_effects=record.numbers_by_name("design_effects"),
        options=options,
        signature=record.text("signature"),
        raters=_raters(record.part("raters")) if record.has("raters") else None,
        retested=tuple(_system(one) for one in record.parts("retested"))
        if record.has("retested")
        else (),
        assisted=_assisted(record.part("assisted")) if record.has("assisted") else None,
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def _by_method(record: Fields, name: str) -> list[tuple[str, Fields]]:
    return list(record.part("methods").parts_by_name(name).items())


def _estimated(record: Fields) -> Estimated:
    return Estimated(
        record.number("estimate"),
        record.number("low"),
        record.number("high"),
        record.text_or_none("method") or "",
        record.number("standard_error"),
        record.reason(),
    )


def _interval(record: Fields, level: float) -> Interval:
    return Interval(record.number("low"), record.number("high"), level, record.reason())


def _raters(record: Fields) -> RaterNumbers:
    return RaterNumbers(
        raters=record.whole("raters"),
        judgments=record.whole("judgments"),
        unknown=record.whole("unknown"),
        shared=record.whole("shared"),
        observed=_agreement(record.part("observed")),
        fleiss=_agreement(record.part("fleiss")),
        alpha=_agreement(record.part("alpha")),
    )


def _agreement(record: Fields) -> Agreement:
    return Agreement(record.number("value"), nan, nan, record.reason())


def _system(record: Fields) -> RetestedSystem:
    return RetestedSystem(
        record.text("name"),
        record.number("flagged"),
        record.flag("flagged_known"),
        {name: _retested(record.part(name)) for name in RETESTED},
    )


def _retested(record: Fields) -> RetestedMeasure:
    return RetestedMeasure(
        estimate=record.number("estimate"),
        low=record.number("low"),
        high=record.number("high"),
        standard_error=record.number("standard_error"),
        effective=record.number("effective"),
        cases=record.whole("cases"),
        reason=record.reason(),
    )


def _assisted(record: Fields) -> AssistedNumbers:
    return AssistedNumbers(
        {name: _estimated(record.part(name)) for name in TITLES},
        record.numbers_by_name("slopes"),
        record.numbers_by_name("gains"),
    )
