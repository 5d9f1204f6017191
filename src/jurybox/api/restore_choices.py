"""What people chose between writer and system, out of JSON: for every result that has it."""

from __future__ import annotations

from jurybox.api.agree_choices import ChoiceFindings, RaterChoices
from jurybox.api.restore_fields import Fields
from jurybox.raters.choice_experiment import Choices


def restore_choices(record: Fields) -> ChoiceFindings:
    """The findings of a choice experiment."""
    return ChoiceFindings(
        _four(record),
        record.whole("other"),
        record.number("share"),
        record.number_or_none("corrected_accuracy"),
        record.number("krippendorff_alpha"),
        tuple(
            RaterChoices(one.text("rater"), _four(one), one.number("share"))
            for one in record.parts("raters")
        ),
        record.reason(),
    )


def _four(record: Fields) -> Choices:
    return Choices(*(record.whole(name) for name in ("writer", "system", "equal", "bad")))
