"""What drivers say becomes one of a few troubles, and a way out."""

from __future__ import annotations

import sqlite3

import psycopg.errors
import pytest
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionError

from jurybox.errors import InputError
from jurybox.serve.settings import Settings
from jurybox.serve.store import Store
from jurybox.serve.store.database import named_errors
from jurybox.serve.store.db_errors import DbError, db_error_of


def lite(code: int) -> DBAPIError:
    error = sqlite3.OperationalError("said by SQLite")
    error.sqlite_errorcode = code
    return OperationalError("INSERT", {}, error)


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (lite(sqlite3.SQLITE_FULL), DbError.FULL),
        (lite(sqlite3.SQLITE_BUSY_SNAPSHOT), DbError.BUSY),
        (lite(sqlite3.SQLITE_READONLY_DBMOVED), DbError.READ_ONLY),
        (lite(sqlite3.SQLITE_IOERR_WRITE), DbError.AWAY),
        (lite(sqlite3.SQLITE_CANTOPEN), DbError.AWAY),
        (lite(sqlite3.SQLITE_ERROR), None),
        (OperationalError("", {}, psycopg.errors.DiskFull("x")), DbError.FULL),
        (OperationalError("", {}, psycopg.errors.TooManyConnections("x")), DbError.BUSY),
        (OperationalError("", {}, psycopg.errors.AdminShutdown("x")), DbError.AWAY),
        (OperationalError("", {}, psycopg.errors.CannotConnectNow("x")), DbError.AWAY),
        (OperationalError("", {}, psycopg.errors.DeadlockDetected("x")), DbError.BUSY),
        (OperationalError("", {}, psycopg.OperationalError("refused")), DbError.AWAY),
        (DBAPIError("", {}, psycopg.errors.ReadOnlySqlTransaction("x")), DbError.READ_ONLY),
        (IntegrityError("", {}, psycopg.errors.UniqueViolation("x")), None),
        (DBAPIError("", {}, psycopg.errors.UndefinedColumn("x")), None),
        (NoConnectionError("the pool has none"), DbError.BUSY),
        (ZeroDivisionError(), None),
    ],
)
def test_what_a_driver_says_is_understood(error: Exception, trouble: DbError | None) -> None:
    assert db_error_of(error) == trouble


def test_a_command_says_the_way_out() -> None:
    message = r"^study\.db: .*; make room on the disk"
    with pytest.raises(InputError, match=message), named_errors("study.db"):
        raise lite(sqlite3.SQLITE_FULL)


def test_several_calls_are_stored_together_or_not_at_all(store: Store) -> None:
    def fail_in_the_middle() -> None:
        with store.database.transaction():
            store.create_project(Settings("one"))
            assert [project.name for project in store.projects()] == ["one"]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_in_the_middle()
    assert store.projects() == ()
    with store.database.transaction():
        store.create_project(Settings("one"))
        store.create_project(Settings("two"))
    assert [project.name for project in store.projects()] == ["one", "two"]
