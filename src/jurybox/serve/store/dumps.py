r"""A whole database as one file of JSON lines, the same for SQLite and PostgreSQL.

    {"format":"jurybox-database","version":1,"jurybox":"0.5.0","revision":"0002","tables":[…]}
    {"table":"store_settings"}
    ["secret","…"]
    {"table":"projects"}
    [1,"prepositions",…]
    …
    {"end":true,"sha256":"…","tables":{"store_settings":"…","projects":"…",…}}

The first line names all tables with their columns and how many rows they have, in an order in which
each table refers only to those before it. A row is a list. The last line has the SHA-256 of every
table (its rows with their line ends) and of all lines before it.

A dump is read in one transaction, so it holds what was true at one moment, and row by row, so its
size does not matter. It is of the database's own revision: nothing is upgraded for it. A dump is
loaded into a new database, whole and verified, or not at all.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import sqlalchemy as sa
from sqlalchemy.exc import DataError, IntegrityError, StatementError

from jurybox._version import __version__
from jurybox.engine import Progress, expect
from jurybox.errors import FormatError, InputError, UsageError, plural
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

FORMAT, VERSION = "jurybox-database", 1
REVISION = re.compile(r"\d{4}")
#: rows that are read, written and reported together
AT_ONCE = 1000
#: what is counted while a dump is read, or a database compared with one
CHECKED = "rows checked"
REMEDY = "copy the file again, or use another dump"
#: only its owner may read a dump: passwords (hashed) and the key of all signatures are in it
PRIVATE = 0o600
#: of gzip; more takes three times as long for a twentieth less
PRESSURE = 6


class DumpTable(NamedTuple):
    name: str
    columns: tuple[str, ...]
    rows: int
    sha256: str = ""


class Contents(NamedTuple):
    """What a dump holds: two with the same tables hold the same."""

    revision: str
    tables: tuple[DumpTable, ...]
    jurybox: str = __version__  # the version that wrote it
    sha256: str = ""  # of all lines before the last

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    def rows_of(self, name: str) -> int:
        """The rows of one table; 0 where the revision does not have it."""
        return sum(table.rows for table in self.tables if table.name == name)

    def summary(self) -> str:
        """What is in it, in a line."""
        nouns = ("project", "case", "rater", "answer")
        counts = (plural(self.rows_of(f"{noun}s"), noun) for noun in nouns)
        return f"{', '.join(counts)}; revision {self.revision}"


# --- writing ---


def write_dump(database: Database, out: TextIO, progress: Progress | None = None) -> Contents:
    """Write everything that a database holds at this moment; others may go on writing to it."""
    with database.snapshot() as connection:
        revision = revision_of(connection, database.name)
        if not revision:
            raise InputError(f"{database.name}: is empty; there is nothing to dump")
        tables = tables_in(connection)
        listed = [
            DumpTable(
                table.name,
                tuple(table.columns.keys()),
                connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one(),
            )
            for table in tables
        ]
        expect(progress, sum(entry.rows for entry in listed), "rows")
        everything = sha256()

        def write(*lines: str) -> bytes:
            text = "".join(f"{line}\n" for line in lines)
            out.write(text)
            stored = text.encode()
            everything.update(stored)
            return stored

        tabled = [
            {"table": table.name, "rows": table.rows, "columns": table.columns} for table in listed
        ]
        about = {"format": FORMAT, "version": VERSION, "jurybox": __version__}
        write(_encode({**about, "revision": revision, "tables": tabled}))
        summed = []
        for table, entry in zip(tables, listed, strict=True):
            write(_encode({"table": table.name}))
            digest = sha256()
            for batch in rows_of(connection, table, entry.columns):
                digest.update(write(*batch))
                if progress:
                    progress(len(batch), "rows")
            summed.append(entry._replace(sha256=digest.hexdigest()))
        contents = Contents(revision, tuple(summed), sha256=everything.hexdigest())
        sums = {table.name: table.sha256 for table in summed}
        write(_encode({"end": True, "sha256": contents.sha256, "tables": sums}))
    return contents


def tables_in(connection: sa.Connection) -> list[sa.Table]:
    """The tables that are there, each behind those it refers to; Alembic's own is left out."""
    found = sa.MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != "alembic_version"]


def rows_of(
    connection: sa.Connection, table: sa.Table, columns: Iterable[str]
) -> Iterator[list[str]]:
    """The rows of a table as lines, in an order that both databases agree on."""
    keys: list[Any] = list(table.primary_key.columns)
    if connection.dialect.name == "postgresql":  # by bytes, as SQLite does
        keys = [sa.collate(key, "C") if isinstance(key.type, sa.String) else key for key in keys]
    options = {"stream_results": True, "yield_per": AT_ONCE}
    wanted = sa.select(*(table.c[name] for name in columns)).order_by(*keys)
    found = connection.execute(wanted, execution_options=options)
    for batch in found.partitions():
        yield [_encode(list(row)) for row in batch]


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


# --- reading ---


class DumpRow(NamedTuple):
    """A row of a dump, and where it stands."""

    table: str
    line: int
    values: list[Any]


