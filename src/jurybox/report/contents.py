"""What the report says of its results: headline numbers, recommendations, a section for each.

A section is a lead in plain words, tables and figures. The recommendations are those of Chodorow et
al. (2012), sections 3.4 to 3.6: report the four counts, kappa and its curve, prevalence and bias;
say how large the unit is and count error types apart; weigh by how many judges agree; say what the
negatives are and how many of them a rule decided. Intervals and the number of judges are asked for
in section 3.1 and by Madnani et al. (2011).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, TypeVar

from jurybox.annotators.result import AnnotatorsResult
from jurybox.ceiling.result import CeilingResult, best_of, listed
from jurybox.compare.result import CompareResult
from jurybox.errors import plural
from jurybox.figures import Curve, draw_curves, svg_text
from jurybox.jury.evaluate.result import EvaluateResult
from jurybox.jury.evaluate.tables import EvaluationTables
from jurybox.metaeval.result import MetaevalResult, MetricAgreement
from jurybox.metrics.options import EDIT_METRICS, title_of_score
from jurybox.raters.aggregate.result import AggregateResult
from jurybox.raters.agree.crowd import FEW_CASES
from jurybox.raters.agree.result import AgreeResult
from jurybox.raters.agree.tables import AgreeTables
from jurybox.raters.cost.pay import show_money
from jurybox.raters.cost.result import CostResult, show_hours
from jurybox.raters.screen.result import ScreenResult
from jurybox.report.html import Figure, Highlight, Recommendation, Section
from jurybox.results import TabularResult, show_interval
from jurybox.sample.estimate.result import SampleEstimateResult
from jurybox.sample.plan.result import SamplePlan, show_half
from jurybox.score.result import ScoreResult, SystemScore
from jurybox.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

MET, PARTLY, MISSING = "met", "partly", "missing"
METRICS = {"m2": "MaxMatch (M²)", "errant": "ERRANT", "gleu": "GLEU"}
#: titles of the parts of an evaluation, and of what is said about raters
JURY_TITLES = {
    "counts": "Detection against raters",
    "agreement": "Where people agree, where they do not",
    "raters": "Each rater alone",
    "certainty": "Confidence intervals",
    "thresholds": "Over all thresholds",
    "stability": "Stability",
    "other_corpus": "Compared with another corpus",
}
RATER_TITLES = {
    "agreement": "How far raters agree",
    "crowd": "Crowds of N against experts and known answers",
    "pairs": "Rater by rater",
    "further": "More about the raters",
}
#: figure of an evaluation -> the part it belongs to, and what it shows
JURY_FIGURES = {
    "histogram": ("agreement", "Bars: how many cases have which agreement of the raters."),
    "precision-recall": (
        "agreement",
        "Precision and recall of each system, for cases with low to high agreement of the raters.",
    ),
    "kappa": ("agreement", "Kappa of each system, by agreement of the raters."),
    "pr-curve": ("thresholds", "Precision against recall over all thresholds."),
    "roc": (
        "thresholds",
        "ROC curves: true positive rate against false positive rate over all thresholds.",
    ),
    "auk": ("thresholds", "Kappa against the false positive rate over all thresholds."),
    "thresholds": (
        "thresholds",
        "Precision, recall and F1 against the share of cases reported, over all thresholds.",
    ),
}
#: with more raters than this a matrix of pairs is too large for the page
MOST_RATERS = 25
#: dropped raters that are named
MOST_NAMED = 8
#: estimates of a sample in its figure; others are shares of all cases, too small to be seen there
ESTIMATES_DRAWN = ("precision", "recall", "f")
Kind = TypeVar("Kind", bound=TabularResult)


def sections_of(results: Sequence[TabularResult]) -> list[Section]:
    """The sections of all results: annotators first, for without them no score says anything."""
    kinds = [*_SECTIONS]
    ordered = sorted(
        results, key=lambda one: kinds.index(type(one)) if type(one) in kinds else len(kinds)
    )
    seen: dict[str, int] = {}
    found = []
    for result in ordered:
        for section in _SECTIONS.get(type(result), _other_sections)(result):
            # anchors must differ, also where two results are of the same kind
            count = seen[section.key] = seen.get(section.key, 0) + 1
            found.append(section._replace(key=f"{section.key}-{count}") if count > 1 else section)
    return found


def _section(
    result: TabularResult,
    key: str,
    title: str,
    lead: str = "",
    *,
    tables: Sequence[Table] | None = None,
    shown: int | None = 1,
    figures: Sequence[Figure] = (),
    group: str = "",
) -> Section:
    """A result as a section: its first tables are shown (None: all), the others on demand."""
    every = tuple(result.tables() if tables is None else tables)
    return Section(
        key=key,
        title=title,
        lead=lead,
        tables=every[:shown],
        figures=tuple(figures),
        notes=getattr(result, "warnings", ()),  # some have none
        signature=result.signature,
        group=group,
        folded=() if shown is None else every[shown:],
    )


def _part_sections(
    result: TabularResult,
    parts: Mapping[str, Sequence[Table]],
    kind: str,
    *,
    group: str,
    titles: Mapping[str, str],
    leads: Mapping[str, str],
    figures: Mapping[str, Sequence[Figure]],
) -> list[Section]:
    """A section for each part of a result's tables; warnings stand in the first."""
    first, *others = (
        _section(
            result,
            f"{kind}-{part}",
            titles[part],
            leads.get(part, ""),
            tables=tables,
            shown=None,
            figures=figures.get(part, ()),
            group=group,
        )
        for part, tables in parts.items()
    )
    return [first, *(one._replace(notes=()) for one in others)]


