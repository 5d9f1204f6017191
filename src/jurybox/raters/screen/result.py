"""What `screen` gives back: a record per rater, who is dropped and why, and what that changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import Annotated, Any, NamedTuple

from jurybox.raters.inputs import note_format
from jurybox.raters.screen import ScreenOptions
from jurybox.records import NOT_EMPTY, Count, Share, computed, plain
from jurybox.results import Inputs, NamedParts, Signature, TabularResult, Warnings, by
from jurybox.tables import Cell, Column, Table

#: raters without a flag that the text shows; CSV and JSON have all
SHOWN = 20
#: reasons that the text gives; those of the dropped come first
REASONS = 40
#: cases that are named in the text
NAMED = 5


class RaterRecord(NamedTuple):
    """A rater; nan where something is not known."""

    rater: Annotated[str, "The rater's name, or R1, R2 … for raters of a platform."]
    judgments: Annotated[Count, "Judgments that count."]
    gold_answers: Annotated[Count, "Answers to cases with a known answer."]
    right: Annotated[Count, "Those that are right."]
    accuracy: Annotated[Share, "Share of right answers; null without known answers."]
    trust: Annotated[
        Share, "Accuracy drawn towards that of all raters; null without known answers."
    ]
    guess: Annotated[Share, "Accuracy of giving always the label that is right most often."]
    p_value: Annotated[Share, "Probability that such a guesser does as well."]
    seconds: Annotated[float, "Median time of a judgment; null where it is unknown."]
    label: Annotated[str, "The most frequent label."]
    share: Annotated[Share, "Its share of the rater's judgments."]
    spammer_score: Annotated[
        Share,
        "How much answers depend on the case, by Raykar and Yu (2012): 0 not at all, 1 perfectly.",
    ]
    flags: Annotated[tuple[str, ...], "Why the rater is suspicious."] = ()
    reasons: Annotated[tuple[str, ...], "A sentence for each flag."] = ()
    dropped: Annotated[bool, "Whether the rule drops the rater."] = False


class Reliability(NamedTuple):
    """Reliability of some raters' judgments."""

    raters: Count
    judgments: Count
    alpha: Annotated[float, "Krippendorff's alpha, nominal; null where undefined."]
    alpha_reason: Annotated[str, "Why alpha is undefined; empty where it is not."]
    gold_cases: Annotated[Count, "Cases with a known answer and a judgment."]
    accuracy: Annotated[
        Share, "Accuracy of the majority on them, expected over ties at random; null without."
    ]


class Effect(NamedTuple):
    """What dropping raters changes."""

    before: Reliability
    after: Reliability
    compared: Annotated[Count, "Cases with a majority before and after."]
    changed: Annotated[tuple[str, ...], "Cases whose majority label is another one."]
    lost: Annotated[tuple[str, ...], "Cases that have no majority any more."]


@dataclass(frozen=True, repr=False)
class ScreenResult(TabularResult, NamedParts[str, RaterRecord]):
    """Raters, those who should perhaps not count first."""

    command = "screen"

    options: ScreenOptions
    format: Annotated[str, "The format the judgments were read as; memory for judgments in memory."]
    pseudonyms: Annotated[bool, "Whether raters are shown as R1, R2 …."]
    cases: Count
    judgments: Annotated[Count, "How many judgments count."]
    no_answer: Annotated[Count, "Judgments that say unknown: no answer."]
    label_names: Annotated[tuple[str, ...], "The labels that were given."]
    gold: Annotated[str, "What the known answers are called; empty where there are none."]
    gold_cases: Annotated[Count, "Cases with a known answer."]
    typical_seconds: Annotated[
        float, "Median time of the median rater; null where times are unknown."
    ]
    raters: Annotated[
        tuple[RaterRecord, ...],
        "All raters: the dropped first, then those with most flags.",
        NOT_EMPTY,
    ]
    effect: Annotated[Effect, "What changes without the dropped."]
    signature: Signature
    inputs: Inputs = ()
    warnings: Warnings = ()

    @computed
    def dropped(self) -> tuple[str, ...]:
        """The raters who are dropped, as they are shown."""
        return tuple(one.rater for one in self.raters if one.dropped)

    @property
    def flagged(self) -> tuple[str, ...]:
        """The raters with any flag."""
        return tuple(one.rater for one in self.raters if one.flags)

    noun = "rater"

    def parts(self) -> Mapping[str, RaterRecord]:
        return by("rater", self.raters)

    def records(self) -> list[dict[str, Any]]:
        """A row per rater."""
        rows = []
        for one in self.raters:
            row = plain(one)
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
            (one.rater, flag, reason, "drops" if flag in self.options.drop else "")
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
