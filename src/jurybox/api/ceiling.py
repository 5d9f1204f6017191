"""`ceiling`: how far is a system from a person?

People are scored like systems, at the same number of reference annotators (Bryant and Ng 2015).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.ceiling_result import (
    CeilingResult,
    Curve,
    PairScore,
    SizeResult,
    SystemAtSize,
    TypeCurve,
    TypeSize,
)
from jurybox.api.certainty import Certainty, statistic_for
from jurybox.api.counting import Progress
from jurybox.api.inputs import Gold, Hypothesis, System, systems_from
from jurybox.api.options import Options
from jurybox.api.panels import LoadedPanel, load_panel, need_two
from jurybox.api.people import (
    PanelCounts,
    choose_jobs,
    count_hypotheses,
    count_people,
    people_of,
    sign_people,
)
from jurybox.api.score import collecting_warnings
from jurybox.errors import InputError, JuryboxWarning, UsageError, unknown_name
from jurybox.formats import Input
from jurybox.formats.selection import select as select_places
from jurybox.model import Annotation, CountsTable, Panel, Sentence

if TYPE_CHECKING:
    from jurybox.stats.ceiling import CeilingScores, Subsets
    from jurybox.stats.resample import Interval
    from jurybox.stats.running import FloatArray

LEAVE_ONE_OUT, ALL = "loo", "all"
MAX_SUBSETS = 500


def ceiling(
    gold: Gold,
    systems: Mapping[str, Hypothesis] | Sequence[Hypothesis] | Hypothesis | None = None,
    *,
    sizes: str | int | Sequence[int] = LEAVE_ONE_OUT,
    max_subsets: int = MAX_SUBSETS,
    by: str | None = None,
    pairwise: bool = False,
    extrapolate: int | None = None,
    documents: Any = None,
    select: str | None = None,
    coverage: Any = None,
    metric: str = "m2",
    beta: float = 0.5,
    choice: str = "running",
    max_unchanged_words: int = 2,
    ignore_case_whitespace: bool = False,
    tokenize: bool = False,
    level: str = "correction",
    types: str | Sequence[str] | None = None,
    size: str = "any",
    expected_statistics: bool = False,
    ci: bool = False,
    resamples: int = 1000,
    ci_level: float = 0.95,
    ci_unit: str = "sentence",
    seed: int = 1,
    hyp_format: str | None = None,
    gold_format: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> CeilingResult:
    r"""How people score against each other, and systems beside them.

    `gold` is the panel, two annotators or more; `systems` a dict of outputs by name. `sizes` is
    "loo" (each person against all others), "all", or numbers of reference annotators. Options
    are those of `jurybox ceiling`.

    >>> from jurybox.formats import Input
    >>> def edit(who, replacement):
    ...     return f"A 1 2|||SVA|||{replacement}|||REQUIRED|||-NONE-|||{who}\n"
    >>> gold = Input.from_text("S She go .\n" + edit(0, "goes") + edit(1, "goes") + edit(2, "went"))
    >>> result = ceiling(gold, {"mine": ["She goes ."]})
    >>> round(result.human, 4), round(result.ratio("mine"), 4)
    (0.6667, 1.5)
    """
    options = Options(
        metric=metric,
        beta=float(beta),
        choice=choice,
        max_unchanged_words=max_unchanged_words,
        ignore_case_whitespace=ignore_case_whitespace,
        tokenize=tokenize,
        level=level,
        types=None if types is None else (types,) if isinstance(types, str) else tuple(types),
        size=size,
        expected_statistics=expected_statistics,
    )
    certainty = Certainty(resamples, ci_level, ci_unit, seed)
    _check(by, options, max_subsets)
    with collecting_warnings() as messages:
        loaded = load_panel(
            gold,
            gold_format=gold_format,
            documents=documents,
            select=select,
            coverage=coverage,
        )
        need_two(loaded.panel)
        chosen_sizes = read_sizes(sizes, len(loaded.panel.annotators))
        _check_extrapolation(extrapolate, chosen_sizes)
        given = [] if systems is None else systems_from(systems, hyp_format=hyp_format)
        work = _Work(loaded, given, options, chosen_sizes, max_subsets, certainty, jobs, progress)
        counts = count_people(
            loaded,
            given,
            options,
            jobs=choose_jobs(loaded.panel, len(given), jobs),
            progress=progress,
        )
        for line in counts.warnings:
            _warn(line)
        subsets = work.subsets()
        scored = _score(work, counts, subsets)
        intervals = _intervals(work, counts, scored) if ci else None
        curves = by_type(work, subsets) if by == "type" else ()
    used = [system.source for system in given if isinstance(system.source, Input)]
    return CeilingResult(
        metric=metric,
        beta=options.beta,
        signature=work.sign(counts, ci=ci, **loaded.taken(select, coverage)),
        options=work.described(sizes, by=by, select=select, ci=ci),
        annotators=loaded.panel.annotators,
        sentences=len(loaded.panel),
        documents=count_documents(loaded.panel),
        sizes=_sizes(work, counts, scored, intervals),
        pairs=_pairs(work, counts) if pairwise else (),
        types=curves,
        curves=_extrapolate(work, counts, scored, extrapolate),
        inputs=(*used, *loaded.inputs),
        warnings=tuple(messages),
    )


def _check(by: str | None, options: Options, max_subsets: int) -> None:
    if by not in (None, "type"):
        raise unknown_name("way to split results (--by)", str(by), ["type"])
    if by and options.metric == "gleu":
        raise UsageError("GLEU has no edits and so no types: --by type goes with m2 and errant")
    if max_subsets < 2:
        raise UsageError(f"--max-subsets must be 2 or more, not {max_subsets}")


def read_sizes(sizes: str | int | Sequence[int], annotators: int) -> list[int]:
    """Numbers of reference annotators: "loo", "all", or a list like "1,3,9" or "1-6".

    >>> read_sizes("loo", 10), read_sizes("1-3,9", 10)
    ([9], [1, 2, 3, 9])
    """
    largest = annotators - 1
    if isinstance(sizes, int):
        sizes = [sizes]
    if not isinstance(sizes, str):
        sizes = ",".join(map(str, sizes))
    if sizes == LEAVE_ONE_OUT:
        return [largest]
    known = [str(number) for number in range(1, largest + 1)]
    try:
        return [place + 1 for place in select_places(sizes, known, noun="size")]
    except UsageError:
        raise UsageError(
            f"--sizes {sizes}: with {annotators} annotators, one of whom is held against the "
            f"others, sizes go from 1 to {largest}; write loo, all, or numbers as 1,3,{largest}"
        ) from None


class _Work(NamedTuple):
    """What `ceiling` was asked to do, after everything was read and checked."""

    loaded: LoadedPanel
    systems: Sequence[System]
    options: Options
    sizes: Sequence[int]
    max_subsets: int
    certainty: Certainty
    jobs: int | None
    progress: Progress | None

    def subsets(self) -> Subsets:
        """The sets of annotators to score by; the same seed takes the same ones."""
        import numpy as np

        from jurybox.stats.ceiling import take_subsets

        return take_subsets(
            len(self.loaded.panel.annotators),
            self.sizes,
            most=self.max_subsets,
            rng=np.random.default_rng(self.certainty.seed),
        )

    def told(self) -> Any:
        """Tell the user of every hypothesis whose subsets are scored."""
        if self.progress is None:
            return None
        progress = self.progress
        return lambda: progress(1, "people and systems against subsets")

    def sampled(self) -> bool:
        from math import comb

        count = len(self.loaded.panel.annotators)
        return any(comb(count, size) > self.max_subsets for size in self.sizes)

    def sign(self, counts: PanelCounts, *, ci: bool, **taking: object) -> str:
        """What the numbers depend on."""
        first, last = self.sizes[0], self.sizes[-1]
        sizes = str(last) if first == last else f"{first}-{last}"
        if len(self.sizes) not in (1, last - first + 1):
            sizes = ",".join(map(str, self.sizes))
        taken = f"{self.max_subsets}-random" if self.sampled() else "all"
        drawn = self.certainty
        return sign_people(
            self.options,
            f"{sizes}of{len(counts.annotators)}",
            counts.extractor,
            **taking,
            subsets=taken,
            ci=f"bootstrap-{drawn.resamples}-{drawn.ci_unit}" if ci else None,
            seed=drawn.seed if ci or self.sampled() else None,
        )

    def described(self, sizes: object, *, ci: bool, **others: object) -> dict[str, Any]:
        """The options, for JSON."""
        shown = sizes if isinstance(sizes, (str, int)) else list(sizes)  # type: ignore[call-overload]
        described = {**self.options.to_dict(), "sizes": shown, "max_subsets": self.max_subsets}
        described |= {name: value for name, value in others.items() if value is not None}
        described["seed"] = self.certainty.seed
        if ci:
            described["ci"] = self.certainty.to_dict()
        return described


def _tables(counts: PanelCounts) -> tuple[list[CountsTable], list[CountsTable]]:
    return list(counts.people.values()), list(counts.systems.values())


def _score(work: _Work, counts: PanelCounts, subsets: Subsets) -> CeilingScores:
    from jurybox.stats.ceiling import score_ceiling

    return score_ceiling(*_tables(counts), subsets, statistic_for(work.options), told=work.told())


class _Intervals(NamedTuple):
    """Intervals by size: of the human score, and of every system's score and ratio."""

    human: list[Interval]
    systems: list[list[Interval]]  # [system][size]
    ratios: list[list[Interval]]


