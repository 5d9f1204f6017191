"""`annotators`: who corrected what, and how far people agree (Bryant and Ng 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from jurybox.api.annotators_result import (
    AnnotatorPair,
    AnnotatorsResult,
    PairKappa,
    SentenceAgreement,
)
from jurybox.api.counting import Progress
from jurybox.api.inputs import Gold
from jurybox.api.options import Options
from jurybox.api.panels import LoadedPanel, Selection, as_selection, load_panel
from jurybox.api.people import PanelCounts, choose_jobs, count_people, sign_people
from jurybox.api.score import collecting_warnings
from jurybox.edits.consensus import compare_places, count_makers, count_texts
from jurybox.edits.profile import CHANGED, LEFT, judge_sentences, measure_corpus, profile_annotators
from jurybox.model import Panel
from jurybox.signature import signature

NOT_ASKED_FOR = "they were not asked for"
#: the parts of the result that need two annotators, in the order of the JSON
SHARED = ("pairwise", "consensus", "places", "texts", "sentence_agreement")


def annotators(
    gold: Gold,
    *,
    pairwise: bool = True,
    metric: str = "m2",
    beta: float = 0.5,
    choice: str = "running",
    max_unchanged_words: int = 2,
    ignore_case_whitespace: bool = False,
    level: str = "correction",
    types: str | Sequence[str] | None = None,
    size: str = "any",
    expected_statistics: bool = False,
    documents: Any = None,
    select: Selection = None,
    coverage: Any = None,
    gold_format: str | None = None,
    jobs: int | None = 1,
    counts: PanelCounts | None = None,
    progress: Progress | None = None,
) -> AnnotatorsResult:
    r"""Describe a panel: who made which edits, how far people agree, and how they would score.

    `gold` is one path, several, or a panel read before. `metric` and its options are those of
    `score`; they matter for the pairwise scores, in which every annotator's corrected text is a
    hypothesis and every other annotator alone is the gold. `pairwise=False` leaves them out, which
    is quick. `coverage` says who looked at what where the files cannot (see `load_panel`). `counts`
    is what `count_people` made of the same panel and options before.

    >>> from jurybox.formats import Input
    >>> gold = "S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n"
    >>> gold += "A 0 1|||ArtOrDet|||The|||REQUIRED|||-NONE-|||1\n"
    >>> result = annotators(Input.from_text(gold))
    >>> dict(result.annotators[0].by_type), result.texts.all_differ, result.matrix()[0][1]
    ({'ArtOrDet': 0, 'Nn': 1}, 1, 0.0)
    """
    options = Options(
        metric=metric,
        beta=beta,
        choice=choice,
        max_unchanged_words=max_unchanged_words,
        ignore_case_whitespace=ignore_case_whitespace,
        level=level,
        types=types,  # type: ignore[arg-type]  # Options takes one name and any sequence
        size=size,
        expected_statistics=expected_statistics,
    )
    select = as_selection(select)
    with collecting_warnings() as messages:
        loaded = load_panel(
            gold, gold_format=gold_format, documents=documents, select=select, coverage=coverage
        )
        panel = loaded.panel
        undefined = dict.fromkeys(SHARED, _why_alone(panel))
        found: dict[str, Any] = {}
        if not undefined["consensus"]:
            found["consensus"] = count_makers(panel)
            found["places"] = compare_places(panel)
            found["texts"] = count_texts(panel)
            found["sentence_agreement"] = agree_on_sentences(panel)
            if pairwise:
                if counts is None:
                    processes = choose_jobs(panel, 0, jobs)
                    counts = count_people(loaded, [], options, jobs=processes, progress=progress)
                found["pairwise"] = _score_pairs(counts, options)
        if not pairwise:
            undefined["pairwise"] = NOT_ASKED_FOR
    scored = "pairwise" in found
    return AnnotatorsResult(
        signature=_signature(loaded, options if scored else None, **loaded.taken(select, coverage)),
        corpus=measure_corpus(panel),
        annotators=profile_annotators(panel),
        metric=metric if scored else None,
        options=options.to_dict() if scored else None,
        undefined={name: reason for name, reason in undefined.items() if reason},
        inputs=loaded.inputs,
        warnings=tuple(messages),
        **found,
    )


def _why_alone(panel: Panel) -> str:
    """Why nobody can be compared with anybody, or '' where somebody can."""
    if len(panel.annotators) < 2:
        return "it takes two annotators; give more files with --gold"
    if not any(len(sentence.annotations) > 1 for sentence in panel):
        return "no sentence was looked at by two annotators"
    return ""


def agree_on_sentences(panel: Panel) -> SentenceAgreement:
    """Agreement on which sentences to leave as they are: two labels, gaps where nobody looked."""
    from jurybox.raters.agreement import (
        cohen_kappa,
        count_labels,
        cross_tabulate,
        fleiss_kappa,
        krippendorff_alpha,
    )

    codes = judge_sentences(panel)
    counts = count_labels(codes, labels=2)
    shared = counts[counts.sum(axis=1) > 1]
    tables = cross_tabulate(codes, labels=2)
    names = panel.annotators
    pairs = tuple(
        PairKappa(names[a], names[b], int(tables[a, b].sum()), cohen_kappa(tables[a, b]))
        for a in range(len(names))
        for b in range(a + 1, len(names))
    )
    return SentenceAgreement(
        sentences=len(shared),
        all_left=int((shared[:, CHANGED] == 0).sum()),
        all_changed=int((shared[:, LEFT] == 0).sum()),
        pairs=pairs,
        fleiss=fleiss_kappa(counts),
        alpha=krippendorff_alpha(counts),
    )


def _score_pairs(counts: PanelCounts, options: Options) -> tuple[AnnotatorPair, ...]:
    """Every annotator's text against every other annotator alone."""
    from jurybox.api.certainty import statistic_for
    from jurybox.stats.ceiling import pairwise

    scored = pairwise(counts.people, statistic_for(options))
    pairs = []
    for row, hypothesis in enumerate(scored.hypotheses):
        for column, annotator in enumerate(scored.annotators):
            if hypothesis == annotator:
                continue
            values = [float(value) for value in scored.scores[:, row, column]]
            scores = dict(zip(scored.names, values, strict=True))
            reason = "they looked at no sentence in common" if isnan(values[-1]) else ""
            pairs.append(AnnotatorPair(hypothesis, annotator, scores, reason))
    return tuple(pairs)


def _signature(loaded: LoadedPanel, options: Options | None, **taken: object) -> str:
    """What the numbers depend on; without scores that is which part of the files is taken."""
    people = len(loaded.panel.annotators)
    if options is None:
        return signature("annotators", annotators=people, **taken)
    return sign_people(options, f"1of{people}", None, **taken)
