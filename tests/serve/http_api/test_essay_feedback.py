"""Feedback to annotators of essays by the API (Bryant and Ng 2015, section 4)."""

from __future__ import annotations

from typing import Any

from serve.http_api.api_clients import Caller, World

IS = {"sentence": 0, "start": 1, "end": 2, "replacement": "is", "category": "SVA", "comment": ""}


def correct(rater: Caller) -> None:
    token = rater.get("/rater/case")["case"]["token"]
    rater.post("/rater/answers", {"token": token, "key": token, "edits": [IS]})


def test_2015_section_4_by_the_api_alone(world: World) -> None:
    admin = world.admin
    given: dict[str, Any] = {"name": "essays", "task": "correct", "feedback_after": 1}
    given["cases"] = [{"case": f"e{n}", "sentence": "It are so .\nWe know ."} for n in range(2)]
    made = admin.post("/projects", given)["project"]
    assert made["settings"]["feedback_after"] == 1
    rater = world.nobody.join(made["link"])
    correct(rater)
    turn = rater.get("/rater/case")
    assert (turn["state"], turn["case"]) == ("pause", None)
    assert rater.get("/rater/end")["state"] == "pause"
    (known,) = admin.get(f"/projects/{made['id']}/raters")
    assert known["awaits_feedback"]
    path = f"/projects/{made['id']}/raters/{known['id']}"
    (essay,) = admin.get(f"{path}/essays")
    assert (essay["essay"], essay["edits"]) == ([["It are so .", "We know ."]], [IS])
    written = admin.post(f"{path}/feedback", {"text": "Good."})
    assert (written["text"], written["essays"], written["by"]) == ("Good.", 1, "ada")
    assert rater.get("/rater/case")["state"] == "feedback"
    (read,) = rater.get("/rater/feedback")
    assert read.keys() == {"id", "text", "time", "confirmed"}
    confirmed = rater.post(f"/rater/feedback/{read['id']}/confirm")
    assert confirmed["confirmed"] is not None
    assert admin.get(f"{path}/feedback")[0]["confirmed"] == confirmed["confirmed"]
    correct(rater)
    assert rater.get("/rater/case")["state"] == "finished"


def test_feedback_is_refused_to_others_and_without_text(world: World) -> None:
    made = world.admin.post("/projects", {"name": "essays", "task": "correct"})["project"]
    rater = world.nobody.join(made["link"])
    path = f"/projects/{made['id']}/raters/1/feedback"
    for caller, body, status in (
        (world.nobody, {"text": "Good."}, 401),
        (rater, {"text": "Good."}, 401),
        (world.nobody.log_in("bert"), {"text": "Good."}, 403),
        (world.admin, {"text": ""}, 422),
        (world.admin, {"text": " "}, 422),
    ):
        assert caller.ask("POST", path, json=body).status_code == status
    assert world.admin.ask("GET", f"/projects/{made['id']}/raters/9/essays").status_code == 404
    assert rater.ask("POST", "/rater/feedback/1/confirm").status_code == 422
    judged = world.admin.post("/projects", {"name": "judged"})["project"]
    world.nobody.join(judged["link"])
    assert world.admin.ask("GET", f"/projects/{judged['id']}/raters/2/essays").status_code == 404
