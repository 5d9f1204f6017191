"""The result of `agree` out of its JSON."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

from jurybox.api.agree_crowd import (
    Alone,
    CrowdFindings,
    CurvePoint,
    Drawn,
    ExpertAgainst,
    ExpertFindings,
    Reaching,
    ReferenceTold,
)
from jurybox.api.agree_further import (
    ALPHAS,
    CHANGES,
    BatchRow,
    ModelEffect,
    RaterAgain,
    RaterFitTold,
    SelfFindings,
    SentenceLevel,
)
from jurybox.api.agree_pairs import Confusion, RaterPair
from jurybox.api.agree_result import ALPHA, AgreeResult, Coefficient, Sizes
from jurybox.api.restore_choices import restore_choices
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs
from jurybox.cases.bootstrap import Spread
from jurybox.raters.agreement import Agreement
from jurybox.raters.corrections import CorrectionAgreement
from jurybox.raters.disagreement import DeniedErrors, DisagreementRates
from jurybox.raters.pairs import MeanAgreement

COEFFICIENTS = ("observed", "fleiss_kappa", "ac1")


def restore(record: Fields) -> AgreeResult:
    """How far raters agreed; what the data did not allow is None."""
    options = record.as_given("options", "level", "draws", "ties", "pairs", "crowd_curve")
    together = _together(record)
    return AgreeResult(
        sizes=_sizes(record),
        labels=record.wholes_by_name("labels"),
        scale=record.text("scale"),
        together=together,
        mean_pair=_mean(record.part("mean_pairwise")),
        pairs=tuple(map(_pair, record.parts("pairs"))),
        options=options,
        signature=record.text("signature"),
        intervals=_intervals(record.part("intervals"), together) if "intervals" in record else {},
        confusions=tuple(map(_confusion, record.parts("confusion"))),
        itself=_itself(record.part("self_agreement")) if record.has("self_agreement") else None,
        batches=tuple(map(_batch, record.parts("batches"))) if record.has("batches") else None,
        corrections=_corrections(record.part("corrections")) if record.has("corrections") else None,
        sentences=_sentences(record.part("sentences")) if record.has("sentences") else None,
        choices=restore_choices(record.part("choices")) if record.has("choices") else None,
        models=_models(record.part("models")) if record.has("models") else None,
        crowd=_crowd(record) if record.parts("references") else None,
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def _sizes(record: Fields) -> Sizes:
    each, left_out = record.part("per_case"), record.part("left_out")
    return Sizes(
        cases=record.whole("cases"),
        raters=record.whole("raters"),
        judgments=record.whole("judgments"),
        per_case=(each.whole("fewest"), each.number("median"), each.whole("most")),
        single=record.whole("single"),
        no_answer=left_out.whole("no_answer"),
        repeats=left_out.whole("repeats"),
        spoiled=left_out.whole("spoiled_cases"),
        models=left_out.whole("by_models"),
        model_raters=left_out.whole("models"),
        rejected=left_out.wholes_by_name("rows"),
    )


# --- coefficients ---


def _plain(record: Fields) -> dict[str, Coefficient]:
    """Coefficients with their reasons, in the order in which they are shown."""
    reasons = record.texts_by_name("undefined")
    found = {name: Coefficient(record.number(name), reasons.get(name, "")) for name in COEFFICIENTS}
    for scale, value in record.numbers_by_name("krippendorff_alpha").items():
        found[ALPHA + scale] = Coefficient(value, reasons.get(f"krippendorff_alpha.{scale}", ""))
    return found


def _together(record: Fields) -> dict[str, Agreement]:
    """The same, with what they are made of."""
    details = record.part("details")
    parts = {name: details.part(name) for name in COEFFICIENTS if name in details}
    scales = details.parts_by_name("krippendorff_alpha")
    parts |= {ALPHA + name: part for name, part in scales.items()}
    found = {}
    for name, one in _plain(record).items():
        part = parts.get(name)
        if part is None:  # observed agreement is made of nothing else
            found[name] = Agreement(one.value, one.value, nan, one.reason)
        else:
            made_of = part.number("observed"), part.number("by_chance")
            found[name] = Agreement(one.value, *made_of, one.reason)
    return found


def _intervals(record: Fields, together: Mapping[str, Agreement]) -> dict[str, Spread]:
    scales = record.parts_by_name("krippendorff_alpha")
    parts = {name: record.part(name) for name in COEFFICIENTS}
    parts |= {ALPHA + name: part for name, part in scales.items()}
    return {
        name: Spread(
            one.value,
            parts[name].number("low"),
            parts[name].number("high"),
            parts[name].number("standard_error"),
            parts[name].number("level"),
            parts[name].whole("undefined"),
            parts[name].reason(),
        )
        for name, one in together.items()
        if name in parts
    }


def _mean(record: Fields) -> MeanAgreement:
    return MeanAgreement(
        record.whole("pairs"),
        record.number("agreement"),
        record.number("kappa"),
        record.number("lowest"),
        record.number("highest"),
        record.whole("undefined"),
        record.reason(),
    )


# --- pairs ---


def _pair(record: Fields) -> RaterPair:
    return RaterPair(
        record.text("first"),
        record.text("second"),
        record.whole("n"),
        record.number("agreement"),
        record.number("kappa"),
        record.number("standard_error"),
        record.number("low"),
        record.number("high"),
        record.number("weighted_kappa"),
        record.reason(),
    )


def _confusion(record: Fields) -> Confusion:
    labels = record.texts("labels")
    rows = record.part("table")
    table = tuple(rows.wholes(label) for label in labels)
    found = Confusion(record.text("first"), record.text("second"), labels, table)
    if not record.has("disagreement"):
        return found
    rates = record.part("disagreement")
    both = DisagreementRates(_denied(rates.part("first")), _denied(rates.part("second")))
    return found._replace(errors=rates.texts("errors"), rates=both)


def _denied(record: Fields) -> DeniedErrors:
    return DeniedErrors(
        record.number("errors"), record.number("denied"), record.number("rate"), record.reason()
    )


# --- where the data allow ---


def _itself(record: Fields) -> SelfFindings:
    raters = tuple(
        RaterAgain(one.text("rater"), one.whole("repeats"), one.whole("same"))
        for one in record.parts("raters", least=1)
    )
    return SelfFindings(Coefficient(record.number("kappa"), record.reason()), raters)


def _batch(record: Fields) -> BatchRow:
    return BatchRow(
        record.text("batch"),
        record.whole("cases"),
        record.whole("raters"),
        record.whole("judgments"),
        _plain(record),
        record.number_or_none("kappa"),
    )


def _corrections(record: Fields) -> CorrectionAgreement:
    return CorrectionAgreement(
        record.whole("pairs"),
        record.whole("same_label"),
        record.whole("both_correct"),
        record.whole("share_correction"),
    )


def _sentences(record: Fields) -> SentenceLevel:
    return SentenceLevel(record.whole("sentences"), record.text("label"), _plain(record))


def _models(record: Fields) -> ModelEffect:
    alphas, reasons = record.part("krippendorff_alpha"), record.texts_by_name("undefined")
    raters = tuple(
        RaterFitTold(
            one.text("rater"), one.text("kind"), one.whole("pairs"), one.number("agreement")
        )
        for one in record.parts("raters")
    )
    return ModelEffect(
        record.whole("models"),
        record.whole("judgments"),
        {name: Coefficient(alphas.number(name), reasons.get(name, "")) for name in ALPHAS},
        record.number("within_people"),
        record.number("between"),
        record.number("within_models"),
        **{name: record.whole(name) for name in CHANGES},
        raters=raters,
    )


# --- crowds ---


def _crowd(record: Fields) -> CrowdFindings:
    curves: dict[str, list[CurvePoint]] = {}
    weighted = record.text("scale") != "nominal"
    for point in record.parts("crowd_of_n"):
        curves.setdefault(point.text("reference"), []).append(_point(point, weighted))
    alone = None
    if record.has("crowd"):
        part = record.part("crowd")
        alone = Alone(part.whole("raters"), part.whole("judgments"), _plain(part))
    return CrowdFindings(
        tuple(
            ReferenceTold(
                one.text("name"), one.text("kind"), one.whole("cases"), one.whole("several")
            )
            for one in record.parts("references")
        ),
        {name: tuple(points) for name, points in curves.items()},
        alone,
        _experts(record.part("experts")) if record.has("experts") else None,
        tuple(map(_reaching, record.parts("reached"))),
    )


def _point(record: Fields, weighted: bool) -> CurvePoint:
    reasons = record.texts_by_name("undefined")

    def band(mean: str, name: str) -> Drawn:
        ends = (record.number(f"{name}_low"), record.number(f"{name}_high"))
        return Drawn(record.number(mean), *ends, reasons.get(name, ""))

    return CurvePoint(
        record.whole("n"),
        record.whole("cases"),
        record.whole("left_out"),
        record.number("agreement"),
        band("mean_agreement", "agreement"),
        band("kappa", "kappa"),
        band("weighted_kappa", "weighted_kappa") if weighted else None,
        record.whole("undefined_draws"),
    )


def _experts(record: Fields) -> ExpertFindings:
    against = tuple(
        ExpertAgainst(
            one.text("expert"),
            one.text("reference"),
            one.whole("n"),
            one.number("agreement"),
            one.number("kappa"),
            one.reason(),
        )
        for one in record.parts("against")
    )
    return ExpertFindings(record.texts("names"), _mean(record.part("mutual")), against)


def _reaching(record: Fields) -> Reaching:
    return Reaching(
        record.text("reference"),
        record.text("measure"),
        record.number("target"),
        record.whole_or_none("n"),
        record.reason(),
    )
