"""The result of `show` out of its JSON."""

from __future__ import annotations

from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs
from jurybox.api.shown import Change, Correction, SharedEdit, ShowResult


def restore(record: Fields) -> ShowResult:
    """One sentence and what everybody made of it."""
    return ShowResult(
        sentence=record.whole("sentence"),
        sentences=record.whole("sentences"),
        document=record.text_or_none("document"),
        tokens=tuple(record.text("source").split()),
        annotators=_corrections(record, "annotators"),
        skipped=record.texts("skipped"),
        systems=_corrections(record, "systems"),
        edits=tuple(map(_shared, record.parts("edits"))),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
    )


def _corrections(record: Fields, name: str) -> tuple[Correction, ...]:
    return tuple(
        Correction(who, one.text("text"), tuple(map(_change, one.parts("edits"))))
        for who, one in record.parts_by_name(name).items()
    )


def _change(record: Fields) -> Change:
    kind, written = record.text_or_none("type"), record.text("replacement")
    # found in a text, where bars are words like others
    alternatives = (written,) if kind is None else tuple(written.split("||"))
    return Change(
        record.whole("start"), record.whole("end"), record.text("source"), alternatives, kind
    )


def _shared(record: Fields) -> SharedEdit:
    return SharedEdit(
        start=record.whole("start"),
        end=record.whole("end"),
        source=record.text("source"),
        replacement=record.text("replacement"),
        types=record.texts("types"),
        annotators=record.texts("annotators"),
        systems=record.texts("systems"),
    )
