"""One system of `evaluate` out of its JSON: counts, bins, raters, curves, what was asked for."""

from __future__ import annotations

from math import inf, isnan, nan
from typing import Any

import numpy as np

from jurybox.api.evaluation import KINDS, Corrected, EightCell, Scored, SystemEvaluation, Traced
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_measures import restore_counts, restore_measures, title_of
from jurybox.cases.bins import Bin, Contentious
from jurybox.cases.bootstrap import Spread
from jurybox.cases.calibration import Brier, Calibration, CalibrationBin
from jurybox.cases.curves import Area, ChosenThreshold, Curve
from jurybox.cases.single_raters import RaterAsTruth
from jurybox.cases.stability import Movement, Stability
from jurybox.cases.was import Cell, CorrectionCounts, JudgeMean
from jurybox.measures import MeasureValue


def restore_system(record: Fields, options: Fields) -> SystemEvaluation:
    """Everything about one system; the options say beta and what a threshold was chosen by."""
    beta = options.number("beta")
    plain, weighted = _corrections(record, beta)
    return SystemEvaluation(
        name=record.text("name"),
        missing=record.whole("missing"),
        plain=Scored(restore_counts(record.part("detection")), restore_measures(record, beta)),
        weighted=_weighted(record, beta),
        correction=plain,
        weighted_correction=weighted,
        suggests=record.flag("suggests"),
        bins=tuple(map(_bin, record.parts("bins", least=1))),
        raters=tuple(map(_rater, record.parts("raters"))),
        per_judge=_per_judge(record.part("per_judge")),
        contentious=_contentious(record.part("contentious")),
        beta=beta,
        **_if_there(record, options),
    )


def _if_there(record: Fields, options: Fields) -> dict[str, Any]:
    """What is not in every result."""
    beta = options.number("beta")
    found: dict[str, Any] = {
        "curves": {kind: _traced(one) for kind, one in record.parts_by_name("curves").items()}
    }
    if "without_trivial" in record:
        part = record.part("without_trivial")
        counts = restore_counts(part.part("detection"))
        found["plain_without_trivial"] = Scored(counts, restore_measures(part, beta))
        found["weighted_without_trivial"] = _weighted(part, beta)
    if "cells" in record:
        found["cells"] = tuple(map(_cell, record.parts("cells")))
    if "brier" in record:
        found["brier"] = _brier(record.part("brier"))
        found["calibration"] = _calibration(record.part("calibration"))
    if "threshold" in record:
        chosen = record.parts_by_name("threshold").items()
        found["thresholds"] = {kind: _threshold(one, options) for kind, one in chosen}
    if "intervals" in record:
        intervals = record.part("intervals")
        found["intervals"] = {
            kind: {name: restore_spread(o) for name, o in intervals.parts_by_name(kind).items()}
            for kind in KINDS
        }
        bins = record.parts("bins")
        if all("intervals" in one for one in bins):
            found["bin_intervals"] = tuple(
                {name: restore_spread(o) for name, o in one.parts_by_name("intervals").items()}
                for one in bins
            )
    if "stability" in record:
        found["stability"] = tuple(map(_stability, record.parts("stability")))
    return found


def _weighted(record: Fields, beta: float) -> Scored:
    measures = restore_measures(record, beta, "weighted_")
    return Scored(restore_counts(record.part("weighted")), measures)


def _corrections(record: Fields, beta: float) -> tuple[Corrected, Corrected]:
    """Correction against the majority and weighted; plain counts stand in two places."""
    whole = record.part("correction")
    counts = [float(whole.whole(name)) for name in ("tp", "fp", "fn")]
    counts += [float(record.whole(name)) for name in ("xyz", "uncomparable")]
    weighted = record.part("weighted_correction")
    shares = (weighted.number(name) for name in CorrectionCounts._fields)
    return (
        Corrected(CorrectionCounts(*counts), restore_measures(record, beta, "correction_")),
        Corrected(
            CorrectionCounts(*shares), restore_measures(record, beta, "weighted_correction_")
        ),
    )


