"""Databases that go away, come back, or are full: nothing acknowledged is lost, nobody is stuck."""

from __future__ import annotations

import re
import signal
import sqlite3
import threading
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest
import sqlalchemy as sa

from jurybox.serve.settings import Task
from jurybox.serve.store import Store, open_store
from serve.conftest import new_postgres_database
from serve.local_postgres import local_postgres
from serve.made_studies import judged, make_project
from serve.running_site import PASSWORD, Person, Running, hash_quickly, heading, running
from serve.test_app_load import HIDDEN, Rater, check_exact, finish, serving, work

EMPTY = 2**30


def hidden(page: httpx.Response) -> list[tuple[str, str]]:
    return [(name, unescape(value)) for name, value in HIDDEN.findall(page.text)]


# --- PostgreSQL, restarted ---


class PatientRater(Rater):
    """Sees pages that ask to wait, and sends again what they hold."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.waited: list[str] = []
        self.lost = 0

    def _try(self, ask: Callable[[], httpx.Response]) -> httpx.Response:
        answer = super()._try(ask)
        while answer.status_code == 503:
            self.complaints.pop()  # it is one that says what it is
            self.waited.append(answer.request.method)
            if "Please wait a moment" not in answer.text or "retry-after" not in answer.headers:
                self.complaints.append(answer.text)
            if answer.request.method == "POST":
                sent = parse_qsl(answer.request.content.decode(), keep_blank_values=True)
                if hidden(answer) != sent:
                    self.complaints.append(f"{sent} became {hidden(answer)}")
            time.sleep(0.1)
            answer = super()._try(ask)
        if answer.status_code == 422 and "This case was not given to you" in answer.text:
            self.lost += 1
        return answer

    def _answer(self, fields: dict[str, str], case: str, shown: float) -> None:
        """A hand-out of the last moment may go with a crash: it is not acknowledged (database.py).

        Then the answer to it is refused in plain words, and the rater goes on.
        """
        before = self.lost
        super()._answer(fields, case, shown)
        if self.lost > before:
            self.complaints.pop()


def restart_under_load(restarts: int, *, people: int, cases: int, per_case: int) -> None:
    with local_postgres() as postgres:
        url = new_postgres_database(postgres.url)
        with open_store(url) as store, serving(url) as server:
            project = make_project(store, cases, per_case=per_case, lease_minutes=30)
            raters = [PatientRater(server, store, project, f"person{i}") for i in range(people)]
            threads = work(list(raters))
            for number in range(restarts):
                done = sum(len(rater.acknowledged) for rater in raters)
                while sum(len(rater.acknowledged) for rater in raters) < done + 10:
                    assert any(thread.is_alive() for thread in threads), f"done at {number}"
                    time.sleep(0.005)
                postgres.stop(signal.SIGINT if number % 2 else signal.SIGQUIT)
                waited = sum(len(rater.waited) for rater in raters)
                while sum(len(rater.waited) for rater in raters) == waited:
                    time.sleep(0.005)  # until somebody sees that it is away
                postgres.start()
            for thread in threads:
                thread.join()
            finish(store, project)
            check_exact(store, project, list(raters), cases)
            # one in whose hands a case was, each time that the database crashed
            assert sum(rater.lost for rater in raters) <= people * restarts / 2
            assert sum(len(rater.waited) for rater in raters) >= restarts


@pytest.mark.slow
def test_postgres_restarted_under_load_loses_nothing_and_the_server_recovers_by_itself() -> None:
    restart_under_load(6, people=10, cases=120, per_case=5)


@pytest.mark.slow
def test_a_typed_word_outlives_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)
    with local_postgres() as postgres:
        url = new_postgres_database(postgres.url)
        with open_store(url) as store, running(store) as site, Person(site) as ann:
            project = make_project(store, 3, task=Task.CLOZE)
            ann.join(project)
            ann.log_in()
            path = f"/r/{project.id}/case"
            ann.open(path)
            postgres.stop(signal.SIGINT)
            word = "\"into\" <b> 'it'"
            page = ann.send(path, label=word)
            assert (page.status_code, heading(page)) == (503, "Please wait a moment")
            assert ("label", word) in hidden(page)
            for asked in (path, "/admin", "/admin/new"):
                assert ann.open(asked).status_code == 503
            api = ann.client.get("/api/v1/projects", headers={"Authorization": "Bearer x"})
            assert api.status_code in (401, 503)
            ann.page = page
            postgres.start()
            assert ann.send(path).status_code == 200  # the fields of the page, once more
            assert [row["label"] for row in judged(store, project.id)] == [word]
            assert heading(ann.open("/admin")) == "Projects"


# --- SQLite, full ---


class Disk:
    """How many pages the database may have."""

    def __init__(self, store: Store) -> None:
        self.pages = EMPTY
        sa.event.listen(store.database.engine, "checkout", self._limit)

    def _limit(self, connection: sqlite3.Connection, *_: object) -> None:
        # SQLite takes no number below what the file has, and then keeps to that
        connection.execute(f"PRAGMA max_page_count={self.pages}")

    def fill(self) -> None:
        self.pages = 1


def integrity(store: Store) -> str:
    with store.database.reading() as connection:
        return str(connection.exec_driver_sql("PRAGMA integrity_check").scalar_one())


def test_a_full_database_says_so_keeps_what_was_typed_and_works_again_with_room(
    site: Running, caplog: pytest.LogCaptureFixture
) -> None:
    store, disk = site.store, Disk(site.store)
    project = make_project(store, 40, task=Task.CLOZE, per_case=20)
    path, acknowledged = f"/r/{project.id}/case", 0
    with Person(site) as ann:
        ann.join(project)
        disk.fill()
        page = None
        for number in range(2000):  # what is left in the last pages is used up first
            word = f"word{number} " + "x" * 80
            page = ann.client.get(path, follow_redirects=False)
            if page.status_code != 200:
                break
            ann.page = page
            page = ann.client.post(
                path, data={**ann.fields(), "label": word}, follow_redirects=False
            )
            if page.status_code != 303:
                break
            acknowledged += 1
            if acknowledged % 38 == 0:
                ann.client.cookies.clear()
                joined = ann.join(project)
                if joined.status_code != 200:
                    page = joined
                    break
        assert page is not None
        assert (page.status_code, heading(page)) == (507, "There is no room left")
        assert page.headers["retry-after"]
        assert "The database of this site is full" in page.text
        assert "database or disk is full" in caplog.text
        assert "Traceback" not in caplog.text
        assert len(judged(store, project.id)) == acknowledged
        assert integrity(store) == "ok"
        disk.pages = EMPTY
        again = ann.client.request(
            page.request.method, page.request.url, data=dict(hidden(page)) or None
        )
        assert again.status_code == 200
        if page.request.method == "POST" and "label" in dict(hidden(page)):
            assert len(judged(store, project.id)) == acknowledged + 1
    assert integrity(store) == "ok"


@pytest.mark.slow
def test_a_full_database_refuses_an_upload_as_a_whole(site: Running) -> None:
    disk = Disk(site.store)
    rows = "".join(f'c{i},"He sat at home {i} .",2,3\n' for i in range(3000))
    files = {"cases": ("cases.csv", f"case,sentence,start,end\n{rows}".encode())}
    with Person(site) as ada:
        ada.log_in()
        ada.open("/admin/new")
        disk.fill()
        page = ada.send("/admin/projects", name="big", task="judge", files=files)
        assert (page.status_code, heading(page)) == (507, "There is no room left")
        assert "go back" in page.text  # a file cannot be kept on a page
        assert site.store.projects() == ()
        disk.pages = EMPTY
        ada.open("/admin/new")
        files = {"cases": ("cases.csv", f"case,sentence,start,end\n{rows}".encode())}
        page = ada.send("/admin/projects", name="big", task="judge", files=files)
        assert page.status_code == 200
        assert site.store.project("big").cases == 3000
    assert integrity(site.store) == "ok"


def test_a_password_is_never_kept_on_a_page(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        full = sqlite3.OperationalError("database or disk is full")
        full.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise sa.exc.OperationalError("INSERT", {}, full)

    site.store.add_user("ada", PASSWORD)
    with Person(site) as ada:
        ada.open("/admin/login")
        monkeypatch.setattr(Store, "log_in", fail)
        page = ada.send("/admin/login", name="ada", password=PASSWORD)
        assert page.status_code == 507
        assert PASSWORD not in page.text


def test_a_mistake_of_ours_is_not_blamed_on_the_database(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        wrong = sqlite3.OperationalError("no such column: x")
        wrong.sqlite_errorcode = sqlite3.SQLITE_ERROR
        raise sa.exc.OperationalError("SELECT x", {}, wrong)

    with Person(site) as ann:
        monkeypatch.setattr(Store, "users", fail)
        monkeypatch.setattr(Store, "project_by_id", fail)
        project = make_project(site.store, 1)
        page = ann.open(site.link(project))
        assert (page.status_code, heading(page)) == (500, "Something went wrong")
        assert "no such column" not in page.text


def test_others_wait_for_a_file_that_another_program_holds(lite: Store, tmp_path: Path) -> None:
    """A backup by other means, or a look with sqlite3: raters wait, and nothing is lost."""
    project = make_project(lite, 3)
    holder = sqlite3.connect(tmp_path / "study.db", isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    joined: list[int] = []
    other = threading.Thread(target=lambda: joined.append(lite.join(project.id).id))
    other.start()
    other.join(0.3)
    assert joined == []
    holder.execute("ROLLBACK")
    holder.close()
    other.join(30)
    assert len(joined) == 1


def test_every_word_for_a_databases_trouble_is_plain() -> None:
    from jurybox.serve.error_pages import DB_ERRORS
    from jurybox.serve.store.db_errors import DbError

    assert set(DB_ERRORS) == set(DbError)
    for status, title, text in DB_ERRORS.values():
        assert status in (503, 507)
        assert not re.search(r"SQL|error|exception", title + text, re.IGNORECASE)
