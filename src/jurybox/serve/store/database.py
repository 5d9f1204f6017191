"""The connection: SQLite and PostgreSQL alike, one writer at a time, migrated when opened.

SQLite: write-ahead log, BEGIN IMMEDIATE for writes, so that nobody finds out in the middle that
somebody else wrote. Threads of this process queue up before the database instead of trying again
and again; other processes wait for up to `BUSY_SECONDS`.

What was committed is on disk, with one exception: an assignment need not be. Both databases write
one log from front to back, so an answer on disk has its assignment on disk before it; and an
assignment that a power cut loses is one that nobody answered.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import cached_property
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from jurybox.errors import InputError, MissingExtraError, UsageError
from jurybox.serve.store.db_errors import advice_on
from jurybox.serve.store.tables import store_settings

#: how long a process waits for others to finish writing
BUSY_SECONDS = 60
CONNECTIONS = 20
#: PostgreSQL: seconds to connect, milliseconds until a host that is silent counts as gone
PATIENCE = {"connect_timeout": 10, "tcp_user_timeout": 30_000}
#: the newest revision of the migrations: Alembic is only loaded for a database of another one
HEAD = "0006"
#: a number that other programs in the same PostgreSQL are unlikely to lock
UPGRADE_LOCK = 7_205_909_114


class Database:
    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self.is_sqlite = engine.dialect.name == "sqlite"
        self._turn: Any = threading.Lock() if self.is_sqlite else nullcontext()
        self._shared: ContextVar[sa.Connection | None] = ContextVar("shared", default=None)

    @property
    def name(self) -> str:
        """The URL, without its password."""
        return self.engine.url.render_as_string(hide_password=True)

    @cached_property
    def secret(self) -> str:
        """The key of this database's signatures and random numbers."""
        wanted = sa.select(store_settings.c.value).where(store_settings.c.key == "secret")
        with self.reading() as connection:
            return str(connection.execute(wanted).scalar_one())

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[sa.Connection]:
        """A transaction that is committed at the end, or leaves no trace."""
        if (shared := self._shared.get()) is not None:
            yield shared
            return
        with self._turn, self.engine.connect() as connection:
            level = "FULL" if durable else "NORMAL"
            if self.is_sqlite and connection.info.get("synchronous") != level:
                _driver_of(connection).execute(f"PRAGMA synchronous={level}")
                connection.info["synchronous"] = level
            with self._begun(connection, "BEGIN IMMEDIATE"):
                if not self.is_sqlite and not durable:
                    connection.exec_driver_sql("SET LOCAL synchronous_commit TO off")
                yield connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is called inside is stored as a whole, or not at all."""
        with self.writing() as connection:
            mark = self._shared.set(connection)
            try:
                yield
            finally:
                self._shared.reset(mark)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        if (shared := self._shared.get()) is not None:
            yield shared
            return
        with self.engine.connect() as connection, self._begun(connection):
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[sa.Connection]:
        """A transaction that reads what was true when it began, whatever others write meanwhile."""
        with self.engine.connect() as connection:
            if not self.is_sqlite:  # SQLite's readers never see anything else
                connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            with self._begun(connection):
                yield connection

    @contextmanager
    def _begun(self, connection: sa.Connection, begin: str = "BEGIN") -> Iterator[None]:
        """A transaction, which SQLite begins as it is told."""
        with connection.begin():
            if self.is_sqlite:
                _driver_of(connection).execute(begin)
            yield

    @contextmanager
    def rebuilding(self) -> Iterator[sa.Connection]:
        """A transaction in which tables are made anew, by one process at a time.

        SQLite changes a table by making another one, and cannot drop what rows of others refer to.
        So references are looked at once, at the end (sqlite.org/lang_altertable.html, section 7).
        """
        with self._turn, self.engine.connect() as connection:
            if self.is_sqlite:
                connection.detach()  # closed afterwards: it does not watch references
                _driver_of(connection).execute("PRAGMA foreign_keys=OFF")
                _driver_of(connection).execute("PRAGMA synchronous=FULL")
            with self._begun(connection, "BEGIN IMMEDIATE"):
                if not self.is_sqlite:
                    connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})"))
                yield connection
                if not self.is_sqlite:
                    return
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
                if broken is not None:
                    table, row, other = broken[:3]
                    raise InputError(
                        f"{self.name}: row {row} of {table} refers to a row of {other} that is "
                        "missing; nothing was changed. Load an earlier dump with jurybox db load"
                    )

    def close(self) -> None:
        self.engine.dispose()


class StorePart:
    """What all parts of a `Store` share: the open database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @property
    def secret(self) -> str:
        """The key that signs links and sessions; made when the database was, kept in it."""
        return self.database.secret


