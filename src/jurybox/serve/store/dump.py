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
size does not matter. It is of the database's own revision: nothing is upgraded for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, NamedTuple, Protocol, TextIO

import sqlalchemy as sa

from jurybox._version import __version__
from jurybox.errors import FormatError, InputError, plural
from jurybox.formats import Input
from jurybox.serve.store.database import HEAD, Database, revision_of

FORMAT, VERSION = "jurybox-database", 1
REVISION = re.compile(r"\d{4}")
#: rows that are read, written and told about together
AT_ONCE = 1000
#: what is counted while a dump is read, or a database compared with one
CHECKED = "rows checked"
REMEDY = "copy the file again, or use another dump"


class Told(Protocol):
    """Told how many are to come, and how many more are done; `cli/_progress.py` shows it."""

    def expect(self, total: float, what: str) -> None: ...

    def __call__(self, more: float, what: str) -> None: ...


class Table(NamedTuple):
    """A table in a dump."""

    name: str
    columns: tuple[str, ...]
    rows: int
    sha256: str = ""


class Contents(NamedTuple):
    """What a dump holds: two with the same tables hold the same."""

    revision: str
    tables: tuple[Table, ...]
    jurybox: str = __version__  # the version that wrote it
    sha256: str = ""  # of all lines before the last

    @property
    def rows(self) -> int:
        """The rows of all tables."""
        return sum(table.rows for table in self.tables)

    def rows_of(self, name: str) -> int:
        """The rows of one table; 0 where the revision does not have it."""
        return sum(table.rows for table in self.tables if table.name == name)

    def summary(self) -> str:
        """What is in it, in a line.

        >>> Contents("0002", (Table("projects", ("id",), 1), Table("cases", ("id",), 12))).summary()
        '1 project, 12 cases, 0 raters, 0 answers; revision 0002'
        """
        nouns = ("project", "case", "rater", "answer")
        counts = (plural(self.rows_of(f"{noun}s"), noun) for noun in nouns)
        return f"{', '.join(counts)}; revision {self.revision}"


# --- writing ---


def write_dump(database: Database, out: TextIO, told: Told | None = None) -> Contents:
    """Write everything that a database holds at this moment; others may go on writing to it.

    >>> import io
    >>> from tempfile import TemporaryDirectory
    >>> from jurybox.serve.store.database import open_database
    >>> with TemporaryDirectory() as folder:
    ...     database, out = open_database(f"{folder}/study.db"), io.StringIO()
    ...     written = write_dump(database, out)
    ...     database.close()
    >>> written.rows_of("store_settings"), check_dump(Input.from_text(out.getvalue())) == written
    (1, True)
    """
    with database.snapshot() as connection:
        revision = revision_of(connection, database.name)
        if not revision:
            raise InputError(f"{database.name}: is empty; there is nothing to dump")
        tables = tables_in(connection)
        listed = [
            Table(table.name, tuple(table.columns.keys()), _count(connection, table))
            for table in tables
        ]
        if told:
            told.expect(sum(entry.rows for entry in listed), "rows")
        lines = _Lines(out)
        lines.write(_header(revision, listed))
        summed = []
        for table, entry in zip(tables, listed, strict=True):
            lines.write(_encode({"table": table.name}))
            digest = sha256()
            for batch in rows_of(connection, table, entry.columns):
                digest.update(lines.write(*batch))
                if told:
                    told(len(batch), "rows")
            summed.append(entry._replace(sha256=digest.hexdigest()))
        contents = Contents(revision, tuple(summed), sha256=lines.digest)
        lines.write(_footer(contents))
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


def _count(connection: sa.Connection, table: sa.Table) -> int:
    return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


