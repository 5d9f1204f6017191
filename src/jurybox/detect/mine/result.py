"""What `mine_candidates` gives back: rare trigrams, the cases made of them, and their scores."""

from __future__ import annotations

import os
from array import array
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple

from jurybox.formats import writing
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables import decisions as decision_files
from jurybox.jury.cases.context import note_context
from jurybox.jury.cases.duplicates import Duplicates
from jurybox.jury.cases.result import form_of
from jurybox.model import CaseSet, DecisionTable
from jurybox.records import HIDDEN, NOT_EMPTY, Count, Limits, computed
from jurybox.results import Inputs, Signature, TabularResult, Warnings, WrittenFile
from jurybox.tables import Column, Table

Some = Annotated[int, Limits(minimum=1)]
#: trigrams that a table shows
SHOWN = 20


class MinedTrigram(NamedTuple):
    """A trigram with a preposition in the middle, and what counts say about it."""

    words: Annotated[
        tuple[str, str, str], "The word before, the preposition, the word after; in lower case."
    ]
    seen: Annotated[Count, "How often it occurs in what was counted."]
    bigram_seen: Annotated[Some, "How often its words occur there without the preposition."]
    expected: Annotated[
        float, "bigram_seen times the share of the preposition among all words counted."
    ]
    score: Annotated[float, "Logarithm to base 2 of (expected + least / 2) / (seen + least / 2)."]
    occurrences: Annotated[Some, "How often it occurs in the text that was screened."]
    cases: Annotated[tuple[str, ...], "Ids of its cases, the first in the text.", NOT_EMPTY]

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, repr=False)
class MinedCandidates(TabularResult):
    """Trigrams with a preposition that are rarer than expected.

    `case_set` has their sentences, which JSON does not hold.
    """

    command = "detect-mine"

    sentences: Annotated[Some, "Sentences of the text that was screened."]
    places: Annotated[Some, "Its prepositions that have a word on both sides."]
    duplicates: Annotated[
        Duplicates, "Those in sentences that stand in the text before, word by word."
    ]
    distinct: Annotated[Some, "Distinct trigrams at these places."]
    rarer: Annotated[
        Some, "Trigrams among them that are rarer than expected; those beyond --top too."
    ]
    words_counted: Annotated[Some, "Words of the text that was counted, or behind the counts."]
    least: Annotated[
        Some,
        "The smallest count that the counts keep: 1 for text, for files the smallest of a 3-gram.",
    ]
    trigrams: Annotated[
        tuple[MinedTrigram, ...], "The rarest first, ties in order of their words.", NOT_EMPTY
    ]
    with_before: Annotated[Count, "Cases with the sentence before."]
    signature: Signature
    inputs: Inputs = ()
    warnings: Warnings = ()
    written: Annotated[tuple[WrittenFile, ...], "The cases and decisions, if written."] = field(
        default=(), compare=False
    )
    case_set: Annotated[CaseSet, HIDDEN] = field(default=CaseSet(()), compare=False)

    @computed
    def cases(self) -> Some:
        """Cases to judge."""
        return sum(len(one.cases) for one in self.trigrams)

    @property
    def decisions(self) -> DecisionTable:
        """Every case called an error, with the score of its trigram: the preposition goes."""
        scores = array("d", (one.score for one in self.trigrams for _ in one.cases))
        labels = array("b", [1]) * len(scores)
        return DecisionTable("mined", labels, scores, [""] * len(scores))

    def save(
        self,
        cases: str | os.PathLike[str] | None = None,
        decisions: str | os.PathLike[str] | None = None,
    ) -> MinedCandidates:
        """Write the cases, without scores as raters may see them, and the decisions with scores.

        Gives the same result, with the names of the files.
        """
        targets = {"cases": cases, "decisions": decisions}
        files = {what: os.fspath(one) for what, one in targets.items() if one is not None}
        forms = {what: form_of(file) for what, file in files.items()}  # complain before
        for what, file in files.items():
            with writing(file) as out:
                if what == "cases":
                    case_files.write(self.case_set, out, form=forms[what])
                else:
                    decision_files.write(self.decisions, self.case_set, out, form=forms[what])
        return replace(self, written=tuple(WrittenFile(*one) for one in files.items()))

    def records(self) -> list[dict[str, Any]]:
        """One row per trigram."""
        rows = []
        for rank, one in enumerate(self.trigrams, 1):
            row = one._asdict() | {"cases": len(one.cases)}
            del row["words"]
            rows.append({"rank": rank, "trigram": one.text, **row})
        return rows

    def tables(self) -> list[Table]:
        """The first trigrams; CSV and JSON have all of them."""
        columns = (
            Column("rank"),
            Column("trigram", text=True),
            *map(Column, ("seen", "without")),
            *(Column("expected", digits=1), Column("score", digits=2)),
            *map(Column, ("in text", "cases")),
        )
        rows = tuple(
            (rank, one.text, *one[1:-1], len(one.cases))
            for rank, one in enumerate(self.trigrams[:SHOWN], 1)
        )
        notes = [
            f"{len(self.trigrams)} of {self.rarer} trigrams that are rarer than expected, of "
            f"{self.distinct} at {self.places} places in {self.sentences} sentences",
            f"counted: {self.words_counted} words, counts from {self.least} on",
            f"{self.cases} cases to judge; they are no random sample",
            note_context(self.with_before, self.cases),
            *self.duplicates.notes(),
            *(f"{what}: {file}" for what, file in self.written),
            f"signature: {self.signature}",
        ]
        if (more := len(self.trigrams) - SHOWN) > 0:
            notes.insert(0, f"and {more} more; --format csv or json shows all")
        return [Table(columns, rows, title="Trigrams rarer than expected", notes=tuple(notes))]