def _figure(drawing: Drawing, alt: str) -> Figure:
    """A figure as it stands in the page; `alt` says in words what it shows."""
    return Figure(svg_text(drawing), alt)


def _score(value: float, metric: str | None) -> str:
    return f"{100 * value:.2f}" if metric == "gleu" else f"{value:.4f}"


# --- annotators ---


def _annotators_sections(result: AnnotatorsResult) -> list[Section]:
    people = len(result.names)
    edits = sum(profile.total for profile in result.annotators.values())
    who = "One person" if people == 1 else f"{people} people"
    lead = f"{who} made {edits:,} edits in {result.corpus.sentences:,} sentences."
    if result.consensus is not None and (made := result.consensus.edit):
        distinct = sum(one.distinct for one in made)
        alone = sum(one.distinct for one in made if one.made_by == 1)
        everybody = sum(one.distinct for one in made if one.made_by == one.of)
        lead += (
            f" Of {distinct:,} distinct edits {alone / distinct:.0%} were made by a single "
            f"annotator, {everybody / distinct:.0%} by everybody who looked."
        )
    pairs = ""
    if scores := [pair.main for pair in result.pairwise or () if not isnan(pair.main)]:
        ends = (sum(scores) / len(scores), min(scores), max(scores))
        mean, low, high = (_score(value, result.metric) for value in ends)
        pairs = (
            f"One person scored against another reaches {result.score_title} {mean} on average "
            f"({low} to {high})."
        )
    figures = []
    if result.pairwise is not None:
        alt = f"Heat map: {result.score_title} of each annotator's text against each other one."
        figures = [_figure(result.figure(), f"{alt} {pairs}")]
    return [_section(result, "people", "The people", f"{lead} {pairs}".strip(), figures=figures)]


# --- scores ---


def _main_score(result: ScoreResult, system: SystemScore) -> float:
    """F, or GLEU."""
    value = system.f if result.metric in EDIT_METRICS else system.score
    return float("nan") if value is None else value


def _score_name(result: ScoreResult | CompareResult) -> str:
    return title_of_score(result.metric, result.beta)


def _best_systems(result: ScoreResult) -> list[SystemScore]:
    """The systems with the highest score: several if they tie, all if none has a score."""
    scores = [_main_score(result, system) for system in result.systems]
    highest = max((score for score in scores if not isnan(score)), default=None)
    return [s for s, score in zip(result.systems, scores, strict=True) if score == highest] or list(
        result.systems
    )


def _score_with_interval(result: ScoreResult, system: SystemScore) -> str:
    """As 0.3733 [0.3565, 0.3898]."""
    text = _score(_main_score(result, system), result.metric)
    interval = system.intervals.get("f" if result.metric in EDIT_METRICS else "score")
    scale, digits = (100, 2) if result.metric == "gleu" else (1, 4)
    if interval is not None and isnan(interval.low):
        return f"{text} (no interval: {interval.reason})"
    return f"{text} {show_interval(interval, scale=scale, digits=digits)}".strip()