def _intervals(work: _Work, counts: PanelCounts, scored: CeilingScores) -> _Intervals:
    import numpy as np

    from jurybox.stats.ceiling import resample_ceiling
    from jurybox.stats.resample import bootstrap_weights, summarise

    certainty = work.certainty
    documents = _documents_to_resample(work)
    weights = bootstrap_weights(
        len(work.loaded.panel),
        certainty.resamples,
        np.random.default_rng(certainty.seed),
        documents,
    )
    people, systems = _tables(counts)
    drawn = resample_ceiling(
        people, systems, scored, statistic_for(work.options), weights, told=work.told()
    )
    units = len(work.loaded.panel) if documents is None else len(set(documents))
    alone = "" if units > 1 else f"one {certainty.ci_unit} alone shows no variation"

    def interval(scores: FloatArray) -> Interval:
        return summarise(0.0, scores, level=certainty.ci_level, only_one=alone).interval

    def ratios(system: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(system / drawn.human)

    return _Intervals(
        [interval(scores) for scores in drawn.human],
        [[interval(scores) for scores in system] for system in drawn.systems],
        [[interval(scores) for scores in ratios(system)] for system in drawn.systems],
    )


def _documents_to_resample(work: _Work) -> list[str] | None:
    if work.certainty.ci_unit == "sentence":
        return None
    documents = [sentence.document for sentence in work.loaded.panel]
    known = [document for document in documents if document is not None]
    if len(known) < len(documents):
        raise InputError(
            "--ci-unit document needs to know the documents: give --documents FILE (one document "
            "id per sentence, or the SGML file), or a gold file that has them"
        )
    return known


def _sizes(
    work: _Work, counts: PanelCounts, scored: CeilingScores, intervals: _Intervals | None
) -> tuple[SizeResult, ...]:
    from jurybox.stats.ceiling import ratio_of, spread_over

    human = scored.human()
    results = []
    for place, size in enumerate(work.sizes):
        part = scored.subsets.of(size)
        combinations = scored.subsets.combinations[size]
        systems = {}
        for number, name in enumerate(counts.systems):
            scores = scored.systems[number, part]
            systems[name] = SystemAtSize(
                spread_over(scores, combinations),
                ratio_of(scores, human[part], combinations),
                intervals.systems[number][place] if intervals else None,
                intervals.ratios[number][place] if intervals else None,
            )
        results.append(
            SizeResult(
                size,
                len(part),
                combinations,
                _references(work.loaded.panel, scored.subsets, part),
                spread_over(human[part], combinations),
                intervals.human[place] if intervals else None,
                systems,
            )
        )
    return tuple(results)


def _references(panel: Panel, subsets: Subsets, part: Any) -> float:
    """How many of a subset's members looked at a sentence, on average over those somebody did."""
    import numpy as np

    number = {name: place for place, name in enumerate(panel.annotators)}
    looked: dict[tuple[int, ...], int] = {}
    for sentence in panel:
        pattern = tuple(number[annotation.annotator] for annotation in sentence.annotations)
        looked[pattern] = looked.get(pattern, 0) + 1
    references = sentences = np.zeros(len(part))
    for pattern, times in looked.items():
        present = subsets.members[part][:, list(pattern)].sum(axis=1)
        references = references + times * present
        sentences = sentences + times * (present > 0)
    known = sentences > 0
    return float((references[known] / sentences[known]).mean()) if known.any() else 0.0


def _pairs(work: _Work, counts: PanelCounts) -> tuple[PairScore, ...]:
    """Every system against every annotator alone (Table 4 of the paper)."""
    from math import isnan

    from jurybox.stats.ceiling import pairwise

    if not counts.systems:
        raise UsageError(
            "--pairwise holds systems against single annotators: name some with --system "
            "(for people against people: jurybox annotators)"
        )
    found = pairwise(counts.systems, statistic_for(work.options))
    pairs = []
    for row, system in enumerate(found.hypotheses):
        for column, annotator in enumerate(found.annotators):
            values = [float(value) for value in found.scores[:, row, column]]
            known = [None if isnan(value) else value for value in values]
            if len(known) == 1:  # GLEU: one score, no precision or recall
                known = [None, None, *known]
            pairs.append(PairScore(system, annotator, *known))
    return tuple(pairs)


def by_type(work: _Work, subsets: Subsets) -> tuple[TypeCurve, ...]:
    """Human against human, one error type at a time (section 6.1 of the paper).

    Hypothesis and references hold the edits of the type alone. Sentences without such an edit add
    nothing to anybody and are left out, and all types are matched in one pass.
    """
    from jurybox.stats.ceiling import score_ceiling, spread_over

    panel = work.loaded.panel
    edits = count_types(panel)
    whole: list[Sentence] = []
    parts: dict[str, range] = {}
    for kind in edits:
        sentences = sentences_of_type(panel, kind)
        parts[kind] = range(len(whole), len(whole) + len(sentences))
        whole += sentences
    typed = Panel(tuple(whole), panel.annotators, panel.name)
    counts = count_hypotheses(
        typed,
        people_of(typed),
        work.options,
        jobs=choose_jobs(typed, 0, work.jobs),
        progress=work.progress,
    )
    curves = []
    for kind, places in parts.items():
        people = [table.select(places) for table in counts.people.values()]
        statistic = statistic_for(work.options)
        scored = score_ceiling(people, [], subsets, statistic, empty_counts=False)
        human = scored.human()
        found = tuple(
            TypeSize(size, spread_over(human[subsets.of(size)], subsets.combinations[size]))
            for size in work.sizes
        )
        curves.append(TypeCurve(kind, edits[kind], found))
    return tuple(curves)


def count_types(panel: Panel) -> dict[str, int]:
    """How many edits of each type all annotators made together, the most frequent first."""
    edits: dict[str, int] = {}
    for sentence in panel:
        for annotation in sentence.annotations:
            for edit in annotation.edits:
                edits[edit.type] = edits.get(edit.type, 0) + 1
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


def _check_extrapolation(to: int | None, sizes: Sequence[int]) -> None:
    from jurybox.stats.extrapolate import MINIMUM_SIZES

    if to is None:
        return
    if to <= sizes[-1]:
        raise UsageError(
            f"--extrapolate {to}: scores are measured up to {sizes[-1]} annotators already; give "
            "a larger number"
        )
    if len(sizes) < MINIMUM_SIZES:
        raise UsageError(
            f"--extrapolate fits a curve through at least {MINIMUM_SIZES} sizes, and there "
            f"{'is 1' if len(sizes) == 1 else f'are {len(sizes)}'}: add --sizes all"
        )


def _extrapolate(
    work: _Work, counts: PanelCounts, scored: CeilingScores, to: int | None
) -> tuple[Curve, ...]:
    """How the scores would grow with more annotators than there are."""
    if to is None:
        return ()
    from jurybox.stats.ceiling import spread_over, without_each
    from jurybox.stats.extrapolate import extrapolate, extrapolate_ratio

    sizes = list(work.sizes)
    level = work.certainty.ci_level
    targets = list(range(sizes[-1] + 1, to + 1))

    def curve_of(scores: FloatArray) -> list[float]:
        return [spread_over(scores[scored.subsets.of(size)], 1).mean for size in sizes]

    human = curve_of(scored.human())
    human_without, systems_without = without_each(scored.people, scored.systems, scored.subsets)
    curves = [Curve("human", extrapolate(sizes, human, human_without, targets, level=level), None)]
    for number, name in enumerate(counts.systems):
        system = curve_of(scored.systems[number])
        without = systems_without[number]
        curves.append(
            Curve(
                name,
                extrapolate(sizes, system, without, targets, level=level),
                extrapolate_ratio(
                    sizes, system, human, without, human_without, targets, level=level
                ),
            )
        )
    return tuple(curves)


def count_documents(panel: Panel) -> int | None:
    """How many documents there are, where every sentence has one."""
    documents = {sentence.document for sentence in panel}
    return None if None in documents else len(documents)


def _warn(message: str) -> None:
    import warnings

    warnings.warn(message, JuryboxWarning, stacklevel=3)
