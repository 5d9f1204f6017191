"""The result of `compare` out of its JSON."""

from __future__ import annotations

from jurybox.api.certainty import Certainty
from jurybox.api.comparison import CompareResult, DecidingText, PairResult
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import (
    restore_inputs,
    restore_interval,
    restore_options,
    restore_systems,
)
from jurybox.api.results import ScoreResult


def restore(record: Fields) -> CompareResult:
    """Several systems, pair by pair; their scores have no counts per sentence."""
    options = restore_options(record)
    ci = record.part("options").part("ci")
    certainty = Certainty(
        ci.whole("resamples"), ci.number("level"), ci.text("unit"), ci.whole("seed")
    )
    del options["ci"]
    signature = record.text("signature")
    warnings = record.texts("warnings")
    scores = ScoreResult(
        metric=record.text("metric"),
        beta=options["beta"],
        signature=signature.replace(certainty.sign("|v:"), "|v:"),
        systems=restore_systems(record),
        options=options,
        inputs=restore_inputs(record),
        warnings=warnings,
    )
    return CompareResult(
        metric=scores.metric,
        beta=scores.beta,
        signature=signature,
        scores=scores,
        baseline=record.text_or_none("baseline"),
        pairs=tuple(_pair(one) for one in record.parts("pairs", least=1)),
        certainty=certainty,
        alpha=record.number("alpha"),
        warnings=warnings,
    )


def _pair(record: Fields) -> PairResult:
    return PairResult(
        first=record.text("first"),
        second=record.text("second"),
        difference=record.number("difference"),
        interval=restore_interval(record),
        standard_error=record.number("standard_error"),
        p_bootstrap=record.number("p_bootstrap"),
        p_randomisation=record.number("p_randomisation"),
        p_bootstrap_holm=record.number("p_bootstrap_holm"),
        p_randomisation_holm=record.number("p_randomisation_holm"),
        smallest_detectable=record.number("smallest_detectable"),
        for_first=tuple(map(_deciding, record.parts("for_first"))),
        for_second=tuple(map(_deciding, record.parts("for_second"))),
    )


def _deciding(record: Fields) -> DecidingText:
    return DecidingText(
        sentence=record.whole("sentence"),
        influence=record.number("influence"),
        source=record.text_or_none("source"),
        first=record.text_or_none("first"),
        second=record.text_or_none("second"),
    )