def check_dump(source: Input, progress: Progress | None = None) -> Contents:
    """Read a dump to its end: is it whole, and as it was written?

    What is wrong is a FormatError that names the line.
    """
    reader = DumpReader(source)
    for done, _ in enumerate(reader.rows(), 1):
        if done == 1:
            expect(progress, reader.contents.rows, CHECKED)
        if progress and done % AT_ONCE == 0:
            progress(AT_ONCE, CHECKED)
    return reader.contents


class DumpReader:
    """Reads a dump from front to back and compares it with what its first and last line say."""

    def __init__(self, source: Input) -> None:
        self._source = source
        self._sha256 = sha256()
        self._line = 0
        self.contents = Contents("", ())

    def rows(self) -> Iterator[DumpRow]:
        if self._source.peek().startswith(b"SQLite format 3\0"):
            name = self._source.name
            message = f"is a database and no dump; make one: jurybox db dump --db {name} -o FILE"
            raise FormatError(message, path=name)
        lines = self._lines()
        self.contents = self._read_header(next(lines, ""))
        summed: list[DumpTable] = []
        begun: list[int] = []
        waiting = iter(self.contents.tables)
        table = DumpTable("", (), 0)
        seen, digest = 0, sha256()
        for text in lines:
            if text.startswith("["):
                values = self._parse(text)
                if len(values) != len(table.columns):
                    raise self._error(f"is no row of the table {table.name or '(none)'}")
                seen += 1
                digest.update(f"{text}\n".encode())
                yield DumpRow(table.name, self._line, values)
                continue
            if table.name:
                if seen != table.rows:
                    raise self._error(
                        f"the table {table.name} ends here with {plural(seen, 'row')}; there "
                        f"should be {table.rows}"
                    )
                summed.append(table._replace(sha256=digest.hexdigest()))
            sign = self._parse(text)
            if sign.get("end") is True:
                self._finish(sign, summed, begun)
                for _ in lines:
                    raise self._error("there is something behind the end of the dump")
                return
            table = next(waiting, DumpTable("", (), 0))
            if not table.name or sign.get("table") != table.name:
                raise self._error(f"the table {table.name or '(end)'} should begin here")
            begun.append(self._line + 1)
            seen, digest = 0, sha256()
        raise self._error("the dump is cut off behind this line: its end is missing")

    def _lines(self) -> Iterator[str]:
        for number, text in self._source.lines():
            self._line = number
            yield text
            self._sha256.update(f"{text}\n".encode())

    def _finish(self, sign: dict[str, Any], summed: list[DumpTable], begun: list[int]) -> None:
        expected = sign.get("tables")
        if not isinstance(expected, dict) or len(summed) != len(self.contents.tables):
            raise self._error("the dump ends before its last table")
        for table, line in zip(summed, begun, strict=True):
            if expected.get(table.name) != table.sha256:
                last = max(line, line + table.rows - 1)
                raise self._error(
                    f"lines {line} to {last} are not as they were written (SHA-256 of the table "
                    f"{table.name})",
                    line=line,
                )
        if sign.get("sha256") != self._sha256.hexdigest():
            raise self._error("is not as it was written (SHA-256 of all)", line=1)
        self.contents = self.contents._replace(tables=tuple(summed), sha256=sign["sha256"])

    def _read_header(self, text: str) -> Contents:
        try:
            given = json.loads(text)
            if given["format"] != FORMAT:
                raise ValueError
            version, revision = int(given["version"]), str(given["revision"])
            jurybox = str(given["jurybox"])
        except (ValueError, KeyError, TypeError, RecursionError):
            message = "is no dump of jurybox; name a file that jurybox db dump wrote"
            raise FormatError(message, path=self._source.name, line=1) from None
        if version > VERSION or (REVISION.fullmatch(revision) and revision > HEAD):
            message = (
                f"was written by a newer jurybox ({jurybox}, revision {revision}; this one knows "
                f"{HEAD}); install that version: pip install --upgrade 'jurybox[serve]'"
            )
            raise FormatError(message, path=self._source.name, line=1)
        if not REVISION.fullmatch(revision) or int(revision) < 1:
            raise self._error(f"there is no revision '{revision[:20]}'")
        try:
            tables = tuple(
                DumpTable(str(one["table"]), tuple(map(str, one["columns"])), int(one["rows"]))
                for one in given["tables"]
            )
        except (ValueError, KeyError, TypeError):
            raise self._error("the list of tables is broken") from None
        return Contents(revision, tables, jurybox)

    def _parse(self, text: str) -> Any:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, list if text.startswith("[") else dict):
            raise self._error("is cut off or changed")
        return found

    def _error(self, message: str, line: int | None = None) -> FormatError:
        return FormatError(f"{message}; {REMEDY}", path=self._source.name, line=line or self._line)


# --- files and databases ---


