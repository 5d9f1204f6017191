"""Sections of the report: each result with a lead in plain words, its tables and its figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import TYPE_CHECKING

from jurybox.annotators.result import AnnotatorsResult
from jurybox.ceiling.result import CeilingResult
from jurybox.ceiling.tables import best_of, listed
from jurybox.compare.result import CompareResult
from jurybox.figures import Curve, draw_scores
from jurybox.jury.evaluate.result import EvaluateResult
from jurybox.metaeval.result import MetaevalResult, MetricAgreement
from jurybox.metrics.options import EDIT_METRICS, title_of_score
from jurybox.raters.aggregate.result import AggregateResult
from jurybox.raters.agree.result import AgreeResult
from jurybox.raters.cost.result import CostResult
from jurybox.raters.screen.result import ScreenResult
from jurybox.report.html import Figure, Section
from jurybox.report.jury import jury_sections
from jurybox.report.parts import drawn
from jurybox.report.raters import (
    aggregate_sections,
    cost_sections,
    rater_sections,
    screen_sections,
)
from jurybox.report.sample import estimate_sections, plan_sections
from jurybox.results import TabularResult, show_interval
from jurybox.sample.estimate.result import SampleEstimateResult
from jurybox.sample.plan.result import SamplePlan
from jurybox.score.result import ScoreResult, SystemScore

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

METRICS = {"m2": "MaxMatch (M²)", "errant": "ERRANT", "gleu": "GLEU"}


def sections_of(results: Sequence[TabularResult]) -> list[Section]:
    """The sections of all results: people first, for without them no score says anything."""
    kinds = [*_SECTIONS]
    ordered = sorted(
        results, key=lambda one: kinds.index(type(one)) if type(one) in kinds else len(kinds)
    )
    seen: dict[str, int] = {}
    found = []
    for result in ordered:
        for section in _SECTIONS.get(type(result), _plain_sections)(result):
            # anchors must differ, also where two results are of the same kind
            count = seen[section.key] = seen.get(section.key, 0) + 1
            found.append(section._replace(key=f"{section.key}-{count}") if count > 1 else section)
    return found


# --- people ---


def _annotators_sections(result: AnnotatorsResult) -> list[Section]:
    tables = tuple(result.tables())
    figures = []
    if result.pairwise is not None:
        alt = f"Heat map: {result.score_title} of each annotator's text against each other one."
        figures.append(drawn(result.figure, f"{alt} {describe_pairs(result)}"))
    return [
        Section(
            key="people",
            title="The people",
            lead=f"{describe_people(result)} {describe_pairs(result)}".strip(),
            tables=tables[:1],
            figures=tuple(figures),
            notes=result.warnings,
            signature=result.signature,
            folded=tables[1:],
        )
    ]


def describe_people(result: AnnotatorsResult) -> str:
    """How much people agree on which edits to make."""
    people = len(result.names)
    edits = sum(profile.total for profile in result.annotators.values())
    who = "One person" if people == 1 else f"{people} people"
    text = f"{who} made {edits:,} edits in {result.corpus.sentences:,} sentences."
    if result.consensus is None or not result.consensus.edit:
        return text
    made = result.consensus.edit
    distinct = sum(one.distinct for one in made)
    alone = sum(one.distinct for one in made if one.made_by == 1)
    everybody = sum(one.distinct for one in made if one.made_by == one.of)
    return (
        f"{text} Of {distinct:,} distinct edits {alone / distinct:.0%} were made by a single "
        f"annotator, {everybody / distinct:.0%} by everybody who looked."
    )


def describe_pairs(result: AnnotatorsResult) -> str:
    """How one person scores against another."""
    scores = [pair.main for pair in result.pairwise or () if not isnan(pair.main)]
    if not scores:
        return ""
    ends = (sum(scores) / len(scores), min(scores), max(scores))
    mean, low, high = (_score(value, result.metric) for value in ends)
    return (
        f"One person scored against another reaches {result.score_title} {mean} on average "
        f"({low} to {high})."
    )


def _score(value: float, metric: str | None) -> str:
    return f"{100 * value:.2f}" if metric == "gleu" else f"{value:.4f}"


# --- scores ---


def _score_sections(result: ScoreResult) -> list[Section]:
    tables = tuple(result.tables())
    types = [system for system in result.systems if system.by_type]
    shown = len(tables) - len(types)
    return [
        Section(
            key="scores",
            title=f"Scores by {METRICS.get(result.metric, result.metric)}",
            lead=describe_scores(result),
            tables=tables[:shown],
            figures=_score_figure(result),
            notes=result.warnings,
            signature=result.signature,
            folded=tables[shown:],
        )
    ]


def main_score(result: ScoreResult, system: SystemScore) -> float:
    """F, or GLEU."""
    value = system.f if result.metric in EDIT_METRICS else system.score
    return float("nan") if value is None else value


def score_name(result: ScoreResult | CompareResult) -> str:
    """What the main score is called."""
    return title_of_score(result.metric, result.beta)


def best_systems(result: ScoreResult) -> list[SystemScore]:
    """The systems with the highest score: several if they tie, all if none has a score."""
    scores = [main_score(result, system) for system in result.systems]
    highest = max((score for score in scores if not isnan(score)), default=None)
    return [s for s, score in zip(result.systems, scores, strict=True) if score == highest] or list(
        result.systems
    )


def score_with_interval(result: ScoreResult, system: SystemScore) -> str:
    """As 0.3733 [0.3565, 0.3898]."""
    text = _score(main_score(result, system), result.metric)
    gleu = result.metric == "gleu"
    interval = system.intervals.get("f" if result.metric in EDIT_METRICS else "score")
    scale, digits = (100, 2) if gleu else (1, 4)
    if interval is not None and isnan(interval.low):
        return f"{text} (no interval: {interval.reason})"
    return f"{text} {show_interval(interval, scale=scale, digits=digits)}".strip()


def describe_scores(result: ScoreResult) -> str:
    """Who scores highest."""
    best, *tied = best_systems(result)
    shown = f"{score_name(result)} {score_with_interval(result, best)}"
    if len(result.systems) == 1:
        return f"{best.name} scores {shown}."
    names, verb = listed([best.name, *(s.name for s in tied)]), "score" if tied else "scores"
    return f"Of {len(result.systems)} systems {names} {verb} highest: {shown}."


def _score_figure(result: ScoreResult) -> tuple[Figure, ...]:
    """Dots with their intervals, where there is more than one to look at."""
    if len(result.systems) < 2:
        return ()
    name = "f" if result.metric in EDIT_METRICS else "score"
    intervals = {system.name: system.intervals.get(name) for system in result.systems}

    def draw() -> Drawing:
        return draw_scores(
            [
                Curve(
                    system.name,
                    (1,),
                    (main_score(result, system),),
                    None if at is None or isnan(at.low) else (at.low,),
                    None if at is None or isnan(at.high) else (at.high,),
                )
                for system in result.systems
                for at in [intervals[system.name]]
            ],
            title="Scores of the systems",
            score=score_name(result),
            note=result.signature,
        )

    listed = ", ".join(
        f"{system.name} {score_with_interval(result, system)}" for system in result.systems
    )
    return (drawn(draw, f"Dot plot of {score_name(result)}: {listed}."),)


# --- differences ---


def _compare_sections(result: CompareResult) -> list[Section]:
    tables = tuple(result.tables())
    return [
        Section(
            key="differences",
            title="Differences between systems",
            lead=describe_differences(result),
            tables=tables[1:2],
            figures=(),
            notes=result.warnings,
            signature=result.signature,
            folded=tables[2:],
        )
    ]


def describe_differences(result: CompareResult) -> str:
    """Which differences are more than chance, and what the test set could show at all."""
    pairs = len(result.pairs)
    if pairs == 1:
        pair, verdict = result.pairs[0], result.pairs[0].verdict(result.alpha)
        text = f"{pair.first} and {pair.second}: {verdict}."
        if pair.p_randomisation_holm <= result.alpha:
            text = f"{verdict} than {pair.first}: the difference is significant."
    else:
        significant = sum(pair.p_randomisation_holm <= result.alpha for pair in result.pairs)
        only = f" Each system is compared with {result.baseline} only." if result.baseline else ""
        text = f"{significant} of {pairs} pairwise differences are significant.{only}"
    return f"{text} {_describe_power(result)}".strip()


def _describe_power(result: CompareResult) -> str:
    """How large a difference these sentences could show."""
    seen = [p.smallest_detectable for p in result.pairs if not isnan(p.smallest_detectable)]
    if not seen:
        return ""
    scale = 100 if result.metric == "gleu" else 1
    low, high = (f"{scale * end:.2g}" for end in (min(seen), max(seen)))
    size = f"about {low}" if low == high else f"about {low} to {high}, pair by pair"
    return (
        f"To be shown in four of five tests on these sentences, a difference in "
        f"{score_name(result)} has to be {size}."
    )


# --- the human ceiling ---


def _ceiling_sections(result: CeilingResult) -> list[Section]:
    tables = tuple(result.tables())
    alt = "Curves: scores of people and systems against the number of reference annotators."
    if len(result.sizes) == 1:
        alt = "Dot plot: scores of people and systems against the other annotators."
    return [
        Section(
            key="types" if result.types else "ceiling",
            title="How far people agree, by type" if result.types else "How far from a person?",
            lead=describe_ceiling(result),
            tables=tables[:1],
            figures=(drawn(result.figure, f"{alt} {describe_ceiling(result)}"),),
            notes=result.warnings,
            signature=result.signature,
            folded=tables[1:],
        )
    ]


def describe_ceiling(result: CeilingResult) -> str:
    """What people reach against people, and how much of it the best system does."""
    last = result.sizes[-1]
    if last.reason:
        return f"There is no human score: {last.reason}."
    human = _score(result.human, result.metric)
    others = "one other" if last.annotators == 1 else f"{last.annotators} others"
    text = f"A person scored against {others} reaches {result.score_title()} {human}"
    best = best_of(result)
    if best is None:
        return f"{text}: this is the human ceiling."
    score = _score(result.score(best.names[0]), result.metric)
    comma = "," if best.among > 1 else ""
    text = f"{text}. {best}{comma} reaches {score}: {best.share:.0%} of human performance"
    if best.share > 1:
        text += ", which does not mean superhuman (see the notes below the table)"
    return f"{text}."


# --- metrics before people ---


def meta_sections(result: MetaevalResult) -> list[Section]:
    """Metrics before people."""
    tables = tuple(result.tables())
    return [
        Section(
            key="metrics",
            title="Metrics and people",
            lead=describe_metrics(result),
            tables=tables[:1],
            notes=result.warnings,
            signature=result.signature,
            folded=tables[1:],
        )
    ]


def describe_metrics(result: MetaevalResult) -> str:
    """Which metric puts most pairs of systems in people's order, and how sure that is."""
    levels = [_describe_level(result, level) for level in ("system", "sentence")]
    return " ".join(filter(None, levels)) or "No pair of systems is decided by people."


