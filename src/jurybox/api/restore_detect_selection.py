"""The selection experiment out of its JSON, or what raters said; the sentences are not there."""

from __future__ import annotations

from jurybox.api.detect_selection_judged_result import JudgedSelection, System, TwoParties
from jurybox.api.detect_selection_result import (
    ChanceBin,
    ModelPair,
    ModelSelection,
    SelectionResult,
)
from jurybox.api.restore_choices import restore_choices
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs


def restore(record: Fields) -> SelectionResult | JudgedSelection:
    """The result of `detect_selection`, or of `judge_selection`."""
    return _selection(record) if record.text("task") == "selection" else _judged(record)


def _selection(record: Fields) -> SelectionResult:
    prepositions = record.texts("prepositions")
    return SelectionResult(
        models=tuple(_model(one, prepositions) for one in record.parts("models", least=1)),
        pairs=tuple(map(_pair, record.parts("pairs"))),
        sentences=record.whole("sentences"),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
        saved=_written(record),
    )


def _model(one: Fields, prepositions: tuple[str, ...]) -> ModelSelection:
    return ModelSelection(
        name=one.text("name"),
        kind=one.text("kind"),
        events=one.whole_or_none("events"),
        training_majority=one.text_or_none("training_majority"),
        prepositions=prepositions,
        confusion=_confusion(one, prepositions),
        top2=one.whole("top2"),
        top3=one.whole("top3"),
        log_loss=one.number("log_loss"),
        bins=tuple(
            ChanceBin(
                part.number("low"),
                part.number("high"),
                part.whole("n"),
                part.number("predicted"),
                part.number("right"),
            )
            for part in one.parts("calibration")
        ),
        calibration_error=one.number("calibration_error"),
        level=one.part("interval").number("level"),
    )


def _confusion(one: Fields, prepositions: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """The matrix: a row of numbers for each preposition, by its name."""
    rows = one.part("confusion")
    found = tuple(rows.wholes(name) for name in prepositions)
    if any(len(row) != len(prepositions) for row in found):
        raise ValueError("a row of 'confusion' has not a number for each preposition")
    return found


def _pair(one: Fields) -> ModelPair:
    return ModelPair(
        one.text("first"),
        one.text("second"),
        one.whole("only_first"),
        one.whole("only_second"),
        one.number("difference"),
        one.number("low"),
        one.number("high"),
        one.number("p"),
        one.number("p_holm"),
    )


def _judged(record: Fields) -> JudgedSelection:
    choice = record.part("choice") if "choice" in record else None
    return JudgedSelection(
        task=record.text("task"),
        systems=tuple(
            System(one.text("name"), one.number("accuracy"), one.whole("events"))
            for one in record.parts("systems", least=1)
        ),
        items=record.whole("items"),
        judged=record.whole("judged"),
        judgments=record.whole("judgments"),
        raters=record.whole("raters"),
        level=record.number("level"),
        signature=record.text("signature"),
        pairs=tuple(map(_parties, record.parts("pairs"))) if choice is None else (),
        other_words=record.whole("other_words") if choice is None else 0,
        choice=None if choice is None else restore_choices(choice),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
        saved=_written(record),
    )


def _parties(one: Fields) -> TwoParties:
    return TwoParties(
        one.text("first"),
        one.text("second"),
        one.whole("n"),
        one.number("agreement"),
        one.number("kappa"),
        one.number("low"),
        one.number("high"),
        one.reason(),
    )


def _written(record: Fields) -> dict[str, str]:
    return {one.text("what"): one.text("file") for one in record.parts("written")}
