"""What `evaluate` found, piece by piece, as records for JSON and CSV."""

from __future__ import annotations

from dataclasses import asdict
from math import isinf, isnan
from typing import TYPE_CHECKING, Any

from jurybox.api.results import number_or_none

if TYPE_CHECKING:
    from jurybox.cases.bins import Bar, Bin, Contentious
    from jurybox.cases.bootstrap import Spread
    from jurybox.cases.calibration import Brier, Calibration
    from jurybox.cases.corpora import BinPair, Corpus
    from jurybox.cases.curves import ChosenThreshold
    from jurybox.cases.single_raters import RaterAsTruth
    from jurybox.cases.stability import Stability
    from jurybox.cases.was import JudgeMean

#: key in JSON -> measure, of bins and of raters as the truth
BIN_MEASURES = {
    "precision": "precision",
    "recall": "recall",
    "f_beta": "f_beta",
    "kappa": "cohen_kappa",
}


def finite(value: float) -> float | None:
    """A number as JSON can hold it."""
    return None if isnan(value) or isinf(value) else value


def flat(record: dict[str, Any]) -> dict[str, Any]:
    """A record without what is nested, as a row of a table."""
    return {name: value for name, value in record.items() if not isinstance(value, dict)}


def bin_record(one: Bin, beta: float) -> dict[str, Any]:
    """A bin for JSON."""
    measures = {"error_rate": "prevalence", "flag_rate": "bias"} | BIN_MEASURES
    found = {name: one.measure(measure, beta=beta) for name, measure in measures.items()}
    return {
        "from": one.low,
        "to": one.high,
        "n": one.n,
        "left_out": one.left_out,
        **asdict(one.counts),
        **{name: number_or_none(measure.value) for name, measure in found.items()},
        "undefined": {name: measure.reason for name, measure in found.items() if measure.reason},
    }


def rater_record(one: RaterAsTruth, beta: float) -> dict[str, Any]:
    """A rater as the truth."""
    found = {name: one.measure(measure, beta=beta) for name, measure in BIN_MEASURES.items()}
    return {
        "name": one.rater,
        "n": one.n,
        "unknown": one.unknowns,
        **asdict(one.counts),
        **{name: number_or_none(measure.value) for name, measure in found.items()},
        "undefined": {name: measure.reason for name, measure in found.items() if measure.reason},
    }


def per_judge_record(one: JudgeMean) -> dict[str, Any]:
    """The mean over judges, each as the truth."""
    correction = one.correction._asdict()
    return {
        "judges": one.judges,
        "detection": asdict(one.detection),
        "correction": {name: correction.pop(name) for name in ("tp", "fp", "fn")},
        **correction,
    }


def contentious_record(one: Contentious) -> dict[str, Any]:
    """What a system does where raters disagree."""
    rates = {
        "rate": (one.rate, "there are no contentious cases"),
        "others_rate": (one.others_rate, "there are no other cases"),
        "share_of_reports": (one.share_of_reports, "the system reported nothing"),
    }
    return {
        **one._asdict(),
        **{name: number_or_none(rate) for name, (rate, _) in rates.items()},
        "undefined": {name: reason for name, (rate, reason) in rates.items() if isnan(rate)},
    }


def brier_record(one: Brier) -> dict[str, Any]:
    """Brier score and skill."""
    reason = one.reason or ("" if one.constant else "no skill: p is the same on every case")
    return {
        "value": number_or_none(one.value),
        "constant": number_or_none(one.constant),
        "skill": number_or_none(one.skill),
        "n": one.n,
        **({"reason": reason} if reason else {}),
    }


def calibration_record(one: Calibration) -> dict[str, Any]:
    """Scores beside shares of raters, bin by bin."""
    bins = [
        {
            "from": part.low,
            "to": part.high,
            "n": part.n,
            "mean_score": number_or_none(part.mean_score),
            "mean_p": number_or_none(part.mean_p),
        }
        for part in one.bins
    ]
    reason = {"reason": one.reason} if one.reason else {}
    return {"error": number_or_none(one.error), "bins": bins, **reason}


def threshold_record(one: ChosenThreshold) -> dict[str, Any]:
    """A threshold, and what it gives on both parts of the cases."""
    record: dict[str, Any] = {"threshold": finite(one.threshold)}
    if one.reason:
        record["reason"] = one.reason
    for name, counts, value in (
        ("development", one.development, one.development_value),
        ("rest", one.rest, one.rest_value),
    ):
        reason = {"reason": value.reason} if value.reason else {}
        record[name] = {**asdict(counts), "value": number_or_none(value.value), **reason}
    return record


def spread_record(one: Spread) -> dict[str, Any]:
    """A value and its interval for JSON."""
    return {
        "value": number_or_none(one.value),
        "low": number_or_none(one.low),
        "high": number_or_none(one.high),
        "standard_error": number_or_none(one.standard_error),
        "level": one.level,
        "undefined_resamples": one.undefined,
        **({"reason": one.reason} if one.reason else {}),
    }


def stability_record(one: Stability) -> dict[str, Any]:
    """How far each measure moves."""
    movements = []
    for moved in one.movements:
        numbers = ("value", "mean", "deviation", "low", "high", "typical")
        movements.append(
            {"measure": moved.measure, "kind": moved.kind}
            | {name: number_or_none(getattr(moved, name)) for name in numbers}
            | {"undefined_share": min(1.0, moved.undefined)}
            | ({"reason": moved.reason} if moved.reason else {})
        )
    return {"change": one.change, "movements": movements}


def bar_record(bar: Bar) -> dict[str, Any]:
    """A bar of the histogram of agreement."""
    names = {"from": bar.low, "to": bar.high}
    return {**names, "n": bar.n, "errors": bar.errors, "tied": bar.tied}


def corpus_record(corpus: Corpus) -> dict[str, Any]:
    """What a comparison with another corpus needs to know of this one."""
    return {
        "name": corpus.name,
        "n": corpus.n,
        "errors": corpus.errors,
        "judges": list(corpus.judges),
        "labels": list(corpus.labels),
    }


def pair_record(pair: BinPair) -> dict[str, Any]:
    """One bin of two corpora."""
    both = (pair.first, pair.second)
    return {
        "from": pair.low,
        "to": pair.high,
        "n": [one.n for one in both],
        "left_out": [one.left_out for one in both],
        "counts": [asdict(one.counts) for one in both],
        "error_rate": [number_or_none(one.error_rate) for one in both],
        "kappa": [number_or_none(kappa.value) for kappa in pair.kappas],
        "reasons": [kappa.reason for kappa in pair.kappas],
    }
