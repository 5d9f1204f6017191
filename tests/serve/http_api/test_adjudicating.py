"""Contested cases by the API: who sees what, and decisions that nobody overwrites unseen."""

from __future__ import annotations

from typing import Any

import pytest

from serve.http_api.api_clients import Caller, World, judge_all, make_cases


@pytest.fixture
def project(world: World, admin: Caller) -> dict[str, Any]:
    """Two cases on which two raters differ."""
    body = {"name": "study", "per_case": 2, "cases": make_cases(2)}
    made: dict[str, Any] = admin.post("/projects", body)["project"]
    for label in ("error", "ok"):
        judge_all(world.nobody.join(made["link"], pseudonym=f"secret-{label}"), label)
    return made


def test_adjudicators_see_no_name_and_no_id(world: World, project: dict[str, Any]) -> None:
    bert = world.nobody.log_in("bert")
    path = f"/projects/{project['id']}/contested"
    heard = bert.ask("GET", path).text
    for line in bert.get(path):
        heard += bert.ask("GET", f"{path}/{line['case']}").text
    assert heard.count("Number") == 4
    for secret in ("secret-", "R1", "R2", "submitted", "seconds"):
        assert secret not in heard


def test_a_decision_of_somebody_else_is_not_overwritten_unseen(
    world: World, admin: Caller, project: dict[str, Any]
) -> None:
    bert = world.nobody.log_in("bert")
    path = f"/projects/{project['id']}/contested"
    case = bert.get(path)[0]["case"]
    mine = {"label": "error", "over": 0}
    first = bert.put(f"{path}/{case}/decision", mine)["decision"]
    # the same once more, since the answer to it was lost perhaps
    assert bert.put(f"{path}/{case}/decision", mine)["decision"]["label"] == "error"
    other = admin.ask("PUT", f"{path}/{case}/decision", json={"label": "ok", "over": 0})
    assert other.status_code == 409
    assert admin.get(f"{path}/{case}")["decision"]["by"] == "bert"
    seen = admin.get(f"{path}/{case}")["decision"]["time"]
    assert seen >= first["time"]
    changed = admin.put(f"{path}/{case}/decision", {"label": "ok", "over": seen})["decision"]
    assert (changed["said"], changed["by"]) == ("OK", "ada")
    wrong = admin.ask("PUT", f"{path}/{case}/decision", json={"label": "nonsense"})
    assert wrong.status_code == 422
    left = admin.put(f"{path}/{case}/decision", {"undecided": True, "comment": "?"})["decision"]
    assert (left["is_made"], left["said"], left["comment"]) == (False, "", "?")


def test_lists_show_what_is_asked_for(world: World, project: dict[str, Any]) -> None:
    bert = world.nobody.log_in("bert")
    path = f"/projects/{project['id']}/contested"
    first, second = (one["case"] for one in bert.get(f"{path}?order=file"))
    assert [one["case"] for one in bert.get(f"{path}?order=file&after={first}")] == [second]
    assert len(bert.get(f"{path}?limit=1")) == 1
    bert.put(f"{path}/{first}/decision", {"label": "ok"})
    shown = {
        show: [one["case"] for one in bert.get(f"{path}?show={show}&order=file")]
        for show in ("undecided", "decided", "all")
    }
    assert shown == {"undecided": [second], "decided": [first], "all": [first, second]}
    assert bert.ask("GET", f"{path}?limit=0").status_code == 422
    assert bert.ask("GET", f"{path}/{2**31 - 1}").status_code == 404
    assert bert.ask("PUT", f"{path}/{2**31 - 1}/decision", json={}).status_code == 404
