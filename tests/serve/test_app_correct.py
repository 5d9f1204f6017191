"""Essays over HTTP: drafts and answers of whoever may send them, downloads for admins."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import httpx
import pytest

from jurybox.serve.model import EssayCorrection, NewCase, Project
from jurybox.serve.settings import Settings, Task
from serve.running_site import Person, Running, heading

TEXT = "It are so .\nWe knows ."
IS = EssayCorrection(0, 1, 2, "is", "SVA")
KNOW = EssayCorrection(1, 1, 2, "know", "SVA")


def make_essays(site: Running, name: str = "study", **settings: Any) -> Project:
    made = site.store.create_project(Settings(name, Task.CORRECT, **settings))
    return site.store.add_cases(made.id, [NewCase("e1", TEXT), NewCase("e2", TEXT)])


def begin(person: Person, project: Project) -> None:
    person.join(project)
    person.open(f"/r/{project.id}/case")


def save(
    person: Person, project: Project, *edits: EssayCorrection, **fields: object
) -> httpx.Response:
    """A draft, as the page's script sends it."""
    values = {**person.fields(), "edits": json.dumps(edits), **fields}
    return person.client.post(f"/r/{project.id}/draft", data=values)


def finish(
    person: Person, project: Project, *edits: EssayCorrection, **fields: str
) -> httpx.Response:
    return person.send(f"/r/{project.id}/case", edits=json.dumps(edits), **fields)


def test_a_draft_is_answered_for_the_script(site: Running, ann: Person) -> None:
    project = make_essays(site)
    begin(ann, project)
    saved = save(ann, project, KNOW, IS)
    assert saved.status_code == 200
    assert saved.json() == {"version": 1, "edits": [list(IS), list(KNOW)], "is_wanted": True}
    page = ann.open(f"/r/{project.id}/case")
    assert ann.fields()["version"] == "1"
    assert json.loads(ann.fields()["edits"]) == [list(IS), list(KNOW)]
    assert page.status_code == 200
    other = save(ann, project, IS, version=7)
    assert other.status_code == 409
    assert other.json()["edits"] == [list(IS), list(KNOW)]


@pytest.mark.parametrize(
    ("fields", "status", "problem"),
    [
        ({"csrf_token": "forged"}, 403, "cookies"),
        ({"token": "of nobody"}, 422, "not given to you"),
        ({"edits": "{"}, 422, "cannot be read"),
        ({"edits": '[[0,1,2,"is","no such",""]]'}, 422, "choose a category"),
        ({"edits": '[[0,1,2,"<b>|",  "SVA",""]]'}, 422, "without the sign |"),
    ],
)
def test_a_draft_that_cannot_be_taken_is_refused_in_words(
    site: Running, ann: Person, fields: dict[str, str], status: int, problem: str
) -> None:
    project = make_essays(site)
    begin(ann, project)
    refused = save(ann, project, IS, **fields)
    assert refused.status_code == status
    assert problem in refused.json()["problem"]


def test_drafts_are_for_raters_of_their_project(site: Running, ann: Person) -> None:
    project, other = make_essays(site), make_essays(site, "other")
    begin(ann, project)
    assert save(ann, other, IS).status_code == 403
    with Person(site) as stranger:
        stranger.open("/")
        assert save(stranger, project, IS).status_code == 403


def test_finishing_does_not_overwrite_another_window(site: Running, ann: Person) -> None:
    project = make_essays(site)
    begin(ann, project)
    save(ann, project, IS)
    page = finish(ann, project, KNOW)  # of the page before the draft
    assert page.status_code == 422
    assert "changed in another window" in page.text
    # the form holds what was sent, and its script will ask which version is kept
    assert json.loads(ann.fields()["edits"]) == [list(KNOW)]
    assert "data-sent" in page.text
    page = finish(ann, project, KNOW, version="1")
    assert page.status_code == 200
    essays = {one.name: one.edits for one in site.store.annotated_essays(project.id)}
    assert [edits for edits in essays.values() if edits] == [{"R1": (KNOW,)}]


