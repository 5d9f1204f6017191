"""Projects by JSON and by files, what admins read of them, exports that give the same numbers."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import jurybox as jb
from jurybox.formats.tables import sample_key
from jurybox.serve.dashboard import dashboard_of
from jurybox.serve.model import Assignment, NewCase, SubmittedAnswer
from jurybox.serve.settings import Settings
from serve.http_api.api_clients import Caller, World, judge_all, make_cases
from serve.running_site import Person


def test_a_project_out_of_files_is_the_one_of_the_page(world: World, admin: Caller) -> None:
    cases = "case,sentence,start,end\nc1,He sat at mat .,2,3\n"
    form = {"name": "files", "per_case": "3", "gold_rule": "0.7:5", "in_order": "yes"}
    answer = admin.ask(
        "POST", "/projects/from-files", data=form, files={"cases": ("cases.csv", cases)}
    )
    assert answer.status_code == 201, answer.text
    made = answer.json()["project"]
    assert (made["cases"], made["settings"]["per_case"]) == (1, 3)
    assert made["settings"]["gold_rule"] == {"threshold": 0.7, "after": 5, "action": "stop"}
    more = {"cases": ("more.jsonl", '{"case": "c2", "sentence": "So ."}\n')}
    path = f"/projects/{made['id']}/files"
    assert admin.ask("POST", path, files=more).json()["project"]["cases"] == 2
    again = admin.ask("POST", path, files=more)
    assert again.status_code == 422
    assert "'c2' is in the project already" in again.json()["detail"]
    bad = admin.ask("POST", path, files={"cases": ("bad.csv", "case,sentence,start\nc3,So .,x\n")})
    assert bad.status_code == 422
    assert "bad.csv:2" in bad.json()["detail"]


def test_cases_of_m2_have_the_sentence_before_where_a_document_map_is_sent(
    world: World, admin: Caller
) -> None:
    """Tetreault and Chodorow (2008, section 5); both forms take the map."""
    m2 = "S I was tired .\n\nS He sat at mat .\n\nS We go at home .\n"
    files = {"cases": ("gold.m2", m2), "documents": ("map.txt", "a\na\nb\n")}
    answer = admin.ask("POST", "/projects/from-files", data={"name": "m2"}, files=files)
    assert answer.status_code == 201, answer.text
    rater = world.store.join(answer.json()["project"]["id"]).id
    shown = {}
    while isinstance(handed := world.store.next_case(rater), Assignment):
        shown[handed.shown.left] = handed.shown.before
        world.store.answer(rater, handed.token, SubmittedAnswer("ok"), handed.token)
    assert shown == {"He sat": "I was tired .", "We go": ""}
    short = {**files, "documents": ("map.txt", "a\na\n")}
    refused = admin.ask("POST", "/projects/from-files", data={"name": "short"}, files=short)
    assert refused.status_code == 422
    assert "map.txt is shorter than" in refused.json()["detail"]


def test_cases_that_cannot_be_judged_make_no_project(world: World, admin: Caller) -> None:
    for wrong in ({"end": 99}, {"sentence": " "}, {"start": None}):
        cases = [make_cases(1)[0], {**make_cases(2)[1], **wrong}]
        answer = admin.ask("POST", "/projects", json={"name": "study", "cases": cases})
        assert answer.status_code == 422, wrong
        assert "secret-id-1" in answer.json()["detail"]
    assert world.store.projects() == ()


def test_settings_come_back_as_they_were_sent(admin: Caller) -> None:
    settings = {
        "name": "all of it",
        "task": "judge",
        "per_case": 3,
        "overlap": {"cases": 10, "every": 50, "judgments": 4},
        "per_rater": 20,
        "lease": 7.5,
        "repeats": 0.1,
        "gold_rate": 0.2,
        "gold_rule": {"threshold": 0.6, "after": 4, "action": "warn"},
        "replace_flagged": True,
        "show_after": True,
        "instructions": "One.\n\nTwo.",
        "questionnaire": [
            {"key": "l1", "text": "First language?", "options": [], "required": True},
            {"key": "how", "text": "How was it?", "options": ["easy", "hard"], "required": False},
        ],
        "completion_code": "C0DE",
        "completion_url": "https://example.org/done",
        "fillers": [],
        "categories": [],
        "feedback_after": 0,
        "pay": "$0.02",
        "fee": "20%",
        "precise_within": 0.05,
        "is_open": False,
        "seed": 7,
    }
    made = admin.post("/projects", settings)["project"]
    assert made["settings"] == settings
    assert settings.keys() - {"lease", "repeats"} <= set(Settings.__slots__)
    assert len(settings) == len(Settings.__slots__)
    own = {"name": "essays", "task": "correct", "categories": [{"name": "X", "help": "a b"}]}
    essays = admin.post("/projects", own)["project"]["settings"]
    assert essays["categories"] == [{"name": "X", "title": "", "help": "a b"}]
    assert essays["lease"] == 24 * 60
    gaps = admin.post("/projects", {"name": "gaps", "task": "cloze", "fillers": ["in", "at"]})
    assert gaps["project"]["settings"]["fillers"] == ["in", "at"]


def test_only_what_is_named_is_changed(admin: Caller) -> None:
    made = admin.post("/projects", {"name": "gaps", "task": "cloze", "fillers": ["in", "at"]})
    path = f"/projects/{made['project']['id']}"
    changed = admin.patch(path, {"per_case": 2, "pay": "$0.10"})["settings"]
    assert changed == {**made["project"]["settings"], "per_case": 2, "pay": "$0.10"}
    assert admin.patch(path, {"fillers": [], "per_rater": 5})["settings"]["fillers"] == []
    assert admin.patch(path, {"per_rater": None})["settings"]["per_rater"] is None
    for wrong in ({"per_case": None}, {"per_case": 0}, {"gold_rate": 0.5, "repeats": 0.5}):
        assert admin.ask("PATCH", path, json=wrong).status_code == 422
    refused = admin.ask("PATCH", path, json={"completion_url": "javascript:alert(1)"})
    assert refused.status_code == 422
    assert "completion_url" in refused.json()["detail"]


def test_raters_are_stopped_flagged_and_readmitted(world: World, admin: Caller) -> None:
    project = admin.post("/projects", {"name": "study", "cases": make_cases(3)})["project"]
    prolific = {"pid": "p1", "study": "s", "session": "x"}
    rater = world.nobody.join(project["link"], prolific=prolific)
    path = f"/projects/{project['id']}/raters"
    (listed,) = admin.get(path)
    assert listed["prolific"] == prolific
    stopped = admin.post(f"{path}/{listed['id']}/stop", {"flag": False})
    assert (stopped["standing"], stopped["flagged"]) == ("stopped", False)
    assert admin.post(f"{path}/{listed['id']}/stop")["flagged"]
    assert rater.get("/rater/case")["state"] == "stopped"
    assert admin.post(f"{path}/{listed['id']}/readmit")["standing"] == "active"
    again = world.nobody.join(project["link"], prolific=prolific)
    assert again.get("/rater/case")["case"]["token"] == rater.get("/rater/case")["case"]["token"]
    assert len(admin.get(path)) == 1


def test_a_project_may_replace_flagged_raters_from_now_on(world: World, admin: Caller) -> None:
    project = admin.post("/projects", {"name": "study", "cases": make_cases(3)})["project"]
    first = world.nobody.join(project["link"])
    case = first.get("/rater/case")["case"]["token"]
    first.post("/rater/answers", {"token": case, "key": case, "label": "ok"})
    path = f"/projects/{project['id']}"
    (rater,) = admin.get(f"{path}/raters")
    admin.post(f"{path}/raters/{rater['id']}/stop")
    assert admin.get(f"{path}/progress")["judgments"] == 1
    admin.ask("PATCH", path, json={"replace_flagged": True})
    assert admin.get(path)["settings"]["replace_flagged"]
    assert admin.get(f"{path}/progress")["judgments"] == 0
    admin.post(f"{path}/raters/{rater['id']}/readmit")
    assert admin.get(f"{path}/progress")["judgments"] == 1


def test_progress_and_dashboard_are_those_of_the_store(world: World, admin: Caller) -> None:
    decided = {f"c{n}": "error" if n % 2 else "ok" for n in range(8)}
    drawn = jb.draw_sample(decided, error=2, ok=2)
    text = io.StringIO()
    sample_key.write(drawn.key, text)
    key = {"content": text.getvalue()}
    cases = [{"case": one.id, "sentence": f"Number {one.id} ."} for one in drawn.blind]
    made = admin.post("/projects", {"name": "sample", "cases": cases})
    path = f"/projects/{made['project']['id']}"
    admin.post(f"{path}/keys", key)
    assert admin.ask("POST", f"{path}/keys", json=key).status_code == 422  # twice
    judge_all(world.nobody.join(made["project"]["link"]))
    progress = admin.get(f"{path}/progress")
    assert {name: part["judgments"] for name, part in progress["strata"].items()} == {
        "error": 2,
        "ok": 2,
    }
    board = admin.get(f"{path}/dashboard")
    project = world.store.project_by_id(made["project"]["id"])
    wanted = json.loads(json.dumps(dashboard_of(world.store, project, now=board["now"]).to_dict()))
    assert board == wanted
    assert board["estimate"]["measures"]["precision"]["value"] == 1.0


# --- exports ---


@pytest.fixture
def judged(world: World) -> int:
    """Two raters who differ, repeats, gold, somebody with a name; straight into the store."""
    store, cases = world.store, [NewCase(**one) for one in map(as_new, make_cases(30))]
    gold = [replace(one, id=f"g{n}", gold=("ok",)) for n, one in enumerate(cases[:8])]
    settings = Settings("study, 2nd round", per_case=2, gold_rate=0.3, repeat_share=0.3)
    project = store.add_cases(store.create_project(settings).id, [*cases, *gold], shuffle=True)
    for name, labels in (("Ann", ("error", "ok", "error")), ("", ("ok", "error"))):
        rater = store.join(project.id, pseudonym=name).id
        for label in cycle(labels):
            turn = store.next_case(rater)
            if not isinstance(turn, Assignment):
                break
            store.answer(rater, turn.token, SubmittedAnswer(label), turn.token)
    return project.id


def as_new(case: dict[str, Any]) -> dict[str, Any]:
    return {"id": case["case"], **{name: case[name] for name in case if name != "case"}}


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")  # of repeats, of gold
def test_label_studio_json_gives_the_numbers_of_the_csv(
    admin: Caller, judged: int, tmp_path: Path
) -> None:
    path = f"/projects/{judged}"
    csv = admin.ask("GET", f"{path}/judgments.csv").text
    assert ",repeat" in csv
    (tmp_path / "judgments.csv").write_text(csv)
    studio = admin.ask("GET", f"{path}/label-studio.json")
    assert studio.headers["content-disposition"] == (
        'attachment; filename="study-2nd-round-label-studio.json"'
    )
    (tmp_path / "studio.json").write_text(studio.text)
    tasks = json.loads(studio.text)
    assert tasks[0]["data"]["sentence"].startswith("Number ")
    first, second = (
        jb.agree([tmp_path / name], ci=True, seed=1).to_dict()
        for name in ("judgments.csv", "studio.json")
    )
    for told in (first, second):
        for of_the_file in ("inputs", "signature", "warnings", "notes"):
            told.pop(of_the_file, None)
    assert first.pop("sentences") is None  # the table knows no sentences
    assert second.pop("sentences") is not None
    assert first == second
    jb.convert(tmp_path / "studio.json", tmp_path / "back.csv")
    lines = (tmp_path / "back.csv").read_text().splitlines()
    assert len(lines) == len(csv.splitlines())


def test_exports_leave_out_what_is_not_asked_for(world: World, admin: Caller, judged: int) -> None:
    path = f"/projects/{judged}"
    whole = admin.ask("GET", f"{path}/judgments.jsonl").text
    for query, options in (
        ("gold=no", {"gold": False}),
        ("flagged=no", {"flagged": False}),
        ("names=own", {"names": "own"}),
        ("", {}),
    ):
        if query == "flagged=no":
            (rater, *_) = admin.get(f"{path}/raters")
            admin.post(f"{path}/raters/{rater['id']}/stop")
        for form in ("csv", "tsv", "jsonl"):
            out = io.StringIO()
            world.store.export(judged, out, form, **options)
            answer = admin.ask("GET", f"{path}/judgments.{form}?{query}")
            assert answer.text == out.getvalue()
        assert (answer.text == whole) is False or not query
    assert "Ann (R1)" in admin.ask("GET", f"{path}/label-studio.json?names=own").text
    for wrong in ("gold=perhaps", "names=all", "decisions=maybe"):
        assert admin.ask("GET", f"{path}/judgments.csv?{wrong}").status_code == 422
    assert admin.ask("GET", f"{path}/judgments.exe").status_code == 404


def test_cases_come_out_as_a_case_file(
    world: World, admin: Caller, judged: int, tmp_path: Path
) -> None:
    path = f"/projects/{judged}"
    for form in ("csv", "tsv", "jsonl"):
        answer = admin.ask("GET", f"{path}/cases.{form}")
        files = {"cases": (f"cases.{form}", answer.content)}
        again = admin.ask("POST", "/projects/from-files", data={"name": form}, files=files)
        made = again.json()["project"]
        assert (made["cases"], made["gold"]) == (30, 8)
        assert world.store.case_set(made["id"]) == world.store.case_set(judged)


def test_the_page_of_a_project_offers_the_same_files(
    world: World, admin: Caller, judged: int
) -> None:
    with Person(world.site) as ada:
        ada.log_in()
        page = ada.open(f"/admin/projects/{judged}")
        for name in ("judgments.csv", "judgments.tsv", "judgments.jsonl", "label-studio.json"):
            link = f"/admin/projects/{judged}/{name}"
            assert f'href="{link}"' in page.text, name
            wanted = admin.ask("GET", f"/projects/{judged}/{name}")
            found = ada.open(link)
            assert found.text == wanted.text
            for header in ("content-type", "content-disposition"):
                assert found.headers[header] == wanted.headers[header]
        found = ada.open(f"/admin/projects/{judged}/cases.csv")
        assert found.text == admin.ask("GET", f"/projects/{judged}/cases.csv").text
        essays = admin.post("/projects", {"name": "essays", "task": "correct"})["project"]["id"]
        assert ada.open(f"/admin/projects/{essays}/label-studio.json").status_code == 404
