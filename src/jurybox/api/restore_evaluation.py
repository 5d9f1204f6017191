"""The result of `evaluate` out of its JSON: the jury, the corpus, comparisons."""

from __future__ import annotations

from jurybox.api.evaluate_jury import Judges
from jurybox.api.evaluation import (
    Beside,
    CaseNumbers,
    EvaluateResult,
    PairComparison,
)
from jurybox.api.restore_cases import restore_description
from jurybox.api.restore_evaluated import restore_spread, restore_system
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_measures import restore_counts, title_of
from jurybox.api.restore_score import restore_inputs
from jurybox.cases.bins import Bar, Bin
from jurybox.cases.bootstrap import PairedDifference
from jurybox.cases.corpora import BinPair, Caution, Corpus
from jurybox.measures import MeasureValue

#: options that tables and figures quote
QUOTED = ("ties", "beta", "smooth", "bin_by", "choose", "develop")


def restore(record: Fields) -> EvaluateResult:
    """Systems against a jury; single judgments and decisions are not in the JSON."""
    options = record.as_given("options", *QUOTED)
    if "ci" in options:
        record.part("options").as_given("ci", "level", "unit", "resamples")
    cases = record.part("cases")
    comparisons = record.parts("comparisons") if "comparisons" in record else []
    systems = record.parts("systems", least=1)
    return EvaluateResult(
        cases=CaseNumbers(*(cases.whole(name) for name in CaseNumbers._fields)),
        description=restore_description(cases.part("description")),
        judges=_judges(record.part("judges")),
        corpus=_corpus(record.part("corpus")),
        graded_error_rate=record.number("graded_error_rate"),
        histogram=tuple(map(_bar, record.parts("histogram", least=1))),
        systems=tuple(restore_system(one, record.part("options")) for one in systems),
        options=options,
        signature=record.text("signature"),
        comparisons=tuple(map(_comparison, comparisons)),
        beside=_beside(record.part("beside")) if "beside" in record else None,
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def _judges(record: Fields) -> Judges:
    others = [name for name in Judges._fields if name != "per_case"]
    return Judges(
        per_case=_three(record, "per_case"), **{name: record.whole(name) for name in others}
    )


def _three(record: Fields, name: str) -> tuple[int, float, int]:
    """Fewest, median and most; the median may lie between two whole numbers."""
    fewest, median, most = record.numbers(name, 3)
    return int(fewest), median, int(most)


def _corpus(record: Fields) -> Corpus:
    return Corpus(
        name=record.text("name"),
        n=record.whole("n"),
        errors=record.whole("errors"),
        judges=_three(record, "judges"),
        labels=record.texts("labels"),
    )


def _bar(record: Fields) -> Bar:
    edges = (record.number("from"), record.number("to"))
    return Bar(*edges, *(record.whole(name) for name in ("n", "errors", "tied")))


def _comparison(record: Fields) -> PairComparison:
    kinds = {kind: record.part("differences").parts_by_name(kind) for kind in ("plain", "weighted")}
    return PairComparison(
        first=record.text("first"),
        second=record.text("second"),
        differences={
            kind: {
                name: PairedDifference(restore_spread(one), one.number("p"))
                for name, one in found.items()
            }
            for kind, found in kinds.items()
        },
        adjusted={
            kind: {name: one.number("p_holm") for name, one in found.items()}
            for kind, found in kinds.items()
        },
    )


def _beside(record: Fields) -> Beside:
    return Beside(
        corpus=_corpus(record.part("corpus")),
        pairs=tuple(
            (pair.text("first"), pair.text("second"), tuple(map(_bin_pair, pair.parts("bins"))))
            for pair in record.parts("pairs")
        ),
        cautions=tuple(
            Caution(one.text("kind"), one.text("message")) for one in record.parts("cautions")
        ),
    )


def _bin_pair(record: Fields) -> BinPair:
    low, high = record.number("from"), record.number("to")
    both = zip(record.parts("counts"), record.wholes("left_out"), strict=True)
    first, second = (Bin(low, high, restore_counts(one), out) for one, out in both)
    values = zip(record.numbers("kappa", 2), record.texts("reasons"), strict=True)
    title = title_of("cohen_kappa", 1)
    here, there = (MeasureValue("cohen_kappa", title, *value) for value in values)
    return BinPair(low, high, first, second, (here, there))