class _Lines:
    """Lines on their way to a file, hashed."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._sha256 = sha256()

    @property
    def digest(self) -> str:
        return self._sha256.hexdigest()

    def write(self, *lines: str) -> bytes:
        text = "".join(f"{line}\n" for line in lines)
        self._out.write(text)
        stored = text.encode()
        self._sha256.update(stored)
        return stored


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _header(revision: str, tables: Iterable[Table]) -> str:
    listed = [
        {"table": table.name, "rows": table.rows, "columns": table.columns} for table in tables
    ]
    about = {"format": FORMAT, "version": VERSION, "jurybox": __version__}
    return _encode({**about, "revision": revision, "tables": listed})


def _footer(contents: Contents) -> str:
    sums = {table.name: table.sha256 for table in contents.tables}
    return _encode({"end": True, "sha256": contents.sha256, "tables": sums})


# --- reading ---


class Row(NamedTuple):
    """A row of a dump, and where it stands."""

    table: str
    line: int
    values: list[Any]


def check_dump(source: Input, told: Told | None = None) -> Contents:
    """Read a dump to its end: is it whole, and as it was written?

    What is wrong is a FormatError that names the line.
    """
    reader = _Reader(source)
    for done, _ in enumerate(reader.rows(), 1):
        if told and done == 1:
            told.expect(reader.contents.rows, CHECKED)
        if told and done % AT_ONCE == 0:
            told(AT_ONCE, CHECKED)
    return reader.contents


def read_rows(source: Input) -> Iterator[Row]:
    """The rows of a dump."""
    return _Reader(source).rows()


class _Reader:
    """Reads a dump from front to back and compares it with what its first and last line say."""

    def __init__(self, source: Input) -> None:
        self._source = source
        self._sha256 = sha256()
        self._line = 0
        self.contents = Contents("", ())

    def rows(self) -> Iterator[Row]:
        if self._source.peek().startswith(b"SQLite format 3\0"):
            name = self._source.name
            message = f"is a database and no dump; make one: jurybox db dump --db {name} -o FILE"
            raise FormatError(message, path=name)
        lines = self._lines()
        self.contents = self._read_header(next(lines, ""))
        summed: list[Table] = []
        begun: list[int] = []
        waiting = iter(self.contents.tables)
        table = Table("", (), 0)
        seen, digest = 0, sha256()
        for text in lines:
            if text.startswith("["):
                values = self._parse(text)
                if len(values) != len(table.columns):
                    raise self._error(f"is no row of the table {table.name or '(none)'}")
                seen += 1
                digest.update(f"{text}\n".encode())
                yield Row(table.name, self._line, values)
                continue
            if table.name:
                self._check_count(table, seen)
                summed.append(table._replace(sha256=digest.hexdigest()))
            sign = self._parse(text)
            if sign.get("end") is True:
                self._finish(sign, summed, begun)
                for _ in lines:
                    raise self._error("there is something behind the end of the dump")
                return
            table = next(waiting, Table("", (), 0))
            if not table.name or sign.get("table") != table.name:
                raise self._error(f"the table {table.name or '(end)'} should begin here")
            begun.append(self._line + 1)
            seen, digest = 0, sha256()
        raise self._error("the dump is cut off behind this line: its end is missing")

    def _lines(self) -> Iterator[str]:
        """The lines; all but the last one are hashed when the next is asked for."""
        for number, text in self._source.lines():
            self._line = number
            yield text
            self._sha256.update(f"{text}\n".encode())

    def _finish(self, sign: dict[str, Any], summed: list[Table], begun: list[int]) -> None:
        """Compare with what the last line says."""
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

    def _check_count(self, table: Table, seen: int) -> None:
        if seen != table.rows:
            raise self._error(
                f"the table {table.name} ends here with {plural(seen, 'row')}; there should be "
                f"{table.rows}"
            )

    def _read_header(self, text: str) -> Contents:
        try:
            given = json.loads(text)
            if given["format"] != FORMAT:
                raise ValueError
            version, revision = int(given["version"]), str(given["revision"])
            jurybox = str(given["jurybox"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise FormatError(
                "is no dump of jurybox; name a file that jurybox db dump wrote",
                path=self._source.name,
                line=1,
            ) from None
        if version > VERSION or (REVISION.fullmatch(revision) and revision > HEAD):
            raise FormatError(
                f"was written by a newer jurybox ({jurybox}, revision {revision}; this one knows "
                f"{HEAD}); install that version: pip install --upgrade 'jurybox[serve]'",
                path=self._source.name,
                line=1,
            )
        if not REVISION.fullmatch(revision) or int(revision) < 1:
            raise self._error(f"there is no revision '{revision[:20]}'")
        try:
            tables = tuple(
                Table(str(one["table"]), tuple(map(str, one["columns"])), int(one["rows"]))
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
