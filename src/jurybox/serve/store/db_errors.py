"""What is wrong with a database: it is away, full, busy, or may not be written.

Drivers report codes: SQLite its result codes (sqlite.org/rescode.html), PostgreSQL SQLSTATE
(appendix A of its manual), or nothing at all if there is no connection.
"""

from __future__ import annotations

import sqlite3
from enum import StrEnum

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionError


class DbError(StrEnum):
    """Why nothing can be read or stored at the moment."""

    AWAY = "away"
    BUSY = "busy"
    FULL = "full"
    READ_ONLY = "read-only"


#: what drivers raise, and a pool without a free connection
DRIVER_ERRORS: tuple[type[Exception], ...] = (DBAPIError, NoConnectionError, sqlite3.Error)

#: SQLite: primary result codes
_SQLITE = {
    sqlite3.SQLITE_FULL: DbError.FULL,
    sqlite3.SQLITE_READONLY: DbError.READ_ONLY,
    sqlite3.SQLITE_PERM: DbError.READ_ONLY,
    sqlite3.SQLITE_BUSY: DbError.BUSY,
    sqlite3.SQLITE_LOCKED: DbError.BUSY,
    sqlite3.SQLITE_CANTOPEN: DbError.AWAY,
    sqlite3.SQLITE_IOERR: DbError.AWAY,
}
#: PostgreSQL: the beginning of SQLSTATE; the first that fits counts
_POSTGRES = {
    "53100": DbError.FULL,  # disk full
    "53": DbError.BUSY,  # memory, connections
    "25006": DbError.READ_ONLY,
    "55P03": DbError.BUSY,  # a lock
    "40": DbError.BUSY,  # rolled back for another transaction's sake
    "08": DbError.AWAY,
    "57P": DbError.AWAY,  # shut down, crashed, starting
}
#: SQLite: primary result codes whose message says too little to a user who names a file
_SQLITE_ADVICE = {
    sqlite3.SQLITE_NOTADB: "name the file that jurybox serve uses, or one that is not there yet",
    sqlite3.SQLITE_CANTOPEN: "name a file, in a folder that may be written to",
    sqlite3.SQLITE_IOERR: "is the disk full? Make room, or give --db another place",
}
_ADVICE = {
    DbError.FULL: "make room on the disk, or give --db another place",
    DbError.READ_ONLY: "the file and its folder must be writable for the user who runs jurybox",
    DbError.BUSY: "another program holds it; end that one, or try again",
}


def db_error_of(error: BaseException) -> DbError | None:
    """What is wrong with the database; None if it is something else, perhaps a mistake of ours."""
    if isinstance(error, NoConnectionError):
        return DbError.BUSY
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        return _SQLITE.get(_sqlite_code(cause))
    if not isinstance(error, DBAPIError):
        return None
    state = getattr(cause, "sqlstate", None) or ""
    for beginning, meaning in _POSTGRES.items():
        if state.startswith(beginning):
            return meaning
    # without a state nobody answered: there was no connection, or it broke
    is_cut = isinstance(error, OperationalError | InterfaceError) and not state
    return DbError.AWAY if is_cut or error.connection_invalidated else None


def advice_on(error: BaseException) -> str:
    """What to do, after a semicolon; '' where the driver's message must do."""
    cause = getattr(error, "orig", error)
    if getattr(cause, "sqlstate", None) == "3D000":
        return "; make it first, with createdb"
    advice = _ADVICE.get(db_error_of(error) or DbError.AWAY)
    if advice is None and isinstance(cause, sqlite3.Error):
        advice = _SQLITE_ADVICE.get(_sqlite_code(cause))
    return f"; {advice}" if advice else ""


def _sqlite_code(error: sqlite3.Error) -> int:
    """The primary result code; the bytes above it are details."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
