"""Who agrees on what: on an edit, on its place without its boundary, on the corrected text.

Questions of Bryant and Ng (2015), sections 3 and 7, for any panel. Rules that hold for all of them:

- A sentence's annotators are those who looked at it. Sentences with fewer than two are left out:
  nobody can agree there.
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
from typing import TypeVar

from jurybox.annotators.result import (
    Consensus,
    EditsMadeBy,
    PlaceCounts,
    Places,
    TextCounts,
    TextSpread,
)
from jurybox.model import Edit, Panel, Sentence, apply_edits

Span = tuple[int, int]
Correction = tuple[int, int, str]
#: annotators as bits, in the order of the sentence's annotations
Makers = int
K = TypeVar("K", bound=Hashable)


def count_makers(panel: Panel) -> Consensus:
    """How many distinct edits were made by exactly k of the n annotators who looked, by level.

    `LEVELS` says what makes two edits the same at a level.

    >>> from jurybox.model import Annotation
    >>> one, other = Edit(1, 2, "is", "SVA"), Edit(1, 2, "was", "Vt")
    >>> three = tuple(Annotation(name, (edit,)) for name, edit in zip("abc", (one, one, other)))
    >>> makers = count_makers(Panel((Sentence(("It", "are"), three),), ("a", "b", "c")))
    >>> [tuple(made) for made in makers.edit], [tuple(made) for made in makers.span]
    ([(1, 3, 1), (2, 3, 1)], [(3, 3, 1)])
    """
    counts: dict[str, Counter[tuple[int, int]]] = {level: Counter() for level in LEVELS}
    for sentence in _shared(panel):
        looked = len(sentence.annotations)
        for level, keys in LEVELS.items():
            made = _makers(sentence, keys).values()
            counts[level].update((makers.bit_count(), looked) for makers in made)
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
    for sentence in _shared(panel):
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
    for sentence in _shared(panel):
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


def sorted_types(types: set[str]) -> list[str]:
    """Error types in the order of the paper's table: by letter, capitals or not.

    >>> sorted_types({"Wci", "WOinc", "Vt", "V0"})
    ['V0', 'Vt', 'Wci', 'WOinc']
    """
    return sorted(types, key=lambda kind: (kind.lower(), kind))


def _shared(panel: Panel) -> Iterator[Sentence]:
    return (sentence for sentence in panel if len(sentence.annotations) > 1)


def _makers(sentence: Sentence, keys: Callable[[Edit], tuple[K, ...]]) -> dict[K, Makers]:
    """Who made what in this sentence."""
    made: dict[K, Makers] = {}
    for place, (_, edits) in enumerate(sentence.annotations):
        for edit in edits:
            for key in keys(edit):
                made[key] = made.get(key, 0) | 1 << place
    return made


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
