"""Who may do what: forms of other sites, forged cookies, no login, too much, too often."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from jurybox.serve.guard import HEADERS, LARGEST_FORM, Limits
from jurybox.serve.routes.auth import entrance_path, setup_path
from jurybox.serve.store import Store
from jurybox.serve.tokens import Tokens
from serve.crawling import filled, routes
from serve.made_studies import judged, make_project
from serve.running_site import PASSWORD, Person, Running, heading, running


def test_no_form_is_taken_without_the_word_of_its_page(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3)
    ann.join(project)
    paths = routes(site.store, "POST")
    assert len(paths) >= 8
    before = site.store.projects(), site.store.rater_progress(project.id), site.store.users()
    for path in paths:
        address = filled(path, site, project.id)
        data = {"label": "ok", "name": "eve", "password": PASSWORD, "csrf_token": "forged"}
        page = ann.client.post(address, data=data, follow_redirects=False)
        assert page.status_code in (303, 403), address
        if page.status_code == 303:
            assert "session" not in page.headers.get("set-cookie", ""), address
            assert path == "/admin/logout"
    after = site.store.projects(), site.store.rater_progress(project.id), site.store.users()
    assert after == before
    assert not judged(site.store, project.id)


def test_the_word_of_one_browser_is_none_in_another(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3)
    ann.open(site.link(project))
    word = ann.fields()["csrf_token"]
    with Person(site) as bob:
        bob.open(site.link(project))
        assert bob.send(site.link(project), csrf_token=word).status_code == 403


def test_every_page_of_the_admin_asks_for_a_login(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3)
    ann.join(project)
    site.store.add_user("ada", PASSWORD)
    paths = [path for path in routes(site.store, "GET") if path.startswith("/admin")]
    assert len(paths) >= 6
    for path in paths:
        page = ann.open(filled(path, site, project.id))
        is_refused = page.status_code == 403 and project.name not in page.text
        assert is_refused or heading(page) in ("Log in", "This link does not work"), path


INSIDE = ("/admin/projects", "/admin/people", "/adjudicate", "/account", "/work")


def test_forms_behind_a_login_do_nothing_without_one(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3)
    site.store.add_user("ada", PASSWORD)
    before = site.store.users()
    ann.open(site.link(project))  # a browser with a good word
    paths = [path for path in routes(site.store, "POST") if path.startswith(INSIDE)]
    assert all(any(path.startswith(start) for path in paths) for start in INSIDE)
    for path in paths:
        address = filled(path, site, project.id)
        page = ann.send(address, name="eve", open="no", do="remove", password=PASSWORD)
        assert page.status_code == 403, path
        assert heading(page) == "You are not logged in", path
        ann.open(site.link(project))
    assert [one.name for one in site.store.projects()] == ["study"]
    assert site.store.project_by_id(project.id).settings.is_open
    assert site.store.users() == before


@pytest.mark.parametrize("secret", ["another", None])
def test_forged_and_foreign_cookies_are_nobodys(
    site: Running, ann: Person, secret: str | None
) -> None:
    first = make_project(site.store, 3)
    second = make_project(site.store, 3, name="other")
    rater = site.store.join(first.id)
    tokens = Tokens(secret) if secret else site.site.tokens
    ann.client.cookies.set(f"jurybox_rater_{second.id}", tokens.rater(rater))
    page = ann.open(f"/r/{second.id}/case")
    assert page.status_code == 403
    assert heading(page) == "Please open your link again"


def test_a_raters_cookie_opens_no_page_of_the_admin(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3)
    rater = site.store.join(project.id)
    site.store.add_user("ada", PASSWORD)
    ann.client.cookies.set("jurybox_session", site.site.tokens.rater(rater))
    assert heading(ann.open("/admin")) == "Log in"


def test_a_new_password_ends_sessions(site: Running, ann: Person) -> None:
    assert heading(ann.log_in()) == "Projects"
    site.store.set_password("ada", "another password")
    assert heading(ann.open("/admin")) == "Log in"


def test_the_first_admins_link_is_of_no_use_to_the_second(site: Running, ann: Person) -> None:
    path = setup_path(site.site)
    ann.open(path)
    assert ann.send(path, name="ada", password="short").status_code == 422
    assert heading(ann.send(path, name="ada", password=PASSWORD)) == "Projects"
    with Person(site) as eve:
        assert eve.open(path).status_code == 403
    assert [user.name for user in site.store.users()] == ["ada"]


def test_a_way_in_without_password_ends_with_the_password(site: Running, ann: Person) -> None:
    user = site.store.add_user("ada", PASSWORD)
    path = entrance_path(site.site, user)
    site.store.set_password("ada", "another password")
    assert ann.open(path).status_code == 404


# --- limits ---


def test_passwords_cannot_be_tried_without_end(lite: Store) -> None:
    with running(lite, Limits(logins=3)) as site, Person(site) as eve:
        lite.add_user("ada", PASSWORD)
        eve.open("/admin/login")
        tried = [eve.send("/admin/login", name="ada", password="guess").status_code] * 1
        tried += [eve.send("/admin/login", name="ada", password="x").status_code for _ in range(3)]
        assert tried == [403, 403, 403, 429]
        # the right one is not taken either, or trying would still tell
        assert eve.send("/admin/login", name="ada", password=PASSWORD).status_code == 429


def test_one_address_cannot_join_without_end(lite: Store) -> None:
    project = make_project(lite, 1)
    with running(lite, Limits(joins=2)) as site:
        codes = []
        for _ in range(4):
            with Person(site) as one:
                codes.append(one.join(project, pseudonym="Ann <3").status_code)
        assert codes == [200, 200, 429, 429]
        assert len(lite.rater_progress(project.id)) == 2


@pytest.mark.parametrize("announced", [True, False])
def test_a_body_that_is_too_large_is_refused(site: Running, ann: Person, announced: bool) -> None:
    project = make_project(site.store, 3)
    ann.join(project)
    body = b"label=" + b"x" * LARGEST_FORM

    def pieces() -> Iterator[bytes]:
        yield from (body[i : i + 8192] for i in range(0, len(body), 8192))

    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    sent: Any = body if announced else pieces()
    page = ann.client.post(f"/r/{project.id}/case", content=sent, headers=kind)
    assert page.status_code == 413
    assert heading(page) == "That is too much"


def test_large_files_are_taken_from_those_who_are_logged_in_only(
    site: Running, ann: Person
) -> None:
    site.store.add_user("ada", PASSWORD)
    files = {"cases": ("cases.csv", b"x" * 2 * LARGEST_FORM)}
    assert ann.client.post("/admin/projects", files=files).status_code == 413
    ann.log_in()
    assert ann.client.post("/admin/projects", files=files).status_code == 403  # read; no word
    ann.client.cookies.set("jurybox_session", Tokens("another").session(site.store.users()[0]))
    assert ann.client.post("/admin/projects", files=files).status_code == 413


# --- what every answer carries ---


def test_every_kind_of_answer_has_the_headers(
    site: Running, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(site.store, 3)
    answers = [ann.open(site.link(project)), ann.send(site.link(project)).history[0]]
    answers += [ann.open("/nothing"), ann.open("/admin"), ann.open("/static/style.css")]
    answers += [ann.open("/r/one/case"), ann.judge(project, "nonsense")]

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("on purpose")

    monkeypatch.setattr(Store, "next_case", fail)
    answers.append(ann.open(f"/r/{project.id}/case"))
    assert [one.status_code for one in answers] == [200, 303, 404, 200, 200, 404, 422, 500]
    for one in answers:
        assert {name: one.headers[name] for name in HEADERS} == HEADERS
        assert "server" not in one.headers
    assert "on purpose" not in answers[-1].text
    assert heading(answers[-1]) == "Something went wrong"
    kept = [one.headers["cache-control"] == "no-store" for one in answers]
    assert kept == [True, True, True, True, False, True, True, True]


def test_cookies_are_not_for_scripts_nor_for_other_sites(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3)
    pages = [ann.open(site.link(project)), *ann.send(site.link(project)).history]
    pages += [*ann.log_in().history]
    cookies = [one for page in pages for one in page.headers.get_list("set-cookie")]
    assert len(cookies) == 3
    for cookie in cookies:
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie


def test_pages_hold_no_inline_script_or_style(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3, instructions="Look.")
    ann.log_in()
    for path in (site.link(project), "/admin", "/admin/new", f"/admin/projects/{project.id}"):
        text = ann.open(path).text
        assert not re.search(r"<style|\son\w+=|\sstyle=|javascript:", text), path
        assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text)), path


NASTY = "<script>alert(1)</script>'\"; DROP TABLE raters; --"


def test_markup_and_sql_in_every_field_stay_text(site: Running, ann: Person) -> None:
    ann.log_in()
    ann.open("/admin/new")
    words = ("instructions", "questionnaire", "completion_code", "fillers")
    fields = {name: f"{NASTY} {name}" for name in words}
    cases = f'case,sentence,start,end,before\n"{NASTY.replace(chr(34), chr(34) * 2)}",'
    cases += '"<b>He</b> sat <i>at</i> .",2,3,"<u>So</u>"\n'
    name = NASTY.replace("/", "|")
    page = ann.send(
        "/admin/projects",
        **fields,
        name=name,
        task="cloze",
        files={"cases": (f"../../{NASTY}.csv", cases.encode())},
    )
    assert page.status_code == 200, page.text
    (project,) = site.store.projects()
    assert project.name == name
    with Person(site) as eve:
        pages = [eve.open(site.link(project)), eve.join(project, pseudonym=NASTY[:90])]
        pages += [eve.judge(project, NASTY), eve.judge(project, project.settings.fillers[0])]
        pages += [ann.open("/admin"), ann.open(f"/admin/projects/{project.id}")]
    for page in pages:
        assert "<script>alert" not in page.text
        assert not re.search(r"<[biu]>", page.text)
    assert len(judged(site.store, project.id)) == 1
    export = ann.open(f"/admin/projects/{project.id}/judgments.csv")
    assert re.fullmatch(
        r'attachment; filename="[\w-]+\.csv"', export.headers["content-disposition"]
    )


def test_a_page_in_another_window_does_not_hang_on_the_address_bar(
    site: Running, ann: Person
) -> None:
    """Static files are a fixed list: no path leads out of it."""
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"):
        answer = httpx.get(f"{site.base}{path}")
        assert answer.status_code == 404, path


@pytest.mark.parametrize("strange", ["\0", "\ud800".encode("utf-8", "surrogatepass"), "x" * 3000])
@pytest.mark.slow
def test_strange_characters_in_any_field_are_no_fault_of_the_server(
    site: Running, ann: Person, strange: Any
) -> None:
    project = make_project(site.store, 3)
    ann.join(project)
    ann.log_in()
    ann.open(f"/r/{project.id}/case")
    good = {**ann.fields(), "label": "ok"}
    fields = [*good, "context", "pseudonym", "PROLIFIC_PID", "name", "password", "do"]
    for path in routes(site.store, "POST"):
        if path == "/admin/logout":
            continue
        address = filled(path, site, project.id)
        for field in fields:
            sent = {**good, field: strange}
            page = ann.client.post(address, data=sent, follow_redirects=False)
            assert page.status_code < 500, (address, field)


def test_half_a_character_in_an_encoding_of_the_forms_own_is_no_fault_of_the_server(
    site: Running, ann: Person
) -> None:
    project = make_project(site.store, 3)
    ann.join(project)
    kind = {"Content-Type": "multipart/form-data; boundary=b; charset=raw_unicode_escape"}
    part = b'--b\r\nContent-Disposition: form-data; name="%s"\r\n\r\n\\ud800\r\n'
    body = b"".join(part % name for name in (b"csrf_token", b"label", b"context")) + b"--b--\r\n"
    assert ann.client.post(f"/r/{project.id}/case", content=body, headers=kind).status_code == 403


@pytest.mark.parametrize("number", ["0", "-1", "one", str(2**31), "9" * 40])
def test_numbers_that_are_none_lead_nowhere(site: Running, ann: Person, number: str) -> None:
    ann.log_in()
    paths = (f"/admin/projects/{number}", f"/admin/projects/{number}/judgments.csv")
    for path in (*paths, f"/r/{number}/case", f"/r/{number}"):
        assert ann.open(path).status_code == 404, path
