"""What is told of derived cases, out of its JSON; the cases are in files of their own."""

from __future__ import annotations

from jurybox.api.cases_result import ConstructionSummary, RaterSummary, SystemSummary
from jurybox.api.cases_summary import CasesSummary
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs
from jurybox.model import CaseDescription


def restore(record: Fields) -> CasesSummary:
    """The numbers of `derive_cases`."""
    return CasesSummary(
        n=record.whole("n"),
        trivial=record.whole("trivial"),
        judgments=record.whole("judgments"),
        error_rate=record.number("error_rate"),
        description=restore_description(record.part("description")),
        constructions=tuple(map(_construction, record.parts("constructions"))),
        raters=tuple(
            RaterSummary(one.text("name"), one.whole("judgments"), one.whole("errors"))
            for one in record.parts("raters")
        ),
        systems=tuple(
            SystemSummary(
                one.text("name"), one.whole("errors"), one.whole("on_trivial"), one.number("share")
            )
            for one in record.parts("systems")
        ),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
        written={one.text("what"): one.text("file") for one in record.parts("written")},
    )


def restore_description(record: Fields) -> CaseDescription:
    """What N consists of."""
    return CaseDescription(*(record.text(name) for name in CaseDescription.__slots__))


def _construction(record: Fields) -> ConstructionSummary:
    return ConstructionSummary(
        name=record.text("name"),
        n=record.whole("n"),
        trivial=record.whole("trivial"),
        overruled=record.whole("overruled"),
        judgments=record.whole("judgments"),
        error_judgments=record.whole("error_judgments"),
        any_error=record.whole("any_error"),
        majority_error=record.whole("majority_error"),
        edits=record.whole("edits"),
        on_cases=record.whole("on_cases"),
        description=restore_description(record.part("description")),
    )
