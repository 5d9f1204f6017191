"""How `annotators` describes a panel: what each annotator did, how far they agree.

Tables 2 and 3 of Bryant and Ng (2015), for any panel. A sentence counts for exactly the annotators
who looked at it (its `annotations`): what somebody skipped is not what they left as it is.
"""

from __future__ import annotations

import warnings
from math import isnan
from typing import Any

from jurybox.annotators import Annotators, AnnotatorsOptions
from jurybox.annotators.consensus import compare_places, count_makers, count_texts, sorted_types
from jurybox.annotators.result import (
    AnnotatorPair,
    AnnotatorProfile,
    AnnotatorsResult,
    CorpusSize,
    EditPairScores,
    PairKappa,
    PairwiseKappa,
    SentenceAgreement,
    TextPairScore,
)
from jurybox.ceiling.scores import pairwise
from jurybox.counting.panels import LoadedPanel, load_panel_of
from jurybox.counting.people import PanelCounts, choose_jobs, count_people, sign_people
from jurybox.errors import JuryboxWarning, collecting_warnings
from jurybox.metrics.options import MetricOptions
from jurybox.model import Panel
from jurybox.name_order import shown_order
from jurybox.raters.agreement import (
    MISSING,
    cohen_kappa,
    count_labels,
    cross_tabulate,
    fleiss_kappa,
    krippendorff_alpha,
)
from jurybox.signature import signature
from jurybox.stats.confidence import statistic_for

#: what an annotator did with a sentence
LEFT, CHANGED, NOT_SEEN = 0, 1, MISSING
NOT_ASKED_FOR = "they were not asked for"
#: the parts of the result that need two annotators
SHARED = ("pairwise", "consensus", "places", "texts", "sentence_agreement")


def describe_panel(call: Annotators) -> AnnotatorsResult:
    """Read the panel, count, score and measure agreement."""
    options = call.only(MetricOptions)
    with collecting_warnings() as messages:
        loaded = load_panel_of(call)
        panel = loaded.panel
        undefined = dict.fromkeys(SHARED, _why_alone(panel))
        found: dict[str, Any] = {}
        if not undefined["consensus"]:
            found["consensus"] = count_makers(panel)
            found["places"] = compare_places(panel)
            found["texts"] = count_texts(panel)
            found["sentence_agreement"] = agree_on_sentences(panel)
            if call.pairwise:
                counts = call.counts
                if counts is None:
                    jobs = choose_jobs(panel, 0, call.jobs)
                    counts = count_people(loaded, [], options, jobs=jobs, progress=call.progress)
                    for line in counts.warnings:
                        warnings.warn(line, JuryboxWarning, stacklevel=2)
                found["pairwise"] = _score_pairs(counts, options)
        if not call.pairwise:
            undefined["pairwise"] = NOT_ASKED_FOR
    scored = "pairwise" in found
    profiles = profile_annotators(panel)
    return AnnotatorsResult(
        signature=_sign(loaded, options if scored else None),
        corpus=measure_corpus(panel),
        annotators={name: profiles[name] for name in shown_order(panel.annotators)},
        metric=call.metric if scored else None,
        options=call.only(AnnotatorsOptions).replace(**loaded.recorded),
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


def _sign(loaded: LoadedPanel, options: MetricOptions | None) -> str:
    """What the numbers depend on; without scores that is which part of the files is taken."""
    people = len(loaded.panel.annotators)
    if options is None:
        return signature("annotators", annotators=people, **loaded.signed)
    return sign_people(options, f"1of{people}", None, **loaded.signed)


def profile_annotators(panel: Panel) -> dict[str, AnnotatorProfile]:
    """Every annotator's edits by type, in the order of the panel (Bryant and Ng 2015, Table 3).

    Every edit counts as it stands in the file, also where an annotator wrote one twice. All
    profiles have the same types, in alphabetical order; a type an annotator never used has 0.
    """
    by_type: dict[str, dict[str, int]] = {name: {} for name in panel.annotators}
    sentences = dict.fromkeys(panel.annotators, 0)
    untouched = dict.fromkeys(panel.annotators, 0)
    for sentence in panel:
        for name, edits in sentence.annotations:
            sentences[name] += 1
            untouched[name] += not edits
            counts = by_type[name]
            for edit in edits:
                counts[edit.type] = counts.get(edit.type, 0) + 1
    types = sorted_types({kind for counts in by_type.values() for kind in counts})
    return {
        name: AnnotatorProfile(
            {kind: by_type[name].get(kind, 0) for kind in types}, sentences[name], untouched[name]
        )
        for name in panel.annotators
    }


def measure_corpus(panel: Panel) -> CorpusSize:
    """How many documents, paragraphs, sentences and tokens (Bryant and Ng 2015, Table 2).

    Documents, and paragraphs, are counted only if every sentence has one.
    """
    documents = {sentence.document for sentence in panel}
    paragraphs = {(sentence.document, sentence.paragraph) for sentence in panel}
    return CorpusSize(
        None if None in documents else len(documents),
        None if any(number is None for _, number in paragraphs) else len(paragraphs),
        len(panel),
        sum(len(sentence.tokens) for sentence in panel),
    )


def judge_sentences(panel: Panel) -> list[list[int]]:
    """What each annotator did with each sentence: `LEFT`, `CHANGED` or `NOT_SEEN`.

    Rows are sentences, columns annotators. To leave a sentence as it is is to call it correct.
    """
    column = {name: place for place, name in enumerate(panel.annotators)}
    rows = []
    for sentence in panel:
        row = [NOT_SEEN] * len(column)
        for name, edits in sentence.annotations:
            row[column[name]] = CHANGED if edits else LEFT
        rows.append(row)
    return rows


def agree_on_sentences(panel: Panel) -> SentenceAgreement:
    """Agreement on which sentences to leave as they are: two labels, gaps where nobody looked."""
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
        cohen_kappa=PairwiseKappa(pairs),
        fleiss_kappa=fleiss_kappa(counts),
        krippendorff_alpha=krippendorff_alpha(counts),
    )


def _score_pairs(counts: PanelCounts, options: MetricOptions) -> tuple[AnnotatorPair, ...]:
    """Every annotator's text against every other annotator alone."""
    scored = pairwise(counts.people, statistic_for(options))
    pairs = []
    for row, hypothesis in enumerate(scored.hypotheses):
        for column, annotator in enumerate(scored.annotators):
            if hypothesis == annotator:
                continue
            values = [float(value) for value in scored.scores[:, row, column]]
            kind = TextPairScore if len(values) == 1 else EditPairScores
            reason = "they looked at no sentence in common" if isnan(values[-1]) else ""
            pairs.append(AnnotatorPair(hypothesis, annotator, kind(*values), reason))
    return tuple(pairs)