def _bin(record: Fields) -> Bin:
    edges = (record.number("from"), record.number("to"))
    return Bin(*edges, restore_counts(record), record.whole("left_out"))


def _rater(record: Fields) -> RaterAsTruth:
    return RaterAsTruth(record.text("name"), restore_counts(record), record.whole("unknown"))


def _per_judge(record: Fields) -> JudgeMean:
    correction = record.part("correction")
    counts = [correction.number(name) for name in ("tp", "fp", "fn")]
    counts += [record.number(name) for name in ("xyz", "uncomparable")]
    detection = restore_counts(record.part("detection"))
    return JudgeMean(record.whole("judges"), detection, CorrectionCounts(*counts))


def _contentious(record: Fields) -> Contentious:
    counts = (record.whole(name) for name in Contentious._fields[1:])
    return Contentious(record.number("below"), *counts)


def _cell(record: Fields) -> EightCell:
    plain = Cell(
        system=record.flag("system"),
        annotator=record.flag("annotator"),
        writer=record.flag("writer"),
        outcome=record.text("outcome"),
        amount=record.number("amount"),
    )
    return EightCell(plain, plain._replace(amount=record.number("weighted")))


def _traced(record: Fields) -> Traced:
    points = record.parts("points", least=1)
    thresholds = [_or_none_reported(point.number("threshold")) for point in points]
    counts = [[p.number(name) for name in ("tp", "fp", "fn", "tn")] for p in points]
    curve = Curve(
        np.array(thresholds, dtype=np.float64),
        np.array(counts, dtype=np.float64),
        record.whole("unscored"),
        record.whole("unjudged"),
    )
    reasons = record.texts_by_name("undefined")
    auc, auk = (Area(record.number(name), reasons.get(name, "")) for name in ("auc", "auk"))
    return Traced(curve, auc, auk)


def _or_none_reported(threshold: float) -> float:
    """JSON has no infinity: without a threshold nothing is reported."""
    return inf if isnan(threshold) else threshold


def _brier(record: Fields) -> Brier:
    """The reason in the JSON may be that there is no skill; the score is defined then."""
    value = record.number("value")
    reason = record.reason() if isnan(value) else ""
    return Brier(value, record.number("constant"), record.whole("n"), reason)


def _calibration(record: Fields) -> Calibration:
    bins = tuple(
        CalibrationBin(
            low=one.number("from"),
            high=one.number("to"),
            n=one.whole("n"),
            mean_score=one.number("mean_score"),
            mean_p=one.number("mean_p"),
        )
        for one in record.parts("bins")
    )
    return Calibration(bins, record.number("error"), record.reason())


def _threshold(record: Fields, options: Fields) -> ChosenThreshold:
    """No threshold: reporting nothing is best, or nothing has a value on the development part."""
    name = options.text("choose")
    title = title_of(name, options.number("beta"))
    parts = [record.part(which) for which in ("development", "rest")]
    values = [MeasureValue(name, title, one.number("value"), one.reason()) for one in parts]
    threshold = _or_none_reported(record.number("threshold"))
    if isnan(values[0].value):
        threshold = nan
    development, rest = map(restore_counts, parts)
    return ChosenThreshold(threshold, development, rest, *values)


def restore_spread(record: Fields) -> Spread:
    """A value with its interval; nan where there is none, with the reason."""
    return Spread(
        value=record.number("value"),
        low=record.number("low"),
        high=record.number("high"),
        standard_error=record.number("standard_error"),
        level=record.number("level"),
        undefined=record.whole("undefined_resamples"),
        reason=record.reason(),
    )


def _stability(record: Fields) -> Stability:
    """Movements under one change; expected counts are not in the JSON."""
    return Stability(record.text("change"), tuple(map(_movement, record.parts("movements"))))


def _movement(record: Fields) -> Movement:
    return Movement(
        measure=record.text("measure"),
        kind=record.text("kind"),
        value=record.number("value"),
        mean=record.number("mean"),
        deviation=record.number("deviation"),
        low=record.number("low"),
        high=record.number("high"),
        typical=record.number("typical"),
        undefined=record.number("undefined_share"),
        reason=record.reason(),
    )
