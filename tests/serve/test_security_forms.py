"""Every form of every page, found by walking through the site: injection and forged forms.

A route that takes forms and is not reached by the walk fails a test here: so a new form is covered
by itself, or somebody has to say why not.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from jurybox.serve.guard import Limits
from jurybox.serve.model import Role
from jurybox.serve.requests import SESSION
from jurybox.serve.routes.auth import setup_path
from jurybox.serve.settings import Question, Task
from jurybox.serve.store import Store, open_store
from jurybox.serve.store.database import HEAD
from jurybox.serve.store.dumps import Contents, load_file, write_dump
from jurybox.serve.store.tables import metadata
from serve.crawling import Form, crawl, is_page, parse, routes
from serve.made_studies import judge, make_project
from serve.running_site import PASSWORD, Running, hash_quickly, running
from serve.stored_study import DATA

NEWEST = DATA / f"revision-{HEAD}.jsonl"
#: forms that no page holds: sent by scripts, or on pages that no link leads to
BY_SCRIPT = {"/r/{number}/draft", "/admin/setup/{token}"}
MARKUP = "<script>alert(7)</script><img src=x onerror=alert(7)>"
NASTY = [
    f"\"'>{MARKUP}'; DROP TABLE raters; -- {{{{ 7*'7' }}}}{{% raw %}}\r\nSet-Cookie: evil=1",
    "' OR '1'='1",
    "\0",
]
SUBTLE = ("missing", "another's", "no cookie")
MANY = Limits(joins=10**6, logins=10**6)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A site with something in every table, and a rater at every page of their way."""
    hash_quickly(monkeypatch)
    load_file(str(NEWEST), f"{tmp_path}/study.db")
    with open_store(f"{tmp_path}/study.db") as store, running(store, MANY) as found:
        for name, role in (("adm", Role.ADMIN), ("adj", Role.ADJUDICATOR), ("rat", Role.RATER)):
            store.add_user(name, PASSWORD, role)
        yield found


def browser(site: Running, name: str = "") -> httpx.Client:
    """A browser, in which somebody is logged in if `name` says so."""
    client = httpx.Client(base_url=site.base, follow_redirects=True, timeout=60, verify=False)
    user = next((one for one in site.store.users() if one.name == name), None)
    if user is not None:
        client.cookies.set(SESSION, site.site.tokens.session(user))
    return client


def rating_starts(site: Running, client: httpx.Client) -> list[str]:
    """Where raters begin: every task's link, a case of each, a questionnaire."""
    store = site.store
    if "asked" not in [one.name for one in store.projects()]:
        questions = (Question("q1", "Where from?"), Question("q2", "Hard?", ("yes", "no")))
        make_project(store, 1, name="asked", questionnaire=questions)
        make_project(store, 3, name="fresh")
    starts = []
    for project in store.projects():
        if not project.settings.is_open:
            continue
        starts.append(site.link(project) if project.name == "fresh" else "")
        if project.name != "fresh":
            rater = store.join(project.id)
            if project.name == "asked" and not store.progress(project.id).judgments:
                judge(store, rater.id)  # the questionnaire comes at the end
            client.cookies.set(f"jurybox_rater_{project.id}", site.site.tokens.rater(rater))
            starts[-1] = f"/r/{project.id}/case"
            starts.append(f"/r/{project.id}/end")
            if project.task == Task.CORRECT:  # feedback that is not read yet
                store.write_feedback(project.id, rater.id, store.users()[0].id, "Good.")
                starts.append(f"/r/{project.id}/notes")
    return starts


def walks(site: Running) -> Iterator[tuple[httpx.Client, list[Form], list[str]]]:
    """Each kind of person, with the forms that they see; those who can do most come last."""
    feedback = f"/admin/projects/{site.store.project('essays').id}/raters"
    feedback += f"/{site.store.raters(site.store.project('essays').id)[0].id}/feedback"
    for name, starts in (
        ("", ["/admin/login"]),
        ("rat", ["/work", "/account"]),
        ("adj", ["/adjudicate", "/account"]),
        ("adm", ["/admin", "/admin/new", "/admin/people", "/adjudicate", feedback]),
    ):
        with browser(site, name) as client:
            begun = rating_starts(site, client) + starts if not name else starts
            yield client, crawl(client, begun)[1], begun


def tables_of(store: Store) -> Contents:
    return write_dump(store.database, io.StringIO())


def unsafe(text: str) -> bool:
    return "<script>alert" in text or "<img src=x" in text


def send(client: httpx.Client, form: Form, fields: dict[str, str]) -> httpx.Response:
    return client.post(form.action, data=fields, follow_redirects=False)


