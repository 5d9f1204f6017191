"""What is known of a model, out of its JSON; the model itself is not looked at."""

from __future__ import annotations

from jurybox.api.detect_info_result import (
    LANGUAGE_MODEL,
    LEARNING,
    DetectorInfo,
    ModelFacts,
    TemplateInWords,
)
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs


def restore(record: Fields) -> DetectorInfo:
    """The result of `describe_detector`."""
    return DetectorInfo(
        model=restore_facts(record.part("model")),
        checked=record.flag("checked"),
        templates=tuple(
            TemplateInWords(one.whole("number"), one.text("template"), one.text("words"))
            for one in record.parts("templates")
        ),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def restore_facts(one: Fields) -> ModelFacts:
    """A model as a result describes it."""
    return ModelFacts(
        learner=one.text("learner"),
        folder=one.text("folder"),
        bytes=one.whole("bytes"),
        made_from=one.text("made_from"),
        sha256=one.texts("sha256"),
        sentences=one.whole_or_none("sentences"),
        tokens=one.whole_or_none("tokens"),
        options=one.as_given("options", *LEARNING, *LANGUAGE_MODEL),
        versions={part.text("package"): part.text("version") for part in one.parts("versions")},
        tagger=one.text_or_none("tagger"),
        events=one.whole_or_none("events"),
        nothing=one.whole_or_none("nothing"),
        held_out=one.whole_or_none("held_out"),
        accuracy=one.number_or_none("accuracy"),
        log_loss=one.number_or_none("log_loss"),
        temperature=one.number_or_none("temperature"),
        features=one.whole_or_none("features"),
        ngrams=one.wholes("ngrams"),
    )
