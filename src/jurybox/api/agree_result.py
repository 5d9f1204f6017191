"""What `agree` gives back: coefficients, pairs, crowds against references; for JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope, number_or_none
from jurybox.report.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.api.agree_crowd import CrowdFindings, CurvePoint
    from jurybox.api.agree_further import (
        BatchRow,
        ChoiceFindings,
        ModelEffect,
        SelfFindings,
        SentenceLevel,
    )
    from jurybox.api.agree_pairs import Confusion, RaterPair
    from jurybox.cases.bootstrap import Spread
    from jurybox.raters.agreement import Agreement
    from jurybox.raters.corrections import CorrectionAgreement
    from jurybox.raters.disagreement import DeniedErrors
    from jurybox.raters.pairs import MeanAgreement

ALPHA = "alpha_"


class Coefficient(NamedTuple):
    """A coefficient of a part of the judgments; nan with a reason where it is undefined."""

    value: float
    reason: str = ""


class Sizes(NamedTuple):
    """What the numbers are about, and what is not among them."""

    cases: int  # with a judgment that counts
    raters: int
    judgments: int
    per_case: tuple[int, float, int]  # fewest, median, most
    single: int  # cases with one judgment only: they pair with nothing
    no_answer: int  # judgments that are no answer
    repeats: int  # judgments of a case the rater had judged before
    spoiled: int  # cases left out because their context is spoiled
    models: int  # judgments by models
    model_raters: int
    rejected: Mapping[str, int]  # rows of the files that do not count, by reason


@dataclass(frozen=True)
class AgreeResult(TabularResult):
    """How far raters agree: all together, in pairs, with experts and known answers."""

    sizes: Sizes
    labels: Mapping[str, int]  # label -> judgments
    scale: str
    together: Mapping[str, Agreement]  # observed, fleiss_kappa, ac1, alpha_nominal …
    mean_pair: MeanAgreement
    pairs: tuple[RaterPair, ...]
    options: Mapping[str, Any]
    signature: str
    intervals: Mapping[str, Spread] = field(default_factory=dict)
    confusions: tuple[Confusion, ...] = ()
    itself: SelfFindings | None = None
    batches: tuple[BatchRow, ...] | None = None
    corrections: CorrectionAgreement | None = None
    sentences: SentenceLevel | None = None
    choices: ChoiceFindings | None = None
    models: ModelEffect | None = None
    crowd: CrowdFindings | None = None
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()

    # --- values by name ---

    @property
    def observed(self) -> float:
        """The share of pairs of raters who give a case the same label; nan where undefined."""
        return self.together["observed"].value

    @property
    def fleiss_kappa(self) -> float:
        return self.together["fleiss_kappa"].value

    @property
    def ac1(self) -> float:
        return self.together["ac1"].value

    def alpha(self, scale: str = "nominal") -> float:
        """Krippendorff's alpha on a scale that the labels allow."""
        if ALPHA + scale not in self.together:
            from jurybox.errors import unknown_name

            raise unknown_name("scale", scale, list(self.alphas))
        return self.together[ALPHA + scale].value

    @property
    def alphas(self) -> dict[str, Agreement]:
        """Krippendorff's alpha by scale."""
        found = self.together.items()
        return {name.removeprefix(ALPHA): one for name, one in found if name.startswith(ALPHA)}

    def curve(self, reference: str | None = None) -> tuple[CurvePoint, ...]:
        """Crowds of 1, 2, … against a reference, the first one unless it is named."""
        curves = {} if self.crowd is None else self.crowd.curves
        if reference is None:
            return next(iter(curves.values()), ())
        if reference not in curves:
            from jurybox.errors import unknown_name

            raise unknown_name("reference", reference, list(curves))
        return curves[reference]

    # --- forms ---

    def figure(self, kind: str = "crowd") -> Figure:
        """The crowd's curve, or the kappas of pairs of raters; see `save_figure`."""
        from jurybox.api.agree_figures import draw

        return draw(self, kind)

    def tables(self) -> list[Table]:
        from jurybox.api.agree_tables import AgreeTables

        return AgreeTables(self).all()

    def to_dict(self) -> dict[str, Any]:
        """All numbers, in the form the JSON Schema jurybox.agree/1 describes."""
        sizes = self.sizes
        record = envelope("agree", self.signature, describe_inputs(self.inputs)) | {
            "options": dict(self.options),
            "cases": sizes.cases,
            "raters": sizes.raters,
            "judgments": sizes.judgments,
            "per_case": dict(zip(("fewest", "median", "most"), sizes.per_case, strict=True)),
            "single": sizes.single,
            "left_out": {
                "no_answer": sizes.no_answer,
                "repeats": sizes.repeats,
                "spoiled_cases": sizes.spoiled,
                "by_models": sizes.models,
                "models": sizes.model_raters,
                "rows": dict(sizes.rejected),
            },
            "labels": dict(self.labels),
            "scale": self.scale,
            **coefficients_record(self.together),
            "details": _details(self.together),
        }
        if self.intervals:
            record["intervals"] = _intervals_record(self.intervals)
        record["mean_pairwise"] = mean_record(self.mean_pair)
        record["pairs"] = [_pair_record(pair) for pair in self.pairs]
        record["pairs_not_listed"] = self.mean_pair.pairs - len(self.pairs)
        record["confusion"] = [_confusion_record(one) for one in self.confusions]
        record |= self._further()
        record |= _crowd_record(self.crowd)
        return record | {"warnings": list(self.warnings)}

    def _further(self) -> dict[str, Any]:
        """What only some data have; None where they have not."""
        record: dict[str, Any] = {
            "self_agreement": None if self.itself is None else self.itself.to_dict(),
            "batches": None if self.batches is None else [one.to_dict() for one in self.batches],
            "corrections": None if self.corrections is None else _corrected(self.corrections),
            "sentences": None if self.sentences is None else self.sentences.to_dict(),
            "choices": None if self.choices is None else self.choices.to_dict(),
            "models": None if self.models is None else self.models.to_dict(),
        }
        return record

    def records(self) -> list[dict[str, Any]]:
        """Every number in a row of its own: what it is about, its name, its value."""
        return [
            {name: row.get(name) for name in RECORD_COLUMNS} | {"signature": self.signature}
            for row in _flatten(self.to_dict())
        ]


