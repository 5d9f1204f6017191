"""What detectors flagged, out of its JSON; the decisions are in their own files."""

from __future__ import annotations

from jurybox.api.detect_run_result import DetectionRun, DetectorSummary, Flagged
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs


def restore(record: Fields) -> DetectionRun:
    """The result of `run_detectors`, without decisions and cases."""
    return DetectionRun(
        detectors=tuple(map(_detector, record.parts("detectors", least=1))),
        constructions=record.texts("constructions"),
        threshold=record.number("threshold"),
        sentences=record.whole("sentences"),
        cases=record.whole("cases"),
        undecided=record.whole("undecided"),
        seconds=record.number("seconds"),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
        written={one.text("what"): one.text("file") for one in record.parts("written")},
    )


def _detector(one: Fields) -> DetectorSummary:
    return DetectorSummary(
        name=one.text("name"),
        learner=one.text("learner"),
        flagged=one.whole("flagged"),
        wrong=one.whole("wrong"),
        extraneous=one.whole("extraneous"),
        missing=one.whole("missing"),
        pairs=tuple(
            Flagged(pair.text("written"), pair.text("suggestion"), pair.whole("times"))
            for pair in one.parts("pairs")
        ),
    )