def test_every_route_that_takes_forms_is_reached_by_the_walk(site: Running) -> None:
    forms = [form for _, found, _ in walks(site) for form in found]
    reached = {urlsplit(form.action).path for form in forms}
    for route in sorted({*routes(site.store, "POST")} - BY_SCRIPT):
        pattern = re.sub(r"\{\w+\}", "[^/]+", route)
        assert any(re.fullmatch(pattern, path) for path in reached), f"no page has a form: {route}"


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(NASTY[:1], id="markup and SQL"),
        pytest.param(NASTY[1:], id="conditions and zeros", marks=pytest.mark.slow),
    ],
)
@pytest.mark.slow
def test_injection_through_every_field_of_every_form_stays_text(
    site: Running, texts: list[str]
) -> None:
    sent = 0
    for client, forms, starts in list(walks(site)):
        with httpx.Client(
            base_url=site.base,
            follow_redirects=True,
            timeout=60,
            verify=False,
            cookies=client.cookies,
        ) as again:
            for form in forms:
                if form.action.endswith("/logout"):
                    continue
                for field in set(form.fields) - {"csrf_token"}:
                    for text in texts:
                        page = send(again, form, {**form.fields, field: text})
                        sent += 1
                        assert page.status_code < 500, (form.action, field, text)
                        assert not unsafe(page.text), (form.action, field)
                        assert "evil" not in page.headers.get("set-cookie", "")
                        assert "\n" not in page.headers.get("location", "")
            for address, page in crawl(again, starts)[0].items():
                assert page.status_code < 500, address
                if is_page(page):
                    assert not unsafe(page.text), address
                    assert "7777777" not in page.text, address
    assert sent > 60  # as many fields as there are, at least
    with browser(site, "adm") as admin:
        for address, page in crawl(admin, ["/admin", "/admin/people", "/adjudicate"])[0].items():
            assert page.status_code < 500, address
            assert not is_page(page) or not unsafe(page.text), address
    contents = tables_of(site.store)
    assert {table.name for table in contents.tables} == set(metadata.tables)
    assert contents.rows_of("raters") > 10


def test_sql_in_a_password_or_a_name_logs_nobody_in(site: Running) -> None:
    with browser(site) as eve:
        form = next(one for one in parse(eve.get("/admin/login")).forms if "password" in one.fields)
        for name in ("adm", "adm' --", "' OR '1'='1", 'adm" OR "1"="1'):
            for password in ("' OR '1'='1", "", "x') OR 1=1 --"):
                page = send(eve, form, {**form.fields, "name": name, "password": password})
                assert page.status_code == 403
                assert SESSION not in page.headers.get("set-cookie", "")


@pytest.mark.parametrize(
    "how",
    ["forged", *(pytest.param(one, marks=pytest.mark.slow) for one in SUBTLE)],
)
@pytest.mark.slow
def test_no_form_of_another_site_changes_anything(site: Running, how: str) -> None:
    """What the database holds before and after is compared, table by table."""
    with browser(site) as eve:
        eves = parse(eve.get("/admin/login")).forms[0].fields["csrf_token"]
    for client, forms, _ in walks(site):
        before = tables_of(site.store)
        for form in forms:
            fields = dict(form.fields)
            if "csrf_token" not in fields:
                pytest.fail(f"{form.page}: a form without a word of its own")
            if how == "missing":
                del fields["csrf_token"]
            elif how != "no cookie":
                fields["csrf_token"] = eves if how == "another's" else "0" * 36
            elif "jurybox_form" in client.cookies:
                client.cookies.delete("jurybox_form")
            page = send(client, form, fields)
            if form.action.endswith("/logout"):
                assert SESSION not in page.headers.get("set-cookie", "")
            else:
                assert page.status_code == 403, form.action
        assert _without_handing(before) == _without_handing(tables_of(site.store))


def _without_handing(contents: Contents) -> list[tuple[str, int, str]]:
    """Being shown one's next case is no change that a form made."""
    aside = {"assignments", "raters", "cases", "projects"}
    kept = [table for table in contents.tables if table.name not in aside]
    return [(table.name, table.rows, table.sha256) for table in kept] + [
        (table.name, table.rows, "") for table in contents.tables if table.name in {"projects"}
    ]


def test_the_script_that_saves_drafts_needs_the_word_too(site: Running) -> None:
    with browser(site) as ann:
        rating_starts(site, ann)
        essays = next(one for one in site.store.projects() if one.task == Task.CORRECT)
        before = tables_of(site.store).rows_of("drafts")
        page = ann.post(f"/r/{essays.id}/draft", data={"edits": "[]", "csrf_token": "0" * 36})
        assert page.status_code == 403
        assert tables_of(site.store).rows_of("drafts") == before


def test_the_first_admins_form_needs_the_word_too(lite: Store) -> None:
    with running(lite) as site, browser(site) as eve:
        path = setup_path(site.site)
        page = eve.post(path, data={"name": "eve", "password": PASSWORD, "csrf_token": "x"})
        assert page.status_code == 403
        assert lite.users() == ()
