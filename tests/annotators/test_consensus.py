"""Who agrees on what: hand-made sentences, and a slow way that asks every pair of annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import permutations
from math import isnan
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.annotators.describe import (
    LEVELS,
    compare_places,
    count_texts,
    meet,
)
from jurybox.annotators.describe import count_makers as count_makers_in_rows
from jurybox.annotators.result import EditsMadeBy, PlaceCounts, TextSpread
from jurybox.model import Annotation, Edit, Panel, Sentence, apply_edits

TOKENS = ("He", "like", "the", "cats", "of", "sister", ".")
NAMES = "abcdefgh"


def panel_of(*sentences: list[tuple[Edit, ...] | None]) -> Panel:
    """Sentences as the edits of annotator a, b, c …; None is one who did not look."""
    made = []
    for listed in sentences:
        given = zip(NAMES, listed, strict=False)
        annotations = (Annotation(name, edits) for name, edits in given if edits is not None)
        made.append(Sentence(TOKENS, tuple(annotations)))
    return Panel(tuple(made), tuple(NAMES[: max(map(len, sentences))]))


def as_counts(rows: Iterable[EditsMadeBy | TextSpread]) -> dict[tuple[int, int], int]:
    """(made by, of how many who looked) -> how often."""
    return {row[:2]: row[2] for row in rows}


def count_makers(panel: Panel) -> dict[str, dict[tuple[int, int], int]]:
    return {level: as_counts(rows) for level, rows in count_makers_in_rows(panel)._asdict().items()}


LIKES, LIKED = Edit(1, 2, "likes", "SVA"), Edit(1, 2, "liked", "Vt")
NO_THE = Edit(2, 3, "", "ArtOrDet")


# --- how many made it ---


def test_edits_are_counted_by_how_many_made_them() -> None:
    makers = count_makers(panel_of([(LIKES, NO_THE), (LIKES,), (LIKED,)]))
    assert makers["edit"] == {(2, 3): 1, (1, 3): 2}
    assert makers["span"] == {(3, 3): 1, (1, 3): 1}
    assert makers["span_type"] == {(2, 3): 1, (1, 3): 2}
    assert makers["type"] == {(2, 3): 1, (1, 3): 2}


def test_the_same_edit_in_another_sentence_is_another_edit() -> None:
    makers = count_makers(panel_of([(LIKES,), ()], [(), (LIKES,)]))
    assert makers["edit"] == {(1, 2): 2}
    assert makers["type"] == {(1, 2): 2}


def test_types_agree_anywhere_in_a_sentence_but_spans_do_not() -> None:
    other = Edit(4, 5, "of his", "SVA")
    makers = count_makers(panel_of([(LIKES,), (other,)]))
    assert makers["type"] == {(2, 2): 1}
    assert makers["span_type"] == makers["span"] == makers["edit"] == {(1, 2): 2}


def test_an_annotator_who_offers_alternatives_agrees_with_whoever_made_one() -> None:
    either = Edit(1, 2, "likes||liked", "SVA")
    panel = panel_of([(either,), (LIKED,), (LIKES,)])
    assert count_makers(panel)["edit"] == {(2, 3): 2}
    places = compare_places(panel)
    assert places.by_type["SVA"] == PlaceCounts(same_edit=3, other_correction=1)
    assert places.by_type["Vt"] == PlaceCounts(same_edit=1, other_correction=1)


def test_a_deletion_is_the_same_however_it_is_written_and_blanks_do_not_matter() -> None:
    marked = NO_THE._replace(replacement="-NONE-")
    assert count_makers(panel_of([(NO_THE,), (marked,)]))["edit"] == {(2, 2): 1}
    one, other = Edit(4, 5, "of his"), Edit(4, 5, " of  his")
    assert count_makers(panel_of([(one,), (other,)]))["edit"] == {(2, 2): 1}
    assert count_makers(panel_of([(one,), (Edit(4, 5, "Of his"),)]))["edit"] == {(1, 2): 2}


def test_an_edit_written_twice_by_one_annotator_was_made_once() -> None:
    assert count_makers(panel_of([(LIKES, LIKES), ()]))["edit"] == {(1, 2): 1}
    assert compare_places(panel_of([(LIKES, LIKES), ()])).overall == PlaceCounts(nothing=1)


def test_only_those_who_looked_at_a_sentence_can_agree_on_it() -> None:
    makers = count_makers(panel_of([(LIKES,), (LIKES,), None], [(LIKES,), (LIKES,), ()]))
    assert makers["edit"] == {(2, 2): 1, (2, 3): 1}


def test_a_sentence_that_one_annotator_saw_says_nothing_about_agreement() -> None:
    panel = panel_of([(LIKES,), None], [None, None])
    assert count_makers(panel) == {level: {} for level in LEVELS}
    assert compare_places(panel).overall == PlaceCounts()
    texts = count_texts(panel)
    assert (texts.sentences, texts.all_same, texts.all_differ) == (0, 0, 0)
    assert isnan(texts.mean)
    assert all(isnan(share) for share in compare_places(panel).overall.shares)


# --- at the same place ---


@pytest.mark.parametrize(
    ("one", "other", "same_place"),
    [
        ((1, 3), (2, 5), True),  # a token in common
        ((1, 5), (2, 3), True),  # one inside the other
        ((1, 2), (1, 3), True),
        ((1, 2), (2, 3), False),  # side by side: no token in common
        ((2, 2), (1, 3), True),  # an insertion inside
        ((1, 1), (1, 3), True),  # at the left edge
        ((3, 3), (1, 3), True),  # at the right edge
        ((4, 4), (1, 3), False),
        ((2, 2), (2, 2), True),
        ((2, 2), (3, 3), False),  # insertions at two places
    ],
)
def test_spans_meet_in_a_token_or_where_something_is_inserted(
    one: tuple[int, int], other: tuple[int, int], same_place: bool
) -> None:
    assert meet(one, other) is same_place
    assert meet(other, one) is same_place


def test_every_edit_is_looked_for_at_every_other_annotator() -> None:
    """Two edits by a against b and c, one by b against a and c, one by c against a and b."""
    whole = Edit(1, 3, "likes", "SVA")
    places = compare_places(panel_of([(LIKES, NO_THE), (LIKED,), (whole,)]))
    assert places.overall == PlaceCounts(other_correction=2, other_boundary=5, nothing=1)
    assert places.by_type == {
        "ArtOrDet": PlaceCounts(other_boundary=1, nothing=1),
        "SVA": PlaceCounts(other_correction=1, other_boundary=3),
        "Vt": PlaceCounts(other_correction=1, other_boundary=1),
    }


def test_an_annotator_with_the_same_edit_and_another_nearby_has_the_same_edit() -> None:
    insertion = Edit(2, 2, "all", "Wci")
    places = compare_places(panel_of([(LIKES,), (insertion, LIKES)]))
    assert places.by_type["SVA"] == PlaceCounts(same_edit=2)
    assert places.by_type["Wci"] == PlaceCounts(other_boundary=1)


# --- corrected texts ---


def test_texts_are_the_same_if_the_words_are_whatever_the_edits() -> None:
    parts = (LIKES, NO_THE)
    whole = (Edit(1, 3, "likes"),)
    counts = count_texts(panel_of([parts, whole, ()], [(), (), ()], [(LIKES,), (LIKED,), ()]))
    assert as_counts(counts.spread) == {(2, 3): 1, (1, 3): 1, (3, 3): 1}
    assert (counts.all_same, counts.all_untouched, counts.all_differ) == (1, 1, 1)
    assert counts.mean == 2


def test_agreeing_on_a_change_is_not_agreeing_to_leave_a_sentence() -> None:
    counts = count_texts(panel_of([(LIKES,), (LIKES,)]))
    assert (counts.all_same, counts.all_untouched) == (1, 0)


# --- the slow way ---

spans = st.tuples(st.integers(0, 7), st.integers(0, 3)).map(lambda x: (x[0], min(7, sum(x))))
edits = st.builds(
    lambda span, words, kind: Edit(span[0], span[1], words, kind),
    spans,
    st.sampled_from(["", "x", "x y", "x||z", "-NONE-"]),
    st.sampled_from(["Nn", "SVA", "Vt"]),
)
given_edits = st.none() | st.lists(edits, max_size=4).map(tuple)
panels = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(given_edits, min_size=n, max_size=n), min_size=1, max_size=4).map(
        lambda sentences: panel_of(*sentences)
    )
)


def offered(edit: Edit) -> frozenset[tuple[int, int, tuple[str, ...]]]:
    return frozenset((edit.start, edit.end, tuple(text.split())) for text in edit.alternatives)


def tokens_and_gaps(edit: Edit) -> set[float]:
    """The tokens of a span; an insertion is the gap before its token, a half."""
    if edit.start == edit.end:
        return {edit.start - 0.5}
    return set(range(edit.start, edit.end))


def at_same_place(one: Edit, other: Edit) -> bool:
    """A token in common, or an insertion in one of the gaps in or beside the other's tokens."""
    if one.start == one.end:
        one, other = other, one
    if one.start < one.end and other.start == other.end:
        return other.start - 0.5 in {
            token + half for token in tokens_and_gaps(one) for half in (-0.5, 0.5)
        }
    return bool(tokens_and_gaps(one) & tokens_and_gaps(other))


