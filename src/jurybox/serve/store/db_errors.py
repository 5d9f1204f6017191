"""What is wrong with a database: it is away, full, busy, or may not be written.

Drivers report codes: SQLite its result codes (sqlite.org/rescode.html), PostgreSQL SQLSTATE
(appendix A of its manual), or nothing at all if there is no connection.
"""

from __future__ import annotations

import sqlite3
from enum import StrEnum

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionError


class Trouble(StrEnum):
    """Why nothing can be read or stored at the moment."""

    AWAY = "away"
    BUSY = "busy"
    FULL = "full"
    READ_ONLY = "read-only"


#: what drivers raise, and a pool without a free connection
TROUBLED: tuple[type[Exception], ...] = (DBAPIError, NoConnectionError, sqlite3.Error)

#: SQLite: primary result codes
_SQLITE = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
    sqlite3.SQLITE_BUSY: Trouble.BUSY,
    sqlite3.SQLITE_LOCKED: Trouble.BUSY,
    sqlite3.SQLITE_CANTOPEN: Trouble.AWAY,
    sqlite3.SQLITE_IOERR: Trouble.AWAY,
}
#: PostgreSQL: the beginning of SQLSTATE; the first that fits counts
_POSTGRES = {
    "53100": Trouble.FULL,  # disk full
    "53": Trouble.BUSY,  # memory, connections
    "25006": Trouble.READ_ONLY,
    "55P03": Trouble.BUSY,  # a lock
    "40": Trouble.BUSY,  # rolled back for another transaction's sake
    "08": Trouble.AWAY,
    "57P": Trouble.AWAY,  # shut down, crashed, starting
}
#: SQLite: primary result codes whose message says too little to a user who names a file
_SQLITE_ADVICE = {
    sqlite3.SQLITE_NOTADB: "name the file that jurybox serve uses, or one that is not there yet",
    sqlite3.SQLITE_CANTOPEN: "name a file, in a folder that may be written to",
    sqlite3.SQLITE_IOERR: "is the disk full? Make room, or give --db another place",
}
_ADVICE = {
    Trouble.FULL: "make room on the disk, or give --db another place",
    Trouble.READ_ONLY: "the file and its folder must be writable for the user who runs jurybox",
    Trouble.BUSY: "another program holds it; end that one, or try again",
}


def trouble_of(error: BaseException) -> Trouble | None:
    """What is wrong with the database; None if it is something else, perhaps a mistake of ours.

    >>> full = sqlite3.OperationalError("database or disk is full")
    >>> full.sqlite_errorcode = sqlite3.SQLITE_FULL
    >>> str(trouble_of(OperationalError("INSERT", {}, full))), trouble_of(ValueError())
    ('full', None)
    """
    if isinstance(error, NoConnectionError):
        return Trouble.BUSY
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        return _SQLITE.get(_sqlite_code(cause))
    if not isinstance(error, DBAPIError):
        return None
    state = getattr(cause, "sqlstate", None) or ""
    for beginning, trouble in _POSTGRES.items():
        if state.startswith(beginning):
            return trouble
    # without a state nobody answered: there was no connection, or it broke
    is_cut = isinstance(error, OperationalError | InterfaceError) and not state
    return Trouble.AWAY if is_cut or error.connection_invalidated else None


def advice_on(error: BaseException) -> str:
    """What to do, after a semicolon; '' where the driver's message must do."""
    cause = getattr(error, "orig", error)
    if getattr(cause, "sqlstate", None) == "3D000":
        return "; make it first, with createdb"
    advice = _ADVICE.get(trouble_of(error) or Trouble.AWAY)
    if advice is None and isinstance(cause, sqlite3.Error):
        advice = _SQLITE_ADVICE.get(_sqlite_code(cause))
    return f"; {advice}" if advice else ""


def _sqlite_code(error: sqlite3.Error) -> int:
    """The primary result code; the bytes above it are details."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