def _score_sections(result: ScoreResult) -> list[Section]:
    best, *tied = _best_systems(result)
    score = f"{_score_name(result)} {_score_with_interval(result, best)}"
    lead = f"{best.name} scores {score}."
    figures = []
    if len(result.systems) > 1:
        names, verb = listed([best.name, *(s.name for s in tied)]), "score" if tied else "scores"
        lead = f"Of {len(result.systems)} systems {names} {verb} highest: {score}."
        told = ", ".join(f"{s.name} {_score_with_interval(result, s)}" for s in result.systems)
        alt = f"Dot plot of {_score_name(result)}: {told}."
        figures = [_figure(_draw_systems(result), alt)]
    title = f"Scores by {METRICS.get(result.metric, result.metric)}"
    tables = result.tables()
    by_type = sum(bool(system.by_type) for system in result.systems)
    shown = len(tables) - by_type
    return [_section(result, "scores", title, lead, tables=tables, shown=shown, figures=figures)]


def _draw_systems(result: ScoreResult) -> Drawing:
    """Dots with their intervals."""
    name = "f" if result.metric in EDIT_METRICS else "score"
    curves = []
    for system in result.systems:
        at = system.intervals.get(name)
        low, high = (None, None) if at is None or isnan(at.low) else ((at.low,), (at.high,))
        curves.append(Curve(system.name, (1,), (_main_score(result, system),), low, high))
    title = "Scores of the systems"
    score = _score_name(result)
    return draw_curves(curves, title=title, score=score, note=result.signature, size_label="")


# --- differences ---


def _compare_sections(result: CompareResult) -> list[Section]:
    """Which differences are more than chance, and what the test set could show at all."""
    pairs = len(result.pairs)
    if pairs == 1:
        pair, verdict = result.pairs[0], result.pairs[0].verdict(result.alpha)
        lead = f"{pair.first} and {pair.second}: {verdict}."
        if pair.p_randomisation_holm <= result.alpha:
            lead = f"{verdict} than {pair.first}: the difference is significant."
    else:
        significant = sum(pair.p_randomisation_holm <= result.alpha for pair in result.pairs)
        only = f" Each system is compared with {result.baseline} only." if result.baseline else ""
        lead = f"{significant} of {pairs} pairwise differences are significant.{only}"
    if seen := [p.smallest_detectable for p in result.pairs if not isnan(p.smallest_detectable)]:
        scale = 100 if result.metric == "gleu" else 1
        low, high = (f"{scale * end:.2g}" for end in (min(seen), max(seen)))
        size = f"about {low}" if low == high else f"about {low} to {high}, pair by pair"
        lead += (
            f" To be shown in four of five tests on these sentences, a difference in "
            f"{_score_name(result)} has to be {size}."
        )
    title = "Differences between systems"
    return [_section(result, "differences", title, lead, tables=result.tables()[1:])]


# --- the human ceiling ---


def _ceiling_sections(result: CeilingResult) -> list[Section]:
    lead = _describe_ceiling(result)
    alt = "Curves: scores of people and systems against the number of reference annotators."
    if len(result.sizes) == 1:
        alt = "Dot plot: scores of people and systems against the other annotators."
    key, title = "ceiling", "How far from a person?"
    if result.types:
        key, title = "types", "How far people agree, by type"
    figures = [_figure(result.figure(), f"{alt} {lead}")]
    return [_section(result, key, title, lead, figures=figures)]


def _describe_ceiling(result: CeilingResult) -> str:
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


# --- metrics against people ---


def _accuracy(metric: MetricAgreement) -> float:
    return metric.by("pairwise_accuracy").value


def _metaeval_sections(result: MetaevalResult) -> list[Section]:
    """Which metric puts most pairs of systems in people's order, and how sure that is."""
    leads = []
    for level, pairs in (
        ("system", "pairs of systems"),
        ("sentence", "pairs that people decided by sentence"),
    ):
        known = [one for one in result.metrics if one.level == level and not isnan(_accuracy(one))]
        if known:
            best = max(known, key=_accuracy)
            found = best.by("pairwise_accuracy")
            most = "" if len(known) == 1 else "the most "
            shown = f"{found.value:z.4f} {show_interval(found.interval)}".strip()
            leads.append(f"{best.metric} puts {most}{pairs} in people's order: accuracy {shown}.")
    lead = " ".join(leads) or "No pair of systems is decided by people."
    return [_section(result, "metrics", "Metrics and people", lead)]


# --- detectors before a jury ---


