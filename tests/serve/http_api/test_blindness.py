"""Nothing in any answer to a rater gives away what a case is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jurybox.serve.http_api import rating
from jurybox.serve.http_api.shapes import ApiShape
from jurybox.serve.store import Store
from serve.http_api.api_clients import Caller, World, make_cases

SECRETS = ("secret-", "stratum", "gold", '"R1"', "standing", "purpose")


def study(admin: Caller, **settings: Any) -> dict[str, Any]:
    """Work, gold and practice whose ids, documents and constructions must stay secret."""
    facts = {"construction": "secret-construction", "document": "secret-document"}
    cases = make_cases(6, **facts)
    gold = [
        {**one, "case": f"secret-gold-{n}", "gold": ["ok"], "feedback": "secret-feedback"}
        for n, one in enumerate(make_cases(6, **facts))
    ]
    practice = {**cases[0], "case": "secret-practice", "purpose": "practice", "gold": ["ok"]}
    practice["feedback"] = "Look at the verb."
    body = {"name": "study", "gold_rate": 0.5, "cases": [*cases, *gold, practice], **settings}
    made: dict[str, Any] = admin.post("/projects", body)["project"]
    return made


def everything_said(world: World, link: str) -> list[str]:
    """Every answer that one rater gets on their way."""
    heard: list[str] = []

    def hear(rater: Caller, method: str, path: str, **options: Any) -> Any:
        answer = rater.ask(method, path, **options)
        heard.append(f"{dict(answer.headers)} {answer.text}")
        return answer.json()

    joined = hear(world.nobody, "POST", "/join", json={"link": link})
    rater = Caller(world.client, joined["token"])
    hear(rater, "GET", "/rater")
    for _ in range(20):
        turn = hear(rater, "GET", "/rater/case")
        if turn["state"] != "case":
            break
        body = {"token": turn["case"]["token"], "label": "error"}
        for key in ("k" + body["token"], "other" + body["token"]):
            hear(rater, "POST", "/rater/answers", json={**body, "key": key})
        hear(rater, "POST", "/rater/answers", json={**body, "key": "z", "label": "nonsense"})
    hear(rater, "GET", "/rater/end")
    hear(rater, "POST", "/rater/questionnaire", json={"answers": {"q9": "?"}})
    return heard


def test_no_answer_to_a_rater_holds_what_they_must_not_know(world: World, admin: Caller) -> None:
    project = study(admin, gold_rule={"threshold": 0.9, "after": 2, "action": "warn"})
    heard = everything_said(world, project["link"])
    judged = admin.ask("GET", f"/projects/{project['id']}/judgments.csv").text
    assert "secret-gold" in judged  # gold was among what this rater saw
    assert len(heard) > 20
    for text in heard:
        assert not [secret for secret in SECRETS if secret in text], text


def test_gold_and_work_are_answered_in_the_same_words_by_the_same_calls(
    world: World, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = study(admin)
    rater = world.nobody.join(project["link"])
    called: list[str] = []
    for name in ("rater", "project_by_id", "next_case", "answer", "draft", "user"):
        original = getattr(Store, name)

        def note(self: Store, *given: Any, _n: str = name, _o: Any = original, **more: Any) -> Any:
            called.append(_n)
            return _o(self, *given, **more)

        monkeypatch.setattr(Store, name, note)
    ways: set[str] = set()
    practice = rater.get("/rater/case")["case"]
    assert practice["is_practice"]
    rater.post("/rater/answers", {"token": practice["token"], "key": "p", "label": "error"})
    while True:
        called.clear()
        turn = rater.get("/rater/case")
        if turn["state"] != "case":
            break
        token = turn["case"].pop("token")
        said = rater.post("/rater/answers", {"token": token, "key": token, "label": "ok"})
        for varying in ("shown", "expires", "done"):
            turn["case"].pop(varying)
        ways.add(json.dumps([turn, said, called], sort_keys=True))
    assert world.store.rater_progress(project["id"])[0].rater.gold_seen > 0
    assert len(ways) == 1, ways


def test_shapes_for_raters_have_no_field_for_secrets() -> None:
    shapes = [one for one in vars(rating).values() if isinstance(one, type)]
    fields = {field for one in shapes if issubclass(one, ApiShape) for field in one.model_fields}
    assert len(fields) > 30
    secret = {"gold", "purpose", "stratum", "construction", "document", "written", "standing"}
    assert not fields & (secret | {"flagged", "suggestion", "first", "second", "case_id", "id"}) - {
        "id"  # of a project, in the list of open ones
    }


def test_practice_is_explained_as_on_the_page(world: World, admin: Caller) -> None:
    case = {**make_cases(1)[0], "purpose": "practice", "first": "at", "second": "on"}
    case |= {"gold": ["second"], "feedback": "Mats are surfaces."}
    body = {"name": "pairs", "task": "choice", "cases": [case]}
    rater = world.nobody.join(admin.post("/projects", body)["project"]["link"])
    handed = rater.get("/rater/case")["case"]
    wrong = "left" if handed["shown"]["fillers"][0] == "at" else "right"
    answer = {"token": handed["token"], "key": "k", "label": wrong}
    taken = rater.post("/rater/answers", {**answer, "practice": handed["practice"]})
    assert taken["feedback"] == {
        "is_right": False,
        "expected": "on",
        "text": "Mats are surfaces.",
    }
    # without what came with the case, or forged, the words are not known
    for practice in ("", "forged"):
        again = rater.post("/rater/answers", {**answer, "practice": practice})
        assert again["feedback"]["expected"] == "one of the two is better"
    assert rater.get("/rater/end")["state"] == "nothing-left"  # no code for practice alone


def test_an_answer_sent_twice_is_stored_once_and_the_first_one_stays(
    world: World, admin: Caller
) -> None:
    project = admin.post("/projects", {"name": "study", "cases": make_cases(3)})["project"]
    rater = world.nobody.join(project["link"])
    token = rater.get("/rater/case")["case"]["token"]
    assert rater.get("/rater/case")["case"]["token"] == token
    answer = {"token": token, "key": "k1", "label": "error"}
    outcomes = [rater.post("/rater/answers", answer)["outcome"] for _ in range(3)]
    assert outcomes == ["stored"] * 3
    other = rater.post("/rater/answers", {**answer, "key": "k2", "label": "ok"})
    assert other["outcome"] == "first"
    lines = admin.ask("GET", f"/projects/{project['id']}/judgments.csv").text.splitlines()
    assert [line.split(",")[2] for line in lines] == ["label", "error"]
