"""Databases for the tests of the store: SQLite files, and a PostgreSQL server of our own.

What runs on them: the annotation server, and people who use it.

PostgreSQL is Debian's, started on loopback in a temporary folder and stopped at the end. Where it
is not installed its tests are skipped; where `CI` is set its absence is a failure.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from jurybox.serve.store import Store, open_store
from jurybox.serve.store.database import Database
from jurybox.serve.store.tables import metadata, store_settings
from serve.local_postgres import local_postgres
from serve.running_site import Person, Running, hash_quickly, running

MakeUrl = Callable[[], str]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a running server, without a database."""
    with local_postgres() as server:
        yield server.url


_numbers = count(1)


def new_postgres_database(server: str) -> str:
    import psycopg

    name = f"test{next(_numbers)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"{server}/{name}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def make_url(request: pytest.FixtureRequest, tmp_path: Path) -> MakeUrl:
    """Makes URLs of new databases, of both kinds in turn."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path}/study{next(_numbers)}.db"
    server = request.getfixturevalue("postgres_server")
    return lambda: new_postgres_database(server)


@pytest.fixture
def url(make_url: MakeUrl) -> str:
    """A database with nothing in it."""
    return make_url()


def fix_chance(store: Store) -> None:
    """Makes what is dealt by chance (gold, repeats, sides) the same in every run of a test."""
    with store.database.writing() as connection:
        is_secret = store_settings.c.key == "secret"
        connection.execute(store_settings.update().where(is_secret).values(value="0" * 64))


@pytest.fixture(scope="session")
def shared_database(postgres_server: str) -> str:
    """One database for all tests that only need a project of their own: making them is slow."""
    url = new_postgres_database(postgres_server)
    with open_store(url) as opened:
        fix_chance(opened)
    return url


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database with all tables and nothing in them."""
    file = tmp_path_factory.mktemp("empty") / "empty.db"
    with open_store(str(file)) as opened:
        fix_chance(opened)
    return file


@pytest.fixture
def lite(tmp_path: Path, empty_file: Path) -> Iterator[Store]:
    """A store on SQLite, for what does not depend on the database."""
    shutil.copy(empty_file, tmp_path / "study.db")
    with open_store(f"{tmp_path}/study.db") as opened:
        # thousands of answers, none of which must survive a power cut
        written = partial(Database.writing, opened.database)
        opened.database.__dict__["writing"] = lambda **_: written(durable=False)
        yield opened


@pytest.fixture
def postgres_store(shared_database: str) -> Iterator[Store]:
    """A store on PostgreSQL: the same database again and again, emptied."""
    tables = ", ".join(table for table in metadata.tables if table != "store_settings")
    with open_store(shared_database) as opened:
        with opened.database.writing() as connection:  # ids begin at 1: chance depends on them
            connection.exec_driver_sql(f"TRUNCATE {tables} RESTART IDENTITY")
        yield opened


@pytest.fixture(
    params=[
        pytest.param("lite", id="sqlite"),
        pytest.param("postgres_store", id="postgres", marks=pytest.mark.slow),
    ]
)
def store(request: pytest.FixtureRequest) -> Store:
    """An open store without projects."""
    opened: Store = request.getfixturevalue(request.param)
    return opened


@pytest.fixture
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords that are hashed in no time."""
    hash_quickly(monkeypatch)


@pytest.fixture
def site(lite: Store, quick_hashes: None) -> Iterator[Running]:
    """The annotation server on an empty store."""
    with running(lite) as found:
        yield found


@pytest.fixture
def ann(site: Running) -> Iterator[Person]:
    """Somebody who has not joined anything yet."""
    with Person(site) as person:
        yield person


@pytest.fixture
def ada(site: Running) -> Iterator[Person]:
    """The admin, logged in."""
    with Person(site) as person:
        person.log_in()
        yield person
