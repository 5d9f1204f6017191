"""What `agree` gives back: coefficients, pairs, crowds against references; for JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, overload

from jurybox.errors import unknown_name
from jurybox.raters.agree import SCALES, AgreeOptions
from jurybox.raters.agree.choices import ChoiceFindings
from jurybox.raters.agree.crowd import NO_CROWD, CrowdFindings, CrowdPoint
from jurybox.raters.agree.subgroups import (
    BatchRow,
    CorrectionAgreement,
    ModelEffect,
    Positive,
    SelfFindings,
    SentenceLevel,
)
from jurybox.raters.agree.tables import AgreeTables
from jurybox.raters.agreement import Agreement
from jurybox.raters.flagged import FlaggedRaters
from jurybox.raters.named_coefficients import (
    CoefficientDetails,
    CoefficientIntervals,
    NamedCoefficients,
)
from jurybox.raters.pairs import Confusion, MeanAgreement, RaterPair
from jurybox.records import FLAT, WHEN_SET, Count, Limits, computed
from jurybox.results import Inputs, NamedParts, Signature, TabularResult, Warnings
from jurybox.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class PerCase(NamedTuple):
    """Judgments per case."""

    fewest: Positive
    median: Annotated[float, Limits(minimum=1)]
    most: Positive


class LeftOut(NamedTuple):
    """What does not count."""

    no_answer: Annotated[Count, "Judgments that are no answer."]
    repeats: Annotated[Count, "Judgments of a case the rater had judged before."]
    spoiled_cases: Annotated[Count, "Cases with a spoiled context."]
    by_models: Annotated[Count, "Judgments by models."]
    models: Count
    rows: Annotated[Mapping[str, Count], "Rows of the files that do not count, by reason."]


class Sizes(NamedTuple):
    """What the numbers are about, and what is not among them."""

    cases: Annotated[Positive, "Cases with a judgment that counts."]
    raters: Annotated[Positive, "Raters with one."]
    judgments: Annotated[Positive, "Judgments that count."]
    per_case: PerCase
    single: Annotated[Count, "Cases with one judgment only."]
    left_out: LeftOut


@dataclass(frozen=True, repr=False)
class AgreeResult(TabularResult, NamedParts[str | tuple[str, str], Agreement | RaterPair]):
    """How far raters agree: together, in pairs, and as crowds with experts or known answers."""

    command = "agree"

    options: AgreeOptions
    sizes: Annotated[Sizes, FLAT]
    labels: Annotated[Mapping[str, Count], "Label, and how many judgments give it."]
    scale: Annotated[str, "The scale of the labels.", Limits(enum=list(SCALES))]
    coefficients: Annotated[NamedCoefficients, FLAT]
    details: CoefficientDetails
    mean_pairwise: MeanAgreement
    pairs: Annotated[
        tuple[RaterPair, ...],
        "Pairs of raters with a case in common; empty where they are more than 2000 and not asked "
        "for.",
    ]
    signature: Signature
    intervals: Annotated[CoefficientIntervals | None, WHEN_SET] = None
    confusion: Annotated[
        tuple[Confusion, ...], "Tables of labels: of up to three raters, else of experts."
    ] = ()
    self_agreement: Annotated[
        SelfFindings | None, "Raters with themselves; null if nobody judged a case twice."
    ] = None
    batches: Annotated[tuple[BatchRow, ...] | None, "Batch by batch; null if not asked for."] = None
    corrections: Annotated[
        CorrectionAgreement | None, "Agreement on corrections; null if there are none."
    ] = None
    sentences: Annotated[
        SentenceLevel | None,
        "Agreement on sentences; null where cases are not several to a sentence.",
    ] = None
    choices: Annotated[
        ChoiceFindings | None,
        "The choice experiment; null if raters had no two words to choose from.",
    ] = None
    models: Annotated[
        ModelEffect | None, "People and models; null if not asked for, or without models."
    ] = None
    flagged: Annotated[FlaggedRaters | None, WHEN_SET] = None
    crowd: Annotated[CrowdFindings, FLAT] = NO_CROWD
    inputs: Inputs = ()
    warnings: Warnings = ()

    @computed
    def pairs_not_listed(self) -> Count:
        """Pairs that are not listed."""
        return self.mean_pairwise.pairs - len(self.pairs)

    # --- values by name ---

    noun = "coefficient"

    def parts(self) -> Mapping[str | tuple[str, str], Agreement | RaterPair]:
        """Coefficients by name; pairs of raters by both names, in either order."""
        found: dict[str | tuple[str, str], Agreement | RaterPair] = {}
        for name in self.coefficients.names:
            value, reason = self.coefficients[name]
            made_of = (value, nan) if name == "observed" else self.details[name]
            found[name] = Agreement(value, *made_of, reason)
        for pair in self.pairs:
            found[pair.first, pair.second] = found[pair.second, pair.first] = pair
        return found

    @overload
    def __getitem__(self, name: str) -> Agreement: ...
    @overload
    def __getitem__(self, name: tuple[str, str]) -> RaterPair: ...

    def __getitem__(self, name: str | tuple[str, str]) -> Agreement | RaterPair:
        return super().__getitem__(name)

    @property
    def observed(self) -> float:
        """The share of pairs of raters who give a case the same label; nan where undefined."""
        return self.coefficients.observed

    @property
    def fleiss_kappa(self) -> float:
        return self.coefficients.fleiss_kappa

    @property
    def ac1(self) -> float:
        return self.coefficients.ac1

    def alpha(self, scale: str = "nominal") -> float:
        """Krippendorff's alpha on a scale that the labels allow."""
        if scale not in self.alphas:
            raise unknown_name("scale", scale, list(self.alphas))
        return self.alphas[scale]

    @property
    def alphas(self) -> Mapping[str, float]:
        """Krippendorff's alpha by scale."""
        return self.coefficients.krippendorff_alpha

    def curve(self, reference: str | None = None) -> tuple[CrowdPoint, ...]:
        """Crowds of 1, 2, … against a reference, the first one unless it is named."""
        curves = self.crowd.curves
        if reference is None:
            return next(iter(curves.values()), ())
        if reference not in curves:
            raise unknown_name("reference", reference, list(curves))
        return curves[reference]

    # --- forms ---

    def figure(self, kind: str = "crowd") -> Figure:
        """The crowd's curve, or the kappas of pairs of raters; see `save_figure`."""
        from jurybox.raters.agree.figures import draw  # matplotlib

        return draw(self, kind)

    def tables(self) -> list[Table]:
        return AgreeTables(self).all()

    def records(self) -> list[dict[str, Any]]:
        """Every number in a row of its own: what it is about, its name, its value."""
        return [
            {name: row.get(name) for name in RECORD_COLUMNS} | {"signature": self.signature}
            for row in _flatten(self.to_dict())
        ]


