"""Essays in the database: drafts that overwrite nothing, and what all annotators did."""

from __future__ import annotations

from typing import Any

import pytest

from jurybox.errors import InputError, UnknownNameError, UsageError
from jurybox.serve.essays import AnnotatedEssay, Draft
from jurybox.serve.model import EssayCorrection, NewCase, Nothing, Project, Purpose, SubmittedAnswer
from jurybox.serve.settings import Task
from jurybox.serve.store import Store
from serve.made_studies import hand, make_project

TEXT = "It are so .\nWe knows ."
IS = EssayCorrection(0, 1, 2, "is", "SVA")
KNOW = EssayCorrection(1, 1, 2, "know", "SVA", "plural")
LATE = 20 * 60.0


def make_essays(store: Store, number: int = 1, **settings: Any) -> Project:
    project = make_project(store, 0, task=Task.CORRECT, **settings)
    return store.add_cases(project.id, [NewCase(f"e{i}", TEXT) for i in range(number)])


def finish(store: Store, rater: int, *edits: EssayCorrection, now: float | None = None) -> bool:
    handed = hand(store, rater, now)
    given = SubmittedAnswer("", edits=edits)
    return store.answer(rater, handed.token, given, handed.token, now=now).accepted


def annotated(store: Store, project: Project, **options: Any) -> list[AnnotatedEssay]:
    return list(store.annotated_essays(project.id, **options))


# --- drafts ---


def test_a_draft_is_kept_until_the_essay_is_finished(store: Store) -> None:
    project = make_essays(store)
    rater = store.join(project.id).id
    token = hand(store, rater).token
    assert store.draft(rater, token) == Draft()
    saved = store.save_draft(rater, token, [KNOW, IS], version=0, now=5.0)
    assert saved == (True, Draft(1, (IS, KNOW), 5.0), True)
    assert store.draft(rater, token) == saved.draft
    assert hand(store, rater).token == token
    assert annotated(store, project)[0].edits == {}
    assert finish(store, rater, IS)
    assert store.draft(rater, token) == Draft()
    with pytest.raises(InputError, match="finished this essay already"):
        store.save_draft(rater, token, [KNOW], version=1)
    assert annotated(store, project)[0].edits == {"R1": (IS,)}


def test_what_another_window_saved_is_not_overwritten(store: Store) -> None:
    rater = store.join(make_essays(store).id).id
    token = hand(store, rater).token
    first = store.save_draft(rater, token, [IS], version=0).draft
    other = store.save_draft(rater, token, [KNOW], version=0)
    assert (other.accepted, other.draft) == (False, first)
    assert store.draft(rater, token) == first
    # a second try of what is stored is no conflict, and nothing new
    assert store.save_draft(rater, token, [IS], version=0)[:2] == (True, first)
    assert store.save_draft(rater, token, [KNOW], version=1).draft.version == 2


def test_taking_everything_back_is_saved_too(store: Store) -> None:
    rater = store.join(make_essays(store).id).id
    token = hand(store, rater).token
    store.save_draft(rater, token, [IS], version=0)
    assert store.save_draft(rater, token, [], version=1).draft[:2] == (2, ())
    assert store.draft(rater, token)[:2] == (2, ())


def test_saving_renews_the_lease(store: Store) -> None:
    project = make_essays(store)
    rater, other = (store.join(project.id).id for _ in range(2))
    token = hand(store, rater, 0).token
    for minute in range(0, 100, 10):
        assert store.save_draft(rater, token, [], version=minute and 1, now=60.0 * minute).is_wanted
        assert isinstance(store.next_case(other, now=60.0 * minute + 1), Nothing)
    assert finish(store, rater, IS, now=60.0 * 100)


