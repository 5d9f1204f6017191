"""What `convert` gives back: what was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from jurybox.errors import plural
from jurybox.formats.platforms import title_of
from jurybox.records import WHEN_SET, Count, Limits, plain
from jurybox.results import Inputs, Signature, TabularResult
from jurybox.tables import Column, Table


class JudgmentsWritten(NamedTuple):
    """Judgments that were converted, and what was left out."""

    read_as: Annotated[str, "The format that was read."]
    judgments: Annotated[Count, "Judgments written."]
    raters: Annotated[Count, "How many raters made them. Raters are not named."]
    cases: Annotated[Count, "Cases they are about, and cases nobody judged."]
    cases_target: Annotated[
        str | None, "The file the cases were written to; null if none was asked for."
    ]
    left_out: Annotated[
        Mapping[str, Annotated[int, Limits(minimum=1)]],
        "Rows that were left out: how many for each reason.",
    ]
    repeated_same: Annotated[
        Count,
        "Judgments by a rater on a case they had judged before, with the same label. All are "
        "written.",
    ]
    repeated_different: Annotated[Count, "The same with another label."]
    currency: Annotated[
        str, "Currency of rewards; empty where none is named, several separated by blanks."
    ]
    pseudonymised: Annotated[bool, "Whether raters were given other names."]
    notes: Annotated[tuple[str, ...], "What the user should know, as it was warned of."]

    def __str__(self) -> str:
        return (
            f"{plural(self.judgments, 'judgment')} by {plural(self.raters, 'rater')} on "
            f"{plural(self.cases, 'case')}"
        )


@dataclass(frozen=True, repr=False)
class ConvertResult(TabularResult):
    """What was written."""

    command = "convert"

    target: Annotated[str, "The file that was written; - for standard output.", Limits(minLength=1)]
    format: Annotated[str, "Its format."]
    sentences: Annotated[Count, "Sentences written; 0 where judgments were converted."] = 0
    edits: Annotated[Count, "Edits of the annotators kept; 0 where judgments were converted."] = 0
    annotators: Annotated[
        tuple[str, ...],
        "The annotators kept, in order of appearance; none where judgments were converted.",
    ] = ()
    documents: Annotated[
        str | None, "The document map that was written, if one was asked for.", WHEN_SET
    ] = None
    judgments: Annotated[
        JudgmentsWritten | None,
        "What was written of judgments; absent where edits were converted.",
        WHEN_SET,
    ] = None
    signature: Signature = ""
    inputs: Inputs = ()

    def records(self) -> list[dict[str, Any]]:
        row = plain(self)
        judgments = row.pop("judgments", {})
        return [{**row, **judgments, "annotators": " ".join(self.annotators)}]

    def tables(self) -> list[Table]:
        return [Table((Column("written", text=True),), ((str(self),),))]

    def __str__(self) -> str:
        if self.judgments is not None:
            done = self.judgments
            cases = f", the cases to {done.cases_target}" if done.cases_target else ""
            read_as = f"; read as {title_of(done.read_as)}"
            return f"wrote {done} to {self.target} ({self.format}){cases}{read_as}"
        who = ", ".join(self.annotators) or "nobody"
        documents = f", their documents to {self.documents}" if self.documents else ""
        return (
            f"wrote {self.sentences} sentences with {self.edits} edits by {who} "
            f"to {self.target} ({self.format}){documents}"
        )
