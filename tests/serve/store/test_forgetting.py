"""A rater who asks to be forgotten: nothing tells who they were, and the study goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from jurybox.errors import InputError, UnknownNameError
from jurybox.serve.model import Assignment, Nothing, Prolific, SubmittedAnswer
from jurybox.serve.settings import Question
from jurybox.serve.store import Store
from jurybox.serve.store.dumps import write_dump
from serve.made_studies import hand, judge, judged, make_project

NAME, PID, ANSWER = "Zaphod B.", "5f8a7c01d2", "Betelgeuse, vaguely"


def stored_text(store: Store) -> str:
    import io

    out = io.StringIO()
    write_dump(store.database, out)
    return out.getvalue()


def take_part(store: Store) -> tuple[int, int]:
    """A rater who gives a name, judges, answers the questionnaire, and has a case in hand."""
    project = make_project(
        store, 6, gold=2, per_case=2, questionnaire=(Question("q1", "Where from?"),)
    )
    prolific = Prolific(PID, "study", "session")
    rater = store.join(project.id, pseudonym=NAME, prolific=prolific).id
    for _ in range(3):
        judge(store, rater)
    store.answer_questionnaire(rater, {"q1": ANSWER})
    hand(store, rater)
    return project.id, rater


@pytest.mark.parametrize("with_judgments", [False, True])
@pytest.mark.parametrize("called", ["R1", PID, NAME])
def test_nothing_tells_who_somebody_was(store: Store, called: str, with_judgments: bool) -> None:
    project, rater = take_part(store)
    done = store.forget_rater(project, called, with_judgments=with_judgments)
    assert done == (("R1", 0, 3) if with_judgments else ("R1", 3, 0))
    text = stored_text(store)
    for word in (NAME, PID, ANSWER):
        assert word not in text
    assert len(judged(store, project, names="own")) == done.kept
    nothing = store.next_case(rater)
    assert isinstance(nothing, Nothing)
    assert nothing.why == "stopped"


@pytest.mark.parametrize("with_judgments", [False, True])
def test_every_case_still_gets_exactly_its_judgments(store: Store, with_judgments: bool) -> None:
    project, _ = take_part(store)
    store.forget_rater(project, "R1", with_judgments=with_judgments)
    for _ in range(3):
        rater = store.join(project).id
        while isinstance(handed := store.next_case(rater), Assignment):
            store.answer(rater, handed.token, SubmittedAnswer("ok"), handed.token)
    done = store.progress(project)
    assert done.judgments == done.wanted == 12
    assert len(judged(store, project, gold=False)) == 12


def test_names_are_gone_from_the_file_and_not_only_from_its_tables(
    lite: Store, tmp_path: Path
) -> None:
    """SQLite leaves deleted text where it stood unless it is told otherwise."""
    project, _ = take_part(lite)
    lite.forget_rater(project, "R1", with_judgments=True)
    stored = b"".join(file.read_bytes() for file in tmp_path.glob("study.db*"))
    for word in (NAME, PID, ANSWER):
        assert word.encode() not in stored


def test_a_forgotten_raters_number_is_nobody_elses(store: Store) -> None:
    project, rater = take_part(store)
    store.forget_rater(project, "R1", with_judgments=True)
    other = store.join(project)
    assert (other.id != rater, other.number) == (True, 2)


def test_the_same_participant_can_come_back_as_somebody_new(store: Store) -> None:
    project, rater = take_part(store)
    store.forget_rater(project, PID)
    assert store.join(project, prolific=Prolific(PID, "study", "session")).id != rater


def test_a_name_that_several_have_forgets_nobody(store: Store) -> None:
    project = make_project(store, 2).id
    for _ in range(2):
        store.join(project, pseudonym="Ann")
    with pytest.raises(InputError, match="R1, R2 all call themselves 'Ann'"):
        store.forget_rater(project, "Ann")


@pytest.mark.parametrize("called", ["", "R9", "Nobody"])
def test_a_name_that_nobody_has_is_refused(store: Store, called: str) -> None:
    project = make_project(store, 2).id
    store.join(project)  # without a name
    with pytest.raises(UnknownNameError, match="there is no rater"):
        store.forget_rater(project, called)
