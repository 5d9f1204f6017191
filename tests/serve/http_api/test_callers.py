"""Who may ask what: tokens forged, old, of another kind; roles; cookies; limits; sizes."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

from jurybox.serve.guard import HEADERS, LARGEST_FORM, Limits
from jurybox.serve.http_api import PREFIX, make_api
from jurybox.serve.http_api.document import make_document, routes_of
from jurybox.serve.model import Role
from jurybox.serve.store import Store
from jurybox.serve.tokens import SESSION_SECONDS
from serve.http_api.api_clients import PASSWORD, Caller, World, make_cases
from serve.running_site import hash_quickly, running

ROUTES = list(routes_of(make_document(make_api(), PREFIX)))
#: which schemes let whom in
MAY = {
    "nobody": {"anybody"},
    "cleo": {"anybody", "login"},
    "bert": {"anybody", "login", "adjudicator"},
    "ada": {"anybody", "login", "adjudicator", "admin"},
    "rater": {"anybody", "rater"},
}


def test_there_are_routes_for_everybody() -> None:
    assert {route.who for route in ROUTES} == set().union(*MAY.values())
    assert len(ROUTES) > 35


def fill(path: str) -> str:
    values = {"number": "1", "rater": "1", "case": "1", "user": "3", "form": "csv", "feedback": "1"}
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value)
    return path


def is_problem(answer: httpx.Response) -> bool:
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == answer.status_code
    return body.keys() == {"title", "status", "detail", "remedy"} and all(body.values())


@pytest.mark.parametrize("who", MAY)
def test_everybody_is_let_in_where_they_may_be_and_nowhere_else(
    world: World, admin: Caller, who: str
) -> None:
    link = admin.post("/projects", {"name": "study", "cases": make_cases(2)})["project"]["link"]
    caller = world.nobody
    if who == "rater":
        caller = world.nobody.join(link)
    elif who != "nobody":
        caller = world.nobody.log_in(who)
    before = world.store.projects(), world.store.users()
    for route in ROUTES:
        if route.who in MAY[who]:
            continue
        answer = caller.ask(route.method, fill(route.path), json={"name": "eve"})
        is_known = caller.token and who != "rater" and route.who != "rater"
        assert answer.status_code == (403 if is_known else 401), route
        assert is_problem(answer)
    assert (world.store.projects(), world.store.users()) == before
    for route in ROUTES:
        if route.who in MAY[who] and route.method == "GET":
            answer = caller.ask("GET", fill(route.path))
            assert answer.status_code not in (401, 403), route


def test_no_cookie_is_taken_so_no_other_site_can_ask(world: World) -> None:
    store, tokens = world.store, world.site.site.tokens
    user = next(one for one in store.users() if one.role == Role.ADMIN)
    project = world.admin.post("/projects", {"name": "study", "cases": make_cases(2)})["project"]
    rater = store.join(project["id"])
    kept = {
        "jurybox_session": tokens.session(user),
        f"jurybox_rater_{project['id']}": tokens.rater(rater),
        "Authorization": f"Bearer {world.admin.token}",
    }
    for name, value in kept.items():
        world.client.cookies.set(name, value)
    assert world.client.get("/admin", follow_redirects=False).status_code == 200  # pages do
    for route in ROUTES:
        if route.who != "anybody":
            body = {"name": "eve", "password": PASSWORD, "role": "admin", "is_open": False}
            answer = world.nobody.ask(route.method, fill(route.path), json=body)
            assert answer.status_code == 401, route
            assert "set-cookie" not in answer.headers
    assert len(store.users()) == 3
    assert store.project_by_id(project["id"]).settings.is_open


def test_tokens_of_the_pages_are_none_of_the_api_and_the_other_way_round(world: World) -> None:
    user = world.store.users()[0]
    session = world.site.site.tokens.session(user)
    assert Caller(world.client, session).ask("GET", "/me").status_code == 401
    world.client.cookies.set("jurybox_session", world.admin.token)
    assert world.client.get("/admin", follow_redirects=False).status_code == 303


@pytest.mark.parametrize("token", ["x", "a.b.c", "é", "x" * 5000, "null"])
def test_forged_tokens_are_nobodys(world: World, token: str) -> None:
    headers = {b"Authorization": f"Bearer {token}".encode("latin-1")}
    for path in ("/me", "/rater"):
        answer = world.client.get(f"/api/v1{path}", headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"


def test_a_token_ends_with_its_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    admin = world.admin
    later = time.time() + SESSION_SECONDS + 2
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: later)
    assert admin.ask("GET", "/me").status_code == 401


def test_a_token_ends_with_the_password_and_with_access(world: World) -> None:
    admin, cleo = world.admin, world.nobody.log_in("cleo")
    project = admin.post("/projects", {"name": "study", "cases": make_cases(2)})["project"]
    working = Caller(world.client, cleo.post(f"/work/{project['id']}")["token"])
    assert working.get("/rater/case")["state"] == "case"
    old = cleo.ask("PUT", "/me/password", json={"old": "wrong", "new": "another horse"})
    assert old.status_code == 403
    new = cleo.put("/me/password", {"old": PASSWORD, "new": "another horse"})["token"]
    assert cleo.ask("GET", "/me").status_code == 401
    assert working.ask("GET", "/rater/case").status_code == 401
    cleo = Caller(world.client, new)
    assert cleo.get("/me")["name"] == "cleo"
    again = Caller(world.client, cleo.post(f"/work/{project['id']}")["token"])
    assert again.get("/rater")["answered"] == 0
    assert len(world.store.raters(project["id"])) == 1  # the same rater every time
    removed = admin.ask("DELETE", f"/people/{cleo.get('/me')['id']}").json()
    assert not removed["has_access"]
    assert cleo.ask("GET", "/me").status_code == 401
    assert again.ask("GET", "/rater").status_code == 401


def test_the_last_admin_stays_one(world: World, admin: Caller) -> None:
    me = admin.get("/me")["id"]
    assert admin.ask("DELETE", f"/people/{me}").status_code == 422
    assert admin.ask("PATCH", f"/people/{me}", json={"role": "rater"}).status_code == 422
    made = admin.post("/people", {"name": "dora", "password": PASSWORD, "role": "rater"})
    changed = admin.patch(f"/people/{made['id']}", {"role": "admin", "password": "new horses"})
    assert changed["role"] == "admin"
    assert world.store.log_in("dora", "new horses") is not None
    assert admin.ask("PATCH", f"/people/{me}", json={}).status_code == 422


def test_raters_of_one_project_know_nothing_of_another(world: World, admin: Caller) -> None:
    first, second = (
        admin.post("/projects", {"name": name, "cases": make_cases(2)})["project"]
        for name in ("first", "second")
    )
    ann, bob = world.nobody.join(first["link"]), world.nobody.join(second["link"])
    token = bob.get("/rater/case")["case"]["token"]
    stolen = ann.ask("POST", "/rater/answers", json={"token": token, "key": "k", "label": "ok"})
    assert stolen.status_code == 422
    assert world.store.progress(second["id"]).judgments == 0
    (rater,) = admin.get(f"/projects/{second['id']}/raters")
    wrong = admin.ask("POST", f"/projects/{first['id']}/raters/{rater['id']}/stop")
    assert wrong.status_code == 404


def test_whoever_still_judges_cannot_see_what_others_said(world: World, admin: Caller) -> None:
    body = {"name": "study", "per_case": 2, "cases": make_cases(2)}
    project = admin.post("/projects", body)["project"]
    bert = world.nobody.log_in("bert")
    bert.post(f"/work/{project['id']}")
    answer = bert.ask("GET", f"/projects/{project['id']}/contested")
    assert answer.status_code == 403
    assert answer.json()["detail"] == bert.get("/adjudication")[0]["refusal"]


# --- limits ---


def test_passwords_and_joins_cannot_be_tried_without_end(
    lite: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    hash_quickly(monkeypatch)
    with (
        running(lite, Limits(joins=2, logins=3)) as site,
        httpx.Client(base_url=site.base, timeout=60, verify=False) as client,
    ):
        world = World(site, client)
        link = site.link(lite.create_project(_settings("study")))
        wrong = {"name": "ada", "password": "guess"}
        tried = [world.nobody.ask("POST", "/tokens", json=wrong) for _ in range(4)]
        assert [one.status_code for one in tried] == [401, 401, 401, 429]
        assert int(tried[-1].headers["retry-after"]) > 0
        assert is_problem(tried[-1])
        right = {"name": "ada", "password": PASSWORD}
        assert world.nobody.ask("POST", "/tokens", json=right).status_code == 429
        # the pages count the same tries
        page = client.get("/admin/login")
        assert page.status_code == 200
        joined = [world.nobody.ask("POST", "/join", json={"link": link}) for _ in range(3)]
        assert [one.status_code for one in joined] == [201, 201, 429]


def _settings(name: str) -> Any:
    from jurybox.serve.settings import Settings

    return Settings(name)


def test_large_bodies_are_taken_from_those_who_logged_in_only(world: World) -> None:
    many = make_cases(1200)
    body = {"name": "large", "cases": many}
    for caller in (world.nobody, Caller(world.client, "forged")):
        answer = caller.ask("POST", "/projects", json=body)
        assert answer.status_code == 413
    assert world.nobody.ask("POST", "/join", json={"link": "x" * LARGEST_FORM}).status_code == 413
    admin = world.admin
    assert admin.post("/projects", body)["project"]["cases"] == 1200
    too_large = admin.ask("POST", "/people", json={"name": "x" * LARGEST_FORM})
    assert too_large.status_code == 413
    assert is_problem(too_large)


def test_tokens_do_not_open_large_bodies_of_the_pages(world: World) -> None:
    headers = {"Authorization": f"Bearer {world.admin.token}"}
    files = {"cases": ("cases.csv", b"x" * 2 * LARGEST_FORM)}
    answer = world.client.post("/admin/projects", files=files, headers=headers)
    assert answer.status_code == 413


# --- what every answer carries ---


def test_every_problem_has_the_same_shape_and_headers(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = world.admin
    answers = [
        admin.ask("GET", "/nothing"),
        admin.ask("GET", "/projects/7"),
        admin.ask("GET", f"/projects/{2**40}"),
        admin.ask("GET", "/projects/one%0Atwo"),
        admin.ask("DELETE", "/projects"),
        admin.ask("POST", "/projects", content=b"{", headers={"Content-Type": "application/json"}),
        admin.ask("POST", "/projects", json={"name": "a", "nonsense": 1}),
        admin.ask("POST", "/projects", json={"name": "a", "fillers": ["at"]}),
    ]

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("on purpose")

    monkeypatch.setattr(Store, "projects", fail)
    answers.append(admin.ask("GET", "/projects"))
    codes = [one.status_code for one in answers]
    assert codes == [404, 404, 404, 404, 405, 422, 422, 422, 500]
    for one in answers:
        assert is_problem(one)
        assert {name: one.headers[name] for name in HEADERS} == HEADERS
        assert one.headers["cache-control"] == "no-store"
    assert "fillers" in answers[7].json()["detail"]
    assert "--fillers" not in answers[7].text
    assert "on purpose" not in answers[-1].text
    assert answers[4].headers["allow"]


@pytest.mark.parametrize(
    "body",
    [
        {"name": "ada", "password": ["hunter2-secret"]},
        {"name": "ada", "password": "hunter2-secret", "more": "hunter2-secret"},
        {"name": ["hunter2-secret"], "password": "hunter2-secret"},
        {"name": "ada", "password": "hunter2-secret" * 100},
        {"name": "ada", "password": "hunter2-secret"},
    ],
)
def test_what_was_sent_is_not_said_again(world: World, body: Any) -> None:
    for path in ("/tokens", "/people", "/me/password"):
        answer = world.admin.ask("PUT" if "me" in path else "POST", path, json=body)
        assert answer.status_code in (401, 422)
        assert "hunter2" not in answer.text


@pytest.mark.parametrize("strange", ["\0", "\ud800", "x" * 3000, "<script>", "'; DROP TABLE x; --"])
@pytest.mark.slow
def test_strange_characters_are_no_fault_of_the_server(world: World, strange: str) -> None:
    import json

    admin = world.admin
    made = admin.post("/projects", {"name": "study", "cases": make_cases(2)})["project"]
    rater = world.nobody.join(made["link"])
    bodies: list[tuple[Caller, str, Any]] = [
        (admin, "/projects", {"name": strange, "instructions": strange}),
        (admin, "/projects", {"name": "other", strange: strange}),
        (admin, f"/projects/{made['id']}/cases", {"cases": [{"case": "c", "sentence": strange}]}),
        (admin, f"/projects/{made['id']}/keys", {"content": strange}),
        (admin, "/people", {"name": strange, "password": strange * 8, "role": "rater"}),
        (world.nobody, "/tokens", {"name": strange, "password": strange}),
        (world.nobody, "/join", {"link": strange, "pseudonym": strange}),
        (world.nobody, "/join", {"link": made["link"], "pseudonym": strange}),
        (rater, "/rater/answers", {"token": strange, "key": strange, "label": strange}),
        (rater, "/rater/questionnaire", {"answers": {strange: strange}}),
    ]
    for caller, path, body in bodies:
        content = json.dumps(body).encode()
        kind = {"Content-Type": "application/json"}
        answer = caller.ask("POST", path, content=content, headers=kind)
        assert answer.status_code < 500, (path, answer.text)
        assert answer.headers["content-type"].startswith("application/")


def test_a_full_database_is_said_to_be_full(
    world: World, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    from sqlalchemy.exc import OperationalError

    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL

    def fail(*_: object, **__: object) -> None:
        raise OperationalError("INSERT", {}, full)

    monkeypatch.setattr(Store, "create_project", fail)
    answer = admin.ask("POST", "/projects", json={"name": "study"})
    assert answer.status_code == 507
    assert answer.headers["retry-after"]
    assert answer.json()["title"] == "There is no room left"
    assert "INSERT" not in answer.text