def test_an_essay_without_corrections_needs_a_word(site: Running, ann: Person) -> None:
    project = make_essays(site)
    begin(ann, project)
    page = finish(ann, project)
    assert page.status_code == 422
    assert "there is no error in the essay" in page.text
    assert finish(ann, project, no_error="yes").status_code == 200
    assert site.store.progress(project.id).judgments == 1


def test_the_page_of_one_annotator_holds_nothing_of_others(site: Running, ann: Person) -> None:
    project = make_essays(site, per_case=2)
    for _ in range(2):
        ann.join(project)
        ann.open(f"/r/{project.id}/case")
        finish(ann, project, IS._replace(replacement="WASN'T"))
    with Person(site) as other:
        begin(other, project)
        assert other.page is not None
        assert "It</span>" in other.page.text
        assert "WAS" not in other.page.text
        assert ">e1<" not in other.page.text


def test_downloads_are_for_admins(site: Running, ann: Person) -> None:
    project = make_essays(site)
    begin(ann, project)
    finish(ann, project, IS)
    path = f"/admin/projects/{project.id}/edits"
    assert heading(ann.open(f"{path}.m2")) == "Log in"
    ann.log_in()
    text = ann.open(f"{path}.m2").text
    assert text.count("\nA ") == 2
    assert "A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||R1" in text
    file = ann.open(f"{path}.zip?flagged=no&names=own&decisions=yes")
    assert "edits.m2" in zipfile.ZipFile(io.BytesIO(file.content)).namelist()
    assert "<MISTAKE" in ann.open(f"{path}.sgml?annotator=R1").text


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("{0}/edits.exe", "There is no such file"),
        ("{0}/edits.m2?annotator=R7", "There is no such annotator"),
        ("{0}/edits.zip?annotator=../../x", "There is no such annotator"),
        ("{0}/edits.m2?decisions=only", "There is no such annotator"),
        ("99/edits.m2", "There is no such project"),
        ("{1}/edits.m2", "There is no such file"),
    ],
)
def test_files_that_are_none_are_told_in_words(
    site: Running, ann: Person, path: str, told: str
) -> None:
    project = make_essays(site)
    judged = site.store.create_project(Settings("sentences"))
    ann.log_in()
    page = ann.open("/admin/projects/" + path.format(project.id, judged.id))
    assert page.status_code == 404
    assert heading(page) == told


def test_before_anybody_has_finished_there_is_nothing_to_download(
    site: Running, ann: Person
) -> None:
    project = make_essays(site)
    ann.log_in()
    page = ann.open(f"/admin/projects/{project.id}").text
    assert "Nobody has finished an essay yet" in page
    assert "edits.zip" not in page
    assert ann.open(f"/admin/projects/{project.id}/edits.m2").text == ""


def test_a_project_of_essays_is_made_in_the_browser(site: Running, ann: Person) -> None:
    ann.log_in()
    ann.open("/admin/new")
    page = ann.send(
        "/admin/projects",
        name="mine",
        task="correct",
        per_case="2",
        categories="Verb | Verbs | Tense and form.\r\nRest",
        files={"cases": ("trip.txt", b"It isn't so. We knows.\n\nBye!")},
    )
    assert heading(page) == "mine"
    project = site.store.project("mine")
    assert [one.name for one in project.settings.categories] == ["Verb", "Rest"]
    assert project.settings.lease_minutes == 24 * 60
    (essay,) = site.store.annotated_essays(project.id)
    assert (essay.name, essay.paragraphs) == (
        "trip",
        (("It is n't so .", "We knows ."), ("Bye !",)),
    )
    ann.open("/admin/new")
    page = ann.send(
        "/admin/projects",
        name="other",
        task="correct",
        categories="two words",
        files={"cases": ("trip.txt", b"So .")},
    )
    assert page.status_code == 422
    assert "“Categories of errors”: line 1: &#39;two words&#39; is no name" in page.text
    assert ">two words</textarea>" in page.text
