"""What `evaluate` gives back: numbers of every system, and the jury behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

from jurybox.errors import unknown_name
from jurybox.jury.bins import Bar, Bin, Contentious
from jurybox.jury.bootstrap import PairedDifference, ValueInterval
from jurybox.jury.calibration import Brier, Calibration
from jurybox.jury.curves import ChosenThreshold, CurveSummary
from jurybox.jury.evaluate import EvaluateOptions
from jurybox.jury.stability import KINDS, Stability
from jurybox.jury.was import Amount, Cell, CorrectionCounts, JudgeMean, TextAccuracy
from jurybox.jury.weighted import RaterAsTruth
from jurybox.metrics.measures import MEASURES, all_measures, total
from jurybox.model import CaseDescription, Counts
from jurybox.raters.flagged import FlaggedRaters
from jurybox.records import FLAT, NOT_EMPTY, WHEN_SET, Count, Key, Keys, Share, computed, plain
from jurybox.results import Inputs, NamedParts, Signature, TabularResult, Warnings, by
from jurybox.stats.confidence import Bootstrap
from jurybox.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: measures that need no true negatives: all that correction has
CORRECTION_MEASURES = tuple(name for name, one in MEASURES.items() if not one.needs_tn)
#: measures two systems are compared by, and whose stability is looked at
COMPARED = ("precision", "recall", "f_beta", "cohen_kappa")

Measures = Annotated[Mapping[str, float], Keys(MEASURES)]
Reasons = Annotated[Mapping[str, str], "Why a measure is null."]


@dataclass(frozen=True)
class Scored:
    """Measures of some counts; nan where undefined, with the reason."""

    measures: Mapping[str, float]
    undefined: Mapping[str, str]

    def value(self, name: str) -> float:
        """One measure; nan where undefined."""
        if name not in self.measures:
            raise unknown_name("measure", name, list(self.measures))
        return self.measures[name]


@dataclass(frozen=True)
class Detection(Scored):
    """Detection against the majority: four counts and every measure of them."""

    measures: Measures
    undefined: Reasons
    counts: Annotated[Counts, Key("detection"), "Counts of cases; they sum to n."]

    @property
    def n(self) -> float:
        """The number of cases counted."""
        return total(self.counts)


@dataclass(frozen=True)
class WeightedDetection(Detection):
    """Detection in which a case adds p and 1 - p."""

    measures: Annotated[Measures, Key("weighted_measures")]
    undefined: Annotated[Reasons, Key("weighted_undefined")]
    counts: Annotated[Counts, Key("weighted"), "Counts in which a case adds p and 1 - p."]


@dataclass(frozen=True)
class Correction(Scored):
    """Correction against the majority: counts, and the measures that need no true negatives."""

    measures: Annotated[Mapping[str, float], Key("correction_measures"), Keys(CORRECTION_MEASURES)]
    undefined: Annotated[Reasons, Key("correction_undefined")]
    counts: Annotated[CorrectionCounts, Key("correction"), "Counts against the majority."]


@dataclass(frozen=True)
class WeightedCorrection(Correction):
    """Correction with every judge of a case counted alike."""

    measures: Annotated[
        Mapping[str, float], Key("weighted_correction_measures"), Keys(CORRECTION_MEASURES)
    ]
    undefined: Annotated[Reasons, Key("weighted_correction_undefined")]
    counts: Annotated[
        CorrectionCounts,
        Key("weighted_correction"),
        "Counts of correction, every judge of a case counted alike.",
    ]


AnyDetection = TypeVar("AnyDetection", bound=Detection)


def score_counts(counts: Counts, beta: float, kind: type[AnyDetection]) -> AnyDetection:
    """Every measure of four counts."""
    found = all_measures(counts, beta=beta)
    values = {one.name: one.value for one in found}
    return kind(values, {one.name: one.reason for one in found if one.reason}, counts)


class EightCell(NamedTuple):
    """One cell of Figure 3 of Chodorow et al. (2012), plain and weighted."""

    cell: Annotated[Cell, FLAT]
    weighted: Annotated[Amount, "The same, weighted."]


class WithoutTrivial(NamedTuple):
    """Detection without trivial negatives."""

    plain: Annotated[Detection, FLAT]
    weighted: Annotated[WeightedDetection, FLAT]

    @computed
    def n(self) -> Annotated[Count, "Cases counted."]:
        return int(self.plain.n)


class KindEvaluation(NamedTuple):
    """Detection of one kind of error, which is a question of its own (Madnani et al. 2011)."""

    kind: Annotated[str, "extraneous, wrong (choice) or missing."]
    unclear: Annotated[Count, "Reports without a suggestion; they count as reports of every kind."]
    unknown: Annotated[
        Count, "Judgments that do not tell the kind: unknown, or error without a correction."
    ]
    plain: Annotated[Detection, FLAT]
    weighted: Annotated[WeightedDetection, FLAT]

    @computed
    def n(self) -> Annotated[Count, "Cases counted: where there can be such an error."]:
        return int(self.plain.n)


@dataclass(frozen=True)
class SystemEvaluation:
    """One system before the jury."""

    name: str
    missing: Annotated[Count, "Cases without a decision, before they were settled."]
    suggests: Annotated[
        bool,
        "Whether the system makes suggestions and judges gave corrections, so that correction can "
        "be measured.",
    ]
    plain: Annotated[Detection, FLAT]
    correction: Annotated[Correction, FLAT]
    weighted: Annotated[WeightedDetection, FLAT]
    weighted_correction: Annotated[WeightedCorrection, FLAT]
    per_judge: JudgeMean
    bins: Annotated[tuple[Bin, ...], "Bins, lowest first.", NOT_EMPTY]
    raters: Annotated[tuple[RaterAsTruth, ...], "Every rater alone as the truth."]
    contentious: Contentious
    curves: Annotated[
        Mapping[str, CurveSummary],
        "Curves over thresholds, plain and weighted; empty where there are no scores.",
    ] = field(default_factory=dict)
    without_trivial: Annotated[WithoutTrivial | None, WHEN_SET] = None
    cells: Annotated[
        tuple[EightCell, ...], "For commas: the eight cells of who has one.", WHEN_SET
    ] = ()
    kinds: Annotated[
        tuple[KindEvaluation, ...],
        "Every kind of error that cases, corrections or suggestions tell.",
        WHEN_SET,
    ] = ()
    text_accuracy: Annotated[
        Mapping[str, TextAccuracy],
        "Accuracy of the text before and after correction, where correction can be measured.",
        Keys(KINDS),
        WHEN_SET,
    ] = field(default_factory=dict)
    brier: Annotated[Brier | None, WHEN_SET] = None
    calibration: Annotated[Calibration | None, WHEN_SET] = None
    thresholds: Annotated[
        Mapping[str, ChosenThreshold],
        "With --develop: the threshold chosen, for plain and for weighted counts.",
        Key("threshold"),
        Keys(KINDS),
        WHEN_SET,
    ] = field(default_factory=dict)
    intervals: Annotated[
        Mapping[str, Annotated[Mapping[str, ValueInterval], Keys(MEASURES)]],
        "With --ci: every measure with its interval.",
        Keys(KINDS),
        WHEN_SET,
    ] = field(default_factory=dict)
    stability: Annotated[
        tuple[Stability, ...], "With --stability: how far numbers move.", WHEN_SET
    ] = ()

    @computed
    def n(self) -> Annotated[Count, "Cases counted: with a plain truth and a decision."]:
        return int(self.plain.n)

    def scored(self, kind: str) -> Detection:
        """The plain or the weighted numbers."""
        return self.plain if kind == "plain" else self.weighted


class PairComparison(NamedTuple):
    """Two systems on the same cases: first less second."""

    first: str
    second: str
    differences: Annotated[
        Mapping[str, Annotated[Mapping[str, PairedDifference], Keys(COMPARED)]],
        "Differences, plain and weighted.",
        Keys(KINDS),
    ]


class Corpus(NamedTuple):
    """What a comparison needs to know of a corpus."""

    name: str
    n: Annotated[Count, "Cases with a truth."]
    errors: Annotated[Count, "Errors by the majority."]
    judges: Annotated[
        tuple[int, float, int], "Fewest, median and most deciding judgments of a judged case."
    ]
    labels: Annotated[tuple[str, ...], "Labels in use."]

    @property
    def error_rate(self) -> float:
        """The share of cases that are errors by the majority."""
        return self.errors / self.n if self.n else nan


class BinPair(NamedTuple):
    """One bin of two corpora: numbers of the first, then of the second."""

    low: Annotated[Share, Key("from"), "Lower edge."]
    high: Annotated[Share, Key("to"), "Upper edge."]
    n: Annotated[tuple[int, int], "Cases."]
    left_out: Annotated[tuple[int, int], "Cases of the bin that are not counted."]
    counts: tuple[Counts, Counts]
    error_rate: Annotated[tuple[float, float], "Share of errors by the majority."]
    kappa: Annotated[tuple[float, float], "Cohen's kappa; null where undefined."]
    reasons: Annotated[tuple[str, str], "Why kappa is undefined; empty where it is not."]
    intervals: Annotated[
        tuple[ValueInterval | None, ValueInterval | None],
        "Intervals of kappa; null where the evaluation had no --ci.",
    ] = (None, None)


class Caution(NamedTuple):
    """Something that speaks against a comparison: its kind, and a sentence that says it."""

    kind: Annotated[str, "small bin, error rates, judges or labels."]
    message: str


class CorpusPair(NamedTuple):
    """A system on this corpus and one on another, bin by bin."""

    first: Annotated[str, "The system here."]
    second: Annotated[str, "The system there."]
    bins: tuple[BinPair, ...]


class OtherCorpus(NamedTuple):
    """Another corpus: kappa by bin in both, and what speaks against comparing."""

    corpus: Corpus
    pairs: Annotated[tuple[CorpusPair, ...], "Every system here with every system there."]
    cautions: Annotated[tuple[Caution, ...], "What speaks against comparing."]


class CaseNumbers(NamedTuple):
    """What N consists of; n = judged + trivial + unjudged; gold and spoiled ones are not in it."""

    n: Count
    judged: Count
    trivial: Annotated[Count, "Cases that a rule decided to be no error."]
    unjudged: Annotated[Count, "Cases that no judgment decides; they are not counted."]
    gold: Annotated[Count, "Gold cases, which are left out."]
    ties: Annotated[Count, "Cases with as many raters for error as for ok."]
    duplicates: Annotated[Count, "Cases at the same place of the same sentence as one before."]
    duplicate_sentences: Annotated[Count, "Sentences with the words of one before."]
    description: CaseDescription
    spoiled: Annotated[
        Count, "Cases with a spoiled context, which --spoiled drop leaves out.", WHEN_SET
    ] = 0


class Judges(NamedTuple):
    """Who judged, how much of it counts, and what does not."""

    raters: Count = 0
    judgments: Count = 0
    unknown: Annotated[Count, "Judgments that decide nothing."] = 0
    per_case: Annotated[
        tuple[int, float, int], "Fewest, median and most deciding judgments of a judged case."
    ] = (0, 0.0, 0)
    on_gold: Annotated[Count, "Judgments on gold cases, which are not counted."] = 0
    on_trivial: Annotated[
        Count, "Judgments on cases that a rule decided, which are not counted."
    ] = 0
    models: Annotated[Count, "Models among the raters, with --count-models."] = 0
    models_left_out: Annotated[Count, "Raters that are models and are left out."] = 0
    model_judgments_left_out: Annotated[Count, "Their judgments."] = 0
    on_spoiled: Annotated[Count, "Judgments on cases with a spoiled context.", WHEN_SET] = 0
    drawn_out: Annotated[Count, "Judgments left out so that no case has more than --judges."] = 0


class RecordedOptions(EvaluateOptions):
    """Everything that changes a number."""

    ci: Annotated[Bootstrap | None, "How intervals were made, where they were.", WHEN_SET] = None


@dataclass(frozen=True, repr=False)
class EvaluateResult(TabularResult, NamedParts[str, SystemEvaluation]):
    """Systems against a jury, on the same cases."""

    command = "evaluate"

    options: RecordedOptions
    cases: CaseNumbers
    judges: Judges
    corpus: Corpus
    graded_error_rate: Annotated[Share, "Mean share of raters who call a case an error."]
    histogram: Annotated[tuple[Bar, ...], "How many cases have which agreement.", NOT_EMPTY]
    systems: Annotated[tuple[SystemEvaluation, ...], "Every system, as it was given.", NOT_EMPTY]
    signature: Signature
    comparisons: Annotated[
        tuple[PairComparison, ...],
        "With --ci: every pair of systems on the same cases.",
        WHEN_SET,
    ] = ()
    other_corpus: Annotated[
        OtherCorpus | None, "With --compare-with: another corpus.", WHEN_SET
    ] = None
    flagged: Annotated[
        FlaggedRaters | None,
        "Raters whom the annotation server flagged (gold rule, or an admin), and what their "
        "judgments change; only where there are any.",
        WHEN_SET,
    ] = None
    inputs: Inputs = ()
    warnings: Warnings = ()

    @computed
    def error_rate(self) -> Annotated[Share, "Share of cases that most raters call an error."]:
        return self.corpus.error_rate

    @computed
    def undefined(
        self,
    ) -> Annotated[Mapping[str, str] | None, "Why error_rate is null, where it is.", WHEN_SET]:
        reason = "all cases are ties, and ties are dropped"
        return {"error_rate": reason} if isnan(self.error_rate) else None

    @property
    def description(self) -> CaseDescription:
        """What N consists of, in words."""
        return self.cases.description

    noun = "system"

    def parts(self) -> Mapping[str, SystemEvaluation]:
        return by("name", self.systems)

    def records(self) -> list[dict[str, Any]]:
        """A row for every system plain, weighted and as corrector; for every bin and rater."""
        rows: list[dict[str, Any]] = []
        for system in self.systems:
            for kind in KINDS:
                scored = system.scored(kind)
                rows.append(
                    {"what": kind, "system": system.name, "n": scored.n}
                    | asdict(scored.counts)
                    | plain(scored.measures)
                )
            for kind, corrected in (
                ("correction", system.correction),
                ("weighted correction", system.weighted_correction),
            ):
                row = {"what": kind, "system": system.name, **corrected.counts._asdict()}
                rows.append(row | plain(corrected.measures))
            rows += [
                {"what": "kind", "system": system.name, "name": one.kind, "n": one.n}
                | asdict(one.plain.counts)
                | plain(one.plain.measures)
                for one in system.kinds
            ]
            rows += [
                {"what": f"{kind} text accuracy", "system": system.name, **plain(one)}
                for kind, one in system.text_accuracy.items()
            ]
            for what, found in (("bin", system.bins), ("rater", system.raters)):
                for one in found:
                    row = {k: v for k, v in plain(one).items() if not isinstance(v, dict)}
                    rows.append({"what": what, "system": system.name} | row)
        return rows

    def tables(self) -> list[Table]:
        """What people read first comes first."""
        from jurybox.jury.evaluate.tables import EvaluationTables

        return EvaluationTables(self).all()

    def figure(self, kind: str = "precision-recall") -> Figure:
        """One of the figures of `FIGURES`: by agreement bin, or over thresholds."""
        from jurybox.jury.evaluate.figures import draw

        return draw(self, kind)
