"""Who may see what: no login, the wrong role, the wrong project, tokens that are forged or old."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import itsdangerous.timed
import pytest

from jurybox.serve.model import Role
from jurybox.serve.requests import ENTRANCE_SECONDS, FORM, SESSION
from jurybox.serve.routes.auth import entrance_path, setup_path
from jurybox.serve.store import Store, open_store
from jurybox.serve.store.database import HEAD
from jurybox.serve.store.dumps import load_file, write_dump
from jurybox.serve.tokens import Tokens
from serve.crawling import parse, routes
from serve.made_studies import hand, make_project
from serve.running_site import PASSWORD, Running, hash_quickly, heading, running
from serve.stored_study import DATA

NEWEST = DATA / f"revision-{HEAD}.jsonl"
#: words that stand only on pages for people who are logged in
INSIDE = ("prepositions", "trained", "judgments.csv", "Zoë", "ada")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    hash_quickly(monkeypatch)
    load_file(str(NEWEST), f"{tmp_path}/study.db")
    with open_store(f"{tmp_path}/study.db") as store, running(store) as found:
        store.add_user("rat", PASSWORD, Role.RATER)
        yield found


def browser(site: Running) -> httpx.Client:
    return httpx.Client(base_url=site.base, timeout=60, verify=False)


def become(client: httpx.Client, site: Running, who: str) -> None:
    """Nobody, a rater by link, or somebody with a password."""
    if who == "rater by link":
        rater = site.store.join(site.store.project("prepositions").id)
        client.cookies.set(f"jurybox_rater_{rater.project}", site.site.tokens.rater(rater))
        client.cookies.set(SESSION, site.site.tokens.rater(rater))  # a cookie of another kind
    elif who:
        user = next(one for one in site.store.users() if one.name == who)
        client.cookies.set(SESSION, site.site.tokens.session(user))


def paths(site: Running, method: str, beginning: str) -> list[str]:
    """All addresses below one, with numbers that exist."""
    trained = site.store.project("trained").id
    values = {"number": trained, "rater": 1, "user": 1, "form": "csv", "case": 1, "token": "x"}
    found = []
    for route in routes(site.store, method):
        if route.startswith(beginning):
            values["case"] = _contested(site.store, trained)
            found.append(re.sub(r"\{(\w+)\}", lambda one: str(values[one[1]]), route))
    return found


def _contested(store: Store, project: int) -> int:
    return int(next(iter(store.contested(project))).case)


OPEN = ("/admin/login", "/admin/setup/x", "/admin/enter/x")


@pytest.mark.parametrize("who", ["", "rater by link", "rat", "bea"])
@pytest.mark.slow
def test_no_page_of_the_admin_is_shown_to_others(site: Running, who: str) -> None:
    with browser(site) as eve:
        become(eve, site, who)
        found = paths(site, "GET", "/admin")
        assert len(found) >= 12
        for path in found:
            page = eve.get(path)
            if path in OPEN:
                assert page.status_code in (200, 303, 404), path
            elif page.status_code != 403:  # what scripts ask for
                assert (page.status_code, page.headers.get("location")) == (303, "/admin/login")
            for word in INSIDE:
                assert word not in page.text, (path, word)


@pytest.mark.parametrize("who", ["", "rater by link", "rat"])
@pytest.mark.slow
def test_no_page_of_adjudicators_is_shown_to_others(site: Running, who: str) -> None:
    with browser(site) as eve:
        become(eve, site, who)
        for path in paths(site, "GET", "/adjudicate"):
            page = eve.get(path)
            assert (page.status_code, page.headers.get("location")) == (303, "/admin/login"), path


@pytest.mark.parametrize("who", ["", "rater by link", "rat", "bea"])
@pytest.mark.slow
def test_no_form_of_the_admin_is_taken_from_others(site: Running, who: str) -> None:
    """With a good word in the form: a login, or the right role, is what is missing."""
    with browser(site) as eve:
        become(eve, site, "")
        word = parse(eve.get("/admin/login")).forms[0].fields["csrf_token"]
        become(eve, site, who)
        out = io.StringIO()
        before = write_dump(site.store.database, out)
        found = paths(site, "POST", "/admin")
        if who != "bea":
            found += paths(site, "POST", "/adjudicate")
        for path in found:
            if path in ("/admin/login", "/admin/logout", "/admin/setup/x"):
                continue
            fields = {"csrf_token": word, "name": "eve", "password": PASSWORD, "role": "admin"}
            page = eve.post(path, data={**fields, "do": "remove", "open": "no"})
            assert page.status_code == 403, path
        assert write_dump(site.store.database, io.StringIO()).tables == before.tables


def test_a_rater_sees_no_case_of_another_project(site: Running) -> None:
    one, other = make_project(site.store, 2, name="one"), make_project(site.store, 2, name="other")
    with browser(site) as eve:
        rater = site.store.join(one.id)
        cookie = site.site.tokens.rater(rater)
        theirs = site.store.join(other.id)
        handed = hand(site.store, theirs.id)
        for name in (f"jurybox_rater_{other.id}", f"jurybox_rater_{one.id}"):
            eve.cookies.set(name, cookie)
        for route in routes(site.store, "GET"):
            if route.startswith("/r/"):
                page = eve.get(route.replace("{number}", str(other.id)))
                assert page.status_code == 403, route
                assert "is at home" not in page.text
        form = parse(eve.get(f"/r/{one.id}/case")).forms[0]
        fields = {**form.fields, "label": "ok"}
        page = eve.post(f"/r/{other.id}/case", data=fields)
        assert page.status_code == 403
        # the other rater's case, sent under one's own name
        page = eve.post(f"/r/{one.id}/case", data={**fields, "token": handed.token})
        assert page.status_code == 422
        assert site.store.progress(other.id).judgments == 0


# --- tokens ---


def twisted(token: str) -> Iterator[str]:
    """What somebody may try who has a good one."""
    yield from ("", ".", "..", token[:-1], token + "A", token.upper(), token[::-1], "é", "x" * 5000)
    body, rest = token.split(".", 1)
    yield f"{'A' + body[1:] if body[0] != 'A' else 'B' + body[1:]}.{rest}"
    yield f"{body}.{rest.split('.', 1)[-1]}"


def test_forged_tokens_of_every_kind_open_nothing(site: Running) -> None:
    tokens, foreign = site.site.tokens, Tokens("another secret")
    project = site.store.project("prepositions")
    rater, ada = site.store.join(project.id), site.store.users()[0]
    for good, bad in (
        (tokens.session(ada), foreign.session(ada)),
        (tokens.session(ada), tokens.rater(rater)),
        (tokens.session(ada), tokens.link(project)),
    ):
        for token in (bad, *twisted(good)):
            assert tokens.read_session(token) is None
    for token in (foreign.rater(rater), tokens.session(ada), *twisted(tokens.rater(rater))):
        assert tokens.read_rater(token, project=project.id) is None
    with browser(site) as eve:
        for path in (setup_path(site.site), entrance_path(site.site, ada)):
            beginning, _, token = path.rpartition("/")
            for wrong in twisted(token):
                page = eve.get(f"{beginning}/{wrong.strip('.') or 'x'}")
                assert page.status_code in (404, 403), wrong[:20]
                assert SESSION not in page.headers.get("set-cookie", "")
        for wrong in (foreign.link(project), tokens.rater(rater), tokens.session(ada)):
            assert eve.get(f"/j/{wrong}").status_code == 404


def test_tokens_that_are_too_old_open_nothing(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = site.store.users()[0]
    session, entrance = site.site.tokens.session(ada), entrance_path(site.site, ada)
    setup = setup_path(site.site)
    link = site.link(site.store.project("choice"))
    with browser(site) as eve:
        eve.cookies.set(SESSION, session)
        assert eve.get("/admin").status_code == 200
        now = itsdangerous.timed.TimestampSigner.get_timestamp
        monkeypatch.setattr(
            itsdangerous.timed.TimestampSigner,
            "get_timestamp",
            lambda self: now(self) + ENTRANCE_SECONDS + 2,
        )
        assert eve.get("/admin").status_code == 303
        eve.cookies.clear()
        assert eve.get(entrance).status_code == 404
        assert eve.get(setup).status_code == 404
        assert eve.get(link).status_code == 200  # links are for as long as a study runs


def test_a_session_ends_with_the_password_the_access_and_the_role(site: Running) -> None:
    site.store.add_user("cleo", PASSWORD, Role.ADMIN)
    with browser(site) as cleo:
        become(cleo, site, "cleo")
        assert cleo.get("/admin").status_code == 200
        site.store.set_role("cleo", Role.RATER)
        assert cleo.get("/admin").status_code == 303
        site.store.set_role("cleo", Role.ADMIN)
        assert cleo.get("/admin").status_code == 200
        site.store.remove_access("cleo")
        assert cleo.get("/admin").status_code == 303
        site.store.set_password("cleo", PASSWORD)
        assert cleo.get("/admin").status_code == 303  # the old session stays over
    with browser(site) as again:
        become(again, site, "cleo")
        assert again.get("/admin").status_code == 200


def test_a_session_that_was_planted_is_not_the_one_that_begins(site: Running) -> None:
    """Whoever knows a cookie from before the login knows none that is worth something."""
    site.store.add_user("dora", PASSWORD, Role.ADMIN)
    eves = site.site.tokens.session(next(one for one in site.store.users() if one.name == "rat"))
    with browser(site) as dora:
        dora.cookies.set(SESSION, eves)
        dora.cookies.delete(SESSION)
        fields = parse(dora.get("/admin/login")).forms[0].fields
        dora.cookies.set(SESSION, "planted")
        done = dora.post("/admin/login", data={**fields, "name": "dora", "password": PASSWORD})
        begun = [one for one in done.headers.get_list("set-cookie") if one.startswith(SESSION)]
        assert len(begun) == 1
        token = begun[0].split("=", 1)[1].split(";")[0]
        assert token not in ("planted", eves)
        found = site.site.tokens.read_session(token)
        assert found is not None
        user = site.store.user(found.user)
        assert user is not None
        assert user.name == "dora"


def test_a_setup_link_is_over_when_there_is_an_admin(site: Running) -> None:
    with browser(site) as eve:
        page = eve.get(setup_path(site.site))
        assert (page.status_code, heading(page)) == (403, "There is an admin already")


def test_the_word_of_a_form_is_of_no_use_with_another_cookie(site: Running) -> None:
    with browser(site) as ann, browser(site) as eve:
        anns = parse(ann.get("/admin/login")).forms[0].fields["csrf_token"]
        eves = parse(eve.get("/admin/login")).forms[0].fields["csrf_token"]
        assert anns != eves
        assert anns not in str(ann.cookies.get(FORM))
