"""The admin's pages over HTTP: projects out of files, progress, exports."""

from __future__ import annotations

import io
from typing import Any

import httpx
import pytest

from jurybox.serve import downloads
from jurybox.serve.model import Standing
from jurybox.serve.settings import GoldRule, Question, Task
from jurybox.serve.store import Store
from jurybox.serve.store import export as store_export
from serve.made_studies import judge, make_project
from serve.running_site import Person, hash_quickly, heading, running

CASES = b"case,sentence,start,end,gold\nc1,He sat at mat .,2,3,\ng1,He sat at mat .,2,3,error\n"


def create(ada: Person, cases: bytes = CASES, **fields: Any) -> httpx.Response:
    ada.open("/admin/new")
    files = {"cases": ("mine.csv", cases)}
    return ada.send("/admin/projects", files=files, **{"name": "pilot", **fields})


def test_a_project_is_what_its_form_says(ada: Person) -> None:
    page = create(
        ada,
        per_case="3",
        per_rater="50",
        lease="5",
        gold_rate="0.1",
        gold_rule="0.7:5:warn",
        replace_flagged="yes",
        instructions="One.\r\n\r\nTwo.",
        questionnaire="Language? *\nHow? | easy | hard",
        completion_url="https://example.org/x",
    )
    assert heading(page) == "pilot"
    project = ada.site.store.project("pilot")
    settings = project.settings
    assert (project.cases, project.gold) == (1, 1)
    assert (settings.per_case, settings.per_rater, settings.lease_minutes) == (3, 50, 5.0)
    assert settings.gold_rule == GoldRule(0.7, 5, "warn")
    assert settings.replace_flagged
    assert [question.required for question in settings.questionnaire] == [True, False]
    assert settings.task == Task.JUDGE


@pytest.mark.parametrize(
    ("cases", "fields", "message"),
    [
        (b"case,sentence,start,end\nc1,He sat .,two,3\n", {}, "mine.csv:2"),
        (b"case,sentence,start,end\nc1,He .,0,1\nc1,He .,0,1\n", {}, "was given in line 2 already"),
        (CASES, {"per_case": "0"}, "“Judgments per case” must be 1 or more, not 0"),
        (CASES, {"per_case": "many"}, "“Judgments per case” must be a whole number"),
        (CASES, {"gold_rule": "70%"}, "“Gold rule” 70%: write the share"),
        (CASES, {"name": "a/b"}, "a slash in it"),
        (CASES, {"completion_url": "javascript:alert(1)"}, "must begin with https://"),
        (CASES, {"task": "choice"}, "choice needs two words"),
        (b"\xff\xfe\x00", {}, "mine.csv"),
    ],
)
def test_what_is_wrong_with_a_project_is_said_and_nothing_is_made(
    ada: Person, cases: bytes, fields: dict[str, str], message: str
) -> None:
    page = create(ada, cases, instructions="Typed long.", **fields)
    assert page.status_code == 422
    assert message.replace('"', "&#34;") in page.text
    assert "Typed long.</textarea>" in page.text
    assert not ada.site.store.projects()


def test_a_name_that_is_taken_is_refused(ada: Person) -> None:
    create(ada)
    page = create(ada)
    assert page.status_code == 422
    assert "there is a project &#39;pilot&#39; already" in page.text


def test_trivial_cases_that_are_left_out_are_told(ada: Person) -> None:
    page = create(ada, b"case,sentence,start,end,trivial\nc1,He .,0,1,\nc2,He .,0,1,true\n")
    assert heading(page) == "pilot is ready"
    assert "1 trivial cases are left out" in page.text


def test_more_cases_can_be_added(ada: Person) -> None:
    create(ada)
    number = ada.site.store.project("pilot").id
    path = f"/admin/projects/{number}"
    more = b"case,sentence,start,end\nc2,He sat .,0,1\n"
    ada.open(path)
    ada.send(f"{path}/files", files={"cases": ("more.csv", more)})
    assert ada.site.store.project("pilot").cases == 2
    again = ada.send(f"{path}/files", files={"cases": ("more.csv", more)})
    assert again.status_code == 422
    assert "is in the project already" in again.text


def in_blocks_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    few = store_export._JUDGMENTS.limit(2)
    monkeypatch.setattr(store_export, "_JUDGMENTS", few)


@pytest.mark.parametrize("task", [Task.JUDGE, Task.CHOICE])
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_download_holds_what_the_store_exports(
    ada: Person, monkeypatch: pytest.MonkeyPatch, task: Task, form: str
) -> None:
    in_blocks_of_two(monkeypatch)
    store = ada.site.store
    project = make_project(store, 5, task=task)
    path = f"/admin/projects/{project.id}/judgments.{form}"
    assert ada.open(path).text == exported(store, project.id, form)
    rater = store.join(project.id, pseudonym="Zoë, the 1st").id
    for _ in range(5):
        judge(store, rater, "ok" if task == Task.JUDGE else "left")
    assert ada.open(path).text == exported(store, project.id, form)
    own = ada.open(f"{path}?names=own").text
    assert own == exported(store, project.id, form, names="own")
    assert "Zoë" in own


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_answers_to_the_questionnaire_can_be_downloaded(ada: Person, form: str) -> None:
    store = ada.site.store
    project = make_project(store, 1, questionnaire=(Question("q1", "Language?"),))
    rater = store.join(project.id, pseudonym="Zoë")
    store.answer_questionnaire(rater.id, {"q1": "Frisian"})
    path = f"/admin/projects/{project.id}/questionnaire.{form}"
    assert path in ada.open(f"/admin/projects/{project.id}").text
    page = ada.open(path)
    assert (
        page.headers["content-disposition"] == f'attachment; filename="study-questionnaire.{form}"'
    )
    assert "Frisian" in page.text
    assert "Zoë" not in page.text
    assert "Zoë" in ada.open(f"{path}?names=own").text
    assert ada.open(path.replace(form, "exe")).status_code == 404


