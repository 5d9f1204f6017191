"""Raters and users."""

from __future__ import annotations

import io

import pytest

from jurybox.errors import InputError, UnknownNameError, UsageError
from jurybox.serve.model import Prolific, Role
from jurybox.serve.settings import Question, Settings
from jurybox.serve.store import Store
from serve.made_studies import make_project

pytestmark = pytest.mark.usefixtures("quick_hashes")


def test_raters_are_numbered_within_their_project(store: Store) -> None:
    first, second = (make_project(store, name=name) for name in ("a", "b"))
    raters = [store.join(project.id) for project in (first, second, first)]
    assert [rater.name for rater in raters] == ["R1", "R1", "R2"]
    assert store.rater(raters[2].id) == raters[2]
    assert store.rater(10**6) is None


def test_one_prolific_participant_is_one_rater(store: Store) -> None:
    project, other = (make_project(store, name=name) for name in ("a", "b"))
    first = store.join(project.id, prolific=Prolific("p1", "study", "s1"))
    again = store.join(project.id, prolific=Prolific("p1", "study", "s2"))
    assert first == again
    assert first.prolific == ("p1", "study", "s1")
    assert store.join(project.id, prolific=Prolific("p2")).id != first.id
    assert store.join(other.id, prolific=Prolific("p1")).id != first.id


def test_who_logs_in_is_one_rater_in_a_project(store: Store) -> None:
    project = make_project(store)
    user = store.add_user("expert", "long enough", Role.RATER)
    assert store.join(project.id, user=user.id) == store.join(project.id, user=user.id)


def test_a_closed_project_takes_nobody_in_but_knows_who_was_there(store: Store) -> None:
    project = make_project(store)
    known = store.join(project.id, prolific=Prolific("p1"))
    store.change_project(project.id, Settings("study", is_open=False))
    assert store.join(project.id, prolific=Prolific("p1")) == known
    with pytest.raises(InputError, match="study is closed"):
        store.join(project.id)


@pytest.mark.parametrize("name", ["x" * 101, "\0"])
def test_names_that_cannot_be_kept_are_refused(lite: Store, name: str) -> None:
    project = make_project(lite)
    with pytest.raises(InputError, match="name"):
        lite.join(project.id, pseudonym=name)
    with pytest.raises(InputError, match="name"):
        lite.join(project.id, prolific=Prolific("p1", name))
    with pytest.raises(InputError, match="PROLIFIC_PID is empty"):
        lite.join(project.id, prolific=Prolific(" "))


def test_the_questionnaire_is_checked_and_kept(store: Store) -> None:
    questions = (Question("l1", "First language?", ("en", "other"), True), Question("age", "Age?"))
    project = make_project(store, questionnaire=questions)
    rater = store.join(project.id)
    assert not rater.is_surveyed
    for answers, complaint in (
        ({"age": "33"}, "Please answer: First language"),
        ({"l1": "klingon"}, "choose one of the answers"),
        ({"l1": "en", "age": "x" * 3000}, "too long"),
    ):
        with pytest.raises(InputError, match=complaint):
            store.answer_questionnaire(rater.id, answers)
    with pytest.raises(UsageError, match="no question 'shoe'"):
        store.answer_questionnaire(rater.id, {"l1": "en", "shoe": "44"})
    store.answer_questionnaire(rater.id, {"l1": "en", "age": " "})
    found = store.rater(rater.id)
    assert found is not None
    assert found.is_surveyed


def test_passwords_are_hashed_and_checked(store: Store) -> None:
    user = store.add_user("ann", "correct horse", Role.ADMIN)
    assert store.log_in("ann", "correct horse") == store.user(user.id) == user
    assert store.log_in("ann", "wrong horse") is None
    assert store.log_in("bob", "correct horse") is None
    assert store.log_in("\0", "correct horse") is None
    with store.database.reading() as connection:
        stored = connection.exec_driver_sql("SELECT password FROM users").scalar_one()
    assert stored.startswith("$argon2id$")


def test_a_new_password_ends_old_sessions(store: Store) -> None:
    before = store.add_user("ann", "correct horse")
    after = store.set_password("ann", "battery staple")
    assert after.session != before.session
    assert store.log_in("ann", "correct horse") is None
    assert store.log_in("ann", "battery staple") == after


def test_users_without_a_proper_name_or_password_are_refused(lite: Store) -> None:
    lite.add_user("ann", "long enough")
    for name, password, complaint in (
        ("ann", "long enough", "a user 'ann' already"),
        (" ", "long enough", "user name"),
        ("bob", "short", "at least 8"),
    ):
        with pytest.raises(UsageError, match=complaint):
            lite.add_user(name, password)
    with pytest.raises(UnknownNameError, match="did you mean 'ann'"):
        lite.set_password("anne", "long enough")
    assert [user.name for user in lite.users()] == ["ann"]


def test_an_answer_of_several_lines_can_be_downloaded_as_a_table(store: Store) -> None:
    """Browsers end lines with CR LF, which a table cannot keep."""
    project = make_project(store, 1, questionnaire=(Question("q1", "Where from?"),))
    rater = store.join(project.id).id
    store.answer_questionnaire(rater, {"q1": "here\r\nand there"})
    out = io.StringIO()
    store.export_questionnaire(project.id, out, "csv")
    assert "here\nand there" in out.getvalue()
