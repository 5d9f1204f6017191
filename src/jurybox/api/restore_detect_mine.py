"""Mined trigrams out of their JSON; the sentences are in the file of cases."""

from __future__ import annotations

from jurybox.api.detect_mine_result import MinedCandidates, MinedTrigram
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs


def restore(record: Fields) -> MinedCandidates:
    """The result of `mine_candidates`, without its cases."""
    return MinedCandidates(
        trigrams=tuple(map(_trigram, record.parts("trigrams", least=1))),
        rarer=record.whole("rarer"),
        distinct=record.whole("distinct"),
        places=record.whole("places"),
        sentences=record.whole("sentences"),
        words_counted=record.whole("words_counted"),
        least=record.whole("least"),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
        written={one.text("what"): one.text("file") for one in record.parts("written")},
    )


def _trigram(one: Fields) -> MinedTrigram:
    words = one.texts("words")
    before, preposition, after = words  # what is not three is told by the caller
    return MinedTrigram(
        words=(before, preposition, after),
        seen=one.whole("seen"),
        bigram_seen=one.whole("bigram_seen"),
        expected=one.number("expected"),
        score=one.number("score"),
        occurrences=one.whole("occurrences"),
        cases=one.texts("cases"),
    )
