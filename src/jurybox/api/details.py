"""The view per sentence: edits found, gold of the chosen annotator, what matched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jurybox.api.counting import Matched
from jurybox.model import CountsTable


@dataclass(frozen=True, slots=True)
class EditDetail:
    """One edit of a hypothesis or of the gold, as the verbose view shows it."""

    start: int
    end: int
    source: str
    replacement: str
    matched: bool
    type: str | None = None

    def to_dict(self) -> dict[str, Any]:
        record = {name: getattr(self, name) for name in self.__slots__}
        if self.type is None:
            del record["type"]
        return record

    def __str__(self) -> str:
        mark = "+" if self.matched else "-"
        kind = f" ({self.type})" if self.type else ""
        return f"{mark} {self.start}-{self.end} [{self.source}] -> [{self.replacement}]{kind}"


@dataclass(frozen=True, slots=True)
class SentenceDetail:
    """One sentence with the edits found, the gold of the chosen annotator, and what matched."""

    sentence: int  # from 1, as the line in the hypothesis file
    source: str
    hypothesis: str
    annotator: str
    proposed: tuple[EditDetail, ...]
    gold: tuple[EditDetail, ...]
    tp: int
    fp: int
    fn: int

    def to_dict(self) -> dict[str, Any]:
        record = {name: getattr(self, name) for name in self.__slots__}
        record["proposed"] = [edit.to_dict() for edit in self.proposed]
        record["gold"] = [edit.to_dict() for edit in self.gold]
        return record

    def __str__(self) -> str:
        lines = [
            f"sentence {self.sentence}: correct {self.tp}, proposed {self.tp + self.fp}, "
            f"gold {self.tp + self.fn} (annotator {self.annotator})",
            f"  source      {self.source}",
            f"  hypothesis  {self.hypothesis}",
        ]
        lines += [f"  proposed    {edit}" for edit in self.proposed]
        lines += [f"  gold        {edit}" for edit in self.gold]
        return "\n".join(lines)


def sentence_details(
    matched: Sequence[Matched], rows: Sequence[int], table: CountsTable
) -> tuple[SentenceDetail, ...]:
    """What was found in each sentence, against the annotator chosen for it."""
    details = []
    for number, (one, row) in enumerate(zip(matched, rows, strict=True)):
        place = row - table.starts[number]
        count_here = one.counts[place]
        annotation = one.sentence.annotations[place]
        tokens = one.sentence.tokens
        hits = {g for edit in count_here.edits for g in edit.correct}
        details.append(
            SentenceDetail(
                sentence=number + 1,
                source=one.sentence.text,
                hypothesis=" ".join(one.hypothesis),
                annotator=annotation.annotator,
                proposed=tuple(
                    EditDetail(
                        e.start,
                        e.end,
                        " ".join(tokens[e.start : e.end]),
                        e.replacement,
                        bool(e.correct),
                    )
                    for e in count_here.edits
                ),
                gold=tuple(
                    EditDetail(
                        e.start,
                        e.end,
                        " ".join(tokens[e.start : e.end]),
                        "||".join(e.alternatives),
                        g in hits,
                        e.type,
                    )
                    for g, e in enumerate(annotation.edits)
                ),
                tp=count_here.tp,
                fp=count_here.fp,
                fn=count_here.fn,
            )
        )
    return tuple(details)
