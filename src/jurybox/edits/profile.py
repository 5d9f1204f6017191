"""What annotators did: edits by type, sentences left as they are, and how much text there was.

Tables 2 and 3 of Bryant and Ng (2015), for any panel. A sentence counts for exactly the annotators
who looked at it (its `annotations`): what somebody skipped is not what they left as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan

from jurybox.model import Panel

#: what an annotator did with a sentence
LEFT, CHANGED, NOT_SEEN = 0, 1, -1


@dataclass(frozen=True, slots=True)
class AnnotatorProfile:
    """One annotator's edits by type, and how many sentences they saw and left as they are.

    >>> profile = AnnotatorProfile("A1", sentences=4, untouched=1, by_type={"Nn": 4, "Prep": 2})
    >>> profile.total, profile.edits_per_sentence, profile.untouched_share
    (6, 1.5, 0.25)
    """

    annotator: str
    sentences: int
    untouched: int
    by_type: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.by_type.values())

    @property
    def edits_per_sentence(self) -> float:
        """Undefined (nan) for an annotator who looked at nothing."""
        return self.total / self.sentences if self.sentences else nan

    @property
    def untouched_share(self) -> float:
        """Undefined (nan) for an annotator who looked at nothing."""
        return self.untouched / self.sentences if self.sentences else nan


@dataclass(frozen=True, slots=True)
class CorpusSize:
    """How much text a panel has; documents and paragraphs are None where the data has none."""

    documents: int | None
    paragraphs: int | None
    sentences: int
    tokens: int

    def per_document(self) -> dict[str, float] | None:
        """Averages per document, or None where documents are not known.

        >>> CorpusSize(50, None, 1312, 30144).per_document()
        {'sentences': 26.24, 'tokens': 602.88}
        """
        if not self.documents:
            return None
        sizes = {name: getattr(self, name) for name in ("paragraphs", "sentences", "tokens")}
        return {name: size / self.documents for name, size in sizes.items() if size is not None}


def profile_annotators(panel: Panel) -> tuple[AnnotatorProfile, ...]:
    """Every annotator's edits by type, in the order of the panel (Bryant and Ng 2015, Table 3).

    Every edit counts as it stands in the file, also where an annotator wrote one twice. All
    profiles have the same types, in alphabetical order; a type an annotator never used has 0.
    """
    by_type: dict[str, dict[str, int]] = {name: {} for name in panel.annotators}
    sentences = dict.fromkeys(panel.annotators, 0)
    untouched = dict.fromkeys(panel.annotators, 0)
    for sentence in panel:
        for name, edits in sentence.annotations:
            sentences[name] += 1
            untouched[name] += not edits
            counts = by_type[name]
            for edit in edits:
                counts[edit.type] = counts.get(edit.type, 0) + 1
    types = sorted_types({kind for counts in by_type.values() for kind in counts})
    return tuple(
        AnnotatorProfile(
            name,
            sentences[name],
            untouched[name],
            {kind: by_type[name].get(kind, 0) for kind in types},
        )
        for name in panel.annotators
    )


def sorted_types(types: set[str]) -> list[str]:
    """Error types in the order of the paper's table: by letter, capitals or not.

    >>> sorted_types({"Wci", "WOinc", "Vt", "V0"})
    ['V0', 'Vt', 'Wci', 'WOinc']
    """
    return sorted(types, key=lambda kind: (kind.lower(), kind))


def measure_corpus(panel: Panel) -> CorpusSize:
    """How many documents, paragraphs, sentences and tokens (Bryant and Ng 2015, Table 2).

    Documents, and paragraphs, are counted only if every sentence has one.
    """
    documents = {sentence.document for sentence in panel}
    paragraphs = {(sentence.document, sentence.paragraph) for sentence in panel}
    return CorpusSize(
        None if None in documents else len(documents),
        None if any(number is None for _, number in paragraphs) else len(paragraphs),
        len(panel),
        sum(len(sentence.tokens) for sentence in panel),
    )


def judge_sentences(panel: Panel) -> list[list[int]]:
    """What each annotator did with each sentence: `LEFT`, `CHANGED` or `NOT_SEEN`.

    Rows are sentences, columns annotators. To leave a sentence as it is is to call it correct.
    """
    column = {name: place for place, name in enumerate(panel.annotators)}
    rows = []
    for sentence in panel:
        row = [NOT_SEEN] * len(column)
        for name, edits in sentence.annotations:
            row[column[name]] = CHANGED if edits else LEFT
        rows.append(row)
    return rows
