"""A dump into a new database, and a database into a file: whole, verified, or not at all."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from typing import Any, TextIO

import sqlalchemy as sa
from sqlalchemy.exc import DataError, IntegrityError, StatementError

from jurybox.errors import FormatError, InputError, UsageError
from jurybox.formats import Input
from jurybox.serve.store.database import (
    HEAD,
    Database,
    connect,
    migrate,
    named_errors,
    revision_of,
    use_log,
)
from jurybox.serve.store.dump import (
    AT_ONCE,
    CHECKED,
    Contents,
    Row,
    Table,
    Told,
    check_dump,
    read_rows,
    rows_of,
    tables_in,
    write_dump,
)

#: only its owner may read a dump: passwords (hashed) and the key of all signatures are in it
PRIVATE = 0o600
#: of gzip; more takes three times as long for a twentieth less
PRESSURE = 6


def dump_to_file(database: Database, path: str, told: Told | None = None) -> Contents:
    """Write a dump, gzipped if its name ends in .gz, read it again, and put it in its place."""
    place = Path(path).resolve()
    if place.is_dir():
        raise InputError(f"{path}: is a folder; name a file in it")
    if database.is_sqlite:
        own = Path(str(database.engine.url.database)).resolve()
        if place in (own, *_beside(own)):
            raise UsageError(f"{path}: is the database itself; give the dump another name")
    draft = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with named_errors(database.name), _private_file(draft, place.suffix == ".gz") as out:
            contents = write_dump(database, out, told)
        if check_dump(Input(draft), told) != contents:
            raise InputError(f"{path}: reads otherwise than it was written; name another place")
        draft.replace(place)
        _sync_folder(place.parent)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{path}: cannot be written ({reason}); name another place") from None
    finally:
        draft.unlink(missing_ok=True)
    return contents


@contextmanager
def _private_file(path: Path, compressed: bool) -> Iterator[TextIO]:
    """A file that nobody else can read from the first byte on, and that is on disk at the end."""
    path.unlink(missing_ok=True)  # of a process of the same number that was killed
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(path, flags, PRIVATE), "wb") as plain, ExitStack() as stack:
        stored: Any = plain
        if compressed:  # no name and no time inside: the same rows give the same bytes
            stored = stack.enter_context(gzip.GzipFile("", "wb", PRESSURE, plain, mtime=0))
        out = io.TextIOWrapper(stored, encoding="utf-8", newline="\n", write_through=True)
        try:
            yield out
        finally:
            out.detach()
        stack.close()
        plain.flush()
        os.fsync(plain.fileno())


def _sync_folder(folder: Path) -> None:
    """The new name is on disk, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _beside(database: Path) -> list[Path]:
    """SQLite's own files."""
    return [database.with_name(f"{database.name}{ending}") for ending in ("-wal", "-shm")]


def load_file(path: str, url: str, told: Told | None = None) -> Contents:
    """Load a dump into an empty database, or leave that as it was.

    The file is checked before the database is touched. What was loaded is read back and compared in
    the same transaction. The tables are made as they were when the dump was written, and upgraded
    when the rows are in.
    """
    source = Input(path)
    if not source.rewindable:
        raise InputError(f"{source.name}: is read twice; save it to a file and name that file")
    contents = check_dump(source, told)
    database = connect(url)
    try:
        with _taken_away_on_failure(database), named_errors(database.name):
            if database.is_sqlite:
                use_log(database.engine)
            with database.rebuilding() as connection:
                _refuse_full(connection, database.name)
                migrate(connection, contents.revision)
                _fill(connection, source, contents, told)
                _compare(connection, source, contents, told)
                if contents.revision != HEAD:
                    migrate(connection)
    finally:
        database.close()
    return contents


@contextmanager
def _taken_away_on_failure(database: Database) -> Iterator[None]:
    """A file that was made for nothing does not stay."""
    path = Path(database.engine.url.database or "")
    is_new = database.is_sqlite and not path.exists()
    try:
        yield
    except BaseException:
        database.close()
        if is_new:
            for one in (path, *_beside(path)):
                one.unlink(missing_ok=True)
        raise


def _refuse_full(connection: sa.Connection, name: str) -> None:
    if revision_of(connection, name):
        raise InputError(
            f"{name}: is a database of jurybox already; a dump is loaded into a new one only. "
            "Give --db another name"
        )


def _fill(connection: sa.Connection, source: Input, contents: Contents, told: Told | None) -> None:
    made = {table.name: table for table in tables_in(connection)}
    for entry in contents.tables:
        columns = made[entry.name].columns.keys() if entry.name in made else ()
        if set(columns) != set(entry.columns):
            raise FormatError(
                f"the table {entry.name} is not that of revision {contents.revision}",
                path=source.name,
                line=1,
            )
    if told:
        told.expect(contents.rows, "rows")
    entries = {entry.name: entry for entry in contents.tables}
    for name, rows in groupby(read_rows(source), key=lambda row: row.table):
        for batch in _batches(rows):
            _insert(connection, made[name], entries[name], batch, source.name)
            if told:
                told(len(batch), "rows")
    if connection.dialect.name == "postgresql":
        for table in made.values():
            _count_on(connection, table)


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rest = iter(rows)
    while batch := list(islice(rest, AT_ONCE)):
        yield batch


def _insert(
    connection: sa.Connection, table: sa.Table, entry: Table, batch: list[Row], name: str
) -> None:
    values = [dict(zip(entry.columns, row.values, strict=True)) for row in batch]
    try:
        connection.execute(table.insert(), values)
    except (DataError, IntegrityError) as error:
        raise _unfit(error, entry, batch, name) from error
    except (StatementError, OverflowError) as error:  # a value that the type cannot hold
        if type(error) not in (StatementError, OverflowError):
            raise
        raise _unfit(error, entry, batch, name) from error


def _unfit(error: Exception, entry: Table, batch: list[Row], name: str) -> FormatError:
    reason = str(getattr(error, "orig", error)).strip().partition("\n")[0]
    return FormatError(
        f"lines {batch[0].line} to {batch[-1].line}: a row does not fit into the table "
        f"{entry.name} ({reason}); use another dump",
        path=name,
        line=batch[0].line,
    )


def _count_on(connection: sa.Connection, table: sa.Table) -> None:
    """Numbers of new rows go on behind the largest that was loaded."""
    (key,) = table.primary_key.columns
    if not isinstance(key.type, sa.Integer):
        return
    sequence = sa.func.pg_get_serial_sequence(f'"{table.name}"', key.name)
    largest = sa.select(sa.func.max(key)).scalar_subquery()
    connection.execute(sa.select(sa.func.setval(sequence, largest)))


def _compare(
    connection: sa.Connection, source: Input, contents: Contents, told: Told | None
) -> None:
    """What stands in the database is what stands in the file, row by row."""
    if told:
        told.expect(contents.rows, CHECKED)
    entries = {entry.name: entry for entry in contents.tables}
    for table in tables_in(connection):
        digest, rows = sha256(), 0
        entry = entries.get(table.name)
        if entry is None:
            raise FormatError(f"the table {table.name} is missing", path=source.name, line=1)
        for batch in rows_of(connection, table, entry.columns):
            digest.update("".join(f"{line}\n" for line in batch).encode())
            rows += len(batch)
            if told:
                told(len(batch), CHECKED)
        if (rows, digest.hexdigest()) != (entry.rows, entry.sha256):
            raise InputError(
                f"{source.name}: the table {table.name} does not read as it stands in the dump "
                f"({rows} of {entry.rows} rows); nothing was loaded"
            )
