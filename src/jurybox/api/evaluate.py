"""`evaluate`: a detector before a jury, judged by how many people call a thing an error.

Tetreault and Chodorow 2008; Madnani et al. 2011; Chodorow et al. 2012.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jurybox.api.cases_result import DerivedCases
from jurybox.api.counting import Progress
from jurybox.api.evaluate_inputs import (
    Evidence,
    GivenJudgments,
    GivenSystems,
    read_evidence,
    read_other,
    warn,
)
from jurybox.api.evaluate_options import BIN_BY, EvaluateOptions
from jurybox.api.evaluation import CaseNumbers, EvaluateResult, SystemEvaluation
from jurybox.api.score import collecting_warnings
from jurybox.errors import UsageError
from jurybox.formats import Source
from jurybox.model import CaseSet

if TYPE_CHECKING:
    import numpy as np

    from jurybox.api.evaluate_jury import Jury
    from jurybox.api.evaluate_system import Settled
    from jurybox.cases.bins import Bar, Binning
    from jurybox.cases.votes import BoolArray

#: with more values of agreement than this, the histogram has bars of equal width
MOST_BARS = 20


def evaluate(
    cases: Source | CaseSet | None = None,
    judgments: GivenJudgments | None = None,
    systems: GivenSystems | None = None,
    *,
    derived: DerivedCases | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    ties: str = "ok",
    missing: str = "skip",
    threshold: float | None = None,
    beta: float = 0.5,
    smooth: float | None = None,
    bins: Sequence[float] | None = None,
    bin_by: str = "agreement",
    judges: int | None = None,
    with_models: bool = False,
    ci: bool = False,
    resamples: int = 1000,
    ci_level: float = 0.95,
    ci_unit: str = "case",
    seed: int = 1,
    stability: bool = False,
    develop: float | None = None,
    choose: str = "f_beta",
    beside: Any = None,
    progress: Progress | None = None,
) -> EvaluateResult:
    r"""Systems' decisions against judgments of people, plain (the majority) and weighted.

    `cases`, `judgments` and each system's decisions are files, or tables in memory; `derived` is
    what `derive_cases` gives. Without `cases` the cases are those that were judged. `beside` is the
    result of another corpus. Options are those of `jurybox evaluate`.

    >>> from jurybox.formats import Input
    >>> cases = Input.from_text("case\nc1\nc2\n")
    >>> judgments = Input.from_text(
    ...     "case,rater,label\nc1,Ann,error\nc1,Bob,error\nc1,Cem,ok\nc2,Ann,ok\nc2,Bob,ok\n"
    ... )
    >>> decisions = Input.from_text("case,label\nc1,error\nc2,ok\n")
    >>> result = evaluate(cases, judgments, {"mine": decisions})
    >>> result["mine"].plain.counts
    Counts(tp=1, fp=0, fn=0, tn=1)
    >>> round(result["mine"].weighted.value("precision"), 3)
    0.667
    """
    options = EvaluateOptions(
        ties=ties,
        missing=missing,
        threshold=threshold,
        beta=beta,
        smooth=smooth,
        bins=None if bins is None else tuple(map(float, bins)),
        bin_by=bin_by,
        judges=judges,
        with_models=with_models,
        ci=ci,
        stability=stability,
        resamples=resamples,
        ci_level=ci_level,
        ci_unit=ci_unit,
        seed=seed,
        develop=develop,
        choose=choose,
    )
    if options.bins is not None:
        from jurybox.cases.bins import exact_edges

        exact_edges(options.bins, BIN_BY[options.bin_by])  # complains before the work
    other = None
    if isinstance(beside, EvaluateResult):
        beside = beside.to_dict()
    if beside is not None:
        from jurybox.api.evaluate_beside import check_beside

        other = read_other(beside)
        check_beside(other, options.bin_by)
    with collecting_warnings() as messages:
        evidence = read_evidence(
            cases,
            judgments,
            systems,
            derived=derived,
            columns=columns,
            labels=labels,
            threshold=threshold,
        )
        if progress is not None:
            progress(len(evidence.judgments), "judgments")
        result = _evaluate(evidence, options, other, progress)
    return replace(result, warnings=tuple(messages))


def _evaluate(
    evidence: Evidence,
    options: EvaluateOptions,
    other: Mapping[str, Any] | None,
    progress: Progress | None,
) -> EvaluateResult:
    import numpy as np

    from jurybox.api.evaluate_jury import call_jury
    from jurybox.api.evaluate_system import evaluate_system, settle
    from jurybox.cases.bins import bin_cases
    from jurybox.cases.corpora import describe_corpus

    rng = np.random.default_rng(options.seed)
    jury = call_jury(
        evidence,
        ties=options.ties,
        smooth=options.smooth,
        with_models=options.with_models,
        judges=options.judges,
        rng=rng,
    )
    binning = bin_cases(jury.votes, options.bins, by=BIN_BY[options.bin_by])
    settled = [
        settle(name, table, jury, options.missing) for name, table in evidence.decisions.items()
    ]
    development = _split(settled, jury, options, rng)
    found = [
        evaluate_system(
            system,
            jury,
            binning,
            beta=options.beta,
            choose=options.choose,
            development=development,
        )
        for system in settled
    ]
    comparisons: tuple[Any, ...] = ()
    if progress is not None and (options.ci or options.stability):
        progress(0)
    if options.ci:
        found, comparisons = _with_intervals(found, settled, jury, binning, options)
    if options.stability:
        found = _with_stability(found, settled, jury, options)
    corpus = describe_corpus(evidence.name, jury.judgments, jury.votes, jury.truth)
    known = ~np.isnan(jury.plain_p)
    trivial = int(jury.trivial.sum())
    result = EvaluateResult(
        cases=CaseNumbers(
            n=jury.n,
            judged=jury.judged,
            trivial=trivial,
            unjudged=jury.n - jury.judged - trivial,
            gold=int(jury.gold.sum()),
            ties=jury.ties,
            duplicates=jury.duplicates,
            duplicate_sentences=jury.repeated.times,
        ),
        description=evidence.case_set.description,
        judges=jury.judges,
        corpus=corpus,
        graded_error_rate=float(jury.plain_p[known].mean()),
        histogram=_histogram(jury),
        systems=tuple(found),
        options=replace(options, bins=binning.edges).to_dict(),
        signature=replace(options, bins=binning.edges).sign(),
        comparisons=comparisons,
        inputs=evidence.inputs,
    )
    if other is not None:
        from jurybox.api.evaluate_beside import put_beside

        result = replace(result, beside=put_beside(corpus, found, other))
    return result


def _split(
    systems: Sequence[Settled], jury: Jury, options: EvaluateOptions, rng: np.random.Generator
) -> BoolArray | None:
    """The development part: whole documents where they are known, else cases."""
    if options.develop is None:
        return None
    import numpy as np

    from jurybox.api.evaluate_certainty import find_documents
    from jurybox.cases.curves import split_development

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
    chosen[known] = split_development(len(known), rng, options.develop, documents=documents)
    return chosen


def _with_intervals(
    found: list[SystemEvaluation],
    settled: Sequence[Settled],
    jury: Jury,
    binning: Binning,
    options: EvaluateOptions,
) -> tuple[list[SystemEvaluation], tuple[Any, ...]]:
    import numpy as np

    from jurybox.api.evaluate_certainty import (
        compare_systems,
        draw_resamples,
        find_bin_intervals,
        find_intervals,
    )

    rng = np.random.default_rng(options.seed)
    drawn = draw_resamples(settled, jury, binning, options, rng)
    intervals = find_intervals(drawn, len(found), options.ci_level)
    by_bin = find_bin_intervals(drawn, len(found), binning.bins, options.ci_level)
    found = [
        replace(one, intervals=own, bin_intervals=in_bins)
        for one, own, in_bins in zip(found, intervals, by_bin, strict=True)
    ]
    if len(found) > 1 and any(system.missing for system in settled) and options.missing == "skip":
        warn(
            "systems that left out decisions are compared on the cases each of them decided; "
            "--missing ok or error compares them on the same ones"
        )
    names = [one.name for one in found]
    return found, compare_systems(drawn, names, options.ci_level)


def _with_stability(
    found: list[SystemEvaluation],
    settled: Sequence[Settled],
    jury: Jury,
    options: EvaluateOptions,
) -> list[SystemEvaluation]:
    import numpy as np

    from jurybox.api.evaluate_certainty import find_stability

    moved = find_stability(settled, jury, options, np.random.default_rng(options.seed))
    return [replace(one, stability=own) for one, own in zip(found, moved, strict=True)]


def _histogram(jury: Jury) -> tuple[Bar, ...]:
    from jurybox.cases.bins import agreement_histogram

    bars = agreement_histogram(jury.votes)
    if len(bars) <= MOST_BARS:
        return bars
    return agreement_histogram(jury.votes, [0.5 + k / 20 for k in range(11)])