def slow_places(panel: Panel) -> Counter[str]:
    found: Counter[str] = Counter()
    for sentence in panel:
        for a, b in permutations(sentence.annotations, 2):
            for edit in {offered(edit): edit for edit in a.edits}.values():
                if any(offered(edit) & offered(other) for other in b.edits):
                    found["same_edit"] += 1
                elif any(edit[:2] == other[:2] for other in b.edits):
                    found["other_correction"] += 1
                elif any(at_same_place(edit, other) for other in b.edits):
                    found["other_boundary"] += 1
                else:
                    found["nothing"] += 1
    return found


@given(panels)
def test_places_are_what_asking_every_pair_of_annotators_gives(panel: Panel) -> None:
    places = compare_places(panel)
    assert +Counter(places.overall._asdict()) == slow_places(panel)
    summed = [sum(column) for column in zip(*places.by_type.values(), strict=True)]
    assert summed in ([], list(places.overall))


@given(panels)
def test_makers_are_what_asking_every_annotator_gives(panel: Panel) -> None:
    keys: dict[str, Callable[[Edit], Iterable[object]]] = {
        "edit": offered,
        "span": lambda edit: [edit[:2]],
        "span_type": lambda edit: [(*edit[:2], edit.type)],
        "type": lambda edit: [edit.type],
    }
    makers = count_makers(panel)
    assert list(makers) == list(LEVELS)
    for level, key in keys.items():
        expected: Counter[tuple[int, int]] = Counter()
        for sentence in panel:
            looked = len(sentence.annotations)
            made = Counter(
                what for a in sentence.annotations for what in {k for e in a.edits for k in key(e)}
            )
            if looked > 1:
                expected.update((times, looked) for times in made.values())
        assert makers[level] == expected


@given(panels)
def test_texts_are_what_applying_every_annotators_edits_gives(panel: Panel) -> None:
    expected: Counter[tuple[int, int]] = Counter()
    for sentence in panel:
        texts = [tuple(apply_edits(sentence.tokens, a.edits)) for a in sentence.annotations]
        if len(texts) > 1:
            expected[len(set(texts)), len(texts)] += 1
    counts = count_texts(panel)
    assert as_counts(counts.spread) == expected
    assert counts.all_differ == sum(n for (distinct, of), n in expected.items() if distinct == of)
    assert counts.all_same == sum(n for (distinct, _), n in expected.items() if distinct == 1)


def test_fifty_annotators_take_seconds_at_most() -> None:
    ways = [
        (Edit(k % 7, k % 7 + 1, f"w{k % 5}", "Nn"), Edit(6, 6, f"v{k % 9}", "Vt"))
        for k in range(50)
    ]
    annotators = tuple(f"A{k}" for k in range(50))
    sentence = Sentence(TOKENS, tuple(map(Annotation, annotators, ways)))
    panel = Panel((sentence,) * 300, annotators)
    begun = process_time()
    count_makers(panel)
    compare_places(panel)
    count_texts(panel)
    assert process_time() - begun < 3