def exported(store: Store, project: int, form: str, **options: Any) -> str:
    out = io.StringIO()
    store.export(project, out, form, **options)
    return out.getvalue()


def test_an_export_is_read_while_it_is_sent(lite: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    in_blocks_of_two(monkeypatch)
    project = make_project(lite, 6)
    rater = lite.join(project.id).id
    for _ in range(6):
        judge(lite, rater)
    sent = downloads.judgment_pieces(lite, project, "csv", downloads.Selection())
    assert [piece.count("\n") for piece in sent] == [1, 2, 2, 2]


def test_raters_are_stopped_and_readmitted(ada: Person) -> None:
    store = ada.site.store
    project = make_project(store, 5)
    rater = store.join(project.id)
    path = f"/admin/projects/{project.id}"
    for do, standing in (("stop", Standing.STOPPED), ("readmit", Standing.ACTIVE)):
        ada.open(path)
        ada.send(f"{path}/raters/{rater.id}", do=do)
        found = store.rater(rater.id)
        assert found is not None
        assert found.standing == standing


@pytest.mark.parametrize("page", ["", "/dashboard"])
def test_an_admin_is_told_what_stopping_means_where_somebody_is(ada: Person, page: str) -> None:
    store = ada.site.store
    rule = GoldRule(1.0, 1)
    project = make_project(store, 30, gold=9, gold_rate=0.5, gold_rule=rule, seed=3)
    rater = store.join(project.id).id
    path = f"/admin/projects/{project.id}{page}"
    standing = Standing.ACTIVE
    while standing == Standing.ACTIVE:
        assert "Stopping: below the gold rule" not in ada.open(path).text
        standing = judge(store, rater, "unknown")[1].standing
    assert standing == Standing.STOPPING
    assert "Stopping: below the gold rule" in ada.open(path).text


def test_the_page_says_what_becomes_of_flagged_judgments_and_readmits(ada: Person) -> None:
    store = ada.site.store
    project = make_project(store, 3, replace_flagged=True)
    rater = store.join(project.id).id
    judge(store, rater)
    path = f"/admin/projects/{project.id}"
    assert "1 of 3" in ada.open(path).text
    stopped = ada.send(f"{path}/raters/{rater}", do="stop").text
    assert "0 of 3" in stopped
    assert "Judgments of flagged raters are replaced" in stopped
    assert "1 of 3" in ada.send(f"{path}/raters/{rater}", do="readmit").text


def test_whoever_is_stopping_can_be_let_go_on(ada: Person) -> None:
    store = ada.site.store
    project = make_project(store, 30, gold=9, gold_rate=0.5, gold_rule=GoldRule(1.0, 1))
    rater = store.join(project.id).id
    while judge(store, rater, "unknown")[1].standing == Standing.ACTIVE:
        pass
    page = ada.open(f"/admin/projects/{project.id}").text
    assert page.count('value="readmit"') == page.count('value="stop"') == 1
    ada.send(f"/admin/projects/{project.id}/raters/{rater}", do="readmit")
    found = store.rater(rater)
    assert found is not None
    assert (found.standing, found.flagged) == (Standing.ACTIVE, False)


def test_a_rater_of_another_project_is_not_stopped_by_accident(ada: Person) -> None:
    store = ada.site.store
    first, second = make_project(store, 5), make_project(store, 5, name="other")
    rater = store.join(first.id)
    ada.open(f"/admin/projects/{second.id}")
    page = ada.send(f"/admin/projects/{second.id}/raters/{rater.id}", do="stop")
    assert page.status_code == 404
    assert store.rater(rater.id) == rater


def test_the_page_of_a_project_shows_how_far_it_is(ada: Person) -> None:
    store = ada.site.store
    project = make_project(store, 4, gold=2, per_case=2)
    rater = store.join(project.id, pseudonym="Bob").id
    judge(store, rater)
    text = ada.open(f"/admin/projects/{project.id}").text
    assert "1 of 8 (2 per case)" in text
    assert "2 gold cases, 0 for practice" in text
    assert "Bob" in text
    assert ada.site.link(project).rpartition("/")[0] in text


def test_the_link_for_raters_begins_with_the_address_that_browsers_know(
    lite: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    hash_quickly(monkeypatch)
    project = make_project(lite, 1)
    with running(lite, base="http://judge.example.org/") as site, Person(site) as ada:
        ada.log_in()
        text = ada.open(f"/admin/projects/{project.id}").text
    assert 'value="http://judge.example.org/j/' in text
    assert site.base not in text


@pytest.mark.parametrize("path", ["/admin/projects/99", "/admin/projects/99/judgments.csv"])
def test_a_project_that_is_not_there_is_said_not_to_be(ada: Person, path: str) -> None:
    page = ada.open(path)
    assert page.status_code == 404
    assert heading(page) == "There is no such project"
