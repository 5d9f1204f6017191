"""Tables of `agree` that only some data have: batches, repeats, corrections, choices, models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING

from jurybox.api.agree_result import AgreeResult, Coefficient
from jurybox.report.tables import MISSING, Cell, Column, Table

if TYPE_CHECKING:
    from jurybox.api.agree_further import BatchRow, ChoiceFindings, ModelEffect, SelfFindings

#: with more rows than this pairs and raters are listed only if that is asked for
MOST_ROWS = 15


class FurtherTables:
    """The tables of one result that are there only if the data have something to say."""

    def __init__(self, result: AgreeResult) -> None:
        self.result = result

    def all(self) -> Iterator[Table]:
        """Every table that the data allow."""
        result = self.result
        if result.batches is not None:
            yield self._batches(result.batches)
        if result.itself is not None:
            yield self._itself(result.itself)
        if result.corrections is not None or result.sentences is not None:
            yield self._on_corrections()
        if result.choices is not None:
            yield self._choices(result.choices)
        if result.models is not None:
            yield self._models(result.models)

    def _batches(self, batches: Sequence[BatchRow]) -> Table:
        two = any(one.kappa is not None for one in batches)
        columns = [Column("batch", text=True)]
        columns += map(Column, ("cases", "raters", "judgments", "observed", "Fleiss", "alpha"))
        columns.append(Column("AC1"))
        rows: list[Sequence[Cell]] = []
        names = ("observed", "fleiss_kappa", "alpha_nominal", "ac1")
        for one in batches:
            row: list[Cell] = [one.batch, one.cases, one.raters, one.judgments]
            row += [one.together[name].value for name in names]
            rows.append([*row, one.kappa] if two else row)
        sizes = self.result.sizes
        pooled: list[Cell] = ["pooled", sizes.cases, sizes.raters, sizes.judgments]
        pooled += [self.result.together[name].value for name in names]
        if two:
            columns.append(Column("Cohen"))
            pooled.append(self.result.mean_pair.kappa)
        return Table(tuple(columns), (*rows, pooled), title="Batch by batch")

    def _itself(self, found: SelfFindings) -> Table:
        rows = [(one.rater, one.repeats, one.same / one.repeats) for one in found.raters]
        if len(rows) > MOST_ROWS and not self.result.options["pairs"]:
            rows = []
        pooled = ("all", found.repeats, found.same / found.repeats)
        kappa = found.pooled.reason or f"{found.pooled.value:.4f}"
        return Table(
            (Column("rater", text=True), Column("cases seen again"), Column("same label")),
            (*rows, pooled),
            title="Raters with themselves",
            notes=(f"kappa of earlier and later answers: {kappa}",),
        )

    def _on_corrections(self) -> Table:
        rows: list[Sequence[Cell]] = []
        notes: list[str] = []
        found, lifted = self.result.corrections, self.result.sentences
        if found is not None:
            rows += [
                ("the same label", found.pairs, found.on_label),
                ("a correction in common", found.both_correct, found.on_correction),
            ]
        if lifted is not None:
            one = lifted.together
            rows.append((f"any {lifted.label} in the sentence", None, one["observed"].value))
            notes.append(
                f"{lifted.sentences} sentences: Fleiss' kappa {_number(one['fleiss_kappa'])}, "
                f"alpha {_number(one['alpha_nominal'])}"
            )
        return Table(
            (Column("two raters of a case have", text=True), Column("of pairs"), Column("share")),
            tuple(rows),
            title="Corrections and sentences",
            notes=tuple(notes),
        )

    def _choices(self, found: ChoiceFindings) -> Table:
        names = ("writer", "system", "equal", "bad")
        everybody: Sequence[Cell] = ("all", *map(int, found.choices), found.share)
        rows: list[Sequence[Cell]] = [
            (one.rater, *map(int, one.choices), one.share) for one in found.raters
        ]
        if len(rows) > MOST_ROWS:
            rows = []
        notes = ["Share of judgments in which the system's word is equal or better."]
        if found.corrected is not None:
            accuracy = self.result.options["accuracy"]
            notes.append(f"Accuracy {accuracy:g}, corrected by it: {found.corrected:.4f}.")
        if not isnan(found.alpha):
            notes.append(f"Krippendorff's alpha on whose word is better: {found.alpha:.4f}.")
        if found.other:
            notes.append(f"Left out, for they say something else: {found.other}.")
        if found.reason:
            notes.append(found.reason)
        return Table(
            (Column("rater", text=True), *map(Column, names), Column("equal or better")),
            (*rows, everybody),
            title="Whose word is better",
            notes=tuple(notes),
        )

    def _models(self, found: ModelEffect) -> Table:
        alpha = {name: one.value for name, one in found.alphas.items()}
        rows: list[Sequence[Cell]] = [
            ("people alone", alpha["people"], found.within_people, None, None),
            (
                *("people and models", alpha["added"], found.between),
                *(found.cases_adding, found.changed_by_adding),
            ),
            (
                *("models alone", alpha["replaced"], found.within_models),
                *(found.cases_replacing, found.changed_by_replacing),
            ),
        ]
        notes = [
            "pairs that agree: of two people, of a person and a model, of two models. Changed: "
            "cases with another",
            "majority than people's. All other tables are about people alone.",
        ]
        notes += [
            f"{one.kind} {one.rater} agrees with {one.agreement:.4f} of what (other) people say"
            for one in found.raters
            if not isnan(one.agreement)
        ]
        columns = (Column("raters", text=True), Column("alpha"), Column("pairs that agree"))
        more = (Column("cases"), Column("changed"))
        return Table((*columns, *more), tuple(rows), title="People and models", notes=tuple(notes))


def _number(one: Coefficient) -> str:
    return MISSING if isnan(one.value) else f"{one.value:.4f}"
