"""`ceiling`: how far is a system from a person?

People are scored like systems, at the same number of reference annotators (Bryant and Ng 2015).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from jurybox.api.ceiling_certainty import (
    Intervals,
    check_extrapolation,
    continue_curves,
    find_intervals,
)
from jurybox.api.ceiling_result import (
    HUMAN,
    CeilingResult,
    PairScore,
    SizeResult,
    SystemAtSize,
)
from jurybox.api.ceiling_types import score_types
from jurybox.api.ceiling_work import LEAVE_ONE_OUT, Work, documents_of, read_sizes
from jurybox.api.certainty import Certainty
from jurybox.api.counting import Progress
from jurybox.api.inputs import Gold, Hypothesis, System, systems_from
from jurybox.api.options import EDIT_METRICS, Options, title_of_score
from jurybox.api.panels import Selection, as_selection, load_panel, need_two
from jurybox.api.people import PanelCounts, choose_jobs, count_people
from jurybox.api.score import collecting_warnings
from jurybox.errors import JuryboxWarning, UsageError, unknown_name
from jurybox.formats import Input
from jurybox.model import Panel

if TYPE_CHECKING:
    from jurybox.stats.ceiling import CeilingScores
    from jurybox.stats.running_choice import IntArray

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
    select: Selection = None,
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
    jobs: int | None = 1,
    counts: PanelCounts | None = None,
    progress: Progress | None = None,
) -> CeilingResult:
    r"""How people score against each other, and systems beside them.

    `gold` is the panel, two annotators or more; `systems` a dict of outputs by name. `sizes` is
    "loo" (each person against all others), "all", or numbers of reference annotators. Options
    are those of `jurybox ceiling`. `counts` is what `count_people` made of the same panel, systems
    and options before: nothing is matched again.

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
        beta=beta,
        choice=choice,
        max_unchanged_words=max_unchanged_words,
        ignore_case_whitespace=ignore_case_whitespace,
        tokenize=tokenize,
        level=level,
        types=types,  # type: ignore[arg-type]  # Options takes one name and any sequence
        size=size,
        expected_statistics=expected_statistics,
    )
    select = as_selection(select)
    certainty = Certainty(resamples, ci_level, ci_unit, seed)
    _check(by, options, max_subsets)
    if pairwise and not systems:
        raise UsageError(
            "--pairwise holds systems against single annotators: name some with --system "
            "(for people against people: jurybox annotators)"
        )
    if not isinstance(sizes, (str, int)):
        sizes = [int(size) for size in sizes]
    with collecting_warnings() as messages:
        loaded = load_panel(
            gold,
            gold_format=gold_format,
            documents=documents,
            select=select,
            coverage=coverage,
        )
        need_two(loaded.panel)
        if ci and ci_unit == "document":
            documents_of(loaded.panel)  # complains before the work, not after it
        wanted = read_sizes(sizes, len(loaded.panel.annotators))
        check_extrapolation(extrapolate, wanted, len(loaded.panel.annotators))
        given = systems_from(systems, hyp_format=hyp_format) if systems else []
        _check_names(given)
        if counts is None:
            processes = choose_jobs(loaded.panel, len(given), jobs)
            counts = count_people(loaded, given, options, jobs=processes, progress=progress)
        for line in (*counts.warnings, *_odd_panel(loaded.panel, select)):
            warnings.warn(line, JuryboxWarning, stacklevel=2)
        work = Work(
            loaded,
            counts,
            options,
            _take_subsets(loaded.panel, wanted, max_subsets, certainty),
            certainty,
            jobs,
            progress,
        )
        scored = _score(work)
        intervals = find_intervals(work, scored) if ci else None
        types_found = score_types(work) if by else ()
    used = [system.source for system in given if isinstance(system.source, Input)]
    return CeilingResult(
        metric=metric,
        beta=options.beta,
        signature=work.sign(max_subsets, ci=ci, **loaded.taken(select, coverage)),
        options=work.describe(
            ci=ci,
            sizes=sizes,
            max_subsets=max_subsets,
            by=by,
            extrapolate=extrapolate,
            **loaded.taken(select, coverage),
        ),
        annotators=loaded.panel.annotators,
        sentences=len(loaded.panel),
        documents=_count_documents(loaded.panel),
        sizes=_sizes(work, scored, intervals),
        pairs=_pairs(work) if pairwise else (),
        types=types_found,
        curves=() if extrapolate is None else continue_curves(work, scored, extrapolate),
        inputs=(*used, *loaded.inputs),
        warnings=tuple(messages),
    )


