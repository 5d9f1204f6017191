"""Feedback to annotators of essays in the database (Bryant and Ng 2015, section 4)."""

from __future__ import annotations

from typing import Any

import pytest

from jurybox.errors import InputError, UsageError
from jurybox.serve.model import EssayCorrection, NewCase, Nothing, Project, Role, SubmittedAnswer
from jurybox.serve.settings import Settings, Task
from jurybox.serve.store import Store
from serve.made_studies import hand, make_project

TEXT = "It are so .\nWe knows ."
IS = EssayCorrection(0, 1, 2, "is", "SVA")
PASSWORD = "correct horse"


@pytest.fixture
def admin(store: Store) -> int:
    return store.add_user("ada", PASSWORD, Role.ADMIN).id


def make_essays(store: Store, number: int = 5, **settings: Any) -> Project:
    project = make_project(store, 0, task=Task.CORRECT, **settings)
    return store.add_cases(project.id, [NewCase(f"e{i}", TEXT) for i in range(number)])


def finish(store: Store, rater: int, essays: int = 1) -> None:
    for _ in range(essays):
        handed = hand(store, rater)
        store.answer(rater, handed.token, SubmittedAnswer("", edits=(IS,)), handed.token)


def why(store: Store, rater: int) -> str:
    found = store.next_case(rater)
    return found.why if isinstance(found, Nothing) else ""


def test_2015_section_4_the_first_two_essays_then_feedback_then_the_rest(
    store: Store, admin: int
) -> None:
    """They were "asked to annotate only the first two essays before being given feedback"."""
    project = make_essays(store, feedback_after=2)
    rater = store.join(project.id).id
    finish(store, rater, 2)
    assert why(store, rater) == "pause"
    assert why(store, rater) == "pause"
    assert store.awaiting_feedback(project) == {rater}
    assert [one.edits for one in store.corrected_essays(rater)] == [(IS,), (IS,)]
    given = store.write_feedback(project.id, rater, admin, " Mark fewer words.\n", now=7.0)
    assert given[1:] == ("Mark fewer words.", 2, 7.0, None, "ada")
    assert store.awaiting_feedback(project) == frozenset()
    assert why(store, rater) == "feedback"
    read = store.confirm_feedback(rater, given.id, now=9.0)
    assert read.confirmed == 9.0
    assert store.confirm_feedback(rater, given.id, now=11.0).confirmed == 9.0  # the first time
    finish(store, rater, 3)  # there is one pause
    assert why(store, rater) == "finished"


def test_feedback_before_the_pause_does_not_end_it(store: Store, admin: int) -> None:
    project = make_essays(store, feedback_after=2)
    rater = store.join(project.id).id
    finish(store, rater)
    early = store.write_feedback(project.id, rater, admin, "Good.")
    assert why(store, rater) == "feedback"
    store.confirm_feedback(rater, early.id)
    finish(store, rater)
    assert why(store, rater) == "pause"


def test_without_a_pause_feedback_may_come_at_any_time(store: Store, admin: int) -> None:
    project = make_essays(store)
    rater, other = (store.join(project.id).id for _ in range(2))
    finish(store, rater, 2)
    token = hand(store, rater).token
    one = store.write_feedback(project.id, rater, admin, "One.")
    two = store.write_feedback(project.id, rater, admin, "Two.")
    # the essay that is open is finished first
    assert hand(store, rater).token == token
    finish(store, rater)
    assert why(store, rater) == "feedback"
    store.confirm_feedback(rater, one.id)
    assert why(store, rater) == "feedback"
    store.confirm_feedback(rater, two.id)
    assert why(store, rater) == ""
    assert why(store, other) == ""
    assert store.awaiting_feedback(project) == frozenset()


def test_nobody_waits_for_feedback_where_nothing_is_left_to_do(store: Store, admin: int) -> None:
    project = make_essays(store, 2, feedback_after=2)
    rater = store.join(project.id).id
    finish(store, rater, 2)
    assert why(store, rater) == "finished"
    store.write_feedback(project.id, rater, admin, "Thank you.")
    assert why(store, rater) == "feedback"  # it is not lost


def test_a_form_that_is_sent_twice_is_one_feedback(store: Store, admin: int) -> None:
    project = make_essays(store)
    rater = store.join(project.id).id
    first = store.write_feedback(project.id, rater, admin, "Good.")
    assert store.write_feedback(project.id, rater, admin, "Good.\n") == first
    store.confirm_feedback(rater, first.id)
    assert store.write_feedback(project.id, rater, admin, "Good.").id != first.id


def test_what_cannot_be_feedback_is_refused_in_words(store: Store, admin: int) -> None:
    project = make_essays(store)
    rater, other = (store.join(project.id).id for _ in range(2))
    for text in ("", " \n", "\0", "x" * 20_001):
        with pytest.raises(InputError, match="feedback"):
            store.write_feedback(project.id, rater, admin, text)
    given = store.write_feedback(project.id, rater, admin, "Good.")
    for who, number in ((other, given.id), (rater, 999)):
        with pytest.raises(InputError, match="no such feedback for you"):
            store.confirm_feedback(who, number)
    assert store.feedback(rater)[0].confirmed is None
    judged = make_project(store, 2, name="judged")
    with pytest.raises(UsageError, match="not of essays"):
        store.write_feedback(judged.id, store.join(judged.id).id, admin, "Good.")
    with pytest.raises(UsageError, match="--feedback-after is for essays"):
        Settings("judged", feedback_after=2)
    with pytest.raises(UsageError, match="--feedback-after must be 0 or more"):
        Settings("essays", Task.CORRECT, feedback_after=-1)


def test_whoever_wrote_feedback_has_seen_too_much_to_annotate(store: Store, admin: int) -> None:
    project = make_essays(store)
    store.write_feedback(project.id, store.join(project.id).id, admin, "Good.")
    with pytest.raises(InputError, match="written feedback"):
        store.join(project.id, user=admin)


def test_an_annotator_who_is_forgotten_loses_what_was_written_to_them(
    store: Store, admin: int
) -> None:
    project = make_essays(store)
    rater, other = (store.join(project.id).id for _ in range(2))
    finish(store, rater)
    for one in (rater, other):
        store.write_feedback(project.id, one, admin, "Dear Zoë, good.")
    store.forget_rater(project.id, "R1")
    assert store.feedback(rater) == ()
    assert len(store.feedback(other)) == 1
    assert len(store.corrected_essays(rater)) == 1
