"""Edits with weights: pooled over annotators, they are what scoring against each alone gives."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.metrics.graded import Grade, Grades, grade_sentence, shared_edits
from jurybox.model import Annotation, Edit, Sentence, apply_edits

TOKENS = ("She", "go", "to", "school", "by", "the", "bus")
GOES, WENT = Edit(1, 2, "goes", "SVA"), Edit(1, 2, "went", "Vt")
BY_BUS, ON_BUS = Edit(5, 6, "", "ArtOrDet"), Edit(4, 5, "on", "Prep")
PEOPLE = [(GOES, BY_BUS), (GOES,), (WENT, BY_BUS), (GOES, ON_BUS)]


def sentence_of(people: list[tuple[Edit, ...]]) -> Sentence:
    annotations = tuple(Annotation(str(k), edits) for k, edits in enumerate(people))
    return Sentence(TOKENS, annotations)


def graded(people: list[tuple[Edit, ...]], edits: tuple[Edit, ...]) -> Grades:
    return grade_sentence(sentence_of(people), tuple(apply_edits(TOKENS, edits)))


def test_an_edit_counts_by_the_share_of_those_who_made_it() -> None:
    grades = graded(PEOPLE, (GOES, BY_BUS))
    # goes 3 of 4, by bus 2 of 4; went and on 1 of 4 each are missed
    assert grades.edit == Grade(tp=1.25, fp=0.75, fn=0.5)
    # somebody changed the verb: all four; of the missed spans only "by" is left
    assert grades.span == Grade(tp=1.5, fp=0.5, fn=0.25)


def test_nothing_proposed_misses_what_each_wanted() -> None:
    assert graded(PEOPLE, ()).edit == Grade(0.0, 0.0, 7 / 4)


def test_an_edit_nobody_made_is_wrong_and_as_small_as_it_can_be() -> None:
    grades = graded(PEOPLE, (Edit(3, 4, "college"),))
    assert grades.edit == Grade(0.0, 1.0, 7 / 4)


def test_who_offers_alternatives_made_each_of_them() -> None:
    either = Edit(1, 2, "goes||went", "SVA")
    for edit in (GOES, WENT):
        assert graded([(either,), ()], (edit,)).edit.tp == 0.5


def test_a_sentence_nobody_looked_at_adds_nothing() -> None:
    assert grade_sentence(Sentence(TOKENS), TOKENS) == Grades()


SETS = st.lists(
    st.sampled_from([(), (GOES,), (WENT,), (BY_BUS,), (ON_BUS,), (GOES, BY_BUS), (WENT, ON_BUS)]),
    min_size=1,
    max_size=5,
)


@given(SETS, st.sampled_from([(), (GOES,), (WENT, BY_BUS), (ON_BUS,), (GOES, ON_BUS)]))
def test_weighted_counts_are_the_mean_of_counts_against_each_annotator(
    people: list[tuple[Edit, ...]], proposed: tuple[Edit, ...]
) -> None:
    grade = graded(people, proposed).edit
    made = {edit[:3] for edit in proposed}
    hits = sum(len(made & {edit[:3] for edit in edits}) for edits in people) / len(people)
    wanted = sum(len(edits) for edits in people) / len(people)
    assert isclose(grade.tp, hits)
    assert isclose(grade.fp, len(made) - hits)
    assert isclose(grade.fn, wanted - hits)


@given(SETS)
def test_with_one_annotator_counts_are_whole(people: list[tuple[Edit, ...]]) -> None:
    grade = graded(people[:1], (GOES, BY_BUS)).edit
    assert all(count == int(count) for count in grade)


def test_edits_that_match_are_found_beside_those_that_do_not() -> None:
    corrected = tuple(apply_edits(TOKENS, (GOES, Edit(6, 7, "train"))))
    assert shared_edits(TOKENS, corrected, [(1, 2, "goes")]) == [(1, 2, "goes"), (6, 7, "train")]


@pytest.mark.parametrize("people", [[(GOES,)], [(GOES,), (WENT,)]])
def test_grades_add_up(people: list[tuple[Edit, ...]]) -> None:
    one = graded(people, (GOES,))
    both = one.plus(one)
    assert both.edit == Grade(*(2 * count for count in one.edit))