def _check(by: str | None, options: Options, max_subsets: int) -> None:
    if by not in (None, "type"):
        raise unknown_name("way to split results (--by)", str(by), ["type"])
    if by and options.metric not in EDIT_METRICS:
        title = title_of_score(options.metric, options.beta)
        raise UsageError(f"{title} has no edits and so no types: --by type goes with m2 and errant")
    if by and options.types is not None:
        raise UsageError("--by type shows every type: leave out --types")
    if max_subsets < 2:
        raise UsageError(f"--max-subsets must be 2 or more, not {max_subsets}")


def _check_names(systems: Sequence[System]) -> None:
    """People are called "human" in every table."""
    if any(system.name == HUMAN for system in systems):
        raise UsageError(f"a system cannot be called '{HUMAN}' here; give it another name")


def _odd_panel(panel: Panel, select: str | None) -> Iterator[str]:
    """What is odd about a panel although it can be scored."""
    if not any(annotation.edits for sentence in panel for annotation in sentence.annotations):
        where = f" in documents {select}" if select else ""
        yield f"nobody made an edit{where}: people score 1 by convention, which says nothing"


def _take_subsets(panel: Panel, sizes: Sequence[int], most: int, certainty: Certainty) -> Any:
    import numpy as np

    from jurybox.stats.ceiling import take_subsets

    rng = np.random.default_rng(certainty.seed)
    return take_subsets(len(panel.annotators), sizes, most=most, rng=rng)


def _score(work: Work) -> CeilingScores:
    from jurybox.stats.ceiling import score_ceiling

    people = len(work.people)
    gaps = any(len(sentence.annotations) < people for sentence in work.panel)
    # where people skipped sentences, a system is scored for each of them
    told = work.told(people + len(work.systems) * (people if gaps else 1))
    return score_ceiling(work.people, work.systems, work.subsets, work.statistic, told=told)


def _sizes(
    work: Work, scored: CeilingScores, intervals: Intervals | None
) -> tuple[SizeResult, ...]:
    from jurybox.stats.ceiling import ratio_of, spread_over

    human = scored.human()
    looked = _looked_at(work.panel)
    results = []
    for place, (size, combinations) in enumerate(work.subsets.combinations.items()):
        part = work.subsets.of(size)
        systems = {}
        for number, name in enumerate(work.counts.systems):
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
                _references(work, looked, part),
                spread_over(human[part], combinations),
                intervals.human[place] if intervals else None,
                systems,
            )
        )
    return tuple(results)


def _looked_at(panel: Panel) -> dict[tuple[int, ...], int]:
    """Who looked at sentences together, and how many sentences these are."""
    number = {name: place for place, name in enumerate(panel.annotators)}
    looked: dict[tuple[int, ...], int] = {}
    for sentence in panel:
        who = tuple(number[annotation.annotator] for annotation in sentence.annotations)
        looked[who] = looked.get(who, 0) + 1
    return looked


def _references(work: Work, looked: Mapping[tuple[int, ...], int], part: IntArray) -> float:
    """How many references a person meets in a sentence, on average over those who meet some."""
    import numpy as np

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
    from jurybox.stats.ceiling import pairwise

    found = pairwise(work.counts.systems, work.statistic)
    pairs = []
    for row, system in enumerate(found.hypotheses):
        for column, annotator in enumerate(found.annotators):
            values = [float(value) for value in found.scores[:, row, column]]
            known = [None if isnan(value) else value for value in values]
            if len(known) == 1:  # GLEU: one score, no precision or recall
                known = [None, None, *known]
            pairs.append(PairScore(system, annotator, *known))
    return tuple(pairs)


def _count_documents(panel: Panel) -> int | None:
    """How many documents there are, where every sentence has one."""
    documents = {sentence.document for sentence in panel}
    return None if None in documents else len(documents)
