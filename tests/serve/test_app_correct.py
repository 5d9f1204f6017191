"""Essays over HTTP: drafts and answers of whoever may send them, downloads for admins."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from jurybox.serve.model import Correction, NewCase, Project, Settings, Task
from jurybox.serve.store import Store
from serve.running_site import Person, Running, hash_quickly, heading, running

TEXT = "It are so .\nWe knows ."
IS = Correction(0, 1, 2, "is", "SVA")
KNOW = Correction(1, 1, 2, "know", "SVA")


@pytest.fixture
def site(lite: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    hash_quickly(monkeypatch)
    with running(lite) as found:
        yield found


@pytest.fixture
def person(site: Running) -> Iterator[Person]:
    with Person(site) as found:
        yield found


def make_essays(site: Running, name: str = "study", **settings: Any) -> Project:
    made = site.store.create_project(Settings(name, Task.CORRECT, **settings))
    return site.store.add_cases(made.id, [NewCase("e1", TEXT), NewCase("e2", TEXT)])


def begin(person: Person, project: Project) -> None:
    person.join(project)
    person.open(f"/r/{project.id}/case")


def save(person: Person, project: Project, *edits: Correction, **fields: object) -> httpx.Response:
    """A draft, as the page's script sends it."""
    values = {**person.fields(), "edits": json.dumps(edits), **fields}
    return person.client.post(f"/r/{project.id}/draft", data=values)


def finish(person: Person, project: Project, *edits: Correction, **fields: str) -> httpx.Response:
    return person.send(f"/r/{project.id}/case", edits=json.dumps(edits), **fields)


def test_a_draft_is_answered_for_the_script(site: Running, person: Person) -> None:
    project = make_essays(site)
    begin(person, project)
    saved = save(person, project, KNOW, IS)
    assert saved.status_code == 200
    assert saved.json() == {"version": 1, "edits": [list(IS), list(KNOW)], "is_wanted": True}
    page = person.open(f"/r/{project.id}/case")
    assert person.fields()["version"] == "1"
    assert json.loads(person.fields()["edits"]) == [list(IS), list(KNOW)]
    assert page.status_code == 200
    other = save(person, project, IS, version=7)
    assert other.status_code == 409
    assert other.json()["edits"] == [list(IS), list(KNOW)]


@pytest.mark.parametrize(
    ("fields", "status", "problem"),
    [
        ({"form_word": "forged"}, 403, "cookies"),
        ({"token": "of nobody"}, 422, "not given to you"),
        ({"edits": "{"}, 422, "cannot be read"),
        ({"edits": '[[0,1,2,"is","no such",""]]'}, 422, "choose a category"),
        ({"edits": '[[0,1,2,"<b>|",  "SVA",""]]'}, 422, "without the sign |"),
    ],
)
def test_a_draft_that_cannot_be_taken_is_refused_in_words(
    site: Running, person: Person, fields: dict[str, str], status: int, problem: str
) -> None:
    project = make_essays(site)
    begin(person, project)
    refused = save(person, project, IS, **fields)
    assert refused.status_code == status
    assert problem in refused.json()["problem"]


def test_drafts_are_for_raters_of_their_project(site: Running, person: Person) -> None:
    project, other = make_essays(site), make_essays(site, "other")
    begin(person, project)
    assert save(person, other, IS).status_code == 403
    with Person(site) as stranger:
        stranger.open("/")
        assert save(stranger, project, IS).status_code == 403


def test_finishing_does_not_overwrite_another_window(site: Running, person: Person) -> None:
    project = make_essays(site)
    begin(person, project)
    save(person, project, IS)
    page = finish(person, project, KNOW)  # of the page before the draft
    assert page.status_code == 422
    assert "changed in another window" in page.text
    # the form holds what was sent, and its script will ask which version is kept
    assert json.loads(person.fields()["edits"]) == [list(KNOW)]
    assert "data-sent" in page.text
    page = finish(person, project, KNOW, version="1")
    assert page.status_code == 200
    essays = {one.name: one.edits for one in site.store.annotated_essays(project.id)}
    assert [edits for edits in essays.values() if edits] == [{"R1": (KNOW,)}]


def test_an_essay_without_corrections_needs_a_word(site: Running, person: Person) -> None:
    project = make_essays(site)
    begin(person, project)
    page = finish(person, project)
    assert page.status_code == 422
    assert "there is no error in the essay" in page.text
    assert finish(person, project, no_error="yes").status_code == 200
    assert site.store.progress(project.id).judgments == 1


def test_the_page_of_one_annotator_holds_nothing_of_others(site: Running, person: Person) -> None:
    project = make_essays(site, per_case=2)
    for _ in range(2):
        person.join(project)
        person.open(f"/r/{project.id}/case")
        finish(person, project, IS._replace(replacement="WASN'T"))
    with Person(site) as other:
        begin(other, project)
        assert other.page is not None
        assert "It</span>" in other.page.text
        assert "WAS" not in other.page.text
        assert ">e1<" not in other.page.text


def test_downloads_are_for_admins(site: Running, person: Person) -> None:
    project = make_essays(site)
    begin(person, project)
    finish(person, project, IS)
    path = f"/admin/projects/{project.id}/edits"
    assert heading(person.open(f"{path}.m2")) == "Log in"
    person.log_in()
    text = person.open(f"{path}.m2").text
    assert text.count("\nA ") == 2
    assert "A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||R1" in text
    file = person.open(f"{path}.zip?flagged=no&names=own&decisions=yes")
    assert "edits.m2" in zipfile.ZipFile(io.BytesIO(file.content)).namelist()
    assert "<MISTAKE" in person.open(f"{path}.sgml?annotator=R1").text


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
    site: Running, person: Person, path: str, told: str
) -> None:
    project = make_essays(site)
    judged = site.store.create_project(Settings("sentences"))
    person.log_in()
    page = person.open("/admin/projects/" + path.format(project.id, judged.id))
    assert page.status_code == 404
    assert heading(page) == told


def test_before_anybody_has_finished_there_is_nothing_to_download(
    site: Running, person: Person
) -> None:
    project = make_essays(site)
    person.log_in()
    page = person.open(f"/admin/projects/{project.id}").text
    assert "Nobody has finished an essay yet" in page
    assert "edits.zip" not in page
    assert person.open(f"/admin/projects/{project.id}/edits.m2").text == ""


def test_a_project_of_essays_is_made_in_the_browser(site: Running, person: Person) -> None:
    person.log_in()
    person.open("/admin/new")
    page = person.send(
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
    person.open("/admin/new")
    page = person.send(
        "/admin/projects",
        name="other",
        task="correct",
        categories="two words",
        files={"cases": ("trip.txt", b"So .")},
    )
    assert page.status_code == 422
    assert "“Categories of errors”: line 1: &#39;two words&#39; is no name" in page.text
    assert ">two words</textarea>" in page.text
