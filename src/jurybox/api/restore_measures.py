"""The result of `measure` out of its JSON; measures of counts, wherever they stand."""

from __future__ import annotations

from jurybox.api.measure import MeasureResult
from jurybox.api.restore_fields import Fields
from jurybox.measures import MEASURES, MeasureValue
from jurybox.model import Counts


def restore(record: Fields) -> MeasureResult:
    """Every measure of four counts."""
    counts = record.part("counts")
    tn = counts.number_or_none("tn")
    beta = record.number("beta")
    return MeasureResult(
        counts=Counts(counts.number("tp"), counts.number("fp"), counts.number("fn"), tn or 0),
        tn_known=tn is not None,
        beta=beta,
        signature=record.text("signature"),
        values=restore_measures(record, beta),
    )


def restore_measures(record: Fields, beta: float, prefix: str = "") -> tuple[MeasureValue, ...]:
    """The fields `measures` and `undefined` of a record, which may have a prefix."""
    reasons = record.texts_by_name(f"{prefix}undefined")
    return tuple(
        MeasureValue(name, title_of(name, beta), value, reasons.get(name, ""))
        for name, value in record.numbers_by_name(f"{prefix}measures").items()
    )


def title_of(name: str, beta: float) -> str:
    """What a measure is called; one that is not known by its own name.

    >>> title_of("f_beta", 0.5), title_of("recall", 0.5)
    ('F0.5', 'Recall')
    """
    if name not in MEASURES:
        return name
    measure = MEASURES[name]
    return f"{measure.title}{beta:g}" if measure.takes_beta else measure.title


def restore_counts(record: Fields) -> Counts:
    """Four counts."""
    return Counts(*(record.number(name) for name in ("tp", "fp", "fn", "tn")))
