"""A whole study by the API alone. The example in docs/api.md is run here as it stands."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from jurybox.serve.store import Store
from serve.http_api.api_clients import PASSWORD, Caller, World, judge_all, make_cases

PAGE = Path(__file__).parents[3] / "docs" / "api.md"


def test_a_study_is_made_joined_judged_and_exported(world: World) -> None:
    admin = world.nobody.log_in("ada")

    made = admin.post(
        "/projects",
        {
            "name": "prepositions",
            "per_case": 2,
            "instructions": "Is the marked word wrong?",
            "questionnaire": [{"text": "First language?", "required": True}],
            "completion_code": "C0DE",
            "cases": make_cases(3),
        },
    )
    project, link = made["project"]["id"], made["project"]["link"]
    assert made["project"]["progress"] == {
        **{"cases": 3, "full": 0, "judgments": 0, "wanted": 6, "leased": 0}
    }

    for name, label in (("Ann", "error"), ("Bob", "ok")):
        rater = world.nobody.join(link, pseudonym=name)
        assert rater.get("/rater")["instructions"] == "Is the marked word wrong?"
        while (turn := rater.get("/rater/case"))["state"] == "case":
            case = turn["case"]
            assert case["question"] == "Is the marked part an error?"
            assert case["shown"]["target"] == "at"
            answer = {"token": case["token"], "key": case["token"], "label": label}
            assert rater.post("/rater/answers", answer)["outcome"] == "stored"
        end = rater.get("/rater/end")
        assert (end["state"], end["completion_code"]) == ("questionnaire", "")
        key = end["questions"][0]["key"]
        end = rater.post("/rater/questionnaire", {"answers": {key: "Frisian"}})
        assert (end["state"], end["completion_code"]) == ("done", "C0DE")

    assert admin.get(f"/projects/{project}/progress")["full"] == 3
    text = admin.ask("GET", f"/projects/{project}/judgments.csv").text
    assert text == exported(world.store, project)
    assert [line.split(",")[1:3] for line in text.splitlines()[1:]] == (
        [["R1", "error"]] * 3 + [["R2", "ok"]] * 3
    )
    survey = admin.ask("GET", f"/projects/{project}/questionnaire.jsonl").text
    assert [json.loads(line)["answer"] for line in survey.splitlines()] == ["Frisian"] * 2

    judge = world.nobody.log_in("bert")
    assert [one["contested"] for one in judge.get("/adjudication")] == [3]
    for line in judge.get(f"/projects/{project}/contested"):
        path = f"/projects/{project}/contested/{line['case']}"
        case = judge.get(path)
        assert sorted(one["said"] for one in case["judgments"]) == ["Error", "OK"]
        case = judge.put(f"{path}/decision", {"label": "error", "comment": "Clear.", "over": 0})
        assert (case["decision"]["said"], case["decision"]["by"]) == ("Error", "bert")
    assert judge.get(f"/projects/{project}/contested") == []
    decided = admin.ask("GET", f"/projects/{project}/judgments.jsonl?decisions=only").text
    assert {json.loads(line)["rater"] for line in decided.splitlines()} == {"ADJ"}

    assert not admin.patch(f"/projects/{project}", {"is_open": False})["settings"]["is_open"]
    assert world.nobody.ask("POST", "/join", json={"link": link}).status_code == 422


def exported(store: Store, project: int) -> str:
    out = io.StringIO()
    store.export(project, out)
    return out.getvalue()


def test_an_essay_is_drafted_corrected_adjudicated_and_exported(world: World) -> None:
    admin = world.admin
    essay = {"case": "e1", "sentence": "It are so .\nWe know .\n\nBye ."}
    project = admin.post(
        "/projects", {"name": "essays", "task": "correct", "per_case": 2, "cases": [essay]}
    )["project"]
    edit = {"sentence": 0, "start": 1, "end": 2, "replacement": "is", "category": "SVA"}
    for edits in ([edit], []):
        rater = world.nobody.join(project["link"])
        assert len(rater.get("/rater")["categories"]) == 28
        case = rater.get("/rater/case")["case"]
        assert case["shown"]["essay"] == [["It are so .", "We know ."], ["Bye ."]]
        draft = rater.get("/rater/draft", params={"token": case["token"]})
        assert (draft["version"], draft["edits"]) == (0, [])
        body = {"token": case["token"], "edits": edits}
        saved = rater.put("/rater/draft", {**body, "version": 0})
        assert saved["version"] == 1
        other = [{**edit, "replacement": "was"}]
        refused = rater.ask("PUT", "/rater/draft", json={**body, "edits": other, "version": 0})
        assert refused.status_code == 409
        answer = {**body, "key": "k", "version": 1}
        if not edits:
            assert rater.ask("POST", "/rater/answers", json=answer).status_code == 422
        taken = rater.post("/rater/answers", {**answer, "no_error": not edits})
        assert taken["outcome"] == "stored"
    judge = world.nobody.log_in("bert")
    (line,) = judge.get(f"/projects/{project['id']}/contested")
    path = f"/projects/{project['id']}/contested/{line['case']}"
    case = judge.put(f"{path}/decision", {"edits": [edit]})
    assert case["decision"]["edits"] == [{**edit, "comment": ""}]
    m2 = admin.ask("GET", f"/projects/{project['id']}/edits.m2?decisions=yes").text
    assert "A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||ADJ" in m2
    assert "<MISTAKE" in admin.ask("GET", f"/projects/{project['id']}/edits.sgml").text
    packed = admin.ask("GET", f"/projects/{project['id']}/edits.zip").content
    assert "edits.m2" in zipfile.ZipFile(io.BytesIO(packed)).namelist()
    alone = admin.ask("GET", f"/projects/{project['id']}/edits.m2?annotator=R9")
    assert alone.status_code == 404
    refused = admin.ask("GET", f"/projects/{project['id']}/label-studio.json")
    assert refused.status_code == 404


def test_the_example_of_the_documentation_runs(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = re.findall(r"```py\n(# A whole study.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    code = example.replace("http://127.0.0.1:8000", world.site.base)
    assert code != example
    assert f'"{PASSWORD}"' in code
    exec(compile(code, "docs/api.md", "exec"), {})
    (project,) = world.store.projects()
    progress = world.store.progress(project.id)
    assert progress.judgments == progress.wanted > 0
    assert capsys.readouterr().out.startswith("case,rater,label")


@pytest.mark.parametrize("task", ["judge", "judge-extraneous", "judge-trained", "cloze", "choice"])
def test_every_task_is_judged_by_the_api(admin: Caller, world: World, task: str) -> None:
    cases = make_cases(2, second="on")
    given = {"name": task, "task": task, "cases": cases}
    project = admin.post("/projects", given)["project"]
    rater = world.nobody.join(project["link"])
    case = rater.get("/rater/case")["case"]
    label = case["answers"][-1]["value"] if case["answers"] else "on"
    more = {"words": ["on", "upon"], "confidence": "low"} if task == "judge-trained" else {}
    assert judge_all(rater, label, **more) == 2
    lines = admin.ask("GET", f"/projects/{project['id']}/judgments.jsonl").text.splitlines()
    assert len(lines) == 2
    if task == "judge-trained":
        assert json.loads(lines[0])["alternatives"] == ["on", "upon"]
