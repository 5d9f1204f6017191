"""The result of `score` out of its JSON, and what other results share with it."""

from __future__ import annotations

from typing import Any

from jurybox.api.details import EditDetail, SentenceDetail
from jurybox.api.restore_fields import Fields
from jurybox.api.results import GradedScore, RecordedFile, ScoreResult, SystemScore, TypeScore
from jurybox.model import Counts
from jurybox.stats.resample import Interval


def restore(record: Fields) -> ScoreResult:
    """Scores of one or several systems, without their counts per sentence."""
    options = restore_options(record)
    return ScoreResult(
        metric=record.text("metric"),
        beta=options["beta"],
        signature=record.text("signature"),
        systems=restore_systems(record),
        options=options,
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def restore_inputs(record: Fields) -> tuple[RecordedFile, ...]:
    """The files behind a result, as it names them; nothing is opened."""
    listed = record.parts("inputs")
    return tuple(RecordedFile(one.text("path"), one.text("sha256")) for one in listed)


def restore_options(record: Fields) -> dict[str, Any]:
    """The options of a metric, `beta` and `types` as `Options` has them."""
    options = record.as_given("options")
    given = record.part("options")
    options["beta"] = given.number("beta")
    options["types"] = given.texts("types") if given.has("types") else None
    return options


def restore_interval(record: Fields) -> Interval:
    """An interval; nan where there is none, with the reason."""
    low, high = record.number("low"), record.number("high")
    return Interval(low, high, record.number("level"), record.reason())


def restore_systems(record: Fields) -> tuple[SystemScore, ...]:
    """All systems of `score` or `compare`."""
    return tuple(_system(one) for one in record.parts("systems", least=1))


def _system(record: Fields) -> SystemScore:
    found: dict[str, Any] = {}
    if "score" in record:
        found["score"] = record.number("score")
        found["draws_sd"] = record.number("draws_sd") if "draws_sd" in record else None
    else:
        found["counts"] = Counts(*(record.whole(name) for name in ("tp", "fp", "fn")))
        found |= {name: record.number(name) for name in ("precision", "recall", "f")}
    if "intervals" in record:
        intervals = record.parts_by_name("intervals")
        found["intervals"] = {name: restore_interval(one) for name, one in intervals.items()}
    for name, restored in (("graded", _graded), ("by_type", _type), ("details", _detail)):
        if name in record:
            found[name] = tuple(restored(one) for one in record.parts(name))
    return SystemScore(
        name=record.text("name"),
        sentences=record.whole("sentences"),
        counted=None,
        blank=record.whole("blank"),
        truncated=record.whole("truncated"),
        **found,
    )


def _graded(record: Fields) -> GradedScore:
    return GradedScore(record.text("by"), *(record.number(n) for n in GradedScore._fields[1:]))


def _type(record: Fields) -> TypeScore:
    return TypeScore(
        type=record.text("type"),
        tp=record.whole("tp"),
        fp=record.whole("fp"),
        fn=record.whole("fn"),
        precision=record.number("precision"),
        recall=record.number_or_none("recall"),
        f=record.number_or_none("f"),
    )


def _detail(record: Fields) -> SentenceDetail:
    return SentenceDetail(
        sentence=record.whole("sentence"),
        source=record.text("source"),
        hypothesis=record.text("hypothesis"),
        annotator=record.text("annotator"),
        proposed=tuple(map(_edit, record.parts("proposed"))),
        gold=tuple(map(_edit, record.parts("gold"))),
        tp=record.whole("tp"),
        fp=record.whole("fp"),
        fn=record.whole("fn"),
    )


def _edit(record: Fields) -> EditDetail:
    return EditDetail(
        start=record.whole("start"),
        end=record.whole("end"),
        source=record.text("source"),
        replacement=record.text("replacement"),
        matched=record.flag("matched"),
        type=record.text("type") if "type" in record else None,
    )