def _jury_sections(result: EvaluateResult) -> list[Section]:
    """A section for each question that an evaluation answers."""
    figures: dict[str, list[Figure]] = {}
    scored = any(system.curves for system in result.systems)
    for kind, (part, alt) in JURY_FIGURES.items():
        if scored or part != "thresholds":
            figures.setdefault(part, []).append(_figure(result.figure(kind), alt))
    return _part_sections(
        result,
        EvaluationTables(result).parts(),
        "jury",
        group=_name_cases(result),
        titles=JURY_TITLES,
        leads={"counts": _describe_counts(result), "agreement": _describe_contentious(result)},
        figures=figures,
    )


def _name_cases(result: EvaluateResult) -> str:
    """What was judged, in a word or two: what is there and what is missing are the same kind."""
    named = (result.description.construction or result.corpus.name or "judged").split(", ")
    kinds = list(dict.fromkeys(name.removeprefix("missing-") for name in named))
    return f"{' and '.join(filter(None, (', '.join(kinds[:-1]), kinds[-1])))} cases"


def _best_by_kappa(result: EvaluateResult) -> tuple[str, float] | None:
    """The system with the highest weighted kappa, or None where no kappa is defined."""
    found = {s.name: s.weighted.value("cohen_kappa") for s in result.systems}
    defined = {name: kappa for name, kappa in found.items() if not isnan(kappa)}
    return max(defined.items(), key=lambda one: one[1]) if defined else None


def _describe_counts(result: EvaluateResult) -> str:
    """Who judged what, and who does best."""
    cases, judges = result.cases, result.judges
    text = (
        f"{judges.raters} raters gave {judges.judgments:,} judgments on {cases.judged:,} cases; "
        f"{result.error_rate:.1%} are errors for most of them."
    )
    best = _best_by_kappa(result)
    if best is None:
        return f"{text} Kappa is undefined for every system."
    name, kappa = best
    scored = result[name].weighted
    precision, recall = scored.value("precision"), scored.value("recall")
    told = f"kappa {kappa:.3f}, precision {precision:.3f}, recall {recall:.3f}"
    highest = "" if len(result.systems) == 1 else "the highest kappa: "
    return f"{text} Weighted by how many people agree, {name} has {highest}{told}."


def _describe_contentious(result: EvaluateResult) -> str:
    """How often a system flags what people themselves do not agree on."""
    parts = [
        f"{system.name} {system.contentious.share_of_reports:.0%}"
        for system in result.systems
        if not isnan(system.contentious.share_of_reports)
    ]
    if not parts:
        return ""
    below = result.systems[0].contentious.below
    return (
        f"Share of each system's reports on which people themselves disagree (fewer than "
        f"{below:.0%} say the same): {', '.join(parts)}."
    )


# --- raters: agreement, crowds, who is screened out, labels, cost ---


def _rater_sections(result: AgreeResult) -> list[Section]:
    """A section for each question about raters that the data answer."""
    crowd = _describe_crowd(result)
    figures: dict[str, list[Figure]] = {}
    if any(not isnan(point.kappa) for point in result.crowd.crowd_of_n):
        alt = f"Curves: kappa of crowds of N raters. {crowd}"
        figures["crowd"] = [_figure(result.figure("crowd"), alt)]
    names = {name for pair in result.pairs for name in pair[:2]}
    kappas = [pair.kappa for pair in result.pairs if not isnan(pair.kappa)]
    if 2 < len(names) <= MOST_RATERS and kappas:
        ends = f"{min(kappas):z.2f} to {max(kappas):z.2f}"
        alt = f"Heat map: Cohen's kappa of every two raters, {ends}."
        figures["pairs"] = [_figure(result.figure("pairs"), alt)]
    return _part_sections(
        result,
        AgreeTables(result).parts(),
        "raters",
        group="raters",
        titles=RATER_TITLES,
        leads={"agreement": _describe_agreement(result), "crowd": crowd},
        figures=figures,
    )


def _describe_agreement(result: AgreeResult) -> str:
    """Who judged what, and how far they agree."""
    sizes = result.sizes
    text = (
        f"{sizes.raters} raters gave {sizes.judgments:,} judgments on {sizes.cases:,} cases; "
        f"labels are {', '.join(list(result.labels)[:6])}{' …' if len(result.labels) > 6 else ''}."
    )
    best = "ordinal" if result.scale != "nominal" else "nominal"
    alpha = result.coefficients[f"alpha_{best}"]
    if isnan(alpha.value):
        return f"{text} Their agreement is undefined: {alpha.reason}."
    return (
        f"{text} On average, {result.observed:.1%} of the pairs of judgments of a case agree; "
        f"corrected for chance, Krippendorff's alpha is {alpha.value:z.3f} ({best})."
    )


