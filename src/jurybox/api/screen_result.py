"""What `screen` gives back: a record per rater, who is dropped and why, and what that changes."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any, NamedTuple

from jurybox.api.read_as import note_format
from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope, number_or_none
from jurybox.errors import unknown_name
from jurybox.report.tables import Cell, Column, Table

#: raters without a flag that the text shows; CSV and JSON have all
SHOWN = 20
#: reasons that the text gives; those of the dropped come first
REASONS = 40
#: cases that are named in the text
NAMED = 5

_NUMBERS = ("accuracy", "trust", "guess", "p_value", "seconds", "share", "spammer_score")


class RaterRecord(NamedTuple):
    """One rater; nan where something is not known."""

    rater: str
    judgments: int
    gold_answers: int
    right: int
    accuracy: float  # on gold
    trust: float  # the same, drawn towards that of all raters
    guess: float  # accuracy of giving always the label that is right most often
    p_value: float  # of a guesser being at least as good
    seconds: float  # median time of a judgment
    label: str  # the most frequent one
    share: float  # of that label
    spammer_score: float  # 0: answers do not hang on the case; 1: perfect
    flags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()  # one for each flag
    dropped: bool = False

    def to_dict(self) -> dict[str, Any]:
        record = self._asdict()
        for name in _NUMBERS:
            record[name] = number_or_none(record[name])
        return record | {"flags": list(self.flags), "reasons": list(self.reasons)}


class Reliability(NamedTuple):
    """Everybody's judgments, or those of the raters who stay."""

    raters: int
    judgments: int
    alpha: float  # Krippendorff's, nominal
    alpha_reason: str  # why it is undefined
    gold_cases: int  # with a known answer and a judgment
    accuracy: float  # of the majority on them, expected over ties; nan without

    def to_dict(self) -> dict[str, Any]:
        record = self._asdict()
        record["alpha"] = number_or_none(self.alpha)
        record["accuracy"] = number_or_none(self.accuracy)
        return record


class Effect(NamedTuple):
    """What dropping raters changes."""

    before: Reliability
    after: Reliability
    compared: int  # cases with a majority before and after
    changed: tuple[str, ...]  # cases whose majority label is another one
    lost: tuple[str, ...]  # cases that have no majority any more

    def to_dict(self) -> dict[str, Any]:
        return {
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "compared": self.compared,
            "changed": list(self.changed),
            "lost": list(self.lost),
        }


