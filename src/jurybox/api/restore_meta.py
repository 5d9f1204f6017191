"""The result of `meta` out of its JSON."""

from __future__ import annotations

from jurybox.api.meta_result import (
    Agreement,
    MetaResult,
    MetricAgreement,
    MetricPair,
    RankedSystem,
    RankingFacts,
)
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs, restore_interval


def restore(record: Fields) -> MetaResult:
    """Metrics before people."""
    return MetaResult(
        systems=tuple(_system(one) for one in record.parts("systems", least=2)),
        metrics=tuple(_metric(one) for one in record.parts("metrics", least=1)),
        pairs=tuple(_pair(one) for one in record.parts("pairs")),
        ranked=_facts(record.part("ranked")) if record.has("ranked") else None,
        options=record.as_given("options", "ci"),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def _system(record: Fields) -> RankedSystem:
    scores = {one.text("metric"): one.number("score") for one in record.parts("scores")}
    interval = restore_interval(record.part("interval")) if record.has("interval") else None
    return RankedSystem(record.text("name"), record.number("human"), interval, scores)


def _metric(record: Fields) -> MetricAgreement:
    measures = tuple(
        Agreement(
            one.text("measure"),
            one.number("value"),
            restore_interval(one.part("interval")),
            one.number_or_none("p_value"),
        )
        for one in record.parts("measures", least=1)
    )
    return MetricAgreement(
        record.text("metric"),
        record.text("level"),
        record.whole("systems"),
        measures,
        *(record.whole_or_none(name) for name in ("right", "wrong", "tied")),
    )


def _pair(record: Fields) -> MetricPair:
    numbers = ("pearson_first", "pearson_second", "between", "t", "p_value")
    return MetricPair(
        record.text("first"), record.text("second"), *(record.number(name) for name in numbers)
    )


def _facts(record: Fields) -> RankingFacts:
    return RankingFacts(*(record.whole(name) for name in RankingFacts._fields))