def _describe_crowd(result: AgreeResult) -> str:
    """What one rater and the best crowd reach, and which crowd is as good as an expert."""
    parts = []
    for name, points in result.crowd.curves.items():
        known = [point for point in points if not isnan(point.kappa)]
        if known:
            # the highest of points that rest on few cases would be a matter of luck
            firm = [point for point in known if point.cases >= FEW_CASES]
            first, best = known[0], max(firm or known, key=lambda point: point.kappa)
            few = "" if firm else f", on {plural(best.cases, 'case')} only"
            parts.append(
                f"Against {name}, kappa is {first.kappa:z.3f} for one rater and highest, "
                f"{best.kappa:z.3f}, for the majority of {best.n}{few}."
            )
    for one in result.crowd.reached:
        if one.measure == "kappa" and one.n is not None:
            among = one.reference == result.crowd.mean_of_experts
            whom = "experts among themselves" if among else f"experts with {one.reference}"
            cases = result.curve(one.reference)[one.n - 1].cases
            few = f" (on {plural(cases, 'case')} only)" if cases < FEW_CASES else ""
            parts.append(f"The kappa of {whom}, {one.target:z.3f}, takes {one.n}{few}.")
    return " ".join(parts)


def _screen_sections(result: ScreenResult) -> list[Section]:
    """Who is dropped, and what becomes of agreement."""
    count, dropped, effect = len(result.raters), result.dropped, result.effect
    tables = result.tables()
    lead = f"None of {count} raters is dropped; {len(result.flagged)} have a flag."
    if dropped:
        first, *others, last = tables
        tables = [first, last, *others]
        more = " and others" if len(dropped) > MOST_NAMED else ""
        named = ", ".join(dropped[:MOST_NAMED]) + more
        lead = f"{len(dropped)} of {count} raters are dropped: {named}."
        if not (isnan(effect.before.alpha) or isnan(effect.after.alpha)):
            lead += (
                f" Without them Krippendorff's alpha goes from {effect.before.alpha:.3f} to "
                f"{effect.after.alpha:.3f}, and {len(effect.changed)} of {effect.compared} "
                "majority labels change."
            )
    shown, title = 2 if dropped else 1, "Raters who may not count"
    return [_section(result, "screened", title, lead, tables=tables, shown=shown, group="raters")]


def _aggregate_sections(result: AggregateResult) -> list[Section]:
    """How many cases have a label, and how right it is."""
    lead = (
        f"{result.judgments:,} judgments by {result.raters} raters give "
        f"{result.cases - result.unlabelled:,} of {result.cases:,} cases a label; "
        f"{len(result.ties.cases)} are ties."
    )
    if result.gold is not None and not isnan(result.accuracy):
        lead += (
            f" Of {result.gold.cases:,} cases with a known answer {result.accuracy:.1%} are right."
        )
    return [_section(result, "labels", f"One label per case, by {result.method}", lead, shown=2)]


def _cost_sections(result: CostResult) -> list[Section]:
    """The bill in a sentence."""
    whole = result.whole
    told = []
    if whole.total is not None:
        told.append(f"cost {show_money(whole.total, result.currency)}, fees included")
    if not isnan(whole.hours):
        told.append(f"and came within {show_hours(whole.hours)}")
    judged = f"{whole.judgments:,} judgments of {whole.cases:,} cases"
    lead = f"{judged} {', '.join(told)}." if told else ""
    return [_section(result, "cost", "What the judgments cost", lead, shown=None)]


# --- samples ---


def _plan_sections(result: SamplePlan) -> list[Section]:
    """What sampling takes and gives, beside judging every case."""
    every, sampled = result.method("standard"), result.method("neyman")
    lead = (
        f"Judging {sampled.cases:,} of {every.cases:,} cases ({sampled.error:,} that the system "
        f"flags, {sampled.ok:,} that it calls ok) takes {sampled.hours:.1f} hours instead of "
        f"{every.hours:.1f}"
    )
    halves = {"precision": sampled.precision_within, "recall": sampled.recall_within}
    known = [f"{name} {show_half(half)}" for name, half in halves.items() if half is not None]
    lead += f", and gives {' and '.join(known)}." if known else "."
    figure = _figure(result.figure(), f"Curves: half-widths by what is spent. {lead}")
    return [_section(result, "sample-plan", "How many cases to judge", lead, figures=[figure])]