def dump_to_file(database: Database, path: str, progress: Progress | None = None) -> Contents:
    """Write a dump, gzipped if its name ends in .gz, read it again, and put it in its place."""
    place = Path(path).resolve()
    if place.is_dir():
        raise InputError(f"{path}: is a folder; name a file in it")
    if database.is_sqlite:
        own = Path(str(database.engine.url.database)).resolve()
        if place in (own, *_own_files(own)):
            raise UsageError(f"{path}: is the database itself; give the dump another name")
    draft = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with named_errors(database.name), _private_file(draft, place.suffix == ".gz") as out:
            contents = write_dump(database, out, progress)
        if check_dump(Input(draft), progress) != contents:
            raise InputError(f"{path}: reads otherwise than it was written; name another place")
        draft.replace(place)
        descriptor = os.open(place.parent, os.O_RDONLY)  # the new name is on disk, too
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
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


def _own_files(database: Path) -> list[Path]:
    return [database.with_name(f"{database.name}{ending}") for ending in ("-wal", "-shm")]


def load_file(path: str, url: str, progress: Progress | None = None) -> Contents:
    """Load a dump into an empty database, or leave that as it was.

    The file is checked before the database is touched. What was loaded is read back and compared in
    the same transaction. The tables are made as they were when the dump was written, and upgraded
    when the rows are in.
    """
    source = Input(path)
    if not source.rewindable:
        raise InputError(f"{source.name}: is read twice; save it to a file and name that file")
    contents = check_dump(source, progress)
    database = connect(url)
    place = Path(database.engine.url.database or "")
    is_new = database.is_sqlite and not place.exists()
    try:
        with named_errors(database.name):
            if database.is_sqlite:
                use_log(database.engine)
            with database.rebuilding() as connection:
                if revision_of(connection, database.name):
                    raise InputError(
                        f"{database.name}: is a database of jurybox already; a dump is loaded into "
                        "a new one only. Give --db another name"
                    )
                migrate(connection, contents.revision)
                _fill(connection, source, contents, progress)
                _compare(connection, source, contents, progress)
                if contents.revision != HEAD:
                    migrate(connection)
    except BaseException:
        database.close()
        if is_new:  # a file that was made in vain
            for one in (place, *_own_files(place)):
                one.unlink(missing_ok=True)
        raise
    database.close()
    return contents


def _fill(
    connection: sa.Connection, source: Input, contents: Contents, progress: Progress | None
) -> None:
    made = {table.name: table for table in tables_in(connection)}
    entries = {entry.name: entry for entry in contents.tables}
    for name, entry in entries.items():
        columns = made[name].columns.keys() if name in made else ()
        if set(columns) != set(entry.columns):
            message = f"the table {name} is not that of revision {contents.revision}"
            raise FormatError(message, path=source.name, line=1)
    expect(progress, contents.rows, "rows")
    for name, rows in groupby(DumpReader(source).rows(), key=lambda row: row.table):
        while batch := list(islice(rows, AT_ONCE)):
            _insert(connection, made[name], entries[name], batch, source.name)
            if progress:
                progress(len(batch), "rows")
    if connection.dialect.name == "postgresql":  # new numbers continue after the largest loaded
        for table in made.values():
            (key,) = table.primary_key.columns
            if isinstance(key.type, sa.Integer):
                sequence = sa.func.pg_get_serial_sequence(f'"{table.name}"', key.name)
                largest = sa.select(sa.func.max(key)).scalar_subquery()
                connection.execute(sa.select(sa.func.setval(sequence, largest)))


def _insert(
    connection: sa.Connection, table: sa.Table, entry: DumpTable, batch: list[DumpRow], name: str
) -> None:
    values = [dict(zip(entry.columns, row.values, strict=True)) for row in batch]
    try:
        connection.execute(table.insert(), values)
    except (StatementError, OverflowError) as error:
        # the row breaks a rule of the table, or holds a value that a type cannot hold
        is_of_row = isinstance(error, DataError | IntegrityError)
        if not is_of_row and type(error) not in (StatementError, OverflowError):
            raise
        reason = str(getattr(error, "orig", error)).strip().partition("\n")[0]
        raise FormatError(
            f"lines {batch[0].line} to {batch[-1].line}: a row does not fit into the table "
            f"{entry.name} ({reason}); use another dump",
            path=name,
            line=batch[0].line,
        ) from error


def _compare(
    connection: sa.Connection, source: Input, contents: Contents, progress: Progress | None
) -> None:
    """The database holds what the file holds, row by row."""
    expect(progress, contents.rows, CHECKED)
    entries = {entry.name: entry for entry in contents.tables}
    for table in tables_in(connection):
        digest, rows = sha256(), 0
        entry = entries.get(table.name)
        if entry is None:
            raise FormatError(f"the table {table.name} is missing", path=source.name, line=1)
        for batch in rows_of(connection, table, entry.columns):
            digest.update("".join(f"{line}\n" for line in batch).encode())
            rows += len(batch)
            if progress:
                progress(len(batch), CHECKED)
        if (rows, digest.hexdigest()) != (entry.rows, entry.sha256):
            raise InputError(
                f"{source.name}: the table {table.name} does not read as it stands in the dump "
                f"({rows} of {entry.rows} rows); nothing was loaded"
            )
