"""How `annotators` describes a panel: what each annotator did, how far they agree.

Tables 2 and 3 and the questions of sections 3 and 7 of Bryant and Ng (2015), for any panel. Rules
that hold for all of them:

- A sentence counts for exactly the annotators who looked at it (its `annotations`): what somebody
  skipped is not what they left as it is. On a sentence with fewer than two nobody can agree.
- An edit is its span and its correction. An annotator who offers alternatives (`||`) made each of
  them, and agrees with whoever made one. Blanks between words do not matter, capitals do. (The
  corrected text has the first alternative, as always when edits are applied.)
- An annotator who wrote the same thing twice in a sentence made it once.

Within a sentence, annotators are bits of a whole number: what k of n made is then a count of bits,
and fifty annotators take little longer than ten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import combinations
from math import isnan
from typing import Any, TypeVar

from jurybox.annotators import Annotators, AnnotatorsOptions
from jurybox.annotators.result import (
    AnnotatorPair,
    AnnotatorProfile,
    AnnotatorsResult,
    Consensus,
    CorpusSize,
    EditPairScores,
    EditsMadeBy,
    PairKappa,
    PairwiseKappa,
    PlaceCounts,
    Places,
    SentenceAgreement,
    TextCounts,
    TextPairScore,
    TextSpread,
)
from jurybox.ceiling.scores import pairwise
from jurybox.counting.panels import load_panel_of
from jurybox.counting.people import PanelCounts, choose_jobs, count_people, sign_people
from jurybox.errors import collecting_warnings, warn
from jurybox.metrics.options import MetricOptions
from jurybox.model import Edit, Panel, Sentence, apply_edits
from jurybox.options import signature
from jurybox.raters.agreement import (
    MISSING,
    cohen_kappa,
    count_labels,
    cross_tabulate,
    fleiss_kappa,
    krippendorff_alpha,
)
from jurybox.stats.confidence import statistic_for
from jurybox.tables import shown_order

#: what an annotator did with a sentence
LEFT, CHANGED, NOT_SEEN = 0, 1, MISSING
NOT_ASKED_FOR = "they were not asked for"
#: the parts of the result that need two annotators
SHARED = ("pairwise", "consensus", "places", "texts", "sentence_agreement")

Span = tuple[int, int]
Correction = tuple[int, int, str]
#: annotators as bits, in the order of the sentence's annotations
Makers = int
K = TypeVar("K", bound=Hashable)


def describe_panel(call: Annotators) -> AnnotatorsResult:
    """Read the panel, count, score and measure agreement."""
    options = call.only(MetricOptions)
    with collecting_warnings() as messages:
        loaded = load_panel_of(call)
        panel = loaded.panel
        alone = ""
        if len(panel.annotators) < 2:
            alone = "it takes two annotators; give more files with --gold"
        elif not any(shared_sentences(panel)):
            alone = "no sentence was looked at by two annotators"
        undefined = dict.fromkeys(SHARED, alone)
        found: dict[str, Any] = {}
        if not alone:
            found["consensus"] = count_makers(panel)
            found["places"] = compare_places(panel)
            found["texts"] = count_texts(panel)
            found["sentence_agreement"] = agree_on_sentences(panel)
            if call.pairwise:
                counts = call.counts
                if counts is None:
                    jobs = choose_jobs(panel, 0, call)
                    counts = count_people(loaded, [], options, jobs=jobs, progress=call.progress)
                    warn(*counts.warnings)
                found["pairwise"] = _score_pairs(counts, options)
        if not call.pairwise:
            undefined["pairwise"] = NOT_ASKED_FOR
    scored = "pairwise" in found
    people = len(panel.annotators)
    if scored:
        signed = sign_people(options, f"1of{people}", None, **loaded.signed)
    else:  # without scores the numbers depend on which part of the files is taken
        signed = signature("annotators", annotators=people, **loaded.signed)
    profiles = profile_annotators(panel)
    return AnnotatorsResult(
        signature=signed,
        corpus=measure_corpus(panel),
        annotators={name: profiles[name] for name in shown_order(panel.annotators)},
        metric=call.metric if scored else None,
        options=call.only(AnnotatorsOptions).replace(**loaded.recorded),
        undefined={name: reason for name, reason in undefined.items() if reason},
        inputs=loaded.inputs,
        warnings=tuple(messages),
        **found,
    )


def shared_sentences(panel: Panel) -> Iterator[Sentence]:
    """The sentences that two annotators or more looked at."""
    return (sentence for sentence in panel if len(sentence.annotations) > 1)


def sorted_types(types: set[str]) -> list[str]:
    """Error types in the order of the paper's table: by letter, capitals or not.

    >>> sorted_types({"Wci", "WOinc", "Vt", "V0"})
    ['V0', 'Vt', 'Wci', 'WOinc']
    """
    return sorted(types, key=lambda kind: (kind.lower(), kind))


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
        for a, b in combinations(range(len(names)), 2)
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
    pairs = []
    for hypothesis, annotator, values in pairwise(counts.people, statistic_for(options)):
        if hypothesis != annotator:
            kind = TextPairScore if len(values) == 1 else EditPairScores
            reason = "they looked at no sentence in common" if isnan(values[-1]) else ""
            pairs.append(AnnotatorPair(hypothesis, annotator, kind(*values), reason))
    return tuple(pairs)


# --- who agrees on what ---


def count_makers(panel: Panel) -> Consensus:
    """How many distinct edits were made by exactly k of the n annotators who looked, by level.

    `LEVELS` says what makes two edits the same at a level.
    """
    counts: dict[str, Counter[tuple[int, int]]] = {level: Counter() for level in LEVELS}
    for sentence in shared_sentences(panel):
        looked = len(sentence.annotations)
        for level, keys in LEVELS.items():
            edits = _makers(sentence, keys).values()
            counts[level].update((makers.bit_count(), looked) for makers in edits)
    return Consensus(
        **{
            level: tuple(EditsMadeBy(*who, count) for who, count in sorted(counted.items()))
            for level, counted in counts.items()
        }
    )


def compare_places(panel: Panel) -> Places:
    """What every other annotator has at the place of an edit, for all edits of all annotators.

    For each edit of a, and each other annotator b who looked at the sentence, the first of these
    that holds: b made the same edit; b has another correction of the same span; b has an edit that
    meets the span (`meet`), so that they agree on the place but not on its boundary; b has nothing
    there. By type is by the type of a's edit.
    """
    by_type: dict[str, list[int]] = {}
    for sentence in shared_sentences(panel):
        others = len(sentence.annotations) - 1
        corrections, spans = _makers(sentence, _corrections), _makers(sentence, _spans)
        near = _makers_near(spans)
        for _, edits in sentence.annotations:
            kinds = {_corrections(edit): edit.type for edit in reversed(edits)}
            for offered, kind in kinds.items():
                span = offered[0][:2]
                agree = 0
                for correction in offered:
                    agree |= corrections[correction]
                same = agree.bit_count() - 1  # less the annotator whose edit it is
                at_span = spans[span].bit_count() - 1
                at_place = near[span].bit_count() - 1
                counts = by_type.setdefault(kind, [0, 0, 0, 0])
                counts[0] += same
                counts[1] += at_span - same
                counts[2] += at_place - at_span
                counts[3] += others - at_place
    totals = (sum(column) for column in zip(*by_type.values(), strict=True))
    kinds_in_order = sorted_types(set(by_type))
    return Places(
        PlaceCounts(*totals), {kind: PlaceCounts(*by_type[kind]) for kind in kinds_in_order}
    )


def meet(one: Span, other: Span) -> bool:
    """Whether two spans are at the same place: they share a token, or one is an insertion there.

    An insertion has an empty span. It meets a span if it is inside it or at either edge, for "put
    'the' before 'cat'" and "make 'cat' into 'the cat'" are two ways to write one correction. Two
    spans with tokens that only lie side by side do not meet, nor do insertions at two places.

    >>> meet((3, 5), (4, 6)), meet((3, 4), (4, 6)), meet((3, 4), (4, 4)), meet((4, 4), (5, 5))
    (True, False, True, False)
    """
    if one == other:
        return True
    if one[0] == one[1] or other[0] == other[1]:
        return max(one[0], other[0]) <= min(one[1], other[1])
    return max(one[0], other[0]) < min(one[1], other[1])


def count_texts(panel: Panel) -> TextCounts:
    """How many different corrected texts each sentence has (edits applied as in `apply_edits`).

    Two annotators who reach the same words by different edits have the same text.
    """
    spread: Counter[tuple[int, int]] = Counter()
    all_same = all_untouched = all_differ = 0
    for sentence in shared_sentences(panel):
        looked = len(sentence.annotations)
        # most annotators share their edits with somebody: apply each set of edits once
        ways = {edits for _, edits in sentence.annotations}
        distinct = len({tuple(apply_edits(sentence.tokens, edits)) for edits in ways})
        spread[distinct, looked] += 1
        all_same += distinct == 1
        all_differ += distinct == looked
        all_untouched += ways == {()}
    rows = tuple(TextSpread(*texts, count) for texts, count in sorted(spread.items()))
    return TextCounts(rows, all_same, all_untouched, all_differ)


def _makers(sentence: Sentence, keys: Callable[[Edit], tuple[K, ...]]) -> dict[K, Makers]:
    """Who made what in this sentence."""
    makers: dict[K, Makers] = {}
    for place, (_, edits) in enumerate(sentence.annotations):
        for edit in edits:
            for key in keys(edit):
                makers[key] = makers.get(key, 0) | 1 << place
    return makers


def _makers_near(spans: Mapping[Span, Makers]) -> dict[Span, Makers]:
    """For each span, who has an edit that meets it; its own makers are among them."""
    near = dict(spans)
    ordered = sorted(spans)
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other[0] > one[1]:
                break
            if meet(one, other):
                near[one] |= spans[other]
                near[other] |= spans[one]
    return near


def _corrections(edit: Edit) -> tuple[Correction, ...]:
    return tuple((edit.start, edit.end, " ".join(text.split())) for text in edit.alternatives)


def _spans(edit: Edit) -> tuple[Span]:
    return ((edit.start, edit.end),)


#: what two edits must have in common to be the same; "type" is the same type anywhere in a sentence
LEVELS: dict[str, Callable[[Edit], tuple[Hashable, ...]]] = {
    "edit": _corrections,
    "span_type": lambda edit: ((edit.start, edit.end, edit.type),),
    "span": _spans,
    "type": lambda edit: (edit.type,),
}