def _estimate_sections(result: SampleEstimateResult) -> list[Section]:
    """What judged samples say of the system; other systems and scores after it."""
    tables = result.tables()
    titles = {f"Re-test of {one.name}" for one in result.retested} | {"With the help of scores"}
    reused = [table for table in tables if table.title in titles]
    lead = _describe_estimate(result)
    f_title = f"F{result.options.beta:g}"
    curves = [
        Curve(f_title if name == "f" else name, (1,), (one.estimate,), (one.low,), (one.high,))
        for name, one in result.measures.items()
        if name in ESTIMATES_DRAWN and not (isnan(one.estimate) or isnan(one.low))
    ]
    figures = []
    if curves:
        drawing = draw_curves(
            curves,
            title="What the sample says of the whole corpus",
            score=f"estimate and {result.options.ci_level:.0%} interval",
            note=result.signature,
            size_label="",
        )
        figures = [_figure(drawing, f"Dot plot with intervals. {lead}")]
    own = [table for table in tables if table not in reused]
    title = "The whole corpus, from a sample"
    sections = [_section(result, "sample-estimate", title, lead, tables=own, figures=figures)]
    if reused:
        told = []
        for system in result.retested:
            found = [
                f"{name} {one.estimate:.3f}"
                + ("" if isnan(one.low) else f" ({one.low:.3f} to {one.high:.3f})")
                for name in ("precision", "recall")
                if not isnan((one := system.measures[name]).estimate)
            ]
            what = ", ".join(found) or "nothing can be told"
            told.append(f"{system.name}, tested on them: {what}.")
        title = "More from the same judgments"
        more = _section(result, "sample-further", title, " ".join(told), tables=reused, shown=None)
        sections.append(more._replace(notes=()))
    return sections


def _describe_estimate(result: SampleEstimateResult) -> str:
    """What was judged, and precision and recall with their intervals."""
    judged = sum(one.judged for one in result.strata)
    text = f"{judged:,} of {result.size:,} cases were judged."
    found = " and ".join(
        f"{name} is {one.estimate:.3f} ({one.low:.3f} to {one.high:.3f})"
        for name in ("precision", "recall")
        if not isnan((one := result[name]).estimate)
    )
    missing = dict.fromkeys(
        one.reason
        for one in map(result.measures.get, ESTIMATES_DRAWN)
        if one and isnan(one.estimate)
    )
    for sentence in filter(None, (found, *missing)):
        text += f" {sentence[0].upper()}{sentence[1:]}."
    return text


# --- anything else ---


def _other_sections(result: TabularResult) -> list[Section]:
    return [_section(result, result.command, result.command.capitalize(), shown=None)]


#: what makes sections of each kind of result, in the order of the report
_SECTIONS: dict[type, Callable[..., list[Section]]] = {
    AnnotatorsResult: _annotators_sections,
    ScoreResult: _score_sections,
    CompareResult: _compare_sections,
    CeilingResult: _ceiling_sections,
    MetaevalResult: _metaeval_sections,
    EvaluateResult: _jury_sections,
    AgreeResult: _rater_sections,
    ScreenResult: _screen_sections,
    AggregateResult: _aggregate_sections,
    CostResult: _cost_sections,
    SamplePlan: _plan_sections,
    SampleEstimateResult: _estimate_sections,
}


# --- the overview: headline numbers ---


class ResultsByKind:
    """The results of a report by kind."""

    def __init__(self, results: Sequence[TabularResult]) -> None:
        def those(kind: type[Kind]) -> list[Kind]:
            return [result for result in results if isinstance(result, kind)]

        self.annotators = those(AnnotatorsResult)
        self.scores = those(ScoreResult)
        self.comparisons = those(CompareResult)
        self.ceilings = [one for one in those(CeilingResult) if not one.types]
        self.evaluations = those(EvaluateResult)
        self.agreements = those(AgreeResult)
        self.samples = those(SampleEstimateResult)


