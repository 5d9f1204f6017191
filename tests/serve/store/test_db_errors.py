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
from jurybox.serve.store.db_errors import Trouble, trouble_of


def lite(code: int) -> DBAPIError:
    error = sqlite3.OperationalError("said by SQLite")
    error.sqlite_errorcode = code
    return OperationalError("INSERT", {}, error)


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (lite(sqlite3.SQLITE_FULL), Trouble.FULL),
        (lite(sqlite3.SQLITE_BUSY_SNAPSHOT), Trouble.BUSY),
        (lite(sqlite3.SQLITE_READONLY_DBMOVED), Trouble.READ_ONLY),
        (lite(sqlite3.SQLITE_IOERR_WRITE), Trouble.AWAY),
        (lite(sqlite3.SQLITE_CANTOPEN), Trouble.AWAY),
        (lite(sqlite3.SQLITE_ERROR), None),
        (OperationalError("", {}, psycopg.errors.DiskFull("x")), Trouble.FULL),
        (OperationalError("", {}, psycopg.errors.TooManyConnections("x")), Trouble.BUSY),
        (OperationalError("", {}, psycopg.errors.AdminShutdown("x")), Trouble.AWAY),
        (OperationalError("", {}, psycopg.errors.CannotConnectNow("x")), Trouble.AWAY),
        (OperationalError("", {}, psycopg.errors.DeadlockDetected("x")), Trouble.BUSY),
        (OperationalError("", {}, psycopg.OperationalError("refused")), Trouble.AWAY),
        (DBAPIError("", {}, psycopg.errors.ReadOnlySqlTransaction("x")), Trouble.READ_ONLY),
        (IntegrityError("", {}, psycopg.errors.UniqueViolation("x")), None),
        (DBAPIError("", {}, psycopg.errors.UndefinedColumn("x")), None),
        (NoConnectionError("the pool has none"), Trouble.BUSY),
        (ZeroDivisionError(), None),
    ],
)
def test_what_a_driver_says_is_understood(error: Exception, trouble: Trouble | None) -> None:
    assert trouble_of(error) == trouble


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