def time_of(now: float | None) -> float:
    """The time that was given, else the clock's; seconds since 1970."""
    return time.time() if now is None else now


def open_database(url: str) -> Database:
    database = connect(url)
    try:
        with named_errors(database.name):
            if database.is_sqlite:
                use_log(database.engine)
            _upgrade(database)
            _ = database.secret  # read now: later every connection may be in use
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def named_errors(name: str) -> Iterator[None]:
    """An error of a driver becomes one that names the database and what to do."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        reason = str(getattr(error, "orig", error)).strip().partition("\n")[0]
        raise InputError(f"{name}: cannot be opened: {reason}{advice_on(error)}") from error


def _parse(url: str) -> URL:
    if "://" not in url:
        if not url.strip():
            raise UsageError("no database named; give --db a file or a URL")
        return URL.create("sqlite", database=url)
    try:
        given = make_url(url)
    except (ArgumentError, ValueError):
        raise UsageError(f"--db {url.partition('://')[0]}://…: not a database URL") from None
    if given.drivername in ("postgres", "postgresql"):
        given = given.set(drivername="postgresql+psycopg")
    backend = given.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        raise UsageError(
            f"--db: {backend} is not supported; use sqlite:///FILE or postgresql://USER@HOST/NAME"
        )
    if backend == "sqlite" and given.database in (None, "", ":memory:"):
        raise UsageError("--db: SQLite needs a file, as sqlite:///study.db")
    return given


def connect(given: str) -> Database:
    """The database as it is, whatever its revision; nothing is looked at yet."""
    url = _parse(given)
    waiting: dict[str, Any] = {"pool_timeout": BUSY_SECONDS, "max_overflow": 0}
    try:
        if url.get_backend_name() == "postgresql":
            # connections that a restarted server left behind are noticed and replaced
            waiting["connect_args"] = {k: v for k, v in PATIENCE.items() if k not in url.query}
            return Database(
                sa.create_engine(url, pool_size=CONNECTIONS, pool_pre_ping=True, **waiting)
            )
        folder = Path(str(url.database)).parent
        if not folder.is_dir():
            raise InputError(f"{url.database}: there is no folder {folder}; make it first")
        engine = sa.create_engine(
            url, pool_size=CONNECTIONS, connect_args={"timeout": BUSY_SECONDS}, **waiting
        )
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"PostgreSQL needs {error.name}: pip install 'jurybox[serve,postgres]'"
        ) from None
    sa.event.listen(engine, "connect", _prepare)
    return Database(engine)


def _prepare(connection: Any, _: object) -> None:
    """Transactions begin when we say so (`writing`, `reading`), and foreign keys hold."""
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys=ON")


def use_log(engine: sa.Engine) -> None:
    """Switch to the write-ahead log; the file remembers it.

    SQLite does not wait for another process that is switching too, so we do.
    """
    end = time.monotonic() + BUSY_SECONDS
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode")
        is_on = cursor.fetchall() == [("wal",)]
        while not is_on:
            try:
                cursor.execute("PRAGMA journal_mode=WAL")
                is_on = True
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > end:
                    raise
                time.sleep(0.01)
        cursor.close()
    finally:
        connection.close()


def _driver_of(connection: sa.Connection) -> Any:
    return connection.connection.dbapi_connection


# --- migrations ---


def _upgrade(database: Database) -> None:
    with database.reading() as connection:
        if revision_of(connection, database.name) == HEAD:
            return
    with database.rebuilding() as connection:
        # somebody else may have done it meanwhile
        if revision_of(connection, database.name) != HEAD:
            migrate(connection)
            there = sa.select(sa.func.count()).select_from(store_settings)
            if not connection.execute(there).scalar():
                added = {"key": "secret", "value": token_urlsafe(32)}
                connection.execute(store_settings.insert().values(added))


def revision_of(connection: sa.Connection, name: str) -> str:
    """Where the database stands; '' if it is empty."""
    tables = sa.inspect(connection).get_table_names()
    if "alembic_version" not in tables:
        if tables:
            raise InputError(
                f"{name}: holds tables of something else ({tables[0]}); give --db a new database"
            )
        return ""
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    revision = str(found or "")
    if revision > HEAD:
        raise InputError(
            f"{name}: was made by a newer jurybox (revision {revision}, this one knows {HEAD}); "
            "install that version: pip install --upgrade 'jurybox[serve]'"
        )
    return revision


def migrate(connection: sa.Connection, target: str = "head") -> None:
    """Run the migrations inside this connection's transaction, all of them or none."""
    # only a database that is new, or of an older jurybox, needs Alembic
    from alembic import command
    from alembic.config import Config

    config = Config()
    folder = Path(__file__).parent.parent / "migrations"
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, target)
