"""The result of training out of its JSON; the model stays in its folder."""

from __future__ import annotations

from jurybox.api.detect_train_result import TrainedDetector
from jurybox.api.restore_detect_info import restore_facts
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs


def restore(record: Fields) -> TrainedDetector:
    """The result of `train_detector`."""
    return TrainedDetector(
        model=restore_facts(record.part("model")),
        cache=record.text_or_none("cache"),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
        written={one.text("what"): one.text("file") for one in record.parts("written")},
    )
