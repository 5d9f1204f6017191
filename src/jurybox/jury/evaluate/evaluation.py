"""How `evaluate` works: the jury is called, and every system comes before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import nan
from typing import Any, NamedTuple, TypeVar

import numpy as np

from jurybox.engine import Jobs
from jurybox.errors import UsageError, collecting_warnings, warn
from jurybox.jury.bins import (
    Binning,
    agreement_histogram,
    bin_cases,
    count_contentious,
    exact_edges,
    score_bins,
)
from jurybox.jury.calibration import brier_score, calibrate
from jurybox.jury.curves import (
    choose_threshold,
    split_development,
    summarise_curve,
    trace_curve,
)
from jurybox.jury.evaluate import BIN_BY, Evaluate, EvaluateOptions
from jurybox.jury.evaluate.dealt import deal_evidence, deal_where
from jurybox.jury.evaluate.inputs import Evidence, read_evidence
from jurybox.jury.evaluate.intervals import (
    caution_few,
    compare_systems,
    draw_systems,
    find_documents,
    find_intervals,
    find_stability,
    settle_units,
)
from jurybox.jury.evaluate.jury import (
    CleanEvidence,
    Jury,
    Settled,
    by_kinds,
    call_jury,
    set_spoiled_aside,
    settle,
    settle_all,
)
from jurybox.jury.evaluate.other_corpus import compare_corpora, describe_corpus, read_other
from jurybox.jury.evaluate.result import (
    CORRECTION_MEASURES,
    CaseNumbers,
    Correction,
    Detection,
    EightCell,
    EvaluateResult,
    KindEvaluation,
    PairComparison,
    RecordedOptions,
    SystemEvaluation,
    WeightedCorrection,
    WeightedDetection,
    WithoutTrivial,
    score_counts,
)
from jurybox.jury.kinds import decide_kind
from jurybox.jury.votes import (
    BoolArray,
    FloatArray,
    LabelArray,
    centred_prior,
    error_share,
    majority,
)
from jurybox.jury.was import (
    CorrectionCounts,
    TextAccuracy,
    average_judges,
    compare_corrections,
    compare_with_majority,
    correction_contributions,
    eight_cells,
    nothing_compared,
    text_accuracy,
)
from jurybox.jury.weighted import (
    TruthArray,
    add_up,
    detection_counts,
    measure_counts,
    raters_as_truth,
    weighted_counts,
)
from jurybox.model import Counts
from jurybox.options import signature
from jurybox.raters.flagged import (
    FlaggedChange,
    FlaggedRaters,
    FlaggedSplit,
    changes_of,
    quietly,
    split_flagged,
)
from jurybox.raters.spoiled import CONTEXT
from jurybox.stats.confidence import Bootstrap
from jurybox.streams import stream

#: with more values of agreement than this, the histogram has bars of equal width
MOST_BARS = 20
AnyCorrection = TypeVar("AnyCorrection", bound=Correction)


def evaluate_systems(call: Evaluate) -> EvaluateResult:
    """Read everything, call the jury, and measure every system."""
    if call.bins is not None:
        exact_edges(call.bins, BIN_BY[call.bin_by])  # complains before the work
    other = None if call.compare_with is None else read_other(call.compare_with, call.bin_by)
    jobs = deal_where(call)
    with collecting_warnings() as messages:
        if jobs is not None:
            result = _evaluate_dealt(call, jobs)
        else:
            evidence = read_evidence(
                call.cases,
                call.judgments,
                call.systems,
                derived=call.derived,
                columns=call.columns,
                labels=call.relabel,
                threshold=call.threshold,
                keys=call.keys,
                extra=[CONTEXT] if call.spoiled == "drop" else [],
                other_cases=call.other_cases,
            )
            if call.progress is not None:
                call.progress(len(evidence.judgments), "judgments")
            result = _evaluate(evidence, call)
        if other is not None:
            result = replace(result, other_corpus=compare_corpora(result, other))
    return replace(result, warnings=tuple(messages))


def _evaluate(evidence: Evidence, call: Evaluate) -> EvaluateResult:
    clean = CleanEvidence(evidence)
    if call.spoiled == "drop":
        clean = set_spoiled_aside(evidence, call)
        evidence = clean.evidence
    split = split_flagged(evidence.judgments, counted=call.with_flagged)
    if split is not None:
        evidence = replace(evidence, judgments=split.counting, own_judgments=False)
    jury = _call_jury(evidence, call)
    how = settle_units(call, jury)
    settled = settle_all(evidence.decisions, jury, call.missing)
    development = _split(settled, jury, call)
    scored = [_over_scores(system.scores, jury, development, call) for system in settled]
    if _only_votes_matter(jury, settled, how.unit, call):
        jury, settled = by_kinds(jury, settled)
    return _measure(Called(evidence, clean, split, jury, settled, scored, how), call)


def _evaluate_dealt(call: Evaluate, jobs: Jobs) -> EvaluateResult:
    """The same where cases were never in one place."""
    evidence, jury, settled = deal_evidence(call, jobs)
    how = settle_units(call, jury)
    jury, settled = by_kinds(jury, settled)
    scored: list[dict[str, Any]] = [{} for _ in settled]
    called = Called(evidence, CleanEvidence(evidence), None, jury, settled, scored, how)
    return _measure(called, call)


class Called(NamedTuple):
    """The jury, and the systems before it."""

    evidence: Evidence
    clean: CleanEvidence
    split: FlaggedSplit | None
    jury: Jury
    settled: Sequence[Settled]
    scored: Sequence[Mapping[str, Any]]  # what only scores tell, of every system
    how: Bootstrap


def _measure(called: Called, call: Evaluate) -> EvaluateResult:
    """Everything that follows from votes and decisions."""
    evidence, clean, split, jury, settled, scored, how = called
    binning = bin_cases(jury.votes, call.bins, by=BIN_BY[call.bin_by])
    call = call.replace(ci_unit=how.unit, bins=binning.edges)
    found = [
        evaluate_system(system, jury, binning, own, call)
        for system, own in zip(settled, scored, strict=True)
    ]
    flagged = None if split is None else _flagged(split, found, evidence, call)
    comparisons: tuple[PairComparison, ...] = ()
    if call.progress is not None and (call.ci or call.stability):
        call.progress(0)
    if call.ci:
        drawn = draw_systems(settled, jury, binning, call)
        found = [
            replace(one, **find_intervals(one, own, call.ci_level))
            for one, own in zip(found, drawn, strict=True)
        ]
        if len(found) > 1 and any(system.missing for system in settled) and call.missing == "skip":
            warn(
                "systems that left out decisions are compared on the cases each of them decided; "
                "--missing ok or error compares them on the same ones"
            )
        comparisons = compare_systems(settled, drawn, jury, call)
        few = caution_few(drawn, [one.name for one in found])
        how = how._replace(cautions=(*how.cautions, *few))
    if call.stability:
        moved = find_stability(settled, jury, call)
        found = [replace(one, stability=own) for one, own in zip(found, moved, strict=True)]
    histogram = agreement_histogram(jury.votes, sizes=jury.sizes)
    if len(histogram) > MOST_BARS:
        twentieths = [0.5 + k / 20 for k in range(11)]
        histogram = agreement_histogram(jury.votes, twentieths, sizes=jury.sizes)
    trivial, graded = jury.count(jury.trivial), ~np.isnan(jury.plain_p)
    random = call.ci or call.stability or call.ties == "random" or call.develop or call.judges
    return EvaluateResult(
        cases=CaseNumbers(
            n=jury.n,
            judged=jury.judged,
            trivial=trivial,
            unjudged=jury.n - jury.judged - trivial,
            gold=jury.count(jury.gold),
            spoiled=clean.cases,
            ties=jury.ties,
            duplicates=jury.duplicates,
            duplicate_sentences=len(jury.repeated),
            description=evidence.case_set.description,
        ),
        judges=jury.judges._replace(on_spoiled=clean.judgments),
        corpus=describe_corpus(evidence.name, jury.votes, jury.truth, jury.sizes),
        graded_error_rate=add_up(jury.plain_p[graded], jury.sizes[graded]) / jury.count(graded),
        histogram=histogram,
        systems=tuple(found),
        options=call.only(RecordedOptions, ci=how if call.ci else None),
        signature=signature(
            "evaluate",
            ties=call.ties,
            missing=call.missing,
            threshold=call.threshold,
            beta=float(call.beta),
            smooth=call.smooth,
            bins=[f"{edge:g}" for edge in binning.edges],
            by=call.bin_by,
            judges=call.judges,
            models="yes" if call.count_models else None,
            flagged="yes" if call.with_flagged else None,
            spoiled="drop" if call.spoiled == "drop" else None,
            develop=call.develop,
            choose=call.choose if call.develop else None,
            ci=f"bootstrap-{call.resamples}-{call.ci_unit}" if call.ci else None,
            stability=call.resamples if call.stability else None,
            seed=call.seed if random else None,
        ),
        comparisons=comparisons,
        flagged=flagged,
        inputs=evidence.inputs,
    )


def _only_votes_matter(jury: Jury, systems: Sequence[Settled], unit: str, call: Evaluate) -> bool:
    """Whether cases of the same votes and decisions can be counted as one kind."""
    suggests = any(one.table.suggestion is not None for one in systems)
    return not (
        unit in ("document", "rater")
        or call.stability
        or jury.kinds
        or (suggests and jury.judgments.correction is not None)
        or _has_form(jury)
    )


def _has_form(jury: Jury) -> bool:
    """Whether every case is of a construction that is there or not."""
    cases = jury.case_set
    return not cases.is_bare and {case.construction for case in cases} <= BINARY.keys()


def _call_jury(evidence: Evidence, call: Evaluate) -> Jury:
    return call_jury(
        evidence,
        ties=call.ties,
        smooth=call.smooth,
        count_models=call.count_models,
        judges=call.judges,
        rng=stream(call.seed, "jury"),
    )


def _flagged(
    split: FlaggedSplit, found: Sequence[SystemEvaluation], evidence: Evidence, call: Evaluate
) -> FlaggedRaters:
    """Weighted precision, recall and F of every system without and with flagged raters."""
    names = ("precision", "recall", f"F{call.beta:g}")
    measures = ("precision", "recall", "f_beta")
    changes: list[FlaggedChange] = []
    with quietly():
        jury = _call_jury(replace(evidence, judgments=split.other), call)
        for one in found:
            decided = settle(one.name, evidence.decisions[one.name], jury, call.missing).decided
            other = score_counts(weighted_counts(decided, jury.p), call.beta, WeightedDetection)
            here, there = (
                [(scored.value(name), scored.undefined.get(name, "")) for name in measures]
                for scored in (one.weighted, other)
            )
            changes += changes_of(names, here, there, counted=call.with_flagged, system=one.name)
    flagged = split.flagged._replace(changes=tuple(changes))
    warn(flagged.sentence())
    return flagged


def _split(systems: Sequence[Settled], jury: Jury, call: Evaluate) -> BoolArray | None:
    """The development part: whole documents where they are known, else cases."""
    if call.develop is None:
        return None
    without = [system.name for system in systems if system.scores is None]
    if len(without) == len(systems):
        raise UsageError("--develop chooses a threshold: it needs decisions with scores")
    if without:
        warn(f"no threshold is chosen for {', '.join(without)}: there are no scores")
    known = np.flatnonzero(~np.isnan(jury.p))
    named = find_documents(jury)
    documents = None if named is None else [named[i] for i in known.tolist()]
    if documents is not None and len(set(documents)) < 2:
        documents = None
    chosen: BoolArray = np.zeros(len(jury.p), dtype=bool)
    rng = stream(call.seed, "development")
    chosen[known] = split_development(len(known), rng, call.develop, documents=documents)
    return chosen


# --- one system ---

#: constructions that are there or not, for which the eight cells of Figure 3 make sense
BINARY = {"comma": True, "missing-comma": False}
NOTHING_COMPARED = "no suggestion could be compared with a correction"


def evaluate_system(
    system: Settled,
    jury: Jury,
    binning: Binning,
    scored: Mapping[str, Any],
    options: EvaluateOptions,
) -> SystemEvaluation:
    """All numbers of one system but those that need resampling; `scored` are those of scores."""
    decided, beta = system.decided, options.beta
    detection = _detect(decided, jury, beta)
    if not detection.plain.n:
        warn(f"{system.name}: no case has both a decision and a truth; nothing can be measured")
    rest = np.where(jury.trivial, np.int8(-1), decided)
    suggests = system.table.suggestion is not None and jury.judgments.correction is not None
    if suggests:
        each = compare_corrections(jury.judgments, decided, system.table.suggestion)
        agreed = compare_with_majority(jury.judgments, decided, system.table.suggestion, jury.truth)
    else:
        each, agreed = nothing_compared(decided, jury.votes, jury.truth)
    plain = correction_contributions(decided, jury.truth, None, agreed)
    weighted = correction_contributions(decided, jury.plain_p, jury.votes, each)
    correction = _correct((int(part @ jury.sizes) for part in plain), beta, Correction)
    sums = [add_up(part, jury.sizes) for part in weighted]
    weighted_correction = _correct(sums, beta, WeightedCorrection)
    raters = raters_as_truth(jury.judgments.raters, system.answers, beta=beta)
    cells = _cells(decided, jury)
    accuracy: dict[str, TextAccuracy] = {}
    if suggests or cells:
        # like correction: not smoothed
        shares = weighted_counts(decided, jury.plain_p, jury.sizes)
        accuracy = {
            "plain": text_accuracy(detection.plain.counts, correction.counts, binary=bool(cells)),
            "weighted": text_accuracy(shares, weighted_correction.counts, binary=bool(cells)),
        }
    return SystemEvaluation(
        name=system.name,
        missing=system.missing,
        suggests=suggests,
        plain=detection.plain,
        correction=correction,
        weighted=detection.weighted,
        weighted_correction=weighted_correction,
        per_judge=average_judges((rater.counts for rater in raters), each, jury.sizes),
        bins=score_bins(binning, decided, jury.truth, beta=beta, sizes=jury.sizes),
        raters=raters,
        contentious=count_contentious(decided, jury.votes, sizes=jury.sizes),
        without_trivial=_detect(rest, jury, beta) if jury.trivial.any() else None,
        cells=cells,
        kinds=_kinds(system, jury, options),
        text_accuracy=accuracy,
        **scored,
    )


def _over_scores(
    scores: FloatArray | None, jury: Jury, development: BoolArray | None, options: EvaluateOptions
) -> dict[str, Any]:
    """What only scores tell: curves, Brier score, calibration, and the chosen threshold."""
    if scores is None:
        return {}
    truths: dict[str, TruthArray] = {"plain": jury.truth, "weighted": jury.p}
    known, judged = ~jury.gold, ~np.isnan(jury.p) & ~jury.gold
    found: dict[str, Any] = {
        "curves": {
            kind: summarise_curve(trace_curve(scores[known], truth[known]))
            for kind, truth in truths.items()
        },
        "brier": brier_score(scores, jury.p),
        "calibration": calibrate(scores, jury.p),
    }
    if development is not None:
        part, name, beta = development[judged], options.choose, options.beta
        found["thresholds"] = {
            kind: choose_threshold(scores[judged], truth[judged], part, name, beta=beta)
            for kind, truth in truths.items()
        }
    return found


def _detect(decided: LabelArray, jury: Jury, beta: float) -> WithoutTrivial:
    """Plain and weighted counts and measures."""
    return WithoutTrivial(
        score_counts(detection_counts(decided, jury.truth, jury.sizes), beta, Detection),
        score_counts(weighted_counts(decided, jury.p, jury.sizes), beta, WeightedDetection),
    )


def _correct(sums: Iterable[float], beta: float, kind: type[AnyCorrection]) -> AnyCorrection:
    """Measures of correction; where nothing could be compared there is none."""
    counts = CorrectionCounts(*sums)
    four = Counts(counts.tp, counts.fp, counts.fn)
    found = [measure_counts(name, four, beta=beta) for name in CORRECTION_MEASURES]
    if counts.uncomparable > 0 and counts.tp + counts.xyz == 0:
        found = [one._replace(value=nan, reason=NOTHING_COMPARED) for one in found]
    undefined = {one.name: one.reason for one in found if one.reason}
    return kind({one.name: one.value for one in found}, undefined, counts)


def _kinds(system: Settled, jury: Jury, options: EvaluateOptions) -> tuple[KindEvaluation, ...]:
    """Detection of every kind of error that a judge or the system speaks of."""
    found = []
    for number, one in enumerate(jury.kinds):
        decided, unclear = decide_kind(one, system.decided, system.table.suggestion)
        if not one.votes.errors.any() and not (decided == 1).any():
            continue
        trivial = jury.trivial & one.places
        both = one.votes.errors.any() and one.votes.oks.any()
        prior = centred_prior(one.votes, options.smooth) if options.smooth and both else None
        rng = stream(options.seed, "kinds", number)
        truth = majority(one.votes, options.ties, rng=rng, trivial=trivial).truth
        p = error_share(one.votes, trivial=trivial, prior=prior)
        found.append(
            KindEvaluation(
                one.kind,
                unclear,
                int(one.votes.unknowns[one.by_words].sum()),
                score_counts(detection_counts(decided, truth), options.beta, Detection),
                score_counts(weighted_counts(decided, p), options.beta, WeightedDetection),
            )
        )
    return tuple(found)


def _cells(decided: LabelArray, jury: Jury) -> tuple[EightCell, ...]:
    if not _has_form(jury):
        return ()
    present: BoolArray = np.array([BINARY[c.construction] for c in jury.case_set.cases])
    plain = eight_cells(decided, jury.truth, present)
    weighted = eight_cells(decided, jury.p, present)
    return tuple(EightCell(a, b.amount) for a, b in zip(plain, weighted, strict=True))
