"""The overview of the report: headline numbers, and what Chodorow et al. (2012) recommend to tell.

Sections 3.4 to 3.6 of the paper each end in recommendations: report the four counts, kappa and its
curve, prevalence and bias; say how large the unit is and count error types apart; weigh by how many
judges agree; say what the negatives are and how many of them a rule decided. Intervals and the
number of judges are asked for in section 3.1 and by Madnani et al. (2011).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import NamedTuple, TypeVar

from jurybox.annotators.result import AnnotatorsResult
from jurybox.ceiling.result import CeilingResult
from jurybox.ceiling.tables import best_of, listed
from jurybox.compare.result import CompareResult
from jurybox.errors import plural
from jurybox.jury.evaluate.result import EvaluateResult
from jurybox.metrics.options import EDIT_METRICS
from jurybox.raters.agree.result import AgreeResult
from jurybox.report.html import Highlight, Recommendation
from jurybox.report.jury import best_by_kappa, name_cases
from jurybox.report.sections import best_systems, score_name, score_with_interval
from jurybox.results import TabularResult
from jurybox.sample.estimate.result import SampleEstimateResult
from jurybox.score.result import ScoreResult

MET, PARTLY, MISSING = "met", "partly", "missing"
Kind = TypeVar("Kind", bound=TabularResult)


class ResultsByKind(NamedTuple):
    """The results of a report by kind."""

    annotators: Sequence[AnnotatorsResult]
    scores: Sequence[ScoreResult]
    comparisons: Sequence[CompareResult]
    ceilings: Sequence[CeilingResult]
    evaluations: Sequence[EvaluateResult]
    agreements: Sequence[AgreeResult]
    samples: Sequence[SampleEstimateResult]


def sort_out(results: Sequence[TabularResult]) -> ResultsByKind:
    """Which results there are."""

    def those(kind: type[Kind]) -> list[Kind]:
        return [result for result in results if isinstance(result, kind)]

    return ResultsByKind(
        those(AnnotatorsResult),
        those(ScoreResult),
        those(CompareResult),
        [one for one in those(CeilingResult) if not one.types],
        those(EvaluateResult),
        those(AgreeResult),
        those(SampleEstimateResult),
    )


# --- headline numbers ---


def highlights_of(results: Sequence[TabularResult]) -> tuple[Highlight, ...]:
    """The numbers at the top: one from each kind of result."""
    return tuple(_highlights(sort_out(results)))


def _highlights(given: ResultsByKind) -> Iterator[Highlight]:
    for score in given.scores[:1]:
        best = best_systems(score)
        value, _, interval = score_with_interval(score, best[0]).partition(" ")
        title = f"{score_name(score)} of {listed([system.name for system in best])}"
        place = f"the best of {len(score.systems)}" if len(score.systems) > 1 else ""
        place += " (tied)" if len(best) > 1 else ""
        yield Highlight(value, title, ", ".join(filter(None, (interval, place))), "scores")
    for ceiling in given.ceilings[:1]:
        yield from _from_ceiling(ceiling)
    for compared in given.comparisons[:1]:
        significant = sum(pair.p_randomisation_holm <= compared.alpha for pair in compared.pairs)
        pairs = len(compared.pairs)
        only = f" (each with {compared.baseline})" if pairs > 1 and compared.baseline else ""
        detail = f"significant at {compared.alpha:g}{only}"
        yield Highlight(f"{significant} of {pairs}", "pairwise differences", detail, "differences")
    for panel in given.annotators[:1]:
        if panel.consensus and panel.consensus.edit:
            made = panel.consensus.edit
            alone = sum(one.distinct for one in made if one.made_by == 1)
            share = alone / sum(one.distinct for one in made)
            detail = "made by a single annotator"
            yield Highlight(f"{share:.0%}", "of distinct edits", detail, "people")
    for evaluation in given.evaluations[:1]:
        best_kappa = best_by_kappa(evaluation)
        if best_kappa is not None:
            name, kappa = best_kappa
            detail = f"weighted by {evaluation.judges.raters} judges, {name_cases(evaluation)}"
            yield Highlight(f"{kappa:z.2f}", f"kappa of {name}", detail, "jury-counts")

    for agreement in given.agreements[:1]:
        alpha = agreement.alpha()
        if not isnan(alpha):
            detail = f"{agreement.sizes.raters} raters on {agreement.sizes.cases:,} cases"
            yield Highlight(f"{alpha:z.2f}", "alpha among raters", detail, "raters-agreement")
    for sample in given.samples[:1]:
        yield from _from_sample(sample)


def _from_sample(sample: SampleEstimateResult) -> Iterator[Highlight]:
    judged = sum(one.judged for one in sample.strata)
    for name in ("precision", "recall"):
        one = sample[name]
        if not isnan(one.estimate):
            detail = f"({one.low:.2f} to {one.high:.2f}), from {judged:,} of {sample.size:,} cases"
            yield Highlight(f"{one.estimate:.2f}", name, detail, "sample-estimate")


def _from_ceiling(ceiling: CeilingResult) -> Iterator[Highlight]:
    best = best_of(ceiling)
    if best is not None:
        score, human = (_shown(ceiling, x) for x in (ceiling.score(best.names[0]), ceiling.human))
        detail = f"{best}, {score} of {human}"
        yield Highlight(f"{best.share:.0%}", "of human performance", detail, "ceiling")
    if not isnan(ceiling.human):
        others = ceiling.sizes[-1].annotators
        detail = f"{ceiling.score_title()} of a person against {plural(others, 'other')}"
        yield Highlight(_shown(ceiling, ceiling.human), "human ceiling", detail, "ceiling")


def _shown(ceiling: CeilingResult, score: float) -> str:
    return f"{100 * score:.1f}" if ceiling.metric == "gleu" else f"{score:.3f}"


# --- recommendations ---


def recommendations_of(results: Sequence[TabularResult]) -> tuple[Recommendation, ...]:
    """The recommendations of Chodorow et al. (2012), each with how far this report meets it.

    They are about systems: a report about people alone is not held against them.
    """
    given = sort_out(results)
    with_systems = any(ceiling.systems for ceiling in given.ceilings)
    if not (given.scores or given.comparisons or given.evaluations or with_systems):
        return ()
    return (
        _four_counts(given),
        _prevalence_and_bias(given),
        _what_n_is(given),
        _trivial_negatives(given),
        _unit(given),
        _types(given),
        _kappa(given),
        _judges(given),
        _intervals(given),
    )


def _four_counts(given: ResultsByKind) -> Recommendation:
    title = "The four counts: TP, FP, FN and TN"
    if given.evaluations:
        count = len(given.evaluations[0].systems)
        systems = "one system" if count == 1 else f"{count} systems"
        return Recommendation(title, MET, f"plain and weighted, for {systems}", "jury-counts")
    if given.scores and given.scores[0].metric in EDIT_METRICS:
        detail = "TP, FP and FN of edits; true negatives need cases: jurybox evaluate"
        return Recommendation(title, PARTLY, detail, "scores")
    return Recommendation(title, MISSING, "jurybox evaluate gives them")


def _prevalence_and_bias(given: ResultsByKind) -> Recommendation:
    title = "Prevalence and bias beside precision and recall"
    for one in given.evaluations:
        bias = ", ".join(f"{s.name} {s.plain.value('bias'):z.3f}" for s in one.systems[:4])
        more = " …" if len(one.systems) > 4 else ""
        detail = f"prevalence {one.error_rate:.3f}; bias {bias}{more}"
        return Recommendation(title, MET, detail, "jury-counts")
    return Recommendation(title, MISSING, "jurybox evaluate gives them")


def _what_n_is(given: ResultsByKind) -> Recommendation:
    title = "What N consists of"
    for one in given.evaluations:
        said = one.description
        text = "; ".join(filter(None, (said.unit, said.enumeration))) or said.construction
        if text:
            return Recommendation(title, MET, f"{one.cases.n:,} cases: {text}", "jury-counts")
        detail = f"{one.cases.n:,} cases, not described: begin the cases file with a description"
        return Recommendation(title, PARTLY, detail, "jury-counts")
    return Recommendation(title, MISSING, "a described case set: jurybox cases derive")


def _trivial_negatives(given: ResultsByKind) -> Recommendation:
    title = "Trivial negatives, with and without"
    for one in given.evaluations:
        if one.cases.trivial:
            detail = f"{one.cases.trivial:,} of {one.cases.n:,} cases were decided by a rule; "
            return Recommendation(title, MET, f"{detail}both are shown", "jury-counts")
        return Recommendation(title, MET, "no case was decided by a rule", "jury-counts")
    return Recommendation(title, MISSING, "jurybox evaluate counts them")


def _unit(given: ResultsByKind) -> Recommendation:
    title = "The size of the unit"
    for one in given.evaluations:
        if one.description.unit:
            return Recommendation(title, MET, f"one case: {one.description.unit}", "jury-counts")
    for score in given.scores:
        if score.metric == "gleu":
            detail = "GLEU compares n-grams of whole sentences: there is no error unit"
            return Recommendation(title, PARTLY, detail, "scores")
        detail = "an edit, as annotators delimit it"
        if score.metric == "m2":
            detail += f", with up to {score.options.max_unchanged_words} unchanged words inside"
        return Recommendation(title, MET, detail, "scores")
    return Recommendation(title, MISSING, "say what one case is, in the description of the cases")


def _types(given: ResultsByKind) -> Recommendation:
    title = "Counts per error type"
    for score in given.scores:
        typed = [system for system in score.systems if system.by_type]
        if typed:
            detail = f"{len(typed[0].by_type)} types for each system"
            return Recommendation(title, MET, detail, "scores")
    if given.evaluations:
        names = ", ".join(name_cases(one) for one in given.evaluations)
        return Recommendation(title, PARTLY, f"{names} only", "jury-counts")
    if any(score.metric == "gleu" for score in given.scores):
        return Recommendation(title, MISSING, "GLEU has no edits: --metric m2 or errant gives them")
    return Recommendation(title, MISSING, "jurybox score --by type gives them")


def _kappa(given: ResultsByKind) -> Recommendation:
    title = "Kappa and its curve"
    for one in given.evaluations:
        traced = [system.name for system in one.systems if system.curves]
        if traced:
            whole = len(traced) == len(one.systems)
            detail = "at the system's threshold and all others"
            detail += (
                "" if whole else f"; a curve of {', '.join(traced)} only: others have no scores"
            )
            return Recommendation(title, MET if whole else PARTLY, detail, "jury-thresholds")
    if given.evaluations:
        detail = "kappa, but no curve: the decisions have no scores"
        return Recommendation(title, PARTLY, detail, "jury-counts")
    return Recommendation(title, MISSING, "jurybox evaluate gives kappa, and its curve from scores")


def _judges(given: ResultsByKind) -> Recommendation:
    title = "How many judges, and counts weighted by them"
    for one in given.evaluations:
        detail = f"{one.judges.raters} judges, {one.judges.per_case[1]:g} on a case (median)"
        state = MET if one.judges.per_case[1] > 1 else PARTLY
        return Recommendation(title, state, detail, "jury-counts")
    for score in given.scores:
        graded = any(system.graded for system in score.systems)
        detail = "edits weighted by how many annotators made them" if graded else "not weighted"
        if "refs:1|" in score.signature:
            return Recommendation(title, PARTLY, "one annotator: nothing to weigh by", "scores")
        return Recommendation(title, MET if graded else PARTLY, detail, "scores")
    return Recommendation(title, MISSING, "several judges, and jurybox evaluate")


def _intervals(given: ResultsByKind) -> Recommendation:
    title = "Intervals"
    where = [
        *(("scores", "scores") for one in given.scores if any(s.intervals for s in one.systems)),
        *(("differences", "differences") for one in given.comparisons),
        *(
            ("ceiling", "ceiling")
            for one in given.ceilings
            if one.sizes[-1].human_interval is not None
        ),
        *(
            ("detection", "jury-certainty")
            for one in given.evaluations
            if any(s.intervals for s in one.systems)
        ),
    ]
    without = [
        *("scores" for one in given.scores if not any(s.intervals for s in one.systems)),
        *("ceiling" for one in given.ceilings if one.sizes[-1].human_interval is None),
        *("detection" for one in given.evaluations if not any(s.intervals for s in one.systems)),
    ]
    if not where:
        return Recommendation(title, MISSING, "the commands give them with --ci")
    told = f"of {', '.join(dict.fromkeys(what for what, _ in where))}, by bootstrap"
    if without:
        told += f"; none of {', '.join(dict.fromkeys(without))}: these commands have --ci"
    return Recommendation(title, PARTLY if without else MET, told, where[0][1])