def highlights_of(results: Sequence[TabularResult]) -> Iterator[Highlight]:
    """The numbers at the top: one from each kind of result."""
    given = ResultsByKind(results)
    for score in given.scores[:1]:
        best = _best_systems(score)
        value, _, interval = _score_with_interval(score, best[0]).partition(" ")
        title = f"{_score_name(score)} of {listed([system.name for system in best])}"
        place = f"the best of {len(score.systems)}" if len(score.systems) > 1 else ""
        place += " (tied)" if len(best) > 1 else ""
        yield Highlight(value, title, ", ".join(filter(None, (interval, place))), "scores")
    for ceiling in given.ceilings[:1]:
        yield from _ceiling_highlights(ceiling)
    for compared in given.comparisons[:1]:
        significant = sum(pair.p_randomisation_holm <= compared.alpha for pair in compared.pairs)
        pairs = len(compared.pairs)
        only = f" (each with {compared.baseline})" if pairs > 1 and compared.baseline else ""
        detail = f"significant at {compared.alpha:g}{only}"
        yield Highlight(f"{significant} of {pairs}", "pairwise differences", detail, "differences")
    for panel in given.annotators[:1]:
        if panel.consensus and (made := panel.consensus.edit):
            alone = sum(one.distinct for one in made if one.made_by == 1)
            share = f"{alone / sum(one.distinct for one in made):.0%}"
            yield Highlight(share, "of distinct edits", "made by a single annotator", "people")
    for evaluation in given.evaluations[:1]:
        if (best_kappa := _best_by_kappa(evaluation)) is not None:
            name, kappa = best_kappa
            detail = f"weighted by {evaluation.judges.raters} judges, {_name_cases(evaluation)}"
            yield Highlight(f"{kappa:z.2f}", f"kappa of {name}", detail, "jury-counts")
    for agreement in given.agreements[:1]:
        if not isnan(alpha := agreement.alpha()):
            detail = f"{agreement.sizes.raters} raters on {agreement.sizes.cases:,} cases"
            yield Highlight(f"{alpha:z.2f}", "alpha among raters", detail, "raters-agreement")
    for sample in given.samples[:1]:
        source = f"from {sum(s.judged for s in sample.strata):,} of {sample.size:,} cases"
        for name in ("precision", "recall"):
            if not isnan((one := sample[name]).estimate):
                detail = f"({one.low:.2f} to {one.high:.2f}), {source}"
                yield Highlight(f"{one.estimate:.2f}", name, detail, "sample-estimate")


def _ceiling_highlights(ceiling: CeilingResult) -> Iterator[Highlight]:
    scale, digits = (100, 1) if ceiling.metric == "gleu" else (1, 3)
    human = f"{scale * ceiling.human:.{digits}f}"
    if (nearest := best_of(ceiling)) is not None:
        detail = f"{nearest}, {scale * ceiling.score(nearest.names[0]):.{digits}f} of {human}"
        yield Highlight(f"{nearest.share:.0%}", "of human performance", detail, "ceiling")
    if not isnan(ceiling.human):
        others = plural(ceiling.sizes[-1].annotators, "other")
        detail = f"{ceiling.score_title()} of a person against {others}"
        yield Highlight(human, "human ceiling", detail, "ceiling")


# --- the overview: recommendations ---

#: how far a recommendation is followed, what there is to say, and the section that shows it
Found = tuple[str, str] | tuple[str, str, str]


def recommendations_of(results: Sequence[TabularResult]) -> tuple[Recommendation, ...]:
    """The recommendations of Chodorow et al. (2012), each with how far this report meets it.

    They are about systems: a report about people alone is not held against them.
    """
    given = ResultsByKind(results)
    with_systems = any(ceiling.systems for ceiling in given.ceilings)
    if not (given.scores or given.comparisons or given.evaluations or with_systems):
        return ()
    asked: dict[str, Callable[[ResultsByKind], Found]] = {
        "The four counts: TP, FP, FN and TN": _four_counts,
        "Prevalence and bias beside precision and recall": _prevalence_and_bias,
        "What N consists of": _what_n_is,
        "Trivial negatives, with and without": _trivial_negatives,
        "The size of the unit": _unit,
        "Counts per error type": _types,
        "Kappa and its curve": _kappa,
        "How many judges, and counts weighted by them": _judges,
        "Intervals": _intervals,
    }
    return tuple(Recommendation(title, *find(given)) for title, find in asked.items())


def _four_counts(given: ResultsByKind) -> Found:
    if given.evaluations:
        count = len(given.evaluations[0].systems)
        systems = "one system" if count == 1 else f"{count} systems"
        return MET, f"plain and weighted, for {systems}", "jury-counts"
    if given.scores and given.scores[0].metric in EDIT_METRICS:
        told = "TP, FP and FN of edits; true negatives need cases: jurybox evaluate"
        return PARTLY, told, "scores"
    return MISSING, "jurybox evaluate gives them"