# --- rows of the CSV ---

#: columns of the records; what a number is not about is empty
RECORD_COLUMNS = ("section", "first", "second", "n", "name", "value")
#: parts of the JSON that are no numbers about agreement
_WORDS = ("options", "inputs", "schema", "command", "version", "signature", "warnings")


def _flatten(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, value in record.items():
        if name in _WORDS or value is None:
            continue
        if isinstance(value, Mapping):
            yield from _numbers(name, value, {})
        elif isinstance(value, list):
            yield from _listed(name, value)
        else:
            yield {"section": "all", "name": name, "value": value}


def _listed(section: str, rows: list[Any]) -> Iterator[dict[str, Any]]:
    """Rows of a list; who they are about stands in the columns `first` and `second`."""
    for row in rows:
        first = next((row[key] for key in ("first", "reference", "batch") if key in row), None)
        second = row.get("second")
        about = {
            "first": first if isinstance(first, str) else None,
            "second": second if isinstance(second, str) else None,
            "n": row.get("n"),
        }
        yield from _numbers(section, row, about)


def _numbers(
    section: str, values: Mapping[str, Any], about: Mapping[str, Any], before: str = ""
) -> Iterator[dict[str, Any]]:
    for name, value in values.items():
        if name == "table":
            for label, counts in value.items():
                for other, count in zip(values["labels"], counts, strict=True):
                    told = f"{label} / {other}"
                    yield {"section": section, **about, "name": told, "value": count}
        elif isinstance(value, Mapping):
            yield from _numbers(section, value, about, f"{before}{name}.")
        elif isinstance(value, list):
            for place, one in enumerate(value):
                if isinstance(one, Mapping):
                    named = one.get("rater") or one.get("expert") or place
                    yield from _numbers(section, one, about, f"{before}{name}.{named}.")
        elif value not in about.values() or name not in ("first", "second", "reference", "batch"):
            yield {"section": section, **about, "name": f"{before}{name}", "value": value}