@dataclass(frozen=True)
class ScreenResult(TabularResult):
    """Raters, those who should perhaps not count first."""

    raters: tuple[RaterRecord, ...]
    effect: Effect
    cases: int
    judgments: int
    no_answer: int
    label_names: tuple[str, ...]
    gold: str  # what the known answers are called; '' where there are none
    gold_cases: int
    typical_seconds: float  # of the median rater
    format: str
    options: dict[str, Any]
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def dropped(self) -> tuple[str, ...]:
        """The raters who are dropped, as they are shown."""
        return tuple(one.rater for one in self.raters if one.dropped)

    @property
    def flagged(self) -> tuple[str, ...]:
        """The raters with any flag."""
        return tuple(one.rater for one in self.raters if one.flags)

    def __getitem__(self, rater: str) -> RaterRecord:
        for one in self.raters:
            if one.rater == rater:
                return one
        raise unknown_name("rater", rater, [one.rater for one in self.raters])

    def to_dict(self) -> dict[str, Any]:
        """Every number, in the form of the JSON Schema jurybox.screen/1."""
        return envelope("screen", self.signature, describe_inputs(self.inputs)) | {
            "options": self.options,
            "format": self.format,
            "cases": self.cases,
            "judgments": self.judgments,
            "no_answer": self.no_answer,
            "label_names": list(self.label_names),
            "gold": self.gold,
            "gold_cases": self.gold_cases,
            "typical_seconds": number_or_none(self.typical_seconds),
            "dropped": list(self.dropped),
            "raters": [one.to_dict() for one in self.raters],
            "effect": self.effect.to_dict(),
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """A row per rater."""
        rows = []
        for one in self.raters:
            row = one.to_dict()
            row["flags"], row["reasons"] = " ".join(one.flags), "; ".join(one.reasons)
            row["dropped"] = "yes" if one.dropped else ""
            rows.append(row)
        return rows

    # --- tables ---

    def tables(self) -> list[Table]:
        """Raters, why some are suspicious, and what changes without the dropped."""
        return [self._rater_table(), *self._reason_table(), *self._effect_table()]

    def _rater_table(self) -> Table:
        suspicious = [one for one in self.raters if one.flags]
        others = [one for one in self.raters if not one.flags]
        titles: list[tuple[Column, str]] = [
            (Column("rater", text=True), "rater"),
            (Column("judgments"), "judgments"),
        ]
        if self.gold:
            titles += [(Column("gold"), "gold_answers"), (Column("accuracy"), "accuracy")]
            titles += [(Column("trust"), "trust")]
        if not isnan(self.typical_seconds):
            titles.append((Column("seconds", digits=1), "seconds"))
        titles += [(Column("mostly", text=True), "label")]
        titles += [(Column("share", digits=0, percent=True), "share")]
        titles += [(Column("spammer score"), "spammer_score")]
        rows = []
        for one in (*suspicious, *others[:SHOWN]):
            row: list[Cell] = [getattr(one, name) for _, name in titles]
            rows.append([*row, " ".join(one.flags), "dropped" if one.dropped else ""])
        columns = (*(column for column, _ in titles), Column("flags", text=True))
        columns += (Column("", text=True),)
        return Table(columns, tuple(rows), notes=(*self._notes(len(others)),))

    def _notes(self, others: int) -> list[str]:
        notes = note_format(self.format)
        if others > SHOWN:
            notes.append(f"and {others - SHOWN} more without a flag: --format csv or json has all")
        if not self.gold:
            notes.append("no known answers: raters are held against each other only")
        if self.no_answer:
            notes.append(f"{self.no_answer} judgments say unknown: no answer")
        return [*notes, f"signature: {self.signature}"]

    def _reason_table(self) -> list[Table]:
        rows = [
            (one.rater, flag, reason, "drops" if flag in self.options["drop"] else "")
            for one in self.raters
            for flag, reason in zip(one.flags, one.reasons, strict=True)
        ]
        if not rows:
            return []
        more = len(rows) - REASONS
        notes = (f"and {more} more: --format csv or json has all",) if more > 0 else ()
        titles = ("rater", "flag", "why", "")
        columns = tuple(Column(title, text=True) for title in titles)
        return [Table(columns, tuple(rows[:REASONS]), title="Why", notes=notes)]

    def _effect_table(self) -> list[Table]:
        if not self.dropped:
            return []
        columns = [Column("", text=True), Column("raters"), Column("judgments"), Column("alpha")]
        if self.gold:
            columns.append(Column("accuracy on gold"))
        rows = []
        for name, one in (("everybody", self.effect.before), ("without", self.effect.after)):
            row: list[Cell] = [name, one.raters, one.judgments, one.alpha]
            rows.append([*row, one.accuracy] if self.gold else row)
        effect = self.effect
        notes = [
            f"alpha of {name}: undefined, {one.alpha_reason}"
            for name, one in (("everybody", effect.before), ("those who stay", effect.after))
            if one.alpha_reason
        ]
        notes += [
            f"majority labels that change: {len(effect.changed)} of {effect.compared}"
            f"{_named(effect.changed)}",
            f"cases that lose their majority: {len(effect.lost)}{_named(effect.lost)}",
        ]
        title = f"Without {len(self.dropped)} of {len(self.raters)} raters"
        return [Table(tuple(columns), tuple(rows), title=title, notes=tuple(notes))]


def _named(cases: tuple[str, ...]) -> str:
    if not cases:
        return ""
    more = ", …" if len(cases) > NAMED else ""
    return f" ({', '.join(cases[:NAMED])}{more})"
