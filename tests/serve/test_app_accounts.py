"""People with passwords over HTTP: where each role begins and what it may open, who is added."""

from __future__ import annotations

import re

import pytest

from jurybox.serve.guard import Limits
from jurybox.serve.model import Role
from jurybox.serve.store import Store
from serve.crawling import filled, routes
from serve.made_studies import judged, make_project
from serve.running_site import PASSWORD, Person, Running, heading, running

NEW = "another password"


@pytest.fixture(autouse=True)
def _people(lite: Store, quick_hashes: None) -> None:
    """One of every role."""
    lite.add_user("ada", PASSWORD)
    lite.add_user("bea", PASSWORD, Role.ADJUDICATOR)
    lite.add_user("rob", PASSWORD, Role.RATER)


def number_of(store: Store, name: str) -> int:
    return next(one.id for one in store.users() if one.name == name)


# --- roles ---


@pytest.mark.parametrize(
    ("name", "home"),
    [("ada", "Projects"), ("bea", "Adjudicate"), ("rob", "What there is to judge")],
)
def test_everybody_comes_to_their_own_place(site: Running, name: str, home: str) -> None:
    with Person(site) as person:
        assert heading(person.log_in(name)) == home
        for path in ("/", "/admin/login"):
            assert heading(person.open(path)) == home, path


@pytest.mark.parametrize(
    ("name", "home"), [("bea", "Adjudicate"), ("rob", "What there is to judge")]
)
def test_no_page_or_form_of_the_admin_is_for_other_roles(
    site: Running, name: str, home: str
) -> None:
    project = make_project(site.store, 3)
    before = site.store.users()
    with Person(site) as person:
        person.log_in(name)
        pages = [path for path in routes(site.store, "GET") if path.startswith("/admin")]
        assert len(pages) >= 7
        for path in pages:
            page = person.open(filled(path, site, project.id))
            is_refused = page.status_code in (403, 404) and project.name not in page.text
            assert is_refused or heading(page) == home, path
        forms = [path for path in routes(site.store, "POST") if path.startswith("/admin/p")]
        assert len(forms) >= 5
        for path in forms:
            person.open("/account")
            sent = {"name": "eve", "role": "admin", "do": "role", "password": NEW, "open": "no"}
            page = person.send(filled(path, site, project.id), **sent)
            assert page.status_code == 403, path
    assert site.store.users() == before
    assert site.store.projects() == (project,)


@pytest.mark.parametrize("name", ["ada", "bea", "rob"])
def test_links_on_a_page_lead_to_where_somebody_may_be(site: Running, name: str) -> None:
    with Person(site) as person:
        person.log_in(name)
        for start in ("/account", "/work"):
            links = re.findall(r'<a href="([^"]*)"', person.open(start).text.partition("<main>")[0])
            assert len(links) >= 2
            for link in links:
                page = person.open(link)
                assert page.status_code == 200
                assert page.history == [], (name, link)


def test_a_role_that_is_taken_away_is_gone_with_the_next_page(site: Running, ada: Person) -> None:
    site.store.add_user("eva", PASSWORD)
    with Person(site) as eva:
        assert heading(eva.log_in("eva")) == "Projects"
        ada.open("/admin/people")
        ada.send(f"/admin/people/{number_of(site.store, 'eva')}", do="role", role="rater")
        assert heading(eva.open("/admin")) == "What there is to judge"


# --- people ---


def test_an_admin_adds_somebody_who_then_logs_in(site: Running, ada: Person) -> None:
    ada.open("/admin/people")
    page = ada.send("/admin/people", name=" carl ", password=NEW, role="adjudicator")
    assert "The name can log in now." in page.text
    with Person(site) as carl:
        assert heading(carl.log_in("carl", NEW)) == "Adjudicate"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "bea"}, "there is a user &#39;bea&#39; already"),
        ({"password": "short"}, "at least 8 characters"),
        ({"role": "king"}, "choose a role"),
        ({"name": " "}, "is empty"),
        ({"name": "x" * 101}, "too long"),
    ],
)
def test_what_is_wrong_with_somebody_new_is_said(
    site: Running, ada: Person, fields: dict[str, str], message: str
) -> None:
    before = site.store.users()
    ada.open("/admin/people")
    good = {"name": "carl", "password": NEW, "role": "rater"}
    page = ada.send("/admin/people", **{**good, **fields})
    assert page.status_code == 422
    assert message in page.text
    name = {**good, **fields}["name"]
    assert f'name="name" value="{name}"' in page.text
    assert site.store.users() == before


