"""What `judge_selection` gives back: raters beside writer and system, in a cloze or a choice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.cases_result import form_of
from jurybox.api.detect_selection_result import COMMAND
from jurybox.api.results import (
    GivenFile,
    TabularResult,
    describe_inputs,
    envelope,
    number_or_none,
)
from jurybox.formats import writing
from jurybox.report.tables import Cell, Column, Table

if TYPE_CHECKING:
    from jurybox.api.agree_choices import ChoiceFindings

#: raters of a choice that are listed
MOST_ROWS = 15
#: of the paper: Tetreault and Chodorow (2008), Table 2 and section 4.2
PUBLISHED_CLOZE = (
    "published: writer and raters 0.74 and 0.78 (kappa 0.68 and 0.73), writer and system 0.75 "
    "(0.68), the two raters 0.76 (0.70)"
)
PUBLISHED_CHOICE = "published: 28% equal or better, which makes 82% of an accuracy of 75%"


class TwoParties(NamedTuple):
    """Two of writer, systems and raters on the cases both filled; nan with a reason."""

    first: str
    second: str
    n: int
    agreement: float
    kappa: float
    low: float
    high: float
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        record = {
            name: number_or_none(value) if isinstance(value, float) else value
            for name, value in self._asdict().items()
        }
        return {name: value for name, value in record.items() if name != "reason" or value}


class System(NamedTuple):
    """A system, and its accuracy on all events that the task was drawn from."""

    name: str
    accuracy: float
    events: int


@dataclass(frozen=True)
class JudgedSelection(TabularResult):
    """Agreement in a cloze (`pairs`), or whose word is better in a choice (`choice`)."""

    task: str
    systems: tuple[System, ...]
    items: int  # of the task
    judged: int  # items that somebody judged
    judgments: int
    raters: int
    level: float
    signature: str
    pairs: tuple[TwoParties, ...] = ()
    other_words: int = 0  # cloze: answers that are none of the 34 prepositions
    choice: ChoiceFindings | None = None
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()
    #: the judgments with writer and system named, as `jurybox agree` reads them; not in JSON
    joined: tuple[dict[str, str], ...] = field(default=(), repr=False, compare=False)
    #: what was written
    saved: dict[str, str] = field(default_factory=dict, compare=False)

    def save_joined(self, target: str | os.PathLike[str]) -> None:
        """Write judgments and key together: CSV, TSV or JSONL by the name's ending."""
        from jurybox.formats.long_tables import encode_json, write_lines, write_table

        form = form_of(os.fspath(target))
        titles = list(self.joined[0])
        with writing(os.fspath(target)) as out:
            if form == "jsonl":
                write_lines([encode_json(one) for one in self.joined], out)
            else:
                write_table(titles, ([one[t] for t in titles] for one in self.joined), out, form)
        self.saved["joined"] = os.fspath(target)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the form of the JSON Schema."""
        found: dict[str, Any] = (
            {"choice": self.choice.to_dict()}
            if self.choice is not None
            else {"pairs": [one.to_dict() for one in self.pairs], "other_words": self.other_words}
        )
        return {
            **envelope(COMMAND, self.signature, describe_inputs(self.inputs)),
            "task": self.task,
            "systems": [one._asdict() for one in self.systems],
            "items": self.items,
            "judged": self.judged,
            "judgments": self.judgments,
            "raters": self.raters,
            "level": self.level,
            **found,
            "written": [{"what": what, "file": name} for what, name in self.saved.items()],
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """One row for two parties; in a choice, one row for each rater, and one for all."""
        if self.choice is None:
            return [{**one._asdict(), **one.to_dict(), "reason": one.reason} for one in self.pairs]
        whole = self.choice.to_dict()
        listed = whole.pop("raters")
        return [{"rater": "", **whole}, *listed]

    def tables(self) -> list[Table]:
        return [self._pairs() if self.choice is None else self._choice(self.choice)]

    def _pairs(self) -> Table:
        interval = f"{100 * self.level:g} % interval"
        columns = (
            *(Column("first", text=True), Column("second", text=True), Column("n")),
            *(Column("agreement", digits=3), Column("kappa", digits=3)),
            Column(interval, text=True),
        )
        rows = tuple(
            (
                *one[:5],
                one.reason if isnan(one.low) else f"[{one.low:.3f}, {one.high:.3f}]",
            )
            for one in self.pairs
        )
        title = "Cloze: who fills the blank like whom?"
        notes = [PUBLISHED_CLOZE]
        if self.other_words:
            notes.append(f"answers that are none of the 34 prepositions: {self.other_words}")
        return Table(columns, rows, title=title, notes=(*notes, *self._notes()))

    def _choice(self, found: ChoiceFindings) -> Table:
        columns = (
            Column("rater", text=True),
            *map(Column, ("writer", "system", "equal", "bad")),
            Column("equal or better", digits=1, percent=True),
        )
        rows: list[tuple[Cell, ...]] = [
            (one.rater, *map(int, one.choices), one.share) for one in found.raters
        ]
        rows = rows if len(rows) <= MOST_ROWS else []
        rows.append(("all", *map(int, found.choices), found.share))
        notes = []
        if found.corrected is not None:
            accuracy = self.systems[0].accuracy
            notes.append(
                f"accuracy {100 * accuracy:.1f}%; with choices that are equal or better, "
                f"{100 * found.corrected:.1f}%"
            )
        if not isnan(found.alpha):
            notes.append(f"Krippendorff's alpha on whose word is better: {found.alpha:.3f}")
        if found.other:
            notes.append(f"left out, for they say something else: {found.other}")
        if found.reason:
            notes.append(found.reason)
        title = "Choice: whose word is better?"
        return Table(columns, tuple(rows), title, (*notes, PUBLISHED_CHOICE, *self._notes()))

    def _notes(self) -> Iterator[str]:
        yield (
            f"{self.judgments} judgments by {self.raters} raters on {self.judged} of "
            f"{self.items} items"
        )
        for what, name in self.saved.items():
            yield f"{what}: {name}"
        yield f"signature: {self.signature}"