def test_a_draft_after_its_lease_takes_the_essay_again_while_nobody_else_has_it(
    store: Store,
) -> None:
    project = make_essays(store)
    rater, other = (store.join(project.id).id for _ in range(2))
    token = hand(store, rater, 0).token
    assert store.save_draft(rater, token, [IS], version=0, now=LATE).is_wanted
    assert isinstance(store.next_case(other, now=LATE + 1), Nothing)
    # once somebody else has it, what is saved is kept, and it is told that it comes too late
    handed = hand(store, other, 3 * LATE)
    saved = store.save_draft(rater, token, [IS, KNOW], version=1, now=3 * LATE + 1)
    assert (saved.accepted, saved.is_wanted) == (True, False)
    assert store.draft(rater, token).edits == (IS, KNOW)
    given = SubmittedAnswer("", edits=(KNOW,))
    assert store.answer(other, handed.token, given, "k", now=3 * LATE + 2).accepted
    assert not store.answer(rater, token, given, "k", now=3 * LATE + 3).accepted
    assert annotated(store, project)[0].edits == {"R2": (KNOW,)}


def test_nobody_reads_or_writes_drafts_of_others(store: Store) -> None:
    project = make_essays(store, per_case=2)
    rater, other = (store.join(project.id).id for _ in range(2))
    token = hand(store, rater).token
    store.save_draft(rater, token, [IS], version=0)
    hand(store, other)
    assert store.draft(other, token) == Draft()
    for given in (token, "no such token", "\0"):
        with pytest.raises(InputError, match="not given to you"):
            store.save_draft(other, given, [KNOW], version=1)


def test_a_draft_that_cannot_be_leaves_the_one_before(store: Store) -> None:
    rater = store.join(make_essays(store).id).id
    token = hand(store, rater).token
    store.save_draft(rater, token, [IS], version=0)
    with pytest.raises(InputError, match="overlap"):
        store.save_draft(rater, token, [IS, EssayCorrection(0, 0, 2, "x", "Wci")], version=1)
    with pytest.raises(InputError, match="choose a category"):
        store.save_draft(rater, token, [IS._replace(category="none of them")], version=1)
    assert store.draft(rater, token).edits == (IS,)


def test_other_tasks_have_no_drafts_and_no_corrections(store: Store) -> None:
    project = make_project(store, 1)
    rater = store.join(project.id).id
    with pytest.raises(UsageError, match="not of essays"):
        store.save_draft(rater, hand(store, rater).token, [], version=0)
    with pytest.raises(UsageError, match="not of essays"):
        store.annotated_essays(project.id)


# --- what annotators did ---


def test_essays_come_in_the_order_of_the_file_with_all_their_annotators(store: Store) -> None:
    project = make_essays(store, 250, per_case=2)
    raters = [store.join(project.id).id for _ in range(2)]
    for rater in raters:
        for _ in range(2):
            finish(store, rater, *([IS] if rater == raters[0] else []))
    found = annotated(store, project)
    assert [one.name for one in found] == [f"e{i}" for i in range(250)]
    assert found[0].paragraphs == (("It are so .", "We knows ."),)
    done = [one.edits for one in found if one.edits]
    assert sum(len(edits) for edits in done) == 4
    assert {edits["R1"] for edits in done if "R1" in edits} == {(IS,)}
    assert {edits["R2"] for edits in done if "R2" in edits} == {()}


def test_practice_and_raters_who_are_not_trusted_can_be_left_out(store: Store) -> None:
    project = make_essays(store, per_case=2)
    practice = NewCase("p", TEXT, purpose=Purpose.PRACTICE, feedback="So.")
    store.add_cases(project.id, [practice])
    trusted, stopped = (store.join(project.id).id for _ in range(2))
    for rater in (trusted, stopped):
        finish(store, rater, KNOW)  # practice
        finish(store, rater, IS)
    store.stop_rater(stopped)
    (essay,) = annotated(store, project)
    assert essay.edits == {"R1": (IS,), "R2": (IS,)}
    (essay,) = annotated(store, project, flagged=False)
    assert essay.edits == {"R1": (IS,)}


def test_names_of_their_own_fit_into_m2_and_nobody_is_taken_for_an_adjudicator(
    store: Store,
) -> None:
    project = make_essays(store, per_case=3)
    for name in ("Ann|Bo", "ADJ", "Ann|Bo"):
        finish(store, store.join(project.id, pseudonym=name).id, IS)
    (essay,) = annotated(store, project, names="own", decisions=True)
    assert len(essay.edits) == 3
    assert not any("|" in name for name in essay.edits)
    assert "ADJ" not in essay.edits
    with pytest.raises(UnknownNameError, match="names"):
        annotated(store, project, names="secret")