def test_a_new_password_from_the_admin_ends_old_sessions(site: Running, ada: Person) -> None:
    with Person(site) as rob:
        rob.log_in("rob")
        ada.open("/admin/people")
        path = f"/admin/people/{number_of(site.store, 'rob')}"
        assert ada.send(path, do="password", password="short").status_code == 422
        assert heading(rob.open("/work")) == "What there is to judge"
        assert ada.send(path, do="password", password=NEW).status_code == 200
        assert heading(rob.open("/work")) == "Log in"
        assert rob.log_in("rob").status_code == 403
        assert heading(rob.log_in("rob", NEW)) == "What there is to judge"


def test_whoever_loses_access_is_out_at_once_and_a_password_gives_it_back(
    site: Running, ada: Person
) -> None:
    path = f"/admin/people/{number_of(site.store, 'bea')}"
    with Person(site) as bea:
        bea.log_in("bea")
        ada.open("/admin/people")
        assert "no access" in ada.send(path, do="remove").text
        assert heading(bea.open("/adjudicate")) == "Log in"
        assert bea.log_in("bea").status_code == 403
        ada.send(path, do="password", password=NEW)
        assert heading(bea.log_in("bea", NEW)) == "Adjudicate"


@pytest.mark.parametrize("sent", [{"do": "remove"}, {"do": "role", "role": "rater"}])
def test_the_last_admin_stays_one(site: Running, ada: Person, sent: dict[str, str]) -> None:
    ada.open("/admin/people")
    page = ada.send(f"/admin/people/{number_of(site.store, 'ada')}", **sent)
    assert page.status_code == 422
    assert "ada is the only admin" in page.text
    assert heading(ada.open("/admin")) == "Projects"


def test_an_admin_who_changes_their_own_password_stays(site: Running, ada: Person) -> None:
    ada.open("/admin/people")
    page = ada.send(f"/admin/people/{number_of(site.store, 'ada')}", do="password", password=NEW)
    assert "The password is changed" in page.text


@pytest.mark.parametrize(
    ("number", "do", "status"), [(999, "remove", 404), (1, "", 422), (1, "explode", 422)]
)
def test_a_change_that_is_none_changes_nothing(
    site: Running, ada: Person, number: int, do: str, status: int
) -> None:
    before = site.store.users()
    ada.open("/admin/people")
    assert ada.send(f"/admin/people/{number}", do=do).status_code == status
    assert site.store.users() == before


# --- one's own password ---


def test_somebody_changes_their_own_password_and_stays(site: Running) -> None:
    with Person(site) as rob, Person(site) as elsewhere:
        rob.log_in("rob")
        elsewhere.log_in("rob")
        rob.open("/account")
        page = rob.send("/account", old="wrong password", password=NEW)
        assert (page.status_code, "The old password is wrong." in page.text) == (403, True)
        assert rob.send("/account", old=PASSWORD, password="short").status_code == 422
        assert "The password is changed" in rob.send("/account", old=PASSWORD, password=NEW).text
        assert heading(elsewhere.open("/work")) == "Log in"
    assert site.store.log_in("rob", NEW) is not None


def test_an_old_password_cannot_be_tried_without_end(lite: Store) -> None:
    with running(lite, Limits(logins=4)) as site, Person(site) as rob:
        rob.log_in("rob")
        rob.open("/account")
        tried = [rob.send("/account", old="guess", password=NEW).status_code for _ in range(4)]
        assert tried == [403, 403, 403, 429]
        assert rob.send("/account", old=PASSWORD, password=NEW).status_code == 429


# --- work ---


def test_a_rater_with_an_account_is_the_same_one_in_every_browser(site: Running) -> None:
    project = make_project(site.store, 3)
    closed = make_project(site.store, 3, name="closed one", is_open=False)
    for _ in range(2):
        with Person(site) as rob:
            page = rob.log_in("rob")
            assert "closed one" not in page.text
            rob.send(f"/work/{project.id}")
            assert rob.judge(project, "ok").status_code == 200
            rob.open("/work")
            assert rob.send(f"/work/{closed.id}").status_code == 422
            rob.open("/work")
            assert rob.send("/work/999").status_code == 404
    assert [row["rater"] for row in judged(site.store, project.id)] == ["R1", "R1"]
    (rater,) = site.store.raters(project.id)
    assert (rater.user, rater.pseudonym) == (number_of(site.store, "rob"), "rob")


def test_whoever_logs_out_leaves_no_rater_behind(site: Running) -> None:
    project = make_project(site.store, 3)
    with Person(site) as rob:
        rob.log_in("rob")
        rob.send(f"/work/{project.id}")
        assert rob.open(f"/r/{project.id}/case").status_code == 200
        rob.open("/work")
        rob.send("/admin/logout")
        assert rob.open(f"/r/{project.id}/case").status_code == 403
        rob.log_in("bea")  # on the same computer
        assert rob.open(f"/r/{project.id}/case").status_code == 403
