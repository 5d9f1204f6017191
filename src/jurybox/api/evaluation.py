"""What `evaluate` gives back: numbers of every system, and the jury behind them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.evaluation_records import (
    BIN_MEASURES,
    bar_record,
    bin_record,
    brier_record,
    calibration_record,
    contentious_record,
    corpus_record,
    finite,
    flat,
    pair_record,
    per_judge_record,
    rater_record,
    spread_record,
    stability_record,
    threshold_record,
)
from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope, number_or_none
from jurybox.errors import unknown_name
from jurybox.measures import MEASURES, MeasureValue, all_measures
from jurybox.model import CaseDescription, Counts
from jurybox.report.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.api.evaluate_jury import Judges
    from jurybox.cases.bins import Bar, Bin, Contentious
    from jurybox.cases.bootstrap import PairedDifference, Spread
    from jurybox.cases.calibration import Brier, Calibration
    from jurybox.cases.corpora import BinPair, Caution, Corpus
    from jurybox.cases.curves import Area, ChosenThreshold, Curve
    from jurybox.cases.single_raters import RaterAsTruth
    from jurybox.cases.stability import Stability
    from jurybox.cases.was import Cell, CorrectionCounts, JudgeMean

#: measures that need no true negatives: all that correction has
CORRECTION_MEASURES = tuple(name for name, one in MEASURES.items() if not one.needs_tn)
#: measures of a bin that get an interval
BIN_INTERVALS = {name: BIN_MEASURES[name] for name in ("precision", "recall", "kappa")}
KINDS = ("plain", "weighted")


class Scored(NamedTuple):
    """Four counts and every measure of them."""

    counts: Counts
    measures: tuple[MeasureValue, ...]

    @property
    def n(self) -> float:
        """The number of cases counted."""
        c = self.counts
        return c.tp + c.fp + c.fn + c.tn

    def value(self, name: str) -> float:
        """One measure; nan where undefined."""
        for measure in self.measures:
            if measure.name == name:
                return measure.value
        raise unknown_name("measure", name, [measure.name for measure in self.measures])

    def values(self) -> dict[str, float | None]:
        return {measure.name: number_or_none(measure.value) for measure in self.measures}

    def undefined(self) -> dict[str, str]:
        return {measure.name: measure.reason for measure in self.measures if measure.reason}


def score_counts(counts: Counts, beta: float) -> Scored:
    """Every measure of four counts."""
    return Scored(counts, tuple(all_measures(counts, beta=beta)))


class Corrected(NamedTuple):
    """Counts of correction and the measures that need no true negatives."""

    counts: CorrectionCounts
    measures: tuple[MeasureValue, ...]

    def values(self) -> dict[str, float | None]:
        return {measure.name: number_or_none(measure.value) for measure in self.measures}

    def undefined(self) -> dict[str, str]:
        return {measure.name: measure.reason for measure in self.measures if measure.reason}


class Traced(NamedTuple):
    """A curve over thresholds, thinned, and the areas under the whole of it."""

    curve: Curve
    auc: Area
    auk: Area

    def to_dict(self) -> dict[str, Any]:
        reasons = {"auc": self.auc.reason, "auk": self.auk.reason}
        return {
            "auc": number_or_none(self.auc.value),
            "auk": number_or_none(self.auk.value),
            "undefined": {name: reason for name, reason in reasons.items() if reason},
            "unscored": self.curve.unscored,
            "unjudged": self.curve.unjudged,
            "points": self.points(),
        }

    def points(self) -> list[dict[str, float | None]]:
        """A point per threshold; without one nothing is reported."""
        curve = self.curve
        columns = {
            "threshold": curve.thresholds,
            **dict(zip(("tp", "fp", "fn", "tn"), curve.counts.T, strict=True)),
            "precision": curve.measure("precision"),
            "recall": curve.measure("recall"),
            "f1": curve.measure("f_beta", beta=1),
            "bias": curve.measure("bias"),
            "kappa": curve.measure("cohen_kappa"),
            "tpr": curve.true_positive_rate,
            "fpr": curve.false_positive_rate,
        }
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, map(finite, row), strict=True)) for row in rows]


class EightCell(NamedTuple):
    """One cell of Figure 3 of Chodorow et al. (2012), plain and weighted."""

    plain: Cell
    weighted: Cell

    def to_dict(self) -> dict[str, Any]:
        cell = self.plain._asdict()
        return {**cell, "weighted": self.weighted.amount}


@dataclass(frozen=True)
class SystemEvaluation:
    """Everything about one system."""

    name: str
    missing: int
    plain: Scored
    weighted: Scored
    correction: Corrected
    weighted_correction: Corrected
    suggests: bool  # whether anything could be compared with a correction
    bins: tuple[Bin, ...]
    raters: tuple[RaterAsTruth, ...]
    per_judge: JudgeMean
    contentious: Contentious
    beta: float
    plain_without_trivial: Scored | None = None
    weighted_without_trivial: Scored | None = None
    cells: tuple[EightCell, ...] = ()
    curves: dict[str, Traced] = field(default_factory=dict)
    brier: Brier | None = None
    calibration: Calibration | None = None
    thresholds: dict[str, ChosenThreshold] = field(default_factory=dict)
    intervals: dict[str, dict[str, Spread]] = field(default_factory=dict)
    bin_intervals: tuple[dict[str, Spread], ...] = ()  # for every bin, or none
    stability: tuple[Stability, ...] = ()

    @property
    def n(self) -> int:
        """Cases counted: judged (or trivial), and decided."""
        return int(self.plain.n)

    def scored(self, kind: str) -> Scored:
        """The plain or the weighted numbers."""
        return self.plain if kind == "plain" else self.weighted

    def to_dict(self) -> dict[str, Any]:
        correction = self.correction.counts
        record: dict[str, Any] = {
            "name": self.name,
            "n": self.n,
            "missing": self.missing,
            "suggests": self.suggests,
            "detection": asdict(self.plain.counts),
            "correction": {name: int(getattr(correction, name)) for name in ("tp", "fp", "fn")},
            "xyz": int(correction.xyz),
            "uncomparable": int(correction.uncomparable),
            "correction_measures": self.correction.values(),
            "correction_undefined": self.correction.undefined(),
            "weighted": asdict(self.weighted.counts),
            "weighted_correction": self.weighted_correction.counts._asdict(),
            "weighted_correction_measures": self.weighted_correction.values(),
            "weighted_correction_undefined": self.weighted_correction.undefined(),
            "per_judge": per_judge_record(self.per_judge),
            "measures": self.plain.values(),
            "undefined": self.plain.undefined(),
            "weighted_measures": self.weighted.values(),
            "weighted_undefined": self.weighted.undefined(),
            "bins": self._bin_records(),
            "raters": [rater_record(one, self.beta) for one in self.raters],
            "contentious": contentious_record(self.contentious),
            "curves": {kind: traced.to_dict() for kind, traced in self.curves.items()},
        }
        if self.plain_without_trivial and self.weighted_without_trivial:
            plain, weighted = self.plain_without_trivial, self.weighted_without_trivial
            record["without_trivial"] = {
                "n": int(plain.n),
                "detection": asdict(plain.counts),
                "weighted": asdict(weighted.counts),
                "measures": plain.values(),
                "undefined": plain.undefined(),
                "weighted_measures": weighted.values(),
                "weighted_undefined": weighted.undefined(),
            }
        if self.cells:
            record["cells"] = [cell.to_dict() for cell in self.cells]
        if self.brier is not None and self.calibration is not None:
            record["brier"] = brier_record(self.brier)
            record["calibration"] = calibration_record(self.calibration)
        if self.thresholds:
            record["threshold"] = {k: threshold_record(t) for k, t in self.thresholds.items()}
        if self.intervals:
            record["intervals"] = {
                kind: {name: spread_record(spread) for name, spread in found.items()}
                for kind, found in self.intervals.items()
            }
        if self.stability:
            record["stability"] = [stability_record(one) for one in self.stability]
        return record

    def _bin_records(self) -> list[dict[str, Any]]:
        records = [bin_record(one, self.beta) for one in self.bins]
        for record, found in zip(records, self.bin_intervals, strict=False):
            record["intervals"] = {name: spread_record(one) for name, one in found.items()}
        return records


class PairComparison(NamedTuple):
    """Two systems on the same cases: first less second."""

    first: str
    second: str
    #: plain or weighted -> measure -> difference; and its p-value adjusted for several pairs
    differences: dict[str, dict[str, PairedDifference]]
    adjusted: dict[str, dict[str, float]]

    def to_dict(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "second": self.second,
            "differences": {
                kind: {
                    name: spread_record(one.spread)
                    | {
                        "p": number_or_none(one.p_value),
                        "p_holm": number_or_none(self.adjusted[kind][name]),
                    }
                    for name, one in found.items()
                }
                for kind, found in self.differences.items()
            },
        }


class Beside(NamedTuple):
    """One corpus beside another: kappa by bin, and what speaks against comparing."""

    corpus: Corpus
    pairs: tuple[tuple[str, str, tuple[BinPair, ...]], ...]
    cautions: tuple[Caution, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "corpus": corpus_record(self.corpus),
            "pairs": [
                {
                    "first": first,
                    "second": second,
                    "bins": [pair_record(pair) for pair in pairs],
                }
                for first, second, pairs in self.pairs
            ],
            "cautions": [caution._asdict() for caution in self.cautions],
        }


class CaseNumbers(NamedTuple):
    """What N consists of, in numbers: n = judged + trivial + unjudged; gold cases are not in it."""

    n: int
    judged: int
    trivial: int
    unjudged: int
    gold: int
    ties: int
    duplicates: int  # cases at the same place of the same sentence as one before
    duplicate_sentences: int  # sentences with the words of one before


@dataclass(frozen=True)
class EvaluateResult(TabularResult):
    """Systems against a jury, on the same cases."""

    cases: CaseNumbers
    description: CaseDescription
    judges: Judges
    corpus: Corpus
    graded_error_rate: float
    histogram: tuple[Bar, ...]
    systems: tuple[SystemEvaluation, ...]
    options: dict[str, Any]
    signature: str
    comparisons: tuple[PairComparison, ...] = ()
    beside: Beside | None = None
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def error_rate(self) -> float:
        """The share of judged and trivial cases that most judges call an error."""
        return self.corpus.error_rate

    @property
    def beta(self) -> float:
        return float(self.options["beta"])

    def __getitem__(self, name: str) -> SystemEvaluation:
        for system in self.systems:
            if system.name == name:
                return system
        raise unknown_name("system", name, [system.name for system in self.systems])

    def to_dict(self) -> dict[str, Any]:
        """Every number, in the form of the JSON Schema jurybox.evaluate/1."""
        record = envelope("evaluate", self.signature, describe_inputs(self.inputs)) | {
            "options": self.options,
            "cases": {**self.cases._asdict(), "description": asdict(self.description)},
            "judges": {**self.judges._asdict(), "per_case": list(self.judges.per_case)},
            "error_rate": number_or_none(self.error_rate),
            "graded_error_rate": number_or_none(self.graded_error_rate),
            "histogram": [bar_record(bar) for bar in self.histogram],
            "corpus": corpus_record(self.corpus),
            "systems": [system.to_dict() for system in self.systems],
        }
        if isnan(self.error_rate):
            record["undefined"] = {"error_rate": "all cases are ties, and ties are dropped"}
        if self.comparisons:
            record["comparisons"] = [pair.to_dict() for pair in self.comparisons]
        if self.beside is not None:
            record["beside"] = self.beside.to_dict()
        return record | {"warnings": list(self.warnings)}

    def records(self) -> list[dict[str, Any]]:
        """A row for every system plain, weighted and as corrector; for every bin and rater."""
        rows: list[dict[str, Any]] = []
        for system in self.systems:
            for kind in KINDS:
                scored = system.scored(kind)
                rows.append(
                    {"what": kind, "system": system.name, "n": scored.n}
                    | asdict(scored.counts)
                    | scored.values()
                )
            for kind, corrected in (
                ("correction", system.correction),
                ("weighted correction", system.weighted_correction),
            ):
                row = {"what": kind, "system": system.name, **corrected.counts._asdict()}
                rows.append(row | corrected.values())
            for one in system.bins:
                rows.append(
                    {"what": "bin", "system": system.name} | flat(bin_record(one, self.beta))
                )
            for rater in system.raters:
                row = flat(rater_record(rater, self.beta))
                rows.append({"what": "rater", "system": system.name} | row)
        return rows

    def tables(self) -> list[Table]:
        """What people read first comes first."""
        from jurybox.api.evaluation_tables import EvaluationTables

        return EvaluationTables(self).all()

    def figure(self, kind: str = "precision-recall") -> Figure:
        """One of the figures of `FIGURES`: by agreement bin, or over thresholds."""
        from jurybox.api.evaluation_figures import draw

        return draw(self, kind)
