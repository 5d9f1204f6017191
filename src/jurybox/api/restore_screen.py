"""Screened raters out of their JSON."""

from __future__ import annotations

from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs
from jurybox.api.screen_result import Effect, RaterRecord, Reliability, ScreenResult


def restore(record: Fields) -> ScreenResult:
    """The result of `screen`."""
    return ScreenResult(
        raters=tuple(map(_rater, record.parts("raters", least=1))),
        effect=_effect(record.part("effect")),
        cases=record.whole("cases"),
        judgments=record.whole("judgments"),
        no_answer=record.whole("no_answer"),
        label_names=record.texts("label_names"),
        gold=record.text("gold"),
        gold_cases=record.whole("gold_cases"),
        typical_seconds=record.number("typical_seconds"),
        format=record.text("format"),
        options=record.as_given("options", "drop"),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def _rater(record: Fields) -> RaterRecord:
    return RaterRecord(
        rater=record.text("rater"),
        judgments=record.whole("judgments"),
        gold_answers=record.whole("gold_answers"),
        right=record.whole("right"),
        accuracy=record.number("accuracy"),
        trust=record.number("trust"),
        guess=record.number("guess"),
        p_value=record.number("p_value"),
        seconds=record.number("seconds"),
        label=record.text("label"),
        share=record.number("share"),
        spammer_score=record.number("spammer_score"),
        flags=record.texts("flags"),
        reasons=record.texts("reasons"),
        dropped=record.flag("dropped"),
    )


def _effect(record: Fields) -> Effect:
    return Effect(
        _reliability(record.part("before")),
        _reliability(record.part("after")),
        record.whole("compared"),
        record.texts("changed"),
        record.texts("lost"),
    )


def _reliability(record: Fields) -> Reliability:
    return Reliability(
        record.whole("raters"),
        record.whole("judgments"),
        record.number("alpha"),
        record.text("alpha_reason"),
        record.whole("gold_cases"),
        record.number("accuracy"),
    )
