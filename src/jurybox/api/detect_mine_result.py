"""What `mine_candidates` gives back: rare trigrams, the cases made of them, and their scores."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from jurybox.api.cases_result import form_of
from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope
from jurybox.formats import writing
from jurybox.model import CaseSet, DecisionTable
from jurybox.report.tables import Column, Table

COMMAND = "detect-mine"
#: trigrams that a table shows
SHOWN = 20


class MinedTrigram(NamedTuple):
    """A trigram that is rarer than expected, what counts say about it, and its cases."""

    words: tuple[str, str, str]
    seen: int  # how often it occurs in what was counted
    bigram_seen: int  # the same for the two words without the preposition
    expected: float
    score: float
    occurrences: int  # in the screened text
    cases: tuple[str, ...]  # the ids of those that are to be judged

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True)
class MinedCandidates(TabularResult):
    """The rarest trigrams first; `case_set` has their sentences, which JSON does not hold."""

    trigrams: tuple[MinedTrigram, ...]
    rarer: int  # trigrams rarer than expected, also those beyond `top`
    distinct: int  # different trigrams in the screened text
    places: int  # prepositions between two words in it
    sentences: int
    words_counted: int
    least: int  # the smallest count that the counts keep
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()
    case_set: CaseSet = field(default=CaseSet(()), repr=False, compare=False)
    #: what was written: the cases, the decisions
    written: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def cases(self) -> int:
        """How many cases there are to judge."""
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
    ) -> None:
        """Write the cases, without scores as raters may see them, and the decisions with scores."""
        from jurybox.formats import cases as case_files
        from jurybox.formats import decisions as decision_files

        targets = [None if one is None else os.fspath(one) for one in (cases, decisions)]
        forms = [None if one is None else form_of(one) for one in targets]  # complain before
        if targets[0] is not None and forms[0] is not None:
            with writing(targets[0]) as out:
                case_files.write(self.case_set, out, form=forms[0])
            self.written["cases"] = targets[0]
        if targets[1] is not None and forms[1] is not None:
            with writing(targets[1]) as out:
                decision_files.write(self.decisions, self.case_set, out, form=forms[1])
            self.written["decisions"] = targets[1]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the sentences, in the form of the JSON Schema jurybox.detect-mine/1."""
        return {
            **envelope(COMMAND, self.signature, describe_inputs(self.inputs)),
            "sentences": self.sentences,
            "places": self.places,
            "distinct": self.distinct,
            "rarer": self.rarer,
            "words_counted": self.words_counted,
            "least": self.least,
            "cases": self.cases,
            "trigrams": [
                {"words": list(one.words), **_plain(one), "cases": list(one.cases)}
                for one in self.trigrams
            ],
            "written": [{"what": what, "file": name} for what, name in self.written.items()],
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per trigram."""
        return [
            {"rank": rank, "trigram": one.text, **_plain(one), "cases": len(one.cases)}
            for rank, one in enumerate(self.trigrams, 1)
        ]

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
        title = "Trigrams rarer than expected"
        return [Table(columns, rows, title=title, notes=tuple(self._notes()))]

    def _notes(self) -> Iterator[str]:
        if (more := len(self.trigrams) - SHOWN) > 0:
            yield f"and {more} more; --format csv or json shows all"
        yield (
            f"{len(self.trigrams)} of {self.rarer} trigrams that are rarer than expected, of "
            f"{self.distinct} at {self.places} places in {self.sentences} sentences"
        )
        yield f"counted: {self.words_counted} words, counts from {self.least} on"
        yield f"{self.cases} cases to judge; they are no random sample"
        for what, name in self.written.items():
            yield f"{what}: {name}"
        yield f"signature: {self.signature}"


def _plain(one: MinedTrigram) -> dict[str, Any]:
    return {name: value for name, value in one._asdict().items() if name not in ("words", "cases")}
