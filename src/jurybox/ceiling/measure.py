"""How `ceiling` scores people and systems, and how sure the scores are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import NamedTuple

import numpy as np

from jurybox.ceiling import HUMAN, LEAVE_ONE_OUT, UNCHANGED, Ceiling, CeilingOptions
from jurybox.ceiling.extrapolate import (
    MINIMUM_ANNOTATORS,
    MINIMUM_SIZES,
    extrapolate,
    extrapolate_ratio,
)
from jurybox.ceiling.result import (
    CeilingResult,
    ExtrapolatedCurve,
    PairScore,
    ScoredText,
    SizeResult,
    TypeCurve,
    TypeSize,
)
from jurybox.ceiling.scores import (
    CeilingScores,
    Subsets,
    pairwise,
    ratio_of,
    resample_ceiling,
    score_ceiling,
    spread_over,
    take_subsets,
    without_each,
)
from jurybox.counting.panels import LoadedPanel, load_panel_of, need_two
from jurybox.counting.people import (
    PanelCounts,
    choose_jobs,
    count_hypotheses,
    count_people,
    people_of,
    sign_people,
)
from jurybox.counting.systems import optional_systems
from jurybox.engine import Progress, expect
from jurybox.errors import InputError, UsageError, collecting_warnings, warn
from jurybox.formats import Input
from jurybox.formats.edits.documents import select
from jurybox.metrics.options import MetricOptions
from jurybox.model import Annotation, CountsTable, Panel, Sentence
from jurybox.results import Interval
from jurybox.stats.confidence import Bootstrap, statistic_for
from jurybox.stats.intervals import resampled_interval
from jurybox.stats.resample import bootstrap_weights
from jurybox.stats.running_choice import FloatArray, IntArray
from jurybox.stats.statistic import Statistic
from jurybox.streams import stream

#: beyond this share of undefined resamples there is no interval
MOST_UNDEFINED = 0.05
#: nobody needs the score of more annotators than this, least of all from a few
FARTHEST = 1000


@dataclass(frozen=True)
class Work:
    """The panel, its counts, and the sets of annotators to score by."""

    loaded: LoadedPanel
    counts: PanelCounts
    options: MetricOptions
    subsets: Subsets
    bootstrap: Bootstrap
    call: Ceiling
    progress: Progress | None = None

    @property
    def panel(self) -> Panel:
        return self.loaded.panel

    @property
    def sizes(self) -> list[int]:
        """The numbers of reference annotators."""
        return list(self.subsets.combinations)

    @property
    def people(self) -> list[CountsTable]:
        return list(self.counts.people.values())

    @property
    def others(self) -> list[CountsTable]:
        """What is compared with people: the systems, and the source unchanged as the last."""
        return [*self.counts.systems.values(), self.counts.unchanged]

    @property
    def statistic(self) -> Statistic:
        return statistic_for(self.options)

    def counter(self, total: int) -> Callable[[], None] | None:
        """What reports to the progress that one of so many texts is done."""
        if self.progress is None:
            return None
        progress, what = self.progress, "texts"
        expect(progress, total, what)
        return lambda: progress(1, what)


def measure_ceiling(call: Ceiling) -> CeilingResult:
    """Read and count everything, then score people and systems."""
    options = call.only(MetricOptions)
    how = Bootstrap(call.resamples, call.ci_level, call.ci_unit, call.seed)
    with collecting_warnings() as messages:
        loaded = load_panel_of(call)
        panel = loaded.panel
        need_two(panel)
        if call.ci:  # complains before the work, not after it
            how = how.settled(documents_of(panel, needed=call.ci_unit == "document"))
        sizes = read_sizes(call.sizes, len(panel.annotators))
        if call.extrapolate is not None:
            check_extrapolation(call.extrapolate, sizes, len(panel.annotators))
        given = optional_systems(call.systems, hyp_format=call.hyp_format, hyp_key=call.hyp_key)
        for system in given:  # the tables have rows with names of their own
            if system.name in (HUMAN, UNCHANGED):
                raise UsageError(
                    f"a system cannot be called '{system.name}' here; give it another name"
                )
        counts = call.counts
        if counts is None:
            jobs = choose_jobs(panel, len(given), call)
            counts = count_people(loaded, given, options, jobs=jobs, progress=call.progress)
        lines = list(counts.warnings)
        if not any(annotation.edits for sentence in panel for annotation in sentence.annotations):
            where = f" in documents {loaded.select}" if loaded.select else ""
            lines.append(
                f"nobody made an edit{where}: people score 1 by convention, which says nothing"
            )
        warn(*lines)
        rng = stream(call.seed, "sets of annotators")
        subsets = take_subsets(len(panel.annotators), sizes, most=call.max_subsets, rng=rng)
        work = Work(loaded, counts, options, subsets, how, call, call.progress)
        # where people skipped sentences, a system is scored for each of them
        gaps = any(len(sentence.annotations) < len(panel.annotators) for sentence in panel)
        total = len(work.people) + len(work.others) * (len(work.people) if gaps else 1)
        scored = score_ceiling(
            work.people, work.others, subsets, work.statistic, done=work.counter(total)
        )
        intervals = find_intervals(work, scored) if call.ci else None
        types = score_types(work) if call.by else ()
    documents = {sentence.document for sentence in panel}
    read = [system.source for system in given if isinstance(system.source, Input)]
    return CeilingResult(
        options=call.only(CeilingOptions, **loaded.recorded, ci=how if call.ci else None),
        signature=_sign(work, call),
        annotators=panel.annotators,
        sentences=len(panel),
        documents=None if None in documents else len(documents),
        sizes=_sizes(work, scored, intervals),
        pairwise=_pairs(work) if call.pairwise else (),
        types=types,
        extrapolation={}
        if call.extrapolate is None
        else _continue_curves(work, scored, call.extrapolate),
        inputs=(*read, *loaded.inputs),
        warnings=tuple(messages),
    )


def _sign(work: Work, call: Ceiling) -> str:
    """What the numbers depend on."""
    sizes, most, how = work.sizes, call.max_subsets, work.bootstrap
    sampled = any(found > most for found in work.subsets.combinations.values())
    listed = ",".join(map(str, sizes))
    if len(sizes) > 1 and len(sizes) == sizes[-1] - sizes[0] + 1:
        listed = f"{sizes[0]}-{sizes[-1]}"
    return sign_people(
        work.options,
        f"{listed}of{len(work.counts.annotators)}",
        work.counts.extractor,
        **work.loaded.signed,
        subsets=f"{most}-random" if sampled else "all",
        ci=f"bootstrap-{how.resamples}-{how.unit}" if call.ci else None,
        seed=how.seed if call.ci or sampled else None,
    )


def read_sizes(sizes: str | int | Sequence[int], annotators: int) -> list[int]:
    """Numbers of reference annotators: "loo", "all", or a list like "1,3,9" or "1-6".

    >>> read_sizes("loo", 10), read_sizes("1-3,9", 10)
    ([9], [1, 2, 3, 9])
    """
    largest = annotators - 1
    if sizes == LEAVE_ONE_OUT:
        return [largest]
    listed = [sizes] if isinstance(sizes, (str, int)) else sizes
    wanted = ",".join(map(str, listed))
    known = [str(number) for number in range(1, largest + 1)]
    try:
        return [place + 1 for place in select(wanted, known, noun="size")]
    except UsageError:
        raise UsageError(
            f"--sizes {wanted}: with {annotators} annotators, one of whom is held against the "
            f"others, sizes go from 1 to {largest}; write loo, all, or numbers as 1-{largest}"
        ) from None


def documents_of(panel: Panel, *, needed: bool = True) -> list[str] | None:
    """The document of every sentence, for resampling; an error, or None, where one is unknown."""
    documents = [sentence.document for sentence in panel]
    known = [document for document in documents if document is not None]
    if len(known) < len(documents):
        if not needed:
            return None
        raise InputError(
            "--ci-unit document needs to know the documents: give --documents FILE (one document "
            "id per sentence, or the SGML file), or a gold file that has them"
        )
    return known


# --- scores by size, and pairs ---


def _sizes(
    work: Work, scored: CeilingScores, intervals: Intervals | None
) -> tuple[SizeResult, ...]:
    human = scored.human()
    # who looked at sentences together, and how many sentences these are
    number_of = {name: place for place, name in enumerate(work.panel.annotators)}
    looked = Counter(tuple(number_of[a.annotator] for a in one.annotations) for one in work.panel)
    results = []
    for place, (size, combinations) in enumerate(work.subsets.combinations.items()):
        part = work.subsets.of(size)
        *systems, unchanged = (
            ScoredText(
                spread_over(scores[part], combinations),
                *ratio_of(scores[part], human[part], combinations),
                *texts.precision_recall(part),
                intervals.others[number][place] if intervals else None,
                intervals.ratios[number][place] if intervals else None,
            )
            for number, (scores, texts) in enumerate(
                zip(scored.systems, scored.others, strict=True)
            )
        )
        results.append(
            SizeResult(
                size,
                len(part),
                combinations,
                _references(work, looked, part),
                spread_over(human[part], combinations),
                dict(zip(work.counts.systems, systems, strict=True)),
                unchanged,
                intervals.human[place] if intervals else None,
            )
        )
    return tuple(results)


def _references(work: Work, looked: Mapping[tuple[int, ...], int], part: IntArray) -> float:
    """How many references a person meets in a sentence, on average over those who meet some."""
    members = work.subsets.members[part]
    references = sentences = np.zeros(len(part))
    for who, times in looked.items():
        present = members[:, list(who)].sum(axis=1)
        outside = len(who) - present  # people who looked and are not in the set
        references = references + times * outside * present
        sentences = sentences + times * outside * (present > 0)
    known = sentences > 0
    return float((references[known] / sentences[known]).mean()) if known.any() else nan


def _pairs(work: Work) -> tuple[PairScore, ...]:
    """Every system against every annotator alone (Table 4 of the paper)."""
    pairs = []
    for system, annotator, values in pairwise(work.counts.systems, work.statistic):
        known = [None if isnan(value) else value for value in values]
        # GLEU has one score, and no precision or recall
        pairs.append(PairScore(system, annotator, *[None] * (3 - len(known)), *known))
    return tuple(pairs)


# --- one error type at a time (Bryant and Ng 2015, section 6.1) ---


def score_types(work: Work) -> tuple[TypeCurve, ...]:
    """Every type's human scores, the most frequent type first.

    Hypothesis and references hold the edits of the type alone. Sentences without such an edit add
    nothing to anybody and are left out, and all types are matched in one pass.
    """
    edits = count_types(work.panel)
    whole: list[Sentence] = []
    parts: dict[str, range] = {}
    for kind in edits:
        sentences = sentences_of_type(work.panel, kind)
        parts[kind] = range(len(whole), len(whole) + len(sentences))
        whole += sentences
    typed = Panel(tuple(whole), work.panel.annotators, work.panel.name)
    jobs = choose_jobs(typed, 0, work.call)
    people = people_of(typed)
    counted = count_hypotheses(typed, people, work.options, jobs=jobs, progress=work.progress)
    subsets = work.subsets
    curves = []
    for kind, places in parts.items():
        tables = [one.table.select(places) for one in counted]
        scored = score_ceiling(tables, [], subsets, work.statistic)
        human = scored.human()
        sizes = []
        for size, combinations in subsets.combinations.items():
            part = subsets.of(size)
            compared = ~np.isnan(scored.people.scores[:, part])
            shares = scored.people.empty[:, part][compared]
            empty = float(shares.mean()) if shares.size else nan
            spread = spread_over(human[part], combinations)
            sizes.append(TypeSize(size, len(part), spread, empty))
        curves.append(TypeCurve(kind, edits[kind], tuple(sizes)))
    return tuple(curves)


def count_types(panel: Panel) -> dict[str, int]:
    """How many edits of each type all annotators made together, the most frequent first."""
    edits = Counter(
        edit.type for sentence in panel for each in sentence.annotations for edit in each.edits
    )
    return dict(sorted(edits.items(), key=lambda item: (-item[1], item[0])))


def sentences_of_type(panel: Panel, kind: str) -> list[Sentence]:
    """The sentences in which somebody made an edit of a type, with the edits of that type alone."""
    found = []
    for sentence in panel:
        annotations = tuple(
            Annotation(name, tuple(edit for edit in edits if edit.type == kind))
            for name, edits in sentence.annotations
        )
        if any(annotation.edits for annotation in annotations):
            found.append(sentence._replace(annotations=annotations))
    return found


# --- how sure: over other sentences, and over other and more annotators ---


class Intervals(NamedTuple):
    """Intervals by size: of the human score, and of the score and ratio of each other text."""

    human: list[Interval]
    others: list[list[Interval]]  # [system][size], the source unchanged as the last system
    ratios: list[list[Interval]]


def find_intervals(work: Work, scored: CeilingScores) -> Intervals:
    """Bootstrap intervals over sentences or documents, people and systems on the same resamples."""
    how = work.bootstrap
    documents = documents_of(work.panel) if how.unit == "document" else None
    units = len(work.panel) if documents is None else len(set(documents))
    rng = stream(how.seed, "bootstrap")
    weights = bootstrap_weights(len(work.panel), how.resamples, rng, documents)
    done = work.counter(1 + len(work.others))
    people, systems = resample_ceiling(scored, work.statistic, weights, done=done)
    sets = [work.subsets.of(size) for size in work.sizes]

    def interval(value: float, scores: FloatArray, bounds: tuple[float, float] | None) -> Interval:
        defined = scores[np.isfinite(scores)]
        missing = len(scores) - defined.size
        reason = f"undefined in {missing} of {len(scores)} resamples" if missing else ""
        if not defined.size:
            reason = "there is no score to resample"
        elif units == 1:
            reason = f"one {how.unit} alone shows no variation"
        # where many are undefined, what is left is a selected sample
        if not defined.size or units == 1 or missing > MOST_UNDEFINED * len(scores):
            return Interval(nan, nan, how.level, reason)
        low, high, _ = resampled_interval(
            value, defined, evidence=units, bounds=bounds, level=how.level
        )
        return Interval(low, high, how.level, reason)

    def curve(scores: FloatArray, resampled: FloatArray) -> list[Interval]:
        return [
            interval(spread_over(scores[of_size], 1).mean, one, work.statistic.bounds)
            for of_size, one in zip(sets, resampled, strict=True)
        ]

    human = scored.human()
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = systems / people
    return Intervals(
        curve(human, people),
        [curve(one, again) for one, again in zip(scored.systems, systems, strict=True)],
        [
            [
                interval(ratio_of(one[of_size], human[of_size], 1)[0], again, None)
                for of_size, again in zip(sets, resampled, strict=True)
            ]
            for one, resampled in zip(scored.systems, ratios, strict=True)
        ],
    )


def check_extrapolation(to: int, sizes: Sequence[int], annotators: int) -> None:
    """Raise where there is nothing to extrapolate from, or to."""
    if not sizes[-1] < to <= FARTHEST:
        raise UsageError(
            f"--extrapolate {to}: scores are measured up to {sizes[-1]} annotators; give a larger "
            f"number, up to {FARTHEST}"
        )
    if annotators < MINIMUM_ANNOTATORS:
        raise UsageError(
            f"--extrapolate needs at least {MINIMUM_ANNOTATORS} annotators, and there are "
            f"{annotators}: the band shows what leaving one out would change"
        )
    # a panel without one annotator has no size annotators - 1, and its curve is fitted too
    if sum(size < annotators - 1 for size in sizes) < MINIMUM_SIZES:
        raise UsageError(
            f"--extrapolate fits a curve through at least {MINIMUM_SIZES} sizes below "
            f"{annotators - 1}: add --sizes all"
        )


def _continue_curves(work: Work, scored: CeilingScores, to: int) -> dict[str, ExtrapolatedCurve]:
    """How the scores of people and systems would grow with more annotators than there are."""
    sizes = work.sizes
    level = work.bootstrap.level
    targets = list(range(sizes[-1] + 1, to + 1))

    def means(scores: FloatArray) -> list[float]:
        return [spread_over(scores[work.subsets.of(size)], 1).mean for size in sizes]

    human = means(scored.human())
    human_without, systems_without = without_each(scored)
    fitted = extrapolate(sizes, human, human_without, targets, level=level)
    curves = {HUMAN: ExtrapolatedCurve(fitted)}
    # the source unchanged, which is the last of them, is not extrapolated
    for name, scores, without in zip(
        work.counts.systems, scored.systems[:-1], systems_without[:-1], strict=True
    ):
        system = means(scores)
        curves[name] = ExtrapolatedCurve(
            extrapolate(sizes, system, without, targets, level=level),
            extrapolate_ratio(sizes, system, human, without, human_without, targets, level=level),
        )
    return curves