# --- parts of the JSON ---


def coefficients_record(
    together: Mapping[str, Agreement] | Mapping[str, Coefficient],
) -> dict[str, Any]:
    """Plain numbers, null where undefined, and the reasons."""
    value = {name: number_or_none(one.value) for name, one in together.items()}
    alphas = {n.removeprefix(ALPHA): x for n, x in value.items() if n.startswith(ALPHA)}
    return {
        "observed": value["observed"],
        "fleiss_kappa": value["fleiss_kappa"],
        "krippendorff_alpha": alphas,
        "ac1": value["ac1"],
        "undefined": {_told(name): one.reason for name, one in together.items() if one.reason},
    }


def _told(name: str) -> str:
    """The coefficient as the JSON calls it, as krippendorff_alpha.nominal."""
    if not name.startswith(ALPHA):
        return name
    return f"krippendorff_alpha.{name.removeprefix(ALPHA)}"


def _details(together: Mapping[str, Agreement]) -> dict[str, Any]:
    """What coefficients are made of: observed agreement, and that expected by chance."""
    parts = {
        name: {
            "observed": number_or_none(one.observed),
            "by_chance": number_or_none(one.expected),
        }
        for name, one in together.items()
        if name != "observed"
    }
    alphas = {n.removeprefix(ALPHA): one for n, one in parts.items() if n.startswith(ALPHA)}
    return {
        "fleiss_kappa": parts["fleiss_kappa"],
        "krippendorff_alpha": alphas,
        "ac1": parts["ac1"],
    }


def _intervals_record(intervals: Mapping[str, Spread]) -> dict[str, Any]:
    records = {name: spread_record(spread) for name, spread in intervals.items()}
    alphas = {n.removeprefix(ALPHA): one for n, one in records.items() if n.startswith(ALPHA)}
    plain = {name: one for name, one in records.items() if not name.startswith(ALPHA)}
    return plain | {"krippendorff_alpha": alphas}


def spread_record(spread: Spread) -> dict[str, Any]:
    """An interval and its standard error."""
    return {
        "low": number_or_none(spread.low),
        "high": number_or_none(spread.high),
        "standard_error": number_or_none(spread.standard_error),
        "level": spread.level,
        "undefined": spread.undefined,
        **({"reason": spread.reason} if spread.reason else {}),
    }


def mean_record(mean: MeanAgreement) -> dict[str, Any]:
    """The mean over pairs."""
    return {
        "pairs": mean.pairs,
        "agreement": number_or_none(mean.observed),
        "kappa": number_or_none(mean.kappa),
        "lowest": number_or_none(mean.lowest),
        "highest": number_or_none(mean.highest),
        "undefined": mean.undefined,
        **({"reason": mean.reason} if mean.reason else {}),
    }


def _pair_record(pair: RaterPair) -> dict[str, Any]:
    numbers = ("agreement", "kappa", "standard_error", "low", "high", "weighted_kappa")
    return {
        "first": pair.first,
        "second": pair.second,
        "n": pair.n,
        **{name: number_or_none(getattr(pair, name)) for name in numbers},
        **({"reason": pair.reason} if pair.reason else {}),
    }


def _confusion_record(one: Confusion) -> dict[str, Any]:
    rates = one.rates
    return {
        "first": one.first,
        "second": one.second,
        "labels": list(one.labels),
        "table": {label: list(row) for label, row in zip(one.labels, one.table, strict=True)},
        "disagreement": None
        if rates is None
        else {
            "errors": list(one.errors),
            "first": _denied_record(rates.first),
            "second": _denied_record(rates.second),
        },
    }


def _denied_record(one: DeniedErrors) -> dict[str, Any]:
    return {
        "errors": one.errors,
        "denied": one.denied,
        "rate": number_or_none(one.rate),
        **({"reason": one.reason} if one.reason else {}),
    }


def _corrected(found: CorrectionAgreement) -> dict[str, Any]:
    return found._asdict() | {
        "on_label": number_or_none(found.on_label),
        "on_correction": number_or_none(found.on_correction),
    }


def _crowd_record(crowd: CrowdFindings | None) -> dict[str, Any]:
    """The curve, and what it is to be seen beside."""
    if crowd is None:
        return {"crowd_of_n": [], "references": [], "crowd": None, "experts": None, "reached": []}
    return {
        "crowd_of_n": [
            {"reference": name, **point.to_dict()}
            for name, points in crowd.curves.items()
            for point in points
        ],
        "references": [one.to_dict() for one in crowd.references],
        "crowd": None if crowd.alone is None else crowd.alone.to_dict(),
        "experts": None if crowd.experts is None else crowd.experts.to_dict(),
        "reached": [one.to_dict() for one in crowd.reached],
    }


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
