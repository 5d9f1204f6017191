"""Feedback to annotators of essays, over HTTP: Bryant and Ng (2015, section 4)."""

from __future__ import annotations

import json

from jurybox.serve.model import NewCase, Project, Role
from jurybox.serve.settings import Settings, Task
from serve.running_site import PASSWORD, Person, Running, heading

TEXT = "It are so .\nWe knows ."
IS = (0, 1, 2, "is", "SVA", "plural?")
#: what the admin sees of it
SHOWN = "<del>are</del> <ins>is</ins>"


def make_essays(site: Running, number: int = 4, **settings: object) -> Project:
    made = site.store.create_project(Settings("study", Task.CORRECT, **settings))  # type: ignore[arg-type]  # of the caller
    return site.store.add_cases(made.id, [NewCase(f"e{i}", TEXT) for i in range(number)])


def correct(person: Person, project: Project, essays: int = 1) -> None:
    for _ in range(essays):
        person.open(f"/r/{project.id}/case")
        person.send(f"/r/{project.id}/case", edits=json.dumps([IS]))


def feedback_path(project: Project, rater: int = 1) -> str:
    return f"/admin/projects/{project.id}/raters/{rater}/feedback"


def test_2015_section_4_an_annotator_pauses_reads_feedback_and_goes_on(
    site: Running, ann: Person
) -> None:
    project = make_essays(site, feedback_after=2)
    ann.join(project)
    correct(ann, project, 2)
    assert heading(ann.page) == "Feedback comes first"
    with Person(site) as ada:
        ada.log_in()
        page = ada.open(f"/admin/projects/{project.id}")
        assert "waits for feedback" in page.text
        assert feedback_path(project) in page.text
        page = ada.open(feedback_path(project))
        assert heading(page) == "Feedback to R1"
        assert page.text.count(SHOWN) == 2
        assert "plural?" in page.text
        assert "R1 waits" in page.text
        page = ada.send(feedback_path(project), text="Well done.\n\nMark <b>fewer</b> words.")
        assert "R1 reads it before the next essay" in page.text
        assert "not read yet" in page.text
        assert "R1 waits" not in page.text
    page = ann.open(f"/r/{project.id}/case")
    assert heading(page) == "Feedback on your essays"
    assert "<p>Well done.</p>" in page.text
    assert "Mark &lt;b&gt;fewer&lt;/b&gt; words." in page.text
    assert "ada" not in page.text
    # there is no way round it
    assert heading(ann.open(f"/r/{project.id}/case")) == "Feedback on your essays"
    ann.send(f"/r/{project.id}/notes")
    assert heading(ann.page) == "Correct the errors in this essay"
    assert ann.page is not None
    assert f"/r/{project.id}/notes" in ann.page.text  # to be read again
    page = ann.open(f"/r/{project.id}/notes")
    assert "Well done." in page.text
    assert "I have read it" not in page.text
    correct(ann, project, 2)
    assert ann.page is not None
    assert str(ann.page.url).endswith(f"/r/{project.id}/end")


def test_what_was_typed_is_not_lost(site: Running, ann: Person) -> None:
    project = make_essays(site)
    ann.join(project)
    ann.log_in()
    ann.open(feedback_path(project))
    page = ann.send(feedback_path(project), text="Good.", csrf_token="forged")
    assert page.status_code == 403
    assert ">Good.</textarea>" in page.text
    page = ann.send(feedback_path(project), text=" ")
    assert page.status_code == 422
    assert "Please write the feedback." in page.text
    assert site.store.feedback(1) == ()


def test_feedback_is_written_by_admins_and_read_by_its_annotator(
    site: Running, ann: Person
) -> None:
    project = make_essays(site)
    ann.join(project)
    site.store.add_user("ada", PASSWORD)
    site.store.add_user("bea", PASSWORD, Role.ADJUDICATOR)
    assert heading(ann.open(feedback_path(project))) == "Log in"
    with Person(site) as bea:
        bea.log_in("bea")
        bea.open("/adjudicate")
        assert bea.send(feedback_path(project), text="Good.").status_code == 403
    given = site.store.write_feedback(project.id, 1, site.store.users()[0].id, "For R1.")
    with Person(site) as other:
        other.join(project)
        assert "For R1." not in other.open(f"/r/{project.id}/notes").text
        other.open(f"/r/{project.id}/case")
        page = other.send(f"/r/{project.id}/notes", feedback=str(given.id))
        assert page.status_code == 422
        assert "no such feedback for you" in page.text
    ann.open(f"/r/{project.id}/case")
    assert ann.send(f"/r/{project.id}/notes", csrf_token="forged").status_code == 403
    assert site.store.feedback(1)[0].confirmed is None


def test_an_admin_who_annotates_too_sees_nothing_of_others(site: Running, ann: Person) -> None:
    project = make_essays(site)
    ann.log_in()
    admin = site.store.users()[0].id
    site.store.join(project.id, user=admin)
    assert heading(ann.open(feedback_path(project))) == "You judge in this project"


def test_other_projects_and_nobody_have_no_such_page(site: Running, ann: Person) -> None:
    project = make_essays(site)
    judged = site.store.create_project(Settings("judged"))
    site.store.join(judged.id)
    ann.log_in()
    for path in (
        feedback_path(project),  # nobody has joined
        feedback_path(judged),
        "/admin/projects/99/raters/1/feedback",
    ):
        assert ann.open(path).status_code == 404
    assert "raters/1/feedback" not in ann.open(f"/admin/projects/{judged.id}").text