def _describe_level(result: MetaevalResult, level: str) -> str:
    known = [one for one in result.metrics if one.level == level and not isnan(_accuracy(one))]
    if not known:
        return ""
    best = max(known, key=_accuracy)
    found = best.by("pairwise_accuracy")
    pairs = "pairs of systems" if level == "system" else "pairs that people decided by sentence"
    most = "" if len(known) == 1 else "the most "
    shown = f"{found.value:z.4f} {show_interval(found.interval)}".strip()
    return f"{best.metric} puts {most}{pairs} in people's order: accuracy {shown}."


def _accuracy(metric: MetricAgreement) -> float:
    return metric.by("pairwise_accuracy").value


# --- anything else ---


def _plain_sections(result: TabularResult) -> list[Section]:
    record = result.to_dict()
    name = str(record["command"])
    return [
        Section(
            key=name,
            title=name.capitalize(),
            lead="",
            tables=tuple(result.tables()),
            figures=(),
            notes=tuple(record.get("warnings", ())),
            signature=str(record["signature"]),
        )
    ]


#: what makes sections of each kind of result, in the order of the report
_SECTIONS: dict[type, Callable[..., list[Section]]] = {
    AnnotatorsResult: _annotators_sections,
    ScoreResult: _score_sections,
    CompareResult: _compare_sections,
    CeilingResult: _ceiling_sections,
    MetaevalResult: meta_sections,
    EvaluateResult: jury_sections,
    AgreeResult: rater_sections,
    ScreenResult: screen_sections,
    AggregateResult: aggregate_sections,
    CostResult: cost_sections,
    SamplePlan: plan_sections,
    SampleEstimateResult: estimate_sections,
}