def _prevalence_and_bias(given: ResultsByKind) -> Found:
    for one in given.evaluations:
        bias = ", ".join(f"{s.name} {s.plain.value('bias'):z.3f}" for s in one.systems[:4])
        more = " …" if len(one.systems) > 4 else ""
        return MET, f"prevalence {one.error_rate:.3f}; bias {bias}{more}", "jury-counts"
    return MISSING, "jurybox evaluate gives them"


def _what_n_is(given: ResultsByKind) -> Found:
    for one in given.evaluations:
        said = one.description
        text = "; ".join(filter(None, (said.unit, said.enumeration))) or said.construction
        if text:
            return MET, f"{one.cases.n:,} cases: {text}", "jury-counts"
        told = f"{one.cases.n:,} cases, not described: begin the cases file with a description"
        return PARTLY, told, "jury-counts"
    return MISSING, "a described case set: jurybox cases derive"


def _trivial_negatives(given: ResultsByKind) -> Found:
    for one in given.evaluations:
        told = "no case was decided by a rule"
        if one.cases.trivial:
            decided = f"{one.cases.trivial:,} of {one.cases.n:,} cases"
            told = f"{decided} were decided by a rule; both are shown"
        return MET, told, "jury-counts"
    return MISSING, "jurybox evaluate counts them"


def _unit(given: ResultsByKind) -> Found:
    for one in given.evaluations:
        if one.description.unit:
            return MET, f"one case: {one.description.unit}", "jury-counts"
    for score in given.scores:
        if score.metric == "gleu":
            told = "GLEU compares n-grams of whole sentences: there is no error unit"
            return PARTLY, told, "scores"
        told = "an edit, as annotators delimit it"
        if score.metric == "m2":
            told += f", with up to {score.options.max_unchanged_words} unchanged words inside"
        return MET, told, "scores"
    return MISSING, "say what one case is, in the description of the cases"


def _types(given: ResultsByKind) -> Found:
    for score in given.scores:
        if typed := [system for system in score.systems if system.by_type]:
            return MET, f"{len(typed[0].by_type)} types for each system", "scores"
    if given.evaluations:
        names = ", ".join(map(_name_cases, given.evaluations))
        return PARTLY, f"{names} only", "jury-counts"
    if any(score.metric == "gleu" for score in given.scores):
        return MISSING, "GLEU has no edits: --metric m2 or errant gives them"
    return MISSING, "jurybox score --by type gives them"


def _kappa(given: ResultsByKind) -> Found:
    for one in given.evaluations:
        if traced := [system.name for system in one.systems if system.curves]:
            told = "at the system's threshold and all others"
            if len(traced) == len(one.systems):
                return MET, told, "jury-thresholds"
            told += f"; a curve of {', '.join(traced)} only: others have no scores"
            return PARTLY, told, "jury-thresholds"
    if given.evaluations:
        return PARTLY, "kappa, but no curve: the decisions have no scores", "jury-counts"
    return MISSING, "jurybox evaluate gives kappa, and its curve from scores"


def _judges(given: ResultsByKind) -> Found:
    for one in given.evaluations:
        told = f"{one.judges.raters} judges, {one.judges.per_case[1]:g} on a case (median)"
        return MET if one.judges.per_case[1] > 1 else PARTLY, told, "jury-counts"
    for score in given.scores:
        if "refs:1|" in score.signature:
            return PARTLY, "one annotator: nothing to weigh by", "scores"
        if any(system.graded for system in score.systems):
            return MET, "edits weighted by how many annotators made them", "scores"
        return PARTLY, "not weighted", "scores"
    return MISSING, "several judges, and jurybox evaluate"


def _intervals(given: ResultsByKind) -> Found:
    told = [
        *(("scores", "scores", any(s.intervals for s in one.systems)) for one in given.scores),
        *(("differences", "differences", True) for _ in given.comparisons),
        *(
            ("ceiling", "ceiling", one.sizes[-1].human_interval is not None)
            for one in given.ceilings
        ),
        *(
            ("detection", "jury-certainty", any(s.intervals for s in one.systems))
            for one in given.evaluations
        ),
    ]
    sections = [section for _, section, there in told if there]
    if not sections:
        return MISSING, "the commands give them with --ci"
    with_them = dict.fromkeys(what for what, _, there in told if there)
    without = dict.fromkeys(what for what, _, there in told if not there)
    text = f"of {', '.join(with_them)}, by bootstrap"
    if not without:
        return MET, text, sections[0]
    return PARTLY, f"{text}; none of {', '.join(without)}: these commands have --ci", sections[0]
