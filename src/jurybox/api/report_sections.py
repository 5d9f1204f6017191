"""Sections of the report: each result with a lead in plain words, its tables and its figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from jurybox.api.aggregate_result import AggregateResult
from jurybox.api.agree_result import AgreeResult
from jurybox.api.annotators_result import AnnotatorsResult
from jurybox.api.ceiling_result import CeilingResult
from jurybox.api.comparison import CompareResult, PairResult
from jurybox.api.cost_result import CostResult
from jurybox.api.evaluation import EvaluateResult
from jurybox.api.meta_result import MetaResult
from jurybox.api.options import EDIT_METRICS, title_of_score
from jurybox.api.report_crowd import aggregate_sections, cost_sections, screen_sections
from jurybox.api.report_figures import drawn
from jurybox.api.report_jury import jury_sections
from jurybox.api.report_meta import meta_sections
from jurybox.api.report_raters import rater_sections
from jurybox.api.report_sample import estimate_sections, plan_sections
from jurybox.api.results import ScoreResult, SystemScore, TabularResult, show_interval
from jurybox.api.sample_estimated import SampleEstimateResult
from jurybox.api.sample_plan_result import SamplePlan
from jurybox.api.screen_result import ScreenResult
from jurybox.report.html import Figure, Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

METRICS = {"m2": "MaxMatch (M²)", "errant": "ERRANT", "gleu": "GLEU"}


class Kind(NamedTuple):
    """Where results of a kind stand in the report, and what makes sections of them."""

    place: int
    make: Callable[..., list[Section]]


def sections_of(results: Sequence[TabularResult]) -> list[Section]:
    """The sections of all results: people first, for without them no score says anything."""
    kinds = [(_KINDS.get(type(result), OTHER), result) for result in results]
    made = [kind.make(result) for kind, result in sorted(kinds, key=lambda one: one[0].place)]
    return _with_own_keys([section for sections in made for section in sections])


def _with_own_keys(sections: Sequence[Section]) -> list[Section]:
    """Anchors must differ, also where two results are of the same kind."""
    seen: dict[str, int] = {}
    keyed = []
    for section in sections:
        count = seen[section.key] = seen.get(section.key, 0) + 1
        keyed.append(section._replace(key=f"{section.key}-{count}") if count > 1 else section)
    return keyed


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
    edits = sum(profile.total for profile in result.annotators)
    text = f"{_people(people)} made {edits:,} edits in {result.corpus.sentences:,} sentences."
    if result.consensus is None or not result.consensus["edit"]:
        return text
    made = result.consensus["edit"]
    distinct = sum(made.values())
    alone = sum(count for (by, _), count in made.items() if by == 1)
    everybody = sum(count for (by, of), count in made.items() if by == of)
    return (
        f"{text} Of {distinct:,} different edits {alone / distinct:.0%} were made by one person "
        f"only, {everybody / distinct:.0%} by everybody who looked."
    )


def describe_pairs(result: AnnotatorsResult) -> str:
    """How one person scores against another."""
    scores = [pair.main for pair in result.pairwise or () if not isnan(pair.main)]
    if not scores:
        return ""
    mean, low, high = (_score(x, result.metric) for x in _mean_and_ends(scores))
    return (
        f"One person scored against another reaches {result.score_title} {mean} on average "
        f"({low} to {high})."
    )


def _people(count: int) -> str:
    return "One person" if count == 1 else f"{count} people"


def _mean_and_ends(values: Sequence[float]) -> tuple[float, float, float]:
    return sum(values) / len(values), min(values), max(values)


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


def best_system(result: ScoreResult) -> SystemScore:
    """The system with the highest score."""
    return max(result.systems, key=lambda system: main_score(result, system))


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
    best = best_system(result)
    told = f"{score_name(result)} {score_with_interval(result, best)}"
    if len(result.systems) == 1:
        return f"{best.name} scores {told}."
    return f"Of {len(result.systems)} systems {best.name} scores highest: {told}."


def _score_figure(result: ScoreResult) -> tuple[Figure, ...]:
    """Dots with their intervals, where there is more than one to look at."""
    if len(result.systems) < 2:
        return ()
    name = "f" if result.metric in EDIT_METRICS else "score"
    intervals = {system.name: system.intervals.get(name) for system in result.systems}

    def draw() -> Drawing:
        from jurybox.report.figures import Curve, draw_scores

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
    if result.undecided:
        text = f"{result.undecided}."
    elif pairs == 1:
        text = _one_difference(result, result.pairs[0])
    else:
        told = sum(pair.p_randomisation_holm <= result.alpha for pair in result.pairs)
        beside = f" Each system beside {result.baseline} alone." if result.baseline else ""
        text = f"{told} of {pairs} differences are more than chance would explain.{beside}"
    return f"{text} {_describe_power(result)}".strip()


def _describe_power(result: CompareResult) -> str:
    """What these sentences could show at all; and where the two tests do not agree."""
    seen = [p.smallest_detectable for p in result.pairs if not isnan(p.smallest_detectable)]
    if not seen:
        return ""
    scale = 100 if result.metric == "gleu" else 1
    low, high = (f"{scale * end:.2g}" for end in (min(seen), max(seen)))
    size = f"about {low}" if low == high else f"about {low} to {high}, pair by pair"
    text = (
        f"To be shown in four of five tests on these sentences, a difference in "
        f"{score_name(result)} has to be {size}."
    )
    split = [
        f"{pair.second} and {pair.first}"
        for pair in result.pairs
        if not isnan(pair.interval.low)
        and pair.p_randomisation_holm <= result.alpha
        and pair.interval.low <= 0 <= pair.interval.high
    ]
    if split and not result.undecided:
        text += f" The tests do not agree on {', '.join(split[:3])}: the interval includes 0."
    return text


def _one_difference(result: CompareResult, pair: PairResult) -> str:
    verdict = pair.verdict(result.alpha, result.lowest_p)
    if verdict in ("not told apart", "cannot be told"):
        return f"{pair.first} and {pair.second} cannot be told apart on these sentences."
    return f"The verdict: {verdict} than {pair.first}, by more than chance would explain."


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
    """What people reach against people, and how near the best system comes."""
    last = result.sizes[-1]
    if last.reason:
        return f"There is no human score: {last.reason}."
    human = _score(result.human, result.metric)
    text = (
        f"A person scored against {_others(last.annotators)} reaches {result.score_title()} {human}"
    )
    near = {name: result.ratio(name) for name in result.systems if not isnan(result.ratio(name))}
    if not near:
        return f"{text}: this is the ceiling for a system."
    best = max(near, key=near.__getitem__)
    verb = "comes nearest with" if len(near) > 1 else "reaches"
    score = _score(result.score(best), result.metric)
    return f"{text}. {best} {verb} {score}: {near[best]:.0%} of a person."


def _others(count: int) -> str:
    return "one other" if count == 1 else f"{count} others"


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


_KINDS: dict[type, Kind] = {
    AnnotatorsResult: Kind(0, _annotators_sections),
    ScoreResult: Kind(1, _score_sections),
    CompareResult: Kind(2, _compare_sections),
    CeilingResult: Kind(3, _ceiling_sections),
    MetaResult: Kind(4, meta_sections),
    EvaluateResult: Kind(5, jury_sections),
    AgreeResult: Kind(6, rater_sections),
    ScreenResult: Kind(7, screen_sections),
    AggregateResult: Kind(8, aggregate_sections),
    CostResult: Kind(9, cost_sections),
    SamplePlan: Kind(10, plan_sections),
    SampleEstimateResult: Kind(11, estimate_sections),
}
OTHER = Kind(12, _plain_sections)
